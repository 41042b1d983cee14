"""Test the shuffles of languages and packages.

Writes ``bench/libraries.json`` and ``docs/reference/measured/libraries.md``.

python -m bench.libraries                install, build and test everything (an hour, longer on a busy machine)
python -m bench.libraries NAME...        only the rows of these languages or packages; the others stay as they were
python -m bench.libraries --cards 5 16   only decks of these sizes; the others stay, where the version is still the same
python -m bench.libraries --left         only what has no result yet
"""

import argparse
import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from bench.about import about
from bench.libraries.page import ALPHA, DECKS, MOST, TELLING, Result, Size, Table, page
from bench.libraries.rows import BUILD, BUILDS, FOLDERS, HERE, PYTHON, ROWS, UNPACKED, USUAL, Row
from fairdeck.errors import FairdeckError
from fairdeck.lab import Program, test
from fairdeck.lab.statistics import catalogue

ROOT = Path(__file__).parents[2]
RESULTS, PAGE = ROOT / "bench" / "libraries.json", ROOT / "docs" / "reference" / "measured" / "libraries.md"
PATIENCE, LONGEST, CAUSE = 60, 600, 2  # seconds


def said(command: str) -> str:
    """Return what a command prints, with its errors; empty if it fails."""
    done = subprocess.run(
        ["sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONGEST, check=False
    )
    return done.stdout + done.stderr if done.returncode in (0, 1) else ""


def version(row: Row) -> str:
    """Return the version of what is tested; empty if it is not there."""
    kind, _, name = row.version.partition(":")
    if kind == "npm":
        manifest = BUILD / "npm" / "node_modules" / name / "package.json"
        return str(json.loads(manifest.read_text(encoding="utf-8"))["version"]) if manifest.exists() else ""
    if kind == "crate":
        return _last(list(UNPACKED.glob(f"usr/share/cargo/registry/{name}-[0-9]*")), f"{name}-")
    if kind == "jar":
        jars = [jar for root in (Path("/"), UNPACKED) for jar in root.glob(f"usr/share/java/{name}-[0-9]*.jar")]
        return _last([jar.with_suffix("") for jar in jars], f"{name}-")
    if kind == "pip":
        return said(f"{PYTHON} -c 'import importlib.metadata as m; print(m.version(\"{name}\"))' 2>/dev/null").strip()
    found = re.search(r"\d[\w.+-]*", said(row.version))
    return found[0] if found else ""


def _last(paths: list[Path], prefix: str) -> str:
    names = sorted(path.name for path in paths)
    return names[-1].removeprefix(prefix) if names else ""


def tried(row: Row, cards: int) -> Size:
    """Test one row with decks of `cards` cards; what fails is run again, with up to twice the decks."""
    began = monotonic()
    try:
        size, p_value = _asked(row, cards)
        if p_value <= ALPHA:
            again, size["again"] = _asked(row, cards, times=2)
            size["failed"] = size["again"] <= ALPHA
            size["headline"] = again["headline"] if size["failed"] else ""
    except FairdeckError as error:
        told = str(error).rpartition("saying: ")[2].partition(";")[0]
        return {"not_run": re.sub(r"\S*/\S*", "...", told)}
    return {**size, "seconds": round(monotonic() - began, 1), "date": _today()}


def _today() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d")


def _asked(row: Row, cards: int, times: int = 1) -> tuple[Size, float]:
    program = Program(row.command, row.layout)
    decks, only, lags = row.decks, list[str](), None
    if row.seen:
        decks = row.decks if cards == USUAL else row.decks // 4
    elif cards != USUAL:
        decks, lags = min(DECKS, MOST // cards), 0
        only = [each.name for each in catalogue() if each.name in TELLING and each.fits(cards)]
    report = test(
        program,
        cards=cards,
        decks=times * decks,
        alpha=ALPHA,
        only=only,
        lags=lags,
        seen=row.seen or None,
        timeout=PATIENCE,
        cause=CAUSE if times > 1 and cards <= USUAL else 0,  # the page tells the cause of one size
    )
    headline = report.headline.partition(" is not fair: ")[2]
    verdict = report.verdict
    found = Size(failed=False, decks=verdict.decks, p_value=verdict.p_value, headline=headline)
    return found, verdict.p_value


def prepared() -> None:
    """Install and compile what can be, and find the unpacked libraries from now on."""
    subprocess.run(["sh", str(HERE / "install.sh"), sys.executable], check=False)
    os.environ["LD_LIBRARY_PATH"] = ":".join(str(UNPACKED / folder) for folder in FOLDERS)
    for name, command in BUILDS.items():
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{name} was not built: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)


def main() -> None:
    """Run, and write what was found after each row."""
    parser = argparse.ArgumentParser(description="Test the shuffles of languages and packages.")
    parser.add_argument("names", nargs="*", help="only the rows of these languages or packages")
    parser.add_argument("--cards", type=int, nargs="*", help="only decks of these sizes")
    parser.add_argument("--left", action="store_true", help="only what has no result yet")
    options = parser.parse_args()
    names = {name.lower() for name in options.names}
    prepared()
    before: list[Result] = json.loads(RESULTS.read_text(encoding="utf-8"))["rows"] if RESULTS.exists() else []
    known = {(each["language"], each["package"], each["calls"]): each for each in before}
    rows = []
    for row in ROWS:
        here = version(row)
        result = Result(
            language=row.language, package=row.package, calls=row.calls, seen=row.seen, version=here, sizes={}
        )
        earlier = known.get((row.language, row.package, row.calls), result)
        rows.append(result if here and here != earlier["version"] else earlier)
    for row, result in zip(ROWS, rows, strict=True):
        if not result["version"] or (names and not names & {row.language.lower(), row.package.lower()}):
            continue
        for cards in row.sizes:
            if (options.cards and cards not in options.cards) or (options.left and str(cards) in result["sizes"]):
                continue
            found = result["sizes"][str(cards)] = tried(row, cards)
            shown = found.get("not_run") or "{decks:,} decks, {seconds} s: {headline}".format(**found)
            print(f"{row.language}, {row.package}, {row.calls}, {cards} cards: {shown}", file=sys.stderr, flush=True)
        table = Table(about=about(), date=_today(), rows=rows)
        RESULTS.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(page(table), encoding="utf-8")


if __name__ == "__main__":
    main()
