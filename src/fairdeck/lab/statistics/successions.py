"""Successions: neighbours that were neighbours before."""

from functools import cache
from math import comb

from fairdeck.bulk.shapes import Values, counted
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.fixed_points import derangements
from fairdeck.lab.view import View


@cache
def succession_law(n: int) -> Law:
    """Return the law of the successions of `n` cards, two or more; that of the predecessions as well.

    Source: Riordan, An Introduction to Combinatorial Analysis (1958), chapter 4; OEIS A123513.

    >>> succession_law(4)
    Law(low=0, weights=(11, 9, 3, 1))
    """
    moved = derangements(n)
    return Law(0, tuple(comb(n - 1, kept) * (moved[n - kept] + moved[n - kept - 1]) for kept in range(n)))


def successions(view: View) -> Values:
    """Return how many cards of each deck lie directly on the card that they lay on before."""
    return counted(view.columns[1:] == view.columns[:-1] + 1)


def predecessions(view: View) -> Values:
    """Return how many cards of each deck lie directly under the card that they lay on before."""
    return counted(view.columns[1:] == view.columns[:-1] - 1)


_SOURCE = "Riordan, An Introduction to Combinatorial Analysis (1958), chapter 4; OEIS A123513"

SUCCESSIONS = Scalar(
    name="successions",
    sees="packets that stay whole: overhand, cuts, few riffles",
    source=_SOURCE,
    of=successions,
    law=succession_law,
    few="cards that lay together are separated too well",
    many="too many cards still lie directly on the same card as before",
    most=1_000,
)

STATISTICS = (
    SUCCESSIONS,
    Scalar(
        name="predecessions",
        sees="packets turned over: cards taken off one by one, piles",
        source=_SOURCE,
        of=predecessions,
        law=succession_law,
        few="cards that lay together are separated too well",
        many="too many cards lie directly under the card on which they lay before: packets were turned over",
        most=1_000,
    ),
)
