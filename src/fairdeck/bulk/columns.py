"""Many small decks at once: a deck to a column, 64 side by side.

Shuffling one deck is a chain: each swap waits for the one before. Sixty-four decks side by side are 64
chains in step, each in a lane of its own. Three steps make a group of 64 decks:

1. **Draw, row by row.** Row k gets, for each deck, a random integer below n - k: which of the remaining cards comes
   next (the Lehmer code of the order). The integer is the high half of a random 16-bit word times the bound. Words that
   would favour some integers are rejected. The other 63 decks cannot wait for a new word, so the deck is marked
   instead. The integers of an unmarked deck are all fair, so that deck is exactly uniform.
2. **Decode.** "The third of those left" becomes a card: going back from the last place, each card
   at or above a code moves up by one and makes room for it. A few rows at a time stay in registers
   while all codes before them stream past.
3. **Replace.** The next unmarked deck of a spare group, made in the same way, replaces a marked deck
   (one in a hundred of 52 cards). Another spare group is made when one is used up.

The first k rows are all that the first k cards need: these serve as the k top cards where no others are wanted.

Sources: Lehmer, "Teaching combinatorial tricks to a computer", Proc. Symp. Appl. Math. 10 (1960);
Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.kernels import LAST_ROWS, ROWS, aligned, inline
from fairdeck.bulk.streams import WORDS, Seed, State, begin, put_back, step, take
from fairdeck.bulk.vectors import (
    bits,
    choose,
    first_one,
    high,
    hold,
    keep,
    lay_columns,
    lift,
    lift_within,
    load,
    reinterpret,
    splat,
    store,
)

GROUP = 64
PIECE = 16  # cards of a deck that are written at once
LARGEST = 128  # cards, the most that fit into the scratch array; few words are rejected
SPARE = (LARGEST + 2 * ROWS + PIECE) * GROUP  # where the codes of the spare group begin: behind rows that only fill up
LEFT = WORDS  # place in the state, behind the generators, of a bit for each spare deck: whether it is unused

Bytes = NDArray[np.uint8]

LANES = 32  # 16-bit numbers in a vector: a row is drawn as two of them, for decks 0, 2, ... and 1, 3, ...
_BOUNDS = np.arange(LARGEST + 1).repeat(LANES)
BOUNDS, BOUNDS_IN_UPPER = _BOUNDS.astype(np.uint16), (_BOUNDS << 8).astype(np.uint16)
THRESHOLDS = (2**16 % np.maximum(_BOUNDS, 1)).astype(np.uint16)  # low halves below them are rejected


def scratch() -> Bytes:
    """Return a buffer for the codes of two groups, the second spare: an aligned row of 64 bytes for each place."""
    codes: Bytes = aligned(np.uint8, 2 * SPARE)
    codes[:] = 0
    return codes


@inline
def start(state: State, seed: Seed, block: int) -> None:
    """Set the generators of a block, with no spare deck yet."""
    begin(state, seed, block)
    state[LEFT] = 0


@inline
def draw(codes: Bytes, first: Any, n: int, rows: int, state: State) -> Any:
    """Fill `rows` rows from entry `first` on with integers below n, n - 1, ...; return a bit for each marked deck."""
    a, b, c, d = take(state, 0)
    e, f, g, h = take(state, 32)
    upper = splat(np.uint16(0xFF00))
    fair_even = upper == upper
    fair_odd = fair_even
    for row in range(rows):
        # Bounds come from memory: to spread each over a vector would keep the adders busy.
        at = (n - row) * LANES
        bounds, thresholds = load(BOUNDS, at), load(THRESHOLDS, at)
        word, a, b, c, d = step(a, b, c, d)
        even = reinterpret(word, upper)
        word, e, f, g, h = step(e, f, g, h)
        odd = reinterpret(word, upper)
        fair_even = fair_even & (even * bounds >= thresholds)
        fair_odd = fair_odd & (odd * bounds >= thresholds)
        # A bound 256 times as high gives the integer in the upper byte, and noise in the lower one.
        store(codes, first + row * GROUP, high(even, bounds) | (high(odd, load(BOUNDS_IN_UPPER, at)) & upper))
    put_back(state, 0, a, b, c, d)
    put_back(state, 32, e, f, g, h)
    none = splat(np.uint16(0))
    kept = choose(fair_even, splat(np.uint16(1)), none) | choose(fair_odd, splat(np.uint16(0x100)), none)
    nothing = splat(np.uint8(0))
    return bits(reinterpret(kept, nothing) == nothing)


@inline
def decode(codes: Bytes, first: Any, rows: int, ones: Bytes) -> None:
    """Turn `rows` rows of codes into cards, in place: ``codes[first + place * 64 + deck]``."""
    one = load(ones, 0)
    place = (rows - 1) // ROWS * ROWS
    if rows - place <= LAST_ROWS:
        decode_rows(codes, first, place, LAST_ROWS, one)
        place -= ROWS
    while place >= 0:
        decode_rows(codes, first, place, ROWS, one)
        place -= ROWS


@njit(inline="always")
def decode_rows(codes: Bytes, first: Any, place: Any, rows: Any, one: Any) -> None:
    """Turn the codes of `rows` rows (a constant) from a place on into cards; all rows before them are still codes."""
    held = lift_within(hold(codes, first + place * GROUP, rows), one)
    for before in range(place - 1, -1, -1):
        held = lift(held, load(codes, first + before * GROUP), one)
    keep(codes, first + place * GROUP, held)


@inline
def replace(codes: Bytes, rows: int, marked: Any, left: Any) -> Any:
    """Replace marked decks by unused spare ones; return which decks are still marked and which spare ones unused."""
    while marked and left:
        to, deck = np.uintp(first_one(marked)), np.uintp(SPARE + first_one(left))
        for row in range(rows):
            codes[np.uintp(row * GROUP) + to] = codes[np.uintp(row * GROUP) + deck]
        marked &= marked - np.uint64(1)
        left &= left - np.uint64(1)
    return marked, left


@inline
def group(codes: Bytes, n: int, rows: int, ones: Bytes, state: State, fair: bool) -> None:
    """Make `rows` cards of the next 64 decks of a stream, in the first rows of `codes`; if not `fair`, as drawn."""
    marked = draw(codes, 0, n, rows, state)
    decode(codes, 0, rows, ones)
    if fair and marked:
        mend(codes, n, rows, ones, state, marked)


@njit(cache=True, _nrt=False)
def mend(codes: Bytes, n: int, rows: int, ones: Bytes, state: State, marked: Any) -> None:
    """Replace the marked decks; not inlined, so that nothing waits in registers for what is rare."""
    marked, left = replace(codes, rows, marked, state[LEFT])
    while marked:
        left = ~draw(codes, SPARE, n, rows, state)
        decode(codes, SPARE, rows, ones)
        marked, left = replace(codes, rows, marked, left)
    state[LEFT] = left


@njit(cache=True, nogil=True)
def groups(out: Bytes, block: int, codes: Bytes, seed: Seed, first: int, fair: bool) -> None:
    """Fill `out`, shape ``(groups, n, 64)``, with blocks of `block` groups, from block number `first` on."""
    number, n, _ = out.shape
    flat, state, ones = out.reshape(-1), np.empty(WORDS + 1, np.uint64), np.ones(GROUP, np.uint8)
    for at in range(number):
        if at % block == 0:
            start(state, seed, first + at // block)
        group(codes, n, n, ones, state, fair)
        for row in range(0, n * GROUP, GROUP):
            store(flat, at * n * GROUP + row, load(codes, row))


@njit(cache=True, nogil=True)
def rows(out: Bytes, n: int, block: int, codes: Bytes, seed: Seed, first: int) -> None:
    """Fill `out`, shape ``(decks, cards)``, with cards of decks of `n`: blocks of `block` decks from number `first` on.

    A deck is written in pieces of sixteen cards. The next deck overwrites what the last piece of a deck
    writes beyond it; decks at the end of the array are written byte by byte.
    """
    decks, cards = out.shape
    flat, state, ones = out.reshape(-1), np.empty(WORDS + 1, np.uint64), np.ones(GROUP, np.uint8)
    for done in range(0, decks, GROUP):
        if done % block == 0:
            start(state, seed, first + done // block)
        group(codes, n, cards, ones, state, True)
        count = min(GROUP, decks - done)
        if (done + count) * cards + PIECE > len(flat):
            for deck in range(count):
                for place in range(cards):
                    out[done + deck, place] = codes[place * GROUP + deck]
            continue
        # From the top down: a piece may reach into the next deck, whose first piece is written later.
        for place in range((cards - 1) // PIECE * PIECE, -1, -PIECE):
            lay_columns(flat, done * cards + place, cards, hold(codes, place * GROUP, PIECE))
