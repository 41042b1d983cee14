"""The decks of a function or a program in numbered parts, each made where it is counted.

One process of a user's code is one long stream of decks, which one machine makes. In parts, each part is made by a new
process with a stream of its own, a function of the seed and the number of the part. So any process of any machine can
make it, and a function that draws from the generator it is given makes the same decks everywhere.

What one long stream alone shows stays unseen: a period longer than a part, a fault that comes with the hours, or what
the last decks of one part have to do with the first ones of the next. And a function that starts with the same numbers
in each process, whatever the seed, makes the same decks in each part, and fails.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from fairdeck.bulk.shapes import card_type
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Block, Source
from fairdeck.lab.sources.function import FunctionSource
from fairdeck.lab.sources.program import ProgramSource
from fairdeck.lab.sources.simulated import UNCOUNTED
from fairdeck.lab.usercode.faults import shortened

NOTE = "made in parts, each by a new process with a random stream of its own"


@dataclass(frozen=True, slots=True)
class CodeParts:
    """How the parts of a function or a program are made."""

    make: type[FunctionSource] | type[ProgramSource]  # opens the source of a part
    what: str  # the function or the command
    cards: int  # the cards of a deck
    seed: int  # of all parts
    options: dict[str, Any]  # the others of `make`
    path: str = ""  # of the file that holds the function, absolute; empty if there is none
    sha256: str = ""  # of that file: all machines must have the same one there

    @classmethod
    def of(
        cls, make: type[FunctionSource] | type[ProgramSource], what: str, cards: int, seed: int, **options: Any
    ) -> Self:
        """Return how this machine makes the parts.

        Raises:
            FairdeckError: the file of the function cannot be read.
        """
        file = what.rpartition(":")[0]
        if make is ProgramSource or not file.endswith(".py"):
            return cls(make, what, cards, seed, options)
        return cls(make, what, cards, seed, options, str(Path(file).resolve()), _sha256(file))

    @property
    def name(self) -> str:
        """The name in reports."""
        return shortened(self.what)

    @property
    def labels(self) -> Sequence[str]:
        """The names of the cards, as far as they are known before the first deck."""
        return completion.labels() if (completion := self.options.get("completion")) else ()

    def numbered(self) -> Self:
        """Return the same, after a look at decks that no run counts: do their numbers begin with 0, or with 1?"""
        first = None
        with suppress(FairdeckError), self.source(UNCOUNTED) as source:  # perhaps only the workers have what it takes
            next(source.blocks([1]), None)
            first = source.completion.first if source.completion else None
        return replace(self, options=self.options | {"completion": self.options["completion"].again(first=first)})

    def source(self, number: int) -> Source:
        """Return the source of a part.

        Raises:
            FairdeckError: this machine has another file.
        """
        if self.path and _sha256(self.path) != self.sha256:
            raise FairdeckError(f"{self.path} is not the file that the run began with: copy that one there")
        what = f"{self.path}:{self.what.rpartition(':')[2]}" if self.path else self.what
        options = dict(self.options)
        if completion := options.get("completion"):
            options["completion"] = completion.again(number)
        return self.make(what, self.cards, seed=self.seed, stream=number, **options)


def _sha256(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise FairdeckError(f"cannot read {path}: {error.strerror}; check the path") from None


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its blocks, which are made when they are asked for, in the process that asks."""

    made: CodeParts  # how
    number: int  # of the part, from 0
    sizes: Sequence[int]  # of its blocks
    turn: int  # the number of its first block in the run

    def __iter__(self) -> Iterator[Block]:
        """Yield the blocks; a faulty source yields the good decks as a short block, and then raises `Broken`."""
        with self.made.source(self.number) as source:
            source.name = f"{self.made.name}, part {self.number + 1:,}"
            for block in source.blocks(self.sizes):
                # Parts are streams of their own, so their decks have no number in a common one.
                yield replace(block, first=None, turn=self.turn + block.turn)


@dataclass
class Parts:
    """A source of decks in parts."""

    made: CodeParts
    notes: list[str] = field(default_factory=lambda: [NOTE])

    @property
    def name(self) -> str:
        """Its name in reports."""
        return self.made.name

    @property
    def cards(self) -> int:
        """The cards of a deck."""
        return self.made.cards

    @property
    def labels(self) -> Sequence[str]:
        """The names of the cards, as far as they are known before the first deck."""
        return self.made.labels

    def parts(self, portions: Iterable[Sequence[int]]) -> Iterator[Part]:
        """Yield a part for each list of sizes of blocks."""
        turn = 0
        for number, sizes in enumerate(portions):
            yield Part(self.made, number, sizes, turn)
            turn += len(sizes)

    def latest(self, decks: int, seconds: float) -> Block:
        """Return decks that no run counts, made here and now; none if only the workers have what it takes."""
        try:
            with self.made.source(UNCOUNTED) as source:
                return source.latest(decks, seconds)
        except FairdeckError:
            none = np.empty((0, self.cards), card_type(self.cards))
            return Block(none, none)

    def traced(self) -> Any:
        """Return what finds the lines of a function that draw; of a program none."""
        return getattr(self.made.source(UNCOUNTED), "traced", lambda: list)()

    def close(self) -> None:
        """Nothing is open."""
