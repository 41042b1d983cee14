"""One small random move, made a fixed number of times: fair only in the limit, and later than one thinks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil, log
from random import Random

from fairdeck.shuffles import Family, Known, Parameter

Moves = Callable[[int], int]


def once(_n: int) -> int:
    """Make one move."""
    return 1


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
    """Make so many moves, whatever the deck.

    Attributes:
        moves: how many.
    """

    moves: int

    def __call__(self, _n: int) -> int:
        """Return how many."""
        return self.moves


@dataclass(frozen=True, slots=True)
class Transpositions:
    """Swap two random places, again and again; about half of n ln n swaps are needed, then it is soon fair.

    Source: Diaconis and Shahshahani, "Generating a random permutation with random transpositions",
    Z. Wahrsch. verw. Gebiete 57 (1981).

    Attributes:
        moves: how many swaps.
        distinct: never swap a place with itself; then every swap changes the parity of the order.
    """

    moves: Moves
    distinct: bool = False

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement near the sorted order, if the swaps are few."""
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


@dataclass(frozen=True, slots=True)
class TopToRandom:
    """Put the top card anywhere, again and again; it takes about n ln n moves.

    Source: Aldous and Diaconis, "Shuffling cards and stopping times", Amer. Math. Monthly 93 (1986).
    """

    moves: Moves

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement whose base cards are in order until the moves have reached them."""
        deck = list(range(n))
        for _ in range(self.moves(n)):
            deck.insert(rng.randrange(n), deck.pop())
        return deck


@dataclass(frozen=True, slots=True)
class TopToRandomUntil:
    """Top to random, until the card that began at the base has come to the top and been put away as well.

    The cards put under that card come in random order, so at that moment all orders are equally
    likely: to stop by what is seen, not after a fixed number, makes a poor shuffle fair.
    Source: Aldous and Diaconis, Amer. Math. Monthly 93 (1986), section 1.
    """

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return one of the n! arrangements, each equally likely."""
        deck = list(range(n))
        last = False
        while not last:
            card = deck.pop()
            last = card == 0
            deck.insert(rng.randrange(n), card)
        return deck


@dataclass(frozen=True, slots=True)
class RandomToRandom:
    """Take any card out and put it anywhere, again and again; it takes about 3/4 n ln n moves.

    Source: Bernstein and Nestoridi, "Cutoff for random to random card shuffle", Ann. Probab. 47 (2019).
    """

    moves: Moves

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement in which the cards never taken are still in order."""
        deck = list(range(n))
        for _ in range(self.moves(n)):
            card = deck.pop(rng.randrange(n))
            deck.insert(rng.randrange(n), card)
        return deck


@dataclass(frozen=True, slots=True)
class AdjacentSwaps:
    """Swap a card with the one above it, again and again; it takes about n^3 ln n swaps.

    Source: Wilson, "Mixing times of lozenge tiling and card shuffling Markov chains", Ann. Appl. Probab. 14 (2004).
    """

    moves: Moves

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement in which hardly a card is far from where it was."""
        deck = list(range(n))
        for _ in range(self.moves(n)):
            place = rng.randrange(n - 1)
            deck[place], deck[place + 1] = deck[place + 1], deck[place]
        return deck


_SWAPS = "Diaconis and Shahshahani, Z. Wahrsch. verw. Gebiete 57 (1981)"
_TOPS = "Aldous and Diaconis, Amer. Math. Monthly 93 (1986)"

KNOWN = (
    Known(
        "transpositions-n",
        Transpositions(n_moves),
        fair=False,
        says="swaps as many random pairs as there are cards: one card in seven is never touched",
        source=_SWAPS,
    ),
    Known(
        "transpositions-2n",
        Transpositions(two_n),
        fair=False,
        says="swaps two random pairs a card: one card in fifty-five is never touched, and shows",
        source=_SWAPS,
    ),
    Known(
        "transpositions-nlogn",
        Transpositions(n_log_n),
        fair=False,
        says="swaps n ln n random pairs (206 for 52 cards): a trace too many cards stay where they were",
        source=_SWAPS,
    ),
    Known(
        "transpositions-n-distinct",
        Transpositions(n_moves, distinct=True),
        fair=False,
        says="swaps n pairs of two different places: half of all orders, those of the wrong parity, never come",
        source=_SWAPS,
        least=2,
    ),
    Known(
        "adjacent-swaps-n",
        AdjacentSwaps(n_moves),
        fair=False,
        says="swaps n pairs of neighbours: every card is still about where it was",
        source="Wilson, Ann. Appl. Probab. 14 (2004)",
        least=2,
    ),
    Known(
        "random-to-random-n",
        RandomToRandom(n_moves),
        fair=False,
        says="moves any card anywhere, n times: the cards never taken, over a third, are still in order",
        source="Bernstein and Nestoridi, Ann. Probab. 47 (2019)",
    ),
    Known(
        "top-to-random",
        TopToRandom(once),
        fair=False,
        says="puts the top card anywhere, once: all the others are still in order",
        source=_TOPS,
        by_hand=True,
    ),
    Known(
        "top-to-random-n",
        TopToRandom(n_moves),
        fair=False,
        says="puts the top card anywhere, n times: the cards near the base are still in order",
        source=_TOPS,
        by_hand=True,
    ),
    Known(
        "top-to-random-nlogn",
        TopToRandom(n_log_n),
        fair=False,
        says="puts the top card anywhere, n ln n times (206 for 52 cards): now and then the base is still in order",
        source=_TOPS,
        by_hand=True,
    ),
    Known(
        "top-to-random-until",
        TopToRandomUntil(),
        fair=True,
        says="puts the top card anywhere, until the card from the base has come up and been put away too",
        source=_TOPS,
        by_hand=True,
    ),
)

_MOVES = Parameter("moves", "how many", int, 1, 1_000_000, needed=True)

FAMILIES = (
    Family(
        "top-to-random",
        (replace(_MOVES, default=1, needed=False),),
        lambda moves: TopToRandom(Fixed(moves)),
        says="puts the top card anywhere, so many times: it takes about n ln n moves",
        source=_TOPS,
        example="top-to-random(200)",
    ),
    Family(
        "transpositions",
        (_MOVES,),
        lambda moves: Transpositions(Fixed(moves)),
        says="swaps two random places, so many times: it takes about half of n ln n swaps",
        source=_SWAPS,
        example="transpositions(100)",
        by_hand=False,
    ),
    Family(
        "random-to-random",
        (_MOVES,),
        lambda moves: RandomToRandom(Fixed(moves)),
        says="moves any card anywhere, so many times: it takes about 3/4 n ln n moves",
        source="Bernstein and Nestoridi, Ann. Probab. 47 (2019)",
        example="random-to-random(150)",
        by_hand=False,
    ),
    Family(
        "adjacent-swaps",
        (_MOVES,),
        lambda moves: AdjacentSwaps(Fixed(moves)),
        says="swaps random pairs of neighbours, so many: it takes of the order of n^3 ln n swaps",
        source="Wilson, Ann. Appl. Probab. 14 (2004)",
        example="adjacent-swaps(1000)",
        by_hand=False,
        least=2,
    ),
)
