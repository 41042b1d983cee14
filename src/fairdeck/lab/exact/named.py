"""The laws of the registered shuffles: enumerated here and now, or multiplied up where repeated."""

from fractions import Fraction
from math import lcm

from fairdeck.lab.exact.generator import Enumerated
from fairdeck.lab.exact.tree import OrderLaw, Progress, Tree
from fairdeck.lab.exact.way import OverBudget
from fairdeck.permutation import Permutation, arrange, identity
from fairdeck.shuffles import Known, Repeated, Streaming, find

MOST_PRODUCTS = 20_000_000


def law_of_known(name: str, cards: int, *, leaves: int, eps: float, progress: Progress | None = None) -> OrderLaw:
    """Return the law of the first deck that a registered shuffle makes.

    Raises:
        FairdeckError: there is no such shuffle, the deck is too small for it, or there are too many ways.
    """
    known = find(name)
    shuffle = known.shuffle
    if not isinstance(shuffle, Repeated):
        return _enumerated(known, cards, leaves, eps, progress)
    once = law_of_known(known.name.partition("*")[0], cards, leaves=leaves, eps=eps, progress=progress)
    return _power(once, shuffle.times)


def _enumerated(known: Known, cards: int, leaves: int, eps: float, progress: Progress | None) -> OrderLaw:
    def play(rng: Enumerated) -> Permutation:
        return tuple([int(card) for card in next(known.decks(cards, rng))])

    return Tree(play, cards, leaves=leaves, eps=eps, progress=progress).law()


def is_carried(name: str) -> bool:
    """Say whether the decks of a registered shuffle depend on those before them."""
    known = find(name)
    return known.carried or isinstance(known.shuffle, Streaming)


def _power(once: OrderLaw, times: int) -> OrderLaw:
    """Return the law after so many times: chances multiply, since the times are independent."""
    whole = lcm(*[chance.denominator for chance in once.orders.values()])
    parts = {order: int(chance * whole) for order, chance in once.orders.items()}
    after = {identity(once.cards): 1}
    products = 0
    for _ in range(times):
        products += len(after) * len(parts)
        if products > MOST_PRODUCTS:
            raise OverBudget(f"{times} times over takes more than {MOST_PRODUCTS:,} products: take fewer --cards")
        then: dict[Permutation, int] = {}
        for order, ways in after.items():
            for more, part in parts.items():
                made = arrange(more, order)
                then[made] = then.get(made, 0) + ways * part
        after = then
    orders = {order: Fraction(ways, whole**times) for order, ways in sorted(after.items())}
    return OrderLaw(
        once.cards,
        orders,
        1 - sum(orders.values(), Fraction(0)),
        once.leaves,
        whole**times if once.grain else None,
        once.notes,
    )
