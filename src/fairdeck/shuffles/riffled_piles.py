"""A random split into even piles, each pile riffled, the piles stacked.

If every way to spread the cards over the piles is equally likely, the choice of the cards in a pile is
fair, and only the order within the piles still depends on the old order. So the distances are those between
the product of the laws of the piles and the product of the uniform laws; and in each pile rising
sequences are all that matters (see `fairdeck.shuffles.riffle`). The result is near that of one riffle of more
packets: q piles riffled j times are about a riffle of q 2^j packets.
Source: the products are this project's, checked by counting all ways of up to five cards; each factor is
from Bayer and Diaconis, Ann. Appl. Probab. 2 (1992).
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, combinations_with_replacement
from math import comb, factorial, prod

from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.shuffles.distances import Distance, cards
from fairdeck.shuffles.riffle import eulerian_numbers

SOURCE = "products over the piles of the law of Bayer and Diaconis, Ann. Appl. Probab. 2 (1992)"
MOST_COMBINATIONS = 50_000
MOST_RIFFLES = 100


def riffled_piles(n: int, piles: int, riffles: int) -> Distance:
    """Return the distances of `n` cards after a random even split, `riffles` riffles of each pile, and stacking.

    Args:
        n: cards, 1 to 1,000.
        piles: 1 to n; their sizes differ by one card at most.
        riffles: of each pile, 0 to 100.

    >>> round(float(riffled_piles(104, 2, 7).total_variation), 4)
    0.4552
    """
    cards(n)
    whole("piles", piles, 1, n)
    a = 2 ** whole("riffles", riffles, 0, MOST_RIFFLES)
    small, larger = divmod(n, piles)
    sizes = [small + 1] * larger + [small] * (piles - larger)
    highest = prod([factorial(size) * comb(a + size - 1, size) for size in sizes])
    lowest = prod([factorial(size) * comb(a, size) for size in sizes])
    shortfall = 1 - Fraction(lowest, a**n)
    variation = _variation(a, sizes)
    return Distance(variation, shortfall, max(Fraction(highest, a**n) - 1, shortfall), True, SOURCE)


def _variation(a: int, sizes: list[int]) -> Fraction:
    """Return the exact total variation, from the two halves of the piles met in the middle.

    Piles of one size are alike, so each half lists multisets of rising sequences: in how
    many ways the riffles make one order of these piles, and the number of such orders.
    """
    one, other = _listed(a, sizes[::2]), _listed(a, sizes[1::2])
    fair = prod([factorial(size) for size in sizes])
    ways = int(a ** sum(sizes))
    other.sort()
    each = [weight for weight, _ in other]
    # The sums over those of the second half that are more likely than some bound: from the end.
    likely = [0, *accumulate([weight * orders for weight, orders in reversed(other)])]
    counted = [0, *accumulate([orders for _, orders in reversed(other)])]
    total = 0
    for weight, orders in one:
        if weight:
            above = len(other) - bisect_right(each, ways // (fair * weight))
            total += orders * (weight * fair * likely[above] - ways * counted[above])
    return Fraction(total, ways * fair)


def _listed(a: int, sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Return, for each choice of rising sequences in these piles, the ways to make one such order and their number."""
    found = [(1, 1)]
    for size, piles in Counter(sizes).items():
        if len(found) * comb(size + piles - 1, piles) > MOST_COMBINATIONS:
            raise FairdeckError(f"{len(sizes)} piles of {size} cards are too many to sum over; ask for fewer piles")
        law = [(comb(a + size - rising, size), orders) for rising, orders in enumerate(eulerian_numbers(size), 1)]
        chosen = []
        for rising in combinations_with_replacement(range(size), piles):
            same = factorial(piles)
            for count in Counter(rising).values():
                same //= factorial(count)
            each = prod([law[r][0] for r in rising])
            chosen.append((each, same * prod([law[r][1] for r in rising])))
        found = [(x * w, y * v) for x, y in found for w, v in chosen]
    return found
