"""Find out whether a shuffle is fair: a known one, a function, a program, or a file of decks.

Decks are counted until a fault is certain, or until `--decks` have been seen. The answer holds at
one stated level, however much is looked at. Exit code 1: it is not fair; 2: too few decks to tell.
"""

import ast
import os
import shlex
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from fairdeck.cli.exits import BAD_INPUT, DOES_NOT_HOLD, FINE, INTERRUPTED
from fairdeck.cli.files import writable, write
from fairdeck.cli.laboratory import (
    MOST_DECKS,
    command_line,
    level,
    need_lab,
    seed_argument,
    seed_from,
    workers_argument,
    workers_from,
)
from fairdeck.cli.progress import Progress
from fairdeck.cli.signals import interruptible, leaving_tidily
from fairdeck.errors import FairdeckError
from fairdeck.reading import whole_number
from fairdeck.shuffles import MOST_CARDS

if TYPE_CHECKING:
    from fairdeck.lab.report import Report
    from fairdeck.lab.sources import Source
    from fairdeck.lab.sources.simulated import Simulated
    from fairdeck.lab.standards import Standard
    from fairdeck.lab.tally import Battery

OUTPUTS = Path(__file__).parents[2] / "lab" / "report" / "outputs"
USUAL_DECKS = 2**18
USUAL_CARDS = 52
WORTH_KERNELS = 50_000  # decks: a run that long comes to blocks that kernels count
WORTH_WORKERS = 20_000  # decks: fewer are counted before another process has started


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    what = parser.add_argument_group("what to test, one of these")
    what.add_argument(
        "shuffle",
        nargs="?",
        metavar="SHUFFLE",
        help="a known shuffle (see: fairdeck shuffles), or package.module:function, or file.py:function",
    )
    what.add_argument("--exec", metavar="COMMAND", help="a program that writes decks, one a line; {cards} is filled in")
    what.add_argument(
        "--file", metavar="FILE", help="a file of decks: text, CSV, JSON lines or .npy; - is standard input"
    )
    parser.add_argument("--cards", metavar="N", help=f"cards in the deck (default: {USUAL_CARDS}; a file tells itself)")
    parser.add_argument(
        "--decks",
        metavar="N",
        help=f"decks to count, announced before any is seen (default: {USUAL_DECKS:,}; a file: all, unannounced)",
    )
    parser.add_argument("--alpha", metavar="P", help="fail a fair shuffle with at most this chance (default: 1e-6)")
    parser.add_argument("--standard", metavar="NAME", help="test as a published standard asks (see: --list)")
    parser.add_argument("--lags", metavar="N", help="compare decks up to this many apart, 0 to 8 (default: 2)")
    parser.add_argument("--only", metavar="A,B,...", help="only these statistics (see: --list)")
    parser.add_argument(
        "--start",
        choices=["sorted", "scrambled", "carried"],
        default="sorted",
        help="shuffle the sorted deck, one scrambled deck, or the deck that the last shuffle left",
    )
    parser.add_argument(
        "--takes", choices=["deck", "n"], help="what the function takes (default: told from its signature)"
    )
    parser.add_argument(
        "--format", choices=["text", "u8", "u16", "u32"], default="text", help="how the program writes decks"
    )
    parser.add_argument("--order", metavar="LABELS", help="the sorted deck of a file whose cards are words")
    parser.add_argument("--timeout", metavar="S", help="give up when no deck came for so many seconds (default: 10)")
    seed_argument(parser)
    workers_argument(parser)
    parser.add_argument("--all", action="store_true", help="show every test, not only those that say most")
    parser.add_argument("--list", action="store_true", help="list the statistics and the standards, and test nothing")
    for name in _forms():
        if name == "json":
            parser.add_argument("--json", action="store_true", help="the report as JSON")
        else:
            parser.add_argument(f"--{name}", metavar="FILE", help=_about(name).replace("%", "%%"))


def run(args: Namespace) -> int:
    """Test and write."""
    need_lab()
    if args.list:
        return _list()
    files = {name: writable(value) for name in _forms() if name != "json" and (value := getattr(args, name))}
    with leaving_tidily():
        report, interrupted = _tested(args)
    from fairdeck.lab.report import forms
    from fairdeck.lab.report.terminal import lines

    # On the screen first: a disk that is full must not swallow what was counted. Nor must a reader that has gone.
    with suppress(BrokenPipeError):
        print(forms()["json"].render(report) if args.json else "\n".join(lines(report, everything=args.all)))
    for name, path in files.items():
        write(path, forms()[name].render(report))
    if interrupted:
        return INTERRUPTED
    return {"fail": DOES_NOT_HOLD, "pass": FINE, "insufficient": BAD_INPUT}[report.verdict.outcome]


def _tested(args: Namespace) -> "tuple[Report, bool]":
    """Return the report, and whether Ctrl-C cut it short; what was counted by then is in it."""
    from fairdeck.lab.kernels import are_compiled, available
    from fairdeck.lab.report import Report, environment
    from fairdeck.lab.spread import spread
    from fairdeck.lab.tally import is_fast
    from fairdeck.lab.trial import Trial, run
    from fairdeck.lab.verdict import DEFAULT_ALPHA, fewest_decks

    standard = _standard(args)
    most = _decks(args, standard)
    alpha = level(args.alpha) if args.alpha is not None else standard.alpha if standard else DEFAULT_ALPHA
    workers = workers_from(args)
    seed = seed_from(args)
    progress = Progress()
    interrupted = False
    identity = _identity(args)  # before anything is counted: what goes wrong here must not cost a report
    with _source(args, seed) as source:
        battery = _battery(args, source.cards, standard)
        fewest = standard.fewest(source.cards) if standard else fewest_decks(source.cards)
        trial = Trial(battery, most, alpha, fewest=fewest, announced=args.file is None or args.decks is not None)
        quick, long = is_fast(source.cards), most >= WORTH_KERNELS
        if quick and long and not are_compiled():
            progress.say("compiling for this processor; this once, some twenty seconds")
        with spread(workers if most >= WORTH_WORKERS else 1) as map_, suppress(BrokenPipeError):
            try:
                with interruptible(map_) as counting:
                    for _ in run(trial, source, map=counting, at_least=fewest if standard else 0):
                        progress.tell(trial.decks, most, "decks", f"p = {trial.p_value:.2g}")
            except KeyboardInterrupt:
                interrupted = True
            progress.done()
        return Report(
            shuffle=source.name,
            battery=battery,
            verdict=trial.verdict().named(source.labels),
            tally=trial.tally,
            seed=None if args.exec or args.file else seed,
            start="" if args.exec or args.file else args.start,
            notes=(
                *source.notes,
                *([] if available() or not long else ["numba is not here: counted by numpy, many times slower"]),
                *(["stopped by hand"] if interrupted else []),
            ),
            seconds=progress.seconds,
            command=_again(args, seed),
            standard=standard,
            cut_short=f"stopped by hand before all {most:,}" if interrupted else "",
            environment=environment() | identity,
        ), interrupted


def _identity(args: Namespace) -> dict[str, str]:
    """Return the hash of every file that is named, so that a report tells which version it is about."""
    words = _words(args.exec) if args.exec else [args.file or (args.shuffle or "").rpartition(":")[0]]
    found = {}
    for word in words:
        with suppress(OSError):  # what cannot be read may be run all the same
            if os.path.isfile(word):  # noqa: PTH113 - of a Path it raises where a word is no possible name
                found[f"sha256 of {word}"] = _sha256(Path(word))
    return found


def _words(command: str) -> list[str]:
    """Return the words of a command, as far as they can be told: the shell may see others."""
    try:
        return shlex.split(command)
    except ValueError:  # a quote in a comment
        return command.split()


def _sha256(file: Path) -> str:
    import hashlib

    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _source(args: Namespace, seed: int) -> "Source | Simulated":
    """Return where the decks come from."""
    from fairdeck.lab.sources import open_file, open_function, open_program
    from fairdeck.lab.sources.simulated import Simulated

    if [args.shuffle, args.exec, args.file].count(None) != 2:
        raise FairdeckError("name one thing to test: a SHUFFLE, or --exec COMMAND, or --file FILE")
    cards = None if args.cards is None else whole_number(args.cards, "cards", 2, MOST_CARDS)
    timeout = 10.0 if args.timeout is None else float(whole_number(args.timeout, "timeout", 1, 86_400))
    if args.start != "sorted" and args.file is not None:
        raise FairdeckError(f"--start {args.start} is for shuffles that are called; a file's decks are as they are")
    if args.start == "carried" and args.exec is not None:
        raise FairdeckError("--start carried: a program decides itself whether it goes on from its last deck")
    if args.file is not None:
        return open_file(args.file, cards=cards, order=args.order)
    cards = cards or USUAL_CARDS
    if args.exec is not None:
        return open_program(args.exec, cards=cards, layout=args.format, start=args.start, seed=seed, timeout=timeout)
    if ":" in args.shuffle:
        return open_function(args.shuffle, cards=cards, seed=seed, start=args.start, takes=args.takes, timeout=timeout)
    # A registered shuffle moves places and never looks at cards: any fixed start is the sorted one.
    return Simulated(args.shuffle, cards, seed, carried=args.start == "carried")


def _standard(args: Namespace) -> "Standard | None":
    from fairdeck.lab.standards import find

    if args.standard is not None:
        for name, what in (("only", "names the statistics"), ("alpha", "sets the level")):
            if getattr(args, name) is not None:
                raise FairdeckError(f"--standard {what} itself: leave --{name} out")
    return None if args.standard is None else find(args.standard)


def _battery(args: Namespace, cards: int, standard: "Standard | None") -> "Battery":
    from fairdeck.lab.tally import DEFAULT_LAGS, LAGS, Battery

    lags = None if args.lags is None else whole_number(args.lags, "lags", 0, LAGS)
    if standard:
        return standard.battery(cards, lags)
    only = frozenset(name.strip() for name in args.only.split(",")) if args.only else frozenset[str]()
    return Battery(cards, DEFAULT_LAGS if lags is None else lags, only)


def _decks(args: Namespace, standard: "Standard | None") -> int:
    if args.decks is None:
        return MOST_DECKS if args.file else max(USUAL_DECKS, standard.least if standard else 0)
    return whole_number(args.decks, "decks", 1, MOST_DECKS)


def _again(args: Namespace, seed: int) -> str:
    """Return the command that repeats this run."""
    words = ["fairdeck", "test"]
    if args.shuffle:
        words.append(args.shuffle)
    for name in ("exec", "file", "cards", "decks", "alpha", "standard", "lags", "only", "takes", "order", "timeout"):
        if getattr(args, name) is not None:
            words += [f"--{name}", getattr(args, name)]
    for name, usual in (("start", "sorted"), ("format", "text")):
        if getattr(args, name) != usual:
            words += [f"--{name}", getattr(args, name)]
    if not args.file:
        words += ["--seed", f"{seed:x}"]
    return command_line(words)


def _list() -> int:
    from fairdeck.lab.standards import registry
    from fairdeck.lab.statistics import catalogue

    print("Statistics, each with the faults it is there for:")
    for statistic in catalogue():
        print(f"  {statistic.name:<32} {statistic.sees}")
    print("Standards:")
    for standard in registry().values():
        print(f"  {standard.name:<32} {standard.title}")
    return FINE


def _forms() -> list[str]:
    """Return the names of all forms of a report, without loading what they need."""
    return sorted(path.stem for path in OUTPUTS.glob("*.py") if path.stem != "__init__")


def _about(name: str) -> str:
    """Return what a form is: the constant ``HELP`` of its file."""
    tree = ast.parse((OUTPUTS / f"{name}.py").read_text(encoding="utf-8"))
    for each in tree.body:
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and each.targets[0].id == "HELP":
            return str(ast.literal_eval(each.value))
    raise LookupError(f"{name}.py does not say what it is: give it a HELP")
