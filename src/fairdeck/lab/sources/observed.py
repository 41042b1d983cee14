"""What was seen of each deck, read, checked, and completed at random; and lines of it as a source of whole decks.

A line, or what a function or a program gives, has the cards that were seen, top card first; ``?`` is one that was not.
Whole decks with equal cards are written like other decks, bottom first. See `fairdeck.lab.observations`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from math import factorial, log
from typing import Self

import numpy as np

from fairdeck.bulk.shapes import Values
from fairdeck.cards.cells import is_deck, words
from fairdeck.cards.names import FRENCH, french_card, is_number
from fairdeck.cards.text import tidied
from fairdeck.errors import FairdeckError, nearest
from fairdeck.lab.blocks import Decks
from fairdeck.lab.observations import Sight
from fairdeck.lab.observations.completing import UNSEEN, Names, Records, completed, keys_of
from fairdeck.lab.observations.schemes import fitted, read_seen
from fairdeck.lab.sources import deck_size
from fairdeck.lab.sources.pieces import FileSource, Lines
from fairdeck.lab.sources.text import Reading, Rows, whole_lines
from fairdeck.lab.usercode.adapting import Glimpse
from fairdeck.lab.usercode.faults import LONGEST_WORD, counted, excerpt, shortened

NOT_SEEN = ("?", "-", "None", "null")  # words for a card that was not seen
AT_ONCE = 2**20  # cards
WAIT = 20  # times the cards of a deck may be seen before 0 or the highest number must be there: by chance one in 10^8
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


class Completion(Reading):
    """Reads what was seen of the decks of one stream, checks it, and completes it.

    Attributes:
        sight: what is seen of each deck.
        scheme: the same as a text.
        deck: the names of the cards, in the order of the list; empty if they are numbers.
        first: the number of the first card, 0 or 1; None before the numbers show it.
        width: how many cards are seen of each deck; 0 if that differs.
        given: the decks that were completed: each has keys of its own, by its number.
        note: what a reader should know of the numbers; empty if nothing.
    """

    def __init__(
        self,
        scheme: str,
        cards: int,
        deck: Sequence[str],
        seed: int | str,
        first: int | None = None,
        *,
        as_written: bool = True,
    ) -> None:
        """Complete decks of a list, or of numbers from `first` on, if that is known.

        What is not seen is drawn from `seed`; each stream has its own. `as_written`: records have the numbers so.
        """
        self.scheme, self.deck, self.first = scheme, tuple(deck), first
        self.given, self.note = 0, ""
        self.sight, self._seed, self._lengths = Sight(cards, scheme), seed, list[Values]()
        self.width = 0 if scheme.startswith("prefix:") else len(self.sight.places)
        self._as_written, self._sure = as_written and not deck, True  # of the number of the first card
        self.order = list(dict.fromkeys(deck)) or [str(number + (first or 0)) for number in range(cards)]
        self.index = Index([str(number) for number in range(cards + 1)] if self._as_written else self.order)
        self._names = Names([self.index[card] for card in deck] if deck else range(cards))
        self._held = np.empty((0, self.places), np.int64)  # before it is known what the first card is

    def again(self, stream: int | None = None, first: int | None = None) -> Self:
        """Return the same for another stream of decks, if that is given, and with the number of the first card."""
        seed, first = self._seed if stream is None else f"{self._seed}/{stream}", self.first if first is None else first
        return type(self)(self.scheme, self.sight.cards, self.deck, seed, first)

    @property
    def places(self) -> int:
        """The places of a record."""
        return self.width or self.sight.cards

    def labels(self, _cards: int = 0) -> Sequence[str]:
        """Return the names of the cards; nothing if they are the numbers from 0 on."""
        return [shortened(name, LONGEST_WORD) for name in self.deck or (self.order if self.first else ())]

    def shown(self, decks: int) -> Values | None:
        """Return how many cards were seen of the next decks; None if that is the same for all."""
        if self.width:
            return None
        lengths = np.concatenate([*self._lengths, np.empty(0, np.int64)])
        self._lengths = [lengths[decks:]]
        return lengths[:decks]

    @property
    def glimpse(self) -> Glimpse:
        """What a function must give of each deck."""
        word, _, size = self.scheme.partition(":")
        hand = int(size.partition("x")[2]) if word == "hands" else 0
        return Glimpse(self.places, self.width or 1, hand, dict(self.index), self.sight.ordered)

    # --- reading

    def rows(self, text: bytes, _cards: int = 0) -> Rows:
        """Read lines."""
        rows, lines, wrong = [], [], None
        for number, line in enumerate(text.decode("utf-8", "replace").split("\n")):
            row = _letters(words(line), self.order)
            if not row:
                continue
            try:
                record = [self.index[word] for word in row]
            except KeyError:
                record = []
            if not record or (len(record) != self.width and (self.width or len(record) > self.sight.cards)):
                wrong = number
                break
            rows.append(record)
            lines.append(number)
        values = np.full((len(rows), self.places), UNSEEN, np.int64)
        for at, record in enumerate(rows):
            values[at, : len(record)] = record
        return Rows(values, np.array(lines, np.int64), wrong)

    def wrong(self, line: str, _cards: int = 0) -> str:
        """Return what is wrong with a line that could not be read."""
        row = _letters(words(line), self.order)
        odd = next((at for at, word in enumerate(row) if not self._knows(word)), None)
        if odd is None:
            return self._wrong_size(len(row))
        if self.deck:
            what = f"a card of this deck{nearest(row[odd], self.order)}"
        else:
            what = f"one of the cards, the numbers {self.order[0]} to {self.order[-1]}"
        remedy = "" if self.deck or is_number(row[odd]) else "; if cards have names, name their list: --deck FILE"
        return f"'{shortened(row[odd], LONGEST_WORD)}' is not {what}: {excerpt(row, odd)}{remedy * self._as_written}"

    def is_cut(self, text: bytes) -> bool:
        """Say whether a last line without an end is only the beginning of a record."""
        row = _letters(words(text.decode("utf-8", "replace")), self.order)
        short = len(row) < max(1, self.width) or not self._knows(row[-1])
        return bool(row) and short and all(map(self._knows, row[:-1]))

    def _knows(self, word: str) -> bool:
        try:
            return self.index[word] >= UNSEEN
        except KeyError:
            return False

    def _wrong_size(self, cards: int) -> str:
        holds = f"holds {counted(cards)}"
        if not self.width:
            return f"{holds}; the deck has {self.sight.cards:,}"
        if self.scheme.startswith(("top:", "set:")):
            return (
                f"{holds}, and {self.scheme} has {self.width:,}: where the cards are written in "
                "the order in which they came, say --seen prefix; else write lines of one size for --seen set"
            )
        if self.scheme == "all":
            part = f"--seen top:{cards} if they are the first, in order, --seen set:{cards} if in no order, or prefix"
            return f"{holds}; the deck has {self.width:,}" + (f"; for a part: {part}" if cards < self.width else "")
        return f"{holds}; {self.scheme} is {self.width:,}"

    # --- completing

    def decks(self, values: Records | None, *, last: bool = False) -> tuple[Decks, str]:
        """Return the completed decks up to the first record that is wrong, and what is wrong with it.

        Args:
            values: shape ``(B, places)``; None for no more than those that are held.
            last: whether no more records come. Else they may be held until they show the number of the first card.
        """
        values = self._held[:0] if values is None else values
        if self._as_written:
            values = self._from_zero(np.concatenate([self._held, values]), last)
        bad = (values < UNSEEN) | self._names.too_often(np.maximum(values, UNSEEN))
        if not self.sight.ordered:
            bad |= values == UNSEEN
        rows = np.flatnonzero(bad.any(axis=1))
        wrong = self._wrong_record(values[rows[0]], int(bad[rows[0]].argmax())) if len(rows) else ""
        good = values[: rows[0]] if len(rows) else values
        if not self.width:
            unseen = np.pad(good == UNSEEN, ((0, 0), (0, 1)), constant_values=True)
            self._lengths.append(unseen.argmax(axis=1))  # without a gap: what lies below one may have been looked for
        keys = keys_of(self._seed, self.given, len(good), self.sight.cards, 1 + self._names.equal)
        self.given += len(good)
        return completed(good, self.sight, self._names, *keys), wrong

    def _from_zero(self, values: Records, last: bool) -> Records:
        """Return numbers as they were written as cards from 0; those that are none below `UNSEEN`."""
        cards = self.sight.cards
        if self.first is None:
            ends = values[(values == 0) | (values == cards)]
            shown = (values >= 0).sum()
            if not (len(ends) or last) and shown < min(WAIT * cards, AT_ONCE):
                self._held = values
                return values[:0]
            self._sure = len(ends) > 0 or shown >= WAIT * cards
            self.first = int(ends[0] != 0) if len(ends) else int(self.scheme.startswith("set:"))
            self.order = [str(card + self.first) for card in range(cards)]
            self.note = numbered(self.first, cards, shown=len(ends) > 0)
        self._held = values[:0]
        there = (values >= self.first) & (values < cards + self.first)
        return np.where(there, values - self.first, np.where(values == UNSEEN, UNSEEN, UNSEEN - 1 - values))

    def _wrong_record(self, record: Records, column: int) -> str:
        card = int(record[column])
        if card == UNSEEN:
            return "a card that was not seen has no place in a set; --seen top has places"
        said = [self.order[each] if each >= 0 else "?" if each == UNSEEN else str(UNSEEN - 1 - each) for each in record]
        shown = excerpt(said[: int(np.flatnonzero(record != UNSEEN)[-1]) + 1], column)
        if card < UNSEEN:
            if not self._sure and UNSEEN - 1 - card == (0 if self.first else self.sight.cards):
                raise FairdeckError(
                    f"{said[column]} came after {self.note}; name all cards in their order: --deck FILE"
                )
            return f"{said[column]} is not one of the cards, the numbers {self.order[0]} to {self.order[-1]}: {shown}"
        has = int(self._names.copies[card])
        there = "once" if has == 1 else f"{has} times"
        often = int((record == card).sum())
        return f"{shortened(said[column], LONGEST_WORD)} is there {often} times, and {there} in the deck: {shown}"


class Observed(FileSource):
    """Decks that were completed from lines.

    Attributes:
        completion: how they are.
        lines: how many were read.
        place: what a line is called in messages; empty if its number would not help.
        guessed: notes on how it is read, which may come late.
    """

    completion: Completion

    def __init__(self, lines: Lines, scheme: str, cards: int, deck: Sequence[str]) -> None:
        super().__init__(lines.name, deck_size(cards, lines.name), lines.file)
        self.lines, self.place, self.guessed = 0, "line", list[str]()
        self._pieces: Iterator[tuple[bytes, bool]] = whole_lines(chain([lines.head], lines.coming))
        self.sure = True  # whether it is known of numbers from which one on they count
        first = None if deck else self._first(scheme)
        self.completion = Completion(scheme, cards, deck, lines.seed, first, as_written=False)

    def batches(self) -> Iterator[Decks]:
        """Yield the completed decks."""
        completion, most = self.completion, max(1, AT_ONCE // self.cards)
        self._note_guesses()
        for text, whole in self._pieces:
            if not whole and completion.is_cut(text):
                self.note("cut", f"{self.name} ends in the middle of a line; that line is left out")
                continue
            rows = completion.rows(text)
            for begin in range(0, len(rows.values), most):
                decks, wrong = completion.decks(rows.values[begin : begin + most])
                if len(decks):
                    yield decks
                if wrong:
                    raise self._error(rows.lines[begin + len(decks)], wrong)
            if rows.wrong is not None:
                line = text.split(b"\n", rows.wrong + 1)[rows.wrong]
                raise self._error(rows.wrong, completion.wrong(line.decode("utf-8", "replace")))
            self.lines += text.count(b"\n")
        self._note_guesses()

    def _note_guesses(self) -> None:
        for guess in self.guessed:
            self.note(guess, guess)

    def _where(self, line: int) -> str:
        return f"{self.place} {self.lines + int(line) + 1:,}" if self.place else ""

    def _error(self, line: int, message: str) -> FairdeckError:
        return FairdeckError(f"{self.name}: {f'{where}: ' if (where := self._where(line)) else ''}{message}")

    def _first(self, scheme: str) -> int:
        """Return the number of the first card, 0 or 1, as the lowest or the highest one in the lines shows."""
        held, size, found = list[tuple[bytes, bool]](), 0, None
        ends = re.compile(rb"(?<![\w.-])0*(0|%d)(?![\w.])" % self.cards)
        for piece in self._pieces:
            held.append(piece)
            size += len(piece[0])
            found = ends.search(piece[0])
            if found or size > FAR:
                break
        self._pieces, self.sure = chain(held, self._pieces), bool(found)
        first = int(found[1] != b"0") if found else int(scheme.startswith("set:"))
        if said := numbered(first, self.cards, shown=self.sure):
            self.note("first", said)
        return first


def numbered(first: int, cards: int, *, shown: bool) -> str:
    """Return a note on the number of the first card; nothing for 0, if that is shown."""
    none = "" if shown else f", as neither 0 nor {cards} is there"
    return f"the cards are numbered from {first}{none}" if first or none else ""


def observed(lines: Lines, rows: Sequence[Sequence[str]], deck: Sequence[str], factory: Sequence[str]) -> Observed:
    """Return the source of decks that are completed from lines.

    Args:
        lines: the lines, and what is seen of each deck.
        rows: the words of the first ones.
        deck: the names in the list of the deck; empty if they are numbers or playing cards.
        factory: the 52 playing cards, in the order of their numbers.

    Raises:
        FairdeckError: nobody says how many cards the deck has, or what is said does not fit.
    """
    scheme, size = read_seen(lines.seen)
    size = lines.cards or len(deck) or size
    if not deck:
        deck, size = _deck(lines.name, rows, size, factory)
    if scheme in ("top", "set"):
        scheme = f"{scheme}:{len(_letters(rows[0], deck))}"
    return Observed(lines, fitted(scheme, size), size, deck)


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
        "--deck FILE; of a table, name the columns with cards: --columns FIRST-LAST"
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
