"""The riffle: cut the deck about in half and let the halves fall together."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.permutation import inverse
from fairdeck.shuffles import Family, Known, Parameter


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


@dataclass(frozen=True, slots=True)
class BiasedRiffle:
    """The riffle of Gilbert, Shannon and Reeds with an uneven cut: the lower packet gets a share `cut` on average.

    The packets drop in proportion to what is left of them, as in the even riffle; described backwards,
    each place gets the label of the lower packet with probability `cut`. `cut` and ``1 - cut`` are each
    other turned over, so equally far from fair.
    Source: Lalley, "On the rate of mixing for p-shuffles", Ann. Appl. Probab. 10 (2000); Sellke, "Cutoff
    for the asymmetric riffle shuffle", Ann. Probab. 50 (2022).
    """

    cut: float

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement with at most two rising sequences."""
        random, cut = rng.random, self.cut
        labels = 0
        for _ in range(n):
            labels = labels << 1 | (random() >= cut)
        return _two_packets(n, labels)


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

FAMILIES = (
    Family(
        "a-shuffle",
        (Parameter("packets", "how many", int, 1, 1_000_000_000, needed=True),),
        Riffle,
        says="a riffle of that many packets at once: as many rising sequences at most; a, then b packets are one of ab",
        source="Bayer and Diaconis, Ann. Appl. Probab. 2 (1992)",
        example="a-shuffle(49)",
    ),
)
