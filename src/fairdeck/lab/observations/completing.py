"""Completion: a record of what was seen becomes a whole deck, drawn uniformly among the decks that agree with it.

The decks that agree with a record are one orbit: the labels of equal cards may change places, so may the cards of a
set, and so may all that was not seen. Each of these orders is drawn by sorting keys; keys without ties, all equally
likely in every order, make each of these decks equally likely. `completed` is a plain function of the keys, so a test
can drive it through all their orders.

Deck `t` of a stream has keys of its own, from a counter: they depend on the seed and on `t`, never on blocks or shards.
Source of the generator: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

from collections.abc import Sequence
from hashlib import sha256

import numpy as np
from numpy.random import Philox
from numpy.typing import NDArray

from fairdeck.bulk.shapes import card_type
from fairdeck.lab.blocks import Decks
from fairdeck.lab.observations import Sight

WORDS_AT_ONCE = 4  # of a value of the counter
AGAIN = 192  # the bit of the counter from which on it counts the attempts
UNSEEN = -1
SEEN = np.uint64(1 << 63)  # keys are smaller, so what was seen is sorted behind

Keys = NDArray[np.uint64]  # (B, n)
Records = NDArray[np.int64]  # (B, k): numbers of names, or `UNSEEN`


class Names:
    """The names of the cards of a list, by number: equal cards have one name.

    Attributes:
        of_cards: shape ``(n,)``: the number of the name of each card.
        copies: shape ``(names,)``: how many cards have it.
    """

    def __init__(self, numbers: Sequence[int]) -> None:
        self.of_cards = np.array(numbers, np.int64)
        self.copies = np.bincount(self.of_cards)
        self.by_name = np.argsort(self.of_cards, kind="stable")  # the cards, those of a name together
        self.starts = np.cumsum(self.copies) - self.copies

    @property
    def equal(self) -> bool:
        """Whether there are equal cards."""
        return len(self.copies) < len(self.of_cards)

    def copy_numbers(self, records: Records) -> Records:
        """Return for each card of each record how many of its name stand before it there."""
        order = np.argsort(records, axis=1, kind="stable")
        sorted_names = np.take_along_axis(records, order, axis=1)
        places = np.arange(records.shape[1])
        new = np.ones(records.shape, np.bool_)
        new[:, 1:] = sorted_names[:, 1:] != sorted_names[:, :-1]
        numbers = places - np.maximum.accumulate(np.where(new, places, 0), axis=1)
        found = np.empty_like(numbers)
        np.put_along_axis(found, order, numbers, axis=1)
        return found

    def too_often(self, records: Records) -> NDArray[np.bool_]:
        """Tell for each card of each record whether it is one more than the list has; unseen cards are not."""
        return (records >= 0) & (self.copy_numbers(records) >= self.copies[records])


def keys_of(seed: int | str, first: int, decks: int, cards: int, sets: int = 1) -> list[Keys]:
    """Return `sets` of keys for the decks from number `first` on; shape ``(decks, cards)``, no ties in a row."""
    found, again, attempt = _words(seed, 0, first, decks, cards * sets), np.arange(decks), 0
    while True:
        tied = np.zeros(len(again), np.bool_)
        for each in np.split(found[again], sets, axis=1):
            ordered = np.sort(each, axis=1)
            tied |= (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        again = again[tied]
        if not len(again):
            return np.split(found, sets, axis=1)
        attempt += 1
        for row in again.tolist():
            found[row] = _words(seed, attempt, first + row, 1, cards * sets)


def _words(seed: int | str, attempt: int, first: int, decks: int, width: int) -> Keys:
    """Return words below 2**63 for successive decks; shape ``(decks, width)``."""
    each = -(-width // WORDS_AT_ONCE)
    key = int.from_bytes(sha256(f"{seed}/complete".encode()).digest()[:16], "big")
    stream = Philox(key=key, counter=(attempt << AGAIN) + first * each)
    words = stream.random_raw(decks * each * WORDS_AT_ONCE).reshape(decks, each * WORDS_AT_ONCE)[:, :width]
    return words >> np.uint64(1)


def completed(records: Records, sight: Sight, names: Names, place_keys: Keys, card_keys: Keys | None = None) -> Decks:
    """Return whole decks, shape ``(B, n)``: each uniform among those that agree with its record, if the keys are.

    Args:
        records: what was seen, at the places ``sight.places``; no card is `too_often`.
        sight: the scheme.
        names: of the cards of the list.
        place_keys: shape ``(B, n)``: they order what was not seen, and the cards of each set.
        card_keys: shape ``(B, n)``: they order the cards of each name; None if each card has its own.
    """
    cards = _labelled(records, names, card_keys)
    places = np.array(sight.places[: records.shape[1]])
    decks = np.full((len(records), sight.cards), UNSEEN, np.int64)
    decks[:, places] = cards
    if not sight.ordered:
        for hand in map(np.array, sight.hands):
            order = np.argsort(place_keys[:, hand], axis=1)
            decks[:, hand] = np.take_along_axis(decks[:, hand], order, axis=1)
    unseen = decks == UNSEEN
    if unseen.any():
        rows, _ = np.nonzero(~unseen)
        left = np.ones(decks.shape, np.bool_)
        left[rows, decks[~unseen]] = False
        order = np.argsort(np.where(unseen, place_keys, place_keys | SEEN), axis=1)
        first = np.arange(sight.cards) < unseen.sum(axis=1)[:, None]
        rows, _ = np.nonzero(first)
        decks[rows, order[first]] = np.nonzero(left)[1]
    return decks.astype(card_type(sight.cards))


def _labelled(records: Records, names: Names, card_keys: Keys | None) -> Records:
    """Return which card of the list each card of a record is, any of its name with the same chance."""
    if card_keys is None:
        return np.where(records >= 0, names.by_name[records], UNSEEN)
    order = np.argsort(card_keys, axis=1)
    by_name = np.argsort(names.of_cards[order], axis=1, kind="stable")
    shuffled = np.take_along_axis(order, by_name, axis=1)
    at = names.starts[records] + names.copy_numbers(records)
    return np.where(records >= 0, np.take_along_axis(shuffled, np.where(records >= 0, at, 0), axis=1), UNSEEN)
