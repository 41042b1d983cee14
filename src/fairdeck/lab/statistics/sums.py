"""Sums with a known mean and variance, judged over many cards by the normal law; with known cumulants, by these.

Cumulants take the place of a law of whole numbers that has too many values.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from math import sqrt
from typing import ClassVar

import numpy as np

from fairdeck.bulk.shapes import Counts, Floats, Values
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.scalar import large_mean_shift, log_wealth, normal_two_sided, tilts
from fairdeck.lab.laws.tails import PValue
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.view import View
from fairdeck.shuffles import MOST_CARDS

# The skewness of one deck is 0, except for the oscillation: 0.112 for five cards, and decreasing with the square
# root of the number of cards. From this number of cards on, all decks together, a p-value of 1e-9 is accurate to
# 15 %, and larger ones are more accurate.
FEWEST_CARDS = 5_000
HALF = 32
EXACT_UP_TO = 200_000  # cards whose squared distances add up to less than 2^53


@dataclass(frozen=True)
class Sum(Statistic):
    """A whole number of each deck, summed over the decks."""

    of: Callable[[View], Values]  # the number, for each deck of a view
    moments: Callable[[int], tuple[float, float]]  # its exact mean and variance on fair decks of `n` cards
    few: str  # what it means when the number is too small on average
    many: str  # what it means when it is too large
    least: int = 5  # the fewest cards that it is used for

    family: ClassVar[str] = "shape"

    def fits(self, n: int) -> bool:
        """Tell whether the sum of one deck is nearly normal."""
        return self.least <= n <= MOST_CARDS

    def count(self, view: View) -> Counts:
        """Return the sum over all decks, as a multiple of 2^32 and a rest, so that it never overflows."""
        values = self.of(view)
        return np.array([(values >> HALF).sum(), (values & (1 << HALF) - 1).sum()], dtype=np.int64)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the mean."""
        if decks * n >= FEWEST_CARDS:
            yield self.mean(counts, n, decks)

    def mean(self, counts: Counts, n: int, decks: int) -> Evidence:
        """Return the evidence of the mean, however few the decks are."""
        total = self.total(counts)
        mean = self.moments(n)[0]
        seen = total / decks
        p_value = self.p_value(n, decks, total - decks * mean)
        words = f"{self.name}: {{seen:,.1f}} on average, {{expected:,.1f}} in a fair deck"
        means = self.few if seen < mean else self.many
        return self.evidence("mean", p_value, words, seen=seen, expected=mean, means=means)

    def p_value(self, n: int, decks: int, off: float) -> PValue:
        """Return the p-value of a sum over the decks that is so far `off` its mean."""
        return normal_two_sided(off / sqrt(decks * self.moments(n)[1]))

    def total(self, counts: Counts) -> int:
        """Return the sum over all decks."""
        return (int(counts[0]) << HALF) + int(counts[1])

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit:  # noqa: ARG002
        """Return the smallest shift of the mean that is seen."""
        return self.shift_limit(*self.moments(n), decks, level)


@dataclass(frozen=True)
class LargeSum(Sum):
    """A number of a large deck that is a sum of independent parts: its cumulants serve for one deck as for many."""

    # log E[exp(theta (X - mean))] on fair decks of `n` cards, and its first two derivatives
    cumulants: Callable[[int, float], tuple[float, float, float]] = lambda _n, _theta: (0.0, 0.0, 0.0)

    bets: ClassVar[bool] = True

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the mean."""
        if decks:
            yield self.mean(counts, n, decks)

    def p_value(self, n: int, decks: int, off: float) -> PValue:
        """Return the p-value of a sum over the decks that is so far `off` its mean."""
        return large_mean_shift(partial(self.cumulants, n), self.moments(n)[1], decks, off)

    def log_wealth(self, counts: Counts, n: int, decks: int) -> float:
        """Return the log of what bets on a shifted mean have made of one coin."""
        return log_wealth(_stakes(self, n), decks, self.total(counts) - decks * self.moments(n)[0])

    def bet_on(self, counts: Counts, n: int, decks: int) -> Evidence:
        """Return the evidence of the mean."""
        return self.mean(counts, n, decks)


@cache
def _stakes(statistic: LargeSum, n: int) -> tuple[Floats, Floats]:
    thetas = tilts(statistic.moments(n)[1])
    return thetas, np.array([statistic.cumulants(n, theta)[0] for theta in thetas])


def squared_distances(view: View) -> Values:
    """Return for each deck the sum over its cards of the squared distance moved, in places."""
    # In float64, which is exact below 2^53: a product of rows is faster than squares of integers.
    n = view.cards
    if n > EXACT_UP_TO:
        return np.array([np.square(deck - np.arange(n)).sum() for deck in view.columns.T], dtype=np.int64)
    moved: Floats = view.columns - np.arange(n, dtype=np.float64)[:, None]
    squares: Floats = np.einsum("ij,ij->j", moved, moved)
    return squares.astype(np.int64)


def squared_distance_moments(n: int) -> tuple[float, float]:
    """Return mean and variance of `squared_distances`.

    Source: Kendall, Rank Correlation Methods (1948), section 5.6.

    >>> squared_distance_moments(3)
    (4.0, 8.0)
    """
    return n * (n * n - 1) / 6, n * n * (n + 1) ** 2 * (n - 1) / 36


def oscillation(view: View) -> Values:
    """Return for each deck the sum of the absolute differences in number between neighbours."""
    differences: Values = np.abs(np.diff(view.columns, axis=0)).sum(axis=0, dtype=np.int64)
    return differences


def oscillation_moments(n: int) -> tuple[float, float]:
    """Return mean and variance of `oscillation`, from the joint laws of two, three and four cards.

    >>> oscillation_moments(4)
    (5.0, 1.0)
    """
    return (n * n - 1) / 3, (n - 2) * (n + 1) * (4 * n - 7) / 90


STATISTICS = (
    Sum(
        name="squared distances",
        sees="cards that stay near their places; Spearman's rank correlation, which gives far moves the most weight",
        source="Spearman (1904); Kendall, Rank Correlation Methods (1948), section 5.6",
        of=squared_distances,
        moments=squared_distance_moments,
        few="cards end too close to the places where they started: high cards high, low cards low",
        many="cards end too far from the places where they started: the deck tends to be turned over",
    ),
    Sum(
        name="oscillation",
        sees="neighbours too close together or too far apart in the old order: overhand, clumps, piles",
        source="exact moments, by the differences of up to four cards; the serial test of a random order",
        of=oscillation,
        moments=oscillation_moments,
        few="neighbours in the new deck were too close together in the old",
        many="neighbours in the new deck were too far apart in the old, as after piles or a riffle",
    ),
)
