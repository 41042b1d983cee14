"""Coupons: the number of different cards at one end in n successive decks of n cards."""

from collections.abc import Iterator
from functools import cache, partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Counts, Values, counted
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.statistics import Evidence, Scalar
from fairdeck.lab.view import View

MOST = 500


class Coupons(Scalar):
    """A number of each window of n successive decks; windows end with their batch.

    So the tally depends on how the decks are cut into batches, and its sum is not the number of decks.
    """

    family: ClassVar[str] = "game"
    relative: ClassVar[bool] = False
    unit: ClassVar[str] = "window"

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the evidence of a Scalar, for windows instead of decks."""
        yield from super().judge(counts, n, int(counts.sum()))


@cache
def occupancy_law(n: int) -> Law:
    """Return the law of the different cards among `n` draws of any of `n` cards.

    The chance that a draw is new is the share of cards not drawn yet. Source: Feller, An Introduction to Probability
    Theory, vol. 1, section II.5; Knuth, TAOCP 2, section 3.3.2, collision and coupon collector's tests.

    >>> occupancy_law(3)
    Law(low=1, weights=(3, 18, 6))
    """
    weights = [n]
    for _ in range(1, n):
        same, fewer = [*weights, 0], [0, *weights]
        weights = [(at + 1) * same[at] + (n - at) * fewer[at] for at in range(len(same))]
    return Law(1, tuple(weights))


def different(cards: NDArray[np.int64], n: int) -> Values:
    """Return how many different cards come in each window of `n` of the cards that one place holds, deck by deck."""
    windows = len(cards) // n
    first = np.repeat(np.arange(windows), n) * n
    met = np.bincount(first + cards[: windows * n], minlength=windows * n).reshape(windows, n)
    return counted(met.T > 0)


def _different_at(place: int, view: View) -> Values:
    return different(view.columns[place].astype(np.int64), view.cards)


_SOURCE = "occupancy; Feller, An Introduction to Probability Theory, vol. 1, section II.5"


def _coupons(name: str, where: str, place: int) -> Coupons:
    return Coupons(
        name=name,
        sees=f"cards that take turns {where}, or return too soon: decks that depend on the deck before",
        source=_SOURCE,
        of=partial(_different_at, place),
        law=occupancy_law,
        few=f"too few different cards come {where}: some return again and again",
        many=f"too many different cards come {where}: they take turns, as if a card had to wait",
        most=MOST,
    )


STATISTICS = (
    _coupons("different top cards", "to the top", -1),
    _coupons("different bottom cards", "to the bottom", 0),
)
