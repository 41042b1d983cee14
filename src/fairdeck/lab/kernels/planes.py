"""Bit planes: 512 decks in one vector, a bit of each, so that logic does what comparing did.

Sixty-four decks side by side are 64 bytes a place. Cut into bits, each bit of a place is one word of
64 bits, and eight such words, of eight groups, are a vector: bit b of place i of 512 decks. "Equal"
is then a chain of exclusive ors, "less" the borrow of a subtraction, one or two instructions a bit
for 512 decks, and how many decks that makes is a count of the bits set. A small deck has few bits.

A batch is cut into *slabs* of 512 decks, the last filled up with sorted ones: what those count is
known, and taken off at the end. Planes have the shape ``(slabs, n, bits, 8)``, dtype uint64.

Source: Biham, "A fast new DES implementation in software", Fast Software Encryption (1997), who
calls it bit-slicing.
"""

# ruff: noqa: ARG001 - numba hands the builders all there is

from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit
from numba.extending import intrinsic
from numpy.typing import NDArray

from fairdeck.lab.arrays import Counts
from fairdeck.lab.kernels import GROUP
from fairdeck.lab.kernels.batch import Batch, Groups
from fairdeck.lab.kernels.inner import inner
from fairdeck.lab.kernels.room import aligned
from fairdeck.lab.kernels.values import once
from fairdeck.lab.kernels.vectors import bits, count_ones, hold, load, splat, store

Planes = NDArray[np.uint64]

WORDS = 8  # groups of a slab
SLAB = WORDS * GROUP  # decks
ALL = 0xFFFF_FFFF_FFFF_FFFF  # every deck of a word
BLOCK = 4  # rows counted together: their counts stay in the nearest cache
FURTHER = 3  # a place that many further on still fits into the bits
FEWEST = 6  # bits; so that most decks share the kernels of 52 cards


def width(n: int) -> int:
    """Return the bits of a card: 6 to 8, with room for `FURTHER`."""
    return max(FEWEST, (n - 1 + FURTHER).bit_length())


def padding(batch: Batch) -> int:
    """Return how many sorted decks fill up the slabs of a batch."""
    return -batch.decks % SLAB


@once
def of_cards(batch: Batch) -> Planes:
    """Return the planes of the cards, place by place."""
    return sliced(batch.groups)


@once
def of_places(batch: Batch) -> Planes:
    """Return the planes of the places, card by card: where each card lies."""
    return inverse(of_cards(batch))


def sliced(groups: Groups) -> Planes:
    """Return the planes of bytes; shape ``(groups, n, 64)``."""
    count, n, _ = groups.shape
    planes = aligned(np.uint64, -(-count // WORDS), n, width(n), WORDS)
    _slice(groups.reshape(-1), count, planes)
    return planes


def inverse(planes: Planes) -> Planes:
    """Return the planes of the inverse of each deck."""
    out = aligned(np.uint64, *planes.shape)
    eights = -(-planes.shape[1] // 8) * 8
    lows, highs = aligned(np.uint64, 8 * eights * WORDS), aligned(np.uint64, eights * WORDS)
    lows[:], highs[:] = 0, 0
    _invert(planes, lows, highs, out)
    return out


@njit(cache=True, nogil=True)
def _slice(flat: Any, groups: int, planes: Any) -> None:
    slabs, n, width, _ = planes.shape
    top = splat(np.uint8(128))
    for slab in range(slabs):
        for place in range(n):
            for word in range(WORDS):
                group = slab * WORDS + word
                cards = splat(np.uint8(place))
                if group < groups:
                    cards = load(flat, (group * n + place) * GROUP)
                # The highest bit of a byte is the easiest to see, so each is moved there in turn.
                for _ in range(8 - width):
                    cards = cards + cards
                for bit in range(width - 1, FEWEST - 1, -1):
                    planes[slab, place, bit, word] = bits(cards >= top)
                    cards = cards + cards
                for bit in range(FEWEST - 1, -1, -1):  # always as many: the compiler writes them all out
                    planes[slab, place, bit, word] = bits(cards >= top)
                    cards = cards + cards


@inner
def low_bits(planes: Any, at: int) -> Any:
    """Return in which decks the number whose planes begin at `at` has the low bits of 0, in which of 1, ... of 7."""
    flip = splat(np.uint64(ALL))
    a, b, c = load(planes, at), load(planes, at + WORDS), load(planes, at + 2 * WORDS)
    neither, only_b, only_c, both = (b | c) ^ flip, b & (c ^ flip), c & (b ^ flip), b & c
    no_a = a ^ flip
    return neither & no_a, neither & a, only_b & no_a, only_b & a, only_c & no_a, only_c & a, both & no_a, both & a


@inner
def high_bits(planes: Any, at: int, width: int, number: int) -> Any:
    """Return in which decks the number whose planes begin at `at` has all but the three low bits of `number`."""
    found = splat(np.uint64(ALL))
    for bit in range(3, width):
        unwanted = splat(np.uint64(number >> bit & 1) - np.uint64(1))
        found = found & (load(planes, at + bit * WORDS) ^ unwanted)
    return found


@njit(cache=True, nogil=True)
def _invert(planes: Any, lows: Any, highs: Any, out: Any) -> None:
    # Card c is at place i where the number there has the low bits of c, and the high bits as well: both
    # are found once for eight cards. They lie in scratch that has nothing beyond the last place.
    slabs, n, width, _ = planes.shape
    flat, flat_out = planes.reshape(-1), out.reshape(-1)
    for slab in range(slabs):
        start = slab * n * width * WORDS
        for place in range(n):
            for low, found in enumerate(low_bits(flat, start + place * width * WORDS)):
                store(lows, low * len(highs) + place * WORDS, found)
        for card in range(n):
            if card % 8 == 0:
                for place in range(n):
                    at = start + place * width * WORDS
                    store(highs, place * WORDS, high_bits(flat, at, width, card))
            _gather(lows, card % 8 * len(highs), highs, flat_out, start + card * width * WORDS, width)


@inner
def _gather(lows: Any, low: int, highs: Any, out: Any, at: int, width: int) -> None:
    """Write the planes of the place where both sorts of bits are right, eight places at a time."""
    none = splat(np.uint64(0))
    ones, twos, fours = none, none, none
    for bit in range(3, width):
        store(out, at + bit * WORDS, none)
    for step in range(0, len(highs), 8 * WORDS):
        a = load(lows, low + step) & load(highs, step)
        b = load(lows, low + step + 8) & load(highs, step + 8)
        c = load(lows, low + step + 16) & load(highs, step + 16)
        d = load(lows, low + step + 24) & load(highs, step + 24)
        e = load(lows, low + step + 32) & load(highs, step + 32)
        f = load(lows, low + step + 40) & load(highs, step + 40)
        g = load(lows, low + step + 48) & load(highs, step + 48)
        h = load(lows, low + step + 56) & load(highs, step + 56)
        ones = ones | b | d | f | h
        twos = twos | c | d | g | h
        fours = fours | e | f | g | h
        any_of_eight = a | b | c | d | e | f | g | h
        for bit in range(3, FEWEST):
            if step // WORDS >> bit & 1:
                store(out, at + bit * WORDS, load(out, at + bit * WORDS) | any_of_eight)
        for bit in range(FEWEST, width):
            if step // WORDS >> bit & 1:
                store(out, at + bit * WORDS, load(out, at + bit * WORDS) | any_of_eight)
    store(out, at, ones)
    store(out, at + WORDS, twos)
    store(out, at + 2 * WORDS, fours)


# --- two places, or two cards


@intrinsic
def alike(typing: Any, x: Any, y: Any) -> Any:
    """Return in which decks two bundles of planes hold the same."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found = ir.Constant(x.vector.llvm, None)
        for row in range(x.rows):
            one, other = (builder.extract_value(each, row) for each in args)
            found = builder.or_(found, builder.xor(one, other))
        return builder.not_(found)

    return x.vector(x, y), build


@intrinsic
def below(typing: Any, x: Any, y: Any) -> Any:
    """Return in which decks one bundle of planes, lowest bit first, is the lower number of two."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found = ir.Constant(x.vector.llvm, None)
        for row in range(x.rows):
            one, other = (builder.extract_value(each, row) for each in args)
            # Where the bits differ, they decide; where not, those below have.
            found = builder.xor(found, builder.and_(builder.xor(one, other), builder.xor(found, other)))
        return found

    return x.vector(x, y), build


@cache
def upper(n: int) -> Counts:
    """Return what `pairs` finds lower in one sorted deck: ones above the diagonal; shape ``(n, n)``."""
    return np.triu(np.ones((n, n), np.int64), 1)


def pairs(planes: Planes, others: Planes, first: int, rows: int, *, lower: bool = False, full: bool = False) -> Counts:
    """Return in how many decks of the slabs, sorted ones at the end included, two rows hold the same.

    Args:
        planes: the planes of one row.
        others: those of the other, of the same shape.
        first: the first of the planes to compare.
        rows: how many to compare.
        lower: whether to count where the first is the lower number of two instead.
        full: whether the pairs of a row with itself and with those before it count as well.

    Returns:
        Shape ``(n, n)``; 0 where nothing was counted.
    """
    n = planes.shape[1]
    out = np.zeros((n, n), np.int64)
    _kernel(rows, lower)(planes, others, first, -n if full else 1, aligned(np.uint64, BLOCK * n * WORDS), out)
    return out


@cache
def _kernel(rows: int, lower: bool) -> Any:
    """Return what counts pairs by so many planes; one for each number of them, which then stay in registers."""

    # Only numbers come from outside the function: of those numba can tell that they are what it has kept.
    @njit(cache=True, nogil=True)
    def count(planes: Any, others: Any, first: int, after: int, room: Any, out: Any) -> None:
        slabs, n, width, _ = planes.shape
        row = width * WORDS
        one, other = planes.reshape(-1), others.reshape(-1)
        none = splat(np.uint64(0))
        for begin in range(0, n, BLOCK):
            end = min(begin + BLOCK, n)
            for at in range(0, len(room), WORDS):
                store(room, at, none)
            for slab in range(slabs):
                start = slab * n * row + first * WORDS
                for i in range(begin, end, 2):
                    # Two rows at once: what they are compared with is loaded once for both.
                    held = hold(one, start + i * row, rows)
                    next_held = hold(one, start + min(i + 1, n - 1) * row, rows)
                    for j in range(max(0, i + after), n):
                        with_both = hold(other, start + j * row, rows)
                        at = ((i - begin) * n + j) * WORDS
                        next_at = at + n * WORDS
                        found = below(held, with_both) if lower else alike(held, with_both)
                        next_found = below(next_held, with_both) if lower else alike(next_held, with_both)
                        store(room, at, load(room, at) + count_ones(found))
                        store(room, next_at, load(room, next_at) + count_ones(next_found))
            for i in range(begin, end):
                for j in range(max(0, i + after), n):
                    out[i, j] = across(room, ((i - begin) * n + j) * WORDS)

    return count


@inner
def across(room: Any, at: int) -> Any:
    """Return the sum of the eight words from `at` on."""
    total = np.uint64(0)
    for word in range(WORDS):
        total += room[at + word]
    return total
