"""Bit planes: a vector holds one bit of each of 512 decks, and logic instructions compare all of them.

Sixty-four decks side by side are 64 bytes a place. Cut into bits, each bit of a place is one word of
64 bits, and eight such words, of eight groups, are a vector: bit b of place i of 512 decks. "Equal"
is then a chain of exclusive ors, and "less" the borrow of a subtraction: one or two instructions a bit
for 512 decks. Counting the bits set gives the number of decks. A small deck has few bits.

A batch is cut into *slabs* of 512 decks. Sorted decks fill up the last slab; their known counts
are subtracted at the end. Planes have the shape ``(slabs, n, bits, 8)``, dtype uint64.

Source: Biham, "A fast new DES implementation in software", Fast Software Encryption (1997), who calls it bit-slicing.
"""

# ruff: noqa: ARG001 - numba hands every argument to every builder

from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit
from numba.extending import intrinsic
from numpy.typing import NDArray

from fairdeck.bulk.batch import Batch, Groups
from fairdeck.bulk.kernels import aligned, inline
from fairdeck.bulk.shapes import GROUP, Counts, once
from fairdeck.bulk.vectors import bits, count_ones, hold, load, splat, store

Planes = NDArray[np.uint64]

WORDS = 8  # groups of a slab
SLAB = WORDS * GROUP  # decks
ALL = 0xFFFF_FFFF_FFFF_FFFF  # every deck of a word
BLOCK = 4  # rows counted together: their counts stay in the nearest cache
FURTHER = 3  # the bits hold a place up to 3 beyond the last
FEWEST = 6  # bits; so that most decks share the kernels of 52 cards


def width(n: int) -> int:
    """Return the bits of a card: 6 to 8, with room for `FURTHER`."""
    return max(FEWEST, (n - 1 + FURTHER).bit_length())


def padding(batch: Batch) -> int:
    """Return how many sorted decks fill up the last slab of a batch."""
    return -batch.decks % SLAB


@once
def of_cards(batch: Batch) -> Planes:
    """Return the planes of the cards, place by place."""
    return sliced(batch.groups)


@once
def of_places(batch: Batch) -> Planes:
    """Return the planes of the place of each card, card by card."""
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
                # The highest bit of a byte is the easiest to test, so each is moved there in turn.
                for _ in range(8 - width):
                    cards = cards + cards
                for bit in range(width - 1, FEWEST - 1, -1):
                    planes[slab, place, bit, word] = bits(cards >= top)
                    cards = cards + cards
                for bit in range(FEWEST - 1, -1, -1):  # a constant number: the compiler unrolls the loop
                    planes[slab, place, bit, word] = bits(cards >= top)
                    cards = cards + cards


@inline
def low_bits(planes: Any, at: int) -> Any:
    """Return eight masks: the decks whose number, its planes from `at` on, has the low bits of 0, of 1, ... of 7."""
    flip = splat(np.uint64(ALL))
    a, b, c = load(planes, at), load(planes, at + WORDS), load(planes, at + 2 * WORDS)
    neither, only_b, only_c, both = (b | c) ^ flip, b & (c ^ flip), c & (b ^ flip), b & c
    no_a = a ^ flip
    return neither & no_a, neither & a, only_b & no_a, only_b & a, only_c & no_a, only_c & a, both & no_a, both & a


@inline
def high_bits(planes: Any, at: int, width: int, number: int) -> Any:
    """Return the decks whose number, its planes from `at` on, agrees with `number` above the three low bits."""
    found = splat(np.uint64(ALL))
    for bit in range(3, width):
        unwanted = splat(np.uint64(number >> bit & 1) - np.uint64(1))
        found = found & (load(planes, at + bit * WORDS) ^ unwanted)
    return found


@njit(cache=True, nogil=True)
def _invert(planes: Any, lows: Any, highs: Any, out: Any) -> None:
    # Card c is at place i in the decks whose number there has both the low bits and the high bits of c: both
    # masks are found once for eight cards. The scratch arrays are 0 beyond the last place.
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


@inline
def _gather(lows: Any, low: int, highs: Any, out: Any, at: int, width: int) -> None:
    """Write the planes of the place whose low bits and high bits both match, eight places at a time."""
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
def equal(typing: Any, x: Any, y: Any) -> Any:
    """Return the decks in which two bundles of planes hold the same number."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found = ir.Constant(x.vector.llvm, None)
        for row in range(x.rows):
            one, other = (builder.extract_value(each, row) for each in args)
            found = builder.or_(found, builder.xor(one, other))
        return builder.not_(found)

    return x.vector(x, y), build


@intrinsic
def below(typing: Any, x: Any, y: Any) -> Any:
    """Return the decks in which the first of two bundles of planes, lowest bit first, is the lower number."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found = ir.Constant(x.vector.llvm, None)
        for row in range(x.rows):
            one, other = (builder.extract_value(each, row) for each in args)
            # Where the bits differ, they decide; elsewhere the bits below have decided.
            found = builder.xor(found, builder.and_(builder.xor(one, other), builder.xor(found, other)))
        return found

    return x.vector(x, y), build


@cache
def upper(n: int) -> Counts:
    """Return what `pairs` counts as lower in one sorted deck: ones above the diagonal; shape ``(n, n)``."""
    return np.triu(np.ones((n, n), np.int64), 1)


def pairs(planes: Planes, others: Planes, first: int, rows: int, *, lower: bool = False, full: bool = False) -> Counts:
    """Return in how many decks of the slabs two rows hold the same: ``(n, n)``, with the sorted decks at the end.

    Of the planes of the first row and the `others`, of the same shape, `rows` are compared from `first` on; the rest is
    0. `lower` counts where the first is the lower number of two instead; `full` also counts the pairs of a row with
    itself and with those before it.
    """
    n = planes.shape[1]
    out = np.zeros((n, n), np.int64)
    _kernel(rows, lower)(planes, others, first, -n if full else 1, aligned(np.uint64, BLOCK * n * WORDS), out)
    return out


@cache
def _kernel(rows: int, lower: bool) -> Any:
    """Return the kernel that counts pairs by `rows` planes; a constant number of them stays in registers."""

    # Only numbers come from outside the function: numba compares them with those of the compiled code that it kept.
    @njit(cache=True, nogil=True)
    def count(planes: Any, others: Any, first: int, after: int, sums: Any, out: Any) -> None:
        slabs, n, width, _ = planes.shape
        row = width * WORDS
        one, other = planes.reshape(-1), others.reshape(-1)
        none = splat(np.uint64(0))
        for begin in range(0, n, BLOCK):
            end = min(begin + BLOCK, n)
            for at in range(0, len(sums), WORDS):
                store(sums, at, none)
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
                        found = below(held, with_both) if lower else equal(held, with_both)
                        next_found = below(next_held, with_both) if lower else equal(next_held, with_both)
                        store(sums, at, load(sums, at) + count_ones(found))
                        store(sums, next_at, load(sums, next_at) + count_ones(next_found))
            for i in range(begin, end):
                for j in range(max(0, i + after), n):
                    out[i, j] = across(sums, ((i - begin) * n + j) * WORDS)

    return count


@inline
def across(sums: Any, at: int) -> Any:
    """Return the sum of the eight words from `at` on."""
    total = np.uint64(0)
    for word in range(WORDS):
        total += sums[at + word]
    return total
