"""A program under test: started, read with a time limit, and ended with everything it started.

Two threads keep the program from waiting for us. One reads its output into a queue of bounded length,
so that the program runs ahead while its last decks are counted; the other reads its standard error
and keeps only the end.
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
from fairdeck.lab.usercode import process_groups
from fairdeck.lab.usercode.faults import shortened

CHUNK = 1 << 18
AHEAD = 64  # chunks read before they are asked for
TAIL = 4096  # bytes of standard error that are kept
PATIENCE = 2.0  # seconds for a program to end by itself after it closed its output


class Process:
    """A running program; close it at the end.

    Args:
        command: words, or one text for the shell.
        environment: the whole environment of the program.
        stdin: an open file that it reads, or None for empty input.
        keep: file descriptors that it inherits (not on Windows).

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
            self._running = process_groups.started(
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
                f"cannot start {shortened(first)}: {reason}; check the name, the path and the permission to run it"
            ) from None
        self._chunks: Queue[bytes] = Queue(AHEAD)
        self._tail = b""
        self._ending = threading.Event()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._fetch, self._drain)]
        for thread in self._threads:
            thread.start()

    def read(self, seconds: float) -> bytes | None:
        """Return its next output, ``b""`` at the end, or None if there was none for `seconds`."""
        try:
            parts = [self._chunks.get(timeout=max(seconds, 0.001))]
        except Empty:
            return None
        # A program that writes line by line fills the queue with small pieces: take them together.
        with suppress(Empty):
            while parts[-1] and len(parts) < AHEAD:
                parts.append(self._chunks.get_nowait())
        if not parts[-1]:
            self._chunks.put(b"")  # the next call must see the end as well
        return b"".join(parts)

    def close(self) -> int:
        """End it and everything it started, and return its exit status; negative is the signal that killed it."""
        if not self._ending.is_set():
            self._ending.set()
            process_groups.end(self._running)
            self._forget()
            for pipe in (self._running.stdout, self._running.stderr):
                if pipe is not None and not any(thread.is_alive() for thread in self._threads):
                    pipe.close()
        return self._running.returncode

    def is_running(self) -> bool:
        """Say whether it runs; its children may outlive it and keep its output open."""
        return self._running.poll() is None

    def ended(self) -> int:
        """Wait a little for it to end by itself after the end of its output, then close it."""
        with suppress(subprocess.TimeoutExpired):
            self._running.wait(PATIENCE)
        return self.close()

    def last_words(self) -> str:
        """Return the most useful line of its standard error, or nothing. Call this after `close`.

        It is the last line that mentions an error, because some runtimes end with their own name; else the
        last line.
        """
        lines = [line for line in self._tail.decode("utf-8", "replace").splitlines() if line.strip()]
        telling = [line for line in lines if "rror" in line] or lines
        return shortened(telling[-1].strip(), 160) if telling else ""

    def _forget(self) -> None:
        """Empty the queue, so that the reading thread can end."""
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
    """Return how a program ended.

    >>> status_text(3)
    'ended with exit status 3'
    """
    if status >= 0:
        return f"ended with exit status {status}"
    with suppress(ValueError):
        return f"was killed by {signal.Signals(-status).name}"
    return f"was killed by signal {-status}"
