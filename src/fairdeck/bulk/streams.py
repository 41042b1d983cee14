"""Random words for kernels: a stream of its own for every block of decks.

xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47
(2021)), seventeen generators for each block: two vectors of eight for bounded integers, and a single one for
shuffles by hand. SplitMix64 makes their states from the seed and the number of the block, so a
block holds the same decks wherever and whenever it is made. This is for simulation: enough of the output
gives the rest away. `fairdeck.randomness` draws decks to play with.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.kernels import inline
from fairdeck.bulk.vectors import load, rotate, shift_left, store

WORDS = 68  # four words for each of seventeen generators
SINGLE = 64  # where the state of the single generator begins
GOLDEN = np.uint64(0x9E3779B97F4A7C15)

State = NDArray[np.uint64]  # shape (WORDS,)
Seed = NDArray[np.uint64]  # shape (2,): the low word and the high one


@njit(inline="always")
def mixed(word: Any) -> Any:
    """Return a word in which each bit depends on all bits of `word`: the output function of SplitMix64."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@inline
def begin(state: State, seed: NDArray[np.uint64], block: int) -> None:
    """Set the generators of a block; the seed is two words, low word first."""
    at = mixed(seed[0] + GOLDEN * (mixed(seed[1] + GOLDEN) | np.uint64(1)))
    at = mixed(at ^ mixed(np.uint64(block) + GOLDEN))
    for word in range(WORDS):
        at += GOLDEN
        state[word] = mixed(at)


@njit(inline="always")
def step(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return the next word of xoshiro256++ and the state after it; for numbers, or vectors of them."""
    word = rotate(a + d, 23) + a
    kept = shift_left(b, 17)
    c = c ^ a
    d = d ^ b
    b = b ^ c
    a = a ^ d
    return word, a, b, c ^ kept, rotate(d, 45)


@njit(inline="always")
def take(state: State, at: int) -> Any:
    """Return the states of the eight generators that are kept from word `at` on."""
    return load(state, at), load(state, at + 8), load(state, at + 16), load(state, at + 24)


@njit(inline="always")
def put_back(state: State, at: int, a: Any, b: Any, c: Any, d: Any) -> None:
    """Keep the states of eight generators from word `at` on."""
    store(state, at, a)
    store(state, at + 8, b)
    store(state, at + 16, c)
    store(state, at + 24, d)
