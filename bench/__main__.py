"""Measure everything and write ``bench/results.json`` and ``docs/reference/measured/speed.md``."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from bench.about import about, said
from bench.measure import MEASUREMENTS, REPEATS, Figure

ROOT = Path(__file__).parents[1]
INTRODUCTION = """# Speed, randomness and spaces, measured

`make bench` wrote this page from `bench/results.json`: {repeats} rounds, contenders in turns. {said}.
"""
REMARKS = {
    "Cold start": "The time of whole processes. The bound for `fairdeck deal 52` is 150 ms.",
    "Planning": "Draw, plan and replay in one process, on a 7x3 mat. The bound for 10,000 cards is 30 ms.",
    "Drawing an order": (
        "Where we lose: `random.shuffle` is faster. But it uses a Mersenne Twister, which is not safe for a real deck."
    ),
    "Randomness used": (
        "As a multiple of the entropy of a deck. Where we lose: small decks need less than the first read of 32 bytes."
    ),
    "Spaces needed": "How many spaces are enough for 99 % of all orders, with every pass dealt from the top.",
}


def table(rows: list[Figure]) -> str:
    """Return the rows as a Markdown table; figures that never vary need one column."""
    if all(row.least == row.most for row in rows):
        lines = ["| what | figure | unit |", "|---|---|---|"]
        return "\n".join(lines + [f"| {row.name} | **{row.median:.3g}** | {row.unit} |" for row in rows])
    lines = ["| what | least | median | most | unit |", "|---|---|---|---|---|"]
    lines += [f"| {row.name} | {row.least:.3g} | **{row.median:.3g}** | {row.most:.3g} | {row.unit} |" for row in rows]
    return "\n".join(lines)


def main() -> None:
    """Measure and write."""
    results = {}
    for name, measure in MEASUREMENTS.items():
        print(f"{name} ...", file=sys.stderr, flush=True)
        results[name] = measure()
    figures = {name: [asdict(row) for row in rows] for name, rows in results.items()}
    (ROOT / "bench" / "results.json").write_text(
        json.dumps({"repeats": REPEATS} | about() | {"figures": figures}, indent=1) + "\n", encoding="utf-8"
    )
    parts = [INTRODUCTION.format(repeats=REPEATS, said=said(about()))]
    parts += [f"## {name}\n\n{REMARKS[name]}\n\n{table(rows)}\n" for name, rows in results.items()]
    (ROOT / "docs" / "reference" / "measured" / "speed.md").write_text("\n".join(parts), encoding="utf-8")
    print("wrote bench/results.json and docs/reference/measured/speed.md", file=sys.stderr)


if __name__ == "__main__":
    main()
