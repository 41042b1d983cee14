"""Exact intervals for chances: which shares agree with a count of independent trials.

Clopper and Pearson's: at the level L the interval holds the true chance in at least the share L of
all samples, whatever the chance is and however few the trials. For many cells at once each interval
is widened to the level 1 - (1 - L)/cells (Bonferroni), and then all of them hold together at the
level L, however the cells depend on one another. Source: Clopper and Pearson, "The use of confidence
or fiducial limits illustrated in the case of the binomial", Biometrika 26 (1934).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv

from fairdeck.lab import entry
from fairdeck.lab.arrays import Counts, Floats

LEVEL = 0.99


@dataclass(frozen=True)
class Intervals:
    """Shares of trials with their intervals; all arrays have one shape.

    Attributes:
        counts: how often each cell came.
        trials: of how many trials.
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
        """The share of its trials that each cell came in; not a number where there were none."""
        none = np.full(self.counts.shape, np.nan)
        shares: Floats = np.divide(self.counts, self.trials, out=none, where=self.trials > 0)
        return shares


def clopper_pearson(counts: Counts, trials: Counts, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Return the lower and the upper bound of each chance.

    Args:
        counts: how often each cell came, 0 to its trials.
        trials: how many trials each cell had; 0 leaves the whole range open.
        level: the least chance that an interval holds the true one, between 0 and 1.
    """
    level = entry.chance("level", level)
    # A large matrix holds few different counts, so each is worked out once.
    each, at_each = np.unique(counts.ravel(), return_inverse=True)
    sizes, at_size = np.unique(trials.ravel(), return_inverse=True)
    pairs, at = np.unique(at_each.ravel() * len(sizes) + at_size.ravel(), return_inverse=True)
    seen, of = each[pairs // len(sizes)].astype(float), sizes[pairs % len(sizes)].astype(float)
    tail = (1 - level) / 2
    # The bounds at the ends are 0 and 1; the beta law has no such parameters.
    low = np.where(seen > 0, betaincinv(np.maximum(seen, 1), of - seen + 1, tail), 0.0)
    high = np.where(seen < of, betaincinv(seen + 1, np.maximum(of - seen, 1), 1 - tail), 1.0)
    return low[at].reshape(counts.shape), high[at].reshape(counts.shape)


def intervals(counts: Counts, trials: Counts, level: float = LEVEL) -> Intervals:
    """Return the intervals of every cell, each by itself and all together.

    Args:
        counts: how often each cell came; any shape.
        trials: how many trials each cell had; of a shape that fits.
        level: the level of each cell by itself, and of all together.
    """
    of = np.broadcast_to(trials, counts.shape)
    low, high = clopper_pearson(counts, of, level)
    low_all, high_all = clopper_pearson(counts, of, 1 - (1 - level) / max(1, counts.size))
    return Intervals(counts, of, level, low, high, low_all, high_all)


def position_intervals(counts: Counts, decks: int, level: float = LEVEL) -> Intervals:
    """Return the intervals of the chance that card ``c`` lies at place ``i``; shape ``(n, n)``, place first.

    Args:
        counts: the decks in which it does, of the same shape.
        decks: how many decks, taken as independent.
        level: the level of the intervals.
    """
    return intervals(counts, np.array(decks), level)


def transition_intervals(counts: Counts, level: float = LEVEL) -> Intervals:
    """Return the intervals of the chance that the order ``b`` follows the order ``a``; shape ``(n!, n!)``, ``a`` first.

    Args:
        counts: how often it does, of the same shape; a row's sum is the number of its trials, each
            taken as independent of the others given the order ``a``.
        level: the level of the intervals.
    """
    return intervals(counts, counts.sum(axis=1, keepdims=True), level)
