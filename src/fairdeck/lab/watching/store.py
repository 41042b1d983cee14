"""The store of a watch: all that it needs to go on after a crash.

What was counted, the places in the logs, and the decks that wait for the rest of their block are committed in one
transaction. So after a crash nothing is counted twice, and nothing is lost that the logs still hold.
"""

import base64
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from sqlite3 import Connection
from typing import Any, TypeVar

import numpy as np

from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Decks
from fairdeck.lab.inquiry import Inquiry, Kind
from fairdeck.lab.judging.tally import Battery, fingerprint
from fairdeck.lab.runs import tallies
from fairdeck.lab.runs.registration import Registration
from fairdeck.lab.runs.store import Run, Store, utc_now
from fairdeck.lab.sources.file import order_of
from fairdeck.lab.sources.text import NumberReading, Reading, WordReading
from fairdeck.lab.watching import windows
from fairdeck.lab.watching.analysis import Analysis, Raised
from fairdeck.lab.watching.live_log import Place
from fairdeck.lab.watching.status import Alarm, Onset
from fairdeck.lab.watching.windows import Found, Segment

KIND: Kind = "monitor"
LARGEST = 2**63  # no number in a watch is so large
SCHEMA = (
    "create table if not exists monitors (run integer primary key, state text not null, waiting blob not null, "
    "open blob, found blob)",
    "create table if not exists segments (run integer, first integer, decks integer not null, joined integer not null, "
    "began text not null, data blob not null, primary key (run, first)) without rowid",
)

Held = dict[str, tuple[Sequence[Decks], Sequence[Decks]]]
"""For each log its decks before the block that is not complete, and those in it."""


@dataclass(frozen=True)
class Kept:
    """What is stored of a watch besides its run and what its analyses found.

    Attributes:
        logs: for each log its place and what is known of it; also of those that are not watched now.
        held: the decks of each log that wait for the rest of their block, with those before them.
        reading: how all logs name their cards; None before the first deck.
        latest: when the latest deck was read; empty before the first.
        block_began: when the first deck of the block was read; empty if it has none.
    """

    logs: dict[str, dict[str, Any]] = field(default_factory=dict)
    held: Held = field(default_factory=dict)
    reading: Reading | None = None
    latest: str = ""
    block_began: str = ""


class WatchStore:
    """The file that keeps a watch.

    Attributes:
        path: of the file.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, or make it."""
        self._file = Store(path, create=True)
        self.path = self._file.path
        self._stored: set[tuple[int, int]] = set()  # segments

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def latest(self) -> Run | None:
        """Return the run of the watch; None before its first deck."""
        runs = [self._file.run(number) for number in self._file.numbers()]
        return next((run for run in reversed(runs) if run.inquiry.kind == KIND), None)

    def begin(self, inquiry: Inquiry) -> Run:
        """Register a watch."""
        return self._file.begin(Registration(inquiry))

    # --- writing

    def commit(self, run: Run, analysis: Analysis, kept: Kept) -> Run:
        """Write everything, in one transaction; return the run as it is stored."""
        run = replace(run, standing=analysis.trial.standing)
        stored = self._file.commit(run, also=partial(self._write, run.number, analysis, kept))
        self._stored = {(each.first, each.decks) for each in analysis.windows.standing.segments}
        return stored

    def _write(self, number: int, analysis: Analysis, kept: Kept, file: Connection) -> None:
        standing, battery = analysis.windows.standing, analysis.windows.battery
        for table in SCHEMA:
            file.execute(table)
        opened = tallies.packed(battery, standing.open) if battery and standing.open else None
        facts, decks = json.dumps(_facts(analysis, kept)), _packed(kept.held, analysis.battery.cards)
        file.execute(
            "insert or replace into monitors values (?, ?, ?, ?, ?)",
            [number, facts, decks, opened, standing.found.data if standing.found else None],
        )
        now_there = {(each.first, each.decks) for each in standing.segments}
        file.executemany(
            "delete from segments where run = ? and first = ?",
            ([number, first] for first, _ in self._stored - now_there),
        )
        file.executemany(
            "insert into segments values (?, ?, ?, ?, ?, ?)",
            (
                [number, each.first, each.decks, each.joined, each.began, each.data]
                for each in standing.segments
                if (each.first, each.decks) not in self._stored
            ),
        )

    # --- reading

    def read(self, run: Run) -> tuple[Analysis, Kept]:
        """Return what was stored of a run, after checking it.

        Raises:
            FairdeckError: it is damaged, or another version of fairdeck counted otherwise.
        """
        inquiry = run.inquiry
        battery = windows.battery_of(inquiry.battery)
        query = "select state, waiting, open, found from monitors where run = ?"
        rows = self._file.rows(query, run.number)
        if not rows:  # it ended between its registration and its first commit
            return Analysis(run, windows.Standing([]), Raised()), Kept(reading=_words(inquiry))
        try:
            state = _state_in(rows[0][0])
        except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
            raise self._damaged(error) from None
        if state["statistics"] != fingerprint():
            raise FairdeckError(
                f"the watch in {self.path} was begun by fairdeck {run.registration.version}, which may count "
                "differently: continue with that version, or name a new store; the levels of both add up"
            )
        waiting, opened, shown = rows[0][1:]
        with self._telling_damage():
            standing = self._standing(run.number, battery, state, opened, shown)
            raised = Raised(
                alarm=_made(Alarm, state["alarm"]) if state["alarm"] else None,
                closed=state["closed_at_alarm"],
                onset=_made(Onset, state["onset"]) if state["onset"] else None,
                dated=state["dated"],
            )
            analysis = Analysis(run, standing, raised)
            held = _unpacked(waiting, state["sizes"], inquiry.cards)
            reading = _words(inquiry) or NumberReading(first=state["first"])
            return analysis, Kept(state["logs"], held, reading, state["latest"], state["block_began"])

    def _standing(
        self, number: int, battery: Battery | None, state: dict[str, Any], opened: bytes, shown: bytes
    ) -> windows.Standing:
        """Return where the windows stood."""
        query = "select first, decks, joined, began, data from segments where run = ? order by first"
        names = ("first", "decks", "joined", "began", "data")
        segments = [_made(Segment, dict(zip(names, row, strict=True))) for row in self._file.rows(query, number)]
        if any(each.first + each.decks != after.first for each, after in pairwise(segments)):
            raise ValueError("segments that do not follow each other")
        self._stored = {(each.first, each.decks) for each in segments}
        found = state["found"]
        standing = windows.Standing(
            segments,
            open=tallies.unpacked(battery, opened) if opened and battery else None,
            found=_made(Found, found | {"data": shown}) if found else None,
            **state["windows"],
        )
        if standing.found and battery:
            tallies.unpacked(battery, standing.found.data)
        return standing

    @contextmanager
    def _telling_damage(self) -> Iterator[None]:
        try:
            yield
        except FairdeckError:
            raise
        except (IndexError, KeyError, TypeError, ValueError, OverflowError, zlib.error) as error:
            raise self._damaged(error) from None

    def _damaged(self, why: object) -> FairdeckError:
        return FairdeckError(
            f"the watch in {self.path} is damaged ({str(why)[:80]}): restore the store from a copy, or name a new one"
        )


def _words(inquiry: Inquiry) -> Reading | None:
    """Return how cards are read that are words; None if they are numbers."""
    return WordReading(order_of(inquiry.order)) if inquiry.order else None


def _facts(analysis: Analysis, kept: Kept) -> dict[str, Any]:
    """Return everything that is stored as JSON."""
    standing, raised = analysis.windows.standing, analysis.raised
    return {
        "statistics": fingerprint(),
        "logs": kept.logs,
        "sizes": {name: [sum(map(len, decks)) for decks in both] for name, both in kept.held.items()},
        "first": kept.reading.first if isinstance(kept.reading, NumberReading) else None,
        "latest": kept.latest,
        "block_began": kept.block_began,
        "alarm": asdict(raised.alarm) if raised.alarm else None,
        "closed_at_alarm": raised.closed,
        "onset": asdict(raised.onset) if raised.onset else None,
        "dated": raised.dated,
        "windows": {
            "closed": standing.closed,
            "open_first": standing.open_first,
            "open_began": standing.open_began,
            "p_value": standing.p_value,
        },
        "found": {**asdict(replace(standing.found, data=b"")), "data": ""} if standing.found else None,
    }


def _packed(held: Held, cards: int) -> bytes:
    parts = [np.empty((0, cards), np.int16), *(each for before, after in held.values() for each in (*before, *after))]
    return zlib.compress(np.concatenate(parts).astype("<i2").tobytes(), 1)


def _unpacked(data: bytes, sizes: dict[str, list[int]], cards: int) -> Held:
    size = sum(map(sum, sizes.values())) * cards * 2
    unpacked = zlib.decompressobj().decompress(data, size + 1)  # no more, however much is packed there
    if len(unpacked) != size or size > tallies.MOST_BYTES:
        raise ValueError("other decks than it says")
    decks, at = np.frombuffer(unpacked, "<i2").astype(np.int16).reshape(-1, cards), 0
    held: Held = {}
    for name, (lead, waiting) in sizes.items():
        held[name] = [decks[at : at + lead]], [decks[at + lead : at + lead + waiting]]
        at += lead + waiting
    return held


def _state_in(text: str) -> dict[str, Any]:
    """Return the facts of a stored watch, after checking their types.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: they are not as `WatchStore` writes them.
    """
    state: dict[str, Any] = json.loads(text)
    types = {
        **dict.fromkeys(("statistics", "latest", "block_began"), str),
        **dict.fromkeys(("closed_at_alarm", "dated"), int),
        **dict.fromkeys(("logs", "sizes", "windows"), dict),
    }
    for name, kind in types.items():
        if type(state[name]) is not kind or (kind is int and not 0 <= state[name] < LARGEST):
            raise ValueError(name)
    datetime.fromisoformat(state["latest"] or utc_now())
    _checked({"closed": int, "open_first": int, "open_began": str, "p_value": float}, state["windows"])
    if state["first"] not in (None, 0, 1) or not 0 <= state["windows"]["p_value"] <= 1:
        raise ValueError("a number that no watch reaches")
    for name, log in state["logs"].items():
        _checked({"place": dict, "head": str, "counted": int, "reader": type(log["reader"])}, log)
        base64.b64decode(log["head"], validate=True)
        if log["reader"] is not None:
            facts = {"remedy": str, "header": str, "lines": int, "decks": int, "bad": int, "latest_bad": str}
            _checked(facts, log["reader"])
            base64.b64decode(log["reader"]["header"], validate=True)
        if name == "-":
            _checked({"offset": int, "mark": str}, log["place"])
            continue
        _checked({"places": list, "lost": int, "begun": list}, log["place"])
        for each in log["place"]["places"]:
            _made(Place, each)
        if not all(
            type(size) is int and 0 <= size < LARGEST and type(mark) is str for size, mark in log["place"]["begun"]
        ):
            raise ValueError("begun")
    if not all(type(each) is int and 0 <= each < LARGEST for sizes in state["sizes"].values() for each in sizes):
        raise ValueError("sizes")
    return state


def _checked(types: Mapping[str, Any], row: Any) -> dict[str, Any]:
    """Return fields, after checking that they are these, of these types; no number is below 0 or very large."""
    if not isinstance(row, dict) or row.keys() != types.keys():
        raise ValueError(f"other fields than {', '.join(types)}")
    for name, kind in types.items():
        value = row[name]
        wanted = (int, float) if kind is float else (kind,)
        if type(value) not in wanted or (isinstance(value, int | float) and not 0 <= value < LARGEST):
            raise ValueError(f"{name}: {value!r}")
    return row


Made = TypeVar("Made", Alarm, Onset, Found, Segment, Place)


def _made(kind: type[Made], row: Any) -> Made:
    """Return a record from its fields, after checking them."""
    return kind(**_checked({each.name: each.type for each in fields(kind)}, row))
