"""What is known of a recipe: its exact law where there is one, and what bounds it where there is none.

A law is found by what the steps are: riffles after riffles are riffles, shelf machines after shelf
machines are one machine, and so on. Two sorts of steps together have no law here, yet two bounds:

* whatever is done to a deck besides never takes it further from uniform, so any stretch of the
  recipe that has a law bounds the whole from above;
* what cannot be reached bounds it from below, see `fairdeck.mixing.support`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import prod
from typing import Any

from fairdeck.mixing.biased import biased_riffles
from fairdeck.mixing.distance import Distance, Number
from fairdeck.mixing.limits import cards
from fairdeck.mixing.random_labels import random_piles
from fairdeck.mixing.riffles import a_shuffle
from fairdeck.mixing.shelf import shelf_shuffles
from fairdeck.mixing.support import (
    cut_choices,
    label_choices,
    least_distance,
    overhand_choices,
    riffle_choices,
    shelf_choices,
)
from fairdeck.mixing.top_to_random import top_to_random
from fairdeck.mixing.transpositions import transpositions
from fairdeck.shuffles import Step
from fairdeck.shuffles.packets import Box, Cut, HandRiffle, Overhand
from fairdeck.shuffles.piles import PilesAtRandom, PilesInTurn
from fairdeck.shuffles.riffle import BiasedRiffle, Riffle
from fairdeck.shuffles.shelf import ShelfShuffler
from fairdeck.shuffles.walks import TopToRandom, Transpositions

MOST_SHUFFLES = 1_000  # of a recipe that is looked up
FAIR = Distance(Fraction(0), Fraction(0), Fraction(0), True, "a fair step leaves any deck fair")


@dataclass(frozen=True, slots=True)
class Mixing:
    """What is known of a deck after a recipe.

    Attributes:
        law: its distances from uniform; None where no law is known for these steps together.
        at_least: a bound on the total variation from below, by what can come at all.
        at_most: one from above, by a stretch of the recipe that has a law.
        by: the stretch, as it is written; empty where there is none.
    """

    law: Distance | None
    at_least: Fraction
    at_most: Number
    by: str


def mixing(steps: Sequence[Step], n: int) -> Mixing:
    """Return what is known of `n` cards after the steps of a recipe.

    Args:
        steps: as `fairdeck.shuffles.recipe_steps` returns them.
        n: cards, 1 to 1,000.

    >>> from fairdeck.shuffles import recipe_steps
    >>> round(float(mixing(recipe_steps("riffle*3 + a-shuffle(5)"), 52).law.total_variation), 4)
    0.8429
    >>> mixing(recipe_steps("riffle*9 + cut"), 52).by
    'riffle*9'
    """
    cards(n)
    law = distance(steps, n)
    best: tuple[Number, str] = (Fraction(1), "")
    for stretch in _stretches(steps):
        known = distance(stretch, n)
        if known is not None and known.total_variation is not None and known.total_variation < best[0]:
            best = known.total_variation, " + ".join(_written(step) for step in stretch)
    return Mixing(law, _at_least(steps, n), *best)


def distance(steps: Sequence[Step], n: int) -> Distance | None:
    """Return the distances of `n` cards from uniform after steps that have a law together, else None."""
    if any(step.known.fair for step in steps):
        return FAIR
    models = [step.model for step in steps for _ in range(min(step.times, MOST_SHUFFLES))]
    kinds = {type(model) for model in models}
    if len(kinds) != 1 or sum(step.times for step in steps) > MOST_SHUFFLES:
        return None
    return LAWS.get(kinds.pop(), _no_law)(models, n)


def _no_law(models: Sequence[Any], n: int) -> Distance | None:  # noqa: ARG001 - all laws are called alike
    return None


def _riffles(models: Sequence[Any], n: int) -> Distance | None:
    return a_shuffle(n, prod(model.packets for model in models))


def _random_piles(models: Sequence[Any], n: int) -> Distance | None:
    return random_piles(n, *(model.piles for model in models))


def _shelves(models: Sequence[Any], n: int) -> Distance | None:
    return shelf_shuffles(n, *(model.shelves for model in models))


def _biased(models: Sequence[Any], n: int) -> Distance | None:
    cuts = {model.cut for model in models}
    return biased_riffles(n, len(models), cuts.pop()) if len(cuts) == 1 else None


def _top_to_random(models: Sequence[Any], n: int) -> Distance | None:
    return top_to_random(n, sum(model.moves(n) for model in models))


def _transpositions(models: Sequence[Any], n: int) -> Distance | None:
    return None if any(model.distinct for model in models) else transpositions(n, sum(each.moves(n) for each in models))


LAWS: dict[type, Callable[[Sequence[Any], int], Distance | None]] = {
    Riffle: _riffles,
    BiasedRiffle: _biased,
    PilesAtRandom: _random_piles,
    ShelfShuffler: _shelves,
    TopToRandom: _top_to_random,
    Transpositions: _transpositions,
}


CHOICES: dict[type, Callable[[Any, int], int]] = {
    Riffle: lambda model, n: riffle_choices(n, model.packets),
    BiasedRiffle: lambda _model, n: riffle_choices(n),
    HandRiffle: lambda _model, n: riffle_choices(n),
    Overhand: lambda _model, n: overhand_choices(n),
    Box: lambda model, n: overhand_choices(n, model.most),
    Cut: lambda _model, n: cut_choices(n),
    PilesAtRandom: lambda model, n: label_choices(n, model.piles),
    ShelfShuffler: lambda model, n: shelf_choices(n, model.shelves),
}


def _at_least(steps: Sequence[Step], n: int) -> Fraction:
    """Return the bound by counting outcomes; 0 where a step has too many, or nobody has counted them."""
    ways = []
    for step in steps:
        count = CHOICES.get(type(step.model))
        if count is None and not (isinstance(step.model, PilesInTurn) and not step.model.random_pickup):
            return Fraction(0)
        if count is not None:
            ways += [count(step.model, n)] * step.times
    return least_distance(n, *ways)


def _stretches(steps: Sequence[Step]) -> list[list[Step]]:
    """Return the longest stretches of one sort of step."""
    return [list(stretch) for _, stretch in groupby(steps, key=lambda step: type(step.model))]


def _written(step: Step) -> str:
    return step.known.name if step.times == 1 else f"{step.known.name}*{step.times}"
