"""List the runs in a store, or report one.

A store is the file that `fairdeck test --store` keeps. With --run N or a form it reports one of the runs; exit code 1:
this run is not fair.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairdeck.cli.arguments import options
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.laboratory import MOST_RUNS, need_lab
from fairdeck.cli.streams import one_line
from fairdeck.cli.terminal import show
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.show import reports

if TYPE_CHECKING:
    from fairdeck.lab.runs.store import Run, Store

FORMS = tuple(name for name in reports.names() if name != "json")

EXAMPLES = {
    "fairdeck runs run.db": "the list",
    "fairdeck runs run.db --run 1 --html report.html": "one report",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("store", metavar="DB", help="a store")
    parser.add_argument("--run", dest="number", metavar="N", help="report this run in full (default: the list)")
    shown = parser.add_argument_group("how the report is shown")
    shown_options = {
        "--json fairdeck-runs/1 fairdeck-report/1": "runs, each with: run, shuffle, kind, cards, decks, of, begun, "
        "sessions, ended, registered, version. With --run or a form: the report",
    }
    options(shown, shown_options)
    for name in FORMS:
        shown.add_argument(f"--{name}", metavar="FILE", help=reports.about(name).replace("%", "%%"))


def run(args: Namespace) -> int:
    need_lab()
    from fairdeck.lab.runs.store import Store

    with closing(Store(Path(args.store))) as store:
        files = {name: writable(value) for name in FORMS if (value := getattr(args, name)) is not None}
        if args.number is None and not files:
            runs = [store.run(number) for number in store.numbers()]
            listed = {"format": "fairdeck-runs/1", "runs": list(map(_fields, runs))}
            print(json.dumps(listed) if args.json else "\n".join(map(one_line, _lines(runs))))
            return FINE
        number = None if args.number is None else whole("run", args.number, 1, MOST_RUNS)
        return _reported(store, store.only(number), files, as_json=args.json)


def _reported(store: "Store", stored: "Run", files: dict[str, Path], *, as_json: bool) -> int:
    from fairdeck.lab.judging.report_document import document
    from fairdeck.lab.runs.keeping import report_of

    if stored.inquiry.kind == "monitor":  # its level is shared between all decks and windows
        again = f"fairdeck monitor {stored.inquiry.what} --store {store.path} --once"
        raise FairdeckError(f"run {stored.number} is a watch; where it stands: {again}")
    report = report_of(store, stored)
    show(report.to_json() if as_json else document(report, charts=False))
    for name, path in files.items():
        write(path, reports.forms()[name].render(report))
    return DOES_NOT_HOLD if report.verdict.outcome == "fail" else FINE


def _fields(stored: "Run") -> dict[str, Any]:
    asked = stored.inquiry
    return {
        "run": stored.number,
        "shuffle": asked.what,
        "kind": asked.kind,
        "cards": asked.cards,
        "decks": stored.decks,
        "of": asked.decks if asked.announced else None,
        "begun": stored.begun,
        "sessions": stored.sessions,
        "ended": stored.ended,
        "registered": stored.registration.digest,
        "version": stored.registration.version,
    }


def _lines(runs: "list[Run]") -> Iterator[str]:
    for run in runs:
        asked, registered = run.inquiry, run.registration
        of = f" of {asked.decks:,}" if asked.announced else ""
        where = f"{run.decks:,}{of} decks, {run.ended or 'not ended'}"
        yield f"run {run.number}  {asked.what}, {asked.cards} cards: {where}"
        times = "1 session" if run.sessions == 1 else f"{run.sessions} sessions"
        yield f"       begun {run.begun}, {times}, fairdeck {registered.version}"
        yield f"       registered as {registered.digest}"
    if not runs:
        yield "The store holds no run."
