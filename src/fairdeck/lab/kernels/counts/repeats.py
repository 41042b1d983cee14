"""Prints of whole decks, to tell those that come again."""

from typing import Any

import numpy as np
from numba import njit

from fairdeck.lab.arrays import Counts
from fairdeck.lab.kernels import GROUP
from fairdeck.lab.kernels.batch import Batch
from fairdeck.lab.kernels.vectors import load_wide, splat, store
from fairdeck.lab.statistics.repeats import NEVER, sample


def repeats(batch: Batch) -> Counts:
    """Return the smallest prints of the decks, and where some of them lie; see `fairdeck.lab.statistics.repeats`."""
    prints = np.empty(len(batch.groups) * GROUP, np.uint64)
    _print(batch.groups.reshape(-1), batch.cards, prints)
    return sample(np.minimum(prints[: batch.decks], np.uint64(NEVER - 1)), batch.first)


@njit(cache=True, nogil=True)
def _print(flat: Any, n: int, prints: Any) -> None:
    # Thirty-two decks at once: a multiplication takes as long as it takes for four vectors in turn.
    first, last = splat(np.uint64(0xBF58_476D_1CE4_E5B9)), splat(np.uint64(0x94D0_49BB_1331_11EB))
    one, by, half = splat(np.uint64(1)), splat(np.uint64(29)), splat(np.uint64(32))
    for deck in range(0, len(prints), 32):
        a = splat(np.uint64(0x9E37_79B9_7F4A_7C15))
        b, c, d = a, a, a
        at = deck // GROUP * n * GROUP + deck % GROUP
        for _ in range(n):
            a = (a ^ (load_wide(flat, at, one) + one)) * first
            b = (b ^ (load_wide(flat, at + 8, one) + one)) * first
            c = (c ^ (load_wide(flat, at + 16, one) + one)) * first
            d = (d ^ (load_wide(flat, at + 24, one) + one)) * first
            a, b, c, d = a ^ (a >> by), b ^ (b >> by), c ^ (c >> by), d ^ (d >> by)
            at += GROUP
        a, b, c, d = a * last, b * last, c * last, d * last
        store(prints, deck, a ^ (a >> half))
        store(prints, deck + 8, b ^ (b >> half))
        store(prints, deck + 16, c ^ (c >> half))
        store(prints, deck + 24, d ^ (d >> half))


COUNTS = {"repeats": repeats}
