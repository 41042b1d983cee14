"""Peaks and runs, from the pass over neighbours that `descents` makes."""

from fairdeck.lab.counts.descents import PEAKS, RUNS, of_arrangement, of_destinations
from fairdeck.lab.counts.values import nth

NUMBERS = {
    "peaks": nth(of_arrangement, PEAKS),
    "peaks of the destinations": nth(of_destinations, PEAKS),
    "runs up and down": nth(of_arrangement, RUNS),
}
