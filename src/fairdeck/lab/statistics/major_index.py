"""The major index: the places of the steps down."""

import numpy as np

from fairdeck.bulk.shapes import Columns, Values
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.inversions import MOST, mahonian_law


def _major(rows: Columns) -> Values:
    """Return for each deck the sum of the rows, counted from 1, that are followed by a lower one."""
    found = np.zeros(rows.shape[1], dtype=np.int64)
    for row, down in enumerate(rows[:-1] > rows[1:], 1):
        found += down * np.int32(row)
    return found


_SOURCE = "MacMahon, Amer. J. Math. 35 (1913): as the inversions; Knuth, TAOCP 3, section 5.1.1"

STATISTICS = (
    Scalar(
        name="major index",
        sees="sorting by random keys with ties, and order left in one part of the deck only",
        source=_SOURCE,
        of=lambda view: _major(view.columns),
        law=mahonian_law,
        few="steps down from card to card are too rare, or lie too near the bottom",
        many="steps down from card to card are too common, or lie too near the top",
        most=MOST,
    ),
    Scalar(
        name="major index of the destinations",
        sees="riffles, whose packets are still in the deck, and uneven cuts",
        source=_SOURCE,
        of=lambda view: _major(view.places),
        law=mahonian_law,
        few="too many cards lie above the one they followed before: packets are still in order",
        many="too many cards lie below the one they followed before: packets are turned over",
        most=MOST,
    ),
)
