"""Decks of a registered shuffle, in numbered blocks, each from a random stream of its own."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from fairdeck.bulk import available
from fairdeck.bulk.shapes import BYTES_UP_TO, COLUMNS_UP_TO, SHORTS_UP_TO, WORTH, card_type
from fairdeck.lab.blocks import Block, Decks
from fairdeck.shuffles import find

if TYPE_CHECKING:
    from fairdeck.bulk.batch import Batch


UNCOUNTED = 2**40  # the number of a block beyond all runs


@dataclass(frozen=True)
class NumberedBlock:
    """A block that is made where it is needed; only its number is sent there.

    Its decks depend on the shuffle, the seed, the number and the size, never on the process that makes them.
    """

    shuffle: str
    cards: int
    seed: int
    number: int
    size: int
    carried: bool = False

    @cached_property
    def decks(self) -> Decks:
        """The decks; shape ``(size, cards)``."""
        if self.batch is not None:
            return self.batch.rows
        known = find(self.shuffle)
        known = replace(known, carried=known.carried or self.carried)
        if (rows := _large_by_hand(self, carried=known.carried)) is not None:
            return rows
        stream = known.decks(self.cards, Random(f"{self.seed}/{self.number}"))
        return np.array(list(islice(stream, self.size)), dtype=card_type(self.cards)).reshape(self.size, self.cards)

    @cached_property
    def batch(self) -> "Batch | None":
        """The decks side by side, if a kernel makes them; small blocks are made without one and differ."""
        if self.size < WORTH or self.cards > BYTES_UP_TO or not available():
            return None
        known = find(self.shuffle)
        carried = known.carried or self.carried
        if not known.kernel:
            return _by_hand(self, carried=carried)
        if carried or self.cards > COLUMNS_UP_TO:
            return None
        from fairdeck.bulk.batch import made  # takes a while: numba

        return made(self.cards, self.seed, self.number, self.size, fair=known.kernel == "fair")

    @property
    def lead(self) -> Decks:
        """Empty: no deck comes before the first of a block."""
        return np.empty((0, self.cards), dtype=card_type(self.cards))

    @property
    def first(self) -> None:
        """Every block is a stream of its own, so its decks have no number in a common one."""

    @property
    def turn(self) -> int:
        """The number of the block in its run."""
        return self.number


AnyBlock: TypeAlias = Block | NumberedBlock


def _by_hand(block: NumberedBlock, *, carried: bool) -> "Batch | None":
    """Return the decks, if every step of the shuffle has a kernel."""
    from fairdeck.bulk import hand_shuffles  # takes a while: numba

    steps = hand_shuffles.program(block.shuffle, block.cards)
    if steps is None:
        return None
    return hand_shuffles.made(steps, block.cards, block.seed, block.number, block.size, carried=carried)


def _large_by_hand(block: NumberedBlock, *, carried: bool) -> Decks | None:
    """Return decks of more than 128 cards, if every step of the shuffle has a kernel for them."""
    few = block.size * block.cards < WORTH * BYTES_UP_TO
    if few or not BYTES_UP_TO < block.cards <= SHORTS_UP_TO or not available() or find(block.shuffle).kernel:
        return None
    from fairdeck.bulk import hand_shuffles  # takes a while: numba

    return hand_shuffles.made_large(block.shuffle, block.cards, block.seed, block.number, block.size, carried=carried)


@dataclass
class Simulated:
    """A source of decks of a registered shuffle."""

    name: str  # its name, as `fairdeck.shuffles.find` knows it
    cards: int  # the cards of a deck
    seed: int  # of all its random streams
    carried: bool = False  # whether each deck starts from the one before it in its block, not from the sorted deck
    labels: Sequence[str] = ()
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        # A wrong name, or too few cards, is an error here and not in a worker.
        next(find(self.name).decks(self.cards, Random(0)))

    def blocks(self, sizes: Iterable[int], number: int = 0) -> Iterator[NumberedBlock]:
        """Yield a block for each of the sizes; the first one has this `number`."""
        for at, size in enumerate(sizes, number):
            yield NumberedBlock(self.name, self.cards, self.seed, at, size, self.carried)

    def latest(self, decks: int, _seconds: float) -> NumberedBlock:
        """Return decks that no run counts, made when they are asked for."""
        return NumberedBlock(self.name, self.cards, self.seed, UNCOUNTED, decks, self.carried)

    def close(self) -> None:
        """Nothing is open."""
