"""Standard streams as they come: closed, narrow in what they can write, or read as bytes."""

import errno
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO

from fairdeck.errors import FairdeckError

# What writing to a file, a pipe or a terminal that was open runs into. All files but the standard streams have names.
OF_WRITING = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.ENXIO, errno.EPIPE, errno.EINVAL}


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


def standard_input() -> BinaryIO:
    """Return standard input.

    Raises:
        FairdeckError: it is closed, or cannot be read.
    """
    if sys.stdin is None:
        raise FairdeckError("standard input is closed: there is nothing to read")
    return sys.stdin.buffer


def failure(error: OSError) -> str:
    """Return what failed: the file that the error names, standard output, or something else that the system gives.

    >>> failure(FileNotFoundError(errno.ENOENT, "No such file", "deck.txt"))
    "cannot use 'deck.txt' (No such file)"
    """
    reason = error.strerror or error
    if error.filename is not None:
        return f"cannot use {os.fsdecode(error.filename)!r} ({reason})"
    if error.errno in OF_WRITING:
        return f"cannot write to standard output ({reason}): send it elsewhere"
    return f"the system refused what this needs ({reason})"


def one_line(text: str) -> str:
    r"""Return `text` with line breaks and other control characters escaped, so that it stays one line.

    >>> print(one_line("a" + chr(10) + "b"))
    a\nb
    """
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
