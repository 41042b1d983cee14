"""`fairdeck verify` for a stored run, or the report of one."""

import json
import re
from argparse import Namespace, _ArgumentGroup
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.laboratory import MOST_RUNS, counting, need_lab, workers_argument
from fairdeck.cli.progress import Progress
from fairdeck.cli.signals import interruptible
from fairdeck.cli.streams import one_line
from fairdeck.errors import FairdeckError
from fairdeck.numbers import shortened, whole

if TYPE_CHECKING:
    from fairdeck.lab.runs.store import Run, Store
    from fairdeck.lab.runs.verifying import Checked

OWN = ("number", "store", "registered", "workers", "cluster")
DATABASE = b"SQLite format 3\0"
REMEDY = (
    "name a plan that fairdeck deal --json wrote, a store, the report that fairdeck test --store DB --json printed, or "
    "the transcript that fairdeck together finish wrote"
)
UNCOMPARED = {"seconds", "command", "notes", "environment", "causes"}  # nothing in the store can show them


def run_arguments(parser: _ArgumentGroup) -> None:
    """Declare the options for stored runs."""
    parser.add_argument("--run", dest="number", metavar="N", help="which run of the store (default: the only one)")
    parser.add_argument(
        "--store",
        metavar="DB",
        help="where the store is now, if FILE is a report (default: where the report says, or beside it)",
    )
    parser.add_argument("--registered", metavar="HEX", help="the digest that was published before the run, 64 digits")
    workers_argument(parser)


def verify_run(args: Namespace, content: bytes) -> int:
    """Verify a run by its store, or a report with its store; say what was found, and return the exit code."""
    report = None if content == DATABASE else _report(args, content)
    need_lab()
    from fairdeck.lab.runs.store import Store
    from fairdeck.lab.runs.verifying import Checked, verify

    number = None if args.number is None else whole("run", args.number, 1, MOST_RUNS)
    registered = args.registered
    if registered is not None and not re.fullmatch("[0-9a-fA-F]{64}", registered):
        raise FairdeckError(
            f"--registered: {registered!r} is not a SHA-256; write its 64 hexadecimal digits; fairdeck runs DB shows "
            "all of them"
        )
    if report:
        number, registered = number or report["run"]["number"], registered or report["run"]["digest"]
    progress = Progress()
    with closing(Store(Path(_store_of(args, report) if report else args.file))) as store:
        run = store.only(number)
        fault, passed_over = _differs(report, store, run) if report else ("", [])
        if fault:
            checked = Checked(False, fault, 0)
        else:
            with counting(args, progress) as map_, interruptible(map_) as heard:
                checked = verify(
                    run,
                    registered=registered or "",
                    map_=heard,
                    progress=lambda trial: progress.tell(trial.decks, run.decks, "decks"),
                )
            if passed_over:
                remark = f"not compared: what the report says of {', '.join(passed_over)}"
                checked = replace(checked, remarks=(*checked.remarks, remark))
    progress.done()
    if args.json:
        print(json.dumps({"format": "fairdeck-verification/1", **asdict(checked)}))
    else:
        print(*map(one_line, _lines(run, checked)), sep="\n")
    return FINE if checked.holds else DOES_NOT_HOLD


def _report(args: Namespace, content: bytes) -> dict[str, Any]:
    """Return the report that a file holds, if it is one of a stored run."""
    try:
        report: dict[str, Any] = json.loads(content)
        kept = report["run"]
        if type(kept["store"]) is not str or type(kept["digest"]) is not str or type(report["causes"]) is not list:
            raise ValueError("a field of another type")
        if type(kept["number"]) is not int or not 1 <= kept["number"] <= MOST_RUNS:
            raise ValueError("no number of a run")
    except (ValueError, TypeError, KeyError, RecursionError):
        raise FairdeckError(
            f"{args.file!r} is no plan, store, report of a stored run or transcript: {REMEDY}"
        ) from None
    return report


def _store_of(args: Namespace, report: dict[str, Any]) -> str:
    """Return the path of the store of a report: where somebody says, where the report says, or beside it."""
    stated: str = report["run"]["store"]
    store: str = args.store or (stated if Path(stated).is_file() else str(Path(args.file).parent / Path(stated).name))
    if not Path(store).is_file():
        raise FairdeckError(f"{store!r}, the store of the report, is not a file: write where it is with --store DB")
    return store


def _differs(report: dict[str, Any], store: "Store", run: "Run") -> tuple[str, list[str]]:
    """Return what a report states otherwise than its store; and which fields nothing in the store can show."""
    from fairdeck.lab.runs.keeping import report_of

    run.registration.check_code()  # another version may say the same in other words
    made = json.loads(report_of(store, run).to_json())
    stated, kept = (
        {**each, **{f"run {name}": value for name, value in each["run"].items()}} for each in (report, made)
    )
    passed_over = UNCOMPARED | ({"headline"} if report["causes"] else set())
    for name in [*kept, *stated]:
        if name not in passed_over | {"run", "run store"} and (mine := stated.get(name)) != (theirs := kept.get(name)):
            return f"the report states {name} {shortened(mine)}, and the store {shortened(theirs)}", []
    return "", sorted(passed_over)


def _lines(run: "Run", checked: "Checked") -> Iterator[str]:
    yield "It holds." if checked.holds else f"It does not hold: {checked.first_fault}."
    asked, digest = run.inquiry, run.registration.digest
    yield f"run {run.number}: {asked.what}, {asked.cards} cards, {run.ended}; registered as {digest}"
    if checked.checked:
        yield f"counted again: {checked.checked:,} decks, from the first one on"
    yield from checked.remarks
