"""Longest increasing and decreasing subsequences: how much of the old order is left."""

from functools import cache
from itertools import pairwise
from math import factorial
from operator import mul

import numpy as np

from fairdeck.bulk.shapes import Columns, Values
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.statistics import Scalar

MOST = 120

Series = list[int]  # the first coefficients of a power series, lowest first, modulo a number


@cache
def increasing_law(n: int) -> Law:
    """Return the law of the longest increasing subsequence of `n` cards; the longest decreasing one's as well.

    With D_k the k x k Toeplitz determinant of the Bessel functions I_|i-j|(2x), a series in
    y = x^2, the orders without an increasing subsequence of more than k are n!^2 times the
    coefficient of y^n in D_k (Gessel, "Symmetric functions and P-recursiveness", J. Combin.
    Theory A 53 (1990)). D_n is exp(y) as far as y^n; those of fewer rows follow from

        D_(k+1) D_(k-1) / D_k^2 = 1 - y^k g_k^2,    y g_(k+1) = k g_k / (1 - y^k g_k^2) - g_(k-1),

    g_0 = 1, g_1 = I_1(2x) / (x I_0(2x)): the discrete Painleve II equation (Periwal and Shevitz
    (1990), Borodin (2003); see Chouteau and Tarricone, SIGMA 19 (2023), 030, section 1). Counts are
    at most n!, and all divisors are 1 to n, so arithmetic modulo n! + 1 is exact.

    >>> increasing_law(4)
    Law(low=1, weights=(1, 13, 9, 1))
    """
    modulus = factorial(n) + 1
    inverse = [pow(factorial(each), -1, modulus) for each in range(n + 1)]
    first = [inverse[at] * inverse[at + 1] % modulus for at in range(n)]
    below, here = [1, *[0] * n], _quotient(first, [each * each % modulus for each in inverse], modulus)
    losses = []  # -g_k^2 as far as it counts, to y^(n-k)
    for k in range(1, n + 1):
        losses.append([-each % modulus for each in _product(here, here, modulus)])
        link = [1, *[0] * (k - 1), *losses[-1]]
        step = [k * each - old for each, old in zip(_quotient(here, link, modulus), below, strict=False)]
        below, here = here, [each % modulus for each in step[1:]]
    determinant, ratio = inverse, [1, *[0] * n]  # D_k, and D_k / D_(k+1) = 1 + O(y^(k+1))
    at_most = [determinant[n]]
    for k in range(n, 0, -1):
        ratio = _times_one_plus(ratio, losses[k - 1], k, modulus)
        determinant = _times_one_plus(determinant, ratio[k:], k, modulus)
        at_most.append(determinant[n])
    counts = [each * factorial(n) ** 2 % modulus for each in reversed(at_most)]
    return Law(1, tuple(more - fewer for fewer, more in pairwise(counts)))


def _product(one: Series, other: Series, modulus: int) -> Series:
    """Return the product, as far as the shorter series goes."""
    length = min(len(one), len(other))
    turned = other[length - 1 :: -1]
    return [sum(map(mul, one[: at + 1], turned[length - 1 - at :])) % modulus for at in range(length)]


def _quotient(one: Series, other: Series, modulus: int) -> Series:
    """Return `one` over `other`, which begins with 1 and is no shorter."""
    quotient: Series = []
    for at, each in enumerate(one):
        quotient.append((each - sum(map(mul, quotient, other[at:0:-1]))) % modulus)
    return quotient


def _times_one_plus(series: Series, more: Series, power: int, modulus: int) -> Series:
    """Return `series` times 1 + y^power `more`, as far as `series` goes."""
    added = _product(series, more, modulus)
    return [*series[:power], *((old + new) % modulus for old, new in zip(series[power:], added, strict=True))]


def _longest(rows: Columns) -> Values:
    """Return the length of the longest increasing subsequence of the rows of each deck."""
    # ends[i] is the length of the longest one that ends at place i. Patience sorting takes fewer steps,
    # but different ones for each deck; these steps are the same for all decks.
    columns = rows.astype(np.uint8)
    ends = np.ones_like(columns)
    for place in range(1, len(columns)):
        ends[place] += ((columns[:place] < columns[place]) * ends[:place]).max(axis=0)
    longest: Values = ends.max(axis=0).astype(np.int64)
    return longest


_SOURCE = "Gessel, J. Combin. Theory A 53 (1990); Aldous and Diaconis, Bull. AMS 36 (1999)"

STATISTICS = (
    Scalar(
        name="longest increasing subsequence",
        sees="old order that is left, even interleaved: riffles, overhand, random comparators",
        source=_SOURCE,
        of=lambda view: _longest(view.columns),
        law=increasing_law,
        few="fewer cards than by chance are still in their old order",
        many="too many cards are still in their old order",
        most=MOST,
    ),
    Scalar(
        name="longest decreasing subsequence",
        sees="old order turned over: piles dealt and gathered, cards taken off one by one",
        source=_SOURCE,
        of=lambda view: _longest(view.columns[::-1]),
        law=increasing_law,
        few="fewer cards than by chance are in the reverse of their old order: order is left",
        many="too many cards are in the reverse of their old order",
        most=MOST,
    ),
)
