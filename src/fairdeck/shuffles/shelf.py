"""The shelf shuffler: a machine that puts each card on or under the cards of a random shelf; its exact law.

The chance of an order depends on its valleys alone, a valley being a place whose card started below both its neighbours
(decks are read from the bottom; read from the top, with cards counted from there, the same places are peaks).
Source: Diaconis, Fulman and Holmes, "Analysis of casino shelf shuffling machines", Ann. Appl. Probab. 23 (2013).
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import comb, log
from random import Random

from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.shuffles.distances import Distance, cards, compared
from fairdeck.shuffles.known import Family, KernelRow, Known, Model, Parameter

SOURCE = "Diaconis, Fulman and Holmes, Ann. Appl. Probab. 23 (2013)"
MOST_SHELVES = 10**9
MOST_PASSES = 20


@dataclass(frozen=True, slots=True)
class ShelfShuffler(Model):
    """Each card goes to a random shelf, by a coin on top of the cards there or beneath them.

    The pile of a shelf first rises and then falls, so the deck has few valleys.
    """

    shelves: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        shelves: list[deque[int]] = [deque() for _ in range(self.shelves)]
        for card in range(n - 1, -1, -1):
            shelf, beneath = divmod(rng.randrange(2 * self.shelves), 2)
            if beneath:
                shelves[shelf].appendleft(card)
            else:
                shelves[shelf].append(card)
        return list(chain.from_iterable(shelves))

    @classmethod
    def law(cls, in_turn: Sequence["ShelfShuffler"], n: int) -> Distance:
        return shelf_shuffles(n, *(each.shelves for each in in_turn))

    def support(self, n: int, times: int = 1) -> int:
        """Count the ways of the machine, at least as many as its orders."""
        return int((2 * whole("shelves", self.shelves, 1, MOST_SHELVES)) ** (cards(n) * times))

    def cutoff(self, n: int) -> float:
        """Return ``(5/4) log n``, to the base of twice the shelves. Source: Chen and Ottolini (2025), arXiv 2410.17345.

        >>> round(ShelfShuffler(10).cutoff(52), 2)
        1.65
        """
        return 1.25 * log(n) / log(2 * self.shelves)

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("shelves", self.shelves)


def shelf_shuffles(n: int, *shelves: int) -> Distance:
    """Return the distances of `n` cards from uniform after passes through shelf machines.

    Args:
        n: cards, 1 to 1,000.
        shelves: how many shelves the machine of each pass has, each 1 or more; at least one pass.

    >>> round(float(shelf_shuffles(52, 10).total_variation), 4), round(float(shelf_shuffles(52, 10, 10).separation), 4)
    (1.0, 0.1296)
    """
    return compared(*valley_weights(cards(n), one_pass(*shelves)), SOURCE)


def valley_weights(n: int, shelves: int) -> tuple[list[tuple[int, int]], int]:
    """Return the chance and the number of the orders with 0, 1, 2, ... valleys; and what the chances are parts of.

    >>> valley_weights(3, 1)
    ([(16, 4), (0, 2)], 16)
    """
    pairs = zip(valley_numbers(n), _ways(n, shelves), strict=True)
    return [(count * ways, count) for count, ways in pairs], 2 * (2 * shelves) ** n


def one_pass(*shelves: int) -> int:
    """Return the shelves of the one machine that does the same in one pass: for m1 and m2 shelves, 2 m1 m2.

    >>> one_pass(10, 10)
    200
    """
    if not 1 <= len(shelves) <= MOST_PASSES:
        raise FairdeckError(f"{len(shelves)} passes through a shelf machine; give the shelves of 1 to {MOST_PASSES}")
    product = 1
    for count in shelves:
        product *= 2 * whole("shelves", count, 1, MOST_SHELVES)
    return product // 2


def valley_numbers(n: int) -> tuple[int, ...]:
    """Return how many orders of `n` cards have 0, 1, 2, ... valleys; the sum is n!.

    Source: the recurrence of OEIS A008303.

    >>> valley_numbers(5)
    (16, 88, 16)
    """
    row = [1]
    for size in range(2, cards(n) + 1):
        longer = [*row, 0]
        row = [2 * (v + 1) * longer[v] + (size - 2 * v) * longer[v - 1] * (v > 0) for v in range((size + 1) // 2)]
    return tuple(row)


def _ways(n: int, m: int) -> list[int]:
    """Return for each number of valleys v the chance of one order, over ``2 (2m)^n``.

    That is ``4^(v+1)`` times the sum over a of ``C(n+m-a-1, n) C(n-1-2v, a-v)``; the sum is made by adding
    neighbours n-1-2v times, as in Pascal's triangle, so all v together take n^2/2 additions.
    """
    row = [comb(n + m - a - 1, n) if m > a else 0 for a in range(n)]
    found = {}
    for added in range(n):
        if (n - 1 - added) % 2 == 0:
            valleys = (n - 1 - added) // 2
            found[valleys] = 4 ** (valleys + 1) * row[valleys]
        row = [one + other for one, other in pairwise(row)]
    return [found[valleys] for valleys in sorted(found)]


KNOWN = (
    Known(
        "shelf-10",
        ShelfShuffler(10),
        says="a machine of ten shelves: the order turns too rarely, which even a guesser at the table can use",
        source=SOURCE,
        by_hand=True,
    ),
)

FAMILIES = (
    Family(
        "shelf",
        (Parameter("shelves", "how many", int, 1, 1_000_000, 10),),
        ShelfShuffler,
        says="a machine of shelves: the order turns too rarely; two passes through m shelves are one through 2 m^2",
        source=SOURCE,
        example="shelf(20)",
    ),
)
