"""Functions for `fairdeck test`: one for each form that it accepts, and one that is not fair.

fairdeck test examples/shuffle.py:in_place --cards 52
"""

import random


def in_place(deck):
    """Shuffle the given list in place, and return nothing."""
    random.shuffle(deck)


def returned(deck):
    """Return a new deck, and leave the given one unchanged."""
    return random.sample(deck, len(deck))


def with_rng(deck, rng):
    """Draw from the given source of randomness, so that a seed repeats the run."""
    rng.shuffle(deck)


def by_size(n: int):
    """Take the number of cards, and return a deck of 0 to n-1."""
    return random.sample(range(n), n)


class Dealer:
    """A shuffle that is a method: `examples/shuffle.py:Dealer.shuffle`."""

    def __init__(self):
        self.rng = random.SystemRandom()

    def shuffle(self, deck):
        """Shuffle in place."""
        self.rng.shuffle(deck)


def naive(deck):
    """Swap every card with any card: not fair."""
    for i in range(len(deck)):
        j = random.randrange(len(deck))
        deck[i], deck[j] = deck[j], deck[i]
