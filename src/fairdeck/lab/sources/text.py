"""Decks as text: one deck on each line, bottom first.

The cards of a line are whole numbers, 0..n-1 or 1..n, or words. Between them are spaces, tabs, commas
or semicolons; brackets and quotes are allowed. Lines end with LF or CR LF. Blank lines and a byte order
mark at the start are skipped.

`words` splits any line. `numbers` reads a whole chunk of plain lines at once and stops at the first
other line, which `words` then reads: no-break spaces, escapes in JSON, or something that is not a deck.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk import available
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Decks
from fairdeck.lab.sources import Gate
from fairdeck.lab.sources.names import NameTable
from fairdeck.lab.usercode.faults import LONGEST_WORD, complaint, counted, excerpt, shortened

LONGEST_LINE = 1 << 20
NOT_UTF8 = "the text is not UTF-8; convert it, for example with: iconv -f LATIN1 -t UTF-8 FILE > NEW"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
NEWLINE, ZERO = b"\n0"
WORTH_KERNEL = 2**16  # bytes of text at once: a source that writes this much will write more
MOST_DIGITS = 9  # no card has more, and they might not fit

KNOWN = np.zeros(256, np.bool_)
KNOWN[list(b"0123456789 \t\r\n,;[]()\"'")] = True


@dataclass(frozen=True)
class Rows:
    """The rows that were read from a chunk of whole lines.

    Attributes:
        values: shape ``(B, n)``, the numbers as they are written, or the indices of the words.
        lines: shape ``(B,)``, the line of each row in the chunk, from 0.
        wrong: the first line that does not hold `n` cards; nothing after it was read.
    """

    values: NDArray[np.int64]
    lines: NDArray[np.int64]
    wrong: int | None


def numbers(text: bytes, cards: int) -> Rows:
    r"""Read lines of `cards` whole numbers each; `text` ends with a line end.

    >>> numbers(b"2 0 1\r\n\n[0, 1, 2]\n", 3).values.tolist()
    [[2, 0, 1], [0, 1, 2]]
    """
    if len(text) >= WORTH_KERNEL and available():
        return _numbers_by_kernel(text, cards)
    raw = np.frombuffer(text, np.uint8)
    digits = raw - np.uint8(ZERO)
    inside = np.zeros(len(raw) + 1, np.bool_)
    np.less(digits, 10, out=inside[1:])
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, lengths = edges[0::2], edges[1::2] - edges[0::2]
    ends = np.flatnonzero(raw == NEWLINE)
    past = np.searchsorted(starts, ends)  # the numbers up to the end of each line
    counts = np.diff(past, prepend=0)
    wrong = _first_wrong(raw, ends, past, lengths, counts, cards)
    if wrong is not None:
        counts = counts[:wrong]
        starts, lengths = starts[: counts.sum()], lengths[: counts.sum()]
    values = digits[starts].astype(np.int64)
    for place in range(1, int(lengths.max(initial=0))):
        longer = np.flatnonzero(lengths > place)
        values[longer] = values[longer] * 10 + digits[starts[longer] + place]
    return Rows(values.reshape(-1, cards), np.flatnonzero(counts), wrong)


def _numbers_by_kernel(text: bytes, cards: int) -> Rows:
    from fairdeck.lab.sources.digits import read  # takes a while: numba

    most = text.count(b"\n")
    values, lines = np.empty((most, cards), np.int64), np.empty(most, np.int64)
    rows, wrong = read(np.frombuffer(text, np.uint8), KNOWN, cards, MOST_DIGITS, values, lines)
    return Rows(values[:rows], lines[:rows], None if wrong < 0 else int(wrong))


def _first_wrong(
    raw: NDArray[np.uint8],
    ends: NDArray[np.intp],
    past: NDArray[np.intp],
    lengths: NDArray[np.intp],
    counts: NDArray[np.intp],
    cards: int,
) -> int | None:
    """Return the first line with an unknown character, a number that is too long, or the wrong number of cards."""
    wrong_lines = []
    known = KNOWN[raw]
    if not known.all():
        wrong_lines.append(int(np.searchsorted(ends, known.argmin())))
    if lengths.max(initial=0) > MOST_DIGITS:
        wrong_lines.append(int(np.searchsorted(past, (lengths > MOST_DIGITS).argmax(), side="right")))
    odd = (counts != cards) & (counts != 0)
    if odd.any():
        wrong_lines.append(int(odd.argmax()))
    return min(wrong_lines, default=None)


@dataclass
class NumberReading:
    """Lines of whole numbers; the first deck shows whether they count from 0 or 1."""

    first: int | None = None

    def rows(self, text: bytes, cards: int) -> Rows:
        """Read `text`; the values are cards from 0."""
        rows = numbers(text, cards)
        if rows.wrong is not None:
            rows = line_by_line(text, cards, whole_from)
        if self.first is None and len(rows.values):
            self.first = first_number(rows.values[0].tolist())
        return Rows(rows.values - (self.first or 0), rows.lines, rows.wrong)

    def say(self, card: int) -> str:
        """Return the number as it was written."""
        return str(card + (self.first or 0))

    def labels(self, cards: int) -> Sequence[str]:
        """Return the numbers from 1, if they are."""
        return [self.say(card) for card in range(cards)] if self.first else ()

    def is_card(self, word: str, cards: int) -> bool:
        """Say whether a word is a number that a card can have."""
        if not is_number(word):
            return False
        return int(word) in (range(cards + 1) if self.first is None else range(self.first, self.first + cards))

    def wrong(self, line: str, cards: int) -> str:
        """Return what is wrong with a line that could not be read."""
        row = words(line)
        odd = next((place for place, word in enumerate(row) if not is_number(word)), None)
        if odd is None:
            return complaint([int(word) - (self.first or 0) for word in row], cards, self.say)
        if any(is_number(word) for word in row):
            return f"holds {shortened(row[odd], 40)!r}, which is not a card: {excerpt(row, odd)}"
        return f"is not a deck: {shortened(line.strip())!r}"


class WordReading:
    """Lines of words, each the name of a card.

    Args:
        order: the names, in the order in which the deck starts.
    """

    def __init__(self, order: Sequence[str]) -> None:
        self.order = order
        self._index = {word: index for index, word in enumerate(order)}
        self._table = NameTable.of(order)

    def rows(self, text: bytes, cards: int) -> Rows:
        """Read `text`; the values are places in the order."""
        at_once = self._table.rows(text, cards) if self._table else None
        return Rows(*at_once, None) if at_once else line_by_line(text, cards, self._index.get)

    def say(self, card: int) -> str:
        """Return the word."""
        return self.order[card]

    def labels(self, cards: int) -> Sequence[str]:
        """Return the words in printable characters."""
        return [shortened(word, LONGEST_WORD) for word in self.order[:cards]]

    def is_card(self, word: str, cards: int) -> bool:
        """Say whether a word is in the order."""
        return self._index.get(word, cards) < cards

    def wrong(self, line: str, cards: int) -> str:
        """Return what is wrong with a line that could not be read."""
        row = words(line)
        odd = next((place for place, word in enumerate(row) if word not in self._index), None)
        if odd is None:
            return f"has {counted(len(row))} instead of {cards:,}: {excerpt(row, len(row) - 1)}"
        why = f" ({NOT_UTF8})" if "\ufffd" in row[odd] else ""
        return f"holds {shortened(row[odd], 40)!r}, which is not a card of this deck{why}: {excerpt(row, odd)}"


Reading: TypeAlias = NumberReading | WordReading


def line_by_line(text: bytes, cards: int, card_of: Callable[[str], int | None]) -> Rows:
    """Read lines of `cards` words each; all words must be cards."""
    values, lines, wrong = [], [], None
    for number, line in enumerate(text.decode("utf-8", "replace").split("\n")):
        row = [card_of(word) for word in words(line)]
        if not row:
            continue
        if len(row) != cards or None in row:
            wrong = number
            break
        values.append(row)
        lines.append(number)
    return Rows(np.array(values, np.int64).reshape(-1, cards), np.array(lines, np.int64), wrong)


def whole_from(word: str) -> int | None:
    """Return the number that a word is."""
    return int(word) if is_number(word) else None


def first_number(deck: Iterable[int]) -> int:
    """Return whether a deck counts from 0 or from 1.

    >>> first_number([3, 1, 2]), first_number([2, 0, 1])
    (1, 0)
    """
    cards = set(deck)
    return int(0 not in cards and len(cards) in cards)


def is_number(word: str) -> bool:
    """Say whether a word is a whole number, negative ones included.

    >>> is_number("-3"), is_number("3.0")
    (True, False)
    """
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 2 * MOST_DIGITS


def words(line: str) -> list[str]:
    """Return the cards of a line with any separators; quoted cards may contain spaces.

    >>> words('["AS", "K D"]'), words("AS KD"), words("Ace of Spades,Two"), words("1;2"), words("('3', '4')")
    (['AS', 'K D'], ['AS', 'KD'], ['Ace of Spades', 'Two'], ['1', '2'], ['3', '4'])
    """
    text = line.strip()
    if text.startswith("[") and text.endswith("]"):
        with suppress(ValueError, RecursionError):
            return [item if isinstance(item, str) else json.dumps(item) for item in json.loads(text)]
    text = text.strip("[](),; \t")
    comma = next((mark for mark in ";,\t" if mark in text), None)  # "0,0;1,0" has decimals
    if comma is None:
        comma, text = " ", " ".join(text.split())  # there may be several spaces, of several kinds
    try:
        (row,) = csv.reader([text], delimiter=comma, skipinitialspace=True)
    except (csv.Error, ValueError):
        row = text.split(comma)
    if len(row) == 1 and row[0] != text:
        return words(row[0])  # the deck is one cell of a table
    return [word for each in row if (word := unquoted(each.strip()))]


def unquoted(word: str) -> str:
    """Return a word without single quotes around it: Python writes them, CSV does not know them."""
    return word[1:-1] if len(word) > 2 and word[0] == word[-1] == "'" else word


def whole_lines(chunks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield the lines of `chunks` in pieces, and whether each piece ends with a line end.

    Only the last piece may end without one. A line of more than `LONGEST_LINE` bytes is cut there, so that
    it cannot fill the memory: no deck is that long.
    """
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        head, newline, rest = chunk.rpartition(b"\n")
        if newline:
            yield b"".join([*parts, head, newline]), True
            parts, size = [rest], len(rest)
        else:
            parts.append(chunk)
            size += len(chunk)
        if size > LONGEST_LINE:
            yield b"".join(parts)[:LONGEST_LINE] + b"\n", True
            parts, size = [], 0
    if size:
        yield b"".join(parts), False


class Decoder(Gate):
    """Turns lines into checked decks.

    Args:
        name: what writes the lines.
        cards: the cards of a deck.
        reading: how the cards are written.
        place: the word for a line in messages; empty if its number would not help.
        options: those of `Gate`.
    """

    def __init__(self, name: str, cards: int, reading: Reading, *, place: str = "", **options: Any) -> None:
        super().__init__(name, cards, **options)
        self.reading = reading
        self.place = place
        self.lines = 0
        self.cut = False  # whether the last line was dropped because it is incomplete
        self.others: dict[int, OtherSize] | None = None  # decks of other sizes to be left out; None: they are an error
        self._first_line = 0  # of the first deck
        self._at_start = True

    def decode(self, text: bytes) -> Iterator[Decks]:
        """Yield the decks of whole lines, and raise an error (see `Gate`) at the first one that is wrong."""
        if self._at_start:
            text = text.removeprefix(BYTE_ORDER_MARK)
            self._at_start = False
        rows = self.reading.rows(text, self.cards)
        if rows.wrong is not None and self.others is not None:
            text = without_other_sizes(text, self.cards, self.reading, self.others, self.lines)
            rows = self.reading.rows(text, self.cards)
        values, say = rows.values, self.reading.say
        if len(values) and not self._first_line:
            self._first_line = self.lines + int(rows.lines[0]) + 1
        yield from self.passed(
            values, lambda row: values[row].tolist(), say, lambda row: self._where(int(rows.lines[row]))
        )
        if rows.wrong is not None:
            line = _line(text, rows.wrong)
            wrong = self.reading.wrong(line, self.cards)
            error = self.unread(self.fault(wrong, self._where(rows.wrong)))
            if (
                self.of_file
                and self._first_line
                and (size := other_size(line, self.cards, lambda word: self.reading.is_card(word, self.cards)))
            ):
                error = FairdeckError(
                    f"{error}, or judge the decks of one size: --cards {self.cards} (as in line {self._first_line:,}) "
                    f"or --cards {size} (as in line {self.lines + rows.wrong + 1:,})"
                )
            raise error
        self.lines += text.count(b"\n")

    def rest(self, text: bytes) -> Iterator[Decks]:
        """Yield the deck of a last line without a line end; an incomplete deck is dropped.

        A line is an incomplete deck if all its words but the last are cards, none of them twice.
        """
        row = words(text.removeprefix(BYTE_ORDER_MARK).decode("utf-8", "replace"))
        good = [self.reading.is_card(word, self.cards) for word in row]
        whole = len(row) == self.cards and all(good) and len(set(row)) == len(row)
        begun = len(row) <= self.cards and all(good[:-1]) and len(set(row[:-1])) == len(row[:-1])
        self.cut = bool(row) and begun and not whole
        if not self.cut:
            yield from self.decode(text + b"\n")

    def _where(self, line: int) -> str:
        return f" ({self.place} {self.lines + line + 1:,})" if self.place else ""


@dataclass
class OtherSize:
    """The decks of another size that were left out: how many, and the line of the first."""

    decks: int
    line: int


def other_size(line: str, cards: int, is_card: Callable[[str], bool] = bool) -> int:
    """Return how many cards a line has, if it is a whole deck of another size; else 0.

    A deck of words has no other sign than that most of them are cards here, too; `is_card` tells it.

    >>> other_size("1 0 2", 4), other_size("1 0 2", 3), other_size("1 1 2", 4), other_size("AS KD", 3)
    (3, 0, 0, 2)
    """
    row = words(line)
    size = len(row)
    if size in (0, 1, cards) or len(set(row)) < size:
        return 0
    if not any(map(is_number, row)):
        return size if 2 * sum(map(is_card, row)) >= size else 0
    numbers = {int(word) for word in row if is_number(word)}
    return size if numbers in (set(range(size)), set(range(1, size + 1))) else 0


def without_other_sizes(text: bytes, cards: int, reading: Reading, others: dict[int, OtherSize], before: int) -> bytes:
    """Return lines with those left empty that are decks of another size, and count these.

    Args:
        text: whole lines.
        cards: the cards of the decks that stay.
        reading: how the cards are written.
        others: what was left out, by size.
        before: how many lines came before.
    """
    lines = text.split(b"\n")
    for at, line in enumerate(lines):
        if size := other_size(line.decode("utf-8", "replace"), cards, lambda word: reading.is_card(word, cards)):
            others.setdefault(size, OtherSize(0, before + at + 1)).decks += 1
            lines[at] = b""
    return b"\n".join(lines)


def left_out(cards: int, others: dict[int, OtherSize]) -> str:
    """Return what was left out because it is a deck of another size."""
    each = (
        f"{counted_decks(one.decks)} of {counted(size)}, the first in line {one.line:,}" for size, one in others.items()
    )
    return f"left out, as only decks of {counted(cards)} are asked: {'; '.join(each)}"


def counted_decks(decks: int) -> str:
    """Return a number of decks in words."""
    return f"{decks:,} deck" if decks == 1 else f"{decks:,} decks"


def _line(text: bytes, number: int) -> str:
    line = text.split(b"\n", number + 1)[number]
    return line.decode("utf-8", "replace")


def distinct(order: Sequence[str]) -> Sequence[str]:
    """Return the names of the cards."""
    if len(set(order)) < len(order):
        twice = next(word for place, word in enumerate(order) if word in order[:place])
        remedy = NOT_UTF8 if "\ufffd" in twice else "give each card its own name"
        raise FairdeckError(f"two cards are called {shortened(twice, 40)!r}; {remedy}")
    return order
