"""Decks with cards alike: riffles from an order in which each kind lies together.

When only kinds are seen, fewer riffles are enough. The separation has a formula for any kinds; the
total variation is exact for small decks, and for two kinds a likelihood makes sampling easy.
Sources: Assaf, Diaconis and Soundararajan, "A rule of thumb for riffle shuffling", Ann. Appl. Probab.
21 (2011); Conger and Viswanath, "Riffle shuffles of decks with repeated cards", Ann. Probab.
34 (2006), on why the total variation is hard.
"""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, factorial, fsum, prod, sqrt
from operator import mul
from typing import TYPE_CHECKING

from fairdeck.errors import FairdeckError
from fairdeck.mixing.distance import Distance
from fairdeck.mixing.limits import MOST_ENUMERATED, MOST_RIFFLES, cards, kinds, whole
from fairdeck.mixing.riffles import MOST_PACKETS, compared, eulerian_numbers, seen

if TYPE_CHECKING:
    from random import Random

SEPARATION = "Assaf, Diaconis and Soundararajan, Ann. Appl. Probab. 21 (2011)"
PATTERNS = "the likelihood of a pattern, after Assaf, Diaconis and Soundararajan, Ann. Appl. Probab. 21 (2011)"
MOST_PATTERNS = 100_000
MOST_LIKELIHOOD_RIFFLES = 14
MOST_LIKELIHOOD_CARDS = 208


def kinds_separation(counts: Sequence[int], times: int) -> Distance:
    """Return the separation of the pattern of kinds after riffles of a deck in which each kind lies together.

    Args:
        counts: how many cards each kind has, as (26, 26) for two colours; 1 to 1,000 together.
        times: riffles, 0 to 1,000.

    >>> round(float(kinds_separation((26, 26), 7).separation), 3)
    0.179
    """
    return kinds_a_shuffle(counts, 2 ** whole("riffles", times, 0, MOST_RIFFLES))


def kinds_a_shuffle(counts: Sequence[int], packets: int) -> Distance:
    """Return the separation of the pattern of kinds after one riffle of so many packets, each kind lying together.

    The sum of the source over the ends of the kinds is the coefficient of ``x^a`` in a product of series,
    one for each kind, whose numerators are Eulerian polynomials; so it is a short sum for any number of packets.

    Args:
        counts: how many cards each kind has; 1 to 1,000 together.
        packets: 1 (which changes nothing) to 2^1,000.

    >>> round(float(kinds_a_shuffle((26, 26), 128).separation), 3)
    0.179
    """
    n = kinds(counts)
    a = whole("packets", packets, 1, MOST_PACKETS)
    ways = 0
    for falls, orders in enumerate(_numerators(tuple(counts))):
        left = a - len(counts) - falls
        if left < 0:
            break
        ways += orders * comb(left + n, n)
    patterns = factorial(n) // prod([factorial(count) for count in counts])
    return Distance(None, 1 - Fraction(patterns * ways, a**n), None, True, SEPARATION)


@lru_cache(maxsize=16)
def _numerators(counts: tuple[int, ...]) -> tuple[int, ...]:
    """Return the product of the Eulerian polynomials of the kinds, lowest coefficient first."""
    product: Sequence[int] = (1,)
    for count in counts:
        product = _multiplied(product, eulerian_numbers(count))
    return tuple(product)


def _multiplied(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the product of two polynomials, lowest coefficients first; none is negative.

    As one product of two long integers, in whose digits to a large base the coefficients stand.
    """
    width = (max(one).bit_length() + max(other).bit_length() + len(one).bit_length() + 7) // 8
    packed = [
        int.from_bytes(b"".join([value.to_bytes(width, "little") for value in values]), "little")
        for values in (one, other)
    ]
    size = len(one) + len(other) - 1
    digits = (packed[0] * packed[1]).to_bytes(width * size, "little")
    return [int.from_bytes(digits[at : at + width], "little") for at in range(0, width * size, width)]


def seen_kinds(deck: Sequence[Hashable], times: int) -> Distance:
    """Return the exact distances of the pattern of kinds after riffles, from any order of up to 9 cards.

    Args:
        deck: the kind of each card, base first; the kinds need not lie together.
        times: riffles, 0 to 1,000.

    >>> seen_kinds("bbrr", 1).total_variation
    Fraction(7, 24)
    """
    cards(len(deck), MOST_ENUMERATED)
    whole("riffles", times, 0, MOST_RIFFLES)

    def pattern(destinations: Sequence[int]) -> tuple[Hashable, ...]:
        return tuple([kind for _, kind in sorted(zip(destinations, deck, strict=True), key=lambda pair: pair[0])])

    return seen(len(deck), 2**times, pattern)


def pattern_chance(pattern: Sequence[bool], packets: int) -> Fraction:
    """Return how likely one pattern of two kinds is after a riffle of a deck with one kind below the other.

    Args:
        pattern: for each place, base first, whether a card of the kind that began at the base lies there. For
            the kind that began on top, read the pattern from the top.
        packets: of the riffle, 1 to 2^14; k riffles are one of 2^k.

    >>> pattern_chance((True, True, False, False), 2)
    Fraction(7, 16)
    """
    n = cards(len(pattern))
    a = whole("packets", packets, 1, 2**MOST_LIKELIHOOD_RIFFLES)
    lower = sum(map(bool, pattern))
    if lower == 0:
        return Fraction(1)
    ways = 0
    mine = others = 0
    for place in pattern:
        if place:
            # This place takes the last of the lower kind: all others of it have smaller labels, or the same and lie
            # beneath; all of the upper kind have larger labels, or the same and lie above.
            for c in range(1, a + 1):
                ways += (
                    c**mine * (c - 1) ** (lower - 1 - mine) * (a - c) ** others * (a - c + 1) ** (n - lower - others)
                )
        mine, others = mine + bool(place), others + (not place)
    return Fraction(ways, a**n)


def _table(n: int, lower: int, a: int) -> list[list[int]]:
    """Return the sums of `pattern_chance` by how many cards of either kind lie beneath the place, over a^n."""
    upper = n - lower
    rows = [[c**r * (c - 1) ** (lower - 1 - r) for c in range(1, a + 1)] for r in range(lower)]
    columns = [[(a - c) ** b * (a - c + 1) ** (upper - b) for c in range(1, a + 1)] for b in range(upper + 1)]
    return [[sum(map(mul, row, column)) for column in columns] for row in rows]


def two_kinds(lower: int, upper: int, times: int) -> Distance:
    """Return the exact distances of the pattern of two kinds after riffles, one kind below the other.

    Args:
        lower: cards of the kind at the base, 1 or more.
        upper: cards of the kind on top, 1 or more; at most 100,000 patterns together, as for 9 and 9.
        times: riffles, 0 to 14.

    >>> round(float(two_kinds(6, 6, 3).total_variation), 4)
    0.1051
    """
    n = kinds((lower, upper))
    a = 2 ** whole("riffles", times, 0, MOST_LIKELIHOOD_RIFFLES)
    if comb(n, lower) > MOST_PATTERNS:
        raise FairdeckError(f"{lower} and {upper} cards have too many patterns to go through; use Patterns and sample")
    table = _table(n, lower, a)
    weights = [
        (sum([table[r][place - r] for r, place in enumerate(places)]), 1) for places in combinations(range(n), lower)
    ]
    return compared(weights, a**n, PATTERNS)


class Patterns:
    """How much likelier than on a fair deck a pattern of two kinds is after riffles, one kind below the other.

    Made once, it answers for any pattern in as many steps as there are cards, right to about twelve digits.
    """

    def __init__(self, lower: int, upper: int, times: int) -> None:
        """Prepare the sums.

        Args:
            lower: cards of the kind at the base, 1 or more.
            upper: cards of the kind on top, 1 or more; up to 208 cards together.
            times: riffles, 0 to 14.
        """
        n = kinds((lower, upper), MOST_LIKELIHOOD_CARDS)
        a = 2 ** whole("riffles", times, 0, MOST_LIKELIHOOD_RIFFLES)
        self.cards, self.lower, self.times = n, lower, times
        labels = [(c / a, (c - 1) / a, (a - c) / a, (a - c + 1) / a) for c in range(1, a + 1)]
        rows = [[up**r * under ** (lower - 1 - r) for up, under, _, _ in labels] for r in range(lower)]
        columns = [[over**b * down ** (upper - b) for _, _, over, down in labels] for b in range(upper + 1)]
        scale = comb(n, lower) / a
        self._table = [[scale * sum(map(mul, row, column)) for column in columns] for row in rows]

    def ratio(self, places: Sequence[int]) -> float:
        """Return the chance of a pattern over that on a fair deck, from the places of the lower kind, in rising order.

        >>> Patterns(2, 2, 1).ratio((0, 1))
        2.625
        """
        return fsum([row[place - r] for r, (row, place) in enumerate(zip(self._table, places, strict=True))])

    def estimate(self, rng: "Random", samples: int) -> tuple[float, float]:
        """Return an estimate of the total variation from so many fair patterns, and its standard error.

        Args:
            rng: the source of the patterns.
            samples: 2 or more; the shortfall of each pattern is averaged.
        """
        whole("samples", samples, 2)
        total = squares = 0.0
        for _ in range(samples):
            short = max(0.0, 1 - self.ratio(sorted(rng.sample(range(self.cards), self.lower))))
            total += short
            squares += short * short
        mean = total / samples
        return mean, sqrt(max(0.0, squares / samples - mean * mean) / (samples - 1))
