"""What `fairdeck verify` makes of a store, and of the reports and certificates of its runs."""

import json
from argparse import Namespace, _ActionsContainer
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairdeck.cli.arguments import options
from fairdeck.cli.laboratory import MOST_RUNS, counting, need_lab, workers_argument
from fairdeck.cli.settings import demand_digest
from fairdeck.cli.signals import interruptible
from fairdeck.cli.terminal import Progress
from fairdeck.dealing.instructions import counted
from fairdeck.errors import FairdeckError
from fairdeck.numbers import shortened, whole

if TYPE_CHECKING:
    from fairdeck.lab.runs.registration import Registration
    from fairdeck.lab.runs.store import Run, Store

PAGE = b"<!doctype html"
DATABASE = b"SQLite format 3\0"
REMEDY = (
    "name a plan that fairdeck deal --json wrote, a store, the report that fairdeck test --store DB --json printed, a "
    "certificate, or the transcript that fairdeck together finish wrote; for rounds of a site write --as NAME"
)
UNCOMPARED = {"seconds", "command", "notes", "environment", "causes", "labels"}  # nothing in the store can show them
PRINTED = "all this in its printed text, as another build of fairdeck printed it"
TOLD = {"command": str, "environment": dict[str, str], "notes": list[str], "labels": list[str]}  # printed as stated


def arguments(parser: _ActionsContainer) -> None:
    """Declare the options for a run."""
    parser.add_argument("--run", dest="number", metavar="N", help="which run of the store (default: the only one)")
    declared = {
        "--store DB": "where the store is now, if FILE is a report (default: where the report says, or beside it)",
        "--registered HEX": "the digest that was published before the run, 64 digits",
        "--log FILE": "the file of decks that the run was about",
    }
    options(parser, declared)
    workers_argument(parser)


def verify_run(args: Namespace, content: bytes) -> tuple[dict[str, Any], list[str]]:
    """Return what --json says of a run, and the lines between the verdict and the remarks."""
    need_lab()
    from fairdeck.lab.runs import registration
    from fairdeck.lab.runs.store import Store
    from fairdeck.lab.runs.verifying import Checked, examined, verify

    number, registered = None if args.number is None else whole("run", args.number, 1, MOST_RUNS), args.registered
    demand_digest("--registered", registered, ": fairdeck runs DB shows all of them")
    stated, fault = _stated(args, content)
    report, page = stated.get("report"), "printed" in stated
    path = _store_of(args, report, page=page) if report else args.file
    if report and not page:
        registered = registered or report["run"]["digest"]
    progress, passed_over = Progress(), list[str]()
    with ExitStack() as opened:
        run = None
        if path and not fault:
            store = opened.enter_context(closing(Store(Path(path))))
            run = store.only(number or (report["run"]["number"] if report else None))
            fault, passed_over = _differs(stated, store, run) if report else ("", [])
        fixed = None if run or fault or report is None else report.get("registration")
        text = json.dumps(fixed, sort_keys=True, separators=(",", ":"))
        known = run.registration if run else registration.read(text) if fixed else None
        if fault or known is None:
            checked = Checked(not fault, fault, 0)
        elif run and (not page or (args.log if run.inquiry.kind == "file" else run.inquiry.kind == "known")):
            with counting(args, progress) as map_, interruptible(map_) as heard:
                checked = verify(
                    run,
                    registered=registered or "",
                    log=args.log or "",
                    map_=heard,
                    progress=lambda trial: progress.tell(trial.decks, run.decks, "decks"),
                )
        else:
            checked = examined(known, registered or "")
            checked = replace(checked, remarks=(*checked.remarks, *_not_here(known, run)))
    progress.done()
    if passed_over:
        remark = f"not compared: what the report says of {', '.join(passed_over)}"
        checked = replace(checked, remarks=(*checked.remarks, remark))
    lines = []
    if known:
        which, ended = (f"run {run.number}: ", f", {run.ended}") if run else ("", "")
        what = f"{known.inquiry.name}, {known.inquiry.cards} cards"
        lines.append(f"{which}{what}{ended}; registered as {known.digest}")
    in_part = PRINTED in passed_over
    if page and checked.holds:
        text = "the JSON in the page" if in_part else "the printed text, the JSON in it"
        lines.append(f"compared: {text}{' and all that the store holds of the run' * bool(run)}")
    if checked.checked:
        lines.append(f"counted again: {checked.checked:,} decks, from the first one on")
    return asdict(checked) | {"in_part": in_part}, lines


def _not_here(known: "Registration", run: "Run | None") -> Iterator[str]:
    """Yield what a certificate says that only those can check who have its store, its code and its files."""
    copy = "; name your copy of the file with --log FILE" if run and known.inquiry.kind == "file" else ""
    yield f"not counted again: the decks of {known.inquiry.name}{copy}"
    if not run:
        yield "not compared: its store, which is not here; ask for it"
    yield from (f"not checked: that {name} has the SHA-256 {found}" for name, found in known.files.items())


def _stated(args: Namespace, content: bytes) -> tuple[dict[str, Any], str]:
    """Return what a certificate or a report states, the latter under its name, and what was changed in the former."""
    from fairdeck.lab.judging.report import Record
    from fairdeck.lab.runs import records
    from fairdeck.show.reports.certificate import read as read_page

    if content == DATABASE:
        return {}, ""
    page = content[: len(PAGE)].lower() == PAGE
    kinds = {**TOLD, "run": Record | None if page else Record}
    try:
        stated, fault = read_page(content.decode()) if page else ({"report": json.loads(content)}, "")
        kept = [records.from_json(kind, stated["report"][name]) for name, kind in kinds.items()][-1]
        if type(stated["report"]["causes"]) is not list or (kept and not 1 <= kept.number <= MOST_RUNS):
            raise ValueError("a field of another type")
    except (ValueError, TypeError, KeyError, RecursionError):
        raise FairdeckError(
            f"{args.file!r} is no plan, store, certificate, report of a stored run or transcript: {REMEDY}"
        ) from None
    return stated, fault


def _store_of(args: Namespace, report: dict[str, Any], *, page: bool) -> str:
    """Return the path of the store of a report: where somebody says, where the report says, or beside it.

    Empty if it is a certificate, and its store is not there.
    """
    stated: str = report["run"]["store"] if report["run"] else ""
    store: str = args.store or (stated if Path(stated).is_file() else str(Path(args.file).parent / Path(stated).name))
    if page and not (Path(store).is_file() or args.store):
        return ""
    if not (stated and Path(store).is_file()):
        raise FairdeckError(f"{store!r}, the store of the report, is not a file: write where it is with --store DB")
    return store


def _differs(page: dict[str, Any], store: "Store", run: "Run") -> tuple[str, list[str]]:
    """Return what a report, or a certificate, states otherwise than its store; and what nothing in the store shows."""
    from fairdeck.lab.runs.keeping import report_of
    from fairdeck.lab.runs.registration import hash_of_code
    from fairdeck.show.reports.certificate import printed_hash

    run.registration.check_code()  # another version may say the same in other words
    report = page["report"]
    if len(report["labels"]) not in (0, run.inquiry.cards):
        return f"the report names {counted(len(report['labels']), 'card')}, and the store has {run.inquiry.cards:,}", []
    made = replace(report_of(store, run), labels=tuple(report["labels"]))
    stated, kept = (
        {**each, **{f"run {name}": value for name, value in each["run"].items()}}
        for each in (report, json.loads(made.to_json()))
    )
    passed_over = UNCOMPARED | ({"headline"} if report["causes"] else set())
    for name in [*kept, *stated]:
        if name not in passed_over | {"run", "run store"} and stated.get(name) != kept.get(name):
            return _first_difference(name, stated.get(name), kept.get(name)), []
    if "printed" in page and page["build"] != hash_of_code(whole=True):
        passed_over = passed_over | {PRINTED}
    elif "printed" in page and page["printed"] != printed_hash(made, report):
        return "the printed text is not what the store gives", []
    return "", sorted(passed_over)


def _first_difference(name: str, mine: Any, theirs: Any) -> str:
    """Return which value of a report is another one in its store."""
    if isinstance(mine, list) and isinstance(theirs, list):
        mine, theirs = dict(enumerate(mine, 1)), dict(enumerate(theirs, 1))
    if isinstance(mine, dict) and isinstance(theirs, dict):
        key = next(key for key in theirs | mine if mine.get(key, "nothing") != theirs.get(key, "nothing"))
        return _first_difference(f"{name}, {key}:", mine.get(key, "nothing"), theirs.get(key, "nothing"))
    return f"the report states {name} {shortened(mine)}, and the store {shortened(theirs)}"
