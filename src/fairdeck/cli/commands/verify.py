"""Verify a stored run, or the transcript of a ceremony.

Of a stored run it checks whether its ranges, their sum, its root and its last analysis fit together, and whether a
random part of its decks counts the same again: the decks are made again from the seed, so the run must be of a known
shuffle. FILE is the store of the run (run.db), or the report that `fairdeck test --store DB --json` printed.

Or FILE is a transcript that `fairdeck ceremony finish` wrote: everything is computed again, and the first thing that
does not fit is named; any changed byte is noticed. Exit code 0: it holds; 1: it does not, and the first fault is
named; 2: it cannot be verified.
"""

import json
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairdeck.ceremony.documents import kind_of
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import read
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.laboratory import MOST_RUNS, counting, need_lab, workers_argument
from fairdeck.cli.progress import Progress
from fairdeck.cli.signals import interruptible
from fairdeck.cli.streams import one_line
from fairdeck.cli.transcripts import VERIFICATION, demand_no_transcript, transcript_arguments, verify_transcript
from fairdeck.errors import FairdeckError
from fairdeck.lab.usercode.faults import shortened
from fairdeck.numbers import whole

if TYPE_CHECKING:
    from fairdeck.lab.runs.store import Run, Store
    from fairdeck.lab.runs.verifying import Checked

USUAL_SAMPLE, MOST_SAMPLE = 60, 1_000_000
LARGEST_REPORT = 64 << 20  # bytes
DATABASE = b"SQLite format 3\0"
PAGE = b"<!doctype html"
REMEDY = (
    "name a store, the report that fairdeck test --store DB --json printed, or the transcript that fairdeck ceremony "
    "finish wrote"
)
# What a report states that its store states as well, in every version; and what nothing in the store can show.
STATED = (
    *("shuffle", "cards", "decks", "counted", "announced", "analysed", "alpha", "verdict", "p_value", "standard"),
    *("seed", "start", "lags"),
)
UNCOMPARED = ("seconds", "command", "notes", "environment", "causes")


EXAMPLES = {
    "fairdeck verify run.db": "a part of the decks is counted again",
    "fairdeck verify run.db --sample 0": "only whether the store fits together",
    "fairdeck verify transcript.json": "the transcript of a ceremony",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "cert", metavar="FILE", help="a store, a report as JSON with its store beside it, or a transcript"
    )
    run = parser.add_argument_group("for a stored run")
    run.add_argument("--run", dest="number", metavar="N", help="which run of the store (default: the only one)")
    run.add_argument("--sample", metavar="N", help=f"ranges to count again; 0 for none (default: {USUAL_SAMPLE})")
    run.add_argument(
        "--beacon",
        metavar="VALUE",
        help="a public value that nobody knew when the run ended; it chooses the ranges, the same for everybody "
        "(default: the operating system chooses)",
    )
    run.add_argument(
        "--store",
        metavar="DB",
        help="where the store is now, if FILE is a report (default: where the report says, or beside it)",
    )
    run.add_argument("--root", metavar="HEX", help="the Merkle root that the certificate states, all 64 digits")
    run.add_argument("--registered", metavar="HEX", help="the digest that was published before the run, 64 digits")
    workers_argument(run)
    transcript_arguments(parser.add_argument_group("for a transcript"))
    json_argument(
        parser,
        "fairdeck-verification/1",
        fields="holds, first_fault, checked, would_notice, remarks; of a run also ranges, decks, chosen_by; of a "
        "transcript checks, digest, result (checked: how many things were computed again; would_notice 0: any change "
        "is noticed)",
    )


def run(args: Namespace) -> int:
    content = None if _beginning(args.cert) == DATABASE else _content(args)
    if content is not None and kind_of(content):
        return verify_transcript(args, content)
    demand_no_transcript(args)
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
    stated = {"store": args.cert} if content is None else _stated(args, content)
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
        print(json.dumps({"format": VERIFICATION, **asdict(checked)}))
    else:
        print(*map(one_line, _lines(found, checked, args.beacon)), sep="\n")
    return FINE if checked.holds else DOES_NOT_HOLD


def _beginning(name: str) -> bytes:
    """Return the first bytes of a file; none if it is no file."""
    if not Path(name).is_file():
        return b""
    with Path(name).open("rb") as file:
        return file.read(len(DATABASE))


def _content(args: Namespace) -> bytes:
    if _beginning(args.cert).lower().startswith(PAGE):
        raise FairdeckError(
            f"{args.cert!r} is a web page, which cannot be verified itself: ask for the store of the run, and "
            "type the command that the certificate shows under 'To verify'"
        )
    return bytes(read(args.cert, LARGEST_REPORT, REMEDY))


def _stated(args: Namespace, content: bytes) -> dict[str, Any]:
    """Return what a report states of the run: at least the path of its store."""
    try:
        report = json.loads(content)
        stated: dict[str, Any] = {name: str(report["run"][name]) for name in ("store", "root", "digest")}
        stated |= {"number": int(report["run"]["number"]), "report": report}
        if not all(name in report for name in STATED):
            raise ValueError
        for name in ("root", "digest"):
            _hash(name, stated[name])
        if not 1 <= stated["number"] <= MOST_RUNS or type(report["p_value"]) not in (int, float):
            raise ValueError
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise FairdeckError(f"{args.cert!r} is neither a store nor the report of a stored run: {REMEDY}") from None
    beside = Path(args.cert).parent / Path(stated["store"]).name
    store = args.store or (stated["store"] if Path(stated["store"]).is_file() else str(beside))
    if not Path(store).is_file():
        raise FairdeckError(f"{store!r}, the store of the report, is not a file: write where it is with --store DB")
    return stated | {"store": store}


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
