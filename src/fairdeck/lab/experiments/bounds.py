"""Lower bounds on the distance of a shuffle from uniform, by counting, for shuffles without a known law.

The total variation is the greatest difference, over all events, between the chance of an event and its
fair chance. So every event gives a lower bound. For each statistic with an exact law the event is "a
value that came too often". It is chosen on one half of the decks and counted on the other: on the same
half, the luck of the choice would look like a distance.

A bound that is said to be "at least" is the lower end of an exact interval (Clopper and Pearson's),
widened for the number of statistics (Bonferroni). All bounds hold together with probability
`CONFIDENCE`, and therefore the largest does.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, sqrt
from typing import cast

from scipy.special import betaincinv

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.judging.tally import CARDS_IN_A_BLOCK, LARGEST_BLOCK, Battery, Member, Tally
from fairdeck.lab.judging.trial import Map
from fairdeck.lab.laws.scalar import mean_of
from fairdeck.lab.sources.simulated import Simulated
from fairdeck.lab.statistics import Scalar, catalogue, guesses
from fairdeck.lab.statistics.coupons import Coupons
from fairdeck.lab.statistics.guesses import Guesses, LearnedGuesses
from fairdeck.shuffles.measured import CONFIDENCE


@dataclass(frozen=True, slots=True)
class LowerBound:
    """A bound on the total variation from below."""

    value: float  # the count, an estimate; it can be a little below 0, which says nothing
    error: float  # its standard error
    low: float  # the bound itself, 0 to 1
    says: str = ""  # what came too often, or too rarely, in words


@dataclass(frozen=True, slots=True)
class Estimate:
    """The lower bounds of one shuffle."""

    decks: int  # how many were counted, both halves together
    # a bound for each statistic, the largest first; among those that show nothing, the best on the first half. All of
    # them hold together with probability `CONFIDENCE`.
    bounds: dict[str, LowerBound]
    guessed: float  # the mean number of cards that the best of four guessers gets right, with the deck dealt face up
    chance: float  # that mean on fair decks. Both are 0 if no guesser was asked.

    @property
    def best(self) -> LowerBound:
        """The largest bound."""
        return next(iter(self.bounds.values()))


@dataclass(frozen=True)
class ScalarBattery(Battery):
    """A battery with statistics outside the catalogue."""

    # those statistics, beside the ones of the catalogue that are named; those that fit the deck are asked
    scalars: tuple[Scalar, ...] = ()

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """The statistics that fit the deck."""
        named = super().members if self.only else ()
        return named + tuple(Member(each, 0) for each in self.scalars if each.fits(self.cards))


def estimate(
    shuffle: str,
    cards: int,
    decks: int,
    seed: int,
    map: Map = map,  # noqa: A002 - the seam is called so
    scalars: tuple[Scalar, ...] = (),
    together: int = 1,
) -> Estimate:
    """Return lower bounds on the distance of a known shuffle's decks from uniform.

    One half of the `decks`, 2,000 or more, chooses the events, the other is counted, portion by portion by `map`, here
    or elsewhere; so `together` estimates hold, with all their bounds. Without `scalars` all of the catalogue are used.
    """
    named = frozenset[str]() if scalars else frozenset(_names(cards))
    battery = ScalarBattery(cards, 0, named, scalars=scalars or (guesses.TURNING,))
    source = Simulated(shuffle, cards, seed)
    halves: list[list[Tally]] = [[], []]
    blocks = source.blocks(portions(cards, decks))
    for number, tally in enumerate(map(battery.tally_all, ([block] for block in blocks))):
        halves[number % 2].append(tally)
    first, second = (battery.total(half) for half in halves)
    bounding = [member for member in battery.members if member.statistic is not guesses.TURNING]
    doubt = (1 - CONFIDENCE) / together / max(1, len(bounding))
    ranked: list[tuple[float, float, str, LowerBound]] = []
    guessed, chance = 0.0, 0.0
    for member, chosen, counted in zip(battery.members, first.counts, second.counts, strict=True):
        statistic = cast(Scalar, member.statistic)  # no others were asked for
        law = statistic.law(cards)
        if isinstance(statistic, Guesses | LearnedGuesses):
            guessed, chance = max(guessed, mean_of(law, chosen + counted)), law.mean
        if member not in bounding:
            continue
        seen, _ = excess(chosen, chosen, law.probabilities)
        says = f"{statistic.name}: {mean_of(law, counted):.4g} on average, {law.mean:.4g} in a fair deck"
        bound = replace(lower_bound(chosen, counted, law.probabilities, doubt), says=says)
        ranked.append((-bound.low, -seen, statistic.name, bound))
    best_first = {name: bound for _, _, name, bound in sorted(ranked, key=lambda each: each[:3])}
    return Estimate(first.decks + second.decks, best_first, guessed, chance)


def portions(cards: int, decks: int) -> list[int]:
    """Return the sizes of an even number of blocks; every other block belongs to the second half.

    >>> portions(52, 20_000)
    [3334, 3334, 3333, 3333, 3333, 3333]
    """
    parts = [decks - decks // 2, decks // 2]
    each = ceil(parts[0] / min(LARGEST_BLOCK, CARDS_IN_A_BLOCK // cards))
    return [half // each + (number < half % each) for number in range(each) for half in parts]


def _names(cards: int) -> Iterable[str]:
    scalars = (each for each in catalogue() if isinstance(each, Scalar) and not isinstance(each, Coupons))
    return (each.name for each in scalars if each.fits(cards))


def lower_bound(chosen: Counts, counted: Counts, fair: Floats, doubt: float) -> LowerBound:
    """Return the excess of an event over its fair chance: the count, and at least how much it is; see `excess`.

    `chosen` and `counted` say how often each value came on the decks that choose the event, and on those that count it.
    `doubt` is the chance, at most, that `low` exceeds the total variation.
    """
    event = chosen / chosen.sum() > fair
    came, decks = float(counted[event].sum()), float(counted.sum())
    least = float(betaincinv(came, decks - came + 1, doubt)) if came else 0.0
    value, variance = excess(chosen, counted, fair)
    return LowerBound(value, sqrt(variance), max(0.0, least - float(fair[event].sum())))


def excess(chosen: Counts, counted: Counts, fair: Floats) -> tuple[float, float]:
    """Return the excess of an event over its fair chance, and the variance of that.

    The event is that a value comes which was too often among the `chosen`, counts of one deck or more; how often it
    comes is read off `counted`, other decks. `fair` has the chance of each value on a fair deck.
    """
    event = chosen / chosen.sum() > fair
    decks = float(counted.sum())
    share = float(counted[event].sum()) / decks
    # An event that always came, or never, has an error too.
    return share - float(fair[event].sum()), max(share * (1 - share), 1 / decks) / decks
