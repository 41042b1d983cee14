"""Squared distances and the oscillation, from the pass over distances that `footrule` makes."""

import numpy as np

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.dtypes import Counts
from fairdeck.lab.counts.footrule import distances


def squared_distances(batch: Batch) -> Counts:
    """Return the sum of the squared distances that all cards of all decks have moved, as `Sum` splits it."""
    return _split(int(distances(batch)[2].sum(dtype=np.int64)))


def oscillation(batch: Batch) -> Counts:
    """Return the sum of the differences in number between neighbours, as `Sum` splits it."""
    swings = distances(batch)[3]
    return _split(int(swings.sum(dtype=np.int64)) - (len(swings) - batch.decks) * (batch.cards - 1))


def _split(total: int) -> Counts:
    # No single deck reaches 2^32.
    return np.array([0, total], np.int64)


COUNTS = {"squared distances": squared_distances, "oscillation": oscillation}
