"""Larger decks, two at a time: dice in vectors, swaps one by one.

From some hundred cards on, decoding (n^2 / 2 steps) costs more than swapping. So the dice of a deck,
with 1, 2, 3, ... n sides, are thrown 32 at a time, or 16 of 32 bits for very large decks, where words
of 16 bits would be rejected too often.

**A throw to spare.** Of 1,000 cards one throw in ten has a word that is rejected. To throw it again is
cheap; to turn back unforeseen is not, for a processor that has begun what comes next. So each four
throws, two of either deck, come with a fifth: where a lane of the four is rejected, the same lane of
the spare one stands in. Only if two ask for one lane, or that is rejected too, all five are thrown
again. A die that is kept is fair whichever word it is of, and lanes know nothing of one another.

**Swaps** are those of Fisher and Yates: the next card changes places with one before it, or stays. A
swap may need what the last one wrote, and a processor waits for that; with a second deck in step, it
has something else to do.

Sources: Durstenfeld, Algorithm 235, CACM 7 (1964); Lemire, ACM TOMACS 29 (2019).
"""

from functools import cache
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.lab.kernels.room import LINE, aligned
from fairdeck.lab.kernels.streams import WORDS, Seed, begin, step, take
from fairdeck.lab.kernels.vectors import alike, any_of, choose, high, lanes_of, load, store

NARROW_UP_TO = 4_000  # cards: beyond, dice of 32 bits are rejected less
THROWS = 2  # of a deck, for each one to spare
TOGETHER = 2  # decks


@cache
def dice(n: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the sides of the dice of a deck, and how many of the low halves of a product are rejected.

    Both have n entries, for 1 to n sides, and then some of one side, which never reject.
    """
    word = np.uint16 if n <= NARROW_UP_TO else np.uint32
    together = THROWS * LINE // np.dtype(word).itemsize
    size = -(-n // together) * together
    sides, excess = aligned(word, size), aligned(word, size)
    sides[:], sides[:n] = 1, np.arange(1, n + 1)
    excess[:] = 2 ** np.iinfo(word).bits % sides.astype(np.uint64)
    return sides, excess


@njit(cache=True, nogil=True)
def rows(out: Any, block: int, sides: Any, excess: Any, thrown: Any, seed: Seed, first: int) -> None:
    """Fill `out`, shape ``(decks, n)``, with blocks of so many decks; `thrown` is room for the dice of two."""
    state, lanes = np.empty(WORDS, np.uint64), lanes_of(sides)
    of_one, of_two = thrown[0], thrown[1]
    for start in range(0, len(out), block):
        begin(state, seed, first + start // block)
        a, b, c, d = take(state, 0)
        end = min(start + block, len(out))
        for deck in range(start, end, TOGETHER):
            for at in range(0, len(sides), THROWS * lanes):
                low, top = load(sides, at), load(sides, at + lanes)
                below, above = load(excess, at), load(excess, at + lanes)
                again = True
                while again:
                    word, a, b, c, d = step(a, b, c, d)
                    one_low = alike(word, low)
                    word, a, b, c, d = step(a, b, c, d)
                    one_top = alike(word, low)
                    word, a, b, c, d = step(a, b, c, d)
                    two_low = alike(word, low)
                    word, a, b, c, d = step(a, b, c, d)
                    two_top = alike(word, low)
                    word, a, b, c, d = step(a, b, c, d)
                    spare = alike(word, low)
                    used = twice = low < low  # of no lane as yet
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
                store(of_one, at, high(one_low, low))
                store(of_one, at + lanes, high(one_top, top))
                store(of_two, at, high(two_low, low))
                store(of_two, at + lanes, high(two_top, top))
            last = min(deck + 1, end - 1)  # the deck itself if there is no other
            swap(out[deck], of_one, out[last], thrown[last - deck])


@njit(inline="always")
def mended(words: Any, sides: Any, excess: Any, spare: Any, used: Any, twice: Any) -> Any:
    """Return words with spare ones in place of the rejected, which lanes of these are used, and which twice."""
    asked = rejected(words, sides, excess)
    return choose(asked, spare, words), used | asked, twice | (used & asked)


@njit(inline="always")
def rejected(words: Any, sides: Any, excess: Any) -> Any:
    """Return which words would favour some numbers of their dice."""
    return words * sides < excess


@njit(inline="always")
def swap(one: Any, thrown_for_one: Any, two: Any, thrown_for_two: Any) -> None:
    """Make two decks, or the same one twice: each card swaps with the one at the place that its die says."""
    for card in range(len(one)):
        place = np.uintp(card)  # unsigned: numba need not look for -1, the last
        other_of_one, other_of_two = np.uintp(thrown_for_one[place]), np.uintp(thrown_for_two[place])
        from_one, from_two = one[other_of_one], two[other_of_two]
        one[place], two[place] = from_one, from_two
        one[other_of_one] = two[other_of_two] = card
