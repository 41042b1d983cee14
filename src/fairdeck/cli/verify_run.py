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
from fairdeck.lab.usercode.faults import shortened
from fairdeck.numbers import whole

if TYPE_CHECKING:
    from fairdeck.lab.runs.store import Run, Store
    from fairdeck.lab.runs.verifying import Checked

OWN = ("number", "sample", "beacon", "store", "root", "registered", "workers", "cluster")
USUAL_SAMPLE, MOST_SAMPLE = 60, 1_000_000
DATABASE = b"SQLite format 3\0"
REMEDY = (
    "name a plan that fairdeck deal --json wrote, a store, the report that fairdeck test --store DB --json printed, or "
    "the transcript that fairdeck together finish wrote"
)
# What a report states that its store states as well, in every version; and what nothing in the store can show.
STATED = (
    *("shuffle", "cards", "decks", "counted", "announced", "analysed", "alpha", "verdict", "p_value", "standard"),
    *("seed", "start", "lags"),
)
UNCOMPARED = ("seconds", "command", "notes", "environment", "causes")


def run_arguments(parser: _ArgumentGroup) -> None:
    """Declare the options for stored runs."""
    parser.add_argument("--run", dest="number", metavar="N", help="which run of the store (default: the only one)")
    parser.add_argument("--sample", metavar="N", help=f"ranges to count again; 0 for none (default: {USUAL_SAMPLE})")
    parser.add_argument(
        "--beacon",
        metavar="VALUE",
        help="a public value that nobody knew when the run ended; it chooses the ranges, the same for everybody "
        "(default: the operating system chooses)",
    )
    parser.add_argument(
        "--store",
        metavar="DB",
        help="where the store is now, if FILE is a report (default: where the report says, or beside it)",
    )
    parser.add_argument("--root", metavar="HEX", help="the Merkle root that the certificate states, all 64 digits")
    parser.add_argument("--registered", metavar="HEX", help="the digest that was published before the run, 64 digits")
    workers_argument(parser)


def verify_run(args: Namespace, content: bytes) -> int:
    """Verify a run by its store, or a report with its store; say what was found, and return the exit code."""
    stated = {"store": args.file} if content == DATABASE else _stated(args, content)
    need_lab()
    from fairdeck.lab.runs.store import Store
    from fairdeck.lab.runs.verifying import verify

    sample = USUAL_SAMPLE if args.sample is None else whole("sample", args.sample, 0, MOST_SAMPLE)
    number = None if args.number is None else whole("run", args.number, 1, MOST_RUNS)
    for name, where in (("root", "the certificate shows"), ("registered", "fairdeck runs DB shows")):
        if (value := getattr(args, name)) is not None:
            _hash(f"--{name}", value, f"; {where} all of them")
    if args.beacon == "":
        raise FairdeckError("--beacon: the value is empty; write the value that the beacon published after the run")
    progress = Progress()
    with closing(Store(Path(stated["store"]))) as store:
        found = store.only(number or stated.get("number"))
        with counting(args, progress) as map_, interruptible(map_) as heard:
            checked = verify(
                found,
                store.ranges(found.number),
                sample=sample,
                beacon=args.beacon,
                root=args.root or stated.get("root", ""),
                registered=args.registered or stated.get("digest", ""),
                p_value=stated.get("report", {}).get("p_value"),
                map_=heard,
                progress=lambda done, of: progress.tell(done, of, "ranges"),
            )
        if checked.holds and "report" in stated:
            other, passed_over = _differs(stated["report"], store, found)
            remark = f"not compared: what the report says of {', '.join(passed_over)}"
            checked = replace(checked, holds=not other, first_fault=other, remarks=(*checked.remarks, remark))
    progress.done()
    if args.json:
        print(json.dumps({"format": "fairdeck-verification/1", **asdict(checked)}))
    else:
        print(*map(one_line, _lines(found, checked, args.beacon)), sep="\n")
    return FINE if checked.holds else DOES_NOT_HOLD


def _stated(args: Namespace, content: bytes) -> dict[str, Any]:
    """Return what a report states of the run: at least the path of its store."""
    try:
        report = json.loads(content)
        found: dict[str, Any] = {name: str(report["run"][name]) for name in ("store", "root", "digest")}
        found |= {"number": int(report["run"]["number"]), "report": report}
        if not all(name in report for name in STATED):
            raise ValueError
        for name in ("root", "digest"):
            _hash(name, found[name])
        if not 1 <= found["number"] <= MOST_RUNS or type(report["p_value"]) not in (int, float):
            raise ValueError
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise FairdeckError(
            f"{args.file!r} is no plan, store, report of a stored run or transcript: {REMEDY}"
        ) from None
    beside = Path(args.file).parent / Path(found["store"]).name
    store = args.store or (found["store"] if Path(found["store"]).is_file() else str(beside))
    if not Path(store).is_file():
        raise FairdeckError(f"{store!r}, the store of the report, is not a file: write where it is with --store DB")
    return found | {"store": store}


def _hash(what: str, text: str, where: str = "") -> None:
    if not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise FairdeckError(f"{what}: {text!r} is not a SHA-256; write its 64 hexadecimal digits{where}")


def _differs(report: dict[str, Any], store: "Store", run: "Run") -> tuple[str, list[str]]:
    """Return what a report states otherwise than its store; and which fields were passed over."""
    from fairdeck.lab.runs.identity import hash_of_code
    from fairdeck.lab.runs.keeping import report_of

    made = json.loads(report_of(store, run).to_json())
    report, made = (
        {**each, **{f"run {name}": value for name, value in each["run"].items()}} for each in (report, made)
    )
    over = {*UNCOMPARED, "run", "run store"} | ({"headline"} if report.get("causes") else set())
    if run.registration.code != hash_of_code():  # another version may say the same in other words
        over |= made.keys() - STATED - {name for name in made if name.startswith("run ")}
    for name in [*made, *report]:
        if name not in over and (mine := report.get(name)) != (kept := made.get(name)):
            return f"the report states {name} {_short(mine)}, and the store {_short(kept)}", []
    return "", sorted(over - {"run", "run store"})


def _short(value: object) -> str:
    return shortened(repr(value), 80)


def _lines(run: "Run", checked: "Checked", beacon: str | None) -> Iterator[str]:
    yield "It holds." if checked.holds else f"It does not hold: {checked.first_fault}."
    asked, digest = run.inquiry, run.registration.digest
    yield f"run {run.number}: {asked.what}, {asked.cards} cards, {run.ended}; registered as {digest}"
    if checked.checked == checked.ranges:
        yield f"counted again: all ranges ({checked.ranges:,}, with {checked.decks:,} decks)"
    elif checked.checked:
        yield (
            f"counted again: {checked.checked:,} of {checked.ranges:,} ranges ({checked.decks:,} decks), chosen "
            f"{'by the beacon' if beacon else 'at random'} ({checked.chosen_by})"
        )
        yield (
            f"if ranges with {checked.would_notice:.1%} of all decks were forged, 95 of 100 such checks would notice it"
        )
    elif checked.holds:
        yield "counted again: no range, so this check does not notice forged counts"
    yield from checked.remarks
