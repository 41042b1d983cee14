"""Distances: how far cards lie from where they started, and neighbours from each other in the old order.

A difference of two bytes is the higher less the lower; it fits into a byte again, as there are 128
cards at most. Sums take 16 bits a deck, squares 32.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.kernels import inline
from fairdeck.bulk.shapes import GROUP, Counts, once
from fairdeck.bulk.vectors import choose, load, reinterpret, splat, store
from fairdeck.lab.counts.values import ONES, buffer, evens, nth, odds


@inline
def _apart(one: Any, other: Any) -> Any:
    return choose(one < other, other - one, one - other)


@njit(cache=True, nogil=True)
def _distances(groups: Any, ones: Any, fixed: Any, halves: Any, squares: Any, swings: Any) -> None:
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    one, none, none_wide, none_widest = load(ones, 0), splat(np.uint8(0)), splat(np.uint16(0)), splat(np.uint32(0))
    low, sixteen = splat(np.uint32(65_535)), splat(np.uint32(16))
    halve = splat(np.uint16(1))
    for group in range(number):
        first, out = group * n * GROUP, group * GROUP
        before = load(flat, first)
        kept = none
        even, odd, even_swing, odd_swing = none_wide, none_wide, none_wide, none_wide
        square = none_widest
        for place in range(n):
            here, at = load(flat, first + place * GROUP), splat(np.uint8(place))
            kept = choose(here == at, kept + one, kept)
            moved, swing = _apart(here, at), _apart(here, before)
            even_moved, odd_moved = evens(moved), odds(moved)
            even, odd = even + even_moved, odd + odd_moved
            even_square, odd_square = reinterpret(even_moved * even_moved, low), reinterpret(odd_moved * odd_moved, low)
            square = (
                square + (even_square & low) + (even_square >> sixteen) + (odd_square & low) + (odd_square >> sixteen)
            )
            even_swing, odd_swing = even_swing + evens(swing), odd_swing + odds(swing)
            before = here
        store(fixed, out, kept)
        store(halves, out, even >> halve)
        store(halves, out + GROUP // 2, odd >> halve)
        store(swings, out, even_swing)
        store(swings, out + GROUP // 2, odd_swing)
        store(squares, out // 4, square)


@once
def distances(batch: Batch) -> tuple[NDArray[np.uint8], NDArray[np.uint16], NDArray[np.uint32], NDArray[np.uint16]]:
    """Return, of each deck, the fixed points and half the footrule; the squared distances of fours; the oscillation."""
    fixed, (halves, swings) = buffer(batch, 1)[0], buffer(batch, 2, np.uint16)
    squares = np.empty(len(fixed) // 4, np.uint32)
    _distances(batch.groups, ONES, fixed, halves, squares, swings)
    return fixed, halves, squares, swings


def squared_distances(batch: Batch) -> Counts:
    """Return the sum of the squared distances that all cards of all decks have moved, as `Sum` splits it."""
    return _split(int(distances(batch)[2].sum(dtype=np.int64)))


def oscillation(batch: Batch) -> Counts:
    """Return the sum of the differences in number between neighbours, as `Sum` splits it."""
    swings = distances(batch)[3]
    return _split(int(swings.sum(dtype=np.int64)) - (len(swings) - batch.decks) * (batch.cards - 1))


def _split(total: int) -> Counts:
    # No single deck reaches 2^32.
    return np.array([0, total], np.int64)


NUMBERS = {"half the footrule": nth(distances, 1), "fixed points": nth(distances, 0)}
COUNTS = {"squared distances": squared_distances, "oscillation": oscillation}
