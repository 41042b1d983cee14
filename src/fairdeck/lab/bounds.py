"""How far a shuffle is from uniform at least, where no law says how far it is: lower bounds by counting.

The total variation is the greatest difference, over all events, between the chance an event has and
the chance it should have. So any event gives a lower bound. For each statistic with an exact law the
event is "a value that came too often": chosen on one half of the decks, counted on the other, or the
luck of the choice would be mistaken for a distance. The best statistic is chosen on the first half too.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import cast

from fairdeck.lab.arrays import Counts, Floats
from fairdeck.lab.law import mean_of
from fairdeck.lab.sources.simulated import Simulated
from fairdeck.lab.statistics import Scalar, catalogue
from fairdeck.lab.statistics.coupons import Coupons
from fairdeck.lab.statistics.guesses import Guesses, LearnedGuesses
from fairdeck.lab.tally import Battery, Member, Tally, block_sizes
from fairdeck.lab.trial import Map

FEWEST_DECKS = 1_000


@dataclass(frozen=True, slots=True)
class LowerBound:
    """A bound on the total variation from below.

    Attributes:
        value: the estimate; it may be a little below 0, which tells nothing.
        error: its standard error.
        says: what came too often, or too seldom, in plain words.
    """

    value: float
    error: float
    says: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """What was counted on decks of one shuffle.

    Attributes:
        decks: how many were counted, both halves together.
        bounds: a bound for each statistic, the best on the first half first.
        guessed: the cards of a deck that the best of the guessers names right on average, dealt face up.
        chance: how many would be right on fair decks. Both are 0 if nobody guessed.
    """

    decks: int
    bounds: dict[str, LowerBound]
    guessed: float
    chance: float

    @property
    def best(self) -> LowerBound:
        """The bound of the statistic that seemed best on the first half."""
        return next(iter(self.bounds.values()))


@dataclass(frozen=True)
class Looks(Battery):
    """A battery of statistics that are in no catalogue.

    Attributes:
        looks: the statistics, of which those that fit the deck are asked.
    """

    looks: tuple[Scalar, ...] = ()

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """The statistics that fit the deck."""
        return tuple(Member(each, 0) for each in self.looks if each.fits(self.cards))


def estimate(
    shuffle: str,
    cards: int,
    decks: int,
    seed: int,
    map: Map = map,  # noqa: A002 - the seam is called so
    looks: tuple[Scalar, ...] = (),
) -> Estimate:
    """Return lower bounds on the distance of a known shuffle's decks from uniform.

    Args:
        shuffle: a name, as `fairdeck.shuffles.find` knows it.
        cards: 2 or more.
        decks: how many to count, 2,000 or more; half of them choose the events, half are counted.
        seed: what all random streams come from.
        map: counts portions of blocks, here or elsewhere.
        looks: what is seen of a deck; if empty, all scalar statistics of the catalogue.

    Raises:
        FairdeckError: no statistic fits the deck.
    """
    battery = Looks(cards, 0, looks=looks) if looks else Battery(cards, 0, frozenset(_names(cards)))
    source = Simulated(shuffle, cards, seed)
    halves: list[list[Tally]] = [[], []]
    blocks = source.blocks(block_sizes(cards, decks))
    for number, tally in enumerate(map(battery.tally_all, ([block] for block in blocks))):
        halves[number % 2].append(tally)
    first, second = (battery.total(half) for half in halves)
    ranked: list[tuple[float, str, LowerBound]] = []
    guessed, chance = 0.0, 0.0
    for member, chosen, counted in zip(battery.members, first.counts, second.counts, strict=True):
        statistic = cast(Scalar, member.statistic)  # no others were asked for
        at_first_sight = _distance(statistic, cards, chosen, chosen)
        ranked.append((-at_first_sight.value, statistic.name, _distance(statistic, cards, chosen, counted)))
        if isinstance(statistic, Guesses | LearnedGuesses):
            law = statistic.law(cards)
            guessed, chance = max(guessed, mean_of(law, chosen + counted)), law.mean
    return Estimate(first.decks + second.decks, {name: bound for _, name, bound in sorted(ranked)}, guessed, chance)


def _names(cards: int) -> Iterable[str]:
    scalars = (each for each in catalogue() if isinstance(each, Scalar) and not isinstance(each, Coupons))
    return (each.name for each in scalars if each.fits(cards))


def _distance(statistic: Scalar, cards: int, chosen: Counts, counted: Counts) -> LowerBound:
    """Return how much oftener the event came on the decks counted than it should."""
    law = statistic.law(cards)
    value, variance = excess(chosen, counted, law.probabilities)
    return LowerBound(
        value,
        sqrt(variance),
        f"{statistic.name}: {mean_of(law, counted):.4g} on average, {law.mean:.4g} in a fair deck",
    )


def excess(chosen: Counts, counted: Counts, fair: Floats) -> tuple[float, float]:
    """Return how much oftener an event came than it should, and the variance of that.

    Args:
        chosen: how often each value came on the decks that choose the event, one or more of them: the
            values that came oftener than they should.
        counted: how often on the decks that it is counted on, one or more.
        fair: the chance of each value on a fair deck.
    """
    event = chosen / chosen.sum() > fair
    decks = float(counted.sum())
    share = float(counted[event].sum()) / decks
    # An event that always came, or never, is not known without error either.
    return share - float(fair[event].sum()), max(share * (1 - share), 1 / decks) / decks
