"""Standard streams as they come: closed, narrow in what they can write, or read as bytes."""

import os
import sys
from io import TextIOWrapper
from pathlib import Path

from fairdeck.errors import FairdeckError


def prepare() -> None:
    """Make the streams ready: what standard output cannot encode is written as an escape, not an error.

    If standard error is closed, what goes there goes nowhere: print would send it to standard output.

    Raises:
        FairdeckError: it is closed.
    """
    if sys.stdout is None:
        raise FairdeckError("standard output is closed: there is nowhere to write to")
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for as long as the program runs
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def standard_input() -> bytes:
    """Return all of standard input.

    Raises:
        FairdeckError: it is closed.
    """
    if sys.stdin is None:
        raise FairdeckError("standard input is closed: there is nothing to read")
    return sys.stdin.buffer.read()


def one_line(text: str) -> str:
    r"""Return `text` with line breaks and other control characters escaped, so that it stays one line.

    >>> print(one_line("a" + chr(10) + "b"))
    a\nb
    """
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
