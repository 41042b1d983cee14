"""Three or four cards or places: bits that tell of 512 decks which of two is lower, put together by exclusive ors."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba import njit

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.kernels import aligned
from fairdeck.bulk.planes import WORDS, Planes, of_cards, of_places, padding
from fairdeck.bulk.shapes import Counts
from fairdeck.bulk.vectors import count_ones, load, splat, store, sum_of
from fairdeck.lab.counts.places import planes_of_kinds
from fairdeck.lab.statistics.groups import first_fourth, fours, kinds_of_cards, kinds_of_places, step, threes

_first_fourth = njit(first_fourth)
Values = Callable[[Batch], Planes]


def odd_fours(values: Values, batch: Batch) -> Counts:
    """Return the decks in which each of `fours` is in odd order (sorted ones are even), and those counted."""
    n = batch.cards
    found = np.zeros(fours(n).shape[1] + 1, np.int64)
    bits = lower_bits(values(batch))
    row = bits.shape[-1]
    _count_fours(bits.reshape(-1), n, row, step(n), aligned(np.uint64, n * row), aligned(np.uint64, row), found)
    found[-1] = batch.decks
    return found


def between(values: Values, batch: Batch) -> Counts:
    """Return the decks in which each of three is between the others, and those counted; shape ``(3, threes + 1)``."""
    n = batch.cards
    found = np.zeros((3, threes(n).shape[1] + 1), np.int64)
    bits = lower_bits(values(batch))
    _count_between(bits.reshape(-1), n, bits.shape[-1], found)
    # One of three is between the others, and in sorted decks it is the second.
    found[1] = batch.decks - found[0] - found[2]
    found[:, -1] = batch.decks
    return found


def tied(places: bool, batch: Batch) -> Counts:
    """Return the decks in which an odd number of three are of a kind, and those counted: ``(kinds, threes + 1)``."""
    n = batch.cards
    of_three = threes(n)
    kinds = (kinds_of_cards if places else kinds_of_places)(n)
    inverse = batch if places else Batch(batch.places, batch.decks)
    colours = planes_of_kinds(inverse)
    planes = {
        "colour": colours[:, :, 0],
        "half": colours[:, :, 0],
        "suit": colours[:, :, 1],
        "odd or even": (of_cards if places else of_places)(batch)[:, :, 0],
    }
    found = np.zeros((len(kinds), of_three.shape[1]), np.int64)
    for counts, (name, (_, which)) in zip(found, kinds.items(), strict=True):
        bits = aligned(np.uint64, n, len(colours) * WORDS)
        bits[:] = planes[name].transpose(1, 0, 2).reshape(n, -1)
        _count_tied(bits.reshape(-1), n, bits.shape[1], counts)
        if padding(batch):
            a, b, c = of_three
            counts -= padding(batch) * (which[a] ^ which[b] ^ which[c])
    return np.pad(found, ((0, 0), (0, 1)), constant_values=batch.decks)


def lower_bits(planes: Planes) -> Planes:
    """Return the bits that tell whether row ``c`` is lower than row ``d``, for c < d; shape ``(n, n, words)``."""
    slabs, n, _, _ = planes.shape
    bits = aligned(np.uint64, n, n, slabs * WORDS)
    _compare(planes, bits.reshape(-1))
    return bits


@njit(cache=True, nogil=True)
def _compare(planes: Any, out: Any) -> None:
    slabs, n, width, _ = planes.shape
    flat = planes.reshape(-1)
    for c in range(n):
        for d in range(c + 1, n):
            for slab in range(slabs):
                one, other = (slab * n + c) * width * WORDS, (slab * n + d) * width * WORDS
                found = splat(np.uint64(0))
                for bit in range(0, width * WORDS, WORDS):
                    # As in `planes.below`: where the bits differ, they decide.
                    x, y = load(flat, one + bit), load(flat, other + bit)
                    found = found ^ ((x ^ y) & (found ^ y))
                store(out, ((c * n + d) * slabs + slab) * WORDS, found)


@njit(cache=True, nogil=True)
def _count_fours(lower: Any, n: int, row: int, step: int, third: Any, three: Any, out: Any) -> None:
    # The order of a, b, c and d is even or odd as all six pairs together are. The bits of a and d, and of b and d, are
    # put together once for each a and b; those of a, b and c once for each three.
    at = 0
    for a in range(n):
        for b in range(a + 1, n):
            for c in range(b + 1, n):
                for word in range(0, row, WORDS):
                    both = load(lower, (a * n + c) * row + word) ^ load(lower, (b * n + c) * row + word)
                    store(third, c * row + word, both)
            for c in range(b + 1, n):
                for word in range(0, row, WORDS):
                    store(three, word, load(lower, (a * n + b) * row + word) ^ load(third, c * row + word))
                for d in range(_first_fourth(a, b, c, step), n, step):
                    found = splat(np.uint64(0))
                    for word in range(0, row, WORDS):
                        odd = load(three, word) ^ load(third, d * row + word) ^ load(lower, (c * n + d) * row + word)
                        found = found + count_ones(odd)
                    out[at] = sum_of(found)
                    at += 1


@njit(cache=True, nogil=True)
def _count_between(lower: Any, n: int, row: int, out: Any) -> None:
    at = 0
    for a in range(n):
        for b in range(a + 1, n):
            for c in range(b + 1, n):
                first, last = splat(np.uint64(0)), splat(np.uint64(0))
                for word in range(0, row, WORDS):
                    a_c = load(lower, (a * n + c) * row + word)
                    first = first + count_ones(load(lower, (a * n + b) * row + word) ^ a_c)
                    last = last + count_ones(load(lower, (b * n + c) * row + word) ^ a_c)
                out[0, at], out[2, at] = sum_of(first), sum_of(last)
                at += 1


@njit(cache=True, nogil=True)
def _count_tied(bits: Any, n: int, row: int, out: Any) -> None:
    at = 0
    for a in range(n):
        for b in range(a + 1, n):
            for c in range(b + 1, n):
                found = splat(np.uint64(0))
                for word in range(0, row, WORDS):
                    odd = load(bits, a * row + word) ^ load(bits, b * row + word) ^ load(bits, c * row + word)
                    found = found + count_ones(odd)
                out[at] = sum_of(found)
                at += 1


COUNTS: dict[str, Callable[[Batch], Counts]] = {
    "order of four cards": partial(odd_fours, of_places),
    "order of four places": partial(odd_fours, of_cards),
    "between two cards": partial(between, of_places),
    "between two places": partial(between, of_cards),
    "three cards tied": partial(tied, False),
    "three places tied": partial(tied, True),
}
