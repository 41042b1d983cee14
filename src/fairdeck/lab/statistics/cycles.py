"""Cycles of the permutation: card to place, place to card, until the start comes again."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Values, once
from fairdeck.lab.laws.scalar import Law, whole_numbers
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.sums import LargeSum
from fairdeck.lab.view import View

MOST = 1_000
FEW_DECKS = 32  # of more than `MOST` cards: single steps in NumPy then cost more than the rounds of `_by_contracting`


@cache
def stirling_law(n: int) -> Law:
    """Return the law of the cycles of `n` cards, and of every sum of independent events with the chances 1/i.

    The generating function is x(x+1)...(x+n-1): with the chance 1/i, card i closes a cycle, is a record, or is
    guessed right among i cards. Source: Knuth, TAOCP 1, section 1.2.10, and 3, section 5.1.3.

    >>> stirling_law(3)
    Law(low=1, weights=(2, 3, 1))
    """
    weights = [1]
    for more in range(1, n):
        weights = [more * same + fewer for same, fewer in zip([*weights, 0], [0, *weights], strict=True)]
    return Law(1, tuple(weights))


def parity_law(n: int) -> Law:
    """Return the law of the parity: half of all orders are even, if there are two cards or more."""
    return Law(0, (1, 1) if n > 1 else (1,))


@cache
def stirling_moments(n: int) -> tuple[float, float]:
    """Return mean and variance of that law.

    >>> stirling_moments(2)
    (1.5, 0.25)
    """
    chances = 1 / np.arange(1, n + 1)
    return float(chances.sum()), float((chances * (1 - chances)).sum())


def stirling_cumulants(n: int, theta: float) -> tuple[float, float, float]:
    """Return the cumulants of that law less its mean."""
    numbers, weights = whole_numbers(n)
    chances = 1 / numbers
    level = np.log1p(np.expm1(theta) * chances) - theta * chances
    tilted = chances / (chances + (1 - chances) * np.exp(-theta))
    return float(weights @ level), float(weights @ (tilted - chances)), float(weights @ (tilted * (1 - tilted)))


@once
def cycles(view: View) -> Values:
    """Return the number of cycles of each deck.

    Takes one place after another out of its cycle and joins its neighbours; a place that is alone in its
    cycle closes it.
    """
    n, decks = view.columns.shape
    if n > MOST and decks <= FEW_DECKS:
        return np.array([_by_contracting(deck) for deck in view.columns.T], dtype=np.int64)
    # Entries are indices into the flat array: the place times the length of a row, plus the deck. Narrow
    # integers are twice as fast.
    width = np.int32 if n * decks < 2**31 else np.int64
    here: NDArray[Any] = np.arange(decks, dtype=width)
    after: NDArray[Any] = view.columns.astype(width)
    before: NDArray[Any] = view.places.astype(width)
    after, before = after * width(decks) + here, before * width(decks) + here
    closed = np.zeros(decks, dtype=np.int64)
    for place in range(n - 1, -1, -1):
        follows, leads = after[place].copy(), before[place].copy()
        closed += follows == place * decks + here
        np.put(after, leads, follows)
        np.put(before, follows, leads)
    return closed


def _by_contracting(deck: NDArray[Any]) -> int:
    """Return the cycles: of each, only places that are less than both neighbours are kept, until one is left.

    The places are numbered at random before, so that a third of them is kept each time, whatever the deck is.
    """
    closed, numbers = 0, np.random.default_rng(len(deck)).permutation(len(deck))
    onwards = np.empty_like(numbers)
    onwards[numbers] = numbers[deck]
    while len(onwards):
        here, before = np.arange(len(onwards)), np.empty_like(onwards)
        before[onwards] = here
        closed += int(np.count_nonzero(onwards == here))
        kept = (onwards > here) & (before > here)
        goals = onwards[kept]
        while len(on := np.flatnonzero(~kept[goals])):
            goals[on] = onwards[goals[on]]
        onwards = (np.cumsum(kept) - 1)[goals]
    return closed


def parity(view: View) -> Values:
    """Return 1 for each odd deck (an odd number of swaps sorts it) and 0 for each even deck."""
    return (view.cards - cycles(view)) % 2


_FEW = "the cards change places in long cycles: they stay where they are too seldom, or never"
_MANY = "cards stay where they are or only swap in small groups: too few swaps"
_SOURCE = "Stirling numbers of the first kind; Knuth, TAOCP 1, section 1.2.10"

STATISTICS = (
    Scalar(
        name="cycles",
        sees="off-by-one swaps that make a single cycle, too few swaps, lazy swaps",
        source=_SOURCE,
        of=cycles,
        law=stirling_law,
        few=_FEW,
        many=_MANY,
        most=MOST,
    ),
    LargeSum(
        name="cycles of a large deck",
        sees="the same as cycles, in decks too large for the exact law",
        source=_SOURCE,
        of=cycles,
        moments=stirling_moments,
        few=_FEW,
        many=_MANY,
        least=MOST + 1,
        cumulants=stirling_cumulants,
    ),
    Scalar(
        name="parity",
        sees="a fixed number of swaps, which reaches only half of all orders",
        source="as many even orders as odd ones; Knuth, TAOCP 3, section 5.1.1, exercise 2",
        of=parity,
        law=parity_law,
        few="orders that take an even number of swaps come too often",
        many="orders that take an odd number of swaps come too often",
    ),
)
