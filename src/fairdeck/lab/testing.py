"""`fairdeck.lab.test` and `fairdeck.lab.assert_fair`: from a shuffle of any kind to a report, in one call."""

import os
import sys
from collections.abc import Callable, Iterable, Set
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, Literal, cast, get_args

from fairdeck import numbers
from fairdeck.bulk import available
from fairdeck.doors import check_fields, checked
from fairdeck.errors import FairdeckError
from fairdeck.extras import ONE_FILE
from fairdeck.lab import standards
from fairdeck.lab.blocks import RECENT, Source, enough
from fairdeck.lab.causes import Sample
from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.tally import DEFAULT_LAGS, Battery, schedule
from fairdeck.lab.judging.trial import Map, Trial, run
from fairdeck.lab.judging.verdict import DEFAULT_ALPHA, Verdict, fewest_decks
from fairdeck.lab.runs.identity import hashes
from fairdeck.lab.runs.keeping import Keeper, demand_shown, trial_of
from fairdeck.lab.runs.processes import MOST_WORKERS, spread
from fairdeck.lab.runs.registration import MOST_DECKS, Registration
from fairdeck.lab.sources.file import open_file
from fairdeck.lab.sources.function import CalledHere, FunctionSource
from fairdeck.lab.sources.parts import FunctionParts, Parts, ProgramParts
from fairdeck.lab.sources.program import ProgramSource
from fairdeck.lab.sources.simulated import Simulated
from fairdeck.lab.sources.start import TIMEOUT, Start, Takes, checked_start
from fairdeck.lab.sources.table import table_source
from fairdeck.lab.standards import Standard
from fairdeck.lab.usercode.command_lines import joined
from fairdeck.lab.watching.monitor import monitor as monitor
from fairdeck.randomness import seed_number
from fairdeck.shuffles import MOST_CARDS

USUAL_CARDS = 52
USUAL_DECKS = 2**18
WORTH_WORKERS = 20_000  # decks: fewer are counted before another process has started
SAMPLING = 2.0  # seconds, for the `RECENT` new decks in which the cause is looked for; in proportion for more
MORE = 16_384  # decks for that, if more are asked for: still more take a minute, and hardly a cause is told better
PICTURE_DECKS = 8_192  # counted after a failure for charts: some 150 for each cell of 52 cards at 52 places
PICTURE_SECONDS = 0.5  # that these may take
STARTING = 1.0  # seconds: in the first of them, modules are loaded and processes begin, so they tell no pace
WORTH_KERNELS = 50_000  # decks: so long a run has blocks that kernels count


@dataclass(frozen=True, slots=True)
class Program:
    """A program that writes decks to its standard output.

    Attributes:
        command: as it is typed; ``{cards}`` stands for the number of cards.
        layout: ``text``, a deck a line, or ``u8``, ``u16``, ``u32``: little-endian integers from 0.
    """

    command: str
    layout: str = "text"

    def __post_init__(self) -> None:
        check_fields(self)


class Unfair(AssertionError):
    """A shuffle is not fair; `report` has everything that was counted."""

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report


@checked
def test(
    what: Any,
    *,
    cards: int | None = None,
    decks: int | None = None,
    seed: Any = None,
    alpha: float | None = None,
    standard: str | Standard | None = None,
    only: str | Iterable[str] | Set[str] = (),
    lags: int | None = None,
    start: Start = "sorted",
    takes: Takes | None = None,
    order: str | Iterable[str] | None = None,
    timeout: float = TIMEOUT,
    in_parts: bool = False,
    workers: int = 1,
    map: Map | None = None,  # noqa: A002 - it is used like the builtin
    at_least: int = 0,
    go_on: int | Literal["pictures"] = 0,
    progress: Callable[[Trial], object] = lambda _trial: None,
    report_on_ctrl_c: bool = False,
    store: str | os.PathLike[str] | None = None,
) -> Report:
    """Find out whether a shuffle is fair.

    Args:
        what: the name of a known shuffle; ``package.module:function`` or ``path/file.py:function``, called in a
            process of its own; a function, called here; a program as a list of words or a `Program`; the path of a
            file of decks; an array or a DataFrame of shape ``(decks, cards)``; or a `Source`.
        cards: the cards of a deck (default: 52, or what the decks of a file or an array show).
        decks: the number of decks to count, chosen before any is seen (default: 262,144; of a file or an array all).
        seed: an integer, hexadecimal digits, or a NumPy ``Generator`` that draws the seed; a new one if None.
        alpha: the largest chance of a false alarm, over everything (default: 1e-6, or the level of the standard).
        standard: a published standard, by name; it chooses the statistics.
        only: the names of the statistics to ask, also as one text with commas; all if empty.
        lags: compare decks up to this many apart, 0 to 32 (default: 2).
        start: ``sorted``, ``scrambled`` or ``carried``: what each deck starts from.
        takes: whether a function takes the ``deck`` or ``n``, where its signature does not tell.
        order: the names of the cards in the order in which the deck starts, for decks of words.
        timeout: seconds after which a function or a program without a new deck has failed.
        in_parts: make the decks of a named function or a program in parts, each by a new process with a random stream
            of its own, where they are counted; so several `workers` make them. See `fairdeck.lab.sources.parts`.
        workers: the processes to count with; with several, a script calls this under ``if __name__ == "__main__":``.
        map: counts the blocks elsewhere; see `fairdeck.lab.judging.trial.run`.
        at_least: the decks that the verdict covers even if the shuffle fails earlier.
        go_on: the decks to count after a failure, for better words and charts, within `decks`; the verdict stays as it
            was at the failure. ``pictures``: enough for charts, as far as half a second allows.
        progress: is called with the trial before the first deck and after each portion.
        report_on_ctrl_c: on Ctrl-C, report what was counted instead of raising ``KeyboardInterrupt``.
        store: the path of a store that keeps what is counted, so that `resume` can go on after a crash; see
            `fairdeck.lab.runs.store`. `what` must then be a name, a program or a path.

    Returns:
        The report; ``report.verdict.outcome`` is ``pass``, ``fail`` or ``insufficient``.

    Raises:
        FairdeckError: a value is out of range, or `what` gives no deck at all.

    >>> test("sattolo", cards=6, decks=2_000, seed=1).verdict.outcome
    'fail'
    """
    __tracebackhide__ = True  # pytest shows the caller, not these lines
    norm = standards.find(standard) if isinstance(standard, str) else standard
    level = numbers.alpha(alpha) if alpha is not None else norm.alpha if norm else DEFAULT_ALPHA
    most = None if decks is None else numbers.whole("decks", decks, 1, MOST_DECKS)
    if go_on != "pictures":
        numbers.whole("go_on", go_on, 0, MOST_DECKS)
    workers = numbers.whole("workers", workers, 1, MOST_WORKERS)
    number, began = seed_number(seed), monotonic()
    cards = None if cards is None else numbers.whole("cards", cards, 2, MOST_CARDS)
    order = order if order is None or isinstance(order, str) else "\n".join(order)
    opened = _opened(
        what,
        cards=cards,
        seed=number,
        start=start,
        takes=takes,
        order=order,
        timeout=timeout,
        in_parts=in_parts,
    )
    with closing(opened.source) as source, ExitStack() as stack:
        battery = _battery(source.cards, norm, only, lags)
        fewest = norm.fewest(source.cards) if norm else fewest_decks(source.cards)
        announced = opened.endless or most is not None
        most = most or (max(USUAL_DECKS, norm.least if norm else 0) if opened.endless else MOST_DECKS)
        least = max(numbers.whole("at_least", at_least, 0, MOST_DECKS), fewest if norm else 0)
        keeper = None
        if store is not None:
            registered = Registration(
                **_named(what),
                **_asked(battery, norm),
                decks=most,
                announced=announced,
                seed=f"{number:x}" if opened.endless else "",
                alpha=level,
                start=start,
                takes=takes or "",
                order=order or "",
                timeout=numbers.seconds("timeout", timeout),
                in_parts=in_parts,
                at_least=least,
            )
            keeper = stack.enter_context(closing(Keeper.begin(Path(store), registered)))
        trial = Trial(battery, most, level, fewest=fewest, announced=announced)
        how = _How(seed=number, start=start, at_least=least, workers=workers, map=map, began=began)
        return _tried(trial, opened, norm, keeper, how, progress, report_on_ctrl_c=report_on_ctrl_c, go_on=go_on)


@checked
def resume(
    store: str | os.PathLike[str],
    *,
    what: Any = None,
    run: int | None = None,
    workers: int = 1,
    map: Map | None = None,  # noqa: A002 - it is used like the builtin
    progress: Callable[[Trial], object] = lambda _trial: None,
    report_on_ctrl_c: bool = False,
) -> Report:
    """Go on with a run that was stored, from the last commit, until it fails or all its decks are counted.

    A known shuffle makes the decks that it would have made without a break, so all digits are the same. A function or
    a program begins anew, with another seed made from the first; a file is read on from where the run stood. The level
    holds over the whole life of the run: its bets and its interim analyses go on as well.

    Args:
        store: the path of the store.
        what: what is tested: it must be what the store names. None if the store holds a run of a known shuffle, or one
            that this account began: a store from somebody else never decides which code runs or which file is read.
        run: the number of the run in it; by default the only one that has not ended.
        workers: the processes to count with; with several, a script calls this under ``if __name__ == "__main__":``.
        map: counts the blocks elsewhere; see `fairdeck.lab.judging.trial.run`.
        progress: is called with the trial before the first deck and after each portion.
        report_on_ctrl_c: on Ctrl-C, report what was counted instead of raising ``KeyboardInterrupt``.

    Raises:
        FairdeckError: there is nothing to go on with; other code, or another file, would be counted; or the store names
            code or a file, and neither `what` nor this account does.
    """
    began, told = monotonic(), None if what is None else _named(what)
    named = None if told is None else (told["kind"], told["what"])
    with closing(Keeper.resume(Path(store), run, named)) as keeper:
        registered = keeper.run.registration
        seed = int(registered.seed, 16) if registered.seed else 0
        opened = _opened_again(registered, seed, keeper.session)
        norm = standards.find(registered.standard) if registered.standard else None
        trial = trial_of(keeper.run)
        with closing(opened.source) as source:
            if registered.kind == "file":
                source.skip(trial.decks)
            how = _How(
                seed=seed,
                start=registered.start,
                at_least=registered.at_least,
                workers=workers,
                map=map,
                began=began,
            )
            return _tried(trial, opened, norm, keeper, how, progress, report_on_ctrl_c=report_on_ctrl_c)


@dataclass(frozen=True, slots=True, kw_only=True)
class _How:
    """How decks are counted, and what a report says of it."""

    seed: int
    start: str
    at_least: int
    workers: int
    map: Map | None
    began: float


def _tried(
    trial: Trial,
    opened: "_Opened",
    norm: Standard | None,
    keeper: Keeper | None,
    how: _How,
    progress: Callable[[Trial], object],
    *,
    report_on_ctrl_c: bool,
    go_on: int | Literal["pictures"] = 0,
) -> Report:
    """Put a source on trial, new or resumed, and return the report."""
    __tracebackhide__ = True
    source, most = opened.source, trial.most
    more = PICTURE_DECKS if go_on == "pictures" else go_on
    progress(trial)
    reason = "fairdeck runs from one file" if ONE_FILE else "numba is not installed"
    notes = [] if available() or most < WORTH_KERNELS else [f"{reason}: NumPy counts, and is slower"]
    cut_short, by_hand = "", False
    keep = partial(keeper.keep, trial) if keeper else lambda _tally: None
    with spread(how.workers if most >= WORTH_WORKERS else 1) as here:
        try:
            soon = _Soon() if go_on == "pictures" else None
            for _ in run(trial, source, how.map or here, how.at_least, more, keep):
                progress(trial)
                if soon and soon.over(trial):
                    break
        except KeyboardInterrupt:
            if not report_on_ctrl_c:
                raise
            by_hand = True
            notes = [*notes, "stopped by hand, after the verdict" if trial.settled else "stopped by hand"]
            cut_short = "" if trial.settled else f"stopped by hand before all {most:,}"
        finally:
            if keeper and (trial.decks < most or sys.exception()):
                keeper.commit(trial)
    verdict = trial.verdict()
    if keeper:
        demand_shown(keeper.store.path, verdict)
    if keeper and (verdict.outcome == "fail" or not by_hand):
        keeper.commit(trial, f"{verdict.outcome}, after {verdict.decks:,} decks")
    new = enough(source.cards, RECENT if go_on == "pictures" else max(RECENT, min(more, MORE)))
    sample = _sample(trial, verdict, source, new, ready=opened.ready and not by_hand)
    return Report(
        shuffle=source.name,
        battery=trial.battery,
        verdict=verdict,
        tally=trial.tally,
        seed=how.seed if opened.seeded else None,
        start=how.start if opened.seeded else "",
        notes=(*source.notes, *notes),
        seconds=monotonic() - how.began,
        standard=norm,
        cut_short=cut_short,
        labels=tuple(source.labels),
        sample=sample,
        record=keeper.record(trial) if keeper else None,
        endless=opened.endless,
        worth_more=MORE if opened.endless and not keeper and more < MORE <= most - trial.decks else 0,
    )


def _is_file(path: str | os.PathLike[str]) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - a name that is too long is no file, and no error


def _named(what: Any) -> dict[str, Any]:
    """Return how a stored run names what is tested, so that it can be found again."""
    if isinstance(what, list | tuple) and what and all(isinstance(word, str) for word in what):
        what = Program(joined(what))
    if isinstance(what, Program):
        named = {"kind": "program", "what": what.command, "layout": what.layout}
    elif isinstance(what, str | os.PathLike):
        text = os.fspath(what)
        is_file = _is_file(text)
        if not is_file and (text == "-" or Path(text).exists()):
            raise FairdeckError(f"{text} cannot be read twice, so a run of it cannot be stored: use fairdeck monitor")
        named = {"kind": "file" if is_file else "function" if ":" in text else "known", "what": text}
    else:
        raise FairdeckError(
            f"a {type(what).__name__} of this process cannot be found again after it: for a store name a known "
            "shuffle, package.module:function, file.py:function, a program or a file"
        )
    return named | {"files": hashes(named["kind"], named["what"])}


def _asked(battery: Battery, norm: Standard | None) -> dict[str, Any]:
    """Return how a stored run names its statistics."""
    only = () if norm else tuple(sorted(battery.only))
    return {"cards": battery.cards, "standard": norm.name if norm else "", "only": only, "lags": int(battery.lags)}


def _what(registered: Registration) -> str | Program | Path:
    if registered.kind == "program":
        return Program(registered.what, registered.layout)
    return Path(registered.what) if registered.kind == "file" else registered.what


def _opened_again(registered: Registration, seed: int, session: int) -> "_Opened":
    """Return the source of a run that goes on."""
    if registered.kind == "known":  # and nothing else, whatever its name may be the name of
        return _Opened(registered.simulated())
    return _opened(
        _what(registered),
        cards=registered.cards,
        seed=seed if registered.in_parts else _seed_of(seed, session),
        start=cast(Start, registered.start),
        takes=cast("Takes | None", registered.takes or None),
        order=registered.order or None,
        timeout=registered.timeout,
        in_parts=registered.in_parts,
    )


def _seed_of(seed: int, session: int) -> int:
    """Return the seed for the decks that follow a break: the first session has the seed itself."""
    return int.from_bytes(sha256(f"{seed}/session {session}".encode()).digest()[:8], "big") if session else seed


def _sample(trial: Trial, verdict: Verdict, source: Any, decks: int, *, ready: bool) -> Sample | None:
    """Return decks to find the cause in, if the shuffle failed: new ones, as many as some seconds make."""
    if verdict.outcome != "fail" or verdict.at_gate or not trial.tally:
        return None
    block = source.latest(decks, SAMPLING * max(1, decks / RECENT) if ready else 0.0)
    return Sample(block, trial.battery, trial.tally)


class _Soon:
    """Tells when the decks that follow a failure would take too long."""

    def __init__(self) -> None:
        self._began = monotonic() + STARTING
        self._at, self._decks, self._until = self._began, 0, 0.0

    def over(self, trial: Trial) -> bool:
        """Return whether the next portion of a trial that has failed would end too late."""
        if not trial.settled:
            return False
        now = monotonic()
        self._until = self._until or now + PICTURE_SECONDS
        pace = max(0.0, now - self._at) / max(1, trial.decks - self._decks)
        self._at, self._decks = now, trial.decks
        # No portion goes beyond the next number of the schedule.
        return now + pace * (next(filter(trial.decks.__lt__, schedule())) - trial.decks) > self._until


@dataclass(frozen=True, slots=True)
class _Opened:
    """A source; whether it makes decks without end, makes them from the seed, and gives the next ones at once."""

    source: Any  # Source | Simulated | Parts
    endless: bool = True
    seeded: bool = True
    ready: bool = True


def _opened(
    what: Any,
    *,
    cards: int | None,
    seed: int,
    start: Start,
    takes: Takes | None,
    order: str | None,
    timeout: float,
    in_parts: bool,
) -> _Opened:
    checked_start(start)
    size, seconds = cards or USUAL_CARDS, numbers.seconds("timeout", timeout)
    if isinstance(what, list | tuple) and what and all(isinstance(word, str) for word in what):
        what = Program(joined(what))
    if isinstance(what, Program):
        if start == "carried":
            raise FairdeckError(
                "start carried: a program decides itself whether it continues from its last deck; leave start out"
            )
        if in_parts:
            made = ProgramParts(what.command, size, seed, what.layout, start, seconds)
            made.source(0).close()  # a wrong command is an error here and not in a worker
            return _Opened(Parts(made), seeded=False)
        source = ProgramSource(what.command, size, layout=what.layout, seed=seed, start=start, timeout=seconds)
        return _Opened(source, seeded=False)
    if in_parts:
        return _Opened(Parts(_function_parts(what, size, seed, start, takes, seconds)))
    if callable(what):
        return _Opened(CalledHere(what, size, seed=seed, start=start, takes=takes))
    if isinstance(what, str) and ":" in what and not _is_file(what):  # such as C:\decks.csv
        return _Opened(FunctionSource(what, size, seed=seed, start=start, takes=takes, timeout=seconds))
    if isinstance(what, str) and not _is_file(what):
        # A known shuffle moves places and never sees the cards: from every fixed start it makes the same decks.
        return _Opened(Simulated(what, size, seed, carried=start == "carried"))
    if start != "sorted":
        raise FairdeckError(
            f"start {start} is for functions and known shuffles; these decks exist already: leave start out"
        )
    ready = not isinstance(what, str | os.PathLike) or _is_file(what)  # a pipe may be silent for long
    return _Opened(_made_already(what, cards, order), endless=False, seeded=False, ready=ready)


def _function_parts(
    what: Any, cards: int, seed: int, start: Start, takes: Takes | None, timeout: float
) -> FunctionParts:
    if not (isinstance(what, str) and ":" in what):
        raise FairdeckError(
            "in parts: only a program, or a function with a name (package.module:function or file.py:function), makes "
            "decks in parts; leave --in-parts out: known shuffles use all cores without it"
        )
    if start == "carried":
        raise FairdeckError(
            "start carried: each deck needs the one before it, so decks cannot be made in parts; leave out "
            "--start carried, or --cluster and --in-parts"
        )
    made = FunctionParts.of(what, cards, seed, start=start, takes=takes, timeout=timeout)
    made.source(0).close()  # wrong options are an error here and not in a worker
    return made


def _made_already(what: Any, cards: int | None, order: str | None) -> Source:
    if isinstance(what, str | os.PathLike):
        return open_file(os.fspath(what), cards, order=order)
    if hasattr(what, "blocks"):
        source: Source = what
        return source
    if hasattr(what, "__array__") or isinstance(what, list | tuple):
        return table_source(what, cards, order=order)
    raise FairdeckError(
        f"a {type(what).__name__} cannot be tested; give a name, a function, a program, a path, an array or a DataFrame"
    )


def _battery(cards: int, standard: Standard | None, only: str | Iterable[str], lags: int | None) -> Battery:
    if standard:
        if only:
            raise FairdeckError(f"the standard {standard.name} names the statistics itself: leave `only` out")
        return standard.battery(cards, lags)
    names = only.split(",") if isinstance(only, str) else only
    return Battery(cards, DEFAULT_LAGS if lags is None else lags, frozenset(filter(None, map(str.strip, names))))


@checked
def assert_fair(
    function: Callable[..., Any],
    *,
    cards: int = USUAL_CARDS,
    alpha: float = 1e-9,
    decks: int = 20_000,
    seed: Any = None,
    start: Start = "sorted",
    takes: Takes | None = None,
) -> Report:
    """Assert that a shuffle is fair, as far as `decks` decks can show it.

    Args:
        function: ``f(deck)`` that shuffles a list in place or returns it, ``f(deck, rng)`` with a
            ``random.Random``, or ``f(n)``. It is called here, in this process.
        cards: the cards of a deck, 2 or more.
        alpha: the largest chance that a fair shuffle fails the assertion, over everything.
        decks: the number of decks to count, chosen in advance; a plain fault is found after a few hundred.
        seed: of the generator for the function, if it takes one; see `test`.
        start: what each call is given: the sorted deck, one scrambled deck, or the last deck (``carried``).
        takes: ``deck`` or ``n``, where the signature does not tell.

    Returns:
        The report; ``report.verdict.limits`` are the faults that would have been seen.

    Raises:
        AssertionError: the shuffle is not fair; the message says in words what is wrong.
        FairdeckError: a value is out of range, such as a level of 0 or too few decks.

    >>> import random
    >>> assert_fair(random.shuffle, cards=5, decks=1000).verdict.outcome
    'pass'
    """
    __tracebackhide__ = True
    cards = numbers.whole("cards", cards, 2, MOST_CARDS)
    decks = numbers.whole("decks", decks, fewest_decks(cards))
    if takes not in (None, *get_args(Takes)):
        raise FairdeckError(f"takes: {takes!r} is unknown; a function takes {' or '.join(get_args(Takes))}")
    number = seed_number(seed)
    report = test(function, cards=cards, decks=decks, seed=number, alpha=numbers.alpha(alpha), start=start, takes=takes)
    if report.verdict.outcome != "pass":
        raise Unfair("\n".join(report.complaint()), report)
    return report
