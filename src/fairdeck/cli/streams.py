"""Standard streams as they come: closed, narrow in what they can write, or read as bytes."""

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from io import BufferedWriter, FileIO, TextIOBase, TextIOWrapper
from typing import TYPE_CHECKING, BinaryIO, TextIO

from fairdeck.errors import FairdeckError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Output(FileIO):
    """Standard output's descriptor. After an `error` all is lost, so that nothing complains again at the end."""

    error: OSError | None = None

    def write(self, data: "ReadableBuffer") -> int:
        """Write some of the data and return how many bytes."""
        if self.error:
            return len(memoryview(data))
        try:
            written = super().write(data)
            if written is None:  # where it would have to wait
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        except OSError as error:
            self.error = error
            raise
        return written


class Heedless(TextIOBase):
    """Standard error, where what cannot be written is lost: a full disk there must not end the work."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, or lose, the text."""
        self._try(lambda stream: stream.write(text))
        return len(text)

    def flush(self) -> None:
        """Write, or lose, what waits."""
        self._try(lambda stream: stream.flush())

    def fileno(self) -> int:
        """Return its descriptor: whose width is asked for, say."""
        return super().fileno() if self._stream is None else self._stream.fileno()

    def isatty(self) -> bool:
        """Return whether a person looks at it."""
        return self._stream is not None and self._stream.isatty()

    def _try(self, act: Callable[[TextIO], object]) -> None:
        if self._stream is None:
            return
        try:
            act(self._stream)
        except OSError:
            # What is left in the buffer must not complain at the end either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())


class ReaderGone(Exception):
    """The reader of standard output has closed it: it has read enough."""


@contextmanager
def prepared() -> Iterator[None]:
    """Make the streams ready: an error of standard error never counts, one of standard output is known as its own.

    What standard output cannot encode is written as an escape, not an error.

    Raises:
        FairdeckError: standard output is closed, or could not be written to.
        ReaderGone: nobody reads it any more.
    """
    if sys.stdout is None:
        raise FairdeckError("standard output is closed: there is nowhere to write to")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    given = sys.__stdout__
    if given is None or given is not sys.stdout or os.name == "nt":  # another's, or a console, which has no bytes
        yield
        return
    output = Output(given.fileno(), "w", closefd=False)
    at_once = given.line_buffering or given.write_through
    stream = TextIOWrapper(BufferedWriter(output), given.encoding, given.errors, line_buffering=at_once)
    with redirect_stdout(stream):
        try:
            yield
        except OSError as error:
            if error is not output.error:
                raise
        finally:
            with suppress(OSError):  # kept as the output's error
                stream.flush()
    if isinstance(output.error, BrokenPipeError):
        raise ReaderGone
    if output.error:
        raise FairdeckError(f"cannot write to standard output ({output.error.strerror}): send it elsewhere")


def standard_input() -> BinaryIO:
    """Return standard input.

    Raises:
        FairdeckError: it is closed, or cannot be read.
    """
    if sys.stdin is None:
        raise FairdeckError("standard input is closed: there is nothing to read")
    return sys.stdin.buffer


def failure(error: OSError) -> str:
    """Return what failed: the file that the error names, or something else that the system gives.

    >>> failure(FileNotFoundError(errno.ENOENT, "No such file", "deck.txt"))
    "cannot use 'deck.txt' (No such file)"
    """
    reason = error.strerror or error
    if error.filename is not None:
        return f"cannot use {os.fsdecode(error.filename)!r} ({reason})"
    return f"the system refused what this needs ({reason})"


def one_line(text: str) -> str:
    r"""Return `text` with line breaks and other control characters escaped, so that it stays one line.

    >>> print(one_line("a" + chr(10) + "b"))
    a\nb
    """
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
