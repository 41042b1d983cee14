"""Fisher and Yates with additive generators: that of glibc, as C, old PHP and mawk use it, and that of .NET."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from fairdeck.shuffles import Known
from fairdeck.shuffles.fisher_yates import swapped

LONG, SHORT = 31, 3
DISCARDED = 310
SEED_BITS = 31
DOTNET_LONG, DOTNET_SHORT = 55, 34
DOTNET_MOST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Additive:
    """The ``random()`` of glibc: each number is the sum of those 3 and 31 before it, less its lowest bit.

    Source: the GNU C library, stdlib/random_r.c, TYPE_3; Knuth, TAOCP 2, section 3.2.2.
    """

    remainder: bool = False  # whether a draw is the remainder of a number, ``random() % k``; else the number is scaled

    def numbers(self, seed: int) -> Iterator[int]:
        """Yield the numbers of 31 bits after ``srandom(seed)``."""
        start = [seed or 1]
        while len(start) < LONG:
            start.append(start[-1] * 16_807 % (2**31 - 1))
        # The first three are added to themselves in glibc's ring; the sums below do the same.
        state = deque(start, maxlen=LONG)
        state.rotate(-SHORT)
        return islice(_sums(state), DISCARDED, None)

    def stream(self, n: int, rng: Random) -> Iterator[Sequence[int]]:
        """Yield arrangements that all follow from one seed of 31 bits."""
        numbers = self.numbers(rng.getrandbits(SEED_BITS))
        if self.remainder:
            return _fisher_yates(n, lambda options: next(numbers) % options)
        return _fisher_yates(n, lambda options: next(numbers) * options >> 31)


@dataclass(frozen=True, slots=True)
class Subtractive:
    """The ``System.Random`` of .NET with a seed: each number is the one 55 before it less the one 34 before it.

    Knuth's generator has 24 instead of 34; a slip in the tables of the program. Source: .NET runtime,
    System.Private.CoreLib, ``Random.CompatImpl.cs``; Knuth, TAOCP 2, section 3.6.
    """

    def numbers(self, seed: int) -> Iterator[int]:
        """Yield the numbers below 2^31 - 1 that ``new Random(seed).Next()`` returns."""
        table = [0] * (DOTNET_LONG + 1)
        table[DOTNET_LONG] = last = 161_803_398 - seed
        each = 1
        for step in range(1, DOTNET_LONG):
            at = 21 * step % DOTNET_LONG
            table[at] = each
            each, last = (last - each) % DOTNET_MOST, each
        for _ in range(4):
            for at in range(1, DOTNET_LONG + 1):
                table[at] = (table[at] - table[1 + (at + 30) % DOTNET_LONG]) % DOTNET_MOST
        state = deque(table[1:], maxlen=DOTNET_LONG)
        while True:
            state.append((state[0] - state[DOTNET_LONG - DOTNET_SHORT]) % DOTNET_MOST)
            yield state[-1]

    def stream(self, n: int, rng: Random) -> Iterator[Sequence[int]]:
        """Yield arrangements that all follow from one seed of 31 bits."""
        numbers = self.numbers(rng.getrandbits(SEED_BITS))
        # As .NET does: times 1 / (2^31 - 1), and times the options, in floats.
        return _fisher_yates(n, lambda options: int(next(numbers) * (1.0 / DOTNET_MOST) * options))


def _fisher_yates(n: int, draw: Callable[[int], int]) -> Iterator[Sequence[int]]:
    """Yield decks that are shuffled from the top down; ``draw(k)`` gives a number below k."""
    while True:
        yield swapped(n, lambda place: draw(place + 1))


def _sums(state: deque[int]) -> Iterator[int]:
    """Yield sums of the states 3 and 31 before, modulo 2^32, without their lowest bit."""
    while True:
        total = (state[0] + state[LONG - SHORT]) % 2**32
        state.append(total)
        yield total >> 1


KNOWN = (
    Known(
        "glibc-random",
        Additive(),
        says="glibc's random(), scaled: a number is the sum of those 3 and 31 before it, and places 31 apart tell",
        source="the GNU C library, random(); shuffle() of PHP before 7.1 (ext/standard/array.c), rand() of mawk",
    ),
    Known(
        "glibc-modulo",
        Additive(remainder=True),
        says="glibc's rand() % k: a number is the sum of those 3 and 31 before it, and so are remainders by 2, mostly",
        source="the GNU C library, rand(); shuffles of C programs",
    ),
    Known(
        "dotnet-random",
        Subtractive(),
        says=".NET's System.Random with a seed: a number is the difference of those 55 and 34 before it",
        source=".NET runtime, Random.CompatImpl.cs; Knuth, TAOCP 2, section 3.6, of which it has 34 for 24",
    ),
)
