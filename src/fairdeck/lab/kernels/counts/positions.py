"""Which card lies where."""

from typing import Any

import numpy as np
from numba import njit

from fairdeck.lab.arrays import Counts
from fairdeck.lab.kernels import GROUP
from fairdeck.lab.kernels.batch import Batch


@njit(cache=True, nogil=True)
def _positions(groups: Any, decks: int, even: Any, odd: Any) -> None:
    # Two tables in turn: an entry that was just written is not read at once.
    for group in range(len(groups)):
        count = min(GROUP, decks - group * GROUP)
        for place in range(groups.shape[1]):
            for deck in range(0, count - 1, 2):
                even[place, groups[group, place, deck]] += np.uint32(1)
                odd[place, groups[group, place, deck + 1]] += np.uint32(1)
            if count % 2:
                even[place, groups[group, place, count - 1]] += np.uint32(1)


def positions(batch: Batch) -> Counts:
    """Return the decks in which card ``c`` lies at place ``i``; shape ``(n, n)``, place first."""
    n = batch.cards
    even, odd = np.zeros((2, n, n), np.uint32)
    _positions(batch.groups, batch.decks, even, odd)
    return even.astype(np.int64) + odd


COUNTS = {"positions": positions}
