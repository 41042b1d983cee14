"""Shuffle one large array by dealing it into piles.

Fisher and Yates swap with places all over the array. Once it is larger than the caches, most
swaps wait for memory. Here every item is first dealt onto a random pile: each draws an
independent, uniform pile number, the piles lie one after another, and each pile, now small enough
for a cache, is shuffled by Fisher and Yates. All orders are equally likely: given the heights of
the piles, the assignment of items to piles is uniform, and so is the order within each. Sources: Rao,
"Generation of random permutations of given number of elements using random sampling numbers",
Sankhya 23 (1961); Sandelius, "A simple randomization procedure", J. R. Stat. Soc. B 24 (1962);
Sanders, "Random permutations on distributed, external and hierarchical memory", Inf. Process.
Lett. 67 (1998); Bacher, Bodini, Hollender and Lumbroso, "MergeShuffle", arXiv:1508.03167 (2015).

The words come from numbered **streams**: one for each part of the array that is dealt, then one
for each pile. The deal goes over its words twice, once to count the piles and once to fill them.
So the order depends on the seed and the number of items alone: not on the threads, the machine or
the dtype. There are three kinds of streams, and only `fill` treats them differently:

* xoshiro256++: fast, for simulation; its output gives the rest of it away. Source:
  Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM Trans. Math. Softw.
  47 (2021);
* ChaCha20: cryptographic, for orders that must be secret. Source: RFC 8439. The operating
  system draws only its key. Words from the system itself would be as good but slower: the system makes
  0.5 GB/s, ChaCha20 4 and xoshiro256++ 40, and an item takes 5 bytes. They also cannot be drawn
  twice, so the pile numbers would have to be kept;
* a tape of given words, for tests.
"""

import hashlib
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import ArrayLike, NDArray

from fairdeck.bulk.arguments import SeedLike, thread_count
from fairdeck.bulk.streams import put_back, step, take
from fairdeck.bulk.threads import together
from fairdeck.bulk.vectors import any_of, as_u32, high, load, rotate, splat, store, widen_high, widen_low
from fairdeck.errors import FairdeckError
from fairdeck.randomness import seed_number

Items: TypeAlias = NDArray[Any]
Words: TypeAlias = NDArray[np.uint64]
Integers: TypeAlias = NDArray[np.uint32]
Heights: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.uint8]
States: TypeAlias = Callable[[int], Words]  # how many streams -> (streams, STATE) uint64

U = np.uint64
V = np.uint32
XOSHIRO, CHACHA, TAPE = 0, 1, 2
CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)  # "expand 32-byte k"
KEY = 32  # bytes
STATE = 32  # numbers in the state of a stream
LANES = 16  # blocks of ChaCha side by side, for the vector units
BUFFER = 512  # words made at a time: 4 KiB, which stay in the first cache
DRAWN = 16  # integers in a vector
NUMBERS = np.arange(DRAWN, dtype=np.uint32)
MOST = 2**32 - DRAWN  # items; for more, piles are needed, because the integers have 32 bits
BITS = 8  # of a pile number, a byte at most: the ends of 256 piles fit into the first cache
PART = 1 << 22  # items that one stream deals
PILES_FROM = 4_000_000  # items of 4 bytes; below, Fisher and Yates alone are faster
TOGETHER = 16  # piles that a thread shuffles in one go
NATIVE = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
NEWLINE = 10


@intrinsic
def soon(_context: Any, items: Any, _place: Any) -> Any:
    """Prefetch a place of an array that is about to be written; a place beyond the end does no harm."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, given[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        name, kind = "llvm.prefetch.p0i8", ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        prefetch = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        place = builder.bitcast(builder.gep(data, [given[1]]), byte)
        # To be written, likely to be used again, data rather than code.
        builder.call(prefetch, [place, *(ir.Constant(number, value) for value in (1, 3, 1))])
        return context.get_dummy_value()

    return types.void(items, types.uint64), generate


@njit(cache=True, nogil=True)
def xoshiro_words(state: Words, out: Words) -> None:
    """Fill `out` with the next words of eight xoshiro256++ in turn, and advance ``state[:32]``.

    The states lie side by side, the first words of all eight, then the second ones, and so on. The size
    of `out` is a multiple of 8.
    """
    a, b, c, d = take(state, 0)
    for at in range(0, out.size, 8):
        word, a, b, c, d = step(a, b, c, d)
        store(out, at, word)
    put_back(state, 0, a, b, c, d)


@njit(inline="always")
def quarter_round(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return the quarter round of ChaCha, of 16 blocks side by side. Source: RFC 8439, section 2.1."""
    a = a + b
    d = rotate(d ^ a, 16)
    c = c + d
    b = rotate(b ^ c, 12)
    a = a + b
    d = rotate(d ^ a, 8)
    c = c + d
    b = rotate(b ^ c, 7)
    return a, b, c, d


@njit(inline="always")
def put_numbers(out: Words, at: int, low: Any, top: Any) -> None:
    """Write vectors of 16 numbers as the low and the high halves of 16 words."""
    shift = splat(U(32))
    store(out, at, widen_low(low) | (widen_low(top) << shift))
    store(out, at + 8, widen_high(low) | (widen_high(top) << shift))


@njit(cache=True, nogil=True)
def chacha_words(state: Words, out: Words) -> None:
    """Fill `out` with the next words of ChaCha20, and advance the counter, ``state[12]``.

    ``state[:16]`` are the 16 numbers of RFC 8439, section 2.3. `LANES` blocks are made at a time,
    so the size of `out` is a multiple of ``8 * LANES``. The words of such a batch are the first
    words of all its blocks, then the second ones, and so on, which saves a transposition.
    """
    begin = np.empty(16 * LANES, np.uint32)
    for row in range(16):
        begin[row * LANES : (row + 1) * LANES] = V(state[row])
    numbers = load(NUMBERS, 0)
    for at in range(0, out.size, 8 * LANES):
        store(begin, 12 * LANES, splat(V(state[12])) + numbers)
        state[12] += U(LANES)
        a0, a1, a2, a3 = load(begin, 0), load(begin, 16), load(begin, 32), load(begin, 48)
        b0, b1, b2, b3 = load(begin, 64), load(begin, 80), load(begin, 96), load(begin, 112)
        c0, c1, c2, c3 = load(begin, 128), load(begin, 144), load(begin, 160), load(begin, 176)
        d0, d1, d2, d3 = load(begin, 192), load(begin, 208), load(begin, 224), load(begin, 240)
        for _ in range(10):
            a0, b0, c0, d0 = quarter_round(a0, b0, c0, d0)
            a1, b1, c1, d1 = quarter_round(a1, b1, c1, d1)
            a2, b2, c2, d2 = quarter_round(a2, b2, c2, d2)
            a3, b3, c3, d3 = quarter_round(a3, b3, c3, d3)
            a0, b1, c2, d3 = quarter_round(a0, b1, c2, d3)
            a1, b2, c3, d0 = quarter_round(a1, b2, c3, d0)
            a2, b3, c0, d1 = quarter_round(a2, b3, c0, d1)
            a3, b0, c1, d2 = quarter_round(a3, b0, c1, d2)
        put_numbers(out, at, a0 + load(begin, 0), a1 + load(begin, 16))
        put_numbers(out, at + 16, a2 + load(begin, 32), a3 + load(begin, 48))
        put_numbers(out, at + 32, b0 + load(begin, 64), b1 + load(begin, 80))
        put_numbers(out, at + 48, b2 + load(begin, 96), b3 + load(begin, 112))
        put_numbers(out, at + 64, c0 + load(begin, 128), c1 + load(begin, 144))
        put_numbers(out, at + 80, c2 + load(begin, 160), c3 + load(begin, 176))
        put_numbers(out, at + 96, d0 + load(begin, 192), d1 + load(begin, 208))
        put_numbers(out, at + 112, d2 + load(begin, 224), d3 + load(begin, 240))


@njit(cache=True, nogil=True)
def tape_words(state: Words, out: Words) -> None:
    """Fill `out` with the words after ``state[0]`` that are on the tape; the rest stays as it is."""
    for at in range(out.size):
        state[0] += U(1)
        if state[0] < state.size:
            out[at] = state[state[0]]


@njit(cache=True, nogil=True)
def fill(kind: int, state: Words, out: Words) -> None:
    """Fill `out` with the next words of a stream."""
    if kind == XOSHIRO:
        xoshiro_words(state, out)
    elif kind == CHACHA:
        chacha_words(state, out)
    else:
        tape_words(state, out)


@njit(cache=True, nogil=True)
def fisher_yates(items: Items, kind: int, state: Words, out: Items) -> None:
    """Write fewer than 2**32 - 16 `items` in a random order to `out`, which may be where they are.

    The next item goes to any place up to its own, and what lay there moves to its own. Source: Knuth,
    TAOCP 2, section 3.4.2, exercise 18 (inside out).
    """
    words = np.empty(BUFFER, np.uint64)
    integers = np.empty(2 * BUFFER, np.uint32)
    done = 0
    while done < items.size:
        fill(kind, state, words)
        drawn = min(draw(words, done + 1, integers), items.size - done)
        for turn in range(drawn):
            place, other = np.uintp(done + turn), np.uintp(integers[np.uintp(turn)])
            item = items[place]
            out[place] = out[other]
            out[other] = item
        done += drawn


@njit(cache=True, nogil=True)
def draw(words: Words, bound: int, integers: Integers) -> int:
    """Draw integers below ``bound``, ``bound + 1``, ... until the words are used up, and return how many.

    Each half of a word gives one, sixteen at a time: the high half of number times bound. If a low half is
    below 2**32 modulo its bound, all sixteen are rejected. That is exact. Source: Lemire, "Fast
    random integer generation in an interval", ACM TOMACS 29 (2019).
    """
    drawn = 0
    lanes = load(NUMBERS, 0)
    for at in range(0, words.size, DRAWN // 2):
        bounds = splat(V(bound + drawn)) + lanes
        numbers = as_u32(load(words, at))
        # The threshold is below the bound: a division is needed only for low halves below that, which are rare.
        if any_of(numbers * bounds < bounds) and rejected(words, at, bound + drawn):
            continue
        store(integers, drawn, high(numbers, bounds))
        drawn += DRAWN
    return drawn


@njit(cache=True, nogil=True)
def rejected(words: Words, at: int, bound: int) -> bool:
    """Return whether one of the sixteen integers that the words from ``words[at]`` on give is rejected."""
    half = U(2**32 - 1)
    for lane in range(DRAWN):
        number = (words[at + lane // 2] >> U(32 * (lane % 2))) & half
        own = U(bound + lane)
        if (number * own) & half < (half + U(1)) % own:
            return True
    return False


@njit(cache=True, nogil=True)
def count(items: int, bits: int, kind: int, state: Words, heights: Heights) -> None:
    """Add the heights of ``2**bits`` piles that `items` items are dealt onto, each by the high bits of a byte."""
    words = np.empty(BUFFER, np.uint64)
    labels, drop = words.view(np.uint8), np.uint8(8 - bits)
    for begin in range(0, items, labels.size):
        fill(kind, state, words)
        for label in labels[: items - begin]:
            heights[label >> drop] += 1


@njit(cache=True, nogil=True)
def deal(items: Items, bits: int, kind: int, state: Words, out: Items, places: Heights) -> None:
    """Deal the items onto ``2**bits`` piles: the next one on a pile goes to ``places[pile]`` of `out`."""
    words = np.empty(BUFFER, np.uint64)
    labels, drop = words.view(np.uint8), np.uint8(8 - bits)
    ahead = 64 // out.itemsize
    for begin in range(0, items.size, labels.size):
        fill(kind, state, words)
        for at in range(min(labels.size, items.size - begin)):
            pile = np.uintp(labels[np.uintp(at)] >> drop)
            place = np.uintp(places[pile])
            out[place] = items[np.uintp(begin + at)]
            places[pile] = place + np.uintp(1)
            soon(out, place + np.uintp(ahead))


@njit(cache=True, nogil=True)
def shuffle_piles(items: Items, ends: Heights, kind: int, states: Words) -> None:
    """Shuffle the piles that lie between the `ends`, (piles + 1,), each with its row of `states`."""
    for pile in range(ends.size - 1):
        here = items[ends[pile] : ends[pile + 1]]
        fisher_yates(here, kind, states[pile], here)


def streams(key: bytes, kind: int) -> States:
    """Return the streams of a key of 32 bytes.

    Those of xoshiro256++, eight generators each, begin with SHAKE-256 of the key and the number of the stream
    (8 bytes, little-endian); those of ChaCha20 have the number as nonce and count from 0.
    """
    if kind == CHACHA:

        def states(many: int) -> Words:
            begin = np.zeros((many, STATE), np.uint64)
            begin[:, :4] = CONSTANTS
            begin[:, 4:12] = np.frombuffer(key, "<u4")
            begin[:, 13] = np.arange(many)
            return begin
    else:

        def states(many: int) -> Words:
            begin = np.zeros((many, STATE), np.uint64)
            for number in range(many):
                hashed = hashlib.shake_256(key + number.to_bytes(8, "little")).digest(8 * STATE)
                begin[number] = np.frombuffer(hashed, "<u8")
            return begin

    return states


def dealt(
    items: Items,
    kind: int,
    states: States,
    *,
    bits: int = BITS,
    part: int = PART,
    threads: int = 1,
    out: Items | None = None,
) -> Items:
    """Return `items`, of a native dtype, dealt into ``2**bits`` piles that are shuffled; in `out`, if it is given.

    The parts, of `part` items, use the first streams, and the piles the next.
    """
    begins = range(0, items.size, part)
    begin = states(len(begins) + (1 << bits))
    heights = np.zeros((len(begins), 1 << bits), np.int64)
    out = np.empty_like(items) if out is None else out
    with together(threads) as at_once:
        at_once(
            (count, min(part, items.size - start), bits, kind, begin[number].copy(), heights[number])
            for number, start in enumerate(begins)
        )
        ends = np.zeros((1 << bits) + 1, np.int64)
        np.cumsum(heights.sum(axis=0), out=ends[1:])
        # On every pile the items of the first part come first.
        places = ends[:-1] + np.cumsum(heights, axis=0) - heights
        at_once(
            (deal, items[start : start + part], bits, kind, begin[number], out, places[number])
            for number, start in enumerate(begins)
        )
        own = begin[len(begins) :]
        at_once(
            (shuffle_piles, out, ends[first : first + TOGETHER + 1], kind, own[first : first + TOGETHER])
            for first in range(0, 1 << bits, TOGETHER)
        )
    return out


def shuffled(
    array: ArrayLike,
    seed: SeedLike = None,
    threads: int | None = None,
    *,
    cipher: bool = False,
    piles_from: int = PILES_FROM,
    out: Items | None = None,
) -> Items:
    """Return the items of an array in a uniformly random order.

    Args:
        array: (n,), of any dtype. Items of 1, 2, 4 or 8 bytes are moved themselves; for others
            (and for objects) numbers are shuffled, at 8 bytes an item, and the items taken in their order.
        seed: 0 to 2**256 - 1; or a NumPy Generator, which draws that number; None: the operating system
            draws it. A seed makes the same order of n items everywhere, within a major version.
        threads: how many to use; None: one for each core, 8 at most. The order does not depend on it.
        cipher: draw from ChaCha20 instead of xoshiro256++. Without the seed, nobody can
            tell the order from a truly random one, or guess the rest of it from a part.
        piles_from: arrays of at least this many items are dealt into piles; this changes the order.
        out: an array like `array`, contiguous and apart from it, to hold the result; None: a new one. To ask
            the system for fresh memory may take longer than the shuffle.

    Returns:
        `out`, or a new array, (n,), of the same dtype.

    Raises:
        FairdeckError: the array has not one dimension, or is masked; `out` does not fit; an argument is out of
            range, or the seed is of another type.
        MissingTool: numba is not installed.

    >>> shuffled(["ace", "king", "queen", "jack"], seed=1).tolist()
    ['queen', 'king', 'ace', 'jack']
    """
    if isinstance(array, np.ma.MaskedArray):
        raise FairdeckError("a masked array would lose its mask: shuffle np.arange(n), and index the array by that")
    given = np.asarray(array)
    if given.ndim != 1:
        raise FairdeckError(f"the array has {given.ndim} dimensions: shuffle an array of 1 dimension")
    key, threads = seed_number(seed, 8 * KEY, 8 * KEY), thread_count(threads)
    if out is not None and not _fits(out, given):
        raise FairdeckError(
            f"out must be a contiguous array of {given.size:,} items of {given.dtype}, like the array and apart from it"
        )
    native = NATIVE.get(given.dtype.itemsize)
    if native is None or given.dtype.hasobject:
        order = shuffled(np.arange(given.size, dtype=np.uint64), key, threads, cipher=cipher, piles_from=piles_from)
        return given.take(order.astype(np.intp, copy=False), out=out)
    kind = CHACHA if cipher else XOSHIRO
    states = streams(key.to_bytes(KEY, "little"), kind)
    result = np.empty(given.shape, given.dtype) if out is None else out
    items, place = np.ascontiguousarray(given).view(native), result.view(native)
    if given.size >= min(piles_from, MOST):
        dealt(items, kind, states, threads=threads, out=place)
    else:
        fisher_yates(items, kind, states(1)[0], place)
    return result


def _fits(out: object, given: Items) -> bool:
    return (
        isinstance(out, np.ndarray)
        and (out.dtype, out.shape) == (given.dtype, given.shape)
        and out.flags.carray
        and not np.may_share_memory(out, given)
    )


def shuffle(array: Items, seed: SeedLike = None) -> None:
    """Put the items of an array into a uniformly random order, in place; see `shuffled`.

    Uses memory for a second array.

    Args:
        array: (n,), of any dtype, writable.
        seed: as for `shuffled`, and with the same order.

    Raises:
        FairdeckError: it is no array, is read-only, or has not one dimension.
        MissingTool: numba is not installed.
    """
    if not isinstance(array, np.ndarray) or not array.flags.writeable:
        raise FairdeckError("only a writable array can be shuffled in place: use shuffled(array), which returns a copy")
    array[...] = shuffled(array, seed)


def lines(content: bytes | bytearray) -> Items:
    """Return where in `content` each of its lines begins, as uint32, or uint64 beyond 4 GiB.

    Only a newline ends a line; the last need not have one.
    """
    number = content.count(b"\n") + (not content.endswith(b"\n") and len(content) > 0)
    begins = np.empty(number + 1, np.uint32 if len(content) < 1 << 32 else np.uint64)
    _find_lines(np.frombuffer(content, np.uint8), begins)
    return begins[:number]


@njit(cache=True, nogil=True)
def _find_lines(content: Bytes, begins: Items) -> None:
    found = 1
    begins[0] = 0
    for at in range(content.size - 1):
        begins[found] = at + 1
        found += content[at] == NEWLINE


@njit(cache=True, nogil=True)
def gather(content: Bytes, begins: Items, first: int, out: Bytes) -> tuple[int, int]:
    """Copy the lines that begin at ``begins[first:]`` into `out`, each with a newline, while they fit.

    Returns:
        The number of the next line, and how many bytes of `out` were written.
    """
    used = 0
    for line in range(first, begins.size):
        soon(content, U(begins[min(line + 16, begins.size - 1)]))
        end = used
        at = int(begins[line])
        while at < content.size and content[at] != NEWLINE and end < out.size:
            out[end] = content[at]
            at += 1
            end += 1
        if end == out.size:
            return line, used
        out[end] = NEWLINE
        used = end + 1
    return begins.size, used


@njit(cache=True, nogil=True)
def decimals(numbers: Items, out: Bytes) -> int:
    """Write whole numbers in decimal into `out`, each with a newline, and return how many bytes that took."""
    used = 0
    for number in numbers:
        rest = U(number)
        digits = 1
        while rest >= U(10):
            rest //= U(10)
            digits += 1
        rest = U(number)
        for place in range(used + digits - 1, used - 1, -1):
            out[place] = 48 + rest % U(10)
            rest //= U(10)
        out[used + digits] = NEWLINE
        used += digits + 1
    return used
