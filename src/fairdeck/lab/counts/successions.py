"""Successions and predecessions: neighbours that were neighbours before."""

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
def _packets(groups: Any, ones: Any, kept: Any, turned: Any) -> None:
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    one, none = load(ones, 0), splat(np.uint8(0))
    for group in range(number):
        first = group * n * GROUP
        before = load(flat, first)
        after = before + one
        same, back = none, none
        for place in range(1, n):
            here = load(flat, first + place * GROUP)
            follows = here + one
            same = choose(here == after, same + one, same)
            back = choose(follows == before, back + one, back)
            before, after = here, follows
        store(kept, group * GROUP, same)
        store(turned, group * GROUP, back)


@once
def kept_neighbours(batch: Batch) -> NDArray[np.uint8]:
    """Return the successions and the predecessions of each deck; shape ``(2, decks)``."""
    kept: NDArray[np.uint8] = buffer(batch, 2)
    _packets(batch.groups, ONES, *kept)
    return kept


NUMBERS = {"successions": nth(kept_neighbours, 0), "predecessions": nth(kept_neighbours, 1)}
