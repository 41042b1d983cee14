"""Packets taken off the top, one onto the other: overhand, Hindu, strip. No law is known.

A casino's dealers strip the deck between riffles; many houses call that boxing it. `strip` and ``strip(13)`` part it at
each gap by chance, ``box(4, 6)`` into so many packets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from random import Random
from typing import ClassVar

from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.shuffles.distances import cards
from fairdeck.shuffles.known import Family, KernelRow, Known, Model, Parameter

SOURCE = "Pemantle, J. Theoret. Probab. 2 (1989); Jonasson, Ann. Appl. Probab. 16 (2006)"
UNMEASURED = "packets off the top"


@dataclass(frozen=True, slots=True)
class Overhand(Model):
    """Strip packets off the top, one onto the other: the packets turn their order over, each stays whole.

    Each gap between two cards parts two packets with probability 1 in `packet`, so that is about how
    many cards a packet has. Mixing takes of the order of n^2 ln n.
    Source: Pemantle, "Randomization time for the overhand shuffle", J. Theoret. Probab. 2 (1989).
    """

    packet: float
    guess: ClassVar[str] = UNMEASURED

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        random, packet = rng.random, self.packet
        return turned(n, [gap for gap in range(n - 1, 0, -1) if random() * packet < 1])

    def support(self, n: int, times: int = 1) -> int:
        """Count the ways to part a deck into packets.

        >>> Overhand(5).support(52) == 2**51
        True
        """
        return int(2 ** ((cards(n) - 1) * times))

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("overhand", p=1 / Fraction(self.packet))


@dataclass(frozen=True, slots=True)
class Box(Model):
    """A box or strip shuffle of few packets: their order is turned over, each stays whole.

    Each number of packets from `fewest` to `most` is equally likely, and so is each way to cut the deck into them.
    Dealers box a deck in four to six packets, the Hindu shuffle takes four to eight.
    Source: as for `Overhand`; that the numbers are equally likely is this project's model.
    """

    fewest: int  # packets, at least; no more than there are cards
    most: int  # packets, at most
    guess: ClassVar[str] = UNMEASURED

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        fewest, most = min(self.fewest, n), min(self.most, n)
        packets = fewest + rng.randrange(most - fewest + 1)
        gaps, left = [], packets - 1
        for gap in range(n - 1, 0, -1):  # selection sampling, so that every draw can be counted
            if left and rng.randrange(gap) < left:
                gaps.append(gap)
                left -= 1
        return turned(n, gaps)

    def support(self, n: int, times: int = 1) -> int:
        """Count the ways to part a deck into at most `most` packets.

        >>> Box(1, 9).support(52).bit_length()
        30
        """
        most = min(whole("packets", self.most, 1), cards(n))
        return int(sum([comb(n - 1, gaps) for gaps in range(most)]) ** times)

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("box", min(self.fewest, n), min(self.most, n))


def turned(n: int, gaps: Sequence[int]) -> Sequence[int]:
    """Return a deck whose packets, parted at these gaps, the highest first, lie in turned order, each as it was.

    >>> turned(5, [3, 2])
    [3, 4, 2, 0, 1]
    """
    deck: list[int] = []
    end = n
    for gap in [*gaps, 0]:
        deck += range(gap, end)
        end = gap
    return deck


STRIP = Known(
    "strip",
    Overhand(13),
    says="a dealer's strip, about five packets of 52 cards: within a packet the order stays",
    source=SOURCE,
    by_hand=True,
)

KNOWN = (
    STRIP,
    Known(
        "overhand",
        Overhand(5),
        says="packets of about five cards, one onto the other: within a packet the order stays",
        source=SOURCE,
        by_hand=True,
    ),
    Known(
        "hindu",
        Overhand(10),
        says="the Hindu shuffle, about six packets of 52 cards pulled off the top: within a packet the order stays",
        source=SOURCE,
        by_hand=True,
    ),
)


def overhand(packet: float | None, p: float | None) -> Overhand:
    """Return the model for packets of `packet` cards on average, or gaps that part with probability `p`."""
    if packet is not None and p is not None:
        raise FairdeckError("packet and p mean the same (p is 1 / packet): leave one out")
    if p is not None:
        return Overhand(1 / p)
    return Overhand(5 if packet is None else packet)


def box(fewest: int, most: int) -> Box:
    """Return the model."""
    if fewest > most:
        raise FairdeckError(
            f"the fewest packets, {fewest}, are more than the most, {most}: write the fewest first, as in box(4, 6)"
        )
    return Box(fewest, most)


def _packet(default: float | None) -> Parameter:
    return Parameter("packet", "cards of a packet on average", float, 1, 10_000, default)


FAMILIES = (
    Family(
        "overhand",
        (_packet(None), Parameter("p", "chance that a gap parts two packets", float, 0.0001, 1, named=True)),
        overhand,
        says="packets of about five cards (adjustable), one onto the other: within a packet the order stays",
        source=SOURCE,
        example="overhand(4)",
    ),
    Family(
        "hindu",
        (_packet(10),),
        Overhand,
        says="the Hindu shuffle: packets of about ten cards (adjustable) pulled off the top, each in its old order",
        source=SOURCE,
        example="hindu(8)",
    ),
    Family(
        "strip",
        (_packet(13),),
        Overhand,
        says="a dealer's strip: packets of about 13 cards (adjustable), one onto the other, each in its old order",
        source=SOURCE,
        example="strip(10)",
    ),
    Family(
        "box",
        (
            Parameter("fewest", "packets at least", int, 1, 10_000, 4),
            Parameter("most", "packets at most", int, 1, 10_000, 6),
        ),
        box,
        says="a deck cut into four to six packets (adjustable), put down in reverse order",
        source="dealing procedures of casinos; the Hindu shuffle takes 4 to 8",
        example="box(4, 8)",
    ),
)
