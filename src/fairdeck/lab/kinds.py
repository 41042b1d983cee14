"""Cards by kind: suit, rank, colour, part of the deck; for any size of deck.

A deck in its factory order: suit by suit, each from its first rank to its last. 52 cards are four
suits of thirteen. A deck that four does not divide has no suits and ranks here. For `halves` the
first half of the cards is one colour, the second the other, as after a deck was split by colour.
"""

import numpy as np

from fairdeck.lab.arrays import Counts

SUITS = 4


def suits(n: int) -> Counts | None:
    """Return the suit, 0 to 3, of each of `n` cards; None if they have none (n not 8, 12, 16, ...)."""
    return np.arange(n) // (n // SUITS) if n % SUITS == 0 and n >= 2 * SUITS else None


def ranks(n: int) -> Counts | None:
    """Return the rank, 0 to n/4 - 1, of each of `n` cards; None if they have none."""
    return np.arange(n) % (n // SUITS) if n % SUITS == 0 and n >= 2 * SUITS else None


def halves(n: int) -> Counts:
    """Return 0 for the first n/2 cards (rounded down), 1 for the others."""
    return (np.arange(n) >= n // 2).astype(np.int64)


def sectors(n: int, number: int = 4) -> Counts:
    """Return the quarter of the deck, 0 to 3, that each of `n` places (or cards) belongs to; or another part."""
    return np.arange(n) * number // n
