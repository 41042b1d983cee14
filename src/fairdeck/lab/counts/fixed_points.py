"""Fixed points, from the pass over distances that `footrule` makes."""

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.dtypes import Counts
from fairdeck.lab.counts.footrule import distances
from fairdeck.lab.counts.values import tally
from fairdeck.lab.statistics.fixed_points import rencontres_law


def fixed_points(batch: Batch) -> Counts:
    """Return the decks with each number of cards that lie where they started."""
    return tally(batch, distances(batch)[0], rencontres_law(batch.cards))


COUNTS = {"fixed points": fixed_points}
