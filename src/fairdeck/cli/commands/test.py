"""Test whether a shuffle is fair: a name, function, program or file.

Decks of the real size are counted until a fault is certain, or until --decks have been seen. The verdict holds at one
stated level over all statistics. Exit code 0: no fault was found; 1: the shuffle is not fair; 2: there were too few
decks, or the shuffle could not be tested. After Ctrl-C, the command reports on the decks counted so far.

A function is called as f(deck) with the list 0..n-1, f(deck, rng) with a random.Random, or f(n), depending on its
parameters; it changes the list or returns the deck. With --seen also as f() or f(deck, k). In Python:
`fairdeck.lab.test`.
"""

import json
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from fairdeck.cli import laboratory
from fairdeck.cli.arguments import options
from fairdeck.cli.exits import BAD_INPUT, DOES_NOT_HOLD, FINE, INTERRUPTED
from fairdeck.cli.files import read, writable, write
from fairdeck.cli.signals import interruptible
from fairdeck.cli.streams import one_line, tell
from fairdeck.cli.terminal import EVERY, Progress, show
from fairdeck.errors import FairdeckError
from fairdeck.numbers import decimal_number, whole
from fairdeck.show import reports

if TYPE_CHECKING:
    from fairdeck.lab import Report
    from fairdeck.lab.judging.trial import Trial
    from fairdeck.lab.several import Several


PROGRESS = "fairdeck-progress/1"
READ_AS = "read "  # begins the note on how a file was read that is not a deck on each line
SET_BEFORE = (
    *("cards", "decks", "go_on", "alpha", "standard", "lags", "only", "takes", "order", "columns", "path"),
    *laboratory.SEEN,
    *("timeout", "seed", "beacon_value", "store", "in_parts"),
)

EXAMPLES = {
    "fairdeck test naive --decks 20000": "a known shuffle, which is faulty",
    "fairdeck test mine.py:shuffle --html report.html": "your function, with a report",
    "fairdeck test --exec './shuffle {cards}' --cards 40": "a program that writes decks",
    "fairdeck test --file decks.csv --standard gli19": "decks that were logged, by a published standard",
    "fairdeck test --file draws.csv --seen 6/49": "a lottery; also top:7, set:5, hands:4x13",
}


def arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to test, one of these")
    tested = {
        "shuffle? SHUFFLE": "a known shuffle (see: fairdeck shuffles), or package.module:function, or file.py:function",
        "--exec COMMAND": "a program that writes decks, one a line; {cards} is filled in",
    }
    options(what, tested)
    what.add_argument(
        "--file",
        metavar="FILE",
        action="append",
        help="a file of decks: text, a table such as CSV, JSON lines or .npy; - is standard input; NAME=FILE, several "
        "times, for a file of each list",
    )
    how = parser.add_argument_group("how it makes decks")
    made = {
        "--cards N,...": "cards in the deck, 2 to 1,000,000 (default: 52; the decks of a file show it); decks of "
        "other sizes in a file are left out. Several sizes, such as 2-64,100 or telling (2 to 5, powers of two and "
        "their neighbours up to 4,097, 52, 100, 1,000 and others), get one verdict at one level",
        "--start sorted|scrambled|carried": "the deck that each call of a function starts from: sorted (default), one "
        "scrambled deck, or what the last call left; a program can get a scrambled deck too; not for files",
        "--takes deck|n": "what the function takes (default: what its signature says)",
        "--format text|u8|u16|u32": "how the program writes decks (default: text)",
        "--order LABELS": "the sorted deck, for a file whose cards are words (default: alphabetical)",
    }
    options(how, made, start="sorted", format="text")
    laboratory.place_arguments(how)
    laboratory.seen_arguments(parser.add_argument_group("what is there of each deck"), sorts=True)
    called = {
        "--timeout S": "give up after this many seconds without a deck (default: 10)",
        "--in-parts": "make the decks of a function or a program in parts, in all workers, each part by a new process "
        "with a random stream of its own (with --cluster always so)",
    }
    options(how, called)
    strict = {
        "--decks N": "decks to count, fixed in advance (default: 262,144; at each of several sizes 1,024, and fewer "
        "from 129 cards on; all decks of a file, not fixed in advance)",
        "--go-on N": "after a failure count N decks more, within --decks, for better words and charts; the verdict "
        "stays (default: 0; for a report with charts as many as half a second allows)",
        "--alpha P": "the largest probability that a fair shuffle fails, over all statistics; not with --standard "
        "(default: 1e-6)",
        "--standard STANDARD": "test by a published standard: its tests, its level, its number of decks (see: --list)",
        "--lags N": "compare each deck with the N decks before it, 0 to 32 (default: 2)",
        "--only STATISTIC,...": "only these statistics (see: --list; default: all that apply)",
    }
    options(parser.add_argument_group("how strict it is"), strict)
    work = parser.add_argument_group("the work")
    laboratory.seed_argument(work)
    beacon = {
        "--beacon-value FILE": "a round of the public beacon quicknet that is published already, as JSON of a relay: "
        "it is registered, so the run is not older, and gives the seed if there is none (extra beacon)"
    }
    options(work, beacon)
    laboratory.workers_argument(work)
    cause = {
        "--cause SECONDS": "look for the cause of a failure for so many seconds of processor time, after a first line "
        "has said that the shuffle is not fair (default: 2; 0: do not look)",
    }
    options(work, cause, cause="2")
    work.add_argument(
        "--progress",
        choices=["json"],
        help=f"tell standard error how far the test is, as lines of JSON, {PROGRESS}: decks, most, p_value, verdict "
        "(null until one is certain); with several sizes or sorts also not_fair; in the last line headline",
    )
    store = parser.add_argument_group("a run that is kept")
    kept = {
        "--store DB": "keep the run in this file: a crash then costs little (see: --resume), and others can verify it",
        "--resume DB": "continue the unfinished run in this store, with everything as it was registered; no other "
        "option but --run, those of the work and the forms of the report. If another account began it, name the "
        "function, --exec or --file again: no store decides which code runs here, or which file is read",
    }
    options(store, kept)
    store.add_argument(
        "--run",
        dest="number",
        metavar="N",
        help="which run of the store to continue, see: fairdeck runs DB (default: the only unfinished one)",
    )
    shown = {
        "--all": "show every test in the table, not only the 12 with the smallest p-values",
        "--list": "list the statistics and the standards, and test nothing",
    }
    for name in reports.names():
        if name == "json":
            shown["--json fairdeck-report/1 fairdeck-statistics/1"] = (
                "the report; the page report says what its fields mean. With --list: statistics, standards"
            )
        else:
            shown[f"--{name} FILE"] = reports.about(name).replace("%", "%%")
    options(parser.add_argument_group("how the report is shown"), shown)


def run(args: Namespace) -> int:
    laboratory.need_lab()
    laboratory.demand_named(args)
    if args.list:
        return _list(as_json=args.json)
    if args.resume is not None:
        _demand_nothing_fixed(args)
    asked = {name: getattr(args, name) for name in reports.names() if name != "json"}
    files = {name: writable(value) for name, value in asked.items() if value is not None}
    watch = _Watch(Progress(), decimal_number(args.cause, "cause", 0, 86_400), events=args.progress == "json")
    report = watch.with_causes(_tested(args, watch))
    for note in report.notes:
        if note.startswith(READ_AS):
            tell(f"fairdeck: {one_line(f'{report.inquiry.name}: {note}')}")
    from fairdeck.lab.judging.report_document import document

    # The screen comes first: a full disk must not swallow the result.
    show(report.to_json() if args.json else document(report, args.all, charts=False))
    for name, path in files.items():
        write(path, reports.forms()[name].render(report))
    if report.cut_short:
        return INTERRUPTED
    return {"fail": DOES_NOT_HOLD, "pass": FINE, "insufficient": BAD_INPUT}[report.verdict.outcome]


def _tested(args: Namespace, watch: "_Watch") -> "Report":
    """Return the report; after Ctrl-C, of what was counted until then."""
    from fairdeck.lab.inquiry import Inquiry
    from fairdeck.lab.runs.processes import ALONE
    from fairdeck.lab.runs.registration import KINDS_OF_RUNS, Registration, hashes
    from fairdeck.lab.strata import parts_of
    from fairdeck.lab.testing import PICTURE_SECONDS, WORTH_WORKERS, answered, answered_in_parts, worth_workers

    if args.resume is not None:
        return _resumed(args, watch)
    if args.number is not None:
        raise FairdeckError(f"--run {args.number}: it says which run to continue, so it needs --resume DB")
    go_on, options = _go_on(args), _options(args)
    laboratory.workers_from(args)  # before anything is counted: an error here must not cost a report
    what, one = _what(args), {name: value for name, value in options.items() if name != "by"}
    parts = parts_of(what, cards=args.cards, kept=args.store is not None, **options)
    if parts and args.certificate is not None:
        raise FairdeckError("a certificate is about decks of one size: name one number of cards, or leave it out")
    inquiries = [part.inquiry for part in parts] or [Inquiry.of(what, cards=args.cards, **one)]
    inquiry, hashed = inquiries[0], [hashes(each.kind, each.what) for each in inquiries]
    identity = {f"sha256 of {path}": sha256 for one in hashed for path, sha256 in one.items()}
    # No worker is started for decks that are only counted for charts.
    alone = ALONE + PICTURE_SECONDS if go_on == "pictures" else ALONE
    short = not parts and inquiry.decks < WORTH_WORKERS
    worth = partial(worth_workers, inquiry) if not parts else lambda: True
    counting = laboratory.counting(args, watch.progress, short=short, alone=alone, worth=worth)
    with counting as map_, interruptible(map_) as heard:
        answer = partial(answered_in_parts, parts) if parts else partial(answered, inquiry)
        report = answer(
            map=heard,
            go_on=go_on,
            cause=watch.cause,
            progress=watch.see,
            report_on_ctrl_c=True,
            store=None if args.store is None else writable(args.store),
        )
    known = Registration(report.inquiry, hashed[0]).text if not parts and inquiry.kind in KINDS_OF_RUNS else ""
    report = replace(report, registration=report.registration or known)
    return replace(report, command=_again(args, report), environment=report.environment | identity)


def _resumed(args: Namespace, watch: "_Watch") -> "Report":
    """Return the report of a run that goes on."""
    from fairdeck import lab

    named = _what(args) if (args.shuffle, args.exec, args.file) != (None, None, None) else None
    with laboratory.counting(args, watch.progress) as map_, interruptible(map_) as heard:
        told: dict[str, Any] = {"progress": watch.see, "report_on_ctrl_c": True, "cause": watch.cause}
        report = lab.resume(args.resume, what=named, run=_number(args), map=heard, **told)
    return replace(report, command=_on(args))


def _on(args: Namespace) -> str:
    """Return the command that continues a run."""
    named = {"exec": args.exec, "file": (args.file or [None])[0]}
    words = [word for option, value in named.items() if value for word in (f"--{option}", value)]
    return laboratory.command_line(["fairdeck", "test", *filter(None, [args.shuffle]), *words, "--resume", args.resume])


def _number(args: Namespace) -> int | None:
    return None if args.number is None else whole("run", args.number, 1, laboratory.MOST_RUNS)


def _demand_nothing_fixed(args: Namespace) -> None:
    for name in SET_BEFORE:
        if getattr(args, name) not in (None, False):
            option = f"--{name.replace('_', '-')}"
            raise FairdeckError(f"--resume takes everything from the store, where it was fixed: leave {option} out")


class _Watch:
    """Shows how far a trial is, and says that it has failed as soon as that is certain."""

    def __init__(self, progress: Progress, cause: float = 0.0, *, events: bool = False) -> None:
        self.progress, self.cause, self._events = progress, cause, events
        self.progress.shown = self.progress.shown and not events
        self._event: dict[str, Any] = {}  # the latest
        self._event_told = 0.0
        self._kernels = False  # whether blocks are so large by now that kernels count them, if they are ready
        self._compiling = False
        self._certain = False  # whether it was said that it is not fair; of several sizes, at which first

    def with_causes(self, report: "Report") -> "Report":
        """Look for the cause of a failure, which the report keeps; end the line of progress; Ctrl-C ends the search."""
        from fairdeck.lab.judging.report import NO_CAUSE_BY_HAND

        if report.sample:
            self.progress.say("looking for the cause ...")
        try:
            _ = report.headline
        except KeyboardInterrupt:
            report = replace(report, sample=None, notes=(*report.notes, NO_CAUSE_BY_HAND))
        last = {"p_value": report.verdict.p_value, "verdict": report.verdict.outcome, "headline": report.headline}
        if self._events:
            tell(json.dumps(self._event | last))
        self.progress.done()
        return report

    def see(self, trial: "Trial | Several") -> None:
        """Show the decks so far, and when they will be done; not while kernels are compiled, as these are faster."""
        from fairdeck.lab.several import Several

        if self._events:
            several = {"not_fair": list(trial.faulty)} if isinstance(trial, Several) else {}
            self._tell_event(trial, several, failed=bool(trial.faulty) if isinstance(trial, Several) else trial.settled)
        elif isinstance(trial, Several):
            if trial.faulty and not self._certain:
                self._certain = True
                self.progress.done()
                tell(f"fairdeck: not fair {trial.faulty[0]}, already certain; where else?")
            seen = f"; not fair {', '.join(trial.faulty)}" if trial.faulty else ""
            with suppress(BrokenPipeError):
                what = f"decks of {len(trial.parts)} {'sorts' if trial.parts[0].part.label else 'sizes'}"
                self.progress.tell(trial.decks, trial.most, what, f"p = {trial.p_value:.2g}{seen}")
        elif trial.settled:
            if not self._certain and self.cause and not trial.standing.complaint:
                self.progress.done()
                decks = "1 deck shows" if trial.decks == 1 else f"{trial.decks:,} decks show"
                tell(f"{one_line(trial.name)} is not fair: {decks} it.")
            self._certain = True
            text = f"{trial.decks:,} decks: it has failed; counting more for the words and charts"
            with suppress(BrokenPipeError):
                self.progress.say(text)
        elif trial.decks:
            self._notice_kernels(trial)
            so_far = f"p = {trial.p_value:.2g}" + "; kernels for this processor are being compiled" * self._compiling
            with suppress(BrokenPipeError):
                self.progress.tell(trial.decks, trial.most, "decks", so_far, guess=not self._compiling)

    def _tell_event(self, trial: "Trial | Several", several: dict[str, Any], *, failed: bool) -> None:
        """Tell how far it is as a line of JSON: of a failure at once, else ten times a second at most."""
        far = {"decks": trial.decks, "most": trial.most, "p_value": trial.p_value}
        self._event = {"format": PROGRESS, **far, "verdict": "fail" if failed else None, **several}
        if failed != self._certain or monotonic() - self._event_told >= EVERY:
            self._certain, self._event_told = failed, monotonic()
            tell(json.dumps(self._event))

    def _notice_kernels(self, trial: "Trial") -> None:
        """Guess anew when kernels begin to count: the pace before tells nothing of theirs."""
        from fairdeck.lab.judging import compiling
        from fairdeck.lab.judging.tally import decks_before_kernels, is_fast

        battery, before = trial.battery, (self._kernels, self._compiling)
        if not self.progress.shown or not is_fast(battery.cards):
            return
        self._kernels = self._kernels or trial.decks >= decks_before_kernels(battery.cards)
        if self._kernels and (self._compiling or not before[0]):
            self._compiling = not compiling.are_compiled(battery.cards, battery.names)
        if before != (self._kernels, self._compiling):
            self.progress.guess_anew(trial.decks)


def _options(args: Namespace) -> dict[str, Any]:
    """Return what is asked, except of whom and of how many cards."""
    if args.standard is not None:
        for name, what in (("only", "names the statistics"), ("alpha", "sets the level")):
            if getattr(args, name) is not None:
                raise FairdeckError(f"--standard {what} itself: leave --{name} out")
    names = ("decks", "lags", "standard", "start", "takes", "order", "columns", "path", *laboratory.SEEN)
    options: dict[str, Any] = {name: getattr(args, name) for name in names}
    seen, deck = (laboratory.by_name(name, getattr(args, name)) for name in ("seen", "deck"))
    named = partial(laboratory.deck_from, form=options.pop("as"))
    deck = {name: named(text) for name, text in deck.items()} if isinstance(deck, dict) else named(deck)
    options |= {"seen": seen, "deck": deck}
    if args.alpha is not None:
        options["alpha"] = laboratory.level(args.alpha)
    if args.timeout is not None:
        options["timeout"] = whole("timeout", args.timeout, 1, 86_400)
    seed = laboratory.seed_from(args) if args.seed or args.beacon_value is None else None
    if args.beacon_value is not None:
        options["beacon"] = read(args.beacon_value, 1 << 20, "name a round as a relay of quicknet publishes it")
    return options | {"only": args.only or (), "seed": seed, "in_parts": _in_parts(args)}


def _go_on(args: Namespace) -> "int | Literal['pictures']":
    """Return how many decks to count after a failure."""
    if args.go_on is not None:
        return whole("go-on", args.go_on, 0, laboratory.MOST_DECKS)
    return "pictures" if args.html else 0  # the one form with charts


def _what(args: Namespace) -> Any:
    from fairdeck.lab.inquiry import Program

    if [args.shuffle, args.exec, args.file].count(None) != 2:
        raise FairdeckError("name one thing to test: a SHUFFLE, or --exec COMMAND, or --file FILE")
    if args.file is not None:
        files = laboratory.by_name("file", args.file)
        return {name: Path(file) for name, file in files.items()} if isinstance(files, dict) else Path(files)
    return args.shuffle if args.exec is None else Program(args.exec, args.format)


def _in_parts(args: Namespace) -> bool:
    """Return whether a user's code makes the decks where they are counted."""
    if args.cluster is None:
        return bool(args.in_parts)
    if args.file is not None:
        raise FairdeckError(
            f"--cluster {args.cluster}: the workers do not have the decks of a file; leave --cluster out"
        )
    return args.in_parts or args.exec is not None or ":" in args.shuffle


def _again(args: Namespace, report: "Report") -> str:
    """Return the command that counts the same decks."""
    after = report.counted - report.verdict.decks
    words = ["fairdeck", "test"]
    if args.shuffle:
        words.append(args.shuffle)
    names = ("cards", "decks", "alpha", "standard", "lags", "only", "takes", "order", "columns", "path", "timeout")
    for name in ("exec", "file", *laboratory.SEEN, *names, "beacon_value"):
        if (given := getattr(args, name)) is not None:
            option = f"--{name.replace('_', '-')}"
            words += [word for value in ([given] if isinstance(given, str) else given) for word in (option, value)]
    for name, usual in (("start", "sorted"), ("format", "text"), ("cause", "2")):
        if getattr(args, name) != usual:
            words += [f"--{name}", getattr(args, name)]
    if report.inquiry.in_parts:
        words.append("--in-parts")
    if after or args.go_on is not None:
        words += ["--go-on", str(after or args.go_on)]
    if report.inquiry.seed is not None:
        words += ["--seed", f"{report.inquiry.seed:x}"]
    return laboratory.command_line(words)


def _list(*, as_json: bool) -> int:
    from fairdeck.lab.standards import registry
    from fairdeck.lab.statistics import catalogue

    if as_json:
        statistics = [{"name": each.name, "sees": each.sees} for each in catalogue()]
        standards = [{"name": each.name, "title": each.title} for each in registry().values()]
        print(json.dumps({"format": "fairdeck-statistics/1", "statistics": statistics, "standards": standards}))
        return FINE
    print("Statistics, each with the faults that it is meant to find:")
    for statistic in catalogue():
        print(f"  {statistic.name:<32} {statistic.sees}")
    print("Standards:")
    for standard in registry().values():
        print(f"  {standard.name:<32} {standard.title}")
    return FINE
