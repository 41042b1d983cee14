"""Process groups for what the user names: each ended with all that it started, even if this process is killed.

A process and its children are one group. A **guard**, a shell of one line, is told of every group that
lives, through a pipe. However this process comes to its end, the system closes the pipe, and the guard
ends the groups that are left. What leaves its group on purpose, as a daemon does, is let go.
"""

import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Lock
from typing import IO, Any, cast

# Each line tells of all groups, so the last one holds.
GUARD = 'while read -r line; do groups=$line; done; for group in $groups; do kill -s KILL -- "-$group"; done'

NOBODY = 0


def started(command: Sequence[str] | str, **options: Any) -> subprocess.Popen[bytes]:
    """Start a process in a group of its own, so that Ctrl-C in the terminal is ours; the options are those of `Popen`.

    Raises:
        OSError: it cannot be started.
    """
    # In a thread, since a signal interrupts the main one: what is started is surely known to the guard.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_started, command, options).result()


def _started(command: Sequence[str] | str, options: dict[str, Any]) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(command, bufsize=0, start_new_session=True, **options)  # noqa: S603 - it is the purpose
    _guard.add(process.pid)
    return process


def end(process: subprocess.Popen[bytes]) -> int:
    """End a process and its group, and return its exit status."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    _guard.remove(process.pid)  # before its number can be given to another
    return process.wait()


@contextmanager
def guarded() -> Iterator[None]:
    """Keep the guard from one process to the next, where many are started."""
    _guard.add(NOBODY)
    try:
        yield
    finally:
        _guard.remove(NOBODY)


class _Guard:
    """What ends the groups that are left when this process ends; it is there while there is one."""

    def __init__(self) -> None:
        self._groups: Counter[int] = Counter()
        self._shell: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def add(self, group: int) -> None:
        """Take note of a group."""
        with self._lock:
            self._groups[group] += 1
            self._tell()

    def remove(self, group: int) -> None:
        """Let go of a group, if it is one of ours."""
        with self._lock:
            self._groups -= Counter([group])
            self._tell()

    def forked(self) -> None:
        """Begin anew in a child of this process: the groups, and the guard, are the parent's."""
        if self._shell is not None:
            cast(IO[bytes], self._shell.stdin).close()
        self.__init__()  # type: ignore[misc]

    def _tell(self) -> None:
        if os.name != "posix":
            return
        with suppress(OSError):  # no shell: then only what is closed properly is ended
            self._shell = self._shell or _shell()
            told = cast(IO[bytes], self._shell.stdin)
            told.write(f"{' '.join(str(group) for group in self._groups if group != NOBODY)}\n".encode())
            if not self._groups:
                told.close()
                self._shell.wait()
                self._shell = None


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
