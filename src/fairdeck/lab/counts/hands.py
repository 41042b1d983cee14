"""Hands: how many cards of one part of the old deck come into one part of the new."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk import GROUP
from fairdeck.bulk.batch import Batch
from fairdeck.bulk.dtypes import Counts
from fairdeck.bulk.vectors import choose, load, splat, store
from fairdeck.lab.counts.values import ONES, buffer, tally
from fairdeck.lab.statistics.hands import HAND, half_law, hand_law


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


def lower_half(batch: Batch) -> Counts:
    """Return the decks with each number of cards of the lower half, rounded down, in that half."""
    half = batch.cards // 2
    return tally(batch, _of(batch, 0, half, half), half_law(batch.cards))


def top_hand(batch: Batch) -> Counts:
    """Return the decks with each number of the first two fifths of the cards in the top seven."""
    n = batch.cards
    return tally(batch, _of(batch, n - HAND, n, _lands(n)), hand_law(n))


def bottom_hand(batch: Batch) -> Counts:
    """Return the decks with each number of the first two fifths of the cards in the seven at the bottom."""
    n = batch.cards
    return tally(batch, _of(batch, 0, HAND, _lands(n)), hand_law(n))


def _lands(n: int) -> int:
    return -(-2 * n // 5)  # rounded up


COUNTS = {"lower half": lower_half, "hand from the top": top_hand, "hand from the bottom": bottom_hand}
