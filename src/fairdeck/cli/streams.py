"""The standard streams, which may be closed, broken, or limited in the characters they can write."""

import codecs
import errno
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from io import BufferedWriter, FileIO, TextIOBase, TextIOWrapper
from typing import TYPE_CHECKING, BinaryIO, TextIO

from fairdeck.errors import FairdeckError, legible, system_reason

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


PLAINLY = "fairdeck.plainly"
# What stands for a character that the terminal or the code page lacks. Suits are read back as they are written here.
INSTEAD = str.maketrans(
    {"♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C"}
    | {"×": "x", "·": "-", "–": "-", "—": "-", "−": "-", "…": "...", "≥": ">=", "≤": "<=", "→": "->", "─": "-"}
    | {"‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "½": "1/2", "↻": "@", "\u00a0": " "}
)


def plainly(error: UnicodeError) -> tuple[str | bytes, int]:
    r"""Replace what a stream cannot encode: known signs by plain ones, all else by an escape, which loses nothing.

    >>> codecs.register_error(PLAINLY, plainly)
    >>> "A♠ 2×3 山".encode("cp1252", PLAINLY)
    b'AS 2\xd73 \\u5c71'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end].translate(INSTEAD)
    return missing.encode("ascii", "backslashreplace").decode(), error.end


class Output(FileIO):
    """The descriptor of standard output. After an `error` it drops all data, so that nothing fails again at the end.

    A reader that closes the pipe is no error: the rest is dropped, and the work ends with its own exit code.
    """

    error: OSError | None = None
    reader_gone = False

    def write(self, data: "ReadableBuffer") -> int:
        """Write some of the data and return the number of bytes."""
        if self.error or self.reader_gone:
            return len(memoryview(data))
        try:
            written = super().write(data)
            if written is None:  # it would block
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        except OSError as error:
            # Windows calls it an invalid argument that nobody reads the pipe any more.
            if isinstance(error, BrokenPipeError) or (sys.platform == "win32" and error.errno == errno.EINVAL):
                self.reader_gone = True
                return len(memoryview(data))
            self.error = error
            raise
        return written


class LossyStream(TextIOBase):
    """Standard error, where text that cannot be written is lost: a full disk there must not end the work."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text, or lose it."""
        self._try(lambda stream: stream.write(text))
        return len(text)

    def flush(self) -> None:
        """Write the waiting text, or lose it."""
        self._try(lambda stream: stream.flush())

    def fileno(self) -> int:
        """Return its descriptor, which tells the width of the terminal, for example."""
        return super().fileno() if self._stream is None else self._stream.fileno()

    def isatty(self) -> bool:
        """Return whether it is a terminal."""
        return self._stream is not None and self._stream.isatty()

    def _try(self, act: Callable[[TextIO], object]) -> None:
        if self._stream is None or self._stream.closed:  # closed: the interpreter is ending
            return
        try:
            act(self._stream)
        except OSError:
            # What is left in the buffer must not fail at the end either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())


@contextmanager
def prepared() -> Iterator[None]:
    """Prepare standard output: its errors are told apart from those of other files.

    A character that it cannot encode is written as `plainly` says. A FairdeckError says that it cannot be written.
    """
    if sys.stdout is None:
        raise FairdeckError("standard output is closed: open it, or redirect it to a file")
    if isinstance(sys.stdout, TextIOWrapper):
        codecs.register_error(PLAINLY, plainly)
        sys.stdout.reconfigure(errors=PLAINLY)
    given = sys.__stdout__
    # To a console of Windows Python writes letters, and not bytes.
    if given is None or given is not sys.stdout or (sys.platform == "win32" and given.isatty()):
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
            with suppress(OSError):  # kept in output.error
                stream.flush()
    if output.error:
        raise FairdeckError(f"cannot write to standard output ({output.error.strerror}): redirect it to another place")


def tell(text: str) -> None:
    """Say something that is no result: on standard error, at once."""
    print(text, file=sys.stderr, flush=True)


def standard_input() -> BinaryIO:
    """Return standard input, or raise a FairdeckError if it is closed."""
    if sys.stdin is None:
        raise FairdeckError("standard input is closed: open it, or name a file")
    return sys.stdin.buffer


def failure(error: OSError) -> str:
    """Return what failed: the file that the error names, or the system.

    >>> failure(FileNotFoundError(errno.ENOENT, "No such file", "deck.txt"))
    "cannot use 'deck.txt' (No such file)"
    """
    reason = system_reason(error)
    if error.filename is not None:
        return f"cannot use {os.fsdecode(error.filename)!r} ({reason})"
    return f"the system refused a resource ({reason})"


def one_line(text: str) -> str:
    r"""Return `text` as one line: line breaks and other control characters are escaped, long words cut.

    >>> print(one_line("a" + chr(10) + "b"), one_line("no " + "x" * 1000 + " here").count("x"))
    a\nb 100
    """
    return re.sub(r"(\S{100})\S{200,}", r"\1...", legible(text))
