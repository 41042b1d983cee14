"""Dealing onto piles and taking them up: in turn it is a fixed move, at random an inverse riffle.

One pass that deals each card onto one of m random piles, up to turning the deck over, undoes a riffle of m packets; so
k passes are as far from uniform as one riffle of m^k packets.
Source: Bayer and Diaconis, "Trailing the dovetail shuffle to its lair", Ann. Appl. Probab. 2 (1992).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from math import prod
from random import Random

from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.shuffles.distances import MOST_RIFFLES, Distance, cards
from fairdeck.shuffles.known import Family, KernelRow, Known, Model, Parameter
from fairdeck.shuffles.riffle import MOST_PACKETS, a_shuffle

MOST_PILES = 1_000_000_000
POLICY = "Magic Tournament Rules 3.10: a pile deal alone is no randomization"
INVERSE = "Bayer and Diaconis, Ann. Appl. Probab. 2 (1992): the inverse of a riffle"


@dataclass(frozen=True, slots=True)
class PilesInTurn(Model):
    """Deal from the top onto piles in turn, then stack the piles."""

    piles: int  # how many
    random_pickup: bool = False  # take the piles up in random order and cut; else in turn, without a cut

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        piles = [range(n - 1 - first, -1, -self.piles) for first in range(min(self.piles, n))]
        if not self.random_pickup:
            return list(chain.from_iterable(piles))
        deck = list(chain.from_iterable(rng.sample(piles, len(piles))))
        place = rng.randrange(n)
        return deck[place:] + deck[:place]

    @property
    def deterministic(self) -> bool:
        return not self.random_pickup

    def kernel_row(self, n: int) -> KernelRow | None:
        return KernelRow("gather", self.piles) if self.random_pickup else None


@dataclass(frozen=True, slots=True)
class PilesAtRandom(Model):
    """Deal each card from the top onto a random pile, then stack the piles."""

    piles: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        piles: list[list[int]] = [[] for _ in range(self.piles)]
        for card in range(n - 1, -1, -1):
            piles[rng.randrange(self.piles)].append(card)
        return list(chain.from_iterable(piles))

    @classmethod
    def law(cls, in_turn: Sequence["PilesAtRandom"], n: int) -> Distance:
        """Return the law of the riffle that undoes them."""
        return random_piles(n, *(each.piles for each in in_turn))

    def support(self, n: int, times: int = 1) -> int:
        """Count the ways to deal each card onto one of the piles."""
        return int(whole("piles", self.piles, 1, MOST_PILES) ** (cards(n) * times))

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("piles", self.piles)


def random_piles(n: int, *piles: int) -> Distance:
    """Return the distances of `n` cards from uniform after passes that deal each card onto a random pile.

    Args:
        n: cards, 1 to 1,000.
        piles: how many piles each pass has, each 1 or more.

    >>> round(float(random_piles(52, 7, 7).total_variation), 3)
    0.742
    """
    cards(n)
    if not 1 <= len(piles) <= MOST_RIFFLES:
        raise FairdeckError(f"{len(piles)} passes of piles; give the piles of 1 to {MOST_RIFFLES}")
    packets = prod([whole("piles", count, 1, MOST_PILES) for count in piles])
    if packets > MOST_PACKETS:
        raise FairdeckError(
            f"{len(piles)} passes are a riffle of more than 2^{MOST_RIFFLES} packets; ask for fewer passes"
        )
    return a_shuffle(n, packets)


KNOWN = (
    Known(
        "pile-7",
        PilesInTurn(7),
        says="dealt onto seven piles in turn and taken up in turn: always the same order",
        source=POLICY,
        by_hand=True,
    ),
    Known(
        "pile-7-random",
        PilesInTurn(7, random_pickup=True),
        says="dealt onto seven piles in turn, taken up in random order and cut: every seventh card stays a neighbour",
        source=POLICY,
        by_hand=True,
    ),
    Known(
        "random-piles-10",
        PilesAtRandom(10),
        says="each card dealt onto one of ten piles at random: within a pile the old order is only turned over",
        source=f"{INVERSE} of ten packets",
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
        source=POLICY,
        example="pile(7)",
    ),
    Family(
        "pile-random",
        _PILES,
        partial(PilesInTurn, random_pickup=True),
        says="dealt onto piles in turn, taken up in random order and cut: few orders, and cards of a pile stay close",
        source=POLICY,
        example="pile-random(5)",
    ),
    Family(
        "random-piles",
        (Parameter("piles", "how many", int, 1, MOST_PILES, 10),),
        PilesAtRandom,
        says="each card dealt onto a random pile: within a pile the old order is only turned over",
        source=f"{INVERSE} of as many packets",
        example="random-piles(10)",
    ),
)
