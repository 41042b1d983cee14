"""A run that never ends: live logs of decks, watched for months at one level, through every crash.

Several logs are one run. Its decks are counted in blocks of the sizes of `block_sizes`, in the order in which they are
read; each deck is compared with those before it in its own log. Half of the level is for a trial over all decks
(`fairdeck.lab.judging.trial`), half for windows (`fairdeck.lab.watching.windows`), which see a fault that begins late.
The two add up, and each holds its half at every moment, so the whole level holds however long the logs are watched.

What was counted, the places in the logs, and the decks that wait for the rest of their block are committed in one
transaction. So after a crash nothing is counted twice, and nothing is lost that the logs still hold.
"""

import base64
import io
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from sqlite3 import Connection
from time import monotonic
from typing import Any, TypeVar

import numpy as np

from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import LEAD, Block, Decks
from fairdeck.lab.judging.families import FAMILIES
from fairdeck.lab.judging.tally import DEFAULT_LAGS, Battery, Tally, block_sizes, fingerprint
from fairdeck.lab.judging.trial import Trial, wealth
from fairdeck.lab.judging.verdict import DEFAULT_ALPHA, Finding, Outcome, Weighed
from fairdeck.lab.runs import tallies
from fairdeck.lab.runs.registration import Registration
from fairdeck.lab.runs.store import Run, Store
from fairdeck.lab.sources.file import ARRAY_OF_ARRAYS, first_lines, order_of, text_file
from fairdeck.lab.sources.text import NumberReading, Reading, WordReading
from fairdeck.lab.statistics.repeats import Repeats
from fairdeck.lab.usercode.command_lines import joined
from fairdeck.lab.watching import windows
from fairdeck.lab.watching.change_point import change_point
from fairdeck.lab.watching.deck_lines import DeckLines
from fairdeck.lab.watching.live_log import LiveLog, Place
from fairdeck.lab.watching.pipe import Pipe
from fairdeck.lab.watching.windows import Found, Segment, Windows

KIND = "monitor"
MOST_DECKS = 10**12
OF_ALL = 0.5  # of the level, for all decks together; the windows have the rest
EVERY, COST = 1.0, 10  # seconds between commits, at least; and so many times what a commit takes
GLANCES = 5.0  # seconds between looks at a block that is not complete
DATED_UNTIL = 32  # segments after the alarm: then it is known when the fault began, as well as it ever will be

SCHEMA = (
    "create table if not exists monitors (run integer primary key, state text not null, waiting blob not null, "
    "open blob, found blob)",
    "create table if not exists segments (run integer, first integer, decks integer not null, joined integer not null, "
    "began text not null, data blob not null, primary key (run, first)) without rowid",
)


@dataclass(frozen=True)
class Alarm:
    """When a fault was found.

    Attributes:
        decks: the decks read until then.
        time: when, as ISO 8601 text.
        p_value: of the whole run, at that moment.
        first: the decks before those that showed it.
        shown_by: how many decks showed it.
        in_window: whether a window showed it, and not all decks together.
    """

    decks: int
    time: str
    p_value: float
    first: int
    shown_by: int
    in_window: bool


@dataclass(frozen=True)
class Onset:
    """From which deck on it went wrong.

    Attributes:
        deck: the likeliest first wrong deck, counted from 1; 1 where no change is seen.
        low: the earliest that is likely; with `high` an interval that holds the first wrong deck in 95 of 100 cases.
        high: the latest.
        began: when the decks from `low` on were read.
        until: when those from `high` on were read; empty if the latest is meant.
        statistic: what changed; empty if no change is seen.
    """

    deck: int
    low: int
    high: int
    began: str
    until: str
    statistic: str


@dataclass(frozen=True)
class LogStatus:
    """What is known of one log: its name, the decks and the bad lines in it, and how often the rest of it was lost."""

    name: str
    decks: int
    bad: int
    latest_bad: str
    lost: int


@dataclass(frozen=True)
class Status:
    """Where a watch stands.

    Attributes:
        store: the path of the store.
        run: the number of the run in it; 0 before the first deck.
        begun: when it was registered.
        time: now.
        latest: when the latest deck was read; empty before the first.
        cards: of a deck; 0 before the first.
        decks: read.
        outcome: ``fail``; ``pass``: no fault in enough decks; ``insufficient``: neither.
        p_value: of everything since the beginning.
        alpha: the level of the whole watch, however long it lasts.
        spent: the part of the level that is spent.
        logs: every log.
        alarm: when a fault was found; None if none was.
        onset: from which deck on it went wrong; None if that is not known (yet).
        findings: what is wrong, the plainest first.
        labels: the names of the cards; empty if they are numbers.
    """

    store: str
    run: int
    begun: str
    time: str
    latest: str
    cards: int
    decks: int
    outcome: Outcome
    p_value: float
    alpha: float
    spent: float
    logs: tuple[LogStatus, ...]
    alarm: Alarm | None = None
    onset: Onset | None = None
    findings: tuple[Finding, ...] = ()
    labels: Sequence[str] = ()


@dataclass
class _Log:
    """A log, and what is known of its decks."""

    lines: LiveLog | Pipe
    reader: DeckLines | None = None
    head: bytes = b""  # of a log that has too few lines to tell how it is written
    lead: list[Decks] = field(default_factory=list)  # one array: the decks before the next block
    counted: int = 0
    waiting: list[Decks] = field(default_factory=list)


@dataclass(frozen=True)
class _Settings:
    """What somebody asked for; None or empty for what is usual, or was fixed when the watch began."""

    alpha: float | None
    cards: int | None
    order: str | None
    only: tuple[str, ...]
    lags: int | None

    def check(self, registered: Registration, store: Path) -> None:
        """Check that a stored watch has the same settings."""
        for name, mine in asdict(self).items():
            theirs = getattr(registered, name)
            if name == "order":
                mine, theirs = (" ".join(order_of(each)) for each in (mine, theirs))
            if mine and mine != theirs:
                raise FairdeckError(
                    f"{name} {mine}: the watch in {store} has {theirs}, which was fixed before its first deck: "
                    f"leave --{name} out, or name another store"
                )


class Monitor:
    """Watches live logs; see the module."""

    def __init__(
        self,
        store: Path,
        logs: Sequence[str],
        *,
        alpha: float | None = None,
        cards: int | None = None,
        order: str | None = None,
        only: Iterable[str] = (),
        lags: int | None = None,
        from_start: bool = False,
    ) -> None:
        """Begin a watch, or go on with the one in the store.

        Args:
            store: the file that keeps it.
            logs: the paths of the logs; ``-`` is standard input. Others may be added later, and some left out.
            alpha: the largest chance of a false alarm in the whole life of the watch (default: 1e-6).
            cards: the cards of a deck; None takes the size of the first one.
            order: the names of the cards in the order of the start deck, if they are words.
            only: the names of the statistics to ask; all if empty.
            lags: decks are compared with those up to so many before them (default: 2).
            from_start: whether standard input gives the decks that were counted before again.

        Raises:
            FairdeckError: the store cannot be used, or holds a watch with other settings.
        """
        # A log is known by its whole path, from whatever folder it was named.
        names = {name if name == "-" else os.path.abspath(name): name for name in logs}  # noqa: PTH100 - links stay
        files = [os.stat(each) for each in names if os.path.isfile(each)]  # noqa: PTH116, PTH113 - as they are named
        if len(names) < len(logs) or len({(each.st_dev, each.st_ino) for each in files}) < len(files):
            raise FairdeckError("a log is named twice: each is read once")
        self._asked = _Settings(alpha, cards, order, tuple(sorted(only)), lags)
        self.store = Store(store, create=True)
        self._again = from_start
        self._logs: dict[str, _Log] = {}
        self._reading: Reading | None = None
        self._run: Run | None = None
        self._latest = ""
        self._alarm: Alarm | None = None
        self._onset: Onset | None = None
        self._dated = 0  # segments after the alarm that were used to date it
        self._stored: set[tuple[int, int]] = set()  # segments
        self._glanced: tuple[int, float] = (0, 0.0)
        self._next = monotonic() + EVERY
        self.dirty = False
        self._whole = True  # whether everything up to the places in the logs was taken: only then it may be committed
        self._closed_at_alarm = 0
        self._block_began = ""
        # Of logs, also of those that are not watched now: facts, and the decks before the block and in it.
        self._states: dict[str, dict[str, Any]] = {}
        self._held: dict[str, tuple[list[Decks], list[Decks]]] = {}
        numbers = [number for number in self.store.numbers() if self.store.run(number).registration.kind == KIND]
        if numbers:
            self._go_on(self.store.run(numbers[-1]))
        for path in names:
            self._find_again(path, names)
            self._logs[path] = self._opened(path)
        for path, log in self._logs.items():
            log.lead, waiting = self._held.pop(path, ([], []))
            for decks in waiting:
                self._wait(log, decks)

    # --- reading

    def step(self, stopped: Callable[[], bool] = lambda: False) -> int:
        """Read what is new in all logs, and judge it; return how many decks were read.

        Raises:
            FairdeckError: a log cannot be read, or nearly all of its lines are not decks. The rest is committed.
        """
        before = self.decks
        for log in self._logs.values():
            for text, begins in log.lines.pieces():
                self._whole = False
                self._take(log, text, begins)
                self._whole = True
                if log.reader and log.reader.refused:
                    said, log.reader.refused = log.reader.refused, ""
                    raise FairdeckError(said)
                if monotonic() >= self._next:
                    self.commit()
                if stopped():
                    return self.decks - before
        self._glance()
        return self.decks - before

    @property
    def decks(self) -> int:
        """The decks read."""
        return (self._trial.decks if self._run else 0) + self._in_waiting

    @property
    def pipes(self) -> list[Pipe]:
        """Standard input, if it is watched."""
        return [log.lines for log in self._logs.values() if isinstance(log.lines, Pipe)]

    def missing(self) -> str:
        """Return the name of a log that is not there; empty if all are."""
        return next((name for name in self._logs if name != "-" and not Path(name).exists()), "")

    @property
    def seen_all(self) -> bool:
        """Whether only pipes are watched, and all have ended."""
        return all(isinstance(log.lines, Pipe) and log.lines.ended for log in self._logs.values())

    def _find_again(self, path: str, names: Iterable[str]) -> None:
        """Recognise a log that was read under another name: through a link, or before its folder was moved."""
        if path in self._states or path == "-":
            return
        for name in [each for each in self._states if each != "-"]:
            if LiveLog(path, **self._states[name]["place"]).is_there:
                if name in names:
                    raise FairdeckError(f"{path} and {name} are one file: name it once")
                self._states[path] = self._states.pop(name)
                self._held[path] = self._held.pop(name, ([], []))
                return

    def _opened(self, name: str) -> _Log:
        state = self._states.get(name, {})
        place = state.get("place", {})
        log = _Log(Pipe(**place, again=self._again) if name == "-" else LiveLog(name, **place))
        if state:
            log.head, log.counted = base64.b64decode(state["head"]), state["counted"]
            if state["reader"] and self._run and self._reading:
                remedy = state["reader"].pop("remedy")
                header = base64.b64decode(state["reader"].pop("header"))
                log.reader = DeckLines(
                    log.lines.name, self._cards, self._reading, remedy, header=header, **state["reader"]
                )
        return log

    def _take(self, log: _Log, text: bytes, begins: bool) -> None:
        """Read whole lines."""
        self.dirty = True
        if log.reader is None:
            log.head += text
            if len(first_lines(log.head[: log.head.rfind(b"\n") + 1])) < 2:
                return
            text, begins, log.head = log.head, True, b""
            log.reader = self._reader(log.lines.name, text)
        for decks in log.reader.read(text, begins):
            self._latest = _now()
            self._wait(log, decks)

    def _reader(self, name: str, head: bytes) -> DeckLines:
        """Find out how a log is written; the first one decides how all are."""
        if ARRAY_OF_ARRAYS.match(head):
            raise FairdeckError(f"{name} holds one array of decks, which cannot grow: write one deck on each line")
        settings = self._run.registration if self._run else None
        cards = settings.cards if settings else self._asked.cards
        order = (settings.order if settings else self._asked.order) or None
        decoder = text_file(name, io.BytesIO(), head, iter([]), cards, order).decoder
        header = b"".join(each + b"\n" for each in head.split(b"\n")[: decoder.lines])
        if self._reading is None:
            self._reading = decoder.reading
            if isinstance(decoder.reading, NumberReading):
                decoder.reading.rows(head[len(header) :], decoder.cards)  # whether they count from 0 or 1
        if self._run is None:
            self._begin(decoder.cards)
        if type(decoder.reading) is not type(self._reading):
            raise FairdeckError(
                f"{name} writes its cards in another way than the other logs: give it a watch of its own"
            )
        return DeckLines(name, decoder.cards, self._reading, decoder.remedy, header)

    def _begin(self, cards: int) -> None:
        """Register the run."""
        asked = self._asked
        order = "\n".join(self._reading.order) if isinstance(self._reading, WordReading) else ""
        registered = Registration(
            kind=KIND,
            what=joined(self._logs),
            cards=cards,
            decks=MOST_DECKS,
            announced=False,
            alpha=DEFAULT_ALPHA if asked.alpha is None else asked.alpha,
            only=asked.only,
            lags=DEFAULT_LAGS if asked.lags is None else asked.lags,
            order=order,
            timeout=0.0,
        )
        _ = registered.battery  # wrong names are told before anything is stored
        self._start(self.store.begin(registered, _now()), windows.Standing([]))
        self._next = monotonic()  # so that the place in the log is known from the beginning

    def _start(self, run: Run, standing: windows.Standing) -> None:
        self._run = replace(run, sessions=run.sessions + 1)
        registered = run.registration
        self._cards, self._battery = registered.cards, registered.battery
        self._trial = Trial(
            self._battery, registered.decks, registered.alpha * OF_ALL, announced=False, standing=run.standing
        )
        self._windows = Windows(self._battery, registered.alpha * (1 - OF_ALL), standing)
        self._sizes = block_sizes(self._cards, registered.decks)
        self._size, self._turn, done = next(self._sizes), 0, 0
        while done < self._trial.decks:
            done += self._size
            self._size, self._turn = next(self._sizes), self._turn + 1

    # --- counting

    @property
    def _in_waiting(self) -> int:
        return sum(len(decks) for log in self._logs.values() for decks in log.waiting)

    def _wait(self, log: _Log, decks: Decks) -> None:
        """Add decks to the block; count it when it is full."""
        while len(decks):
            self._block_began = self._block_began or self._latest
            room = self._size - self._in_waiting
            log.waiting.append(decks[:room])
            decks = decks[room:]
            if self._in_waiting == self._size:
                self._count_block()

    def _count_block(self) -> None:
        tally = self._tally()
        for log in self._logs.values():
            if log.waiting:
                waited = np.concatenate(log.waiting)
                log.lead = [np.concatenate([*log.lead, waited])[-LEAD:]]
                log.counted += len(waited)
                log.waiting = []
        self._trial.add(tally)
        self._windows.add(tally, self._block_began)
        self._block_began = ""
        self._size, self._turn = next(self._sizes), self._turn + 1
        self._look()

    def _tally(self) -> Tally:
        """Return the counts of the decks that wait, each log's compared with those before them in that log."""
        parts = []
        for log in self._logs.values():
            if log.waiting:
                decks = np.concatenate(log.waiting)
                lead = log.lead[0] if log.lead else decks[:0]
                parts.append(Block(decks, lead, log.counted, self._turn))
        return self._battery.tally_all(parts)

    def _glance(self) -> None:
        """Settle the bets on the decks that wait, now and then."""
        decks, at = self._glanced
        if self._run and self._in_waiting and self.decks != decks and monotonic() - at > GLANCES:
            tally = self._tally()
            self._trial.glance(tally)
            self._windows.glance(tally)
            self._look()
            self._glanced = self.decks, monotonic()

    # --- judging

    def _look(self) -> None:
        """Raise the alarm if a fault was found, and say when it began."""
        if self._alarm is None and (self._trial.failed or self._windows.failed):
            found = None if self._trial.failed else self._windows.standing.found
            first, shown_by = (found.first, found.decks) if found else (0, self.decks)
            self._alarm = Alarm(self.decks, _now(), self._p_value, first, shown_by, found is not None)
            self._closed_at_alarm = self._windows.standing.closed
            self._date()
        elif self._alarm:
            # Again when there are twice as many decks after the alarm.
            after = self._windows.standing.closed - self._closed_at_alarm
            if 2 * self._dated <= after <= DATED_UNTIL and after > self._dated:
                self._dated = after
                self._date()

    def _date(self) -> None:
        for found in self._findings():
            onset = self._onset_of(found.weighed) if found.weighed else None
            # A change after the alarm is another one: the fault went away, say.
            if onset and self._alarm and onset.deck <= self._alarm.decks:
                self._onset = replace(onset, high=min(onset.high, self._alarm.decks))
                return

    def _onset_of(self, weighed: Weighed) -> Onset | None:
        """Return when the counts changed that show a fault; None if they are not kept."""
        battery = self._windows.battery
        members = [(each.statistic.name, each.lag) for each in battery.members] if battery else []
        if (weighed.evidence.statistic, weighed.lag) not in members:
            return None
        at = members.index((weighed.evidence.statistic, weighed.lag))
        if battery is None or isinstance(battery.members[at].statistic, Repeats):
            return None  # fingerprints are no counts: they do not add up to a share before and one after
        kept: list[Segment] = []
        counts = []
        for segment, tally in self._windows.parts():
            kept.append(segment)
            counts.append(tally.counts[at])
        found = change_point(counts) if counts else None  # none, before the first block is complete
        if found is None or (not found.at and self._alarm and self._alarm.first):
            return None  # a window showed it, but too few decks of it to see when it began
        starts = [segment.first for segment in kept]
        seen = kept[-1].first + kept[-1].decks
        return Onset(
            deck=starts[found.at] + 1,
            low=starts[found.low] + 1,
            high=starts[found.high] if found.high < len(kept) else seen,
            began=kept[found.low].began,
            until=kept[found.high].began if found.high < len(kept) else "",
            statistic=weighed.name if found.at else "",
        )

    def _findings(self) -> tuple[Finding, ...]:
        """Return what is wrong: by what raised the alarm, the trial or a window."""
        windows_ = self._windows
        found = windows_.standing.found
        if not found or not self._alarm or not self._alarm.in_window:
            return self._trial.verdict().findings
        weighed = windows_.weighed()
        if found.by_bets:
            return (self._won(found),)
        faults = [each for each in weighed if each.adjusted / found.share <= windows_.level] or list(weighed[:1])
        faults.sort(key=lambda each: (each.evidence.roundabout, list(FAMILIES).index(each.family), each.lag))
        return tuple(Finding(each.evidence.p_value, each) for each in faults)

    def _won(self, found: Found) -> Finding:
        """Return the fault on which the best bet of a window won."""
        battery = self._windows.battery
        assert battery  # noqa: S101 - a window was judged
        tally = tallies.unpacked(battery, found.data)
        _, at = wealth(battery, tally) or (0.0, 0)
        member = battery.members[at]
        evidence = member.statistic.bet_on(tally.counts[at], battery.cards, tally.seen[member.lag])
        return Finding(self._windows.standing.p_value, Weighed(evidence, member.family, member.lag, 0.0, 1.0))

    @property
    def _p_value(self) -> float:
        """Return the p-value of the whole watch."""
        return min(1.0, self._trial.p_value / OF_ALL, self._windows.standing.p_value / (1 - OF_ALL))

    def status(self) -> Status:
        """Return where the watch stands, everything judged that can be."""
        logs = tuple(
            LogStatus(
                log.lines.name,
                log.reader.decks if log.reader else 0,
                log.reader.bad if log.reader else 0,
                log.reader.latest_bad if log.reader else "",
                log.lines.lost,
            )
            for log in self._logs.values()
        )
        store, now = str(self.store.path), _now()
        if self._run is None:
            alpha = self._asked.alpha or DEFAULT_ALPHA
            return Status(store, 0, "", now, "", 0, 0, "insufficient", 1.0, alpha, 0.0, logs)
        self._glanced = self._glanced[0], 0.0
        self._glance()
        verdict = self._trial.verdict()
        self._look()
        outcome = verdict.outcome if self._alarm is None else "fail"
        registered = self._run.registration
        spent = self._trial.spent + registered.alpha * (1 - OF_ALL) * self._windows.spent
        return Status(
            store=store,
            run=self._run.number,
            begun=self._run.begun,
            time=now,
            latest=self._latest,
            cards=self._cards,
            decks=self.decks,
            outcome=outcome,
            p_value=self._alarm.p_value if self._alarm else self._p_value,
            alpha=registered.alpha,
            spent=spent,
            logs=logs,
            alarm=self._alarm,
            onset=self._onset,
            findings=self._findings() if self._alarm else (),
            labels=tuple(self._reading.labels(self._cards)) if self._reading else (),
        )

    # --- keeping

    def commit(self) -> None:
        """Write everything to the store, in one transaction; nothing if it was stopped in the middle of adding up."""
        self._next = monotonic() + EVERY
        if self._run is None or not self.dirty or not self._whole:
            return
        began = monotonic()
        run = replace(self._run, standing=self._trial.standing)
        self._run = self.store.commit(run, also=partial(self._write, run.number))
        self._stored = {(each.first, each.decks) for each in self._windows.standing.segments}
        self.dirty = False
        self._next = monotonic() + max(EVERY, COST * (monotonic() - began))

    def close(self) -> None:
        """Close all files; what was not committed is read again."""
        for log in self._logs.values():
            log.lines.close()
        self.store.close()

    def _write(self, number: int, file: Connection) -> None:
        standing, battery = self._windows.standing, self._windows.battery
        for table in SCHEMA:
            file.execute(table)
        opened = tallies.packed(battery, standing.open) if battery and standing.open else None
        state, waiting = self._state()
        file.execute(
            "insert or replace into monitors values (?, ?, ?, ?, ?)",
            [number, json.dumps(state), waiting, opened, standing.found.data if standing.found else None],
        )
        kept = {(each.first, each.decks) for each in standing.segments}
        file.executemany(
            "delete from segments where run = ? and first = ?", ([number, first] for first, _ in self._stored - kept)
        )
        file.executemany(
            "insert into segments values (?, ?, ?, ?, ?, ?)",
            (
                [number, each.first, each.decks, each.joined, each.began, each.data]
                for each in standing.segments
                if (each.first, each.decks) not in self._stored
            ),
        )

    def _state(self) -> tuple[dict[str, Any], bytes]:
        """Return everything else that is stored: facts, and the decks that wait with those before them."""
        standing, parts, sizes = self._windows.standing, list[Decks](), {}
        for name, log in self._logs.items():
            lead = log.lead[0] if log.lead else np.empty((0, self._cards), np.int16)
            parts += [lead, *log.waiting]
            sizes[name] = [len(lead), sum(map(len, log.waiting))]
            self._states[name] = {
                "place": log.lines.state(),
                "head": base64.b64encode(log.head).decode(),
                "counted": log.counted,
                "reader": _of_reader(log.reader) if log.reader else None,
            }
        for name, (before, after) in self._held.items():
            parts += [*before, *after]
            sizes[name] = [sum(map(len, before)), sum(map(len, after))]
        state = {
            "statistics": fingerprint(),
            "logs": self._states,
            "sizes": sizes,
            "first": self._reading.first if isinstance(self._reading, NumberReading) else None,
            "latest": self._latest,
            "block_began": self._block_began,
            "alarm": asdict(self._alarm) if self._alarm else None,
            "closed_at_alarm": self._closed_at_alarm,
            "onset": asdict(self._onset) if self._onset else None,
            "dated": self._dated,
            "windows": {
                "closed": standing.closed,
                "open_first": standing.open_first,
                "open_began": standing.open_began,
                "p_value": standing.p_value,
            },
            "found": {**asdict(replace(standing.found, data=b"")), "data": ""} if standing.found else None,
        }
        decks = np.concatenate(parts) if parts else np.empty((0, self._cards), np.int16)
        return state, zlib.compress(decks.astype("<i2").tobytes(), 1)

    def _go_on(self, run: Run) -> None:
        """Read a stored watch."""
        registered = run.registration
        self._asked.check(registered, self.store.path)
        battery = windows.battery_of(registered.battery)
        query = "select state, waiting, open, found from monitors where run = ?"
        found = self.store.rows(query, run.number)
        if not found:  # it ended between its registration and its first commit
            self._reading = WordReading(order_of(registered.order)) if registered.order else None
            self._start(run, windows.Standing([]))
            return
        try:
            state = _state_in(found[0][0])
        except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
            raise self._damaged(error) from None
        if state["statistics"] != fingerprint():
            raise FairdeckError(
                f"the watch in {self.store.path} was begun by fairdeck {registered.version}, which counts otherwise: "
                "go on with that version, or name a new store; the levels of both add up"
            )
        try:
            self._take_state(run, battery, state, *found[0][1:])
        except FairdeckError:
            raise
        except (IndexError, KeyError, TypeError, ValueError, OverflowError, zlib.error) as error:
            raise self._damaged(error) from None

    def _damaged(self, why: object) -> FairdeckError:
        return FairdeckError(
            f"the watch in {self.store.path} is damaged ({str(why)[:80]}): "
            "restore the store from a copy, or name a new one"
        )

    def _take_state(
        self, run: Run, battery: Battery | None, state: dict[str, Any], waiting: bytes, opened: bytes, shown: bytes
    ) -> None:
        """Take what was stored, after checking it."""
        registered = run.registration
        segments = [
            _made(Segment, dict(zip(("first", "decks", "joined", "began", "data"), row, strict=True)))
            for row in self.store.rows(
                "select first, decks, joined, began, data from segments where run = ? order by first", run.number
            )
        ]
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
        self._reading = (
            WordReading(order_of(registered.order)) if registered.order else NumberReading(first=state["first"])
        )
        self._latest, self._block_began, self._dated = state["latest"], state["block_began"], state["dated"]
        self._alarm = _made(Alarm, state["alarm"]) if state["alarm"] else None
        self._closed_at_alarm = state["closed_at_alarm"]
        self._onset = _made(Onset, state["onset"]) if state["onset"] else None
        self._states = state["logs"]
        self._start(run, standing)
        self._held = dict(_unpacked(waiting, state["sizes"], registered.cards))


def monitor(logs: str | Sequence[str], store: str | os.PathLike[str], **settings: Any) -> Status:
    """Count what is new in live logs of decks, and return where the watch stands; call it again when there is more.

    Args:
        logs: the path of a log, or of several, which are one run.
        store: the file that keeps the watch; made if it does not exist.
        settings: of `Monitor`: alpha, cards, order, only, lags.

    Raises:
        FairdeckError: a log or the store cannot be used.
    """
    with closing(Monitor(Path(store), [logs] if isinstance(logs, str) else logs, **settings)) as watched:
        while watched.step():
            pass
        status = watched.status()
        watched.commit()
        return status


def _state_in(text: str) -> dict[str, Any]:
    """Return the facts of a stored watch, after checking their types.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: they are not as `Monitor` writes them.
    """
    state: dict[str, Any] = json.loads(text)
    types = {
        **dict.fromkeys(("statistics", "latest", "block_began"), str),
        **dict.fromkeys(("closed_at_alarm", "dated"), int),
        **dict.fromkeys(("logs", "sizes", "windows"), dict),
    }
    for name, kind in types.items():
        if type(state[name]) is not kind:
            raise ValueError(name)
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
        if not all(type(size) is int and size >= 0 and type(mark) is str for size, mark in log["place"]["begun"]):
            raise ValueError("begun")
    if not all(type(each) is int and each >= 0 for sizes in state["sizes"].values() for each in sizes):
        raise ValueError("sizes")
    return state


def _checked(types: Mapping[str, Any], found: Any) -> dict[str, Any]:
    """Return fields, after checking that they are these, of these types; no number is below 0."""
    if not isinstance(found, dict) or found.keys() != types.keys():
        raise ValueError(f"other fields than {', '.join(types)}")
    for name, kind in types.items():
        value = found[name]
        wanted = (int, float) if kind is float else (kind,)
        if type(value) not in wanted or (isinstance(value, int | float) and not value >= 0):
            raise ValueError(f"{name}: {value!r}")
    return found


Made = TypeVar("Made", Alarm, Onset, Found, Segment, Place)


def _made(kind: type[Made], found: Any) -> Made:
    """Return a record from its fields, after checking them."""
    return kind(**_checked({each.name: each.type for each in fields(kind)}, found))


def _of_reader(reader: DeckLines) -> dict[str, Any]:
    return {
        "remedy": reader.remedy,
        "header": base64.b64encode(reader.header).decode(),
        "lines": reader.lines,
        "decks": reader.decks,
        "bad": reader.bad,
        "latest_bad": reader.latest_bad,
    }


def _unpacked(
    data: bytes, sizes: dict[str, list[int]], cards: int
) -> Iterator[tuple[str, tuple[list[Decks], list[Decks]]]]:
    decks, at = np.frombuffer(zlib.decompress(data), "<i2").astype(np.int16).reshape(-1, cards), 0
    for name, (lead, waiting) in sizes.items():
        yield name, ([decks[at : at + lead]], [decks[at + lead : at + lead + waiting]])
        at += lead + waiting


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
