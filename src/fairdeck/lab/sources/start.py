"""What lies before each shuffle: the sorted deck, a scrambled one, or what the last shuffle left.

A fair shuffle is fair from any start. One that looks at the cards, or that leaves them near where
they were, shows itself when sorted and scrambled starts give different verdicts.
"""

from typing import Literal, get_args

import numpy as np

from fairdeck.errors import FairdeckError
from fairdeck.lab.sources.block import Decks
from fairdeck.permutation import Permutation, inverse
from fairdeck.randomness import Dice, seeded_words, uniform_permutation

Start = Literal["sorted", "scrambled", "carried"]
Takes = Literal["deck", "n"]


def checked_start(start: str) -> str:
    """Return `start`, if there is such a one.

    Raises:
        FairdeckError: there is none.
    """
    if start not in get_args(Start):
        raise FairdeckError(f"no start is called {start!r}; a deck starts {', '.join(get_args(Start))}")
    return start


def scrambled(cards: int, seed: int | None) -> Permutation:
    """Return a start deck that looks random and is always the same for a seed; 0 if there is none."""
    return uniform_permutation(cards, Dice(seeded_words(f"fairdeck start deck {seed or 0}".encode())))


def in_places(decks: Decks, start: Permutation) -> Decks:
    """Return `decks` with each card named by its place in the `start` deck.

    >>> in_places(np.array([[5, 3, 4, 2, 1, 0]], np.int16), (5, 4, 3, 2, 1, 0))
    array([[0, 2, 1, 3, 4, 5]], dtype=int16)
    """
    return np.array(inverse(start), np.int16)[decks]
