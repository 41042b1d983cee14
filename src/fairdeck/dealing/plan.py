"""A plan: what to do with the deck, as frozen data; how it ends; its JSON.

A plan says where every card is dealt and how high the piles are. It holds no permutation. The page, the
sheet, the terminal and the voice read nothing but the plan. Every `Plan` object is sound: it is
checked when it is made, by the planner or from a file.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, pairwise
from typing import Any, Generic

from fairdeck.cards import LARGEST_DECK
from fairdeck.dealing.goal import WHOLE_DECK, Goal, Hands, Strata, parse_goal, spaces_for_one_pass
from fairdeck.dealing.mat import Mat
from fairdeck.doors import check_fields, checked
from fairdeck.errors import FairdeckError, UnsoundPlan
from fairdeck.numbers import shortened
from fairdeck.permutation import Card, Permutation, inverse, permutation_of

FORMAT, WITH_TURNS = "fairdeck-plan/1", "fairdeck-plan/2"  # the second only where cards are turned
LARGEST_DEALERS = 8


@dataclass(frozen=True, slots=True)
class Pass:
    """Deal the whole deck, card by card, onto the given spaces; then stack the piles.

    ``deal[j]`` is the space for the j-th card dealt, from the top, or from the bottom if `from_bottom`. `stack` lists
    the used spaces that are gathered, bottom first; a pile that it leaves out is finished and leaves the mat. `packets`
    are the sizes of the packets the deck is cut into for several dealers, the top packet first; empty for one dealer.
    ``turn[j]`` is 1 if the j-th card dealt is turned end for end before it is laid down; empty if no card ever is.
    """

    deal: tuple[int, ...]
    stack: tuple[int, ...]
    from_bottom: bool = False
    packets: tuple[int, ...] = ()
    turn: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)

    def counts(self, spaces: int) -> tuple[int, ...]:
        """Return how many cards lie on each of the mat's spaces when the pass is dealt."""
        heights = Counter(self.deal)
        return tuple([heights[space] for space in range(spaces)])

    def finished(self) -> list[int]:
        """Return the spaces with finished piles, which are not gathered."""
        return sorted(set(self.deal) - set(self.stack))

    def shares(self, of: Sequence[int] | None = None) -> list[tuple[int, ...]]:
        """Return each dealer's part of `deal`, or of another list of the same cards, the first dealer's first."""
        cuts = [0, *accumulate(self.packets or [len(self.deal)])]
        return [tuple((self.deal if of is None else of)[start:end]) for start, end in pairwise(cuts)]

    def moves(self) -> list[tuple[int, int]]:
        """Return (pile, the pile to put it on) for each move that stacks the piles, in order.

        The pile that must end on top is put on the next pile, both on the next, and so on.
        """
        return list(pairwise(reversed(self.stack)))

    def piles(self, deck: Sequence[Card], spaces: int) -> list[list[Card]]:
        """Return the pile on each of `spaces` spaces, bottom first, after `deck` is dealt.

        Cards are moved, never compared. Several dealers' piles, joined space by space with the first dealer's at the
        bottom, equal one dealer's piles; so the packets make no difference here.
        """
        mat: list[list[Card]] = [[] for _ in range(spaces)]
        for card, space in zip(deck if self.from_bottom else reversed(deck), self.deal, strict=True):
            mat[space].append(card)
        return mat


@dataclass(frozen=True, slots=True)
class Plan:
    """The passes that bring a deck of `cards` cards on `mat` to where `goal` wants it, dealt by `dealers` people.

    Raises:
        UnsoundPlan: the passes cannot be dealt as written; the message says where and why.
    """

    cards: int
    mat: Mat
    passes: tuple[Pass, ...]
    dealers: int = 1
    goal: Goal = field(default=WHOLE_DECK)

    def __post_init__(self) -> None:
        check_fields(self)
        if not 1 <= self.cards <= LARGEST_DECK:
            raise UnsoundPlan(f"the plan is for {self.cards} cards; a deck has 1 to {LARGEST_DECK}")
        if not 1 <= self.dealers <= LARGEST_DEALERS:
            raise UnsoundPlan(f"the plan is for {self.dealers} dealers; there can be 1 to {LARGEST_DEALERS}")
        if not self.passes:
            raise UnsoundPlan("the plan has no pass")
        self.goal.check(self.cards)
        in_deck = self.cards
        finished: list[int] = []
        for number, step in enumerate(self.passes, 1):
            counts = self._check_pass(step, f"pass {number}", in_deck)
            finished += [counts[space] for space in step.finished()]
            in_deck = sum(counts[space] for space in step.stack)
        wanted = [] if self.counted_off else list(self.goal.piles)
        if finished != wanted:
            raise UnsoundPlan(f"the passes leave piles of {finished} on the mat; the goal {self.goal} wants {wanted}")
        if isinstance(self.goal, Strata) and (fault := self.goal.fault(replay(self, range(self.cards))[0])):
            raise UnsoundPlan(f"after the passes {fault}; the goal {self.goal} wants one in each part")

    @property
    def counted_off(self) -> bool:
        """Whether hands are counted off the deck that the last pass gathers, because the mat has no space for each."""
        return self.mat.spaces < spaces_for_one_pass(self.goal, self.cards)

    def _check_pass(self, step: Pass, name: str, in_deck: int) -> tuple[int, ...]:
        spaces = self.mat.spaces
        if not step.deal or len(step.deal) != in_deck:
            raise UnsoundPlan(f"{name} deals {len(step.deal)} cards; the deck has {in_deck}")
        if min(step.deal) < 0 or max(step.deal) >= spaces:
            odd = next(space for space in step.deal if not 0 <= space < spaces)
            raise UnsoundPlan(f"{name} deals to space {odd}; the mat {self.mat} has spaces 0 to {spaces - 1}")
        counts = step.counts(spaces)
        for space in step.stack:
            if not 0 <= space < spaces or not counts[space]:
                raise UnsoundPlan(f"{name} stacks space {space}, where no card lies")
        if len(set(step.stack)) < len(step.stack):
            twice = next(space for space in step.stack if step.stack.count(space) > 1)
            raise UnsoundPlan(f"{name} stacks space {twice} twice")
        if self.dealers > 1 and (len(step.packets) != self.dealers or sum(step.packets) != in_deck):
            raise UnsoundPlan(
                f"{name} cuts {in_deck} cards into packets of {list(step.packets)} for {self.dealers} dealers"
            )
        if self.dealers > 1 and (min(step.packets) < 0 or step.from_bottom):
            raise UnsoundPlan(f"{name}: several dealers deal packets of 0 cards or more, from the top")
        if step.turn and (name != "pass 1" or len(step.turn) != in_deck or not set(step.turn) <= {0, 1}):
            raise UnsoundPlan(f"{name} turns cards: only pass 1 can, with a 0 or 1 for each of {in_deck} cards")
        if self.dealers == 1 and step.packets:
            raise UnsoundPlan(f"{name} has packets, but the plan has one dealer")
        return counts

    @property
    def turned(self) -> tuple[int, ...]:
        """For each place of the deck at the start, bottom first, 1 if its card is turned end for end, else 0."""
        first = self.passes[0]
        turn = first.turn or (0,) * self.cards
        return turn if first.from_bottom else turn[::-1]

    def as_dict(self) -> dict[str, Any]:
        """Return the plan as its JSON object: ``fairdeck-plan/1``, or ``/2`` if it says which cards to turn."""
        return {
            "format": WITH_TURNS if self.passes[0].turn else FORMAT,
            "cards": self.cards,
            "mat": {"columns": self.mat.columns, "rows": self.mat.rows, "labels": list(self.mat.labels)},
            "dealers": self.dealers,
            "goal": str(self.goal),
            "passes": [self._pass_as_dict(step) for step in self.passes],
        }

    def _pass_as_dict(self, step: Pass) -> dict[str, Any]:
        written: dict[str, Any] = {
            "deal": list(step.deal),
            "stack": list(step.stack),
            "counts": list(step.counts(self.mat.spaces)),
        }
        if step.from_bottom:
            written["from"] = "bottom"
        if step.packets:
            written["packets"] = list(step.packets)
        if step.turn:
            written["turn"] = list(step.turn)
        return written


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Card]):
    """Where the cards lie after a pass: the piles as dealt, the finished piles, the gathered deck."""

    piles: tuple[tuple[Card, ...], ...]
    finished: tuple[tuple[Card, ...], ...]
    deck: tuple[Card, ...]


@checked
def outcomes(plan: Plan, deck: Sequence[Card]) -> Iterator[Outcome[Card]]:
    """Yield how `deck`, bottom first, lies after each pass of `plan`."""
    if len(deck) != plan.cards:
        raise FairdeckError(f"the plan is for {plan.cards} cards; the deck has {len(deck)}")
    for step in plan.passes:
        piles = step.piles(deck, plan.mat.spaces)
        deck = tuple(chain.from_iterable([piles[space] for space in step.stack]))
        finished = tuple(tuple(piles[space]) for space in step.finished())
        yield Outcome(tuple(map(tuple, piles)), finished, deck)


@checked
def replay(plan: Plan, deck: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[tuple[Card, ...], ...]]:
    """Return the deck at the end and the finished piles, after `plan` is dealt with `deck`, bottom first.

    Hands that are counted off are finished piles too.
    """
    finished: tuple[tuple[Card, ...], ...] = ()
    end: tuple[Card, ...] = ()
    for outcome in outcomes(plan, deck):
        finished += outcome.finished
        end = outcome.deck
    if plan.counted_off:
        cuts = [plan.cards - size for size in accumulate(plan.goal.piles, initial=0)]
        finished = tuple([end[start:stop] for stop, start in pairwise(cuts)])
        end = end[: cuts[-1]]
    return end, finished


@checked
def reaches(plan: Plan, arrangement: Sequence[int]) -> bool:
    """Return whether `plan` brings each card to its place in `arrangement`, bottom first, as far as the goal asks.

    Hands take their cards from the top of the arrangement, the first hand first; the order within a
    hand does not matter.

    Raises:
        FairdeckError: `arrangement` is not an order of the plan's cards.
    """
    if len(permutation_of(arrangement)) != plan.cards:
        raise FairdeckError(f"the order has {len(arrangement)} cards; the plan is for {plan.cards}")
    deck, finished = replay(plan, range(plan.cards))
    end = plan.cards
    for pile in finished:
        if sorted(pile) != sorted(arrangement[end - len(pile) : end]):
            return False
        end -= len(pile)
    loose = plan.goal.loose(plan.cards)
    return deck[loose:] == tuple(arrangement[loose:end])


@checked
def read_plan(text: str) -> tuple[Plan, Permutation | None]:
    """Read ``fairdeck-plan/1`` or ``/2`` JSON; return the plan and, if the file reveals it, the arrangement.

    Every field is checked, by itself and against the others. Unknown fields are ignored. If a plan
    has no goal, the goal is what its passes do.

    Raises:
        UnsoundPlan: the text is not a sound plan; the message names the place.
    """
    try:
        written = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise UnsoundPlan(f"the plan is not JSON at {place}; the file may be incomplete") from None
    except (ValueError, RecursionError):
        raise UnsoundPlan(
            "the plan is not JSON that can be read: a number is too long, or lists are nested too deeply"
        ) from None
    if not isinstance(written, dict) or written.get("format") not in (FORMAT, WITH_TURNS):
        raise UnsoundPlan(
            f'the file is not a plan: it must be a JSON object with "format": "{FORMAT}" or "{WITH_TURNS}"'
        )
    try:
        return _read_fields(written)
    except UnsoundPlan:
        raise
    except FairdeckError as error:
        raise UnsoundPlan(f"the plan is not sound: {error}") from None


def _read_fields(written: dict[str, Any]) -> tuple[Plan, Permutation | None]:
    cards = _number(written, "cards", "the plan")
    if not 1 <= cards <= LARGEST_DECK:
        raise UnsoundPlan(f"the plan is for {shortened(cards)} cards; a deck has 1 to {LARGEST_DECK}")
    grid = _typed(written, "mat", dict, "the plan")
    labels = _typed(grid, "labels", list, "the mat")
    if not labels or not all(isinstance(label, str) for label in labels):
        raise UnsoundPlan("the mat's labels must be texts, one a space")
    mat = Mat(_number(grid, "columns", "the mat"), _number(grid, "rows", "the mat"), tuple(labels))
    steps = _typed(written, "passes", list, "the plan")
    passes = tuple(_read_pass(step, f"pass {number}", mat) for number, step in enumerate(steps, 1))
    goal = parse_goal(_typed(written, "goal", str, "the plan"), cards) if "goal" in written else _goal_of(passes)
    plan = Plan(cards, mat, passes, _number(written, "dealers", "the plan") if "dealers" in written else 1, goal)
    if written["format"] != plan.as_dict()["format"]:
        raise UnsoundPlan(f'a plan has "format": "{WITH_TURNS}" if pass 1 has "turn", and else "{FORMAT}"')
    if "destinations" not in written:
        return plan, None
    destinations = _numbers(written, "destinations", "the plan")
    if len(destinations) != cards:
        raise UnsoundPlan(f"the plan reveals {len(destinations)} destinations for {cards} cards")
    return plan, inverse(permutation_of(destinations))


def _read_pass(written: Any, name: str, mat: Mat) -> Pass:
    if not isinstance(written, dict):
        raise UnsoundPlan(f"{name} is not an object")
    start = written.get("from", "top")
    if start not in ("top", "bottom"):
        raise UnsoundPlan(f'{name} is dealt from {shortened(start)}; it must be "top" or "bottom"')
    packets = _numbers(written, "packets", name) if "packets" in written else ()
    turn = _numbers(written, "turn", name) if "turn" in written else ()
    step = Pass(_numbers(written, "deal", name), _numbers(written, "stack", name), start != "top", packets, turn)
    claimed, counted = _numbers(written, "counts", name), step.counts(mat.spaces)
    if len(claimed) != len(counted):
        raise UnsoundPlan(f"{name} gives {len(claimed)} counts; the mat {mat} has {mat.spaces} spaces")
    for label, claim, count in zip(mat.labels, claimed, counted, strict=True):
        if claim != count:
            raise UnsoundPlan(f"{name} says that {label} is {shortened(claim)} high; its cards make it {count}")
    return step


def _goal_of(passes: tuple[Pass, ...]) -> Goal:
    finished: list[int] = []
    stock = 0
    for step in passes:
        heights = Counter(step.deal)
        finished += [heights[space] for space in step.finished()]
        stock = sum(heights[space] for space in step.stack)
    return Hands(tuple(finished), stock) if finished else WHOLE_DECK


JSON_TYPES = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}


def _typed(written: dict[str, Any], name: str, kind: type, where: str) -> Any:
    if name not in written:
        raise UnsoundPlan(f"{where} has no {name!r}")
    if type(written[name]) is not kind:
        raise UnsoundPlan(f"{where} has {shortened(written[name])} for {name!r}; it must be {JSON_TYPES[kind]}")
    return written[name]


def _number(written: dict[str, Any], name: str, where: str) -> int:
    value: int = _typed(written, name, int, where)
    return value


def _numbers(written: dict[str, Any], name: str, where: str) -> tuple[int, ...]:
    values = _typed(written, name, list, where)
    if not all(type(value) is int for value in values):
        odd = next(value for value in values if type(value) is not int)
        raise UnsoundPlan(f"{where} has {shortened(odd)} among its {name!r}; all must be whole numbers")
    return tuple(values)
