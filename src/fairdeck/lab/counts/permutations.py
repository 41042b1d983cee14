"""Every order by itself."""

from math import factorial

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.dtypes import Counts
from fairdeck.lab.counts.rank_histogram import by_rank


def every_order(batch: Batch) -> Counts:
    """Return the decks of each rank; shape ``(n!,)``, in dictionary order."""
    orders = factorial(batch.cards)
    return by_rank(batch, batch.cards, orders, orders)


COUNTS = {"every order": every_order}
