"""The numbered deals of FreeCell: 32,000 orders of the 10^68 that 52 cards have."""

from collections.abc import Sequence
from random import Random

from fairdeck.shuffles.known import Known
from fairdeck.shuffles.old_generators import Congruential

GAMES = 32_000
RAND = Congruential(214_013, 2_531_011, dropped=16)


def freecell(n: int, rng: Random) -> Sequence[int]:
    """Deal a random game between 1 and 32,000: its number is the seed of Microsoft C's ``rand()``.

    The card drawn is dealt at once, so it is the next from the top, and the last card takes its place.
    """
    numbers = RAND.numbers(1 + rng.randrange(GAMES))
    left = list(range(n))
    dealt = []
    while left:
        drawn = next(numbers) % len(left)
        left[drawn], left[-1] = left[-1], left[drawn]
        dealt.append(left.pop())
    return dealt[::-1]


KNOWN = (
    Known(
        "freecell",
        freecell,
        says="Microsoft FreeCell: a numbered game of 32,000, so after about 220 deals one comes again",
        source="Horne's FreeCell for Windows; Rosetta Code, Deal cards for FreeCell",
    ),
)
