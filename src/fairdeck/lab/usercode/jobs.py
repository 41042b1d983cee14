"""A job for a process of its own: one line of JSON in, lines of JSON out.

The user's code in that process may hang, crash, print or exit. `answers` is the parent's side and
`answer` the child's.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from typing import Any

from fairdeck.lab.usercode.process import Process, status_text

# The child finds modules where this process does; -P: files beside a script of ours must hide no module of the user.
START = (
    "import sys, json, importlib; sys.path[:] = json.loads(sys.argv[2]); importlib.import_module(sys.argv[1]).main()"
)
STARTING = 30.0  # seconds for the interpreter to start and the modules to load


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


def started(module: str, job: dict[str, Any], environment: Mapping[str, str] | None = None) -> Process:
    """Run `main` of a module in a process of its own; the caller reads or closes it."""
    with tempfile.TemporaryFile() as stdin:
        stdin.write(json.dumps(job).encode())
        stdin.seek(0)
        return Process(interpreter(module), stdin=stdin, environment=environment)


def interpreter(module: str) -> list[str]:
    """Return the command that runs `main` of a module in a process of its own, also where fairdeck is one file."""
    path = json.dumps([place for place in sys.path if place])
    return [sys.executable, "-P", "-c", START, module, path]


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
    """Read the job, do the `work`, and end the process.

    Args:
        work: takes the job and a function that sends an answer, given as keywords.
    """
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
