"""Lines of what was seen of each deck, as a source of whole decks: read, checked, and completed at random.

A line has the cards that were seen, top card first; ``?`` is one that was not. Whole decks with equal cards are written
like other decks, bottom first. See `fairdeck.lab.observations`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from math import factorial, log
from typing import BinaryIO

import numpy as np

from fairdeck.bulk.shapes import Values
from fairdeck.cards.cells import is_deck, words
from fairdeck.cards.names import FRENCH, french_card, is_number
from fairdeck.cards.text import tidied
from fairdeck.errors import FairdeckError, nearest
from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.observations import Sight
from fairdeck.lab.observations.completing import UNSEEN, Names, Records, completed, keys_of
from fairdeck.lab.observations.schemes import fitted, read_seen
from fairdeck.lab.sources import deck_size
from fairdeck.lab.sources.pieces import FileSource
from fairdeck.lab.sources.text import whole_lines
from fairdeck.lab.usercode.faults import LONGEST_WORD, counted, excerpt, shortened

NOT_SEEN = ("?", "-", "None", "null")  # words for a card that was not seen
AT_ONCE = 2**20  # cards
FAR = 1 << 26  # bytes in which the lowest or the highest number of a card is looked for
TELLING = log(1e-6)  # by chance, less than once in a million files
ASK = "say how many cards the deck has, --cards N, or name its list, --deck FILE"


class Index(dict[str, int]):
    """The number of the name that a word is; other spellings are found once. A word that is no card is a KeyError."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(zip(names, range(len(names)), strict=True))
        spelt: dict[str, set[int]] = {}
        for number, name in enumerate(names):
            for spelling in {tidied(name).casefold(), french_card(name) or name}:
                spelt.setdefault(spelling, set()).add(number)
        self._spelt = {spelling: numbers.pop() for spelling, numbers in spelt.items() if len(numbers) == 1}
        self.update((word, UNSEEN) for word in NOT_SEEN if word not in self)

    def __missing__(self, word: str) -> int:
        text = tidied(word)
        number = str(int(text)) if is_number(text) else text
        for spelling in (text.casefold(), french_card(text) or text, number):
            if spelling in self._spelt:
                self[word] = self._spelt[spelling]
                return self[word]
        raise KeyError(word)


class Observed(FileSource):
    """Decks that were completed from lines.

    Attributes:
        sight: what is seen of each deck.
        scheme: the same as a text.
        deck: the names of the cards, in the order of the list; empty if they are numbers.
        lines: how many were read.
        place: what a line is called in messages; empty if its number would not help.
        guessed: notes on how it is read, which may come late.
    """

    def __init__(
        self,
        name: str,
        file: BinaryIO,
        chunks: Iterable[bytes],
        scheme: str,
        cards: int,
        deck: Sequence[str],
        seed: int,
    ) -> None:
        super().__init__(name, deck_size(cards, name), file)
        self.scheme, self.deck, self.lines, self.place = scheme, tuple(deck), 0, "line"
        self._seed = seed
        self.sight, self._lengths = Sight(cards, scheme), list[Values]()
        self._width = 0 if scheme.startswith("prefix:") else len(self.sight.places)
        self.header = False  # whether the first line names columns
        self._first_row = ""  # where the first record stands
        self._pieces: Iterator[tuple[bytes, bool]] = whole_lines(chunks)
        names = list(dict.fromkeys(deck)) or self._numbers()
        self.guessed: list[str] = []
        self._index, self._said = Index(names), names
        self._names = Names([self._index[card] for card in deck] if deck else range(cards))

    @property
    def labels(self) -> Sequence[str]:
        """The names of the cards; empty if they are the numbers from 0 on."""
        names = self.deck or (() if self._said[0] == "0" else self._said)
        return [shortened(name, LONGEST_WORD) for name in names]

    def batches(self) -> Iterator[Decks]:
        """Yield the completed decks."""
        most = max(1, AT_ONCE // self.cards)
        self._note_guesses()
        for text, whole in self._pieces:
            rows, at = [], []
            for number, line in enumerate(text.decode("utf-8", "replace").split("\n"), self.lines + 1):
                row = _letters(words(line), self._said)
                if row and self.header:
                    self.header = False
                    self.note("header", f"the first line, '{shortened(line.strip(), LONGEST_WORD)}', has no cards")
                elif row:
                    record = self._record(row, number, cut=not whole)
                    if record is not None:
                        rows.append(record)
                        at.append(number)
            self.lines += text.count(b"\n")
            for begin in range(0, len(rows), most):
                yield self._completed(rows[begin : begin + most], at[begin : begin + most])
        self._note_guesses()

    def blocks(self, sizes: Iterable[int], number: int | None = None) -> Iterator[Block]:
        """Yield a block for each size, with how many cards were seen of each deck if that is not always the same."""
        for block in super().blocks(sizes, number):
            yield block if self._width else replace(block, shown=self._shown(block.size))

    def _note_guesses(self) -> None:
        """Note how it is read."""
        for guess in self.guessed:
            self.note(guess, guess)

    def _shown(self, decks: int) -> Values:
        lengths = np.concatenate([*self._lengths, np.empty(0, np.int64)])
        self._lengths = [lengths[decks:]]
        return lengths[:decks]

    def _completed(self, rows: Sequence[Sequence[int]], at: Sequence[int]) -> Decks:
        if self._width:
            records = np.array(rows, np.int64)
        else:
            records = np.full((len(rows), self.cards), UNSEEN, np.int64)
            for row, record in zip(rows, records, strict=True):
                record[: len(row)] = row
            unseen = np.pad(records == UNSEEN, ((0, 0), (0, 1)), constant_values=True)
            self._lengths.append(unseen.argmax(axis=1))  # without a gap: what lies below one may have been looked for
        self._check(records, at)
        keys = keys_of(self._seed, self.given, len(rows), self.cards, 1 + self._names.equal)
        return completed(records, self.sight, self._names, *keys)

    # --- reading and checking

    def _record(self, row: Sequence[str], line: int, *, cut: bool) -> Sequence[int] | None:
        """Return the cards of a line, by the numbers of their names; None for a last line that is not complete."""
        try:
            record = [self._index[word] for word in row]
        except KeyError as error:
            word = error.args[0]
            if not (cut and word is row[-1]):
                raise self._error(line, self._unknown(word, row)) from None
            record = []
        if cut and len(record) < max(1, self._width):
            self.note("cut", f"{self.name} ends in the middle of a line; that line is left out")
            return None
        if len(row) != self._width and (self._width or len(row) > self.cards):
            raise self._error(line, self._wrong_size(len(row)))
        if UNSEEN in record and not self.sight.ordered:
            raise self._error(line, "a card that was not seen has no place in a set; --seen top has places")
        self._first_row = self._first_row or self._where(line) or "the first one"
        return record

    def _check(self, records: Records, at: Sequence[int]) -> None:
        too_often = self._names.too_often(records)
        if not too_often.any():
            return
        row, column = (int(each) for each in np.argwhere(too_often)[0])
        record = records[row]
        name, often = int(record[column]), int((record == record[column]).sum())
        said = [self._said[number] if number != UNSEEN else "?" for number in record.tolist()]
        last = int(np.flatnonzero(record != UNSEEN)[-1]) + 1
        has = int(self._names.copies[name])
        there = "once" if has == 1 else f"{has} times"
        card = shortened(self._said[name], LONGEST_WORD)
        raise self._error(
            at[row], f"{card} is there {often} times, and {there} in the deck: {excerpt(said[:last], column)}"
        )

    def _where(self, line: int) -> str:
        return f"{self.place} {line:,}" if self.place else ""

    def _error(self, line: int, message: str) -> FairdeckError:
        return FairdeckError(f"{self.name}: {f'{where}: ' if (where := self._where(line)) else ''}{message}")

    def _unknown(self, word: str, row: Sequence[str]) -> str:
        if self.deck:
            cards = f"a card of this deck{nearest(word, self._said)}"
        else:
            cards = f"one of the cards, the numbers {self._said[0]} to {self._said[-1]}"
        return f"'{shortened(word, LONGEST_WORD)}' is not {cards}: {excerpt(row, row.index(word))}"

    def _wrong_size(self, cards: int) -> str:
        holds = f"holds {counted(cards)}"
        if not self._width:
            return f"{holds}; the deck has {self.cards:,}"
        if self.scheme.startswith(("top:", "set:")):
            return (
                f"{holds}, and {self._first_row or self.scheme} has {self._width:,}: where the cards are written in "
                "the order in which they came, say --seen prefix; else write lines of one size for --seen set"
            )
        if self.scheme == "all":
            part = f"--seen top:{cards} if they are the first, in order, --seen set:{cards} if in no order, or prefix"
            return f"{holds}; the deck has {self._width:,}" + (f"; for a part: {part}" if cards < self._width else "")
        return f"{holds}; {self.scheme} is {self._width:,}"

    def _numbers(self) -> list[str]:
        """Return the numbers of the cards: from 0 or 1 on, as the lowest or the highest one in the lines shows."""
        held, size, found = list[tuple[bytes, bool]](), 0, None
        ends = re.compile(rb"(?<![\w.-])0*(0|%d)(?![\w.])" % self.cards)
        for piece in self._pieces:
            held.append(piece)
            size += len(piece[0])
            found = ends.search(piece[0])
            if found or size > FAR:
                break
        self._pieces = chain(held, self._pieces)
        first = int(found[1] != b"0") if found else int(self.scheme.startswith("set:"))
        if first or not found:
            none = "" if found else f", as neither 0 nor {self.cards} is there"
            self.note("first", f"the cards are numbered from {first}{none}")
        return [str(number + first) for number in range(self.cards)]


def observed(
    name: str,
    file: BinaryIO,
    rows: Sequence[Sequence[str]],
    chunks: Iterable[bytes],
    *,
    seen: str,
    cards: int | None,
    deck: Sequence[str],
    seed: int,
    factory: Sequence[str],
) -> Observed:
    """Return the source of decks that are completed from lines.

    Args:
        name: of the file.
        file: it.
        rows: the words of the first lines.
        chunks: all of its lines.
        seen: what is seen of each deck; see `fairdeck.lab.observations.schemes.read_seen`.
        cards: the cards of the deck; None if its list, the scheme or whole decks show them.
        deck: the names in its list; empty if they are numbers or playing cards.
        seed: what is not seen is drawn from it.
        factory: the 52 playing cards, in the order of their numbers.

    Raises:
        FairdeckError: nobody says how many cards the deck has, or what is said does not fit.
    """
    scheme, size = read_seen(seen)
    size = cards or len(deck) or size
    if not deck:
        deck, size = _deck(name, rows, size, factory)
    if scheme in ("top", "set"):
        scheme = f"{scheme}:{len(_letters(rows[0], deck))}"
    return Observed(name, file, chunks, fitted(scheme, size), size, deck, seed)


def _deck(name: str, rows: Sequence[Sequence[str]], size: int, factory: Sequence[str]) -> tuple[Sequence[str], int]:
    """Return the names of the cards, empty for numbers, and how many cards there are."""
    numbered = all(map(is_number, (word for word in rows[0] if word not in NOT_SEEN)))
    if alike(rows) and size in (0, len(rows[0])):
        return () if numbered and is_deck(rows[0]) else sorted(rows[0]), len(rows[0])
    if not size:
        raise FairdeckError(f"{name}: its lines do not show the whole deck; {ASK}")
    if numbered:
        return (), size
    if size == len(FRENCH) and sum(french_card(word) is not None for word in rows[0]) * 2 > len(rows[0]):
        return factory, size
    shown = shortened(" ".join(rows[0]), LONGEST_WORD)
    raise FairdeckError(
        f"{name}: its cards are words ({shown}), and nobody says which ones a deck of {size:,} has; name its list: "
        "--deck FILE"
    )


def _letters(row: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    """Return the letters of a line such as LSSLSSS, if each name in the list of the deck is one letter."""
    alone = bool(names) and len(row) == 1 and not row[0].isdigit() and all(len(name) == 1 for name in names)
    return list(row[0]) if alone else row


def has_header(rows: Sequence[Sequence[str]], deck: Sequence[str]) -> bool:
    """Say whether the first line holds no card, and the second one nothing else."""
    names = {*deck, *NOT_SEEN}

    def is_card(word: str) -> bool:
        return word in names or (not deck and bool(is_number(word) or french_card(word)))

    known = [[is_card(word) for word in _letters(row, deck)] for row in rows[:2]]
    return len(known) > 1 and not any(known[0]) and all(known[1])


def alike(rows: Sequence[Sequence[str]]) -> bool:
    """Say whether two or more lines have the same cards, each as often: whole decks."""
    return len(rows) > 1 and len(rows[0]) > 1 and all(sorted(row) == sorted(rows[0]) for row in rows)


def guessed(rows: Sequence[Sequence[str]], *, parts: bool) -> tuple[str, str]:
    """Return what lines surely show of each deck, where nobody says it, and why; empty if that is not sure.

    Lines that are `parts` of decks, of one size, in rising order, are sets. Lines with the same equal cards are decks.
    """
    if alike(rows) and len(set(rows[0])) < len(rows[0]):
        return "all", "read as whole decks with equal cards: each line has the same names"
    if parts and len(rows[0]) > 1 and all(word.isdigit() for row in rows for word in row):
        rising = all(all(int(a) < int(b) for a, b in pairwise(row)) for row in rows)
        if rising and -log(factorial(len(rows[0]))) * len(rows) < TELLING:
            size = len(rows[0])
            return f"set:{size}", f"read as sets, --seen set:{size}: the numbers of each line rise"
    return "", ""
