"""A program under test: started, read with a time limit, and ended with all it started.

Two threads see to it that the program never waits for us and never for long: one reads what it
writes into a queue of bounded length, so that it runs ahead while its last decks are counted; the
other drains its complaints and keeps only the last of them.
"""

import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from queue import Empty, Full, Queue
from time import monotonic
from typing import IO

from fairdeck.errors import FairdeckError
from fairdeck.lab import groups
from fairdeck.lab.sources.gate import shortened

CHUNK = 1 << 18
AHEAD = 64  # chunks read before they are asked for
TAIL = 4096  # bytes of complaints kept
PATIENCE = 2.0  # seconds for a program to end by itself after it closed its output


class Process:
    """A running program; whoever starts one closes it.

    Args:
        command: words, or one text for the shell.
        environment: of the program, in full.
        stdin: an open file that it reads, or None for nothing.
        keep: file descriptors it inherits (not on Windows).

    Raises:
        FairdeckError: it cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str] | str,
        *,
        environment: Mapping[str, str] | None = None,
        stdin: IO[bytes] | None = None,
        keep: Sequence[int] = (),
    ) -> None:
        shell = isinstance(command, str)
        try:
            self._running = groups.started(
                command,
                shell=shell,
                env=environment,
                stdin=stdin or subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=keep,
            )
        except (OSError, ValueError) as error:
            first = command if isinstance(command, str) else command[0]
            reason = getattr(error, "strerror", None) or error
            raise FairdeckError(
                f"cannot start {shortened(first)}: {reason}; check the name, the path and whether it may be run"
            ) from None
        self._chunks: Queue[bytes] = Queue(AHEAD)
        self._tail = b""
        self._ending = threading.Event()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._fetch, self._drain)]
        for thread in self._threads:
            thread.start()

    def read(self, seconds: float) -> bytes | None:
        """Return what it wrote next, ``b""`` at its end, or None if it wrote nothing for so long."""
        try:
            parts = [self._chunks.get(timeout=max(seconds, 0.001))]
        except Empty:
            return None
        # A program that writes line by line fills the queue with crumbs: take what is there at once.
        with suppress(Empty):
            while parts[-1] and len(parts) < AHEAD:
                parts.append(self._chunks.get_nowait())
        if not parts[-1]:
            self._chunks.put(b"")  # the end is the end, however often it is asked for
        return b"".join(parts)

    def close(self) -> int:
        """End it with all it started, and return its exit status; negative is the signal that killed it."""
        if not self._ending.is_set():
            self._ending.set()
            groups.end(self._running)
            self._forget()
            for pipe in (self._running.stdout, self._running.stderr):
                if pipe is not None and not any(thread.is_alive() for thread in self._threads):
                    pipe.close()
        return self._running.returncode

    def is_running(self) -> bool:
        """Tell whether it has not ended; what it started may outlive it and keep its output open."""
        return self._running.poll() is None

    def ended(self) -> int:
        """Wait a little for it to end by itself after its output ended, then close it."""
        with suppress(subprocess.TimeoutExpired):
            self._running.wait(PATIENCE)
        return self.close()

    def last_words(self) -> str:
        """Return the line of its complaints that tells most, or nothing. Ask once it is closed.

        The last that speaks of an error, since some runtimes end with their own name; else the last.
        """
        lines = [line for line in self._tail.decode("utf-8", "replace").splitlines() if line.strip()]
        telling = [line for line in lines if "rror" in line] or lines
        return shortened(telling[-1].strip(), 160) if telling else ""

    def _forget(self) -> None:
        """Take what is still in the queue, so that the reading thread comes to its end."""
        until = monotonic() + PATIENCE
        for thread in self._threads:
            while thread.is_alive() and monotonic() < until:
                with suppress(Empty):
                    self._chunks.get_nowait()
                thread.join(0.01)

    def _fetch(self) -> None:
        pipe = self._running.stdout
        chunk = b"."
        while chunk and pipe is not None:
            chunk = pipe.read(CHUNK)
            self._hand_over(chunk)

    def _hand_over(self, chunk: bytes) -> None:
        while not self._ending.is_set():
            with suppress(Full):
                self._chunks.put(chunk, timeout=0.1)
                return

    def _drain(self) -> None:
        pipe = self._running.stderr
        chunk = b"."
        while chunk and pipe is not None:
            chunk = pipe.read(CHUNK)
            self._tail = (self._tail + chunk)[-TAIL:]


def status_text(status: int) -> str:
    """Return how a program came to its end.

    >>> status_text(3)
    'ended with exit status 3'
    """
    if status >= 0:
        return f"ended with exit status {status}"
    with suppress(ValueError):
        return f"was killed by {signal.Signals(-status).name}"
    return f"was killed by signal {-status}"
