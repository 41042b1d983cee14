"""Values made of the bytes of an input, so that a fuzzer that changes bytes changes choices."""

from collections.abc import Sequence
from typing import TypeVar

Value = TypeVar("Value")


class Choices:
    """Reads an input from its beginning; after its end every choice is the first one."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        """Return the next bytes, zeros after the end."""
        found = self.data[self.at : self.at + size]
        self.at += size
        return found.ljust(size, b"\0")

    def below(self, bound: int) -> int:
        """Return one of 0..bound-1."""
        return int.from_bytes(self.take((max(1, bound - 1).bit_length() + 7) // 8), "big") % bound

    def between(self, least: int, most: int) -> int:
        """Return one of least..most."""
        return least + self.below(most - least + 1)

    def pick(self, values: Sequence[Value]) -> Value:
        """Return one of the values."""
        return values[self.below(len(values))]

    @property
    def ended(self) -> bool:
        """Whether every byte is used."""
        return self.at >= len(self.data)

    def rest(self) -> bytes:
        """Return all bytes that are not used yet."""
        found, self.at = self.data[self.at :], len(self.data)
        return found

    def text(self) -> str:
        """Return a text: its length, then its bytes."""
        return text(self.take(self.below(64)))


def text(data: bytes) -> str:
    """Return bytes as the arguments of a command line are read: what is not UTF-8 becomes a lone surrogate."""
    return data.decode("utf-8", "surrogateescape")
