"""The faro, or perfect riffle: exact halves, one card from each in turn; nothing about it is random."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles.distances import cards
from fairdeck.shuffles.known import Known, Model

SOURCE = "Diaconis, Graham and Kantor, Adv. Appl. Math. 4 (1983)"
MOST_CARDS = 1_000_000


@dataclass(frozen=True, slots=True)
class Faro(Model):
    """Interleave the halves perfectly. Eight out-faros, or 52 in-faros, bring 52 cards back.

    Source: Diaconis, Graham and Kantor, "The mathematics of perfect shuffles", Adv. Appl. Math. 4 (1983).
    """

    inwards: bool = False  # the top card goes second (in-faro) instead of staying on top (out-faro)

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        top_down = list(range(n - 1, -1, -1))
        middle = n // 2 if self.inwards else (n + 1) // 2
        deck = [0] * n
        deck[self.inwards :: 2] = top_down[:middle]
        deck[not self.inwards :: 2] = top_down[middle:]
        return deck[::-1]

    @property
    def deterministic(self) -> bool:
        return True

    def period(self, n: int) -> int:
        """Return how many in a row bring `n` cards back, 1 to 1,000,000 cards.

        Counted from the top, from 0, an out-faro of an even deck sends place i to 2i modulo n - 1, an in-faro to
        2i + 1 modulo n + 1. An odd deck has one card more in the upper packet (out-faro) or in the lower one
        (in-faro); both double modulo n.

        >>> Faro().period(52), Faro(inwards=True).period(52)
        (8, 52)
        """
        modulus = cards(n, MOST_CARDS) if n % 2 else n + 1 if self.inwards else n - 1
        times, at = 1, 2 % modulus
        while at != 1 % modulus:
            times, at = times + 1, at * 2 % modulus
        return times


KNOWN = (
    Known(
        "faro-out",
        Faro(),
        says="a perfect riffle that keeps the top card: always the same order, and eight bring 52 cards back",
        source=SOURCE,
        by_hand=True,
    ),
    Known(
        "faro-in",
        Faro(inwards=True),
        says="a perfect riffle that puts the top card second: always the same order, and 52 bring 52 cards back",
        source=SOURCE,
        by_hand=True,
    ),
)
