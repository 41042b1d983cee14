"""The rank of each deck in dictionary order, in as many parts as a histogram has bars."""

from math import factorial
from typing import Any

import numpy as np
from numba import njit

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.kernels import aligned
from fairdeck.bulk.shapes import GROUP, Counts
from fairdeck.bulk.vectors import choose, load, splat, store
from fairdeck.lab.statistics.rank_histogram import BINS, ranks_used


def rank_histogram(batch: Batch) -> Counts:
    """Return the decks in each of the bins of `fairdeck.lab.statistics.rank_histogram`; shape ``(200,)``."""
    read, orders = ranks_used(batch.cards, BINS)
    return by_rank(batch, read, orders, BINS)


def by_rank(batch: Batch, read: int, orders: int, bins: int) -> Counts:
    """Return how often the rank by the first places, as a part of all orders of these, falls into each bin."""
    # Bins seldom cut orders apart; where a bin is a number of whole orders, one division is enough.
    found = np.zeros(bins, np.int64)
    times, per = (1, orders // bins) if orders % bins == 0 else (bins, orders)
    scratch = aligned(np.uint8, (batch.cards + 8) * GROUP)
    _count_ranks(batch.groups, batch.decks, read, np.uint64(times), np.uint64(per), scratch, found)
    return found


@njit(cache=True, nogil=True)
def _count_ranks(groups: Any, decks: int, read: int, times: Any, per: Any, digits: Any, found: Any) -> None:
    # A digit of the Lehmer code: how many of the cards not met so far are lower.
    n = groups.shape[1]
    flat = groups.reshape(-1)
    one = splat(np.uint8(1))
    ranks = np.empty(GROUP, np.uint64)
    for group in range(len(groups)):
        start = group * n * GROUP
        for place in range(read):
            card = load(flat, start + place * GROUP)
            digit = card
            for before in range(place):
                digit = choose(load(flat, start + before * GROUP) < card, digit - one, digit)
            store(digits, place * GROUP, digit)
        ranks[:] = np.uint64(0)
        for place in range(read):
            radix = np.uint64(n - place)
            for deck in range(GROUP):
                ranks[deck] = ranks[deck] * radix + np.uint64(digits[place * GROUP + deck])
        for deck in range(min(GROUP, decks - group * GROUP)):
            found[ranks[deck] * times // per] += 1


def every_order(batch: Batch) -> Counts:
    """Return the decks of each rank; shape ``(n!,)``, in dictionary order."""
    orders = factorial(batch.cards)
    return by_rank(batch, batch.cards, orders, orders)


COUNTS = {"rank histogram": rank_histogram, "every order": every_order}
