"""The numbers that a shuffling program must have drawn: 64 decks side by side, each undone swap by swap."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba import njit

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.shapes import GROUP, Counts
from fairdeck.bulk.vectors import count_ones


def _counted(count: Callable[..., None], readings: int, batch: Batch) -> Counts:
    """Return in how many decks draw ``k`` was ``v``; shape ``(readings, n, n)``."""
    n = batch.cards
    # Tables this small stay in the nearest cache; a batch has far fewer than 2^32 decks.
    found = np.zeros((readings, n, n), np.uint32)
    count(batch.groups, batch.places, batch.decks, found)
    found[:, 0, 0] = batch.decks
    return found.astype(np.int64)


# Decks side by side, since the steps of one deck wait for one another. Addresses are unsigned, so that numba need not
# look for negative ones.


@njit(inline="always")
def _undo(groups: Any, places: Any, decks: int, out: Any, downward: Any) -> None:
    number, n, _ = groups.shape
    cards, where = np.empty(n * GROUP, np.uint8), np.empty(n * GROUP, np.uint8)
    by_card, by_place = out[0].reshape(-1), out[1].reshape(-1)
    for group in range(number):
        cards[:] = groups[group].reshape(-1)
        where[:] = places[group].reshape(-1)
        lanes = min(GROUP, decks - group * GROUP)
        for draw in range(n - 1, 0, -1):
            # Number v stands for card or place v, or counts from the place where the loop is.
            k = draw if downward else n - 1 - draw
            row, begin = np.uintp(draw * n - (0 if downward else k)), np.uintp(k * GROUP)
            for deck in range(lanes):
                lane = np.uintp(deck)
                card, place = np.uintp(cards[begin + lane]), np.uintp(where[begin + lane])
                by_card[row + card] += np.uint32(1)
                by_place[row + place] += np.uint32(1)
                cards[place * np.uintp(GROUP) + lane] = card
                where[card * np.uintp(GROUP) + lane] = place


@njit(cache=True, nogil=True)
def _undo_from_the_top(groups: Any, places: Any, decks: int, out: Any) -> None:
    _undo(groups, places, decks, out, True)


@njit(cache=True, nogil=True)
def _undo_from_the_bottom(groups: Any, places: Any, decks: int, out: Any) -> None:
    _undo(groups, places, decks, out, False)


@njit(cache=True, nogil=True)
def _count_lower(groups: Any, places: Any, decks: int, out: Any) -> None:  # noqa: ARG001 - as the others are called
    number, n, _ = groups.shape
    bottom_first, top_first, lowest_first, highest_first = (
        out[0].reshape(-1),
        out[1].reshape(-1),
        out[2].reshape(-1),
        out[3].reshape(-1),
    )
    # The cards met so far are two words of 64 bits a deck, and the lower ones among them are counted at once.
    low, high = np.empty(GROUP, np.uint64), np.empty(GROUP, np.uint64)
    last, one = np.uintp(n - 1), np.uint64(1)
    for group in range(number):
        cards = groups[group].reshape(-1)
        lanes = min(GROUP, decks - group * GROUP)
        low[:], high[:] = 0, 0
        for place in range(n):
            here = np.uintp(place)
            for deck in range(lanes):
                card = np.uintp(cards[place * GROUP + deck])
                bit = one << np.uint64(card & np.uintp(63))
                if card < np.uintp(64):
                    below = np.uintp(count_ones(low[deck] & (bit - one)))
                    low[deck] |= bit
                else:
                    below = np.uintp(count_ones(low[deck]) + count_ones(high[deck] & (bit - one)))
                    high[deck] |= bit
                bottom_first[(last - here) * np.uintp(n) + card - below] += np.uint32(1)
                top_first[here * np.uintp(n) + below] += np.uint32(1)
                lowest_first[card * np.uintp(n) + below] += np.uint32(1)
                highest_first[(last - card) * np.uintp(n) + here - below] += np.uint32(1)


COUNTS: dict[str, Callable[[Batch], Counts]] = {
    "draws of swaps from the top": partial(_counted, _undo_from_the_top, 2),
    "draws of swaps from the bottom": partial(_counted, _undo_from_the_bottom, 2),
    "draws of cards in turn": partial(_counted, _count_lower, 4),
}
