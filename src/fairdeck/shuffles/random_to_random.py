"""Random to random: take any card out and put it anywhere, again and again; an upper bound from all eigenvalues.

A move and its inverse have the same law, so four times the square of the total variation is at most the sum of the
``2k``-th powers of all eigenvalues but that of the fair law. There is one for each shape (partition of n) and each
smaller shape that is left if cells are taken off, at most one of a column:

    ``n^2 r = C(n+1, 2) - C(m+1, 2) + the contents of the cells taken off``, with m cells left.

It comes d times d' times: d is the number of standard tableaux of the shape, d' that of the smaller shape's tableaux
whose first ascent is even (desarrangement tableaux). The shapes with a long first row are summed. Every cell taken off
makes r larger, so a shape whose first row is n - j has no eigenvalue above ``1 - j (n + 1)/n^2``, and the shapes with
the same j have at most ``C(n, j)^2 j!`` together: that bounds the rest.
Sources: Dieker and Saliola, "Spectral analysis of random-to-random Markov chains", Adv. Math. 323 (2018); Bernstein and
Nestoridi, "Cutoff for random to random card shuffle", Ann. Probab. 47 (2019). The sum is checked against the chance to
come back, over all orders of up to five cards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, exp, factorial, inf, lgamma, log, sqrt
from random import Random

from fairdeck.numbers import whole
from fairdeck.shuffles.characters import Shape, contents, partitions, tableaux
from fairdeck.shuffles.distances import Distance, cards
from fairdeck.shuffles.known import Family, KernelRow, Known, Model
from fairdeck.shuffles.walks import MOVES, Fixed, Moves, n_moves, outcomes

SOURCE = "Bernstein and Nestoridi, Ann. Probab. 47 (2019)"
BOUND = f"an upper bound: the eigenvalues of Dieker and Saliola, Adv. Math. 323 (2018); {SOURCE}"
MOST_MOVES = 10**9
SMALLEST = 1e-300  # floating point ends
BELOW = {60: 8, 208: 6, 416: 5, 1_000: 4}  # cards below the first row of the shapes that are summed, by the deck


@dataclass(frozen=True, slots=True)
class RandomToRandom(Model):
    """Take any card out and put it anywhere, again and again; it takes about 3/4 n ln n moves.

    Source: Bernstein and Nestoridi, "Cutoff for random to random card shuffle", Ann. Probab. 47 (2019).
    """

    moves: Moves

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        deck = list(range(n))
        for _ in range(self.moves(n)):
            card = deck.pop(rng.randrange(n))
            deck.insert(rng.randrange(n), card)
        return deck

    @classmethod
    def law(cls, in_turn: Sequence["RandomToRandom"], n: int) -> Distance:
        """Return an upper bound for all their moves."""
        most = random_to_random_bound(n, sum(each.moves(n) for each in in_turn))
        return Distance(most, None, None, False, BOUND)

    def support(self, n: int, times: int = 1) -> int:
        """Return how many orders can come, at most; to swap two neighbours there are two ways."""
        return outcomes(n, (n - 1) ** 2 + 1, self.moves(n) * times)

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("random to random", self.moves(n))


def random_to_random_bound(n: int, moves: int) -> float:
    """Return an upper bound of the total variation after so many cards went from random to random places, at most 1.

    Args:
        n: cards, 1 to 1,000.
        moves: 0 to 1,000,000,000.

    >>> round(random_to_random_bound(52, 205), 3)
    0.078
    """
    cards(n)
    k = whole("moves", moves, 0, MOST_MOVES)
    if k == 0 or n == 1:
        return float(1 - Fraction(1, factorial(n)))
    below = next(below for most, below in BELOW.items() if n <= most)
    logs = [many + 2 * k * root for many, root in (*_near_the_rim(n, below), *_beyond(n, below))]
    if max(logs, default=-inf) > 2:
        return 1.0
    return min(1.0, max(SMALLEST, sqrt(sum([exp(value) for value in logs])) / 2))


@lru_cache(maxsize=4)
def _near_the_rim(n: int, below: int) -> tuple[tuple[float, float], ...]:
    """Return logarithms of d d' and of r, for the shapes with 1 to `below` cells below the first row."""
    found: dict[int, int] = {}  # by n^2 r
    for j in range(1, min(below, n - 1) + 1):
        for small in partitions(j, min(j, n - j)):
            shape = (n - j, *small)
            ways = tableaux(shape)
            for left in _without_strip(shape):
                root = comb(n + 1, 2) - comb(sum(left) + 1, 2) + contents(shape) - contents(left)
                if root:
                    found[root] = found.get(root, 0) + ways * _desarrangements(left)
    return tuple([(log(many), log(root) - 2 * log(n)) for root, many in found.items() if many])


def _beyond(n: int, below: int) -> Iterator[tuple[float, float]]:
    """Yield logarithms of bounds of the number of eigenvalues and of their size, for the other shapes."""
    for j in range(below + 1, n):
        yield min(2 * log(comb(n, j)) + lgamma(j + 1), lgamma(n + 1)), log(n * n - j * (n + 1)) - 2 * log(n)


def _without_strip(shape: Shape) -> Iterator[Shape]:
    """Yield what is left of a shape if cells are taken off, at most one of a column."""
    for rows in product(*[range(shorter, row + 1) for row, shorter in zip(shape, (*shape[1:], 0), strict=True)]):
        yield tuple([row for row in rows if row])


def _desarrangements(shape: Shape) -> int:
    """Return the number of standard tableaux whose first ascent is even: a signed sum, at most one cell off each row.

    >>> [_desarrangements(shape) for shape in [(), (1,), (1, 1), (2, 1), (2, 2)]]
    [1, 0, 1, 1, 1]
    """
    total = 0
    for off in product((0, 1), repeat=len(shape)):
        rows = [row - less for row, less in zip(shape, off, strict=True)]
        if rows == sorted(rows, reverse=True):
            total += (-1) ** sum(off) * tableaux(tuple([row for row in rows if row]))
    return total


KNOWN = (
    Known(
        "random-to-random-n",
        RandomToRandom(n_moves),
        says="moves any card anywhere, n times: the cards never taken, over a third, are still in order",
        source=SOURCE,
    ),
)

FAMILIES = (
    Family(
        "random-to-random",
        (MOVES,),
        lambda moves: RandomToRandom(Fixed(moves)),
        says="moves any card anywhere, again and again: it takes about 3/4 n ln n moves",
        source=SOURCE,
        example="random-to-random(150)",
        by_hand=False,
    ),
)
