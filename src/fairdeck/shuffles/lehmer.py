"""Lehmer's code from dice of 16 bits: how the lab's kernels shuffle, and what comes of rejecting nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known

BITS = 16
WORDS = 1 << BITS


@dataclass(frozen=True, slots=True)
class Lehmer:
    """Lehmer's code from dice that are the high half of a word times their sides.

    Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).

    Attributes:
        rejecting: whether words are rejected that would make some numbers likelier than others.
    """

    rejecting: bool

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement: each die says which of the cards that are left comes next."""
        left = list(range(n))
        return [left.pop(self._die(sides, rng)) for sides in range(n, 0, -1)]

    def _die(self, sides: int, rng: Random) -> int:
        while True:
            word: int = rng.getrandbits(BITS)
            number, rest = divmod(word * sides, WORDS)
            if not self.rejecting or rest >= WORDS % sides:
                return number


KNOWN = (
    Known(
        "lehmer-16",
        Lehmer(rejecting=True),
        fair=True,
        says="dice from words of 16 bits, the words that would favour a number drawn again",
        source="Lemire, ACM TOMACS 29 (2019); made by the lab's kernels, some tens of millions of decks a second",
        kernel="fair",
    ),
    Known(
        "lehmer-16-scaled",
        Lehmer(rejecting=False),
        fair=False,
        says="dice from words of 16 bits, none rejected: some numbers come once more in 65,536 draws",
        source="multiply and shift, the usual short cut; made by the lab's kernels",
        kernel="scaled",
    ),
)
