"""Contrasts of independent draws: a score for each number drawn, added up over all draws of all decks.

Draw ``k`` of a deck is one of ``0 .. k``, on fair decks each with the same chance, and all draws are independent. So
the sum of the scores has a known cumulant generating function, and its tail is known far out as well.
"""

from dataclasses import dataclass
from functools import cached_property
from math import copysign, exp, inf, log, sqrt

import numpy as np
from scipy.special import ndtr

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.laws.tails import NEAR_THE_MEAN, PValue, Z, log_upper_tail, tilt


@dataclass(frozen=True, eq=False)
class Contrast:
    """A score for each number of each draw."""

    scores: Floats  # shape ``(n, n)``; row ``k`` has the scores of the numbers ``0 .. k`` of draw ``k``, then zeros.

    @cached_property
    def span(self) -> float:
        """The greatest difference of two scores of one draw.

        A sum of scores jumps by no more, so a correction for whole multiples of it is on the safe side.
        """
        return max(float(np.ptp(row[: k + 1])) for k, row in enumerate(self.scores))

    @cached_property
    def mean(self) -> float:
        """The mean of one deck."""
        return float(np.sum(self._chances * self._values))

    @cached_property
    def variance(self) -> float:
        """The variance of one deck."""
        return self.cumulants(0.0)[2]

    @cached_property
    def most(self) -> float:
        """The greatest sum of one deck."""
        return float(np.where(self._chances > 0, self._values, -inf).max(axis=1).sum())

    @cached_property
    def turned(self) -> "Contrast":
        """The negative of this contrast."""
        return Contrast(-self.scores)

    def total(self, counts: Counts) -> float:
        """Return the sum of the scores of all draws counted; `counts` is shaped as `scores`."""
        return float(np.sum(counts * self.scores))

    def cumulants(self, theta: float) -> tuple[float, float, float]:
        """Return log E[exp(theta (X - mean))], and two derivatives of log E[exp(theta X)]; X is the sum of one deck."""
        # Each draw is measured from its own mean: of many decks with a small theta, little else would be left.
        off = theta * self._off
        if np.abs(off).max() < 1:
            level = float(np.log1p(np.sum(self._chances * (np.expm1(off) - off), axis=1)).sum())
        else:
            most = np.where(self._chances > 0, off, -inf).max(axis=1, keepdims=True)
            level = float((np.log(np.sum(self._chances * np.exp(off - most), axis=1)) + most[:, 0]).sum())
        tilted = self._chances * np.exp(np.minimum(off - off.max(axis=1, keepdims=True), 0))
        tilted /= tilted.sum(axis=1, keepdims=True)
        means = np.sum(tilted * self._off, axis=1, keepdims=True)
        return level, self.mean + float(means.sum()), float(np.sum(tilted * (self._off - means) ** 2))

    @cached_property
    def _of_rows(self) -> tuple[Floats, Floats]:
        """The different scores of each draw, and their chances; the rest of a row has the last score, and no chance."""
        inside = np.tri(len(self.scores), dtype=bool)
        rows = np.sort(np.where(inside, self.scores, inf), axis=1)
        new = inside.copy()
        new[:, 1:] &= rows[:, 1:] != rows[:, :-1]
        different = new.sum(axis=1)
        kept = np.flatnonzero(different > 1) if different.max() > 1 else np.array([0])
        rows, new, inside = rows[kept], new[kept], inside[kept]
        size = (len(kept), int(different[kept].max()))
        cells = np.cumsum(new, axis=1) - 1 + size[1] * np.arange(len(kept))[:, None]
        values = np.repeat(rows[np.arange(len(kept)), kept], size[1])
        values[cells[new]] = rows[new]
        met = np.bincount(cells[inside], minlength=values.size)
        return values.reshape(size), met.reshape(size) / (kept + 1)[:, None]

    @property
    def _values(self) -> Floats:
        return self._of_rows[0]

    @property
    def _chances(self) -> Floats:
        return self._of_rows[1]

    @cached_property
    def _off(self) -> Floats:
        off: Floats = self._values - np.sum(self._chances * self._values, axis=1, keepdims=True)
        return off

    @cached_property
    def log_chance_of_most(self) -> float:
        """The log of the chance of the greatest sum of one deck."""
        best = np.where(self._chances > 0, self._values, -inf).argmax(axis=1)
        return float(np.log(self._chances[np.arange(len(best)), best]).sum())


def log_tail(contrast: Contrast, decks: int, total: float) -> float:
    """Return log P(the scores of `decks` decks add up to `total` or more).

    The formula of Lugannani and Rice with the second continuity correction, for steps of the contrast's span: exact
    enough where the sum is a whole multiple of it, and too large, never too small, where its steps are smaller. Source:
    Daniels, "Tail probability approximations", Int. Stat. Rev. 55 (1987), sections 3 and 6.
    """
    span, spread = contrast.span, decks * contrast.variance
    off, furthest = total - decks * contrast.mean, decks * (contrast.most - contrast.mean)
    if off >= furthest - 1e-6 * span:
        return decks * contrast.log_chance_of_most
    edge = off - span / 2
    if edge < -0.99 * decks * (contrast.turned.most + contrast.mean):
        return 0.0
    mean = contrast.mean + edge / decks
    close = 1e-12 * max(abs(mean - contrast.mean), 1e-6 * sqrt(contrast.variance))
    theta = tilt(contrast.cumulants, contrast.mean, contrast.variance, mean, close)
    level, _, tilted = contrast.cumulants(theta)
    w = copysign(sqrt(max(0.0, 2 * (theta * edge - decks * level))), theta)
    if abs(w) < NEAR_THE_MEAN:
        return log(float(ndtr(-edge / sqrt(spread))))
    return log_upper_tail(w, theta, span, decks * tilted)


def upper(contrast: Contrast, decks: int, total: float) -> PValue:
    """Return the p-value of a sum that should not be large; its score is in standard deviations."""
    return PValue(min(1.0, exp(log_tail(contrast, decks, total))), Z, _deviations(contrast, decks, total))


def two_sided(contrast: Contrast, decks: int, total: float) -> PValue:
    """Return the two-sided p-value of a sum: twice the tail on the side of what was seen."""
    z = _deviations(contrast, decks, total)
    tail = log_tail(contrast, decks, total) if z >= 0 else log_tail(contrast.turned, decks, -total)
    return PValue(min(1.0, 2 * exp(tail)), Z, z)


def _deviations(contrast: Contrast, decks: int, total: float) -> float:
    return (total - decks * contrast.mean) / sqrt(decks * contrast.variance)
