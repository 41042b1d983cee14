"""Functions that `fairdeck test` can call, one for each form it knows, and one that is not fair.

fairdeck test examples/shuffle.py:in_place --cards 52
"""

import random


def in_place(deck):
    """Shuffle the list that is handed in; nothing is returned."""
    random.shuffle(deck)


def returned(deck):
    """Return a new deck; the one that is handed in stays as it is."""
    return random.sample(deck, len(deck))


def with_rng(deck, rng):
    """Draw from the source of randomness that is handed in, so that a seed repeats the run."""
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
