"""Shuffles of any size made from a cipher of 2^k points that only makes even orders. The counts of odd orders show it.

A Feistel round adds a number of b bits, made from the other bits, to b bits: that is a product of swaps of pairs, an
even number of them from b = 2 on. So a cipher of such rounds reaches half of all orders of its 2^k points (Even and
Goldreich, "DES-like functions can generate the alternating group", IEEE Trans. Inf. Theory 29, 1983). A round may also
map b bits to b bits, if another bit stays beside them, or exchange two of k > 2 bits: both come in an even number of
copies. If all even orders of N = 2^k points are equally likely, then with n cards

* the points from n on may be **left out**: the order is fair below N cards and even at N. For two points left out may
  be swapped, which leaves the order of the cards; and one lies at an even place as often as at an odd one.
* or the cipher may be **walked** (Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002): it is
  applied again until the point is below n. Then the order is odd with the chance of `odd_when_walked`, and **nothing
  but its parity is unfair**: an even order of the cards after the cipher is an even order of the points again, and
  the same after the walk; so even orders are equally likely, and odd ones. A swap by one fair coin repairs it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scipy.special import bdtr, bdtrc

from fairdeck.lab.causes import NOT_SHUFFLED, REFUSED, Cause
from fairdeck.lab.sizes import named

FEWEST_POINTS = tuple(2**bits for bits in range(1, 17))  # that such a cipher has, however small the deck
ODD_BY_CHANCE = 1e-6
SHOWN = 6  # sizes whose counts are told
FAULTS = frozenset({"parity", "cycles", "every order"})  # the statistics that see this
REPAIR = "decide with one more random bit whether two points are swapped, or draw the order by random swaps"


@dataclass(frozen=True)
class Odd:
    """How many orders of some decks are odd."""

    cards: int
    odd: int
    decks: int

    def chance(self, share: float) -> float:
        """Return the chance of a count as odd if this share of orders is odd: twice that of the nearer end."""
        few, many = bdtr(self.odd, self.decks, share), bdtrc(self.odd - 1, self.decks, share)
        return min(1.0, 2 * float(min(few, many)))


def points(cards: int, fewest: int) -> int:
    """Return the points of the cipher for so many cards: a power of two, `fewest` or more."""
    return max(fewest, 1 << (cards - 1).bit_length())


def odd_when_walked(cards: int, points: int) -> Fraction:
    """Return the chance of an odd order when a uniform even order of the points is walked down to the cards.

    The sign of the walked order is that of the whole one times (-1)^(r - Y), with r points left out and Y cycles wholly
    among these. Its mean over even orders is the mean of (-1)^(r - Y) over all orders. Put the cards in first, then the
    other points one by one: E x^Y is the product of (m + x)/(m + 1) for m = n to N - 1, which telescopes at x = -1.

    >>> odd_when_walked(4, 4), odd_when_walked(3, 4), odd_when_walked(2, 4)
    (Fraction(0, 1), Fraction(3, 4), Fraction(5, 12))
    """
    n, full = cards, points
    kept = Fraction(n * (n - 1), full * (full - 1))
    return (1 + kept if (full - n) % 2 else 1 - kept) / 2


def causes_at(counts: Sequence[Odd], *, nothing_else: bool) -> Iterator[Cause]:
    """Yield the cause, if the counts of odd orders at several sizes show it.

    Args:
        counts: of decks that were made after the shuffle had failed, or at a size where it did not fail.
        nothing_else: whether the shuffle failed by statistics that see the parity, and by no other.
    """
    counts = sorted(counts, key=lambda each: each.cards)
    odd = [each for each in counts if each.chance(0.5) <= ODD_BY_CHANCE]
    if not odd:
        return
    walked = [fewest for fewest in FEWEST_POINTS if _fits(counts, _when_walked(counts, fewest))]
    even = {n: 0.0 if _is_power(n) and n >= odd[0].cards else 0.5 for n in _sizes(counts)}
    if _fits(counts, even):
        whole = [each for each in counts if not even[each.cards]]
        seen = f"no odd order in {sum(each.decks for each in whole):,} decks of {named(_sizes(whole))} cards"
        words = f"every order of {named(_sizes(whole))} cards is even, as an even-only cipher of 2^k points makes it"
        words += "" if walked else ", whose points beyond the deck are left out"
        yield Cause(words, seen, REPAIR, NOT_SHUFFLED, certain=nothing_else)
    elif walked:
        fewest = walked[0]  # of several that fit, none is named: only smaller decks tell them apart
        expected = _when_walked(counts, fewest)
        telling = sorted(counts, key=lambda each: (not expected[each.cards], -abs(expected[each.cards] - 0.5)))[:SHOWN]
        told = (
            f"{each.cards:,} cards: {each.odd:,} of {each.decks:,} ({each.decks * expected[each.cards]:.3g})"
            for each in sorted(telling, key=lambda each: each.cards)
        )
        least = f", {fewest} or more" if len(walked) == 1 and fewest > counts[0].cards else ""
        words = f"an even-only cipher of 2^k points{least}, walked down to the deck"
        yield Cause(
            words,
            f"decks in an odd order, and in brackets how many it predicts: {'; '.join(told)}",
            REPAIR,
            NOT_SHUFFLED,
            certain=nothing_else,
        )


def _when_walked(counts: Sequence[Odd], fewest: int) -> dict[int, float]:
    """Return the chance of an odd order at each size, if the cipher is walked."""
    return {n: float(odd_when_walked(n, points(n, fewest))) for n in _sizes(counts)}


def _fits(counts: Sequence[Odd], shares: dict[int, float]) -> bool:
    """Tell whether these shares explain all counts."""
    return all(each.chance(shares[each.cards]) > REFUSED / len(counts) for each in counts)


def _sizes(counts: Sequence[Odd]) -> list[int]:
    return [each.cards for each in counts]


def _is_power(cards: int) -> bool:
    return cards.bit_count() == 1
