"""Neighbours of a kind: the same suit, rank or colour twice in a row."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from math import comb, factorial
from typing import ClassVar, cast

import numpy as np

from fairdeck.bulk.shapes import Counts, Values, counted
from fairdeck.lab.kinds import halves, ranks, suits
from fairdeck.lab.laws.scalar import Law, exactly, polynomial_product
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.view import View

MOST = 500

Kinds = Callable[[int], Counts | None]


@dataclass(frozen=True)
class Alike(Scalar):
    """A number that depends on which neighbours are of one kind."""

    kinds: Kinds = halves  # the kind of each of `n` cards; None where the deck has no kinds

    family: ClassVar[str] = "game"

    def fits(self, n: int) -> bool:
        """Tell whether decks of `n` cards have these kinds, and the number can take two values or more."""
        return self.least <= n <= self.most and self.kinds(n) is not None and super().fits(n)


def alike_law(kinds: Kinds, n: int) -> Law:
    """Return the law of the pairs of neighbours of one kind.

    j joined pairs leave n - j blocks, and m cards of one kind form k blocks in C(m-1, k-1) m!/k! ways.
    That gives the mean of C(pairs, j) for every j; inclusion and exclusion gives the law.
    Source: Riordan, An Introduction to Combinatorial Analysis (1958), chapter 3, section 2.
    """
    sizes = [int(size) for size in np.bincount(_known(kinds, n))]
    blocks = polynomial_product(
        [[0, *(comb(m - 1, k - 1) * factorial(m) // factorial(k) for k in range(1, m + 1))] for m in sizes]
    )
    joined = [blocks[n - pairs] * factorial(n - pairs) for pairs in range(n - len(sizes) + 1)]
    weights = exactly(joined)
    # Where the cards of a kind cannot all be kept apart, the least number is above 0.
    low = next(pairs for pairs, weight in enumerate(weights) if weight)
    return Law(low, tuple(weights[low:]))


@cache
def colour_run_law(n: int) -> Law:
    """Return the law of the runs of one colour, two or more cards.

    r runs take (r+1)/2 pieces of one colour and r/2 of the other, rounded down, in either order.
    Source: Wald and Wolfowitz, "On a test whether two samples are from the same population",
    Ann. Math. Stat. 11 (1940).

    >>> colour_run_law(4)
    Law(low=2, weights=(2, 2, 2))
    """
    one, other = n // 2, n - n // 2
    cuts = [(comb(one - 1, pieces), comb(other - 1, pieces)) for pieces in range(n)]
    weights = []
    for runs in range(2, n + 1):
        more, fewer = cuts[(runs + 1) // 2 - 1], cuts[runs // 2 - 1]
        weights.append(more[0] * fewer[1] + fewer[0] * more[1])
    while not weights[-1]:
        weights.pop()
    return Law(2, tuple(weights))


def _known(kinds: Kinds, n: int) -> Counts:
    return cast(Counts, kinds(n))  # `fits` has checked that there are kinds


def _pairs(kinds: Kinds, view: View) -> Values:
    """Return how often, in each deck, a card lies on one of its own kind."""
    table = np.take(_known(kinds, view.cards).astype(np.int16), view.columns)
    return counted(table[1:] == table[:-1])


STATISTICS = (
    Alike(
        name="neighbours of one suit",
        sees="clumps of a suit, or suits separated by hand",
        source="inclusion and exclusion; Riordan, An Introduction to Combinatorial Analysis (1958), chapter 3",
        of=partial(_pairs, suits),
        law=cache(partial(alike_law, suits)),
        few="cards of one suit are too rarely neighbours, as if they had been separated by hand",
        many="cards of one suit stay together in clumps",
        most=MOST,
        kinds=suits,
    ),
    Alike(
        name="neighbours of one rank",
        sees="clumps left by the last game, such as pairs and trumps played together, or ranks separated by hand",
        source="inclusion and exclusion; Riordan, An Introduction to Combinatorial Analysis (1958), chapter 3",
        of=partial(_pairs, ranks),
        law=cache(partial(alike_law, ranks)),
        few="cards of one rank are too rarely neighbours, as if they had been separated by hand",
        many="cards of one rank stay together in clumps",
        most=MOST,
        kinds=ranks,
    ),
    Alike(
        name="colour runs",
        sees="clumps of one colour, and colours that alternate",
        source="Wald and Wolfowitz, Ann. Math. Stat. 11 (1940)",
        of=lambda view: view.cards - _pairs(halves, view),
        law=colour_run_law,
        few="the stretches of one colour are too long",
        many="the colours take turns too regularly",
        most=MOST,
    ),
)
