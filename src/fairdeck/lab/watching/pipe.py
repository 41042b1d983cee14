"""Standard input as a log: what a program writes while it runs, such as `psql` or `tail -F`."""

import hashlib
import os
import select
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from fairdeck.errors import FairdeckError
from fairdeck.lab.sources.text import LONGEST_LINE
from fairdeck.lab.watching.live_log import MARK, PIECE


@dataclass
class PlaceInPipe:
    """What has to be known to read on: the bytes that were read, and the hash of the last `MARK` of them."""

    offset: int = 0
    mark: str = ""


class _Reader:
    """Reads a pipe in a thread of its own: Windows cannot be asked whether a pipe has something to read."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._data = b""
        self._there, self._taken = threading.Event(), threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def ready(self, seconds: float) -> bool:
        """Wait so long at most until there is something to read, or the end."""
        return self._there.wait(seconds)

    def read(self) -> bytes:
        """Return what there is, and nothing at the end; `ready` must have said so before."""
        data = self._data
        if data:  # the end stays
            self._there.clear()
            self._taken.set()
        return data

    def _read(self) -> None:
        ended = False
        while not ended:
            try:
                self._data = os.read(self._file, PIECE)
            except OSError:  # the writer broke off
                self._data = b""
            ended = not self._data
            self._there.set()
            self._taken.wait()
            self._taken.clear()


class Pipe:
    """The lines of standard input.

    Attributes:
        name: for messages.
        ended: whether the program has ended.
        lost: always 0: a pipe is not rotated.
    """

    name = "standard input"
    lost = 0

    def __init__(self, place: PlaceInPipe | None = None, *, again: bool = False) -> None:
        """Read on after an earlier pipe; `again` tells that the program writes everything before that place again."""
        if sys.stdin is None:
            raise FairdeckError("standard input is closed; name a file")
        self.ended = False
        self._file = sys.stdin.buffer.fileno()
        self._reader = _Reader(self._file) if sys.platform == "win32" else None
        self._offset, self._tail, self._rest = 0, b"", b""
        self._skip, self._mark = (place.offset, place.mark) if place and again else (0, "")
        self._begins = True
        self._within = False  # whether the rest of a line that is too long is still to come

    @property
    def place(self) -> PlaceInPipe:
        """Where to read on."""
        return PlaceInPipe(self._offset, hashlib.sha256(self._tail).hexdigest())

    def ready(self, seconds: float) -> bool:
        """Wait so long at most until there is something to read, or the program has ended."""
        if self._reader:
            return self._reader.ready(seconds)
        return bool(select.select([self._file], [], [], seconds)[0])

    def pieces(self) -> Iterator[tuple[bytes, bool]]:
        """Yield what came, in whole lines, and whether it is the beginning; does not wait."""
        while not self.ended and self.ready(0):
            data = self._reader.read() if self._reader else os.read(self._file, PIECE)
            self.ended = not data
            text = self._rest + data
            end = len(text) if self.ended else text.rfind(b"\n") + 1
            if not end and len(text) > LONGEST_LINE:
                end = len(text)  # a bad line: no deck is so long, and the rest of it is passed over
            whole, self._rest = text[:end], text[end:]
            new = self._new(whole)
            if self._within:
                _, newline, new = new.partition(b"\n")
                self._within = not newline
            if new:
                self._within = not new.endswith(b"\n")
                yield new + b"\n" * self._within, self._begins
                self._begins = False
        if self.ended and self._offset < self._skip:
            raise FairdeckError(
                f"standard input has {self._offset:,} bytes, and {self._skip:,} were read before: give the same decks "
                "again and new ones after them, or leave --from-start out"
            )

    def close(self) -> None:
        """Leave standard input as it is."""

    def _new(self, whole: bytes) -> bytes:
        known = min(len(whole), max(0, self._skip - self._offset))
        for part in filter(None, (whole[:known], whole[known:])):
            self._offset += len(part)
            self._tail = (self._tail + part)[-MARK:]
            if self._skip and self._offset == self._skip and hashlib.sha256(self._tail).hexdigest() != self._mark:
                raise FairdeckError(
                    "standard input begins with other decks than before: leave --from-start out if it gives new decks "
                    "only"
                )
        return whole[known:]
