"""What the terminal can do: whether somebody is there, escape sequences, colours, columns."""

import os
import sys
from typing import TextIO

PROCESSES_ESCAPES = 4  # ENABLE_VIRTUAL_TERMINAL_PROCESSING of Windows


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
