"""Inversions: pairs of cards in falling order. Beyond `MOST` cards they are judged as a sum of uniform numbers."""

from functools import cache
from itertools import accumulate
from typing import ClassVar

import numpy as np

from fairdeck.bulk.shapes import Values, card_type
from fairdeck.lab.laws.scalar import Law, log_sinhc, whole_numbers
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.sums import LargeSum
from fairdeck.lab.view import View

MOST = 200  # the law of n cards has n(n-1)/2 entries of about n log2 n bits
ROWS = 255  # rows of ones that a byte can add up
LAST = 4  # bits


@cache
def mahonian_law(n: int) -> Law:
    """Return the law of the inversions of `n` cards; that of the major index as well.

    The generating function is the product of 1 + q + ... + q^(i-1), i up to n. Source: Knuth,
    TAOCP 3, section 5.1.1; MacMahon (1913) for the major index.

    >>> mahonian_law(3)
    Law(low=0, weights=(1, 2, 2, 1))
    """
    weights = [1]
    for more in range(1, n):
        # Each entry is a sum of more + 1 neighbours: a difference of two running sums.
        sums = [0, *accumulate([*weights, *[0] * more])]
        weights = [*sums[1 : more + 1], *(above - below for above, below in zip(sums[more + 1 :], sums, strict=False))]
    return Law(0, tuple(weights))


def inversions(view: View) -> Values:
    """Return the pairs of each deck that stand in falling order, read from the bottom."""
    if view.cards > MOST:
        return _of_large(view)
    columns = view.columns.astype(np.uint8) if view.cards <= 256 else view.columns  # narrow entries compare faster
    found = np.zeros(view.decks, dtype=np.int64)
    for place in range(view.cards - 1):
        for start in range(place + 1, view.cards, ROWS):
            smaller = columns[start : start + ROWS] < columns[place]
            found += np.add.reduce(smaller.view(np.uint8), axis=0, dtype=np.uint8)
    return found


def _of_large(view: View) -> Values:
    """Return the inversions, bit by bit from the highest: the pairs that agree above a bit and fall at it.

    Larger cards are added on top until their number is a power of two, so that half of the cards that agree above a bit
    have it; they make no inversion. Cards that agree above the `LAST` bits are compared pair by pair.
    """
    n, decks = view.columns.shape
    bits = (n - 1).bit_length()
    half, here = 1 << (bits - 1), np.arange(decks)
    cards = np.tile(np.arange(2 * half, dtype=card_type(2 * half)), (decks, 1))
    cards[:, :n] = view.columns.T
    found = np.zeros(decks, dtype=np.int64)
    for bit in range(bits - 1, LAST - 1, -1):
        lower = (cards & (1 << bit)) == 0
        # As many cards with the bit lie before a card without it as its place tells, less those without it, and less
        # those of the groups before: the sum of the places is enough.
        places = np.flatnonzero(lower).reshape(decks, half).sum(axis=1) - here * (2 * half * half)
        groups = half >> bit
        found += places - half * (half - 1) // 2 - (groups * (groups - 1) // 2 << 2 * bit)
        parts = (cards[each].reshape(decks, groups, 1, 1 << bit) for each in (lower, ~lower))
        cards = np.concatenate(list(parts), axis=2).reshape(decks, 2 * half)
    rows = np.ascontiguousarray(cards.reshape(-1, 1 << LAST).T)
    pairs = np.zeros(rows.shape[1], np.uint8)  # 120 at most
    for apart in range(1, 1 << LAST):
        pairs += np.add.reduce((rows[:-apart] > rows[apart:]).view(np.uint8), axis=0, dtype=np.uint8)
    found += pairs.reshape(decks, 2 * half >> LAST).sum(axis=1, dtype=np.int64)
    return found


def inversion_moments(n: int) -> tuple[float, float]:
    """Return mean and variance of the inversions.

    >>> inversion_moments(3)
    (1.5, 0.9166666666666666)
    """
    return n * (n - 1) / 4, n * (n - 1) * (2 * n + 5) / 72


def inversion_cumulants(n: int, theta: float) -> tuple[float, float, float]:
    """Return the cumulants of the inversions less their mean: sums of uniform whole numbers below 1, 2, ... `n`."""
    numbers, weights = whole_numbers(n)
    sizes = numbers / 2
    level, slope, curve = log_sinhc(theta * sizes)
    one = log_sinhc(np.array(theta / 2))
    return (
        float(weights @ level - n * one[0]),
        float((weights * sizes) @ slope - n / 2 * one[1]),
        float((weights * sizes**2) @ curve - n / 4 * one[2]),
    )


class LargeInversions(LargeSum):
    """Of decks by themselves only: of many decks the squared distances, which correlate by .999, tell as much."""

    relative: ClassVar[bool] = False


_FEW = "too many pairs of cards still lie in their old order"
_MANY = "too many pairs of cards lie in the opposite order"

STATISTICS = (
    Scalar(
        name="inversions",
        sees="traces of the old order: naive swaps, too little shuffling, even of one pair of cards",
        source="Mahonian numbers; Kendall's rank correlation; Knuth, TAOCP 3, section 5.1.1",
        of=inversions,
        law=mahonian_law,
        few=_FEW,
        many=_MANY,
        most=MOST,
    ),
    LargeInversions(
        name="inversions of a large deck",
        sees="the same as inversions, in decks too large for the exact law: a slope, a buffer that is too small",
        source="a sum of independent uniform numbers; Knuth, TAOCP 3, section 5.1.1",
        of=inversions,
        moments=inversion_moments,
        few=_FEW,
        many=_MANY,
        least=MOST + 1,
        cumulants=inversion_cumulants,
    ),
)
