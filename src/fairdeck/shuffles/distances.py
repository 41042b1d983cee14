"""How far the law of a deck is from the uniform law, in three measures; and what counting alone says of it.

If a procedure can reach at most s of the n! orders, the total variation is at least ``1 - s/n!``: bet on the orders
that it can reach. Source: Bayer and Diaconis, Ann. Appl. Probab. 2 (1992), for riffles.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial, fsum, inf, log, log1p, log2, prod

from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole

MOST_CARDS = 1_000
MOST_RIFFLES = 1_000
MOST_ENUMERATED = 9  # cards for which a law goes through all n! orders

Number = Fraction | float
NEAR_RANDOM = Fraction(1, 20)  # the total variation that a number of shuffles aims at, unless another is asked for
TINY = 1e-4  # an excess for which a short series is as exact as floating point
STANDS_OUT = 3.0  # standard errors


def cards(n: int, most: int = MOST_CARDS) -> int:
    """Return `n` if it is a deck size from 1 to `most`."""
    return whole("cards", n, 1, most)


def chance(what: str, p: Fraction | float) -> Fraction:
    """Return `p` as an exact fraction if it lies strictly between 0 and 1; error messages begin with `what`.

    A float stands for the shortest decimal that prints it: 0.6 is 3/5.

    >>> chance("the cut", 0.6)
    Fraction(3, 5)
    """
    if not 0 < p < 1:
        raise FairdeckError(f"{what}: {p} is out of range; write a probability above 0 and below 1")
    return p if isinstance(p, Fraction) else Fraction(repr(float(p)))


def kinds(counts: Sequence[int], most: int = MOST_CARDS) -> int:
    """Return the size of a deck if each kind has one card or more, and the deck at most `most`.

    >>> kinds((4, 4, 16))
    24
    """
    if not counts:
        raise FairdeckError("no kind of card is given; give the number of cards of each kind, as in (26, 26)")
    for count in counts:
        whole("cards of a kind", count, 1, most)
    return cards(sum(counts), most)


@dataclass(frozen=True, slots=True)
class Distance:
    """Three distances of a law P from the uniform law U; None where no theorem gives one.

    Exact laws give fractions, whose numerators and denominators may have thousands of digits;
    `rounded` makes floats of them. Source of the measures: Aldous and Diaconis, "Strong uniform
    times and finite random walks", Adv. Appl. Math. 8 (1987).
    """

    total_variation: Number | None  # half the sum of ``|P - U|``, 0 to 1: the most that a bet on any event gains
    separation: Number | None  # the largest shortfall, ``max(1 - P/U)``, 0 to 1; never below the total variation
    l_infinity: Number | None  # the largest ``|P/U - 1|``, from 0 up
    exact: bool  # whether the numbers are those of the law itself; otherwise bounds or estimates, as `source` says
    source: str  # the theorem they come from
    # a lower bound on the total variation, where that theorem gives one beside an upper bound
    at_least: Number = field(default=0, repr=False)
    # by how much the entropy of P is below that of U, log2 of the number of orders; from 0 up
    missing_bits: float | None = field(default=None, repr=False, compare=False)

    def rounded(self) -> "Distance":
        """Return the same as floats, correctly rounded; a number beyond all floats becomes infinite.

        >>> Distance(Fraction(1, 3), None, Fraction(10**400), True, "").rounded()
        Distance(total_variation=0.3333333333333333, separation=None, l_infinity=inf, exact=True, source='')
        """
        three = _nearest(self.total_variation), _nearest(self.separation), _nearest(self.l_infinity)
        return Distance(*three, self.exact, self.source, self.at_least, self.missing_bits)


def _nearest(number: Number | None) -> float | None:
    if number is None:
        return None
    try:
        return float(number)  # a fraction divides its integers, which rounds correctly however long they are
    except OverflowError:
        return inf


def compared(weights: Sequence[tuple[int, int]], ways: int, source: str) -> Distance:
    """Return the exact distances between two laws on the same outcomes.

    Args:
        weights: for each outcome its weight in the law, over `ways`, and in the fair law, above 0, over their sum.
        ways: the sum of the weights in the law.
        source: the theorem to name.
    """
    all_ = sum([fair for _, fair in weights])
    variation = sum([max(0, weight * all_ - fair * ways) for weight, fair in weights])
    low = high = weights[0]
    for one in weights:
        # Quotients are compared crosswise: making fractions of such long numbers takes far longer.
        if one[0] * low[1] < low[0] * one[1]:
            low = one
        if one[0] * high[1] > high[0] * one[1]:
            high = one
    shortfall, excess = [Fraction(weight * all_, fair * ways) - 1 for weight, fair in (low, high)]
    missing = missing_bits(weights, ways, all_)
    distance = Fraction(variation, ways * all_)
    return Distance(distance, -shortfall, max(excess, -shortfall), True, source, missing_bits=missing)


def missing_bits(weights: Iterable[tuple[int, int]], ways: int, fair_ways: int) -> float:
    """Return how much entropy a law is short of the fair one, in bits: the divergence of Kullback and Leibler.

    Each outcome counts as p log(p/u) - p + u, which is never below 0, so small amounts keep their digits.

    Args:
        weights: for each outcome its weight in the law and in the fair law, which is above 0.
        ways: the sum of the weights in the law.
        fair_ways: the sum of those in the fair law.

    >>> missing_bits([(1, 1), (0, 1)], 1, 2)
    1.0
    """
    terms = []
    for weight, fair in weights:
        p, u = weight / ways, fair / fair_ways
        one, other = weight * fair_ways, fair * ways
        if 2 * abs(one - other) > other:
            terms.append(p * (log(one) - log(other)) - p + u if weight else u)
        else:
            more = (one - other) / other
            series = more * more * (1 / 2 - more / 6 + more * more / 12)
            terms.append(u * (series if abs(more) < TINY else (1 + more) * log1p(more) - more))
    return fsum(terms) / log(2)


def even_over(n: int, orders: int, source: str) -> Distance:
    """Return the distances of `n` cards from uniform if this many orders can come, all equally likely.

    Args:
        n: cards, 1 to 1,000.
        orders: 1 to n!.
        source: the reason to name.

    >>> even_over(3, 3, "a cut").total_variation
    Fraction(1, 2)
    """
    all_ = factorial(cards(n))
    whole("orders", orders, 1, all_)
    shortfall = Fraction(orders < all_)
    missing = log2(all_) - log2(orders)
    excess = max(Fraction(all_, orders) - 1, shortfall)
    return Distance(1 - Fraction(orders, all_), shortfall, excess, True, source, missing_bits=missing)


def least_distance(n: int, *supports: int) -> Fraction:
    """Return a lower bound on the total variation, 0 to 1, from how many outcomes each shuffle has at most.

    Args:
        n: cards, 1 to 1,000.
        supports: for each shuffle in turn, the number of its outcomes, or more.

    >>> least_distance(3, 4)
    Fraction(1, 3)
    """
    cards(n)
    for count in supports:
        whole("outcomes of a shuffle", count, 1)
    return max(Fraction(0), 1 - Fraction(prod(supports), factorial(n)))


def deals_to_notice(distance: float) -> int:
    """Return over about how many deals a bet at even odds that gains so much stands out by `STANDS_OUT` errors.

    >>> deals_to_notice(0.03)
    2500
    """
    deals = (STANDS_OUT / 2 / distance) ** 2
    return int(float(f"{deals:.2g}"))
