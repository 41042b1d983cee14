"""Which card lies directly on which, or two or three places above it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba import njit

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.buffer import aligned
from fairdeck.bulk.dtypes import Counts
from fairdeck.bulk.planes import ALL, WORDS, of_places, padding, pairs
from fairdeck.bulk.vectors import load, splat, store


def successors(distance: int, batch: Batch) -> Counts:
    """Return the decks in which ``d`` lies `distance` places above ``c``; shape ``(n, n)``, ``c`` first.

    It does so if its place is the place of ``c`` plus `distance`: two numbers are compared bit by bit, for 512
    decks at once. Adding one to a table for each card of each deck would take longer.
    """
    places, n = of_places(batch), batch.cards
    further = aligned(np.uint64, *places.shape)
    _add(places, distance, further)
    found = pairs(further, places, 0, places.shape[2], full=True)
    if padding(batch):
        found -= padding(batch) * np.eye(n, k=distance, dtype=np.int64)
    return found


@njit(cache=True, nogil=True)
def _add(planes: Any, number: int, out: Any) -> None:
    """Write what the planes hold, and a small number more, to `out`."""
    width = planes.shape[2]
    flat, flat_out = planes.reshape(-1), out.reshape(-1)
    none, flip = splat(np.uint64(0)), splat(np.uint64(ALL))
    for row in range(0, len(flat), width * WORDS):
        carry = none
        for bit in range(width):
            at = row + bit * WORDS
            plane, more = load(flat, at), flip if number >> bit & 1 else none
            store(flat_out, at, plane ^ more ^ carry)
            carry = (plane & more) | (carry & (plane | more))


COUNTS: dict[str, Callable[[Batch], Counts]] = {
    "neighbours": partial(successors, 1),
    "two apart": partial(successors, 2),
    "three apart": partial(successors, 3),
}
