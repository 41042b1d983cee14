"""Whether the kernels' decks are fair, over very many decks; writes ``docs/reference/measured/exactness.md``.

All 40,320 orders of 8 cards over 10^9 decks, and the position matrix of 52 cards over 5 * 10^8, for
several seeds: chi-square sums, as standard deviations from their mean. One seed proves little in
either direction; a bias of one part in 3,000 of an order would lift the first sum to 6.

    python -m bench.exactness [SCALE]    SCALE divides the decks: 1000 is done in a second
"""

import json
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce
from math import factorial, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from bench.about import about, said
from fairdeck.bulk.batch import made
from fairdeck.bulk.shapes import BLOCK, Counts, cores
from fairdeck.lab.counts import fast

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "bench" / "exactness.json", ROOT / "docs" / "reference" / "measured" / "exactness.md"
ORDERS_OF, ORDER_DECKS = 8, 10**9
PLACES_OF, PLACE_DECKS = 52, 5 * 10**8
SEEDS = (1, 2, 3)
ODD = 5.0  # standard deviations: one of six fair figures is beyond it once in 300,000 runs


def orders(decks: int, seed: int) -> float:
    """Return how far the counts of all orders of `ORDERS_OF` cards are from even."""
    every = factorial(ORDERS_OF)
    counts = _together(partial(_counted, "every order", ORDERS_OF, seed), decks)
    return _deviation(counts, decks / every, every - 1, 1.0)


def places(decks: int, seed: int) -> float:
    """Return how far the position matrix of `PLACES_OF` cards is from even."""
    n = PLACES_OF
    counts = _together(partial(_counted, "positions", n, seed), decks)
    return _deviation(counts.ravel(), decks / n, (n - 1) ** 2, (n - 1) / n)


def _counted(statistic: str, n: int, seed: int, first: int, size: int) -> Counts:
    """Return the counts of a statistic over a number of decks, beginning with the first deck of a block."""
    count = fast()[statistic]
    blocks = [min(BLOCK, size - at) for at in range(0, size, BLOCK)]
    return reduce(np.add, (count(made(n, seed, first + at, decks)) for at, decks in enumerate(blocks)))


def _together(counted: Callable[[int, int], Counts], decks: int) -> Counts:
    """Return the sum over all blocks, counted by as many threads as there are cores."""
    each = -(-decks // (cores() * BLOCK)) * BLOCK
    parts = [(first // BLOCK, min(each, decks - first)) for first in range(0, decks, each)]
    with ThreadPoolExecutor(len(parts)) as pool:
        found: Iterable[Counts] = pool.map(lambda part: counted(*part), parts)
        total: Counts = np.sum(list(found), axis=0)
    return total


def _deviation(counts: Counts, each: float, degrees: int, scale: float) -> float:
    """Return the sum of squares in standard deviations of its chi-square law; `scale` is the matrix's (n-1)/n."""
    off = counts - each
    return (scale * float(off @ off) / each - degrees) / sqrt(2 * degrees)


def page(results: dict[str, Any]) -> str:
    """Return the page."""
    found = results["found"]
    odd = [each for each in found if max(abs(each["orders"]), abs(each["places"])) > ODD]
    lines = [
        "# Are the decks of the kernels fair?",
        "",
        f"`make exactness` wrote this page from `bench/exactness.json`: {said(results['about'])}.",
        "",
        f"It counts all {factorial(ORDERS_OF):,} orders of {ORDERS_OF} cards in {ORDER_DECKS:,} decks, and which card",
        f"lies where in {PLACE_DECKS:,} decks of {PLACES_OF} cards. The table shows how many standard deviations the",
        "chi-square sums are from their mean. For fair decks the figures are nearly always between -3 and 3; a figure",
        f"beyond {ODD:g} would show a bias. " + (f"**{len(odd)} figures do.**" if odd else "No figure does."),
        "",
        "| seed | every order | every card at every place |",
        "|---:|---:|---:|",
        *(f"| {each['seed']} | {each['orders']:+.2f} | {each['places']:+.2f} |" for each in found),
    ]
    return "\n".join(lines) + "\n"


def main(scale: int) -> None:
    """Measure and write."""
    found = []
    for seed in SEEDS:
        found.append({"seed": seed, "orders": orders(ORDER_DECKS // scale, seed)})
        found[-1]["places"] = places(PLACE_DECKS // scale, seed)
        print(found[-1], file=sys.stderr, flush=True)
    if scale > 1:
        return
    results = {"about": about(), "found": found}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(results), encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
