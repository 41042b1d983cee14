"""Verify a stored run: whether it holds together, and whether a random part of it counts the same again.

CERT is the store of the run, or the report that `fairdeck test --json` printed, which states its root. A known
shuffle's decks are made again from the seed. Exit code 1: something does not hold.
"""

import json
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import read
from fairdeck.cli.laboratory import MOST_RUNS, counting, need_lab, workers_argument
from fairdeck.cli.progress import Progress
from fairdeck.cli.signals import interruptible
from fairdeck.cli.streams import one_line
from fairdeck.errors import FairdeckError
from fairdeck.parsing import whole_number

if TYPE_CHECKING:
    from fairdeck.lab.runs.store import Run, Store
    from fairdeck.lab.runs.verifying import Checked

USUAL_SAMPLE, MOST_SAMPLE = 60, 1_000_000
LARGEST_REPORT = 64 << 20  # bytes
DATABASE = b"SQLite format 3\0"
# What a report states that its store states as well; the rest is words, or differs from machine to machine.
STATED = (
    *("shuffle", "cards", "decks", "counted", "announced", "analysed", "alpha", "verdict", "p_value", "standard"),
    *("seed", "start", "lags"),
)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("cert", metavar="CERT", help="a store, or a report as JSON whose store lies where it says")
    parser.add_argument("--run", dest="number", metavar="N", help="which run of the store, if there are several")
    parser.add_argument("--sample", metavar="N", help=f"count so many ranges again (default: {USUAL_SAMPLE}; 0: none)")
    parser.add_argument(
        "--beacon", metavar="VALUE", help="a public value that nobody knew when the run ended; it chooses the ranges"
    )
    parser.add_argument("--store", metavar="DB", help="where the store of a report lies now")
    parser.add_argument("--root", metavar="HEX", help="the Merkle root that a certificate states")
    parser.add_argument("--registered", metavar="HEX", help="the digest that was announced before the run")
    workers_argument(parser)
    parser.add_argument("--json", action="store_true", help="the result as JSON")


def run(args: Namespace) -> int:
    need_lab()
    from fairdeck.lab.runs.store import Store
    from fairdeck.lab.runs.verifying import verify

    sample = USUAL_SAMPLE if args.sample is None else whole_number(args.sample, "sample", 0, MOST_SAMPLE)
    number = None if args.number is None else whole_number(args.number, "run", 1, MOST_RUNS)
    for name in ("root", "registered"):
        if (value := getattr(args, name)) is not None:
            _hash(f"--{name}", value)
    stated = _stated(args)
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
        other = _differs(stated["report"], store, found) if checked.holds and "report" in stated else ""
        if other:
            checked = replace(checked, holds=False, first_fault=other)
    progress.done()
    print(json.dumps(asdict(checked)) if args.json else "\n".join(map(one_line, _lines(found, checked))))
    return FINE if checked.holds else DOES_NOT_HOLD


def _stated(args: Namespace) -> dict[str, Any]:
    """Return what is stated of the run: at least the path of its store."""
    path = Path(args.cert)
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(DATABASE)) == DATABASE:
                return {"store": args.cert}
    remedy = "name a store, or the report that fairdeck test --store DB --json printed"
    try:
        report = json.loads(read(args.cert, LARGEST_REPORT, remedy))
        found: dict[str, Any] = {name: str(report["run"][name]) for name in ("store", "root", "digest")}
        found |= {"number": int(report["run"]["number"]), "report": {name: report[name] for name in STATED}}
        for name in ("root", "digest"):
            _hash(name, found[name])
        if not 1 <= found["number"] <= MOST_RUNS or type(report["p_value"]) not in (int, float):
            raise ValueError
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise FairdeckError(f"{args.cert!r} is neither a store nor the report of a stored run: {remedy}") from None
    beside = path.parent / Path(found["store"]).name
    store = args.store or (found["store"] if Path(found["store"]).is_file() else str(beside))
    return found | {"store": store}


def _hash(what: str, text: str) -> None:
    if not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise FairdeckError(f"{what}: {text!r} is not a SHA-256; write its 64 hexadecimal digits")


def _differs(report: dict[str, Any], store: "Store", found: "Run") -> str:
    """Return what a report states otherwise than the store from which it was made; empty if nothing is."""
    from fairdeck.lab.runs.keeping import report_of

    made = json.loads(report_of(store, found).to_json())
    names = (name for name in STATED if report[name] != made[name])
    return next((f"the report states {name} {report[name]!r}, and the store {made[name]!r}" for name in names), "")


def _lines(found: "Run", checked: "Checked") -> Iterator[str]:
    yield "It holds." if checked.holds else f"It does not hold: {checked.first_fault}."
    asked = found.registration
    yield f"run {found.number}: {asked.what}, {asked.cards} cards, {found.ended}; registered as {asked.digest}"
    if checked.checked == checked.ranges:
        yield f"all {checked.ranges:,} ranges ({checked.decks:,} decks) were counted again"
    elif checked.checked:
        yield (
            f"{checked.checked:,} of {checked.ranges:,} ranges ({checked.decks:,} decks) were counted again, chosen by "
            f"{checked.chosen_by}: if {checked.would_notice:.1%} of all ranges were forged, 95 of 100 such checks "
            "would notice"
        )
    else:
        yield "no range was counted again, so forged counts would not be noticed"
    yield from checked.remarks
