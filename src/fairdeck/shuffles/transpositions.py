"""Random transpositions: two places, each drawn by itself, swap their cards; equal places swap nothing.

The chance of an order depends on its cycles alone. A swap joins two cycles or parts one, so for few
cards the law is followed exactly on the lengths of the cycles (up to 52 cards `fairdeck.lab.laws.cycles` does so in
floating point). For more there is the upper bound of Diaconis and Shahshahani: four times the square of the total
variation is at most the sum of ``d^2 r^(2k)`` over the shapes (partitions of n) but the flat one, d being the number of
standard tableaux of the shape and r its eigenvalue, ``1/n + 2 c/n^2`` with c the sum of its contents. Late in the walk
`fairdeck.shuffles.characters` closes in on the total variation itself.
Source: Diaconis and Shahshahani, "Generating a random permutation with random transpositions", Z. Wahrsch. verw.
Gebiete 57 (1981); Diaconis, Group Representations in Probability and Statistics (1988), chapter 3D.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, exp, factorial, inf, log, sqrt
from random import Random

from fairdeck.numbers import whole
from fairdeck.shuffles.characters import MOST_BELOW, Shape, partitions, rows_beyond, variation_between
from fairdeck.shuffles.distances import Distance, cards, compared
from fairdeck.shuffles.known import Family, KernelRow, Known, Model
from fairdeck.shuffles.walks import MOVES, Fixed, Moves, n_log_n, n_moves, outcomes, two_n

SOURCE = "Diaconis and Shahshahani, Z. Wahrsch. verw. Gebiete 57 (1981)"
EXACT = f"{SOURCE}, followed on the cycles"
BOUND = f"an upper bound: {SOURCE}"
BOUNDS = f"bounds by characters: {SOURCE}"
CLOSED = f"{SOURCE}, by characters to four digits"
SMALLEST = 1e-300  # floating point ends
CLOSE = 1e-4  # bounds that are nearer, as a share, are one number
FOLLOWED = 16  # cards up to which the cycles are followed: 231 kinds of cycles
MOST_MOVES = 1_000
MOST_BOUNDED = 10**6


@dataclass(frozen=True, slots=True)
class Transpositions(Model):
    """Swap two random places, again and again; about half of n ln n swaps are needed, then it is soon fair."""

    moves: Moves  # how many swaps
    distinct: bool = False  # never swap a place with itself; then every swap changes the parity of the order

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        deck = list(range(n))
        for _ in range(self.moves(n)):
            one = rng.randrange(n)
            if self.distinct:
                other = rng.randrange(n - 1)
                other += other >= one
            else:
                other = rng.randrange(n)
            deck[one], deck[other] = deck[other], deck[one]
        return deck

    @classmethod
    def law(cls, in_turn: Sequence["Transpositions"], n: int) -> Distance | None:
        """Return the law of all their swaps; none is known for pairs of two different places."""
        if any(each.distinct for each in in_turn):
            return None
        return random_transpositions(n, sum(each.moves(n) for each in in_turn))

    def support(self, n: int, times: int = 1) -> int:
        """Return how many orders can come, at most; swaps of two different places make orders of one parity only."""
        return outcomes(n, comb(n, 2) + (not self.distinct), self.moves(n) * times, one_parity=self.distinct)

    def cutoff(self, n: int) -> float | None:
        """Return how many make ``(n/2) ln n`` swaps."""
        return None if self.distinct else n / 2 * log(n) / self.moves(n)

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("distinct transpositions" if self.distinct else "transpositions", self.moves(n))


def random_transpositions(n: int, moves: int) -> Distance:
    """Return the distances of `n` cards from uniform after `moves` random transpositions.

    Args:
        n: cards, 1 to 1,000.
        moves: 0 to 1,000,000. Up to 1,000 for up to 16 cards the law is exact; for more cards there are bounds of the
            total variation that, late enough, agree to four digits and count as exact; the rest is not known.

    >>> random_transpositions(3, 1)  # doctest: +ELLIPSIS
    Distance(total_variation=Fraction(1, 3), separation=Fraction(1, 1), l_infinity=Fraction(1, 1), exact=True, ...)
    >>> round(random_transpositions(52, 150).total_variation, 4)
    0.0522
    """
    if cards(n) <= FOLLOWED:
        if whole("moves", moves, 0, MOST_BOUNDED) > MOST_MOVES:
            return Distance(transposition_bound(n, moves), None, None, False, BOUND)
        return _followed(n, moves)
    least, most = 0.0, 1.0
    for below in range(1, MOST_BELOW + 1):
        low, high = variation_between(n, moves, below)
        least, most = max(least, low), min(most, high)
        if 0 < most - least <= CLOSE * most:
            return Distance(most, None, None, True, CLOSED)  # the upper end: it still bounds longer recipes
    most = min(most, transposition_bound(n, moves))
    return Distance(most, None, None, False, BOUNDS if least else BOUND, least)


def transposition_bound(n: int, moves: int) -> float:
    """Return the upper bound of the total variation after `moves` random transpositions, at most 1.

    The shapes are taken together by their longest row or column, which makes the bound a little larger.

    >>> transposition_bound(52, 10)
    1.0
    """
    cards(n)
    k = whole("moves", moves, 0, MOST_BOUNDED)
    if k == 0:
        return float(1 - Fraction(1, factorial(n)))
    logs = [orders + 2 * k * root for orders, root in rows_beyond(n, 0)]
    if n > 2:
        logs.append(2 * k * log(1 - 2 / n))  # the single column
    if max(logs, default=-inf) > 2:
        return 1.0
    return min(1.0, max(SMALLEST, sqrt(sum([exp(value) for value in logs])) / 2))


def _followed(n: int, moves: int) -> Distance:
    """Return the exact distances, from the law of the lengths of the cycles, in whole numbers over n^(2k)."""
    law: dict[Shape, int] = {(1,) * n: 1}
    for _ in range(moves):
        after: Counter[Shape] = Counter()
        for shape, weight in law.items():
            for reached, ways in _swapped(shape):
                after[reached] += weight * ways
        law = dict(after)
    weights = [(law.get(shape, 0), _orders(shape)) for shape in partitions(n, n)]
    return compared(weights, n ** (2 * moves), EXACT)


@lru_cache(maxsize=4096)
def _swapped(shape: Shape) -> tuple[tuple[Shape, int], ...]:
    """Return the cycles after one swap, with how many of the n^2 pairs of places lead there."""
    found: Counter[Shape] = Counter({shape: sum(shape)})
    for at, one in enumerate(shape):
        rest = (*shape[:at], *shape[at + 1 :])
        for part in range(1, one):
            found[_shape(*rest, part, one - part)] += one
        for beyond, other in enumerate(rest[at:], at):
            found[_shape(*rest[:beyond], *rest[beyond + 1 :], one + other)] += 2 * one * other
    return tuple(found.items())


def _shape(*parts: int) -> Shape:
    return tuple(sorted(parts, reverse=True))


def _orders(shape: Shape) -> int:
    same = factorial(sum(shape))
    for length, count in Counter(shape).items():
        same //= length**count * factorial(count)
    return same


KNOWN = (
    Known(
        "transpositions-n",
        Transpositions(n_moves),
        says="swaps as many random pairs as there are cards: one card in seven is never touched",
        source=SOURCE,
    ),
    Known(
        "transpositions-2n",
        Transpositions(two_n),
        says="swaps two random pairs a card: one card in fifty-five is never touched, which shows",
        source=SOURCE,
    ),
    Known(
        "transpositions-nlogn",
        Transpositions(n_log_n),
        says="swaps n ln n random pairs (206 for 52 cards): slightly too many cards stay where they were",
        source=SOURCE,
    ),
    Known(
        "transpositions-n-distinct",
        Transpositions(n_moves, distinct=True),
        says="swaps n pairs of two different places: half of all orders, those of the wrong parity, never come",
        source=SOURCE,
        least=2,
    ),
)

FAMILIES = (
    Family(
        "transpositions",
        (MOVES,),
        lambda moves: Transpositions(Fixed(moves)),
        says="swaps two random places, again and again: it takes about half of n ln n swaps",
        source=SOURCE,
        example="transpositions(100)",
        by_hand=False,
    ),
)
