"""The number of a deck among all n! in dictionary order, 64 decks at a time; up to 20 cards.

The digits of that number (the Lehmer code) are counted on the finished decks: how many of the cards after
a place are lower than the card there. Horner's rule joins them, in 16 bits while they suffice, then
in 32, and at last in 64: wider numbers leave fewer in a vector, and make a product slower.

Source: Knuth, TAOCP 2, section 3.3.2, algorithm P.
"""

from math import factorial
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.arguments import MOST_BLOCKS, MOST_DECKS, SeedLike, seed_words
from fairdeck.bulk.columns import GROUP, Bytes, group, scratch, start
from fairdeck.bulk.dtypes import Counts
from fairdeck.bulk.inline import inline
from fairdeck.bulk.sizes import BLOCK
from fairdeck.bulk.streams import WORDS, Seed
from fairdeck.bulk.vectors import (
    any_of,
    count_below,
    count_below_within,
    hold,
    keep,
    load,
    load_wide,
    splat,
    store,
    widen_high,
    widen_low,
)
from fairdeck.numbers import whole
from fairdeck.randomness import seed_number

LARGEST = 20  # cards: 20! is below 2^62
HELD = 10  # rows whose digits are counted together

Words = NDArray[np.uint64]


def rank_histogram(batch: int, n: int, *, bins: int, seed: SeedLike = None, first: int = 0) -> Counts:
    """Return how many decks of `permutations` have their rank in each of equal parts of 0 to n! - 1.

    Args:
        batch: how many decks.
        n: the cards of a deck, 2 to 20.
        bins: how many parts, 1 to n!. A rank r is in part ``r * bins // n!``.
        seed: as for `permutations`.
        first: as for `permutations`.

    Returns:
        shape ``(bins,)``, dtype int64.

    Raises:
        FairdeckError: an argument is out of range, or the seed is of another type.
        MissingTool: numba is not installed.

    >>> rank_histogram(600_000, 3, bins=6, seed=1).tolist()
    [99841, 100132, 100275, 100110, 99615, 100027]
    """
    batch, n = whole("batch", batch, 0, MOST_DECKS), whole("n", n, 2, LARGEST)
    bins = whole("bins", bins, 1, factorial(n))
    counts = np.zeros(bins, np.int64)
    words, first = seed_words(seed_number(seed, 128, 128)), whole("first", first, 0, MOST_BLOCKS)
    count_ranks(counts, batch, BLOCK, n, starts(n, bins), *reciprocal(n, bins), words, first, scratch(), scratch())
    return counts


def starts(cards: int, bins: int) -> Words:
    """Return the first rank of each part, and n! as the end of the last."""
    orders = factorial(cards)
    return np.array([-(-part * orders // bins) for part in range(bins + 1)], np.uint64)


def reciprocal(cards: int, bins: int) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return `drop`, `scale`, `shift` and `short`, by which ranks are divided without a division.

    The part of a rank r is ``(r >> drop) * scale >> shift``, or higher: the bits that `drop` cuts off and the
    rounding of `scale` would add less than `short` to the product. Both factors have 32 bits, the
    widest that vectors multiply in one instruction.
    """
    orders = factorial(cards)
    drop = max(0, orders.bit_length() - 32)
    shift = 63
    while (bins << drop + shift) // orders >= 2**31:
        shift -= 1
    scale = (bins << drop + shift) // orders
    short = (orders >> drop) + (scale + 1 if drop else 0)
    return np.uint64(drop), np.uint64(scale), np.uint64(shift), np.uint64(short)


@njit(cache=True, nogil=True)
def count_ranks(
    counts: Counts,
    decks: int,
    block: int,
    n: int,
    starts: Words,
    drop: Any,
    scale: Any,
    shift: Any,
    short: Any,
    seed: Seed,
    first: int,
    cards: Bytes,
    codes: Bytes,
) -> None:
    """Add decks, from the first of a block on, to the parts that their ranks are in."""
    state, ones = np.empty(WORDS + 1, np.uint64), np.ones(GROUP, np.uint8)
    ranks, parts = np.empty(GROUP, np.uint64), np.empty(GROUP, np.uint64)
    for done in range(0, decks, GROUP):
        if done % block == 0:
            start(state, seed, first + done // block)
        group(cards, n, n, ones, state, True)
        digits(cards, codes, n, ones)
        join(codes, n, ranks)
        if divide(ranks, drop, scale, shift, short, parts):
            settle(ranks, starts, parts)
        for deck in range(min(GROUP, decks - done)):
            counts[parts[deck]] += 1


@inline
def divide(ranks: Words, drop: Any, scale: Any, shift: Any, short: Any, parts: Words) -> Any:
    """Write the parts of some ranks by their `reciprocal`; return whether one may be too low."""
    low = splat(np.uint64(2**32 - 1))  # tells the compiler that a product of 32 bits by 32 will do
    unsure = low < low
    for at in range(0, GROUP, 8):
        scaled = (load(ranks, at) >> splat(drop) & low) * (splat(scale) & low)
        part = scaled >> splat(shift)
        unsure = unsure | (part < (scaled + splat(short)) >> splat(shift))
        store(parts, at, part)
    return any_of(unsure)


@inline
def settle(ranks: Words, starts: Words, parts: Words) -> None:
    """Raise each part until the rank is below the start of the next."""
    for deck in range(GROUP):
        while ranks[deck] >= starts[parts[deck] + np.uint64(1)]:
            parts[deck] += np.uint64(1)


@inline
def digits(cards: Bytes, codes: Bytes, n: int, ones: Bytes) -> None:
    """Write to each row of `codes` how many of the rows of `cards` after it are lower; both have 64 columns."""
    one = load(ones, 0)
    for row in range(n, -(-n // HELD) * HELD):
        store(cards, row * GROUP, splat(np.uint8(127)))  # the rows that fill up the last bundle are never lower
    for first in range(0, n, HELD):
        held = hold(cards, first * GROUP, HELD)
        counted = count_below_within(held, one)
        for row in range(first + HELD, n):
            counted = count_below(counted, load(cards, row * GROUP), held, one)
        keep(codes, first * GROUP, counted)


@inline
def join(codes: Bytes, n: int, ranks: Words) -> None:
    """Write the number that the digits of each column are, in the radices n, n - 1, ... 1."""
    for deck in range(0, GROUP, 32):
        # Each fits into 16 bits: the largest, in the radices 13 to 16, is below 43,680.
        first, second = few(codes, n, deck, 20, 20), few(codes, n, deck, 19, 17)
        third, fourth, fifth = few(codes, n, deck, 16, 13), few(codes, n, deck, 12, 9), few(codes, n, deck, 8, 1)
        low = wide(widen_low(first), widen_low(second), widen_low(third), widen_low(fourth), widen_low(fifth))
        top = wide(widen_high(first), widen_high(second), widen_high(third), widen_high(fourth), widen_high(fifth))
        for at, found in enumerate((low[0], low[1], top[0], top[1])):
            store(ranks, deck + 8 * at, found)


@inline
def wide(first: Any, second: Any, third: Any, fourth: Any, fifth: Any) -> Any:
    """Return the numbers of 64 bits that five numbers of 32 bits are in two halves, as `join` calls them."""
    high = first * splat(np.uint32(17 * 18 * 19)) + second
    middle = third * splat(np.uint32(9 * 10 * 11 * 12)) + fourth
    radices, last = splat(np.uint64(9 * 10 * 11 * 12 * 13 * 14 * 15 * 16)), splat(np.uint64(40_320))
    low = (widen_low(high) * radices + widen_low(middle)) * last + widen_low(fifth)
    top = (widen_high(high) * radices + widen_high(middle)) * last + widen_high(fifth)
    return low, top


@inline
def few(codes: Bytes, n: int, deck: int, most: int, least: int) -> Any:
    """Return the number that the digits of 32 columns in the radices `most` to `least`, up to n, stand for."""
    found = splat(np.uint16(0))
    for radix in range(min(n, most), least - 1, -1):
        found = found * splat(np.uint16(radix)) + load_wide(codes, (n - radix) * GROUP + deck, found)
    return found
