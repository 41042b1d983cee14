"""The laws of the registered shuffles: enumerated, or multiplied where a recipe has several steps."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import lcm
from random import Random

from fairdeck.lab.enumeration.generator import EnumeratedRandom
from fairdeck.lab.enumeration.law import OrderLaw
from fairdeck.lab.enumeration.path import OverBudget
from fairdeck.lab.enumeration.tree import OnPath, Tree
from fairdeck.permutation import Permutation, arrange, identity
from fairdeck.shuffles import Known, Recipe, Step, Streaming, find

MOST_PRODUCTS = 20_000_000
CARRIED = "Its decks depend on those before them; these figures are for the first one."


def law_of_known(name: str, cards: int, *, leaves: int, eps: float, progress: OnPath | None = None) -> OrderLaw:
    """Return the law of the first deck that a registered shuffle makes; a deck too small for it is a FairdeckError."""
    known = find(name)
    if cards < known.least:
        next(known.decks(cards, Random(0)))  # raises the error
    if isinstance(known.shuffle, Recipe):
        law = law_of_steps(known.shuffle.steps, cards, leaves=leaves, eps=eps, progress=progress)
    else:
        law = _enumerated(known, cards, leaves, eps, progress)
    carried = known.carried or isinstance(known.shuffle, Streaming)
    return replace(law, notes=(*law.notes, CARRIED)) if carried else law


def law_of_steps(
    steps: Sequence[Step], cards: int, *, leaves: int, eps: float, progress: OnPath | None = None
) -> OrderLaw:
    """Return the law of a deck after the steps of a recipe; raises as `Tree.law` does."""
    law_of = _enumerated if progress else _remembered
    return _composed(steps, {each.known: law_of(each.known, cards, leaves, eps, progress) for each in steps})


@lru_cache(maxsize=16)
def _remembered(known: Known, cards: int, leaves: int, eps: float, progress: None) -> OrderLaw:
    """Return the law of one step as `_enumerated` does: a table of rounds asks for the same step again and again."""
    return _enumerated(known, cards, leaves, eps, progress)


def _enumerated(known: Known, cards: int, leaves: int, eps: float, progress: OnPath | None) -> OrderLaw:
    def play(rng: EnumeratedRandom) -> Permutation:
        return tuple([int(card) for card in next(known.decks(cards, rng))])

    return Tree(play, cards, leaves=leaves, eps=eps, progress=progress).law()


def _composed(steps: Sequence[Step], laws: Mapping[Known, OrderLaw]) -> OrderLaw:
    """Return the law after all steps: they are independent, so probabilities multiply."""
    cards = next(iter(laws.values())).cards
    after, whole, products = {identity(cards): 1}, 1, 0
    for known, times in steps:
        law = laws[known]
        grain = lcm(*[chance.denominator for chance in law.orders.values()])
        parts = {order: int(chance * grain) for order, chance in law.orders.items()}
        for _ in range(times):
            products += len(after) * len(parts)
            if products > MOST_PRODUCTS:
                raise OverBudget(f"these steps take more than {MOST_PRODUCTS:,} products: take fewer --cards")
            then: dict[Permutation, int] = {}
            for order, number in after.items():
                for more, part in parts.items():
                    made = arrange(more, order)
                    then[made] = then.get(made, 0) + number * part
            after, whole = then, whole * grain
    orders = {order: Fraction(number, whole) for order, number in sorted(after.items())}
    return OrderLaw(
        cards,
        orders,
        1 - sum(orders.values(), Fraction(0)),
        sum(law.leaves for law in laws.values()),
        whole if all(law.grain for law in laws.values()) else None,
        tuple(dict.fromkeys(note for law in laws.values() for note in law.notes)),
    )
