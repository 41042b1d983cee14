"""Lines of names, read at once: names of up to 16 bytes, compared byte by byte.

`NameTable.rows` reads only lines that hold as many names as a deck has cards, with blanks, commas, semicolons, brackets
or quotes between them. It gives up on any other chunk, which `fairdeck.lab.sources.text` then reads line by line.
`plain_lists` makes such lines of JSON lines.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk import available
from fairdeck.lab.blocks import Decks

LONGEST, HALF = 16, 8  # bytes of a name, in two words
A, B, SHIFT, ALL = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 29, 2**64 - 1
SPACES = "\t\r\n ,;[]()\"'\0"
GAP = np.zeros(256, np.bool_)
GAP[list(SPACES[:-1].encode())] = True
KERNEL = f"{__package__}.name_kernel"
WORTH_KERNEL = 2**20  # bytes of text: to read less takes a shorter time than to load numba
JSON_LINES = 8  # how many bytes each of theirs counts for: the first piece of a large file is worth the kernel

# Shape (B, n), the names of each line, of int16 if each line has each once; and (B,), their lines.
Places = tuple[NDArray[np.int64] | Decks, NDArray[np.int64]]


class NameTable:
    """An open-addressed table of names, at most a quarter full.

    Attributes:
        low, high: the bytes of the name in each slot.
        card: its number; -1 for an empty slot.
    """

    def __init__(self, names: Sequence[tuple[int, bytes]]) -> None:
        self._seen = 0  # bytes of text
        size = 1 << (4 * len(names)).bit_length()
        self.low, self.high = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
        self.card = np.full(size, -1, np.int64)
        for number, name in names:
            low, high = (int.from_bytes(part, "little") for part in (name[:HALF], name[HALF:]))
            mixed = (low * A & ALL) ^ (high * B & ALL)
            slot = (mixed ^ mixed >> SHIFT) & (size - 1)
            while self.card[slot] >= 0:
                slot = (slot + 1) & (size - 1)
            self.low[slot], self.high[slot], self.card[slot] = low, high, number

    @classmethod
    def of(cls, *orders: Sequence[str]) -> Self | None:
        """Return the table of the same cards in these spellings; None if one is too long or has a mark, or for many."""
        names = {name: number for order in orders for number, name in enumerate(order)}
        if any(set(SPACES).intersection(name) or not 0 < len(name.encode()) <= LONGEST for name in names):
            return None
        return cls([(number, name.encode()) for name, number in names.items()]) if 0 < len(names) < 2**15 else None

    def rows(self, text: bytes, cards: int) -> Places | None:
        """Return the numbers of the names on each line; None if any line is not `cards` known names, or empty.

        Also None where that is not worth the time: see `_worth_kernel`.
        """
        self._seen += len(text)
        if b"\0" in text or not _worth_kernel(self._seen):
            return None
        from fairdeck.lab.sources.name_kernel import read  # takes a while: numba

        most = text.count(b"\n")
        values, lines = np.empty((most, cards), np.int16), np.empty(most, np.int64)
        rows, decks = read(np.frombuffer(text, np.uint8), GAP, self.low, self.high, self.card, values, lines)
        return None if rows < 0 else (values[:rows] if decks else values[:rows].astype(np.int64), lines[:rows])


def plain_lists(text: bytes, path: Sequence[str], slowly: Callable[[bytes], bytes]) -> bytes:
    """Return whole JSON lines as lines of the cards at a path; `slowly` reads the lines that are not simple."""
    if not path or not _worth_kernel(JSON_LINES * len(text)):
        return slowly(text)
    from fairdeck.lab.sources.name_kernel import lists

    keys = [key.encode("utf-8", "replace") for key in path]
    joined, ends = np.frombuffer(b"".join(keys), np.uint8), np.cumsum([0, *map(len, keys)])
    raw, out = np.frombuffer(text, np.uint8), np.empty(len(text), np.uint8)
    found, at = [], 0
    while at < len(text):
        start, size = lists(raw, at, joined, ends, out)
        at = text.find(b"\n", start) + 1 or len(text)
        found += [out[:size].tobytes(), slowly(text[start:at])]
    return b"".join(found)


def _worth_kernel(size: int) -> bool:
    """Say whether the kernel is to read: numba is there, and loaded already or worth loading for so many bytes."""
    return (KERNEL in sys.modules or size >= WORTH_KERNEL) and available()
