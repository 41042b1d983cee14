"""Monge's shuffle: card by card into the other hand, in turn onto and under the cards there; nothing is random."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles.distances import cards
from fairdeck.shuffles.known import Known, Model

SOURCE = "Monge 1773; Diaconis, Graham and Kantor, Adv. Appl. Math. 4 (1983), section 5"
MOST_CARDS = 1_000_000


@dataclass(frozen=True, slots=True)
class Monge(Model):
    """Take the cards from the top, one by one: the second onto the first, the third under it, the fourth onto it.

    Source: Diaconis, Graham and Kantor, "The mathematics of perfect shuffles", Adv. Appl. Math. 4 (1983).
    """

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        made = deque[int]()  # bottom first
        for turn, card in enumerate(range(n - 1, -1, -1)):
            (made.append if turn % 2 else made.appendleft)(card)
        return list(made)

    @property
    def deterministic(self) -> bool:
        return True

    def period(self, n: int) -> int:
        """Return how many in a row bring `n` cards back: the least k with 2^k = 1 or -1 modulo 2n + 1, if n is even.

        An odd deck keeps one card at the bottom; the others move as an even deck does, one card smaller.

        >>> Monge().period(52), Monge().period(10), Monge().period(3)
        (12, 6, 2)
        """
        modulus = 2 * (cards(n, MOST_CARDS) // 2 * 2) + 1
        times, power = 1, 2 % modulus
        while power not in (1 % modulus, modulus - 1):
            times, power = times + 1, power * 2 % modulus
        return times


KNOWN = (
    Known(
        "monge",
        Monge(),
        says="cards in turn onto and under a packet: always the same order, and 12 bring 52 cards back",
        source=SOURCE,
        by_hand=True,
    ),
)
