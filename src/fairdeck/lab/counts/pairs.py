"""Which two cards lie at the top, and which two at the bottom."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba import njit

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.dtypes import Counts
from fairdeck.bulk.sizes import GROUP


def end_pairs(at_top: bool, batch: Batch) -> Counts:
    """Return the decks with each pair at one end; shape ``(n, n)``, the lower card first."""
    n = batch.cards
    found = np.zeros((n, n), np.int64)
    _count(batch.groups, batch.decks, n - 2 if at_top else 0, found)
    return found


@njit(cache=True, nogil=True)
def _count(groups: Any, decks: int, place: int, found: Any) -> None:
    for group in range(len(groups)):
        for deck in range(min(GROUP, decks - group * GROUP)):
            found[groups[group, place, deck], groups[group, place + 1, deck]] += 1


COUNTS: dict[str, Callable[[Batch], Counts]] = {
    "top pairs": partial(end_pairs, True),
    "bottom pairs": partial(end_pairs, False),
}
