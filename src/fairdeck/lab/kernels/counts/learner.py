"""The guesser who learns: the unseen card of the highest score, for one place of one deck after another."""

from typing import Any

import numpy as np
from numba import njit

from fairdeck.lab.arrays import Counts
from fairdeck.lab.kernels import BLOCK, GROUP
from fairdeck.lab.kernels.batch import Batch
from fairdeck.lab.kernels.inner import inner
from fairdeck.lab.kernels.vectors import any_of, load, mask_of, splat

LANES, WORD = 16, 64  # cards that are compared at one go, and that a word has bits for
TIES = 8  # bits below a score: of equal scores the lowest card must win


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


@inner
def bits_up_to(count: int) -> Any:
    """Return a word with the lowest bits set, so many of them, none or all."""
    return np.uint64(0) if count <= 0 else np.uint64(2**64 - 1) >> np.uint64(max(0, WORD - count))


def learned(batch: Batch) -> Counts:
    """Return how often each number of hits was met in the second half of the batch; shape ``(n,)``, from 1 on.

    A guess is right if no unseen card has a higher score than the one that comes: so no highest
    score need be found, and sixteen cards are compared at one go.
    """
    if batch.decks > BLOCK:
        raise ValueError(f"{batch.decks} decks are too many to learn from at once: a score must fit into 24 bits")
    n = batch.cards
    at, under = np.ones((2, n + 1, -(-n // WORD) * WORD), np.uint32)
    hits = np.zeros(n + 1, np.int64)
    _learned(batch.groups, batch.decks, at, under, hits)
    return hits[1:]


COUNTS = {"guesser who learns": learned}
