"""The riffle: cut the deck about in half and let the halves fall together."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.permutation import inverse
from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class Riffle:
    """The riffle of Gilbert, Shannon and Reeds, with any number of packets.

    Described backwards: give each place a random label, then let the first packet fill the places
    labelled 0 in order, the next those labelled 1, and so on.
    Source: Bayer and Diaconis, "Trailing the dovetail shuffle to its lair", Ann. Appl. Probab. 2 (1992).
    """

    packets: int = 2

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement with at most `packets` rising sequences."""
        if self.packets == 2:
            return _two_packets(n, rng.getrandbits(n) if n else 0)
        labels = [rng.randrange(self.packets) for _ in range(n)]
        return inverse(sorted(range(n), key=labels.__getitem__))


def _two_packets(n: int, labels: int) -> Sequence[int]:
    """Return the same for two packets, a bit of `labels` for each place; five times as fast."""
    cut = n - labels.bit_count()
    packets = (iter(range(cut)), iter(range(cut, n)))
    return [next(packets[labels >> place & 1]) for place in range(n)]


KNOWN = (
    Known(
        "riffle",
        Riffle(),
        fair=False,
        says="leaves the old order in few rising sequences: at most two after one riffle, four after two",
        source="Bayer and Diaconis, Ann. Appl. Probab. 2 (1992)",
        by_hand=True,
    ),
)
