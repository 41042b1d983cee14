"""Bits of draws that follow from earlier ones, because a generator makes its bits by exclusive-or alone.

A draw among 2, 4, 8 .. numbers tells as many whole bits of the number that the program drew. Each bit of a generator of
shifts and exclusive-ors is a sum, modulo 2, of bits of its state. So if each deck takes the same number of draws, the
bits of a deck are the sum of those of some decks before, always of the same ones: no more decks back than the state has
bits (Cayley and Hamilton). For one such *rule* over w fair decks the chance is 2^-(b w), with b bits of a deck, and
there are 2^l rules that reach l decks back: so the chance that any rule holds has a bound.

`Math.random()` of V8 hands out 64 numbers at a time, the last one first. So the same rule holds only every 64 decks,
and this generator is tried by name: a few decks give more equations than its state has bits, for each of the 64 places
where a deck may begin. On fair decks each equation that is left over holds with chance 1/2.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Counts
from fairdeck.lab.laws.tails import COUNT, PValue
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.draws import DOWNWARD, READINGS, readings_of
from fairdeck.lab.statistics.inversions import MOST
from fairdeck.lab.view import View

KEPT = 384  # decks
SPARE = 64  # equations more than unknowns
THERE = 2**40  # marks a deck that was counted; its bits are below
STATE = 128  # bits of V8's generator
AT_ONCE = 64  # numbers that it makes at once
LEAST = 1e-300  # a chance
V8 = "Math.random() of V8 (Chrome, Edge, Node.js)"
WIDE = 16  # decks: a rule that reaches less far back than this tells of other faults

Bits = NDArray[np.uint8]
Words = NDArray[np.uint64]


class Rule(NamedTuple):
    """A rule that the bits of draws follow by some reading."""

    reading: int
    back: int  # how many decks it reaches back
    p_value: float  # for one reading
    periodic: bool = False  # whether the bits come again after so many decks: other statistics tell that


class LinearBits(Statistic):
    """Whether the bits of each deck are a sum of those of the same decks before it."""

    family: ClassVar[str] = "draws"
    sizes: ClassVar[range] = range(2, MOST + 1)
    relative: ClassVar[bool] = False
    sparse: ClassVar[bool] = True

    def count(self, view: View) -> Counts:
        """Return the bits of the first decks of the stream, by each reading; shape ``(readings, KEPT)``."""
        counts = np.zeros((len(READINGS), KEPT), np.int64)
        if view.first is not None and (decks := max(0, min(view.decks, KEPT - view.first))):
            few = View(view.columns[:, :decks], view.lead[:, :0])
            counts[:, view.first : view.first + decks] = [packed(drawn) for drawn in readings_of(few)]
        return counts

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the shortest rule of all readings, and whether V8's generator makes all bits."""
        there = counts[0] // THERE == 1
        kept = int(np.argmin(there)) if not there.all() else KEPT
        if (rule := shortest_rule(counts[:, :kept].tobytes(), n)) is None:
            return
        bits = len(_places(n))
        fair = bits * kept / (bits + 1)
        words = f"read as {READINGS[rule.reading]}, the bits of a deck are the exclusive-or of those of the same decks "
        words += "before, {seen:.0f} decks back at most; {expected:.0f} would be fair"
        seen = rule.back if rule.p_value < 1 else fair
        p_value = PValue(rule.p_value, COUNT, seen).of_many(len(READINGS))
        means = "the generator is linear, as xorshift is: a few hundred decks foretell all others"
        odd = rule.periodic or rule.back < WIDE
        yield self.evidence("one rule", p_value, words, seen=seen, expected=fair, means=means, roundabout=odd)
        if kept < (needed := decks_for_v8(n)):
            return
        reading, held = v8_equations(counts[:, :needed].tobytes(), n)
        words = f"read as {READINGS[reading]}, bits of the first {needed} decks tell the state of {V8}, "
        words += "and {seen:.0f} other bits follow from it"
        p_value = PValue(max(LEAST, 0.5**held), COUNT, held).of_many(2 * AT_ONCE * len(READINGS))
        means = "these decks foretell all others"
        yield self.evidence(V8, p_value, words, seen=held, means=means)


@cache
def _places(n: int) -> list[tuple[int, int]]:
    """Return among how many numbers the draw chooses that tells each bit, and the bit, the highest first."""
    return [(2**wide, bit) for wide in range(1, n.bit_length()) for bit in range(wide - 1, -1, -1)]


def packed(drawn: NDArray[np.int16]) -> Counts:
    """Return all bits of each deck, and the mark."""
    found = np.zeros(drawn.shape[1], np.int64)
    for k, bit in _places(len(drawn)):
        found = 2 * found + (drawn[k - 1] >> bit & 1)
    return found + THERE


def _unpacked(counts: bytes, n: int) -> Bits:
    """Return the bits of each deck; shape ``(readings, decks, bits)``."""
    rows = np.frombuffer(counts, np.int64).reshape(len(READINGS), -1)
    shifts = np.arange(len(_places(n)))[::-1]
    return (rows[:, :, None] >> shifts & 1).astype(np.uint8)


def _words(bits: Bits) -> Words:
    """Return the bits of each row as words, with zeros after them; shape ``(.., words, rows)``."""
    padded = np.pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, -bits.shape[-1] % 64)])
    words = np.ascontiguousarray(np.packbits(padded, axis=-1)).view(np.uint64)
    return np.ascontiguousarray(np.swapaxes(words, -1, -2))


def eliminate(rows: Words, told: int) -> None:
    """Take from each row what the rows before it explain (Gauss), by its first `told` words, in place.

    The rows are of shape ``(systems, words, rows)``; a row that those before it explain becomes 0 in these words.
    """
    systems = np.arange(len(rows))
    for at in range(rows.shape[2] - 1):
        row = rows[:, :, at]
        word = np.argmax(row[:, :told] != 0, axis=1)
        pivot = row[systems, word]
        pivot &= ~pivot + np.uint64(1)
        has = ((rows[systems, word, at + 1 :] & pivot[:, None]) != 0).astype(np.uint64)
        rows[:, :, at + 1 :] ^= row[:, :, None] * has[:, None, :]


@lru_cache(maxsize=8)
def shortest_rule(counts: bytes, n: int) -> Rule | None:
    """Return the rule that reaches the fewest decks back, of all readings; None if the decks are too few for any."""
    bits = _unpacked(counts, n)
    decks, each = bits.shape[1:]
    # Among rules of so many decks back, one is found by chance 2^(1 - SPARE) at most.
    back = (each * decks - SPARE) // (each + 1)
    if back < 1:
        return None
    wide = decks - back
    windows = np.lib.stride_tricks.sliding_window_view(bits, wide, axis=1)  # (readings, back + 1, bits, wide)
    rows = _words(windows.reshape(len(bits), back + 1, each * wide))
    eliminate(rows, rows.shape[1])
    explained = np.bitwise_or.reduce(rows, axis=1) == 0
    first = np.where(explained.any(axis=1), np.argmax(explained, axis=1), back + 1)
    reading = int(np.argmin(first))
    if (found := int(first[reading])) > back:
        return Rule(reading, found, 1.0)
    periodic = np.array_equal(bits[reading, found:], bits[reading, : decks - found])
    return Rule(reading, found, max(LEAST, 2.0 ** max(-1000, found + 1 - each * wide)), periodic)


def decks_for_v8(n: int) -> int:
    """Return how many decks tell whether V8 made them."""
    return -(-(STATE + SPARE) // len(_places(n)))


@lru_cache(maxsize=8)
def v8_equations(counts: bytes, n: int) -> tuple[int, int]:
    """Return the reading by which V8's generator makes all bits, and how many equations that is beyond its state.

    Programs draw n - 1 numbers for a deck, or n: one of them among one number.
    """
    bits = _unpacked(counts, n)
    decks, each = bits.shape[1:]
    numbers = _v8(decks * n // AT_ONCE + 2, n.bit_length() - 1)
    options, bit = np.array(_places(n)).T
    depth = np.log2(options).astype(np.intp) - 1 - bit  # of each bit, below the highest of its number
    seen = bits.reshape(len(bits), -1)
    right = np.broadcast_to(_words(np.ascontiguousarray(seen.T)), (AT_ONCE, 1, decks * each))
    systems = []
    for downward, spare in product((False, True), (0, 1)):
        times = np.arange(decks)[:, None] * (n - 1 + spare) + (n - options if downward else options - 2 + spare)
        # The last of the numbers made at once is the first one handed out.
        made = np.add.outer(np.arange(AT_ONCE), times) ^ (AT_ONCE - 1)
        left = numbers[:, made, depth].reshape(2, AT_ONCE, -1).swapaxes(0, 1)
        systems.append(np.concatenate([left, right], axis=1))
    rows = np.concatenate(systems)
    eliminate(rows, 2)
    over = (rows[:, 0] | rows[:, 1]) == 0
    against = np.bitwise_or.reduce(np.where(over, rows[:, 2], np.uint64(0)), axis=1)
    holds = np.unpackbits(against[:, None].view(np.uint8), axis=1)[:, : len(bits)] == 0
    holds &= seen.any(axis=1) & (np.array(DOWNWARD) == np.arange(4).repeat(AT_ONCE)[:, None] // 2)
    found = ((reading, int(over[system].sum())) for system, reading in np.argwhere(holds).tolist())
    return max(found, key=lambda each: each[1], default=(0, 0))


@cache
def _v8(times: int, wide: int) -> Words:
    """Return which bits of the state add up to the highest bits of so many times 64 numbers; 2 words for each bit.

    Source: V8, src/base/utils/random-number-generator.h; Marsaglia, "Xorshift RNGs", J. Stat. Software 8 (2003).
    """
    one = np.uint64(1) << np.arange(64, dtype=np.uint64)
    first, second = np.concatenate([one, 0 * one]), np.concatenate([0 * one, one])
    made = []
    for _ in range(times * AT_ONCE):
        first, mixed = second, first ^ (first << np.uint64(23))
        mixed ^= mixed >> np.uint64(17)
        second = mixed ^ first ^ (first >> np.uint64(26))
        made.append(first)
    numbers = np.array(made)
    return np.stack([_words((numbers >> np.uint64(63 - at) & np.uint64(1)).astype(np.uint8)) for at in range(wide)], 2)


STATISTICS = (
    LinearBits(
        name="linear bits",
        sees="decks that foretell the others: xorshift, shift registers, Math.random() of Chrome and Node.js",
        source="Massey, IEEE Trans. Inf. Theory 15 (1969): rules; the bound: fewer rules than bits",
    ),
)
