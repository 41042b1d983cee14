"""The deck before each shuffle: the sorted deck, a scrambled one, or the deck that the last shuffle left.

A fair shuffle is fair from any start. A shuffle that depends on the cards, or leaves them near their
places, can get different verdicts from sorted and scrambled starts.
"""

from typing import Literal, cast, get_args

import numpy as np

from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Decks
from fairdeck.permutation import Permutation, inverse
from fairdeck.randomness import RandomIntegers, seeded_words, uniform_permutation

Start = Literal["sorted", "scrambled", "carried"]
Takes = Literal["deck", "n"]
TIMEOUT = 10.0  # seconds without a deck


def checked_start(start: str) -> Start:
    """Return `start` if it is the name of a start."""
    if start not in get_args(Start):
        raise FairdeckError(f"no start is called {start!r}; choose {', '.join(get_args(Start))}")
    return cast(Start, start)


def scrambled(cards: int, seed: int | None) -> Permutation:
    """Return a start deck that looks random and is always the same for a seed; None counts as 0."""
    return uniform_permutation(cards, RandomIntegers(seeded_words(f"fairdeck start deck {seed or 0}".encode())))


def in_places(decks: Decks, start: Permutation) -> Decks:
    """Return `decks` with each card named by its place in the `start` deck.

    >>> in_places(np.array([[5, 3, 4, 2, 1, 0]], np.int16), (5, 4, 3, 2, 1, 0))
    array([[0, 2, 1, 3, 4, 5]], dtype=int16)
    """
    return np.array(inverse(start), np.int16)[decks]
