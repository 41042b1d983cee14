"""The wash: cards spread on the table and stirred with both hands.

Nobody knows an exact law of a real wash. This model is a guess at what hands do: look at it, do not rely on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from random import Random
from typing import ClassVar

from fairdeck.shuffles.known import Family, KernelRow, Model, Parameter

MOVES_A_SECOND = 6  # three of each hand
REACH = 0.2  # of a hand, as a share of the table
SWEEP = 0.3  # how far a hand pushes what it has gathered, at most


@dataclass(frozen=True, slots=True)
class Wash(Model):
    """Cards as points on a square table; hands gather those near a random spot and push them on.

    The deck is spread in a row. A move picks a spot; the cards within reach of it come halfway towards it, and then
    each goes its own part of one way in one random direction. A card that would leave the table is reflected: cards
    that stopped at the edge would gather there, and lie on one another in their old order. At the end the cards are
    gathered from one side of the table to the other. Of cards equally far along, the nearer one comes first: the old
    order decides nothing, so the longer the wash, the nearer the deck to uniform.
    Source: Diaconis and Pal, "Shuffling cards by spatial motion", Stoch. Proc. Appl. 152 (2022), whose cards are
    gathered locally at random spots, spread towards a random direction, kept on the table, and read by their x. Their
    order mixes in a time that grows as the logarithm of the number of cards; their limit is reflected at the edges too.
    """

    seconds: float  # how long

    guess: ClassVar[str] = "a wash"

    @property
    def moves(self) -> int:
        """How often a hand moves."""
        return round(self.seconds * MOVES_A_SECOND)

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        random = rng.random
        across = [(card + 0.5) / n for card in range(n)]
        along = [0.25 + random() / 2 for _ in range(n)]
        for _ in range(self.moves):
            x, y, towards = random(), random(), 2 * pi * random()
            right, up = cos(towards) * SWEEP, sin(towards) * SWEEP
            for card in range(n):
                if (across[card] - x) ** 2 + (along[card] - y) ** 2 < REACH**2:
                    far = random()
                    across[card] = reflected((across[card] + x) / 2 + far * right)
                    along[card] = reflected((along[card] + y) / 2 + far * up)
        return sorted(range(n), key=lambda card: (across[card], along[card]))

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("wash", self.moves)


def reflected(place: float) -> float:
    """Return the place of a card that was pushed at most one table beyond an edge.

    >>> reflected(0.5), reflected(-0.25), reflected(1.25)
    (0.5, 0.25, 0.75)
    """
    return 1 - abs(1 - abs(place))


FAMILIES = (
    Family(
        "wash",
        (Parameter("seconds", "how long", float, 1, 3_600, 60),),
        Wash,
        says="cards stirred on the table and gathered: a rough model of hands; no law is known",
        source="after Diaconis and Pal, Stoch. Proc. Appl. 152 (2022); the numbers are this project's guesses",
        example="wash(30)",
    ),
)
