"""What made these decks? After a failure: causes as families with a fitted number, held to decks not used for fitting.

A test says that decks are not fair, and often sees only a consequence of the fault. A cause says which line to repair:
"as if seeded with 15 bits", "about five riffles", "as after 54 swaps".

Each file here finds causes of one family and says its `RANK`; `search` finds the files by itself. Its function
``looks(sample)`` yields what decks show by themselves: that they were foretold, that they are equal; what comes near
many a fault is in ``last(sample)``, which is asked later. Its function ``fit`` takes the first half of the decks and
yields causes with their numbers and makers of such decks; it is asked about the decks as they are and in the other
`ways` to read them. A family is `SYMMETRIC` if decks of the family that are turned over, or have cards and places
exchanged, are of the family again: then that is not asked. If only some of these ways give decks of the family,
`SYMMETRIC` is the set of their words.

What can be made enters one *contest*: it has to fit the later half of the decks, and the likeliest wins. A cause is
*certain* if decks show it by themselves; or if no rival, fair decks among them, is within a factor of e^`CLOSE`, and
decks that are made by it show all that these decks show, in every statistic. Few decks tell likelihoods of what is
made slowly only roughly: then it has no rival at all.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from math import inf
from time import thread_time
from typing import Any, Self

import numpy as np

from fairdeck.lab.blocks import Decks
from fairdeck.lab.judging.tally import Battery, Tally
from fairdeck.lab.judging.verdict import Weighed
from fairdeck.lab.sources.simulated import AnyBlock

REFUSED = 0.001  # smaller p-values refuse a cause
SECONDS = 2.0  # of the processor, for the whole search
COMPARED = 1_000  # decks, by NumPy: of more, all statistics ask for kernels, which take half of a search to load
CLOSE = 7.0  # nats: of two causes, one is sure if the other is e^7 = 1,100 times less likely

# The ranks, what a reader should hear first: that the next deck is known, then what each is, then what it resembles.
KNOWN_IN_ADVANCE, SEEDED, NOT_SHUFFLED, GENERATED, DRAWN, MIXED, RESEMBLES = range(7)

Maker = Callable[[int, np.random.Generator], Decks]  # (decks, generator) -> so many decks of the size under test


@dataclass(frozen=True, slots=True)
class Cause:
    """What could have made the decks."""

    words: str  # what each deck is like, as a whole sentence without its full stop
    seen: str = ""  # how it was checked, in words
    repair: str = ""  # what to do, if that is known; else empty
    rank: int = RESEMBLES  # that of the file that found it, one of the constants above
    # whether it was seen to happen or nothing contradicts it, and no other known cause explains the decks
    certain: bool = True
    settles: bool = field(default=False, repr=False, compare=False)  # whether nothing is odd beside what it explains
    family: str = ""  # causes of one family are one law with other numbers; if none is given, the file that found it
    numbers: dict[str, tuple[float, float, float]] = field(default_factory=dict)  # name: (fit, least, most)
    runner_up: str = ""  # the cause that explains the decks next best, in words; empty if no other fits
    way: str = field(default="", repr=False, compare=False)  # the words that say how decks are read, if any
    make: Maker | None = field(default=None, repr=False, compare=False)  # None: the decks show it by themselves
    # tells whether decks follow the law that all decks counted follow, where it is known exactly
    law: Callable[[Decks], bool] | None = field(default=None, repr=False, compare=False)
    slow: bool = field(default=False, repr=False, compare=False)  # whether a deck takes longer to make than to weigh

    def decks(self, size: int, rng: np.random.Generator) -> Decks:
        """Return decks that are made so; decks that show the cause by themselves are not made again."""
        if self.make is None:
            raise TypeError(self.words)
        return self.make(size, rng)

    def fields(self) -> dict[str, Any]:
        """Return what a report keeps of it."""
        kept = asdict(replace(self, make=None, law=None))
        return {name: value for name, value in kept.items() if name not in ("make", "law", "slow", "way", "settles")}


@dataclass(eq=False)
class Deadline:
    """When a search ends, and whether anything was left out for want of time."""

    at: float = inf  # seconds of this thread; those of a matrix library may be idle, and still take a processor
    missed: bool = False

    def over(self, more: float = 0.0) -> bool:
        """Tell whether the time is over, or will be in less than `more` seconds: what takes them is left out."""
        over = thread_time() + more > self.at
        self.missed = self.missed or over
        return over

    def half(self) -> Self:
        """Return a deadline after half of the time that is left."""
        return replace(self, at=(thread_time() + self.at) / 2)


@dataclass(frozen=True, eq=False)
class Sample:
    """Decks of a shuffle that failed, in the order of the stream, and everything that was counted."""

    block: AnyBlock  # the decks, which may be made only when they are asked for
    battery: Battery  # the statistics that were asked
    tally: Tally  # what they counted, of these decks and of others
    weighed: tuple[Weighed, ...] = ()  # all p-values of the tally, if they are known
    deadline: Deadline = field(default_factory=Deadline)  # of the search

    @property
    def decks(self) -> Decks:
        """All decks; shape ``(N, n)``."""
        return self.block.decks

    @property
    def cards(self) -> int:
        """The cards of a deck."""
        return self.battery.cards

    @cached_property
    def first(self) -> Decks:
        """The half of the decks on which a cause is chosen."""
        return self.decks[: len(self.decks) // 2]

    @cached_property
    def later(self) -> Decks:
        """The half on which it has to hold."""
        return self.decks[len(self.decks) // 2 :]
