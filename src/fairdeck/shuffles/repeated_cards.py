"""Repeated cards: decks in which some cards count as alike, and what is known of the pattern that is then seen.

A player who sees colours only, or who cannot tell the two aces of spades of two packs apart, needs fewer riffles than
one who knows every card. So does one who sees only the top cards: `fairdeck.shuffles.top_cards` has their law. Riffles
of a deck in which each kind lies together have an exact separation; small decks have an exact total variation; and two
kinds have a likelihood, from which the total variation is estimated without a simulation. For anything else the whole
order bounds from above: a pattern is never further from uniform than the deck.
Sources: Assaf, Diaconis and Soundararajan, "A rule of thumb for riffle shuffling", Ann. Appl. Probab.
21 (2011); Conger and Viswanath, "Riffle shuffles of decks with repeated cards", Ann. Probab.
34 (2006), on why the total variation is hard.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, groupby
from math import comb, factorial, fsum, prod, sqrt
from operator import mul
from typing import TYPE_CHECKING

from fairdeck.errors import FairdeckError, nearest
from fairdeck.numbers import shortened, whole
from fairdeck.permutation import Permutation
from fairdeck.shuffles.distances import MOST_CARDS, Distance, compared, kinds
from fairdeck.shuffles.recipes import FAIR, Step, Theory, most_of, theory
from fairdeck.shuffles.riffle import MOST_PACKETS, Riffle, eulerian_numbers, seen
from fairdeck.shuffles.top_cards import top_cards

if TYPE_CHECKING:
    from random import Random

SEPARATION = "Assaf, Diaconis and Soundararajan, Ann. Appl. Probab. 21 (2011)"
LIKELIHOOD = f"the likelihood of a pattern, after {SEPARATION}"
MOST_SEEN = 7  # cards for which a round goes through all n! orders
MOST_QUICK_PATTERNS = 13_000  # of two kinds, so that a round takes a tenth of a second: 8 and 8 cards
MOST_PATTERNS = 100_000
MOST_LIKELIHOOD_RIFFLES = 14
MOST_LIKELIHOOD_CARDS = 208
MOST_TERMS = 2**24  # in the table of a likelihood: a second
SAMPLES = 4_000
USUAL_CARDS = 52
USUAL_PACKS = 104


@dataclass(frozen=True, slots=True)
class RepeatedCards:
    """Which cards of a deck count as alike, and how many of them are seen."""

    name: str  # as it is asked for
    says: str  # what is seen, and the order at the start: a sentence
    kinds: tuple[int, ...]  # the kind of each card of the unshuffled deck, bottom first: 0, 1, ...
    duplicates: bool = False  # whether only the number of pairs in the upper half is seen, not the order of the kinds
    top: int = 0  # how many cards are seen, from the top; 0 if all are

    @classmethod
    def parse(cls, text: str | None, cards: int | None = None, seen: str | None = None) -> "RepeatedCards":
        """Return which cards are alike.

        Args:
            text: the name of one of `SCENARIOS`, or how many cards each kind has, bottom first, each kind lying
                together at the start, such as "26,26" or "4,4,44"; None if all differ, and `seen` is given.
            cards: of the deck, 1 to 1,000; if None the usual number.
            seen: None if all cards are seen; such as "top:5" if only so many are, from the top, in their order.

        Raises:
            FairdeckError: it is neither, or the deck has another size.

        >>> RepeatedCards.parse("suits", 8).kinds
        (0, 0, 1, 1, 2, 2, 3, 3)
        >>> RepeatedCards.parse("3,1").cards
        4
        >>> RepeatedCards.parse(None, 52, "top:5").name
        'top:5'
        """
        if seen is not None:
            return _only_top(cls.parse(text, cards) if text else None, cards or USUAL_CARDS, seen)
        text = text or ""
        scenario = SCENARIOS.get(text)
        found = _counted(text, cards) if scenario is None else _named(text, scenario, cards)
        if len(set(found.kinds)) == 1:
            raise FairdeckError(
                f"{text[:40]}: all {found.cards} cards are alike; ask for two kinds or more, such as 26,26"
            )
        return found

    @property
    def cards(self) -> int:
        """The size of the deck."""
        return len(self.kinds)

    @property
    def counts(self) -> tuple[int, ...]:
        """The sizes of the stretches of one kind at the start, bottom first."""
        return tuple([len(list(stretch)) for _, stretch in groupby(self.kinds)])

    @property
    def together(self) -> bool:
        """Whether each kind lies together at the start, and all that matters is the pattern."""
        return not self.duplicates and not self.top and len(self.counts) == len(set(self.kinds))

    @property
    def different(self) -> bool:
        """Whether no cards are alike."""
        return len(set(self.kinds)) == self.cards

    @property
    def falls(self) -> bool:
        """Whether no further riffle takes what is seen further from random: a count, or a part of equal cards, may."""
        return not self.duplicates and (not self.top or self.different)

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
            return tuple(lies[-self.top :])
        upper = lies[self.cards // 2 :]
        return len(upper) - len(set(upper))


def _together(counts: Sequence[int]) -> tuple[int, ...]:
    return tuple([kind for kind, count in enumerate(counts) for _ in range(count)])


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
    "colours": _Scenario(
        lambda n: _together((n // 2, n - n // 2)), "Only colours are seen; at the start, one colour lies on the other."
    ),
    "suits": _Scenario(
        lambda n: _together([n // 4] * 4),
        "Only suits are seen; at the start, the cards of each suit lie together.",
        multiple=4,
    ),
    "ranks": _Scenario(
        lambda n: _together([4] * (n // 4)),
        "Only ranks are seen, four cards of each; at the start, the cards of each rank lie together.",
        multiple=4,
    ),
    "ranks-by-suit": _Scenario(
        lambda n: tuple(range(n // 4)) * 4,
        "Only ranks are seen; at the start, the deck lies suit by suit, each from ace to king.",
        multiple=4,
    ),
    "ranks-new-deck": _Scenario(
        lambda n: (*range(n // 4), *range(n // 4), *range(n // 4)[::-1], *range(n // 4)[::-1]),
        "Only ranks are seen; at the start, two suits lie from ace to king and two back, as in many new decks.",
        multiple=4,
    ),
    "suits-by-rank": _Scenario(
        lambda n: (0, 1, 2, 3) * (n // 4),
        "Only suits are seen; at the start, the deck lies rank by rank, the suits always in the same order.",
        multiple=4,
    ),
    "two-packs": _Scenario(
        _packs,
        "Equal cards of the two packs look the same; at the start, one fresh pack lies on the other.",
        USUAL_PACKS,
        2,
    ),
    "duplicates": _Scenario(
        _packs,
        "Only the pairs of equal cards in the upper half are counted; at the start, one fresh pack lies on the other.",
        USUAL_PACKS,
        2,
        duplicates=True,
    ),
}


def _named(text: str, scenario: _Scenario, cards: int | None) -> RepeatedCards:
    n = scenario.usual if cards is None else cards
    if n < 2 or n % scenario.multiple:
        wanted = "2 cards or more" if scenario.multiple == 1 else f"a number of cards that {scenario.multiple} divides"
        raise FairdeckError(f"{text}: impossible with {n} cards; ask for {wanted}, such as {scenario.usual}")
    return RepeatedCards(text, scenario.says, scenario.kinds(n), scenario.duplicates)


def _counted(text: str, cards: int | None) -> RepeatedCards:
    if not any(sign.isdigit() for sign in text):
        names = ", ".join(SCENARIOS)
        near = nearest(text, SCENARIOS) or f"; write {names}, or the cards of each kind, such as 26,26"
        raise FairdeckError(f"unknown pattern {shortened(text)}{near}")
    counts = [whole(f"cards of a kind in {text[:40]!r}", part, 1, MOST_CARDS) for part in text.split(",")]
    n = sum(counts)
    if n > MOST_CARDS:
        raise FairdeckError(f"{text[:40]} are {n:,} cards together; a law takes up to {MOST_CARDS:,}")
    if cards is not None and cards != n:
        raise FairdeckError(
            f"{text[:40]} are {n} cards together, not {cards}; leave out the number of cards, or correct the kinds"
        )
    return RepeatedCards(
        text, "Only kinds are seen; at the start, the cards of each kind lie together.", _together(counts)
    )


def _only_top(alike: RepeatedCards | None, cards: int, seen: str) -> RepeatedCards:
    """Return the same if only the top cards are seen; without equal cards, that of a deck of different ones."""
    head, colon, number = seen.partition(":")
    alike = alike or RepeatedCards("", "", tuple(range(cards)))
    if head != "top" or not colon:
        raise FairdeckError(f"seen: {shortened(seen)}: write top:5 if only the five top cards are seen")
    if alike.duplicates:
        raise FairdeckError("seen: duplicates are counted in the upper half: leave out one of the two")
    top = whole("seen: cards from the top", number, 1, alike.cards)
    says = (
        f"Only the top {'card is' if top == 1 else f'{top} cards are'} seen, in {'its place' if top == 1 else 'order'}."
    )
    name = ", ".join(filter(None, (alike.name, f"top:{top}")))
    return replace(alike, name=name, says=f"{says} {alike.says}".strip(), top=top)


def pattern_theory(steps: Sequence[Step], repeated: RepeatedCards) -> Theory:
    """Return what theory knows of the pattern that is seen of a deck after the steps of a recipe.

    Args:
        steps: as `fairdeck.shuffles.recipe_steps` returns them.
        repeated: which cards count as alike.

    >>> from fairdeck.shuffles import recipe_steps
    >>> found = pattern_theory(recipe_steps("riffle*7"), RepeatedCards.parse("colours"))
    >>> found.law.total_variation, round(float(found.law.separation), 3), found.by
    (None, 0.179, 'the separation')
    """
    order = theory(steps, repeated.cards)
    law = _law(steps, repeated)
    bounds = [(order.at_most, order.by)]
    packets = packets_of(steps)
    if repeated.top and packets is not None and (top := top_cards(repeated.cards, repeated.top, packets)):
        bounds.append((top.total_variation or 0, f"the top {repeated.top} of different cards"))
    if law is not None and (most := most_of(law)) is not None:
        bounds.append((most, "the separation" if law.total_variation is None else "the law"))
    at_most, by = min(bounds, key=lambda bound: bound[0])
    return Theory(law, Fraction(0), at_most, by)


def packets_of(steps: Sequence[Step]) -> int | None:
    """Return the packets of the one riffle that all the steps are together; None if one of them is no riffle."""
    riffled = [model.packets**step.times for step in steps if isinstance(model := step.model, Riffle)]
    return prod(riffled) if len(riffled) == len(steps) else None


def _law(steps: Sequence[Step], repeated: RepeatedCards) -> Distance | None:
    if any(step.known.fair for step in steps):
        return FAIR
    packets = packets_of(steps)
    if packets is None:
        return None
    if repeated.top and repeated.different and (law := top_cards(repeated.cards, repeated.top, packets)):
        return law
    if repeated.cards <= MOST_SEEN:
        return seen(repeated.cards, packets, repeated.of)
    if not repeated.together:
        return None
    times, counts = _times(packets), repeated.counts
    if len(counts) == 2 and times is not None and comb(repeated.cards, counts[0]) <= MOST_QUICK_PATTERNS:
        return two_kinds(*counts, times)
    return kinds_a_shuffle(counts, packets)


def _times(packets: int) -> int | None:
    """Return how many riffles of two packets make one of `packets`; None if the likelihood does not reach so far."""
    found = (times for times in range(MOST_LIKELIHOOD_RIFFLES + 1) if packets == 2**times)
    return next(found, None)


def estimated(steps: Sequence[Step], repeated: RepeatedCards, rng: "Random") -> tuple[float, float] | None:
    """Return an estimate of the total variation of a pattern of two kinds after riffles, and its standard error.

    It rests on the exact likelihood of 4,000 fair patterns, so it is no lower bound: it is equally often too large
    and too small.

    Args:
        steps: as `fairdeck.shuffles.recipe_steps` returns them.
        repeated: which cards count as alike.
        rng: the source of the patterns.

    Returns:
        None unless there are two kinds, one on the other at the start, and all steps are riffles, few enough.
    """
    packets = packets_of(steps)
    times = None if packets is None else _times(packets)
    if times is None or not repeated.together or len(repeated.counts) != 2 or repeated.cards > MOST_LIKELIHOOD_CARDS:
        return None
    lower, upper = repeated.counts
    if lower * upper * 2**times > MOST_TERMS:
        return None
    return Patterns(lower, upper, times).estimate(rng, SAMPLES)


def kinds_a_shuffle(counts: Sequence[int], packets: int) -> Distance:
    """Return the separation of the pattern of kinds after one riffle of `packets` packets, each kind lying together.

    The sum of the source over the ends of the kinds is the coefficient of ``x^a`` in a product of series,
    one for each kind, whose numerators are Eulerian polynomials; so it is a short sum for any number of packets.

    Args:
        counts: how many cards each kind has; 1 to 1,000 together.
        packets: 1 (which changes nothing) to 2^1,000.

    >>> round(float(kinds_a_shuffle((26, 26), 128).separation), 3)
    0.179
    """
    n = kinds(counts)
    a = whole("packets", packets, 1, MOST_PACKETS)
    ways = 0
    for falls, orders in enumerate(_numerators(tuple(counts))):
        left = a - len(counts) - falls
        if left < 0:
            break
        ways += orders * comb(left + n, n)
    patterns = factorial(n) // prod([factorial(count) for count in counts])
    return Distance(None, 1 - Fraction(patterns * ways, a**n), None, True, SEPARATION)


@lru_cache(maxsize=16)
def _numerators(counts: tuple[int, ...]) -> tuple[int, ...]:
    """Return the product of the Eulerian polynomials of the kinds, lowest coefficient first."""
    product: Sequence[int] = (1,)
    for count in counts:
        product = _multiplied(product, eulerian_numbers(count))
    return tuple(product)


def _multiplied(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the product of two polynomials, lowest coefficients first; none is negative.

    The coefficients are digits of two long integers to a large base, which are multiplied once.
    """
    width = (max(one).bit_length() + max(other).bit_length() + len(one).bit_length() + 7) // 8
    packed = [
        int.from_bytes(b"".join([value.to_bytes(width, "little") for value in values]), "little")
        for values in (one, other)
    ]
    size = len(one) + len(other) - 1
    digits = (packed[0] * packed[1]).to_bytes(width * size, "little")
    return [int.from_bytes(digits[at : at + width], "little") for at in range(0, width * size, width)]


def _table(n: int, lower: int, a: int) -> list[list[int]]:
    """Return in how many of the a^n ways a place takes the last card of the lower kind, by the cards beneath it.

    Row r is for r lower cards beneath the place, column b for b upper ones. If the last lower card has the label c, the
    other lower cards have smaller labels, or the same and lie beneath; the upper cards have larger labels, or the same
    and lie above. The sum over the places of the lower kind counts the ways to a pattern.
    """
    upper = n - lower
    rows = [[c**r * (c - 1) ** (lower - 1 - r) for c in range(1, a + 1)] for r in range(lower)]
    columns = [[(a - c) ** b * (a - c + 1) ** (upper - b) for c in range(1, a + 1)] for b in range(upper + 1)]
    return [[sum(map(mul, row, column)) for column in columns] for row in rows]


def two_kinds(lower: int, upper: int, times: int) -> Distance:
    """Return the exact distances of the pattern of two kinds after riffles, one kind below the other.

    Args:
        lower: cards of the kind at the bottom, 1 or more.
        upper: cards of the kind on top, 1 or more; at most 100,000 patterns together, as for 9 and 9.
        times: riffles, 0 to 14.

    >>> round(float(two_kinds(6, 6, 3).total_variation), 4)
    0.1051
    """
    n = kinds((lower, upper))
    a = 2 ** whole("riffles", times, 0, MOST_LIKELIHOOD_RIFFLES)
    if comb(n, lower) > MOST_PATTERNS:
        raise FairdeckError(
            f"{lower} and {upper} cards have too many patterns to go through; sample them with Patterns"
        )
    table = _table(n, lower, a)
    weights = [
        (sum([table[r][place - r] for r, place in enumerate(places)]), 1) for places in combinations(range(n), lower)
    ]
    return compared(weights, a**n, LIKELIHOOD)


class Patterns:
    """The likelihood of patterns of two kinds after riffles, relative to a fair deck; one kind lay below the other.

    Made once, it answers for any pattern in n steps, right to about twelve digits.
    """

    def __init__(self, lower: int, upper: int, times: int) -> None:
        """Prepare the sums.

        Args:
            lower: cards of the kind at the bottom, 1 or more.
            upper: cards of the kind on top, 1 or more; up to 208 cards together.
            times: riffles, 0 to 14.
        """
        n = kinds((lower, upper), MOST_LIKELIHOOD_CARDS)
        a = 2 ** whole("riffles", times, 0, MOST_LIKELIHOOD_RIFFLES)
        self.cards, self.lower, self.times = n, lower, times
        labels = [(c / a, (c - 1) / a, (a - c) / a, (a - c + 1) / a) for c in range(1, a + 1)]
        rows = [[up**r * under ** (lower - 1 - r) for up, under, _, _ in labels] for r in range(lower)]
        columns = [[over**b * down ** (upper - b) for _, _, over, down in labels] for b in range(upper + 1)]
        scale = comb(n, lower) / a
        self._table = [[scale * sum(map(mul, row, column)) for column in columns] for row in rows]

    def ratio(self, places: Sequence[int]) -> float:
        """Return the chance of a pattern over that on a fair deck, from the places of the lower kind, in rising order.

        >>> Patterns(2, 2, 1).ratio((0, 1))
        2.625
        """
        return fsum([row[place - r] for r, (row, place) in enumerate(zip(self._table, places, strict=True))])

    def estimate(self, rng: "Random", samples: int) -> tuple[float, float]:
        """Return the mean shortfall of 2 or more fair patterns, which estimates total variation, and its error."""
        whole("samples", samples, 2)
        total = squares = 0.0
        for _ in range(samples):
            short = max(0.0, 1 - self.ratio(sorted(rng.sample(range(self.cards), self.lower))))
            total += short
            squares += short * short
        mean = total / samples
        return mean, sqrt(max(0.0, squares / samples - mean * mean) / (samples - 1))
