"""Each card in turn goes to a random place; two answers to a place that is already taken."""

from collections.abc import Sequence
from random import Random

from fairdeck.shuffles import Known


def draw_again(n: int, rng: Random) -> Sequence[int]:
    """Draw another place until one is free: fair, but slow: the last card takes n draws on average."""
    deck = [-1] * n
    for card in range(n):
        place = rng.randrange(n)
        while deck[place] >= 0:
            place = rng.randrange(n)
        deck[place] = card
    return deck


def next_free(n: int, rng: Random) -> Sequence[int]:
    """Take the next free place above: faster, but a place behind a long row of taken ones is too likely.

    Source: linear probing, Knuth, TAOCP 3, section 6.4.
    """
    deck = [-1] * n
    for card in range(n):
        place = rng.randrange(n)
        while deck[place] >= 0:
            place = (place + 1) % n
        deck[place] = card
    return deck


KNOWN = (
    Known(
        "draw-again",
        draw_again,
        fair=True,
        says="each card draws places until it finds a free one: slow, but every free place is equally likely",
        source="the beginner's method; it is correct",
    ),
    Known(
        "next-free",
        next_free,
        says="each card draws a place and, if it is taken, takes the next free one: old neighbours stay together",
        source="linear probing: Knuth, TAOCP 3, section 6.4",
    ),
)
