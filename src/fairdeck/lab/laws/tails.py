"""P-values of counts in equally likely cells: tests of all cells where they are well filled, and of the oddest cell."""

from math import sqrt

import numpy as np
from scipy.special import bdtr, bdtrc, chdtr, chdtrc, pdtr, pdtrc

from fairdeck.bulk.shapes import Counts
from fairdeck.lab.laws.p_value import CHI_SQUARE, COUNT, PAIRS, PValue
from fairdeck.lab.laws.scalar import deviance

FEW_CELLS, LEAST_EACH = 1_000, 10
LEAST_OF_MANY = 5
TWO_SIDED = 20  # degrees: with fewer, counts that happen to be even make a chi-square of 0


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
