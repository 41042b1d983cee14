"""The goal of a deal: the whole deck, hands, only the first cards that will be used, or one special card in each part.

A goal is written as ``deck``, ``top:20``, ``hands:4x13`` or ``hands:5,5,4``. If cards are left over, the goal says
whether they are a ``+stock`` (in random order) or a ``+rest`` (in no known order). Strata are ``strata:5``, five parts
about equally large, the larger ones on top; or ``strata:3x11,2x10``, the sizes of the parts from the top.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import ClassVar, TypeAlias

from fairdeck.cards import LARGEST_DECK
from fairdeck.doors import check_fields, checked
from fairdeck.errors import FairdeckError, nearest
from fairdeck.numbers import shortened, whole
from fairdeck.permutation import Permutation
from fairdeck.randomness import Chooser, uniform_permutation


def deck_size(text: str | int) -> int:
    """Return `text`, or a number, as a number of cards, 1 to 1,000,000."""
    return whole("cards", text, 1, LARGEST_DECK)


@dataclass(frozen=True, slots=True)
class WholeDeck:
    """Every card of the deck in a random order."""

    piles: ClassVar[tuple[int, ...]] = ()
    rest: ClassVar[int] = 0

    def __str__(self) -> str:
        return "deck"

    def loose(self, cards: int) -> int:
        """Return how many cards at the bottom of the gathered deck need no order: none."""
        return 0

    def check(self, cards: int) -> None:
        """Accept a deck of any number of `cards`."""


@dataclass(frozen=True, slots=True)
class TopCards:
    """The first `ordered` cards from the top in a random order; the others below are not mixed."""

    ordered: int
    piles: ClassVar[tuple[int, ...]] = ()
    rest: ClassVar[int] = 0

    def __post_init__(self) -> None:
        check_fields(self)
        whole("cards on top", self.ordered, 1, LARGEST_DECK)

    def __str__(self) -> str:
        return f"top:{self.ordered}"

    def loose(self, cards: int) -> int:
        """Return how many cards at the bottom of the gathered deck need no order."""
        return cards - self.ordered

    def check(self, cards: int) -> None:
        """Raise a FairdeckError unless a deck of `cards` has that many."""
        if not 1 <= self.ordered <= cards:
            raise FairdeckError(f"goal {self}: the deck has {cards} cards; write top:1 to top:{cards}")


@dataclass(frozen=True, slots=True)
class Hands:
    """One pile of each of the `sizes`; which cards each pile holds is random.

    The other cards are a `stock`, gathered in random order, or a `rest`, left as one pile in no known order.
    """

    sizes: tuple[int, ...]
    stock: int = 0
    rest: int = 0

    def __post_init__(self) -> None:
        check_fields(self)
        for size in self.sizes:
            whole("cards of a hand", size, 1, LARGEST_DECK)
        whole("stock", self.stock, 0, LARGEST_DECK)
        whole("rest", self.rest, 0, LARGEST_DECK)

    def __str__(self) -> str:
        return f"hands:{_written(self.sizes)}" + "+stock" * (self.stock > 0) + "+rest" * (self.rest > 0)

    @property
    def piles(self) -> tuple[int, ...]:
        """The sizes of the piles that one pass finishes, or that are counted off: the hands, then the rest."""
        return self.sizes + (self.rest,) * (self.rest > 0)

    def loose(self, cards: int) -> int:
        """Return how many cards of the gathered stock need no order: none."""
        return 0

    def check(self, cards: int) -> None:
        """Raise a FairdeckError unless hands, stock and rest add up to `cards`."""
        dealt = sum(self.sizes) + self.stock + self.rest
        if dealt != cards or not self.sizes or min(self.sizes) < 1 or min(self.stock, self.rest) < 0:
            raise FairdeckError(f"goal {self} takes {dealt} cards; the deck has {cards}: make them add up")


@dataclass(frozen=True, slots=True)
class Strata:
    """One special card in each part of the deck, as in games in which people play together against the deck.

    Every order with one special card in each part is equally likely. The special cards lie on top of the deck before
    the deal, as many as there are parts. `sizes` are those of the parts, from the top.
    """

    sizes: tuple[int, ...]
    piles: ClassVar[tuple[int, ...]] = ()
    rest: ClassVar[int] = 0

    def __post_init__(self) -> None:
        check_fields(self)
        for size in self.sizes:
            whole("cards of a part", size, 1, LARGEST_DECK)

    def __str__(self) -> str:
        written = _written(self.sizes)
        return f"strata:{'1x' * written.isdigit()}{written}"  # a number alone is a number of parts

    def loose(self, cards: int) -> int:
        """Return how many cards of the gathered deck need no order: none."""
        return 0

    def check(self, cards: int) -> None:
        """Raise a FairdeckError unless the parts add up to `cards`."""
        if sum(self.sizes) != cards:
            raise FairdeckError(f"goal {self} takes {sum(self.sizes)} cards; the deck has {cards}: make them add up")

    def draw(self, cards: int, integers: Chooser) -> Permutation:
        """Return an order of `cards` cards, bottom first, uniformly random among those with a special card a part.

        Drawn with `integers` are a place in each part, an order of the special cards and one of the others. Each
        admissible order comes of exactly one such draw.
        """
        ends = [cards - end for end in accumulate(self.sizes)]
        places = {end + integers.below(size) for end, size in zip(ends, self.sizes, strict=True)}
        others = cards - len(self.sizes)
        special = iter([others + card for card in uniform_permutation(len(self.sizes), integers)])
        rest = iter(uniform_permutation(others, integers))
        return tuple([next(special if place in places else rest) for place in range(cards)])

    def fault(self, order: Sequence[int]) -> str:
        """Say which part of `order`, bottom first, has no or several special cards; empty if none has."""
        end = len(order)
        for number, size in enumerate(self.sizes, 1):
            special = sum(card >= len(order) - len(self.sizes) for card in order[end - size : end])
            if special != 1:
                return f"part {number} from the top has {special} special cards"
            end -= size
        return ""


Goal: TypeAlias = WholeDeck | TopCards | Hands | Strata
"""One of four goals. A planner needs the sizes of its `piles`, and how many cards are `loose`.

The target is always a whole arrangement. Its cards go, from the top, to the piles in turn; the others are gathered in
its order, except for the loose ones at the bottom.
"""


def spaces_for_one_pass(goal: Goal, cards: int) -> int:
    """Return the spaces on which one pass finishes the hands: one for each pile, and one for a stock or a whole deck.

    With fewer, several passes bring the hands together, and they are counted off the gathered deck.
    """
    return len(goal.piles) + (sum(goal.piles) < cards)


#: The goal of every card in a random order, and the default.
WHOLE_DECK = WholeDeck()
GOALS = ("deck", "top", "hands", "strata")


@checked
def parse_goal(text: str, cards: int) -> Goal:
    """Read a goal for a deck of `cards` cards.

    Raises:
        FairdeckError: the text is not a goal, or the goal does not add up to the deck.

    >>> parse_goal("hands:4x13", 52)
    Hands(sizes=(13, 13, 13, 13), stock=0, rest=0)
    """
    whole("cards", cards, 1, LARGEST_DECK)
    kind, _, value = text.strip().partition(":")
    if kind == "deck" and not value:
        return WHOLE_DECK
    if kind == "top":
        return TopCards(whole(f"goal {shortened(text)}", value, 1, cards))
    if kind == "hands":
        return _parse_hands(text, value, cards)
    if kind == "strata":
        return _parse_strata(f"goal {shortened(text)}", value, cards)
    near = nearest(kind, GOALS) or ";"
    raise FairdeckError(
        f"goal {shortened(text)} is not known{near} use deck, top:20, hands:4x13, hands:5,5,4+stock or strata:5"
    )


def _parse_hands(text: str, value: str, cards: int) -> Hands:
    hands, plus, rest = value.partition("+")
    what = f"goal {shortened(text)}"
    if plus and rest not in ("stock", "rest"):
        raise FairdeckError(f"{what}: after the hands only +stock or +rest can follow")
    groups = [_parse_group(group, what) for group in hands.split(",")]
    dealt = sum(times * size for times, size in groups)
    left = cards - dealt
    if left < 0:
        raise FairdeckError(f"{what} takes {dealt} cards; the deck has {cards}: deal fewer or smaller hands")
    if left and not plus:
        raise FairdeckError(
            f"{what} leaves {left} of {cards} cards: add +stock (in random order) or +rest (as they come)"
        )
    if plus and not left:
        raise FairdeckError(f"{what} leaves no card over: leave out +{rest}")
    sizes = _sizes_of(groups)
    return Hands(sizes, stock=left) if rest == "stock" else Hands(sizes, rest=left)


def _parse_strata(what: str, value: str, cards: int) -> Strata:
    if not set(value) & {"x", ","}:
        small, larger = divmod(cards, parts := whole(what, value, 1, cards))
        return Strata((small + 1,) * larger + (small,) * (parts - larger))
    groups = [_parse_group(group, what) for group in value.split(",")]
    if (dealt := sum(times * size for times, size in groups)) != cards:
        parts = min(cards, sum(times for times, _ in groups))
        raise FairdeckError(
            f"{what} takes {dealt} cards; the deck has {cards}, special cards included: make the parts add up, or "
            f"write strata:{parts} for parts about equally large"
        )
    return Strata(_sizes_of(groups))


def _parse_group(group: str, what: str) -> tuple[int, int]:
    times, by, size = group.partition("x")
    if not by:
        times, size = "1", times
    return whole(what, times, 1, LARGEST_DECK), whole(what, size, 1, LARGEST_DECK)


def _sizes_of(groups: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(size for times, size in groups for _ in range(times))


def _written(sizes: Sequence[int]) -> str:
    """Return sizes as short as can be.

    >>> _written((5, 5, 4))
    '2x5,4'
    """
    runs = [(size, len(list(same))) for size, same in groupby(sizes)]
    return ",".join(f"{times}x{size}" if times > 1 else str(size) for size, times in runs)
