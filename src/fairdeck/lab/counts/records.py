"""Records: cards higher in number than all met before them, from the bottom and from the top."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.kept import once
from fairdeck.bulk.sizes import GROUP
from fairdeck.bulk.vectors import choose, load, splat, store
from fairdeck.lab.counts.values import ONES, buffer, nth


@njit(cache=True, nogil=True)
def _records(groups: Any, ones: Any, up: Any, down: Any) -> None:
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    one, none = load(ones, 0), splat(np.uint8(0))
    for group in range(number):
        first = group * n * GROUP
        last = first + (n - 1) * GROUP
        from_bottom, from_top, highest, highest_down = none, none, none, none
        for row in range(0, n * GROUP, GROUP):
            here = load(flat, first + row)
            record = here >= highest  # no card is met twice, and the first is always one
            from_bottom = choose(record, from_bottom + one, from_bottom)
            highest = choose(record, here, highest)
            here = load(flat, last - row)
            record = here >= highest_down
            from_top = choose(record, from_top + one, from_top)
            highest_down = choose(record, here, highest_down)
        store(up, group * GROUP, from_bottom)
        store(down, group * GROUP, from_top)


@once
def _of(batch: Batch) -> NDArray[np.uint8]:
    found: NDArray[np.uint8] = buffer(batch, 2)
    _records(batch.groups, ONES, *found)
    return found


NUMBERS = {"records from the bottom": nth(_of, 0), "records from the top": nth(_of, 1)}
