"""One whole number of each deck, for the fast counts: kept with its batch, and tallied.

The kernels that measure 64 decks at a time write their numbers one after another, deck by deck or
in another order: a tally does not mind. Only the last number is always the last deck's. So the
sorted decks that fill the last group need no care until the end: each of them has that number.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.lab.arrays import Counts
from fairdeck.lab.kernels import GROUP
from fairdeck.lab.kernels.batch import Batch
from fairdeck.lab.kernels.inner import inner
from fairdeck.lab.kernels.vectors import as_u16, splat
from fairdeck.lab.law import Law

Numbers = NDArray[np.uint8] | NDArray[np.uint16]
ONES = np.ones(GROUP, np.uint8)  # loaded as data, for what the compiler would do with a one it knows: see `lift`

T = TypeVar("T")


def once(make: Callable[[Batch], T]) -> Callable[[Batch], T]:
    """Let a function of a batch keep its result with the batch, as a cached property does."""
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def kept(batch: Batch) -> T:
        held = vars(batch)
        if name not in held:
            held[name] = make(batch)
        result: T = held[name]
        return result

    return kept


def room(batch: Batch, numbers: int, dtype: type[np.unsignedinteger[Any]] = np.uint8) -> Any:
    """Return an array for some numbers of each deck, shape ``(numbers, 64 * groups)``."""
    return np.empty((numbers, len(batch.groups) * GROUP), dtype)


def tally(batch: Batch, numbers: Numbers, law: Law) -> Counts:
    """Return how many decks of a batch have each value of a law; shape ``(values,)``.

    Args:
        batch: the decks.
        numbers: one for each deck of its groups, the last deck's last.
        law: the values that are possible.
    """
    counts: Counts = _tally(numbers, len(numbers) - batch.decks, law.low + len(law.weights))
    return counts[law.low :]


@njit(cache=True, nogil=True)
def _tally(numbers: Any, sorted_ones: int, values: int) -> Any:
    # Four tables in turn: an entry that was just written is not read at once.
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


@inner
def evens(vector: Any) -> Any:
    """Return every other byte of a vector, from the first on, as numbers of 16 bits."""
    return as_u16(vector) & splat(np.uint16(255))


@inner
def odds(vector: Any) -> Any:
    """Return the bytes that `evens` leaves out."""
    return as_u16(vector) >> splat(np.uint16(8))
