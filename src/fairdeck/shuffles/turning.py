"""Shuffles that turn cards end for end, for cards that may lie reversed; and how far order and reversals are from fair.

Both are judged together: in a fair deck all n! 2^n outcomes are equally likely. Two moves toss a coin for each card:

* `TurningRiffle`, to be done **last**: given the coins, the order before the riffle and the one after it determine each
  other. So all is exactly as far from fair as the order was before, in each measure. After k riffles the chance of an
  outcome is ``C(2^k + n - 1 - d, n) / 2^(n(k + 1))``: d counts the cards that are turned, while the card once above is
  not, or that lie above it, while both lie alike.
* `TurnedPile`, to be done **first**: given the coins, the order is fixed, so all is as far from fair as the order that
  what follows makes.

In the other place what is turned is a block of the order before or after it: with a fair shuffle on the other side, one
of only n + 1 sets of 2^n, and `block_turned` is the law. Source: this project's count, checked against all outcomes of
up to four cards. In riffles with a flipped part (Bergeron) that part's order is reversed as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from random import Random
from typing import ClassVar

from fairdeck.shuffles.distances import Distance, compared
from fairdeck.shuffles.known import KernelRow, Known, Model, Shuffle
from fairdeck.shuffles.riffle import two_packets

SOURCE = "this project's count of orders with reversals"
MISPLACED = "A riffle that turns one part belongs at the end, a turned pile at the beginning."


@dataclass(frozen=True, slots=True)
class Faces:
    """A shuffle of both faces of each card: c is card c as it lay, c + n the same card turned, at place p or p + n."""

    shuffle: Shuffle

    def __call__(self, faces: int, rng: Random) -> list[int]:
        n = faces // 2
        if isinstance(self.shuffle, Turning):
            order, turned = self.shuffle.signed(n, rng.getrandbits(n))
        else:
            order, turned = self.shuffle(n, rng), [0] * n
        return [card + n * (turn ^ below) for below in (0, 1) for card, turn in zip(order, turned, strict=True)]


class Turning(Model):
    """A shuffle that also turns cards. Called, it returns the order alone, as of any shuffle."""

    __slots__ = ()
    goes_last: ClassVar[bool]  # whether its place is after all shuffles; else before them

    def signed(self, n: int, coins: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return the arrangement, and for each place 1 if the card that now lies there was turned, else 0.

        `coins` has a random bit for each card.
        """
        raise NotImplementedError

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        return self.signed(n, rng.getrandbits(n) if n else 0)[0]


@dataclass(frozen=True, slots=True)
class TurningRiffle(Turning):
    """Cut the deck about in half, turn the upper part end for end, and let the parts fall together."""

    goes_last: ClassVar[bool] = True

    def signed(self, n: int, coins: int) -> tuple[Sequence[int], Sequence[int]]:
        return two_packets(n, coins), [coins >> place & 1 for place in range(n)]

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("riffle", 2)


@dataclass(frozen=True, slots=True)
class TurnedPile(Turning):
    """Deal each card from the top onto one of two piles, as a coin says; turn one pile and put it on the other."""

    goes_last: ClassVar[bool] = False

    def signed(self, n: int, coins: int) -> tuple[Sequence[int], Sequence[int]]:
        lower, upper = ([card for card in range(n - 1, -1, -1) if coins >> card & 1 == pile] for pile in (0, 1))
        return lower + upper, [0] * len(lower) + [1] * len(upper)

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("piles", 2)


def block_turned(n: int) -> Distance:
    """Return how far order and reversals are from fair if a fair order has the upper cards of another order turned."""
    blocks = [(comb(n, turned), 1) for turned in range(n + 1)]
    return compared([*blocks, (0, 2**n - n - 1)] if n > 1 else blocks, 2**n, f"n + 1 sets of 2^n: {SOURCE}")


KNOWN = (
    Known(
        "turn",
        TurningRiffle(),
        says="a riffle with one part turned end for end: useful last; first, only n + 1 of 2^n sets can be turned",
        source=SOURCE,
        by_hand=True,
    ),
    Known(
        "turned-pile",
        TurnedPile(),
        says="coins deal the cards onto two piles, and one pile is turned end for end: useful first, not last",
        source=SOURCE,
        by_hand=True,
    ),
)
