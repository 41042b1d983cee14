"""What is told to somebody who asks: all ways to shuffle, ranked, and the words for them.

The answer comes first: what to do, step by step, what its distance from random means, and a sheet for each player, to
print. Then come all ways: a picture of minutes against distance, and the same as a table.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from fairdeck.advice.request import MACHINE, TOSS, Recommendation, Request
from fairdeck.dealing.goal import WHOLE_DECK
from fairdeck.dealing.pace import Pace
from fairdeck.document import Chart, Document, Element, Heading, Note, Sentence, Sheet, Steps, Table, Way, Ways
from fairdeck.shuffles.distances import deals_to_notice

SHOWN_MINUTES = 120.0  # a longer time is told in hours or days
PERFECT = 1e-6
NOTICED = 0.1  # a distance from which on a number of deals is no comfort


@dataclass(frozen=True, repr=False)
class Recommendations:
    """Every way to shuffle a deck, best first: what meets the request, the quickest first; then the nearest to it.

    Attributes:
        request: what was asked for.
        pace: the pace from which the minutes are computed.
        ranked: the ways, one or more.
        with_room: the quickest deal if there were room for piles; None if there is room, or some way is random enough.
    """

    request: Request
    pace: Pace
    ranked: tuple[Recommendation, ...]
    with_room: Recommendation | None = None

    @property
    def best(self) -> Recommendation:
        """The first."""
        return self.ranked[0]

    def __repr__(self) -> str:
        deck = f"{self.request.cards} {self.request.things}"
        return f"Recommendations({deck}, best of {len(self.ranked)}: {self.best.way!r})"

    def __str__(self) -> str:
        """Return the sentence that `fairdeck advise` begins with."""
        return _headline(self)

    def html(self) -> str:
        """Return one HTML page with a picture and a table, which needs nothing else."""
        from fairdeck.show.page import page

        return page(self.document())

    def _repr_html_(self) -> str:
        from fairdeck.show.html import framed

        return framed(self.html())

    def document(self) -> Document:
        """Return the answer, then all ways and what is assumed."""
        good = [way.enough for way in self.ranked].count(True)
        rows = [_row(number, way) for number, way in enumerate(self.ranked, 1)]
        return Document(
            _headline(self),
            [
                Sentence(meaning(self.best)),
                *_answer(self),
                Heading("All ways"),
                _picture(self),
                *_table("Good enough, the quickest first", rows[:good], self.ranked[:good]),
                *_table("Not good enough, the nearest first", rows[good:], self.ranked[good:]),
                Heading("Assumptions"),
                *map(Sentence, _assumptions(self)),
            ],
        )

    def to_json(self) -> str:
        """Return what `fairdeck advise --json` prints."""
        request = {
            name: getattr(self.request, name) for name in ("cards", "cards_are", "room", "players", "machine", "decks")
        }
        mine = self.request.riffler
        request |= {"goal": str(self.request.goal), "riffle": mine.recipe if mine else None, "pace": asdict(self.pace)}
        return json.dumps({"format": "fairdeck-advice/1", **request} | {"ways": [way.as_dict() for way in self.ranked]})


def _headline(found: Recommendations) -> str:
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


def _answer(found: Recommendations) -> Iterator[Element]:
    """Yield the steps of the best way, a sheet for each player, and what is surer."""
    best = found.best
    yield Heading(_title(best))
    yield Sentence(f"You need {best.needs}.")
    yield Steps(list(map(str, best.do)))
    if sure := _surer(found):
        yield Sentence(sure)
    if best.sheets:
        yield Sentence("A sheet for each player, to print, is on the page of --html FILE.")
    for who, do in best.sheets:
        yield Sheet(who, [Note(_headline(found)), Steps(list(map(str, do)))])


def _title(best: Recommendation) -> str:
    """Return the title above the steps of the best way."""
    if best.enough:
        return "What to do"
    return f"The nearest to random: {best.way}" if best.gives_a_deck else f"Without a deck: {best.way}"


def _surer(found: Recommendations) -> str:
    """Return the quickest way that is exactly uniform, as a sentence; empty if it is the best, or there is none."""
    sure = next((way for way in found.ranked if way.enough and way.total_variation == 0), found.with_room)
    if sure is None or sure is found.best or (found.best.total_variation == 0 and found.best.enough):
        return ""
    command = sure.remark.partition(";")[0]
    if sure is found.with_room:
        room = sure.needs.partition(", and ")[0]
        return f"Better, with {room}: {sure.way}, about {duration(sure.minutes)}, exactly uniform ({command})."
    return f"To be sure whatever your hands do: {sure.way}, about {duration(sure.minutes)} ({command})."


def _table(title: str, rows: Sequence[Sequence[str]], ways: Sequence[Recommendation]) -> Iterator[Element]:
    if rows:
        notes = {at: [f"needs {way.needs}", *([way.remark] if way.remark else [])] for at, way in enumerate(ways)}
        yield Heading(title)
        yield Table({"way": False, "minutes": True, "how random": False}, rows, notes=notes, names_last=True)


def _row(number: int, way: Recommendation) -> tuple[str, str, str]:
    minutes = duration(way.minutes).removesuffix(" minutes").removesuffix(" minute")
    return f"{number}. {way.way}", minutes, quality(way)


def _picture(found: Recommendations) -> Chart:
    request = found.request
    wanted = f"total variation up to {request.distance:g}"
    wanted += "" if request.minutes is None else f", up to {duration(request.minutes)}"
    ways = [Way(way.minutes, way.total_variation, way.mark, way.enough, way.exact) for way in found.ranked]
    told = (
        f"{number}, {way.way}: {duration(way.minutes)}, {quality(way)}" for number, way in enumerate(found.ranked, 1)
    )
    return Chart(
        f"Ways to shuffle {request.cards} {request.things}: minutes and distance from random",
        Ways(ways, request.distance, request.minutes),
        "; ".join(told),
        f"Higher is more random, further left is quicker. Good enough ({wanted}): the shaded part, and filled marks. "
        "A dashed edge is an estimate. Numbers as in the table; marks that would overlap are moved a little.",
    )


def _assumptions(found: Recommendations) -> Iterator[str]:
    """Yield what the minutes and the distances rest on."""
    request, pace = found.request, found.pace
    whose = "your pace" if pace.measured else "an assumed pace (to use yours: fairdeck advise --help)"
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
