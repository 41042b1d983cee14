"""What counting alone says: a procedure that cannot reach most orders is far from uniform.

If at most s of the n! orders can come, from a known order, the total variation is at least
``1 - s/n!``: bet on the orders that can come. So it needs ``log2 n!`` bits of choice, and each
motion of the hands has only so many.
Source: Bayer and Diaconis, Ann. Appl. Probab. 2 (1992), for riffles.
"""

from fractions import Fraction
from math import comb, factorial, log2, prod

from fairdeck.errors import FairdeckError
from fairdeck.mixing.distance import Distance
from fairdeck.mixing.limits import MOST_CARDS, MOST_RIFFLES, cards, whole


def bits_needed(n: int) -> float:
    """Return ``log2 n!``, the bits of choice in a deck of `n` cards, 1 to 1,000.

    >>> round(bits_needed(52), 1)
    225.6
    """
    return log2(factorial(cards(n)))


def least_distance(n: int, *choices: int) -> Fraction:
    """Return what the total variation is at least, 0 to 1, if each motion has at most so many outcomes.

    Args:
        n: cards, 1 to 1,000.
        choices: for each motion how many outcomes it has at most, as the functions here count them.

    >>> least_distance(3, 4)
    Fraction(1, 3)
    """
    cards(n)
    for count in choices:
        whole("outcomes of a motion", count, 1)
    return max(Fraction(0), 1 - Fraction(prod(choices), factorial(n)))


def even_over(n: int, orders: int, source: str) -> Distance:
    """Return the distances of `n` cards from uniform if so many orders can come, each as likely as the others.

    Args:
        n: cards, 1 to 1,000.
        orders: 1 to n!.
        source: what to say of it.

    >>> even_over(3, 3, "a cut").total_variation
    Fraction(1, 2)
    """
    all_ = factorial(cards(n))
    whole("orders", orders, 1, all_)
    shortfall = Fraction(orders < all_)
    return Distance(1 - Fraction(orders, all_), shortfall, max(Fraction(all_, orders) - 1, shortfall), True, source)


def riffle_choices(n: int, packets: int = 2) -> int:
    """Return how many orders one riffle makes: those with at most so many rising sequences, `packets` 1 or more.

    >>> riffle_choices(52) == 2**52 - 52
    True
    """
    cards(n)
    r = min(whole("packets", packets, 1, 2**MOST_RIFFLES), n)
    # The orders with at most r rising sequences; Knuth, TAOCP 3, 5.1.3, summed.
    return sum([(-1) ** j * comb(n, j) * (r - j) ** n for j in range(r)])


def cut_choices(n: int) -> int:
    """Return how many orders a cut makes: n."""
    return cards(n)


def overhand_choices(n: int, packets: int | None = None) -> int:
    """Return how many orders an overhand shuffle, a strip or a box makes, with at most so many packets.

    >>> round(log2(overhand_choices(52)), 1), round(log2(overhand_choices(52, 9)), 1)
    (51.0, 29.5)
    """
    cards(n)
    if packets is None:
        return int(2 ** (n - 1))
    return sum([comb(n - 1, gaps) for gaps in range(min(whole("packets", packets, 1), n))])


def shelf_choices(n: int, shelves: int) -> int:
    """Return how many ways a machine of so many shelves has: at least as many as the orders it makes."""
    return int((2 * whole("shelves", shelves, 1, 10**9)) ** cards(n))


def label_choices(n: int, piles: int) -> int:
    """Return how many ways there are to deal each card onto one of so many piles."""
    return int(whole("piles", piles, 1, 10**9) ** cards(n))


def gather_choices(piles: int) -> int:
    """Return how many ways there are to stack so many piles."""
    return factorial(whole("piles", piles, 1, MOST_CARDS))


def motions_needed(n: int, choices: int) -> int:
    """Return how many equal motions it takes at least until every order can come.

    >>> motions_needed(52, riffle_choices(52))
    5
    """
    cards(n)
    if n == 1:
        return 0
    if whole("outcomes of a motion", choices, 1) == 1:
        raise FairdeckError("outcomes of a motion: 1; a motion without choice never makes another order")
    motions, reached = 0, 1
    while reached < factorial(n):
        motions, reached = motions + 1, reached * choices
    return motions
