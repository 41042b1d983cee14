"""Fisher and Yates with the additive generator of glibc, as old PHP and mawk used it."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from fairdeck.shuffles import Known

LONG, SHORT = 31, 3
DISCARDED = 310
SEED_BITS = 31


@dataclass(frozen=True, slots=True)
class Additive:
    """The ``random()`` of glibc: each number is the sum of those 3 and 31 before it, less its lowest bit.

    Source: the GNU C library, stdlib/random_r.c, TYPE_3; Knuth, TAOCP 2, section 3.2.2.
    """

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
        while True:
            deck = list(range(n))
            for place in range(n - 1, 0, -1):
                drawn = next(numbers) * (place + 1) >> 31
                deck[place], deck[drawn] = deck[drawn], deck[place]
            yield deck


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
)
