"""The shapes of what flows through the lab."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Columns: TypeAlias = NDArray[np.int16]  # (n, B): entry [i, t] belongs to place i of deck t
Values: TypeAlias = NDArray[np.int64]  # (B,): one whole number for each deck
Counts: TypeAlias = NDArray[np.int64]  # the tally of a statistic, of a fixed shape
Floats: TypeAlias = NDArray[np.float64]


def counted(flags: NDArray[np.bool_]) -> Values:
    """Return how many flags of each deck are set; a deck is a column."""
    number: Values = np.count_nonzero(flags, axis=0)
    return number
