"""Whether the p-values are what they say, on perfect decks; writes ``docs/reference/measured/calibration.md``.

Many batteries, each on its own perfect decks: for every test the share of p-values below .01 and
.001, and whether they are uniform; and how often a trial fails a perfect shuffle at a high level.

Also, whether it helps to stop at the best moment: fair logs that grow, each tested many times. And fair logs of what is
seen of decks, of one size or of several, each stopped at the worst of all analyses.

    python -m bench.calibration          the committed run: 1,500 batteries of 52 cards, 400 of each other size
    python -m bench.calibration CARDS    only these sizes; the others stay as they were found
    python -m bench.calibration stopped  only the logs that are stopped at their best moment
    python -m bench.calibration seen     only the logs of what is seen
    ... --cluster tcp://HOST:PORT        on a cluster, see `bench.workers`
"""

import copy
import json
import sys
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binom, kstest

from bench.about import about, said
from bench.scatter import scatter
from bench.workers import choose, workers
from fairdeck import lab
from fairdeck.lab.blocks import LEAD, Block, Decks
from fairdeck.lab.judging.tally import Battery, block_sizes
from fairdeck.lab.judging.trial import Trial
from fairdeck.lab.observations import Kind, Sight
from fairdeck.lab.observations.completing import Names, completed, keys_of

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "bench" / "calibration.json", ROOT / "docs" / "reference" / "measured" / "calibration.md"
CASES = (
    *((52, 2_000, 1_500), (5, 5_000, 400), (8, 2_000, 400), (13, 1_000, 400), (104, 1_000, 400)),
    *((256, 400, 400), (1_000, 200, 400)),
)
PICTURE = ROOT / "docs" / "images" / "calibration.svg"
LEVELS = (0.01, 0.001)
TRIAL_LEVEL = 0.05  # of false verdicts: high, so that there are some
LOGS, LOG_CARDS, LOG_DECKS, MOMENTS = 2_000, 6, 3_000, 60
LOG_TESTS = frozenset(
    {"positions", "order", "inversions", "fixed points", "rising sequences"}
)  # Holm loses least on few
GLIMPSES = 2_000  # logs of what is seen
STOPS = (16, 23, 32, 45, 64, 91, 128, 181, 256)  # decks after which each of them may end; of large decks also:
FIRST_STOPS = (1, 2, 3, 4, 6, 8, 11)
SEEN_LEVELS = (0.05, 0.01, 0.001)
LOW, PAIRS = Kind("low", tuple(range(8))), tuple(Kind(f"pair {at}", (2 * at, 2 * at + 1)) for at in range(4))
# What a log holds: one size or several, and the most decks of each.
SEEN: tuple[tuple[tuple[Sight | int, ...], int], ...] = (
    ((Sight(20, "top:7", (LOW,)),), 256),
    ((Sight(30, "set:5", (LOW,)),), 256),
    ((Sight(49, "set:6"),), 256),
    ((Sight(16, "hands:4x4", (LOW,)),), 181),
    ((Sight(16, "hands:2x8"),), 181),
    ((Sight(24, "places:0,3,9,23"),), 181),
    ((Sight(20, "prefix:7", (LOW,)),), 128),
    ((Sight(12, "all", (*PAIRS, Kind("rest", (8, 9, 10, 11)))),), 128),
    ((Sight(25, "set:5", board=(5, 5)),), 256),
    ((Sight(40, "set:7", (LOW,)), Sight(60, "set:7", (LOW,))), 128),
    ((8, 13, 20), 64),
    ((52,), 91),
    ((12,), 91),
    ((366,), 6),
)
WORST = 7  # tests on the page
BUDGET = 1e-3  # chance that correct p-values break any of the bounds of one case


def perfect(cards: int, decks: int, seed: int) -> Decks:
    """Return perfect decks, from NumPy's generator."""
    rng = np.random.Generator(np.random.PCG64([seed, cards]))
    return rng.permuted(np.tile(np.arange(cards, dtype=np.int16), (decks, 1)), axis=1)


@dataclass(frozen=True)
class Outcome:
    """One battery: every p-value of the last interim analysis, and the p-value of the whole trial."""

    p_values: dict[str, float]
    trial: float


def one(cards: int, decks: int, number: int) -> Outcome:
    """Return what battery `number` made of perfect decks."""
    verdict = lab.test(perfect(cards, decks, number), decks=decks, alpha=TRIAL_LEVEL, at_least=decks).verdict
    return Outcome({each.name: each.evidence.p_value for each in verdict.evidence}, verdict.p_value)


def stopped(cards: int, decks: int, moments: int, number: int) -> float:
    """Return the smallest p-value of a fair log that grows to `decks` decks and is tested at random moments.

    Each time the log is tested from its first deck to its last, as ``fairdeck test --file`` does.
    """
    battery = Battery(cards, only=LOG_TESTS)
    trial = Trial(battery, 10**12, TRIAL_LEVEL, announced=False)
    ends = sorted(np.random.default_rng([number, cards, moments]).integers(1, decks, moments, endpoint=True))
    least, rows = 1.0, perfect(cards, decks, number)
    for size in block_sizes(cards, decks):
        block = Block(rows[trial.decks : trial.decks + size], rows[max(0, trial.decks - LEAD) : trial.decks])
        for end in [end - trial.decks for end in ends if trial.decks < end <= trial.decks + block.size]:
            then = copy.copy(trial)
            then.standing = replace(trial.standing)
            then.add(battery.tally(Block(block.decks[:end], block.lead)))
            least = min(least, then.verdict().p_value)
        trial.add(battery.tally(block))
        trial.verdict()  # an analysis of the schedule, made once for all the moments after it
    return least


def stop_at_best(logs: int, cards: int = LOG_CARDS, decks: int = LOG_DECKS, moments: int = MOMENTS) -> dict[str, int]:
    """Return how many of the fair logs failed, each at the best of its moments."""
    with workers() as map_:
        least = list(map_(partial(stopped, cards, decks, moments), range(logs)))
    failed = sum(p_value <= TRIAL_LEVEL for p_value in least)
    return {"logs": logs, "cards": cards, "decks": decks, "moments": moments, "failed": failed}


def glimpsed(number: int) -> float:
    """Return the smallest p-value of a fair log of what is seen, over all moments at which it may end.

    Each size has an equal share of the level, as in `fairdeck.lab.several`. Where the scheme does not show whole decks
    they are completed as those of a file are; logs of a prefix show 5 to 10 cards.
    """
    sizes, most = SEEN[number % len(SEEN)]
    least = 1.0
    for stratum, size in enumerate(sizes):
        sight = size if isinstance(size, Sight) else None
        cards = sight.cards if sight else int(str(size))
        rows = perfect(cards, most, 10 * number + stratum)
        if sight:
            names = Names([0, 0, *range(1, cards - 1)] if sight.scheme == "all" else range(cards))
            records = names.of_cards[rows[:, sight.places]].astype(np.int64)
            if sight.scheme.startswith("prefix"):
                records = records[:, : 5 + number // len(SEEN) % 6]
            rows = completed(records, sight, names, *keys_of(number, 0, most, cards, 2))
        trial = Trial(Battery(cards, sight=sight), 10**12, TRIAL_LEVEL / len(sizes), announced=False)
        stops = (*FIRST_STOPS, *STOPS) if cards > 200 else STOPS
        for end in (stop for stop in stops if stop <= most):
            trial.add(
                trial.battery.tally(Block(rows[trial.decks : end], rows[max(0, trial.decks - LEAD) : trial.decks]))
            )
            least = min(least, trial.verdict().p_value * len(sizes))
    return least


def look(logs: int) -> dict[str, Any]:
    """Return how many of the fair logs of what is seen were below each level, at the worst of all moments."""
    with workers() as map_:
        least = list(map_(glimpsed, range(logs)))
    return {"logs": logs, "kinds": len(SEEN), "below": [sum(p <= level for p in least) for level in SEEN_LEVELS]}


def too_many_seen(results: dict[str, Any]) -> list[str]:
    """Return the levels that more logs fell below than chance explains."""
    cases = zip(SEEN_LEVELS, results["below"], strict=True)
    tail = BUDGET / len(SEEN_LEVELS)
    return [f"{met} at {level}" for level, met in cases if met > binom.isf(tail, results["logs"], level)]


def stops_help(results: dict[str, int]) -> bool:
    """Tell whether more logs failed than the level allows, beyond what chance explains."""
    return bool(results["failed"] > binom.isf(BUDGET, results["logs"], TRIAL_LEVEL))


def bounds(batteries: int, level: float, tests: int) -> tuple[int, int]:
    """Return between how many p-values below `level` correct tests stay, all `tests` of them together."""
    tail = BUDGET / tests / 4
    return int(binom.ppf(tail, batteries, level)), int(binom.isf(tail, batteries, level))


def case(cards: int, decks: int, outcomes: list[Outcome]) -> dict[str, object]:
    """Return the shares, and what is out of bounds."""
    found: dict[str, list[float]] = defaultdict(list)
    for outcome in outcomes:
        for name, p_value in outcome.p_values.items():
            found[name].append(p_value)
    tests = {}
    for name, p_values in sorted(found.items()):
        values = np.array(p_values)
        # Whole numbers have coarse p-values, which are larger than uniform ones, never smaller.
        tests[name] = {
            "below": [float(np.mean(values <= level)) for level in LEVELS],
            "uniform": float(kstest(values, "uniform", alternative="greater").pvalue),
        }
    trials = [outcome.trial for outcome in outcomes]
    return {
        "cards": cards,
        "decks": decks,
        "batteries": len(outcomes),
        "most_below": [bounds(len(outcomes), level, len(tests))[1] / len(outcomes) for level in LEVELS],
        "failed": sum(p_value <= TRIAL_LEVEL for p_value in trials),
        "tests": tests,
    }


def too_many(results: dict[str, object]) -> list[str]:
    """Return what breaks the bounds, in words; nothing if all is well."""
    tests, most = results["tests"], results["most_below"]
    assert isinstance(tests, dict)
    assert isinstance(most, list)
    wrong = [
        f"{name}: {share:.4f} of p-values below {level}, at most {bound:.4f} would be fair"
        for name, test in tests.items()
        for level, share, bound in zip(LEVELS, test["below"], most, strict=True)
        if share > bound
    ]
    wrong += [
        f"{name}: p-values are too small (p = {test['uniform']:.2g})"
        for name, test in tests.items()
        if test["uniform"] < BUDGET / len(tests) / 4
    ]
    batteries, failed = int(str(results["batteries"])), int(str(results["failed"]))
    if failed > binom.isf(BUDGET / 4, batteries, TRIAL_LEVEL):
        wrong.append(f"{failed} of {batteries} trials failed a perfect shuffle at the level {TRIAL_LEVEL}")
    return wrong


def page(results: dict[str, Any]) -> str:
    """Return the page: a row for each size, and the tests whose p-values are below .01 most often."""
    stops, cases = results["stopped"], results["cases"]
    wrong = [f"{each['cards']} cards: {fault}" for each in cases for fault in too_many(each)]
    lines = [
        "# Calibration: are the p-values what they say?",
        "",
        f"`make calibration` wrote this page: {said(results['about'])}. `bench/calibration.json` has every test.",
        "",
        "The lab judged many batteries of perfect decks, each with its own random stream. A correct p-value is below a",
        "level with at most that probability; for a statistic with few values the probability is smaller. The bound",
        f"is for all tests of a size together: correct p-values break it with a probability of {BUDGET} at most. A",
        "test that p-values are not too small (Kolmogorov-Smirnov, one-sided) has the same bound.",
        "",
        "**" + ("; ".join(wrong) if wrong else "All within bounds.") + "**",
        "",
        "| cards | batteries | decks in each | tests | p-values below .01: median, most, bound | failed at level .05 |",
        "|---:|---:|---:|---:|---|---:|",
        *map(_row, cases),
    ]
    if stops:
        held = "too many" if stops_help(stops) else "the level holds at any moment of stopping"
        lines += [
            "",
            f"**Stopped at the worst moment.** {stops['logs']:,} fair logs of {stops['cards']} cards, each growing to",
            f"{stops['decks']:,} decks, no number announced. Each was tested from its beginning at {stops['moments']}",
            f"random moments and judged by the worst of them, by {len(LOG_TESTS)} statistics at two lags.",
            f"{stops['failed']} failed at the level {TRIAL_LEVEL}, {stops['failed'] / stops['logs']:.2%}: {held}.",
        ]
    if looks := results.get("seen"):
        held = "; ".join(too_many_seen(looks)) or "the level holds"
        below = ", ".join(f"{met} at {level}" for level, met in zip(SEEN_LEVELS, looks["below"], strict=True))
        lines += [
            "",
            f"**Decks of which a part is seen.** {looks['logs']:,} fair logs of {looks['kinds']} sorts: first cards,",
            "sets, hands, draws, places, games that end early, equal cards, a board, few whole decks, several sizes.",
            f"Each was stopped at the worst of its interim analyses. P-values up to a level: {below}; {held}.",
        ]
    lines += [
        "",
        "![Every test is a dot. None has more p-values below .01 than the bound](../../images/calibration.svg)",
        "",
        f"The {WORST} tests that come nearest to their bound:",
        "",
        "| cards | test | below .01 | below .001 | uniform |",
        "|---:|---|---:|---:|---:|",
    ]
    tests = [(each, name, test) for each in cases for name, test in each["tests"].items()]
    for each, name, test in sorted(tests, key=_share_of_bound, reverse=True)[:WORST]:
        low, lower = test["below"]
        lines.append(f"| {each['cards']} | {name} | {low:.4f} | {lower:.4f} | {test['uniform']:.3f} |")
    return "\n".join(lines) + "\n"


def _row(each: dict[str, Any]) -> str:
    shares = [test["below"][0] for test in each["tests"].values()]
    return (
        f"| {each['cards']} | {each['batteries']:,} | {each['decks']:,} | {len(shares)} "
        f"| {np.median(shares):.4f}, {max(shares):.4f}, {each['most_below'][0]:.4f} "
        f"| {each['failed'] / each['batteries']:.2%} |"
    )


def _share_of_bound(row: tuple[dict[str, Any], str, dict[str, Any]]) -> float:
    each, _, test = row
    return max(float(share) / float(bound) for share, bound in zip(test["below"], each["most_below"], strict=True))


def picture(results: dict[str, Any]) -> str:
    """Return the SVG: how often each test of each size was below .01; never is drawn at the lowest mark."""
    sizes = {each["cards"]: each for each in sorted(results["cases"], key=lambda case: case["cards"])}
    dots, lines = [], [(3.0, 0.01, 2_000.0, 0.01)]
    for cards, each in sizes.items():
        shares = [test["below"][0] for test in each["tests"].values()]
        dots += [(cards * 1.25 ** (at / len(shares) - 0.5), max(share, 0.0005)) for at, share in enumerate(shares)]
        lines.append((cards / 1.2, each["most_below"][0], cards * 1.2, each["most_below"][0]))
    up = "share of p-values below .01; dashes: .01, and the bound of a size"
    return scatter(dots, ("cards", [3, 5, 8, 13, 52, 104, 256, 1_000, 2_000]), (up, [0.0005, 0.001, 0.01, 0.1]), lines)


def calibrate(cards: int, decks: int, batteries: int) -> dict[str, object]:
    """Return the results of one case."""
    with workers() as map_:
        return case(cards, decks, list(map_(partial(one, cards, decks), range(batteries))))


def main(asked: list[str]) -> int:
    """Run all cases, write what was found after each, and return 1 if anything is out of bounds."""
    before = json.loads(RESULTS.read_text(encoding="utf-8")) if asked and RESULTS.exists() else {"cases": []}
    found = {each["cards"]: each for each in before["cases"]}
    stops, seen = before.get("stopped"), before.get("seen")
    if not asked or "stopped" in asked:
        stops = stop_at_best(LOGS)
        _write(found, stops, seen)
    if not asked or "seen" in asked:
        seen = look(GLIMPSES)
        _write(found, stops, seen)
    for cards, decks, batteries in CASES:
        if not asked or str(cards) in asked:
            found[cards] = calibrate(cards, decks, batteries)
            print(cards, found[cards]["failed"], too_many(found[cards]), file=sys.stderr, flush=True)
            _write(found, stops, seen)
    wrong = any(map(too_many, found.values())) or (stops and stops_help(stops)) or (seen and too_many_seen(seen))
    return 1 if wrong else 0


def _write(found: dict[int, dict[str, object]], stops: dict[str, int] | None, seen: dict[str, Any] | None) -> None:
    cases = [found[size] for size, _, _ in CASES if size in found]
    results = {"about": about(), "stopped": stops, "seen": seen, "cases": cases}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(results), encoding="utf-8")
    PICTURE.write_text(picture(results), encoding="utf-8")


if __name__ == "__main__":
    from bench import calibration  # workers cannot load functions of a module that is called __main__

    sys.exit(calibration.main(choose(sys.argv[1:])))
