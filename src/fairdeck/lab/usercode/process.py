"""A program under test: started, read with a time limit, and ended with everything it started.

Two threads keep the program from waiting for us. One reads its output into a queue of bounded length, so that the
program runs ahead while its last decks are counted, at first only a little: a bad shuffle needs few. The other reads
its standard error and keeps only the end.

A **job** for a process of its own: one line of JSON in, lines of JSON out. The user's code in that process may hang,
crash, print or exit. `answers` is the parent's side and `answer` the child's.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, suppress
from queue import Empty, Full, Queue
from time import monotonic
from typing import IO, Any

from fairdeck.errors import FairdeckError, system_reason
from fairdeck.lab.usercode import process_groups
from fairdeck.lab.usercode.faults import shortened

CHUNK = 1 << 18
AHEAD = 64  # chunks read before they are asked for
TAIL = 4096  # bytes of standard error that are kept
PATIENCE = 2.0  # seconds for a program to end by itself after it closed its output
# The child finds modules where this process does; -P: files beside a script of ours must hide no module of the user.
START = (
    "import sys, json, importlib; sys.path[:] = json.loads(sys.argv[2]); importlib.import_module(sys.argv[1]).main()"
)
STARTING = 30.0  # seconds for the interpreter to start and the modules to load


class Process:
    """A running program, of words or one text for the shell; close it at the end.

    `environment` is its whole environment, `stdin` an open file that it reads, or None for empty input, and `keep` are
    the file descriptors that it inherits (not on Windows). Raises FairdeckError if it cannot be started.
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
            reason = system_reason(error)
            raise FairdeckError(
                f"cannot start {shortened(first)}: {reason}; check the name, the path and the permission to run it"
            ) from None
        self._chunks: Queue[bytes] = Queue(1)
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
        # A program that writes line by line fills the queue with small pieces: take them together. But few at first: a
        # faulty shuffle shows in the first decks; thousands would be read, and made beside us, before they are counted.
        most = self._chunks.maxsize
        self._chunks.maxsize = min(AHEAD, 2 * most)
        with suppress(Empty):
            while parts[-1] and len(parts) < most:
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

        It is the last line that mentions an error, because some runtimes end with their own name; else the last line.
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


# --- jobs


class Silent(Exception):
    """The process gave no answer for too long; the argument is how many seconds."""


class Ended(Exception):
    """The process ended before its last answer; the message says how."""


def answers(module: str, job: dict[str, Any], timeout: float) -> Generator[dict[str, Any], None, None]:
    """Run `main` of a module in a process of its own and yield its answers; the caller stops at the last one.

    Raises:
        Silent: there was no answer for `timeout` seconds (at least 30 for the first one).
        Ended: the process ended.
    """
    return answers_of(started(module, job), timeout)


def started(
    module: str, job: dict[str, Any], environment: Mapping[str, str] | None = None, *, keep: Sequence[int] = ()
) -> Process:
    """Run `main` of a module in a process of its own, also where fairdeck is one file; the caller reads or closes it.

    It reads the job as JSON. The environment is whole; the descriptors to `keep` are inherited (not on Windows).
    """
    command = [sys.executable, "-P", "-c", START, module, json.dumps([place for place in sys.path if place])]
    with tempfile.TemporaryFile() as stdin:
        stdin.write(json.dumps(job).encode())
        stdin.seek(0)
        return Process(command, stdin=stdin, environment=environment, keep=keep)


def answers_of(process: Process, timeout: float) -> Generator[dict[str, Any], None, None]:
    """Yield the answers of a process that was `started`, as `answers` does, and close it at the end."""
    with closing(process):
        patience, rest = max(STARTING, timeout), b""
        while chunk := process.read(patience):
            patience = timeout
            *lines, rest = (rest + chunk).split(b"\n")
            yield from map(json.loads, lines)
        if chunk is None:
            raise Silent(patience)
        status, said = status_text(process.ended()), process.last_words()
        raise Ended(status + (f", saying: {said}" if said else ""))


def answer(work: Callable[[dict[str, Any], Callable[..., None]], None]) -> None:
    """Read the job, do the `work` (which takes the job and what sends an answer, as keywords), and end the process."""
    job = json.loads(sys.stdin.buffer.read())
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the user's code prints must not mix with the answers
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

    def tell(**what: Any) -> None:
        out.write(json.dumps(what) + "\n")
        out.flush()

    try:
        work(job, tell)
    finally:
        os._exit(0)  # without waiting for threads and exit handlers of the user's code
