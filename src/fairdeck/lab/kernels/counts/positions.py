"""Which card lies where."""

from typing import Any

import numpy as np
from numba import njit

from fairdeck.lab.arrays import Counts
from fairdeck.lab.kernels.batch import Batch
from fairdeck.lab.kernels.planes import WORDS, Planes, across, high_bits, low_bits, of_cards, padding
from fairdeck.lab.kernels.room import aligned
from fairdeck.lab.kernels.vectors import count_ones, load, splat, store


def positions(batch: Batch) -> Counts:
    """Return the decks in which card ``c`` lies at place ``i``; shape ``(n, n)``, place first."""
    n = batch.cards
    found = counted(of_cards(batch))
    found[np.arange(n), np.arange(n)] -= padding(batch)
    return found


def counted(planes: Planes) -> Counts:
    """Return in how many decks of the slabs each place holds each number; shape ``(n, n)``, the place first."""
    n = planes.shape[1]
    out = np.empty((n, n), np.int64)
    _count(planes, aligned(np.uint64, -(-n // 8) * 8 * WORDS), out)
    return out


@njit(cache=True, nogil=True)
def _count(planes: Any, room: Any, out: Any) -> None:
    # A card is three low bits and the others: eight ways the low ones may be, found once for all the
    # others. One place at a time, whose counts stay in the nearest cache.
    slabs, n, width, _ = planes.shape
    flat = planes.reshape(-1)
    none = splat(np.uint64(0))
    for place in range(n):
        for at in range(0, len(room), WORDS):
            store(room, at, none)
        for slab in range(slabs):
            start = (slab * n + place) * width * WORDS
            a, b, c, d, e, f, g, h = low_bits(flat, start)
            for first in range(0, n, 8):
                high = high_bits(flat, start, width, first)
                at = first * WORDS
                store(room, at, load(room, at) + count_ones(a & high))
                store(room, at + 8, load(room, at + 8) + count_ones(b & high))
                store(room, at + 16, load(room, at + 16) + count_ones(c & high))
                store(room, at + 24, load(room, at + 24) + count_ones(d & high))
                store(room, at + 32, load(room, at + 32) + count_ones(e & high))
                store(room, at + 40, load(room, at + 40) + count_ones(f & high))
                store(room, at + 48, load(room, at + 48) + count_ones(g & high))
                store(room, at + 56, load(room, at + 56) + count_ones(h & high))
        for card in range(n):
            out[place, card] = across(room, card * WORDS)


COUNTS = {"positions": positions}
