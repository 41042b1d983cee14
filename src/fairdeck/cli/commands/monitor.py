"""Watch a live log of decks for months, at one level.

It says when the log goes wrong, and since when. The log may grow, be rotated or truncated; the watch survives crashes
and restarts. Several logs are one run at one level. Without --once it runs until Ctrl-C or SIGTERM, which end it with
exit code 0 or 1; everything that was read is kept. Exit code 0: no fault was found; 1: the decks are not fair; 2: a log
or the store cannot be used, or decks of a log may be missing since the last call.
"""

import signal
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from threading import Event, current_thread, main_thread
from time import monotonic
from typing import TYPE_CHECKING

from fairdeck.cli import laboratory
from fairdeck.cli.arguments import options
from fairdeck.cli.exits import BAD_INPUT, DOES_NOT_HOLD, FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.streams import one_line, tell
from fairdeck.cli.terminal import show
from fairdeck.dealing.instructions import counted
from fairdeck.errors import FairdeckError
from fairdeck.numbers import decimal_number, whole

if TYPE_CHECKING:
    from fairdeck.lab.watching.monitor import Monitor
    from fairdeck.lab.watching.status import Status

PAUSE = 0.5  # seconds between looks at a log
MOST_SECONDS = 86_400
USUAL_EVERY = 10

EXAMPLES = {
    "fairdeck monitor decks.log --store watch.db": "until Ctrl-C",
    "fairdeck monitor decks.log --store watch.db --once": "judge what is there, and end; for cron",
}


def arguments(parser: ArgumentParser) -> None:
    declared = {
        "logs+ LOG": "a log of decks: text, a table such as CSV, or JSON lines; - is standard input",
        "--store! DB": "the file that keeps the watch; created if it does not exist",
        "--once": "judge the decks that are there, and end; for cron",
        "--from-start": "standard input gives all decks from the first one on; skip those that were counted before",
    }
    options(parser, declared)
    told = {
        "--status FILE.html": "keep a status page (HTML) in this file; print it from a browser if you need it as PDF",
        "--metrics FILE": "keep a text file for Prometheus's node exporter",
        "--every S": f"seconds between updates of --status and --metrics (default: {USUAL_EVERY})",
        "--cause SECONDS": "after an alarm look for its cause for so many seconds of processor time, in the decks in "
        "memory (default: 2; 0: do not look)",
    }
    options(parser.add_argument_group("where it tells"), told, cause="2")
    fixed = parser.add_argument_group("fixed when the watch begins")
    level = {
        "--alpha P": "the largest chance of a false alarm in the whole life of the watch (default: 1e-6)",
        "--cards N": "cards in the deck (default: the first deck shows it); given again with each call, it leaves "
        "decks of other sizes out, and counts them as bad lines",
    }
    options(fixed, level)
    laboratory.place_arguments(fixed)
    laboratory.seen_arguments(fixed)
    counted = {
        **laboratory.SEED_OPTION,
        "--order LABELS": "the cards in sorted order, if they are words",
        "--lags N": "compare decks up to this many apart, 0 to 32 (default: 2)",
        "--only STATISTIC,...": "only these statistics (see: fairdeck test --list)",
    }
    options(fixed, counted)


def run(args: Namespace) -> int:
    laboratory.need_lab()
    laboratory.demand_named(args)
    from fairdeck.lab.watching.live_log import could_be_of
    from fairdeck.lab.watching.monitor import Monitor

    if args.from_start and "-" not in args.logs:
        raise FairdeckError("--from-start is for standard input: name the log -, or leave --from-start out")
    for option in ("store", "status", "metrics"):
        value = getattr(args, option)
        if value is not None and (log := next((each for each in args.logs if could_be_of(each, value)), None)):
            raise FairdeckError(
                f"--{option} {value!r}: {log} may get this name when it is rotated, and would then be read there: "
                "name another file"
            )
    show = _Shown(args)
    named = ("cards", "order", "columns", "path", "lags", "seen", "kinds", "board", "seed", "from_start")
    asked = {name: getattr(args, name) for name in named}
    asked["alpha"] = None if args.alpha is None else laboratory.level(args.alpha)
    asked["only"] = tuple(filter(None, map(str.strip, (args.only or "").split(","))))
    asked["deck"] = laboratory.deck_from(args.deck, getattr(args, "as"))
    with _stopping() as stop, closing(Monitor(writable(args.store), args.logs, **asked)) as monitor:
        return _watch(monitor, show, stop, once=args.once)


def _watch(monitor: "Monitor", show: "_Shown", stop: Event, *, once: bool) -> int:
    show.lost = monitor.lost
    before = sum(show.lost.values())
    try:
        while not stop.is_set():
            new = monitor.step(stop.is_set)
            if once and not new and all(pipe.ended for pipe in monitor.pipes):
                break
            if monitor.seen_all:
                break
            if not new:
                monitor.commit()
                show.now_and_then(monitor)
                coming = next((pipe.ready for pipe in monitor.pipes[:1] if not pipe.ended), stop.wait)
                coming(PAUSE)
            elif show.is_due:
                show.now_and_then(monitor)
    finally:
        status = monitor.status()
        monitor.commit()
        show.write(status)
    if not stop.is_set():
        status = show.causes(monitor, status)
    if once and not status.decks and (missing := monitor.missing()):
        raise FairdeckError(f"{missing}: there is no such file, and no deck was ever read; correct the path")
    show.end(status)
    missing_decks = sum(monitor.lost.values()) > before
    return DOES_NOT_HOLD if status.alarm else BAD_INPUT if missing_decks else FINE


class _Shown:
    """The status page, the metrics, and what was said on the screen."""

    def __init__(self, args: Namespace) -> None:
        self._page = None if args.status is None else writable(args.status)
        self._metrics = None if args.metrics is None else writable(args.metrics)
        self._cause = decimal_number(args.cause, "cause", 0, MOST_SECONDS)
        self._every = USUAL_EVERY if args.every is None else whole("every", args.every, 1, MOST_SECONDS)
        self._next = monotonic()
        self._alarmed = False
        self._bad = 0
        self._read_as: set[str] = set()
        self.lost: dict[str, int] = {}  # how often the rest of an old file of each log was gone, as far as it was said

    @property
    def is_due(self) -> bool:
        """Whether it is time for another status."""
        return monotonic() >= self._next

    def now_and_then(self, monitor: "Monitor") -> None:
        """Write the status if it is time."""
        if self.is_due:
            status = monitor.status()
            self.write(status)
            self.causes(monitor, status)
            self._next = monotonic() + self._every

    def write(self, status: "Status") -> None:
        """Write the status page and the metrics; say on standard error what is new and bad."""
        from fairdeck.lab.watching.status import document, headline, lost_lines, metrics, onset
        from fairdeck.show.page import page

        if self._page:
            write(self._page, page(document(status)))
        if self._metrics:
            write(self._metrics, metrics(status))
        for said in (f"{log.name}: {log.read_as}" for log in status.logs if log.read_as):
            if said not in self._read_as:
                tell(f"fairdeck: {one_line(said)}")
            self._read_as.add(said)
        bad = sum(log.bad for log in status.logs)
        if bad > self._bad:
            latest = next(log.latest_bad for log in status.logs if log.bad)
            said = one_line(f"{counted(bad, 'bad line')} so far; {latest}")
            tell(f"fairdeck: {said}")
        self._bad = bad
        for log in status.logs:
            if log.lost > self.lost.get(log.name, 0):
                said = one_line(f"{log.name}: {lost_lines(log.lost)}")
                tell(f"fairdeck: {said}")
            self.lost[log.name] = log.lost
        if status.alarm and not self._alarmed:
            self._alarmed = True
            said = one_line(f"{headline(status)} It began {onset(status)}.")
            tell(f"fairdeck: {said}")

    def causes(self, monitor: "Monitor", status: "Status") -> "Status":
        """Say what caused an alarm, after it was told; return the status with that."""
        if not status.alarm or not (said := monitor.look_for_causes(self._cause)):
            return status
        tell(f"fairdeck: {one_line(said)}")
        status = monitor.status()
        self.write(status)
        return status

    @staticmethod
    def end(status: "Status") -> None:
        """Print where the watch stands."""
        from fairdeck.lab.watching.status import document

        show(document(status))


@contextmanager
def _stopping() -> Iterator[Event]:
    """Give an event that Ctrl-C and SIGTERM set, so that everything read is counted and committed before the end."""
    stop = Event()
    if current_thread() is not main_thread():
        yield stop
        return
    before = {each: signal.signal(each, lambda *_: stop.set()) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
