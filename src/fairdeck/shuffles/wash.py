"""The wash: cards spread on the table and stirred with both hands. A guess at what hands do, no law is known.

No exact law of a real wash is known to anybody; this is a picture of one, to be looked at and not
relied upon. Its numbers are this project's guesses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from random import Random

from fairdeck.shuffles import Family, Parameter

MOVES_A_SECOND = 6  # three of each hand
REACH = 0.2  # of a hand, as a share of the table
SWEEP = 0.3  # how far a hand pushes what it has gathered, at most


@dataclass(frozen=True, slots=True)
class Wash:
    """Cards as points on a square table; hands gather those near a random spot and push them on.

    The deck is spread in a row. A move picks a spot; the cards within reach of it come halfway towards
    it, and then go some way, each its own, in one random direction; no card leaves the table. At the end the cards
    are gathered from one side of the table to the other. After half a minute a card of 52 is still
    nearer to its old place than by chance, after two minutes hardly; the numbers were chosen so, for
    people say that a wash takes about a minute.
    Source: Diaconis and Pal, "Shuffling cards by spatial motion", arXiv 1708.08147 (2017), whose cards
    are gathered locally at random spots, spread towards a random direction, and read by their x.

    Attributes:
        seconds: how long.
    """

    seconds: float

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return the cards in the order in which they are gathered."""
        random = rng.random
        across = [(card + 0.5) / n for card in range(n)]
        along = [0.25 + random() / 2 for _ in range(n)]
        for _ in range(round(self.seconds * MOVES_A_SECOND)):
            x, y, towards = random(), random(), 2 * pi * random()
            right, up = cos(towards) * SWEEP, sin(towards) * SWEEP
            for card in range(n):
                if (across[card] - x) ** 2 + (along[card] - y) ** 2 < REACH**2:
                    far = random()
                    across[card] = min(1.0, max(0.0, (across[card] + x) / 2 + far * right))
                    along[card] = min(1.0, max(0.0, (along[card] + y) / 2 + far * up))
        # Cards at the very edge lie on one another: as they came.
        return sorted(range(n), key=across.__getitem__)


FAMILIES = (
    Family(
        "wash",
        (Parameter("seconds", "how long", float, 1, 3_600, 60),),
        Wash,
        says="cards stirred about on the table and gathered: a guess at what hands do, not a law that anybody knows",
        source="after Diaconis and Pal, arXiv 1708.08147 (2017); the numbers are this project's guesses",
        example="wash(30)",
    ),
)
