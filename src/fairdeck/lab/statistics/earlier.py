"""Earlier decks: what is left of a deck 3 to 32 decks later.

Only some decks of each batch are compared, because there are thirty distances: a dependence over so many decks is rare,
and plain where there is one. So the tally depends on how the decks are cut into batches.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import numpy as np

from fairdeck.bulk.shapes import Counts
from fairdeck.lab.blocks import LEAD
from fairdeck.lab.laws.scalar import Law, extreme_value, mean_of, mean_shift
from fairdeck.lab.statistics import RARE, Evidence, Scalar, Statistic
from fairdeck.lab.statistics.descents import DESCENTS
from fairdeck.lab.statistics.fixed_points import FIXED_POINTS
from fairdeck.lab.statistics.successions import SUCCESSIONS
from fairdeck.lab.view import View, inverted

FIRST = 3  # decks apart: nearer ones are compared by the whole battery
DISTANCES = LEAD + 1 - FIRST
COMPARED = 48  # decks of a batch, the decks before it not counted


@dataclass(frozen=True)
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

STATISTICS = (
    Earlier(
        name="earlier decks",
        sees=f"what a deck keeps of the decks {FIRST} to {LEAD} before it",
        source="the laws of fixed points, successions and descents; thirty distances share the level (Bonferroni)",
    ),
)
