"""The major index, from the pass over neighbours that `descents` makes."""

from fairdeck.lab.counts.descents import MAJOR, of_arrangement, of_destinations
from fairdeck.lab.counts.values import nth

NUMBERS = {"major index": nth(of_arrangement, MAJOR), "major index of the destinations": nth(of_destinations, MAJOR)}
