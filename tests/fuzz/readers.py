"""The registry of readers, and the contract that each must keep."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from fairdeck.errors import FairdeckError

LONGEST_TIME = 5  # seconds for an input
MOST_MEMORY = 1 << 30  # bytes, besides those at the start
MODULES = ("texts", "pages", "lab", "stores", "command_lines")


class Fault(AssertionError):
    """A reader broke the contract."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of fairdeck.

    Attributes:
        name: as the runner and the corpus call it.
        read: takes the bytes of an input; returns, or raises a FairdeckError.
        says: what it reads, in words.
        is_json: whether its inputs are JSON, to be changed as such.
        words: parts of inputs that chance would not find.
        longest: bytes of an input.
        in_test: of how many mutated inputs `make test` tries; fewer where each takes long.
    """

    name: str
    read: Callable[[bytes], object]
    says: str
    is_json: bool
    words: tuple[str, ...]
    longest: int
    in_test: int

    def attempt(self, data: bytes) -> bool:
        """Read an input, and return whether it was accepted.

        Raises:
            Fault: it took too long.
            Exception: anything that is not a FairdeckError.
        """
        began = time.thread_time()
        try:
            self.read(data)
        except FairdeckError:
            return False
        finally:
            taken = time.thread_time() - began
            if taken > LONGEST_TIME:
                raise Fault(f"{self.name} took {taken:.1f} seconds for {data[:200]!r}")
        return True


def limit_memory() -> None:
    """Let this process have `MOST_MEMORY` bytes more than it has now: what asks for more gets a MemoryError."""
    import resource  # not on Windows

    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + MOST_MEMORY, resource.RLIM_INFINITY))


READERS: dict[str, Reader] = {}


def reader(
    name: str, *, is_json: bool = False, words: tuple[str, ...] = (), longest: int = 6_000, in_test: int = 20
) -> Callable[[Callable[[bytes], object]], Callable[[bytes], object]]:
    """Add a function to the registry; the first line of its docstring says what it reads."""

    def add(read: Callable[[bytes], object]) -> Callable[[bytes], object]:
        assert name not in READERS, name
        says = (read.__doc__ or "").split("\n", maxsplit=1)[0].rstrip(".")
        READERS[name] = Reader(name, read, says, is_json, words, longest, in_test)
        return read

    return add


def every_reader() -> dict[str, Reader]:
    """Return all readers by name."""
    for module in MODULES:
        import_module(f"tests.fuzz.{module}")
    return READERS


def reader_called(name: str) -> Reader:
    """Return one reader; no more modules are imported than it takes to find it."""
    for module in MODULES:
        import_module(f"tests.fuzz.{module}")
        if name in READERS:
            return READERS[name]
    raise KeyError(name)


def demand(same: bool, told: object) -> None:
    """Raise a Fault unless something holds."""
    if not same:
        raise Fault(str(told)[:2_000])
