"""Many small decks at once: a deck to a column, 64 side by side.

Shuffling one deck is a chain: each swap waits for the last. Sixty-four decks side by side are 64
chains that go in step, each in a lane of its own. Three steps make a group of 64 decks:

1. **Dice by rows.** Row k gets, for each deck, a die of n - k sides: which of the cards that are
   left comes next (Lehmer's code of the order). A die is the high half of a random word of 16 bits
   times its sides. Some words would favour some numbers and are rejected; as 63 decks cannot wait
   for one, its deck is marked. Fair dice of which none was rejected are fair dice: so a deck that is
   not marked is exactly uniform.
2. **Decode.** "The third of those left" becomes a card: going back from the last place, each card
   at or above a code moves up by one and makes room for it. A few rows at a time stay in registers
   while all codes before them stream past.
3. **Replace.** For a marked deck, one in a hundred of 52 cards, comes the next deck that is not
   marked of a spare group, made in the same way, as many of them as it takes.

Sources: Lehmer, "Teaching combinatorial tricks to a computer", Proc. Symp. Appl. Math. 10 (1960);
Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.lab.kernels.inner import inner
from fairdeck.lab.kernels.processor import LAST_ROWS, ROWS
from fairdeck.lab.kernels.room import aligned
from fairdeck.lab.kernels.streams import WORDS, Seed, State, begin, put_back, step, take
from fairdeck.lab.kernels.vectors import (
    alike,
    as_u16,
    bits,
    choose,
    first_one,
    high,
    hold,
    keep,
    lift,
    lift_within,
    load,
    put_word,
    splat,
    store,
    turn,
    turned,
)

GROUP = 64
LARGEST = 128  # cards: so many fit into the scratch, and few enough words are rejected
DIE = 2**16  # words of a die
SPARE = (LARGEST + 2 * ROWS + 8) * GROUP  # where the codes of the spare group begin: behind rows that only fill up
LEFT = WORDS  # of the state, behind the generators: which spare decks are still to be had, as bits

Bytes = NDArray[np.uint8]

LANES = 32  # numbers of 16 bits in a vector: two of them have the dice of a row, for decks 0, 2, ... and 1, 3, ...
_SIDES = np.arange(LARGEST + 1).repeat(LANES)
SIDES, SIDES_IN_UPPER = _SIDES.astype(np.uint16), (_SIDES << 8).astype(np.uint16)
EXCESS = (DIE % np.maximum(_SIDES, 1)).astype(np.uint16)

TURNED = np.array([turned(column) for column in range(GROUP)])


def scratch() -> Bytes:
    """Return room for the codes of two groups, the second spare: rows of 64 bytes for the places, aligned."""
    room: Bytes = aligned(np.uint8, 2 * SPARE)
    room[:] = 0
    return room


@inner
def start(state: State, seed: Seed, block: int) -> None:
    """Set the generators of a block, with no spare deck yet."""
    begin(state, seed, block)
    state[LEFT] = 0


@inner
def throw(codes: Bytes, first: Any, n: int, state: State) -> Any:
    """Fill `n` rows from entry `first` on with dice of n, n - 1, ... 1 sides; return who had one rejected, as bits."""
    a, b, c, d = take(state, 0)
    e, f, g, h = take(state, 32)
    upper = splat(np.uint16(0xFF00))
    fair_even = upper == upper
    fair_odd = fair_even
    for row in range(n):
        # What a die needs to know comes from memory: to spread it over a vector would keep the adders busy.
        at = (n - row) * LANES
        sides, excess = load(SIDES, at), load(EXCESS, at)
        word, a, b, c, d = step(a, b, c, d)
        even = as_u16(word)
        word, e, f, g, h = step(e, f, g, h)
        odd = as_u16(word)
        fair_even = fair_even & (even * sides >= excess)
        fair_odd = fair_odd & (odd * sides >= excess)
        # 256 times the sides make dice 256 times as high, and something below that.
        store(codes, first + row * GROUP, high(even, sides) | (high(odd, load(SIDES_IN_UPPER, at)) & upper))
    put_back(state, 0, a, b, c, d)
    put_back(state, 32, e, f, g, h)
    none = splat(np.uint16(0))
    kept = choose(fair_even, splat(np.uint16(1)), none) | choose(fair_odd, splat(np.uint16(0x100)), none)
    nothing = splat(np.uint8(0))
    return bits(alike(kept, nothing) == nothing)


@inner
def decode(codes: Bytes, first: Any, n: int, ones: Bytes) -> None:
    """Turn codes into cards, where they are: ``codes[first + place * 64 + deck]``."""
    one = load(ones, 0)
    place = (n - 1) // ROWS * ROWS
    if n - place <= LAST_ROWS:
        decode_rows(codes, first, place, LAST_ROWS, one)
        place -= ROWS
    while place >= 0:
        decode_rows(codes, first, place, ROWS, one)
        place -= ROWS


@njit(inline="always")
def decode_rows(codes: Bytes, first: Any, place: Any, rows: Any, one: Any) -> None:
    """Turn the codes of some rows (a constant) from a place on into cards; all rows before them are codes still."""
    held = lift_within(hold(codes, first + place * GROUP, rows), one)
    for before in range(place - 1, -1, -1):
        held = lift(held, load(codes, first + before * GROUP), one)
    keep(codes, first + place * GROUP, held)


@inner
def replace(codes: Bytes, n: int, marked: Any, left: Any) -> Any:
    """Put spare decks that are left where decks are marked; return which are still marked, and which still left."""
    while marked and left:
        to, deck = np.uintp(first_one(marked)), np.uintp(SPARE + first_one(left))
        for row in range(n):
            codes[np.uintp(row * GROUP) + to] = codes[np.uintp(row * GROUP) + deck]
        marked &= marked - np.uint64(1)
        left &= left - np.uint64(1)
    return marked, left


@inner
def group(codes: Bytes, n: int, ones: Bytes, state: State, fair: bool) -> None:
    """Make the next 64 decks of a stream, in the first rows of `codes`; if not `fair`, whatever the dice say."""
    first, marked, left = 0, np.uint64(0), state[LEFT]
    while True:
        rejected = throw(codes, first, n, state)
        decode(codes, first, n, ones)
        if first == SPARE:
            left = ~rejected
        elif fair:
            marked = rejected
        marked, left = replace(codes, n, marked, left)
        if not marked:
            break
        first = SPARE
    state[LEFT] = left


@njit(cache=True, nogil=True)
def groups(out: Bytes, block: int, codes: Bytes, seed: Seed, first: int, fair: bool) -> None:
    """Fill `out`, shape ``(groups, n, 64)``, with blocks of so many groups from number `first` on."""
    number, n, _ = out.shape
    flat, state, ones = out.reshape(-1), np.empty(WORDS + 1, np.uint64), np.ones(GROUP, np.uint8)
    for at in range(number):
        if at % block == 0:
            start(state, seed, first + at // block)
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
    flat, state, ones = out.reshape(-1), np.empty(WORDS + 1, np.uint64), np.ones(GROUP, np.uint8)
    words = codes.view(np.uint64)
    for done in range(0, decks, GROUP):
        if done % block == 0:
            start(state, seed, first + done // block)
        group(codes, n, ones, state, True)
        count = min(GROUP, decks - done)
        if (done + count) * n + 8 > len(flat):
            for deck in range(count):
                for place in range(n):
                    out[done + deck, place] = codes[place * GROUP + deck]
            continue
        for place in range(0, n, 8):
            keep(codes, place * GROUP, turn(hold(codes, place * GROUP, 8)))
        for deck in range(GROUP):
            at = (done + deck) * n
            word = TURNED[deck]
            for place in range(0, n, 8):
                put_word(flat, at + place, words[place * 8 + word])
