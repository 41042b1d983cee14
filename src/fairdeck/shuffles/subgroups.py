"""Uniform over only some of the orders: the others never come."""

from collections.abc import Sequence
from math import gcd
from random import Random

from fairdeck.permutation import cycles
from fairdeck.shuffles import Known


def even(n: int, rng: Random) -> Sequence[int]:
    """Only even permutations: any n-2 cards look fair, but they determine the last two."""
    deck = rng.sample(range(n), n)
    if (n - len(cycles(deck))) % 2:
        deck[0], deck[1] = deck[1], deck[0]
    return deck


def affine(n: int, rng: Random) -> Sequence[int]:
    """Card a*i + b modulo n at place i, with `a` prime to n: walks through the deck in equal steps.

    Source: the linear congruential sequence of full period, Knuth, TAOCP 2, section 3.2.1.
    """
    step = rng.choice([step for step in range(1, n + 1) if gcd(step, n) == 1])
    first = rng.randrange(n)
    return [(first + step * place) % n for place in range(n)]


def stuck_pair(n: int, rng: Random) -> Sequence[int]:
    """The two top cards stick together and are shuffled as one."""
    deck = rng.sample(range(n - 1), n - 1)
    deck.insert(deck.index(n - 2) + 1, n - 1)
    return deck


KNOWN = (
    Known(
        "even",
        even,
        says="only even orders come: any few cards look fair, but half of all orders never come",
        source="the alternating group: shuffles made of a fixed number of swaps, or of cycles of three",
    ),
    Known(
        "affine",
        affine,
        says="steps through the deck by a random stride: any card comes anywhere, but two cards determine all others",
        source="programs that visit a list in random order without storing it; Knuth, TAOCP 2, section 3.2.1",
    ),
    Known(
        "stuck-pair",
        stuck_pair,
        says="two cards stick together and are shuffled as one",
        source="sticky sleeves and worn cards",
        least=2,
    ),
)
