"""The readers of what others send (plans, logs of decks, boards, transcripts, stores), and their contract."""

import json
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeVar

from fairdeck import lab
from fairdeck.cards.boards import formats, read_boards, write_boards
from fairdeck.cards.boards.choosing import chosen
from fairdeck.dealing.plan import read_plan
from fairdeck.errors import FairdeckError
from fairdeck.lab.runs.keeping import report_of
from fairdeck.lab.runs.store import Store
from fairdeck.lab.sources.file import open_file, order_of
from fairdeck.lab.sources.text import NumberReading, WordReading
from fairdeck.lab.watching.deck_lines import DeckLines, LinesRead
from fairdeck.trust.derivations import known
from fairdeck.trust.rounds import check
from fairdeck.trust.verifying import examine

LONGEST_TIME = 5  # seconds for an input
MOST_MEMORY = 1 << 30  # bytes, besides those at the start
MUCH = 1 << 17  # bytes: from here on other code reads a file of decks
ODD = (None, 0, -1, 2**62, 0.5, float("nan"), "", "x", "{}", "[]", b"", b"x", "1e999", "[" * 2_000)

Read = Callable[[bytes], object]
Value = TypeVar("Value")


class Choices:
    """Choices made of the bytes of an input, from its beginning on; after its end every choice is the first one.

    So a fuzzer that changes bytes changes choices.
    """

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        """Return the next bytes, zeros after the end."""
        found = self.data[self.at : self.at + size]
        self.at += size
        return found.ljust(size, b"\0")

    def below(self, bound: int) -> int:
        """Return one of 0..bound-1."""
        return int.from_bytes(self.take((max(1, bound - 1).bit_length() + 7) // 8), "big") % bound

    def between(self, least: int, most: int) -> int:
        """Return one of least..most."""
        return least + self.below(most - least + 1)

    def pick(self, values: Sequence[Value]) -> Value:
        """Return one of the values."""
        return values[self.below(len(values))]

    @property
    def ended(self) -> bool:
        """Whether every byte is used."""
        return self.at >= len(self.data)

    def rest(self) -> bytes:
        """Return all bytes that are not used yet."""
        found, self.at = self.data[self.at :], len(self.data)
        return found


def text(data: bytes) -> str:
    """Return bytes as the arguments of a command line are read: what is not UTF-8 becomes a lone surrogate."""
    return data.decode("utf-8", "surrogateescape")


class Fault(AssertionError):
    """A reader broke the contract."""


def demand(holds: bool, what: object) -> None:
    """Raise a Fault unless something holds."""
    if not holds:
        raise Fault(str(what)[:2_000])


def attempt(read: Read, data: bytes) -> bool:
    """Read an input, and return whether it was accepted.

    Raises:
        Fault: it took too long.
        Exception: anything that is not a FairdeckError.
    """
    began = time.thread_time()
    try:
        read(data)
    except FairdeckError:
        return False
    finally:
        taken = time.thread_time() - began
        if taken > LONGEST_TIME:
            raise Fault(f"{taken:.1f} seconds for {data[:200]!r}")
    return True


def limit_memory() -> None:
    """Let this process have `MOST_MEMORY` bytes more than it has now: what asks for more gets a MemoryError."""
    import resource  # not on Windows

    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + MOST_MEMORY, resource.RLIM_INFINITY))


@cache
def folder() -> Path:
    """Return a folder that this process may use, in memory if possible."""
    memory = Path("/dev/shm")
    return Path(mkdtemp(prefix="fairdeck-fuzz-", dir=memory if memory.is_dir() else None))


def plan(data: bytes) -> None:
    """Plans, as JSON."""
    found, arrangement = read_plan(text(data))
    demand(read_plan(json.dumps(found.as_dict())) == (found, None), "a plan that was written is another one")
    demand(arrangement is None or len(arrangement) == found.cards, "an arrangement of another size")


def boards(data: bytes) -> None:
    """Boards, in every format."""
    found = chosen(read_boards(data)[0])
    for kind in (each.name for each in formats()):
        try:
            written = write_boards(found, kind)
        except FairdeckError:  # the format cannot hold them
            demand(kind != "PBN", "PBN holds all boards")
        else:
            demand(read_boards(written)[0] == found, f"boards that were written as {kind} are others")


def transcript(data: bytes) -> None:
    """Transcripts of draws."""
    examine(data)


def decks(data: bytes) -> None:
    """Files of decks: text, CSV, JSON, npy."""
    choices = Choices(data)
    cards, order = choices.pick((None, None, 4, 52)), choices.pick((None, None, None, "AS KS AD KD"))
    content = b"" if choices.pick((False, False, False, True)) else choices.rest()
    if not content:  # as many lines as a large file has
        head, _, body = choices.rest().partition(b"\n")
        content = head + b"\n" + body * (MUCH // max(1, len(body)))
    path = folder() / "decks"
    path.write_bytes(content)
    with closing(open_file(str(path), cards, order=order)) as source:
        for block in source.blocks([100, 1_000, 100_000]):
            demand(block.decks.shape[1] == source.cards, block.decks.shape)


def live_log(data: bytes) -> None:
    """Lines of a live log."""
    choices = Choices(data)
    reading = choices.pick((NumberReading(), NumberReading(first=1), WordReading(order_of("AS KS AD KD"))))
    lines = DeckLines("log", 4, reading, LinesRead("write decks", header=choices.pick((b"", b"deck\n"))))
    begins, seen = True, 0
    while not choices.ended:
        piece = choices.take(choices.between(1, 200)) + b"\n"
        seen += sum(len(found) for found in lines.read(piece, begins))
        begins = choices.pick((False, False, False, True))
    demand(seen == lines.known.decks, "decks that were not counted")


@cache
def stored() -> bytes:
    """Return the bytes of a store with a run."""
    run = folder() / "run.db"
    lab.test("fisher-yates", cards=5, decks=300, seed=1, only="descents,repeats", store=str(run))
    return run.read_bytes()


def altered(data: bytes, choices: Choices) -> bytes:
    """Return a file with some of its bytes changed, or a part of it cut out."""
    file = bytearray(data)
    while not choices.ended and len(file) > 1:
        at, how = choices.below(min(len(file), 1 << 16)), choices.below(4)
        if how == 0:
            file[at : at + 8] = choices.take(8)
        elif how == 3:
            del file[at:]
        else:
            file[at] = choices.below(256)
    return bytes(file)


def rewritten(path: Path, choices: Choices) -> None:
    """Change values in the tables of a store: one odd value, or a part of a text or of bytes."""
    with closing(sqlite3.connect(path)) as file:
        tables = [name for (name,) in file.execute("select name from sqlite_master where type = 'table' order by name")]
        while not choices.ended:
            table = choices.pick(tables)
            column = choices.pick([row[1] for row in file.execute(f"pragma table_info({table})")])
            old = [value for (value,) in file.execute(f"select {column} from {table}")]
            value = old[choices.below(len(old))] if old else None
            if choices.pick((False, True)) or not isinstance(value, str | bytes) or not value:
                new = choices.pick(ODD)
            else:
                at, size, put = choices.below(len(value)), choices.below(12), choices.take(choices.below(12))
                new = value[:at] + (put.decode("latin-1") if isinstance(value, str) else put) + value[at + size :]
            with suppress(sqlite3.DatabaseError):  # a value that the table does not take
                file.execute(f"update {table} set {column} = ?", [new])
        file.commit()


def store(data: bytes) -> None:
    """Stores of runs."""
    choices, path = Choices(data), folder() / "spoilt.db"
    for each in folder().glob("spoilt.db*"):
        each.unlink()
    in_tables = choices.pick((True, False))
    path.write_bytes(stored() if in_tables else altered(stored(), choices))
    if in_tables:
        rewritten(path, choices)
    with closing(Store(path)) as held:
        for number in held.numbers()[:3]:
            demand(bool(report_of(held, held.run(number)).to_json()), "a report of nothing")


def rounds(data: bytes) -> None:
    """Rounds of a site, boards and selections, as tables or JSON lines."""
    head, _, body = text(data).partition("\n")
    check(known().get(head, known()["stake-deck"]), body.splitlines(keepends=True), {})


READERS: dict[str, Read] = {
    "plan": plan,
    "boards": boards,
    "transcript": transcript,
    "decks": decks,
    "live-log": live_log,
    "store": store,
    "rounds": rounds,
}
