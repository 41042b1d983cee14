"""Decks as bytes: n integers for each deck, with nothing between them."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fairdeck.lab.blocks import Decks
from fairdeck.lab.sources import Gate
from fairdeck.lab.sources.text import first_number


class Integers:
    """Rows of integers in pieces of bytes.

    Attributes:
        rest: the beginning of the next row.
    """

    def __init__(self, size: int, kind: DTypeLike) -> None:
        """Read rows of `size` integers of a type."""
        self.rest, self._size, self._kind = b"", size, np.dtype(kind)

    def rows(self, chunk: bytes) -> NDArray[Any]:
        """Return the rows that are complete."""
        data = self.rest + chunk
        whole = len(data) - len(data) % (self._size * self._kind.itemsize)
        self.rest = data[whole:]
        return np.frombuffer(data[:whole], self._kind).reshape(-1, self._size)


class BinaryDecoder(Gate):
    """Turns bytes into checked decks.

    Args:
        name: what writes the bytes.
        cards: the cards of a deck.
        integers: the rows.
        first: the number of the first card, 0 or 1; None reads it from the first deck.
        options: those of `Gate`.
    """

    def __init__(self, name: str, cards: int, integers: Integers, *, first: int | None = 0, **options: Any) -> None:
        super().__init__(name, cards, **options)
        self.first, self._integers = first, integers

    def decode(self, chunk: bytes) -> Iterator[Decks]:
        """Yield the decks that are complete, and raise an error (see `Gate`) at one that is wrong."""
        written = self._integers.rows(chunk)
        if self.first is None and len(written):
            self.first = first_number(written[0].tolist())
        first = self.first or 0
        as_written = lambda row: [card - first for card in written[row].tolist()]  # noqa: E731 - however large
        yield from self.passed(written.astype(np.int64) - first, as_written, lambda card: str(card + first))
