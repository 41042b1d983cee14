"""Shuffles one after another: what people do with a deck is a recipe of a few simple steps."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from fairdeck.errors import FairdeckError
from fairdeck.permutation import identity, then
from fairdeck.shuffles.known import Known, Shuffle, Streaming

if TYPE_CHECKING:
    from random import Random

MOST_TIMES = 10_000
LONGEST_SENTENCE = 120  # characters


class Step(NamedTuple):
    """One shuffle, so many times over.

    Attributes:
        known: the shuffle; it starts from the deck that it is handed and keeps nothing.
        times: how often, 1 or more.
    """

    known: Known
    times: int

    @property
    def model(self) -> Shuffle:
        """The shuffle itself."""
        return cast(Shuffle, self.known.shuffle)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Steps, each done to the deck that the last one left.

    Attributes:
        steps: a flat list: no step is a recipe itself, and no two neighbours are the same shuffle.
    """

    steps: tuple[Step, ...]

    def __call__(self, n: int, rng: "Random") -> Sequence[int]:
        """Return the arrangement after all of them."""
        deck: Sequence[int] = identity(n)
        for step in self.steps:
            shuffle = step.model
            for _ in range(step.times):
                deck = then(deck, shuffle(n, rng))
        return deck


def steps_of(known: Known) -> tuple[Step, ...]:
    """Return the flat steps of a known shuffle; one that is no recipe is its own only step."""
    return known.shuffle.steps if isinstance(known.shuffle, Recipe) else (Step(known, 1),)


def recipe_of(steps: Iterable[tuple[Known, int]]) -> Recipe:
    """Return these steps as a recipe: recipes among them taken apart, equal neighbours joined.

    Raises:
        FairdeckError: there is no step, there are too many, or one cannot be a step.
    """
    flat: list[Step] = []
    moves = 0
    for known, times in steps:
        check_step(known)
        inner = steps_of(known)
        moves += times * sum(step.times for step in inner)
        if not 1 <= moves <= MOST_TIMES:
            raise FairdeckError(f"that makes {moves:,} shuffles of a deck; a recipe has 1 to {MOST_TIMES:,}")
        for step in inner * times if len(inner) > 1 else [Step(inner[0].known, inner[0].times * times)]:
            if flat and flat[-1].known == step.known:
                flat[-1] = Step(step.known, flat[-1].times + step.times)
            else:
                flat.append(step)
    if not flat:
        raise FairdeckError("a recipe needs a step, such as riffle*7")
    return Recipe(tuple(flat))


def check_step(known: Known) -> None:
    """See that a shuffle can be a step.

    Raises:
        FairdeckError: it goes on from its last deck.
    """
    if isinstance(known.shuffle, Streaming) or known.carried:
        plain = known.name.removesuffix("-carried")
        remedy = f"take {plain}" if plain != known.name else "take it by itself"
        raise FairdeckError(f"{known.name} goes on from its last deck already and can be no step: {remedy}")


def composed(steps: Sequence[tuple[Known, int]]) -> Known:
    """Return steps as one known shuffle, named as they are typed.

    A recipe is fair if one of its steps is: whatever is done to a deck in uniformly random order, before
    or after, without a look at it, leaves it so.

    Raises:
        FairdeckError: there is no step, there are too many, or one cannot be a step.
    """
    if len(steps) == 1 and steps[0][1] == 1:
        return steps[0][0]
    made = recipe_of(steps)
    if len(made.steps) == 1:
        steps = made.steps
    parts = [known for known, _ in steps]
    return Known(
        " + ".join(_written(known, times) for known, times in steps),
        made,
        fair=any(known.fair for known in parts),
        says=_says(steps),
        source="; ".join(dict.fromkeys(known.source for known in parts)),
        least=max(known.least for known in parts),
        by_hand=all(known.by_hand for known in parts),
    )


def _written(known: Known, times: int) -> str:
    if times == 1:
        return known.name
    # A name with parentheses of its own, such as shelf(20), needs none.
    compound = " + " in known.name or "*" in known.name
    return f"({known.name})*{times}" if compound else f"{known.name}*{times}"


def _says(steps: Sequence[tuple[Known, int]]) -> str:
    if len(steps) == 1:
        ((known, times),) = steps
        return f"{times} times over: {known.says}"
    said = ", then ".join(
        (f"({known.name})" if "+" in known.name or "*" in known.name else known.name)
        + (f" {times} times" if times > 1 else "")
        for known, times in steps
    )
    if len(said) > LONGEST_SENTENCE:
        said = f"{len(steps)} steps, each done to the deck that the last one left"
    fair = next((known.name for known, _ in steps if known.fair), "")
    return f"{said}; fair, since {fair} is" if fair else said
