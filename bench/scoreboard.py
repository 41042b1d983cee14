"""How many decks each faulty shuffle needs before it is found, beside the fewest that any test needs.

Writes ``docs/reference/measured/scoreboard.md``.

For 52 cards, at 16, 23, 32, ... decks: the smallest p-value of any one test, and the verdict of a
trial as `fairdeck test` runs it. Found means: below 1e-6, and still below it at four times as many
decks. The median of nine seeds; one seed where it takes more than `ONE_SEED_FROM` decks.

    python -m bench.scoreboard            all faulty shuffles to 262,144 decks, all fair ones to 10,000,000
    python -m bench.scoreboard NAME ...   only these; the others stay as they were found
    python -m bench.scoreboard page       the page from the results that are there
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

from bench.about import about, said
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
CARDS = 52
LEVEL = 1e-6
MOST, ONE_SEED_FROM = 2**18, 2**13
FAIR_DECKS = 10_000_000
SLOW = {"dealt", "draw-again", "merge", "top-to-random-until"}  # fair as well, and an hour each
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


def page(rows: list[dict[str, object]], fairs: list[dict[str, object]], made: str) -> str:
    """Return the page."""
    lines = [
        "# Scoreboard: which faults are found, and how soon",
        "",
        f"`make scoreboard` wrote this page from `bench/scoreboard.json`: {made}.",
        "",
        "Decks of 52 cards, looked at after 16, 23, 32, ... decks. *Best test*: the number of decks after which the",
        "p-value of one test is below 1e-6, and stays there up to four times as many decks. *Verdict*: the number of",
        "decks after which `fairdeck test` fails the shuffle at that level, corrected for all tests and interim",
        "analyses. The figures are medians of nine seeds; above 8,192 decks, of one seed. A dash means that the decks",
        "tried (in parentheses) do not show the fault.",
        "",
        "*Optimum*: about the number of decks that a test at that level needs if it knows the law of the faulty",
        "shuffle: ln(1,000,000) over the Kullback-Leibler divergence of a deck from a fair one, in nats (the lemma of",
        f"Stein). *Ratio*: verdict over optimum. An optimum below {FIRST_ANALYSIS} counts as {FIRST_ANALYSIS}:",
        "nothing is looked at before.",
        "",
        "| shuffle | best test | which | verdict | optimum | ratio |",
        "|---|---:|---|---:|---:|---:|",
    ]
    ratios = []
    for each in rows:
        best, verdict = (f"{each[key]:,.0f}" if each[key] else f"- ({each['tried']:,})" for key in ("decks", "verdict"))
        least, ratio = _optimum(str(each["name"])), ""
        if least is not None and least < inf and each["verdict"]:
            times = float(str(each["verdict"])) / max(FIRST_ANALYSIS, least)
            ratio = f"{times:,.1f}"
            ratios += [times] if least >= FIRST_ANALYSIS else []
        told = "" if least is None else "-" if least == inf else f"{least:,}"
        lines.append(f"| {each['name']} | {best} | {each['test']} | {verdict} | {told} | {ratio} |")
    lines += ["", *_about_optimum(ratios)]
    if not fairs:
        return "\n".join(lines) + "\n"
    lines += [
        "",
        "## Fair shuffles",
        "",
        'No fair shuffle may fail. The column "smallest of one test" has the smallest of some 400 p-values. About one',
        "p-value in 400 is below 0.0025 by chance, so a small one there is expected.",
        "",
        "| shuffle | decks | verdict | p-value of all tests | smallest of one test | tests | seconds |",
        "|---|---:|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {each['name']} | {each['decks']:,} | {each['verdict']} | {each['p_value']:.2g} "
        f"| {each['least_p_value']:.2g} | {each['tests']} | {each['seconds']:.0f} |"
        for each in fairs
    ]
    return "\n".join(lines) + "\n"


def _optimum(name: str) -> float | None:
    """Return the optimum; None where it is not known, infinity (a dash on the page) where a generator has a seed."""
    known = divergence(name, CARDS)
    return known if known is None or known == inf else optimum(known, LEVEL)


def _about_optimum(ratios: list[float]) -> list[str]:
    if not ratios:
        return []
    return [
        f"Of the {len(ratios)} shuffles that were found and have an optimum of {FIRST_ANALYSIS} or more, the median",
        f"ratio is {median(ratios):.1f}, and {sum(each <= 3 for each in ratios)} ratios are 3 or less.",
        "If the optimum is empty, nobody has computed the divergence (for example of hand shuffles without an exact",
        "law, and of naive swaps). A dash means that the generator has a seed. Then the optimum says nothing useful:",
        "a test that knew the program and all its seeds would be sure after a deck or two; a test that does not know",
        "them has to wait until a deck comes again. `bench/stein.py` computes the divergences, and its tests compare",
        "them with all orders of small decks.",
    ]


def main(asked: list[str]) -> None:
    """Run, and write what was found; only named shuffles are replaced in the results."""
    before = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {"rows": [], "fair": []}
    if asked == ["page"]:
        PAGE.write_text(page(before["rows"], before["fair"], said(before["about"])), encoding="utf-8")
        return
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
    PAGE.write_text(page(ordered, good_ones, said(about())), encoding="utf-8")


def _ordered(found_names: Iterable[str]) -> list[str]:
    """Return the names sorted, riffle*2 before riffle*10."""
    return sorted(found_names, key=lambda name: (name.partition("*")[0], int(name.partition("*")[2] or 1)))


if __name__ == "__main__":
    from bench import scoreboard  # workers cannot load functions of a module that is called __main__

    scoreboard.main(choose(sys.argv[1:]))
