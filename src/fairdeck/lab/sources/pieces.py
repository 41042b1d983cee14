"""A file, or standard input, as a source of decks that is read once, in pieces of bounded size."""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.random import Philox
from numpy.typing import NDArray

from fairdeck.cards.logs import Layout
from fairdeck.errors import FairdeckError, system_reason
from fairdeck.lab.blocks import Source
from fairdeck.lab.sources.text import LONGEST_LINE, whole_lines
from fairdeck.lab.usercode.faults import shortened

CHUNK = 1 << 18
NPY = b"\x93NUMPY"
LINE_END = ord("\n")
LETTERS = Philox(key=0).random_raw(256)  # a number for each byte; sums of them tell which bytes a line has
LETTERS[LINE_END] = 0


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


def signatures(text: bytes) -> NDArray[np.uint64]:
    r"""Return a number for each line that depends on which letters it has, and not on their order.

    >>> len({*signatures(b"2 0 1\n0 1 2\n0 1 3\n1 0 2").tolist()})
    2
    """
    raw = np.frombuffer(text if text.endswith(b"\n") else text + b"\n", np.uint8)
    ends = np.flatnonzero(raw == LINE_END)
    return np.add.reduceat(LETTERS[raw], np.concatenate([[0], ends[:-1] + 1]))


@dataclass(frozen=True, eq=False)
class SomeLines:
    """Some lines of a file; all others are left empty, so that a message names the right line."""

    numbers: NDArray[np.int32]  # shape ``(lines,)``: which stratum each is of, from 1; 0: of each
    number: int  # of the stratum that is read
    plain: bool  # whether they are lines of decks, as a layout makes them, or those of the file itself
    cut: Callable[[str], str] | None = None  # leaves out the cell that names the stratum

    def picked(self, coming: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines of a file with those left empty that are not read."""
        at = 0
        for text, _ in whole_lines(coming):
            lines = text.split(b"\n")
            there = self.numbers[at : at + len(lines) - (not lines[-1])]
            kept = ((there == 0) | (there == self.number)).tolist()
            picked = [line if keep else b"" for line, keep in zip(lines, kept, strict=False)]
            if self.cut:
                picked = [self.cut(line.decode("utf-8", "replace")).encode() if line else line for line in picked]
            at += len(lines) - 1
            yield b"\n".join([*picked, *[b""] * (len(lines) - len(picked))])
