"""A generator seeded anew for each deck: there are only as many decks as seeds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known
from fairdeck.shuffles.fisher_yates import swapped

DECKS_A_SECOND = 4
MILLISECONDS_A_DAY = 86_400_000


@dataclass(frozen=True, slots=True)
class FreshSeed:
    """A fair shuffle from a generator with one of `seeds` seeds; a deck repeats after about 1.2 sqrt(seeds).

    The seeds are drawn evenly, which is better than a clock.
    """

    seeds: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        return Random(rng.randrange(self.seeds)).sample(range(n), n)


def unseeded(n: int, _rng: Random) -> Sequence[int]:
    """A generator that nobody seeds, in a program that starts again for each deck: always the same deck."""
    return Random(1).sample(range(n), n)


@dataclass(frozen=True, slots=True)
class TimeSeed:
    """Seeded with the current second; decks are dealt faster than the clock ticks."""

    def stream(self, n: int, rng: Random) -> Iterator[Sequence[int]]:
        """Yield arrangements, several equal ones for each second."""
        second = rng.getrandbits(31)
        while True:
            deck = tuple(Random(second).sample(range(n), n))
            for _ in range(DECKS_A_SECOND):
                yield deck
            second += 1


def planet_poker(n: int, rng: Random) -> Sequence[int]:
    """The shuffle that a poker site published: seeded by the milliseconds since midnight, and swapped naively.

    The place to swap with is also drawn below n-1, so the top card can never stay on top.
    Source: Arkin, Hill, Marks, Schmid and Walls, "How we learned to cheat at online poker" (1999).
    """
    generator = Random(rng.randrange(MILLISECONDS_A_DAY))
    return swapped(n, lambda _place: generator.randrange(n - 1), range(n))


_CHEATED = "Arkin, Hill, Marks, Schmid and Walls, How we learned to cheat at online poker (1999)"


def _fresh(bits: int, says: str) -> Known:
    return Known(f"seed-{bits}", FreshSeed(2**bits), fair=False, says=says, source=_CHEATED)


KNOWN = (
    _fresh(15, "a new seed of 15 bits for each deck: only 32,768 decks, and one repeats among about 200"),
    _fresh(24, "a new seed of 24 bits for each deck: one repeats among about 5,000"),
    _fresh(32, "a new seed of 32 bits for each deck: one repeats among about 80,000; 52 cards need 226 bits"),
    Known(
        "unseeded",
        unseeded,
        says="a generator that nobody seeds, in a program started for each deck: always the same deck",
        source="C's rand() without srand(), Go's math/rand before 1.20, BASIC's RND without RANDOMIZE",
    ),
    Known(
        "seed-time",
        TimeSeed(),
        says="seeded with the clock's second, four decks a second: each deck comes four times in a row",
        source="srand(time(NULL)) before each deck; GLI-19 forbids a seed from the time alone",
    ),
    Known(
        "planet-poker",
        planet_poker,
        says="naive swaps that never leave the top card, as a poker site published; the site had only 86,400,000 seeds",
        source=_CHEATED,
        least=2,
    ),
)
