"""A run that never ends: live logs of decks, watched for months at one level, through every crash.

Several logs are one run. Its decks are counted in blocks of the sizes of `block_sizes`, in the order in which they are
read; each deck is compared with those before it in its own log. `logs` reads them, `analysis` judges what was counted,
`store` keeps everything, `status` says where the watch stands.
"""

import os
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

from fairdeck import numbers
from fairdeck.doors import checked
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import FEWEST, Block, Decks
from fairdeck.lab.causes import SECONDS, Cause, Sample
from fairdeck.lab.inquiry import Inquiry, asked_parts, asked_place, place_in_lines
from fairdeck.lab.judging.report import FEW_FOR_CAUSES, UNKNOWN_CAUSE
from fairdeck.lab.judging.sentences import named
from fairdeck.lab.judging.tally import DEFAULT_LAGS, LAGS, block_sizes
from fairdeck.lab.judging.verdict import DEFAULT_ALPHA
from fairdeck.lab.observations import told
from fairdeck.lab.observations.kinds import kinds_as_text
from fairdeck.lab.runs.registration import Registration
from fairdeck.lab.runs.store import Run, Store, utc_now
from fairdeck.lab.sizes import sizes_of
from fairdeck.lab.sources.file import order_of
from fairdeck.lab.sources.observed import Completion
from fairdeck.lab.sources.text import WordReading
from fairdeck.lab.usercode.process_groups import joined
from fairdeck.lab.watching import windows
from fairdeck.lab.watching.analysis import Analysis, Raised
from fairdeck.lab.watching.logs import Log, Logs
from fairdeck.lab.watching.pipe import Pipe
from fairdeck.lab.watching.status import Status
from fairdeck.lab.watching.store import KIND, Kept, damaged, latest
from fairdeck.randomness import seed_number

EVERY, COST = 1.0, 10  # seconds between commits, at least; and so many times what a commit takes
GLANCES = 5.0  # seconds between looks at a block that is not complete


@dataclass(frozen=True)
class _Settings:
    """What somebody asked for; None or empty for what is usual, or was fixed when the watch began."""

    alpha: float | None
    cards: int | None
    order: str | None
    layout: str
    only: tuple[str, ...]
    lags: int | None
    seen: str
    kinds: str
    board: str
    seed: int | None  # what is not seen is drawn from it

    def check(self, fixed: Inquiry, store: Path) -> None:
        """Check that a stored watch has the same settings."""
        for name, mine in asdict(self).items():
            theirs = getattr(fixed, name)
            if name == "order":
                mine, theirs = (" ".join(order_of(each)) for each in (mine, theirs))
            elif name == "only":
                mine, theirs = ",".join(mine), ",".join(theirs) or "all statistics"
            elif name == "layout":
                name, _, mine = mine.partition(" ")
                theirs = theirs.partition(" ")[2] or "what its logs show"
            if mine not in (None, "", ()) and mine != theirs:
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
        columns: str | None = None,
        path: str | None = None,
        only: Iterable[str] | Set[str] = (),
        lags: int | None = None,
        seen: str | None = None,
        deck: Iterable[Any] | None = None,
        kinds: str | Mapping[str, Any] | None = None,
        board: str | None = None,
        seed: Any = None,
        from_start: bool = False,
    ) -> None:
        """Begin a watch, or go on with the one in the store, whose settings must be these.

        The arguments are those of `monitor`; `from_start`: whether standard input, ``-`` among the logs, gives the
        decks that were counted before again.
        """
        if sizes_of(cards):
            raise FairdeckError(f"cards {cards}: a watch is of decks of one size: give each size a watch of its own")
        scheme, size, listed = asked_parts(KIND, seen, deck, cards)
        if scheme.startswith("prefix"):
            raise FairdeckError(
                "seen prefix: a watch needs equally many cards of each deck: say top:7, or test the log: fairdeck test"
            )
        if listed and order:
            raise FairdeckError("order and deck: both list the cards; leave one out")
        self._logs = Logs(logs, only=cards is not None and not scheme)
        self._asked = _Settings(
            None if alpha is None else numbers.alpha(alpha),
            size,
            "\n".join(listed) or order,
            place_in_lines(KIND, columns, path),
            tuple(sorted(only)),
            None if lags is None else numbers.whole("lags", lags, 0, LAGS),
            scheme,
            kinds_as_text(kinds or ""),
            (board or "").replace(" ", "").lower(),
            seed_number(seed) if scheme and seed is not None else None,
        )
        self._logs.asked = asked_place(self._asked.layout)
        self._store = Store(store, create=True)
        self._run: Run | None = None
        self._glanced: tuple[int, float] = (0, 0.0)
        self._next = monotonic() + EVERY
        self._causes: tuple[Cause, ...] = ()
        self._about_causes, self._asked_at = "", 0
        self._dirty = False
        self._whole = True  # whether everything up to the places in the logs was taken: only then it may be committed
        stored = latest(self._store)
        kept: Kept = stored.more if stored else Kept()
        self._latest = kept.latest  # when the latest deck was read
        self._block_began = kept.block_began
        try:
            if stored:
                self._asked.check(stored.inquiry, self._store.path)
            elif scheme:
                self._asked = replace(self._asked, seed=seed_number(self._asked.seed))
            if stored:
                self._start(stored, kept.analysis(stored))
            for log, decks in self._logs.open(kept, stored.inquiry if stored else None, again=from_start):
                self._wait(log, decks)
        except (ValueError, zlib.error) as error:
            raise error if isinstance(error, FairdeckError) else damaged(self._store, error) from None

    # --- reading

    def step(self, stopped: Callable[[], bool] = lambda: False) -> int:
        """Read what is new in all logs, and judge it; return how many decks were read.

        Raises FairdeckError if a log cannot be read, or nearly all of its lines are not decks. The rest is committed.
        """
        before = self.decks
        for log in self._logs:
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
        return (self._analysis.trial.decks if self._run else 0) + self._logs.waiting

    @property
    def pipes(self) -> list[Pipe]:
        """Standard input, if it is watched."""
        return [log.lines for log in self._logs if isinstance(log.lines, Pipe)]

    @property
    def lost(self) -> dict[str, int]:
        """How often the rest of an old file of each log was gone before it was read."""
        return {log.lines.name: log.lines.lost for log in self._logs}

    def missing(self) -> str:
        """Return the name of a log that is not there; empty if all are."""
        return self._logs.missing()

    @property
    def seen_all(self) -> bool:
        """Whether only pipes are watched, and all have ended."""
        return all(isinstance(log.lines, Pipe) and log.lines.ended for log in self._logs)

    def _take(self, log: Log, text: bytes, begins: bool) -> None:
        self._dirty = True
        reader = log.reader
        if reader is None:
            text, begins = log.begun(text), True
            if not text:
                return
            reader = self._logs.reader(log.lines.name, text, self._run.inquiry if self._run else self._asked)
            if reader is None:
                log.head = text
                return
            log.begin(reader, text)
            if self._run is None:
                self._begin(reader.cards)
        for decks in reader.read(text, begins):
            self._latest = utc_now()
            self._wait(log, decks)

    def _begin(self, cards: int) -> None:
        asked, reading = self._asked, self._logs.reading
        order = "\n".join(reading.order) if isinstance(reading, WordReading) else ""
        if isinstance(reading, Completion):
            order = "\n".join(reading.deck)
        fixed = {name: getattr(asked, name) for name in ("only", "seen", "kinds", "board", "seed", "layout")}
        fixed["alpha"] = DEFAULT_ALPHA if asked.alpha is None else asked.alpha
        fixed["lags"] = DEFAULT_LAGS if asked.lags is None else asked.lags
        what = joined(self._logs.names)
        inquiry = Inquiry(kind=KIND, what=what, cards=cards, announced=False, order=order, timeout=0.0, **fixed)
        _ = inquiry.battery  # wrong names are told before anything is stored
        run = self._store.begin(Registration(inquiry))
        self._start(run, Analysis(run, windows.Standing(), Raised()))
        self._next = monotonic()  # so that the place in the log is known from the beginning

    def _start(self, run: Run, analysis: Analysis) -> None:
        self._run, self._analysis = replace(run, sessions=run.sessions + 1), analysis
        self._sizes = block_sizes(run.inquiry.cards, run.inquiry.decks)
        self._size, self._turn, done = next(self._sizes), 0, 0
        while done < analysis.trial.decks:
            done += self._size
            self._size, self._turn = next(self._sizes), self._turn + 1

    # --- counting

    def _wait(self, log: Log, decks: Decks) -> None:
        """Add decks to the block; count it when it is full."""
        while len(decks):
            self._block_began = self._block_began or self._latest
            room = self._size - self._logs.waiting
            log.waiting.append(decks[:room])
            decks = decks[room:]
            if self._logs.waiting == self._size:
                self._count_block()

    def _count_block(self) -> None:
        tally = self._analysis.battery.tally_all(self._logs.blocks(self._turn))
        self._logs.pass_on()
        began, self._block_began = self._block_began, ""
        self._size, self._turn = next(self._sizes), self._turn + 1
        self._analysis.add(tally, began)

    def _glance(self) -> None:
        """Settle the bets on the decks that wait, now and then."""
        decks, at = self._glanced
        if self._run and self._logs.waiting and self.decks != decks and monotonic() - at > GLANCES:
            self._analysis.glance(self._analysis.battery.tally_all(self._logs.blocks(self._turn)), self.decks)
            self._glanced = self.decks, monotonic()

    # --- telling and keeping

    def status(self) -> Status:
        """Return where the watch stands, everything judged that can be."""
        logs = tuple(log.status() for log in self._logs)
        store, time = str(self._store.path), utc_now()
        if self._run is None:
            alpha = self._asked.alpha or DEFAULT_ALPHA
            return Status(store, 0, "", time, "", 0, 0, "insufficient", 1.0, alpha, 0.0, logs)
        self._glanced = self._glanced[0], 0.0
        self._glance()
        analysis, inquiry, reading = self._analysis, self._run.inquiry, self._logs.reading
        outcome = analysis.outcome(self.decks)
        return Status(
            store=store,
            run=self._run.number,
            begun=self._run.begun,
            time=time,
            latest=self._latest,
            cards=inquiry.cards,
            decks=self.decks,
            outcome=outcome,
            p_value=analysis.p_value,
            alpha=inquiry.alpha,
            spent=analysis.spent,
            logs=logs,
            alarm=analysis.raised.alarm,
            onset=analysis.raised.onset,
            findings=analysis.findings(),
            labels=tuple(reading.labels(inquiry.cards)) if reading else (),
            conditions=tuple(told(inquiry.sight, inquiry.seed or 0)) if inquiry.seen and inquiry.sight else (),
            causes=self._causes,
            about_causes=self._about_causes,
        )

    def look_for_causes(self, seconds: float = SECONDS) -> str:
        """Look for causes in the decks in memory since a fault began, for some seconds of processor time.

        Return what is known of them in a line; empty before there are twice as many decks as when it looked last.
        """
        from fairdeck.lab.causes.search import causes_of  # which an alarm does not need

        raised = self._analysis.raised if self._run else None
        if not raised or not raised.alarm or not self._run or self._run.inquiry.seen or not seconds:
            return ""
        onset, all_decks = raised.onset, self.decks
        since = all_decks - (onset.high - 1 if onset and onset.statistic else raised.alarm.first)
        parts = ((log.lines.name, log.latest(-(-since * log.decks // all_decks))) for log in self._logs if log.decks)
        name, decks = max(parts, key=lambda part: len(part[1]))
        if len(decks) < max(2, 2 * self._asked_at) or any(cause.certain for cause in self._causes):
            return ""
        block, battery = Block(decks, decks[:0]), self._analysis.battery
        found = causes_of(Sample(block, battery, battery.tally(block)), seconds)
        labels = self._logs.reading.labels(self._run.inquiry.cards) if self._logs.reading else ()
        self._causes = tuple(replace(each, words=named(each.words, labels)) for each in found)
        where = f", by the latest {len(decks):,} decks of {name}"
        few = len(decks) < FEWEST
        unknown = FEW_FOR_CAUSES.format(len(decks), FEWEST) if few else f"{UNKNOWN_CAUSE}: {len(decks):,} of {name}"
        about = "The cause" if found and found[0].certain else "What may be the cause"
        self._asked_at, self._about_causes = len(decks), about + where if found else unknown
        repairs = (f"{each.words}{'; to repair it: ' * bool(each.repair)}{each.repair}" for each in self._causes)
        return f"{self._about_causes}{': ' * bool(found)}{'; or '.join(repairs)}."

    def commit(self) -> None:
        """Write everything to the store, in one transaction; nothing if it was stopped in the middle of adding up."""
        self._next = monotonic() + EVERY
        if self._run is None or not self._dirty or not self._whole:
            return
        began, analysis = monotonic(), self._analysis
        logs, reading = self._logs.kept(self._run.inquiry.cards), self._logs.reading
        kept = Kept.of(analysis, logs, reading, self._latest, self._block_began)
        self._run = self._store.commit(replace(self._run, standing=analysis.trial.standing, more=kept))
        self._dirty = False
        self._next = monotonic() + max(EVERY, COST * (monotonic() - began))

    def close(self) -> None:
        """Close all files; what was not committed is read again."""
        self._logs.close()
        self._store.close()


@checked
def monitor(
    logs: str | Sequence[str],
    store: str | os.PathLike[str],
    *,
    alpha: float | None = None,
    cards: int | None = None,
    order: str | None = None,
    columns: str | None = None,
    path: str | None = None,
    only: Iterable[str] | Set[str] = (),
    lags: int | None = None,
    seen: str | None = None,
    deck: Iterable[Any] | None = None,
    kinds: str | Mapping[str, Any] | None = None,
    board: str | None = None,
    seed: Any = None,
) -> Status:
    """Count what is new in live logs of decks, and return where the watch stands; call it again when there is more.

    Args:
        logs: the path of a log, or of several, which are one run; others may be added later, and some left out.
        store: the file that keeps the watch; made if it does not exist.
        alpha: the largest chance of a false alarm in the whole life of the watch (default: 1e-6).
        cards: the cards of a deck, and decks of other sizes are only counted; None takes the size of the first one,
            and others end the watch.
        order: the names of the cards in the order of the start deck, if they are words.
        columns: the columns of a table with the cards, as for `fairdeck.lab.test`.
        path: of the list of cards in a JSON object, as for `fairdeck.lab.test`.
        only: the names of the statistics to ask; all if empty.
        lags: decks are compared with those up to so many before them (default: 2).
        seen: what the logs hold of each deck, as for `fairdeck.lab.test`; not ``prefix``.
        deck: the list of the deck, as for `fairdeck.lab.test`.
        kinds: cards that count as alike, as for `fairdeck.lab.test`.
        board: its rows and columns, as for `fairdeck.lab.test`.
        seed: what is not seen is drawn from it (default: a new one).

    Raises:
        FairdeckError: a log or the store cannot be used, or the store holds a watch with other settings.
    """
    paths = [logs] if isinstance(logs, str) else logs
    asked: dict[str, Any] = {"cards": cards, "order": order, "columns": columns, "path": path, "lags": lags}
    asked |= {"seen": seen, "deck": deck, "kinds": kinds, "board": board, "seed": seed}
    watch = Monitor(Path(store), paths, alpha=alpha, only=only, **asked)
    with closing(watch) as watched:
        while watched.step():
            pass
        status = watched.status()
        watched.commit()
        return status
