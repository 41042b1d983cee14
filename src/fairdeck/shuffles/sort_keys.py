"""Give each card a random key and sort by it: fair only if no two keys are equal."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class SortKeys:
    """Sort by keys of `bits` bits; cards with equal keys keep their order.

    So it is the inverse of `bits` riffles at once and has their law.
    Source: Bayer and Diaconis, "Trailing the dovetail shuffle to its lair", Ann. Appl. Probab. 2 (1992).
    """

    bits: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        keys = [rng.getrandbits(self.bits) for _ in range(n)]
        return sorted(range(n), key=keys.__getitem__)


def _narrow(bits: int, says: str) -> Known:
    source = "Bayer and Diaconis, Ann. Appl. Probab. 2 (1992): the inverse of as many riffles"
    return Known(f"sort-keys-{bits}", SortKeys(bits), fair=False, says=says, source=source)


KNOWN = (
    _narrow(6, "sorts by random numbers below 64: many are equal, and equal numbers keep the old order"),
    _narrow(12, "sorts by random numbers below 4096: some are equal, and equal numbers keep the old order"),
    _narrow(16, "sorts by random numbers below 65536: equal numbers keep the old order, which millions of decks show"),
    Known(
        "sort-keys-128",
        SortKeys(128),
        fair=True,
        says="sorts by random numbers of 128 bits: fair but for ties, whose chance is below n^2/2^129",
        source="the column of random numbers in a spreadsheet, with numbers wide enough",
    ),
)
