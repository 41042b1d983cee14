"""What flows through the lab: how many decks are counted together, in what arrays, on how many processors."""

import os
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

BLOCK = 4096  # decks
COLUMNS_UP_TO = 104  # cards: about where decoding columns costs as much as swapping
GROUP = 64
WORTH = 2048  # decks in a block; fewer are not worth the time to load kernels, or to compile them
BYTES_UP_TO = 128  # cards that are counted as bytes: the difference of two fits into a signed one
SHORTS_UP_TO = 2**15 - 1  # cards whose numbers are kept in two bytes

Cards: TypeAlias = np.int16 | np.int32  # the number of a card or a place; see `card_type`
Columns: TypeAlias = NDArray[Any]  # (n, B), of `Cards`: entry [i, t] belongs to place i of deck t
Values: TypeAlias = NDArray[np.int64]  # (B,): one whole number for each deck
Counts: TypeAlias = NDArray[np.int64]  # the tally of a statistic, of a fixed shape
Floats: TypeAlias = NDArray[np.float64]

Decks = TypeVar("Decks")
Made = TypeVar("Made")


def card_type(cards: int) -> type[Cards]:
    """Return the type of the numbers 0 to `cards` in an array of decks: narrow ones are counted faster.

    >>> card_type(52).__name__, card_type(1_000_000).__name__
    ('int16', 'int32')
    """
    return np.int16 if cards <= SHORTS_UP_TO else np.int32


def counted(flags: NDArray[np.bool_]) -> Values:
    """Return how many flags of each deck are set; a deck is a column."""
    number: Values = np.count_nonzero(flags, axis=0)
    return number


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def once(make: Callable[[Decks], Made]) -> Callable[[Decks], Made]:
    """Return a function of decks that keeps its result with them, like a cached property."""
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def kept(decks: Decks) -> Made:
        held = vars(decks)
        if name not in held:
            held[name] = make(decks)
        result: Made = held[name]
        return result

    return kept
