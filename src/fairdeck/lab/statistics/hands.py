"""Hands: the number of cards of one part of the old deck, or of one kind, in one part of the new deck."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product
from math import ceil, comb, floor
from typing import ClassVar, NamedTuple

import numpy as np
from scipy.special import bdtr, bdtrc

from fairdeck.bulk.shapes import Counts, Values, counted
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.scalar import Law, log_wealth_of_both, log_wealth_of_never, mean_shift
from fairdeck.lab.laws.subsets import hypergeometric_law, law_of, step_of
from fairdeck.lab.laws.tails import COUNT, PValue
from fairdeck.lab.observations import Kind, Sight
from fairdeck.lab.statistics import Evidence, Scalar, Statistic
from fairdeck.lab.view import View

HAND = 7
HANDS = (5, 10, 13)  # as in poker, in gin, and in bridge
MOST = 1_000
LAGS = (1, 2)  # hands before
MOST_KINDS = 12  # that are judged two by two
FINEST = 12  # the largest denominator of the mean that squares are taken from
LONGEST_LAW = 20_000  # values
LARGEST_HAND = 500  # of those seen: more take too long for an exact law
MOST_JUDGED = 60  # numbers that are judged one by one
SCORED, SCORE_WORK = 60, 2**24  # cards of a hand whose squares and products have a law, and steps to find it


class Part(NamedTuple):
    """A part of the new deck, and one of the old: the places, and the numbers of the cards."""

    places: range
    cards: range


PartOf = Callable[[int], Part]  # of the cards of a deck


@dataclass(frozen=True, kw_only=True)
class Hand(Scalar):
    """The number of cards of one part of the old deck in one part of the new deck."""

    part: PartOf

    family: ClassVar[str] = "game"


@cache
def hand_law(part: PartOf, n: int) -> Law:
    """Return the law of how many cards of a part of the old deck come to a part of the new one."""
    places, cards = part(n)
    return hypergeometric_law(n, len(cards), len(places))


def held(part: PartOf, view: View) -> Values:
    """Return how many cards of a part of the old deck lie in a part of each deck."""
    places, cards = part(view.cards)
    columns = view.columns[places.start : places.stop]
    return counted((columns >= cards.start) & (columns < cards.stop))


def _lower_half(n: int) -> Part:
    return Part(range(n // 2), range(n // 2))


def _lands(n: int) -> range:
    return range(-(-2 * n // 5))  # rounded up: 24 of 60 are the lands of a usual deck


def _end(at_top: bool, size: int, n: int) -> range:
    return range(n - size, n) if at_top else range(size)


def _lands_at_an_end(at_top: bool, n: int) -> Part:
    return Part(_end(at_top, HAND, n), _lands(n))


def _same_end(at_top: bool, size: int, n: int) -> Part:
    return Part(_end(at_top, size, n), _end(at_top, size, n))


def _hand(name: str, sees: str, part: PartOf, few: str, many: str, least: int = 2) -> Hand:
    of, law = partial(held, part), partial(hand_law, part)
    return Hand(name, sees, _SOURCE, of=of, law=law, part=part, few=few, many=many, least=least, most=MOST)


def _again(end: str, size: int) -> Hand:
    return _hand(
        f"{end} {size} again",
        f"a hand of {size} from the {end} that comes again, whole or in part, or is avoided in the next deck",
        partial(_same_end, end == "top", size),
        f"too few cards of the {end} {size} come there again",
        f"too many cards of the {end} {size} come there again",
        least=2 * size,
    )


_SOURCE = "hypergeometric: Feller, An Introduction to Probability Theory, vol. 1, section II.6"
_SMOOTHED = "opening hands dealt again or evened out ('smoothed'), and order left at the {}"

STATISTICS = (
    _hand(
        "lower half",
        "halves that were not mixed, or swapped too evenly",
        _lower_half,
        "cards of one half come into the other half too often",
        "cards of one half stay in that half too often",
    ),
    _hand(
        "hand from the top",
        _SMOOTHED.format("top"),
        partial(_lands_at_an_end, True),
        "the top seven hold too few of the first two fifths of the cards ('lands')",
        "the top seven hold too many of the first two fifths of the cards ('lands')",
        least=2 * HAND,
    ),
    _hand(
        "hand from the bottom",
        _SMOOTHED.format("bottom"),
        partial(_lands_at_an_end, False),
        "the seven cards at the bottom hold too few of the first two fifths of the cards ('lands')",
        "the seven cards at the bottom hold too many of the first two fifths of the cards ('lands')",
        least=2 * HAND,
    ),
    *(_again(end, size) for end in ("top", "bottom") for size in HANDS),
)


# What is seen of each deck.


@dataclass(frozen=True)
class Glimpsed(Scalar):
    """A number of what is seen."""

    tells: bool = False  # whether a report states its limit: one number for each question is enough

    relative: ClassVar[bool] = False

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the same as of any number, if there is one: the first hand comes after no other."""
        yield from super().judge(counts, n, decks) if counts.any() else ()

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:
        """Return the smallest shift that is seen, or None; see `tells`."""
        return super().limit(counts, n, decks, level) if self.tells else None


class OfSeen(Glimpsed):
    """A number that tells which cards are seen."""

    family: ClassVar[str] = "cards seen"


class OfKind(Glimpsed):
    """A number that depends on the kinds of cards."""

    family: ClassVar[str] = "kinds"

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the evidence of any number, and of its oddest value: a hand without a land may never come."""
        yield from super().judge(counts, n, decks)
        chances = self.law(n).probabilities
        if not decks or not self._has_few(n):
            return
        above = np.where(counts > 0, bdtrc(counts - 1, decks, chances), 1.0)
        tails = np.concatenate([bdtr(counts, decks, chances), above])
        at = int(tails.argmin()) % len(chances)
        p_value = PValue(min(1.0, len(tails) * float(tails.min())), COUNT, int(counts[at]))
        words = f"{self.name}: {at + self.law(n).low} in {{seen:.2%}} of decks; {{expected:.2%}} would be fair"
        yield self.evidence("one number", p_value, words, seen=float(counts[at] / decks), expected=float(chances[at]))

    def log_wealth(self, counts: Counts, n: int, decks: int) -> float | None:
        """Return the log of what the bets have made; some are that a number never comes."""
        made = super().log_wealth(counts, n, decks)
        if made is None or not self._has_few(n):
            return made
        return log_wealth_of_both(made, log_wealth_of_never(counts, decks, self.law(n).probabilities))

    def bet_on(self, counts: Counts, n: int, decks: int) -> Evidence:
        """Return the evidence of the oddest test."""
        return min(self.judge(counts, n, decks), key=lambda each: each.p_value)

    def _has_few(self, n: int) -> bool:
        """Tell whether the numbers are so few that each is judged."""
        return 2 < len(self.law(n).weights) <= MOST_JUDGED


class HandBefore(Glimpsed):
    """How many cards of an earlier hand come again."""

    family: ClassVar[str] = "serial"


@dataclass(frozen=True, kw_only=True)
class Scored(OfKind):
    """A score of the numbers of kinds in hands, counted from the least one in whole steps: so its tails are exact."""

    what: str  # the score in words
    lowest: float  # the score at step 0
    step: float  # from one to the next
    # the hand and the numbers next to the mean, in words, if the share of hands that hold them says more
    near: str = ""
    last_near: int = 0  # the steps of the farther one

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the mean."""
        if not decks:
            return
        law = self.law(n)
        p_value = mean_shift(law, counts)
        if self.near:
            seen = float(counts[: self.last_near + 1].sum() / decks)
            fair = float(law.probabilities[: self.last_near + 1].sum())
            words = f"{self.near} in {{seen:.1%}} of decks; {{expected:.1%}} would be fair"
        else:
            steps = float(counts @ np.arange(len(counts))) / decks
            seen, fair = (self.lowest + each * self.step for each in (steps, law.mean))
            words = f"{self.what} is {{seen:.4g}} on average; {{expected:.4g}} would be fair"
        means = self.few if p_value.score < 0 else self.many
        yield self.evidence("mean", p_value, words, seen=seen, expected=fair, means=means)


def many_of(kind: Kind) -> str:
    """Return the name of a kind as the words of a statistic can hold it, which are templates."""
    return kind.name.replace("{", "(").replace("}", ")")


def named_hands(sight: Sight) -> list[tuple[str, tuple[int, ...]]]:
    """Return the name and the places of each hand; of whole decks, of the top seven, if there are twice as many."""
    if not sight.hands and sight.cards >= 2 * HAND:
        return [("the hand", tuple(range(sight.cards - HAND, sight.cards)))]
    several = len(sight.hands) > 1
    return [(f"hand {at}" if several else "the hand", hand) for at, hand in enumerate(sight.hands, 1)]


def number_held(places: Iterable[int], cards: Iterable[int], view: View) -> Values:
    """Return how many of the cards lie at these places of each deck."""
    marks = np.zeros(view.cards, np.bool_)
    marks[list(cards)] = True
    return counted(marks[view.columns[list(places)]])


@cache
def _square_ways(n: int, sort: int, sizes: tuple[int, ...]) -> tuple[dict[int, int], int, int]:
    """Return the weights of b x^2 - a x added up over hands of these sizes, where a/b is about twice the mean; b; a.

    So b times the squares of the distances from a/2b, less a constant.
    """
    # Any mean makes a valid statistic: a rounded one keeps its values few.
    double = Fraction(2 * sort * sizes[0], n).limit_denominator(FINEST if len(sizes) == 1 else 2)
    a, b = double.as_integer_ratio()
    ways = {(0, 0): 1}
    for size in sizes:
        after: Counter[tuple[int, int]] = Counter()
        for (used, square), number in ways.items():
            for held in range(min(size, sort - used) + 1):
                after[used + held, square + b * held**2 - a * held] += number * comb(size, held)
        ways = after
    total: Counter[int] = Counter()
    for (used, square), number in ways.items():
        total[square] += number * comb(n - sum(sizes), sort - used)
    return dict(total), a, b


def _spread(name: str, hand: str, hands: tuple[tuple[int, ...], ...], kind: Kind, n: int) -> Scored | None:
    """Return the squared distances of a kind from its mean in some hands; None if two numbers, or too many, come."""
    size, sort = len(hands[0]), len(kind.cards)
    if (
        size > SCORED
        or len(hands) * min(size, sort) * sort * (2 * len(hands) * size**2) ** (len(hands) > 1) > SCORE_WORK
    ):
        return None
    ways, a, b = _square_ways(n, sort, tuple(map(len, hands)))
    least, step = step_of(ways)
    law = law_of({(square - least) // step: number for square, number in ways.items() if number})
    held = hypergeometric_law(n, sort, size).values
    if len(law.weights) > LONGEST_LAW or (len(hands) == 1 and len(held) < 3):  # of two numbers the mean tells all
        return None

    def of(view: View) -> Values:
        total = np.zeros(view.decks, np.int64)
        for places in hands:
            number = number_held(places, kind.cards, view)
            total += b * number * number - a * number
        return (total - least) // step

    mean, kinds = a / (2 * b), many_of(kind)
    near = sorted({floor(mean), ceil(mean)})
    return Scored(
        name,
        "hands that were smoothed, or clumps",
        _SOURCE,
        of=of,
        law=lambda n: law,  # noqa: ARG005 - the sight has the cards
        few=f"the number of {kinds} is near its mean of {mean:.3g} too often: hands were smoothed",
        many=f"the number of {kinds} is far from its mean of {mean:.3g} too often: they clump",
        what=f"the sum over {hand} of the squared distance of the number of {kinds} from {mean:.3g}",
        lowest=least / b + len(hands) * mean**2,
        step=step / b,
        near=f"{hand} holds {' or '.join(map(str, near))} {kinds}" if len(hands) == 1 else "",
        last_near=max((b * each * each - a * each - least) // step for each in near),
        most=n,
    )


def _both(name: str, hand: tuple[int, ...], one: Kind, other: Kind, n: int) -> Scored:
    """Return the product of the distances of two kinds in a hand from their means, which are rounded."""
    shared = set(one.cards) & set(other.cards)
    sizes = len(one.cards) - len(shared), len(other.cards) - len(shared), len(shared)
    first, second = (round(len(kind.cards) * len(hand) / n) for kind in (one, other))
    ways: Counter[int] = Counter()
    for a, b, c in product(*(range(min(size, len(hand)) + 1) for size in sizes)):
        rest, left = len(hand) - a - b - c, n - sum(sizes)
        if 0 <= rest <= left:
            number = comb(sizes[0], a) * comb(sizes[1], b) * comb(sizes[2], c) * comb(left, rest)
            ways[(a + c - first) * (b + c - second)] += number
    least, step = step_of(ways)
    law = law_of({(value - least) // step: number for value, number in ways.items()})

    def of(view: View) -> Values:
        found = (number_held(hand, one.cards, view) - first) * (number_held(hand, other.cards, view) - second)
        return (found - least) // step

    return Scored(
        name,
        "kinds that come together, or keep apart",
        _SOURCE,
        of=of,
        law=lambda n: law,  # noqa: ARG005 - the sight has the cards
        few=f"{many_of(one)} and {many_of(other)} keep apart",
        many=f"{many_of(one)} and {many_of(other)} come together",
        what=f"{name}: the product of how many more there are than {first} and {second}",
        lowest=least,
        step=step,
        most=n,
    )


def _held(
    make: type[Glimpsed], name: str, cards: Iterable[int], places: tuple[int, ...], n: int, *, tells: bool = False
) -> Scalar:
    """Return how many of some cards are in a hand."""
    cards = tuple(cards)
    return make(
        name,
        "cards or kinds that come too often or too rarely, and hands that were smoothed",
        _SOURCE,
        of=partial(number_held, places, cards),
        law=cache(lambda n: hypergeometric_law(n, len(cards), len(places))),
        few="too few of them",
        many="too many of them",
        tells=tells,
        most=n if len(places) <= LARGEST_HAND else 0,
    )


def _before(lag: int, hand: str, places: tuple[int, ...], n: int) -> HandBefore:
    """Return how many cards of the hand so many decks before are in a hand."""

    def of(view: View) -> Values:
        hands = np.concatenate([view.lead, view.columns], axis=1)[list(places)]
        start = max(lag, view.lead.shape[1])
        now, before = hands[:, start:], hands[:, start - lag : hands.shape[1] - lag]
        marks = np.zeros((n, now.shape[1]), np.bool_)
        np.put_along_axis(marks, before[:, : now.shape[1]].astype(np.intp), True, axis=0)
        return counted(np.take_along_axis(marks, now.astype(np.intp), axis=0))

    return HandBefore(
        f"cards of {hand} again" if lag == 1 else f"cards of {hand} again after {lag} decks",
        "a hand that comes again, whole or in part, or is avoided",
        _SOURCE,
        of=of,
        law=cache(lambda n: hypergeometric_law(n, len(places), len(places))),
        few="too few of them come again",
        many="too many of them come again",
        tells=lag == 1 and n - 1 in places,
        most=n if len(places) <= LARGEST_HAND else 0,
    )


def seen(sight: Sight) -> Iterator[Statistic]:
    """Yield how much of each part of the list, of each hand before and of each kind is in each hand."""
    n = sight.cards
    for hand, places in named_hands(sight) if sight.hands else ():
        size = len(places)
        parts = {
            range(n // 4): "the first quarter",
            range(n - n // 4, n): "the last quarter",
            range(n // 2): "the first half",
            range(size): f"the first {size}",
            range(n - size, n): f"the last {size}",
        }
        for cards, part in parts.items():
            yield _held(OfSeen, f"cards of {part} of the list in {hand}", cards, places, n)
        if sight.board:
            rows, columns = sight.board
            edge = (
                cell
                for cell in range(n)
                if cell // columns % (rows - 1 or 1) == 0 or cell % columns % (columns - 1 or 1) == 0
            )
            yield _held(OfSeen, f"cells at the edge of the board in {hand}", edge, places, n)
        for lag in LAGS:
            yield _before(lag, hand, places, n)
    yield from _of_kinds(sight)


def _of_kinds(sight: Sight) -> Iterator[Statistic]:
    """Yield how much of each kind, and of each two kinds, is in each hand."""
    n, hands = sight.cards, named_hands(sight)
    for kind in sight.kinds:
        for hand, places in hands:
            yield _held(OfKind, f"{many_of(kind)} in {hand}", kind.cards, places, n, tells=places is hands[0][1])
            if spread := _spread(f"spread of {many_of(kind)} in {hand}", hand, (places,), kind, n):
                yield spread
        name = f"spread of {many_of(kind)} in all hands"
        if len(sight.hands) > 1 and (spread := _spread(name, "all hands", sight.hands, kind, n)):
            yield spread
    for one, other in combinations(sight.kinds[:MOST_KINDS], 2):
        for hand, places in hands:
            if len(places) <= SCORED:
                yield _both(f"{many_of(one)} with {many_of(other)} in {hand}", places, one, other, n)
