"""Buffers for vectors: arrays that begin at a cache line."""

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

LINE = 64  # bytes


def aligned(word: type[np.unsignedinteger[Any]], *shape: int) -> NDArray[Any]:
    """Return an uninitialised array at a multiple of 64 bytes, so that no vector straddles two cache lines.

    >>> aligned(np.uint16, 3, 32).ctypes.data % 64
    0
    """
    item, size = np.dtype(word).itemsize, prod(shape)
    buffer = np.empty(size + LINE // item, word)
    start = -buffer.ctypes.data % LINE // item
    return buffer[start : start + size].reshape(shape)
