"""What is told to somebody who asks: all ways to shuffle, ranked, and the words for them.

The answer comes first: what to do, step by step, what its distance from random means, and a sheet for each player, to
print. Then come up to two others: an exact one, and a much quicker guess. All ways, as a picture and a table, are told
to those who ask for them.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from fairdeck.advice.request import MACHINE, TOSS, Recommendation, Request
from fairdeck.dealing.goal import WHOLE_DECK
from fairdeck.dealing.pace import Pace
from fairdeck.document import Chart, Document, Element, Heading, Note, Sentence, Sheet, Steps, Table, Way, Ways
from fairdeck.shuffles.distances import deals_to_notice
from fairdeck.shuffles.top_cards import known

SHOWN_MINUTES = 120.0  # a longer time is told in hours or days
PERFECT = 1e-6
WORTH = 0.75  # a guess is worth a line if it takes less than this part of the time of the best way
NOTICED = 0.1  # a distance from which on a number of deals is no comfort


@dataclass(frozen=True, repr=False)
class Recommendations:
    """Every way to shuffle a deck, best first: what meets the request, the quickest first; then the nearest to it.

    Attributes:
        request: what was asked for.
        pace: the pace from which the minutes are computed.
        ranked: the ways, one or more.
        with_room: the quickest deal if there were room for piles; None if there is room, or some way is random enough.
        others: the same for decks of other sizes, if several are shuffled, each by itself.
    """

    request: Request
    pace: Pace
    ranked: tuple[Recommendation, ...]
    with_room: Recommendation | None = None
    others: tuple["Recommendations", ...] = ()

    @property
    def best(self) -> Recommendation:
        """The first."""
        return self.ranked[0]

    @property
    def deck(self) -> str:
        """What is shuffled, in words."""
        deck = f"{self.request.cards} {self.request.things}"
        return f"{self.request.decks} decks of {deck}" if self.request.decks > 1 else deck

    @property
    def paced(self) -> str:
        """What the minutes rest on."""
        return "at your pace" if self.pace.measured else "at a guessed pace"

    def __repr__(self) -> str:
        return f"Recommendations({self.deck}, best of {len(self.ranked)}: {self.best.way!r})"

    def __str__(self) -> str:
        """Return the sentence that `fairdeck advise` begins with."""
        return _together((self, *self.others)) if self.others else _headline(self)

    def html(self) -> str:
        """Return one HTML page with a picture and a table, which needs nothing else."""
        from fairdeck.show.page import page

        return page(self.document(everything=True))

    def _repr_html_(self) -> str:
        from fairdeck.show.html import framed

        return framed(self.html())

    def document(self, *, everything: bool = False) -> Document:
        """Return the answer and up to two other ways; or all ways, if `everything` is wanted."""
        every = (self, *self.others)
        elements: list[Element] = [Sentence(self.request.told)] if self.request.told else []
        for each in every:
            elements += [Sentence(_headline(each))] if self.others else []
            of = f": {each.deck}" if self.others else ""
            elements += _of_a_size(each, of, everything and each is self) if everything or each is self else ()
        told = dict.fromkeys(sentence for each in every for sentence in _assumptions(each))
        elements += [Heading("Assumptions"), *map(Sentence, told)]
        return Document(str(self), elements)

    def to_json(self) -> str:
        """Return what `fairdeck advise --json` prints."""
        request = {
            name: getattr(self.request, name)
            for name in ("cards", "cards_are", "riffles", "room", "players", "machine", "decks")
        }
        mine = self.request.riffler
        request |= {"goal": str(self.request.goal), "riffle": mine.recipe if mine else None, "pace": asdict(self.pace)}
        others = {"others": [json.loads(other.to_json()) for other in self.others]} if self.others else {}
        ways = {"told": self.request.told, "ways": [way.as_dict() for way in self.ranked]}
        return json.dumps({"format": "fairdeck-advice/1", **request, **ways, **others})


def _together(every: Sequence[Recommendations]) -> str:
    """Return the sentence for decks of several sizes."""
    best, limit = [each.best for each in every], every[0].request.minutes
    minutes = sum(way.minutes for way in best)
    told = f"{', '.join(each.deck for each in every)}: "
    if not all(way.enough for way in best) or (limit is not None and minutes > limit):
        told += f"no way is known to be random enough{'' if limit is None else f' within {duration(limit)}'}. Nearest: "
    worst = max(best, key=lambda way: 1.0 if way.total_variation is None else way.total_variation)
    far = f"{'at worst ' * (worst.total_variation != 0)}{quality(worst)}"
    return f"{told}about {duration(minutes)} in all {every[0].paced}, {far}."


def _of_a_size(found: Recommendations, of: str, everything: bool) -> Iterator[Element]:
    """Yield the answer for decks of one size; `of` ends its title."""
    yield Sentence(meaning(found.best))
    yield from _answer(found, of)
    others = shortlist(found)[1:]
    yield from _table("Or", [(way.way, *_row(0, way)[1:]) for way in others], others)
    late = [way for way in found.ranked if way.near(found.request) and way.gives_a_deck and not way.in_time]
    if late and found.best.in_time and not found.best.enough:
        yield Sentence(
            f"Random enough, but longer: {late[0].way}, about {duration(late[0].minutes)}, {quality(late[0])}."
        )
    if everything:
        good = [way.enough for way in found.ranked].count(True)
        rows = [_row(number, way) for number, way in enumerate(found.ranked, 1)]
        yield Heading("All ways")
        yield _picture(found)
        yield from _table("Good enough, the quickest first", rows[:good], found.ranked[:good])
        yield from _table("Not good enough, the nearest first", rows[good:], found.ranked[good:])
    elif len(found.ranked) > len(others) + 1:
        yield Sentence(f"All {len(found.ranked)} ways, and what is wrong with the others: --all.")


def shortlist(found: Recommendations) -> list[Recommendation]:
    """Return the best way and up to two others that are worth a line, an exact one among them if there is one in time.

    The third is a guess, if it takes much less time.
    """
    best, possible = found.best, [way for way in found.ranked if way.in_time and way.gives_a_deck]
    exact = next((way for way in possible if way.total_variation == 0), best)
    guesses = [way for way in possible if way.total_variation is None and way.at_least <= NOTICED]
    guess = next((way for way in guesses if way.minutes < WORTH * best.minutes), best)
    return list(dict.fromkeys((best, exact, guess)))


def _headline(found: Recommendations) -> str:
    """Return the sentence for someone who reads only one."""
    request, best = found.request, found.best
    people = "one person" if request.players == 1 else f"{request.players} people"
    whole = " for all" if request.decks > 1 else ""
    what = f"{best.way}: about {duration(best.minutes)}{whole} {found.paced}, {quality(best)}."
    if not best.gives_a_deck:
        what = "no way gives a shuffled deck; hands alone can be dealt."
    elif not best.enough:
        limit = "" if request.minutes is None else f" within {duration(request.minutes)}"
        nearest = f"The nearest{' within it' * bool(limit)}" if best.in_time else "With more time"
        what = f"no way is known to be random enough{limit}. {nearest}: {what}"
    return f"{found.deck}, {people}: {what}"


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


def _answer(found: Recommendations, of: str) -> Iterator[Element]:
    """Yield the steps of the best way, a sheet for each player, and what is surer."""
    best = found.best
    yield Heading(f"What to do{of}" if best.gives_a_deck else f"Without a deck: {best.way}")
    yield Sentence(f"You need {best.needs}.")
    yield Steps(list(map(str, best.do)))
    if best.remark.startswith("fairdeck deal ") and best.people == found.request.decks == 1:
        printed = f"{best.remark.partition(';')[0]} --pdf plans.pdf --booklet 20"
        yield Sentence(f"Without a phone, print plans, and use each once: {printed}.")
    if room := found.with_room:
        needs, command = room.needs.partition(", and ")[0], room.remark.partition(";")[0]
        takes = f"about {duration(room.minutes)}, exactly uniform"
        yield Sentence(f"Better, with {needs}: {room.way}, {takes} ({command}).")
    if best.sheets:
        yield Sentence("A sheet for each player, to print, is on the page of --html FILE.")
    for who, do in best.sheets:
        yield Sheet(who, [Note(_headline(found)), Steps(list(map(str, do)))])


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
    elif any("mash" in way.way for way in found.ranked):
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
    elif any("riffle" in way.way for way in found.ranked):
        yield "Riffles follow the model: even cuts, and cards that fall mostly one by one. Clumps make them worse."
    if request.cards_are == "tarot":
        yield (
            "Distances are those of order and reversals together. A fair coin for each card adds nothing (to toss one: "
            f"{TOSS:g} s, which is a guess), nor does one last riffle with one part turned, if it follows the model."
        )
    if any(way.mark == "machine" for way in found.ranked):
        yield (
            f"The machine: {MACHINE:g} s a card, which is a guess; ask its maker how many shelves it has, and "
            "whether they are chosen at random."
        )
    if request.goal != WHOLE_DECK:
        judged = "the order of the whole deck"
        if request.seen and known(request.cards, request.seen):
            judged = f"the top {request.seen} cards, by their exact law, if they are riffles; else by {judged}"
        yield f"Dealt as fairdeck says, {request.goal} is random; other ways are judged by {judged}."


def quality(way: Recommendation) -> str:
    """Return in words how random the deck is afterwards."""
    if way.total_variation is None and way.at_least:
        return f"a guess: at least {way.at_least:.2g} from random, by simulated decks"
    if way.total_variation is None:
        return "a guess: nobody knows how random"
    if way.total_variation == 0:
        return "exactly uniform" if way.gives_a_deck else "exactly uniform hands, but no deck"
    ideal = " of ideal riffles" if "riffle" in way.mark else ""
    sort = f"by the exact law{ideal}" if way.exact else "by an estimate"
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
