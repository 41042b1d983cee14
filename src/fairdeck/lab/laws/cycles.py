"""The law of random transpositions up to 52 cards, followed on the lengths of the cycles in floating point.

All orders with the same cycles are equally likely, so a law has as many numbers as there are partitions: 281,589 for 52
cards. Each number is that of one order over 1/n!. A swap joins two cycles or parts one. The chance to go from
one order to another is that to come back, so the swaps that part cycles need no table of their own.
All terms are positive and a step takes means, so nothing cancels: about twelve digits are right.

A swap of two different places changes the parity, so such swaps keep half of the numbers at 0: a step needs half of the
table. How many of the swaps have two equal places, and so change nothing, has a binomial law.
Source: Diaconis and Shahshahani, Z. Wahrsch. verw. Gebiete 57 (1981), who sum the same law over characters.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, log

import numpy as np
from scipy.sparse import csr_matrix

from fairdeck.bulk.shapes import Floats
from fairdeck.shuffles.distances import TINY, Distance

SOURCE = "Diaconis and Shahshahani, Z. Wahrsch. verw. Gebiete 57 (1981), followed on the cycles to six digits"
MOST_CARDS = 52
MOVES_A_CARD = 4  # so that an answer takes seconds; later the total variation is below a hundredth
NEAREST = 1e-9  # a smaller total variation would have fewer than six digits

MOST_STILL = 48  # swaps of equal places that are counted; with up to four swaps a card more have a chance below 1e-35

Tell = Callable[[int, int, str], None]


class Cycles:
    """The law of `n` cards after 0, 1, 2, ... transpositions, measured after those numbers that are asked for."""

    def __init__(self, n: int, *, distinct: bool) -> None:
        """Prepare the law of `n` cards, 2 to 52, before the first swap, whose two places may have to be `distinct`."""
        counts = _partitions(n)
        odd = (n - counts.sum(axis=1)) % 2 == 1
        self._distinct, self._enough, self._still = distinct, MOVES_A_CARD * n, 0.0 if distinct else 1 / n
        self._joins = [each * (1 / (n * (n - 1))) for each in _joins(counts, odd)]
        chances = np.array(
            [[float(length) ** -some / factorial(some) for some in range(n + 1)] for length in range(1, n + 1)]
        )
        fair: Floats = np.prod(chances[np.arange(n), counts], axis=1)
        self._fair = [fair[~odd], fair[odd]]
        self._start: Floats = np.where(counts[~odd, 0] == n, float(factorial(n)), 0.0)
        self._first, self._swapped = 0, [self._start]  # the law after so many swaps of different places, and after more
        self._distances: dict[int, Distance] = {}

    def after(self, moves: int, tell: Tell = lambda done, of, what: None) -> Distance | None:  # noqa: ARG005
        """Return the distances after so many swaps; None if there are very many, or if the distances are too small.

        Args:
            moves: 0 or more.
            tell: called with how many swaps are followed, of how many.
        """
        last = min(moves, self._enough)
        if last < moves and not self._distinct:
            return None
        if last not in self._distances:
            self._distances[last] = self._measured(self._law(last, tell))
        found = self._distances[last]
        if self._distinct:  # at one half for good, and the rarest orders never come; the likeliest are not followed
            return found if last == moves else replace(found, l_infinity=None)
        return found if (found.total_variation or 0) > NEAREST else None

    def _law(self, moves: int, tell: Tell) -> Floats:
        """Return the law after all swaps: the mean over how many of them have two equal places."""
        most = 0 if self._distinct else min(moves, MOST_STILL)
        if self._first > moves - most:
            self._first, self._swapped = 0, [self._start]
        while (swaps := self._first + len(self._swapped)) <= moves:
            tell(swaps, moves, "swaps")
            self._swapped.append(self._one_more(self._swapped[-1], swaps % 2))
            if len(self._swapped) > MOST_STILL + 1:
                del self._swapped[0]
                self._first += 1
        halves = [np.zeros_like(each) for each in self._fair]
        for still in range(most + 1):
            swaps = moves - still
            chance = comb(moves, still) * self._still**still * (1 - self._still) ** swaps
            halves[swaps % 2] += chance * self._swapped[swaps - self._first]
        return np.concatenate(halves)

    def _one_more(self, law: Floats, parity: int) -> Floats:
        """Return the law of the orders of this parity, from that of the others one swap before."""
        parts = self._joins[1 - parity].T @ (self._fair[1 - parity] * law) / self._fair[parity]
        reached: Floats = self._joins[parity] @ law + parts
        return reached

    def _measured(self, law: Floats) -> Distance:
        fair, short = np.concatenate(self._fair), 1 - law
        least = float(short.max()) if law.min() else Fraction(1)
        most = max(least, float(-short.min()))
        # As in `fairdeck.shuffles.distances.missing_bits`, each order counts by a term that is never below 0.
        logs = np.log(np.where(law > 0, law, 1))
        terms = np.where(abs(short) < TINY, short**2 * (1 / 2 + short / 6 + short**2 / 12), law * logs + short)
        variation, missing = float(fair @ np.maximum(short, 0)), float(fair @ terms) / log(2)
        return Distance(variation, least, most, True, SOURCE, missing_bits=missing)


@lru_cache(maxsize=1)
def cycles(n: int, *, distinct: bool = False) -> Cycles:
    """Return the law of `n` cards, to be asked after any number of swaps; the last one is kept.

    >>> round(cycles(3).after(1).total_variation, 9)
    0.333333333
    """
    return Cycles(n, distinct=distinct)


def _partitions(n: int) -> "np.ndarray[tuple[int, int], np.dtype[np.int8]]":
    """Return a row for each partition of `n`: how many parts are 1, 2, ..., n."""
    of = [np.zeros((int(size == 0), n), dtype=np.int8) for size in range(n + 1)]
    for part in range(1, n + 1):
        # Larger parts are put on at most n - part cards, or make all n.
        for size in (*range(part, n - part + 1), n):
            more = of[size - part].copy()
            more[:, part - 1] += 1
            of[size] = np.concatenate([of[size], more])
    return of[n]


def _joins(
    counts: "np.ndarray[tuple[int, int], np.dtype[np.int8]]", odd: "np.ndarray[tuple[int], np.dtype[np.bool]]"
) -> list[csr_matrix]:
    """Return how many ordered pairs of places join two cycles: from the partition of the row to that of the column.

    In the first table the rows are the partitions of even orders, and the columns those of odd ones; then the other.
    """
    n = counts.shape[1]
    # A partition is found by a sum of fixed random numbers, one for each part; no two of these sums are equal.
    number = np.random.default_rng(0).integers(2**64, size=n + 1, dtype=np.uint64)
    names = counts.astype(np.uint64) @ number[1:]
    order = np.argsort(names)
    ranked = names[order]
    rows, columns, pairs = [], [], []
    for one in range(1, n):
        for other in range(one, n - one + 1):
            some, more = counts[:, one - 1], counts[:, other - 1]
            row = np.flatnonzero((some > 0) & (more > (one == other)))
            joined = names[row] + number[one + other] - number[one] - number[other]
            both = some[row].astype(float) * (more[row] - (one == other)) * (1 if one == other else 2)
            rows.append(row)
            columns.append(order[np.searchsorted(ranked, joined)])
            pairs.append(both * one * other)
    of, to, ways = np.concatenate(rows), np.concatenate(columns), np.concatenate(pairs)
    place = np.where(odd, np.cumsum(odd), np.cumsum(~odd)) - 1  # among the partitions of the same parity
    sizes, found = (int((~odd).sum()), int(odd.sum())), []
    for parity in (0, 1):
        here = odd[of] == parity
        at = place[of[here]], place[to[here]]
        found.append(csr_matrix((ways[here], at), shape=(sizes[parity], sizes[1 - parity])))
    return found
