"""Exact confidence intervals for chances, from counts of independent trials.

Clopper and Pearson's intervals: at the level L an interval contains the true chance in at least the share L of
all samples, for any chance and any number of trials. For many cells at once each interval is widened to the level
1 - (1 - L)/cells (Bonferroni); all of them together then hold at the level L, even if the cells are dependent.
Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
Biometrika 26 (1934).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv

from fairdeck import numbers
from fairdeck.bulk.shapes import Counts, Floats

LEVEL = 0.99


@dataclass(frozen=True)
class Intervals:
    """Shares of trials with their intervals; all arrays have one shape.

    Attributes:
        counts: how often each cell was met.
        trials: the number of trials of each cell.
        level: the level of each pair of bounds.
        low, high: the bounds of each cell by itself.
        low_all, high_all: the bounds of all cells together.
    """

    counts: Counts
    trials: Counts
    level: float
    low: Floats
    high: Floats
    low_all: Floats
    high_all: Floats

    @property
    def shares(self) -> Floats:
        """The count of each cell over its trials; not a number where it had no trials."""
        none = np.full(self.counts.shape, np.nan)
        shares: Floats = np.divide(self.counts, self.trials, out=none, where=self.trials > 0)
        return shares


def clopper_pearson(counts: Counts, trials: Counts, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Return the lower and the upper bound of each chance.

    Args:
        counts: how often each cell was met, 0 to its trials.
        trials: the number of trials of each cell; 0 trials give the interval 0 to 1.
        level: the least chance that an interval contains the true chance, between 0 and 1.
    """
    level = numbers.probability("level", level)
    # A large matrix has few different counts; each is calculated once.
    each, at_each = np.unique(counts.ravel(), return_inverse=True)
    sizes, at_size = np.unique(trials.ravel(), return_inverse=True)
    pairs, at = np.unique(at_each.ravel() * len(sizes) + at_size.ravel(), return_inverse=True)
    seen, of = each[pairs // len(sizes)].astype(float), sizes[pairs % len(sizes)].astype(float)
    tail = (1 - level) / 2
    # At the ends the bounds are 0 and 1, and the beta law would have a parameter of 0.
    low = np.where(seen > 0, betaincinv(np.maximum(seen, 1), of - seen + 1, tail), 0.0)
    high = np.where(seen < of, betaincinv(seen + 1, np.maximum(of - seen, 1), 1 - tail), 1.0)
    return low[at].reshape(counts.shape), high[at].reshape(counts.shape)


def intervals(counts: Counts, trials: Counts, level: float = LEVEL) -> Intervals:
    """Return the intervals of every cell, each by itself and all together.

    Args:
        counts: how often each cell was met; any shape.
        trials: the number of trials of each cell; of a shape that broadcasts to `counts`.
        level: the level of each cell by itself, and of all together.
    """
    of = np.broadcast_to(trials, counts.shape)
    low, high = clopper_pearson(counts, of, level)
    low_all, high_all = clopper_pearson(counts, of, 1 - (1 - level) / max(1, counts.size))
    return Intervals(counts, of, level, low, high, low_all, high_all)


def position_intervals(counts: Counts, decks: int) -> Intervals:
    """Return the intervals of the chance that card ``c`` lies at place ``i``; shape ``(n, n)``, place first.

    Args:
        counts: the decks in which it does; same shape.
        decks: the number of decks, assumed independent.
    """
    return intervals(counts, np.array(decks))


def transition_intervals(counts: Counts) -> Intervals:
    """Return the intervals of the chance that the order ``b`` follows the order ``a``; shape ``(n!, n!)``, ``a`` first.

    Args:
        counts: how often it does; same shape. The sum of a row is the number of its trials, assumed
            independent given the order ``a``.
    """
    return intervals(counts, counts.sum(axis=1, keepdims=True))


def two_digits(number: float) -> str:
    """Return a large number with two digits, written out where that is readable: more would be false precision.

    >>> two_digits(33_512), two_digits(4.2e9), two_digits(8.9e30)
    ('34,000', '4,200,000,000', '8.9e30')
    """
    return f"{float(f'{number:.2g}'):,.0f}" if number < 1e12 else f"{number:.2g}".replace("e+", "e")
