"""Exact confidence intervals for chances, from counts of independent trials.

Clopper and Pearson's intervals: at the level L an interval contains the true chance in at least the share L of
all samples, for any chance and any number of trials. Source: Clopper and Pearson, "The use of confidence or fiducial
limits illustrated in the case of the binomial", Biometrika 26 (1934).
"""

import numpy as np
from scipy.special import betaincinv

from fairdeck import numbers
from fairdeck.bulk.shapes import Counts, Floats

LEVEL = 0.99


def clopper_pearson(counts: Counts, trials: Counts, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Return the lower and the upper bound of each chance.

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


def two_digits(number: float) -> str:
    """Return a large number with two digits, written out where that is readable: more would be false precision.

    >>> two_digits(33_512), two_digits(4.2e9), two_digits(8.9e30)
    ('34,000', '4,200,000,000', '8.9e30')
    """
    return f"{float(f'{number:.2g}'):,.0f}" if number < 1e12 else f"{number:.2g}".replace("e+", "e")
