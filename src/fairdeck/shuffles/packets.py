"""What hands do with packets: cut, overhand, Hindu, strip, mash, and riffles as they really are."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.permutation import then
from fairdeck.shuffles import Known


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

    packet: int

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
class HouseProcedure:
    """What casinos do to one deck: riffle, riffle, strip, riffle, cut."""

    riffle: HandRiffle
    strip: Overhand

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement in which whole runs of the old order are left."""
        deck = then(self.riffle(n, rng), self.riffle(n, rng))
        deck = then(deck, self.strip(n, rng))
        deck = then(deck, self.riffle(n, rng))
        return then(deck, Cut()(n, rng))


_EPSTEIN = "Epstein, The Theory of Gambling and Statistical Logic: single cards in 80 % of an expert's drops"
_OVERHAND = "Pemantle, J. Theoret. Probab. 2 (1989); Jonasson, Electron. Comm. Probab. 11 (2006)"
_NEAT = HandRiffle(switch=0.8)
_STRIP = Overhand(13)

KNOWN = (
    Known(
        "cut",
        Cut(),
        fair=False,
        says="one cut: every card but one still lies on the card it lay on",
        source="Bayer and Diaconis, Ann. Appl. Probab. 2 (1992)",
        by_hand=True,
    ),
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
    Known(
        "strip",
        _STRIP,
        fair=False,
        says="a dealer's strip, about five packets of 52 cards: within a packet all stays as it was",
        source=_OVERHAND,
        by_hand=True,
    ),
    Known(
        "riffle-neat",
        _NEAT,
        fair=False,
        says="a dealer's riffle, mostly card by card: too regular, and at most two rising sequences",
        source=_EPSTEIN,
        by_hand=True,
    ),
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
        HouseProcedure(_NEAT, _STRIP),
        fair=False,
        says="riffle, riffle, strip, riffle, cut, as casinos do: most of the old order can still be seen",
        source="the usual dealing procedure of casinos for one deck",
        by_hand=True,
    ),
)
