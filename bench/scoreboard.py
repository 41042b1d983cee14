"""How many decks each faulty shuffle needs before it is found, beside the fewest that any test needs.

Writes ``docs/reference/measured/scoreboard.md``.

For 52 cards, at 16, 23, 32, ... decks: the smallest p-value of any one test, and the verdict of a
trial as `fairdeck test` runs it. Found means: below 1e-6, and still below it at four times as many
decks. The median of nine seeds; one seed where it takes more than `ONE_SEED_FROM` decks.

    python -m bench.scoreboard            all faulty shuffles to 262,144 decks, all fair ones to 10,000,000
    python -m bench.scoreboard NAME ...   only these; the others stay as they were found
    ... --cluster tcp://HOST:PORT         on a cluster, see `bench.workers`
"""

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import takewhile
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

from bench.about import about, said
from bench.scatter import scatter
from bench.stein import divergence, optimum
from bench.workers import choose, workers
from fairdeck import lab
from fairdeck.lab.judging.tally import FIRST_ANALYSIS, Battery, block_sizes, schedule
from fairdeck.lab.judging.trial import Trial
from fairdeck.lab.judging.verdict import weigh
from fairdeck.lab.sources.simulated import Simulated
from fairdeck.shuffles import find, registry

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "bench" / "scoreboard.json", ROOT / "docs" / "reference" / "measured" / "scoreboard.md"
PICTURE = ROOT / "docs" / "images" / "scoreboard.svg"
CARDS = 52
SLOWEST = 20  # shuffles on the page
LEVEL = 1e-6
MOST, ONE_SEED_FROM = 2**18, 2**13
FAIR_DECKS = 10_000_000
SLOW = {"dealt", "draw-again", "top-to-random-until"}  # fair as well, and an hour each
SLOW_DECKS = 1_000_000
SEEDS = range(1, 10)
TIMES = {
    "riffle": range(1, 13),
    "overhand": (10, 50, 200),
    "pile-7": (1,),
    "top-to-random": (52,),
    "hindu": (10,),
    "strip": (10,),
    "mash": (7,),
}


@dataclass(frozen=True)
class Row:
    """The decks that it took to find one faulty shuffle.

    Attributes:
        name: the shuffle.
        decks: decks until the best single test stays below 1e-6; None if it never does.
        test: that test.
        verdict: decks until `fairdeck test` fails it, corrected for all tests and analyses; None if it never does.
        tried: the most decks that were tried.
    """

    name: str
    decks: float | None
    test: str
    verdict: float | None
    tried: int


def found(name: str, seed: int, most: int) -> tuple[int | None, str, int | None]:
    """Return the decks until the best test finds the shuffle, that test, and the decks until the verdict."""
    battery = Battery(CARDS)
    trial = Trial(battery, most, LEVEL)
    since: dict[str, int] = {}
    failed_at: int | None = None
    wanted = {*takewhile(most.__gt__, schedule()), most}
    for block in Simulated(name, CARDS, seed).blocks(block_sizes(CARDS, most)):
        trial.add(battery.tally(block))
        if failed_at is None and trial.failed:
            failed_at = trial.decks
        if trial.decks in wanted and trial.tally:
            below = {each.name for each in weigh(battery, trial.tally) if each.evidence.p_value < LEVEL}
            since = {test: since.get(test, trial.decks) for test in below}
            if since and trial.decks >= 4 * min(since.values()) and failed_at is not None:
                break
    if not since:
        return None, "", failed_at
    best = min(since, key=since.__getitem__)
    return since[best], best, failed_at


def row(name: str) -> Row:
    """Return the decks that it takes to find the shuffle called `name`."""
    tried = ONE_SEED_FROM
    results = [found(name, seed, ONE_SEED_FROM) for seed in SEEDS]
    if 2 * sum(decks is not None and verdict is not None for decks, _, verdict in results) <= len(SEEDS):
        tried = MOST
        results = [found(name, SEEDS[0], MOST)]
    return Row(
        name,
        _middle([decks for decks, _, _ in results]),
        next((test for decks, test, _ in sorted(results, key=lambda each: each[0] or MOST) if decks), ""),
        _middle([verdict for _, _, verdict in results]),
        tried,
    )


def _middle(values: list[int | None]) -> float | None:
    middle = median([value if value is not None else float("inf") for value in values])
    return None if middle == float("inf") else middle


def names() -> list[str]:
    """Return every faulty shuffle of the registry; hand shuffles repeated as often as people do them."""
    faulty = [known.name for known in registry().values() if not known.fair]
    return [
        f"{name}*{times}" if times > 1 else name for name in faulty for times in TIMES.get(name, (1,)) if find(name)
    ]


def fair(name: str) -> dict[str, object]:
    """Return the verdict on a fair shuffle with many decks."""
    decks = SLOW_DECKS if name in SLOW else FAIR_DECKS
    with workers() as map_:
        report = lab.test(name, cards=CARDS, decks=decks, alpha=LEVEL, seed=SEEDS[0], map=map_)
    verdict = report.verdict
    least = min(each.evidence.p_value for each in verdict.evidence)
    return {
        "name": name,
        "decks": verdict.decks,
        "verdict": verdict.outcome,
        "p_value": verdict.p_value,
        "least_p_value": least,
        "tests": len(verdict.evidence),
        "seconds": round(report.seconds, 1),
    }


def page(results: dict[str, Any]) -> str:
    """Return the page: a summary, the faults that need the most decks, and the fair shuffles."""
    rows, fairs = [Row(**each) for each in results["rows"]], results["fair"]
    sure = [each for each in rows if each.verdict]
    missed = [each.name for each in rows if not each.verdict]
    slowest = sorted(sure, key=lambda each: each.verdict or 0, reverse=True)[:SLOWEST]
    within = {most: sum((each.verdict or inf) <= most for each in rows) for most in (FIRST_ANALYSIS, 128, 1_024, MOST)}
    ratios = [ratio for each in sure if (ratio := _ratio(each)) is not None]
    lines = [
        "# Scoreboard: which faults are found, and how soon",
        "",
        f"`make scoreboard` wrote this page: {said(results['about'])}. `bench/scoreboard.json` has every shuffle.",
        "",
        f"{len(rows)} faulty shuffles of {CARDS} cards, looked at after 16, 23, 32, ... decks. A *verdict* is the",
        "number of decks after which `fairdeck test` fails the shuffle at the level 1e-6, corrected for all tests and",
        f"interim analyses; the median of nine seeds, above {ONE_SEED_FROM:,} decks one seed.",
        "",
        *(f"- Found within {most:,} decks: {count}." for most, count in within.items()),
        f"- Not found in {MOST:,}: " + ", ".join(missed) + ".",
        "",
        "*Optimum*: about the number of decks that a test at that level needs if it knows the law of the faulty",
        "shuffle: ln(1,000,000) over the Kullback-Leibler divergence of a deck from a fair one, in nats (the lemma of",
        f"Stein). Of the {len(ratios)} shuffles that were found and have an optimum of {FIRST_ANALYSIS} or more, the",
        f"verdict took {median(ratios):.1f} times the optimum in the median, and 3 times or less for",
        f"{sum(ratio <= 3 for ratio in ratios)}. By luck a verdict may come before the optimum.",
        "",
        "![Verdict against optimum: most dots are within three times the optimum](../../images/scoreboard.svg)",
        "",
        f"The {len(slowest)} that took longest. No optimum: nobody computed the divergence. A dash: the generator has",
        "a seed; a test that knew the program and all its seeds would be sure after a deck or two, one that does not",
        "has to wait until a deck comes again.",
        "",
        "| shuffle | verdict | optimum | ratio | the first test below 1e-6 |",
        "|---|---:|---:|---:|---|",
        *map(_line, slowest),
        "",
        "## Fair shuffles",
        "",
        "No fair shuffle may fail. *Smallest*: the smallest of the p-values of single tests. About one in 400 is below",
        "0.0025 by chance, so a small one is expected there.",
        "",
        "| shuffle | decks | verdict | p-value of all tests | smallest | tests |",
        "|---|---:|---|---:|---:|---:|",
        *(
            f"| {each['name']} | {each['decks']:,} | {each['verdict']} | {each['p_value']:.2g} "
            f"| {each['least_p_value']:.2g} | {each['tests']} |"
            for each in fairs
        ),
    ]
    return "\n".join(lines) + "\n"


def picture(results: dict[str, Any]) -> str:
    """Return the SVG: the verdict of each shuffle against its optimum, and once and three times the optimum."""
    rows = [Row(**each) for each in results["rows"]]
    dots = [
        (max(least, 1), each.verdict)
        for each in rows
        if each.verdict and (least := _optimum(each.name)) is not None and least < inf
    ]
    ends = (1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6)
    lines = [(FIRST_ANALYSIS, FIRST_ANALYSIS, 1e6, 1e6), (FIRST_ANALYSIS, 3 * FIRST_ANALYSIS, 1e6 / 3, 1e6)]
    return scatter(
        dots, ("optimum, decks", ends), ("verdict, decks; dashes: once and three times the optimum", ends[1:]), lines
    )


def _ratio(found_row: Row) -> float | None:
    least = _optimum(found_row.name)
    if found_row.verdict is None or least is None or not FIRST_ANALYSIS <= least < inf:
        return None
    return found_row.verdict / least


def _line(found_row: Row) -> str:
    least, ratio = _optimum(found_row.name), _ratio(found_row)
    told = "" if least is None else "-" if least == inf else f"{least:,}"
    times = "" if ratio is None else f"{ratio:.1f}"
    return f"| {found_row.name} | {found_row.verdict:,.0f} | {told} | {times} | {found_row.test} |"


def _optimum(name: str) -> float | None:
    """Return the optimum; None where it is not known, infinity (a dash on the page) where a generator has a seed."""
    known = divergence(name, CARDS)
    return known if known is None or known == inf else optimum(known, LEVEL)


def main(asked: list[str]) -> None:
    """Run, and write what was found; only named shuffles are replaced in the results."""
    before = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {"rows": [], "fair": []}
    faulty = [name for name in asked or names() if not find(name).fair]
    good = [name for name in asked or registry() if find(name).fair]
    rows = {each["name"]: each for each in before["rows"] if asked}
    fairs = {each["name"]: each for each in before["fair"] if asked}
    with workers() as map_:
        for each in map_(row, faulty):
            print(each, file=sys.stderr, flush=True)
            rows[each.name] = asdict(each)
    for name in good:
        fairs[name] = fair(name)
        print(fairs[name], file=sys.stderr, flush=True)
    ordered = [rows[name] for name in _ordered(rows)]
    good_ones = [fairs[name] for name in sorted(fairs)]
    results = {"about": about(), "rows": ordered, "fair": good_ones}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(results), encoding="utf-8")
    PICTURE.write_text(picture(results), encoding="utf-8")


def _ordered(found_names: Iterable[str]) -> list[str]:
    """Return the names sorted, riffle*2 before riffle*10."""
    return sorted(found_names, key=lambda name: (name.partition("*")[0], int(name.partition("*")[2] or 1)))


if __name__ == "__main__":
    from bench import scoreboard  # workers cannot load functions of a module that is called __main__

    scoreboard.main(choose(sys.argv[1:]))
