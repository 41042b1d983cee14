"""Inversions and longest subsequences: how much of the whole old order is left.

Up to 64 cards, a word of 64 bits holds a set of cards of one deck, and eight decks lie side by side.
Larger decks are bytes again, 64 decks side by side, with more steps for each card: sets of two words,
with a borrow from one to the other, would take even more.

Source: Aldous and Diaconis, "Longest increasing subsequences: from patience sorting to the
Baik-Deift-Johansson theorem", Bull. AMS 36 (1999), section 1.
"""

from typing import Any

import numpy as np
from numba import njit

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.kernels import inline
from fairdeck.bulk.shapes import GROUP, once
from fairdeck.bulk.vectors import (
    any_of,
    choose,
    count_below,
    count_below_within,
    count_ones,
    hold,
    keep,
    load,
    load_wide,
    splat,
    store,
)
from fairdeck.lab.counts.values import ONES, buffer, evens, nth, odds

WORD = 64
HELD = 8  # rows


@njit(cache=True, nogil=True)
def _in_words(groups: Any, found: Any) -> None:
    """Count inversions and longest subsequences of decks of up to 64 cards.

    Inversions: of the cards met before, those above this one. Longest increasing subsequence: patience sorting keeps
    the lowest card on which a subsequence of each length can end; a new card takes the place of the next higher one, or
    lengthens the longest. As a set of cards: take out the next higher member, put in the card. Less twice the card's
    bit, a set with members above it loses the lowest of them and gains what was free below that, nothing else; so the
    set and that difference, and the card, are the new set. The longest decreasing one: the same in the mirror.
    """
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    one, top, none = splat(np.uint64(1)), splat(np.uint64(1 << 63)), splat(np.uint64(0))
    for group in range(number):
        for eighth in range(0, GROUP, 8):
            first, out = group * n * GROUP + eighth, group * GROUP + eighth
            seen, inversions, up, down = none, none, none, none
            for row in range(0, n * GROUP, GROUP):
                card = load_wide(flat, first + row, none)
                inversions = inversions + count_ones(seen >> card)
                bit, mirrored = one << card, top >> card
                seen = seen | bit
                up = (up & (up - (bit + bit))) | bit
                down = (down & (down - (mirrored + mirrored))) | mirrored
            store(found[0], out, inversions)
            store(found[1], out, count_ones(up))
            store(found[2], out, count_ones(down))


@njit(cache=True, nogil=True)
def _inversions(groups: Any, ones: Any, found: Any) -> None:
    """Count inversions, all pairs of rows, `HELD` of them at a time with all the rows after them."""
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    one, none = load(ones, 0), splat(np.uint8(0))
    codes = np.empty(HELD * GROUP, np.uint8)
    for group in range(number):
        first, end = group * n * GROUP, (group + 1) * n * GROUP
        even, odd = evens(none), odds(none)
        while first + HELD * GROUP <= end:
            held = hold(flat, first, HELD)
            first += HELD * GROUP
            counted = count_below_within(held, one)
            for row in range(first, end, GROUP):
                counted = count_below(counted, load(flat, row), held, one)
            keep(codes, 0, counted)
            for row in range(0, HELD * GROUP, GROUP):
                below = load(codes, row)
                even, odd = even + evens(below), odd + odds(below)
        while first < end:
            card, below = load(flat, first), none
            first += GROUP
            for row in range(first, end, GROUP):
                below = choose(load(flat, row) < card, below + one, below)
            even, odd = even + evens(below), odd + odds(below)
        store(found, group * GROUP, even)
        store(found, group * GROUP + GROUP // 2, odd)


@inline
def _card(flat: Any, at: Any, left: Any, one: Any) -> Any:
    """Return the next cards, plus one; where no card is left, 255, which is lower than no row."""
    return load(flat, at) + one if left > 0 else splat(np.uint8(255))


@inline
def _placed(end: Any, card: Any, never: Any) -> Any:
    """Return a row with the cards that belong there, and the cards that are still to be placed."""
    lower = card < end
    return choose(lower, card, end), choose(lower, never, card)


@njit(cache=True, nogil=True)
def _longest(groups: Any, ones: Any, ends: Any, found: Any) -> None:
    """Find the longest increasing and decreasing subsequences, the latter by reading from the top.

    Patience sorting as above: row l of `ends` is the lowest card, plus one, on which a subsequence of
    length l + 1 can end; 255 if there is none. They rise from row to row, so a new card belongs
    where it is lower for the first time. Four cards pass over the rows together, one behind the other.
    """
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    one, none, never = load(ones, 0), splat(np.uint8(0)), splat(np.uint8(255))
    for group in range(number):
        for way in range(2):
            at, step = group * n * GROUP, GROUP
            if way:
                at, step = at + (n - 1) * GROUP, -GROUP
            length = 0
            for left in range(n, 0, -4):
                a, b = _card(flat, at, left, one), _card(flat, at + step, left - 1, one)
                c, d = _card(flat, at + 2 * step, left - 2, one), _card(flat, at + 3 * step, left - 3, one)
                at += 4 * step
                for _more in range(4):
                    store(ends, length, never)
                    length += GROUP
                for row in range(0, length, GROUP):
                    end = load(ends, row)
                    end, a = _placed(end, a, never)
                    end, b = _placed(end, b, never)
                    end, c = _placed(end, c, never)
                    end, d = _placed(end, d, never)
                    store(ends, row, end)
                while not any_of(load(ends, length - GROUP) < never):
                    length -= GROUP
            total = none
            for row in range(0, length, GROUP):
                total = choose(load(ends, row) < never, total + one, total)
            store(found[way], group * GROUP, total)


@once
def of_order(batch: Batch) -> tuple[Any, Any, Any]:
    """Return, of each deck, the inversions and the longest increasing and decreasing subsequence."""
    if batch.cards <= WORD:
        words = buffer(batch, 3, np.uint64)
        _in_words(batch.groups, words)
        up, down = words[1:].astype(np.uint8)
        return words[0].astype(np.uint16), up, down
    inversions, longest = buffer(batch, 1, np.uint16)[0], buffer(batch, 2)
    _inversions(batch.groups, ONES, inversions)
    _longest(batch.groups, ONES, np.empty((batch.cards + 8) * GROUP, np.uint8), longest)
    return inversions, longest[0], longest[1]


NUMBERS = {
    "longest increasing subsequence": nth(of_order, 1),
    "longest decreasing subsequence": nth(of_order, 2),
    "inversions": nth(of_order, 0),
}
