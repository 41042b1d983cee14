"""The runner: see `tests.fuzz`."""

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from bench.about import about, said

from tests.fuzz.corpus import keep, kept, regressions
from tests.fuzz.readers import LONGEST_TIME, MOST_MEMORY, READERS, every_reader

ROOT = Path(__file__).parents[2]
RESULTS, PAGE = ROOT / "bench" / "fuzzing.json", ROOT / "docs" / "reference" / "measured" / "fuzzing.md"
BUILT = ROOT / "build" / "fuzz"
BUDGET = 3_000  # bytes of the inputs that are kept for a reader
MOST_KEPT = 40  # inputs of a reader
GRACE = 180  # seconds that a process may take to start and to end
COVERAGE = re.compile(r"cov: (\d+) ft: (\d+)")
SPENT = re.compile(r"Done \d+ runs in (\d+) second")
DONE = re.compile(r"stat::number_of_executed_units: *(\d+)")


@dataclass
class Found:
    """What a run of one reader found: inputs, seconds, edges of fairdeck's code that were met, inputs with a fault."""

    reader: str
    inputs: int
    seconds: float
    edges: int
    faults: list[str]


def run(name: str, inputs: int, seconds: int, seed: int) -> Found:
    """Fuzz one reader in a process of its own."""
    folder = BUILT / name
    shutil.rmtree(folder / "faults", ignore_errors=True)
    (folder / "faults").mkdir(parents=True)
    (folder / "inputs").mkdir(exist_ok=True)
    for number, data in enumerate(kept(name).values()):
        (folder / "inputs" / f"kept-{number}").write_bytes(data)
    options = [f"-runs={inputs}", f"-max_total_time={seconds}", f"-seed={seed}", f"-artifact_prefix={folder}/faults/"]
    command = [sys.executable, "-m", "tests.fuzz.guided", name, str(folder), *options]
    began = time.monotonic()
    with (folder / "log").open("wb") as log:
        try:
            subprocess.run(command, cwd=ROOT, stderr=log, stdout=log, timeout=seconds + GRACE, check=False)
        except subprocess.TimeoutExpired:
            (folder / "faults" / "never-ended").write_bytes(b"")
    told = (folder / "log").read_text("utf-8", "replace")
    spent = SPENT.search(told)
    covered, done = COVERAGE.findall(told), DONE.search(told)
    if done is None and not any((folder / "faults").iterdir()):
        raise SystemExit(f"{name} did not run:\n{told[-2_000:]}")
    faults = [str(each.relative_to(ROOT)) for each in sorted((folder / "faults").iterdir())]
    count = int(done[1]) if done else 0
    return Found(
        name,
        count,
        float(spent[1]) if spent else time.monotonic() - began,
        int(covered[-1][0]) if covered else 0,
        faults,
    )


def run_all(names: Sequence[str], inputs: int, seconds: int, seed: int, *, record: bool) -> int:
    """Fuzz readers one after another, and say what was found; return how many have a fault."""
    found: list[Found] = []
    for number, name in enumerate(names, 1):
        print(f"{number}/{len(names)} {name:18}", end=" ", flush=True)
        one = run(name, inputs, seconds, seed)
        found.append(one)
        speed = one.inputs / max(one.seconds, 1e-9)
        print(
            f"{one.inputs:>10,} inputs  {speed:>8,.0f} a second  {one.edges:>6,} edges  {len(one.faults)} faults",
            flush=True,
        )
        for fault in one.faults:
            print(f"    {fault}: see the end of {BUILT.relative_to(ROOT) / name / 'log'}")
        if record:
            add(one)
    total, faulty = sum(each.inputs for each in found), [each.reader for each in found if each.faults]
    spent = sum(each.seconds for each in found)
    print(f"{total:,} inputs in {spent:,.0f} seconds; readers with faults: {', '.join(faulty) or 'none'}")
    return len(faulty)


def add(one: Found) -> None:
    """Add a run to the committed figures, and write their page."""
    held: dict[str, Any] = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {"readers": {}}
    row = held["readers"].setdefault(one.reader, {"inputs": 0, "seconds": 0.0, "edges": 0})
    row["inputs"] += one.inputs
    row["seconds"] = round(row["seconds"] + one.seconds, 1)
    row["edges"] = max(row["edges"], one.edges)
    held["about"] = about()
    RESULTS.write_text(json.dumps(held, indent=1) + "\n", "utf-8")
    PAGE.write_text(page(held), "utf-8")


def page(held: dict[str, Any]) -> str:
    """Return the page of the committed figures."""
    readers = every_reader()
    rows = {name: row for name, row in held["readers"].items() if name in readers}
    total = sum(row["inputs"] for row in rows.values())
    named = {name: list(regressions(kept(name))) for name in readers}
    lines = [
        "# Inputs that no person would write",
        "",
        f"`python -m tests.fuzz run all --record` wrote this page from `bench/fuzzing.json`: {said(held['about'])}.",
        "",
        "Every reader of fairdeck gets inputs that a program changes again and again. The program keeps the inputs",
        "that reach new code, and changes them further: it is guided by coverage",
        "([Atheris](https://github.com/google/atheris)). A reader may take an input, or refuse it in one line.",
        "A command line may end with exit code 0, 1, 2 or 69. Any other end is a fault, and so are more than",
        f"{LONGEST_TIME} seconds or {MOST_MEMORY >> 30} GiB of memory for one input. The readers whose names begin",
        "with `page-` run the pages' scripts beside Python: any difference is a fault.",
        "",
        f"**{total:,} inputs** were tried in the runs that are recorded, while fairdeck and the readers changed: those",
        "that ended at a fault count too. An input for each fault is kept, and tried in every run of the tests.",
        "Some faults were seen in the code while the reader was written, and not found by a run.",
        "",
        "Command lines leave out what listens, calls other programs or works on other machines, and count few decks",
        "and paths: `exact` with its usual five million paths may take minutes, by design.",
        "",
        "| reader | what it reads | inputs | a second | edges met | inputs kept for a fault |",
        "|:---|:---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| `{name}` | {readers[name].says} | {row['inputs']:,} | {row['inputs'] / max(row['seconds'], 0.1):,.0f} | "
        f"{row['edges']:,} | {len(named[name])} |"
        for name, row in sorted(rows.items())
    ]
    faults = [f"- `{name}`: {label}" for name, labels in sorted(named.items()) for label in labels]
    lines += ["", "An edge is a step from one line of code to another, counted in fairdeck's modules only.", ""]
    return "\n".join(lines + ["## Inputs that showed a fault", "", *faults] * bool(faults)).rstrip() + "\n"


def grow(name: str) -> None:
    """Add some inputs of the last run, each of which reached new code; those that are kept stay."""
    chosen = kept(name)
    size = sum(map(len, chosen.values()))
    found = [each.read_bytes() for each in sorted((BUILT / name / "inputs").iterdir())]
    Random(name).shuffle(found)
    for data in found:
        fits = len(data) <= BUDGET // 8 and size + len(data) <= BUDGET and len(chosen) < MOST_KEPT
        if fits and data not in chosen.values():
            chosen[str(len(chosen))] = data
            size += len(data)
    keep(name, chosen)
    print(f"{name}: {len(chosen)} inputs, {size:,} bytes")


def main() -> int:
    """Read the command line, and do it."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="fuzz readers")
    running.add_argument("readers", nargs="+", metavar="READER", help="or all, or pages")
    running.add_argument("--inputs", type=int, default=-1, help="at most so many for each reader")
    running.add_argument("--seconds", type=int, default=10, help="at most so many for each reader (default: 10)")
    running.add_argument("--seed", type=int, default=0, help="0: another one in each run")
    running.add_argument("--record", action="store_true", help=f"add the figures to {PAGE.relative_to(ROOT)}")
    keeping = commands.add_parser("keep", help="keep an input that found a fault")
    keeping.add_argument("reader")
    keeping.add_argument("label", help="what the fault was")
    keeping.add_argument("file", type=Path)
    growing = commands.add_parser("grow", help="keep some inputs of the last run that reached new code")
    growing.add_argument("readers", nargs="+", metavar="READER")
    commands.add_parser("page", help="write the page of the committed figures again")
    args = parser.parse_args()
    every = every_reader()
    if args.command == "page":
        PAGE.write_text(page(json.loads(RESULTS.read_text("utf-8"))), "utf-8")
        return 0
    if args.command == "keep":
        keep(args.reader, kept(args.reader) | {args.label: args.file.read_bytes()})
        return 0
    if find_spec("atheris") is None:
        parser.error("Atheris is not installed: make fuzz installs it, or: pip install atheris (Linux only)")
    groups = {"all": list(every), "pages": [name for name in every if name.startswith("page-")]}
    names = list(dict.fromkeys(one for each in args.readers for one in groups.get(each, [each])))
    if unknown := [name for name in names if name not in READERS]:
        parser.error(f"there is no reader {unknown[0]!r}; choose of all, pages, {', '.join(READERS)}")
    if args.command == "grow":
        for name in names:
            grow(name)
        return 0
    return 1 if run_all(names, args.inputs, args.seconds, args.seed, record=args.record) else 0


if __name__ == "__main__":
    sys.exit(main())
