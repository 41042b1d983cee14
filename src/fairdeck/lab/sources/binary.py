"""Decks as bytes: n integers a deck, with nothing between them."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import DTypeLike

from fairdeck.lab.sources.block import Broken, Decks, unread
from fairdeck.lab.sources.gate import complaint, first_fault, in_range
from fairdeck.lab.sources.text import first_number


class BinaryDecoder:
    """Turns bytes into decks, all of them checked.

    Args:
        name: what writes the bytes.
        cards: the cards of a deck.
        kind: the type of the integers.
        first: the number of the first card, 0 or 1; None to tell it from the first deck.
        remedy: how decks are to be written, for whoever wrote something else.
        decks: the decks that came before.
    """

    def __init__(
        self, name: str, cards: int, kind: DTypeLike, *, first: int | None = 0, remedy: str = "", decks: int = 0
    ) -> None:
        self.name = name
        self.cards = cards
        self.first = first
        self.remedy = remedy
        self.decks = decks
        self.rest = b""  # the beginning of the next deck
        self._kind = np.dtype(kind)

    def decode(self, chunk: bytes) -> Iterator[Decks]:
        """Yield the decks that are whole by now, and raise an error (see `unread`) if one is none."""
        data = self.rest + chunk
        whole = len(data) - len(data) % (self.cards * self._kind.itemsize)
        self.rest = data[whole:]
        written = np.frombuffer(data[:whole], self._kind).reshape(-1, self.cards)
        if self.first is None and len(written):
            self.first = first_number(written[0].tolist())
        first = self.first or 0
        rows = written.astype(np.int64) - first
        fault = first_fault(rows)
        good = rows[:fault].astype(np.int16)
        self.decks += len(good)
        if len(good):
            yield good
        if fault is not None:
            deck = [card - first for card in written[fault].tolist()]  # as written, however large
            wrong = complaint(deck, self.cards, lambda card: str(card + first))
            said = f"{self.name}: deck {self.decks + 1:,} {wrong}"
            raise Broken(said, self.decks) if in_range(deck) else unread(said, self.decks, self.remedy)
