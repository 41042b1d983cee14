"""Kinds of cards (suit, rank, colour) and parts of the deck, for any size of deck.

The cards are numbered in factory order: suit by suit, each from its first rank to its last. 52 cards are four
suits of thirteen. A deck has suits and ranks if its size is a multiple of four. For `halves` the
first half of the cards is one colour and the second half the other.
"""

import numpy as np

from fairdeck.bulk.shapes import Counts

SUITS = 4


def suits(n: int) -> Counts | None:
    """Return the suit, 0 to 3, of each of `n` cards; None if n is not 8, 12, 16, ...."""
    return np.arange(n) // (n // SUITS) if n % SUITS == 0 and n >= 2 * SUITS else None


def ranks(n: int) -> Counts | None:
    """Return the rank, 0 to n/4 - 1, of each of `n` cards; None if n is not 8, 12, 16, ..."""
    return np.arange(n) % (n // SUITS) if n % SUITS == 0 and n >= 2 * SUITS else None


def halves(n: int) -> Counts:
    """Return 0 for the first n/2 cards (rounded down), 1 for the others."""
    return (np.arange(n) >= n // 2).astype(np.int64)


def odd_or_even(n: int) -> Counts:
    """Return 1 for the cards or places with an odd number, 0 for the others."""
    return np.arange(n) % 2


def sectors(n: int, number: int = 4) -> Counts:
    """Return the part of the deck, 0 to `number` - 1, of each of `n` places or cards; by default the quarter."""
    return np.arange(n) * number // n
