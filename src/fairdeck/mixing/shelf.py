"""The shelf shuffler: each card goes to a random shelf, by a coin on the cards there or beneath them.

How likely an order is depends on its valleys alone, a valley being a place whose card started
below both its neighbours (see `fairdeck.shuffles.shelf`, where decks are read from the base; read
from the top, with cards counted from there, the same places are peaks).
Source: Diaconis, Fulman and Holmes, "Analysis of casino shelf shuffling machines", Ann. Appl.
Probab. 23 (2013).
"""

from fractions import Fraction
from itertools import pairwise
from math import comb, log

from fairdeck.errors import FairdeckError
from fairdeck.mixing.distance import Distance
from fairdeck.mixing.limits import cards, whole
from fairdeck.mixing.riffles import compared

SOURCE = "Diaconis, Fulman and Holmes, Ann. Appl. Probab. 23 (2013)"
MOST_SHELVES = 10**9
MOST_PASSES = 20


def shelf_shuffles(n: int, *shelves: int) -> Distance:
    """Return the distances of `n` cards from uniform after passes through shelf machines.

    Args:
        n: cards, 1 to 1,000.
        shelves: how many shelves the machine of each pass has, each 1 or more; at least one pass.

    >>> round(float(shelf_shuffles(52, 10).total_variation), 4), round(float(shelf_shuffles(52, 10, 10).separation), 4)
    (1.0, 0.1296)
    """
    m = one_pass(*shelves)
    each = _ways(cards(n), m)
    orders = valley_numbers(n)
    weights = [(count * ways, count) for count, ways in zip(orders, each, strict=True)]
    return compared(weights, 2 * (2 * m) ** n, SOURCE)


def one_pass(*shelves: int) -> int:
    """Return how many shelves one machine needs to do the same in one pass: of m1 and m2 shelves, 2 m1 m2.

    >>> one_pass(10, 10)
    200
    """
    if not 1 <= len(shelves) <= MOST_PASSES:
        raise FairdeckError(f"{len(shelves)} passes through a shelf machine; give the shelves of 1 to {MOST_PASSES}")
    product = 1
    for count in shelves:
        product *= 2 * whole("shelves", count, 1, MOST_SHELVES)
    return product // 2


def valley_law(n: int, *shelves: int) -> tuple[Fraction, ...]:
    """Return the law of the number of valleys after passes through shelf machines: entry v is for v of them.

    >>> [str(chance) for chance in valley_law(3, 1)]  # fair decks have 2/3 and 1/3
    ['1', '0']
    """
    m = one_pass(*shelves)
    each = _ways(cards(n), m)
    return tuple(
        [Fraction(count * ways, 2 * (2 * m) ** n) for count, ways in zip(valley_numbers(n), each, strict=True)]
    )


def valley_numbers(n: int) -> tuple[int, ...]:
    """Return how many orders of `n` cards have 0, 1, 2, ... valleys; the sum is n!.

    Source: the recurrence of OEIS A008303.

    >>> valley_numbers(5)
    (16, 88, 16)
    """
    row = [1]
    for size in range(2, cards(n) + 1):
        longer = [*row, 0]
        row = [2 * (v + 1) * longer[v] + (size - 2 * v) * longer[v - 1] * (v > 0) for v in range((size + 1) // 2)]
    return tuple(row)


def _ways(n: int, m: int) -> list[int]:
    """Return for each number of valleys v how likely one order is, over ``2 (2m)^n``.

    That is ``4^(v+1)`` times the sum over a of ``C(n+m-a-1, n) C(n-1-2v, a-v)``; the sum is made by adding
    neighbours n-1-2v times, as in Pascal's triangle, so all v together take n^2/2 additions.
    """
    row = [comb(n + m - a - 1, n) if m > a else 0 for a in range(n)]
    found = {}
    for added in range(n):
        if (n - 1 - added) % 2 == 0:
            valleys = (n - 1 - added) // 2
            found[valleys] = 4 ** (valleys + 1) * row[valleys]
        row = [one + other for one, other in pairwise(row)]
    return [found[valleys] for valleys in sorted(found)]


def shelf_cutoff(n: int, shelves: int) -> float:
    """Return about how many passes through one machine bring the total variation of `n` cards down, as n grows.

    Source: Chen and Ottolini (2025), arXiv 2410.17345: ``(5/4) log n`` to the
    base of twice the shelves. A statement about large decks: for one deck it says where, not how low.

    >>> round(shelf_cutoff(52, 10), 2)
    1.65
    """
    return 1.25 * log(cards(n, 10**9)) / log(2 * whole("shelves", shelves, 1, MOST_SHELVES))
