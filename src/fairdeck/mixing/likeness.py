"""Which cards count as alike, and what is known of a deck of which only that is seen.

A player who sees colours only, or who cannot tell the two aces of spades of two packs apart, needs
fewer riffles than one who knows every card. Riffles of a deck in which each kind lies together have
an exact separation; small decks have an exact total variation; and two kinds have a likelihood, by which
the total variation is estimated without a simulation, see `fairdeck.mixing.repeats`. For anything
else the whole order bounds from above: what is seen of a deck is never further from uniform than the deck.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import comb, prod
from typing import TYPE_CHECKING

from fairdeck.errors import FairdeckError
from fairdeck.mixing.distance import Distance
from fairdeck.mixing.limits import MOST_CARDS
from fairdeck.mixing.recipes import FAIR, Mixing, mixing, most_of
from fairdeck.mixing.repeats import (
    MOST_LIKELIHOOD_CARDS,
    MOST_LIKELIHOOD_RIFFLES,
    Patterns,
    kinds_a_shuffle,
    two_kinds,
)
from fairdeck.mixing.riffles import seen
from fairdeck.permutation import Permutation
from fairdeck.reading import whole_number
from fairdeck.shuffles import Step
from fairdeck.shuffles.riffle import Riffle

if TYPE_CHECKING:
    from random import Random

MOST_SEEN = 7  # cards whose n! orders are gone through for each round
MOST_PATTERNS = 13_000  # of two kinds, so that a round takes a tenth of a second: 8 and 8 cards
MOST_TERMS = 2**24  # of a likelihood's table: a second
SAMPLES = 4_000
USUAL_CARDS = 52
USUAL_PACKS = 104


@dataclass(frozen=True, slots=True)
class Likeness:
    """Which cards of a deck count as alike.

    Attributes:
        name: as it is asked for.
        says: what is seen, and how the deck lies at first: a sentence.
        kinds: the kind of each card of the unshuffled deck, base first: 0, 1, ...
        duplicates: whether not even the kinds are seen in order, but only how many pairs the upper half holds.
    """

    name: str
    says: str
    kinds: tuple[int, ...]
    duplicates: bool = False

    @property
    def cards(self) -> int:
        """How many cards the deck has."""
        return len(self.kinds)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each stretch of one kind has at the start, base first."""
        return tuple([len(list(stretch)) for _, stretch in groupby(self.kinds)])

    @property
    def together(self) -> bool:
        """Whether each kind lies together at the start, and all that matters is the pattern."""
        return not self.duplicates and len(self.counts) == len(set(self.kinds))

    @property
    def pairs(self) -> bool:
        """Whether there are two cards of every kind."""
        return all(self.kinds.count(kind) == 2 for kind in set(self.kinds))

    def of(self, destinations: Permutation) -> object:
        """Return what is seen of a deck whose card i ended at place ``destinations[i]``."""
        lies: list[int] = [0] * self.cards
        for kind, place in zip(self.kinds, destinations, strict=True):
            lies[place] = kind
        if not self.duplicates:
            return tuple(lies)
        upper = lies[self.cards // 2 :]
        return len(upper) - len(set(upper))


def _together(counts: Sequence[int]) -> tuple[int, ...]:
    return tuple([kind for kind, count in enumerate(counts) for _ in range(count)])


def _colours(n: int) -> tuple[int, ...]:
    return _together((n // 2, n - n // 2))


def _suits(n: int) -> tuple[int, ...]:
    return _together([n // 4] * 4)


def _ranks(n: int) -> tuple[int, ...]:
    return _together([4] * (n // 4))


def _packs(n: int) -> tuple[int, ...]:
    return (*range(n // 2), *range(n // 2))


@dataclass(frozen=True, slots=True)
class _Scenario:
    kinds: Callable[[int], tuple[int, ...]]
    says: str
    usual: int = USUAL_CARDS
    multiple: int = 1
    duplicates: bool = False


SCENARIOS = {
    "colours": _Scenario(_colours, "Only the colours are seen; at first one lies on the other."),
    "suits": _Scenario(_suits, "Only the suits are seen; at first each lies together.", multiple=4),
    "ranks": _Scenario(_ranks, "Only the ranks are seen, four cards of each; at first each lies together.", multiple=4),
    "two-packs": _Scenario(
        _packs,
        "Equal cards of two packs are not told apart; at first one fresh pack lies on the other.",
        USUAL_PACKS,
        2,
    ),
    "duplicates": _Scenario(
        _packs,
        "Only the pairs of equal cards in the upper half are counted; at first one fresh pack lies on the other.",
        USUAL_PACKS,
        2,
        duplicates=True,
    ),
}


def likeness(text: str, cards: int | None = None) -> Likeness:
    """Return which cards are alike.

    Args:
        text: the name of one of `SCENARIOS`, or how many cards each kind has, base first, each kind lying
            together at the start, such as "26,26" or "4,4,44".
        cards: of the deck, 1 to 1,000; what is usual if None.

    Raises:
        FairdeckError: it is neither, or the deck has other cards.

    >>> likeness("suits", 8).kinds
    (0, 0, 1, 1, 2, 2, 3, 3)
    >>> likeness("3,1").cards
    4
    """
    scenario = SCENARIOS.get(text)
    found = _counted(text, cards) if scenario is None else _named(text, scenario, cards)
    if len(set(found.kinds)) == 1:
        raise FairdeckError(f"{text[:40]}: all {found.cards} cards are alike; ask for two kinds or more, such as 26,26")
    return found


def _named(text: str, scenario: _Scenario, cards: int | None) -> Likeness:
    n = scenario.usual if cards is None else cards
    if n < 2 or n % scenario.multiple:
        wanted = "2 cards or more" if scenario.multiple == 1 else f"a number of cards that {scenario.multiple} divides"
        raise FairdeckError(f"{text}: a deck of {n} has none such; ask for {wanted}, such as {scenario.usual}")
    return Likeness(text, scenario.says, scenario.kinds(n), scenario.duplicates)


def _counted(text: str, cards: int | None) -> Likeness:
    if not any(sign.isdigit() for sign in text):
        names = ", ".join(SCENARIOS)
        raise FairdeckError(f"no cards are alike by {text!r}; write {names}, or cards of each kind such as 26,26")
    counts = [whole_number(part, f"cards of a kind in {text[:40]!r}", 1, MOST_CARDS) for part in text.split(",")]
    n = sum(counts)
    if n > MOST_CARDS:
        raise FairdeckError(f"{text[:40]} are {n:,} cards together; up to {MOST_CARDS:,} can be looked up")
    if cards is not None and cards != n:
        raise FairdeckError(f"{text[:40]} are {n} cards together, not {cards}; leave out --cards, or mend the kinds")
    return Likeness(text, "Only the kinds are seen; at first each lies together.", _together(counts))


def seen_mixing(steps: Sequence[Step], alike: Likeness) -> Mixing:
    """Return what is known of what is seen of a deck after the steps of a recipe.

    Args:
        steps: as `fairdeck.shuffles.recipe_steps` returns them.
        alike: which cards are not told apart.

    >>> from fairdeck.shuffles import recipe_steps
    >>> found = seen_mixing(recipe_steps("riffle*7"), likeness("colours"))
    >>> found.law.total_variation, round(float(found.law.separation), 3), found.by
    (None, 0.179, 'the separation')
    """
    order = mixing(steps, alike.cards)
    law = _law(steps, alike)
    bounds = [(order.at_most, order.by)]
    if law is not None and (most := most_of(law)) is not None:
        bounds.append((most, "the separation" if law.total_variation is None else "the law"))
    at_most, by = min(bounds, key=lambda bound: bound[0])
    return Mixing(law, Fraction(0), at_most, by)


def packets_of(steps: Sequence[Step]) -> int | None:
    """Return of how many packets the one riffle is that all the steps are together; None if they are none."""
    riffled = [model.packets**step.times for step in steps if isinstance(model := step.model, Riffle)]
    return prod(riffled) if len(riffled) == len(steps) else None


def _law(steps: Sequence[Step], alike: Likeness) -> Distance | None:
    if any(step.known.fair for step in steps):
        return FAIR
    packets = packets_of(steps)
    if packets is None:
        return None
    if alike.cards <= MOST_SEEN:
        return seen(alike.cards, packets, alike.of)
    if not alike.together:
        return None
    times = _times(packets)
    if len(alike.counts) == 2 and times is not None and comb(alike.cards, alike.counts[0]) <= MOST_PATTERNS:
        return two_kinds(*alike.counts, times)
    return kinds_a_shuffle(alike.counts, packets)


def _times(packets: int) -> int | None:
    """Return how many riffles of two packets one of so many is, if the likelihood of patterns reaches so far."""
    found = (times for times in range(MOST_LIKELIHOOD_RIFFLES + 1) if packets == 2**times)
    return next(found, None)


def estimated(steps: Sequence[Step], alike: Likeness, rng: "Random") -> tuple[float, float] | None:
    """Return an estimate of the total variation of a pattern of two kinds after riffles, and its standard error.

    From the exact likelihood of 4,000 fair patterns, so it is no lower bound: it is as often too large as too small.

    Args:
        steps: as `fairdeck.shuffles.recipe_steps` returns them.
        alike: which cards are not told apart.
        rng: the source of the patterns.

    Returns:
        None unless there are two kinds, one on the other at the start, and all steps are riffles, few enough.
    """
    packets = packets_of(steps)
    times = None if packets is None else _times(packets)
    if times is None or not alike.together or len(alike.counts) != 2 or alike.cards > MOST_LIKELIHOOD_CARDS:
        return None
    lower, upper = alike.counts
    if lower * upper * 2**times > MOST_TERMS:
        return None
    return Patterns(lower, upper, times).estimate(rng, SAMPLES)
