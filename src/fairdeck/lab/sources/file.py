"""A file of decks as a source: text, CSV, JSON or npy, read once, in pieces of bounded size.

Text is that of `fairdeck.lab.sources.text`: a deck a line. CSV and JSON lines are read the same way;
a line of column names at the start is passed over. One JSON array of arrays will do as well. An
``.npy`` file holds a 2-D array of integers, a deck a row. ``-`` is standard input.
"""

import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np

from fairdeck.errors import FairdeckError
from fairdeck.lab.sources.binary import BinaryDecoder
from fairdeck.lab.sources.block import Decks, Stream
from fairdeck.lab.sources.gate import counted, deck_size, shortened
from fairdeck.lab.sources.text import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    Decoder,
    Numbers,
    Reading,
    Words,
    distinct,
    first_number,
    is_number,
    whole_lines,
    words,
)

CHUNK = 1 << 18
NPY = b"\x93NUMPY"
WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
PACKED = {
    b"\x1f\x8b": "packed with gzip",
    b"BZh": "packed with bzip2",
    b"\xfd7zXZ": "packed with xz",
    b"(\xb5/\xfd": "packed with zstd",
    b"PK\x03\x04": "a zip archive, as npz files are",
}
ARRAY_OF_ARRAYS = re.compile(rb"\s*\[\s*[\[(]")
# Every inner array becomes a line: it ends where its bracket closes, and nowhere else.
INNER_ARRAYS = bytes.maketrans(b"\n])", b" \n\n")
SUITS = {letter: suit for suit, letters in enumerate(("C♣", "S♠", "H♥", "D♦")) for letter in letters}
RANKS = {
    rank: place for place, rank in enumerate(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"])
} | {"T": 9}
TELLING = 13  # so many cards are in order by chance once in six billion decks


class FileSource(Stream):
    """The decks of a file; see `fairdeck.lab.sources.open_file`."""

    def __init__(self, name: str, cards: int, file: BinaryIO) -> None:
        super().__init__(name, cards)
        self._file = file

    def close(self) -> None:
        """Close the file; standard input is left as it is."""
        super().close()
        let_go(self._file)


class TextFile(FileSource):
    """A file of lines."""

    def __init__(self, name: str, file: BinaryIO, chunks: Iterable[bytes], decoder: Decoder) -> None:
        super().__init__(name, decoder.cards, file)
        self._chunks = chunks
        self._decoder = decoder

    @property
    def labels(self) -> Sequence[str]:
        """The words or numbers of the file, where they are others than 0..n-1."""
        return self._decoder.reading.labels(self.cards)

    def batches(self) -> Iterator[Decks]:
        """Yield the decks of the lines."""
        decoder = self._decoder
        for text, whole in whole_lines(self._chunks):
            yield from decoder.decode(text) if whole else decoder.rest(text)
        if decoder.cut:
            self.note("cut", f"{self.name} ends in the middle of deck {decoder.decks + 1:,}, which is left out")


class ArrayFile(FileSource):
    """A file of integers, written by ``numpy.save``."""

    def __init__(self, name: str, file: BinaryIO, chunks: Iterable[bytes], decoder: BinaryDecoder, rows: int) -> None:
        super().__init__(name, decoder.cards, file)
        self._chunks = chunks
        self._decoder = decoder
        self._rows = rows

    def batches(self) -> Iterator[Decks]:
        """Yield the rows."""
        for chunk in self._chunks:
            for batch in self._decoder.decode(chunk):
                if self._decoder.first:
                    self.note("first", "the cards are numbered from 1")
                yield batch
        if self._decoder.decks < self._rows:
            self.note(
                "cut", f"{self.name} ends in deck {self._decoder.decks + 1:,}; its header promises {self._rows:,}"
            )


def file_source(path: str, cards: int | None, order: str | None) -> FileSource:
    """Open a file and find out what it is; see `fairdeck.lab.sources.open_file`."""
    name = "standard input" if path == "-" else shortened(path)
    file = opened(path)
    try:
        coming = pieces(file, name)
        head = beginning(coming)
        if head.startswith(NPY):
            return array_file(name, file, head, coming, cards, order)
        return text_file(name, file, head, coming, cards, order)
    except BaseException:
        let_go(file)
        raise


def opened(path: str) -> BinaryIO:
    """Open a file, or standard input."""
    if path == "-":
        if sys.stdin is None:
            raise FairdeckError("standard input is closed; name a file")
        return sys.stdin.buffer
    try:
        return Path(path).open("rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FairdeckError(f"cannot read {shortened(path)}: {reason}; check the path") from None


def let_go(file: BinaryIO) -> None:
    """Close a file that was opened here; standard input was not."""
    if sys.stdin is None or file is not sys.stdin.buffer:
        file.close()


def pieces(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield what the file holds, as it comes: a pipe is not waited for until a piece is full."""
    read = getattr(file, "read1", file.read)
    try:
        while piece := read(CHUNK):
            yield piece
    except OSError as error:
        raise FairdeckError(f"cannot read on in {name}: {error.strerror}") from None


def beginning(coming: Iterator[bytes]) -> bytes:
    """Return enough to know the file by: two lines that are not blank, or all of it."""
    head = b""
    for piece in coming:
        head += piece
        if len(head) > 2 * LONGEST_LINE or (len(head) >= len(NPY) and len(first_lines(head)) > 2):
            break
    return head


def first_lines(head: bytes) -> list[bytes]:
    """Return the lines that are not blank; the last may be cut."""
    return [line for line in head.split(b"\n") if line.strip()]


# --- text


def text_file(
    name: str, file: BinaryIO, head: bytes, coming: Iterator[bytes], cards: int | None, order: str | None
) -> TextFile:
    """Return the source for a file of lines that begins with `head`."""
    _check_text(name, head)
    head = head.removeprefix(BYTE_ORDER_MARK)
    place = "line"
    if ARRAY_OF_ARRAYS.match(head):
        head, coming = head.translate(INNER_ARRAYS), (piece.translate(INNER_ARRAYS) for piece in coming)
        place = ""
    header, deck, second = _first_lines(name, head, order_of(order))
    _check_size(name, deck, second, cards)
    reading = _reading(name, deck, order_of(order))
    _check_columns(name, deck, second)
    if cards is None and not order:
        _check_alike(name, deck, second)
    decoder = Decoder(name, deck_size(len(deck)), reading, remedy=_remedy(len(deck), order), place=place)
    if header:
        decoder.lines = head[: len(header)].count(b"\n")
        head = head[len(header) :]
    source = TextFile(name, file, chain([head], coming), decoder)
    _say_what_was_guessed(source, reading, deck, header, order)
    return source


def order_of(order: str | None) -> list[str]:
    """Return the names of the cards, which are a line each or all on one."""
    lines = [line.strip() for line in (order or "").split("\n") if line.strip()]
    return lines if len(lines) > 1 else words("".join(lines))


def _first_lines(name: str, head: bytes, order: Sequence[str]) -> tuple[bytes, list[str], list[str]]:
    """Return the bytes up to the end of a line of column names, if there is one, the first deck, and the next line."""
    lines: list[list[str]] = [words(line.decode("utf-8", "replace")) for line in first_lines(head)[:3]]
    first, second, third, *_ = [line for line in lines if line] + [[], [], []]
    if not first:
        raise FairdeckError(f"{name} is empty; write one deck a line")
    if not second or not is_header(first, second, order):
        return b"", first, second
    end = head.index(b"\n", head.index(first_lines(head)[0])) + 1
    return head[:end], second, third


def is_header(first: Sequence[str], second: Sequence[str], order: Sequence[str]) -> bool:
    """Tell whether the first line names columns instead of cards.

    >>> is_header(["a", "b"], ["0", "1"], []), is_header(["AS", "KD"], ["KD", "AS"], [])
    (True, False)
    """
    if order:
        return not set(first) & set(order) and set(second) <= set(order)
    if all(map(is_number, second)):
        return not any(map(is_number, first))
    return len(first) == len(second) and not set(first) & set(second)


def _reading(name: str, deck: list[str], order: list[str]) -> Reading:
    if order:
        return Words(distinct(order))
    if all(map(is_number, deck)):
        return Numbers()
    if all(map(_is_decimal, deck)):
        odd = next(word for word in deck if not is_number(word))
        raise FairdeckError(
            f"the first deck of {name} holds {shortened(odd, 40)!r}, which is no whole number that a card may have; "
            f"{_remedy(len(deck))} (numpy.savetxt does with fmt='%d')"
        )
    return Words(distinct(factory_order(deck) or sorted(deck)))


def factory_order(deck: Sequence[str]) -> list[str] | None:
    """Return cards that are written as rank and suit, in either order, suit by suit; None if they are not all.

    Of the suits, the two black ones come first, so that the first half of the deck is of one colour.

    >>> factory_order(["KD", "AS", "AD", "KS"]), factory_order(["♠5", "♦A", "♠10", "♦J"])
    (['AS', 'KS', 'AD', 'KD'], ['♠5', '♠10', '♦A', '♦J'])
    """
    places: dict[str, tuple[int, int]] = {}
    for word in deck:
        for rank, suit in ((word[:-1], word[-1:]), (word[1:], word[:1])):
            if rank.upper() in RANKS and suit.upper() in SUITS:
                places[word] = SUITS[suit.upper()], RANKS[rank.upper()]
        if word not in places:
            return None
    return sorted(deck, key=places.__getitem__)


def _is_decimal(word: str) -> bool:
    """Tell whether a word is a number, whole or not."""
    try:
        float(word.replace(",", "."))
    except ValueError:
        return False
    return True


def _remedy(cards: int, order: str | None = None) -> str:
    if order:
        return "write one deck a line, of the names in --order"
    return f"write one deck a line, its cards as whole numbers from 0 to {cards - 1} or from 1 to {cards}"


def _check_text(name: str, head: bytes) -> None:
    """Refuse what is no text in lines."""
    for mark, packed in PACKED.items():
        if head.startswith(mark):
            raise FairdeckError(f"{name} is {packed}; unpack it first (the array of an npz: save it with numpy.save)")
    if head.startswith(WIDE_MARKS):
        raise FairdeckError(f"{name} is UTF-16 text; save it as UTF-8")
    if any(b"\0" in line for line in first_lines(head)[:2]):
        raise FairdeckError(f"{name} is no text: it holds bytes of 0; save decks as UTF-8 text, or with numpy.save")
    if b"\r" in head and b"\n" not in head:
        raise FairdeckError(f"the lines of {name} end with CR alone; translate them: tr '\\r' '\\n'")


def _check_size(name: str, deck: list[str], second: list[str], cards: int | None) -> None:
    if deck[0].startswith("{"):
        raise FairdeckError(f"{name} holds JSON objects; write their decks alone, an array on each line")
    if cards is not None and len(deck) != cards:
        raise FairdeckError(
            f"the first deck of {name} has {counted(len(deck))}, not {cards:,}; write a whole deck on each line"
        )
    if len(deck) == 1 and (deck[0] not in ("0", "1") or second not in ([], deck)):
        what = "one number" if deck[0].isdigit() else "one word"
        raise FairdeckError(
            f"the first line of {name} holds {what}, {shortened(deck[0], 40)}; write a whole deck on each line, "
            "its cards apart by spaces or commas"
        )


def _check_columns(name: str, first: list[str], second: list[str]) -> None:
    """Refuse lines that are decks but for what comes first, such as the number of the game."""
    if all(len(line) > 2 and _is_deck(line[1:]) and not _is_deck(line) for line in (first, second)):
        raise FairdeckError(
            f"the first column of {name}, {shortened(first[0], 40)!r}, is no card but names or numbers the decks; "
            "take it out: cut -d, -f2-"
        )


def _check_alike(name: str, first: list[str], second: list[str]) -> None:
    """Refuse a first line that is no deck by itself, nor beside the second: it says nothing of the cards."""
    if _is_deck(first):
        return
    if all(map(is_number, first)):
        alike = len(second) == len(first)
    elif any(map(is_number, first)):
        alike = not second or set(second) == set(first)  # ranks; else a line of a log
    else:
        alike = 2 * len(set(first) & set(second)) >= len(second)
    if not alike:
        shown = " and ".join(shortened(repr(" ".join(line)), 40) for line in (first, second) if line)
        raise FairdeckError(f"{name} begins with {shown}, which are no decks; {_remedy(max(2, len(first)))}")


def _is_deck(line: Sequence[str]) -> bool:
    found = sorted(int(word) for word in line if is_number(word))
    return found in (list(range(len(line))), list(range(1, len(line) + 1)))


def _say_what_was_guessed(
    source: TextFile, reading: Reading, deck: list[str], header: bytes, order: str | None
) -> None:
    if header:
        source.note(
            "header", f"the first line, {shortened(header.decode('utf-8', 'replace').strip(), 40)!r}, is no deck"
        )
    if isinstance(reading, Words) and not order:
        how = "alphabetical order" if list(reading.order) == sorted(deck) else "suits from ace to king"
        shown = " ".join(reading.order[:4])
        source.note("order", f"the cards are words, taken in {how} ({shortened(shown, 40)} ...); --order says another")
    if isinstance(reading, Numbers):
        numbers = [int(word) for word in deck]
        if first_number(numbers):
            source.note("first", "the cards are numbered from 1")
        if len(deck) >= TELLING and numbers == sorted(numbers):
            source.note("sorted", "the first deck is in order: if it numbers the columns, take it out")


# --- arrays


def array_file(
    name: str, file: BinaryIO, head: bytes, coming: Iterator[bytes], cards: int | None, order: str | None
) -> ArrayFile:
    """Return the source for a file of numpy's that begins with `head`."""
    start = io.BytesIO(head)
    try:
        version = np.lib.format.read_magic(start)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, by_column, kind = read_header(start)
    except Exception as error:  # numpy reads the header as Python, which can go wrong in many ways
        raise FairdeckError(
            f"{name} is no whole npy file: {shortened(str(error))}; save the decks anew with numpy.save"
        ) from None
    if any(type(size) is not int or size < 0 for size in shape):
        raise FairdeckError(f"{name} holds an array of shape {shape}, which is none; save it anew with numpy.save")
    if len(shape) != 2 or kind.kind not in "iu" or by_column:
        raise FairdeckError(
            f"{name} holds {kind} of shape {shape}{', by columns' if by_column else ''}; "
            "save np.ascontiguousarray(decks) with integers of shape (decks, cards)"
        )
    if order:
        raise FairdeckError(f"{name} holds numbers; an order of words says nothing of them")
    if cards is not None and shape[1] != cards:
        raise FairdeckError(f"{name} holds decks of {counted(shape[1])}, not {cards:,}")
    if not shape[0]:
        raise FairdeckError(f"{name} holds no deck")
    size = deck_size(shape[1])
    data = limited(chain([start.read()], coming), shape[0] * size * kind.itemsize)
    remedy = f"number the cards from 0 to {size - 1} or from 1 to {size}"
    return ArrayFile(name, file, data, BinaryDecoder(name, size, kind, first=None, remedy=remedy), shape[0])


def limited(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Yield no more than the first `most` bytes of `chunks`."""
    for chunk in chunks:
        yield chunk[:most]
        most -= len(chunk[:most])
        if not most:
            return
