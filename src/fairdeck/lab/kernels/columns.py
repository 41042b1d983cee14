"""Many small decks at once: a deck to a column, 64 side by side.

Shuffling one deck is a chain: each swap waits for the last. Sixty-four decks side by side are 64
chains that go in step, each in a lane of its own. Three steps make a group of 64 decks:

1. **Dice by rows.** Row k gets, for each deck, a die of n - k sides: which of the cards that are
   left comes next (Lehmer's code of the order). A die is the high half of a random word of 16 bits
   times its sides. Some words would favour some numbers and are rejected; as 63 decks cannot wait
   for one, its deck is marked, to be drawn anew at the end. A deck is marked by chance alone, and
   what is left of fair dice, if none was rejected, is fair dice: so both sorts are exactly uniform.
2. **Decode.** "The third of those left" becomes a card: going back from the last place, each card
   at or above a code moves up by one and makes room for it. A few rows at a time stay in registers
   while all codes before them stream past.
3. **Redraw.** The marked decks, one in a hundred of 52 cards, are dealt by Fisher and Yates.

Sources: Lehmer, "Teaching combinatorial tricks to a computer", Proc. Symp. Appl. Math. 10 (1960);
Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.lab.kernels.processor import ROWS
from fairdeck.lab.kernels.streams import SINGLE, WORDS, Seed, State, begin, put_back, step, take
from fairdeck.lab.kernels.vectors import (
    as_u16,
    bits,
    first_one,
    high,
    hold,
    keep,
    lift,
    lift_within,
    load,
    narrow,
    product,
    put_word,
    splat,
    store,
    turn,
    turned,
)

GROUP = 64
LARGEST = 128  # cards: so many fit into the scratch, and few enough words are rejected
DIE = 2**16  # words of a die

Bytes = NDArray[np.uint8]

TURNED = np.array([turned(column) for column in range(GROUP)])


def scratch() -> Bytes:
    """Return room for the codes of a group, a row of 64 bytes for each place, 64 more bytes to align it."""
    room = np.zeros((LARGEST + 2 * ROWS + 8) * GROUP + 64, np.uint8)
    start = -room.ctypes.data % 64
    return room[start : len(room) - 64 + start]


@njit(cache=True)
def throw(codes: Bytes, n: int, state: State) -> Any:
    """Fill the first `n` rows with dice of n, n - 1, ... 1 sides; return which decks had one rejected, as bits."""
    a, b, c, d = take(state, 0)
    e, f, g, h = take(state, 32)
    unfair_low = splat(np.uint16(0)) < splat(np.uint16(0))
    unfair_high = unfair_low
    for row in range(n):
        sides = splat(np.uint16(n - row))
        excess = splat(np.uint16(DIE % (n - row)))
        word, a, b, c, d = step(a, b, c, d)
        low = as_u16(word)
        word, e, f, g, h = step(e, f, g, h)
        top = as_u16(word)
        unfair_low = unfair_low | (low * sides < excess)
        unfair_high = unfair_high | (top * sides < excess)
        store(codes, row * GROUP, narrow(high(low, sides), high(top, sides)))
    put_back(state, 0, a, b, c, d)
    put_back(state, 32, e, f, g, h)
    return bits(unfair_low) | (bits(unfair_high) << np.uint64(32))


@njit(cache=True)
def decode(codes: Bytes, n: int, ones: Bytes) -> None:
    """Turn codes into cards, where they are: ``codes[place * 64 + deck]``."""
    one = load(ones, 0)
    first = (n - 1) // ROWS * ROWS
    while first >= 0:
        held = lift_within(hold(codes, first * GROUP, ROWS), one)
        for row in range(first - 1, -1, -1):
            held = lift(held, load(codes, row * GROUP), one)
        keep(codes, first * GROUP, held)
        first -= ROWS


@njit(cache=True)
def redraw(codes: Bytes, n: int, marked: Any, state: State) -> None:
    """Deal the decks whose bits are set anew: Fisher and Yates, inside out, with words of 64 bits."""
    a, b, c, d = state[SINGLE], state[SINGLE + 1], state[SINGLE + 2], state[SINGLE + 3]
    while marked:
        deck = np.uintp(first_one(marked))
        marked &= marked - np.uint64(1)
        codes[deck] = 0
        for place in range(1, n):
            sides = np.uint64(place + 1)
            word, a, b, c, d = step(a, b, c, d)
            other, rest = product(word, sides)
            # 2^64 mod sides of all words are rejected; a rest that is no smaller than the sides never is.
            while rest < sides and rest < (np.uint64(0) - sides) % sides:
                word, a, b, c, d = step(a, b, c, d)
                other, rest = product(word, sides)
            there = np.uintp(other * np.uint64(GROUP)) + deck
            codes[np.uintp(place * GROUP) + deck] = codes[there]
            codes[there] = place
    state[SINGLE], state[SINGLE + 1], state[SINGLE + 2], state[SINGLE + 3] = a, b, c, d


@njit(cache=True)
def group(codes: Bytes, n: int, ones: Bytes, state: State, fair: bool) -> None:
    """Make the next 64 decks of a stream, in the rows of `codes`; if not `fair`, whatever the dice say."""
    marked = throw(codes, n, state)
    decode(codes, n, ones)
    if marked and fair:
        redraw(codes, n, marked, state)


@njit(cache=True, nogil=True)
def groups(out: Bytes, block: int, codes: Bytes, seed: Seed, first: int, fair: bool) -> None:
    """Fill `out`, shape ``(groups, n, 64)``, with blocks of so many groups from number `first` on."""
    number, n, _ = out.shape
    flat, state, ones = out.reshape(-1), np.empty(WORDS, np.uint64), np.ones(GROUP, np.uint8)
    for at in range(number):
        if at % block == 0:
            begin(state, seed, first + at // block)
        group(codes, n, ones, state, fair)
        for row in range(0, n * GROUP, GROUP):
            store(flat, at * n * GROUP + row, load(codes, row))


@njit(cache=True, nogil=True)
def rows(out: Bytes, block: int, codes: Bytes, seed: Seed, first: int) -> None:
    """Fill `out`, shape ``(decks, n)``, with blocks of so many decks from number `first` on.

    A deck is written in words of eight cards. What its last word writes beyond the deck is
    written over by the next; only what has no room behind it goes by way of single bytes.
    """
    decks, n = out.shape
    flat, state, ones = out.reshape(-1), np.empty(WORDS, np.uint64), np.ones(GROUP, np.uint8)
    words = codes.view(np.uint64)
    for start in range(0, decks, GROUP):
        if start % block == 0:
            begin(state, seed, first + start // block)
        group(codes, n, ones, state, True)
        count = min(GROUP, decks - start)
        if (start + count) * n + 8 > len(flat):
            for deck in range(count):
                for place in range(n):
                    out[start + deck, place] = codes[place * GROUP + deck]
            continue
        for place in range(0, n, 8):
            keep(codes, place * GROUP, turn(hold(codes, place * GROUP, 8)))
        for deck in range(GROUP):
            at = (start + deck) * n
            word = TURNED[deck]
            for place in range(0, n, 8):
                put_word(flat, at + place, words[place * 8 + word])
