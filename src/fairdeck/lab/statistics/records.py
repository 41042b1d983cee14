"""Records: cards higher in number than all met before them."""

import numpy as np

from fairdeck.bulk.shapes import Columns, Values, counted
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.cycles import MOST, stirling_law


def _records(columns: Columns) -> Values:
    """Return how many cards of each deck are higher than all rows before them."""
    return counted(columns == np.maximum.accumulate(columns, axis=0))


_SOURCE = "Stirling numbers of the first kind; Renyi (1962); Knuth, TAOCP 1, section 1.2.10"

STATISTICS = (
    Scalar(
        name="records from the bottom",
        sees="old order that is left near the bottom: too few moves of the top card, few swaps",
        source=_SOURCE,
        of=lambda view: _records(view.columns),
        law=stirling_law,
        few="cards from high in the old deck come too early, counted from the bottom",
        many="counted from the bottom, the cards still rise: the old order is left there",
        most=MOST,
    ),
    Scalar(
        name="records from the top",
        sees="cards that stay at the top, and an old order that was turned over",
        source=_SOURCE,
        of=lambda view: _records(view.columns[::-1]),
        law=stirling_law,
        few="the old top cards still lie near the top",
        many="dealt from the top, the cards rise: the old order is turned over",
        most=MOST,
    ),
)
