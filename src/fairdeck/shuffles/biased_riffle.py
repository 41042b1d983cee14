"""Riffles that are cut unevenly: each card belongs to the lower packet with chance p, to the other with q = 1 - p.

Seen backwards, k such riffles give each card one of 2^k labels and sort by them; ``C(k, i)`` of
the labels have the chance ``p^i q^(k-i)``. The least likely order needs all labels different and the
likeliest takes any, so with e_n and h_n the elementary and complete symmetric polynomials of those
2^k chances the separation is ``1 - n! e_n`` and the greatest excess ``n! h_n - 1``. Their power sums
are ``(p^j + q^j)^k``, and Newton's identities give the rest. No such formula gives the total variation.
Sources: Diaconis, Fill and Pitman, "Analysis of top to random shuffles", Combin. Probab. Comput. 1
(1992); Fulman, "The combinatorics of biased riffle shuffles", Combinatorica 18 (1998).

`fairdeck.shuffles.hand_riffle` lists this model under the name ``riffle(cut=0.6)``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, inf, log
from random import Random

from fairdeck.numbers import whole
from fairdeck.shuffles.distances import MOST_RIFFLES, Distance, cards, chance
from fairdeck.shuffles.known import KernelRow, Model
from fairdeck.shuffles.riffle import Riffle, two_packets

SOURCE = "Fulman, Combinatorica 18 (1998); Diaconis, Fill and Pitman, Combin. Probab. Comput. 1 (1992)"
EXACT_BITS = 16_000  # of the common denominator; beyond it the same sums are made to fifteen decimals
SPARE = 96  # bits kept below the last that counts


@dataclass(frozen=True, slots=True)
class BiasedRiffle(Model):
    """The riffle of Gilbert, Shannon and Reeds with an uneven cut: the lower packet gets a share `cut` on average.

    The packets drop in proportion to their sizes, as in the even riffle; described backwards,
    each place gets the label of the lower packet with probability `cut`. The orders of `cut` are those of
    ``1 - cut`` turned over, so both are equally far from fair.
    """

    cut: float

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        random, cut = rng.random, self.cut
        labels = 0
        for _ in range(n):
            labels = labels << 1 | (random() >= cut)
        return two_packets(n, labels)

    @classmethod
    def law(cls, in_turn: Sequence["BiasedRiffle"], n: int) -> Distance | None:
        """Return the law if all are cut alike."""
        cuts = {each.cut for each in in_turn}
        return biased_riffles(n, len(in_turn), cuts.pop()) if len(cuts) == 1 else None

    def support(self, n: int, times: int = 1) -> int:
        return Riffle().support(n, times)

    def cutoff(self, n: int) -> float:
        """Return about how many bring the total variation down; for an even cut ``(3/2) log2 n``.

        Sources: Lalley, "On the rate of mixing for p-shuffles", Ann. Appl. Probab. 10 (2000); Sellke, "Cutoff
        for the asymmetric riffle shuffle", Ann. Probab. 50 (2022). A theorem about large decks: for one deck it says
        where the distance falls, not how low.

        >>> round(BiasedRiffle(0.5).cutoff(52), 1), round(BiasedRiffle(0.95).cutoff(52), 1)
        (8.6, 77.0)
        """
        p = float(chance("the cut", self.cut))
        q = 1 - p
        larger = max(p, q)

        def psi(x: float) -> float:
            # The larger share is taken out, so that high powers do not vanish.
            return -x * log(larger) - log(1 + (min(p, q) / larger) ** x)

        wanted = 2 * psi(2)
        low, high = 1.0, 2.0
        while psi(high) < wanted:
            high *= 2
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (low, middle) if psi(middle) >= wanted else (middle, high)
        return max((3 + high) / (4 * psi(2)), 1 / -log(larger)) * log(n)

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("uneven riffle", p=self.cut)


def biased_riffles(n: int, times: int, cut: Fraction | float) -> Distance:
    """Return separation and l-infinity of `n` cards after uneven riffles.

    Args:
        n: cards, 1 to 1,000.
        times: riffles, 0 to 1,000.
        cut: the share of the deck in one packet, on average; above 0 and below 1. A float stands for its decimal.

    Returns:
        Fractions while their denominators stay below some 5,000 digits; beyond that floats, the separation
        right to fifteen decimals and the l-infinity to fifteen digits.

    >>> round(float(biased_riffles(52, 12, 0.6).separation), 3)
    0.404
    """
    cards(n)
    k = whole("riffles", times, 0, MOST_RIFFLES)
    p = chance("the cut", cut)
    if n * k * p.denominator.bit_length() <= EXACT_BITS:
        least, most = _exactly(n, k, p)
        return Distance(None, 1 - least, max(most - 1, 1 - least), True, SOURCE)
    small, large = _closely(n, k, p)
    return Distance(None, 1 - small, max(large - 1, 1 - small), True, SOURCE)


def _exactly(n: int, k: int, p: Fraction) -> tuple[Fraction, Fraction]:
    """Return n! e_n and n! h_n, from chances that are whole numbers over one denominator."""
    one, other = p.numerator, p.denominator - p.numerator
    powers = [0, *[(one**j + other**j) ** k for j in range(1, n + 1)]]
    e, h = [1], [1]
    for m in range(1, n + 1):
        terms = [(powers[j] * e[m - j], powers[j] * h[m - j]) for j in range(1, m + 1)]
        e.append((sum([a for a, _ in terms[::2]]) - sum([a for a, _ in terms[1::2]])) // m)
        h.append(sum([b for _, b in terms]) // m)
    whole_ = Fraction(factorial(n), p.denominator ** (k * n))
    return e[n] * whole_, h[n] * whole_


def _closely(n: int, k: int, p: Fraction) -> tuple[float, float]:
    """Return the same in binary fractions, with enough bits that the alternating sum keeps all that matter.

    The chances are multiplied by n, which makes e_m and h_m about n^m/m!. An error of one unit in any
    e_m grows in e_n at most as h_(n-m) does, so the length of h_n says how many bits to carry.
    """
    h = _newton(n, _powers(n, k, p, SPARE), SPARE, 1)
    bits = SPARE + 2 * n.bit_length() + max(0, max(h).bit_length() - SPARE)
    e = _newton(n, _powers(n, k, p, bits), bits, -1)
    small = max(0.0, factorial(n) * e[n] / (n**n << bits))
    try:
        return small, factorial(n) * h[n] / (n**n << SPARE)
    except OverflowError:
        return small, inf


def _powers(n: int, k: int, p: Fraction, bits: int) -> list[int]:
    """Return ``n^j (p^j + q^j)^k`` in units of 2^-bits, up to the last that is not zero; entry 0 stands for j = 0."""
    found = [0]
    room = bits + 2 * (n + k).bit_length() + n * n.bit_length()
    one = (p.numerator << room) // p.denominator
    other = (1 << room) - one
    up, down = 1 << room, 1 << room
    for j in range(1, n + 1):
        up, down = up * one >> room, down * other >> room
        found.append(n**j * _power(up + down, k, room) >> (room - bits))
    while len(found) > 1 and not found[-1]:
        found.pop()
    return found


def _power(base: int, exponent: int, bits: int) -> int:
    """Return a number of at most 1 to a power, all in units of 2^-bits."""
    result = 1 << bits
    while exponent:
        if exponent & 1:
            result = result * base >> bits
        base = base * base >> bits
        exponent >>= 1
    return result


def _newton(n: int, powers: list[int], bits: int, sign: int) -> list[int]:
    """Return e_0 ... e_n (sign -1) or h_0 ... h_n (sign 1) from the power sums, all in units of 2^-bits."""
    signed = [power if j % 2 else sign * power for j, power in enumerate(powers)]
    found = [1 << bits]
    for m in range(1, n + 1):
        last = min(m, len(signed) - 1)
        total = sum([power * before for power, before in zip(signed[1 : last + 1], found[::-1][:last], strict=True)])
        found.append((total >> bits) // m)
    return found
