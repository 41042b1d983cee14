"""The riffle of Gilbert, Shannon and Reeds: the exact law after any number of them.

A riffle of a packets (an a-shuffle) followed by one of b packets is a riffle of ab packets; so k
riffles are one of 2^k packets. How likely an order is depends on its rising sequences alone:
with r of them it is ``C(a + n - r, n) / a^n``.
Source of all of it: Bayer and Diaconis, "Trailing the dovetail shuffle to its lair", Ann. Appl.
Probab. 2 (1992).

Everything is counted in whole numbers over ``a^n n!``. The orders with few rising sequences are
more likely than 1/n! and those with many less, so the total variation needs one partial sum, up
to where the sign turns.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import comb, factorial

from fairdeck.mixing.distance import Distance
from fairdeck.mixing.limits import MOST_ENUMERATED, MOST_RIFFLES, cards, whole
from fairdeck.permutation import Permutation, descents, permutation_of, rising_sequences

SOURCE = "Bayer and Diaconis, Ann. Appl. Probab. 2 (1992)"
MOST_PACKETS = 2**MOST_RIFFLES


def gsr_riffles(n: int, times: int) -> Distance:
    """Return the distances of a deck of `n` cards from uniform after riffles.

    Args:
        n: cards, 1 to 1,000.
        times: riffles, 0 to 1,000.

    >>> round(float(gsr_riffles(52, 7).total_variation), 4)
    0.3341
    """
    cards(n)
    return a_shuffle(n, 2 ** whole("riffles", times, 0, MOST_RIFFLES))


def a_shuffle(n: int, packets: int) -> Distance:
    """Return the distances of a deck of `n` cards from uniform after one riffle of so many packets.

    Args:
        n: cards, 1 to 1,000.
        packets: 1 (which changes nothing) to 2^1,000.

    >>> a_shuffle(3, 2)  # doctest: +ELLIPSIS
    Distance(total_variation=Fraction(1, 3), separation=Fraction(1, 1), l_infinity=Fraction(2, 1), exact=True, ...)
    """
    cards(n)
    a = whole("packets", packets, 1, MOST_PACKETS)
    all_, ways = factorial(n), a**n
    likely = counted = 0  # in orders more likely than 1/n!: the ways of the riffle, and the orders
    each = _ways(n, a, 1)
    for rising, orders in enumerate(eulerian_numbers(n), 1):
        if each * all_ <= ways:
            break
        likely += orders * each
        counted += orders
        each = each * (a - rising) // (a - rising + n)
    variation = Fraction(likely * all_ - counted * ways, ways * all_)
    shortfall = Fraction(ways - all_ * _ways(n, a, n), ways)
    excess = Fraction(all_ * _ways(n, a, 1) - ways, ways)
    return Distance(variation, shortfall, max(excess, shortfall), True, SOURCE)


def rising_law(n: int, packets: int) -> tuple[Fraction, ...]:
    """Return the law of the rising sequences after a riffle of so many packets: entry i is for i+1 of them.

    After many packets it is nearly that of a fair deck, the Eulerian numbers over n!.

    >>> [str(chance) for chance in rising_law(3, 2)]
    ['1/2', '1/2', '0']
    """
    cards(n)
    a = whole("packets", packets, 1, MOST_PACKETS)
    return tuple([Fraction(orders * _ways(n, a, rising), a**n) for rising, orders in enumerate(eulerian_numbers(n), 1)])


def order_chance(order: Sequence[int], packets: int) -> Fraction:
    """Return how likely one arrangement is after a riffle of so many packets.

    Raises:
        FairdeckError: `order` is not a permutation, or there are too few or too many packets.

    >>> order_chance((0, 2, 1), 2)
    Fraction(1, 8)
    """
    n = cards(len(order))
    a = whole("packets", packets, 1, MOST_PACKETS)
    return Fraction(_ways(n, a, rising_sequences(permutation_of(order))), a**n)


def _ways(n: int, a: int, rising: int) -> int:
    """Return in how many of the a^n ways a riffle of `a` packets makes one order with so many rising sequences."""
    return comb(a + n - rising, n)


@lru_cache(maxsize=16)
def eulerian_numbers(n: int) -> tuple[int, ...]:
    """Return how many orders of `n` cards have 1, 2, ..., n rising sequences; the sum is n!.

    Source: Knuth, TAOCP 3, section 5.1.3. Half of them are counted, the others mirror those.

    >>> eulerian_numbers(4)
    (1, 11, 11, 1)
    """
    row = [1]
    for size in range(2, cards(n) + 1):
        if size % 2:
            row.append(row[-1])  # the first of the mirror image
        row = [1, *[(r + 1) * row[r] + (size - r) * row[r - 1] for r in range(1, len(row))]]
    return (*row, *row[: n // 2][::-1])


def seen(n: int, packets: int, of: Callable[[Permutation], Hashable]) -> Distance:
    """Return the distances when only a part of the order is seen, by going through all n! orders.

    Args:
        n: cards, 1 to 9.
        packets: of the riffle, 1 or more.
        of: what is seen of the destinations ``d``, where card i ends at place ``d[i]``.

    >>> seen(4, 2, lambda destinations: destinations[0]).total_variation  # where the base card is
    Fraction(5, 16)
    """
    cards(n, MOST_ENUMERATED)
    a = whole("packets", packets, 1, MOST_PACKETS)
    counts: Counter[tuple[Hashable, int]] = Counter()
    for destinations in permutations(range(n)):
        counts[of(destinations), descents(destinations) + 1] += 1
    likely: Counter[Hashable] = Counter()
    fair: Counter[Hashable] = Counter()
    each = [0, *[_ways(n, a, rising) for rising in range(1, n + 1)]]
    for (what, rising), orders in counts.items():
        likely[what] += orders * each[rising]
        fair[what] += orders
    return compared([(likely[what], orders) for what, orders in fair.items()], a**n, SOURCE)


def compared(weights: Sequence[tuple[int, int]], ways: int, source: str) -> Distance:
    """Return the exact distances between two laws on the same outcomes.

    Args:
        weights: for each outcome its weight in the law, over `ways`, and in the fair law, above 0, over their sum.
        ways: the sum of the weights in the law.
        source: what to say of it.
    """
    all_ = sum([fair for _, fair in weights])
    variation = sum([max(0, weight * all_ - fair * ways) for weight, fair in weights])
    low = high = weights[0]
    for one in weights:
        # Quotients are compared crosswise: to make fractions of such long numbers takes far longer.
        if one[0] * low[1] < low[0] * one[1]:
            low = one
        if one[0] * high[1] > high[0] * one[1]:
            high = one
    shortfall, excess = [Fraction(weight * all_, fair * ways) - 1 for weight, fair in (low, high)]
    return Distance(Fraction(variation, ways * all_), -shortfall, max(excess, -shortfall), True, source)
