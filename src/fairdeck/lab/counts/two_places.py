"""Two places, wherever they are: which holds the lower card, and whether both hold one suit, rank or colour."""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np
from numba import njit

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.buffer import aligned
from fairdeck.bulk.dtypes import Counts
from fairdeck.bulk.kept import once
from fairdeck.bulk.planes import WORDS, Planes, of_cards, of_places, padding, pairs, upper
from fairdeck.bulk.sizes import GROUP
from fairdeck.bulk.vectors import bits, choose, load, splat
from fairdeck.lab.counts.orders import lower
from fairdeck.lab.kinds import halves, odd_or_even, ranks, suits

PLANES = 7  # one for the colour, one more for the suit, five for up to 32 ranks
RANK = 2  # the first of the rank


def lower_of_two_places(batch: Batch) -> Counts:
    """Return the decks in which place ``c`` holds a lower card than ``d``; shape ``(n, n)``, filled for c < d."""
    return lower(of_cards(batch), padding(batch))


def one_kind(kinds: Callable[[int], Counts | None], first: int, batch: Batch) -> Counts:
    """Return the decks in which both places hold one kind; shape ``(n, n)``, filled above the diagonal.

    Two cards are of one suit if they agree in two bits, of one rank in four: less than to compare
    the cards themselves.
    `first` is the first of the planes that tell the kind.
    """
    planes = planes_of_kinds(batch)
    of_sorted = cast(Counts, kinds(batch.cards))  # or the statistic does not fit
    found = pairs(planes, planes, first, int(of_sorted.max()).bit_length())
    if padding(batch):
        found -= padding(batch) * (upper(batch.cards) * (of_sorted[:, None] == of_sorted))
    return found


def halves_of_two_cards(batch: Batch) -> Counts:
    """Return the decks in which both cards lie in one half; shape ``(n, n)``, filled above the diagonal."""
    return one_kind(halves, 0, Batch(batch.places, batch.decks))


def odd_places(batch: Batch) -> Counts:
    """Return the decks in which both cards lie at odd or both at even places, in the same shape."""
    planes, kinds = of_places(batch), odd_or_even(batch.cards)
    found = pairs(planes, planes, 0, 1)  # the lowest bits of the places
    if padding(batch):
        found -= padding(batch) * (upper(batch.cards) * (kinds[:, None] == kinds))
    return found


@once
def planes_of_kinds(batch: Batch) -> Planes:
    """Return the planes of colour and suit, and those of the rank."""
    planes = aligned(np.uint64, -(-len(batch.groups) // WORDS), batch.cards, PLANES, WORDS)
    _slice(batch.groups.reshape(-1), len(batch.groups), planes)
    return planes


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


COUNTS: dict[str, Callable[[Batch], Counts]] = {
    "lower of two places": lower_of_two_places,
    "suits of two places": partial(one_kind, suits, 0),
    "ranks of two places": partial(one_kind, ranks, RANK),
    "colours of two places": partial(one_kind, halves, 0),
    "halves of two cards": halves_of_two_cards,
    "odd places of two cards": odd_places,
}
