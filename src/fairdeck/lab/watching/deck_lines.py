"""Decks on the lines of a live log, where a line that is not a deck is counted and passed over."""

from collections.abc import Iterator
from dataclasses import dataclass

from fairdeck.cards.cells import words
from fairdeck.cards.logs import Layout
from fairdeck.lab.blocks import Decks
from fairdeck.lab.sources.observed import Completion
from fairdeck.lab.sources.text import LONGEST_LINE, Reading, as_utf8, without_other_sizes
from fairdeck.lab.usercode.faults import counted

WATCHED, MOST_BAD = 1_000, 900  # lines, and how many of them may be bad
MOST_KEPT = 100  # lines of other cards, each with different ones
SHORT_LINE, BYTES_A_CARD = 4_096, 256  # a line may have the first, or as many for each card


@dataclass
class LinesRead:
    """What is known of the lines of a log."""

    remedy: str  # how decks must be written
    header: bytes = b""  # the line of column names at the start of a file; empty if there is none
    lines: int = 0  # read so far, of the file that is read now
    decks: int = 0  # read so far, of all files
    bad: int = 0  # the lines that are not decks, of all files
    latest_bad: str = ""  # what is wrong with the latest of them


class DeckLines:
    """Reads the decks of one log.

    Attributes:
        cards: the cards of a deck.
        layout: where in the lines the decks are; None if each line is one.
        known: what is known of the lines.
        refused: why it is of no use to read on: nearly all of the latest lines were bad, or two of them were decks of
            the same other cards; empty while it is of use.
    """

    def __init__(
        self,
        name: str,
        cards: int,
        reading: Reading,
        known: LinesRead,
        layout: Layout | None = None,
        *,
        only: bool = False,
    ) -> None:
        """Read on in a log, of whose lines so much is `known`, with decks of `cards` cards where the layout says.

        `only`: decks of another size are counted and passed over, however many they are.
        """
        self.cards, self.layout, self.known, self.refused = cards, layout, known, ""
        self._only = only
        self._name, self._reading = name, reading
        self._others: dict[frozenset[str], list[str]] = {}  # the lines of other cards, by these
        self._watched = [0, 0]  # lines, and bad ones of them

    def read(self, text: bytes, begins: bool) -> Iterator[Decks]:
        """Yield the decks of whole lines; `begins` tells that they begin a file."""
        text = b"".join(as_utf8([text]))
        if begins:
            if self.layout:  # the file before this one ended
                yield from self._read(self.layout.end().encode())
            self.known.lines = 0
            if self.known.header and text.startswith(self.known.header):
                text = text[len(self.known.header) :]
                self.known.lines = self.known.header.count(b"\n")
        text = self._plain(text).replace(
            b"\0", b""
        )  # a truncated file whose writer went on at its old place begins with zeros
        most = min(LONGEST_LINE, max(SHORT_LINE, BYTES_A_CARD * self.cards))
        while (long := _too_long(text, most)) >= 0:  # to take such a line apart would take seconds
            yield from self._read(text[:long])
            self._count_bad(f"has more than {most:,} bytes, too many for a deck of {self.cards:,} cards")
            text = text[text.index(b"\n", long) + 1 :]
        yield from self._read(text)

    def _plain(self, text: bytes) -> bytes:
        """Return the lines as lines of decks, as many as they are."""
        if self.layout:
            text = self.layout.lines(text.decode("utf-8", "replace")).encode("utf-8", "replace")
        if not self._only:
            return text
        others: dict[int, list[int]] = {}
        text = without_other_sizes(text, self.cards, self._reading, others, self.known.lines)
        for size, (decks, line) in others.items():
            self.known.bad += decks
            self.known.latest_bad = (
                f"{self._name}: line {line:,} is a deck of {counted(size)}, left out, as only decks of "
                f"{counted(self.cards)} are asked"
            )
        return text

    def _read(self, text: bytes) -> Iterator[Decks]:
        """Yield the decks of lines that are not too long."""
        while text:
            rows = self._reading.rows(text, self.cards)
            good, said = self._reading.decks(rows.values)
            if len(good):
                self.known.decks += len(good)
                yield good
            line = int(rows.lines[len(good)]) if said else rows.wrong
            if line is None:
                self._pass(text.count(b"\n"), len(good))
                return
            parts = text.split(b"\n", line + 1)
            wrong = parts[line].decode("utf-8", "replace")
            self._pass(line, len(good))
            self._count_bad(said or self._reading.wrong(wrong, self.cards))
            if not isinstance(self._reading, Completion):
                self._notice_other_decks(words(wrong))
            text = parts[-1]

    def _pass(self, lines: int, decks: int) -> None:
        self.known.lines += lines
        self._watch(decks, 0)

    def _count_bad(self, said: str) -> None:
        self.known.lines += 1
        self.known.bad += 1
        self.known.latest_bad = f"{self._name}: line {self.known.lines:,} {said}; {self.known.remedy}"
        self._watch(1, 1)

    def _notice_other_decks(self, words: list[str]) -> None:
        """Refuse the log if a line has the same other cards as an earlier one, in another order: it is a deck, too."""
        cards = frozenset(words)
        if not 1 < len(words) == len(cards):
            return
        if self._others.setdefault(cards, words) != words:
            remedy = f", or say --cards {self.cards} to leave the others out" if len(words) != self.cards else ""
            self.refused = (
                f"{self._name}: line {self.known.lines:,} is a deck of {counted(len(words))}, as a line before, and "
                f"the watch has another deck of {self.cards:,}: write the decks of each kind into a log with a watch "
                f"of its own{remedy}"
            )
        if len(self._others) > MOST_KEPT:
            self._others.clear()

    def _watch(self, lines: int, bad: int) -> None:
        self._watched[0] += lines
        self._watched[1] += bad
        if self._watched[1] >= MOST_BAD:
            self.refused = (
                f"{self._watched[1]:,} of the latest {self._watched[0]:,} lines are not decks; {self.known.latest_bad}"
            )
        if self._watched[0] >= WATCHED:
            self._watched = [0, 0]


def _too_long(text: bytes, most: int) -> int:
    r"""Return where the first line begins that has more than `most` bytes; -1 if none has.

    >>> _too_long(b"ab\nabc\nabcd\n", 3), _too_long(b"ab\nabc\n", 3)
    (7, -1)
    """
    at = 0
    while len(text) - at > most + 1:
        end = text.rfind(b"\n", at, at + most + 1)
        if end < 0:
            return at
        at = end + 1
    return -1
