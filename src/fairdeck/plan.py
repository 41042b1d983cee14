"""A plan: what to do with the deck, as plain frozen data; how it ends; its JSON.

A plan knows piles and how many cards lie where. It holds no permutation. Whoever shows it (page,
sheet, terminal, voice) knows nothing else. Every `Plan` in existence is sound: all of it is
checked when it is made, whether by the planner or from a file.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Generic

from fairdeck.errors import FairdeckError, UnsoundPlan
from fairdeck.goal import LARGEST_DECK, WHOLE_DECK, Goal, Hands, parse_goal
from fairdeck.mat import Mat
from fairdeck.permutation import Card, Permutation, inverse, permutation

FORMAT = "fairdeck-plan/1"
LARGEST_DEALERS = 8


@dataclass(frozen=True, slots=True)
class Pass:
    """Deal the whole deck, card by card, onto told spaces; then stack the piles.

    ``deal[j]`` is the space for the j-th card dealt, from the top, or from the base if
    `from_base`. `stack` lists the used spaces that are gathered, base first; a pile that it leaves
    out is finished and leaves the mat. `packets` are the sizes of the packets the deck is cut into
    for several dealers, the top packet first; empty for one dealer.
    """

    deal: tuple[int, ...]
    stack: tuple[int, ...]
    from_base: bool = False
    packets: tuple[int, ...] = ()

    def counts(self, spaces: int) -> tuple[int, ...]:
        """Return how many cards lie on each of the mat's spaces when the pass is dealt."""
        heights = Counter(self.deal)
        return tuple([heights[space] for space in range(spaces)])

    def piles(self, deck: Sequence[Card], spaces: int) -> list[list[Card]]:
        """Deal `deck` out and return the pile on each space, base first. Cards are never looked at.

        Several dealers' piles, joined space by space with the first dealer's undermost, are the
        same as one dealer's; so the packets make no difference here.
        """
        mat: list[list[Card]] = [[] for _ in range(spaces)]
        for card, space in zip(deck if self.from_base else reversed(deck), self.deal, strict=True):
            mat[space].append(card)
        return mat


@dataclass(frozen=True, slots=True)
class Plan:
    """The passes that bring a deck of `cards` cards on `mat` to where `goal` wants it.

    Raises:
        UnsoundPlan: the passes cannot be dealt as written; the message says where and why.
    """

    cards: int
    mat: Mat
    passes: tuple[Pass, ...]
    dealers: int = 1
    goal: Goal = field(default=WHOLE_DECK)

    def __post_init__(self) -> None:
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
            finished += [count for space, count in enumerate(counts) if count and space not in step.stack]
            in_deck = sum(counts[space] for space in step.stack)
        if tuple(finished) != self.goal.piles:
            wanted = list(self.goal.piles)
            raise UnsoundPlan(f"the passes leave piles of {finished} on the mat; the goal {self.goal} wants {wanted}")

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
            if step.stack.count(space) > 1:
                raise UnsoundPlan(f"{name} stacks space {space} twice")
        if self.dealers > 1 and (len(step.packets) != self.dealers or sum(step.packets) != in_deck):
            raise UnsoundPlan(
                f"{name} cuts {in_deck} cards into packets of {list(step.packets)} for {self.dealers} dealers"
            )
        if self.dealers > 1 and (min(step.packets) < 0 or step.from_base):
            raise UnsoundPlan(f"{name}: several dealers deal packets of 0 cards or more, from the top")
        if self.dealers == 1 and step.packets:
            raise UnsoundPlan(f"{name} has packets, but the plan has one dealer")
        return counts

    def as_dict(self) -> dict[str, Any]:
        """Return the plan as its JSON object, ``fairdeck-plan/1``."""
        return {
            "format": FORMAT,
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
        if step.from_base:
            written["from"] = "base"
        if step.packets:
            written["packets"] = list(step.packets)
        return written


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Card]):
    """Where the cards lie after a pass: the piles as dealt, the finished ones, the deck gathered."""

    piles: tuple[tuple[Card, ...], ...]
    finished: tuple[tuple[Card, ...], ...]
    deck: tuple[Card, ...]


def outcomes(plan: Plan, deck: Sequence[Card]) -> Iterator[Outcome[Card]]:
    """Yield how `deck`, base first, lies after each pass of `plan`."""
    if len(deck) != plan.cards:
        raise FairdeckError(f"the plan is for {plan.cards} cards; the deck has {len(deck)}")
    for step in plan.passes:
        piles = step.piles(deck, plan.mat.spaces)
        deck = tuple(chain.from_iterable([piles[space] for space in step.stack]))
        stacked = set(step.stack)
        finished = tuple(tuple(pile) for space, pile in enumerate(piles) if pile and space not in stacked)
        yield Outcome(tuple(map(tuple, piles)), finished, deck)


def replay(plan: Plan, deck: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[tuple[Card, ...], ...]]:
    """Deal `plan` with `deck`, base first; return the deck at the end and the finished piles."""
    finished: tuple[tuple[Card, ...], ...] = ()
    end: tuple[Card, ...] = ()
    for outcome in outcomes(plan, deck):
        finished += outcome.finished
        end = outcome.deck
    return end, finished


def reaches(plan: Plan, arrangement: Sequence[int]) -> bool:
    """Say whether `plan` brings each card where `arrangement`, base first, and the goal want it.

    Hands take their cards from the top of the arrangement, the first hand first; in which order a
    hand holds its cards does not matter.
    """
    deck, finished = replay(plan, range(plan.cards))
    end = plan.cards
    for pile in finished:
        if sorted(pile) != sorted(arrangement[end - len(pile) : end]):
            return False
        end -= len(pile)
    loose = plan.goal.loose(plan.cards)
    return deck[loose:] == tuple(arrangement[loose:end])


def read_plan(text: str) -> tuple[Plan, Permutation | None]:
    """Read ``fairdeck-plan/1`` JSON; return the plan and, where it is revealed, its arrangement.

    Every field is checked, against the others too. Fields beyond the format's own are ignored. A
    plan that names no goal is taken to want what its passes do.

    Raises:
        UnsoundPlan: the text is no such plan; the message names the place.
    """
    try:
        written = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnsoundPlan(f"the plan is not JSON ({error}): is the file complete?") from None
    if not isinstance(written, dict) or written.get("format") != FORMAT:
        raise UnsoundPlan(f'the file is not a plan: it must be a JSON object with "format": "{FORMAT}"')
    cards = _integer(written, "cards", "the plan")
    grid = _typed(written, "mat", dict, "the plan")
    labels = _typed(grid, "labels", list, "the mat")
    if not all(isinstance(label, str) for label in labels):
        raise UnsoundPlan("the mat's labels must be texts")
    try:
        mat = Mat(_integer(grid, "columns", "the mat"), _integer(grid, "rows", "the mat"), tuple(labels))
        passes = tuple(
            _read_pass(step, f"pass {number}", mat)
            for number, step in enumerate(_typed(written, "passes", list, "the plan"), 1)
        )
        goal = parse_goal(_typed(written, "goal", str, "the plan"), cards) if "goal" in written else _goal_of(passes)
        dealers = _integer(written, "dealers", "the plan") if "dealers" in written else 1
        plan = Plan(cards, mat, passes, dealers, goal)
        if "destinations" not in written:
            return plan, None
        destinations = permutation(_integers(written, "destinations", "the plan"))
    except UnsoundPlan:
        raise
    except FairdeckError as error:
        raise UnsoundPlan(f"the plan is not sound: {error}") from None
    if len(destinations) != cards:
        raise UnsoundPlan(f"the plan reveals {len(destinations)} destinations for {cards} cards")
    return plan, inverse(destinations)


def _read_pass(written: Any, name: str, mat: Mat) -> Pass:
    if not isinstance(written, dict):
        raise UnsoundPlan(f"{name} is not an object")
    start = written.get("from", "top")
    if start not in ("top", "base"):
        raise UnsoundPlan(f'{name} is dealt from {start!r}; it must be "top" or "base"')
    packets = _integers(written, "packets", name) if "packets" in written else ()
    step = Pass(_integers(written, "deal", name), _integers(written, "stack", name), start == "base", packets)
    claimed, counted = _integers(written, "counts", name), step.counts(mat.spaces)
    if len(claimed) != len(counted):
        raise UnsoundPlan(f"{name} gives {len(claimed)} counts; the mat {mat} has {mat.spaces} spaces")
    for label, claim, count in zip(mat.labels, claimed, counted, strict=True):
        if claim != count:
            raise UnsoundPlan(f"{name} says that {label} is {claim} high; its cards make it {count}")
    return step


def _goal_of(passes: tuple[Pass, ...]) -> Goal:
    finished: list[int] = []
    stock = 0
    for step in passes:
        heights = Counter(step.deal)
        finished += [heights[space] for space in sorted(heights) if space not in step.stack]
        stock = sum(heights[space] for space in step.stack)
    return Hands(tuple(finished), stock) if finished else WHOLE_DECK


def _typed(written: dict[str, Any], name: str, kind: type, where: str) -> Any:
    if not isinstance(written.get(name), kind):
        raise UnsoundPlan(f"{where} has no {name!r}, or it is not a {kind.__name__}")
    return written[name]


def _integer(written: dict[str, Any], name: str, where: str) -> int:
    value = written.get(name)
    if type(value) is not int:
        raise UnsoundPlan(f"{where} has no {name!r}, or it is not a whole number")
    return value


def _integers(written: dict[str, Any], name: str, where: str) -> tuple[int, ...]:
    values = _typed(written, name, list, where)
    if not all(type(value) is int for value in values):
        raise UnsoundPlan(f"{where}: {name!r} must hold whole numbers only")
    return tuple(values)
