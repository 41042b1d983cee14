"""The logs of a watch: where each is read, how its lines become decks, and the decks that wait for a full block."""

import base64
import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import LEAD, Block, Decks
from fairdeck.lab.sources.file import ARRAY_OF_ARRAYS, first_lines, text_file
from fairdeck.lab.sources.text import LONGEST_LINE, NumberReading, Reading
from fairdeck.lab.watching.deck_lines import DeckLines
from fairdeck.lab.watching.live_log import LiveLog
from fairdeck.lab.watching.pipe import Pipe
from fairdeck.lab.watching.status import LogStatus
from fairdeck.lab.watching.store import Kept


@dataclass
class Log:
    """A log, and what is known of its decks.

    Attributes:
        lines: yields what is new in it.
        reader: makes decks of its lines; None before it is known how they are written.
        head: its first lines, if they are too few to tell how it is written.
        lead: one array, the decks before the next block.
        counted: how many of its decks were counted.
        waiting: the decks that wait for the rest of their block.
    """

    lines: LiveLog | Pipe
    reader: DeckLines | None = None
    head: bytes = b""
    lead: Sequence[Decks] = ()
    counted: int = 0
    waiting: list[Decks] = field(default_factory=list)

    def begun(self, text: bytes) -> bytes:
        """Add to the head; return all of it once it tells how the log is written, else nothing."""
        self.head += text
        if len(self.head) <= 2 * LONGEST_LINE and len(first_lines(self.head[: self.head.rfind(b"\n") + 1])) < 2:
            return b""
        whole, self.head = self.head, b""
        return whole

    def block(self, number: int) -> Block:
        """Return the decks that wait as a part of block `number`, to be compared with those before them."""
        decks = np.concatenate(self.waiting)
        return Block(decks, self.lead[0] if self.lead else decks[:0], self.counted, number)

    def pass_on(self) -> None:
        """Note that the decks that waited were counted."""
        waited = np.concatenate(self.waiting)
        self.lead = [np.concatenate([*self.lead, waited])[-LEAD:]]
        self.counted += len(waited)
        self.waiting = []

    def status(self) -> LogStatus:
        """Return what is known of the log."""
        reader = self.reader
        known = (reader.decks, reader.bad, reader.latest_bad) if reader else (0, 0, "")
        return LogStatus(self.lines.name, *known, self.lines.lost)

    def state(self) -> dict[str, Any]:
        """Return what is stored of the log, all but its decks."""
        return {
            "place": self.lines.state(),
            "head": base64.b64encode(self.head).decode(),
            "counted": self.counted,
            "reader": _of_reader(self.reader) if self.reader else None,
        }


def _of_reader(reader: DeckLines) -> dict[str, Any]:
    return {
        "remedy": reader.remedy,
        "header": base64.b64encode(reader.header).decode(),
        "lines": reader.lines,
        "decks": reader.decks,
        "bad": reader.bad,
        "latest_bad": reader.latest_bad,
    }


class Logs:
    """All logs of a watch, those that are watched now and those that were; iterating yields the watched ones.

    Attributes:
        names: of the watched ones, as they were given, by their whole paths.
        reading: how all logs name their cards; None before the first deck.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """Take the paths of the logs to watch; ``-`` is standard input.

        Raises:
            FairdeckError: a log is named twice.
        """
        # A log is known by its whole path, from whatever folder it was named.
        self.names = {name if name == "-" else os.path.abspath(name): name for name in names}  # noqa: PTH100 - links stay
        files = [os.stat(each) for each in self.names if os.path.isfile(each)]  # noqa: PTH116, PTH113 - as they are named
        if len(self.names) < len(names) or len({(each.st_dev, each.st_ino) for each in files}) < len(files):
            raise FairdeckError("a log is named twice: each is read once")
        self.reading: Reading | None = None
        self._logs: dict[str, Log] = {}
        self._kept = Kept()

    def __iter__(self) -> Iterator[Log]:
        return iter(self._logs.values())

    def open(self, kept: Kept, cards: int | None, *, again: bool) -> None:
        """Open all logs, each at its place.

        Args:
            kept: what was stored of the watch.
            cards: of a deck; None before the first deck.
            again: whether standard input gives the decks that were counted before again.

        Raises:
            FairdeckError: two names are of one log, or a log cannot be read.
        """
        self._kept = kept
        self.reading = kept.reading
        for path in self.names:
            self._find_again(path)
            self._logs[path] = self._opened(path, cards, again=again)

    def close(self) -> None:
        """Close all files."""
        for log in self:
            log.lines.close()

    def take_held(self) -> Iterator[tuple[Log, Decks]]:
        """Yield each log with decks of it that waited when the watch was stored; give it those before them."""
        for path, log in self._logs.items():
            log.lead, waiting = self._kept.held.pop(path, ((), ()))
            for decks in waiting:
                yield log, decks

    def _find_again(self, path: str) -> None:
        """Recognise a log that was read under another name: through a link, or before its folder was moved."""
        states, held = self._kept.logs, self._kept.held
        if path in states or path == "-":
            return
        for name in [each for each in states if each != "-"]:
            if LiveLog(path, **states[name]["place"]).is_there:
                if name in self.names:
                    raise FairdeckError(f"{path} and {name} are one file: name it once")
                states[path] = states.pop(name)
                held[path] = held.pop(name, ((), ()))
                return

    def _opened(self, name: str, cards: int | None, *, again: bool) -> Log:
        state = self._kept.logs.get(name, {})
        place = state.get("place", {})
        log = Log(Pipe(**place, again=again) if name == "-" else LiveLog(name, **place))
        if state:
            log.head, log.counted = base64.b64decode(state["head"]), state["counted"]
            if state["reader"] and cards and self.reading:
                facts = dict(state["reader"])
                remedy, header = facts.pop("remedy"), base64.b64decode(facts.pop("header"))
                log.reader = DeckLines(log.lines.name, cards, self.reading, remedy, header=header, **facts)
        return log

    def reader(self, name: str, head: bytes, cards: int | None, order: str | None) -> DeckLines:
        """Find out how a log is written; the first one decides how all are.

        Raises:
            FairdeckError: these are no decks, or decks of another size, or cards named in another way.
        """
        if ARRAY_OF_ARRAYS.match(head):
            raise FairdeckError(f"{name} holds one array of decks, which cannot grow: write one deck on each line")
        decoder = text_file(name, io.BytesIO(), head, iter([]), cards, order).decoder
        header = b"".join(each + b"\n" for each in head.split(b"\n")[: decoder.lines])
        if self.reading is None:
            self.reading = decoder.reading
            if isinstance(decoder.reading, NumberReading):
                decoder.reading.rows(head[len(header) :], decoder.cards)  # whether they count from 0 or 1
        if type(decoder.reading) is not type(self.reading):
            raise FairdeckError(
                f"{name} writes its cards in another way than the other logs: give it a watch of its own"
            )
        return DeckLines(name, decoder.cards, self.reading, decoder.remedy, header)

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

    def kept(self, latest: str, block_began: str) -> Kept:
        """Return all that is to be stored."""
        logs = {**self._kept.logs, **{name: log.state() for name, log in self._logs.items()}}
        held = {name: (log.lead, log.waiting) for name, log in self._logs.items()}
        return Kept(logs, {**held, **self._kept.held}, self.reading, latest, block_began)
