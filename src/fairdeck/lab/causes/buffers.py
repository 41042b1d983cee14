"""A buffer that gives out cards before it has seen all: no card comes out before it has come in.

At each place there is a highest card that was ever seen there. A buffer of b cards gives card p + b - 1 at place p at
the earliest; one that starts to give before it is full lets in more cards for each that it gives.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from fairdeck.bulk.shapes import Counts, card_type
from fairdeck.lab.blocks import Decks
from fairdeck.lab.causes import NOT_SHUFFLED, Cause
from fairdeck.lab.causes.parts import possible

RANK = NOT_SHUFFLED
MOST_CARDS = 1_024
SEEN = 1e-3  # the chance that a card was never seen where it may come first
REPAIR = "let each place take any of the cards that are left: fill the buffer with all cards before it gives the first"


def fit(decks: Decks) -> Iterator[Cause]:
    """Yield the buffer that let in the cards that were seen at each place."""
    size, n = decks.shape
    if n > MOST_CARDS or n < 4:
        return
    seen = possible(decks)
    held = n - seen[::-1].argmax(axis=0)  # at each place, how many cards had come in: one more than the highest card
    first = int(held[0])
    # A buffer of all cards but one, or one that is full after the first card, only keeps some cards from that place.
    if held[1] >= n or (np.diff(held) < 0).any() or held[-1] < n:
        return
    widths = held - np.arange(n)
    if n * np.exp(-size / widths.max()) > SEEN:
        return
    grows = int(np.diff(held).max())
    limit = int(widths[held < n].max())
    for most in (limit, n)[:grows]:  # the buffer that grows has this limit, or none that was reached
        come = arrivals(n, first, grows, most)
        if (come == held).all() and (first, grows) != (1, 1):  # where nothing is shuffled
            which = f"of {most} cards: no card comes out more than {most - 1} places early"
            if grows > 1:
                which = f"that gives its first card when {first} have come in and takes {grows} for each that it gives"
                which += f", up to {most} cards" * (most < n)
            yield Cause(
                f"as if each deck went through a buffer {which}",
                f"in {size:,} decks no card came out earlier than that",
                REPAIR,
                numbers={"first" if grows > 1 else "size": (first,) * 3},
                make=partial(buffered, come),
            )


def arrivals(n: int, first: int, grows: int, most: int) -> Counts:
    """Return how many cards have come into a buffer when it gives one, for each place."""
    come, found = first, []
    for place in range(n):
        found.append(come)
        come = min(n, max(come, min(come + grows, place + 1 + most)))
    return np.array(found)


def buffered(come: Counts, size: int, rng: np.random.Generator) -> Decks:
    """Return decks from a buffer that gives any of its cards."""
    n = len(come)
    columns, rows = np.tile(np.arange(n, dtype=card_type(n))[:, None], size), np.arange(size)
    for place, cards in enumerate(come):  # rows `place` to `cards` are the buffer
        taken = rng.integers(place, cards, size=size)
        columns[place], columns[taken, rows] = columns[taken, rows], columns[place].copy()
    return np.ascontiguousarray(columns.T)
