"""Process groups for users' programs: each ends with everything it started, even if this process is killed.

A process and its children are one group. A **guard**, a shell of one line, learns through a pipe which
groups live. When this process ends in any way, the system closes the pipe and the guard ends the groups
that are left. A process that leaves its group on purpose, as a daemon does, is not ended. On Windows,
which has no groups, a process is ended with those that it started, but not if this process is killed.

The words of a command are parted and joined as the shell of the system does: Windows has other quotes, and a backslash
there is part of a path.
"""

import os
import shlex
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Lock
from typing import IO, Any, cast

# Each line lists all groups, so only the last one counts.
GUARD = 'while read -r line; do groups=$line; done; for group in $groups; do kill -s KILL -- "-$group"; done'

NOBODY = 0
PATIENCE = 10  # seconds for Windows to end a tree of processes


def joined(words: Iterable[str]) -> str:
    """Return words as a command that the shell parts into the same words.

    >>> joined(["node", "my shuffle.js"]) in ("node 'my shuffle.js'", 'node "my shuffle.js"')
    True
    """
    if sys.platform == "win32":
        return subprocess.list2cmdline(words)
    return shlex.join(words)


def parted(command: str) -> list[str]:
    """Return the words of a command.

    Raises:
        ValueError: a quote has no end.

    >>> parted('node "my shuffle.js" 52')
    ['node', 'my shuffle.js', '52']
    """
    if sys.platform == "win32":
        return [word.strip('"') for word in shlex.split(command, posix=False)]
    return shlex.split(command)


def started(command: Sequence[str] | str, **options: Any) -> subprocess.Popen[bytes]:
    """Start a process in a group of its own, which Ctrl-C in the terminal does not reach; options as for `Popen`."""
    # In a thread, because a signal interrupts only the main one: the guard surely learns of the process.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_started, command, options).result()


def _started(command: Sequence[str] | str, options: dict[str, Any]) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(command, bufsize=0, start_new_session=True, **options)  # noqa: S603 - it is the purpose
    _guard.add(process.pid)
    return process


def end(process: subprocess.Popen[bytes]) -> int:
    """End a process and its group, and return its exit status."""
    if sys.platform == "win32":
        _end_tree(process.pid)
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    _guard.remove(process.pid)  # before the system can give its number to another process
    return process.wait()


@contextmanager
def guarded() -> Iterator[None]:
    """Keep the same guard while many processes start one after another."""
    _guard.add(NOBODY)
    try:
        yield
    finally:
        _guard.remove(NOBODY)


class _Guard:
    """Ends the groups that are left when this process ends; it runs while there is a group."""

    def __init__(self) -> None:
        self._groups: Counter[int] = Counter()
        self._shell: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def add(self, group: int) -> None:
        """Add a group."""
        with self._lock:
            self._groups[group] += 1
            self._tell()

    def remove(self, group: int) -> None:
        """Remove a group, if it is one of ours."""
        with self._lock:
            self._groups -= Counter([group])
            self._tell()

    def forked(self) -> None:
        """Start again in a fork of this process: the groups and the guard belong to the parent."""
        if self._shell is not None:
            cast(IO[bytes], self._shell.stdin).close()
        self.__init__()  # type: ignore[misc]

    def _tell(self) -> None:
        if sys.platform == "win32":
            return
        with suppress(OSError):  # without a shell, only processes that are closed properly end
            self._shell = self._shell or _shell()
            told = cast(IO[bytes], self._shell.stdin)
            told.write(f"{' '.join(str(group) for group in self._groups if group != NOBODY)}\n".encode())
            if not self._groups:
                told.close()
                self._shell.wait()
                self._shell = None


def _end_tree(process: int) -> None:
    """End a process on Windows and all that it started; the shell of a command is one that starts others."""
    with suppress(OSError, subprocess.SubprocessError):
        subprocess.run(  # noqa: S603 - words of ours
            ["taskkill", "/F", "/T", "/PID", str(process)],  # noqa: S607 - wherever it is
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )


def _shell() -> subprocess.Popen[bytes]:
    nothing = subprocess.DEVNULL
    return subprocess.Popen(  # noqa: S603 - words of ours
        ["sh", "-c", GUARD],  # noqa: S607 - wherever it is
        stdin=subprocess.PIPE,
        stdout=nothing,
        stderr=nothing,
        bufsize=0,
        cwd="/",
        start_new_session=True,
    )


_guard = _Guard()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_guard.forked)
