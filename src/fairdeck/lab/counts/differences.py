"""How far apart, around the old deck, two neighbours of the new deck were."""

from typing import Any

import numpy as np
from numba import njit

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.buffer import aligned
from fairdeck.bulk.dtypes import Counts
from fairdeck.bulk.planes import ALL, WORDS, of_cards, padding
from fairdeck.bulk.vectors import load, splat, store
from fairdeck.lab.counts.positions import counted


def differences(batch: Batch) -> Counts:
    """Return the decks with each difference at each place; shape ``(n - 1, n - 1)``, the place first.

    One less than a difference is a number from 0 to n - 2, for each place but the last: so it is
    counted as if it were a card at that place.
    """
    planes = of_cards(batch)
    slabs, n, width, _ = planes.shape
    less_one = aligned(np.uint64, slabs, n - 1, width, WORDS)
    _subtract(planes, less_one)
    found = counted(less_one)
    found[:, 0] -= padding(batch)  # sorted decks: each card is one further on
    return found


@njit(cache=True, nogil=True)
def _subtract(planes: Any, out: Any) -> None:
    """Write by how much the card above is further on, modulo n, less one."""
    slabs, n, width, _ = planes.shape
    row = width * WORDS
    flat, flat_out = planes.reshape(-1), out.reshape(-1)
    none, flip = splat(np.uint64(0)), splat(np.uint64(ALL))
    for slab in range(slabs):
        for place in range(n - 1):
            below, at = (slab * n + place) * row, (slab * (n - 1) + place) * row
            borrow = flip  # the one less
            for step in range(0, row, WORDS):
                lower, upper = load(flat, below + step), load(flat, below + row + step)
                apart = lower ^ upper
                store(flat_out, at + step, apart ^ borrow)
                borrow = borrow ^ (apart & (borrow ^ lower))
            carry = none
            for bit in range(width):
                step = bit * WORDS
                so_far = load(flat_out, at + step)
                around = borrow if n >> bit & 1 else none
                store(flat_out, at + step, so_far ^ around ^ carry)
                carry = (so_far & around) | (carry & (so_far | around))


COUNTS = {"differences": differences}
