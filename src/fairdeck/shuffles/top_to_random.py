"""Top to random: the top card goes to any of the n places, again and again; its exact law.

Turned round in time, a random card goes to the top. If k moves took j different cards, those lie
above the others in random order and the others are as they were; the law of j is the
law of the occupied boxes when k balls fall into n. An order in which the lowest n - j cards are in the old
order, and no more than those, is as likely as the moves with j cards or more allow.
Source: Diaconis, Fill and Pitman, "Analysis of top to random shuffles", Combin. Probab. Comput. 1
(1992). Turning a shuffle round in time changes none of the distances.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import comb, factorial
from random import Random

from fairdeck.numbers import whole
from fairdeck.shuffles.distances import Distance, cards, compared
from fairdeck.shuffles.known import Family, KernelRow, Known, Model
from fairdeck.shuffles.walks import MOVES, Fixed, Moves, n_log_n, n_moves

SOURCE = "Diaconis, Fill and Pitman, Combin. Probab. Comput. 1 (1992)"
MODEL = "Aldous and Diaconis, Amer. Math. Monthly 93 (1986)"
MOST_MOVES = 20_000


@dataclass(frozen=True, slots=True)
class TopToRandom(Model):
    """Put the top card anywhere, again and again; it takes about n ln n moves.

    Source: Aldous and Diaconis, "Shuffling cards and stopping times", Amer. Math. Monthly 93 (1986).
    """

    moves: Moves

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        deck = list(range(n))
        for _ in range(self.moves(n)):
            deck.insert(rng.randrange(n), deck.pop())
        return deck

    @classmethod
    def law(cls, in_turn: Sequence["TopToRandom"], n: int) -> Distance:
        return top_to_random_shuffles(n, sum(each.moves(n) for each in in_turn))

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("top to random", self.moves(n))


def top_to_random_until(n: int, rng: Random) -> Sequence[int]:
    """Top to random, until the card that began at the bottom has come to the top and been put away as well.

    The cards put under that card come in random order, so at that moment all orders are equally
    likely: a rule that stops by what is seen, not after a fixed number, makes a poor shuffle fair.
    Source: Aldous and Diaconis, Amer. Math. Monthly 93 (1986), section 1.
    """
    deck = list(range(n))
    last = False
    while not last:
        card = deck.pop()
        last = card == 0
        deck.insert(rng.randrange(n), card)
    return deck


def top_to_random_shuffles(n: int, moves: int) -> Distance:
    """Return the distances of `n` cards from uniform after `moves` moves of the top card.

    Args:
        n: cards, 1 to 1,000.
        moves: 0 to 20,000.

    >>> round(float(top_to_random_shuffles(52, 205).total_variation), 4)
    0.1262
    """
    return compared(*kept_weights(n, moves), SOURCE)


def kept_weights(n: int, moves: int) -> tuple[list[tuple[int, int]], int]:
    """Return the chance and the number of the orders that keep 0, 1, 2, ... of the lowest cards, and no more, in order.

    The second value is what the chances are parts of.

    >>> kept_weights(2, 1)
    ([(2, 1), (2, 1)], 4)
    """
    taken = _taken(n, moves)
    found = []
    likely = 0  # n! n^k times the chance of one order: from the moves that took j cards or more
    for j in range(n, -1, -1):
        likely += taken[j] * factorial(n - j)
        # Orders whose lowest n - j cards, and no more, are as they were; one card alone always is.
        orders = _kept(n, j) - (_kept(n, j - 1) if j else 0)
        if orders:
            found.append((orders * likely, orders))
    return found, factorial(n) * n**moves


def _taken(n: int, moves: int) -> list[int]:
    """Count the ways, of n^k, in which k balls fall into n boxes and fill 0, 1, ..., n of them.

    ``C(n, j)`` choices of j boxes, times the j-th difference of ``x^k`` at 0, the ways onto exactly those
    (Stirling numbers times j!; Knuth, TAOCP 1, section 1.2.6).
    """
    cards(n)
    row = [x ** whole("moves", moves, 0, MOST_MOVES) for x in range(n + 1)]
    found = []
    for j in range(n + 1):
        found.append(comb(n, j) * row[0])
        row = [after - before for before, after in pairwise(row)]
    return found


def _kept(n: int, j: int) -> int:
    """Return how many orders keep the lowest n - j cards in the old order."""
    return factorial(n) // factorial(n - j)


KNOWN = (
    Known(
        "top-to-random",
        TopToRandom(Fixed(1)),
        says="puts the top card anywhere, once: all the others are still in order",
        source=MODEL,
        by_hand=True,
    ),
    Known(
        "top-to-random-n",
        TopToRandom(n_moves),
        says="puts the top card anywhere, n times: the cards near the bottom are still in order",
        source=MODEL,
        by_hand=True,
    ),
    Known(
        "top-to-random-nlogn",
        TopToRandom(n_log_n),
        says="puts the top card anywhere, n ln n times (206 for 52 cards): sometimes the bottom is still in order",
        source=MODEL,
        by_hand=True,
    ),
    Known(
        "top-to-random-until",
        top_to_random_until,
        fair=True,
        says="puts the top card anywhere, until the card from the bottom has come up and been put away too",
        source=MODEL,
        by_hand=True,
    ),
)

FAMILIES = (
    Family(
        "top-to-random",
        (replace(MOVES, default=1, needed=False),),
        lambda moves: TopToRandom(Fixed(moves)),
        says="puts the top card anywhere, again and again: it takes about n ln n moves",
        source=MODEL,
        example="top-to-random(200)",
    ),
)
