"""The rank histogram: all n! orders in dictionary order, cut into as many equal parts as bars are wanted."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from fairdeck.lab.arrays import Counts, Floats, Values, counted
from fairdeck.lab.law import deviance
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.tails import even_cells
from fairdeck.lab.view import View

BINS = 200
LEAST_EACH = 10  # expected in each bin, where they are not all equal
ROOM = 2**62  # what bins times ranks must stay below


@dataclass(frozen=True)
class RankHistogram(Statistic):
    """How often the rank of a deck, as a part of n!, falls into each of 200 bins."""

    family: ClassVar[str] = "position"

    def fits(self, n: int) -> bool:
        """Tell whether the orders are many more than the bins; of fewer cards every order is counted."""
        return n >= 9

    def count(self, view: View) -> Counts:
        """Return the decks in each bin; shape ``(200,)``."""
        return np.bincount(rank_bins(view, BINS), minlength=BINS)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield all bins together."""
        if not decks:
            return
        expected = bin_chances(n, BINS) * decks
        if ranks_used(n, BINS)[1] % BINS == 0:
            p_value = even_cells(counts)
        else:
            p_value = deviance(expected, counts) if expected.min() >= LEAST_EACH else None
        if p_value is None:
            return
        at = int(np.argmax(np.abs(counts - expected)))
        yield Evidence(
            "rank histogram: all bins",
            p_value,
            f"bin {at + 1} of {BINS} in dictionary order holds {counts[at] / decks:.3%} of decks; "
            f"{expected[at] / decks:.3%} would be fair",
        )


def rank_bins(view: View, bins: int) -> Values:
    """Return the bin of each deck, 0 to `bins` - 1: its rank in dictionary order, times bins, over n!.

    Ranks are those of `fairdeck.permutation.rank`. Only the places nearest the base are read, see
    `ranks_used`.

    Args:
        view: the decks.
        bins: how many, from 1 to 10,000.
    """
    read, orders = ranks_used(view.cards, bins)
    rank = np.zeros(view.decks, dtype=np.int64)
    for place in range(read):
        smaller = counted(view.columns[place + 1 :] < view.columns[place])
        rank = rank * (view.cards - place) + smaller
    return rank * bins // orders


def ranks_used(n: int, bins: int) -> tuple[int, int]:
    """Return how many places of `n` settle the bin, and how many orders these have.

    As few as make the orders a multiple of the bins, for then all that follows stays within a bin.
    Where no number does so, as many as fit into 64 bits; then a deck just on the edge of a bin, one
    of the orders read, may be counted below it. `bin_chances` is exact for the bins as counted.
    """
    read, orders = 0, 1
    while read < n and orders % bins and orders * (n - read) * bins < ROOM:
        orders *= n - read
        read += 1
    return read, orders


def bin_chances(n: int, bins: int) -> Floats:
    """Return the exact chance of each bin of `rank_bins`, for fair decks of `n` cards."""
    _, orders = ranks_used(n, bins)
    edges = [-(-at * orders // bins) for at in range(bins + 1)]
    return np.array([(above - below) / orders for below, above in pairwise(edges)])


STATISTICS = (
    RankHistogram(
        name="rank histogram",
        sees="orders near the sorted one, or any other stretch of the dictionary, that come too often",
        source="Lehmer code, Knuth, TAOCP 2, section 3.3.2, algorithm P; the classic plot of a naive shuffle",
    ),
)
