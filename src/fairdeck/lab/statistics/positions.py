"""Which card lies where: the position matrix, whole and in groups."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairdeck.lab.arrays import Counts, Floats
from fairdeck.lab.kinds import ranks, sectors, suits
from fairdeck.lab.power import Limit
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.tails import oddest_cell, two_sided_chi_square
from fairdeck.lab.view import View

LEAST_EXPECTED = 3.0  # a cell: the skewness of the sum is then within 17 % of the chi-square law's
MANY_CARDS = 20
MANY_CELLS, MANY_CELLS_EXPECT, FEW_CELLS_EXPECT = 100, 5, 20  # of the few, each must hold more by itself
FEWEST_IN_QUARTERS = 8
QUARTERS = tuple(f"in the {which} quarter of the deck" for which in ("lowest", "second", "third", "topmost"))
HANDS = tuple(f"in the {which} of four hands dealt in turn" for which in ("first", "second", "third", "last"))
SECTORS = 16  # more than 1,000 cards: each cell then expects four of every deck
PARITIES = ("at the places 0, 2, 4, ...", "at the places 1, 3, 5, ...")


@dataclass(frozen=True)
class Positions(Statistic):
    """How often each card lies at each place.

    The counts of one deck are dependent: their covariance is 1/(n-1) on the (n-1)^2 dimensions with
    zero row and column sums, and nothing else. So the sum of squares over N/(n-1) is chi-square with
    (n-1)^2 degrees; Pearson's sum with the same degrees is too large by n/(n-1). The same holds for
    cards and places in groups. Places are only grouped with their neighbours.
    """

    family: ClassVar[str] = "position"
    most: ClassVar[int] = 1_000

    def fits(self, n: int) -> bool:
        """Tell whether the matrix is of a size to hold."""
        return 2 <= n <= self.most

    def count(self, view: View) -> Counts:
        """Return the decks in which card ``c`` lies at place ``i``; shape ``(n, n)``, place first."""
        n = view.cards
        return np.stack([np.bincount(row, minlength=n) for row in view.columns])

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the whole matrix, its oddest cell, and cards by suit, by rank and by sector of the deck."""
        if not decks:
            return
        chance, cell = oddest_cell(counts, decks, 1 / n)
        yield Evidence("positions: one card at one place", chance, _says(counts, cell, n, decks))
        if decks >= n * (LEAST_EXPECTED if n >= MANY_CARDS else FEW_CELLS_EXPECT):
            off = counts - decks / n
            dense = two_sided_chi_square((n - 1) / decks * float(np.sum(off * off)), (n - 1) ** 2)
            oddest = int(np.argmax(np.abs(off)))
            yield Evidence("positions: all cards at all places", dense, _says(counts, oddest, n, decks))
        for grouping in groupings(n):
            yield from grouping.judge(counts, decks)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:
        """Return the smallest share of a card at one place that is seen."""
        return self.share_limit(
            "one card at one place", "a card that lies at one place", 1 / n, decks, level / counts.size
        )


@dataclass(frozen=True)
class Grouping:
    """Places and cards taken together in groups.

    Attributes:
        name: what the cards of a group have in common.
        places: the group of each place.
        kinds: the group of each card.
        where: for groups of places, what comes after "lie".
        what: for groups of cards that are no kind of card, what comes after "the cards".
    """

    name: str
    places: Counts
    kinds: Counts
    where: Sequence[str] = ()
    what: Sequence[str] = ()

    def judge(self, counts: Counts, decks: int) -> Iterator[Evidence]:
        """Yield the p-value of the table of groups, if there are decks enough for it."""
        n = len(self.kinds)
        rows, columns = _indicator(self.places), _indicator(self.kinds)
        table = rows.T @ counts @ columns
        expected = decks / n * np.outer(rows.sum(0), columns.sum(0))
        degrees = (rows.shape[1] - 1) * (columns.shape[1] - 1)
        fewest = MANY_CELLS_EXPECT if degrees >= MANY_CELLS else FEW_CELLS_EXPECT
        if not degrees or expected.min() < fewest:
            return
        parts = (table - expected) / np.sqrt(expected)
        p_value = two_sided_chi_square((n - 1) / n * float(np.sum(parts * parts)), degrees)
        place, kind = divmod(int(np.argmax(np.abs(parts))), parts.shape[1])
        seen, fair = table[place, kind] / decks, expected[place, kind] / decks
        if len(rows) == rows.shape[1]:
            says = f"place {place} holds a card of {self.name} {kind + 1} in {seen:.2%} of decks; {fair:.2%}"
        else:
            says = f"of the cards {self.what[kind]}, {seen:.4g} lie {self.where[place]} on average; {fair:.4g}"
        yield Evidence(f"positions: by {self.name}", p_value, f"{says} would be fair")


@dataclass(frozen=True)
class Sectors(Statistic):
    """How many cards of each part of the old deck come to each part of the new, for decks too large for a matrix."""

    family: ClassVar[str] = "position"

    def fits(self, n: int) -> bool:
        """Tell whether the deck is too large to have each card counted at each place."""
        return n > Positions.most

    def count(self, view: View) -> Counts:
        """Return the cards of each sector in each, over all decks; shape ``(SECTORS, SECTORS)``, place first."""
        sector = sectors(view.cards, SECTORS)
        cells = sector[:, None] * SECTORS + sector[view.columns]
        return np.bincount(cells.ravel(), minlength=SECTORS**2).reshape(SECTORS, SECTORS)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the whole table."""
        if not decks:
            return
        kinds = np.bincount(sectors(n, SECTORS))
        expected = decks / n * np.outer(kinds, kinds)
        parts = (counts - expected) / np.sqrt(expected)
        p_value = two_sided_chi_square((n - 1) / n * float(np.sum(parts * parts)), (SECTORS - 1) ** 2)
        place, kind = divmod(int(np.argmax(np.abs(parts))), SECTORS)
        ends = np.concatenate([[0], np.cumsum(kinds)])
        says = (
            f"of the cards {ends[kind]} to {ends[kind + 1] - 1}, {counts[place, kind] / decks:.4g} lie at the places "
            f"{ends[place]} to {ends[place + 1] - 1} on average; {expected[place, kind] / decks:.4g} would be fair"
        )
        yield Evidence("positions by sector", p_value, says)


def groupings(n: int) -> Iterator[Grouping]:
    """Yield the groups that are worth a look on decks of `n` cards."""
    for name, kinds in (("suit", suits(n)), ("rank", ranks(n))):
        if kinds is not None:
            yield Grouping(name, np.arange(n), kinds)
    if n >= FEWEST_IN_QUARTERS:
        quarters = sectors(n)
        kept = (np.flatnonzero(quarters == each) for each in range(4))
        spans = [f"{cards[0]} to {cards[-1]}" for cards in kept]
        yield Grouping("quarter", quarters, quarters, QUARTERS, spans)
        # Dealt in turn from the top, as hands are, and one and one, as two piles are.
        yield Grouping("hand", (n - 1 - np.arange(n)) % 4, quarters, HANDS, spans)
        halves = np.arange(n) % 2
        yield Grouping("parity", halves, halves, PARITIES, ("from places 0, 2, 4, ...", "from places 1, 3, 5, ..."))


def _indicator(groups: Counts) -> Floats:
    return np.eye(int(groups.max()) + 1)[groups]


def _says(counts: Counts, cell: int, n: int, decks: int) -> str:
    place, card = divmod(cell, n)
    share = counts.ravel()[cell] / decks
    return f"card {card} lies at place {place} in {share:.3%} of decks; {1 / n:.3%} would be fair"


STATISTICS = (
    Positions(
        name="positions",
        sees="cards that favour some places: naive swaps, modulo, off-by-one, too little shuffling",
        source="covariance of a random permutation matrix; Diaconis, Group Representations in Probability, ch. 2",
    ),
    Sectors(
        name="positions by sector",
        sees="parts of a large deck that stay in parts of it; for more than 1,000 cards",
        source="the same covariance, of cards and places in groups",
    ),
)
