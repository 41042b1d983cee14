"""Earlier decks: what is left of a deck 3 to 32 decks later.

Only some decks of each batch are compared, because there are thirty distances: a dependence over so many decks is rare,
and plain where there is one. So the tally depends on how the decks are cut into batches.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import numpy as np

from fairdeck.bulk.shapes import Columns, Counts
from fairdeck.lab.blocks import LEAD
from fairdeck.lab.kinds import halves
from fairdeck.lab.laws.scalar import Law, extreme_value, mean_of, mean_shift
from fairdeck.lab.laws.tails import PValue, oddest_cell, two_sided_chi_square
from fairdeck.lab.statistics import RARE, Evidence, Scalar, Statistic
from fairdeck.lab.statistics.descents import DESCENTS
from fairdeck.lab.statistics.fixed_points import FIXED_POINTS
from fairdeck.lab.statistics.positions import (
    FEW_CELLS_EXPECT,
    FEWEST_FOR_GROUPS,
    SIZES_OF_GROUPS,
    groups,
    numbered,
    oddest_group,
)
from fairdeck.lab.statistics.successions import SUCCESSIONS
from fairdeck.lab.view import View, inverted

FIRST = 3  # decks apart: nearer ones are compared by the whole battery
DISTANCES = LEAD + 1 - FIRST
COMPARED = 48  # decks of a batch, the decks before it not counted
WHOLE = 4_096  # decks of the stream: batches that begin before are compared whole, cell by cell


class Earlier(Statistic):
    """Numbers of the arrangement of each deck relative to the decks `FIRST` to `LEAD` before it."""

    family: ClassVar[str] = "serial"
    sizes: ClassVar[range] = range(5, 1_001)
    relative: ClassVar[bool] = False
    sparse: ClassVar[bool] = True

    def count(self, view: View) -> Counts:
        """Return how often each number had each value at each distance; shape ``(numbers, distances, n + 1)``."""
        wide = view.cards + 1
        relative, apart = _relatives(view)
        found = [np.bincount(apart * wide + each.of(relative), minlength=DISTANCES * wide) for each in NUMBERS]
        return np.stack(found).reshape(len(NUMBERS), DISTANCES, wide)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield, for each number, the oddest mean of all distances, and the oddest single pair of decks."""
        for number, rows in zip(NUMBERS, counts, strict=True):
            law = number.law(n)
            found = {apart: row[law.low :][: len(law.weights)] for apart, row in enumerate(rows, FIRST) if row.any()}
            if not found:
                return
            yield self._mean(number, law, found)
            if law.rarest_end <= RARE:
                yield self._single(number, law, found)

    def _mean(self, number: Scalar, law: Law, found: dict[int, Counts]) -> Evidence:
        means = {apart: mean_of(law, row) for apart, row in found.items()}
        # The exact p-value takes long, so only that of the largest deviation is computed.
        apart = max(means, key=lambda each: abs(means[each] - law.mean) * sqrt(found[each].sum()))
        seen = means[apart]
        words = f"{_compared(number, apart)}: {{seen:,.4g}} on average, {{expected:,.4g}} in fair decks"
        data = {"seen": seen, "expected": law.mean, "means": number.few if seen < law.mean else number.many}
        p_value = mean_shift(law, found[apart]).of_many(len(found))
        return self.evidence(f"{number.name}, mean", p_value, words, **data)

    def _single(self, number: Scalar, law: Law, found: dict[int, Counts]) -> Evidence:
        values = {apart: extreme_value(law, row) for apart, row in found.items()}
        apart = min(values, key=values.__getitem__)
        words = f"{_compared(number, apart)}: {{seen}} for one deck"
        data = {"seen": int(values[apart].score), "means": "hardly any fair decks show that"}
        return self.evidence(f"{number.name}, single deck", values[apart].of_many(len(found)), words, **data)


@dataclass(frozen=True)
class EarlierCells(Earlier):
    """How often a place, or a card, follows another one of a deck up to `LEAD` before.

    Whatever that deck was, each cell is binomial, and a table has the law of `Positions`. The oddest of all distances
    is judged, corrected for their number (Bonferroni), which is valid however the distance is chosen.
    """

    cells: Callable[[Columns, Columns], Counts]  # of decks and earlier ones: in how many each follows each
    ways: int | None = None  # one of so many comes by chance; None for one of all cards
    words: str = ""  # of two, and the distance
    of_groups: str = ""  # the same of two groups
    about: str = "places"  # or cards
    inverse: bool = False  # whether the cells are of the places of cards

    sizes: ClassVar[range] = range(5, 105)  # of more cards there are too many cells

    def fits(self, n: int) -> bool:
        """Tell whether all cells have the same chance."""
        return n in self.sizes and n % (self.ways or n) == 0

    def count(self, view: View) -> Counts:
        """Return the cells, and last the decks compared, for each distance; shape ``(LEAD, n n + 1)``."""
        compared = view.decks if view.first is not None and view.first < WHOLE else COMPARED
        stream = np.concatenate([view.lead[:, -LEAD:], view.columns[:, :compared]], axis=1).astype(np.intp)
        stream = inverted(stream).astype(np.intp) if self.inverse else stream
        begin, (n, decks) = min(LEAD, view.lead.shape[1]), stream.shape
        found = np.zeros((LEAD, n * n + 1), np.int64)
        for apart, row in enumerate(found, 1):
            if decks > (first := max(begin, apart)):
                row[:-1] = self.cells(stream[:, first:], stream[:, first - apart : decks - apart]).ravel()
                row[-1] = decks - first
        return found

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the oddest two of the oddest distance, the oddest table of all, and the oddest groups."""
        counts = counts[: np.count_nonzero(counts[:, -1])]
        if not len(counts):
            return
        cells, compared, chance = counts[:, :-1].reshape(-1, n, n), counts[:, -1], 1 / (self.ways or n)
        off = np.abs(cells - compared[:, None, None] * chance)
        yield self._pair("one pair", cells, compared, int(np.argmax(off.max(axis=(1, 2)) / np.sqrt(compared))))
        if self.ways or compared[-1] < FEWEST_FOR_GROUPS or n not in SIZES_OF_GROUPS:
            return
        if compared[-1] >= n * FEW_CELLS_EXPECT:
            sums = (n - 1) / compared * (off * off).sum(axis=(1, 2))
            apart = int(np.argmax(np.abs(sums - (n - 1) ** 2)))
            yield self._pair(
                "all pairs", cells, compared, apart, two_sided_chi_square(float(sums[apart]), (n - 1) ** 2)
            )
        p_value, (apart, *at), data = oddest_group(cells, compared, groups(n))
        words = self.of_groups.format(apart + 1) + " on average; {expected:.4g} would be fair"
        both = tuple(numbered(groups(n)[group]) for group in at)
        yield self.evidence("one group", p_value, words, **data, **{self.about: both})

    def _pair(self, test: str, cells: Counts, compared: Counts, apart: int, p_value: PValue | None = None) -> Evidence:
        """Return what the oddest two of one distance show, or all two with their p-value."""
        table, times, chance = cells[apart], int(compared[apart]), 1 / (self.ways or cells.shape[1])
        oddest, cell = oddest_cell(table, times, chance)
        words = f"{self.words.format(apart + 1)} in {{seen:.3%}} of decks; {{expected:.3%}} would be fair"
        data = {"seen": float(table.flat[cell] / times), "expected": chance}
        p_value = (p_value or oddest).of_many(len(cells))
        return self.evidence(test, p_value, words, **data, **{self.about: divmod(cell, len(table))})


def _same_place(now: Columns, before: Columns) -> Counts:
    """Return how often each card lies where each card lay before; of places of cards, which place holds its card."""
    return np.bincount((len(now) * now + before).ravel(), minlength=len(now) ** 2)


def _same_colour(now: Columns, before: Columns) -> Counts:
    """Return how often each place holds the colour of each place of the deck before, from a bit for each deck."""
    red, more = halves(len(now)).astype(np.bool_), -now.shape[1] % 64
    later, earlier = (
        np.packbits(np.pad(red[each], [(0, 0), (0, more)]), axis=1).view(np.uint64) for each in (now, before)
    )
    differ = np.bitwise_count(later[:, None] ^ earlier).sum(axis=2, dtype=np.int64)
    alike: Counts = now.shape[1] - differ
    return alike


def _compared(number: Scalar, apart: int) -> str:
    return f"compared with the deck {apart} before: {number.name}"


def _relatives(view: View) -> tuple[View, Counts]:
    """Return the first decks relative to each of the decks before them, and the number of each distance from 0."""
    stream = np.concatenate([view.lead, view.columns[:, :COMPARED]], axis=1)
    later = np.arange(view.lead.shape[1], stream.shape[1])[:, None] + np.zeros(DISTANCES, np.intp)
    earlier = later - np.arange(FIRST, LEAD + 1)
    met = earlier >= 0
    places = np.take(inverted(stream), earlier[met], axis=1)
    relative = np.take_along_axis(places, np.take(stream, later[met], axis=1).astype(np.intp), axis=0)
    return View(relative, stream[:, :0]), np.broadcast_to(np.arange(DISTANCES), met.shape)[met]


NUMBERS: tuple[Scalar, ...] = (FIXED_POINTS, SUCCESSIONS, DESCENTS)

_BINOMIAL = "binomial: one card or colour at one place, whatever the earlier deck was; the oddest of all (Bonferroni)"

STATISTICS = (
    Earlier(
        name="earlier decks",
        sees=f"what a deck keeps of the decks {FIRST} to {LEAD} before it",
        source="the laws of fixed points, successions and descents; thirty distances share the level (Bonferroni)",
    ),
    EarlierCells(
        name="places of earlier decks",
        sees=f"a place that holds the card of a place of a deck up to {LEAD} before",
        source=_BINOMIAL,
        cells=_same_place,
        inverse=True,
        words="{{places[0]}} holds the card of {{places[1]}} in the deck {} before",
        of_groups="of the cards at {{places[1]}} in the deck {} before, {{seen:.4g}} lie at {{places[0]}}",
    ),
    EarlierCells(
        name="cards of earlier decks",
        sees=f"a card that lies where a card lay in a deck up to {LEAD} before",
        source=_BINOMIAL,
        cells=_same_place,
        words="{{cards[0]}} lies where {{cards[1]}} lay in the deck {} before",
        of_groups="{{seen:.4g}} of {{cards[0]}} lie where {{cards[1]}} lay in the deck {} before,",
        about="cards",
    ),
    EarlierCells(
        name="colours of earlier decks",
        sees=f"a place that holds the colour of a place of a deck up to {LEAD} before",
        source=_BINOMIAL,
        cells=_same_colour,
        ways=2,
        words="{{places[0]}} holds a card of the colour of {{places[1]}} in the deck {} before",
    ),
)
