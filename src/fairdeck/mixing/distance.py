"""How far the law of a deck is from the uniform law, in three measures."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf

Number = Fraction | float


@dataclass(frozen=True, slots=True)
class Distance:
    """Three distances of a law P from the uniform law U; None where nothing gives one.

    Exact laws give fractions, whose numerators and denominators may have thousands of digits;
    `rounded` makes floats of them. Source of the measures: Aldous and Diaconis, "Strong uniform
    times and finite random walks", Adv. Appl. Math. 8 (1987).

    Attributes:
        total_variation: half the sum of ``|P - U|``, 0 to 1: the most that a bet on any event gains.
        separation: the largest shortfall, ``max(1 - P/U)``, 0 to 1; never below the total variation.
        l_infinity: the largest ``|P/U - 1|``, from 0 up.
        exact: whether the numbers are those of the law itself; otherwise bounds or estimates, as `source` says.
        source: the theorem they come from.
    """

    total_variation: Number | None
    separation: Number | None
    l_infinity: Number | None
    exact: bool
    source: str

    def rounded(self) -> "Distance":
        """Return the same in floats, each the nearest there is; infinite if it is beyond all floats.

        >>> Distance(Fraction(1, 3), None, Fraction(10**400), True, "").rounded()
        Distance(total_variation=0.3333333333333333, separation=None, l_infinity=inf, exact=True, source='')
        """
        three = _nearest(self.total_variation), _nearest(self.separation), _nearest(self.l_infinity)
        return Distance(*three, self.exact, self.source)


def _nearest(number: Number | None) -> float | None:
    if number is None:
        return None
    try:
        return float(number)  # a fraction divides its integers, which rounds correctly however long they are
    except OverflowError:
        return inf
