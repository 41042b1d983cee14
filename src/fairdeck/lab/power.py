"""What would have been seen: the smallest fault that a test had the power to find.

Without it a pass says little. Each limit is for a fault that is found in 99 of 100 runs by the one
test that it names, at the level that this test had in the last look and on the decks of that look;
binomial where it is a share, normal where it is a mean. Every statistic states its own.
"""

from dataclasses import dataclass
from math import sqrt

from scipy.special import bdtrc, betaincinv, ndtri, pdtrc, pdtri

POWER = 0.99


@dataclass(frozen=True, slots=True)
class Limit:
    """The smallest fault that a test would have seen.

    Attributes:
        family: the family of the test.
        test: the test, as its `Evidence` names it.
        size: the size of the fault, in the unit that `says` gives.
        says: the fault, in plain words.
    """

    family: str
    test: str
    size: float
    says: str


def shift_seen(values: int, level: float) -> float:
    """Return the shift of a mean of `values` values that is seen, in standard deviations of one value."""
    return float((ndtri(POWER) - ndtri(level / 2)) / sqrt(values))


def share_seen(fair: float, decks: int, level: float) -> float | None:
    """Return the least share above `fair` that is seen, where each deck has it or not; exactly binomial.

    None where the decks are so few that the alarm is not even heard if all of them have it.
    """
    low, high = int(fair * decks), decks + 1  # the alarm is heard from so many decks on: too few, and enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if 2 * bdtrc(middle - 1, decks, fair) <= level else (middle, high)
    return None if high > decks else float(betaincinv(high, decks - high + 1, POWER))


def pairs_seen(fair: float, level: float) -> float:
    """Return a mean number of pairs of equal decks that is told from `fair` in 99 of 100 runs; both Poisson."""
    count = 1
    while pdtrc(count - 1, fair) > level / 2:
        count += 1 if count < 100 else count // 20
    return float(pdtri(count - 1, 1 - POWER))
