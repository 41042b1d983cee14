"""The batched shuffle of a C++ library that lost its random numbers on the way."""

from collections.abc import Sequence
from random import Random

from fairdeck.shuffles import Known


def batched_zero(n: int, _rng: Random) -> Sequence[int]:
    """Fisher and Yates, in which every drawn index is 0: each place swaps with the first one.

    Two indices came from one product of 128 bits. A constructor set the half with the indices to zero after it had been
    computed. So the random words were drawn but never used, and every deck was the same. It was merged into Microsoft's
    C++ library in February 2026 for generators of 64 bits, with tests that it permutes; days later it was reverted,
    before a release as far as we know. What it did with a last single index is not known to us; here it is 0 as well.
    """
    deck = list(range(n))
    for place in range(1, n):
        deck[place], deck[0] = deck[0], deck[place]
    return deck


KNOWN = (
    Known(
        "batched-zero",
        batched_zero,
        says="draws two indices from one random word, but loses them: each is 0, and every deck is the same",
        source="Microsoft's C++ library, microsoft/STL issue 6112 and pull requests 5932, 6113 and 6119 (2026)",
    ),
)
