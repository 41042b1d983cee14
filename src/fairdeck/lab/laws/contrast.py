"""Contrasts of independent draws: a score for each number drawn, added up over all draws of all decks.

Draw ``k`` of a deck is one of ``0 .. k``, on fair decks each with the same chance, and all draws are independent. So
the sum of the scores has a known cumulant generating function, and its tail is known far out as well.
"""

from dataclasses import dataclass
from functools import cached_property
from math import copysign, exp, inf, log, log1p, pi, sinh, sqrt

import numpy as np
from scipy.special import erfcx, ndtr

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.laws.tails import PValue, Z

NEAR_THE_MEAN = 0.01  # standard deviations: nearer to the mean, the saddlepoint formula loses its digits
FAR_TILT = 300.0  # beyond it the hyperbolic sine overflows, and its inverse is 0
STEPS = 100  # of Newton's method, kept in a bracket


@dataclass(frozen=True, eq=False)
class Contrast:
    """A score for each number of each draw.

    Attributes:
        scores: shape ``(n, n)``; row ``k`` has the scores of the numbers ``0 .. k`` of draw ``k``, then zeros.
    """

    scores: Floats

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
        rows = [np.unique(row[: k + 1], return_counts=True) for k, row in enumerate(self.scores)]
        rows = [(values, met / met.sum()) for values, met in rows if len(values) > 1] or [rows[0]]
        width = max(len(values) for values, _ in rows)
        values = np.stack([np.pad(values, (0, width - len(values)), "edge") for values, _ in rows])
        return values, np.stack([np.pad(chances, (0, width - len(chances))) for _, chances in rows])

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
    theta = _tilt(contrast, contrast.mean + edge / decks)
    level, _, tilted = contrast.cumulants(theta)
    w = copysign(sqrt(max(0.0, 2 * (theta * edge - decks * level))), theta)
    if abs(w) < NEAR_THE_MEAN:
        return log(float(ndtr(-edge / sqrt(spread))))
    u = 2 * sinh(max(-FAR_TILT, min(FAR_TILT, theta * span / 2))) / span * sqrt(decks * tilted)
    # 1 - Phi(w) + phi(w) (1/u - 1/w), with phi(w) taken out so that nothing underflows.
    if w > 0:
        bracket = sqrt(pi / 2) * float(erfcx(w / sqrt(2))) + 1 / u - 1 / w
        return min(0.0, -w * w / 2 - log(2 * pi) / 2 + log(max(bracket, 1e-300)))
    below = sqrt(pi / 2) * float(erfcx(-w / sqrt(2))) - 1 / u + 1 / w
    return log1p(-min(1 - 1e-16, max(0.0, below) * exp(-w * w / 2) / sqrt(2 * pi)))


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


def _tilt(contrast: Contrast, mean: float) -> float:
    """Return the theta at which the tilted law of one deck has this mean, by Newton's steps kept in a bracket."""
    low, high = -1.0, 1.0
    scale = 1 / sqrt(contrast.variance)
    while contrast.cumulants(low * scale)[1] > mean:
        low *= 2
    while contrast.cumulants(high * scale)[1] < mean:
        high *= 2
    low, high = low * scale, high * scale
    theta = min(high, max(low, (mean - contrast.mean) / contrast.variance))
    close = 1e-12 * max(abs(mean - contrast.mean), 1e-6 * sqrt(contrast.variance))
    for _ in range(STEPS):
        _, at, spread = contrast.cumulants(theta)
        if abs(at - mean) <= close:
            break
        low, high = (theta, high) if at < mean else (low, theta)
        step = theta + (mean - at) / spread if spread > 0 else low
        theta = step if low < step < high else (low + high) / 2
    return theta
