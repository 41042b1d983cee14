"""Thorp's shuffle: exact halves fall together in pairs, one card from each, and a coin says which falls first."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles.distances import cards
from fairdeck.shuffles.known import KernelRow, Known, Model

SOURCE = (
    "Thorp, J. Amer. Statist. Assoc. 68 (1973); Morris, Ann. Probab. 37 (2009): O(log^4 n) rounds mix; "
    "Morris, Combin. Probab. Comput. 22 (2013): O(log^3 n) for powers of two"
)


@dataclass(frozen=True, slots=True)
class Thorp(Model):
    """Interleave two halves pair by pair, from the bottom; in an odd deck the top card stays.

    Source: Thorp, "Nonrandom shuffling with applications to the game of Faro", J. Amer. Statist. Assoc. 68 (1973).
    """

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        half = n // 2
        deck: list[int] = []
        for card in range(half):
            pair = (card, card + half)
            deck += pair if rng.getrandbits(1) else pair[::-1]
        return [*deck, *range(2 * half, n)]

    def support(self, n: int, times: int = 1) -> int:
        """Return the number of sequences of coins, a bound on the number of orders."""
        return int(2 ** (cards(n) // 2 * times))

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("pairs")


KNOWN = (
    Known(
        "thorp",
        Thorp(),
        says="exact halves fall together in pairs: one shuffle has 2^26 orders of 52 cards, and leaves cards in pairs",
        source=SOURCE,
        by_hand=True,
    ),
)
