"""Shuffles that are fair but sometimes leave their work undone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known
from fairdeck.shuffles.fisher_yates import swapped


@dataclass(frozen=True, slots=True)
class SkipsSwaps:
    """Fisher and Yates that skips one swap in `one_in`: slightly too many cards stay where they were."""

    one_in: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        return swapped(n, lambda place: rng.randrange(place + 1) if rng.randrange(self.one_in) else place)


@dataclass(frozen=True, slots=True)
class Forgets:
    """One deck in `one_in` is handed out as it came from the box."""

    one_in: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        return rng.sample(range(n), n) if rng.randrange(self.one_in) else range(n)


@dataclass(frozen=True, slots=True)
class Repeats:
    """One deck in `one_in` repeats the deck before."""

    one_in: int

    def stream(self, n: int, rng: Random) -> Iterator[Sequence[int]]:
        """Yield arrangements, each fair by itself."""
        deck = tuple(rng.sample(range(n), n))
        while True:
            yield deck
            if rng.randrange(self.one_in):
                deck = tuple(rng.sample(range(n), n))


KNOWN = (
    Known(
        "lazy",
        SkipsSwaps(100),
        says="skips one swap in a hundred: slightly too many cards stay where they were",
        source="a lost update, or a glitch in a shuffling machine",
    ),
    Known(
        "forgets",
        Forgets(100),
        says="hands out one deck in a hundred as it came from the box",
        source="an error that a program swallows, or a deck put back unshuffled",
    ),
    Known(
        "repeats",
        Repeats(50),
        says="one deck in fifty repeats the deck before; each deck by itself looks fair",
        source="a cached answer, or a race between two players' requests",
    ),
)
