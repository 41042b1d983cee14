"""What every source gives: blocks of decks, in the order they were made.

Row `t` of a block is a deck, an arrangement with the base at index 0 (see `fairdeck.permutation`);
written decks are read base first. A source sees to it that every deck is one: what is no
permutation never reaches a statistic.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairdeck.errors import FairdeckError

Decks: TypeAlias = NDArray[np.int16]  # (B, n): row t is a deck

LEAD = 8


@dataclass(frozen=True)
class Block:
    """Successive decks of one stream.

    Attributes:
        decks: shape ``(B, n)``.
        lead: shape ``(L, n)``, ``L <= LEAD``: the decks just before them in the stream, so that no
            pair of successive decks is lost between blocks. Empty for the first block.
        first: how many decks of the stream came before these; None if that is not known.
    """

    decks: Decks
    lead: Decks
    first: int | None = None

    @property
    def size(self) -> int:
        """How many decks there are."""
        return len(self.decks)


class Broken(FairdeckError):
    """What is under test failed: it stopped, hung, or gave something that is no deck.

    Attributes:
        decks: the good decks that came before.
    """

    def __init__(self, message: str, decks: int) -> None:
        super().__init__(message)
        self.decks = decks


def unread(message: str, decks: int, remedy: str) -> FairdeckError:
    """Return the error for what was read and is no deck.

    After good decks it is a fault of what is under test. Before the first one nothing says that it was meant to
    be a deck: it may be a log line, a header, or of another number of cards.

    Args:
        message: what is wrong.
        decks: the good decks that came before.
        remedy: how decks are to be written.
    """
    return Broken(message, decks) if decks else FairdeckError(f"{message}; {remedy}")


class Source(Protocol):
    """Where decks come from."""

    @property
    def name(self) -> str:
        """What a report calls it."""
        ...

    @property
    def cards(self) -> int:
        """The cards of a deck."""
        ...

    @property
    def labels(self) -> Sequence[str]:
        """What the cards are called, in the order of the start deck; empty if by their numbers."""
        ...

    @property
    def notes(self) -> list[str]:
        """What a reader of the report should know, as far as it is known by now."""
        ...

    def blocks(self, sizes: Iterable[int]) -> Iterator[Block]:
        """Yield a block for each size, in order; asked again, it goes on where it stopped.

        A stream that ends early yields what it has as a short block, and stops. A faulty one yields
        what was good as a short block, and then raises `Broken`.
        """
        ...

    def close(self) -> None:
        """Let go of everything: no process and no file stays behind. Also at the end of a ``with``."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Stream:
    """A source that is written as one generator of good decks in batches of any size.

    Whoever inherits writes `batches`, which yields arrays ``(any, n)`` and may raise `Broken`.
    """

    def __init__(self, name: str, cards: int) -> None:
        self.name = name
        self.cards = cards
        self.given = 0  # good decks that left `batches`
        self._noted: dict[str, str] = {}
        self._held: Decks = np.empty((0, cards), np.int16)
        self._lead = self._held
        self._broken: Broken | None = None
        self._coming = self._counted()

    @property
    def labels(self) -> Sequence[str]:
        """What the cards are called, in the order of the start deck; empty if by their numbers."""
        return ()

    @property
    def notes(self) -> list[str]:
        """What a reader of the report should know, as far as it is known by now."""
        return list(self._noted.values())

    def note(self, about: str, text: str) -> None:
        """Say something for the report; it replaces what was said `about` the same."""
        self._noted[about] = text

    def batches(self) -> Iterator[Decks]:
        """Yield the good decks in batches."""
        raise NotImplementedError

    def blocks(self, sizes: Iterable[int]) -> Iterator[Block]:
        """Yield a block for each size; see `Source`."""
        for size in sizes:
            decks = self._take(size)
            if len(decks) or not size:
                lead, self._lead = self._lead, np.concatenate([self._lead, decks[-LEAD:]])[-LEAD:]
                yield Block(decks, lead, self.given - len(self._held) - len(decks))
            if len(decks) < size:
                if self._broken is not None:
                    raise self._broken
                return

    def close(self) -> None:
        """Let go of everything."""
        self._coming.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _counted(self) -> Generator[Decks, None, None]:
        for batch in self.batches():
            self.given += len(batch)
            yield batch

    def _take(self, size: int) -> Decks:
        """Return the next `size` decks, or all that are left."""
        parts, have = [self._held], len(self._held)
        while have < size and self._broken is None:
            try:
                batch = next(self._coming, None)
            except Broken as broken:
                self._broken = broken
                break
            if batch is None:
                break
            parts.append(batch)
            have += len(batch)
        decks = parts[0] if len(parts) == 1 else np.concatenate(parts)
        self._held = decks[size:]
        return decks[:size]
