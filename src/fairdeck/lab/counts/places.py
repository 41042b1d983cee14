"""Which card lies where: in what place, at which end, in which hand, how far from another card or below it.

Planes of bits tell of 512 decks at once (`fairdeck.bulk.planes`); a table is added to card by card only where two
cards or kinds are asked for at one end.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.kernels import aligned
from fairdeck.bulk.planes import (
    ALL,
    WORDS,
    Planes,
    across,
    high_bits,
    low_bits,
    of_cards,
    of_places,
    padding,
    pairs,
    upper,
)
from fairdeck.bulk.shapes import GROUP, Counts, once
from fairdeck.bulk.vectors import bits, choose, count_ones, load, splat, store
from fairdeck.lab.counts.values import ONES, buffer
from fairdeck.lab.kinds import halves, odd_or_even, ranks, suits
from fairdeck.lab.statistics.coupons import different
from fairdeck.lab.statistics.hands import STATISTICS as HANDS
from fairdeck.lab.statistics.hands import PartOf


def positions(batch: Batch) -> Counts:
    """Return the decks in which card ``c`` lies at place ``i``; shape ``(n, n)``, place first."""
    n = batch.cards
    found = counted(of_cards(batch))
    found[np.arange(n), np.arange(n)] -= padding(batch)
    return found


def counted(planes: Planes) -> Counts:
    """Return in how many decks of the slabs each place holds each number; shape ``(n, n)``, the place first."""
    n = planes.shape[1]
    out = np.empty((n, n), np.int64)
    _count_positions(planes, aligned(np.uint64, -(-n // 8) * 8 * WORDS), out)
    return out


@njit(cache=True, nogil=True)
def _count_positions(planes: Any, buffer: Any, out: Any) -> None:
    # A card is three low bits and the high ones: the eight values of the low bits are found once for all high
    # ones. One place at a time, so that its counts stay in the nearest cache.
    slabs, n, width, _ = planes.shape
    flat = planes.reshape(-1)
    none = splat(np.uint64(0))
    for place in range(n):
        for at in range(0, len(buffer), WORDS):
            store(buffer, at, none)
        for slab in range(slabs):
            start = (slab * n + place) * width * WORDS
            a, b, c, d, e, f, g, h = low_bits(flat, start)
            for first in range(0, n, 8):
                high = high_bits(flat, start, width, first)
                at = first * WORDS
                store(buffer, at, load(buffer, at) + count_ones(a & high))
                store(buffer, at + 8, load(buffer, at + 8) + count_ones(b & high))
                store(buffer, at + 16, load(buffer, at + 16) + count_ones(c & high))
                store(buffer, at + 24, load(buffer, at + 24) + count_ones(d & high))
                store(buffer, at + 32, load(buffer, at + 32) + count_ones(e & high))
                store(buffer, at + 40, load(buffer, at + 40) + count_ones(f & high))
                store(buffer, at + 48, load(buffer, at + 48) + count_ones(g & high))
                store(buffer, at + 56, load(buffer, at + 56) + count_ones(h & high))
        for card in range(n):
            out[place, card] = across(buffer, card * WORDS)


def differences(batch: Batch) -> Counts:
    """Return the decks with each difference at each place; shape ``(n - 1, n - 1)``, the place first.

    One less than a difference is a number from 0 to n - 2, for each place but the last: so it is
    counted as if it were a card at that place.
    """
    planes = of_cards(batch)
    slabs, n, width, _ = planes.shape
    less_one = aligned(np.uint64, slabs, n - 1, width, WORDS)
    _subtract(planes, less_one)
    found = counted(less_one)
    found[:, 0] -= padding(batch)  # sorted decks: each card is one further on
    return found


@njit(cache=True, nogil=True)
def _subtract(planes: Any, out: Any) -> None:
    """Write by how much the card above is further on, modulo n, less one."""
    slabs, n, width, _ = planes.shape
    row = width * WORDS
    flat, flat_out = planes.reshape(-1), out.reshape(-1)
    none, flip = splat(np.uint64(0)), splat(np.uint64(ALL))
    for slab in range(slabs):
        for place in range(n - 1):
            below, at = (slab * n + place) * row, (slab * (n - 1) + place) * row
            borrow = flip  # the one less
            for step in range(0, row, WORDS):
                lower, upper = load(flat, below + step), load(flat, below + row + step)
                apart = lower ^ upper
                store(flat_out, at + step, apart ^ borrow)
                borrow = borrow ^ (apart & (borrow ^ lower))
            carry = none
            for bit in range(width):
                step = bit * WORDS
                so_far = load(flat_out, at + step)
                around = borrow if n >> bit & 1 else none
                store(flat_out, at + step, so_far ^ around ^ carry)
                carry = (so_far & around) | (carry & (so_far | around))


def lower(planes_of: Callable[[Batch], Planes], batch: Batch) -> Counts:
    """Return in how many decks row ``c`` of the planes is lower than row ``d``; shape ``(n, n)``, filled for c < d."""
    # Bits take half as long as comparing 64 bytes at once and counting the bits of the masks.
    planes = planes_of(batch)
    found = pairs(planes, planes, 0, planes.shape[2], lower=True)
    if padding(batch):
        found -= padding(batch) * upper(batch.cards)
    return found


PLANES = 7  # one for the colour, one more for the suit, five for up to 32 ranks
RANK = 2  # the first of the rank


def one_kind(
    planes_of: Callable[[Batch], Planes], kinds: Callable[[int], Counts | None], first: int, batch: Batch
) -> Counts:
    """Return the decks in which two rows are of one kind; shape ``(n, n)``, filled above the diagonal.

    Two cards are of one suit if they agree in two bits, of one rank in four: less than to compare the cards themselves.
    `first` is the first of the planes that tell the kind.
    """
    planes = planes_of(batch)
    of_sorted = cast(Counts, kinds(batch.cards))  # or the statistic does not fit
    found = pairs(planes, planes, first, int(of_sorted.max()).bit_length())
    if padding(batch):
        found -= padding(batch) * (upper(batch.cards) * (of_sorted[:, None] == of_sorted))
    return found


@once
def planes_of_kinds(batch: Batch) -> Planes:
    """Return the planes of colour and suit, and those of the rank."""
    planes = aligned(np.uint64, -(-len(batch.groups) // WORDS), batch.cards, PLANES, WORDS)
    _slice(batch.groups.reshape(-1), len(batch.groups), planes)
    return planes


def planes_of_places(batch: Batch) -> Planes:
    """Return the planes of the half and the quarter of the deck where each card lies."""
    return planes_of_kinds(Batch(batch.places, batch.decks))


@njit(cache=True, nogil=True)
def _slice(flat: Any, groups: int, planes: Any) -> None:
    # A colour is a half of the deck in factory order, a suit a half of a half, and the rank what is left.
    slabs, n, _, _ = planes.shape
    half, quarter = splat(np.uint8(n // 2)), splat(np.uint8(n // 4))
    top = splat(np.uint8(128))
    for slab in range(slabs):
        for place in range(n):
            for word in range(WORDS):
                group = slab * WORDS + word
                cards = splat(np.uint8(place))
                if group < groups:
                    cards = load(flat, (group * n + place) * GROUP)
                second = cards >= half
                cards = choose(second, cards - half, cards)
                odd = cards >= quarter
                cards = choose(odd, cards - quarter, cards)
                # The suit is halves of halves in either order: the planes of colour and suit lie together.
                planes[slab, place, 0, word] = bits(second)
                planes[slab, place, 1, word] = bits(odd)
                for _ in range(8 - (PLANES - RANK)):
                    cards = cards + cards
                for bit in range(PLANES - 1, RANK - 1, -1):
                    planes[slab, place, bit, word] = bits(cards >= top)
                    cards = cards + cards


def held(part: PartOf, batch: Batch) -> NDArray[np.uint8]:
    """Return how many cards of a part of the old deck lie in a part of each deck."""
    places, cards = part(batch.cards)
    numbers: NDArray[np.uint8] = buffer(batch, 1)[0]
    _held(batch.groups, ONES, places.start, places.stop, cards.start, len(cards), numbers)
    return numbers


@njit(cache=True, nogil=True)
def _held(groups: Any, ones: Any, lowest: int, highest: int, first: int, cards: int, numbers: Any) -> None:
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    one, least, below = load(ones, 0), splat(np.uint8(first)), splat(np.uint8(cards))
    for group in range(number):
        count = splat(np.uint8(0))
        for place in range(lowest, highest):
            # A card before the first wraps around to a high number.
            count = choose(load(flat, (group * n + place) * GROUP) - least < below, count + one, count)
        store(numbers, group * GROUP, count)


def _at(batch: Batch, place: int) -> NDArray[np.int64]:
    """Return the card at one place of each deck."""
    return batch.groups[:, place].ravel()[: batch.decks].astype(np.int64)


def end_pairs(at_top: bool, batch: Batch) -> Counts:
    """Return the decks with each pair at one end; shape ``(n, n)``, the lower card first."""
    n = batch.cards
    place = n - 2 if at_top else 0
    return np.bincount(_at(batch, place) * n + _at(batch, place + 1), minlength=n * n).reshape(n, n)


def different_cards(place: int, batch: Batch) -> Counts:
    """Return the windows of n decks with each number of different cards at a place, from 1 on; shape ``(n,)``."""
    n = batch.cards
    return np.bincount(different(_at(batch, place), n) - 1, minlength=n)


NUMBERS = {each.name: partial(held, each.part) for each in HANDS}
COUNTS: dict[str, Callable[[Batch], Counts]] = {
    "positions": positions,
    "differences": differences,
    "order": partial(lower, of_places),
    "lower of two places": partial(lower, of_cards),
    "suits of two places": partial(one_kind, planes_of_kinds, suits, 0),
    "ranks of two places": partial(one_kind, planes_of_kinds, ranks, RANK),
    "colours of two places": partial(one_kind, planes_of_kinds, halves, 0),
    "halves of two cards": partial(one_kind, planes_of_places, halves, 0),
    "odd places of two cards": partial(one_kind, of_places, odd_or_even, 0),
    "top pairs": partial(end_pairs, True),
    "bottom pairs": partial(end_pairs, False),
    "different top cards": partial(different_cards, -1),
    "different bottom cards": partial(different_cards, 0),
}
