"""Inversions, from the pass that `subsequences` makes."""

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.dtypes import Counts
from fairdeck.lab.counts.subsequences import of_order
from fairdeck.lab.counts.values import tally
from fairdeck.lab.statistics.inversions import mahonian_law


def inversions(batch: Batch) -> Counts:
    """Return the decks with each number of pairs in falling order, read from the bottom."""
    return tally(batch, of_order(batch)[0], mahonian_law(batch.cards))


COUNTS = {"inversions": inversions}
