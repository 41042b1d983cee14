"""Swaps of two places at random, too few of them: the fixed points tell how many.

After k swaps of two places, each any of n, a card is where it was with chance 1/n + (1 - 1/n)(1 - 2/n)^k. Two
different places make that 1 - 2/(n - 1), and every order has the parity of k.
Source: Diaconis and Shahshahani, Z. Wahrscheinlichkeitstheorie 57 (1981).
"""

from collections.abc import Iterator
from functools import partial
from math import ceil, floor

import numpy as np

from fairdeck.bulk.shapes import card_type
from fairdeck.lab.blocks import Decks
from fairdeck.lab.causes import MIXED, Cause

RANK = MIXED
MANY = 6  # swaps of different places: each number is tried, as every order has its parity
WIDE = 2.58  # standard errors: 99 %
REPAIR = "shuffle by Fisher and Yates, with n - 1 draws, instead of a number of swaps"


def fit(decks: Decks) -> Iterator[Cause]:
    """Yield the number of swaps that leave so many fixed points."""
    size, n = decks.shape
    fixed = float((decks == np.arange(n)).sum(axis=1).mean())
    error = WIDE * np.sqrt(fixed / size)
    if not 1 + 2 * error < fixed < n - 1:
        return
    for distinct in (False, True):
        shrinks = np.log(1 - 2 / (n - distinct)) if n > 2 + distinct else 0.0
        if shrinks:
            times, least, most = (
                float(np.log((each - 1) / (n - 1)) / shrinks) for each in (fixed, fixed + error, min(n, fixed - error))
            )
            which = "different places" if distinct else "places, at times the same one,"
            for number in range(ceil(least), floor(most) + 1) if distinct and most - least < MANY else [times]:
                yield Cause(
                    f"each deck is as after {number:.0f} swaps of two {which} ({least:.1f} to {most:.1f})",
                    f"from {fixed:.3f} cards of a deck where they were; fair decks have 1",
                    REPAIR,
                    numbers={"swaps": (number, least, most)},
                    make=partial(swapped, n, number, distinct=distinct),
                )


def swapped(n: int, times: float, size: int, rng: np.random.Generator, *, distinct: bool) -> Decks:
    """Return sorted decks after some swaps; of a part of a swap, so many decks have one more."""
    decks = np.tile(np.arange(n, dtype=card_type(n)), (size, 1))
    for step in range(int(times) + 1):
        live = np.arange(size if step < int(times) else int(size * (times % 1)))
        one = rng.integers(n, size=len(live))
        other = (one + rng.integers(1, n, size=len(live))) % n if distinct else rng.integers(n, size=len(live))
        decks[live, one], decks[live, other] = decks[live, other], decks[live, one]
    return decks
