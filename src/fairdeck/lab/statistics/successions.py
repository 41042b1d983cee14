"""Successions: neighbours that were neighbours before."""

from functools import cache
from math import comb, factorial

import numpy as np

from fairdeck.bulk.shapes import Values, counted
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.fixed_points import MOST_COUNTED, SAME_LAW, derangements
from fairdeck.lab.view import View

MOST = 1_000  # cards whose law has all its values


@cache
def succession_law(n: int) -> Law:
    """Return the law of the successions of `n` cards, two or more; that of the predecessions as well.

    Of more than `MOST` cards it is the law up to `SAME_LAW` successions, by inclusion and exclusion: j of them are
    chosen, and the others may come, with the mean (n - j) / (n j!). The chance of more is below 1e-370.

    Source: Riordan, An Introduction to Combinatorial Analysis (1958), chapter 4; OEIS A123513.

    >>> succession_law(4)
    Law(low=0, weights=(11, 9, 3, 1))
    """
    if n > MOST:
        chosen = range(SAME_LAW + 1)
        means = [(n - j) * (factorial(SAME_LAW) // factorial(j)) for j in chosen]
        weights = (sum((-1) ** (j - k) * comb(j, k) * means[j] for j in chosen[k:]) for k in chosen)
        return Law(0, (*weights, *[0] * (min(n, MOST_COUNTED) - SAME_LAW)))
    moved = derangements(n)
    return Law(0, tuple(comb(n - 1, kept) * (moved[n - kept] + moved[n - kept - 1]) for kept in range(n)))


def successions(view: View) -> Values:
    """Return how many cards of each deck lie directly on the card that they lay on before."""
    return np.minimum(counted(view.columns[1:] == view.columns[:-1] + 1), MOST_COUNTED)


def predecessions(view: View) -> Values:
    """Return how many cards of each deck lie directly under the card that they lay on before."""
    return np.minimum(counted(view.columns[1:] == view.columns[:-1] - 1), MOST_COUNTED)


_SOURCE = "Riordan, An Introduction to Combinatorial Analysis (1958), chapter 4; OEIS A123513"

SUCCESSIONS = Scalar(
    name="successions",
    sees="packets that stay whole: overhand, cuts, few riffles",
    source=_SOURCE,
    of=successions,
    law=succession_law,
    capped=MOST_COUNTED,
    few="cards that lay together are separated too well",
    many="too many cards still lie directly on the same card as before",
)

STATISTICS = (
    SUCCESSIONS,
    Scalar(
        name="predecessions",
        sees="packets turned over: cards taken off one by one, piles",
        source=_SOURCE,
        of=predecessions,
        law=succession_law,
        capped=MOST_COUNTED,
        few="cards that lay together are separated too well",
        many="too many cards lie directly under the card on which they lay before: packets were turned over",
    ),
)
