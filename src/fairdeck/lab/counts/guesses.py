"""Guesses: how often a player who has seen all cards dealt so far is right about the next."""

from typing import Any

import numpy as np
from numba import njit

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.kernels import inline
from fairdeck.bulk.shapes import BLOCK, GROUP, Counts
from fairdeck.bulk.vectors import (
    any_of,
    bits,
    choose,
    count_ones,
    first_one,
    load,
    load_wide,
    mask_of,
    shift_left,
    splat,
    store,
)
from fairdeck.lab.counts.neighbours import kept_neighbours
from fairdeck.lab.counts.values import ONES, Numbers, buffer

LANES, WORD = 16, 64  # cards that are compared at once, and cards for which a word has bits
TIES = 8  # bits below a score: of equal scores the lowest card must win


@njit(cache=True, nogil=True)
def _losses_in_words(groups: Any, ones: Any, hits: Any) -> None:
    """Add, to the hits of each deck, those of a player at a loss who guesses the highest card not seen.

    For up to 63 cards, eight decks at a time: bit c + 1 of a deck's word is set while card c is unseen. Shifted by c,
    the word says about a card that is dealt: it was the highest unseen card if no bit above its own (now bit 1) is set;
    and if bit 0 is empty, the card under it has been dealt, so the player will be at a loss.
    """
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    one, none, two, four = splat(np.uint64(1)), splat(np.uint64(0)), splat(np.uint64(2)), splat(np.uint64(4))
    all_cards = splat(((np.uint64(1) << np.uint64(n)) - np.uint64(1)) << np.uint64(1))
    counted, add = np.empty(8, np.uint64), ones[:8].astype(np.uint64)
    step = load(add, 0)
    for group in range(number):
        for eighth in range(0, GROUP, 8):
            at = group * n * GROUP + eighth
            unseen, found = all_cards, none
            beneath = none
            for place in range(n - 1, -1, -1):
                card = load_wide(flat, at + place * GROUP, none)
                over = unseen >> card
                found = choose((over < four) & (beneath == none), found + step, found)
                beneath = over & one
                unseen = unseen ^ (two << card)
            store(counted, 0, found)
            for deck in range(8):
                hits[group * GROUP + eighth + deck] += counted[deck]


@njit(cache=True, nogil=True)
def _losses(groups: Any, places: Any, hits: Any) -> None:
    """Do the same for any number of cards.

    The highest card not seen is a record, counted from the bottom. Records are few, so each is examined
    by itself: had the card under the one above it been dealt before?
    """
    number, n, _ = groups.shape
    for group in range(number):
        flat = groups[group].reshape(-1)
        highest = splat(np.uint8(0))
        for place in range(n):
            here = load(flat, place * GROUP)
            records = here >= highest
            highest = choose(records, here, highest)
            left = bits(records)
            while left:
                deck = np.int64(first_one(left))
                left &= left - np.uint64(1)
                if place + 1 < n:
                    above = groups[group, place + 1, deck]
                    if above and places[group, above - np.uint8(1), deck] <= place:
                        continue
                hits[group * GROUP + deck] += np.uint8(1)


@njit(cache=True, nogil=True)
def _longest_in_words(groups: Any, ones: Any, hits: Any) -> None:
    """Count the hits of a player who guesses the top card of the longest stretch of unseen cards.

    For up to 63 cards, eight decks at a time, read from the bottom: the cards come back and the
    stretches grow. A word holds the cards that are back, another the same in the mirror. Shifted
    until the new card is at bit 0, each begins with as many ones as the new stretch has cards on that side;
    adding one changes those and the zero after them. Length and head of a stretch make one number,
    and the highest of all is the guess; so a card is a hit if it makes the highest so far and is its head.
    """
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    one, top, none = splat(np.uint64(1)), splat(np.uint64(1 << 63)), splat(np.uint64(0))
    alone, mirror = splat(np.uint64(2)), splat(np.uint64(63))
    counted, add = np.empty(8, np.uint64), ones[:8].astype(np.uint64)
    step = load(add, 0)
    for group in range(number):
        for eighth in range(0, GROUP, 8):
            first = group * n * GROUP + eighth
            back, mirrored, longest, found = none, none, none, none
            for row in range(0, n * GROUP, GROUP):
                card = load_wide(flat, first + row, none)
                back, mirrored = back | (one << card), mirrored | (top >> card)
                upwards, downwards = back >> card, mirrored >> (mirror - card)
                over = count_ones(upwards ^ (upwards + one))  # two more than lie above it
                length = over + count_ones(downwards ^ (downwards + one))
                stretch = shift_left(length, 8) + card + over
                found = choose((longest < stretch) & (over == alone), found + step, found)
                longest = choose(longest < stretch, stretch, longest)
            store(counted, 0, found)
            for deck in range(8):
                hits[group * GROUP + eighth + deck] = counted[deck]


@njit(cache=True, nogil=True)
def _longest(groups: Any, lengths: Any, hits: Any) -> None:
    """Do the same for any number of cards, with the length of each stretch kept at both its ends.

    Rows of `lengths` are cards; the first and the last stay empty, so those that cards have count from one.
    """
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    row = np.uintp(GROUP)
    longest = np.empty(GROUP, np.uint16)
    for group in range(number):
        lengths[:] = np.uint8(0)
        longest[:] = np.uint16(0)
        for place in range(n):
            first = (group * n + place) * GROUP
            for deck in range(GROUP):
                card = np.uintp(flat[first + deck])
                at = card * row + np.uintp(deck)
                under, over = np.uintp(lengths[at]), np.uintp(lengths[at + row + row])
                length = under + over + np.uintp(1)
                lengths[at + row - under * row] = length
                lengths[at + row + over * row] = length
                stretch = np.uint16(length << np.uintp(8) | (card + over))
                # One comparison: the processor would mispredict a branch for each too often.
                hits[group * GROUP + deck] += np.uint8((stretch > longest[deck]) & (over == np.uintp(0)))
                longest[deck] = max(longest[deck], stretch)


def underneath(batch: Batch) -> Numbers:
    """Return the hits on each deck of a player who guesses the card underneath.

    Each succession is a hit. The others are from when that card was spent, or there was none.
    """
    hits: Numbers = kept_neighbours(batch)[0].copy()
    if batch.cards < WORD:
        _losses_in_words(batch.groups, ONES, hits)
    else:
        _losses(batch.groups, batch.places, hits)
    return hits


def longest_packet(batch: Batch) -> Numbers:
    """Return the hits on each deck of a player who guesses the top of the longest packet left."""
    hits: Numbers = buffer(batch, 1)[0]
    if batch.cards < WORD:
        _longest_in_words(batch.groups, ONES, hits)
    else:
        hits[:] = 0
        _longest(batch.groups, np.empty((batch.cards + 2) * GROUP, np.uint8), hits)
    return hits


@njit(cache=True, nogil=True)
def _learned(groups: Any, decks: int, at: Any, under: Any, hits: Any) -> None:
    """Count the hits; `at` and `under` are tables of ones with rows of 64 or 128 entries for the cards."""
    n, wide = groups.shape[1], at.shape[1]
    half = decks // 2
    for number in range(half):
        group, deck = divmod(number, GROUP)
        for place in range(n):
            card = groups[group, place, deck]
            at[place, card] += np.uint32(1)
            if place:
                under[card, groups[group, place - 1, deck]] += np.uint32(1)
    low = np.arange(wide, 0, -1).astype(np.uint32)
    ties = splat(np.uint32(TIES))
    for number in range(half, decks):
        group, deck = divmod(number, GROUP)
        # Which cards are unseen, as bits. They stay in registers: to read what was just written takes longer.
        left, more = bits_up_to(n), bits_up_to(n - WORD)
        found, last = 0, n  # on top lies nothing: the last row of `under` is all ones
        for place in range(n - 1, -1, -1):
            card = groups[group, place, deck]
            score = np.uint32(at[place, card] * under[last, card]) << np.uint32(TIES)
            own = splat(np.uint32(score | low[card]))
            higher = own > own
            for first in range(0, WORD, LANES):
                scores = load(at, place * wide + first) * load(under, last * wide + first)
                unseen = mask_of(left >> np.uint64(first), own)
                higher = higher | (((scores << ties) | load(low, first)) > own) & unseen
            if n > WORD:
                for first in range(WORD, 2 * WORD, LANES):
                    scores = load(at, place * wide + first) * load(under, last * wide + first)
                    unseen = mask_of(more >> np.uint64(first - WORD), own)
                    higher = higher | (((scores << ties) | load(low, first)) > own) & unseen
            found += not any_of(higher)
            bit = np.uint64(1) << np.uint64(card % WORD)
            left, more = (left ^ bit, more) if card < WORD else (left, more ^ bit)
            last = card
        hits[found] += 1


@inline
def bits_up_to(count: int) -> Any:
    """Return a word whose lowest `count` bits are set: none if that is below 0, at most all."""
    return np.uint64(0) if count <= 0 else np.uint64(2**64 - 1) >> np.uint64(max(0, WORD - count))


def learned(batch: Batch) -> Counts:
    """Return how often each number of hits was met in the second half of the batch; shape ``(n,)``, from 1 on.

    A guess is right if no unseen card has a higher score than the one that comes: so the
    highest score is not needed, and sixteen cards are compared at once.
    """
    if batch.decks > BLOCK:
        raise ValueError(f"{batch.decks} decks are too many to learn from at once: a score must fit into 24 bits")
    n = batch.cards
    at, under = np.ones((2, n + 1, -(-n // WORD) * WORD), np.uint32)
    hits = np.zeros(n + 1, np.int64)
    _learned(batch.groups, batch.decks, at, under, hits)
    return hits[1:]


NUMBERS = {"guesser of the card underneath": underneath, "guesser of the longest packet": longest_packet}
COUNTS = {"guesser who learns": learned}
