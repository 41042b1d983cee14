"""Which card lies where: the position matrix, whole and in groups."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, ClassVar, cast

import numpy as np
from scipy.special import bdtrc

from fairdeck.bulk.shapes import Columns, Counts, Floats
from fairdeck.lab.kinds import ranks, sectors, suits
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.scalar import log_wealth_of_events, total_shift
from fairdeck.lab.laws.subsets import hypergeometric_law
from fairdeck.lab.laws.tails import COUNT, PValue, oddest_cell, two_sided_chi_square
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.view import View
from fairdeck.shuffles import MOST_CARDS

LARGEST_MATRIX = 1_000  # cards; more take too much memory
LARGE_DECKS = range(LARGEST_MATRIX + 1, MOST_CARDS + 1)
LEAST_EXPECTED = 3.0  # in a cell: the skewness of the sum is then within 17 % of the skewness of the chi-square law
MANY_CARDS = 20
MANY_CELLS, MANY_CELLS_EXPECT, FEW_CELLS_EXPECT = 100, 5, 20  # few cells must hold more each
FEWEST_IN_QUARTERS = 8
QUARTERS = tuple(f"in the {which} quarter of the deck" for which in ("lowest", "second", "third", "topmost"))
HANDS = tuple(f"in the {which} of four hands dealt in turn" for which in ("first", "second", "third", "last"))
SECTORS = 16  # for more than 1,000 cards
FEWEST_IN_SECTORS = 20  # cards expected in a cell, of all decks
MOST_CELLS = 2**23  # of the sectors of all cards
NARROW = 10  # places: a card that always comes among the first ten shows in half a dozen decks
FEWEST_FOR_GROUPS, SIZES_OF_GROUPS = 100, range(8, 201)  # decks; cards
SIZES_OF_HANDS, PLAYERS, DEALT = (2, 3, 5, 7, 10, 13), range(2, 5), (2, 5)
PARITIES = ("at the places 0, 2, 4, ...", "at the places 1, 3, 5, ...")


class Positions(Statistic):
    """How often each card lies at each place.

    The counts of one deck are dependent: their covariance is 1/(n-1) on the (n-1)^2 dimensions with zero row and column
    sums, and 0 elsewhere. So the sum of squares over N/(n-1) is chi-square with (n-1)^2 degrees; Pearson's sum with the
    same degrees is too large by n/(n-1). The same holds for cards and places in groups.
    """

    family: ClassVar[str] = "position"
    sizes: ClassVar[range] = range(2, LARGEST_MATRIX + 1)
    bets: ClassVar[bool] = True

    def count(self, view: View) -> Counts:
        """Return the decks in which card ``c`` lies at place ``i``; shape ``(n, n)``, place first."""
        n = view.cards
        if view.decks >= n:
            return np.stack([np.bincount(row, minlength=n) for row in view.columns])
        cells = view.columns + n * np.arange(n)[:, None]
        return np.bincount(cells.ravel(), minlength=n * n).reshape(n, n)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the whole matrix, its oddest cell, and cards by suit, by rank and by sector of the deck."""
        if not decks:
            return
        if decks > 1:
            p_value, cell = oddest_cell(counts, decks, 1 / n)
            yield self._found("one card at one place", p_value, counts, cell, decks)
        if decks >= n * (LEAST_EXPECTED if n >= MANY_CARDS else FEW_CELLS_EXPECT):
            off = counts - decks / n
            dense = two_sided_chi_square((n - 1) / decks * float(np.sum(off * off)), (n - 1) ** 2)
            yield self._found("all cards at all places", dense, counts, int(np.argmax(np.abs(off))), decks)
        for grouping in groupings(n):
            if (found := grouping.judge(counts, decks)) is not None:
                p_value, words, data = found
                yield self.evidence(f"by {grouping.name}", p_value, words, **data)
        if decks >= FEWEST_FOR_GROUPS and n in SIZES_OF_GROUPS:
            p_value, (_, *at), data = oddest_group(counts[None], np.array([decks]), groups(n))
            place, card = (numbered(groups(n)[group]) for group in at)
            words = "of {cards[0]}, {seen:.4g} lie at {places[0]} on average; {expected:.4g} would be fair"
            yield self.evidence("one group", p_value, words, **data, cards=(card,), places=(place,))

    def log_wealth(self, counts: Counts, n: int, decks: int) -> float:
        """Return the log of what bets on each card at each place have made of one coin, evenly laid."""
        return log_wealth_of_events(counts, decks, 1 / n)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:
        """Return the smallest share of a card at one place that is seen."""
        return self.share_limit(
            "one card at one place", "a card that lies at one place", 1 / n, decks, level / counts.size
        )

    def _found(self, test: str, p_value: PValue, counts: Counts, cell: int, decks: int) -> Evidence:
        place, card = divmod(cell, len(counts))
        seen, expected = float(counts[place, card] / decks), 1 / len(counts)
        words = "{cards[0]} lies at {places[0]} in {seen:.3%} of decks; {expected:.3%} would be fair"
        return self.evidence(test, p_value, words, seen=seen, expected=expected, cards=(card,), places=(place,))


@dataclass(frozen=True)
class Grouping:
    """Places and cards taken together in groups."""

    name: str  # what the cards of a group have in common
    places: Counts  # the group of each place
    kinds: Counts  # the group of each card
    where: Sequence[str] = ()  # for groups of places, the words after "lie"; for single places empty

    def judge(self, counts: Counts, decks: int) -> tuple[PValue, str, dict[str, Any]] | None:
        """Return the p-value, the words and the data of the table of groups; None where the decks are too few."""
        if not self.are_enough(decks):
            return None
        rows, columns = (np.eye(int(groups.max()) + 1)[groups] for groups in (self.places, self.kinds))
        return self.judge_table(rows.T @ counts @ columns, decks)

    def are_enough(self, decks: int) -> bool:
        """Return whether so many decks fill the table, as far as the chi-square law needs."""
        expected = self.expected(decks)
        degrees = (expected.shape[0] - 1) * (expected.shape[1] - 1)
        fewest = MANY_CELLS_EXPECT if degrees >= MANY_CELLS else FEW_CELLS_EXPECT
        return degrees > 0 and bool(expected.min() >= fewest)

    def expected(self, decks: int) -> Floats:
        """Return the table of groups that is expected of fair decks."""
        cells = np.outer(np.bincount(self.places), np.bincount(self.kinds))
        return np.asarray(decks / len(self.kinds) * cells, np.float64)

    def judge_table(self, table: Floats | Counts, decks: int) -> tuple[PValue, str, dict[str, Any]]:
        """Return the p-value, the words and the data of a table of groups."""
        n, expected = len(self.kinds), self.expected(decks)
        parts = (table - expected) / np.sqrt(expected)
        degrees = (parts.shape[0] - 1) * (parts.shape[1] - 1)
        p_value = two_sided_chi_square((n - 1) / n * float(np.sum(parts * parts)), degrees)
        place, kind = divmod(int(np.argmax(np.abs(parts))), parts.shape[1])
        data = {"seen": float(table[place, kind] / decks), "expected": float(expected[place, kind] / decks)}
        if not self.where:
            words = f"{{places[0]}} holds a card of {self.name} {kind + 1} in {{seen:.2%}} of decks; {{expected:.2%}}"
            return p_value, f"{words} would be fair", {**data, "places": (place,)}
        words = f"of the {{cards[0]}}, {{seen:.4g}} lie {self.where[place]} on average; {{expected:.4g}} would be fair"
        return p_value, words, {**data, "cards": (_range(self.kinds, kind),), "places": (_range(self.places, place),)}


def oddest_group(
    counts: Counts, decks: Counts, groups: Floats
) -> tuple[PValue, tuple[int, int, int], dict[str, float]]:
    """Return the p-value of the oddest number of cards at places, its table, groups of places and cards, and its data.

    The tables are of shape ``(tables, n, n)``, each of so many decks. In one deck the number is hypergeometric, so its
    sum has an exact law, and the smallest p-value of all is corrected for their number (Bonferroni): valid however one
    of them is chosen. Square roots choose it, as they make the variance of few and of many about equal.
    """
    n, sizes, sums = counts.shape[-1], groups.sum(axis=1), groups @ counts @ groups.T
    off = np.sqrt(sums)
    off -= np.sqrt(decks[:, None, None] / n * sizes[:, None] * sizes)
    off *= off
    off *= n / (n - sizes[:, None]) * n / (n - sizes)
    table, row, column = map(int, np.unravel_index(off.argmax(), off.shape))
    law, seen, of = (
        hypergeometric_law(n, int(sizes[column]), int(sizes[row])),
        int(sums[table, row, column]),
        decks[table],
    )
    p_value = total_shift(law, int(of), seen).of_many(sums.size)
    return p_value, (table, row, column), {"seen": float(seen / of), "expected": law.mean}


@cache
def groups(n: int) -> Floats:
    """Return 1 for the members of each group of places or cards, a row each: none has more than half of them.

    Single ones, stretches between eighths or from an end, ranks, and hands dealt in turn from the last one.
    """
    every, turn = np.arange(n), n - 1 - np.arange(n)
    found = [(every >= low) & (every < high) for low, high in combinations([n * at // 8 for at in range(9)], 2)]
    found += [side < size for side in (every, turn) for size in SIZES_OF_HANDS]
    found += [(turn % of == at) & (turn < of * size) for of in PLAYERS for at in range(of) for size in (*DEALT, n)]
    found += [turn % (n // 4) == at for at in range(n // 4)]
    rows = np.unique([*np.eye(n), *found], axis=0)
    kept: Floats = rows[(rows.sum(axis=1) > 0) & (rows.sum(axis=1) <= n // 2)]
    return kept


def numbered(group: Floats) -> int | range:
    """Return the members of a group of one, or of evenly spaced ones."""
    first, *others = np.flatnonzero(group).tolist()
    return range(first, others[-1] + 1, others[0] - first) if others else first


class OwnPlaces(Statistic):
    """How often each card lies where it started, where a matrix is too large: the cards that never move.

    Relative to the deck before it tells a place that never changes, whichever card lies there.
    """

    family: ClassVar[str] = "position"
    sizes: ClassVar[range] = LARGE_DECKS
    bets: ClassVar[bool] = True

    def count(self, view: View) -> Counts:
        """Return the decks in which each card lies at its own place; shape ``(n,)``."""
        stays: Counts = (view.columns == np.arange(view.cards, dtype=view.columns.dtype)[:, None]).sum(axis=1)
        return stays

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the oddest card."""
        if decks < 2:
            return
        p_value, card = oddest_cell(counts, decks, 1 / n)
        words = "{cards[0]} lies at {places[0]} in {seen:.3%} of decks; {expected:.3%} would be fair"
        data = {"seen": float(counts[card] / decks), "expected": 1 / n, "cards": (card,), "places": (card,)}
        yield self.evidence("one card", p_value, words, **data)

    def log_wealth(self, counts: Counts, n: int, decks: int) -> float:
        """Return the log of what bets on each card have made of one coin, evenly laid."""
        return log_wealth_of_events(counts, decks, 1 / n)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:
        """Return the smallest share of a card at its own place that is seen."""
        return self.share_limit("one card", "a card that lies at its own place", 1 / n, decks, level / counts.size)


class Sectors(Statistic):
    """How many cards of each part of the old deck come to each part of the new one, where a matrix is too large."""

    family: ClassVar[str] = "position"
    sizes: ClassVar[range] = LARGE_DECKS

    def count(self, view: View) -> Counts:
        """Return the cards of each sector in each, over all decks; shape ``(SECTORS, SECTORS)``, place first."""
        sector = sectors(view.cards, SECTORS)
        cells = sector[:, None] * SECTORS + sector[view.columns]
        return np.bincount(cells.ravel(), minlength=SECTORS**2).reshape(SECTORS, SECTORS)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the whole table."""
        if decks * n < FEWEST_IN_SECTORS * SECTORS**2:
            return
        parts = sectors(n, SECTORS)
        grouping = Grouping("sector", parts, parts, ("at the {places[0]}",) * SECTORS)
        p_value, words, data = grouping.judge_table(counts, decks)
        yield self.evidence("all sectors", p_value, words, **data)


class CardSectors(Statistic):
    """How often each card comes to each sector, where a matrix is too large: a card at a wrong place.

    Each count is binomial, with the chance that a place is in the sector. A card that always lies at one place is in
    one sector in all decks, so that a dozen decks tell it.
    """

    family: ClassVar[str] = "position"
    sizes: ClassVar[range] = LARGE_DECKS
    relative: ClassVar[bool] = False
    words: ClassVar[str] = "{cards[0]} lies in {places[0]}"
    never: ClassVar[int] = 0  # places to which a card cannot come

    def goals(self, view: View) -> Columns:
        """Return where each card lies; shape ``(n, B)``."""
        return view.places

    def count(self, view: View) -> Counts:
        """Return the decks in which each card comes to each sector; shape ``(n, sectors)``, int32."""
        n, parts = view.cards, _card_sectors(view.cards)
        cells = parts[self.goals(view)] + (int(parts[-1]) + 1) * np.arange(n)[:, None]
        found = np.bincount(cells.ravel(), minlength=n * (int(parts[-1]) + 1)).reshape(n, -1)
        return cast(Counts, found.astype(np.int32))

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the card that comes to one sector too often."""
        if decks < 2:
            return
        parts = _card_sectors(n)
        chances = np.bincount(parts) / (n - self.never)
        tails = bdtrc(counts.max(axis=0) - 1, decks, chances)
        sector = int(np.argmin(tails))
        card = int(np.argmax(counts[:, sector]))
        most, chance = int(counts[card, sector]), float(chances[sector])
        p_value = PValue(float(tails[sector]), COUNT, most).of_many(counts.size)
        words = f"{self.words} in {{seen:.1%}} of decks; {{expected:.1%}} would be fair"
        places = (_range(parts, sector),)
        yield self.evidence(
            "one card", p_value, words, seen=most / decks, expected=chance, cards=(card,), places=places
        )


def _card_sectors(n: int) -> Counts:
    """Return the sector of each of `n` places, for counts of each card: fewer of many cards; both ends are narrow."""
    parts = sectors(n, min(SECTORS, MOST_CELLS // n) - 2) + 1
    parts[:NARROW], parts[-NARROW:] = 0, parts[-1] + 1
    return parts


def groupings(n: int) -> Iterator[Grouping]:
    """Yield the groupings that are tested on decks of `n` cards."""
    for name, kinds in (("suit", suits(n)), ("rank", ranks(n))):
        if kinds is not None:
            yield Grouping(name, np.arange(n), kinds)
    if n >= FEWEST_IN_QUARTERS:
        quarters = sectors(n)
        yield Grouping("quarter", quarters, quarters, QUARTERS)
        # Every fourth card from the top, as hands are dealt, and every second, as two piles are.
        yield Grouping("hand", (n - 1 - np.arange(n)) % 4, quarters, HANDS)
        parities = np.arange(n) % 2
        yield Grouping("parity", parities, parities, PARITIES)


def _range(groups: Counts, group: int) -> range:
    """Return the members of a group, which are evenly spaced."""
    first, second, *_ = members = np.flatnonzero(groups == group).tolist()
    return range(first, members[-1] + 1, second - first)


STATISTICS = (
    Positions(
        name="positions",
        sees="cards that prefer some places: naive swaps, modulo, off-by-one, too little shuffling",
        source="covariance of a random permutation matrix; Diaconis, Group Representations in Probability, ch. 2",
    ),
    OwnPlaces(
        name="own places",
        sees="a card that never moves, a place that never changes; for more than 1,000 cards",
        source="each card lies at its own place with the chance 1/n: binomial, the oddest of n (Bonferroni)",
    ),
    Sectors(
        name="positions by sector",
        sees="parts of a large deck that stay in parts of it; for more than 1,000 cards",
        source="the same covariance, of cards and places in groups",
    ),
    CardSectors(
        name="cards by sector",
        sees="a card that always comes to the same place, wherever it started; for more than 1,000 cards",
        source="each card lies in each sector with a known chance: binomial, the oddest of all (Bonferroni)",
    ),
)
