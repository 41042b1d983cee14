"""Decks as random bits, for tests of bits.

The rank of a fair deck is uniform over 0 to n! - 1, which is no power of two. So n! is written as a sum of powers of
two, the largest first. A rank in the part of 2^k ranks gives k bits: its place in that part. If the decks are fair and
independent, so are these bits, without any bias, and no deck is thrown away: 224.0 of the 225.6 bits of a deck of 52
cards are left in the mean. Source: Elias, "The efficient construction of an unbiased random sequence", Ann. Math.
Statist. 43 (1972).
"""

from math import factorial

import numpy as np
from numpy.typing import NDArray

from fairdeck.lab.blocks import Decks
from fairdeck.permutation import rank


def bits_of(number: int, outcomes: int) -> str:
    """Return the bits that a number below `outcomes` gives; none for one outcome.

    >>> [bits_of(number, 6) for number in range(6)]
    ['00', '01', '10', '11', '0', '1']
    """
    while number >= (part := 1 << outcomes.bit_length() - 1):
        number, outcomes = number - part, outcomes - part
    return f"{number:0{part.bit_length() - 1}b}" if part > 1 else ""


def rank_bits(decks: Decks) -> NDArray[np.uint8]:
    """Return the bits of all decks in turn, each 0 or 1."""
    total = factorial(decks.shape[1])
    text = "".join(bits_of(rank(deck), total) for deck in decks.tolist())
    return np.frombuffer(text.encode(), np.uint8) - ord("0")
