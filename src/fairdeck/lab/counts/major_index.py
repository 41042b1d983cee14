"""The major index, from the pass over neighbours that `descents` makes."""

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.dtypes import Counts
from fairdeck.lab.counts.descents import of_arrangement, of_destinations
from fairdeck.lab.counts.values import tally
from fairdeck.lab.statistics.inversions import mahonian_law


def major_index(batch: Batch) -> Counts:
    """Return the decks with each sum of the places that a lower card lies on."""
    return tally(batch, of_arrangement(batch)[1], mahonian_law(batch.cards))


def major_index_of_destinations(batch: Batch) -> Counts:
    """Return the decks with each sum of the cards whose successor lies below them."""
    return tally(batch, of_destinations(batch)[1], mahonian_law(batch.cards))


COUNTS = {"major index": major_index, "major index of the destinations": major_index_of_destinations}
