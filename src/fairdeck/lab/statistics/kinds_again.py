"""Kinds from deck to deck: whether a place holds a card of the suit, rank or colour that some place held before.

Whatever the deck before was, a fair deck has a card of one of its n/k kinds at a place with chance k/n: exact for
every two places, and independent from deck to deck. Decks relative to earlier ones do not show such a fault: it leaves
open which card of a kind comes. Of a large batch only the first decks are compared.

A kind may also be followed by another one: clubs by diamonds, say. Whichever kind is to follow each kind, as long as
no two are followed by the same, the chance is again k/n. For suits all 23 ways to do so are counted at all places; for
ranks, so many steps on or back, at the ends of the deck.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import ClassVar, cast

import numpy as np

from fairdeck.bulk.shapes import Counts
from fairdeck.lab.kinds import halves, ranks, suits
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.tails import oddest_cell
from fairdeck.lab.observations import Sight
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.groups import added, ones, packed
from fairdeck.lab.view import View

COMPARED = 512  # decks of a batch
LEAST, MOST = 5, 200  # cards
MOST_FOLLOWING = 104  # cards; more have too many cells
ENDS = 4  # places at each end of the deck


@dataclass(frozen=True)
class KindAgain(Statistic):
    """How often a place holds a card of the kind that a place held in the deck before."""

    kinds: Callable[[int], Counts | None]  # the kind of each of `n` cards; None where the deck has no kinds
    kind: str  # what cards of one kind have in common

    family: ClassVar[str] = "serial"
    relative: ClassVar[bool] = False
    sparse: ClassVar[bool] = True

    def fits(self, n: int) -> bool:
        """Tell whether the kinds have the same size, more than one card each, and the pairs are not too many."""
        kinds = self.kinds(n) if LEAST <= n <= MOST else None
        return kinds is not None and len(set(np.bincount(kinds))) == 1

    def count(self, view: View) -> Counts:
        """Return in how many decks each place held the kind that each place held before.

        Shape ``(n n + 1,)``: the place of the deck first, then that of the deck before; last the decks compared.
        """
        n = view.cards
        stream = np.concatenate([view.lead[:, -1:], view.columns[:, :COMPARED]], axis=1)
        kinds = cast(Counts, self.kinds(n))
        both = np.zeros(n * n, np.int64)
        for kind in range(kinds.max() + 1):
            held = kinds[stream] == kind
            for now, before in zip(packed(held[:, 1:]), packed(held[:, :-1]), strict=True):
                both += ones((now[:, None] & before).reshape(n * n, -1))
        return np.append(both, max(0, stream.shape[1] - 1))

    def merge(self, counts: Counts, more: Counts) -> Counts:
        """Return the counts of both."""
        return added(counts, more)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the oddest two places."""
        if not counts[-1]:
            return
        compared, fair = int(counts[-1]), self._fair(n)
        p_value, cell = oddest_cell(counts[:-1], compared, fair)
        words = (
            f"{{places[0]}} holds a card of the {self.kind} that {{places[1]}} held in the deck before in "
            "{seen:.3%} of decks; {expected:.3%} would be fair"
        )
        seen = float(counts[cell] / compared)
        yield self.evidence("one pair", p_value, words, seen=seen, expected=fair, places=divmod(cell, n))

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest share of decks with the kind of the deck before that is seen."""
        what = f"a place that holds the {self.kind} of a place in the deck before"
        return self.share_limit("one pair", what, self._fair(n), int(counts[-1]), level / (n * n))

    def _fair(self, n: int) -> float:
        return int(np.sum(cast(Counts, self.kinds(n)) == 0)) / n


@dataclass(frozen=True)
class KindFollows(KindAgain):
    """How often a place holds a card of the kind that follows, in some way, the kind of a place in the deck before."""

    # for so many kinds, the kind that follows each kind in each way; shape ``(ways, kinds)``
    ways: Callable[[int], Counts]
    ends: int | None = None  # how many places at each end of the deck are compared; None for all places

    def fits(self, n: int) -> bool:
        """Tell whether there are kinds, and not too many cells."""
        return n <= MOST_FOLLOWING and super().fits(n)

    def count(self, view: View) -> Counts:
        """Return in how many decks each place held each kind, and a place of the deck before each kind.

        Flat: kind and place of the deck, then kind and place of the deck before; last the decks compared. The ways
        are added up from these cells at the end: to do so for every batch would take as long as counting.
        """
        kinds, places = cast(Counts, self.kinds(view.cards)), self._places(view.cards)
        stream = kinds[np.concatenate([view.lead[:, -1:], view.columns[:, :COMPARED]], axis=1)[places]]
        number = kinds.max() + 1
        held = (stream == np.arange(number)[:, None, None]).reshape(number * len(places), -1)
        both = np.zeros((number, len(places), number, len(places)), np.int64)
        for now, before in zip(packed(held[:, 1:]), packed(held[:, :-1]), strict=True):
            cells = np.empty((len(places), *before.shape), np.uint64)  # made once: new memory is slow
            for kind, of_kind in zip(both[:-1], now.reshape(number, len(places), -1), strict=False):
                np.bitwise_and(of_kind[:, None], before, out=cells)
                kind += ones(cells.reshape(-1, before.shape[1])).reshape(kind.shape)
            both[-1] += ones(before).reshape(number, len(places))
        both[-1] -= both[:-1].sum(axis=0)  # where a place held none of the other kinds, it held the last one
        return np.append(both, max(0, stream.shape[1] - 1))

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the oddest two places, in the oddest way."""
        if not counts[-1]:
            return
        compared, fair, places = int(counts[-1]), self._fair(n), self._places(n)
        number = self._number(n)
        cells = counts[:-1].reshape(number, len(places), number, len(places)).transpose(0, 2, 1, 3).copy()
        met = np.array([cells[way, np.arange(number)].sum(axis=0) for way in self.ways(number)])
        p_value, cell = oddest_cell(met, compared, fair)
        way, at = divmod(cell, len(places) ** 2)
        now, before = (int(places[index]) for index in divmod(at, len(places)))
        words = (
            f"{{places[0]}} holds a card of the {self.kind} that follows the {self.kind} of {{places[1]}} in the deck "
            f"before, {self._told(way, n)}, in {{seen:.3%}} of decks; {{expected:.3%}} would be fair"
        )
        seen = float(met.flat[cell] / compared)
        yield self.evidence("one pair", p_value, words, seen=seen, expected=fair, places=(now, before))

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest share of decks with a kind that follows that of the deck before that is seen."""
        what = f"a place that holds the {self.kind} that follows that of a place in the deck before"
        cells = len(self.ways(self._number(n))) * len(self._places(n)) ** 2
        return self.share_limit("one pair", what, self._fair(n), int(counts[-1]), level / cells)

    def _number(self, n: int) -> int:
        return len(set(cast(Counts, self.kinds(n)).tolist()))

    def _places(self, n: int) -> Counts:
        every = np.arange(n)
        return every if self.ends is None or 2 * self.ends >= n else np.append(every[: self.ends], every[-self.ends :])

    def _told(self, way: int, n: int) -> str:
        """Return the words for a way: kinds count from 1, and from the last one on they begin anew."""
        number = self._number(n)
        after = self.ways(number)[way]
        steps = (after - np.arange(number)) % number
        if (steps == steps[0]).all():
            on, back = int(steps[0]), number - int(steps[0])
            return f"{on} on" if on <= back else f"{back} back"
        return ", ".join(f"{kind} by {next_}" for kind, next_ in enumerate(after + 1, 1))


@cache
def other_orders(kinds: int) -> Counts:
    """Return every way in which different kinds follow different kinds, except that each follows itself.

    >>> other_orders(3).tolist()
    [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    """
    return np.array(list(permutations(range(kinds)))[1:])


@cache
def steps_on(kinds: int) -> Counts:
    """Return the ways in which the kind so many steps on follows each kind; the first kind follows the last.

    >>> steps_on(3).tolist()
    [[1, 2, 0], [2, 0, 1]]
    """
    return (np.arange(1, kinds)[:, None] + np.arange(kinds)) % kinds


_SEES = "a card that follows the suit, rank or colour of a card of the deck before"
_SOURCE = "binomial: the kind at one place of a fair deck, whatever the deck before was"

STATISTICS = (
    KindAgain(name="suit of the deck before", sees=_SEES, source=_SOURCE, kinds=suits, kind="suit"),
    KindAgain(name="rank of the deck before", sees=_SEES, source=_SOURCE, kinds=ranks, kind="rank"),
    KindAgain(name="colour of the deck before", sees=_SEES, source=_SOURCE, kinds=halves, kind="colour"),
    KindFollows(
        name="suit after the deck before",
        sees="a suit that follows another suit of the deck before",
        source=_SOURCE,
        kinds=suits,
        kind="suit",
        ways=other_orders,
    ),
    KindFollows(
        name="rank after the deck before",
        sees="a rank at one end that follows another rank at an end of the deck before",
        source=_SOURCE,
        kinds=ranks,
        kind="rank",
        ways=steps_on,
        ends=ENDS,
    ),
)


def seen(sight: Sight) -> Iterator[Statistic]:
    """Yield the same of the kinds of these cards, where they share out the whole deck."""
    kinds = np.zeros(sight.cards, np.int64)
    for number, kind in enumerate(sight.kinds):
        kinds[list(kind.cards)] = number
    cards = sorted(card for kind in sight.kinds for card in kind.cards)
    if sight.scheme == "all" and cards == list(range(sight.cards)):
        # Kinds of unequal sizes do not fit; `kind_bets` has them.
        yield KindAgain("kind of the deck before", _SEES, _SOURCE, kinds=lambda n: kinds, kind="kind")  # noqa: ARG005
