"""The riffle of Gilbert, Shannon and Reeds: cut the deck about in half, let the halves fall together; its exact law.

A riffle of a packets (an a-shuffle) followed by one of b packets is a riffle of ab packets; so k riffles are one of 2^k
packets. The chance of an order depends on its rising sequences alone: with r of them it is ``C(a + n - r, n) / a^n``.
Source of all of it: Bayer and Diaconis, "Trailing the dovetail shuffle to its lair", Ann. Appl. Probab. 2 (1992).

Everything is counted in whole numbers over ``a^n n!``. The orders with few rising sequences are more likely than 1/n!
and those with many less, so the total variation needs one partial sum, up to where the sign turns.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import comb, factorial, log, prod
from random import Random

from fairdeck.numbers import whole
from fairdeck.permutation import Permutation, descents, inverse
from fairdeck.shuffles.distances import (
    MOST_ENUMERATED,
    MOST_RIFFLES,
    NEAR_RANDOM,
    Distance,
    cards,
    compared,
    missing_bits,
)
from fairdeck.shuffles.known import Family, KernelRow, Known, Model, Parameter

SOURCE = "Bayer and Diaconis, Ann. Appl. Probab. 2 (1992)"
MOST_PACKETS = 2**MOST_RIFFLES


@dataclass(frozen=True, slots=True)
class Riffle(Model):
    """The riffle of Gilbert, Shannon and Reeds, with any number of packets.

    Described backwards: give each place a random label, then let the first packet fill the places
    labelled 0 in order, the next those labelled 1, and so on.
    """

    packets: int = 2

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        if self.packets == 2:
            return two_packets(n, rng.getrandbits(n) if n else 0)
        labels = [rng.randrange(self.packets) for _ in range(n)]
        return inverse(sorted(range(n), key=labels.__getitem__))

    @classmethod
    def law(cls, in_turn: Sequence["Riffle"], n: int) -> Distance:
        return a_shuffle(n, prod(each.packets for each in in_turn))

    def support(self, n: int, times: int = 1) -> int:
        """Count the orders with at most as many rising sequences as packets. Source: Knuth, TAOCP 3, 5.1.3, summed.

        >>> Riffle().support(52) == 2**52 - 52
        True
        """
        r = min(whole("packets", self.packets, 1, MOST_PACKETS), cards(n))
        return int(sum([(-1) ** j * comb(n, j) * (r - j) ** n for j in range(r)]) ** times)

    def cutoff(self, n: int) -> float | None:
        """Return ``(3/2) log n``, to the base of the packets."""
        return None if self.packets == 1 else 1.5 * log(n) / log(self.packets)

    def guesses(self, n: int, times: int = 1) -> Fraction | None:
        return guessed_after_one(n) if self.packets == 2 and times == 1 else None

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("riffle", self.packets)


def two_packets(n: int, labels: int) -> Sequence[int]:
    """Return the riffle of two packets with a bit of `labels` for each place: 1 takes a card of the upper packet.

    Five times as fast as sorting.
    """
    cut = n - labels.bit_count()
    packets = (iter(range(cut)), iter(range(cut, n)))
    return [next(packets[labels >> place & 1]) for place in range(n)]


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


def guessed_after_one(n: int) -> Fraction:
    """Return how many cards the best player guesses right, on average, after one riffle of a known deck dealt face up.

    The best guess is the next card of the upper packet, until a card of the lower one shows where the deck was cut;
    then it is the next card of the packet with more cards left. With both packets known and s cards left, all
    interleavings together give ``t(s) = 2 t(s-1) + 2^(s-1) + C(s-1, (s-1)/2)`` right guesses, rounded down; in all
    ``2^n + n - 1 + t(0) + ... + t(n-1)`` of 2^n riffles. For more riffles no best way to guess is known.
    Source of the best guess: Liu, "On card guessing game with one time riffle shuffle and complete feedback" (2020),
    arXiv 1908.07718; the sum is this project's, checked by enumeration.

    >>> round(float(guessed_after_one(52)), 3)
    31.17
    """
    right, both = 2 ** cards(n) + n - 1, 0
    for left in range(1, n):
        both = 2 * both + 2 ** (left - 1) + comb(left - 1, (left - 1) // 2)
        right += both
    return Fraction(right, 2**n)


def usual_riffles(n: int) -> int:
    """Return the fewest riffles after which the total variation of `n` cards is at most `NEAR_RANDOM`.

    >>> usual_riffles(52), usual_riffles(104)
    (10, 12)
    """
    return next(times for times in range(MOST_RIFFLES) if (gsr_riffles(n, times).total_variation or 0) <= NEAR_RANDOM)


def a_shuffle(n: int, packets: int) -> Distance:
    """Return the distances of a deck of `n` cards from uniform after one riffle of `packets` packets.

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
    weights = []
    each = _ways(n, a, 1)
    for rising, orders in enumerate(eulerian_numbers(n), 1):
        weights.append((orders * each, orders))
        if each * all_ > ways:
            likely += orders * each
            counted += orders
        each = each * (a - rising) // (a - rising + n)
    variation = Fraction(likely * all_ - counted * ways, ways * all_)
    shortfall = Fraction(ways - all_ * _ways(n, a, n), ways)
    excess = Fraction(all_ * _ways(n, a, 1) - ways, ways)
    missing = missing_bits(weights, ways, all_)
    return Distance(variation, shortfall, max(excess, shortfall), True, SOURCE, missing_bits=missing)


def rising_law(n: int, packets: int) -> tuple[Fraction, ...]:
    """Return the law of the rising sequences after a riffle of `packets` packets: entry i is for i+1 of them.

    After many packets it is nearly that of a fair deck, the Eulerian numbers over n!.

    >>> [str(chance) for chance in rising_law(3, 2)]
    ['1/2', '1/2', '0']
    """
    cards(n)
    a = whole("packets", packets, 1, MOST_PACKETS)
    return tuple([Fraction(orders * _ways(n, a, rising), a**n) for rising, orders in enumerate(eulerian_numbers(n), 1)])


def _ways(n: int, a: int, rising: int) -> int:
    """Return in how many of its a^n ways a riffle of `a` packets makes one order with `rising` rising sequences."""
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

    >>> seen(4, 2, lambda destinations: destinations[0]).total_variation  # where the bottom card is
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


KNOWN = (
    Known(
        "riffle",
        Riffle(),
        says="leaves the old order in few rising sequences: at most two after one riffle, four after two",
        source=SOURCE,
        by_hand=True,
    ),
)

FAMILIES = (
    Family(
        "a-shuffle",
        (Parameter("packets", "how many", int, 1, 1_000_000_000, needed=True),),
        Riffle,
        says="a riffle of that many packets: at most as many rising sequences; a, then b packets are one riffle of ab",
        source=SOURCE,
        example="a-shuffle(49)",
    ),
)
