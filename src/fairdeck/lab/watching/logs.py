"""The logs of a watch: where each is read, how its lines become decks, and the decks that wait for a full block."""

import io
import os
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fairdeck.cards.logs import SEEN, SEPARATORS, Asked
from fairdeck.cards.logs.json_lines import lines_of_document
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import LEAD, RECENT, Block, Decks, enough
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.sources.file import TextFile, layout_of, seen_file, text_file
from fairdeck.lab.sources.observed import Observed
from fairdeck.lab.sources.pieces import Lines, first_lines
from fairdeck.lab.sources.text import LONGEST_LINE, Reading, as_utf8
from fairdeck.lab.watching.deck_lines import DeckLines, LinesRead
from fairdeck.lab.watching.live_log import LiveLog, PlaceInLog
from fairdeck.lab.watching.pipe import Pipe, PlaceInPipe
from fairdeck.lab.watching.status import LogStatus
from fairdeck.lab.watching.store import Kept, LogKept, packed_decks, unpacked_decks

LONE = 1_000  # lines of one word each that may be cards of a first deck


@dataclass
class Log:
    """A log, and what is known of its decks."""

    lines: LiveLog | Pipe  # yields what is new in it
    reader: DeckLines | None = None  # makes decks of its lines; None before it is known how they are written
    # its first lines, if they are too few to tell how it is written, or if they tell where the decks are
    head: bytes = b""
    lead: Sequence[Decks] = ()  # one array, the decks before the next block
    counted: int = 0  # how many of its decks were counted
    waiting: list[Decks] = field(default_factory=list)  # the decks that wait for the rest of their block
    recent: Sequence[Decks] = ()  # one array, the decks before the next block that are in memory

    def begun(self, text: bytes) -> bytes:
        """Add to the head; return all of it once it tells how the log is written, else nothing."""
        self.head += text
        if len(self.head) <= 2 * LONGEST_LINE and len(first_lines(self.head[: self.head.rfind(b"\n") + 1])) < 2:
            return b""
        whole, self.head = self.head, b""
        return whole

    def begin(self, reader: DeckLines, text: bytes) -> None:
        """Read with this reader; keep the lines that show where the decks are, if not each line is one."""
        self.reader = reader
        if reader.layout:
            sample = reader.layout.sample.encode()
            self.head = sample or b"".join(line + b"\n" for line in first_lines(text)[:SEEN])

    def block(self, number: int) -> Block:
        """Return the decks that wait as a part of block `number`, to be compared with those before them."""
        decks = np.concatenate(self.waiting)
        return Block(decks, self.lead[0] if self.lead else decks[:0], self.counted, number)

    def pass_on(self) -> None:
        """Note that the decks that waited were counted."""
        waited = np.concatenate(self.waiting)
        self.recent = [np.concatenate([*(self.recent or self.lead), waited])[-enough(waited.shape[1], RECENT) :]]
        self.lead = [self.recent[0][-LEAD:]]
        self.counted += len(waited)
        self.waiting = []

    @property
    def decks(self) -> int:
        """How many decks were read of it."""
        return self.reader.known.decks if self.reader else 0

    def latest(self, decks: int) -> Decks:
        """Return the latest decks, as many as are in memory."""
        return np.concatenate([*(self.recent or self.lead), *self.waiting])[-decks:]

    def status(self) -> LogStatus:
        """Return what is known of the log."""
        known = self.reader.known if self.reader else LinesRead("")
        read_as = self.reader.layout.note if self.reader and self.reader.layout else ""
        return LogStatus(self.lines.name, known.decks, known.bad, known.latest_bad, self.lines.lost, read_as)

    def kept(self, cards: int) -> LogKept:
        """Return what is stored of the log."""
        return LogKept(
            self.lines.place,
            self.reader.known if self.reader else None,
            self.head,
            self.counted,
            packed_decks(self.lead, cards),
            packed_decks(self.waiting, cards),
            self.reader.layout.held if self.reader and self.reader.layout else "",
        )


class Logs:
    """All logs of a watch, those that are watched now and those that were; iterating yields the watched ones.

    Attributes:
        names: of the watched ones, as they were given, by their whole paths.
        reading: how all logs name their cards; None before the first deck.
        asked: where in their lines the decks are, as somebody says.
    """

    def __init__(self, names: Sequence[str], *, only: bool = False) -> None:
        """Take the paths of the logs to watch, no log twice; ``-`` is standard input.

        With `only`, decks of another size than the asked one are passed over.
        """
        # A log is known by its whole path, from whatever folder it was named.
        self.names = {name if name == "-" else os.path.abspath(name): name for name in names}  # noqa: PTH100 - links stay
        files = [os.stat(each) for each in self.names if os.path.isfile(each)]  # noqa: PTH116, PTH113 - as they are named
        if len(self.names) < len(names) or len({(each.st_dev, each.st_ino) for each in files}) < len(files):
            raise FairdeckError("a log is named twice: each is read once")
        self.reading: Reading | None = None
        self._only, self.asked = only, Asked()
        self._logs: dict[str, Log] = {}
        self._others: dict[str, LogKept] = {}  # that were watched before

    def __iter__(self) -> Iterator[Log]:
        return iter(self._logs.values())

    def open(self, kept: Kept, inquiry: Inquiry | None, *, again: bool) -> Iterator[tuple[Log, Decks]]:
        """Open all logs, each at its place; yield each with those of its decks that wait for the rest of their block.

        There is no inquiry before the first deck. `again`: standard input gives the decks that were counted before
        again. Raises FairdeckError if two names are of one log, or a log cannot be read.
        """
        self.reading = kept.reading(inquiry) if inquiry else None
        if inquiry:
            self.asked = inquiry.place_in_lines
        before = {path: self._name_before(path, kept.logs) for path in self.names}
        self._others = {name: state for name, state in kept.logs.items() if name not in before.values()}
        for path, name in before.items():
            state = kept.logs.get(name)
            place = state.place if state else None
            log = Log(
                Pipe(place if isinstance(place, PlaceInPipe) else None, again=again)
                if path == "-"
                else LiveLog(path, place if isinstance(place, PlaceInLog) else None)
            )
            self._logs[path] = log
            if not state or not inquiry or not self.reading:
                continue
            log.head, log.counted, log.lead = state.head, state.counted, [unpacked_decks(state.lead, inquiry.cards)]
            if state.lines:
                layout = layout_of(log.lines.name, state.head, self.asked) if state.head else None
                if layout:
                    layout.held, layout.strict = state.held, False
                log.reader = DeckLines(
                    log.lines.name, inquiry.cards, self.reading, state.lines, layout, only=self._only
                )
            yield log, unpacked_decks(state.waiting, inquiry.cards)

    def close(self) -> None:
        """Close all files."""
        for log in self:
            log.lines.close()

    def _name_before(self, path: str, states: dict[str, LogKept]) -> str:
        """Return the name under which a log was read: through a link, or before its folder was moved."""
        if path not in states and path != "-":
            for name, state in states.items():
                if isinstance(state.place, PlaceInLog) and LiveLog(path, state.place).is_there:
                    if name in self.names:
                        raise FairdeckError(f"{path} and {name} are one file: name it once")
                    return name
        return path

    def reader(self, name: str, head: bytes, asked: Any) -> DeckLines | None:
        """Find out how a log is written; the first one decides how all are. None if it does not show that so far.

        `asked` has the cards, the order, the seed and what is seen, as an `Inquiry` has them.

        Raises FairdeckError if these are no decks, or decks of another size, or cards named in another way.
        """
        head = b"".join(as_utf8([head]))
        if lines_of_document(head):
            raise FairdeckError(f"{name} holds one array of decks, which cannot grow: write one deck on each line")
        layout = layout_of(name, head, self.asked)
        text = head.decode("utf-8", "replace").split("\n")
        lone = len(text) < LONE and not any(SEPARATORS.search(line.strip()) for line in text)
        if layout:
            layout.strict = False
            head = copy(layout).lines(head[: head.rfind(b"\n") + 1].decode("utf-8", "replace")).encode()
        if (layout and layout.apart and not head.strip()) or (not layout and lone and not asked.seen):
            return None
        order = asked.order or None
        shown = Lines(name, io.BytesIO(), head, (), asked.cards, order, layout, asked.seen, asked.seed or 0)
        reading: Reading
        source: Observed | TextFile | None
        if asked.seen and (source := seen_file(shown)):
            if not (source.sure or self.reading):
                return None
            reading, remedy, lines = source.completion, f"write what is seen of each deck ({asked.seen})", source.lines
        else:
            source = text_file(shown)
            reading, remedy, lines = source.decoder.reading, source.decoder.remedy, source.decoder.lines
        header = b"".join(head.splitlines(keepends=True)[:lines])
        self.reading = self.reading or reading
        if type(reading) is not type(self.reading):
            raise FairdeckError(
                f"{name} writes its cards in another way than the other logs: give it a watch of its own"
            )
        return DeckLines(name, source.cards, self.reading, LinesRead(remedy, header), layout, only=self._only)

    # --- what is known of all

    @property
    def waiting(self) -> int:
        """The decks that wait for the rest of their block."""
        return sum(len(decks) for log in self for decks in log.waiting)

    def blocks(self, number: int) -> list[Block]:
        """Return the decks that wait as the parts of block `number`, one of each log that has some."""
        return [log.block(number) for log in self if log.waiting]

    def pass_on(self) -> None:
        """Note that all decks that waited were counted."""
        for log in self:
            if log.waiting:
                log.pass_on()

    def missing(self) -> str:
        """Return the name of a log that is not there; empty if all are."""
        return next((name for name in self._logs if name != "-" and not Path(name).exists()), "")

    def kept(self, cards: int) -> dict[str, LogKept]:
        """Return what is stored of all logs, also of those that are not watched now."""
        return self._others | {name: log.kept(cards) for name, log in self._logs.items()}
