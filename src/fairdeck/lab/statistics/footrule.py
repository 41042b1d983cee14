"""How far cards move: the footrule, which adds up all distances, and the largest distance of a large deck."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import factorial, log
from typing import ClassVar

import numpy as np
from scipy.special import gammaincc, gammaln

from fairdeck.bulk.shapes import Counts, Floats, Values
from fairdeck.lab.laws.scalar import Law, log_sum_exp
from fairdeck.lab.laws.tails import VALUE, PValue
from fairdeck.lab.statistics import Evidence, Scalar, Statistic
from fairdeck.lab.view import View
from fairdeck.shuffles import MOST_CARDS

MOST = 120
LARGE = 201  # cards: about where the laws of the other distances end
PARTS = 2**16  # of a logarithm, in which it is counted: whole numbers add up alike in any order
STAKES = np.array([0.5, 0.25, 0.1, 0.03])


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


@dataclass(frozen=True)
class LargestMove(Statistic):
    """The largest number of places that any card moves down, or up: a shuffle with too small a buffer leaves it small.

    Of a fair deck the chance that no card moves down by more than b places is F(b) = (b+1)^(n-b-1) (b+1)! / n!: counted
    from the bottom, each place has b + 1 cards to choose from, until the last. The logarithms of F are added up over
    the decks, rounded towards 0: at most those of uniform numbers, so that minus their sum follows a gamma law at most
    (Fisher's combination). One deck has its exact p-value.
    """

    down: bool = True

    family: ClassVar[str] = "shape"
    bets: ClassVar[bool] = True
    sizes: ClassVar[range] = range(LARGE, MOST_CARDS + 1)

    def count(self, view: View) -> Counts:
        """Return the sum of -log F, in parts of `PARTS`, and the largest move of all decks."""
        n = view.cards
        start = np.arange(n, dtype=view.columns.dtype)[:, None]
        moves = (view.columns - start if self.down else start - view.columns).max(axis=0).astype(np.int64)
        parts = np.floor(-PARTS * log_chance_within(moves, n)).astype(np.int64)
        return np.array([parts.sum(), moves.max(initial=0)])

    def merge(self, counts: Counts, more: Counts) -> Counts:
        """Return the sum and the largest move of both."""
        return np.array([counts[0] + more[0], max(counts[1], more[1])])

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the sum; the words are about the largest move of all decks, and its median."""
        if not decks:
            return
        every = np.arange(n)
        median = int(np.searchsorted(log_chance_within(every, n), -log(2) / decks))
        p_value = PValue(float(gammaincc(decks, counts[0] / PARTS)), VALUE, int(counts[1]))
        way = "down" if self.down else "up"
        words = f"no card moves {way} by more than {{seen:,}} places; in fair decks one moves by some {{expected:,}}"
        yield self.evidence("largest move", p_value, words, seen=int(counts[1]), expected=median)

    def log_wealth(self, counts: Counts, n: int, decks: int) -> float:  # noqa: ARG002
        """Return the log of what bets on k F^(k-1) have made of one coin: the mean of that is 1 for a uniform F."""
        return log_sum_exp(decks * np.log(STAKES) + (1 - STAKES) * (counts[0] / PARTS)) - log(len(STAKES))


def log_chance_within(moves: Values, n: int) -> Floats:
    """Return the log of the chance that no card of a fair deck moves down by more than so many places.

    >>> [round(6 * float(np.exp(each))) for each in log_chance_within(np.arange(3), 3)]
    [1, 4, 6]
    """
    chances: Floats = (n - moves - 1) * np.log(moves + 1) + gammaln(moves + 2) - gammaln(n + 1)
    return np.minimum(0.0, chances)


def _largest(down: bool) -> LargestMove:
    way = "down" if down else "up"
    return LargestMove(
        f"largest move {way}",
        f"a buffer that is too small, of a stream whose items come too {'early' if down else 'late'}; a large deck",
        "(b+1)^(n-b-1) (b+1)!/n! orders within b places; Fisher, Statistical Methods for Research Workers, 21.1",
        down=down,
    )


STATISTICS = (
    _largest(down=True),
    _largest(down=False),
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
