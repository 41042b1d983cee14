"""Kernels are compiled beside a run, not in it: until they are ready, NumPy counts the same numbers.

Numba compiles the counts for the processor at hand, in ten to fifteen seconds, and keeps them on the disk. The first
process that misses them starts a **compiler**, a process of its own. Runs that begin at the same time, and workers,
wait for the same compiler: it holds a lock on a file beside numba's, and writes into the file when all is compiled.
Compilers that wait for the lock become the compiler if that one is killed, and continue where it was.

A compiler ends with the process that started it, however that ends: the system then closes the pipe that it reads.
"""

import atexit
import os
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from threading import Lock, Thread
from typing import IO

from fairdeck import folders
from fairdeck.lab.statistics import catalogue

ROOT = Path(__file__).parents[3]  # of the package, for a process that may not find it by itself
START = "import sys; sys.path.insert(0, sys.argv[1]); from fairdeck.lab.judging.compiling import main; main()"
POLITE = 5  # how much less of a busy processor the compiler gets than those who count
NARROW = 60  # cards: larger decks need a few kernels more
DECKS, SEED, EARLIER = 256, 1, 4  # that the compiler counts; kernels do not depend on how many there are

_started: dict[Path, subprocess.Popen[bytes] | None] = {}  # None: there can be no compiler
_starting = Lock()


def ready(cards: int, names: Iterable[str]) -> bool:
    """Tell whether kernels of these statistics can count at once; if not, have them compiled beside this process."""
    asked = frozenset(names)
    if are_compiled(cards, asked):
        return True
    file = _file(cards, asked)
    with _starting:
        if file not in _started:
            _started[file] = _compiler(file, cards, asked)
        compiler = _started[file]
    # Without a compiler, or where it failed, this process compiles: nothing works less than without a compiler.
    return compiler is None or compiler.poll() is not None


def are_compiled(cards: int, names: Iterable[str]) -> bool:
    """Tell whether a compiler has told that all is compiled, for this processor and these versions."""
    with suppress(OSError):
        return _file(cards, frozenset(names)).stat().st_size > 0
    return False


def compile_now(cards: int, names: Iterable[str]) -> None:
    """Compile what is not compiled; or wait while another process does."""
    asked = frozenset(names)
    try:
        told = _file(cards, asked).open("ab")
    except OSError:  # no place to tell it
        _compile(cards, asked)
        return
    with told:
        _lock(told)
        if not are_compiled(cards, asked):
            _compile(cards, asked)
            told.write(b"compiled\n")


def main() -> None:
    """Be a compiler: the arguments are those of `compile_now`, the names as one text with commas."""
    Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(POLITE)
    _, cards, names = sys.argv[1:]
    compile_now(int(cards), names.split(","))


def _end_with_parent() -> None:
    with suppress(OSError):
        os.read(0, 1)
    os._exit(1)


def _compiler(file: Path, cards: int, names: frozenset[str]) -> subprocess.Popen[bytes] | None:
    """Start a compiler; None if it cannot be started, or if it could not tell when it is ready."""
    nothing = subprocess.DEVNULL
    try:
        file.touch()
        process = subprocess.Popen(  # noqa: S603 - words of ours
            [sys.executable, "-P", "-c", START, str(ROOT), str(cards), ",".join(sorted(names))],
            stdin=subprocess.PIPE,
            stdout=nothing,
            stderr=nothing,
            # Ctrl-C in the terminal is for those who count. A session of its own would do that as well, but Linux
            # shares the processor evenly between sessions, whatever their processes' politeness.
            process_group=None if sys.platform == "win32" else 0,
        )
    except (OSError, ValueError):
        return None
    atexit.register(_end, process)
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    if process.stdin:
        process.stdin.close()


def _compile(cards: int, names: frozenset[str]) -> None:
    """Count a few decks, one statistic at a time: numba keeps each as soon as it is compiled."""
    import numpy as np

    from fairdeck.bulk.batch import of_rows, relative
    from fairdeck.lab.counts import fast

    rows = np.random.default_rng(SEED).permuted(np.tile(np.arange(cards, dtype=np.int16), (DECKS, 1)), axis=1)
    decks = replace(of_rows(rows[EARLIER:]), first=EARLIER)
    compared = relative(decks, rows[:EARLIER], 1)
    on_relative = {each.name for each in catalogue() if each.relative}
    for name in sorted(names & set(fast())):
        for batch in (decks, compared) if name in on_relative else (decks,):
            fast()[name](batch)


def _lock(file: IO[bytes]) -> None:
    """Wait until no other process holds a file; the system lets go of it when this process ends."""
    if sys.platform == "win32":  # two compilers do the same work, and the last one to write a kernel wins
        return
    import fcntl

    with suppress(OSError):  # some network drives have no locks
        fcntl.flock(file, fcntl.LOCK_EX)


@cache
def _file(cards: int, names: frozenset[str]) -> Path:
    """Return the file that says that the kernels are compiled; another one for each processor and version."""
    about = [_surroundings(), str(cards > NARROW), *sorted(names)]
    return _folder() / f"fairdeck-{sha256(repr(about).encode()).hexdigest()[:16]}.compiled"


@cache
def _surroundings() -> str:
    """Return all that decides whether kernels kept earlier can be used."""
    from llvmlite import binding

    bulk, counts = ROOT / "fairdeck" / "bulk", ROOT / "fairdeck" / "lab" / "counts"
    files = [ROOT] if ROOT.is_file() else [*sorted(bulk.glob("*.py")), *sorted(counts.glob("*.py"))]  # a zipapp is one
    sources = [(file.name, file.stat()) for file in files]
    return repr(
        [
            sys.version,
            version("numba"),
            binding.get_host_cpu_name(),
            sorted(binding.get_host_cpu_features().items()),
            sorted((name, value) for name, value in os.environ.items() if name.startswith("NUMBA_CPU")),
            [(name, stat.st_size, stat.st_mtime_ns) for name, stat in sources],
        ]
    )


@cache
def _folder() -> Path:
    """Return the folder of the kernels that numba keeps, or else one of the user's."""
    place = Path(os.environ["NUMBA_CACHE_DIR"])  # named by `fairdeck.bulk`
    with suppress(OSError):
        place.mkdir(parents=True, exist_ok=True)
        if os.access(place, os.W_OK):
            return place
    mine = folders.copies() or place
    with suppress(OSError):
        mine.mkdir(parents=True, exist_ok=True)
    return mine
