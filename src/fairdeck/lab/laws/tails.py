"""P-values, each with the test statistic that it was read from (chi-squares, the oddest cell, pairs); intervals."""

from collections.abc import Callable
from math import exp, log, log1p, pi, sinh, sqrt
from typing import Self

import numpy as np
from scipy.special import bdtr, bdtrc, betaincinv, chdtr, chdtrc, erfcx, pdtr, pdtrc

from fairdeck import numbers
from fairdeck.bulk.shapes import Counts, Floats

CHI_SQUARE = "chi-square"
COUNT = "count"  # binomial
PAIRS = "pairs"  # Poisson
VALUE = "value"  # of a single deck, by its exact law
Z = "z"  # standard deviations from the mean

FEW_CELLS, LEAST_EACH = 1_000, 10
LEAST_OF_MANY = 5
NEAR_THE_MEAN = 0.01  # standard deviations: nearer to the mean, the saddlepoint formula loses its digits
FAR_TILT = 300.0  # beyond it the hyperbolic sine overflows, and its inverse is 0
STEPS = 100  # of Newton's method, kept in a bracket
TWO_SIDED = 20  # degrees: with fewer, counts that happen to be even make a chi-square of 0


class PValue(float):
    """The chance, 0 to 1, that fair decks give something as odd.

    >>> PValue(0.25, Z, 1.15), PValue(0.25, Z, 1.15).score
    (0.25, 1.15)
    """

    name: str  # what the test statistic is: one of the constants above
    score: float  # its value
    degrees: float | None  # its degrees of freedom; None where its law has none

    def __new__(cls, p_value: float, name: str, score: float, degrees: float | None = None) -> Self:
        """Return the p-value of one test."""
        made = super().__new__(cls, p_value)
        made.name, made.score, made.degrees = name, float(score), degrees
        return made

    def __getnewargs__(self) -> tuple[float, str, float, float | None]:  # type: ignore[override]
        """Return what a copy in another process is made from."""
        return float(self), self.name, self.score, self.degrees

    def of_many(self, tests: int) -> "PValue":
        """Return the p-value of the oddest of several tests (Bonferroni)."""
        return PValue(min(1.0, tests * self), self.name, self.score, self.degrees)


def chi_square(statistic: float, degrees: int) -> PValue:
    """Return the upper tail of the chi-square law."""
    return PValue(float(chdtrc(degrees, statistic)), CHI_SQUARE, statistic, degrees)


def deviance(expected: Floats, counts: Counts) -> PValue:
    """Return the p-value of a multinomial likelihood ratio with Williams' correction.

    With cells of ten or more its tail holds at 1e-9 and beyond, where Pearson's sum of squares
    raises false alarms. Source: Williams, "Improved likelihood ratio tests", Biometrika 63 (1976).
    """
    decks = float(counts.sum())
    seen = counts > 0
    statistic = 2 * float(np.sum(counts[seen] * np.log(counts[seen] / expected[seen])))
    degrees = len(expected) - 1
    correction = 1 + (float(np.sum(decks / expected)) - 1) / (6 * decks * degrees)
    return chi_square(max(0.0, statistic) / correction, degrees)


def two_sided_chi_square(statistic: float, degrees: float) -> PValue:
    """Return the p-value of a chi-square that is too large or, with many degrees, too small: too even is odd."""
    above = float(chdtrc(degrees, statistic))
    p_value = above if degrees < TWO_SIDED else min(1.0, 2 * min(above, float(chdtr(degrees, statistic))))
    return PValue(p_value, CHI_SQUARE, statistic, degrees)


def even_cells(counts: Counts) -> PValue | None:
    """Return the p-value of counts that should be equal; None where they are too few.

    Up to a thousand cells: the likelihood ratio, from ten in each. More cells: Pearson's sum, from
    five in each, against the chi-square law whose mean, variance and skewness are exactly those of
    the sum; two-sided. With fewer in each, its tail at 1e-9 is wrong by orders of magnitude.
    """
    cells, decks = len(counts), float(counts.sum())
    each = decks / cells
    if cells < 2:
        return None
    if cells <= FEW_CELLS:
        return deviance(np.full(cells, each), counts) if each >= LEAST_EACH else None
    if each < LEAST_OF_MANY:
        return None
    pearson = float(np.sum((counts - each) ** 2)) / each
    # The sum is a constant plus 2k/N times the sum over pairs of decks of h = [same cell] - 1/k.
    k = cells
    return of_pairs(pearson, decks, cells - 1.0, (1 - 1 / k) * (1 - 2 / k) / k, k)


def of_pairs(value: float, decks: float, mean: float, cube: float, scale: int = 1) -> PValue:
    """Return the p-value of a constant plus 2/N times the sum of ``scale h`` over all pairs of N decks.

    Where h, a projection, has the mean 0 however one of the two decks looks, so that ``scale h`` is `mean` for a deck
    with itself and has the variance `mean`; `cube` is the mean of h cubed. Sums of squares that are nearly chi-square
    are of this form: the chi-square law is taken whose mean, variance and skewness are exactly those of the value.
    """
    k, variance = scale, 2 * mean * (1 - 1 / decks)
    # The third cumulant comes from pairs (h^3) and from triangles of decks.
    triangles = decks * (decks - 1) * (decks - 2) * mean / k**3
    third = (2 * k / decks) ** 3 * (decks * (decks - 1) / 2 * cube + triangles)
    return two_sided_chi_square(*like_chi_square(value, mean, variance, third))


def like_chi_square(value: float, mean: float, variance: float, third: float) -> tuple[float, float]:
    """Return a chi-square and its degrees, in proportion to a value of these three cumulants."""
    degrees = 8 * variance**3 / third**2
    return (value - mean) / sqrt(variance) * sqrt(2 * degrees) + degrees, degrees


def oddest_cell(counts: Counts, decks: int, chance: float) -> tuple[PValue, int]:
    """Return the two-sided p-value of the oddest of many cells of equal chance, and the index of that cell.

    Each count is binomial; the smallest and the largest are judged, corrected for the number of cells (Bonferroni).
    """
    flat = counts.ravel()
    least, most = int(np.argmin(flat)), int(np.argmax(flat))
    low = float(bdtr(int(flat[least]), decks, chance))
    high = float(bdtrc(int(flat[most]) - 1, decks, chance)) if flat[most] else 1.0
    tail, cell = min((low, least), (high, most))
    return PValue(min(1.0, 2 * len(flat) * tail), COUNT, int(flat[cell])), cell


def poisson_two_sided(count: int, mean: float) -> PValue:
    """Return the two-sided p-value of a Poisson number of pairs."""
    above = float(pdtrc(count - 1, mean)) if count else 1.0
    return PValue(min(1.0, 2 * min(above, float(pdtr(count, mean)))), PAIRS, count)


def skewed_two_sided(count: float, mean: float, variance: float, third: float) -> PValue:
    """Return the two-sided p-value of a large number of pairs, from the first three cumulants of its law.

    The law is taken for a chi-square law, shifted and scaled, with these cumulants.
    """
    return PValue(float(two_sided_chi_square(*like_chi_square(count, mean, variance, third))), PAIRS, count)


def tilt(
    cumulants: Callable[[float], tuple[float, float, float]], mean: float, variance: float, wanted: float, close: float
) -> float:
    """Return the theta at which a tilted law has about the mean `wanted`, by Newton's steps kept in a bracket.

    `cumulants` returns log E[exp(theta X)], up to a constant, and its first two derivatives; `mean` and `variance` are
    of X; a mean that is `close` to the wanted one is near enough.
    """
    low, high = -1.0, 1.0
    scale = 1 / sqrt(variance)
    while cumulants(low * scale)[1] > wanted:
        low *= 2
    while cumulants(high * scale)[1] < wanted:
        high *= 2
    low, high = low * scale, high * scale
    theta = min(high, max(low, (wanted - mean) / variance))
    for _ in range(STEPS):
        _, at, spread = cumulants(theta)
        if abs(at - wanted) <= close:
            break
        low, high = (theta, high) if at < wanted else (low, theta)
        step = theta + (wanted - at) / spread if spread > 0 else low
        theta = step if low < step < high else (low + high) / 2
    return theta


def log_upper_tail(w: float, theta: float, span: float, variance: float) -> float:
    """Return the log of the tail of Lugannani and Rice at the saddlepoint `theta`, where the values have this `span`.

    That is 1 - Phi(w) + phi(w) (1/u - 1/w), with phi(w) taken out so that nothing underflows.
    """
    u = 2 * sinh(max(-FAR_TILT, min(FAR_TILT, theta * span / 2))) / span * sqrt(variance)
    if w > 0:
        bracket = sqrt(pi / 2) * float(erfcx(w / sqrt(2))) + 1 / u - 1 / w
        return min(0.0, -w * w / 2 - log(2 * pi) / 2 + log(max(bracket, 1e-300)))
    below = sqrt(pi / 2) * float(erfcx(-w / sqrt(2))) - 1 / u + 1 / w
    return log1p(-min(1 - 1e-16, max(0.0, below) * exp(-w * w / 2) / sqrt(2 * pi)))


def clopper_pearson(counts: Counts, trials: Counts, level: float = 0.99) -> tuple[Floats, Floats]:
    """Return the lower and the upper bound of each chance: exact confidence intervals, from independent trials.

    An interval contains the true chance in at least the share `level` of all samples, for any chance and any number of
    trials. Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the
    binomial", Biometrika 26 (1934).

    Args:
        counts: how often each cell was met, 0 to its trials.
        trials: the number of trials of each cell; 0 trials give the interval 0 to 1.
        level: the least chance that an interval contains the true chance, between 0 and 1.
    """
    tail = (1 - numbers.probability("level", level)) / 2
    # At the ends the bounds are 0 and 1, and the beta law would have a parameter of 0.
    low = np.where(counts > 0, betaincinv(np.maximum(counts, 1), trials - counts + 1, tail), 0.0)
    high = np.where(counts < trials, betaincinv(counts + 1, np.maximum(trials - counts, 1), 1 - tail), 1.0)
    return low, high
