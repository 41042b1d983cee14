"""A store of runs: one SQLite file that holds what was counted, so that nothing is lost or counted twice.

A run is a registration, the ranges of decks that were counted, and the standing of its trial. Ranges and standing are
committed together, in one transaction: after a crash the store is as it was at the last commit, and the run continues
from there. Each commit has a number, and a process that continues a run must know the latest one. So if two processes
continue one run at once, the store refuses the second commit, and nothing is counted twice.
"""

import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from shlex import quote
from typing import Any, Self

from fairdeck.errors import FairdeckError
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.judging.tally import Battery, Tally
from fairdeck.lab.judging.trial import Standing, Trial
from fairdeck.lab.runs import account, registration, sums, tallies
from fairdeck.lab.runs.registration import Registration

APPLICATION = 0x66646B31  # "fdk1", SQLite's application_id
FORMAT = 2  # user_version: a newer fairdeck may have a newer one
JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")  # of SQLite: it begins a journal, and ends the name of another file
PATIENCE = 20.0  # seconds to wait for another process that is writing
TALLIES = ("tally", "waiting", "analysed", "found")  # of a standing
OPEN = "open"  # the counts that no range holds yet
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
    id integer primary key, registration text not null, begun text not null, commits integer not null,
    standing text not null, sessions integer not null, ended text not null
);
create table tallies (run integer, name text, same_as text, data blob, primary key (run, name)) without rowid;
create table ranges (
    run integer, first integer, blocks integer not null, decks integer not null, before integer not null,
    digest blob not null, sum blob not null, primary key (run, first)
) without rowid;
"""

BEGINNERS = "create table if not exists beginners (run integer primary key, tag blob not null)"  # see `account`


@dataclass(frozen=True)
class Range:
    """Successive blocks of a run that are committed to together.

    Attributes:
        first: the number of its first block.
        blocks: how many blocks there are.
        decks: the decks in them.
        before: the decks of all blocks before them.
        digest: the SHA-256 of its tally.
        sum: the digest of its tally that adds up; see `fairdeck.lab.runs.sums`.
    """

    first: int
    blocks: int
    decks: int
    before: int
    digest: bytes
    sum: bytes

    @property
    def leaf(self) -> bytes:
        """What the Merkle tree holds: everything above."""
        return json.dumps([self.first, self.blocks, self.decks, self.before]).encode() + self.digest + self.sum


def sealed(battery: Battery, tally: Tally, first: int, blocks: int, before: int) -> Range:
    """Return the range of blocks that have this tally."""
    added = sums.digest(battery, tally).astype("<u4").tobytes()
    return Range(first, blocks, tally.decks, before, tallies.digest(battery, tally), added)


@dataclass(frozen=True)
class Run:
    """A stored run.

    Attributes:
        number: in its store, from 1.
        registration: what was fixed before its first deck.
        begun: when, as ISO 8601 text in UTC.
        commits: how often it was committed.
        standing: where its trial stood at the last commit.
        open: the counts of decks that no range holds yet; None if there are none.
        sessions: how often somebody counted for it.
        ended: why there is nothing to go on with; empty if there is.
    """

    number: int
    registration: Registration
    begun: str
    commits: int = 0
    standing: Standing = field(default_factory=Standing)
    open: Tally | None = None
    sessions: int = 0
    ended: str = ""

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
    """The runs in a file.

    Raises:
        FairdeckError: from any method: the file cannot be read or written, is no store, or is one of a newer fairdeck.
    """

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
        begun = utc_now()
        with self._writing() as file:
            number = file.execute(
                "insert into runs (registration, begun, commits, standing, sessions, ended) values (?, ?, 0, ?, 0, '')",
                [registered.text, begun, _facts(Standing())],
            ).lastrowid
            if registered.inquiry.kind != "known":
                file.execute(BEGINNERS)
                file.execute("insert into beginners values (?, ?)", [number, account.tag_of(registered)])
        return Run(int(number or 0), registered, begun)

    def commit(
        self, run: Run, new: Iterable[Range] = (), also: Callable[[sqlite3.Connection], object] = lambda _file: None
    ) -> Run:
        """Write a run as it is now, with the ranges that were not written yet, all or nothing; return it as written.

        What `also` writes belongs to the same transaction.

        Raises:
            FairdeckError: another process has committed this run since it was read; or nothing could be written, for
                want of space, say. The store is as it was.
        """
        written = replace(run, commits=run.commits + 1)
        with self._writing() as file:
            updated = file.execute(
                "update runs set commits = ?, standing = ?, sessions = ?, ended = ? where id = ? and commits = ?",
                [written.commits, _facts(run.standing), run.sessions, run.ended, run.number, run.commits],
            )
            if not updated.rowcount:
                raise FairdeckError(
                    f"another process continues run {run.number} of {self.path}: it is counted there, once; "
                    "look at it with: fairdeck runs"
                )
            file.executemany(
                "insert into ranges values (?, ?, ?, ?, ?, ?, ?)",
                ([run.number, each.first, each.blocks, each.decks, each.before, each.digest, each.sum] for each in new),
            )
            self._write_tallies(run)
            also(self._file)
        return written

    def rows(self, query: str, *values: Any) -> list[Any]:
        """Return the rows that a query finds; none if its table was never made."""
        with self._reading() as file:
            try:
                return file.execute(query, values).fetchall()
            except sqlite3.OperationalError as error:
                if "no such table" in str(error):
                    return []
                raise

    def only(self, number: int | None) -> Run:
        """Return the run of this number, or the only one that there is.

        Raises:
            FairdeckError: there are several, and no number is given.
        """
        if number is None:
            numbers = self.numbers()
            if len(numbers) != 1:
                what = f"the runs {', '.join(map(str, numbers))}: say which with --run" if numbers else "no run"
                raise FairdeckError(f"{self.path} holds {what}; see: fairdeck runs {quote(str(self.path))}")
            (number,) = numbers
        return self.run(number)

    def is_ours(self, run: Run) -> bool:
        """Tell whether this account began a run of a function, a program or a file."""
        tags = self.rows("select tag from beginners where run = ?", run.number)
        return any(type(tag) is bytes and account.is_ours(run.registration, tag) for (tag,) in tags)

    def numbers(self) -> list[int]:
        """Return the numbers of all runs."""
        with self._reading() as file:
            return [number for (number,) in file.execute("select id from runs order by id")]

    def run(self, number: int) -> Run:
        """Return a run as it was committed last."""
        columns = "registration, begun, commits, standing, sessions, ended"
        with self._reading() as file:
            row = file.execute(f"select {columns} from runs where id = ?", [number]).fetchone()  # noqa: S608
            stored = dict[str, tuple[str, bytes]]()
            for name, same_as, data in file.execute("select name, same_as, data from tallies where run = ?", [number]):
                stored[name] = same_as, data
        if row is None:
            raise FairdeckError(f"{self.path} has no run {number}; see: fairdeck runs {quote(str(self.path))}")
        registered = registration.read(row[0])
        try:
            kept: dict[str, Tally] = {
                name: tallies.unpacked(registered.inquiry.battery, data)
                for name, (same_as, data) in stored.items()
                if not same_as
            }
            if any(same_as and data is not None for same_as, data in stored.values()):
                raise ValueError("counts that are stored twice")
            kept |= {name: kept[same_as] for name, (same_as, _) in stored.items() if same_as}
            if list(map(type, row)) != [str, str, int, str, int, str]:
                raise ValueError("columns of other types")
            standing = _standing(row[3], {name: kept.get(name) for name in TALLIES})
            _check(standing, len(registered.inquiry.battery.members))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            if isinstance(error, FairdeckError):
                raise
            raise self._damaged(number, error) from None
        return Run(number, registered, row[1], row[2], standing, kept.get(OPEN), *row[4:])

    def ranges(self, number: int) -> list[Range]:
        """Return the ranges of a run, in order."""
        columns = "first, blocks, decks, before, digest, sum"
        with self._reading() as file:
            query = f"select {columns} from ranges where run = ? order by first"  # noqa: S608
            rows = file.execute(query, [number]).fetchall()
        for row in rows:
            if list(map(type, row)) != [int, int, int, int, bytes, bytes] or min(row[:4]) < 0:
                raise self._damaged(number, "a range")
        return [Range(*row) for row in rows]

    def _damaged(self, number: int, why: object) -> FairdeckError:
        return FairdeckError(f"run {number} of {self.path} is damaged ({why}): restore it from a copy")

    def _write_tallies(self, run: Run) -> None:
        held = {name: getattr(run.standing, name) for name in TALLIES} | {OPEN: run.open}
        self._file.execute("delete from tallies where run = ?", [run.number])
        first: dict[int, str] = {}
        for name, tally in held.items():
            if tally is None:
                continue
            same_as = first.setdefault(id(tally), name)
            data = None if same_as != name else tallies.packed(run.inquiry.battery, tally)
            self._file.execute(
                "insert into tallies values (?, ?, ?, ?)", [run.number, name, same_as if data is None else "", data]
            )

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
    """Check that the journal beside a store, which SQLite obeys as soon as it reads the store, names no other file.

    One that belongs to several databases at once ends with the name of a file that SQLite deletes then.

    Raises:
        FairdeckError: it names one; no journal of ours does.
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


def _facts(standing: Standing) -> str:
    """Return everything of a standing but its tallies, as JSON; its numbers come back digit for digit."""
    return json.dumps(
        {each.name: getattr(standing, each.name) for each in fields(standing) if each.name not in TALLIES}
    )


def _standing(text: str, kept: dict[str, Tally | None]) -> Standing:
    facts: dict[str, Any] = json.loads(text)
    facts["settled"] = None if facts["settled"] is None else tuple(facts["settled"])
    return Standing(**facts | kept)


def _check(now: Standing, members: int) -> None:
    """Check that a trial of so many members can stand where a file says.

    Raises:
        ValueError: it cannot; TypeError: a number is something else.
    """
    decks, p_value = now.settled or (0, 1.0)
    shares = [share for tally, share in ((now.analysed, now.share), (now.found, now.found_share)) if tally]
    numbers = (p_value, now.analyses_p, now.log_wealth, *shares)
    # Comparisons with NaN are false.
    if not (
        all(type(each) in (int, float) and isfinite(each) for each in numbers)
        and 0 <= p_value <= 1
        and 0 <= now.analyses_p <= 1
        and now.log_wealth >= 0
        and all(0 < share <= 1 for share in shares)
        and type(decks) is type(now.best_bet) is int
        and 0 <= decks <= (now.tally.decks if now.tally else 0)
        and 0 <= now.best_bet < members
        and isinstance(now.complaint, str)
    ):
        raise ValueError("a standing that no trial reaches")
