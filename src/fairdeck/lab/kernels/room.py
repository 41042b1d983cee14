"""Room for vectors: arrays that begin where a line of the nearest cache does."""

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

LINE = 64  # bytes


def aligned(word: type[np.unsignedinteger[Any]], *shape: int) -> NDArray[Any]:
    """Return room for numbers, undefined, from a multiple of 64 bytes on: no vector then straddles two lines.

    >>> aligned(np.uint16, 3, 32).ctypes.data % 64
    0
    """
    item, size = np.dtype(word).itemsize, prod(shape)
    room = np.empty(size + LINE // item, word)
    start = -room.ctypes.data % LINE // item
    return room[start : start + size].reshape(shape)
