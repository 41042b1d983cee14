"""Which card lies directly on which: the successor matrix."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairdeck.lab.arrays import Counts, Floats
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.tails import oddest_cell, two_sided_chi_square
from fairdeck.lab.view import View

LEAST_EXPECTED = 3.0


@dataclass(frozen=True)
class Successors(Statistic):
    """How often card ``d`` lies directly above card ``c``.

    On one fair deck the covariance of the n(n-1) counts, each of mean 1/n, has the eigenvalues

    * 1/n on symmetric matrices with zero row sums, n(n-3)/2 dimensions: who is next to whom;
    * (n+1)/(n(n-1)) on antisymmetric ones, (n-1)(n-2)/2 dimensions: and on which side;
    * 1/(n(n-1)) on the rest but one, which only tells what lies at the two ends and is left out.
    """

    family: ClassVar[str] = "neighbours"

    def fits(self, n: int) -> bool:
        """Tell whether the matrix has all its parts, and is of a size to hold."""
        return 4 <= n <= 1_000

    def count(self, view: View) -> Counts:
        """Return the decks in which ``d`` lies directly above ``c``; shape ``(n, n)``, ``c`` first."""
        n = view.cards
        # One pair of places at a time, so that the cells are met in the cache.
        total = np.zeros(n * n, dtype=np.int64)
        lower = view.columns.astype(np.int64) * n
        for below, above in zip(lower, view.columns[1:], strict=False):
            total += np.bincount(below + above, minlength=n * n)
        return total.reshape(n, n)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield both parts of the matrix, and its oddest cell."""
        if not decks:
            return
        pairs = ~np.eye(n, dtype=bool)
        chance, cell = oddest_cell(counts[pairs], decks, 1 / n)
        oddest = int(np.flatnonzero(pairs)[cell])
        yield Evidence("neighbours: one pair", chance, _says(counts, oddest, n, decks))
        if decks < LEAST_EXPECTED * n:
            return
        off = np.where(pairs, counts - decks / n, 0.0)
        beside, side = _parts(off)
        worst = int(np.argmax(np.abs(off)))
        yield Evidence(
            "neighbours: who lies beside whom",
            two_sided_chi_square(n / decks * float(np.sum(beside * beside)), n * (n - 3) // 2),
            _says(counts, worst, n, decks),
        )
        yield Evidence(
            "neighbours: who lies above whom",
            two_sided_chi_square(n * (n - 1) / ((n + 1) * decks) * float(np.sum(side * side)), (n - 1) * (n - 2) // 2),
            _says(counts, worst, n, decks),
        )


def _parts(off: Floats) -> tuple[Floats, Floats]:
    """Return the symmetric and the antisymmetric part of `off`, each with zero row sums."""
    n = len(off)
    beside, side = (off + off.T) / 2, (off - off.T) / 2
    ends = beside.sum(axis=1) / (n - 2)
    turn = side.sum(axis=1) / n
    beside = np.where(np.eye(n, dtype=bool), 0.0, beside - ends[:, None] - ends[None, :])
    return beside, side - turn[:, None] + turn[None, :]


def _says(counts: Counts, cell: int, n: int, decks: int) -> str:
    below, above = divmod(cell, n)
    share = counts[below, above] / decks
    return f"card {above} lies directly above card {below} in {share:.3%} of decks; {1 / n:.3%} would be fair"


STATISTICS = (
    Successors(
        name="neighbours",
        sees="cards that stay together or keep apart: riffles, overhand, clumps, ties among sort keys",
        source="exact covariance; compare Aldous and Diaconis, Amer. Math. Monthly 93 (1986), on riffles",
    ),
)
