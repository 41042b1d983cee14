"""Dealing onto piles and taking them up: in turn it is a fixed move, at random an inverse riffle."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from random import Random

from fairdeck.shuffles import Family, Known, Parameter


@dataclass(frozen=True, slots=True)
class PilesInTurn:
    """Deal from the top onto piles in turn, then stack the piles.

    Attributes:
        piles: how many.
        random_pickup: take the piles up in random order and cut; else in turn, without a cut.
    """

    piles: int
    random_pickup: bool = False

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return the arrangement, one of at most n piles! of them."""
        piles = [range(n - 1 - first, -1, -self.piles) for first in range(min(self.piles, n))]
        if not self.random_pickup:
            return list(chain.from_iterable(piles))
        deck = list(chain.from_iterable(rng.sample(piles, len(piles))))
        place = rng.randrange(n)
        return deck[place:] + deck[:place]


@dataclass(frozen=True, slots=True)
class PilesAtRandom:
    """Deal each card from the top onto a random pile, then stack the piles.

    Up to turning the deck over, this is the inverse of a riffle of so many packets.

    Source: Bayer and Diaconis, "Trailing the dovetail shuffle to its lair", Ann. Appl. Probab. 2 (1992).
    """

    piles: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement that falls within each pile."""
        piles: list[list[int]] = [[] for _ in range(self.piles)]
        for card in range(n - 1, -1, -1):
            piles[rng.randrange(self.piles)].append(card)
        return list(chain.from_iterable(piles))


_POLICY = "Magic Tournament Rules 3.10: a pile deal alone is no randomization"

KNOWN = (
    Known(
        "pile-7",
        PilesInTurn(7),
        fair=False,
        says="dealt onto seven piles in turn and taken up in turn: always the same order",
        source=_POLICY,
        by_hand=True,
    ),
    Known(
        "pile-7-random",
        PilesInTurn(7, random_pickup=True),
        fair=False,
        says="dealt onto seven piles in turn, taken up in random order and cut: every seventh card still neighbours",
        source=_POLICY,
        by_hand=True,
    ),
    Known(
        "random-piles-10",
        PilesAtRandom(10),
        fair=False,
        says="each card dealt onto one of ten piles at random: within a pile the old order is only turned over",
        source="Bayer and Diaconis, Ann. Appl. Probab. 2 (1992): the inverse of a riffle of ten packets",
        by_hand=True,
    ),
)

_PILES = (Parameter("piles", "how many", int, 1, 10_000, 7),)

FAMILIES = (
    Family(
        "pile",
        _PILES,
        PilesInTurn,
        says="dealt onto piles in turn and taken up in turn: always the same order",
        source=_POLICY,
        example="pile(7)",
    ),
    Family(
        "pile-random",
        _PILES,
        partial(PilesInTurn, random_pickup=True),
        says="dealt onto piles in turn, taken up in random order and cut: few orders, and cards of a pile neighbours",
        source=_POLICY,
        example="pile-random(5)",
    ),
    Family(
        "random-piles",
        (Parameter("piles", "how many", int, 1, 1_000_000_000, 10),),
        PilesAtRandom,
        says="each card dealt onto a random one of so many piles: within a pile the old order is only turned over",
        source="Bayer and Diaconis, Ann. Appl. Probab. 2 (1992): the inverse of a riffle of so many packets",
        example="random-piles(10)",
    ),
)
