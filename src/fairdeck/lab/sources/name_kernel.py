"""Lines of names, read byte by byte by a compiled loop."""

from typing import Any

import numpy as np
from numba import njit

A, B, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(29)
LINE_END, HALF, LONGEST = 10, 8, 16


@njit(cache=True, nogil=True)
def read(raw: Any, gap: Any, low: Any, high: Any, card: Any, values: Any, lines: Any) -> Any:  # noqa: C901 - one loop
    """Read lines of names, and skip blank lines.

    Args:
        raw: the bytes; the last one ends a line.
        gap: for each byte whether it separates names.
        low: the first eight bytes of the name in each slot of the table; see `fairdeck.lab.sources.names.NameTable`.
        high: the other bytes.
        card: its number; -1 for an empty slot.
        values: an array for the numbers of the names, row by row; its width is the number of cards.
        lines: an array for the line of each row.

    Returns:
        How many rows were read; -1 if any line holds anything else.
    """
    cards, mask = values.shape[1], np.int64(len(card) - 1)
    first, second, length, row, line, column = np.uint64(0), np.uint64(0), 0, 0, 0, 0
    for byte in raw:
        if not gap[byte]:
            if length < HALF:
                first |= np.uint64(byte) << np.uint64(8 * length)
            elif length < LONGEST:
                second |= np.uint64(byte) << np.uint64(8 * length - 64)
            length += 1
            continue
        if length:
            mixed = (first * A) ^ (second * B)
            slot = np.int64(mixed ^ (mixed >> SHIFT)) & mask
            while card[slot] >= 0 and not (low[slot] == first and high[slot] == second):
                slot = (slot + 1) & mask
            if length > LONGEST or column >= cards or card[slot] < 0:
                return -1
            values[row, column] = card[slot]
            column += 1
            first, second, length = np.uint64(0), np.uint64(0), 0
        if byte == LINE_END:
            if column == cards:
                lines[row] = line
                row += 1
            elif column:
                return -1
            column = 0
            line += 1
    return row
