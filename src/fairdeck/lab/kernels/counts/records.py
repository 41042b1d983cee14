"""Records: cards higher in number than all met before them, from the base and from the top."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.lab.arrays import Counts
from fairdeck.lab.kernels import GROUP
from fairdeck.lab.kernels.batch import Batch
from fairdeck.lab.kernels.values import ONES, once, room, tally
from fairdeck.lab.kernels.vectors import choose, load, splat, store
from fairdeck.lab.statistics.cycles import stirling_law


@njit(cache=True, nogil=True)
def _records(groups: Any, ones: Any, up: Any, down: Any) -> None:
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    one, none = load(ones, 0), splat(np.uint8(0))
    for group in range(number):
        first = group * n * GROUP
        last = first + (n - 1) * GROUP
        from_base, from_top, highest, highest_down = none, none, none, none
        for row in range(0, n * GROUP, GROUP):
            here = load(flat, first + row)
            record = here >= highest  # no card is met twice, and the first is always one
            from_base = choose(record, from_base + one, from_base)
            highest = choose(record, here, highest)
            here = load(flat, last - row)
            record = here >= highest_down
            from_top = choose(record, from_top + one, from_top)
            highest_down = choose(record, here, highest_down)
        store(up, group * GROUP, from_base)
        store(down, group * GROUP, from_top)


@once
def _of(batch: Batch) -> NDArray[np.uint8]:
    """Return the records of each deck from the base and from the top; shape ``(2, decks)``."""
    found: NDArray[np.uint8] = room(batch, 2)
    _records(batch.groups, ONES, *found)
    return found


def from_base(batch: Batch) -> Counts:
    """Return the decks with each number of records, read from the base to the top."""
    return tally(batch, _of(batch)[0], stirling_law(batch.cards))


def from_top(batch: Batch) -> Counts:
    """Return the decks with each number of records, read from the top to the base."""
    return tally(batch, _of(batch)[1], stirling_law(batch.cards))


COUNTS = {"records from the base": from_base, "records from the top": from_top}
