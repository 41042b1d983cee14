"""Neighbours: those that were neighbours before, which card lies on which, and cards higher than all met before."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.kernels import aligned
from fairdeck.bulk.planes import ALL, WORDS, of_places, padding, pairs
from fairdeck.bulk.shapes import GROUP, Counts, once
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
def _records_of(batch: Batch) -> NDArray[np.uint8]:
    """Return the records of each deck from the bottom and from the top; shape ``(2, decks)``."""
    found: NDArray[np.uint8] = buffer(batch, 2)
    _records(batch.groups, ONES, *found)
    return found


NUMBERS = {
    "successions": nth(kept_neighbours, 0),
    "predecessions": nth(kept_neighbours, 1),
    "records from the bottom": nth(_records_of, 0),
    "records from the top": nth(_records_of, 1),
}
COUNTS: dict[str, Callable[[Batch], Counts]] = {
    "neighbours": partial(successors, 1),
    "two apart": partial(successors, 2),
    "three apart": partial(successors, 3),
}
