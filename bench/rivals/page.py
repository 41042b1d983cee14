"""Writes ``docs/reference/measured/rivals.md`` from the results."""

from math import inf
from pathlib import Path
from typing import Any, TypedDict

from bench.about import said
from bench.rivals.contenders import CONTENDERS

ROOT = Path(__file__).parents[2]
RESULTS, PAGE = ROOT / "bench" / "rivals.json", ROOT / "docs" / "reference" / "measured" / "rivals.md"
FAIRDECK = "fairdeck"
LOOKS = tuple(1 << power for power in range(4, 15))
ONE_SEED_FROM, TIMED = 2**10, 2**12
MOST = {FAIRDECK: LOOKS[-1]} | {each.name: each.most for each in CONTENDERS}
FAIR = ("fisher-yates", "lehmer-16")
SHUFFLES = {  # and their cards
    **dict.fromkeys(FAIR, 52),
    "pile-7": 52,
    "batched-zero": 52,
    "naive": 52,
    "riffle*7": 52,
    "even": 64,
    "modulo-8": 52,
    "sattolo": 52,
    "comparator-sort": 52,
    "overhand": 52,
    "freecell": 52,
    "comparator-sort-go": 52,
    "shuffle-buffer-26": 52,
    "glibc-modulo": 52,
    "fast-shuffle": 52,
}
TEXT = """# Other ways to test a shuffle

By `make rivals`, in several runs: {about}. `bench/rivals.json` has the figures.

{faults} faulty shuffles of 52 cards (`even`: 64), which we chose, tested by `fairdeck test` and in other ways. All get
the same first 16, 32, 64, ... decks, {most:,} at most; slower ways fewer. A number: the decks at the
alarm at the level 1e-6, the median of three seeds, above {one_seed:,} one seed. `>`: no alarm up to that number.

An alarm of the others: the smallest p-value, times the p-values at that look, times the {looks} looks, is at
most 1e-6. `fairdeck test` shares this level among its tests, looks and bets; its verdict is rounded up to the
next look.

{table}

## Where fairdeck is later

{later} Of 42 other faults, one seed each, *positions* showed one sooner: a quicksort with a random comparison, after 91
decks; fairdeck took 128. Less processor time for the same decks: {cheaper}.

## Fair shuffles

{fair}

## Processor time

Seconds for one look at {timed:,} fair decks of 52 cards on a busy machine; for fairdeck all looks and bets up to there.

{times}

## What was run

- *positions*: Pearson's chi-square of the table card x place, times 51/52 as both margins are fixed, 51 x 51 degrees
  of freedom.
- *Mallows, sorted*: the mean of exp(-5 d), where d is the share of pairs that are not in sorted order. Mitchell and
  others (arXiv:2106.06161) test so. The p-value is Chernoff's bound from the exact law of d.
- *Mallows, pairs*: the same kernel between all pairs of decks: the squared maximum mean discrepancy from
  uniform orders. The p-value is that of Pearson's type III law with three moments of fair decks.
- *classifiers* (scikit-learn {classifiers}): a logistic regression and a random forest learn half of the decks and as
  many fair ones. The p-value is binomial, of their hits on the other half (Lopez-Paz and Oquab 2017).
- The last three test bits. The rank of a deck among all n! orders becomes bits by the construction of Elias (1972).
  If the decks are fair and independent, so are the bits.
- *PractRand* ({practrand}): its standard tests, if `RNG_test` is on the PATH.
- *dieharder* ({dieharder}): nine of its tests, each with one sample of all bits; the others need more.
  It prints eight digits; 0.00000000 and 1.00000000 count
  as p = 0, in its favour.
- *NIST* (sp80022suite {nist}): SP 800-22 in NIST's own code, each test from as many bits as the standard asks for.
  Left out: templates that do not overlap, random excursions.

Many of these p-values are approximations. At 1e-6 they hold only roughly.
"""


class Found(TypedDict):
    """The decks until an alarm, None if there was none; the median of so many seeds."""

    decks: int | None
    seeds: int


class Row(TypedDict):
    """What each way to test found of one shuffle."""

    name: str
    cards: int
    found: dict[str, Found]


def page(results: dict[str, Any]) -> str:
    """Return the page."""
    names, rows = list(results["seconds"]), sorted(results["rows"], key=lambda row: str(row["name"]))
    faulty = [row for row in rows if row["name"] not in FAIR]
    versions = {name.lower(): version or "missing" for name, version in results["versions"].items()}
    return TEXT.format(
        about=said(results["about"]),
        faults=len(faulty),
        most=LOOKS[-1],
        one_seed=ONE_SEED_FROM,
        looks=len(LOOKS),
        table=_table(["shuffle", *names], [[row["name"], *(_decks(row, name) for name in names)] for row in faulty]),
        later="\n".join([*_later(faulty), ""]) or "On none of these faults was another way sooner.",
        cheaper="; ".join(name for name in names if results["seconds"][name] < results["seconds"][FAIRDECK]) or "none",
        fair="\n".join(f"- `{row['name']}`: {_alarms(row)}." for row in rows if row["name"] in FAIR),
        timed=TIMED,
        times=_table(names, [[f"{results['seconds'][name]:.3f}" for name in names]]),
        **versions,
    )


def _table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---:"] * len(head), *rows])


def _decks(row: Row, name: str) -> str:
    if name not in row["found"]:
        return "not run"
    decks = row["found"][name]["decks"]
    return f"{decks:,}" if decks else f"> {MOST[name]:,}"


def _later(faulty: list[Row]) -> list[str]:
    """Return a line for each fault that another way found with fewer decks."""
    lines = []
    for row in faulty:
        ours = row["found"][FAIRDECK]["decks"] or inf
        sooner = [name for name, found in row["found"].items() if (found["decks"] or inf) < ours]
        if sooner:
            told = "; ".join(f"{name} after {_decks(row, name)}" for name in sooner)
            lines.append(f"- `{row['name']}`: {told}, fairdeck after {_decks(row, FAIRDECK)}.")
    return lines


def _alarms(row: Row) -> str:
    names = [name for name, found in row["found"].items() if found["decks"]]
    return f"alarms of {', '.join(names)}" if names else f"no alarm of any of the {len(row['found'])} ways"
