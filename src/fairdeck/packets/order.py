"""How far a small pack is from random: the law of its whole order, by going through all orders.

`fairdeck.packets.positions` only estimates that distance, and above the truth as often as below it. Here it is known,
for packs of up to 8 cards and ideal riffles.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations, product
from math import factorial
from operator import mul

from fairdeck.packets.notation import JOINT, STACKED, Flow
from fairdeck.packets.positions import Made, made_steps

MOST_CARDS = 8
MOST_IN_A_PACKET = 6

Order = tuple[int, ...]


def known(flow: Flow, cards: int, steps: int) -> bool:
    """Whether the pack is small enough."""
    if cards > MOST_CARDS:
        return False
    return all(len(deck) <= MOST_IN_A_PACKET for step in made_steps(flow, cards, steps) for _, deck, _ in step)


def order_distances(flow: Flow, cards: int, steps: int, riffles: int) -> list[float]:
    """Return after each step how far the whole order is from uniform, in total variation.

    >>> from fairdeck.packets import find
    >>> [round(far, 4) for far in order_distances(find("two-way"), 8, 3, 3)]
    [0.9857, 0.4918, 0.0303]
    """
    orders = list(permutations(range(cards)))
    number = {order: at for at, order in enumerate(orders)}
    chances = [0.0] * len(orders)
    chances[0] = 1.0
    fair = 1 / len(orders)
    distances = []
    for made in made_steps(flow, cards, steps):
        chances = _stepped(made, chances, orders, number, riffles)
        distances.append(sum(abs(chance - fair) for chance in chances) / 2)
    return distances


def _stepped(
    made: Made, chances: Sequence[float], orders: list[Order], number: dict[Order, int], riffles: int
) -> list[float]:
    """Return the chances of all orders after one step: the parts are moved, then each packet is riffled."""
    moved = [place for _, deck, _ in made for place in deck]
    after = [0.0] * len(orders)
    for order, chance in zip(orders, chances, strict=True):
        if chance:
            after[number[tuple(order[place] for place in moved)]] = chance
    below = 0
    for move, deck, lower in made:
        if move.kind != STACKED:
            rows = _rows(move.kind, lower, len(deck), riffles)
            for group in _alike(len(orders[0]), below, len(deck)):
                held = [after[at] for at in group]
                if any(held):
                    for at, row in zip(group, rows, strict=True):
                        after[at] = sum(map(mul, row, held))
        below += len(deck)
    return after


@cache
def _alike(cards: int, below: int, size: int) -> list[list[int]]:
    """Return the numbers of the orders that differ only in how the cards of a packet lie; by how they lie."""
    groups: dict[tuple[Order, Order], list[int]] = {}
    for at, order in enumerate(permutations(range(cards))):
        groups.setdefault((order[:below], order[below + size :]), []).append(at)
    return list(groups.values())


@cache
def _rows(kind: str, lower: int, size: int, riffles: int) -> list[list[float]]:
    """Return for each order of a packet's cards after its riffles the chance that it comes from each order before."""
    law = _joined(lower, size) if kind == JOINT else _riffled(size)
    for _ in range(riffles - 1):
        law = _then(law, _riffled(size))
    orders = list(permutations(range(size)))
    number = {order: at for at, order in enumerate(orders)}
    rows = [[0.0] * len(orders) for _ in orders]
    for before, order in enumerate(orders):
        for riffle, chance in law.items():
            rows[number[tuple(order[at] for at in riffle)]][before] += chance
    return rows


def _then(one: dict[Order, float], two: dict[Order, float]) -> dict[Order, float]:
    found: dict[Order, float] = {}
    for first, chance in one.items():
        for second, likely in two.items():
            order = tuple(first[at] for at in second)
            found[order] = found.get(order, 0.0) + chance * likely
    return found


def _riffled(size: int) -> dict[Order, float]:
    """Return the law of one riffle of Gilbert, Shannon and Reeds."""
    found: dict[Order, float] = {}
    for sides in product((0, 1), repeat=size):
        order = _interleaved([at for at, side in enumerate(sides) if not side], size)
        found[order] = found.get(order, 0.0) + 2.0**-size
    return found


def _joined(lower: int, size: int) -> dict[Order, float]:
    """Return the law of two parts that are riffled into each other: all interleavings are equally likely."""
    ways = factorial(size) // factorial(lower) // factorial(size - lower)
    return {_interleaved(places, size): 1 / ways for places in combinations(range(size), lower)}


def _interleaved(places: Sequence[int], size: int) -> Order:
    """Return the order in which the lower part takes these places."""
    own, rest = iter(range(len(places))), iter(range(len(places), size))
    return tuple(next(own) if at in places else next(rest) for at in range(size))
