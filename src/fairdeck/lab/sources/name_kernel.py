"""Lines of names, and the lists in lines of JSON, read byte by byte by compiled loops."""

from typing import Any

import numpy as np
from numba import njit

from fairdeck.cards.logs import SEPARATING

A, B, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(29)
LINE_END, HALF, LONGEST = 10, 8, 16
QUOTE, COMMA, MINUS, DOT, ZERO, COLON, OPEN, CLOSE, BEGIN, END = b'",-.0:[]{}'
FIRST_VALUE, FIRST_KEY, KEY, AFTER_KEY, VALUE, NEXT = range(6)  # what may come next in a line
DEEPEST, MOST_DIGITS = 60, 300
WORDS = tuple([np.array(list(word), np.uint8) for word in (b"true", b"false", b"null")])
BLANK, DIGIT, TEXT, PLAIN = (np.zeros(256, np.bool_) for _ in range(4))
BLANK[list(b" \t\r")] = DIGIT[list(b"0123456789")] = TEXT[32:] = PLAIN[32:] = True
TEXT[list(b'"\\')] = False
# Bytes of names that need no quotes between commas; in UTF-8, some of the last are in all blanks that are not ASCII.
PLAIN[[*SEPARATING.encode(), *b"\\", 0x80, 0x81, 0xC2, 0xE1, 0xE3]] = False


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
        How many rows were read, -1 if any line holds anything else; and whether all of them are permutations.
    """
    cards, mask = values.shape[1], np.int64(len(card) - 1)
    first, second, length, row, line, column = np.uint64(0), np.uint64(0), 0, 0, 0, 0
    seen, decks = np.full(len(card), -1, np.int64), True
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
            place = card[slot]
            if length > LONGEST or column >= cards or place < 0:
                return -1, False
            decks &= place < cards and seen[place] != row
            values[row, column], seen[place] = place, row
            column += 1
            first, second, length = np.uint64(0), np.uint64(0), 0
        if byte == LINE_END:
            if column == cards:
                lines[row] = line
                row += 1
            elif column:
                return -1, False
            column = 0
            line += 1
    return row, decks


@njit(cache=True, nogil=True)
def lists(raw: Any, start: int, keys: Any, ends: Any, out: Any) -> Any:  # noqa: C901 - one loop
    """Write the list in each line of JSON as a line of cards, up to a line that is not simple.

    Simple is an object without backslashes, with each key of the path once, and there whole numbers and `PLAIN` names.
    It is checked from end to end, as `json` does.

    Args:
        raw: the bytes; the last one ends a line.
        start: where a line begins.
        keys: the keys of the path to the list, one after the other.
        ends: where each of them begins, and where the last one ends.
        out: an array for the lines, as long as `raw`.

    Returns:
        Where the line begins that is not simple, or the end; and how many bytes were written.
    """
    path, at, size = len(ends) - 1, start, 0
    while at < len(raw):
        start, written, depth, nested, matched, met, found, want = at, size, 0, 0, 0, 0, False, VALUE
        while raw[at] != LINE_END:
            byte, at = raw[at], at + 1
            if BLANK[byte]:
                continue
            if want in (FIRST_KEY, KEY) and byte == QUOTE:
                key, at, want = at, _string(raw, at), AFTER_KEY
                matched = min(matched, depth - 1)
                if (
                    matched == depth - 1
                    and depth <= path
                    and _same(raw[key : at - 1], keys[ends[matched] : ends[depth]])
                ):
                    matched, met = depth, met + 1
            elif want == AFTER_KEY and byte == COLON:
                want = VALUE
            elif want == NEXT and depth and byte == COMMA:
                want = KEY if nested & 1 else VALUE
            elif depth and byte == (END if nested & 1 else CLOSE) and want in (nested & 1, NEXT):
                depth, nested, want = depth - 1, nested >> 1, NEXT
            elif want not in (FIRST_VALUE, VALUE):
                return start, written
            elif depth and matched == depth == path:
                at, size = _cards(raw, at, out, size) if byte == OPEN else (0, 0)
                found, want = True, NEXT
            elif byte in (BEGIN, OPEN):
                depth, nested = depth + 1, nested << 1 | (byte == BEGIN)
                want = FIRST_KEY if byte == BEGIN else FIRST_VALUE
            else:
                at, want = _string(raw, at) if byte == QUOTE else _scalar(raw, at - 1), NEXT
            if not at or depth > DEEPEST:
                return start, written
        if depth or want != NEXT or not found or met != path:
            return start, written
        out[size] = LINE_END
        at, size = at + 1, size + 1
    return at, size


@njit(cache=True, nogil=True)
def _same(one: Any, other: Any) -> Any:
    return len(one) == len(other) and (one == other).all()


@njit(cache=True, nogil=True)
def _past(raw: Any, at: int, kind: Any) -> Any:
    """Return where bytes of a kind end."""
    while kind[raw[at]]:
        at += 1
    return at


@njit(cache=True, nogil=True)
def _string(raw: Any, at: int) -> Any:
    """Return where a string ends; 0 if it has a backslash, or no end."""
    end = _past(raw, at, TEXT)
    return end + 1 if raw[end] == QUOTE else 0


@njit(cache=True, nogil=True)
def _digits(raw: Any, at: int) -> Any:
    end = _past(raw, at, DIGIT)
    return end if end > at else 0


@njit(cache=True, nogil=True)
def _scalar(raw: Any, at: int) -> Any:
    """Return where a number or a word of JSON ends; 0 if it is none."""
    for word in WORDS:
        if raw[at] == word[0] and _same(raw[at : at + len(word)], word):
            return at + len(word)
    start, at = at, at + (raw[at] == MINUS)
    at = at + 1 if raw[at] == ZERO else _digits(raw, at)
    if at and raw[at] == DOT:
        at = _digits(raw, at + 1)
    if at and raw[at] in (69, 101):  # the letter E
        at = _digits(raw, at + 1 + (raw[at + 1] in (43, MINUS)))
    return at if at - start <= MOST_DIGITS else 0


@njit(cache=True, nogil=True)
def _cards(raw: Any, at: int, out: Any, size: int) -> Any:
    """Write a list with commas between its cards; return where it ends, 0 if it is not simple, and the new size."""
    while True:
        at = _past(raw, at, BLANK)
        quoted = raw[at] == QUOTE
        start = at + quoted
        end = _past(raw, start, PLAIN if quoted else DIGIT)
        number = 0 < end - start <= LONGEST and (end == start + 1 or raw[start] != ZERO)
        if not (raw[end] == QUOTE if quoted else number):
            return 0, 0
        for place in range(start, end):
            out[size] = raw[place]
            size += 1
        at = _past(raw, end + quoted, BLANK)
        if raw[at] not in (COMMA, CLOSE):
            return 0, 0
        if raw[at] == CLOSE:
            return at + 1, size
        out[size] = COMMA
        at, size = at + 1, size + 1
