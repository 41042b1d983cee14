"""What the terminal can do: whether somebody is there, escape sequences, colours, columns; and a line of progress."""

import os
import sys
import time
from typing import TYPE_CHECKING, Self, TextIO

from fairdeck.cli.streams import one_line

if TYPE_CHECKING:
    from fairdeck.document import Document

PROCESSES_ESCAPES = 4  # ENABLE_VIRTUAL_TERMINAL_PROCESSING of Windows
BAR = 24  # columns at most
LEAST_BAR = 6
EVERY = 0.1
GUESS_AFTER = 3.0  # seconds: before, the start-up would distort the guess
USUAL_COLUMNS = 80


def somebody_there() -> bool:
    """Return whether a person can read standard output and answer on standard input."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty())


def takes_escapes(stream: TextIO | None = None) -> bool:
    """Return whether a stream, usually standard output, is a terminal that obeys escape sequences.

    The console of Windows obeys them only if it is asked to, which this does.
    """
    stream = stream or sys.stdout
    if stream is None or not stream.isatty() or os.environ.get("TERM") == "dumb":
        return False
    return sys.platform != "win32" or _ask_windows(stream)


def takes_colours(stream: TextIO | None = None) -> bool:
    """Return whether a stream is a terminal with colours that the person wants; see ``NO_COLOR``."""
    return takes_escapes(stream) and not os.environ.get("NO_COLOR")


def columns() -> int:
    """Return how many columns the terminal has: as ``COLUMNS`` says, else as it says itself, else 80."""
    from shutil import get_terminal_size  # takes a while

    return get_terminal_size().columns


def show(shown: "Document | str", width: int | None = None) -> None:
    """Print a document, in a terminal as wide as that, with colours if it takes them; or a text as it is."""
    from fairdeck.show.terminal import fitted, lines

    if isinstance(shown, str):
        print(shown)
        return
    there = sys.stdout.isatty()
    drawn = fitted(shown, columns(), one_line, colours=takes_colours()) if there else map(one_line, lines(shown, width))
    print(*drawn, sep="\n")


def show_text(text: str, *, rows_only: bool = False) -> None:
    """Print a text; in a terminal as wide as that, with a bold headline over a rule if it takes colours."""
    from fairdeck.show.terminal import fitted_text

    there = sys.stdout.isatty()
    fitted = fitted_text(text, columns(), one_line, colours=takes_colours(), rows_only=rows_only) if there else [text]
    print(*fitted, sep="\n")


def _ask_windows(stream: TextIO) -> bool:
    """Ask the console of Windows to obey escape sequences, and return whether it does; those before 2016 do not."""
    if sys.platform != "win32":
        return True
    import ctypes
    import msvcrt

    try:
        console = ctypes.windll.kernel32
        handle = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno()))
        mode = ctypes.c_ulong()
        if not console.GetConsoleMode(handle, ctypes.byref(mode)):
            return False
        return bool(mode.value & PROCESSES_ESCAPES or console.SetConsoleMode(handle, mode.value | PROCESSES_ESCAPES))
    except (OSError, ValueError, AttributeError):
        return False


class Progress:
    """A line of progress on standard error, overwritten until `done`; silent where that is no terminal."""

    def __init__(self) -> None:
        """Start the clock."""
        self.shown = sys.stderr is not None and sys.stderr.isatty()
        self._began = self._counts_since = time.monotonic()
        self._before = 0  # done when the guess began
        self._told = 0.0
        self._columns = 0  # of the line shown

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.done()

    @property
    def seconds(self) -> float:
        """The time since the start."""
        return time.monotonic() - self._began

    def tell(self, done: int, of: int, what: str, so_far: str = "", *, guess: bool = True) -> None:
        """Show how much is done, a guess of the time left, and what is known so far; at most ten times a second."""
        now = time.monotonic()
        if not self.shown or (now - self._told < EVERY and done < of):
            return
        self._told = now
        counted = f"{done:,} of {of:,} {what}"
        rest = "  ".join(filter(None, [self._left(done, of, now) if guess else "", so_far]))
        bar = min(BAR, _width() - len(f"{counted} []  {rest}"))
        full = bar * done // of
        drawn = f" [{'#' * full}{'.' * (bar - full)}]" if bar >= LEAST_BAR else ""
        self._write(f"{counted}{drawn}  {rest}")

    def guess_anew(self, done: int) -> None:
        """Guess the time left from what is done from now on, which has another pace; the next line is surely shown."""
        self._counts_since, self._before, self._told = time.monotonic(), done, 0.0

    def _left(self, done: int, of: int, now: float) -> str:
        counted, took = done - self._before, now - self._counts_since
        if counted <= 0 or took <= GUESS_AFTER:
            return ""
        return f"{counted / took:,.0f} a second, {rounded_time((of - done) / counted * took)} left"

    def say(self, what: str) -> None:
        """Show a line until the next one."""
        if self.shown:
            self._write(what)

    def done(self) -> None:
        """Clear the line."""
        if self.shown:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def _write(self, line: str) -> None:
        """Write `line` over the last one, with no more blanks than needed: more would wrap in a narrowed window."""
        width = _width()
        line = one_line(line.rstrip())[:width]
        sys.stderr.write(f"\r{line:<{min(self._columns, width)}}")
        sys.stderr.flush()
        self._columns = len(line)


def rounded_time(seconds: float) -> str:
    """Return a time in the unit that suits it.

    >>> rounded_time(59.6), rounded_time(7_200), rounded_time(1e6)
    ('60 s', '120 min', '278 h')
    """
    if seconds < 600:
        return f"{seconds:,.0f} s"
    return f"{seconds / 60:,.0f} min" if seconds < 36_000 else f"{seconds / 3600:,.0f} h"


def _width() -> int:
    """Return the columns that a line may use: one fewer than the terminal has, because the last one may wrap."""
    try:
        return max(1, (os.get_terminal_size(sys.stderr.fileno()).columns or USUAL_COLUMNS) - 1)
    except (OSError, ValueError):  # not a terminal after all
        return USUAL_COLUMNS - 1
