"""Cycles, and with them the parity."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.kernels import inline
from fairdeck.bulk.shapes import GROUP, once
from fairdeck.bulk.vectors import choose, load, splat, store
from fairdeck.lab.counts.values import ONES, buffer


@inline
def _sent_on(card: Any, start: Any, end: Any) -> Any:
    return choose(card == start, end, card)


@njit(cache=True, nogil=True)
def _cycles(groups: Any, ones: Any, rows: Any, closed: Any) -> None:
    """Count the cycles of each deck.

    Takes one place after another, from the last, out of its cycle: the place that points to it now points to
    where it points, and a place that points to itself closes a cycle. Finding the place that points to it takes a
    comparison with every row left, but the same steps for every deck. Four places are taken out at once, so that
    each row is read and written a quarter as often.
    """
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    one = load(ones, 0)
    for group in range(number):
        for row in range(0, n * GROUP, GROUP):
            store(rows, row, load(flat, group * n * GROUP + row))
        found = splat(np.uint8(0))
        place = n - 1
        while place >= 3:
            at = place * GROUP
            one_at, two_at = splat(np.uint8(place)), splat(np.uint8(place - 1))
            three_at, four_at = splat(np.uint8(place - 2)), splat(np.uint8(place - 3))
            first, second = load(rows, at), load(rows, at - GROUP)
            third, fourth = load(rows, at - 2 * GROUP), load(rows, at - 3 * GROUP)
            found = choose(first == one_at, found + one, found)
            second = _sent_on(second, one_at, first)
            found = choose(second == two_at, found + one, found)
            third = _sent_on(_sent_on(third, one_at, first), two_at, second)
            found = choose(third == three_at, found + one, found)
            fourth = _sent_on(_sent_on(_sent_on(fourth, one_at, first), two_at, second), three_at, third)
            found = choose(fourth == four_at, found + one, found)
            for row in range(0, at - 3 * GROUP, GROUP):
                card = _sent_on(_sent_on(load(rows, row), one_at, first), two_at, second)
                store(rows, row, _sent_on(_sent_on(card, three_at, third), four_at, fourth))
            place -= 4
        while place >= 0:
            end, start = load(rows, place * GROUP), splat(np.uint8(place))
            found = choose(end == start, found + one, found)
            for row in range(0, place * GROUP, GROUP):
                store(rows, row, _sent_on(load(rows, row), start, end))
            place -= 1
        store(closed, group * GROUP, found)


@once
def cycles(batch: Batch) -> NDArray[np.uint8]:
    """Return the cycles of each deck."""
    closed: NDArray[np.uint8] = buffer(batch, 1)[0]
    _cycles(batch.groups, ONES, np.empty(batch.cards * GROUP, np.uint8), closed)
    return closed


def parity(batch: Batch) -> NDArray[np.uint8]:
    """Return 0 for each even deck and 1 for each odd one: cards and cycles are an odd number apart."""
    return (np.uint8(batch.cards) - cycles(batch)) & np.uint8(1)


NUMBERS = {"cycles": cycles, "parity": parity}
