"""Hands: how many cards of one part of the old deck come into one part of the new."""

from functools import partial
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.sizes import GROUP
from fairdeck.bulk.vectors import choose, load, splat, store
from fairdeck.lab.counts.values import ONES, buffer
from fairdeck.lab.statistics.hands import HAND, HANDS


@njit(cache=True, nogil=True)
def _held(groups: Any, ones: Any, lowest: int, highest: int, sort: int, held: Any) -> None:
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    one, below = load(ones, 0), splat(np.uint8(sort))
    for group in range(number):
        count = splat(np.uint8(0))
        for place in range(lowest, highest):
            count = choose(load(flat, (group * n + place) * GROUP) < below, count + one, count)
        store(held, group * GROUP, count)


def _of(batch: Batch, lowest: int, highest: int, sort: int) -> NDArray[np.uint8]:
    """Return how many of the first `sort` cards lie from one place up to, not at, another in each deck."""
    held: NDArray[np.uint8] = buffer(batch, 1)[0]
    _held(batch.groups, ONES, lowest, highest, sort, held)
    return held


def lower_half(batch: Batch) -> NDArray[np.uint8]:
    """Return the cards of the lower half, rounded down, in that half of each deck."""
    half = batch.cards // 2
    return _of(batch, 0, half, half)


def top_hand(batch: Batch) -> NDArray[np.uint8]:
    """Return how many of the first two fifths of the cards are in the top seven of each deck."""
    return _of(batch, batch.cards - HAND, batch.cards, _lands(batch.cards))


def bottom_hand(batch: Batch) -> NDArray[np.uint8]:
    """Return how many of the first two fifths of the cards are in the seven at the bottom of each deck."""
    return _of(batch, 0, HAND, _lands(batch.cards))


def top_again(size: int, batch: Batch) -> NDArray[np.uint8]:
    """Return how many of the top `size` cards were the top ones before."""
    rest = batch.cards - size
    again: NDArray[np.uint8] = np.uint8(size) - _of(batch, rest, batch.cards, rest)
    return again


def bottom_again(size: int, batch: Batch) -> NDArray[np.uint8]:
    """Return how many of the `size` cards at the bottom were there before."""
    return _of(batch, 0, size, size)


def _lands(n: int) -> int:
    return -(-2 * n // 5)  # rounded up


NUMBERS = {"lower half": lower_half, "hand from the top": top_hand, "hand from the bottom": bottom_hand}
NUMBERS |= {f"top {size} again": partial(top_again, size) for size in HANDS}
NUMBERS |= {f"bottom {size} again": partial(bottom_again, size) for size in HANDS}
