"""Limits: the smallest fault that a test had the power to find.

Without limits a pass says little. Each limit is the size of a fault that one test finds in 99 of 100 runs, at the
level and with the decks that the test had in the last interim analysis; binomial for a share, normal for a mean.
Every statistic states its own limit.
"""

from dataclasses import dataclass
from math import sqrt

from scipy.special import bdtrc, betaincinv, ndtri, pdtrc, pdtri

POWER = 0.99


@dataclass(frozen=True, slots=True)
class Limit:
    """The smallest fault that a test would have seen."""

    statistic: str  # the statistic
    test: str  # its test, as the `Evidence` names it
    size: float  # the size of the fault
    expected: float | None  # what the same number is on fair decks; None where it has no fair value
    words: str  # the fault in plain words, with the fields ``{size}`` and ``{expected}`` still to be filled in
    family: str = ""  # the family of the test; the verdict fills it in
    lag: int = 0  # 0 for decks by themselves, 1 for each deck relative to the one before

    @property
    def name(self) -> str:
        """The statistic and the test."""
        return f"{self.statistic}: {self.test}"


def shift_seen(values: int, level: float) -> float:
    """Return the smallest shift of the mean of `values` values that is seen, in standard deviations of one value."""
    return float((ndtri(POWER) - ndtri(level / 2)) / sqrt(values))


def share_seen(fair: float, decks: int, level: float) -> float | None:
    """Return the smallest share above `fair` that is seen: of the decks that have some property; exactly binomial.

    None where the decks are so few that no alarm is raised even if all of them have the property.
    """
    low, high = int(fair * decks), decks + 1  # a number of decks that raises no alarm, and one that does
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if 2 * bdtrc(middle - 1, decks, fair) <= level else (middle, high)
    return None if high > decks else float(betaincinv(high, decks - high + 1, POWER))


def pairs_seen(fair: float, level: float) -> float:
    """Return a mean number of pairs of equal decks that differs from `fair` visibly in 99 of 100 runs; both Poisson."""
    count = 1
    while pdtrc(count - 1, fair) > level / 2:
        count += 1 if count < 100 else count // 20
    return float(pdtri(count - 1, 1 - POWER))
