"""Cards drawn from a bag that has a part for each suit, and how often many of them are of one suit."""

from collections import Counter

import dask
import dask.bag
from dask.bag.random import sample

dask.config.set(scheduler="synchronous")


def alike(suits: int, cards: int, drawn: int, many: int) -> int:
    """Return how many of 2,000 samples have many of one suit."""
    hand = sample(dask.bag.from_sequence(range(suits * cards), npartitions=suits), drawn)
    return sum(max(Counter(card // cards for card in hand.compute()).values()) >= many for _ in range(2000))


print(f"2 of 6 cards, both of one suit: {alike(2, 3, 2, 2)} of 2000, 800 expected")
print(f"5 of 52 cards, 4 or 5 of one suit: {alike(4, 13, 5, 4)} of 2000, 90 expected")
