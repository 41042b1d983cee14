"""The shelf shuffler: a machine that puts each card on or under the cards of a random shelf; its exact law.

The chance of an order depends on its valleys alone, a valley being a place whose card started below both its neighbours
(decks are read from the bottom; read from the top, with cards counted from there, the same places are peaks).
Source: Diaconis, Fulman and Holmes, "Analysis of casino shelf shuffling machines", Ann. Appl. Probab. 23 (2013).

If the machine puts a card on top with a chance p other than 1/2 (q = 1 - p), the chance depends on the valleys and the
descents, a descent being a place whose card started above the next one. Give each card its shelf and its side. Two
neighbours must lie on different shelves if the lower one was put on top and the upper one beneath, or if both were put
beneath and go down, or if both were put on top and go up. With s such places the shelves have ``C(m + n - 1 - s, n)``
values. Over all sides, with v valleys and d descents, the number s has the generating function
``z^v (q + pz)^(n-1-d-v) (p + qz)^(d-v)``. Source of the two numbers: Tripathi, "Cutoff for asymmetric shelf shuffle"
(2026), arXiv 2606.18039; the formula is this project's, checked by enumeration.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise
from math import comb, factorial, log, prod
from random import Random

from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.shuffles.distances import Distance, Number, cards, chance, compared
from fairdeck.shuffles.known import Family, KernelRow, Known, Model, Parameter

SOURCE = "Diaconis, Fulman and Holmes, Ann. Appl. Probab. 23 (2013)"
MOST_SHELVES = 10**9
MOST_PASSES = 20
UNEVEN = "valleys and descents: Tripathi (2026), arXiv 2606.18039, and this project's formula"
UNEVEN_PASSES = "the exact distances of each pass, multiplied: an upper bound"
MOST_COMPARED = 208  # cards up to which the total variation of an uneven machine is looked up


@dataclass(frozen=True, slots=True)
class ShelfShuffler(Model):
    """Each card goes to a random shelf, by a coin on top of the cards there or beneath them.

    The pile of a shelf first rises and then falls, so the deck has few valleys.
    """

    shelves: int
    top: float = 0.5  # the chance that a card goes on top

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        shelves: list[deque[int]] = [deque() for _ in range(self.shelves)]
        for card in range(n - 1, -1, -1):
            if self.top == 0.5:
                shelf, beneath = divmod(rng.randrange(2 * self.shelves), 2)
            else:
                shelf, beneath = rng.randrange(self.shelves), rng.random() >= self.top
            if beneath:
                shelves[shelf].appendleft(card)
            else:
                shelves[shelf].append(card)
        return list(chain.from_iterable(shelves))

    @classmethod
    def law(cls, in_turn: Sequence["ShelfShuffler"], n: int) -> Distance:
        """Return the law; after several passes of which one is uneven, bounds: each pass multiplies the separation."""
        if all(each.top == 0.5 for each in in_turn):
            return shelf_shuffles(n, *(each.shelves for each in in_turn))
        laws = [uneven_shelves(n, each.shelves, each.top) for each in in_turn]
        if len(laws) == 1:
            return laws[0]
        separation = prod([law.separation or 0 for law in laws])
        variations = [law.total_variation for law in laws if law.total_variation is not None]
        least: list[Number] = [separation, *variations]
        if len(variations) == len(laws):
            least.append(prod([2 * each for each in variations]) / 2)
        return Distance(min(least), separation, None, False, UNEVEN_PASSES)

    def support(self, n: int, times: int = 1) -> int:
        """Count the ways of the machine, at least as many as its orders."""
        return int((2 * whole("shelves", self.shelves, 1, MOST_SHELVES)) ** (cards(n) * times))

    def cutoff(self, n: int) -> float | None:
        """Return ``(5/4) log n``, to the base of twice the shelves; for uneven sides no theorem counts passes.

        Source: Chen and Ottolini, Electron. Commun. Probab. (2025), arXiv 2410.17345.

        >>> round(ShelfShuffler(10).cutoff(52), 2)
        1.65
        """
        return 1.25 * log(n) / log(2 * self.shelves) if self.top == 0.5 else None

    def kernel_row(self, n: int) -> KernelRow | None:
        return KernelRow("shelves", self.shelves) if self.top == 0.5 else None


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
    row = [comb(n + m - 1, n)]
    for a in range(1, n):  # C(n+m-a-1, n) from the one before, which is quicker
        row.append(row[-1] * (m - a) // (n + m - a) if m > a else 0)
    found = {}
    for added in range(n):
        if (n - 1 - added) % 2 == 0:
            valleys = (n - 1 - added) // 2
            found[valleys] = 4 ** (valleys + 1) * row[valleys]
        row = [one + other for one, other in pairwise(row)]
    return [found[valleys] for valleys in sorted(found)]


@lru_cache(maxsize=64)
def uneven_shelves(n: int, shelves: int, top: Fraction | float) -> Distance:
    """Return the distances of `n` cards from uniform after one pass through a machine with uneven sides.

    Args:
        n: cards, 1 to 1,000; above 208 only separation and l-infinity are returned.
        shelves: 1 or more.
        top: the chance that a card goes on top of its shelf; above 0 and below 1. A float stands for its decimal.

    >>> round(float(uneven_shelves(52, 200, 0.6).total_variation), 4), uneven_shelves(3, 1, 0.6).total_variation
    (0.0446, Fraction(17, 50))
    """
    m, p = whole("shelves", shelves, 1, MOST_SHELVES), chance("the chance of the top", top)
    ways = (p.denominator * m) ** cards(n)
    if n <= MOST_COMPARED:
        return compared(_uneven_weights(n, m, p), ways, UNEVEN)
    # For each number of valleys the chance of an order rises or falls with its descents.
    ends = [row[side][v] for v, row in _uneven_rows(n, m, p, ends=True) for side in (0, -1)]
    low, high = [Fraction(end * factorial(n), ways) for end in (min(ends), max(ends))]
    return Distance(None, 1 - low, max(high - 1, 1 - low), True, UNEVEN)


def _uneven_weights(n: int, m: int, p: Fraction) -> list[tuple[int, int]]:
    """Return the chance and the number of the orders with each number of valleys and of descents.

    Where no valley or peak is, the order goes up or down, and turning that over for one card changes nothing else; so
    all the ways to choose are equally many orders. Source: Foata and Strehl, Math. Z. 137 (1974).
    """
    numbers, found = valley_numbers(n), []
    for v, row in _uneven_rows(n, m, p):
        free = len(row) - 1
        counts = [comb(free, ups) * (numbers[v] >> free) for ups in range(free + 1)]
        found += [(count * values[v], count) for count, values in zip(counts, row, strict=True)]
    return found


def _uneven_rows(n: int, m: int, p: Fraction, *, ends: bool = False) -> Iterator[tuple[int, list[list[int]]]]:
    """Yield for each number of valleys v what the orders with 0, 1, 2, ... free cards that go up have at entry v.

    That is the chance of one order over the ways of the machine. With `ends`, only those where none and all go up.
    """
    up, scale = p.numerator, p.denominator
    down = scale - up
    row = [[comb(n + m - 1 - s, n) if m > s else 0 for s in range(n)]]
    for free in range(n):
        if (n - 1 - free) % 2 == 0:
            v = (n - 1 - free) // 2
            yield v, [[value * scale ** (2 * v + 1) for value in values] for values in row]
        falls = [up * one + down * other for one, other in pairwise(row[0])]
        kept = row[-1:] if ends else row
        row = [falls, *[[down * one + up * other for one, other in pairwise(values)] for values in kept]]


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
        (
            Parameter("shelves", "how many", int, 1, 1_000_000, 10),
            Parameter("top", "chance that a card goes on top", float, 0.001, 0.999, 0.5, named=True),
        ),
        ShelfShuffler,
        says="a machine of shelves: the order turns too rarely; two passes through m shelves are one through 2 m^2",
        source=SOURCE,
        example="shelf(20)",
    ),
)
