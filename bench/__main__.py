"""Measure everything and write ``bench/results.json`` and ``docs/reference/measured/speed.md``."""

import json
import re
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.about import about, said
from bench.measure import MEASUREMENTS, REPEATS, Figure

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "measured" / "speed.md"
INTRODUCTION = """# Speed, randomness and spaces, measured

`make bench` wrote this page: {repeats} rounds, contenders in turns, medians. {said}. `bench/results.json` has the least
and the most of each figure.
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
    """Return the medians as a Markdown table: what is measured in rows, and numbers of cards in columns."""
    split = [re.fullmatch(r"(?:(\d+) cards)?(?:, )?(.*)", row.name) for row in rows]
    cards = list(dict.fromkeys(each[1] for each in split if each and each[1]))
    cells = {(each[2], each[1]): f"{row.median:.3g}" for each, row in zip(split, rows, strict=True) if each}
    whats = list(dict.fromkeys(what for what, _ in cells))
    if not cards:
        lines = [f"| what | {rows[0].unit} |", "|---|---:|"]
        return "\n".join(lines + [f"| {what} | {cells[what, None]} |" for what in whats])
    lines = [
        f"| {rows[0].unit} | {' | '.join(f'{int(size):,}' for size in cards)} cards |",
        f"|---|{'---:|' * len(cards)}",
    ]
    return "\n".join(
        lines + [f"| {what or 'all'} | {' | '.join(cells.get((what, size), '') for size in cards)} |" for what in whats]
    )


def page(results: dict[str, Any]) -> str:
    """Return the page."""
    parts = [INTRODUCTION.format(repeats=results["repeats"], said=said(results))]
    for name, figures in results["figures"].items():
        rows = [Figure(**each) for each in figures]
        parts.append(f"## {name}\n\n{REMARKS[name]}\n\n{table(rows)}\n")
    return "\n".join(parts)


def main() -> None:
    """Measure and write."""
    figures = {}
    for name, measure in MEASUREMENTS.items():
        print(f"{name} ...", file=sys.stderr, flush=True)
        figures[name] = [asdict(row) for row in measure()]
    results = {"repeats": REPEATS} | about() | {"figures": figures}
    (ROOT / "bench" / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(results), encoding="utf-8")
    print("wrote bench/results.json and docs/reference/measured/speed.md", file=sys.stderr)


if __name__ == "__main__":
    main()
