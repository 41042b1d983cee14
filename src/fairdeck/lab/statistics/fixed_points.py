"""Fixed points: cards that lie where they lay before."""

from functools import cache
from math import comb

import numpy as np

from fairdeck.bulk.dtypes import Values, counted
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.view import View


@cache
def derangements(n: int) -> tuple[int, ...]:
    """Return in how many orders of 0, 1, ..., `n` cards no card lies where it did.

    >>> derangements(5)
    (1, 0, 1, 2, 9, 44)
    """
    found = [1]
    for cards in range(1, n + 1):
        found.append(cards * found[-1] + (-1) ** cards)
    return tuple(found)


@cache
def rencontres_law(n: int) -> Law:
    """Return the law of the fixed points: choose them, and derange the others.

    Source: Riordan, An Introduction to Combinatorial Analysis (1958), section 3.5.

    >>> rencontres_law(4)
    Law(low=0, weights=(9, 8, 6, 0, 1))
    """
    moved = derangements(n)
    return Law(0, tuple(comb(n, fixed) * moved[n - fixed] for fixed in range(n + 1)))


def fixed_points(view: View) -> Values:
    """Return the number of cards of each deck that lie where they started."""
    return counted(view.columns == np.arange(view.cards, dtype=view.columns.dtype)[:, None])


FIXED_POINTS = Scalar(
    name="fixed points",
    sees="off-by-one swaps, too few or lazy swaps, cards that are skipped",
    source="rencontres numbers; Riordan, An Introduction to Combinatorial Analysis (1958), section 3.5",
    of=fixed_points,
    law=rencontres_law,
    few="too few cards stay where they were, as if no card could",
    many="too many cards stay where they were: some are never moved",
    least=3,  # two cards both stay or neither: a law on even numbers only
    most=1_000,
)

STATISTICS = (FIXED_POINTS,)
