"""A shuffle of the npm registry that makes a new generator, with 32 bits of seed, for each deck."""

from collections.abc import Iterator, Sequence
from random import Random

from fairdeck.shuffles import Known

MULTIPLIER = 6_364_136_223_846_793_005
INCREMENT = 2 * 12_345 + 1


def fast_shuffle(n: int, rng: Random) -> Sequence[int]:
    """Draw each card from the remaining ones with PCG32, whose seed is ``Math.random() * 2 ** 32 | 0``."""
    numbers = pcg32(rng.getrandbits(32) - 2**31)  # in JavaScript | makes signed numbers
    left = list(range(n))
    deck = []
    while left:
        bound = len(left)
        least = 2**32 % bound  # smaller numbers are rejected, so that the rest divides evenly
        drawn = next(number for number in numbers if number >= least) % bound
        deck.append(left[drawn])
        left[drawn] = left[-1]
        left.pop()
    return deck


def pcg32(seed: int) -> Iterator[int]:
    """Yield the numbers of PCG-XSH-RR with 64 bits of state. Source: O'Neill, PCG (2014), section 6.3."""
    state = (INCREMENT + seed) * MULTIPLIER + INCREMENT
    while True:
        state %= 2**64
        mixed, turn = (state >> 18 ^ state) >> 27 & 0xFFFFFFFF, state >> 59
        yield (mixed >> turn | mixed << 32 - turn) & 0xFFFFFFFF
        state = state * MULTIPLIER + INCREMENT


KNOWN = (
    Known(
        "fast-shuffle",
        fast_shuffle,
        says="a fair shuffle whose generator gets 32 bits of seed for each deck: one deck repeats among about 80,000",
        source="npm fast-shuffle 6, src/index.ts: shuffle() passes a seed of 32 bits",
    ),
)
