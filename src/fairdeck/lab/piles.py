"""Shuffle one large array by dealing it into piles.

Fisher and Yates swap with places all over the array, and once it is larger than the caches most
swaps wait for memory. Here every item is first dealt onto a pile of its own choice: each takes an
independent, uniform pile number, the piles lie one after another, and each pile, now small enough
for a cache, is shuffled by Fisher and Yates. All orders are equally likely: given the heights of
the piles, who lies in which is uniform, and so is the order within each. Sources: Rao,
"Generation of random permutations of given number of elements using random sampling numbers",
Sankhya 23 (1961); Sandelius, "A simple randomization procedure", J. R. Stat. Soc. B 24 (1962);
Sanders, "Random permutations on distributed, external and hierarchical memory", Inf. Process.
Lett. 67 (1998); Bacher, Bodini, Hollender and Lumbroso, "MergeShuffle", arXiv:1508.03167 (2015).

The words come from numbered **streams**: one for each part of the array that is dealt, then one
for each pile. The deal goes over its words twice, once to count the piles and once to fill them.
So the order depends on the seed and the number of items alone: not on the threads, the machine or
the dtype. There are three kinds of streams, and only `fill` knows the difference:

* xoshiro256++: fast, for the lab; no secret, since what it gave tells what it will give. Source:
  Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM Trans. Math. Softw.
  47 (2021);
* ChaCha20: cryptographic, for orders that nobody shall guess. Source: RFC 8439. The operating
  system gives only its key. Words from the system itself would be as good but slower: it makes
  0.5 GB/s where this makes 4 (and xoshiro256++ 40), and an item takes 5 bytes; and since they come
  but once, the pile numbers would have to be kept;
* a tape of given words, for tests.

Numba compiles what is below when it is first called, and keeps it for later processes.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import ArrayLike, NDArray

from fairdeck.errors import FairdeckError
from fairdeck.lab.kernels.streams import put_back, step, take
from fairdeck.lab.kernels.vectors import any_of, as_u32, high, load, splat, store
from fairdeck.lab.spread import cores

Items: TypeAlias = NDArray[Any]
Words: TypeAlias = NDArray[np.uint64]
Dice: TypeAlias = NDArray[np.uint32]
Heights: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.uint8]
States: TypeAlias = Callable[[int], Words]  # how many streams -> (streams, STATE) uint64
Function = TypeVar("Function", bound=Callable[..., Any])

U = np.uint64
V = np.uint32
XOSHIRO, CHACHA, TAPE = 0, 1, 2
CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)  # "expand 32-byte k"
KEY = 32  # bytes
STATE = 32  # numbers that a stream goes on from
LANES = 16  # blocks of ChaCha side by side, for the vector units
BUFFER = 512  # words made at a time: 4 KiB, which stay in the first cache
DICE = 16  # thrown at one go
NUMBERS = np.arange(DICE, dtype=np.uint32)
MOST = 2**32 - DICE  # items, from which on piles are needed: a die has 32 bits
BITS = 8  # of a pile number, a byte at most: the ends of 256 piles fit into the first cache
PART = 1 << 22  # items that one stream deals
PILES_FROM = 4_000_000  # items of 4 bytes; below, Fisher and Yates alone are faster
TOGETHER = 16  # piles that a thread shuffles in one go
NATIVE = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
NEWLINE = 10


def compiled(function: Function) -> Function:
    """Return `function` as compiled code, kept for later processes where there is a folder for it."""
    try:
        return cast(Function, njit(nogil=True, cache=True)(function))
    except RuntimeError:
        return cast(Function, njit(nogil=True)(function))


def inlined(function: Function) -> Function:
    """Return `function`, compiled into whatever calls it."""
    return cast(Function, njit(inline="always")(function))


@intrinsic
def soon(_context: Any, items: Any, _place: Any) -> Any:
    """Tell the processor that this place of an array will be wanted soon; beyond the end does no harm."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, given[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        name, kind = "llvm.prefetch.p0i8", ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        prefetch = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        place = builder.bitcast(builder.gep(data, [given[1]]), byte)
        # To be written to, likely to be wanted again, data rather than code.
        builder.call(prefetch, [place, *(ir.Constant(number, value) for value in (1, 3, 1))])
        return context.get_dummy_value()

    return types.void(items, types.uint64), generate


@compiled
def xoshiro_words(state: Words, out: Words) -> None:
    """Fill `out` with the next words of eight xoshiro256++ in turn; ``state[:32]`` goes on.

    The states lie side by side, the first words of all eight, then the second ones, and so on. The size
    of `out` is a multiple of 8.
    """
    a, b, c, d = take(state, 0)
    for at in range(0, out.size, 8):
        word, a, b, c, d = step(a, b, c, d)
        store(out, at, word)
    put_back(state, 0, a, b, c, d)


@inlined
def quarter_round(
    a: np.uint32, b: np.uint32, c: np.uint32, d: np.uint32
) -> tuple[np.uint32, np.uint32, np.uint32, np.uint32]:
    """Return the quarter round of ChaCha. Source: RFC 8439, section 2.1.

    Numba takes the sum of two 32-bit words for a 64-bit one, so each step says that it is not.
    """
    a = V(a + b)
    d = V(d ^ a)
    d = V(V(d << V(16)) | (d >> V(16)))
    c = V(c + d)
    b = V(b ^ c)
    b = V(V(b << V(12)) | (b >> V(20)))
    a = V(a + b)
    d = V(d ^ a)
    d = V(V(d << V(8)) | (d >> V(24)))
    c = V(c + d)
    b = V(b ^ c)
    b = V(V(b << V(7)) | (b >> V(25)))
    return a, b, c, d


@compiled
def chacha_words(state: Words, out: Words) -> None:
    """Fill `out` with the next words of ChaCha20; the counter, ``state[12]``, goes on.

    ``state[:16]`` are the 16 numbers of RFC 8439, section 2.3. `LANES` blocks are made at a time,
    so the size of `out` is a multiple of ``8 * LANES``. The words of such a batch are the first
    words of all its blocks, then the second ones, and so on: no need to turn them over.
    """
    begin = np.empty(16 * LANES, np.uint32)
    x = np.empty(16 * LANES, np.uint32)
    for row in range(16):
        for lane in range(LANES):
            begin[row * LANES + lane] = state[row]
    for at in range(0, out.size, 8 * LANES):
        for lane in range(LANES):
            begin[12 * LANES + lane] = state[12] + U(lane)
        state[12] += U(LANES)
        x[:] = begin
        for _ in range(10):
            # This loop becomes vector instructions; it must stay this plain.
            for i in range(LANES):
                a0, a1, a2, a3 = x[i], x[1 * LANES + i], x[2 * LANES + i], x[3 * LANES + i]
                b0, b1, b2, b3 = x[4 * LANES + i], x[5 * LANES + i], x[6 * LANES + i], x[7 * LANES + i]
                c0, c1, c2, c3 = x[8 * LANES + i], x[9 * LANES + i], x[10 * LANES + i], x[11 * LANES + i]
                d0, d1, d2, d3 = x[12 * LANES + i], x[13 * LANES + i], x[14 * LANES + i], x[15 * LANES + i]
                a0, b0, c0, d0 = quarter_round(a0, b0, c0, d0)
                a1, b1, c1, d1 = quarter_round(a1, b1, c1, d1)
                a2, b2, c2, d2 = quarter_round(a2, b2, c2, d2)
                a3, b3, c3, d3 = quarter_round(a3, b3, c3, d3)
                a0, b1, c2, d3 = quarter_round(a0, b1, c2, d3)
                a1, b2, c3, d0 = quarter_round(a1, b2, c3, d0)
                a2, b3, c0, d1 = quarter_round(a2, b3, c0, d1)
                a3, b0, c1, d2 = quarter_round(a3, b0, c1, d2)
                x[i], x[1 * LANES + i], x[2 * LANES + i], x[3 * LANES + i] = a0, a1, a2, a3
                x[4 * LANES + i], x[5 * LANES + i], x[6 * LANES + i], x[7 * LANES + i] = b0, b1, b2, b3
                x[8 * LANES + i], x[9 * LANES + i], x[10 * LANES + i], x[11 * LANES + i] = c0, c1, c2, c3
                x[12 * LANES + i], x[13 * LANES + i], x[14 * LANES + i], x[15 * LANES + i] = d0, d1, d2, d3
        for row in range(0, 16, 2):
            for lane in range(LANES):
                low = row * LANES + lane
                high = low + LANES
                out[at + row // 2 * LANES + lane] = U(V(x[low] + begin[low])) | (U(V(x[high] + begin[high])) << U(32))


@compiled
def tape_words(state: Words, out: Words) -> None:
    """Fill `out` with the words after ``state[0]`` that are on the tape; the rest stays as it is."""
    for at in range(out.size):
        state[0] += U(1)
        if state[0] < state.size:
            out[at] = state[state[0]]


@compiled
def fill(kind: int, state: Words, out: Words) -> None:
    """Fill `out` with the next words of a stream."""
    if kind == XOSHIRO:
        xoshiro_words(state, out)
    elif kind == CHACHA:
        chacha_words(state, out)
    else:
        tape_words(state, out)


@compiled
def fisher_yates(items: Items, kind: int, state: Words, out: Items) -> None:
    """Write fewer than 2**32 - 16 `items` in a random order to `out`, which may be where they are.

    The next item goes to any place up to its own, and what lay there moves to its own. Source: Knuth,
    TAOCP 2, section 3.4.2, exercise 18 (inside out).
    """
    words = np.empty(BUFFER, np.uint64)
    dice = np.empty(2 * BUFFER, np.uint32)
    done = 0
    while done < items.size:
        fill(kind, state, words)
        thrown = min(throw(words, done + 1, dice), items.size - done)
        for turn in range(thrown):
            place, die = np.uintp(done + turn), np.uintp(dice[np.uintp(turn)])
            item = items[place]
            out[place] = out[die]
            out[die] = item
        done += thrown


@compiled
def throw(words: Words, sides: int, dice: Dice) -> int:
    """Throw dice of ``sides``, ``sides + 1``, ... sides, as far as the words last, and return how many.

    Each half of a word throws one, sixteen at a time: the high half of number times sides is the die. If a
    low half is below 2**32 modulo the sides, all sixteen are rejected. That is exact. Source: Lemire, "Fast
    random integer generation in an interval", ACM TOMACS 29 (2019).
    """
    thrown = 0
    lanes = load(NUMBERS, 0)
    for at in range(0, words.size, DICE // 2):
        bounds = splat(V(sides + thrown)) + lanes
        numbers = as_u32(load(words, at))
        # The limit is below the sides; only what is below these is divided, once in thousands of throws.
        if any_of(numbers * bounds < bounds) and rejected(words, at, sides + thrown):
            continue
        store(dice, thrown, high(numbers, bounds))
        thrown += DICE
    return thrown


@compiled
def rejected(words: Words, at: int, sides: int) -> bool:
    """Tell whether one of the sixteen dice is rejected that are thrown by the words from ``words[at]`` on."""
    half = U(2**32 - 1)
    for lane in range(DICE):
        number = (words[at + lane // 2] >> U(32 * (lane % 2))) & half
        bound = U(sides + lane)
        if (number * bound) & half < (half + U(1)) % bound:
            return True
    return False


@compiled
def count(items: int, bits: int, kind: int, state: Words, heights: Heights) -> None:
    """Deal so many items onto ``2**bits`` piles in thought, each by the high bits of a byte; add to the `heights`."""
    words = np.empty(BUFFER, np.uint64)
    labels, drop = words.view(np.uint8), np.uint8(8 - bits)
    for begin in range(0, items, labels.size):
        fill(kind, state, words)
        for label in labels[: items - begin]:
            heights[label >> drop] += 1


@compiled
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


@compiled
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
    room: Items | None = None,
) -> Items:
    """Return `items`, of a native dtype, dealt into ``2**bits`` piles that are shuffled; in `room`, if there is one.

    The parts, of `part` items, take the first streams, the piles the next.
    """
    begins = range(0, items.size, part)
    begin = states(len(begins) + (1 << bits))
    heights = np.zeros((len(begins), 1 << bits), np.int64)
    out = np.empty_like(items) if room is None else room
    with _together(threads) as at_once:
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


@contextmanager
def _together(threads: int) -> Iterator[Callable[[Iterable[tuple[Any, ...]]], None]]:
    """Give what makes calls, each a function and its arguments, on so many threads, and waits for all."""
    if threads == 1:

        def one_by_one(calls: Iterable[tuple[Any, ...]]) -> None:
            for function, *given in calls:
                function(*given)

        yield one_by_one
        return
    pool = ThreadPoolExecutor(threads)

    def at_once(calls: Iterable[tuple[Any, ...]]) -> None:
        for made in [pool.submit(*call) for call in calls]:
            made.result()

    try:
        yield at_once
    finally:
        pool.shutdown(cancel_futures=True)


def shuffled(
    array: ArrayLike,
    seed: int | None = None,
    threads: int | None = None,
    *,
    cipher: bool = False,
    piles_from: int = PILES_FROM,
    room: Items | None = None,
) -> Items:
    """Return the items of an array in a uniformly random order.

    Args:
        array: (n,), of any dtype. Those of 1, 2, 4 or 8 bytes are moved themselves; for others
            (and for objects) numbers are shuffled, at 8 bytes an item, and the items taken after them.
        seed: 0 to 2**256 - 1; the same seed gives the same order of as many items, everywhere.
            None: 256 bits from the operating system.
        threads: how many work at once, at most; None: one for each core, 8 at most. The order does
            not depend on it.
        cipher: draw from ChaCha20 in place of xoshiro256++: nobody who lacks the seed can then
            tell the order from a truly random one, and no part of it tells more of the rest.
        piles_from: from so many items on they are dealt into piles; this changes the order.
        room: an array like `array`, contiguous, apart from it, to hold the result; None: a new one. To ask the
            system for fresh memory may take longer than the shuffle.

    Returns:
        `room`, or a new array, (n,), of the same dtype.

    Raises:
        FairdeckError: the array has not one dimension, or is masked; a number is not whole or out of range; the
            room is not as it should be.
    """
    if isinstance(array, np.ma.MaskedArray):
        raise FairdeckError("a masked array would lose its mask: shuffle its numbers, and take both after them")
    given = np.asarray(array)
    if given.ndim != 1:
        raise FairdeckError(f"an array of {given.ndim} dimensions has no one order: shuffle one of 1 dimension")
    if seed is not None and not (_is_whole(seed) and 0 <= seed < 1 << 8 * KEY):
        raise FairdeckError(f"seed {seed!r} is out of range; use a whole number, 0 to 2**256 - 1")
    if threads is not None and not (_is_whole(threads) and threads >= 1):
        raise FairdeckError(f"{threads!r} threads cannot work; use 1 or more")
    if room is not None and not (
        isinstance(room, np.ndarray)
        and (room.dtype, room.shape) == (given.dtype, given.shape)
        and room.flags.carray
        and not np.may_share_memory(room, given)
    ):
        raise FairdeckError(
            f"the room must be a contiguous array of {given.size:,} items of {given.dtype}, as the array, apart from it"
        )
    workers = min(cores(), 8) if threads is None else threads
    native = NATIVE.get(given.dtype.itemsize)
    if native is None or given.dtype.hasobject:
        order = shuffled(np.arange(given.size, dtype=np.uint64), seed, workers, cipher=cipher, piles_from=piles_from)
        return given.take(order.astype(np.intp, copy=False), out=room)
    kind = CHACHA if cipher else XOSHIRO
    states = streams(os.urandom(KEY) if seed is None else int(seed).to_bytes(KEY, "little"), kind)
    if given.size >= min(piles_from, MOST):
        place = None if room is None else room.view(native)
        return dealt(np.ascontiguousarray(given).view(native), kind, states, threads=workers, room=place).view(
            given.dtype
        )
    out = np.empty(given.shape, given.dtype) if room is None else room
    fisher_yates(np.ascontiguousarray(given).view(native), kind, states(1)[0], out.view(native))
    return out


def _is_whole(number: object) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def shuffle(array: Items, seed: int | None = None) -> None:
    """Put the items of an array into a uniformly random order, in place; see `shuffled`.

    Needs room for a second array.

    Args:
        array: (n,), of any dtype, writable.
        seed: as for `shuffled`, with the same order.

    Raises:
        FairdeckError: it is no array, cannot be written to, or has not one dimension.
    """
    if not isinstance(array, np.ndarray) or not array.flags.writeable:
        raise FairdeckError("only a writable array can be shuffled in place: take shuffled(array)")
    array[...] = shuffled(array, seed)


def lines(content: bytes | bytearray) -> Items:
    """Return where in `content` each of its lines begins, as uint32, or uint64 beyond 4 GiB.

    Only a newline ends a line; the last need not have one.
    """
    number = content.count(b"\n") + (not content.endswith(b"\n") and len(content) > 0)
    begins = np.empty(number + 1, np.uint32 if len(content) < 1 << 32 else np.uint64)
    _find_lines(np.frombuffer(content, np.uint8), begins)
    return begins[:number]


@compiled
def _find_lines(content: Bytes, begins: Items) -> None:
    found = 1
    begins[0] = 0
    for at in range(content.size - 1):
        begins[found] = at + 1
        found += content[at] == NEWLINE


@compiled
def gather(content: Bytes, begins: Items, first: int, out: Bytes) -> tuple[int, int]:
    """Copy the lines that begin at ``begins[first:]`` into `out`, each with a newline, while they fit.

    Returns:
        The number of the line to go on with, and how many bytes of `out` were written.
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


@compiled
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
