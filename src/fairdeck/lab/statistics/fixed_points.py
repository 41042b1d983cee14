"""Fixed points: cards that lie where they lay before."""

from functools import cache
from math import comb

import numpy as np

from fairdeck.bulk.shapes import Values, counted
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.view import View

SAME_LAW = 200  # cards
MOST_COUNTED = 10_000  # fixed points of a deck; more count as so many


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

    With more cards it hardly changes: the chance of k fixed points of n cards is 1/k! times the first n-k+1 terms of
    1/e = 1 - 1 + 1/2! - 1/3! + ... So from `SAME_LAW` cards on the law of so many serves, where all larger numbers have
    the weight 0: their chance is below 1e-370. Of up to 170 fixed points the chance is the same to 30 digits; that of
    more is below 1e-309.

    Source: Riordan, An Introduction to Combinatorial Analysis (1958), section 3.5.

    >>> rencontres_law(4)
    Law(low=0, weights=(9, 8, 6, 0, 1))
    """
    few = min(n, SAME_LAW)
    moved = derangements(few)
    padding = [0] * (min(n, MOST_COUNTED) - few)
    return Law(0, (*(comb(few, fixed) * moved[few - fixed] for fixed in range(few + 1)), *padding))


def fixed_points(view: View) -> Values:
    """Return the number of cards of each deck that lie where they started."""
    found = counted(view.columns == np.arange(view.cards, dtype=view.columns.dtype)[:, None])
    return np.minimum(found, MOST_COUNTED)


FIXED_POINTS = Scalar(
    name="fixed points",
    sees="off-by-one swaps, too few or lazy swaps, cards that are skipped",
    source="rencontres numbers; Riordan, An Introduction to Combinatorial Analysis (1958), section 3.5",
    of=fixed_points,
    law=rencontres_law,
    capped=MOST_COUNTED,
    few="too few cards stay where they were, as if no card could",
    many="too many cards stay where they were: some are never moved",
    least=3,  # two cards both stay or neither: a law on even numbers only
)

STATISTICS = (FIXED_POINTS,)
