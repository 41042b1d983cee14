"""P-values, each with the test statistic that it was read from: chi-squares, the oddest of many cells, pairs."""

from math import sqrt
from typing import Self

import numpy as np
from scipy.special import bdtr, bdtrc, chdtr, chdtrc, pdtr, pdtrc

from fairdeck.bulk.shapes import Counts, Floats

CHI_SQUARE = "chi-square"
COUNT = "count"  # binomial
PAIRS = "pairs"  # Poisson
VALUE = "value"  # of a single deck, by its exact law
Z = "z"  # standard deviations from the mean

FEW_CELLS, LEAST_EACH = 1_000, 10
LEAST_OF_MANY = 5
TWO_SIDED = 20  # degrees: with fewer, counts that happen to be even make a chi-square of 0


class PValue(float):
    """The chance, 0 to 1, that fair decks give something as odd.

    Attributes:
        name: what the test statistic is: one of the constants above.
        score: its value.
        degrees: its degrees of freedom; None where its law has none.

    >>> PValue(0.25, Z, 1.15), PValue(0.25, Z, 1.15).score
    (0.25, 1.15)
    """

    name: str
    score: float
    degrees: float | None

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
    # The sum is a constant plus 2k/N times the sum over pairs of decks of h = [same cell] - 1/k, so
    # its third cumulant comes from pairs (h^3) and from triangles of decks.
    k, mean = cells, cells - 1.0
    variance = 2 * mean * (1 - 1 / decks)
    cube = (1 - 1 / k) * (1 - 2 / k) / k
    triangles = decks * (decks - 1) * (decks - 2) * mean / k**3
    third = (2 * k / decks) ** 3 * (decks * (decks - 1) / 2 * cube + triangles)
    return two_sided_chi_square(*_like_chi_square(pearson, mean, variance, third))


def _like_chi_square(value: float, mean: float, variance: float, third: float) -> tuple[float, float]:
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


def skewed_two_sided(count: int, mean: float, variance: float, third: float) -> PValue:
    """Return the two-sided p-value of a large number of pairs, from the first three cumulants of its law.

    The law is taken for a chi-square law, shifted and scaled, with these cumulants.
    """
    return PValue(float(two_sided_chi_square(*_like_chi_square(count, mean, variance, third))), PAIRS, count)
