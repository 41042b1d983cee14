"""A file of decks as a source: text, CSV, JSON or npy, read once, in pieces of bounded size; or an array in memory.

Text has a deck on each line, see `fairdeck.lab.sources.text`. CSV and JSON lines are read the same way,
and a first line of column names is skipped. One JSON array of arrays works as well. Where the decks are only a part of
the lines, or stand on several of them, a layout of `fairdeck.cards.logs` makes plain lines of them. An ``.npy`` file
holds a 2-D array of integers, a deck in each row. ``-`` is standard input.
"""

import io
import re
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from fairdeck.cards.boards import formats
from fairdeck.cards.logs import Asked, Layout, find
from fairdeck.errors import FairdeckError, system_reason
from fairdeck.lab.blocks import Decks, Source
from fairdeck.lab.sources import deck_size
from fairdeck.lab.sources.arrow import KINDS, kind_of, table_lines
from fairdeck.lab.sources.binary import BinaryDecoder
from fairdeck.lab.sources.programs import refuse_other_words, refuse_programs
from fairdeck.lab.sources.text import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    NOT_UTF8,
    Decoder,
    NumberReading,
    Reading,
    WordReading,
    distinct,
    first_number,
    is_number,
    left_out,
    other_size,
    whole_lines,
    words,
)
from fairdeck.lab.usercode.faults import counted, shortened

CHUNK = 1 << 18
EVERYWHERE = Asked()
SURROGATES = "surrogateescape"  # bytes that are not UTF-8 stay as they are
NPY = b"\x93NUMPY"
WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
PACKED = {
    b"\x1f\x8b": "packed with gzip",
    b"BZh": "packed with bzip2",
    b"\xfd7zXZ": "packed with xz",
    b"(\xb5/\xfd": "packed with zstd",
    b"PK\x03\x04": "a zip archive, as npz files are",
}
# What a file that is no file of decks begins with, after blank lines and the mark of UTF-8.
FOREIGN = {
    what: rb"(?:\xef\xbb\xbf)?\s*(?:" + begins + rb")"
    for what, begins in {
        **{f"boards of bridge in {each.name}": each.begins.encode() for each in formats()},
        "XML or HTML": rb"<[?!/A-Za-z]",
        "a poker log": rb"[^\n]*(?:\bHand #|\n?Dealt to )",
        "settings": rb"\[\w+\]\s*\n",
    }.items()
}
UNPACK = "unpack it first (save the array of an npz with numpy.save)"
NO_ORDER = {  # why some of them cannot be decks
    "boards": ": hands show who got a card, and not in which order the deck lay",
    "a poker log": ": hands and boards are a few cards of a deck, and those that were shown are no fair sample",
}
ARRAY_OF_ARRAYS = re.compile(rb"\s*\[\s*[\[(]")
# Every inner array becomes a line, which ends where its bracket closes and nowhere else.
INNER_ARRAYS = bytes.maketrans(b"\n])", b" \n\n")
SUITS = {letter: suit for suit, letters in enumerate(("C♣", "S♠", "H♥", "D♦")) for letter in letters}
RANKS = {
    rank: place for place, rank in enumerate(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"])
} | {"T": 9}
SHOWN, FEW = 64, 2  # lines that show whether they are parts of decks: more than the second
MOST_COUNTED = 1_000_000
WORDS = "OSU"  # the kinds of NumPy's types that hold words
TELLING = 13  # this many cards are in order by chance once in six billion decks


class FileSource(Source):
    """The decks of a file; see `open_file`."""

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
        self.layout: Layout | None = None

    @property
    def labels(self) -> Sequence[str]:
        """The words or numbers of the file, if they are not 0..n-1."""
        return self._decoder.reading.labels(self.cards)

    @property
    def decoder(self) -> Decoder:
        """How its lines are read."""
        return self._decoder

    def batches(self) -> Iterator[Decks]:
        """Yield the decks of the lines."""
        decoder = self._decoder
        for text, whole in whole_lines(self._chunks):
            yield from decoder.decode(text) if whole else decoder.rest(text)
            if decoder.others:
                self.note("others", left_out(self.cards, decoder.others))
        if decoder.cut or (self.layout and self.layout.cut):
            self.note("cut", f"{self.name} ends in the middle of deck {decoder.decks + 1:,}; that deck is left out")


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


def open_file(
    path: str, cards: int | None = None, *, order: str | None = None, asked: Asked = EVERYWHERE
) -> FileSource:
    """Return the decks of a file: text, CSV, JSON or npy.

    Args:
        path: of the file; ``-`` is standard input.
        cards: the cards of a deck, and decks of other sizes are left out; None takes the size of the first one, and
            the others are an error.
        order: the names of the cards in the order of the start deck, if they are words.
        asked: where in the lines the decks are.

    Raises:
        FairdeckError: it cannot be read, or does not begin with a deck of this size.
    """
    name = "standard input" if path == "-" else shortened(path)
    file = opened(path)
    try:
        coming = narrowed(pieces(file, name))
        head = beginning(coming)
        if head.startswith(NPY):
            return array_file(name, file, head, coming, cards, order)
        if kind := kind_of(head):
            coming = table_lines(name, path, kind)
            head = beginning(coming)
        layout = layout_of(name, head, asked)
        if layout:
            coming = plain_lines(name, chain([head], coming), layout)
            head = beginning(coming)
        source = text_file(name, file, head, coming, cards, order)
        if layout:
            source.layout = layout
            source.note("layout", layout.note)
        return source
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
        reason = system_reason(error)
        raise FairdeckError(f"cannot read {shortened(path)}: {reason}; check the path") from None


def let_go(file: BinaryIO) -> None:
    """Close a file, unless it is standard input."""
    if sys.stdin is None or file is not sys.stdin.buffer:
        file.close()


def pieces(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield the file in pieces as they come: a pipe need not fill a piece."""
    read = getattr(file, "read1", file.read)
    try:
        while piece := read(CHUNK):
            yield piece
    except OSError as error:
        raise FairdeckError(f"cannot read the rest of {name}: {error.strerror}") from None


def beginning(coming: Iterator[bytes]) -> bytes:
    """Return enough to detect the format: two lines that are not blank, or all of the file."""
    head = b""
    for piece in coming:
        head += piece
        if len(head) > 2 * LONGEST_LINE or (len(head) >= len(NPY) and len(first_lines(head)) > 2):
            break
    return head


def narrowed(coming: Iterator[bytes]) -> Iterator[bytes]:
    """Yield text as UTF-8, if it begins with the mark of UTF-16; anything else as it is."""
    first = next(coming, b"")
    if not first.startswith(WIDE_MARKS):
        yield first
        yield from coming
        return
    decoder = getincrementaldecoder("utf-16")("replace")
    for piece in chain([first], coming):
        yield decoder.decode(piece).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def layout_of(name: str, head: bytes, asked: Asked = EVERYWHERE) -> Layout | None:
    """Return where the decks are in the lines of a file that begins with `head`; None if each line is one.

    Raises:
        FairdeckError: it is no file of decks, or can be read in two ways.
    """
    _check_text(name, head)
    text = head.removeprefix(BYTE_ORDER_MARK)
    whole = text[: text.rfind(b"\n") + 1]
    shown = whole if len(first_lines(whole)) > 1 else text  # the last line may be incomplete
    try:
        return find(shown.decode("utf-8", "replace").split("\n"), asked)
    except FairdeckError as error:
        raise FairdeckError(f"{name}: {error}") from None


def plain_lines(name: str, chunks: Iterable[bytes], layout: Layout) -> Iterator[bytes]:
    """Yield the lines of a file as lines of decks, as many as there are; the last one may be incomplete."""
    mark = BYTE_ORDER_MARK
    try:
        for text, whole in whole_lines(chunks):
            line = text.removeprefix(mark).decode("utf-8", SURROGATES)
            mark = b""
            plain = layout.lines(line if whole else line + "\n")
            if not whole and not layout.apart:
                plain = plain.removesuffix("\n")
                layout.cut = plain == line.removesuffix("\r")
                plain = "" if layout.cut else plain
            yield plain.encode("utf-8", SURROGATES)
        yield layout.end().rstrip("\n").encode("utf-8", SURROGATES)
    except FairdeckError as error:
        raise FairdeckError(f"{name}: {error}") from None


def first_lines(head: bytes) -> list[bytes]:
    """Return the lines that are not blank; the last one may be incomplete."""
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
    _refuse_parts(name, chain([head[_after_names(header) :]], coming))
    if cards is not None and len(deck) != cards:
        deck = _first_of(head, cards) or deck
    _check_size(name, deck, second, cards)
    reading = _reading(name, deck, order_of(order))
    if cards is None and not order:
        _check_alike(name, deck, second)
    if isinstance(reading, WordReading) and not order:
        whole = head[len(header) :].rpartition(b"\n")[0]  # the last line may be incomplete
        lines = first_lines(whole) or [head]
        if cards is not None:
            lines = [line for line in lines if not other_size(line.decode("utf-8", "replace"), cards)]
        refuse_other_words(name, lines)
    decoder = Decoder(name, deck_size(len(deck)), reading, remedy=_remedy(len(deck), order), place=place, of_file=True)
    if cards is not None:
        decoder.others = {}
    if header:
        decoder.lines = head[: len(header)].count(b"\n")
        head = head[len(header) :]
    source = TextFile(name, file, chain([head], coming), decoder)
    _say_what_was_guessed(source, reading, deck, header, order)
    return source


def order_of(order: str | None) -> list[str]:
    """Return the names of the cards: one on each line, or all on one line."""
    lines = [line.strip() for line in (order or "").split("\n") if line.strip()]
    return lines if len(lines) > 1 else words("".join(lines))


def _first_lines(name: str, head: bytes, order: Sequence[str]) -> tuple[bytes, list[str], list[str]]:
    """Return the line of column names, if there is one, the first deck, and the line after it."""
    lines: list[list[str]] = [words(line.decode("utf-8", "replace")) for line in first_lines(head)[:3]]
    first, second, third, *_ = [line for line in lines if line] + [[], [], []]
    if not first:
        raise FairdeckError(f"{name} is empty; write one deck on each line")
    if not second or not is_header(first, second, order):
        return b"", first, second
    end = head.index(b"\n", head.index(first_lines(head)[0])) + 1
    return head[:end], second, third


def _first_of(head: bytes, cards: int) -> list[str]:
    """Return the first line of so many cards; nothing if there is none, or another line before it is no deck."""
    for line in first_lines(head):
        text = line.decode("utf-8", "replace")
        if len(row := words(text)) == cards:
            return row
        if not other_size(text, cards):
            return []
    return []


def _after_names(header: bytes) -> int:
    """Return where the cards begin: after a line of names, if these are not cards themselves."""
    return 0 if factory_order(words(header.decode("utf-8", "replace"))) else len(header)


def _refuse_parts(name: str, text: Iterator[bytes]) -> None:
    """Refuse lines of some cards of a larger deck, such as hands or draws: they have no order of the whole deck."""
    head = next(text)
    whole = head[: head.rfind(b"\n") + 1]
    rows = [words(line.decode("utf-8", "replace")) for line in first_lines(whole)[:SHOWN]]
    if len(rows) <= FEW or not all(len(row) == len(rows[0]) == len(set(row)) > 1 for row in rows):
        return
    numbered = all(word.isascii() and word.isdigit() for row in rows for word in row)
    if any(map(_is_deck, rows)) or (not numbered and not all(map(factory_order, rows))):
        return
    size = len(rows[0])
    seen = {word for row in rows for word in row}
    if len(seen) == size:  # whole decks of words; nothing more may be read here
        return
    lines = 0
    for piece, _ in whole_lines(chain([head], text)):
        for line in first_lines(piece):
            seen.update(words(line.decode("utf-8", "replace")))
            lines += 1
        if lines > MOST_COUNTED:
            break
    many = f"more than {MOST_COUNTED:,}" if lines > MOST_COUNTED else f"{lines:,}"
    raise FairdeckError(
        f"{name} holds {many} lines of {counted(size)} of {len(seen):,}, which are hands or draws; what is tested are "
        "whole decks: write one on each line"
    )


def is_header(first: Sequence[str], second: Sequence[str], order: Sequence[str]) -> bool:
    """Say whether the first line names columns instead of cards.

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
        return WordReading(distinct(order))
    if all(map(is_number, deck)):
        return NumberReading()
    if all(map(_is_decimal, deck)):
        odd = next(word for word in deck if not is_number(word))
        raise FairdeckError(
            f"the first deck of {name} holds {shortened(odd, 40)!r}, which is not a whole number; "
            f"{_remedy(len(deck))} (numpy.savetxt does with fmt='%d')"
        )
    return WordReading(distinct(factory_order(deck) or sorted(deck)))


def factory_order(deck: Sequence[str]) -> list[str] | None:
    """Return cards written as rank and suit, or suit and rank, suit by suit; None if some are not.

    The two black suits come first, so that the first half of the deck has one colour.

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
    """Say whether a word is a number, whole or not."""
    try:
        float(word.replace(",", "."))
    except ValueError:
        return False
    return True


def _remedy(cards: int, order: str | None = None) -> str:
    if order:
        return "write one deck on each line, with the names in --order"
    return f"write one deck on each line, its cards as whole numbers from 0 to {cards - 1} or from 1 to {cards}"


def _check_text(name: str, head: bytes) -> None:
    """Refuse a file that is not text in lines, or in the lines of something else."""
    for what, pattern in FOREIGN.items():
        if re.match(pattern, head):
            why = next((each for begins, each in NO_ORDER.items() if what.startswith(begins)), "")
            raise FairdeckError(
                f"{name} holds {what}, not decks; write a whole deck on each line, and nothing else{why}"
            )
    remedies = dict.fromkeys(PACKED.items(), UNPACK) | dict.fromkeys(KINDS.items(), "fairdeck test --file reads it")
    for (mark, packed), remedy in remedies.items():
        if head.startswith(mark):
            raise FairdeckError(f"{name} is {packed}; {remedy}")
    if name.endswith(".py") and (functions := re.findall(rb"^def (\w+)\(", head, re.MULTILINE)):
        raise FairdeckError(
            f"{name} holds functions, not decks; name the one to test, as in {name}:{functions[0].decode()}"
        )
    if head.startswith(b"#!"):
        raise FairdeckError(f"{name} is a program, not decks; to test what it writes: --exec './{Path(name).name}'")
    refuse_programs(name, head)
    if head.startswith(WIDE_MARKS):
        raise FairdeckError(
            f"{name} is UTF-16 text; save it as UTF-8, in PowerShell with: "
            "Get-Content OLD | Set-Content -Encoding utf8 NEW"
        )
    if any(b"\0" in line for line in first_lines(head)[:2]):
        raise FairdeckError(f"{name} is not text: it contains zero bytes; save decks as UTF-8 text, or with numpy.save")
    if b"\r" in head and b"\n" not in head:
        raise FairdeckError(f"the lines of {name} end with CR alone; convert them: tr '\\r' '\\n'")


def _check_size(name: str, deck: list[str], second: list[str], cards: int | None) -> None:
    if deck[0].startswith("{"):
        raise FairdeckError(f"{name} holds JSON objects; write only their decks, an array on each line")
    if cards is not None and len(deck) != cards:
        raise FairdeckError(
            f"the first deck of {name} has {counted(len(deck))}, not {cards:,}; write a whole deck on each line"
        )
    if len(deck) == 1 and (deck[0] not in ("0", "1") or second not in ([], deck)):
        what = "one number" if deck[0].isdigit() else "one word"
        raise FairdeckError(
            f"the first line of {name} holds {what}, {shortened(deck[0], 40)}; write a whole deck on each line, "
            "with spaces or commas between the cards"
        )


def _check_alike(name: str, first: list[str], second: list[str]) -> None:
    """Refuse a first line that is not a deck, by itself or beside the second line: it does not show the cards."""
    if _is_deck(first):
        return
    if all(map(is_number, first)):
        alike = len(second) == len(first)
    elif any(map(is_number, first)):
        alike = not second or set(second) == set(first)  # ranks; otherwise a line of a log
    else:
        alike = 2 * len(set(first) & set(second)) >= len(second)
    if not alike:
        shown = " and ".join(shortened(repr(" ".join(line)), 40) for line in (first, second) if line)
        raise FairdeckError(f"{name} begins with {shown}, which are not decks; {_remedy(max(2, len(first)))}")


def _is_deck(line: Sequence[str]) -> bool:
    cards = sorted(int(word) for word in line if is_number(word))
    return cards in (list(range(len(line))), list(range(1, len(line) + 1)))


def _say_what_was_guessed(
    source: TextFile, reading: Reading, deck: list[str], header: bytes, order: str | None
) -> None:
    if header:
        source.note(
            "header", f"the first line, {shortened(header.decode('utf-8', 'replace').strip(), 40)!r}, is not a deck"
        )
    if isinstance(reading, WordReading) and not order:
        how = "in alphabetical order" if list(reading.order) == sorted(deck) else "suit by suit, from ace to king"
        shown = " ".join(reading.order[:4])
        source.note(
            "order", f"the cards are words, taken {how} ({shortened(shown, 40)} ...); --order sets another order"
        )
    if isinstance(reading, WordReading) and any("\ufffd" in word for word in deck):
        source.note("encoding", f"some letters are shown as \ufffd: {NOT_UTF8}")
    if isinstance(reading, NumberReading):
        numbers = [int(word) for word in deck]
        if first_number(numbers):
            source.note("first", "the cards are numbered from 1")
        if len(deck) >= TELLING and numbers == sorted(numbers):
            source.note("sorted", "the first deck is in order: if it numbers the columns, remove it")


# --- arrays


def array_file(
    name: str, file: BinaryIO, head: bytes, coming: Iterator[bytes], cards: int | None, order: str | None
) -> ArrayFile:
    """Return the source for an npy file that begins with `head`."""
    start = io.BytesIO(head)
    try:
        version = np.lib.format.read_magic(start)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, by_column, kind = read_header(start)
    except Exception as error:  # NumPy reads the header as Python, which can fail in many ways
        raise FairdeckError(
            f"{name} is not a complete npy file: {shortened(str(error))}; save the decks again with numpy.save"
        ) from None
    if any(type(size) is not int or size < 0 for size in shape):
        raise FairdeckError(f"{name} holds an array of the impossible shape {shape}; save it again with numpy.save")
    if len(shape) != 2 or kind.kind not in "iu" or by_column:
        raise FairdeckError(
            f"{name} holds {kind} of shape {shape}{', by columns' if by_column else ''}; "
            "save np.ascontiguousarray(decks) with integers of shape (decks, cards)"
        )
    if order:
        raise FairdeckError(f"{name} holds numbers; leave out the order of words")
    if cards is not None and shape[1] != cards:
        raise FairdeckError(f"{name} holds decks of {counted(shape[1])}, not {cards:,}; leave out the number of cards")
    if not shape[0]:
        raise FairdeckError(f"{name} holds no deck; save an array of shape (decks, cards)")
    size = deck_size(shape[1])
    data = limited(chain([start.read()], coming), shape[0] * size * kind.itemsize)
    remedy = f"number the cards from 0 to {size - 1} or from 1 to {size}"
    return ArrayFile(
        name, file, data, BinaryDecoder(name, size, kind, first=None, remedy=remedy, of_file=True), shape[0]
    )


def limited(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Yield no more than the first `most` bytes of `chunks`."""
    for chunk in chunks:
        yield chunk[:most]
        most -= len(chunk[:most])
        if not most:
            return


def table_source(decks: Any, cards: int | None = None, *, order: str | None = None) -> FileSource:
    """Return the decks of an array or a DataFrame; they are read and checked like those of a file.

    They have the shape ``(decks, cards)``; `cards` and `order` are those of `open_file`.
    """
    array, name = np.asarray(decks), f"the {type(decks).__name__}"
    if array.ndim != 2 or not array.size:
        raise FairdeckError(f"{name} has the shape {array.shape}; give one of shape (decks, cards)")
    if array.dtype.kind not in WORDS:
        file = io.BytesIO()
        np.save(file, np.ascontiguousarray(array))
        return array_file(name, file, file.getvalue(), iter(()), cards, order)
    lines = "\n".join(",".join(map(str, row)) for row in array)
    return text_file(name, io.BytesIO(), f"{lines}\n".encode(), iter(()), cards, order)
