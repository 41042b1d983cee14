"""What made these decks? After a failure: known causes, compared with the decks themselves.

A test says that decks are not fair, and often sees only a consequence of the fault. A cause says which line to repair:
"as if seeded with 15 bits", "about five riffles", "as the naive swap does".

Each file here that defines ``looks(sample)`` looks for causes of one kind, and says their `RANK`; `causes_of` finds the
files by itself. A cause is chosen on the first half of the decks and has to hold on the second half, which was not used
for choosing. What does not hold is not said, and no cause at all is an answer too.

A cause is *certain* if its file says that it is: because it was seen to happen, or because decks that are made by it
show all that these decks show, in every statistic, those over several decks included. Of two causes that explain the
decks as well, neither is certain.
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from pkgutil import iter_modules
from time import process_time
from typing import Any

from fairdeck.lab.blocks import FEWEST, Decks
from fairdeck.lab.judging.tally import Battery, Tally
from fairdeck.lab.sources.simulated import AnyBlock

REFUSED = 0.001  # smaller p-values refuse a cause

# The ranks, what a reader should hear first: that the next deck is known, then what each is, then what it resembles.
KNOWN_IN_ADVANCE, SEEDED, NOT_SHUFFLED, DRAWN, MIXED, RESEMBLES = range(6)


@dataclass(frozen=True, slots=True)
class Cause:
    """What could have made the decks."""

    words: str  # what each deck is like, as a whole sentence without its full stop
    seen: str = ""  # how it was checked, in words
    repair: str = ""  # what to do, if that is known; else empty
    rank: int = RESEMBLES  # that of the file that found it, one of the constants above
    # whether it was seen to happen or nothing contradicts it, and no other known cause explains the decks
    certain: bool = True


@dataclass(frozen=True, eq=False)
class Sample:
    """Decks of a shuffle that failed, in the order of the stream, and everything that was counted."""

    block: AnyBlock  # the decks, which may be made only when they are asked for
    battery: Battery  # the statistics that were asked
    tally: Tally  # what they counted, of these decks and of others

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


def causes_of(sample: Sample, seconds: float = 2.0) -> tuple[Cause, ...]:
    """Return the known causes that explain a sample, the plainest first; empty if none does.

    After so many `seconds` of processor time, which other work on the machine does not change, no more files are asked.
    A file that says that it is for `FEW` decks is asked about fewer than `FEWEST`, too.
    """
    if sample.block.size < 2:  # one deck is told by no cause more than by another
        return ()
    causes: list[Cause] = []
    until = process_time() + seconds
    for module in sorted(_modules(), key=lambda module: int(module.RANK)):
        if any(cause.certain for cause in causes) or process_time() >= until:
            break  # a comparison with other shuffles, which takes seconds, tells no more
        if sample.block.size >= FEWEST or getattr(module, "FEW", False):
            causes += (replace(cause, rank=module.RANK) for cause in module.looks(sample))
    return tuple(replace(cause, certain=cause.certain and len(causes) == 1) for cause in causes)


@cache
def _modules() -> list[Any]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return [module for module in modules if hasattr(module, "looks")]
