"""What the battery costs, statistic by statistic, beside the shuffle; writes ``docs/reference/measured/battery.md``.

52 cards, blocks of 4,096 decks made by the kernels: thread time, the median of interleaved rounds.
What several statistics share (the inverse, bit planes, passes over the neighbours of a deck) is counted
with each of them where it is alone, and once in the whole.

    python -m bench.battery
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from bench.about import about, said
from fairdeck.bulk.batch import Batch, made, relative
from fairdeck.bulk.shapes import BLOCK, Counts
from fairdeck.lab.blocks import Block
from fairdeck.lab.counts import Count, fast
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.sources.simulated import NumberedBlock
from fairdeck.lab.statistics import catalogue
from fairdeck.lab.view import deck_view

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "bench" / "battery.json", ROOT / "docs" / "reference" / "measured" / "battery.md"
CARDS, ROUNDS, CALLS = 52, 9, 20
APART = "guesser who learns"
TABLES = ("neighbours", "two apart", "three apart")
COMPILE = f"""
from fairdeck.lab.judging.compiling import compile_now
from fairdeck.lab.judging.tally import Battery
compile_now({CARDS}, Battery({CARDS}).names)
"""
RUNS = (10**6, 10**7, 10**8)
SHOWN = 10  # counts on the page


def costs() -> dict[str, float]:
    """Return nanoseconds a deck of everything, measured in turns."""
    decks, lead = made(CARDS, 1, 0, BLOCK), np.empty((0, CARDS), np.int16)
    bare, whole = Battery(CARDS, lags=0), Battery(CARDS)
    jobs: dict[str, Callable[[], object]] = {
        "shuffle": lambda: made(CARDS, 1, 0, BLOCK),
        "inverse": lambda: Batch(decks.groups, BLOCK).places,
        "relative arrangements": lambda: relative(decks, lead, 1),
        "all on decks": lambda: bare.tally_by_kernels(NumberedBlock("lehmer-16", CARDS, 1, 0, BLOCK)),
        "all on decks and two lags": lambda: whole.tally_by_kernels(NumberedBlock("lehmer-16", CARDS, 1, 0, BLOCK)),
    }
    for name, count in fast().items():
        if next(each for each in catalogue() if each.name == name).fits(CARDS):
            jobs[name] = partial(_counted, count, decks)
    for job in jobs.values():
        job()  # compiled by now
    rounds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            begun = time.thread_time()
            for _ in range(CALLS):
                job()
            rounds[name].append((time.thread_time() - begun) / CALLS / BLOCK * 1e9)
    return {name: round(median(found), 2) for name, found in rounds.items()}


def _counted(count: Count, decks: Batch) -> Counts:
    """Count a fresh batch; only its inverse exists already, as it is timed by itself."""
    batch = Batch(decks.groups, decks.decks)
    vars(batch)["places"] = decks.places
    return count(batch)


def plain_costs() -> dict[str, float]:
    """Return nanoseconds a deck of the same counts by numpy, once."""
    rows = made(CARDS, 1, 0, BLOCK).rows
    found: dict[str, float] = {}
    for statistic in catalogue():
        if statistic.fits(CARDS):
            view = deck_view(Block(rows, rows[:0]))
            assert view.places is not None
            begun = time.thread_time()
            statistic.count(view)
            found[statistic.name] = round((time.thread_time() - begun) / BLOCK * 1e9, 1)
    return found


def runs() -> list[dict[str, float]]:
    """Return the time and the memory of whole runs of more and more decks, one process and two."""
    found = []
    for decks in RUNS:
        for workers in (1, 2):
            command = [sys.executable, "-m", "fairdeck", "test", "lehmer-16", "--seed", "1"]
            begun = time.perf_counter()
            running = subprocess.Popen(
                [*command, "--decks", str(decks), "--workers", str(workers)], stdout=subprocess.DEVNULL
            )
            _, _, used = os.wait4(running.pid, 0)
            seconds = time.perf_counter() - begun
            most = used.ru_maxrss / 1024
            found.append({"decks": decks, "workers": workers, "seconds": round(seconds, 1), "megabytes": round(most)})
            print(found[-1], file=sys.stderr, flush=True)
    return found


def first_results() -> dict[str, float]:
    """Return the seconds until a fault is reported, and of runs with kernels: before and after compiling."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as cache:
        mine = Path(cache) / "mine.py"
        mine.write_text("def shuffle(deck, rng): rng.shuffle(deck)")
        for what, words in (
            ("until a fault is reported", ["riffle*7"]),
            ("60,000 decks", ["lehmer-16", "--decks", "60000", "--workers", "1"]),
            ("262,144 decks of a Python function", [f"{mine}:shuffle"]),
        ):
            found[f"{what}, cold"] = _seconds(words, f"{cache}/{len(found)}")
            _seconds(["lehmer-16", "--decks", "60000", "--workers", "1"], f"{cache}/all")
            subprocess.run(
                [sys.executable, "-c", COMPILE], check=True, env=os.environ | {"NUMBA_CACHE_DIR": f"{cache}/all"}
            )
            found[f"{what}, warm"] = _seconds(words, f"{cache}/all")
    return found


def _seconds(words: list[str], cache: str) -> float:
    begun = time.perf_counter()
    command = [sys.executable, "-m", "fairdeck", "test", *words, "--seed", "1"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False, env=os.environ | {"NUMBA_CACHE_DIR": cache})
    return round(time.perf_counter() - begun, 2)


def page(results: dict[str, Any]) -> str:
    """Return the page: the whole, the slowest counts, and where we lose."""
    costs, plain, shuffle = results["costs"], results["plain"], results["costs"]["shuffle"]
    counts = sorted((name for name in costs if name in plain), key=costs.__getitem__, reverse=True)
    bare = costs["all on decks"] - shuffle - costs[APART]
    whole = costs["all on decks and two lags"] - shuffle - costs[APART]
    tables = sum(costs[name] for name in TABLES)
    first = "; ".join(f"{what} {seconds}" for what, seconds in results["first"].items())
    rows = [name for name in costs if name not in plain] + counts[:SHOWN]
    lines = [
        "# What the battery costs",
        "",
        f"`make battery` wrote this page: {said(results['about'])}. `bench/battery.json` has all {len(counts)} counts.",
        f"Medians, in nanoseconds for a deck of {CARDS} cards on one core. *By NumPy* is the plain count; each kernel",
        f"must equal it digit for digit. Of the counts, the table has the slowest {SHOWN}.",
        "",
        "| what | ns a deck | times the shuffle | by NumPy |",
        "|---|---:|---:|---:|",
        *(f"| {name} | {costs[name]:.1f} | {costs[name] / shuffle:.1f} | {plain.get(name, '')} |" for name in rows),
        "",
        f"**Where we lose.** All statistics on decks, without the {APART}, take {bare / shuffle:.0f} times as long as",
        f"the shuffle; with relative arrangements at two lags, {whole / shuffle:.0f} times. The tables of neighbouring",
        f"cards alone take {tables / shuffle:.1f} shuffles.",
        "",
        "Whole runs of `fairdeck test lehmer-16`:",
        "",
        "| decks | processes | seconds | most memory, MB |",
        "|---:|---:|---:|---:|",
        *(f"| {r['decks']:,} | {r['workers']} | {r['seconds']} | {r['megabytes']} |" for r in results["runs"]),
        "",
        f"Seconds of whole processes (*cold*: the kernels are compiled during the run): {first}.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure and write."""
    results: dict[str, Any] = {"about": about(), "costs": costs(), "plain": plain_costs()}
    results["first"] = first_results()
    results["runs"] = runs()
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(results), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(__doc__)
    main()
