"""Larger decks, one after another: dice in vectors, swaps one by one.

From some hundred cards on, decoding (n^2 / 2 steps) costs more than swapping. So the dice of one
deck, with 2, 3, ... n sides, are thrown 32 at a time, or 16 of 32 bits for very large decks, where
words of 16 bits would be rejected too often; if one of them is rejected all of that throw are thrown again. The
swaps of Fisher and Yates, inside out, then run at the speed at which a processor can store.

Sources: Durstenfeld, Algorithm 235, CACM 7 (1964); Lemire, ACM TOMACS 29 (2019).
"""

from functools import cache
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.lab.kernels.streams import WORDS, Seed, begin, step, take
from fairdeck.lab.kernels.vectors import alike, any_of, high, load, store

NARROW_UP_TO = 2_000  # cards: beyond, dice of 32 bits are rejected less
LANES = 32  # the dice of a throw of 16 bits; of 32 bits there are half as many


@cache
def dice(n: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the sides of the dice of a deck, and how many of the low halves of a product are rejected.

    Both have n - 1 entries, for 2 to n sides, and then some of one side, which never reject.
    """
    word = np.uint16 if n <= NARROW_UP_TO else np.uint32
    sides = np.ones(-(-(n - 1) // LANES) * LANES, np.uint64)
    sides[: n - 1] = np.arange(2, n + 1)
    words = np.uint64(2 ** np.iinfo(word).bits)
    return sides.astype(word), (words % sides).astype(word)


@njit(cache=True, nogil=True)
def rows(out: Any, block: int, sides: Any, excess: Any, thrown: Any, seed: Seed, first: int) -> None:
    """Fill `out`, shape ``(decks, n)``, with blocks of so many decks; `thrown` is room for the dice of one."""
    state = np.empty(WORDS, np.uint64)
    for start in range(0, len(out), block):
        begin(state, seed, first + start // block)
        a, b, c, d = take(state, 0)
        for deck in range(start, min(start + block, len(out))):
            for at in range(0, len(sides), 64 // sides.itemsize):
                side, limit = load(sides, at), load(excess, at)
                word, a, b, c, d = step(a, b, c, d)
                while any_of(alike(word, side) * side < limit):
                    word, a, b, c, d = step(a, b, c, d)
                store(thrown, at, high(alike(word, side), side))
            swap(out[deck], thrown)


@njit(inline="always")
def swap(deck: Any, thrown: Any) -> None:
    """Deal 0, 1, 2, ... inside out: card i goes where die i says, what lies there goes to place i."""
    deck[0] = 0
    for place in range(1, len(deck)):
        other = np.uintp(thrown[np.uintp(place - 1)])  # unsigned: numba need not look for -1, the last
        deck[np.uintp(place)] = deck[other]
        deck[other] = place
