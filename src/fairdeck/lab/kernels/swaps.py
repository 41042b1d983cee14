"""Larger decks, one after another: dice in vectors, swaps by fours.

From some hundred cards on, decoding (n^2 / 2 steps) costs more than swapping. So the dice of one
deck, with 1, 2, 3, ... n sides, are thrown 32 at a time, or 16 of 32 bits for very large decks, where
words of 16 bits would be rejected too often; if one of them is rejected all of that throw are thrown again.

The swaps are those of Fisher and Yates: the next card changes places with one before it, or stays.
A processor can store once in a cycle, so two stores a card are what they cost. Of each four cards
the places they leave are written together, as one word, which makes it five stores for four. That
is wrong if one of the four goes to a place of the four other than its own: these are *crowded*, known
as soon as the dice are thrown, and swapped one by one.

Sources: Durstenfeld, Algorithm 235, CACM 7 (1964); Lemire, ACM TOMACS 29 (2019).
"""

from functools import cache
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.lab.kernels.room import aligned
from fairdeck.lab.kernels.streams import WORDS, Seed, begin, step, take
from fairdeck.lab.kernels.vectors import alike, any_of, bits, high, lanes_of, load, put_four, splat, store

NARROW_UP_TO = 2_000  # cards: beyond, dice of 32 bits are rejected less
LANES = 32  # the dice of a throw of 16 bits; of 32 bits there are half as many
FOUR = 4
EARLY = 64  # places where most fours are crowded: to try and guess wrong takes longer than to store


@cache
def dice(n: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the sides of the dice of a deck, and how many of the low halves of a product are rejected.

    Both have n entries, for 1 to n sides, and then some of one side, which never reject.
    """
    word = np.uint16 if n <= NARROW_UP_TO else np.uint32
    size = -(-n // LANES) * LANES
    sides, excess = aligned(word, size), aligned(word, size)
    sides[:], sides[:n] = 1, np.arange(1, n + 1)
    excess[:] = 2 ** np.iinfo(word).bits % sides.astype(np.uint64)
    return sides, excess


@njit(cache=True, nogil=True)
def rows(out: Any, block: int, sides: Any, excess: Any, thrown: Any, seed: Seed, first: int) -> None:
    """Fill `out`, shape ``(decks, n)``, with blocks of so many decks; `thrown` is room for the dice of one."""
    state, lanes = np.empty(WORDS, np.uint64), lanes_of(sides)
    crowded = np.empty(len(sides) // lanes, np.uint64)
    one, three = splat(sides.dtype.type(1)), splat(sides.dtype.type(FOUR - 1))
    for start in range(0, len(out), block):
        begin(state, seed, first + start // block)
        a, b, c, d = take(state, 0)
        for deck in range(start, min(start + block, len(out))):
            for at in range(0, len(sides), lanes):
                side, limit = load(sides, at), load(excess, at)
                word, a, b, c, d = step(a, b, c, d)
                while any_of(alike(word, side) * side < limit):
                    word, a, b, c, d = step(a, b, c, d)
                die, own = high(alike(word, side), side), side - one
                store(thrown, at, die)
                # Two places of the same four differ in their two lowest bits, and in no other.
                crowded[at // lanes] = bits((die ^ own) - one < three)
            swap(out[deck], thrown, crowded)


@njit(inline="always")
def swap(deck: Any, thrown: Any, crowded: Any) -> None:
    """Swap each card of a sorted deck with the one at the place that its die says."""
    cards, lanes = len(deck), lanes_of(thrown)
    for card in range(cards):
        deck[card] = card
    begun = min(EARLY, cards)
    ended = max(begun, cards // lanes * lanes)
    one_by_one(deck, thrown, 0, begun)
    for at in range(begun, ended, lanes):
        marks: Any = crowded[at // lanes]
        place: Any = np.uintp(at)
        for _ in range(lanes // FOUR):
            if marks & np.uint64(2**FOUR - 1):
                one_by_one(deck, thrown, place, place + np.uintp(FOUR))
            else:
                together(deck, thrown, place)
            marks >>= np.uint64(FOUR)
            place += np.uintp(FOUR)
    one_by_one(deck, thrown, ended, cards)


@njit(inline="always")
def one_by_one(deck: Any, thrown: Any, start: int, end: int) -> None:
    """Swap the cards of some places."""
    for place in range(start, end):
        other = np.uintp(thrown[np.uintp(place)])  # unsigned: numba need not look for -1, the last
        deck[np.uintp(place)] = deck[other]
        deck[other] = place


@njit(inline="always")
def together(deck: Any, thrown: Any, place: Any) -> None:
    """Swap four cards, of which each stays or goes to a place before all four."""
    a = moved(deck, thrown, place)
    b = moved(deck, thrown, place + np.uintp(1))
    c = moved(deck, thrown, place + np.uintp(2))
    d = moved(deck, thrown, place + np.uintp(3))
    put_four(deck, place, a, b, c, d)


@njit(inline="always")
def moved(deck: Any, thrown: Any, place: Any) -> Any:
    """Let the card of a place go where its die says, and return which card was there."""
    other = np.uintp(thrown[place])
    found = deck[other]
    deck[other] = place
    return found
