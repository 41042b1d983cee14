"""Stores of runs and watches: bytes changed anywhere in the file, and values changed in its tables."""

import sqlite3
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from fairdeck import lab
from fairdeck.errors import FairdeckError
from fairdeck.lab.runs.keeping import report_of
from fairdeck.lab.runs.store import Store
from fairdeck.lab.watching.monitor import Monitor, monitor
from tests.fuzz.choices import Choices, text
from tests.fuzz.lab import folder
from tests.fuzz.readers import demand, reader

LINES = "".join(f"{at % 5} {(at + 1) % 5} {(at + 2) % 5} {(at + 3) % 5} {(at + 4) % 5}\n" for at in range(9))
ODD = (None, 0, -1, 2**62, 0.5, float("nan"), "", "x", "{}", "[]", b"", b"x", "1e999", "[" * 2_000)


@cache
def written() -> tuple[bytes, bytes]:
    """Return the bytes of a store with a run, and of a store with a watch."""
    run, watch, log = folder() / "run.db", folder() / "watch.db", folder() / "watched.log"
    lab.test("fisher-yates", cards=5, decks=300, seed=1, only="descents,repeats", store=str(run))
    log.write_text(LINES)
    monitor(str(log), str(watch), cards=5, only=("descents",))
    return run.read_bytes(), watch.read_bytes()


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
    """Change values in the tables: one odd value, or a part of a text or of bytes."""
    with closing(sqlite3.connect(path)) as file:
        tables = [name for (name,) in file.execute("select name from sqlite_master where type = 'table' order by name")]
        while not choices.ended:
            table = choices.pick(tables)
            columns = [row[1] for row in file.execute(f"pragma table_info({table})")]
            column = choices.pick(columns)
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


def spoilt(data: bytes, which: int) -> Path:
    """Return the path of a store that an input changed."""
    choices, path = Choices(data), folder() / "spoilt.db"
    for each in folder().glob("spoilt.db*"):
        each.unlink()
    in_tables = choices.pick((True, False))
    path.write_bytes(written()[which] if in_tables else altered(written()[which], choices))
    if in_tables:
        rewritten(path, choices)
    return path


@reader("store", longest=200, in_test=3)
def store(data: bytes) -> None:
    """Stores of runs."""
    with closing(Store(spoilt(data, 0))) as held:
        for number in held.numbers()[:3]:
            found = held.run(number)
            held.ranges(number)
            demand(bool(report_of(held, found).to_json()), "a report of nothing")


@reader("watch", longest=200, in_test=3)
def watch(data: bytes) -> None:
    """Stores of watched logs."""
    path, log = spoilt(data, 1), folder() / "watched.log"
    log.write_text(LINES)
    try:
        watched = Monitor(path, [str(log)])
    except FairdeckError:
        return
    with closing(watched):
        watched.step()
        demand(watched.status().decks >= 0, "fewer decks than none")
        watched.commit()


@reader("new-store", words=("SQLite format 3\0",), in_test=5)
def new_store(data: bytes) -> None:
    """Files that are no store."""
    path = folder() / "new.db"
    path.write_bytes(data)
    with closing(Store(path, create=True)) as held:
        demand(held.numbers() == [] or text(data) != "", "a run in a new store")
