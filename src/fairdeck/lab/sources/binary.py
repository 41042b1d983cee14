"""Decks as bytes: n integers for each deck, with nothing between them."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import DTypeLike

from fairdeck.lab.blocks import Broken, Decks, surely_decks, unread
from fairdeck.lab.sources import first_fault
from fairdeck.lab.sources.text import first_number
from fairdeck.lab.usercode.faults import complaint, in_range


class BinaryDecoder:
    """Turns bytes into checked decks.

    Args:
        name: what writes the bytes.
        cards: the cards of a deck.
        kind: the type of the integers.
        first: the number of the first card, 0 or 1; None reads it from the first deck.
        remedy: for messages: how decks must be written.
        decks: how many decks came before.
        of_file: whether they are bytes of a file; see `unread`.
    """

    def __init__(
        self,
        name: str,
        cards: int,
        kind: DTypeLike,
        *,
        first: int | None = 0,
        remedy: str = "",
        decks: int = 0,
        of_file: bool = False,
    ) -> None:
        self.name = name
        self.cards = cards
        self.first = first
        self.remedy = remedy
        self.decks = decks
        self.of_file = of_file
        self.rest = b""  # the beginning of the next deck
        self._kind = np.dtype(kind)

    def decode(self, chunk: bytes) -> Iterator[Decks]:
        """Yield the decks that are complete, and raise an error (see `unread`) at one that is wrong."""
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
            if in_range(deck) and (not self.of_file or surely_decks(self.decks, self.cards)):
                raise Broken(said, self.decks)
            raise unread(said, self.decks, self.remedy, of_file=self.of_file)
