"""The laws of the registered shuffles: enumerated here and now, or multiplied up where several follow."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from random import Random

from fairdeck.lab.exact.generator import Enumerated
from fairdeck.lab.exact.tree import OrderLaw, Progress, Tree
from fairdeck.lab.exact.way import OverBudget
from fairdeck.permutation import Permutation, arrange, identity
from fairdeck.shuffles import Known, Recipe, Step, Streaming, find

MOST_PRODUCTS = 20_000_000


def law_of_known(name: str, cards: int, *, leaves: int, eps: float, progress: Progress | None = None) -> OrderLaw:
    """Return the law of the first deck that a registered shuffle makes.

    Raises:
        FairdeckError: there is no such shuffle, the deck is too small for it, or there are too many ways.
    """
    known = find(name)
    if not isinstance(known.shuffle, Recipe):
        return _enumerated(known, cards, leaves, eps, progress)
    if cards < known.least:
        next(known.decks(cards, Random(0)))  # it says so itself
    steps = known.shuffle.steps
    laws = {step.known: _enumerated(step.known, cards, leaves, eps, progress) for step in steps}
    return _composed(steps, laws)


def _enumerated(known: Known, cards: int, leaves: int, eps: float, progress: Progress | None) -> OrderLaw:
    def play(rng: Enumerated) -> Permutation:
        return tuple([int(card) for card in next(known.decks(cards, rng))])

    return Tree(play, cards, leaves=leaves, eps=eps, progress=progress).law()


def is_carried(name: str) -> bool:
    """Say whether the decks of a registered shuffle depend on those before them."""
    known = find(name)
    return known.carried or isinstance(known.shuffle, Streaming)


def _composed(steps: Sequence[Step], laws: Mapping[Known, OrderLaw]) -> OrderLaw:
    """Return the law after all steps: chances multiply, since the steps are independent."""
    cards = next(iter(laws.values())).cards
    after, whole, products = {identity(cards): 1}, 1, 0
    for known, times in steps:
        law = laws[known]
        grain = lcm(*[chance.denominator for chance in law.orders.values()])
        parts = {order: int(chance * grain) for order, chance in law.orders.items()}
        for _ in range(times):
            products += len(after) * len(parts)
            if products > MOST_PRODUCTS:
                raise OverBudget(f"so many steps take more than {MOST_PRODUCTS:,} products: take fewer --cards")
            then: dict[Permutation, int] = {}
            for order, ways in after.items():
                for more, part in parts.items():
                    made = arrange(more, order)
                    then[made] = then.get(made, 0) + ways * part
            after, whole = then, whole * grain
    orders = {order: Fraction(ways, whole) for order, ways in sorted(after.items())}
    return OrderLaw(
        cards,
        orders,
        1 - sum(orders.values(), Fraction(0)),
        sum(law.leaves for law in laws.values()),
        whole if all(law.grain for law in laws.values()) else None,
        tuple(dict.fromkeys(note for law in laws.values() for note in law.notes)),
    )
