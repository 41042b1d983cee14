"""Which of two cards lies lower."""

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.dtypes import Counts
from fairdeck.bulk.planes import Planes, of_places, padding, pairs, upper


def order(batch: Batch) -> Counts:
    """Return the decks in which card ``c`` lies below card ``d``; shape ``(n, n)``, filled for c < d."""
    return lower(of_places(batch), padding(batch))


def lower(planes: Planes, sorted_decks: int) -> Counts:
    """Return in how many decks row ``c`` of the planes is lower than row ``d``; shape ``(n, n)``, filled for c < d."""
    # Bits take half as long as comparing 64 bytes at once and counting the bits of the masks.
    _, n, width, _ = planes.shape
    found = pairs(planes, planes, 0, width, lower=True)
    if sorted_decks:
        found -= sorted_decks * upper(n)
    return found


COUNTS = {"order": order}
