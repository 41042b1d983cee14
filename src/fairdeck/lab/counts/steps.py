"""Steps from each card to the next, up or down: descents, peaks, runs, the major index, and those of the destinations.

All of them ask of each two neighbours only which is higher, a comparison of two rows: so one pass
over the rows answers them all, and the same pass over the places those of the destinations.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.shapes import GROUP, once
from fairdeck.bulk.vectors import choose, load, splat, store
from fairdeck.lab.counts.values import ONES, buffer, evens, nth, odds

FALLS, PEAKS, RUNS, MAJOR = range(4)

Measured = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint16]]


@njit(cache=True, nogil=True)
def _steps(rows: Any, ones: Any, numbers: Any, major: Any) -> None:
    groups, n, _ = rows.shape
    flat = rows.reshape(-1)
    one, none, none_wide = load(ones, 0), splat(np.uint8(0)), splat(np.uint16(0))
    for group in range(groups):
        first, out = group * n * GROUP, group * GROUP
        before = load(flat, first)
        # The first step has no step before it: it counts as no turn. Masks that wait for the next row are slow
        # on a processor without registers for them, so each step is compared twice.
        earlier = choose(load(flat, first + GROUP) < before, splat(np.uint8(255)), before)
        falls, peaks, runs = none, none, one
        even, odd = none_wide, none_wide
        for place in range(1, n):
            here = load(flat, first + place * GROUP)
            falling = here < before
            falls = choose(falling, falls + one, falls)
            turned = falling ^ (before < earlier)
            peaks = choose(turned & falling, peaks + one, peaks)
            runs = choose(turned, runs + one, runs)
            weight = choose(falling, splat(np.uint8(place)), none)
            even = even + evens(weight)
            odd = odd + odds(weight)
            earlier, before = before, here
        store(numbers[FALLS], out, falls)
        store(numbers[PEAKS], out, peaks)
        store(numbers[RUNS], out, runs)
        store(major, out, even)
        store(major, out + GROUP // 2, odd)


def _steps_of(batch: Batch, rows: NDArray[np.uint8]) -> Measured:
    numbers, major = buffer(batch, 3), buffer(batch, 1, np.uint16)[0]
    _steps(rows, ONES, numbers, major)
    return *numbers, major


@once
def of_arrangement(batch: Batch) -> Measured:
    """Return descents, peaks, runs and the major index of each deck."""
    return _steps_of(batch, batch.groups)


@once
def of_destinations(batch: Batch) -> Measured:
    """Return the same of the places of the cards."""
    return _steps_of(batch, batch.places)


def rising_sequences(batch: Batch) -> NDArray[np.uint8]:
    """Return the rising sequences of each deck: one more than the falls of the destinations."""
    return of_destinations(batch)[FALLS] + np.uint8(1)


NUMBERS = {
    "descents": nth(of_arrangement, FALLS),
    "rising sequences": rising_sequences,
    "peaks": nth(of_arrangement, PEAKS),
    "peaks of the destinations": nth(of_destinations, PEAKS),
    "runs up and down": nth(of_arrangement, RUNS),
    "major index": nth(of_arrangement, MAJOR),
    "major index of the destinations": nth(of_destinations, MAJOR),
}
