"""Recipes: shuffles one after another, and what theory knows of the deck after them.

A recipe has an exact law if its steps have one together (`Model.law`): riffles after riffles are riffles, shelf
machines after shelf machines are one machine. Other steps together have no law here, yet two bounds:

* nothing that is done to a deck besides takes it further from uniform, so any stretch of the
  recipe that has a law bounds the whole from above;
* an order that cannot come bounds it from below, see `fairdeck.shuffles.distances`.

If a step turns cards, the distances are those of order and reversals together, see `fairdeck.shuffles.turning`.

A step without chance, such as a faro, before or after all others only gives the orders other names: it
changes no distance.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, NamedTuple, cast

from fairdeck.doors import checked
from fairdeck.errors import FairdeckError
from fairdeck.numbers import shortened, whole
from fairdeck.permutation import identity, then
from fairdeck.shuffles.distances import Distance, Number, cards, even_over, least_distance
from fairdeck.shuffles.known import Known, Model, Shuffle, Streaming
from fairdeck.shuffles.turning import SOURCE, Turning, block_turned

if TYPE_CHECKING:
    from random import Random

#: The most shuffles that a recipe may have, with all repetitions.
MOST_TIMES = 10_000
LONGEST_SENTENCE = 120  # characters
MOST_SHUFFLES = 1_000  # in a recipe whose law is looked up
PERFECT = 0.001  # a distance at which nobody looks for lower bounds
FEWEST_CUTOFF = 20  # cards from which a theorem about large decks is told
FAIR = Distance(Fraction(0), Fraction(0), Fraction(0), True, "a fair step leaves any deck fair", missing_bits=0.0)


class Step(NamedTuple):
    """One shuffle, repeated.

    Attributes:
        known: the shuffle; it starts from the deck that it is given and keeps nothing.
        times: how often, 1 or more.
    """

    known: Known
    times: int

    @property
    def model(self) -> Shuffle:
        """The shuffle itself."""
        return cast(Shuffle, self.known.shuffle)

    @property
    def theory(self) -> Model:
        """What is known of the shuffle: itself if it is a model, else nothing."""
        return self.model if isinstance(self.model, Model) else Model()

    @property
    def written(self) -> str:
        """The step as it is typed."""
        return _written(*self)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Steps, each done to the deck that the step before left.

    Attributes:
        steps: a flat list: no step is a recipe itself, and no two neighbours are the same shuffle.
    """

    steps: tuple[Step, ...]

    def __call__(self, n: int, rng: "Random") -> Sequence[int]:
        deck: Sequence[int] = identity(n)
        for step in self.steps:
            shuffle = step.model
            for _ in range(step.times):
                deck = then(deck, shuffle(n, rng))
        return deck


@checked
def steps_of(known: Known) -> tuple[Step, ...]:
    """Return the flat steps of a known shuffle; a single shuffle is its own only step."""
    return known.shuffle.steps if isinstance(known.shuffle, Recipe) else (Step(known, 1),)


@checked
def recipe_of(steps: Iterable[tuple[Known, int]]) -> Recipe:
    """Return these steps as a recipe: recipes among them taken apart, equal neighbours joined."""
    flat: list[Step] = []
    moves = 0
    for each in steps:
        if not isinstance(each, tuple) or len(each) != 2:
            wanted = "a shuffle and how often, such as (find('riffle'), 7)"
            raise FairdeckError(f"a step is {wanted}, not {shortened(each)}")
        known, times = each
        check_step(known)
        whole(f"times of {known.name}", times, 0, MOST_TIMES)
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
    """Check that a shuffle can be a step."""
    if not isinstance(known, Known):
        raise FairdeckError(f"a step is a known shuffle, such as find('riffle'), not {shortened(known)}")
    if isinstance(known.shuffle, Streaming) or known.carried:
        plain = known.name.removesuffix("-carried")
        remedy = f"take {plain}" if plain != known.name else "only fairdeck test takes it, by itself"
        raise FairdeckError(f"{known.name} already continues from its last deck, so it cannot be a step: {remedy}")


def composed(steps: Sequence[tuple[Known, int]]) -> Known:
    """Return steps as one known shuffle, named as they are typed.

    A recipe is fair if one of its steps is: a shuffle that does not look at the cards, before or after, leaves a
    uniformly random order uniformly random.
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
        return f"repeated {times} times: {known.says}"
    said = ", then ".join(
        (f"({known.name})" if "+" in known.name or "*" in known.name else known.name)
        + (f" {times} times" if times > 1 else "")
        for known, times in steps
    )
    if len(said) > LONGEST_SENTENCE:
        said = f"{len(steps)} steps, each done to the deck that the step before left"
    fair = next((known.name for known, _ in steps if known.fair), "")
    return f"{said}; fair, since {fair} is" if fair else said


@dataclass(frozen=True, slots=True)
class Theory:
    """What theory knows of a deck after a recipe."""

    law: Distance | None  # its distances from uniform; None if no law is known for these steps together
    at_least: Number  # a lower bound on the total variation, from the orders that cannot come or from the law
    at_most: Number  # an upper bound, from a stretch of the recipe that has a law
    by: str  # that stretch, as it is typed; empty if there is none
    says: str = ""  # what to say of the order if only one can come; else empty
    guesses: Number | None = None  # how many cards the best player guesses right, dealt face up; None if not known

    @property
    def exact(self) -> Distance | None:
        """The exact law; None if there is none, or only a bound."""
        return self.law if self.law and self.law.exact else None

    @property
    def open(self) -> bool:
        """Whether no law gives the total variation, nor bounds of it, nor an upper bound that is as good as 0."""
        law = self.law
        if law is None or law.total_variation is None:
            return True
        return not law.exact and not law.at_least and law.total_variation > PERFECT


def theory(steps: Sequence[Step], n: int) -> Theory:
    """Return what theory knows of `n` cards after the steps of a recipe.

    Args:
        steps: as `fairdeck.shuffles.recipe_steps` returns them.
        n: cards, 1 to 1,000.

    >>> from fairdeck.shuffles import recipe_steps
    >>> round(float(theory(recipe_steps("riffle*3 + a-shuffle(5)"), 52).law.total_variation), 4)
    0.8429
    >>> theory(recipe_steps("riffle*9 + overhand"), 52).by
    'riffle*9'
    """
    cards(n)
    if turns_cards(steps):
        return _with_turns(steps, n)
    law = distance(steps, n)
    best: tuple[Number, str] = (Fraction(1), "")
    # A law of all steps is never above that of some of them.
    for stretch in [list(steps)] if law else _stretches(steps):
        known = law or distance(stretch, n)
        most = None if known is None else most_of(known)
        if most is not None and most < best[0]:
            best = most, " + ".join(step.written for step in stretch)
    least = max(_at_least(steps, n), law.at_least if law else 0)
    guesses = steps[0].theory.guesses(n, steps[0].times) if len(steps) == 1 else None
    return Theory(law, least, *best, _one_order(steps, n), guesses)


def turns_cards(steps: Sequence[Step]) -> bool:
    """Return whether a step turns cards, so that order and reversals are judged together."""
    return any(isinstance(step.model, Turning) for step in steps)


def misplaced_turns(steps: Sequence[Step]) -> bool:
    """Return whether steps turn cards, and chance on the wrong side spoils each of them."""
    at = [at for at, step in enumerate(steps) if isinstance(step.model, Turning)]
    return bool(at) and not any(_without_chance(_sides(steps, each)[1]) for each in at)


def _sides(steps: Sequence[Step], at: int) -> tuple[Sequence[Step], Sequence[Step]]:
    """Return the steps on the side of a turning step that makes its reversals fair, and those on the other side."""
    before, after = steps[:at], steps[at + 1 :]
    return (before, after) if cast(Turning, steps[at].model).goes_last else (after, before)


def _with_turns(steps: Sequence[Step], n: int) -> Theory:
    """Return what theory knows of order and reversals together."""
    turning = [at for at, step in enumerate(steps) if isinstance(step.model, Turning)]
    own, other = _sides(steps, turning[0])
    once = len(turning) == steps[turning[0]].times == 1
    if once and _without_chance(other):
        known = theory(own, n)
        law = known.law and replace(known.law, source=f"without the turn: {known.law.source}; reversals: {SOURCE}")
        return replace(known, law=law, says="")
    block = block_turned(n) if once and _without_chance(own) else None  # that is turned whatever is done besides
    least = block.total_variation or 0 if block else 0
    if any(step.known.fair for step in other) and block:
        return Theory(block, least, least, "")
    # No step takes order and reversals further from fair. So the steps next to a turn, on its own side, bound them all.
    best: tuple[Number, str] = (Fraction(1), "")
    for at in turning:
        way = -1 if cast(Turning, steps[at].model).goes_last else 1
        near = list(takewhile(lambda step: not isinstance(step.model, Turning), _sides(steps, at)[0][::way]))
        known = theory(near[::way], n)
        if known.at_most < best[0]:
            best = known.at_most, " + ".join(filter(None, [known.by, steps[at].known.name][::-way]))
    return Theory(None, least, *best) if best[0] else Theory(FAIR, 0, 0, "")


def most_of(law: Distance) -> Number | None:
    """Return the least upper bound on the total variation that a law gives: itself, or else the separation."""
    return law.separation if law.total_variation is None else law.total_variation


def distance(steps: Sequence[Step], n: int) -> Distance | None:
    """Return the distances of `n` cards from uniform after steps that have a law together, else None."""
    if n == 1:
        return even_over(1, 1, "one card has one order")
    if any(step.known.fair for step in steps):
        return FAIR
    random = [at for at, step in enumerate(steps) if not step.theory.deterministic]
    if not random:
        return even_over(n, 1, "one order, always: no chance in it")
    steps = steps[random[0] : random[-1] + 1]
    if sum(step.times for step in steps) > MOST_SHUFFLES:
        return None
    in_turn = [step.theory for step in steps for _ in range(step.times)]
    kinds = {type(model) for model in in_turn}
    kind = next((kind for kind in kinds if kinds <= {kind, *kind.joins}), Model)
    return kind.law(in_turn, n)


def _at_least(steps: Sequence[Step], n: int) -> Fraction:
    """Return the bound by counting outcomes; 0 if nobody has counted those of a step."""
    supports = [support for step in steps if (support := step.theory.support(n, step.times))]
    return least_distance(n, *supports) if len(supports) == len(steps) else Fraction(0)


def _without_chance(steps: Sequence[Step]) -> bool:
    return all(step.theory.deterministic for step in steps)


def _one_order(steps: Sequence[Step], n: int) -> str:
    """Return what to say of the order that steps without chance make; empty if a step has chance in it."""
    if not _without_chance(steps):
        return ""
    # No step draws anything, so there is nothing to draw from.
    order = Recipe(tuple(steps))(n, cast("Random", None))
    found = "back in order, every card where it was" if list(order) == list(identity(n)) else "always the same order"
    period = steps[0].theory.period(n) if len(steps) == 1 else None
    return found + (f" ({period} of them bring {n} card{'' if n == 1 else 's'} back)" if period else "")


def cutoff(steps: Sequence[Step], n: int) -> float | None:
    """Return about how many of one shuffle bring the total variation of `n` cards down; None if no theorem says.

    >>> from fairdeck.shuffles import recipe_steps
    >>> round(cutoff(recipe_steps("riffle*7"), 52), 1)
    8.6
    """
    return steps[0].theory.cutoff(n) if len(steps) == 1 and n >= FEWEST_CUTOFF else None


def _stretches(steps: Sequence[Step]) -> list[list[Step]]:
    """Return the longest stretches of one model, and those of models that have a law together."""
    found = [list(stretch) for _, stretch in groupby(steps, key=lambda step: type(step.theory))]
    for kind in dict.fromkeys(type(step.theory) for step in steps):
        for other in kind.joins:
            for together, group in groupby(steps, key=lambda step: isinstance(step.theory, (kind, other))):
                stretch = list(group)
                at = [at for at, step in enumerate(stretch) if isinstance(step.theory, kind)]
                if together and at:
                    found += [stretch[at[0] :], stretch[: at[-1] + 1]]
    return found
