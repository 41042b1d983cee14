"""Coupons: the number of different cards at one end in n successive decks of n cards."""

from typing import Any

import numpy as np
from numba import njit

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.dtypes import Counts
from fairdeck.bulk.sizes import GROUP


@njit(cache=True, nogil=True)
def _different(groups: Any, place: int, windows: int, found: Any) -> None:
    n = groups.shape[1]
    met = np.full(n, -1)  # by card: the last window it came in
    group, deck = 0, 0
    for window in range(windows):
        different = 0
        for _ in range(n):
            card = groups[group, place, deck]
            different += met[card] != window
            met[card] = window
            deck += 1
            if deck == GROUP:
                group, deck = group + 1, 0
        found[different - 1] += 1


def _of(batch: Batch, place: int) -> Counts:
    """Return the windows of n decks with each number of different cards at a place, from 1 on; shape ``(n,)``.

    As for the statistics, windows do not reach beyond a batch.
    """
    found: Counts = np.zeros(batch.cards, np.int64)
    _different(batch.groups, place, batch.decks // batch.cards, found)
    return found


def top_cards(batch: Batch) -> Counts:
    """Return the windows with each number of different top cards."""
    return _of(batch, batch.cards - 1)


def bottom_cards(batch: Batch) -> Counts:
    """Return the windows with each number of different cards at the bottom."""
    return _of(batch, 0)


COUNTS = {"different top cards": top_cards, "different bottom cards": bottom_cards}
