"""Random words for kernels: a stream of its own for every block of decks.

xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47
(2021)), seventeen generators to a block: two vectors of eight for dice, one by itself for what
hands do. Their states come from the seed and the number of the block by SplitMix64, so a
block holds the same decks wherever and whenever it is made. This is for simulation: who sees enough
of the output can tell the rest. Decks to play with are drawn by `fairdeck.randomness`.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.lab.kernels.inner import inner
from fairdeck.lab.kernels.vectors import load, rotate, shift_left, store

WORDS = 68  # four words for each of seventeen generators
SINGLE = 64  # where the state of the one by itself begins
GOLDEN = np.uint64(0x9E3779B97F4A7C15)

State = NDArray[np.uint64]  # shape (WORDS,)
Seed = NDArray[np.uint64]  # shape (2,): the low word and the high one


@njit(inline="always")
def mixed(word: Any) -> Any:
    """Return a word with each of its bits spread over all: the output function of SplitMix64."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@inner
def begin(state: State, seed: NDArray[np.uint64], block: int) -> None:
    """Set the generators of a block; the seed is two words, the low one first."""
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
    """Return the state of the eight generators that is kept from word `at` on."""
    return load(state, at), load(state, at + 8), load(state, at + 16), load(state, at + 24)


@njit(inline="always")
def put_back(state: State, at: int, a: Any, b: Any, c: Any, d: Any) -> None:
    """Keep the state of eight generators from word `at` on."""
    store(state, at, a)
    store(state, at + 8, b)
    store(state, at + 16, c)
    store(state, at + 24, d)
