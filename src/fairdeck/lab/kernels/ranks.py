"""The number of a deck among all n! in dictionary order, 64 decks at a time; up to 20 cards.

The digits of that number (Lehmer's code) are counted on the finished decks: how many of the cards after
a place are lower than the card there. Horner's rule joins them, five digits at a time in 32 bits, then
those in 64: a product of 64 bits costs three times one of 32.

Source: Knuth, TAOCP 2, section 3.3.2, algorithm P.
"""

from math import factorial
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.lab.arrays import Counts
from fairdeck.lab.kernels import BLOCK
from fairdeck.lab.kernels.columns import GROUP, Bytes, group, scratch
from fairdeck.lab.kernels.streams import WORDS, Seed, begin
from fairdeck.lab.kernels.vectors import (
    count_below,
    count_below_within,
    hold,
    keep,
    load,
    load_wide,
    product,
    splat,
    store,
    widen_high,
    widen_low,
)

LARGEST = 20  # cards: 20! is below 2^62
HELD = 10  # rows whose digits are counted together
JOINED = 5  # digits whose product of bases fits into 32 bits: 20 * 19 * 18 * 17 * 16


def rank_histogram(cards: int, decks: int, bins: int, seed: int, first: int = 0) -> Counts:
    """Return how many fair decks have their rank in each of equal parts of 0 to n! - 1.

    Args:
        cards: 2 to 20.
        decks: how many; block after block as `fairdeck.lab.kernels.fill` makes them.
        bins: how many parts, 1 to n!. A rank r is in part ``r * bins // n!``.
        seed: 0 to 2^128 - 1.
        first: the number of the first block.

    Returns:
        shape ``(bins,)``.
    """
    orders = factorial(cards)
    starts = np.array([-(-part * orders // bins) for part in range(bins + 1)], np.uint64)
    scale = np.uint64(min(2**64 * bins // orders, 2**64 - 1))
    counts = np.zeros(bins, np.int64)
    words = np.array([seed & (2**64 - 1), seed >> 64], np.uint64)
    count_ranks(counts, decks, BLOCK, cards, starts, scale, scratch(), scratch(), words, first)
    return counts


@njit(cache=True, nogil=True)
def count_ranks(
    counts: Counts,
    decks: int,
    block: int,
    n: int,
    starts: NDArray[np.uint64],
    scale: Any,
    cards: Bytes,
    codes: Bytes,
    seed: Seed,
    first: int,
) -> None:
    """Add decks, from the first of a block on, to the parts that their ranks are in."""
    state, ones = np.empty(WORDS, np.uint64), np.ones(GROUP, np.uint8)
    ranks = np.empty(GROUP, np.uint64)
    for done in range(0, decks, GROUP):
        if done % block == 0:
            begin(state, seed, first + done // block)
        group(cards, n, ones, state, True)
        digits(cards, codes, n, ones)
        join(codes, n, ranks)
        for deck in range(min(GROUP, decks - done)):
            # The reciprocal is rounded down, so the part is right or one too low.
            part, _ = product(ranks[deck], scale)
            part += np.uint64(ranks[deck] >= starts[part + np.uint64(1)])
            counts[part] += 1


@njit(cache=True)
def digits(cards: Bytes, codes: Bytes, n: int, ones: Bytes) -> None:
    """Write to each row of `codes` how many of the rows of `cards` after it are lower; both have 64 columns."""
    one = load(ones, 0)
    for row in range(n, -(-n // HELD) * HELD):
        store(cards, row * GROUP, splat(np.uint8(255)))  # what fills up the last rows is never lower
    for first in range(0, n, HELD):
        held = hold(cards, first * GROUP, HELD)
        counted = count_below_within(held, one)
        for row in range(first + HELD, n):
            counted = count_below(counted, load(cards, row * GROUP), held, one)
        keep(codes, first * GROUP, counted)


@njit(cache=True)
def join(codes: Bytes, n: int, ranks: NDArray[np.uint64]) -> None:
    """Write the number that the digits of each column are, to the bases n, n - 1, ... 1."""
    for deck in range(0, GROUP, 16):
        low = splat(np.uint64(0))
        top = low
        for first in range(0, n, JOINED):
            few, base = splat(np.uint32(0)), np.uint64(1)
            for row in range(first, min(first + JOINED, n)):
                few = few * splat(np.uint32(n - row)) + load_wide(codes, row * GROUP + deck, few)
                base *= np.uint64(n - row)
            low = low * splat(base) + widen_low(few)
            top = top * splat(base) + widen_high(few)
        store(ranks, deck, low)
        store(ranks, deck + 8, top)
