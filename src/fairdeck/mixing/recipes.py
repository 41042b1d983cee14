"""What is known of a recipe: its exact law where there is one, and what bounds it where there is none.

A law is found by what the steps are: riffles after riffles are riffles, shelf machines after shelf
machines are one machine, and so on. Two sorts of steps together have no law here, yet two bounds:

* whatever is done to a deck besides never takes it further from uniform, so any stretch of the
  recipe that has a law bounds the whole from above;
* what cannot be reached bounds it from below, see `fairdeck.mixing.support`.

Riffles have a law together with a cut, if that comes before all of them or after, see `fairdeck.mixing.cuts`; and so
have piles at random, which undo riffles.

A step without chance, such as a faro, before or after all others only gives the orders other names: it
changes no distance. A cut of a cut is a cut.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import log, prod
from typing import TYPE_CHECKING, Any, cast

from fairdeck.mixing.biased import biased_cutoff, biased_riffles
from fairdeck.mixing.cuts import cut_then_riffled, riffled_then_cut
from fairdeck.mixing.distance import Distance, Number
from fairdeck.mixing.faro import faro_orders
from fairdeck.mixing.limits import cards
from fairdeck.mixing.random_labels import random_piles
from fairdeck.mixing.riffles import a_shuffle
from fairdeck.mixing.shelf import shelf_cutoff, shelf_shuffles
from fairdeck.mixing.support import (
    cut_choices,
    even_over,
    label_choices,
    least_distance,
    overhand_choices,
    riffle_choices,
    shelf_choices,
)
from fairdeck.mixing.top_to_random import top_to_random_shuffles
from fairdeck.mixing.transpositions import random_transpositions
from fairdeck.permutation import identity
from fairdeck.shuffles import Step, recipe_of
from fairdeck.shuffles.faro import Faro
from fairdeck.shuffles.packets import Box, Cut, HandRiffle, Overhand
from fairdeck.shuffles.piles import PilesAtRandom, PilesInTurn
from fairdeck.shuffles.riffle import BiasedRiffle, Riffle
from fairdeck.shuffles.shelf import ShelfShuffler
from fairdeck.shuffles.walks import TopToRandom, Transpositions

if TYPE_CHECKING:
    from random import Random

MOST_SHUFFLES = 1_000  # of a recipe that is looked up
FEWEST_CUTOFF = 20  # cards from which a statement about large decks is told
FAIR = Distance(Fraction(0), Fraction(0), Fraction(0), True, "a fair step leaves any deck fair")


@dataclass(frozen=True, slots=True)
class Mixing:
    """What is known of a deck after a recipe.

    Attributes:
        law: its distances from uniform; None where no law is known for these steps together.
        at_least: a bound on the total variation from below, by what can come at all.
        at_most: one from above, by a stretch of the recipe that has a law.
        by: the stretch, as it is written; empty where there is none.
        says: which order it is, where there is only one; else empty.
    """

    law: Distance | None
    at_least: Fraction
    at_most: Number
    by: str
    says: str = ""

    @property
    def open(self) -> bool:
        """Whether no law gives the total variation, nor a bound below 1."""
        law = self.law
        return law is None or law.total_variation is None or (law.total_variation == 1 and not law.exact)


def mixing(steps: Sequence[Step], n: int) -> Mixing:
    """Return what is known of `n` cards after the steps of a recipe.

    Args:
        steps: as `fairdeck.shuffles.recipe_steps` returns them.
        n: cards, 1 to 1,000.

    >>> from fairdeck.shuffles import recipe_steps
    >>> round(float(mixing(recipe_steps("riffle*3 + a-shuffle(5)"), 52).law.total_variation), 4)
    0.8429
    >>> mixing(recipe_steps("riffle*9 + overhand"), 52).by
    'riffle*9'
    """
    cards(n)
    law = distance(steps, n)
    best: tuple[Number, str] = (Fraction(1), "")
    # A law of all steps is never above that of some of them.
    for stretch in [list(steps)] if law else _stretches(steps):
        known = law or distance(stretch, n)
        most = None if known is None else most_of(known)
        if most is not None and most < best[0]:
            best = most, " + ".join(_written(step) for step in stretch)
    return Mixing(law, _at_least(steps, n), *best, _one_order(steps, n))


def most_of(law: Distance) -> Number | None:
    """Return the least upper bound on the total variation that a law gives: itself, or the separation, never below."""
    return law.separation if law.total_variation is None else law.total_variation


def distance(steps: Sequence[Step], n: int) -> Distance | None:
    """Return the distances of `n` cards from uniform after steps that have a law together, else None."""
    if n == 1:
        return even_over(1, 1, "one card has one order")
    if any(step.known.fair for step in steps):
        return FAIR
    if all(map(_fixed, steps)):
        return even_over(n, 1, "no chance in it: one order, always")
    chances = [at for at, step in enumerate(steps) if not _fixed(step)]
    steps = steps[chances[0] : chances[-1] + 1]
    models = [step.model for step in steps for _ in range(min(step.times, MOST_SHUFFLES))]
    kinds = {type(model) for model in models}
    if sum(step.times for step in steps) > MOST_SHUFFLES:
        return None
    if Cut in kinds and len(kinds) > 1:
        return _with_cuts(models, n)
    if len(kinds) > 1:
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
    return top_to_random_shuffles(n, sum(model.moves(n) for model in models))


def _transpositions(models: Sequence[Any], n: int) -> Distance | None:
    return (
        None
        if any(model.distinct for model in models)
        else random_transpositions(n, sum(each.moves(n) for each in models))
    )


def _cuts(_models: Sequence[Any], n: int) -> Distance | None:
    return even_over(n, cut_choices(n), "a cut of a cut is a cut: n orders of n!, each as likely as the others")


def _with_cuts(models: Sequence[Any], n: int) -> Distance | None:
    """Return the law of riffles, or of piles at random, with cuts before all of them or after."""
    if all(isinstance(model, Cut | PilesAtRandom) for model in models):
        # Told backwards, up to turning the deck over, they are riffles and cuts.
        models = [Riffle(model.piles) if isinstance(model, PilesAtRandom) else model for model in reversed(models)]
    if not all(isinstance(model, Cut | Riffle) for model in models):
        return None
    cuts = [at for at, model in enumerate(models) if isinstance(model, Cut)]
    packets = prod(model.packets for model in models if isinstance(model, Riffle))
    if cuts[0] == 0:
        return cut_then_riffled(n, packets)
    return riffled_then_cut(n, packets) if cuts[0] + len(cuts) == len(models) else None


LAWS: dict[type, Callable[[Sequence[Any], int], Distance | None]] = {
    Riffle: _riffles,
    BiasedRiffle: _biased,
    PilesAtRandom: _random_piles,
    ShelfShuffler: _shelves,
    TopToRandom: _top_to_random,
    Transpositions: _transpositions,
    Cut: _cuts,
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
        if count is None and not _fixed(step):
            return Fraction(0)
        if count is not None:
            ways += [count(step.model, n)] * (1 if isinstance(step.model, Cut) else step.times)
    return least_distance(n, *ways)


def _fixed(step: Step) -> bool:
    """Return whether a step always does the same."""
    model = step.model
    return isinstance(model, Faro) or (isinstance(model, PilesInTurn) and not model.random_pickup)


def _one_order(steps: Sequence[Step], n: int) -> str:
    """Return what is to say of the order that steps without chance make; empty if there is chance in them."""
    if not all(map(_fixed, steps)):
        return ""
    # No step draws anything, so there is nothing to draw from.
    order = recipe_of([(step.known, step.times) for step in steps])(n, cast("Random", None))
    found = "back in order, every card where it was" if list(order) == list(identity(n)) else "always the same order"
    if len(steps) == 1 and isinstance(model := steps[0].model, Faro):
        orders = faro_orders(n)
        found += f" ({orders.inward if model.inwards else orders.outward} of them bring {n} cards back)"
    return found


CUTOFFS: dict[type, Callable[[Any, int], float]] = {
    Riffle: lambda model, n: 1.5 * log(n) / log(model.packets),
    BiasedRiffle: lambda model, n: biased_cutoff(n, model.cut),
    ShelfShuffler: lambda model, n: shelf_cutoff(n, model.shelves),
}


def cutoff(steps: Sequence[Step], n: int) -> float | None:
    """Return about how many of one shuffle bring the total variation of `n` cards down; None if no theorem says.

    Sources: Bayer and Diaconis (1992); see `fairdeck.mixing.biased` and `fairdeck.mixing.shelf` for the others.

    >>> from fairdeck.shuffles import recipe_steps
    >>> round(cutoff(recipe_steps("riffle*7"), 52), 1)
    8.6
    """
    model = steps[0].model
    found = CUTOFFS.get(type(model))
    if len(steps) > 1 or found is None or n < FEWEST_CUTOFF or (isinstance(model, Riffle) and model.packets == 1):
        return None
    return found(model, n)


def _stretches(steps: Sequence[Step]) -> list[list[Step]]:
    """Return the longest stretches of one sort of step, and those with cuts that have a law."""
    found = [list(stretch) for _, stretch in groupby(steps, key=lambda step: type(step.model))]
    for sort in (Riffle, PilesAtRandom):
        for with_cuts, group in groupby(steps, key=lambda step: isinstance(step.model, sort | Cut)):
            stretch = list(group)
            cuts = [at for at, step in enumerate(stretch) if isinstance(step.model, Cut)]
            if with_cuts and cuts:
                found += [stretch[cuts[0] :], stretch[: cuts[-1] + 1]]
    return found


def _written(step: Step) -> str:
    return step.known.name if step.times == 1 else f"{step.known.name}*{step.times}"
