"""Measure all contenders.

Writes ``bench/peers.json``, ``docs/reference/measured/kernels.md`` and ``docs/images/kernels.svg``.

python -m bench.peers             the committed run (ten minutes)
python -m bench.peers --quick     three rounds; the page goes to the screen only
"""

import argparse
import json
import sys
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path

from bench.about import about, said
from bench.peers import contenders, measure, right
from bench.peers.build import RECIPES, Recipe, version
from bench.peers.contenders import Contender
from bench.peers.measure import Job, Threads
from bench.peers.older import Older, older
from bench.peers.page import page
from bench.peers.picture import picture

ROOT = Path(__file__).parents[2]
RESULTS, PICTURE = ROOT / "bench/peers.json", ROOT / "docs/images/kernels.svg"
PAGE = ROOT / "docs/reference/measured/kernels.md"
ROUNDS, QUICK = 7, 3
CARDS = (20, 52, 104, 1000)


def tools() -> dict[str, str | None]:
    """Return the versions of compilers and libraries; None for what is not there."""
    found = {compiler: version(compiler) for compiler in ("g++", "clang++", "rustc")}
    for library in ("numpy", "numba"):
        try:
            found[library] = f"{library} {installed(library)}"
        except PackageNotFoundError:
            found[library] = None
    return found


def left_out(recipes: list[Recipe]) -> list[str]:
    """Return which contenders cannot take part here, and why."""
    reasons = [recipe.missing for recipe in recipes]
    if not contenders.ours("fill"):
        reasons.append("fairdeck needs numba, which is not installed")
    return sorted({reason for reason in reasons if reason})


def built(recipes: list[Recipe]) -> tuple[list[Recipe], list[str]]:
    """Return the recipes that work here, and what the others lack."""
    works, failed = [], []
    for recipe in recipes:
        if not recipe.missing:
            try:
                recipe.load()
            except RuntimeError as error:
                failed.append(f"{recipe.name} does not compile the peers ({str(error).splitlines()[-1]})")
            else:
                works.append(recipe)
    return works, failed


def measured(recipes: list[Recipe], rounds: int) -> tuple[list[Job], list[Threads], list[Older]]:
    """Check all contenders, then measure them."""

    def tell(what: str) -> None:
        print(f"{what} ...", file=sys.stderr, flush=True)

    tell("checking")
    row: list[Contender] = contenders.rows(recipes)
    top = contenders.tops(recipes)
    for each in row:
        right.check_rows(each, CARDS)
    for each in top:
        right.check_tops(each)
    threads = [measure.two_threads(row, rounds)]
    jobs = []
    for cards in CARDS:
        tell(f"{cards} cards")
        jobs.append(measure.rows(row, cards, rounds))
    tell("top cards")
    jobs.append(measure.tops(top, rounds))
    threads.append(measure.two_threads(row, rounds))
    tell("older processors")
    return jobs, measure.together(threads), older(CARDS, rounds)


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description="Measure us beside others.")
    parser.add_argument("--quick", action="store_true", help="three rounds, and the page to the screen only")
    quick = parser.parse_args().quick
    rounds = QUICK if quick else ROUNDS
    recipes, failed = built(RECIPES)
    jobs, threads, shorter = measured(recipes, rounds)
    missing, versions = [*left_out(RECIPES), *failed], tools()
    words = {
        "rounds": str(rounds),
        "about": said(about()),
        "tools": "; ".join(version for version in versions.values() if version),
    }
    text = page(jobs, threads, shorter, missing, words)
    if quick:
        print(text)
        return
    results = {
        "rounds": rounds,
        **about(),
        "tools": versions,
        "left_out": missing,
        "jobs": [asdict(job) for job in jobs],
        "threads": [asdict(each) for each in threads],
        "older": [asdict(each) for each in shorter],
    }
    RESULTS.write_text(json.dumps(_rounded(results), indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(text, encoding="utf-8")
    PICTURE.write_text(picture(jobs), encoding="utf-8")
    print("wrote bench/peers.json, docs/reference/measured/kernels.md and docs/images/kernels.svg", file=sys.stderr)


def _rounded(value: object) -> object:
    """Return the results with five digits to a figure: more is noise."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value


if __name__ == "__main__":
    main()
