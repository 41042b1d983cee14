"""The footrule: the distance that the cards have moved, added up."""

from functools import cache
from math import factorial

import numpy as np

from fairdeck.bulk.shapes import Values
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.view import View

MOST = 120


@cache
def footrule_law(n: int) -> Law:
    """Return the law of half the footrule of `n` cards.

    As many cards cross upwards between the places i-1 and i as downwards; half the footrule is the sum of the upward
    crossings over i. With k crossings open below a place, the place and its own card keep the number of open crossings
    in 1 + 2k ways, close one in k^2 ways, and open one in 1 way. Source: Diaconis and Graham, "Spearman's footrule as a
    measure of disarray", J. Roy. Stat. Soc. B 39 (1977); Guay-Paquet and Petersen, "The generating function for total
    displacement", Electron. J. Combin. 21 (2014), section 3.

    >>> footrule_law(3)
    Law(low=0, weights=(1, 2, 3))
    """
    # A polynomial is one long integer with its coefficients side by side; each has space for n!.
    width = 8 * (factorial(n).bit_length() // 8 + 1)
    opened = [1]  # by k: the number of ways so far, a polynomial in the sum of crossings
    for place in range(n):
        most = min(place + 1, n - place - 1)  # every open crossing must be closed at a later place
        same, fewer, more = [*opened, 0, 0], [0, *opened], [*opened[1:], 0, 0, 0]
        opened = [((1 + 2 * k) * same[k] + fewer[k] + (k + 1) ** 2 * more[k]) << (width * k) for k in range(most + 1)]
    digits = opened[0].to_bytes(width // 8 * (n * n // 4 + 1), "little")
    weights = (digits[at : at + width // 8] for at in range(0, len(digits), width // 8))
    return Law(0, tuple(int.from_bytes(weight, "little") for weight in weights))


def half_footrule(view: View) -> Values:
    """Return half the distance, in places, that the cards of each deck have moved; the whole is even."""
    here = np.arange(view.cards, dtype=view.columns.dtype)[:, None]
    moved: Values = np.abs(view.columns - here).sum(axis=0, dtype=np.int64)
    return moved // 2


STATISTICS = (
    Scalar(
        name="half the footrule",
        sees="cards that stay near their places: modulo, lazy swaps, overhand, too little shuffling",
        source="Diaconis and Graham, J. Roy. Stat. Soc. B 39 (1977), who name it after Spearman",
        of=half_footrule,
        law=footrule_law,
        few="cards end too close to the places where they started",
        many="cards end too far from the places where they started",
        most=MOST,
    ),
)
