"""What hands do with packets: cut, overhand, Hindu, strip, mash, and riffles as they really are."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.errors import FairdeckError
from fairdeck.shuffles import Family, Known, Parameter, Shuffle, recipe_of
from fairdeck.shuffles.riffle import BiasedRiffle, Riffle


@dataclass(frozen=True, slots=True)
class Cut:
    """Lift any number of cards off and put the rest on them: n ways, and the ring of cards stays as it is."""

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return one of the n rotations, each equally likely."""
        place = rng.randrange(n)
        return [*range(place, n), *range(place)]


@dataclass(frozen=True, slots=True)
class Overhand:
    """Strip packets off the top, one onto the other: the packets turn their order over, each stays whole.

    Each gap between two cards parts two packets with probability 1 in `packet`, so that is about how
    many cards a packet has. Mixing takes of the order of n^2 ln n.
    Source: Pemantle, "Randomization time for the overhand shuffle", J. Theoret. Probab. 2 (1989).
    """

    packet: float

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement of whole packets."""
        random, packet = rng.random, self.packet
        deck: list[int] = []
        end = n
        for gap in [gap for gap in range(n - 1, 0, -1) if random() * packet < 1]:
            deck += range(gap, end)
            end = gap
        deck += range(end)
        return deck


@dataclass(frozen=True, slots=True)
class HandRiffle:
    """A riffle as hands do it: the side that drops the next card changes with probability `switch`.

    With 1/2 that is about the riffle of Gilbert, Shannon and Reeds; dealers are neater, beginners
    clumsier. Source: Epstein, The Theory of Gambling and Statistical Logic, on shuffling; Diaconis,
    Group Representations in Probability and Statistics (1988), chapter 4D.

    Attributes:
        switch: the chance that after a card the other packet drops next.
        cut: the share of the deck in the lower packet, on average.
    """

    switch: float
    cut: float = 0.5

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement with at most two rising sequences."""
        random, switch, cut = rng.random, self.switch, self.cut
        middle = sum([random() < cut for _ in range(n)])
        packets = [list(range(middle - 1, -1, -1)), list(range(n - 1, middle - 1, -1))]  # pop takes the lowest
        side = rng.getrandbits(1)
        deck = []
        for _ in range(n):
            if not packets[side]:
                side = 1 - side
            deck.append(packets[side].pop())
            if random() < switch:
                side = 1 - side
        return deck


@dataclass(frozen=True, slots=True)
class Box:
    """A box or strip shuffle of few packets: their order is turned over, each stays whole.

    How many packets, `fewest` to `most`, is equally likely, and so is each way to cut the deck into them.
    Dealers box a deck in four to six packets, the Hindu shuffle takes four to eight.
    Source: as for `Overhand`; that the number is even is this project's model.

    Attributes:
        fewest: packets, at least; no more than there are cards.
        most: packets, at most.
    """

    fewest: int
    most: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement of whole packets."""
        fewest, most = min(self.fewest, n), min(self.most, n)
        packets = fewest + rng.randrange(most - fewest + 1)
        gaps, left = [], packets - 1
        for gap in range(n - 1, 0, -1):  # selection sampling, so that every draw can be counted
            if left and rng.randrange(gap) < left:
                gaps.append(gap)
                left -= 1
        deck: list[int] = []
        end = n
        for gap in [*gaps, 0]:
            deck += range(gap, end)
            end = gap
        return deck


_EPSTEIN = "Epstein, The Theory of Gambling and Statistical Logic: single cards in 80 % of an expert's drops"
_OVERHAND = "Pemantle, J. Theoret. Probab. 2 (1989); Jonasson, Electron. Comm. Probab. 11 (2006)"
_CUT = Known(
    "cut",
    Cut(),
    fair=False,
    says="one cut: every card but one still lies on the card it lay on",
    source="Bayer and Diaconis, Ann. Appl. Probab. 2 (1992)",
    by_hand=True,
)
_STRIP = Known(
    "strip",
    Overhand(13),
    fair=False,
    says="a dealer's strip, about five packets of 52 cards: within a packet all stays as it was",
    source=_OVERHAND,
    by_hand=True,
)
_NEAT = Known(
    "riffle-neat",
    HandRiffle(switch=0.8),
    fair=False,
    says="a dealer's riffle, mostly card by card: too regular, and at most two rising sequences",
    source=_EPSTEIN,
    by_hand=True,
)

KNOWN = (
    _CUT,
    Known(
        "cut-carried",
        Cut(),
        fair=False,
        says="each deck is only a cut of the one before: any place can hold any card, yet the order never changes",
        source="a table where the deck is cut but not shuffled between rounds",
        carried=True,
        by_hand=True,
    ),
    Known(
        "overhand",
        Overhand(5),
        fair=False,
        says="packets of about five cards, one onto the other: within a packet all stays as it was",
        source=_OVERHAND,
        by_hand=True,
    ),
    Known(
        "hindu",
        Overhand(10),
        fair=False,
        says="the Hindu shuffle, about six packets of 52 cards pulled off the top: within a packet all stays as it was",
        source=_OVERHAND,
        by_hand=True,
    ),
    _STRIP,
    _NEAT,
    Known(
        "riffle-clumpy",
        HandRiffle(switch=1 / 3),
        fair=False,
        says="a beginner's riffle, three cards at a time: clumps of the old order stay together",
        source="Sellke, Ann. Probab. 50 (2022), treats uneven riffles; the clumps are this project's model",
        by_hand=True,
    ),
    Known(
        "mash",
        HandRiffle(switch=1 / 4, cut=1 / 3),
        fair=False,
        says="a third of the deck pushed into the rest, four cards at a time: at most two rising sequences",
        source="players of card games with sleeved cards; the numbers are this project's model",
        by_hand=True,
    ),
    Known(
        "casino",
        recipe_of([(_NEAT, 2), (_STRIP, 1), (_NEAT, 1), (_CUT, 1)]),
        fair=False,
        says="riffle, riffle, strip, riffle, cut, as casinos do: most of the old order can still be seen",
        source="the usual dealing procedure of casinos for one deck",
        by_hand=True,
    ),
)


def riffle(cut: float | None, switch: float | None) -> Shuffle:
    """Return the model that needs no more than was told: cards drop by the size of the packets, or by habit."""
    share = 0.5 if cut is None else cut
    if switch is not None:
        return HandRiffle(switch, share)
    return Riffle() if share == 0.5 else BiasedRiffle(share)


def overhand(packet: float | None, p: float | None) -> Overhand:
    """Return the model for packets of so many cards, or gaps that part with probability `p`.

    Raises:
        FairdeckError: both were told.
    """
    if packet is not None and p is not None:
        raise FairdeckError("packet and p say the same (p is 1 / packet): leave one out")
    if p is not None:
        return Overhand(1 / p)
    return Overhand(5 if packet is None else packet)


def box(fewest: int, most: int) -> Box:
    """Return the model.

    Raises:
        FairdeckError: there are fewer packets at most than at least.
    """
    if fewest > most:
        raise FairdeckError(
            f"{fewest} packets at least and {most} at most cannot be: write fewest first, as in box(4, 6)"
        )
    return Box(fewest, most)


def _packet(default: float | None) -> Parameter:
    return Parameter("packet", "cards of a packet on average", float, 1, 10_000, default)


_SHARE = "share of the deck in the lower packet"
_SWITCH = "chance that after a card the other packet drops next"

FAMILIES = (
    Family(
        "riffle",
        (
            Parameter("cut", _SHARE, float, 0.001, 0.999, 0.5, named=True),
            Parameter("switch", _SWITCH, float, 0.001, 1, named=True),
        ),
        riffle,
        says="a riffle cut unevenly, or one that drops single cards (switch near 1) or clumps (near 0)",
        source="Lalley, Ann. Appl. Probab. 10 (2000); Sellke, Ann. Probab. 50 (2022); switch: Epstein",
        example="riffle(cut=0.6)",
    ),
    Family(
        "mash",
        (
            Parameter("cut", _SHARE, float, 0.001, 0.999, 1 / 3, named=True),
            Parameter("switch", _SWITCH, float, 0.001, 1, 1 / 4, named=True),
        ),
        riffle,
        says="one packet pushed into the rest, in blocks of cards: at most two rising sequences",
        source="players of card games with sleeved cards; the numbers are this project's model",
        example="mash(switch=0.5)",
    ),
    Family(
        "overhand",
        (_packet(None), Parameter("p", "chance that a gap parts two packets", float, 0.0001, 1, named=True)),
        overhand,
        says="packets of about so many cards (5), one onto the other: within a packet all stays as it was",
        source=_OVERHAND,
        example="overhand(4)",
    ),
    Family(
        "hindu",
        (_packet(10),),
        Overhand,
        says="the Hindu shuffle: packets of about so many cards pulled off the top, each stays as it was",
        source=_OVERHAND,
        example="hindu(8)",
    ),
    Family(
        "strip",
        (_packet(13),),
        Overhand,
        says="a dealer's strip: packets of about so many cards, one onto the other, each stays as it was",
        source=_OVERHAND,
        example="strip(10)",
    ),
    Family(
        "box",
        (
            Parameter("fewest", "packets at least", int, 1, 10_000, 4),
            Parameter("most", "packets at most", int, 1, 10_000, 6),
        ),
        box,
        says="a deck cut into four to six packets, or as many as told, put down in turned order, each as it was",
        source="dealing procedures of casinos; the Hindu shuffle takes 4 to 8",
        example="box(4, 8)",
    ),
)
