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

from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.laboratory import MOST_RUNS, need_lab
from fairdeck.cli.printed import Printer, print_argument, printer_from
from fairdeck.cli.streams import one_line
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole_number
from fairdeck.output import reports

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
    json_argument(
        shown,
        *("fairdeck-runs/1", "fairdeck-report/1"),
        fields="runs, each with: run, shuffle, kind, cards, decks, of, begun, sessions, ended, registered, version. "
        "With --run or a form: the report",
    )
    for name in FORMS:
        shown.add_argument(f"--{name}", metavar="FILE", help=reports.about(name).replace("%", "%%"))
    print_argument(shown)


def run(args: Namespace) -> int:
    need_lab()
    from fairdeck.lab.runs.store import Store

    with closing(Store(Path(args.store))) as store:
        files = {name: writable(value) for name in FORMS if (value := getattr(args, name))}
        printer = printer_from(args)
        if args.number is None and not files and printer is None:
            found = [store.run(number) for number in store.numbers()]
            told = {"format": "fairdeck-runs/1", "runs": list(map(_fields, found))}
            print(json.dumps(told) if args.json else "\n".join(map(one_line, _lines(found))))
            return FINE
        number = None if args.number is None else whole_number(args.number, "run", 1, MOST_RUNS)
        return _reported(store, store.only(number), files, printer, as_json=args.json)


def _reported(
    store: "Store", found: "Run", files: dict[str, Path], printer: Printer | None = None, *, as_json: bool
) -> int:
    """Print the report of a run, and write it in other forms."""
    from fairdeck.lab.judging.report_document import document
    from fairdeck.lab.runs.keeping import report_of
    from fairdeck.output.terminal import lines

    if found.registration.kind == "monitor":  # its level is shared between all decks and windows
        again = f"fairdeck monitor {found.registration.what} --store {store.path} --once"
        raise FairdeckError(f"run {found.number} is a watch; where it stands: {again}")
    report = report_of(store, found)
    print(report.to_json() if as_json else "\n".join(map(one_line, lines(document(report, charts=False)))))
    for name, path in files.items():
        write(path, reports.forms()[name].render(report))
    if printer is not None:
        printer.print(reports.forms()["html"].render(report))
    return DOES_NOT_HOLD if report.verdict.outcome == "fail" else FINE


def _fields(found: "Run") -> dict[str, Any]:
    registered = found.registration
    return {
        "run": found.number,
        "shuffle": registered.what,
        "kind": registered.kind,
        "cards": registered.cards,
        "decks": found.decks,
        "of": registered.decks if registered.announced else None,
        "begun": found.begun,
        "sessions": found.sessions,
        "ended": found.ended,
        "registered": registered.digest,
        "version": registered.version,
    }


def _lines(runs: "list[Run]") -> Iterator[str]:
    for each in runs:
        registered = each.registration
        of = f" of {registered.decks:,}" if registered.announced else ""
        where = f"{each.decks:,}{of} decks, {each.ended or 'not ended'}"
        yield f"run {each.number}  {registered.what}, {registered.cards} cards: {where}"
        times = "1 session" if each.sessions == 1 else f"{each.sessions} sessions"
        yield f"       begun {each.begun}, {times}, fairdeck {registered.version}"
        yield f"       registered as {registered.digest}"
    if not runs:
        yield "The store holds no run."
