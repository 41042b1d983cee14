"""The rank histogram: all n! orders in dictionary order, cut into as many equal parts as bars are wanted."""

from collections.abc import Iterator
from itertools import pairwise
from math import ceil
from typing import ClassVar

import numpy as np
from scipy.special import bdtrik

from fairdeck.bulk.shapes import Counts, Floats, Values, counted
from fairdeck.document import Bars
from fairdeck.lab.laws.tails import deviance, even_cells
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.view import View
from fairdeck.shuffles import MOST_CARDS

BINS = 200
LEAST_EACH = 10  # expected in each bin, where they are not all equal
OUTSIDE = 0.005  # the chance of a bar above its band, and of one below
OVERFLOW = 2**62  # bins times ranks must stay below it


class RankHistogram(Statistic):
    """How often the rank of a deck, as a part of n!, falls into each of 200 bins."""

    family: ClassVar[str] = "position"
    sizes: ClassVar[range] = range(9, MOST_CARDS + 1)  # of fewer cards every order is counted

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
        words = (
            f"bin {at + 1} of {BINS} in dictionary order holds {{seen:.3%}} of decks; {{expected:.3%}} would be fair"
        )
        seen, fair = float(counts[at] / decks), float(expected[at] / decks)
        yield self.evidence("all bins", p_value, words, seen=seen, expected=fair)


def rank_bins(view: View, bins: int) -> Values:
    """Return the bin of each deck, 0 to `bins` - 1: its rank in dictionary order, times bins, over n!.

    Ranks are those of `fairdeck.permutation.rank`. Only the places nearest the bottom are read, see `ranks_used`.

    Args:
        view: the decks.
        bins: how many, from 1 to 10,000.
    """
    read, orders = ranks_used(view.cards, bins)
    return ranks_of(view, read) * bins // orders


def ranks_of(view: View, read: int) -> Values:
    """Return the rank of each deck in dictionary order among the orders of the lowest `read` places, 20 at most.

    Horner's rule over the Lehmer code; see `fairdeck.permutation.rank`.
    """
    rank = np.zeros(view.decks, dtype=np.int64)
    for place in range(read):
        smaller = counted(view.columns[place + 1 :] < view.columns[place])
        rank = rank * (view.cards - place) + smaller
    return rank


def ranks_used(n: int, bins: int) -> tuple[int, int]:
    """Return how many places are read to find the bin of a deck, and the number of orders of these places.

    The fewest places whose number of orders is a multiple of the bins: the other places then stay within a bin.
    Where no number of places is enough, as many as fit into 64 bits; a deck exactly on the edge of a bin, one
    of the orders read, may then be counted below it. `bin_chances` is exact for the bins as they are counted.
    """
    read, orders = 0, 1
    while read < n and orders % bins and orders * (n - read) * bins < OVERFLOW:
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


def joined(counts: Counts, chances: Floats, bars: int = 200, fewest: int = 10) -> tuple[Counts, Floats]:
    """Return `counts` and `chances` with neighbours joined into at most `bars`, with enough decks in each.

    Every bar joins the same number of bins, except perhaps the last; there are at least ten bars.
    A bar should hold `fewest` decks on average.
    """
    wanted = min(bars, max(10, int(counts.sum()) // fewest))
    starts = np.arange(0, len(counts), ceil(len(counts) / wanted))
    return np.add.reduceat(counts, starts), np.add.reduceat(chances, starts)


def bars(counts: Counts, chances: Floats, ends: tuple[str, str], highest: float = 0.0) -> Bars:
    """Return a picture of counts, with the band that contains 99 of 100 bars of a fair shuffle.

    The ends are the names of the first and the last bar; the axis reaches at least `highest` times a fair bar, so that
    charts can be compared.
    """
    decks = int(counts.sum())
    low, high = (np.floor(bdtrik(OUTSIDE, decks, chances)), np.ceil(bdtrik(1 - OUTSIDE, decks, chances)))
    return Bars(
        counts.tolist(),
        (chances * decks).tolist(),
        low.tolist(),
        high.tolist(),
        ends,
        highest * float(np.max(chances)) * decks,
    )
