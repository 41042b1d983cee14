"""Neighbours of a kind: the same suit, rank or colour twice in a row."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.inline import inline
from fairdeck.bulk.kept import once
from fairdeck.bulk.sizes import GROUP
from fairdeck.bulk.vectors import choose, load, splat, store
from fairdeck.lab.counts.values import ONES, buffer, nth
from fairdeck.lab.kinds import SUITS


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
def _of(batch: Batch) -> NDArray[np.uint8]:
    """Return, of each deck, the neighbours of one suit and of one rank, and the runs of one colour.

    Shape ``(3, decks)``; without a meaning where the deck has no suits and ranks.
    """
    found: NDArray[np.uint8] = buffer(batch, 3)
    _kinds(batch.groups, ONES, found)
    return found


NUMBERS = {
    "neighbours of one suit": nth(_of, 0),
    "neighbours of one rank": nth(_of, 1),
    "colour runs": nth(_of, 2),
}
