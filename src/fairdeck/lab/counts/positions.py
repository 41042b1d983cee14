"""Which card lies where."""

from typing import Any

import numpy as np
from numba import njit

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.buffer import aligned
from fairdeck.bulk.dtypes import Counts
from fairdeck.bulk.planes import WORDS, Planes, across, high_bits, low_bits, of_cards, padding
from fairdeck.bulk.vectors import count_ones, load, splat, store


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
def _count(planes: Any, buffer: Any, out: Any) -> None:
    # A card is three low bits and the high ones: the eight values of the low bits are found once for all high
    # ones. One place at a time, so that its counts stay in the nearest cache.
    slabs, n, width, _ = planes.shape
    flat = planes.reshape(-1)
    none = splat(np.uint64(0))
    for place in range(n):
        for at in range(0, len(buffer), WORDS):
            store(buffer, at, none)
        for slab in range(slabs):
            start = (slab * n + place) * width * WORDS
            a, b, c, d, e, f, g, h = low_bits(flat, start)
            for first in range(0, n, 8):
                high = high_bits(flat, start, width, first)
                at = first * WORDS
                store(buffer, at, load(buffer, at) + count_ones(a & high))
                store(buffer, at + 8, load(buffer, at + 8) + count_ones(b & high))
                store(buffer, at + 16, load(buffer, at + 16) + count_ones(c & high))
                store(buffer, at + 24, load(buffer, at + 24) + count_ones(d & high))
                store(buffer, at + 32, load(buffer, at + 32) + count_ones(e & high))
                store(buffer, at + 40, load(buffer, at + 40) + count_ones(f & high))
                store(buffer, at + 48, load(buffer, at + 48) + count_ones(g & high))
                store(buffer, at + 56, load(buffer, at + 56) + count_ones(h & high))
        for card in range(n):
            out[place, card] = across(buffer, card * WORDS)


COUNTS = {"positions": positions}
