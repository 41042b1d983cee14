"""One whole number of each deck, for the fast counts: tallied.

The kernels that measure 64 decks at a time write their numbers one after another, deck by deck or in another order,
which a tally does not notice. Only the last number is always that of the last deck. So kernels may ignore the sorted
decks that fill up the last group: all of these have that number, and `tally` takes them off.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.kernels import inline
from fairdeck.bulk.shapes import GROUP, Counts
from fairdeck.bulk.vectors import reinterpret, splat
from fairdeck.lab.laws.scalar import Law

Numbers = NDArray[np.uint8] | NDArray[np.uint16]
Measure = Callable[[Batch], Numbers]
ONES = np.ones(GROUP, np.uint8)  # loaded as data: `lift` says what the compiler would make of a constant


def buffer(batch: Batch, numbers: int, dtype: type[np.unsignedinteger[Any]] = np.uint8) -> Any:
    """Return an uninitialised array for some numbers of each deck, shape ``(numbers, 64 * groups)``."""
    return np.empty((numbers, len(batch.groups) * GROUP), dtype)


def nth(measure: Callable[[Batch], tuple[Any, ...] | NDArray[Any]], at: int) -> Measure:
    """Return the function that gives one of the numbers that a pass over a batch finds."""

    def numbers(batch: Batch) -> Numbers:
        found: Numbers = measure(batch)[at]
        return found

    return numbers


def tally(batch: Batch, numbers: Numbers, law: Law) -> Counts:
    """Return how many decks of a batch have each value of a law; of `numbers`, that of the last deck is the last."""
    counts: Counts = _tally(numbers, len(numbers) - batch.decks, law.low + len(law.weights))
    return counts[law.low :]


@njit(cache=True, nogil=True)
def _tally(numbers: Any, sorted_ones: int, values: int) -> Any:
    # Four tables in turn, so that no entry is read just after it was written.
    found = np.zeros(4 * values, np.int64)
    one, two, three = found[values : 2 * values], found[2 * values : 3 * values], found[3 * values :]
    for at in range(0, len(numbers), 4):
        found[numbers[at]] += 1
        one[numbers[at + 1]] += 1
        two[numbers[at + 2]] += 1
        three[numbers[at + 3]] += 1
    for value in range(values):
        found[value] += one[value] + two[value] + three[value]
    if sorted_ones:
        found[numbers[-1]] -= sorted_ones
    return found[:values].copy()


@inline
def evens(vector: Any) -> Any:
    """Return every other byte of a vector, from the first on, as numbers of 16 bits."""
    low = splat(np.uint16(255))
    return reinterpret(vector, low) & low


@inline
def odds(vector: Any) -> Any:
    """Return the bytes that `evens` leaves out."""
    by = splat(np.uint16(8))
    return reinterpret(vector, by) >> by
