"""Small random moves, made a fixed number of times: fair only in the limit, and later than expected.

How many moves a walk makes, and the two walks without an exact law; `transpositions` and `top_to_random` have one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, log
from random import Random

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
    """Make a fixed number of moves, whatever the deck.

    Attributes:
        moves: how many.
    """

    moves: int

    def __call__(self, _n: int) -> int:
        return self.moves


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

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("random to random", self.moves(n))


@dataclass(frozen=True, slots=True)
class AdjacentSwaps(Model):
    """Swap a card with the one above it, again and again; it takes about n^3 ln n swaps.

    Source: Wilson, "Mixing times of lozenge tiling and card shuffling Markov chains", Ann. Appl. Probab. 14 (2004).
    """

    moves: Moves

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        deck = list(range(n))
        for _ in range(self.moves(n)):
            place = rng.randrange(n - 1)
            deck[place], deck[place + 1] = deck[place + 1], deck[place]
        return deck

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
    Known(
        "random-to-random-n",
        RandomToRandom(n_moves),
        says="moves any card anywhere, n times: the cards never taken, over a third, are still in order",
        source="Bernstein and Nestoridi, Ann. Probab. 47 (2019)",
    ),
)

FAMILIES = (
    Family(
        "random-to-random",
        (MOVES,),
        lambda moves: RandomToRandom(Fixed(moves)),
        says="moves any card anywhere, again and again: it takes about 3/4 n ln n moves",
        source="Bernstein and Nestoridi, Ann. Probab. 47 (2019)",
        example="random-to-random(150)",
        by_hand=False,
    ),
    Family(
        "adjacent-swaps",
        (MOVES,),
        lambda moves: AdjacentSwaps(Fixed(moves)),
        says="swaps random pairs of neighbours, again and again: it takes of the order of n^3 ln n swaps",
        source="Wilson, Ann. Appl. Probab. 14 (2004)",
        example="adjacent-swaps(1000)",
        by_hand=False,
        least=2,
    ),
)
