"""Small random moves, made a fixed number of times: fair only in the limit, and later than expected.

How many moves a walk makes, and swaps of neighbours, whose law nobody knows; `transpositions` and `top_to_random` have
an exact law, and `random_to_random` has a bound.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, factorial, log, log2
from random import Random

from fairdeck.shuffles.distances import cards
from fairdeck.shuffles.known import Family, KernelRow, Known, Model, Parameter

Moves = Callable[[int], int]
MOVES = Parameter("moves", "how many", int, 1, 1_000_000, needed=True)


def n_moves(n: int) -> int:
    """Make as many moves as there are cards."""
    return n


def two_n(n: int) -> int:
    """Make two moves a card."""
    return 2 * n


def n_log_n(n: int) -> int:
    """Make n ln n moves, rounded up: 206 for 52 cards."""
    return ceil(n * log(n))


@dataclass(frozen=True, slots=True)
class Fixed:
    """Make a fixed number of moves, whatever the deck."""

    moves: int  # how many

    def __call__(self, _n: int) -> int:
        return self.moves


def outcomes(n: int, each: int, moves: int, *, one_parity: bool = False) -> int:
    """Return how many orders of `n` cards come after moves, at most, if a move makes `each` from any order.

    Args:
        n: cards, 1 to 1,000.
        each: 1 or more.
        moves: 0 or more.
        one_parity: whether every move changes the parity of the order: then only half of all can come.
    """
    all_ = factorial(cards(n)) // (2 if one_parity and n > 1 else 1)
    return all_ if moves * log2(each) > all_.bit_length() else min(all_, each**moves)


@dataclass(frozen=True, slots=True)
class AdjacentSwaps(Model):
    """Swap a card with the one above it, again and again; it takes about ``n^3 ln n / (2 pi^2)`` swaps.

    That is a theorem for swaps at random times; a fixed number of swaps reaches half of all orders. Sources: Wilson,
    "Mixing times of lozenge tiling and card shuffling Markov chains", Ann. Appl. Probab. 14 (2004), the lower bound;
    Lacoin, "Mixing time and cutoff for the adjacent transposition shuffle and the simple exclusion", Ann. Probab. 44
    (2016).
    """

    moves: Moves

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        deck = list(range(n))
        for _ in range(self.moves(n)):
            place = rng.randrange(n - 1)
            deck[place], deck[place + 1] = deck[place + 1], deck[place]
        return deck

    def support(self, n: int, times: int = 1) -> int:
        """Return how many orders can come, at most; each swap changes the parity, so half of all never come."""
        return outcomes(n, n - 1, self.moves(n) * times, one_parity=True)

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("adjacent swaps", self.moves(n))


KNOWN = (
    Known(
        "adjacent-swaps-n",
        AdjacentSwaps(n_moves),
        says="swaps n pairs of neighbours: every card is still about where it was",
        source="Wilson, Ann. Appl. Probab. 14 (2004)",
        least=2,
    ),
)

FAMILIES = (
    Family(
        "adjacent-swaps",
        (MOVES,),
        lambda moves: AdjacentSwaps(Fixed(moves)),
        says="swaps random pairs of neighbours, again and again: it takes about n^3 ln n / (2 pi^2) swaps",
        source="Wilson, Ann. Appl. Probab. 14 (2004); Lacoin, Ann. Probab. 44 (2016)",
        example="adjacent-swaps(1000)",
        by_hand=False,
        least=2,
    ),
)
