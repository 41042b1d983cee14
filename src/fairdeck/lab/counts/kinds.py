"""Suits, ranks and colours: neighbours of a kind, and the poker hands that are dealt from the top, five cards each."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.kernels import inline
from fairdeck.bulk.shapes import GROUP, Counts, once
from fairdeck.bulk.vectors import bits, choose, count_ones, load, splat, store
from fairdeck.lab.counts.values import ONES, buffer, nth
from fairdeck.lab.kinds import SUITS
from fairdeck.lab.statistics.poker import FLUSH, HAND, HANDS, HIGH_CARD, NAMES, ROYAL, STRAIGHT, STRAIGHT_FLUSH


@inline
def rank_of(card: Any, suit: Any) -> Any:
    """Return the rank of each card: its rest after as many whole suits as possible are subtracted.

    If a subtraction goes below 0, the byte wraps around and the result is larger than before.
    """
    less = card - suit - suit
    card = choose(less < card, less, card)
    less = card - suit
    return choose(less < card, less, card)


@njit(cache=True, nogil=True)
def _kinds(groups: Any, ones: Any, found: Any) -> None:
    number, n, _ = groups.shape
    flat = groups.reshape(-1)
    one, none = load(ones, 0), splat(np.uint8(0))
    suit, half = splat(np.uint8(n // SUITS)), splat(np.uint8(n // 2))
    for group in range(number):
        first = group * n * GROUP
        card = load(flat, first)
        last_rank = rank_of(card, suit)
        last, last_suit = card, card - last_rank
        of_suit, of_rank, runs = none, none, one
        for row in range(GROUP, n * GROUP, GROUP):
            card = load(flat, first + row)
            rank = rank_of(card, suit)
            its_suit = card - rank
            of_suit = choose(its_suit == last_suit, of_suit + one, of_suit)
            of_rank = choose(rank == last_rank, of_rank + one, of_rank)
            runs = choose((card < half) ^ (last < half), runs + one, runs)
            last, last_rank, last_suit = card, rank, its_suit
        store(found[0], group * GROUP, of_suit)
        store(found[1], group * GROUP, of_rank)
        store(found[2], group * GROUP, runs)


@once
def _alike(batch: Batch) -> NDArray[np.uint8]:
    """Return, of each deck, the neighbours of one suit and of one rank, and the runs of one colour.

    Shape ``(3, decks)``; without a meaning where the deck has no suits and ranks.
    """
    found: NDArray[np.uint8] = buffer(batch, 3)
    _kinds(batch.groups, ONES, found)
    return found


RANKS = 13
FULL_HOUSE_PAIRS, FOUR_PAIRS = 4, 6  # of equal ranks among the five cards
FULL_HOUSE, FOUR = 3, 2


@njit(cache=True, nogil=True)
def _poker(groups: Any, decks: int, ones: Any, counts: Any) -> None:
    """Count the values of each hand.

    The number of pairs of equal ranks distinguishes hands with a pair: 0, 1, 2 (two pairs), 3 (three of a kind),
    4 (full house), 6 (four of a kind). Five different ranks are a straight if the highest is four above the
    lowest, with the ace either below the two or above the king.
    """
    ranks = np.empty(HAND * GROUP, np.uint8)
    none, one, four = splat(np.uint8(0)), load(ones, 0), splat(np.uint8(4))
    suit, ace = splat(np.uint8(RANKS)), splat(np.uint8(RANKS))
    for group in range(len(groups)):
        flat = groups[group].reshape(-1)
        left = min(GROUP, decks - group * GROUP)
        counted = (np.uint64(1) << np.uint64(left)) - np.uint64(1) if left < GROUP else ~np.uint64(0)
        for hand in range(HANDS):
            at = (groups.shape[1] - (hand + 1) * HAND) * GROUP
            first = load(flat, at)
            low = rank_of(first, suit)
            its_suit = first - low
            high, low_by_ace = low, choose(low == none, ace, low)
            high_by_ace = low_by_ace
            store(ranks, 0, low)
            pairs = none
            other_suits = none
            for row in range(GROUP, HAND * GROUP, GROUP):
                card = load(flat, at + row)
                rank = rank_of(card, suit)
                other_suits = other_suits | ((card - rank) ^ its_suit)
                for before in range(0, row, GROUP):
                    pairs = choose(load(ranks, before) == rank, pairs + one, pairs)
                store(ranks, row, rank)
                by_ace = choose(rank == none, ace, rank)
                low, high = choose(rank < low, rank, low), choose(rank < high, high, rank)
                low_by_ace = choose(by_ace < low_by_ace, by_ace, low_by_ace)
                high_by_ace = choose(by_ace < high_by_ace, high_by_ace, by_ace)
            value = splat(np.uint8(HIGH_CARD)) - pairs
            value = choose(pairs == splat(np.uint8(FULL_HOUSE_PAIRS)), splat(np.uint8(FULL_HOUSE)), value)
            value = choose(pairs == splat(np.uint8(FOUR_PAIRS)), splat(np.uint8(FOUR)), value)
            plain, flush = pairs == none, other_suits == none
            to_ace = plain & (high_by_ace - low_by_ace == four)
            straight = to_ace | (plain & (high - low == four))
            royal = flush & to_ace & (high_by_ace == ace)
            value = choose(straight, splat(np.uint8(STRAIGHT)), value)
            value = choose(flush, splat(np.uint8(FLUSH)), value)
            value = choose(flush & straight, splat(np.uint8(STRAIGHT_FLUSH)), value)
            value = choose(royal, splat(np.uint8(ROYAL)), value)
            for kind in range(len(NAMES)):
                counts[hand, kind] += np.int64(count_ones(bits(value == splat(np.uint8(kind))) & counted))


def poker_hands(batch: Batch) -> Counts:
    """Return how often each hand had each value; shape ``(10, 10)``, hand first."""
    counts = np.zeros((HANDS, len(NAMES)), np.int64)
    _poker(batch.groups, batch.decks, ONES, counts)
    return counts


NUMBERS = {
    "neighbours of one suit": nth(_alike, 0),
    "neighbours of one rank": nth(_alike, 1),
    "colour runs": nth(_alike, 2),
}
COUNTS = {"poker hands": poker_hands}
