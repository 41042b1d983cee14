"""Which cards are seen: each card, each two cards together, and which card or kind at which of the places seen."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import Any, ClassVar

import numpy as np

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.scalar import log_wealth_of_both, log_wealth_of_events, log_wealth_of_never
from fairdeck.lab.laws.subsets import hypergeometric_law
from fairdeck.lab.laws.tails import oddest_cell, of_pairs
from fairdeck.lab.observations import Kind, Sight
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.hands import LARGEST_HAND, many_of, named_hands
from fairdeck.lab.statistics.positions import FEW_CELLS_EXPECT, LARGEST_MATRIX, MANY_CELLS, MANY_CELLS_EXPECT, Grouping
from fairdeck.lab.view import View

MOST_IN_PAIRS = 60  # cards of a hand whose pairs are counted
# The skewness of a cell, if the table has few degrees: with 0.2, a chi-square of 1e-6 comes up to ten times too often,
# one of 1e-10 a hundred times; with so little that is at most 1.2 and 1.8 times.
FEW_DEGREES, LEAST_SKEWED = 20, 0.03


class Events(Statistic):
    """How often each of many events happens that have one chance."""

    family: ClassVar[str] = "cards seen"
    relative: ClassVar[bool] = False
    bets: ClassVar[bool] = True

    @abstractmethod
    def chance(self, n: int) -> float:
        """Return the chance of each event."""

    def events(self, counts: Counts, n: int) -> Counts:  # noqa: ARG002
        """Return the counts of the events that are judged one by one."""
        return counts

    @abstractmethod
    def words(self, event: int, counts: Counts, n: int) -> tuple[str, dict[str, Any]]:
        """Return what happens in the oddest event, before its share of the decks, and which cards or places it has."""

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the oddest event."""
        if not decks:
            return
        events, chance = self.events(counts, n), self.chance(n)
        p_value, event = oddest_cell(events, decks, chance)
        words, data = self.words(event, counts, n)
        words += " in {seen:.2%} of decks; {expected:.2%} would be fair"
        seen = float(events.flat[event] / decks)
        yield self.evidence("one event", p_value, words, seen=seen, expected=chance, **data)

    def log_wealth(self, counts: Counts, n: int, decks: int) -> float:
        """Return the log of what bets on each event have made of one coin, evenly laid."""
        return log_wealth_of_events(self.events(counts, n), decks, self.chance(n))


@dataclass(frozen=True)
class Together(Events):
    """How often each card, or each two cards, are among those of a hand, whatever their order.

    Which k of n cards are seen is a vector with a 1 for each of them, or for each two: the part of it that single
    cards, or none, do not tell has n - 1 and n(n-3)/2 dimensions, and one variance in all of them. So the sum of its
    squares is nearly chi-square; its third cumulant is exact. Source of both variances: Delsarte, An Algebraic Approach
    to the Association Schemes of Coding Theory (1973), on the Johnson scheme.
    """

    places: tuple[int, ...]
    size: int  # 1: each card; 2: each two cards
    hand: str  # its name

    def fits(self, n: int) -> bool:
        """Tell whether there is a card more than are seen, and the pairs are not too many."""
        seen = len(self.places)
        few = self.size == 1 or (n <= LARGEST_MATRIX and seen <= MOST_IN_PAIRS)
        return few and self.size <= seen <= n - self.size

    def chance(self, n: int) -> float:
        """Return the chance of one card, or of two."""
        seen = len(self.places)
        return seen / n if self.size == 1 else seen * (seen - 1) / (n * (n - 1))

    def count(self, view: View) -> Counts:
        """Return the decks in which each card is seen, shape ``(n,)``, or each two cards: a square, flat.

        Two cards are counted in the row of the lower one.
        """
        n, hand = view.cards, view.columns[list(self.places)]
        if self.size == 1:
            return np.bincount(hand.ravel(), minlength=n)
        hand = np.sort(hand, axis=0).astype(np.int64)
        counts = np.zeros(n * n, np.int64)
        for row in range(len(hand) - 1):
            counts += np.bincount((hand[row] * n + hand[row + 1 :]).ravel(), minlength=n * n)
        return counts

    def events(self, counts: Counts, n: int) -> Counts:
        """Return the counts of the cards, or of the pairs of different cards."""
        return counts if self.size == 1 else counts.reshape(n, n)[np.triu_indices(n, 1)]

    def words(self, event: int, counts: Counts, n: int) -> tuple[str, dict[str, Any]]:  # noqa: ARG002
        """Return the cards that are seen."""
        if self.size == 1:
            return f"{{cards[0]}} is in {self.hand}", {"cards": (event,)}
        one, other = (int(cards[event]) for cards in np.triu_indices(n, 1))
        return f"{{cards[0]}} and {{cards[1]}} are in {self.hand} together", {"cards": (one, other)}

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the evidence of the oddest event, of two cards apart, and of all events, where the decks are enough."""
        yield from (oddest := list(super().judge(counts, n, decks)))
        if self.size == 2 and decks:
            yield self._apart(counts, n, decks)
        if n <= 2 * self.size or len(self.places) > LARGEST_HAND:  # single cards tell all, or it takes too long
            return
        degrees, cube = _projection(n, len(self.places), self.size)
        fewest = MANY_CELLS_EXPECT if degrees >= MANY_CELLS else FEW_CELLS_EXPECT  # else it is too small far out
        if decks * min(self.chance(n), 1 - self.chance(n)) < fewest:
            return
        off = self.events(counts, n) - decks * self.chance(n)
        if self.size == 2:
            square = np.zeros((n, n))
            square[np.triu_indices(n, 1)] = off
            ends = (square + square.T).sum(axis=0) / (n - 2)  # what single cards tell
            off -= (ends[:, None] + ends)[np.triu_indices(n, 1)]
        # The mean of the sum of squares is the degrees; of one deck it is the same for every hand.
        p_value = of_pairs(float(off @ off) / (decks * self._variance(n)), decks, degrees, cube)
        seen = oddest[0]
        yield self.evidence("all", p_value, seen.words, seen=seen.seen, expected=seen.expected, cards=seen.cards)

    def _apart(self, counts: Counts, n: int, decks: int) -> Evidence:
        """Return the evidence of the two cards that come one without the other most rarely, or most often."""
        (one, other), (apart, chance) = np.triu_indices(n, 1), self._times_apart(counts, n)
        p_value, pair = oddest_cell(apart, decks, chance)
        words = f"one of {{cards[0]}} and {{cards[1]}} is in {self.hand} without the other in {{seen:.2%}} of decks; "
        data = {"seen": float(apart[pair] / decks), "cards": (int(one[pair]), int(other[pair]))}
        return self.evidence("apart", p_value, f"{words}{{expected:.2%}} would be fair", expected=chance, **data)

    def _times_apart(self, counts: Counts, n: int) -> tuple[Counts, float]:
        """Return how often each two cards come one without the other, and the chance of that."""
        square, seen = counts.reshape(n, n), len(self.places)
        times = (square + square.T).sum(axis=0) // (seen - 1)  # each card is in so many pairs of its hand
        one, other = np.triu_indices(n, 1)
        return times[one] + times[other] - 2 * square[one, other], 2 * seen * (n - seen) / (n * (n - 1))

    def log_wealth(self, counts: Counts, n: int, decks: int) -> float:
        """Return the log of what the bets have made; some are that two cards only ever come together."""
        made = super().log_wealth(counts, n, decks)
        if self.size == 1:
            return made
        apart, chance = self._times_apart(counts, n)
        return log_wealth_of_both(made, log_wealth_of_never(apart, decks, chance))

    def bet_on(self, counts: Counts, n: int, decks: int) -> Evidence:
        """Return the evidence of the oddest event."""
        return min(self.judge(counts, n, decks), key=lambda each: each.p_value)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest share of a card that is seen; None of two cards."""
        what = f"a card that is in {self.hand}"
        return self.share_limit("one event", what, self.chance(n), decks, level / n) if self.size == 1 else None

    def _variance(self, n: int) -> float:
        """Return the variance of one deck in each dimension."""
        seen = len(self.places)
        one = seen * (n - seen) / (n * (n - 1))
        return one if self.size == 1 else one * (seen - 1) * (n - seen - 1) / ((n - 2) * (n - 3))


@dataclass(frozen=True)
class AtPlaces(Events):
    """How often each card, or a card of one kind, lies at each of the places seen, or in each of some hands."""

    hands: tuple[tuple[int, ...], ...]  # the places of each row of the table, equally many
    kind: Kind | None = None  # None for each card by itself

    @property
    def family(self) -> str:  # type: ignore[override]
        """The name of its family."""
        return "kinds" if self.kind else "cards seen"

    def fits(self, n: int) -> bool:
        """Tell whether the table is not too large."""
        return n <= LARGEST_MATRIX

    def columns(self, n: int) -> Counts:
        """Return the column of each card: its own, or 0 for a card of the kind and 1 for others."""
        return np.arange(n) if self.kind is None else 1 - _marks(self.kind.cards, n)

    def chance(self, n: int) -> float:
        """Return the chance of one cell: a single card in a hand, or the kind at a single place."""
        return len(self.hands[0]) * (1 if self.kind is None else len(self.kind.cards)) / n

    def count(self, view: View) -> Counts:
        """Return the cards of each column at the places of each row, over all decks; the last row has the rest."""
        columns = self.columns(view.cards)
        width = int(columns.max()) + 1
        rows = [np.bincount(columns[view.columns[list(hand)]].ravel(), minlength=width) for hand in self.hands]
        rest = view.decks * np.bincount(columns) - np.sum(rows, axis=0)
        return np.array([*rows, rest])

    def events(self, counts: Counts, n: int) -> Counts:  # noqa: ARG002
        """Return the cells of what is seen; of a kind, how often it comes."""
        return counts[:-1] if self.kind is None else counts[:-1, :1]

    def words(self, event: int, counts: Counts, n: int) -> tuple[str, dict[str, Any]]:
        """Return the card, and the place or the hand."""
        row, column = divmod(event, self.events(counts, n).shape[1])
        single = len(self.hands[row]) == 1
        where, places = ("{places[0]}", self.hands[row]) if single else (f"hand {row + 1}", ())
        if self.kind:
            return f"{where} holds {many_of(self.kind)}", {"places": places}
        return f"{{cards[0]}} is {'at' if single else 'in'} {where}", {"cards": (column,), "places": places}

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the oddest cell, and the whole table where the decks are enough for it."""
        yield from (oddest := list(super().judge(counts, n, decks)))
        rows = np.full(n, len(self.hands))
        for row, hand in enumerate(self.hands):
            rows[list(hand)] = row
        table = counts if (rows == len(self.hands)).any() else counts[:-1]
        chance = self.chance(n)
        skewness = abs(1 - 2 * chance) / sqrt(max(1e-9, decks * chance * (1 - chance)))
        near = skewness <= LEAST_SKEWED or (len(table) - 1) * (table.shape[1] - 1) >= FEW_DEGREES
        if oddest and near and (grouping := Grouping("", rows, self.columns(n))).are_enough(decks):
            seen = oddest[0]
            data = {"seen": seen.seen, "expected": seen.expected, "cards": seen.cards, "places": seen.places}
            yield self.evidence("all", grouping.judge_table(table, decks)[0], seen.words, **data)


@cache
def _projection(n: int, seen: int, size: int) -> tuple[int, float]:
    """Return the degrees of the squares of `Together`, and the mean cube of the product of two decks.

    The product depends on how many cards two hands have in common: the polynomial of this degree that is orthogonal to
    all of a lower degree under the hypergeometric law (a dual Hahn polynomial), and the degrees for equal hands.
    """
    law = hypergeometric_law(n, seen, seen)
    chances = law.probabilities
    lower: list[Floats] = []
    for power in range(size + 1):
        values = (law.values - law.mean) ** power
        for each in lower:
            values = values - (chances @ (values * each)) * each
        lower.append(values / np.sqrt(chances @ values**2))
    degrees = n - 1 if size == 1 else n * (n - 3) // 2
    return degrees, float(chances @ (lower[-1] / lower[-1][-1] * degrees) ** 3)


def _marks(cards: Iterable[int], n: int) -> Counts:
    """Return 1 for each of these cards, 0 for the others."""
    marks = np.zeros(n, np.int64)
    marks[list(cards)] = 1
    return marks


def seen(sight: Sight) -> Iterator[Statistic]:
    """Yield the statistics of which cards are seen."""
    sees = "cards that are seen too often or too rarely, alone or two together, as by a heavy ball"
    source = "exact covariance and third cumulant, on the Johnson scheme; binomial for the oddest (Bonferroni)"
    for hand, places in named_hands(sight) if sight.hands else ():
        yield Together(f"cards in {hand}", sees, source, places, 1, hand)
        yield Together(f"two cards in {hand}", sees, source, places, 2, hand)
    if len(sight.hands) > 1:
        yield AtPlaces("cards in all hands", sees, source, sight.hands)
    single = tuple((place,) for place in (sight.hands[0] if sight.hands else range(sight.cards)))
    if sight.ordered and sight.hands:
        yield AtPlaces("cards at the places seen", sees, source, single)
    for kind in sight.kinds if sight.ordered else ():
        yield AtPlaces(f"places of {many_of(kind)}", sees, source, single, kind)
