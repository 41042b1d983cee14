"""Differences: how far apart, modulo n, two neighbours of the new deck were in the old deck."""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from fairdeck.bulk.shapes import Counts
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.tails import PValue, even_cells, oddest_cell
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.view import View


class Differences(Statistic):
    """How often the card above place ``i`` is ``d`` further on, modulo n, than the card at ``i``.

    At any one place each d from 1 to n-1 is equally likely. The places of one deck are dependent, so
    each place is judged by itself, and the oddest is corrected for their number (Bonferroni).
    """

    family: ClassVar[str] = "neighbours"
    sizes: ClassVar[range] = range(3, 501)  # two differences or more, and not too many for memory

    def count(self, view: View) -> Counts:
        """Return the decks with each difference at each place; shape ``(n - 1, n - 1)``, the place first."""
        n = view.cards
        apart = np.diff(view.columns, axis=0)
        apart += (apart < 0) * np.int16(n)
        return np.stack([np.bincount(row, minlength=n)[1:] for row in apart])

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the oddest place, and the oddest difference at one place."""
        if decks < 2:
            return
        p_value, cell = oddest_cell(counts, decks, 1 / (n - 1))
        yield self._found("one difference", p_value, counts, *divmod(cell, n - 1), decks)
        p_values = [each for each in map(even_cells, counts) if each is not None]
        if p_values:  # at all places or at none: each has the same number of decks
            place = int(np.argmin(p_values))
            apart = int(np.argmax(np.abs(counts[place] - decks / (n - 1))))
            yield self._found("one place", p_values[place].of_many(n - 1), counts, place, apart, decks)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:
        """Return the smallest share of one difference at one place that is seen."""
        what = "a difference between two neighbouring places that comes"
        return self.share_limit("one difference", what, 1 / (n - 1), decks, level / counts.size)

    def _found(self, test: str, p_value: PValue, counts: Counts, place: int, apart: int, decks: int) -> Evidence:
        words = (
            f"the card above {{places[0]}} is {apart + 1} further on than the card there in "
            "{seen:.3%} of decks; {expected:.3%} would be fair"
        )
        seen, expected = float(counts[place, apart] / decks), 1 / counts.shape[1]
        return self.evidence(test, p_value, words, seen=seen, expected=expected, places=(place,))


STATISTICS = (
    Differences(
        name="differences",
        sees="regular steps through the old deck: cuts, piles, perfect riffles, strides, at any one place",
        source="each difference modulo n equally likely at each place; compare Knuth, TAOCP 2, section 3.3.2",
    ),
)
