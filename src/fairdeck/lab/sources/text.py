"""Decks as text: one deck on each line, bottom first.

The cards of a line are whole numbers, 0..n-1 or 1..n, or words, as `fairdeck.cards.cells.words` parts them. A `Reading`
reads a whole chunk of plain lines at once (`fairdeck.lab.sources.names`); a chunk with any other line, such as one with
no-break spaces, escapes in JSON, or something that is not a deck, line by line.
"""

from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import IncrementalNewlineDecoder
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import card_type
from fairdeck.cards.cells import is_deck, words
from fairdeck.cards.text import OLD, WIDE_MARKS
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Decks
from fairdeck.lab.sources import Gate, first_fault
from fairdeck.lab.sources.names import NameTable
from fairdeck.lab.usercode.faults import LONGEST_WORD, complaint, counted, excerpt, shortened

LONGEST_LINE = 1 << 24  # bytes: a million cards take half of it, with a blank and a comma between them
MOST_DIGITS = 18  # of a number that is shown as one
DIFFERENT = 1 << 16  # words that are kept while lines are read
NAMED_UP_TO = 10_000  # cards whose numbers are read as names; more are parsed
PLAIN, BLANKS = b"0123456789 ", bytes.maketrans(b",;\t\r", b"    ")


def as_utf8(coming: Iterable[bytes], said: list[str] | None = None) -> Iterator[bytes]:
    """Yield the text of a file as UTF-8, without a mark, its lines ended by LF alone.

    Args:
        coming: the file in pieces: UTF-8, UTF-16 with its mark, or else Windows-1252.
        said: what takes a note on the last of them.
    """
    pieces = iter(coming)
    first = next(pieces, b"")
    wide = first.startswith(WIDE_MARKS)
    decoder: Any = getincrementaldecoder("utf-16" if wide else "utf-8-sig")("replace" if wide else "strict")
    breaks = IncrementalNewlineDecoder(None, translate=True)
    for piece in chain([first], pieces, [b""]):
        try:
            text = decoder.decode(piece, final=not piece)
        except UnicodeDecodeError:
            rest = decoder.getstate()[0]
            decoder = getincrementaldecoder("cp1252")("replace")
            text = decoder.decode(rest + piece)
            if said is not None:
                said.append(OLD)
        yield breaks.decode(text, final=not piece).encode("utf-8", "replace")


@dataclass(frozen=True)
class Rows:
    """The rows that were read from a chunk of whole lines."""

    values: NDArray[np.int64] | Decks  # shape ``(B, n)``, the cards, from 0; of int16 if all rows are decks
    lines: NDArray[np.int64]  # shape ``(B,)``, the line of each row in the chunk, from 0
    wrong: int | None  # the first line that does not hold `n` cards; nothing after it was read


class Reading:
    """How lines name their cards.

    Attributes:
        order: the names of the cards, in the order in which the deck starts.
        kind: what a wrong card is not.
    """

    kind = "a card of this deck"

    def __init__(self, order: Sequence[str]) -> None:
        self.order = order
        self._table = NameTable.of(order)

    def card_of(self, word: str) -> int | None:
        """Return the card of a word, which may be out of range if it is a number; None if it is none."""
        raise NotImplementedError

    def rows(self, text: bytes, cards: int) -> Rows:
        """Read `text`, which ends with a line end."""
        at_once = self._table.rows(text, cards) if self._table else None
        return Rows(*at_once, None) if at_once else line_by_line(text, cards, self.card_of)

    def decks(self, values: NDArray[np.int64] | Decks) -> tuple[Decks, str]:
        """Return the decks of rows up to the first that is wrong, and what is wrong with it."""
        fault = first_fault(values)
        wrong = "" if fault is None else complaint(values[fault].tolist(), values.shape[1], self.say)
        return values[:fault].astype(card_type(values.shape[1])), wrong

    def say(self, card: int) -> str:
        """Return the name of a card as it was written."""
        return self.order[card]

    def labels(self, cards: int) -> Sequence[str]:
        """Return the names in printable characters; nothing for 0..n-1."""
        return [shortened(word, LONGEST_WORD) for word in self.order[:cards]]

    def is_card(self, word: str, cards: int) -> bool:
        """Say whether a word is one of so many cards."""
        card = self.card_of(word)
        return card is not None and 0 <= card < cards

    def wrong(self, line: str, cards: int) -> str:
        """Return what is wrong with a line that could not be read."""
        row = words(line)
        found = [self.card_of(word) for word in row]
        if all(card is None for card in found):
            return f"is not a deck: '{shortened(line.strip())}'"
        if None in found:
            odd = found.index(None)
            return f"holds '{shortened(row[odd], LONGEST_WORD)}', which is not {self.kind}: {excerpt(row, odd)}"
        return complaint([card for card in found if card is not None], cards, self.say)


class WordReading(Reading):
    """Lines of words."""

    def __init__(self, order: Sequence[str]) -> None:
        super().__init__(order)
        self._index = {word: index for index, word in enumerate(order)}

    def card_of(self, word: str) -> int | None:
        """Return the place of a word in the order."""
        return self._index.get(word)


class NumberReading(Reading):
    """Lines of whole numbers; the first deck shows whether they count from 0 or 1."""

    kind = "a card"

    def __init__(self, first: int | None = None) -> None:
        super().__init__(())
        self.first = first

    def card_of(self, word: str) -> int | None:
        """Return the number that a word is, counted from 0."""
        return int(word) - (self.first or 0) if is_number(word) else None

    def rows(self, text: bytes, cards: int) -> Rows:
        """Read `text`; plain numbers are names, with or without zeros before them."""
        if self.first is None:
            rows = line_by_line(text, cards, self.card_of)
            if not len(rows.values):
                return rows
            self.first = first_number(rows.values[0].tolist())
        if cards > NAMED_UP_TO:
            return plain_numbers(text, cards, self.first) or line_by_line(text, cards, self.card_of)
        if len(self.order) != cards:
            self.order = [self.say(card) for card in range(cards)]
            width = len(self.order[-1])
            self._table = NameTable.of(self.order, [name.zfill(width) for name in self.order])
        return super().rows(text, cards)

    def say(self, card: int) -> str:
        """Return the number as it was written."""
        return str(card + (self.first or 0))

    def labels(self, cards: int) -> Sequence[str]:
        """Return the numbers from 1, if they are."""
        return [self.say(card) for card in range(cards)] if self.first else ()

    def is_card(self, word: str, cards: int) -> bool:
        """Say whether a word is a number that a card can have."""
        return super().is_card(word, cards + (self.first is None))


def is_plain(line: bytes) -> bool:
    """Say whether a line holds only digits and blanks, commas or semicolons."""
    return not line.translate(BLANKS).translate(None, PLAIN)


def plain_numbers(text: bytes, cards: int, first: int) -> Rows | None:
    """Read lines of `cards` plain whole numbers each, or none; None if there is any other line."""
    lines = text.translate(BLANKS).split(b"\n")
    there = [at for at, line in enumerate(lines) if line.strip()]
    if not all(is_plain(lines[at]) for at in there):
        return None
    rows = [np.fromstring(lines[at].decode(), np.int64, sep=" ") for at in there]
    if any(len(row) != cards or row.max() >= 10**MOST_DIGITS for row in rows):
        return None
    return Rows(np.array(rows, np.int64).reshape(-1, cards) - first, np.array(there, np.int64), None)


def line_by_line(text: bytes, cards: int, card_of: Callable[[str], int | None]) -> Rows:
    """Read lines of `cards` words each; all words must be cards."""
    values, lines, wrong = [], [], None
    card = lru_cache(DIFFERENT)(card_of)  # each word comes on nearly every line
    for number, line in enumerate(text.decode("utf-8", "replace").split("\n")):
        row = [*map(card, words(line))]
        if not row:
            continue
        if len(row) != cards or None in row:
            wrong = number
            break
        values.append(row)
        lines.append(number)
    return Rows(np.array(values, np.int64).reshape(-1, cards), np.array(lines, np.int64), wrong)


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
    return digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS


def whole_lines(chunks: Iterable[bytes], longest: int = LONGEST_LINE) -> Iterator[tuple[bytes, bool]]:
    """Yield the lines of `chunks` in pieces, and whether each piece ends with a line end.

    Only the last piece may end without one. A line of more than the `longest` bytes is cut there, so that
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
        if size > longest:
            yield b"".join(parts)[:longest] + b"\n", True
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
        only: whether decks of other sizes are left out; otherwise the first is an error.
        options: those of `Gate`.

    Attributes:
        lines: how many were read.
        cut: whether the last line was dropped because it is incomplete.
        sizes: the decks of each other size: how many, and the line of the first.
    """

    def __init__(
        self, name: str, cards: int, reading: Reading, *, place: str = "", only: bool = False, **options: Any
    ) -> None:
        super().__init__(name, cards, **options)
        self.reading, self.place, self.only = reading, place, only
        self.lines, self.cut = 0, False
        self.sizes: dict[int, list[int]] = {}

    def decode(self, text: bytes) -> Iterator[Decks]:
        """Yield the decks of whole lines, and raise an error (see `Gate`) at the first one that is wrong."""
        rows = self.reading.rows(text, self.cards)
        if rows.wrong is not None and self.only:
            text = without_other_sizes(text, self.cards, self.reading, self.sizes, self.lines)
            rows = self.reading.rows(text, self.cards)
        yield from self.passed(
            rows.values,
            lambda row: rows.values[row].tolist(),
            self.reading.say,
            lambda row: self._where(int(rows.lines[row])),
        )
        if rows.wrong is None:
            self.lines += text.count(b"\n")
            return
        said = text.split(b"\n")[rows.wrong].decode("utf-8", "replace")
        error = self.unread(self.fault(self.reading.wrong(said, self.cards), self._where(rows.wrong)))
        if self.of_file and self.decks and (size := other_size(words(said), self.cards, self.reading)):
            both = f"{min(size, self.cards)},{max(size, self.cards)}"
            raise FairdeckError(f"{error}, or ask for a size: --cards {self.cards}; --cards {both} judges each size")
        raise error

    def left_out(self, besides: Collection[int] = ()) -> str:
        """Return what was left out because it is a deck of another size, and not `besides`; empty if nothing was."""
        sizes = {size: told for size, told in self.sizes.items() if size not in besides}
        told = (f"{counted(size)} ({each})" for size, each in zip(sizes, _counted(sizes), strict=True))
        asked = "these sizes" if besides else f"decks of {counted(self.cards)}"
        return f"left out, as only {asked} are asked: decks of {'; '.join(told)}" if sizes else ""

    def rest(self, text: bytes) -> Iterator[Decks]:
        """Yield the deck of a last line without a line end; an incomplete deck is dropped.

        A line is an incomplete deck if all its words but the last are cards, none of them twice.
        """
        row = words(text.decode("utf-8", "replace"))
        good = [self.reading.is_card(word, self.cards) for word in row]
        whole = len(row) == self.cards and all(good) and len(set(row)) == len(row)
        begun = len(row) <= self.cards and all(good[:-1]) and len(set(row[:-1])) == len(row[:-1])
        self.cut = bool(row) and begun and not whole
        if not self.cut:
            yield from self.decode(text + b"\n")

    def _where(self, line: int) -> str:
        return f"{self.place} {self.lines + line + 1:,}: " if self.place else ""


def _counted(sizes: dict[int, list[int]]) -> Iterator[str]:
    for decks, line in sizes.values():
        yield f"{decks:,} deck{'s' * (decks > 1)}, the first in line {line:,}"


def other_size(row: Sequence[str], cards: int, reading: Reading | None = None) -> int:
    """Return how many cards a row of words has, if it is a whole deck of another size; else 0.

    A deck of words has no other sign than that most of them are cards here, too; a `reading` tells it.

    >>> other_size(["1", "0"], 4), other_size(["1", "0"], 2), other_size(["1", "1"], 4), other_size(["AS", "KD"], 3)
    (2, 0, 0, 2)
    """
    size = len(row)
    if size in (0, 1, cards) or len(set(row)) < size:
        return 0
    if any(map(is_number, row)):
        return size * is_deck(row)
    return size if reading is None or 2 * sum(reading.card_of(word) is not None for word in row) >= size else 0


def without_other_sizes(text: bytes, cards: int, reading: Reading, sizes: dict[int, list[int]], before: int) -> bytes:
    """Return lines with those left empty that are decks of another size, and count these.

    Args:
        text: whole lines.
        cards: the cards of the decks that stay.
        reading: how the cards are written.
        sizes: what was left out, by size: how many, and the line of the first.
        before: how many lines came before.
    """
    lines = text.split(b"\n")
    for at, line in enumerate(lines):
        if size := other_size(words(line.decode("utf-8", "replace")), cards, reading):
            sizes.setdefault(size, [0, before + at + 1])[0] += 1
            lines[at] = b""
    return b"\n".join(lines)


def distinct(name: str, order: Sequence[str], remedy: str = "") -> Sequence[str]:
    """Return the names of the cards, none of which may come twice."""
    if len(set(order)) < len(order):
        times = Counter(order)
        twice = next(word for word in order if times[word] > 1)
        raise FairdeckError(
            f"{name}: two cards are called '{shortened(twice, LONGEST_WORD)}'; give each card its own name{remedy}"
        )
    return order
