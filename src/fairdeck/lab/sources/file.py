"""A file of decks as a source, read once, in pieces of bounded size; or an array in memory.

What a file is, is told from its beginning, never from its name: an ``.npy`` file holds a 2-D array of integers, a deck
in each row; Parquet, Arrow and SQLite files hold a table (`fairdeck.lab.sources.tables`); anything else is text. Where
the decks of a text are only a part of the lines, or stand on several of them, a layout of `fairdeck.cards.logs` makes
plain lines of them, which `fairdeck.lab.sources.text` reads. ``-`` is standard input.
"""

import io
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, BinaryIO

import numpy as np

from fairdeck.cards.boards import HEAD, formats, read_boards, text_of
from fairdeck.cards.bridge_hands import SEATS
from fairdeck.cards.cells import is_deck, words
from fairdeck.cards.languages import pack, playing_cards, readings
from fairdeck.cards.logs import Asked, Layout, find, joined
from fairdeck.cards.logs.json_lines import lines_of_document
from fairdeck.cards.names import FRENCH
from fairdeck.cards.text import WIDE_MARKS
from fairdeck.errors import FairdeckError, naming
from fairdeck.lab.blocks import Decks
from fairdeck.lab.sources import deck_size
from fairdeck.lab.sources.binary import BinaryDecoder
from fairdeck.lab.sources.foreign import WHOLE, refuse_foreign
from fairdeck.lab.sources.names import plain_lists
from fairdeck.lab.sources.observed import Observed, alike, guessed, has_header, observed
from fairdeck.lab.sources.pieces import (
    NPY,
    FileSource,
    Lines,
    SomeLines,
    beginning,
    first_lines,
    let_go,
    opened,
    pieces,
)
from fairdeck.lab.sources.tables import kind_of, table_lines
from fairdeck.lab.sources.text import (
    Decoder,
    NumberReading,
    Reading,
    WordReading,
    as_utf8,
    distinct,
    first_number,
    is_number,
    is_plain,
    other_size,
    whole_lines,
)
from fairdeck.lab.usercode.adapting import NO_ORDER, NotADeck, listed, of_hands
from fairdeck.lab.usercode.faults import counted, shortened

EVERYWHERE = Asked()
SHOWN = 64  # lines that show what a file is
LONG = 2**17  # bytes of a line that is surely a deck, if it holds plain numbers only
MOST_COUNTED = 1_000_000
WORDS = "OSU"  # the kinds of NumPy's types that hold words
PART = "; if a line is only a part of a deck, say which: --seen top, set or prefix, or 6/49, and --cards N"
TELLING = 13  # this many cards are in order by chance once in six billion decks
SUITS = "CSHD"  # the two black suits first, so that the first half of the deck has one colour
RANKS = "A23456789TJQK"
FACTORY = tuple(suit + rank for suit in SUITS for rank in RANKS)  # the cards by their numbers, as PBN calls them
FOUR_HANDS = "hands:4x13"


class TextFile(FileSource):
    """A file of lines.

    Attributes:
        decoder: how its lines are read.
        layout: where the decks are in its lines; None if each is one.
        guessed: notes on how it is read, which may come late.
        besides: the sizes of other decks in it that are judged as well.
    """

    def __init__(self, name: str, file: BinaryIO, chunks: Iterable[bytes], decoder: Decoder) -> None:
        super().__init__(name, decoder.cards, file)
        self._chunks, self.decoder = chunks, decoder
        self.layout: Layout | None = None
        self.place = decoder.place
        self.guessed: list[str] = []
        self.besides: Collection[int] = ()

    @property
    def labels(self) -> Sequence[str]:
        """The words or numbers of the file, if they are not 0..n-1."""
        return self.decoder.reading.labels(self.cards)

    def batches(self) -> Iterator[Decks]:
        """Yield the decks of the lines."""
        decoder = self.decoder
        for text, whole in whole_lines(self._chunks):
            yield from decoder.decode(text) if whole else decoder.rest(text)
            if decoder.only and (others := decoder.left_out(self.besides)):
                self.note("others", others)
        if decoder.cut or (self.layout and self.layout.cut):
            self.note("cut", f"{self.name} ends in the middle of deck {decoder.decks + 1:,}; that deck is left out")
        for guess in self.guessed:
            self.note(guess, guess)


class ArrayFile(FileSource):
    """A file of integers, written by ``numpy.save``."""

    def __init__(self, name: str, file: BinaryIO, chunks: Iterable[bytes], decoder: BinaryDecoder, rows: int) -> None:
        super().__init__(name, decoder.cards, file)
        self._chunks, self._decoder, self._rows = chunks, decoder, rows

    def batches(self) -> Iterator[Decks]:
        """Yield the rows."""
        decoder = self._decoder
        for chunk in self._chunks:
            for batch in decoder.decode(chunk):
                if decoder.first:
                    self.note("first", "the cards are numbered from 1")
                yield batch
        if decoder.decks < self._rows:
            self.note("cut", f"{self.name} ends in deck {decoder.decks + 1:,}; its header promises {self._rows:,}")


def open_file(
    path: str,
    cards: int | None = None,
    *,
    order: str | None = None,
    asked: Asked = EVERYWHERE,
    seen: str = "",
    seed: int = 0,
    only: SomeLines | None = None,
) -> FileSource:
    """Return the decks of a file.

    Args:
        path: of the file; ``-`` is standard input.
        cards: the cards of a deck, and decks of other sizes are left out; None takes the size of the first one, and
            the others are an error.
        order: the names of the cards in the order of the start deck, if they are words; or the list of a deck with
            equal cards.
        asked: where in the file the decks are.
        seen: what is seen of each deck; empty for all of it, or what the file surely shows.
        seed: what is not seen is drawn from it.
        only: the lines that are read; None for all.

    Raises:
        FairdeckError: it cannot be read, or does not begin with a deck of this size.
    """
    name = "standard input" if path == "-" else shortened(path)
    file = opened(path)
    try:
        coming = pieces(file, name)
        head = beginning(coming)
        if head.startswith(NPY) and not seen:
            return array_file(name, file, head, coming, cards, order)
        guessed = list[str]()
        if head.startswith(NPY):
            coming, document = _array_lines(name, chain([head], coming)), False
        elif form := _boards_in(head):
            coming, document = _board_lines(name, chain([head], coming), form, seen or FOUR_HANDS, guessed), False
            seen, order = FOUR_HANDS, order or "\n".join(FACTORY)
        else:
            coming, asked, document = _as_lines(name, path, head, coming, asked, guessed)
        if only and not only.plain:
            coming = only.picked(coming)
        head = beginning(coming)
        layout = layout_of(name, head, asked if seen else replace(asked, cards=frozenset(order_of(order))))
        if layout and seen.startswith("prefix"):
            layout = layout.in_order or layout
        if layout:
            coming = plain_lines(name, chain([head], coming), layout)
            head = beginning(coming)
        if only and only.plain:
            coming = only.picked(chain([head], coming))
            head = beginning(coming)
        place = "" if document else "line"
        lines = Lines(name, file, head, coming, cards, order, layout, seen, seed, place)
        source = seen_file(lines) or text_file(lines)
        source.place, source.guessed = place, guessed
        return source
    except BaseException:
        let_go(file)
        raise


def lines_of(path: str, asked: Asked = EVERYWHERE, *, plain: bool) -> Iterator[tuple[bytes, bool]]:
    """Yield the lines of a file as `SomeLines` counts them, in pieces, and whether each piece ends with a line end.

    They are `plain` lines of decks, or those of the file itself. Nothing comes of arrays, boards and poker logs.
    """
    name, file = shortened(path), opened(path)
    try:
        coming = pieces(file, name)
        head = beginning(coming)
        if head.startswith(NPY) or _boards_in(head):
            return
        coming, asked, _ = _as_lines(name, path, head, coming, asked, [])
        if plain:
            head = beginning(coming)
            coming, layout = chain([head], coming), layout_of(name, head, asked)
            if layout and layout.hands:
                return
            coming = plain_lines(name, coming, layout) if layout else coming
        yield from whole_lines(coming)
    finally:
        let_go(file)


def _as_lines(
    name: str, path: str, head: bytes, coming: Iterator[bytes], asked: Asked, said: list[str]
) -> tuple[Iterator[bytes], Asked, bool]:
    """Return a file as lines of text, where in these the decks are, and whether its own lines are others."""
    if table := kind_of(head):
        coming, asked = table_lines(name, path, table, asked, said)
    else:
        if not head.startswith(WIDE_MARKS):
            refuse_foreign(name, head)
        coming = as_utf8(chain([head], coming), said)
    head = beginning(coming)
    document = lines_of_document(head)
    coming = chain([head], coming)
    return iter(document(coming)) if document else coming, asked, bool(document)


def layout_of(name: str, head: bytes, asked: Asked = EVERYWHERE) -> Layout | None:
    """Return where the decks are in the lines of a file that begins with `head`; None if each line is one.

    Raises:
        FairdeckError: it is no file of decks, or can be read in two ways.
    """
    refuse_foreign(name, head)
    whole = head[: head.rfind(b"\n") + 1]
    shown = whole if len(first_lines(whole)) > 1 else head  # the last line may be incomplete
    if asked == EVERYWHERE and len(first := shown.lstrip().partition(b"\n")[0]) > LONG and is_plain(first):
        return None
    with naming(name):
        return find(shown.decode("utf-8", "replace").split("\n"), asked)


def plain_lines(name: str, chunks: Iterable[bytes], layout: Layout) -> Iterator[bytes]:
    """Yield the lines of a file as lines of decks, as many as there are; the last one may be incomplete."""

    def slowly(text: bytes) -> bytes:
        return layout.lines(text.decode("utf-8", "replace")).encode("utf-8", "replace")

    with naming(name):
        for text, whole in whole_lines(chunks):
            plain = plain_lists(text, layout.path, slowly) if whole else slowly(text + b"\n")
            if not whole and not layout.apart:
                plain = plain.removesuffix(b"\n")
                layout.cut = plain == text
                plain = b"" if layout.cut else plain
            yield plain
        yield layout.end().rstrip("\n").encode("utf-8", "replace")


def _rows(head: bytes) -> dict[int, list[str]]:
    """Return the words of the first lines that hold any, by the number of the line."""
    there = islice(((at, line) for at, line in enumerate(head.split(b"\n"), 1) if line.strip()), SHOWN + 1)
    return {at: row for at, line in there if (row := words(line.decode("utf-8", "replace")))}


# --- what is seen of decks


def seen_file(lines: Lines) -> Observed | None:
    """Return the source for lines of what is seen of each deck; None if these are whole decks of different cards."""
    names, head, layout, seen = order_of(lines.order), lines.head, lines.layout, lines.seen
    there = _rows(head[: head.rfind(b"\n") + 1]) or _rows(head)
    if not there:
        return None
    rows, why, header = list(there.values()), "", b""
    if has_header(rows, names):
        rows, header = rows[1:], b"".join(head.splitlines(keepends=True)[: next(iter(there))])
    if layout and layout.hands:
        seen, names = seen or f"set:{len(rows[0])}", names or list(FACTORY)
    elif not seen and not names:
        seen, why = guessed(rows, parts=_are_parts(rows))
    equal = len(set(names)) < len(names) or (not names and alike(rows) and len(set(rows[0])) < len(rows[0]))
    if equal and not seen:
        seen = "all"
    if not seen or (seen.strip().lower() == "all" and not equal):
        return None
    source = observed(replace(lines, seen=seen, head=head[len(header) :]), rows, names, FACTORY)
    if header:
        source.lines = header.count(b"\n")
        source.note("header", f"the first line, '{_said(header)}', has no cards")
    if source.completion.sight.ordered and guessed(rows, parts=True)[0].startswith("set"):
        why = (
            f"read as --seen {seen} says, in order; but the numbers of each line rise: --seen set, if they were sorted"
        )
    for note in filter(None, (why, layout.note if layout else "")):
        source.note(note, note)
    return source


def _said(header: bytes) -> str:
    return shortened(header.decode("utf-8", "replace").strip(), 40)


def _boards_in(head: bytes) -> str:
    """Return the format of boards of bridge that a file is in; nothing if it has none."""
    text = text_of(head[:HEAD]).lstrip()
    return next((each.name for each in formats() if re.match(each.begins, text)), "")


def _board_lines(name: str, chunks: Iterable[bytes], form: str, seen: str, said: list[str]) -> Iterator[bytes]:
    """Yield the four hands of each board as a line, from North on."""
    said.append(f"read as boards of bridge in {form}, --seen {FOUR_HANDS}: four sets, from North on")
    with naming(name):
        if seen != FOUR_HANDS:
            raise FairdeckError(f"boards are --seen {FOUR_HANDS}, not {seen}: leave it out")
        boards, notes = read_boards(b"".join(chunks))
        said += [note for note in notes if not note.startswith("read as")]
        for board in boards:
            if not all(board.hands):
                seat = next(seat for seat, hand in zip(SEATS.values(), board.hands, strict=True) if not hand)
                raise FairdeckError(f"board {board.name}: {seat} has no hand; leave out boards that are not complete")
            yield (" ".join(chain.from_iterable(board.hands)) + "\n").encode()


def _array_lines(name: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
    try:
        array = np.load(io.BytesIO(b"".join(chunks)), allow_pickle=False)
    except (ValueError, EOFError, OSError, SyntaxError) as error:
        raise FairdeckError(
            f"{name} is not a complete npy file: {shortened(str(error))}; save it again with numpy.save"
        ) from None
    if array.ndim != 2 or array.dtype.kind not in "iu":
        raise FairdeckError(f"{name} holds {array.dtype} of shape {array.shape}; save integers of shape (decks, cards)")
    yield from (" ".join(map(str, row)).encode() + b"\n" for row in array.tolist())


# --- text


def text_file(lines: Lines) -> TextFile:
    """Return the source for plain lines of whole decks."""
    name, head, coming, cards, order = lines.name, lines.head, lines.coming, lines.cards, lines.order
    layout, place = lines.layout, lines.place
    names = order_of(order)
    numbered = _rows(head)
    rows = list(numbered.values())
    if not rows:
        raise FairdeckError(f"{name} is empty; write one deck on each line")
    begins = is_header(rows[0], rows[1], names) if len(rows) > 1 else False
    header = rows.pop(0) if begins else []
    end = head.index(b"\n", head.index(first_lines(head)[0])) + 1 if begins else 0
    # Names of columns may be cards themselves: then they are the first hand.
    first = 0 if factory_order(header) else end
    _refuse_parts(name, chain([head[first:]], coming))
    deck: Sequence[str] = rows[0]
    if cards is not None and len(deck) != cards:
        deck = _first_of(rows, cards) or deck
    at = next(at for at, row in numbered.items() if row is deck)
    where = f"{name}: {place} {at}" if place else name
    _check_size(where, deck, rows[1:2], cards)
    reading = _reading(where, deck, names)
    if not names:
        _check_alike(name, [deck, *(row for row in rows[1:] if cards in (None, len(row)))])
    decoder = Decoder(
        name,
        deck_size(len(deck), name),
        reading,
        remedy=_remedy(len(deck), order) + (PART if reading.__class__ is NumberReading and not is_deck(deck) else ""),
        place=place,
        only=cards is not None,
        of_file=True,
    )
    decoder.lines = head[:end].count(b"\n")
    source = TextFile(name, lines.file, chain([head[end:]], coming), decoder)
    source.layout = layout
    if layout:
        source.note("layout", layout.note)
    _say_what_was_guessed(source, deck, head[:end], order)
    return source


def order_of(order: str | None) -> list[str]:
    """Return the names of the cards: one on each line, or all on one line."""
    lines = [line.strip() for line in (order or "").split("\n") if line.strip()]
    names = lines if len(lines) > 1 else words("".join(lines))
    if len(names) == 1:
        name = shortened(names[0], 40)
        raise FairdeckError(f"order: {name!r} is one card; write all names, or, if it is a file: --deck {name}")
    return names


def _first_of(rows: Sequence[Sequence[str]], cards: int) -> Sequence[str]:
    """Return the first line of so many cards; nothing if there is none, or another line before it is no deck."""
    first = next((row for row in rows if len(row) == cards or not other_size(row, cards)), ())
    return first if len(first) == cards else ()


def _refuse_parts(name: str, text: Iterator[bytes]) -> None:
    """Refuse lines of some cards of a larger deck, such as hands or draws: they have no order of the whole deck."""
    head = next(text)
    rows = [*(_rows(head[: head.rfind(b"\n") + 1]) or _rows(head)).values()]
    if not _are_parts(rows):
        return
    lines, seen = 0, set[str]()
    for piece, _ in whole_lines(chain([head], text)):
        for row in filter(None, (words(line.decode("utf-8", "replace")) for line in first_lines(piece))):
            seen.update(row)
            lines += 1
        if lines > MOST_COUNTED:
            break
    many = f"more than {MOST_COUNTED:,}" if lines > MOST_COUNTED else f"{lines:,}"
    size = len(rows[0])
    of = f"{counted(size)} of {len(seen):,}, which are hands or draws"
    raise FairdeckError(
        f"{name} holds {many} {'lines' if lines > 1 else 'line'} of {of}; say what is seen of each deck: --seen "
        f"top:{size} if they are the first, in order, --seen set:{size} if in no order; and --cards N or --deck FILE"
    )


def _are_parts(rows: Sequence[Sequence[str]]) -> bool:
    """Say whether lines are equally many cards, and surely not all of a deck: two lines of numbers, three of names."""
    if len(rows) < 2 or not all(len(row) == len(rows[0]) == len(set(row)) > 1 for row in rows):
        return False
    numbered = all(word.isascii() and word.isdigit() for row in rows for word in row)
    if any(map(is_deck, rows)) or (not numbered and (len(rows) < 3 or not all(map(factory_order, rows)))):
        return False
    return len({word for row in rows for word in row}) > len(rows[0])


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


def _reading(where: str, deck: Sequence[str], order: Sequence[str]) -> Reading:
    if order:
        return WordReading(distinct("the order of the cards", order))
    if all(map(is_number, deck)):
        return NumberReading(first_number(map(int, deck)))
    if all(map(_is_decimal, deck)):
        odd = next(word for word in deck if not is_number(word))
        raise FairdeckError(
            f"{where}: the first deck holds '{shortened(odd, 40)}', which is not a whole number; "
            f"{_remedy(len(deck))} (numpy.savetxt does with fmt='%d')"
        )
    part = f"; where a line is a part of the deck, also --seen top:{len(deck)} (in order) or set:{len(deck)}"
    distinct(where, deck, f", or name the list of the deck, in which names may come often: --deck FILE{part}")
    if len(ways := list(readings(deck).items())) > 1:
        (one, language), (other, second), *_ = ways
        word, here, there = next(each for each in zip(deck, one, other, strict=True) if each[1] != each[2])
        raise FairdeckError(
            f"{where}: '{shortened(word, 40)}' is {here} in {language} and {there} in {second}; say in which order the "
            "deck starts, with --order"
        )
    return WordReading(factory_order(deck) or sorted(deck))


def factory_order(deck: Sequence[str]) -> list[str]:
    """Return playing cards, whose names are all in one language, suit by suit, jokers last; nothing if some are not.

    >>> factory_order(["KD", "AS", "AD", "KS"]), factory_order(["Herz 10", "Pik Ass"]), factory_order(["5", "AS"])
    (['AS', 'KS', 'AD', 'KD'], ['Pik Ass', 'Herz 10'], [])
    """
    language, cards = playing_cards(deck)
    last = (len(FRENCH), 0)
    places = {}
    for word, card in zip(deck, cards, strict=False):
        french = (SUITS.find(card[0]), RANKS.find(card[1])) if card in FRENCH else None
        places[word] = (*(french or pack(language).get(card, last)), word)
    return sorted(deck, key=places.__getitem__) if places else []


def _is_decimal(word: str) -> bool:
    try:
        float(word.replace(",", "."))
    except ValueError:
        return False
    return True


def _remedy(cards: int, order: str | None = None) -> str:
    if order:
        return "write one deck on each line, with the names in --order"
    return f"write one deck on each line, its cards as whole numbers from 0 to {cards - 1} or from 1 to {cards}"


def _check_size(where: str, deck: Sequence[str], second: Sequence[Sequence[str]], cards: int | None) -> None:
    if cards is not None and len(deck) != cards:
        raise FairdeckError(
            f"{where}: the first deck has {counted(len(deck))}, not {cards:,}; write a whole deck on each line"
        )
    if len(deck) == 1 and (deck[0] not in ("0", "1") or [deck] != [*second, deck][:1]):
        what = "one number" if deck[0].isdigit() else "one word"
        raise FairdeckError(
            f"{where}: the first deck holds {what}, {shortened(deck[0], 40)}; write a whole deck on each line, "
            "with spaces or commas between the cards; if one card of each deck is known: --seen top:1 and --deck FILE"
        )


def _check_alike(name: str, rows: Sequence[Sequence[str]]) -> None:
    """Refuse a first line that is not a deck, by itself or beside the other lines: it does not show the cards."""
    first, others = rows[0], rows[1:]
    if is_deck(first):
        return
    if all(map(is_number, first)):
        alike = bool(others) and len(others[0]) == len(first)
    elif len(others) == 1 and not any(map(is_number, first)):
        alike = 2 * len(set(first) & set(others[0])) >= len(others[0])
    else:  # decks of another size have some of these cards, or these and others
        cards = Counter(first)
        alike = 2 * sum(Counter(row) <= cards or Counter(row) > cards for row in others) >= len(others)
    if not alike:
        shown = " and ".join(f"'{shortened(' '.join(row), 38)}'" for row in rows[:2])
        remedy = _remedy(len(first)) if all(map(is_number, first)) and len(first) > 1 else WHOLE
        if not others and (twice := next((word for word, often in Counter(first).items() if often > 1), "")):
            remedy = f"{shortened(twice, 38)} is there twice; {remedy}"
        raise FairdeckError(
            f"{name} begins with {shown}, which are not decks; {remedy}{PART}; to test what a program writes: "
            "--exec COMMAND"
        )


def _say_what_was_guessed(source: TextFile, deck: Sequence[str], header: bytes, order: str | None) -> None:
    reading = source.decoder.reading
    if header:
        source.note("header", f"the first line, '{_said(header)}', is not a deck")
    if isinstance(reading, WordReading) and not order:
        how = "suit by suit, from ace to king" if factory_order(deck) else "in alphabetical order"
        shown = " ".join(reading.order[:4])
        source.note(
            "order", f"the cards are words, taken {how} ({shortened(shown, 40)} ...); --order sets another order"
        )
    if isinstance(reading, NumberReading):
        numbers = [int(word) for word in deck]
        if reading.first:
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
    size = deck_size(shape[1], name)
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


def table_source(
    decks: Any, cards: int | None = None, *, order: str | None = None, seen: str = "", seed: int = 0
) -> FileSource:
    """Return the decks of an array or a DataFrame, or of lists; they are read and checked like those of a file.

    Whole decks have the shape ``(decks, cards)``; the other arguments are those of `open_file`.
    """
    if seen or len({*order_of(order)}) < len(order_of(order)):
        return _records(decks, cards, order, seen, seed)
    array, name = np.asarray(decks), f"the {type(decks).__name__}"
    if array.ndim != 2 or not array.size:
        raise FairdeckError(f"{name} has the shape {array.shape}; give one of shape (decks, cards)")
    if array.dtype.kind not in WORDS:
        file = io.BytesIO()
        np.save(file, np.ascontiguousarray(array))
        return array_file(name, file, file.getvalue(), iter(()), cards, order)
    lines = "\n".join(",".join(map(str, row)) for row in array)
    return text_file(Lines(name, io.BytesIO(), f"{lines}\n".encode(), cards=cards, order=order))


def _records(decks: Any, cards: int | None, order: str | None, seen: str, seed: int) -> FileSource:
    """Return what is seen of decks in memory; None is a card that was not seen."""
    name = f"the {type(decks).__name__}"
    rows = decks.values.tolist() if hasattr(decks, "columns") else list(getattr(decks, "tolist", lambda: decks)())
    if not rows or any(isinstance(row, str) or not hasattr(row, "__iter__") for row in rows):
        raise FairdeckError(f"{name} must hold a list of cards for each deck")
    if not seen.startswith(("set", "hands")) and any(isinstance(row, set | frozenset) for row in rows):
        raise FairdeckError(f"{name} holds sets of Python, which have no order: {NO_ORDER}")
    for at, row in enumerate(rows) if seen.startswith("hands") else ():
        try:
            rows[at] = of_hands(row, int(seen.partition("x")[2]))
        except NotADeck as wrong:
            raise FairdeckError(f"{name}: record {at + 1:,} {wrong}") from None
    text = "".join(f"{joined('?' if card is None else card for card in listed(row))}\n" for row in rows).encode()
    lines = Lines(name, io.BytesIO(), text, cards=cards, order=order, seen=seen, seed=seed)
    source = seen_file(lines) or text_file(lines)
    source.place = "record"
    return source
