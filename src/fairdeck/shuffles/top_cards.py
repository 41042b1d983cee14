"""The top cards of a deck after riffles: the exact law of what is seen where only the first cards are dealt.

k riffles are one of a = 2^k packets, and an order with r rising sequences has the chance ``C(a + n - r, n) / a^n`` (see
`fairdeck.shuffles.riffle`). If t of n different cards are seen, in their order, the unseen ones are the gaps between
them in the old order: one above the first, one below the last, others between neighbours. Given the seen cards, the
unseen ones of a gap of g lie in any order: their falls have the Eulerian law of g cards, independent from gap to gap.
Each gap that has a seen card below it adds one, and so does each pair of seen neighbours of the old order that now lie
the other way round. So the chance of what is seen depends only on the sizes of the gaps, whether there is one at
either end, and the number of those turned neighbours: the sums go through the partitions of the unseen cards.

The sums are in floating point, of numbers above 0 only. All chances are added up too: unless they give 1, no distance
is told.
"""

from functools import lru_cache
from itertools import product
from math import comb, factorial, perm
from operator import mul

from fairdeck.numbers import whole
from fairdeck.shuffles.distances import Distance
from fairdeck.shuffles.riffle import MOST_PACKETS, eulerian_numbers

SOURCE = "the rising sequences of all decks that begin alike, after Bayer and Diaconis, Ann. Appl. Probab. 2 (1992)"
MOST_CARDS = 170  # whose factorial is a float
MOST_WORK = 2_300_000  # partitions of the unseen cards, times these: a second
CLOSE = 1e-9  # by which the sum of all chances may differ from 1; a smaller distance is not told

Family = tuple[tuple[float, ...], int, float]


def known(n: int, seen: int) -> bool:
    """Return whether the law of the top `seen` of `n` cards takes a few seconds at most.

    >>> known(52, 10), known(104, 3), known(104, 10)
    (True, True, False)
    """
    return 1 <= seen <= n <= MOST_CARDS and _partitions(n - seen, seen + 1) * (n - seen) <= MOST_WORK


def _partitions(total: int, most: int) -> int:
    """Return how many partitions of `total` have at most `most` parts, which is as many as have no larger part."""
    ways = [1] + [0] * total
    for part in range(1, min(most, total) + 1):
        for at in range(part, total + 1):
            ways[at] += ways[at - part]
    return ways[total]


@lru_cache(maxsize=512)
def top_cards(n: int, seen: int, packets: int) -> Distance | None:
    """Return how far from uniform the top `seen` of `n` different cards are after one riffle of `packets` packets.

    That is None if the law takes long, see `known`, or if the distance is below the rounding errors.

    Args:
        n: cards, 1 to 1,000.
        seen: how many of them are seen in their order, 1 to `n`.
        packets: 1 (which changes nothing) to 2^1,000.

    >>> [round(top_cards(52, seen, 128).total_variation, 4) for seen in (1, 5, 23, 52)]
    [0.0042, 0.0496, 0.221, 0.3341]
    """
    if not known(n, whole("cards seen", seen, 1, n)):
        return None
    a = whole("packets", packets, 1, MOST_PACKETS)
    # By rising sequences, from 0: the chance of an order over that in a fair deck.
    ratios = [0.0, *[factorial(n) * comb(a + n - r, n) / a**n if r <= a else 0.0 for r in range(1, n + 1)]]
    turned = {gaps: _turned(n, seen, gaps) for gaps in range(min(seen + 1, n - seen) + 1)}
    sums = {
        gaps: [sum(map(mul, shares, ratios[rising:])) for rising in range(gaps, n + 1)]
        for gaps, shares in turned.items()
    }
    far = total = 0.0
    for falls, gaps, ways in _families(n - seen, seen + 1):
        total += ways * sum(map(mul, falls, sums[gaps]))
        for rising, share in enumerate(turned[gaps], gaps):
            excess = sum(map(mul, falls, ratios[rising:])) - 1
            if rising and excess <= 0:
                break  # more rising sequences are never likelier
            far += ways * share * max(0.0, excess)
    if abs(total - 1) > CLOSE or far < CLOSE:
        return None
    return Distance(min(1.0, far), None, None, True, SOURCE)


@lru_cache(maxsize=4)
def _families(unseen: int, most: int) -> list[Family]:
    """Return for each partition of the unseen cards into gaps the law of their falls, the gaps, and their orders."""
    laws = [tuple([orders / factorial(size) for orders in eulerian_numbers(size or 1)]) for size in range(unseen + 1)]
    found: list[Family] = []

    def add(falls: tuple[float, ...], left: int, last: int, gaps: int, equal: int, alike: int) -> None:
        # What is left is parted into gaps of one card, which have no falls; or a gap no larger than the last is added.
        if gaps + left <= most:
            found.append((falls, gaps + left, factorial(gaps + left) / (alike * factorial(left))))
        for size in range(min(last, left), 1, -1):
            if left - size > (most - gaps - 1) * size:
                break
            same = equal + 1 if gaps and size == last else 1
            short, long = sorted((falls, laws[size]), key=len)
            joined = [0.0] * (len(long) + len(short) - 1)
            for at, chance in enumerate(short):
                so_far = zip(joined[at:], long, strict=False)
                joined[at : at + len(long)] = [one + chance * other for one, other in so_far]
            add(tuple(joined), left - size, size, gaps + 1, same, alike * same)

    add((1.0,), unseen, unseen, 0, 0, 1)
    return found


def _turned(n: int, seen: int, gaps: int) -> list[float]:
    """Return the share of what may be seen with this number of gaps in a given order, by rising sequences over `gaps`.

    The seen cards are blocks of neighbours. Of their orders with some falls, those that a gap parts do not count.
    """
    shares = [0] * (seen + 1)
    for above, below in product((0, 1), repeat=2):
        blocks = gaps + 1 - above - below
        if above + below > gaps or not 1 <= blocks <= seen:
            continue
        for falls, orders in enumerate(eulerian_numbers(seen)):
            for kept in range(max(0, falls + 1 - blocks), falls + 1):
                parted = comb(falls, kept) * comb(seen - 1 - falls, blocks - 1 - falls + kept)
                shares[kept + 1 - below] += orders * parted
    return [share / perm(n, seen) for share in shares]
