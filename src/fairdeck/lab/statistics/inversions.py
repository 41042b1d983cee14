"""Inversions: pairs of cards in falling order."""

from functools import cache
from itertools import accumulate

import numpy as np

from fairdeck.bulk.shapes import Values
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.view import View

MOST = 200  # the law of n cards has n(n-1)/2 entries of about n log2 n bits
ROWS = 255  # rows of ones that a byte can add up


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
    columns = view.columns.astype(np.uint8) if view.cards <= 256 else view.columns  # narrow entries compare faster
    found = np.zeros(view.decks, dtype=np.int64)
    for place in range(view.cards - 1):
        for start in range(place + 1, view.cards, ROWS):
            smaller = columns[start : start + ROWS] < columns[place]
            found += np.add.reduce(smaller.view(np.uint8), axis=0, dtype=np.uint8)
    return found


STATISTICS = (
    Scalar(
        name="inversions",
        sees="traces of the old order: naive swaps, too little shuffling, even of one pair of cards",
        source="Mahonian numbers; Kendall's rank correlation; Knuth, TAOCP 3, section 5.1.1",
        of=inversions,
        law=mahonian_law,
        few="too many pairs of cards still lie in their old order",
        many="too many pairs of cards lie in the opposite order",
        most=MOST,
    ),
)
