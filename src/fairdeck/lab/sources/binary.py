"""Decks as bytes: n integers for each deck, with nothing between them."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fairdeck.lab.blocks import Decks
from fairdeck.lab.sources import Gate
from fairdeck.lab.sources.text import first_number


class BinaryDecoder(Gate):
    """Turns bytes into checked decks.

    Args:
        name: what writes the bytes.
        cards: the cards of a deck.
        kind: the type of the integers.
        first: the number of the first card, 0 or 1; None reads it from the first deck.
        options: those of `Gate`.
    """

    def __init__(self, name: str, cards: int, kind: DTypeLike, *, first: int | None = 0, **options: Any) -> None:
        super().__init__(name, cards, **options)
        self.first = first
        self.rest = b""  # the beginning of the next deck
        self._kind = np.dtype(kind)

    def rows(self, chunk: bytes) -> NDArray[Any]:
        """Return the rows that are complete."""
        data = self.rest + chunk
        whole = len(data) - len(data) % (self.cards * self._kind.itemsize)
        self.rest = data[whole:]
        return np.frombuffer(data[:whole], self._kind).reshape(-1, self.cards)

    def decode(self, chunk: bytes) -> Iterator[Decks]:
        """Yield the decks that are complete, and raise an error (see `Gate`) at one that is wrong."""
        written = self.rows(chunk)
        if self.first is None and len(written):
            self.first = first_number(written[0].tolist())
        first = self.first or 0
        as_written = lambda row: [card - first for card in written[row].tolist()]  # noqa: E731 - however large
        yield from self.passed(written.astype(np.int64) - first, as_written, lambda card: str(card + first))
