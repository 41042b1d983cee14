"""Riffles as hands do them, neater or clumsier than the model of Gilbert, Shannon and Reeds: no law is known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import ClassVar

from fairdeck.errors import FairdeckError
from fairdeck.shuffles.biased_riffle import BiasedRiffle
from fairdeck.shuffles.known import Family, KernelRow, Known, Model, Parameter
from fairdeck.shuffles.riffle import Riffle

EPSTEIN = "Epstein, The Theory of Gambling and Statistical Logic: single cards in 80 % of an expert's drops"
SLEEVED = "players of card games with sleeved cards; the numbers are this project's model"


@dataclass(frozen=True, slots=True)
class HandRiffle(Model):
    """A riffle as hands do it: the side that drops the next card changes with probability `switch`.

    With 1/2 that is about the riffle of Gilbert, Shannon and Reeds; dealers are neater, beginners
    clumsier. Source: Epstein, The Theory of Gambling and Statistical Logic, on shuffling; Diaconis,
    Group Representations in Probability and Statistics (1988), chapter 4D.
    """

    switch: float  # the chance that after a card the other packet drops next
    cut: float = 0.5  # the share of the deck in the lower packet, on average
    guess: ClassVar[str] = "how cards clump"

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        random, switch, cut = rng.random, self.switch, self.cut
        middle = sum([random() < cut for _ in range(n)])
        return _dropped(n, middle, rng.getrandbits(1), lambda _own, _other: random() < switch)

    def support(self, n: int, times: int = 1) -> int:
        return Riffle().support(n, times)

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("hand riffle", p=self.cut, q=self.switch)


@dataclass(frozen=True, slots=True)
class Mash(HandRiffle):
    """One packet pushed into the rest: the same model, with other numbers."""

    guess: ClassVar[str] = "mashing"


@dataclass(frozen=True, slots=True)
class NeatRiffle(Model):
    """A riffle neater or clumsier than the ideal one, by one number, which is 1 for the ideal riffle.

    After a card from a packet with `own` cards left, the next one is from the other packet, with `other` cards left,
    with chance ``neatness * other / (neatness * other + own)``: the odds of a change are `neatness` times
    those of the riffle of Gilbert, Shannon and Reeds. A faro is the limit of large ones. `fairdeck hands` fits it.
    Riffles of one person differ: the log of the neatness may be normal, anew for each riffle. And some cards at the
    ends may never come between the others: they stay where they are, and only the rest is riffled.
    """

    neatness: float  # above 0; if it varies, the median
    cut: float = 0.5  # the share of the cards that are riffled in the lower packet, on average
    varying: float = 0.0  # the standard deviation of the log of the neatness, over riffles
    top: int = 0  # cards at the top that stay
    bottom: int = 0  # cards at the bottom that stay

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        random, inside = rng.random, n - self.top - self.bottom
        if inside <= 0:
            return range(n)
        neatness = self.neatness * exp(rng.gauss(0, self.varying)) if self.varying else self.neatness
        middle = sum([random() < self.cut for _ in range(inside)])
        side = int(random() * inside >= middle)
        fell = _dropped(inside, middle, side, lambda own, other: random() * (own + neatness * other) < neatness * other)
        above = range(n - self.top, n)
        return [*range(self.bottom), *(self.bottom + card for card in fell), *above] if inside < n else fell

    def support(self, n: int, times: int = 1) -> int:
        return Riffle().support(n, times)

    def kernel_row(self, n: int) -> KernelRow:
        neat, spread = self.neatness / (1 + self.neatness), self.varying / (1 + self.varying)
        return KernelRow("neat riffle", self.bottom, self.top, self.cut, neat, spread)


def _dropped(n: int, middle: int, side: int, changes: Callable[[int, int], bool]) -> Sequence[int]:
    """Return the deck that two packets make, the lower one of `middle` cards, the first card from packet `side`.

    ``changes(own, other)`` decides after each card whether the other packet drops next, from the cards left in both.
    """
    packets = [list(range(middle - 1, -1, -1)), list(range(n - 1, middle - 1, -1))]  # pop takes the lowest
    deck = []
    for _ in range(n):
        if not packets[side]:
            side = 1 - side
        deck.append(packets[side].pop())
        if changes(len(packets[side]), len(packets[1 - side])):
            side = 1 - side
    return deck


def riffle(
    cut: float | None,
    switch: float | None,
    neatness: float | None = None,
    varying: float = 0.0,
    top: int = 0,
    bottom: int = 0,
) -> Model:
    """Return the simplest model: with `switch` cards drop by habit, else by the packets' sizes; not with both."""
    share, one = 0.5 if cut is None else cut, 1.0 if neatness is None else neatness
    neat = NeatRiffle(one, share, varying, top, bottom)
    plain = neat == NeatRiffle(1.0, share)
    if switch is not None and not (plain and neatness is None):
        raise FairdeckError(
            "a riffle has switch= (the chance of a change) or neatness= (its odds, with varying=, top=, bottom=): "
            "write one of them"
        )
    if switch is not None:
        return HandRiffle(switch, share)
    if not plain:
        return neat
    return Riffle() if share == 0.5 else BiasedRiffle(share)


NEAT = Known(
    "riffle-neat",
    HandRiffle(switch=0.8),
    says="a dealer's riffle, mostly card by card: too regular, and at most two rising sequences",
    source=EPSTEIN,
    by_hand=True,
)

KNOWN = (
    NEAT,
    Known(
        "riffle-clumpy",
        HandRiffle(switch=1 / 3),
        says="a beginner's riffle, three cards at a time: clumps of the old order stay together",
        source="Sellke, Ann. Probab. 50 (2022), treats uneven riffles; the clumps are this project's model",
        by_hand=True,
    ),
    Known(
        "mash",
        Mash(switch=1 / 4, cut=1 / 3),
        says="a third of the deck pushed into the rest, four cards at a time: at most two rising sequences",
        source=SLEEVED,
        by_hand=True,
    ),
)


def _parameters(cut: float, switch: float | None) -> tuple[Parameter, ...]:
    return (
        Parameter("cut", "share of the deck in the lower packet", float, 0.001, 0.999, cut, named=True),
        Parameter("switch", "chance that the other packet drops next", float, 0.001, 1, switch, named=True),
    )


HANDS = (
    Parameter(
        "neatness", "odds that the other packet drops next, over the ideal odds", float, 0.001, 1_000, None, named=True
    ),
    Parameter("varying", "how much the log of the neatness varies between riffles", float, 0, 4, 0.0, named=True),
    Parameter("top", "cards at the top that stay where they are", int, 0, 1_000, 0, named=True),
    Parameter("bottom", "cards at the bottom that stay where they are", int, 0, 1_000, 0, named=True),
)

FAMILIES = (
    Family(
        "riffle",
        (*_parameters(0.5, None), *HANDS),
        riffle,
        says="a riffle cut unevenly, or one that drops single cards (neatness above 1, switch near 1) or clumps",
        source="Lalley, Ann. Appl. Probab. 10 (2000); Sellke, Ann. Probab. 50 (2022); switch: Epstein",
        example="riffle(cut=0.6)",
    ),
    Family(
        "mash",
        _parameters(1 / 3, 1 / 4),
        lambda cut, switch: Mash(switch, cut),
        says="one packet pushed into the rest, in blocks of cards: at most two rising sequences",
        source=SLEEVED,
        example="mash(switch=0.5)",
    ),
)
