"""Top to random: the top card goes to any of the n places, again and again.

Turned round in time, a random card goes to the top. If k moves took j different cards, those lie
above the others in random order and the others are as they were; how likely j is, is the law of
the occupied boxes when k balls fall into n. An order in which the lowest n - j cards are in the old
order, and no more than those, is as likely as the moves with j cards or more allow.
Source: Diaconis, Fill and Pitman, "Analysis of top to random shuffles", Combin. Probab. Comput. 1
(1992). Turning a shuffle round in time changes none of the distances.
"""

from fractions import Fraction
from itertools import pairwise
from math import comb, factorial

from fairdeck.mixing.distance import Distance
from fairdeck.mixing.limits import cards, whole
from fairdeck.mixing.riffles import compared

SOURCE = "Diaconis, Fill and Pitman, Combin. Probab. Comput. 1 (1992)"
MOST_MOVES = 20_000


def top_to_random_shuffles(n: int, moves: int) -> Distance:
    """Return the distances of `n` cards from uniform after so many moves of the top card.

    Args:
        n: cards, 1 to 1,000.
        moves: 0 to 20,000.

    >>> round(float(top_to_random_shuffles(52, 205).total_variation), 4)
    0.1262
    """
    taken = _taken(n, moves)
    weights, fair = [], []
    likely = 0  # n! n^k times the chance of one order: from the moves that took j cards or more
    for j in range(n, -1, -1):
        likely += taken[j] * factorial(n - j)
        # Orders whose lowest n - j cards, and no more, are as they were; one card alone always is.
        orders = _kept(n, j) - (_kept(n, j - 1) if j else 0)
        if orders:
            weights.append(orders * likely)
            fair.append(orders)
    return compared(list(zip(weights, fair, strict=True)), factorial(n) * n**moves, SOURCE)


def taken_law(n: int, moves: int) -> tuple[Fraction, ...]:
    """Return the law of how many different cards so many moves take: entry j is for j of them, 0 to n.

    >>> [str(chance) for chance in taken_law(3, 2)]
    ['0', '1/3', '2/3', '0']
    """
    return tuple([Fraction(ways, n**moves) for ways in _taken(n, moves)])


def _taken(n: int, moves: int) -> list[int]:
    """Return of the n^k ways that k balls fall into n boxes, those that fill 0, 1, ..., n of them.

    ``C(n, j)`` choices of j boxes, times the j-th difference of ``x^k`` at 0, the ways onto exactly those
    (Stirling numbers times j!; Knuth, TAOCP 1, section 1.2.6).
    """
    cards(n)
    row = [x ** whole("moves", moves, 0, MOST_MOVES) for x in range(n + 1)]
    found = []
    for j in range(n + 1):
        found.append(comb(n, j) * row[0])
        row = [after - before for before, after in pairwise(row)]
    return found


def _kept(n: int, j: int) -> int:
    """Return how many orders keep the lowest n - j cards in the old order."""
    return factorial(n) // factorial(n - j)
