"""The gate: every deck must be a permutation of the cards that went in.

No law of chance applies to a deck that is not, so such a deck stops the test and is shown instead
(see `fairdeck.lab.usercode.faults`).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.errors import FairdeckError

MOST_CARDS = 10_000


def deck_size(cards: int) -> int:
    """Return `cards` if a deck can have that many."""
    if not 1 <= cards <= MOST_CARDS:
        raise FairdeckError(f"a deck of {cards:,} cards cannot be tested; use 1 to {MOST_CARDS:,}")
    return cards


def first_fault(decks: NDArray[Any]) -> int | None:
    """Return the first row of `decks`, shape ``(B, n)`` of integers, that is not a permutation of 0..n-1."""
    count, n = decks.shape
    if not count:
        return None
    good = ((decks >= 0) & (decks < n)).all(axis=1)
    # A card out of range has no mark to set; its row has failed already, so any place will do.
    marks = np.where(good[:, None], decks, 0).astype(np.intp)
    marks += np.arange(0, count * n, n)[:, None]
    seen = np.zeros(count * n, np.bool_)
    seen[marks.ravel()] = True
    good &= seen.reshape(count, n).all(axis=1)
    return None if good.all() else int(good.argmin())
