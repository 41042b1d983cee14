"""Recommendations as sentences, and as a page for a club.

The answer comes first: what to do, step by step, what its distance from random means, and on the page a sheet for each
player, to print. Then the page shows all ways: a picture of minutes against distance, and the same as a table.

The picture has three bands. Ways that leave the deck exactly uniform stand in the top band, those with an unknown
distance in the bottom band; between them the total variation falls upwards. Minutes
grow to the right, both on logarithmic scales; a way that takes longer than the scale stands at its end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import log10
from shutil import get_terminal_size
from textwrap import wrap

from fairdeck.dealing.goal import WHOLE_DECK
from fairdeck.output.html import Html, html_page, style, table, tag, text
from fairdeck.recommendations.request import MACHINE, Recommendation, Recommendations, Request
from fairdeck.recommendations.reversals import TOSS
from fairdeck.shuffles.distances import deals_to_notice

SHOWN_MINUTES = 120.0
WIDEST, NARROWEST = 110, 60
PERFECT = 1e-6
NOTICED = 0.1  # a distance from which on a number of deals is no comfort
WIDE, HIGH = 340, 308
LEFT, RIGHT = 40, 334
UNIFORM, NEAR, FAR, UNKNOWN = 36, 76, 222, 258  # heights: of the top band, of the scale's ends, of the bottom band
FOOT = 278
LATE = 302  # the x beyond the scale, for what takes longer
LEAST_VARIATION = 0.001
LONGEST = 60.0  # minutes on the scale
RADIUS = 8.5
LETTER = 6.2  # wide, about
SCALE = (0.5, 1, 2, 5, 10, 20, 40)
STYLE = style("recommendation")  # marks are filled if the way is good enough, dashed if it is an estimate


Rectangle = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class _Name:
    """The place of a name: of its middle, its start or its end."""

    x: float
    y: float
    anchor: str


def page(found: Recommendations) -> str:
    """Return one HTML page that needs nothing else."""
    good = [way.enough for way in found.ranked].count(True)
    numbered = list(enumerate(found.ranked, 1))
    body = "".join(
        [
            *_answer(found),
            "<h2>All ways</h2>",
            _figure(found),
            *_table("Good enough, the quickest first", numbered[:good]),
            *_table("Not good enough, the nearest first", numbered[good:]),
            "<h2>Assumptions</h2>",
            *(f"<p>{text(note)}</p>" for note in assumptions(found)),
        ]
    )
    return html_page(headline(found), tag("p", meaning(found.best)), body, STYLE)


def _answer(found: Recommendations) -> Iterator[str]:
    """Yield the steps of the best way, a sheet for each player, and what is surer."""
    best = found.best
    yield tag("h2", _title(best))
    yield tag("p", f"You need {best.needs}.") + _list(best.do)
    if sure := surer(found):
        yield tag("p", sure)
    if best.sheets:
        yield '<p class="soft screen">Print this page: each player\'s sheet comes on a page of its own.</p>'
    for who, do in best.sheets:
        yield tag("section", tag("h2", who), tag("p", headline(found), class_="soft"), _list(do), class_="sheet")


def _title(best: Recommendation) -> str:
    """Return the title above the steps of the best way."""
    if best.enough:
        return "What to do"
    return f"The nearest to random: {best.way}" if best.gives_a_deck else f"Without a deck: {best.way}"


def _list(steps: Sequence[str]) -> Html:
    return tag("ol", [tag("li", *_lines_of(step)) for step in steps], class_="steps")


def _lines_of(step: str) -> Iterator[Html]:
    for line in step.split("\n"):
        yield tag("p", line)


def headline(found: Recommendations) -> str:
    """Return the sentence for someone who reads only one."""
    request, best = found.request, found.best
    people = "one person" if request.players == 1 else f"{request.players} people"
    deck = f"{request.cards} {request.things}"
    if request.decks > 1:
        deck = f"{request.decks} decks of {deck}"
    if best.enough:
        whole = " for all" if request.decks > 1 else ""
        return f"{deck}, {people}: {best.way}: about {duration(best.minutes)}{whole}, {quality(best)}."
    if not best.gives_a_deck:
        return f"{deck}, {people}: no way gives a shuffled deck; hands alone can be dealt."
    lacks = "is known to be random enough" if request.minutes is None else "is both random enough and quick enough"
    return f"{deck}, {people}: no way {lacks}. The nearest is the first here."


def meaning(way: Recommendation) -> str:
    """Return in one plain sentence what the distance of a way means."""
    if not way.gives_a_deck:
        return "The hands are exactly uniform, but there is no shuffled deck afterwards."
    if way.total_variation == 0:
        return "Exactly uniform: every result is equally likely, whatever the old order was."
    if way.total_variation is None and way.at_least > NOTICED:
        return "That is far from random: somebody who knows the old order can win bets on the new one."
    if way.total_variation is None:
        return "Nobody knows how random the deck is then: it may look mixed and still keep much of its old order."
    far = f"{way.total_variation:.2g} from random"
    if way.total_variation > NOTICED:
        return f"{far} is far: somebody who knows the old order can win bets on the new one."
    if way.total_variation < PERFECT:
        return f"{far} is as good as perfect: no bet shows it in fewer than {deals_to_notice(PERFECT):,} deals."
    deals = next(10**k for k in range(2, 9) if 10**k * way.total_variation >= 1)
    more = f"{deals * way.total_variation:.2g} more times in {deals:,} deals"
    return (
        f"{far} means: the best possible bet by somebody who knows the old order wins {more} "
        f"than it would after a perfect shuffle. To notice that takes some "
        f"{deals_to_notice(way.total_variation):,} deals."
    )


def surer(found: Recommendations) -> str:
    """Return the quickest way that is exactly uniform, as a sentence; empty if it is the best, or there is none."""
    sure = next((way for way in found.ranked if way.enough and way.total_variation == 0), found.with_room)
    if sure is None or sure is found.best or (found.best.total_variation == 0 and found.best.enough):
        return ""
    command = sure.remark.partition(";")[0]
    if sure is found.with_room:
        room = sure.needs.partition(", and ")[0]
        return f"Better, with {room}: {sure.way}, about {duration(sure.minutes)}, exactly uniform ({command})."
    return f"To be sure whatever your hands do: {sure.way}, about {duration(sure.minutes)} ({command})."


def lines(found: Recommendations) -> Iterator[str]:
    """Yield the lines for a terminal."""
    best = found.best
    yield headline(found)
    yield ""
    yield from _wrapped(meaning(best))
    yield ""
    yield f"{_title(best)}:"
    for number, step in enumerate(best.do, 1):
        first, *others = step.split("\n")
        yield from _wrapped(first, f"{number:>3}. ", " " * 5)
        for line in others:
            yield from _wrapped(line, " " * 7, " " * 9)
    if best.sheets:
        yield "     A sheet for each player, to print: add --html FILE."
    if sure := surer(found):
        yield from _wrapped(sure)
    good = [way for way in found.ranked if way.enough]
    for title, some in (
        ("Good enough, the quickest first:", good),
        ("Not good enough, the nearest first:", found.ranked[len(good) :]),
    ):
        if some:
            yield ""
            yield title
        for way in some:
            yield f"  {duration(way.minutes):>14}  {quality(way)}"
            for line in filter(None, (way.way, f"needs {way.needs}", way.remark)):
                yield f"                  {line}"
    yield ""
    yield from assumptions(found)


def assumptions(found: Recommendations) -> Iterator[str]:
    """Yield what the minutes and the distances rest on."""
    request, pace = found.request, found.pace
    whose = "your pace" if pace.measured else "an assumed pace (yours: fairdeck pace --measure)"
    riffle = f", {pace.riffle:g} s a riffle of 52 cards" if request.handful else ""
    yield f"Minutes are computed from {whose}: {pace.card:g} s a card dealt{riffle}."
    if request.cards_are == "tiles":
        yield "Tiles cannot be riffled, mashed, shuffled overhand or split into packets."
    elif request.sleeved and any(way.at_least for way in found.ranked):
        yield (
            "No law is known for mashing. The numbers are lower bounds from simulated decks, a third of the deck "
            "pushed into the rest, about four cards at a time; the deck may be further from random."
        )
    elif request.clumsy and request.riffler:
        mine = request.riffler
        yield (
            f"Your own riffle was measured, and is not the model's: {mine.need}. "
            "So no law for riffles holds for it. fairdeck hands shows it, and fairdeck hands --forget deletes it."
        )
    elif not request.sleeved:
        yield "Riffles follow the model: even cuts, and cards that fall mostly one by one. Clumps make them worse."
    if request.cards_are == "tarot":
        yield (
            f"Distances are those of order and reversals together: fair coins ({TOSS:g} s each, which is a guess) add "
            "nothing, nor does one riffle with one part turned, if that riffle follows the model."
        )
    if any(way.mark == "machine" for way in found.ranked):
        yield (
            f"The machine: {MACHINE:g} s a card, which is a guess; ask its maker how many shelves it has, and "
            "whether they are chosen at random."
        )
    if request.goal != WHOLE_DECK:
        yield f"Dealt as fairdeck says, {request.goal} is random; other ways are judged by the order of the whole deck."


def quality(way: Recommendation) -> str:
    """Return in words how random the deck is afterwards."""
    if way.total_variation is None and way.at_least:
        return f"at least {way.at_least:.2g} from random, by simulation; nobody knows how much more"
    if way.total_variation is None:
        return "nobody knows how random"
    if way.total_variation == 0:
        return "exactly uniform" if way.gives_a_deck else "exactly uniform hands, but no deck"
    sort = "by the exact law" if way.exact else "estimated"
    return f"{way.total_variation:.2g} from random, {sort}"


def _wrapped(text: str, first: str = "", rest: str = "") -> list[str]:
    width = min(WIDEST, max(NARROWEST, get_terminal_size().columns))
    return wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def duration(minutes: float) -> str:
    """Return minutes in words; large numbers as hours or days.

    >>> duration(2.54), duration(10_000)
    ('2.5 minutes', '7 days')
    >>> duration(1.0)
    '1 minute'
    """
    if minutes < SHOWN_MINUTES:
        return "1 minute" if f"{minutes:.1f}" == "1.0" else f"{minutes:.1f} minutes"
    return f"{minutes / 60:,.0f} hours" if minutes < 60 * 72 else f"{minutes / 60 / 24:,.0f} days"


def _table(title: str, numbered: Sequence[tuple[int, Recommendation]]) -> Iterator[str]:
    if numbered:
        yield f"<h2>{title}</h2>"
        yield table(title, {"Way": False, "Minutes": True, "How random": False}, [_row(*each) for each in numbered])


def _row(number: int, way: Recommendation) -> list[str]:
    notes = "".join(f"<small>{text(note)}</small>" for note in (f"needs {way.needs}", way.remark) if note)
    name = f'<span class="key">{number}</span> {text(way.way)}{notes}'
    return [name, duration(way.minutes).removesuffix(" minutes").removesuffix(" minute"), quality(way)]


# --- the picture


def _figure(found: Recommendations) -> str:
    request = found.request
    wanted = f"total variation up to {request.distance:g}" + (
        "" if request.minutes is None else f", up to {duration(request.minutes)}"
    )
    caption = (
        f"Higher is more random, further left is quicker. Good enough ({wanted}): the shaded part, and filled marks. "
        "A dashed edge is an estimate. Numbers as in the table; marks that would overlap are moved a little."
    )
    return f"<figure>{picture(found)}<figcaption>{text(caption)}</figcaption></figure>"


def picture(found: Recommendations) -> str:
    """Return the ways as SVG: minutes to the right, how random upwards."""
    request = found.request
    title = f"Ways to shuffle {request.cards} {request.things}: minutes and distance from random"
    said = "; ".join(
        f"{number}, {way.way}: {duration(way.minutes)}, {quality(way)}" for number, way in enumerate(found.ranked, 1)
    )
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img"><title>{escape(title)}</title><desc>{escape(said)}</desc>'
        f"{''.join([*_ground(request), *_marks(found.ranked)])}</svg>"
    )


def _ground(request: Request) -> Iterator[str]:
    wide, high = (RIGHT if request.minutes is None else _across(request.minutes)) - LEFT, _up(request.distance) - 14
    yield f'<rect class="field" x="{LEFT}" y="14" width="{RIGHT - LEFT}" height="{FOOT - 14}"/>'
    yield f'<rect class="wanted" x="{LEFT}" y="14" width="{wide:.1f}" height="{high:.1f}"/>'
    yield from (f'<path class="axis" d="M{LEFT} {edge}H{RIGHT}"/>' for edge in (58, 240))
    yield f'<path class="axis thin" d="M{LATE - 12} 14V{FOOT}"/>'
    for y, label in (
        (UNIFORM, "0"),
        *((_up(level), f"{level:g}") for level in (0.001, 0.01, 0.1, 1.0)),
        (UNKNOWN, "?"),
    ):
        yield f'<text class="end" x="{LEFT - 5}" y="{y + 4:.0f}">{label}</text>'
    yield f'<text class="end" x="{RIGHT}" y="{FOOT + 27}">bottom: nobody knows</text>'
    yield f'<text class="end" x="{RIGHT}" y="10">top: exactly uniform</text>'
    for minutes in SCALE:
        yield f'<text class="mid" x="{_across(minutes):.1f}" y="{FOOT + 14}">{minutes:g}</text>'
    yield f'<text class="end" x="{RIGHT}" y="{FOOT + 14}">longer</text>'
    yield f'<text class="mid" x="{LEFT + 60}" y="{FOOT + 27}">minutes</text>'
    yield '<text x="2" y="10">distance from random</text>'


def _across(minutes: float) -> float:
    if minutes > LONGEST:
        return LATE + RADIUS
    share = log10(max(minutes, SCALE[0]) / SCALE[0]) / log10(LONGEST / SCALE[0])
    return LEFT + 14 + share * (LATE - LEFT - 36)


def _up(variation: float | None) -> float:
    if variation is None:
        return UNKNOWN
    if variation == 0:
        return UNIFORM
    return FAR + (NEAR - FAR) * log10(max(variation, LEAST_VARIATION)) / log10(LEAST_VARIATION)


def _marks(ranked: Sequence[Recommendation]) -> Iterator[str]:
    """Yield the marks, each as near as possible to its own place, and the names that fit."""
    taken: list[Rectangle] = []
    places = {}
    for way in sorted(ranked, key=lambda way: way.minutes):
        places[way] = _free(_across(way.minutes), _up(way.total_variation), taken)
        taken.append(_disc(*places[way]))
    for number, way in enumerate(ranked, 1):
        x, y = places[way]
        sort = ("good" if way.enough else "poor") + ("" if way.exact else " guess")
        yield f'<circle class="way {sort}" cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}"/>'
        yield f'<text class="digit" x="{x:.1f}" y="{y + 4:.1f}">{number}</text>'
        names = (
            _Name(x + RADIUS + 3, y, "start"),
            _Name(x - RADIUS - 3, y, "end"),
            _Name(x, y - RADIUS - 6, "mid"),
            _Name(x, y + RADIUS + 7, "mid"),
        )
        for name in names:
            box = _words(name.x, name.y, way.mark, name.anchor)
            if box[0] > LEFT and box[2] < RIGHT and not any(_meet(box, other) for other in taken):
                taken.append(box)
                yield f'<text class="name {name.anchor}" x="{name.x:.1f}" y="{name.y + 4:.1f}">'
                yield f"{escape(way.mark)}</text>"
                break


def _free(x: float, y: float, taken: Sequence[Rectangle]) -> tuple[float, float]:
    """Return the free place nearest to the one asked for, preferably to the right, which keeps the order of minutes."""
    steps = [(3.0 * dx, 3.0 * dy) for dx in range(-40, 41) for dy in range(-3, 4)]
    steps.sort(key=lambda step: abs(step[0]) + 2 * abs(step[1]) + 40 * (step[0] < 0))
    places = [(x + dx, y + dy) for dx, dy in steps if LEFT + RADIUS < x + dx < RIGHT - RADIUS]
    return next((each for each in places if not any(_meet(_disc(*each), other) for other in taken)), (x, y))


def _disc(x: float, y: float) -> Rectangle:
    return x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS


def _words(x: float, y: float, says: str, anchor: str) -> Rectangle:
    """Return about the room that some words take."""
    wide = LETTER * len(says)
    left = x - {"start": 0.0, "mid": wide / 2, "end": wide}[anchor]
    return left - 2, y - 5, left + wide + 2, y + 5


def _meet(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
