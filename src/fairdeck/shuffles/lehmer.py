"""Lehmer's code from random words of 16 bits: how the lab's kernels shuffle, with rejection and without."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known

BITS = 16
WORDS = 1 << BITS


@dataclass(frozen=True, slots=True)
class Lehmer:
    """Lehmer's code from bounded integers: the high half of a word times the bound.

    Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
    """

    rejecting: bool  # whether to reject the words that would make some numbers likelier than others

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        left = list(range(n))
        return [left.pop(self._below(bound, rng)) for bound in range(n, 0, -1)]

    def _below(self, bound: int, rng: Random) -> int:
        while True:
            word: int = rng.getrandbits(BITS)
            number, rest = divmod(word * bound, WORDS)
            if not self.rejecting or rest >= WORDS % bound:
                return number


KNOWN = (
    Known(
        "lehmer-16",
        Lehmer(rejecting=True),
        fair=True,
        says="integers from words of 16 bits; words that would favour a number are drawn again",
        source="Lemire, ACM TOMACS 29 (2019); made by the lab's kernels, some tens of millions of decks a second",
        kernel="fair",
    ),
    Known(
        "lehmer-16-scaled",
        Lehmer(rejecting=False),
        says="integers from words of 16 bits, none rejected: some numbers come once more in 65,536 draws",
        source="multiply and shift, the usual shortcut; made by the lab's kernels",
        kernel="scaled",
    ),
)
