"""Blocks of decks, in the order in which they were made, and `Source`, which gives them; `sources/` has its kinds.

Row `t` of a block is a deck, an arrangement with the bottom at index 0 (see `fairdeck.permutation`);
written decks are read bottom first. A source checks every deck: only permutations reach a statistic.
"""

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, repeat
from math import lgamma, log
from time import monotonic
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Values, card_type
from fairdeck.errors import FairdeckError

Decks: TypeAlias = NDArray[Any]  # (B, n), of `Cards`: row t is a deck

LEAD = 32
RECENT, RECENT_CARDS = 4_096, 2**19  # decks that a source keeps, to look for a cause, and cards of all of them
FEWEST, FEW_CARDS = 128, 2**23  # decks for that, of so many cards at most: in fewer decks, many causes look alike
SKIPPED = 4_096  # decks read at once that nobody counts
FIRST_NEW = 8  # of the new decks


@dataclass(frozen=True)
class Block:
    """Successive decks of one stream."""

    decks: Decks  # shape ``(B, n)``
    # shape ``(L, n)``, ``L <= LEAD``: the decks just before these in the stream, so that no pair of successive decks is
    # lost between blocks. Empty for the first block.
    lead: Decks
    first: int | None = None  # how many decks of the stream came before these; None where that is not known
    turn: int = 0  # the number of the block in its run, from 0
    shown: Values | None = (
        None  # shape ``(B,)``: how many cards of each deck were seen; None if that is the same for all
    )

    @property
    def size(self) -> int:
        """How many decks there are."""
        return len(self.decks)


class Broken(FairdeckError):
    """The shuffle under test failed: it stopped, hung, or gave something that is not a deck.

    Attributes:
        decks: the number of good decks before.
        counted: their tally, where they were counted far from the rest; else None.
    """

    def __init__(self, message: str, decks: int, counted: Any = None) -> None:
        super().__init__(message)
        self.decks = decks
        self.counted = counted

    def __reduce__(self) -> tuple[type["Broken"], tuple[str, int, Any]]:
        """Return how another process builds it: an exception has only its message by itself."""
        return type(self), (str(self), self.decks, self.counted)


ALL_DECKS = "each line must be a deck of the same cards: remove all other lines"


def unread(message: str, decks: int, remedy: str, *, of_file: bool = False) -> FairdeckError:
    """Return the error for something that was read, after so many good decks, and is not a deck.

    After good decks of a program it is a fault of the shuffle. Before the first good deck, and in a file, it may not be
    meant as a deck: it may be a log line, a header, or a deck of another size; the remedy says how to write decks.
    """
    if decks and not of_file:
        return Broken(message, decks)
    return FairdeckError(f"{message}; {ALL_DECKS if decks else remedy}")


def surely_decks(decks: int, cards: int) -> bool:
    """Say whether so many lines of `cards` numbers are decks on purpose: by chance less than once in a million files.

    >>> surely_decks(1, 52), surely_decks(9, 3), surely_decks(10, 3)
    (True, False, True)
    """
    return decks * (lgamma(cards + 1) - cards * log(cards)) < log(1e-6)


def enough(cards: int, asked: int = RECENT) -> int:
    """Return how many decks, `asked` at most, are enough to look for a cause; fewer of large decks.

    >>> enough(52), enough(1_000), enough(52, asked=16_384), enough(10_000), enough(1_000_000)
    (4096, 524, 16384, 128, 8)
    """
    return max(min(FEWEST, FEW_CARDS // cards), min(asked, asked * RECENT_CARDS // RECENT // cards))


class Source:
    """Where decks come from: one generator of good decks in batches of any size.

    A subclass defines `batches`, which yields arrays ``(any, n)`` and may raise `Broken`.

    Attributes:
        name: its name in reports.
        cards: the cards of a deck.
        completion: how decks of which a part is seen are completed; None if whole decks come.
    """

    completion: Any = None  # a `fairdeck.lab.sources.observed.Completion`, which stands above this room

    def __init__(self, name: str, cards: int) -> None:
        self.name = name
        self.cards = cards
        self.given = 0  # good decks that left `batches`
        self._noted: dict[str, str] = {}
        self._held: Decks = np.empty((0, cards), card_type(cards))
        self._lead = self._held
        self._recent = deque([self._held])  # parts of the stream, the latest last
        self._kept, self._most_kept = 0, enough(cards)  # decks in them
        self._turn = 0  # of the next block
        self._broken: Broken | None = None
        self._coming = self._counted()

    @property
    def labels(self) -> Sequence[str]:
        """The names of the cards, in the order of the start deck; empty if the cards are numbers."""
        return self.completion.labels() if self.completion else ()

    @property
    def scheme(self) -> str:
        """What is seen of each deck; empty if that is all of it."""
        return str(self.completion.scheme) if self.completion else ""

    @property
    def notes(self) -> list[str]:
        """What a reader of the report should know, so far."""
        return [*self._noted.values(), *([self.completion.note] if self.completion and self.completion.note else [])]

    def note(self, about: str, text: str) -> None:
        """Add a note to the report; it replaces an earlier note `about` the same."""
        self._noted[about] = text

    def batches(self) -> Iterator[Decks]:
        """Yield the good decks in batches."""
        raise NotImplementedError

    def blocks(self, sizes: Iterable[int], number: int | None = None) -> Iterator[Block]:
        """Yield a block for each size, in order; a second call continues where the first stopped.

        The first block has this `number`, if it is given; the others count on.

        A source that ends early yields the rest as a short block, and stops. A faulty one yields the good decks as a
        short block, and then raises `Broken`.
        """
        self._turn = self._turn if number is None else number
        for size in sizes:
            decks = self._take(size)
            if len(decks) or not size:
                lead, self._lead = self._lead, np.concatenate([self._lead, decks[-LEAD:]])[-LEAD:]
                self._keep(decks)
                shown = self.completion.shown(len(decks)) if self.completion else None
                yield Block(decks, lead, self.given - len(self._held) - len(decks), self._turn, shown)
                self._turn += 1
            if len(decks) < size:
                if self._broken is not None:
                    raise self._broken
                return

    def skip(self, decks: int) -> None:
        """Pass over decks that were counted before, or raise a FairdeckError; those before the next one stay known."""
        sizes = chain(repeat(SKIPPED, decks // SKIPPED), [decks % SKIPPED])
        there = sum(block.size for block in self.blocks(sizes))
        if there < decks:
            raise FairdeckError(f"{self.name} has {there:,} decks, and {decks:,} were counted before: restore the file")

    def latest(self, decks: int, seconds: float) -> "Block":
        """Return up to `decks` of the latest decks, after making new ones for about so many seconds."""
        began, made, new = monotonic(), 0, FIRST_NEW
        self._most_kept = max(decks, self._most_kept)
        with suppress(Broken):
            # Twice as many each time: a source may have a few decks ready, which tell nothing of its pace.
            while made < decks and 3 * (monotonic() - began) < seconds:
                for _ in self.blocks([new]):
                    pass
                made, new = made + new, 2 * new
        recent = np.concatenate(self._recent)
        return Block(recent[-decks:], recent[:0])

    def close(self) -> None:
        """End all processes and close all files."""
        self._coming.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _counted(self) -> Generator[Decks, None, None]:
        for batch in self.batches():
            self.given += len(batch)
            yield batch

    def _keep(self, decks: Decks) -> None:
        self._recent.append(decks)
        self._kept += len(decks)
        while self._kept - len(self._recent[0]) >= self._most_kept:
            self._kept -= len(self._recent.popleft())

    def _take(self, size: int) -> Decks:
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
