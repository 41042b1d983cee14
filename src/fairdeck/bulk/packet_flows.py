"""Packet flows with real cards, many decks a second.

A riffle is two words and a mask: give each place a bit, then let the lower packet fill the places of
bit 0 in order and the upper packet those of bit 1. Processors with AVX-512 VBMI2 spread 64 cards over the bits
of a mask in one instruction; LLVM calls that an expanding load. Others move card by card. Both make equal decks.

Two packets are riffled into each other through a random set of places of a given size: all places get fair
bits, and then the surplus bits are flipped, at places drawn at random until one has such a bit. The flipped places
are a uniformly random part of a uniformly random set, so every set of the given size is equally likely.

`program` turns a flow into numbers. A packet is riffled as a whole (``!a``), its cut binomial; of ``a ~ b``, a is
first riffled into b, all interleavings equally likely, and then both are riffled as a whole.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import erf, sqrt
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.kernels import EXPANDS, inline
from fairdeck.bulk.streams import SINGLE, WORDS, Seed, begin, step
from fairdeck.bulk.vectors import load, ones_in, spread, store
from fairdeck.packets.notation import ALONE, JOINT, Flow

BLOCK = 1024  # decks
PAD = 64  # bytes beyond a deck that may be overwritten
WIDEST_SLIP = 64  # cards
TRIES = 6  # fair bits are drawn anew up to 6 times, which is faster than to flip many of them

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

U = np.uint64
ALL = U(2**64 - 1)


# --- what to do, as numbers


class Program(NamedTuple):
    """A flow as numbers. Packets and slices are listed from the bottom up.

    Attributes:
        steps: (steps, 4): the first of the step's packets in `cuts`, how many; the first in `moves`, how many.
        cuts: (packets, 2): the first of the packet's fractions in `fractions`, how many.
        fractions: (fractions, 2): numerator and denominator of each cut but the ends, counted from the top.
        moves: (moves, 4): kind; the first in `slices`, the first of the upper part, the end.
        slices: (slices, 2): the packet, numbered within its step, and which of its parts, counted from its top.
    """

    steps: Numbers
    cuts: Numbers
    fractions: Numbers
    moves: Numbers
    slices: Numbers


_KINDS = {ALONE: 1, JOINT: 2}


def program(flow: Flow) -> Program:
    """Return a flow as numbers; the first step parts the pack."""
    steps: list[tuple[int, ...]] = []
    cuts: list[tuple[int, int]] = []
    fractions: list[Fraction] = []
    moves: list[tuple[int, ...]] = []
    slices: list[tuple[int, int]] = []

    def add_packet(inner: Sequence[Fraction]) -> None:
        cuts.append((len(fractions), len(inner)))
        fractions.extend(inner)

    many = len(flow.packets)
    steps.append((0, 1, 0, many))
    add_packet([Fraction(at, many) for at in range(1, many)])
    for at in reversed(range(many)):
        moves.append((0, len(slices), len(slices), len(slices) + 1))
        slices.append((0, at))
    for number in range(len(flow.steps)):
        names, todo = flow.names(number)[::-1], flow.moves(number)[::-1]
        begun = len(cuts), len(moves)
        parts: dict[tuple[str, Fraction], tuple[int, int]] = {}
        for at, name in enumerate(names):
            inside = sorted(each.start for move in todo for each in move.slices if each.packet == name)
            parts |= {(name, start): (at, which) for which, start in enumerate(inside)}
            add_packet(inside[1:])
        for move in todo:
            first = len(slices)
            lower, upper = move.lower[::-1], move.upper[::-1]
            slices += [parts[each.packet, each.start] for each in (*lower, *upper)]
            moves.append((_KINDS.get(move.kind, 0), first, first + len(lower), len(slices)))
        steps.append((begun[0], len(names), begun[1], len(todo)))
    pairs = [(share.numerator, share.denominator) for share in fractions]
    return Program(
        np.array(steps, np.int64),
        np.array(cuts, np.int64),
        np.array(pairs, np.int64).reshape(-1, 2),
        np.array(moves, np.int64),
        np.array(slices, np.int64),
    )


def slips(deviation: float) -> Words:
    """Return the cumulative chances, in 2^-32, that a cut misses by -64, ..., 64 cards; empty for deviation 0."""
    if not deviation:
        return np.empty(0, np.uint64)
    ends = [0.5 * (1 + erf((miss + 0.5) / (deviation * sqrt(2)))) for miss in range(-WIDEST_SLIP, WIDEST_SLIP + 1)]
    return np.array([round(end * 2**32) for end in ends[:-1]] + [2**32], np.uint64)


# --- bits


@njit(inline="always")
def word(state: Words) -> Any:
    """Return the next random word."""
    drawn, state[SINGLE], state[SINGLE + 1], state[SINGLE + 2], state[SINGLE + 3] = step(
        state[SINGLE], state[SINGLE + 1], state[SINGLE + 2], state[SINGLE + 3]
    )
    return drawn


@njit(inline="always")
def first_bits(many: int) -> Any:
    """Return a word whose lowest `many` bits, 1 to 64, are set."""
    return ALL >> U(64 - many)


@njit(inline="always")
def fair_sides(sides: Words, size: int, state: Words) -> int:
    """Give each place a fair bit; return how many are 0."""
    lower = size
    for at in range((size + 63) >> 6):
        sides[at] = word(state) & first_bits(min(64, size - 64 * at))
        lower -= ones_in(sides[at])
    return lower


@njit(inline="always")
def joint_sides(sides: Words, size: int, lower: int, state: Words) -> None:
    """Give `lower` of the places bit 0; each set of places is equally likely."""
    excess = fair_sides(sides, size, state) - lower
    for _ in range(TRIES):
        if -2 < excess < 2:
            break
        excess = fair_sides(sides, size, state) - lower
    if excess:
        turn_over(sides, size, abs(excess), U(excess < 0), state)


@inline
def turn_over(sides: Words, size: int, many: int, bit: Any, state: Words) -> None:
    """Flip `many` of the places that have this bit; each set of places is equally likely."""
    width = 1
    while (1 << width) < size:
        width += 1
    mask = first_bits(width)
    while True:
        drawn = word(state)
        for _ in range(0, 65 - width, width):
            place = drawn & mask
            drawn >>= U(width)
            if place < U(size):
                at = place >> U(6)
                if (sides[at] >> (place & U(63))) & U(1) == bit:
                    sides[at] ^= U(1) << (place & U(63))
                    many -= 1
                    if many == 0:
                        return


@inline
def hand_sides(sides: Words, size: int, lower: int, switch: Any, state: Words) -> None:
    """Change the side after each card with probability ``switch / 2^32``, until one packet is used up."""
    side = word(state) >> U(63)
    for at in range((size + 63) >> 6):
        changes = U(0)
        for digit in range(32):
            drawn = word(state)
            changes = (changes | drawn) if (switch >> U(digit)) & U(1) else (changes & drawn)
        if switch >> U(32):
            changes = ALL
        # Bit i is the side of place i: the changes after all places before it, summed modulo 2.
        later = changes >> U(63)
        changes <<= U(1)
        for shift in (1, 2, 4, 8, 16, 32):
            changes ^= changes << U(shift)
        sides[at] = (changes ^ (ALL if side else U(0))) & first_bits(min(64, size - 64 * at))
        side = (((changes >> U(63)) ^ later) & U(1)) ^ side
    upper = size - lower
    for place in range(size):
        bit = (sides[place >> 6] >> U(place & 63)) & U(1)
        if (upper if bit else lower) == 0:
            for rest in range(place, size):
                if bit:
                    sides[rest >> 6] &= ~(U(1) << U(rest & 63))
                else:
                    sides[rest >> 6] |= U(1) << U(rest & 63)
            return
        if bit:
            upper -= 1
        else:
            lower -= 1


@njit(inline="always")
def choose(sides: Words, size: int, lower: int, switch: int, state: Words) -> int:
    """Give each place of a packet its bit for one riffle; return how many are 0, `lower` unless that is below 0."""
    cut = fair_sides(sides, size, state) if lower < 0 else lower
    if switch >= 0:
        hand_sides(sides, size, cut, U(switch), state)
    elif lower >= 0:
        joint_sides(sides, size, cut, state)
    return cut


# --- cards


@njit(inline="always")
def fall_together(cards: Any, first: int, size: int, lower: int, sides: Words, to: int) -> None:
    """Let `size` cards from `first` on fall onto the places from `to` on; up to 63 more places may be written.

    The first `lower` cards fill the places whose bit is 0, the others those whose bit is 1.
    """
    below, above = first, first + lower
    if EXPANDS and cards.itemsize == 1:
        for at in range((size + 63) >> 6):
            ones = sides[at]
            zeros = ~ones & first_bits(min(64, size - 64 * at))
            fallen = spread(cards, below, zeros, load(cards, first))
            store(cards, to + 64 * at, spread(cards, above, ones, fallen))
            below += ones_in(zeros)
            above += ones_in(ones)
    else:
        for place in range(size):
            bit = int((sides[place >> 6] >> U(place & 63)) & U(1))
            cards[to + place] = cards[above] if bit else cards[below]
            above += bit
            below += 1 - bit


@njit(inline="always")
def lay(cards: Any, first: int, many: int, out: Any, to: int) -> None:
    """Copy cards; up to 63 more places may be written."""
    if cards.itemsize == 1:
        for at in range(0, many, 64):
            store(out, to + at, load(cards, first + at))
    else:
        for at in range(many):
            out[to + at] = cards[first + at]


@inline
def miss(missed: Words, state: Words) -> int:
    """Return by how many cards a cut is too low."""
    drawn = word(state) >> U(32)
    for cards in range(len(missed)):
        if drawn < missed[cards]:
            return cards - WIDEST_SLIP
    return WIDEST_SLIP


@njit(cache=True)
def lay_out(
    n: int,
    steps: Numbers,
    cuts: Numbers,
    fractions: Numbers,
    moves: Numbers,
    slices: Numbers,
    rounds: int,
    missed: Words,
    state: Words,
    todo: Numbers,
    parts: Numbers,
) -> int:
    """Lay out all rounds of one deck; return the number of moves.

    ``todo[move]`` is its kind, its first entry in `parts` and the end of its entries, its size, the size of its lower
    part, the place it goes to, and whether it ends a round; ``parts[entry]`` is the start of a slice and its size.
    """
    most = 0
    for row in range(len(steps)):
        most = max(most, steps[row, 1], steps[row, 3])
    ends = np.zeros(len(fractions) + 2 * most + 2, np.int64)  # of the parts of each packet, from its top
    where = np.zeros(most + 1, np.int64)  # in `ends`
    based = np.zeros(most + 1, np.int64)  # of each packet in the pack
    sizes = np.zeros(most + 1, np.int64)
    sizes[0] = n
    made, entry = 0, 0
    for done in range(rounds + 1):
        row = 0 if done == 0 else 1 + (done - 1) % (len(steps) - 1)
        bottom, used = 0, 0
        for packet in range(steps[row, 1]):
            size = sizes[packet]
            based[packet] = bottom
            where[packet] = used
            ends[used] = 0
            used += 1
            start = cuts[steps[row, 0] + packet, 0]
            for at in range(start, start + cuts[steps[row, 0] + packet, 1]):
                place = (2 * fractions[at, 0] * size + fractions[at, 1]) // (2 * fractions[at, 1])
                if len(missed):
                    place = min(max(place + miss(missed, state), ends[used - 1]), size)
                ends[used] = place
                used += 1
            ends[used] = size
            used += 1
            bottom += size
        to = 0
        for move in range(steps[row, 3]):
            line = steps[row, 2] + move
            todo[made, 0], todo[made, 1], todo[made, 4], todo[made, 5] = moves[line, 0], entry, 0, to
            size = 0
            for at in range(moves[line, 1], moves[line, 3]):
                packet, which = slices[at, 0], slices[at, 1]
                top, bottom = ends[where[packet] + which], ends[where[packet] + which + 1]
                parts[entry, 0], parts[entry, 1] = based[packet] + sizes[packet] - bottom, bottom - top
                entry += 1
                size += bottom - top
                if at < moves[line, 2]:
                    todo[made, 4] = size
            todo[made, 2], todo[made, 3], todo[made, 6] = entry, size, 0
            to += size
            made += 1
        todo[made - 1, 6] = 1
        for move in range(steps[row, 3]):
            sizes[move] = todo[made - steps[row, 3] + move, 3]
    return made


@inline
def riffle(
    hold: Any,
    one: int,
    other: int,
    to: int,
    size: int,
    lower: int,
    riffles: int,
    switch: int,
    sides: Words,
    state: Words,
) -> None:
    """Riffle a packet `riffles` times, from `one` to `other` and back, and the last time onto its place, `to`.

    Unless `lower` is below 0, it is the size of the lower part in the first riffle.
    """
    for turn in range(riffles):
        cut = choose(sides, size, lower if turn == 0 else -1, switch, state)
        last = turn == riffles - 1
        fall_together(hold, one, size, cut, sides, to if last else other)
        one, other = other, one


@njit(cache=True, nogil=True)
def rows(
    out: Any,
    steps: Numbers,
    cuts: Numbers,
    fractions: Numbers,
    moves: Numbers,
    slices: Numbers,
    rounds: int,
    riffles: int,
    switch: int,
    missed: Words,
    seed: Seed,
    first: int,
) -> None:
    """Fill `out`, shape ``(decks, n)``, with blocks of decks; a `switch` below 0 means fair riffles."""
    decks, n = out.shape
    state = np.empty(WORDS, np.uint64)
    sides = np.empty((n >> 6) + 2, np.uint64)
    # Five packs: two for the whole deck, two for a packet that is riffled, one sorted. They are one array,
    # because numba counts the references to every array that has a name.
    pack = n + 2 * PAD
    hold = np.zeros(5 * pack, out.dtype)
    hold[4 * pack : 4 * pack + n] = np.arange(n)
    todo = np.zeros(((rounds + 1) * len(moves), 7), np.int64)
    parts = np.zeros(((rounds + 1) * len(slices), 2), np.int64)
    made = 0
    for deck in range(decks):
        if deck % BLOCK == 0:
            begin(state, seed, first + deck // BLOCK)
        if deck == 0 or len(missed):
            made = lay_out(n, steps, cuts, fractions, moves, slices, rounds, missed, state, todo, parts)
        now, ahead = 0, pack
        lay(hold, 4 * pack, n, hold, now)
        for move in range(made):
            kind, size, lower, to = todo[move, 0], todo[move, 3], todo[move, 4], todo[move, 5]
            direct = kind == 0 or riffles == 0
            one, other = 2 * pack, 3 * pack
            place = ahead + to if direct else one
            for at in range(todo[move, 1], todo[move, 2]):
                lay(hold, now + parts[at, 0], parts[at, 1], hold, place)
                place += parts[at, 1]
            if not direct:
                riffle(hold, one, other, ahead + to, size, lower if kind == 2 else -1, riffles, switch, sides, state)
            if todo[move, 6]:
                now, ahead = ahead, now
        for place in range(n):
            out[deck, place] = hold[now + place]


# --- counting


@njit(cache=True, nogil=True)
def count(decks: Any, packet: int, counts: Numbers) -> None:
    """Count five numbers of each deck, named in `lab.experiments.packets`; `counts` has shape ``(5, n + 1)``."""
    many, n = decks.shape
    held = np.empty(n, np.int64)
    half = n // 2
    for deck in range(many):
        halves, pairs, risen, follow, stayed = 0, 0, 1, 0, 0
        for place in range(n):
            held[decks[deck, place]] = place
        for card in range(half, n):
            halves += held[card] >= half
        for card in range(half):
            pairs += (held[card] >= half) & (held[card + half] >= half)
        for card in range(n - 1):
            risen += held[card + 1] < held[card]
            follow += held[card + 1] == held[card] + 1
        for card in range(n - packet, n):
            stayed += held[card] >= n - packet
        counts[0, halves] += 1
        counts[1, pairs] += 1
        counts[2, risen] += 1
        counts[3, follow] += 1
        counts[4, stayed] += 1
