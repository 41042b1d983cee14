"""A file, or standard input, as a source of decks that is read once, in pieces of bounded size."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from fairdeck.cards.logs import Layout
from fairdeck.errors import FairdeckError, system_reason
from fairdeck.lab.blocks import Source
from fairdeck.lab.sources.text import LONGEST_LINE
from fairdeck.lab.usercode.faults import shortened

CHUNK = 1 << 18
NPY = b"\x93NUMPY"


@dataclass(frozen=True)
class Lines:
    """The lines of a file, and what somebody says of the decks in them; see `fairdeck.lab.sources.file.open_file`."""

    name: str
    file: BinaryIO
    head: bytes  # the first of them
    coming: Iterable[bytes] = ()  # the others
    cards: int | None = None
    order: str | None = None
    layout: Layout | None = None  # where the decks were in them
    seen: str = ""
    seed: int | str = 0
    place: str = "line"  # what a line is called in messages


class FileSource(Source):
    """The decks of a file; see `fairdeck.lab.sources.file.open_file`."""

    def __init__(self, name: str, cards: int, file: BinaryIO) -> None:
        super().__init__(name, cards)
        self._file = file

    def close(self) -> None:
        """Close the file; standard input is left as it is."""
        super().close()
        let_go(self._file)


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


def first_lines(head: bytes) -> list[bytes]:
    """Return the lines that are not blank; the last one may be incomplete."""
    return [line for line in head.split(b"\n") if line.strip()]
