"""Repeats: fingerprints of whole decks and of hands."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba import njit

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.shapes import GROUP, Counts
from fairdeck.bulk.vectors import load_wide, splat, store
from fairdeck.lab.statistics.repeats import NEVER, STATISTICS, Repeats, sample


def repeats(of: Repeats, batch: Batch) -> Counts:
    """Return the smallest fingerprints and the numbers of some decks; see `fairdeck.lab.statistics.repeats`."""
    rows = of.rows(batch.cards)
    fingerprints = np.empty(len(batch.groups) * GROUP, np.uint64)
    _fingerprint(batch.groups.reshape(-1), batch.cards, rows.start, rows.stop, fingerprints)
    return sample(np.minimum(fingerprints[: batch.decks], np.uint64(NEVER - 1)), batch.first, of.kept)


@njit(cache=True, nogil=True)
def _fingerprint(flat: Any, n: int, start: int, stop: int, fingerprints: Any) -> None:
    # Thirty-two decks at once: while one vector is multiplied, three others are started.
    first, last = splat(np.uint64(0xBF58_476D_1CE4_E5B9)), splat(np.uint64(0x94D0_49BB_1331_11EB))
    one, by, half = splat(np.uint64(1)), splat(np.uint64(29)), splat(np.uint64(32))
    for deck in range(0, len(fingerprints), 32):
        a = splat(np.uint64(0x9E37_79B9_7F4A_7C15))
        b, c, d = a, a, a
        at = (deck // GROUP * n + start) * GROUP + deck % GROUP
        for _ in range(start, stop):
            a = (a ^ (load_wide(flat, at, one) + one)) * first
            b = (b ^ (load_wide(flat, at + 8, one) + one)) * first
            c = (c ^ (load_wide(flat, at + 16, one) + one)) * first
            d = (d ^ (load_wide(flat, at + 24, one) + one)) * first
            a, b, c, d = a ^ (a >> by), b ^ (b >> by), c ^ (c >> by), d ^ (d >> by)
            at += GROUP
        a, b, c, d = a * last, b * last, c * last, d * last
        store(fingerprints, deck, a ^ (a >> half))
        store(fingerprints, deck + 8, b ^ (b >> half))
        store(fingerprints, deck + 16, c ^ (c >> half))
        store(fingerprints, deck + 24, d ^ (d >> half))


COUNTS: dict[str, Callable[[Batch], Counts]] = {each.name: partial(repeats, each) for each in STATISTICS}
