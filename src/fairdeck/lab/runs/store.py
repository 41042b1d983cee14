"""A store of runs: one SQLite file that holds what was counted, so that nothing is lost or counted twice.

A run is a registration and the standing of its trial, which is committed in one transaction: after a crash the store is
as it was at the last commit, and the run continues from there. Each commit has a number, and a process that continues a
run must know the latest one. So if two processes continue one run at once, the store refuses the second commit, and
nothing is counted twice.
"""

import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import Any, Self

from fairdeck.errors import FairdeckError
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.judging.tally import Battery, Tally
from fairdeck.lab.judging.trial import Standing, Trial
from fairdeck.lab.runs import account, records, registration
from fairdeck.lab.runs.registration import Registration

APPLICATION = 0x66646B31  # "fdk1", SQLite's application_id
FORMAT = 4  # user_version: a newer fairdeck may have a newer one
JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")  # of SQLite: it begins a journal, and ends the name of another file
PATIENCE = 20.0  # seconds to wait for another process that is writing
REMEDIES = {
    "full": "make room; what was committed before is safe",
    "locked": "another process is writing; try again",
    "disk I/O": "see whether the disk is full or failing; what was committed before is safe",
    "readonly": "give yourself the right to write it, or name another file",
    "unable to open": "name a file in a folder that exists and that you may write",
    "not a database": "name the store of a run, made with --store",
}

SCHEMA = """
create table runs (
    id integer primary key, registration text not null, tag blob not null, begun text not null,
    commits integer not null, standing text not null, more text not null, sessions integer not null, ended text not null
);
create table parts (run integer, name text, data blob not null, primary key (run, name)) without rowid;
"""
COLUMNS = ("registration", "tag", "begun", "commits", "standing", "more", "sessions", "ended")


@dataclass(frozen=True)
class Run:
    """A stored run."""

    number: int  # in its store, from 1
    registration: Registration  # what was fixed before its first deck
    tag: bytes  # shows the account that began it; see `fairdeck.lab.runs.account`. Empty of a known shuffle.
    begun: str  # when, as ISO 8601 text in UTC
    commits: int = 0  # how often it was committed
    standing: Standing = field(default_factory=Standing)  # where its trial stood at the last commit
    more: Any = None  # what a watch keeps besides, a dataclass; None of other runs
    sessions: int = 0  # how often somebody counted for it
    ended: str = ""  # why there is nothing to go on with; empty if there is

    @property
    def inquiry(self) -> Inquiry:
        """What is asked of whom."""
        return self.registration.inquiry

    def trial(self) -> Trial:
        """Return its trial, where it stood at the last commit."""
        return self.inquiry.trial(self.standing)

    @property
    def decks(self) -> int:
        """The decks counted."""
        return self.standing.tally.decks if self.standing.tally else 0


class Store:
    """The runs in a file; its methods raise FairdeckError if it cannot be read or written, or is no store of ours."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Open the store at `path`; make it if it does not exist and `create` is true."""
        self.path = path
        if not create and not path.is_file():
            raise FairdeckError(f"{str(path)!r} is not a file: name the store of a run, made with --store")
        _refuse_foreign_journal(path)
        with self._told():
            # A whole path: ":memory:" and "file:..." mean something else to SQLite.
            self._file = sqlite3.connect(path.absolute(), timeout=PATIENCE, isolation_level=None)
            try:
                self._prepare(create=create)
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, registered: Registration) -> Run:
        """Add a run that begins now and has counted no deck yet."""
        begun, tag = utc_now(), account.tag_of(registered) if registered.inquiry.kind != "known" else b""
        standing = json.dumps(records.to_json(Standing(), str))
        with self._writing() as file:
            number = file.execute(
                "insert into runs (registration, tag, begun, commits, standing, more, sessions, ended) "
                "values (?, ?, ?, 0, ?, '', 0, '')",
                [registered.text, tag, begun, standing],
            ).lastrowid
        return Run(int(number or 0), registered, tag, begun)

    def commit(self, run: Run) -> Run:
        """Write a run as it is now, all or nothing; return it as written.

        Raises FairdeckError, with the store as it was, if another process has committed this run since it was read, or
        nothing could be written, for want of space, say.
        """
        written, parts = replace(run, commits=run.commits + 1), _Parts(run.inquiry.battery)
        standing = json.dumps(records.to_json(run.standing, parts.keep))
        more = "" if run.more is None else json.dumps(records.to_json(run.more, parts.keep))
        with self._writing() as file:
            updated = file.execute(
                "update runs set commits = ?, standing = ?, more = ?, sessions = ?, ended = ? "
                "where id = ? and commits = ?",
                [written.commits, standing, more, run.sessions, run.ended, run.number, run.commits],
            )
            if not updated.rowcount:
                raise FairdeckError(
                    f"another process continues run {run.number} of {self.path}: it is counted there, once; "
                    "look at it with: fairdeck runs"
                )
            there = {name for (name,) in file.execute("select name from parts where run = ?", [run.number])}
            gone = ([run.number, name] for name in there - parts.data.keys())
            file.executemany("delete from parts where run = ? and name = ?", gone)
            new = ([run.number, name, data] for name, data in parts.data.items() if name not in there)
            file.executemany("insert into parts values (?, ?, ?)", new)
        return written

    def only(self, number: int | None, *, unfinished: bool = False) -> Run:
        """Return the run of this number, or the only one (that has not ended); a FairdeckError if none is it."""
        if number is not None:
            return self.run(number)
        runs = [run for run in map(self.run, self.numbers()) if not (unfinished and run.ended)]
        if len(runs) != 1:
            kind = "unfinished run" if unfinished else "run"
            several = f"the {kind}s {', '.join(str(run.number) for run in runs)}: say which with --run"
            held = several if runs else f"no {kind}"
            raise FairdeckError(f"{self.path} holds {held}; see: fairdeck runs {quote(str(self.path))}")
        return runs[0]

    def numbers(self) -> list[int]:
        """Return the numbers of all runs."""
        with self._reading() as file:
            return [number for (number,) in file.execute("select id from runs order by id")]

    def run(self, number: int, more: type | None = None) -> Run:
        """Return a run as it was committed last, with what it keeps besides if that is asked for, as a dataclass."""
        with self._reading() as file:
            row = file.execute(f"select {', '.join(COLUMNS)} from runs where id = ?", [number]).fetchone()  # noqa: S608
            parts = dict(file.execute("select name, data from parts where run = ?", [number]))
        if row is None:
            raise FairdeckError(f"{self.path} has no run {number}; see: fairdeck runs {quote(str(self.path))}")
        registered = registration.read(row[0])
        battery = registered.inquiry.battery
        found = dict(zip(COLUMNS, row, strict=True)) | {"registration": registered}

        def kept(kind: Any, name: str) -> Any:
            data = parts[name]
            if _name(data) != name:
                raise ValueError("a part that is not what its name says")
            return data if kind is bytes else records.unpacked_tally(battery, data)

        try:
            if list(map(type, row)) != [str, bytes, str, int, str, str, int, str]:
                raise ValueError("columns of other types")
            kind = registered.inquiry.kind
            if (kind == "known" and found["tag"]) or (kind != "monitor" and found["more"]):
                raise ValueError(f"a column that a run of the kind {kind} leaves empty")
            found["standing"] = records.from_json(Standing, json.loads(found["standing"]), kept)
            _check(found["standing"], len(battery.members))
            text = found["more"]
            found["more"] = records.from_json(more, json.loads(text), kept) if more and text else None
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise FairdeckError(
                f"run {number} of {self.path} is damaged ({str(error)[:80]}): restore it from a copy"
            ) from None
        return Run(number, **found)

    def seal(self, number: int) -> str:
        """Return the SHA-256 of everything that the file holds of a run: each column of each of its rows."""
        digest = hashlib.sha256()
        with self._reading() as file:
            for rows in ("runs where id = ?", "parts where run = ? order by name"):
                for row in file.execute(f"select * from {rows}", [number]):  # noqa: S608
                    for value in row:
                        whole = value if isinstance(value, bytes) else json.dumps(value).encode()
                        digest.update(f"{type(value).__name__} {len(whole)} ".encode() + whole)
        return digest.hexdigest()

    def _prepare(self, *, create: bool) -> None:
        """Check what the file is; make the tables in a new one."""
        (application,) = self._file.execute("pragma application_id").fetchone()
        (version,) = self._file.execute("pragma user_version").fetchone()
        kinds = {kind for (kind,) in self._file.execute("select type from sqlite_master")}
        if application == version == 0 and not kinds and create:
            self._file.executescript(
                f"begin immediate; {SCHEMA} pragma application_id = {APPLICATION}; "
                f"pragma user_version = {FORMAT}; commit;"
            )
        elif application != APPLICATION:
            what = "a database of another program" if kinds else "empty"
            raise FairdeckError(f"{self.path} is {what}: name another file")
        elif version != FORMAT:
            other = "a newer" if version > FORMAT else "an older"
            raise FairdeckError(f"{self.path} was written by {other} fairdeck: install that one to read it")
        # A view could show one run to who looks, and another to who verifies; a computed column could fill the memory.
        elif kinds - {"table", "index"} or any(map(_computes, self._file.execute("select sql from sqlite_master"))):
            what = "programs (views, triggers or computed columns)"
            raise FairdeckError(f"{self.path} holds {what}, which no store has: do not trust it")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Write all or nothing, and wait until it is on the disk."""
        with self._told():
            self._file.execute("begin immediate")
            try:
                yield self._file
                self._file.execute("commit")
            except BaseException:
                if self._file.in_transaction:  # after some errors SQLite has ended it already
                    self._file.execute("rollback")
                raise

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Read everything as of one moment."""
        with self._told():
            self._file.execute("begin")
            try:
                yield self._file
            finally:
                if self._file.in_transaction:
                    self._file.execute("rollback")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell an error of SQLite in words for the person at the keyboard."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter where SQLite quotes a damaged name
            remedy = next((remedy for said, remedy in REMEDIES.items() if said in str(error)), "is the file whole?")
            raise FairdeckError(f"the store {self.path}: {error}; {remedy}") from None


def utc_now() -> str:
    """Return the time as a store has it: ISO 8601 text, to the second, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _computes(row: tuple[str | None]) -> bool:
    """Tell whether the text of a table or an index holds more than names and kinds of columns."""
    plain = re.sub(r"primary key\s*\([\w\s,]*\)", "", (row[0] or "").lower())
    return plain.count("(") > 1 or plain.startswith("create virtual")


def _refuse_foreign_journal(path: Path) -> None:
    """Raise if the journal beside a store, which SQLite obeys as soon as it reads the store, names another file.

    One that belongs to several databases at once ends with the name of a file that SQLite deletes then; no journal of
    ours does.
    """
    journal = Path(f"{os.path.realpath(path)}-journal")
    if _last_bytes(journal, len(JOURNAL_MAGIC)) == JOURNAL_MAGIC:
        raise FairdeckError(
            f"{str(journal)!r} lies beside the store and names another file, which SQLite would delete: no journal of "
            "fairdeck does that; do not trust it, and delete it"
        )


def _last_bytes(path: Path, count: int) -> bytes:
    with suppress(OSError, ValueError):  # there is none, say, or it is shorter
        if path.is_file():
            with path.open("rb") as file:
                file.seek(-count, os.SEEK_END)
                return file.read(count)
    return b""


def _check(now: Standing, members: int) -> None:
    """Raise a ValueError if no trial of so many members can stand where a file says."""
    decks, p_value = now.settled or (0, 1.0)
    shares = [share for tally, share in ((now.analysed, now.share), (now.found, now.found_share)) if tally]
    if not (
        p_value <= 1
        and now.analyses_p <= 1
        and all(0 < share <= 1 for share in shares)
        and decks <= (now.tally.decks if now.tally else 0)
        and now.best_bet < members
    ):
        raise ValueError("a standing that no trial reaches")


class _Parts:
    """The large values of a commit, by their names: those that are equal are written once."""

    def __init__(self, battery: Battery) -> None:
        self.data: dict[str, bytes] = {}
        self._battery = battery
        self._names: dict[int, str] = {}  # of tallies: several fields often hold the same one

    def keep(self, value: bytes | Tally) -> str:
        """Take a value, and return its name."""
        if id(value) in self._names:
            return self._names[id(value)]
        data = value if isinstance(value, bytes) else records.packed_tally(self._battery, value)
        name = _name(data)
        self.data[name] = data
        if isinstance(value, Tally):
            self._names[id(value)] = name
        return name


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
