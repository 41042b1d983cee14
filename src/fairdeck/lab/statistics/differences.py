"""Differences: how far apart, around the old deck, two neighbours of the new deck were."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairdeck.lab.arrays import Counts
from fairdeck.lab.power import Limit
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.tails import even_cells, oddest_cell
from fairdeck.lab.view import View


@dataclass(frozen=True)
class Differences(Statistic):
    """How often the card above place ``i`` is ``d`` further on, modulo n, than the card at ``i``.

    At any one place each d from 1 to n-1 is equally likely. The places of one deck are dependent, so
    each place is judged by itself and the oddest paid for as so many looks.
    """

    family: ClassVar[str] = "neighbours"

    def fits(self, n: int) -> bool:
        """Tell whether there are differences to compare, and not too many to hold."""
        return 3 <= n <= 500

    def count(self, view: View) -> Counts:
        """Return the decks with each difference at each place; shape ``(n - 1, n - 1)``, the place first."""
        n = view.cards
        apart = np.diff(view.columns, axis=0)
        apart += (apart < 0) * np.int16(n)
        return np.stack([np.bincount(row, minlength=n)[1:] for row in apart])

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the oddest place, and the oddest difference at one place."""
        if not decks:
            return
        chance, cell = oddest_cell(counts, decks, 1 / (n - 1))
        place, apart = divmod(cell, n - 1)
        yield Evidence("differences: one difference", chance, _says(counts, place, apart, decks))
        found = [even_cells(row) for row in counts]
        p_values = [p_value for p_value in found if p_value is not None]
        if len(p_values) < len(found):  # all places have as many decks
            return
        place = int(np.argmin(p_values))
        apart = int(np.argmax(np.abs(counts[place] - decks / (n - 1))))
        p_value = min(1.0, len(p_values) * p_values[place])
        yield Evidence("differences: one place", p_value, _says(counts, place, apart, decks))

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:
        """Return the smallest share of one difference at one place that is seen."""
        what = "a difference between two neighbouring places that comes"
        return self.share_limit("one difference", what, 1 / (n - 1), decks, level / counts.size)


def _says(counts: Counts, place: int, apart: int, decks: int) -> str:
    return (
        f"the card above place {place} is {apart + 1} further on than the card there in "
        f"{counts[place, apart] / decks:.3%} of decks; {1 / counts.shape[1]:.3%} would be fair"
    )


STATISTICS = (
    Differences(
        name="differences",
        sees="regular steps through the old deck: cuts, piles, perfect riffles, strides, at any one place",
        source="each difference modulo n equally likely at each place; compare Knuth, TAOCP 2, section 3.3.2",
    ),
)
