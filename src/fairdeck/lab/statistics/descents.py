"""Descents and rising sequences: the traces of sorting by keys, and of riffles."""

from functools import cache

import numpy as np

from fairdeck.bulk.shapes import Columns, Values, counted
from fairdeck.lab.laws.scalar import Law, log_sinhc
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.sums import LargeSum
from fairdeck.lab.view import View

MOST = 1_000


@cache
def eulerian_law(n: int) -> Law:
    """Return the law of the descents of `n` cards, in integers; `fairdeck.dealing.eulerian` has it in floats.

    Source: Knuth, TAOCP 3, section 5.1.3, equation 2.

    >>> eulerian_law(4)
    Law(low=0, weights=(1, 11, 11, 1))
    """
    weights = [1]
    for size in range(2, n + 1):
        padded = [0, *weights, 0]
        weights = [(at + 1) * padded[at + 1] + (size - at) * padded[at] for at in range(size)]
    return Law(0, tuple(weights))


@cache
def rising_law(n: int) -> Law:
    """Return the law of the rising sequences: one more than the descents of the inverse."""
    return Law(1, eulerian_law(n).weights)


def descents(view: View) -> Values:
    """Return how often, in each deck, a lower card lies directly on a higher one."""
    return _falls(view.columns)


def rising_sequences(view: View) -> Values:
    """Return the rising sequences of each deck; see `fairdeck.permutation.rising_sequences`."""
    return _falls(view.places) + 1


def _falls(rows: Columns) -> Values:
    return counted(rows[:-1] > rows[1:])


def descent_moments(n: int) -> tuple[float, float]:
    """Return mean and variance of the descents.

    >>> descent_moments(11)
    (5.0, 1.0)
    """
    return (n - 1) / 2, (n + 1) / 12


def descent_cumulants(n: int, theta: float) -> tuple[float, float, float]:
    """Return the cumulants of the descents less their mean; see `LargeSum`.

    The generating function has poles at (theta + 2 pi i k) / (e^theta - 1). The nearest gives that of a sum of n + 1
    uniform numbers; the others are smaller by (theta / 2 pi)^n.
    """
    level, slope, curve = map(float, log_sinhc(np.array(theta / 2)))
    return (n + 1) * level, (n + 1) / 2 * slope, (n + 1) / 4 * curve


_FEW_FALLS = "a higher card lies on a lower one too often: old order is left, or equal keys kept it"
_MANY_FALLS = "a lower card lies on a higher one too often: the old order is left, turned over"
_FEW_PACKETS = "the deck falls into too few packets that are still in order, as after a few riffles"
_MANY_PACKETS = "pieces of the old order are in the deck, turned over"

DESCENTS = Scalar(
    name="descents",
    sees="sorting by random keys with too many ties, and cards left in order",
    source="Eulerian numbers; Knuth, TAOCP 3, section 5.1.3",
    of=descents,
    law=eulerian_law,
    few=_FEW_FALLS,
    many=_MANY_FALLS,
    most=MOST,
)

STATISTICS = (
    DESCENTS,
    Scalar(
        name="rising sequences",
        sees="riffles: this number contains all the evidence of a riffle",
        source="Bayer and Diaconis, Ann. Appl. Probab. 2 (1992), sections 2 and 3",
        of=rising_sequences,
        law=rising_law,
        few=_FEW_PACKETS,
        many=_MANY_PACKETS,
        most=MOST,
    ),
    LargeSum(
        name="descents of a large deck",
        sees="the same as descents, in decks too large for the exact law",
        source="moments of the Eulerian numbers; Knuth, TAOCP 3, section 5.1.3",
        of=descents,
        moments=descent_moments,
        few=_FEW_FALLS,
        many=_MANY_FALLS,
        least=MOST + 1,
        cumulants=descent_cumulants,
    ),
    LargeSum(
        name="rising sequences of a large deck",
        sees="riffles, in decks too large for the exact law",
        source="moments of the Eulerian numbers; Bayer and Diaconis, Ann. Appl. Probab. 2 (1992)",
        of=rising_sequences,
        moments=lambda n: ((n + 1) / 2, (n + 1) / 12),
        few=_FEW_PACKETS,
        many=_MANY_PACKETS,
        least=MOST + 1,
        cumulants=descent_cumulants,
    ),
)
