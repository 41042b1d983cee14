"""`fairdeck.lab.test` and `fairdeck.lab.assert_fair`: from a shuffle of any kind to a report, in one call."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Literal, cast, get_args

from fairdeck import numbers
from fairdeck.bulk import available
from fairdeck.doors import checked
from fairdeck.errors import FairdeckError
from fairdeck.extras import ONE_FILE
from fairdeck.lab.blocks import RECENT, enough
from fairdeck.lab.causes import Cause, Sample
from fairdeck.lab.causes.even_ciphers import FAULTS, causes_at
from fairdeck.lab.inquiry import MOST_DECKS, USUAL_CARDS, Inquiry, asked_parts, is_file
from fairdeck.lab.inquiry import Program as Program
from fairdeck.lab.judging import compiling
from fairdeck.lab.judging.report import CAUSE_SECONDS, NO_CAUSE_BY_HAND, Report
from fairdeck.lab.judging.report_of_several import ALL, ReportOfSeveral
from fairdeck.lab.judging.tally import block_sizes, fewer_blocks, first_analysis, is_fast, schedule
from fairdeck.lab.judging.trial import Map, Trial, run
from fairdeck.lab.judging.verdict import Verdict, fewest_decks
from fairdeck.lab.runs.keeping import Keeper, demand_shown
from fairdeck.lab.runs.processes import MOST_WORKERS, spread
from fairdeck.lab.several import Part, Several, decks_at
from fairdeck.lab.sizes import sizes_of
from fairdeck.lab.sources import TIMEOUT, Start, Takes
from fairdeck.lab.sources.pieces import FileSource
from fairdeck.lab.standards import Standard
from fairdeck.lab.strata import parts_of
from fairdeck.lab.usercode.tracing import Line
from fairdeck.randomness import seed_number

WORTH_WORKERS = 20_000  # decks: fewer are counted before another process has started
WORTH_OF_KERNELS = 1_000_000  # decks that come from elsewhere: kernels count fewer sooner than others load them
SAMPLING = 2.0  # seconds, for the `RECENT` new decks in which the cause is looked for; in proportion for more
ASSERTED = 20_000  # decks
MORE = 16_384  # decks for that, if more are asked for: still more take a minute, and hardly a cause is told better
PICTURE_DECKS = 8_192  # counted after a failure for charts: some 150 for each cell of 52 cards at 52 places
PICTURE_SECONDS = 0.5  # that these may take
ELSEWHERE = 2.0  # seconds, or as long as it took to find a fault at one size: to say at which others it lies
STARTING = 1.0  # seconds: in the first of them, modules are loaded and processes begin, so they tell no pace
WORTH_KERNELS = 50_000  # decks: so long a run has blocks that kernels count


class Unfair(AssertionError):
    """A shuffle is not fair; `report` has everything that was counted."""

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report


@checked
def test(
    what: Any,
    *,
    cards: int | str | Sequence[int] | Mapping[str, int] | None = None,
    decks: int | None = None,
    seed: Any = None,
    alpha: float | None = None,
    standard: str | Standard | None = None,
    only: str | Iterable[str] | Set[str] = (),
    lags: int | None = None,
    start: Start = "sorted",
    takes: Takes | None = None,
    order: str | Iterable[str] | None = None,
    seen: str | Mapping[str, str] | None = None,
    deck: Iterable[Any] | Mapping[str, Iterable[Any]] | None = None,
    by: str | None = None,
    kinds: str | Mapping[str, Any] | None = None,
    board: str | None = None,
    columns: str | None = None,
    path: str | None = None,
    timeout: float = TIMEOUT,
    in_parts: bool = False,
    beacon: str | bytes | None = None,
    workers: int = 1,
    map: Map | None = None,  # noqa: A002 - it is used like the builtin
    at_least: int = 0,
    go_on: int | Literal["pictures"] = 0,
    cause: float = CAUSE_SECONDS,
    progress: Callable[[Trial], object] = lambda _trial: None,
    report_on_ctrl_c: bool = False,
    store: str | os.PathLike[str] | None = None,
) -> Report:
    """Find out whether a shuffle is fair.

    Args:
        what: the name of a known shuffle; ``package.module:function`` or ``path/file.py:function``, called in a
            process of its own; a function, called here; a program as a list of words or a `Program`; the path of a
            file of decks; an array or a DataFrame of shape ``(decks, cards)``; lists of what was seen; or a `Source`.
            Several sorts of decks, by name, are judged at one level: ``{"burn": "burn.csv", "elves": rows}``.
        cards: the cards of a deck (default: 52, or what the decks of a file or an array show); or several sizes, judged
            together at one level, as a list or a text such as ``2-64,100`` or ``telling``: see `fairdeck.lab.sizes`.
        decks: the number of decks to count, chosen before any is seen (default: 262,144; at each of several sizes
            1,024, and fewer from 129 cards on; of a file or an array all).
        seed: an integer, hexadecimal digits, or a NumPy ``Generator`` that draws the seed; a new one if None.
        alpha: the largest chance of a false alarm, over everything (default: 1e-6, or the level of the standard).
        standard: a published standard, by name; it chooses the statistics.
        only: the names of the statistics to ask, also as one text with commas; all if empty.
        lags: compare decks up to this many apart, 0 to 32 (default: 2).
        start: ``sorted``, ``scrambled`` or ``carried``: what each deck starts from.
        takes: whether a function takes the ``deck`` or ``n``, where its signature does not tell.
        order: the names of the cards in the order in which the deck starts, for decks of words.
        seen: what is seen of each deck, if not all of it: ``top:7`` (the first seven, in order), ``set:7`` (in any
            order), ``hands:4x13``, ``6/49``, ``places:0,5,9`` (0 is the bottom), ``prefix`` (in order, as many as a
            line holds) or ``all``. The rest is drawn at random, so the level holds; None is a card that was not seen.
            ``set:5,set:7`` tells two sorts of decks in a file by the length of a line.
        deck: the list of the deck, a name for each card; equal cards have the same name. With `seen`, a function gets
            these names instead of numbers.
        by: the column of a table or a DataFrame, or the value in JSON lines, that names the sort of each deck, such as
            its list; a value that is a list is the list of the deck. With several sorts, `cards`, `seen` and `deck` may
            be given for each: ``deck={"burn": [...], "elves": [...]}``.
        kinds: cards that count as alike, by the name of the kind: ``land=1-24,ramp=25-30``, places in the list from 1,
            or ``{"land": ["Forest", "Island"]}``; by default each name with two copies or more.
        board: ``9x9``: rows and columns, if the cards are the cells of a board, row by row.
        columns: of a table in a file: the first and the last with cards, ``c0-c51`` or ``2-53``, or what their names
            begin with.
        path: of the list of cards in each JSON object of a file, such as ``game.deck``.
        timeout: seconds after which a function or a program without a new deck has failed.
        in_parts: make the decks of a named function or a program in parts, each by a new process with a random stream
            of its own, where they are counted; so several `workers` make them. See `fairdeck.lab.sources.parts`.
        beacon: a round of the public beacon quicknet that is known now, as JSON of its relays; it is registered with
            the run, which is then not older, and gives the seed if there is none.
        workers: the processes to count with; with several, a script calls this under ``if __name__ == "__main__":``.
        map: counts the blocks elsewhere; see `fairdeck.lab.judging.trial.run`.
        at_least: the decks that the verdict covers even if the shuffle fails earlier.
        go_on: the decks to count after a failure, for better words and charts, within `decks`; the verdict stays as it
            was at the failure. ``pictures``: enough for charts, as far as half a second allows.
        cause: how many seconds of processor time the search for the cause of a failure may take; 0: none is looked for.
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
    asked: dict[str, Any] = {
        "decks": decks,
        "seed": seed,
        "alpha": alpha,
        "standard": standard,
        "only": only,
        "lags": lags,
        "start": start,
        "takes": takes,
        "order": order,
        "seen": seen,
        "deck": deck,
        "kinds": kinds,
        "board": board,
        "columns": columns,
        "path": path,
        "timeout": timeout,
        "in_parts": in_parts,
        "at_least": at_least,
        "beacon": beacon,
    }
    work: dict[str, Any] = {
        "workers": workers,
        "map": map,
        "progress": progress,
        "report_on_ctrl_c": report_on_ctrl_c,
        "go_on": go_on,
        "cause": numbers.seconds("cause", cause, zero=True),
        "store": store,
    }
    if parts := parts_of(what, cards=cards, by=by, kept=store is not None, **asked):
        return answered_in_parts(parts, what, **work)
    return answered(Inquiry.of(what, cards=cast("int | None", cards), **asked), what, **work)


def answered(
    inquiry: Inquiry,
    thing: Any = None,
    *,
    workers: int = 1,
    map: Map | None = None,  # noqa: A002 - it is used like the builtin
    go_on: int | Literal["pictures"] = 0,
    cause: float = CAUSE_SECONDS,
    progress: Callable[[Trial], object] = lambda _trial: None,
    report_on_ctrl_c: bool = False,
    store: str | os.PathLike[str] | None = None,
) -> Report:
    """Return the report that answers an inquiry: about the `thing`, if it is ``called`` or ``given``; see `test`."""
    __tracebackhide__ = True
    began = monotonic()
    if go_on != "pictures":
        numbers.whole("go_on", go_on, 0, MOST_DECKS)
    workers = numbers.whole("workers", workers, 1, MOST_WORKERS)
    with closing(inquiry.opened(thing)) as source, ExitStack() as stack:
        inquiry = inquiry.of_source(source)
        keeper = stack.enter_context(closing(Keeper.begin(Path(store), inquiry))) if store is not None else None
        judged = partial(_judged, report_on_ctrl_c=report_on_ctrl_c, go_on=go_on, cause=cause)
        return judged(inquiry, source, inquiry.trial(), keeper, began, workers, map, progress)


def answered_in_parts(
    parts: Sequence[Part],
    thing: Any = None,
    *,
    workers: int = 1,
    map: Map | None = None,  # noqa: A002 - it is used like the builtin
    go_on: int | Literal["pictures"] = 0,
    cause: float = CAUSE_SECONDS,
    progress: Callable[[Any], object] = lambda _several: None,
    report_on_ctrl_c: bool = False,
    store: str | os.PathLike[str] | None = None,
) -> ReportOfSeveral:
    """Return the report that answers several inquiries at one level; `progress` is called with the `Several`."""
    __tracebackhide__ = True
    if store is not None:
        raise FairdeckError("a store keeps decks of one size: name one number of cards, or leave the store out")
    if any(part.inquiry.beacon for part in parts):
        raise FairdeckError("a beacon is registered with decks of one size: name one number of cards, or leave it out")
    if go_on not in ("pictures", 0):
        raise FairdeckError("go-on: at several sizes the decks end at the first certain fault of each; leave it out")
    began, cut_short, until = monotonic(), "", 0.0
    workers = numbers.whole("workers", workers, 1, MOST_WORKERS)
    with Several(parts, lambda part: part.opened(thing)) as several, spread(workers) as here:
        progress(several)
        try:
            for part in several.run(cast("Any", map or here)):
                progress(several)
                if not (part.inquiry.endless and several.faulty):
                    continue
                now = monotonic()
                until = until or now + max(ELSEWHERE, now - began)
                if now > until:
                    break
        except KeyboardInterrupt:
            if not report_on_ctrl_c:
                raise
            cut_short = "stopped by hand"
        report = _report_of(several, [cut_short] if cut_short else [], cause)
        return replace(report, seconds=monotonic() - began, cut_short=cut_short)


def _report_of(several: Several, notes: Sequence[str], cause: float) -> ReportOfSeveral:
    """Return the report of the trials of several parts, with the cause of a failure that several sizes show."""
    rows = []
    for part in several.parts:
        tally = part.trial.tally if part.begun else None
        labels = tuple(part.source.labels) if part.opened else ()
        rows.append((part.part.label, Report(part.inquiry, part.verdict(), tally, labels=labels), part.part.share))
    whole, at = ReportOfSeveral.of(rows, several.alpha, (*several.notes(), *notes))
    if whole.verdict.outcome != "fail" or notes or not cause:
        return whole
    told: tuple[Cause, ...] = ()
    if whole.inquiry.endless:
        told = tuple(causes_at(several.odd(), nothing_else=whole.seen <= FAULTS))
    part = several.parts[at]
    whole = replace(whole, trace=_trace(part.source, whole.verdict))
    if any(part.inquiry.seen for part in several.parts):
        return replace(whole, told=told)
    silent = bool(told) or part.part.label == ALL
    sample = _sample(part.source, part.trial, whole.verdict, RECENT, silent=silent)
    return replace(whole, told=told, sample=sample, cause=cause)


def worth_workers(inquiry: Inquiry) -> bool:
    """Tell whether other processes, which take a second or two to begin, make a run shorter."""
    if inquiry.kind == "known" or inquiry.in_parts or not inquiry.cards or not is_fast(inquiry.cards):
        return inquiry.decks >= WORTH_WORKERS
    most = WORTH_OF_KERNELS if compiling.are_compiled(inquiry.cards, inquiry.battery.names) else WORTH_WORKERS
    return inquiry.decks >= most


@checked
def resume(
    store: str | os.PathLike[str],
    *,
    what: Any = None,
    run: int | None = None,
    workers: int = 1,
    map: Map | None = None,  # noqa: A002 - it is used like the builtin
    cause: float = CAUSE_SECONDS,
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
        cause: how many seconds of processor time the search for the cause of a failure may take; 0: none is looked for.
        progress: is called with the trial before the first deck and after each portion.
        report_on_ctrl_c: on Ctrl-C, report what was counted instead of raising ``KeyboardInterrupt``.

    Raises:
        FairdeckError: there is nothing to go on with; other code, or another file, would be counted; or the store names
            code or a file, and neither `what` nor this account does.
    """
    began, named = monotonic(), None if what is None else Inquiry.of(what)
    told: dict[str, Any] = {"report_on_ctrl_c": report_on_ctrl_c, "cause": numbers.seconds("cause", cause, zero=True)}
    with closing(Keeper.resume(Path(store), run, named)) as keeper:
        inquiry = keeper.run.inquiry
        trial = keeper.run.trial()
        with closing(inquiry.opened(session=keeper.session)) as source:
            if isinstance(source, FileSource):
                source.skip(trial.decks)
            return _judged(inquiry, source, trial, keeper, began, workers, map, progress, **told)


def _judged(
    inquiry: Inquiry,
    source: Any,  # Source | Simulated | Parts
    trial: Trial,
    keeper: Keeper | None,
    began: float,
    workers: int,
    map_: Map | None,
    progress: Callable[[Trial], object],
    *,
    report_on_ctrl_c: bool,
    go_on: int | Literal["pictures"] = 0,
    cause: float = CAUSE_SECONDS,
) -> Report:
    """Count for a trial, new or resumed, until the shuffle fails or all decks are counted, and return the report."""
    __tracebackhide__ = True
    trial.name, most, more = inquiry.name, trial.most, PICTURE_DECKS if go_on == "pictures" else go_on
    progress(trial)
    reason = "fairdeck runs from one file" if ONE_FILE else "numba is not installed"
    notes = [] if available() or most < WORTH_KERNELS else [f"{reason}: NumPy counts, and is slower"]
    cut_short, by_hand = "", False
    with spread(workers if most >= WORTH_WORKERS else 1) as here:
        try:
            soon = _Soon() if go_on == "pictures" else None
            sizes_of = fewer_blocks if inquiry.endless and not keeper else block_sizes
            for _ in run(trial, source, map_ or here, inquiry.at_least, more, sizes_of):
                if keeper:
                    keeper.keep(trial)
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
    if trial.failed and not trial.settled:
        trial.settle()  # by an analysis that was made just now
        progress(trial)
    if keeper:
        demand_shown(keeper.store.path, verdict)
    if keeper and (verdict.outcome == "fail" or not by_hand):
        keeper.commit(trial, f"{verdict.outcome}, after {verdict.decks:,} decks")
    asked = RECENT if go_on == "pictures" else max(RECENT, min(more, MORE))
    silent = by_hand or (inquiry.kind == "file" and not is_file(inquiry.what))  # a pipe is silent for long
    # The causes are about whole decks: most of a completed one is no deck of the shuffle.
    sought = bool(cause) and not inquiry.seen
    sample, stopped = _sampled(source, trial, verdict, asked * sought, silent=silent, kept=report_on_ctrl_c)
    return Report(
        inquiry=inquiry,
        verdict=verdict,
        tally=trial.tally,
        notes=(*source.notes, *notes, *stopped),
        seconds=monotonic() - began,
        cut_short=cut_short,
        labels=tuple(source.labels),
        sample=sample,
        cause=cause,
        record=keeper.record(trial) if keeper else None,
        registration=keeper.run.registration.text if keeper else "",
        trace=_trace(source, verdict),
    )


def _sampled(*of: Any, silent: bool, kept: bool) -> tuple[Sample | None, list[str]]:
    """Return what `_sample` does, and a note if Ctrl-C ends that and the report is to be `kept`."""
    try:
        return _sample(*of, silent=silent), []
    except KeyboardInterrupt:
        if kept:
            return None, [NO_CAUSE_BY_HAND]
        raise


def _sample(source: Any, trial: Trial, verdict: Verdict, asked: int, *, silent: bool) -> Sample | None:
    """Return decks to find the cause of a failure in: new ones, as many as some seconds make, or those of before."""
    if verdict.outcome != "fail" or verdict.at_gate or not trial.tally or not asked:
        return None
    decks = enough(source.cards, asked)
    block = source.latest(decks, 0.0 if silent else SAMPLING * max(1, decks / RECENT))
    known = verdict.analysed == trial.decks
    return Sample(block, trial.battery, trial.tally, verdict.evidence if known else ())


def _trace(source: Any, verdict: Verdict) -> Callable[[], list[Line]]:
    """Return what finds the lines of a function that draw, if the function failed."""
    failed = verdict.outcome == "fail" and not verdict.at_gate
    return source.traced() if failed and hasattr(source, "traced") else list


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
        return (
            now + pace * (next(filter(trial.decks.__lt__, schedule(first_analysis(trial.battery.cards)))) - trial.decks)
            > self._until
        )


@checked
def assert_fair(
    function: Callable[..., Any],
    *,
    cards: int | str | Sequence[int] | None = None,
    alpha: float = 1e-9,
    decks: int | None = None,
    seed: Any = None,
    start: Start = "sorted",
    takes: Takes | None = None,
    seen: str | None = None,
    deck: Iterable[Any] | None = None,
    kinds: str | Mapping[str, Any] | None = None,
    board: str | None = None,
    cause: float = CAUSE_SECONDS,
) -> Report:
    """Assert that a shuffle is fair, as far as `decks` decks of each size can show it.

    Args:
        function: ``f(deck)`` that shuffles a list in place or returns it, ``f(deck, rng)`` with a
            ``random.Random``, or ``f(n)``. It is called here, in this process.
        cards: the cards of a deck, 2 or more (default: 52, or what `deck` or `seen` says); or several sizes, such as
            ``2-64,100`` or ``telling``: see `test`.
        alpha: the largest chance that a fair shuffle fails the assertion, over everything.
        decks: the number of decks to count, chosen in advance; a plain fault is found after a few hundred (default:
            20,000; at each of several sizes those of `test`).
        seed: of the generator for the function, if it takes one; see `test`.
        start: what each call is given: the sorted deck, one scrambled deck, or the last deck (``carried``).
        takes: ``deck`` or ``n``, where the signature does not tell.
        seen: what the function gives of each deck, such as ``set:5``; see `test`.
        deck: the list of the deck, a name for each card; with `seen` the function is given these names.
        kinds: cards that count as alike; see `test`.
        board: its rows and columns, if the cards are the cells of a board.
        cause: how many seconds of processor time the search for the cause may take; 0: none is looked for.

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
    sizes = sizes_of(cards)
    if not sizes:
        size = asked_parts("called", seen, deck, cast("int | None", cards))[1] or USUAL_CARDS
        decks = numbers.whole("decks", ASSERTED if decks is None else decks, fewest_decks(size))
    elif decks is not None:
        decks = numbers.whole("decks", decks, max(min(fewest_decks(size), decks_at(size)) for size in sizes))
    if takes not in (None, *get_args(Takes)):
        raise FairdeckError(f"takes: {takes!r} is unknown; a function takes {' or '.join(get_args(Takes))}")
    number = seed_number(seed)
    asked: dict[str, Any] = {"start": start, "takes": takes, "seen": seen, "deck": deck, "kinds": kinds, "board": board}
    report = test(function, cards=cards, decks=decks, seed=number, alpha=numbers.alpha(alpha), cause=cause, **asked)
    if report.verdict.outcome != "pass":
        raise Unfair("\n".join(report.complaint()), report)
    return report
