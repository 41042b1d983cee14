"""Peaks and runs, from the pass over neighbours that `descents` makes."""

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.dtypes import Counts
from fairdeck.lab.counts.descents import PEAKS, RUNS, of_arrangement, of_destinations
from fairdeck.lab.counts.values import tally
from fairdeck.lab.statistics.peaks import peak_law, run_law


def peaks(batch: Batch) -> Counts:
    """Return the decks with each number of cards between two lower ones."""
    return tally(batch, of_arrangement(batch)[0][PEAKS], peak_law(batch.cards))


def peaks_of_destinations(batch: Batch) -> Counts:
    """Return the decks with each number of cards above the one before and the one after in number."""
    return tally(batch, of_destinations(batch)[0][PEAKS], peak_law(batch.cards))


def runs(batch: Batch) -> Counts:
    """Return the decks with each number of runs, up or down in turn: one more than the turns."""
    return tally(batch, of_arrangement(batch)[0][RUNS], run_law(batch.cards))


COUNTS = {"peaks": peaks, "peaks of the destinations": peaks_of_destinations, "runs up and down": runs}
