"""The faro, or perfect riffle: exact halves, one card from each in turn; nothing about it is random."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class Faro:
    """Interleave the halves perfectly. Eight out-faros, or 52 in-faros, bring 52 cards back.

    Source: Diaconis, Graham and Kantor, "The mathematics of perfect shuffles", Adv. Appl. Math. 4 (1983).

    Attributes:
        inwards: the top card goes second (in-faro) instead of staying on top (out-faro).
    """

    inwards: bool = False

    def __call__(self, n: int, rng: Random) -> Sequence[int]:  # noqa: ARG002
        """Return the one arrangement there is."""
        top_down = list(range(n - 1, -1, -1))
        middle = n // 2 if self.inwards else (n + 1) // 2
        deck = [0] * n
        deck[self.inwards :: 2] = top_down[:middle]
        deck[not self.inwards :: 2] = top_down[middle:]
        return deck[::-1]


_PERFECT = "Diaconis, Graham and Kantor, Adv. Appl. Math. 4 (1983)"

KNOWN = (
    Known(
        "faro-out",
        Faro(),
        fair=False,
        says="a perfect riffle that keeps the top card: always the same order, and eight bring 52 cards back",
        source=_PERFECT,
        by_hand=True,
    ),
    Known(
        "faro-in",
        Faro(inwards=True),
        fair=False,
        says="a perfect riffle that puts the top card second: always the same order, and 52 bring 52 cards back",
        source=_PERFECT,
        by_hand=True,
    ),
)
