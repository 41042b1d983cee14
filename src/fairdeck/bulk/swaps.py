"""Larger decks, two at a time: integers drawn in vectors, swaps one by one.

From some hundred cards on, decoding (n^2 / 2 steps) costs more than swapping. So the integers of a deck,
below 1, 2, 3, ... n, are drawn 32 at a time, or 16 of 32 bits for very large decks, where words
of 16 bits would be rejected too often.

**A spare draw.** Of 1,000 cards one vector in ten has a word that is rejected. To draw it again is cheap, but the
processor has guessed that it will not be needed, and loses time when the guess is wrong. So every four vectors, two for
each deck, come with a fifth: where a lane of the four is rejected, the same lane of the spare one replaces it. Only if
two need the same lane, or the spare word is rejected too, all five are drawn again. Given that a word is kept, its
integer is fair, whichever vector it came in; and lanes are independent.

**Swaps** are those of Fisher and Yates: the next card changes places with one before it, or stays. A swap may need what
the swap before it wrote, and the processor waits for that; with a second deck in step, it has something else to do.

Sources: Durstenfeld, Algorithm 235, CACM 7 (1964); Lemire, ACM TOMACS 29 (2019).
"""

from functools import cache
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.kernels import LINE, aligned
from fairdeck.bulk.streams import WORDS, Seed, begin, step, take
from fairdeck.bulk.vectors import any_of, choose, high, lanes_of, load, reinterpret, store

NARROW_UP_TO = 4_000  # cards: beyond, integers of 32 bits are rejected less often
DRAWS = 2  # vectors of a deck for each spare one
TOGETHER = 2  # decks


def tables(n: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return bounds, the thresholds below which low halves of products are rejected, and a buffer for the integers.

    The bounds are 1 to `n`; at the end come bounds of 1, which reject nothing.
    """
    bounds, thresholds = _tables(n)
    return bounds, thresholds, aligned(bounds.dtype.type, TOGETHER, len(bounds))


@cache
def _tables(n: int) -> tuple[NDArray[Any], NDArray[Any]]:
    word = np.uint16 if n <= NARROW_UP_TO else np.uint32
    together = DRAWS * LINE // np.dtype(word).itemsize
    size = -(-n // together) * together
    bounds, thresholds = aligned(word, size), aligned(word, size)
    bounds[:], bounds[:n] = 1, np.arange(1, n + 1)
    thresholds[:] = 2 ** np.iinfo(word).bits % bounds.astype(np.uint64)
    return bounds, thresholds


@njit(cache=True, nogil=True)
def rows(out: Any, block: int, bounds: Any, thresholds: Any, drawn: Any, seed: Seed, first: int) -> None:
    """Fill `out`, shape ``(decks, n)``, with blocks of `block` decks; `drawn` is a buffer for the integers of two."""
    state = np.empty(WORDS, np.uint64)
    one, two = drawn[0], drawn[1]
    for start in range(0, len(out), block):
        begin(state, seed, first + start // block)
        a, b, c, d = take(state, 0)
        end = min(start + block, len(out))
        for deck in range(start, end, TOGETHER):
            a, b, c, d = draw(bounds, thresholds, one, two, a, b, c, d)
            last = min(deck + 1, end - 1)  # the deck itself if there is no other
            swap(out[deck], one, out[last], drawn[last - deck])


@njit(inline="always")
def draw(bounds: Any, thresholds: Any, one: Any, two: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Write integers below the bounds to `one`, and others to `two`; return the state of the generators."""
    lanes = lanes_of(bounds)
    for at in range(0, len(bounds), DRAWS * lanes):
        low, top = load(bounds, at), load(bounds, at + lanes)
        below, above = load(thresholds, at), load(thresholds, at + lanes)
        again = True
        while again:
            word, a, b, c, d = step(a, b, c, d)
            one_low = reinterpret(word, low)
            word, a, b, c, d = step(a, b, c, d)
            one_top = reinterpret(word, low)
            word, a, b, c, d = step(a, b, c, d)
            two_low = reinterpret(word, low)
            word, a, b, c, d = step(a, b, c, d)
            two_top = reinterpret(word, low)
            word, a, b, c, d = step(a, b, c, d)
            spare = reinterpret(word, low)
            used = twice = low < low  # no lane as yet
            one_low, used, twice = mended(one_low, low, below, spare, used, twice)
            one_top, used, twice = mended(one_top, top, above, spare, used, twice)
            two_low, used, twice = mended(two_low, low, below, spare, used, twice)
            two_top, used, twice = mended(two_top, top, above, spare, used, twice)
            again = any_of(
                twice
                | rejected(one_low, low, below)
                | rejected(one_top, top, above)
                | rejected(two_low, low, below)
                | rejected(two_top, top, above)
            )
        store(one, at, high(one_low, low))
        store(one, at + lanes, high(one_top, top))
        store(two, at, high(two_low, low))
        store(two, at + lanes, high(two_top, top))
    return a, b, c, d


@njit(inline="always")
def mended(words: Any, bounds: Any, thresholds: Any, spare: Any, used: Any, twice: Any) -> Any:
    """Return words with spare ones in place of the rejected, and which spare lanes are used, and which twice."""
    asked = rejected(words, bounds, thresholds)
    return choose(asked, spare, words), used | asked, twice | (used & asked)


@njit(inline="always")
def rejected(words: Any, bounds: Any, thresholds: Any) -> Any:
    """Return which words would favour some integers."""
    return words * bounds < thresholds


@njit(inline="always")
def swap(one: Any, drawn_for_one: Any, two: Any, drawn_for_two: Any) -> None:
    """Make two decks, or one deck twice: each card swaps with the card at the place that was drawn for it."""
    for card in range(len(one)):
        place = np.uintp(card)  # unsigned: numba need not look for -1, the last
        other_of_one, other_of_two = np.uintp(drawn_for_one[place]), np.uintp(drawn_for_two[place])
        from_one, from_two = one[other_of_one], two[other_of_two]
        one[place], two[place] = from_one, from_two
        one[other_of_one] = two[other_of_two] = card
