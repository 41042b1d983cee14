"""How fast a log of decks is read, beside polars and pyarrow; writes ``bench/reading.json`` and a page.

Each reads one file to the end: we check that every line is a deck, the libraries return a table of words or numbers.
They are not among our dependencies: ``pip install polars pyarrow``, in an environment of their own.

    python -m bench.reading [LINES]
"""

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.about import about, said
from bench.measure import Figure, figure
from fairdeck.cards.names import FRENCH
from fairdeck.lab.sources.file import open_file

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "bench" / "reading.json", ROOT / "docs" / "reference" / "measured" / "reading.md"
LINES, DISTINCT, REPEATS = 1_000_000, 1_000, 3
UNITS = "s", "processor s"
HEAD = """# Logs of decks, read

`python -m bench.reading`: {lines:,} decks, best of {repeats}, busy machine, in seconds and processor seconds.
{said}. fairdeck also checks each deck.

"""


def forms() -> dict[str, Callable[[int, Iterable[object]], str]]:
    """Return how each form writes a deck."""
    return {
        "numbers": lambda _game, deck: " ".join(map(str, deck)),
        "names": lambda _game, deck: " ".join(map(str, deck)),
        "CSV with two id columns": lambda game, deck: f"{game},ann," + ",".join(map(str, deck)),
        "JSON lines": lambda game, deck: json.dumps({"game": game, "deck": list(deck)}),
    }


def write(path: Path, form: str, lines: int) -> None:
    """Write a file of so many decks, drawn with a fixed seed."""
    draw, one = random.Random(1), forms()[form]
    cards: list[Any] = list(range(52)) if form == "numbers" else list(FRENCH)
    decks = [draw.sample(cards, 52) for _ in range(DISTINCT)]
    with path.open("w") as file:
        if form.startswith("CSV"):
            file.write(f"id,player,{','.join(f'c{at}' for at in range(52))}\n")
        for start in range(0, lines, DISTINCT):
            file.writelines(one(start + at, deck) + "\n" for at, deck in enumerate(decks))


def ours(path: Path) -> int:
    """Return how many decks we read."""
    with open_file(str(path)) as source:
        return sum(len(decks) for decks in source.batches())


def polars(path: Path, form: str) -> int:
    """Return how many lines polars reads."""
    library = import_module("polars")
    if form.startswith("JSON"):
        return len(library.read_ndjson(path))
    plain = form in ("numbers", "names")
    return len(library.read_csv(path, has_header=not plain, separator=" " if plain else ","))


def pyarrow(path: Path, form: str) -> int:
    """Return how many lines pyarrow reads."""
    if form.startswith("JSON"):
        return int(import_module("pyarrow.json").read_json(path).num_rows)
    csv, plain = import_module("pyarrow.csv"), form in ("numbers", "names")
    options = csv.ReadOptions(autogenerate_column_names=plain), csv.ParseOptions(delimiter=" " if plain else ",")
    return int(csv.read_csv(path, *options).num_rows)


def measured(path: Path, form: str, lines: int) -> list[Figure]:
    """Return the seconds of each reader, and those of the processor."""
    readers: dict[str, Callable[[], int]] = {
        "fairdeck": lambda: ours(path),
        "polars": lambda: polars(path, form),
        "pyarrow": lambda: pyarrow(path, form),
    }
    for name, read in readers.items():
        if read() != lines:
            raise SystemExit(f"{name} lost lines of {form}")
    times: dict[tuple[str, str], list[float]] = {(name, unit): [] for name in readers for unit in UNITS}
    for _ in range(REPEATS):
        for name, read in readers.items():
            clocks = time.perf_counter(), sum(os.times()[:2])
            read()
            for unit, before, now in zip(UNITS, clocks, (time.perf_counter(), sum(os.times()[:2])), strict=True):
                times[name, unit].append(now - before)
    return [figure(name, unit, each) for (name, unit), each in times.items()]


def page(results: dict[str, Any]) -> str:
    """Return the page."""
    head = HEAD.format(lines=results["lines"], repeats=REPEATS, said=said(results))
    rows = [
        f"| {form} | " + " | ".join(f"{each['least']:.2f}" for each in figures) + " |"
        for form, figures in results["figures"].items()
    ]
    figures = results["figures"]["names"]
    names = "".join([f" {each['name'] if each['unit'] == 's' else 'processor'} |" for each in figures])
    return head + "\n".join([f"| |{names}", "|---|" + len(figures) * "---:|", *rows]) + "\n"


def main() -> None:
    """Measure, and write the results and the page."""
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else LINES
    figures = {}
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        for form in forms():
            write(path := Path(folder, "log"), form, lines)
            figures[form] = [asdict(each) for each in measured(path, form, lines)]
            sys.stderr.write(f"{form}: {figures[form]}\n")
    results = {**about(), "lines": lines, "figures": figures}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(results), encoding="utf-8")


if __name__ == "__main__":
    main()
