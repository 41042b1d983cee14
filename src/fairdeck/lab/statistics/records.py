"""Records: cards higher in number than all met before them."""

from collections.abc import Iterator

import numpy as np

from fairdeck.bulk.shapes import Columns, Values, counted
from fairdeck.lab.statistics import Scalar, Statistic
from fairdeck.lab.statistics.cycles import MOST, stirling_cumulants, stirling_law, stirling_moments
from fairdeck.lab.statistics.sums import LargeSum
from fairdeck.lab.view import View


def _records(columns: Columns) -> Values:
    """Return how many cards of each deck are higher than all rows before them."""
    return counted(columns == np.maximum.accumulate(columns, axis=0))


_SOURCE = "Stirling numbers of the first kind; Renyi (1962); Knuth, TAOCP 1, section 1.2.10"


def _both(end: str, sees: str, few: str, many: str) -> Iterator[Statistic]:
    """Yield the records from one end, of decks of all sizes."""
    name, step = f"records from the {end}", 1 if end == "bottom" else -1

    def of(view: View) -> Values:
        return _records(view.columns[::step])

    yield Scalar(name, sees, _SOURCE, of=of, law=stirling_law, few=few, many=many, most=MOST)
    yield LargeSum(
        f"{name} of a large deck",
        f"the same as {name}, in decks too large for the exact law",
        _SOURCE,
        of=of,
        moments=stirling_moments,
        few=few,
        many=many,
        least=MOST + 1,
        cumulants=stirling_cumulants,
    )


STATISTICS = (
    *_both(
        "bottom",
        sees="old order that is left near the bottom: too few moves of the top card, few swaps",
        few="cards from high in the old deck come too early, counted from the bottom",
        many="counted from the bottom, the cards still rise: the old order is left there",
    ),
    *_both(
        "top",
        sees="cards that stay at the top, and an old order that was turned over",
        few="the old top cards still lie near the top",
        many="dealt from the top, the cards rise: the old order is turned over",
    ),
)
