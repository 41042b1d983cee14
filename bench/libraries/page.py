"""Writes ``docs/reference/measured/libraries.md`` from the results."""

from typing import TypedDict

from bench.about import said
from bench.libraries.rows import LEFT_OUT, WHY

USUAL = 52  # cards
SIZES = (5, 16, USUAL, 64, 128, 255, 256, 257, 1_000)
DECKS = 256  # at all sizes but the usual one
TELLING = (  # what is asked at these sizes: quick, and soon certain of a gross fault
    "every order",
    "cycles",
    "descents",
    "fixed points",
    "parity",
    "repeats",
    "rising sequences",
    "squared distances",
)
FALSE_ALARM = 1e-6  # of one row, over all its sizes
ALPHA = FALSE_ALARM / len(SIZES)


class Size(TypedDict, total=False):
    """What decks of one size gave: what was seen, or the reason why nothing was."""

    not_run: str
    failed: bool
    decks: int
    p_value: float
    seconds: float
    headline: str


class Result(TypedDict):
    """What a row gave, by the number of cards."""

    language: str
    package: str
    calls: str
    version: str
    sizes: dict[str, Size]


class Table(TypedDict):
    """All rows, and what measured them."""

    about: dict[str, str | int]
    date: str
    rows: list[Result]


def page(table: Table) -> str:
    """Return the page."""
    ran = [row for row in table["rows"] if row["sizes"]]
    missing = [row for row in table["rows"] if not row["sizes"]]
    failed = [row for row in ran if _failed(row)]
    fair = [row for row in ran if not _failed(row)]
    hidden = sum("failed" in row["sizes"].get(str(USUAL), {}) and USUAL not in _failed(row) for row in failed)
    seconds = sum(size.get("seconds", 0) for row in ran for size in row["sizes"].values())
    sizes = ", ".join(f"{size:,}" for size in SIZES[:-1]) + f" and {SIZES[-1]:,}"
    lines = [
        "# The shuffles of real libraries",
        "",
        f"`make libraries` wrote this page on {table['date']}: {said(table['about'])}.",
        f"`bench/libraries.json` has every size. It tested {len(ran)} shuffles in {seconds / 60:.0f} minutes, with",
        f"decks of {sizes} cards.",
        f"{len(failed)} are not fair at some of these sizes; {len(fair)} showed no fault at the sizes asked.",
        f"{hidden} of those that are not fair showed none at {USUAL} cards: one size does not tell of another.",
        "",
        "`bench/libraries` has the programs. A shuffle uses its own generator, so a run cannot be repeated digit for",
        f"digit. {USUAL} cards had all tests; other sizes had {DECKS:,} decks at most and",
        f"{len(TELLING)} quick tests. All {len(ran)} rows, if fair, fail together with probability at most",
        f"{len(ran) * FALSE_ALARM:.1g}.",
        "",
        "## Not fair",
        "",
        *_rows(failed),
        "",
        f"Generators are sought at {USUAL} cards only.",
        "",
        "## No fault found at the sizes asked",
        "",
        "No proof: more decks or another size may show a fault. Nor does it say whether somebody",
        "can predict the decks: V8's `Math.random()`, found now, and the Mersenne Twister",
        "are not for games for money.",
        "A star: not asked at every size.",
        "",
        *_names(fair),
        "",
        "## Not run",
        "",
        *(f"- {row['language']}, {row['package']}: not installed here." for row in missing),
        *(f"- {language}, {package}: {why}." for language, package, why in LEFT_OUT),
    ]
    return "\n".join(lines) + "\n"


def _failed(row: Result) -> list[int]:
    return [int(cards) for cards, size in row["sizes"].items() if size.get("failed")]


def _rows(rows: list[Result]) -> list[str]:
    """Return the table of those that failed: a row for each fault."""
    faults: dict[str, list[str]] = {}
    for row in rows:
        what = f"{row['language']}, {row['package']} {row['version']}: {_code(row['calls'])} ({_sizes(row)})"
        faults.setdefault(_fault(row), []).append(what)
    lines = ["| what (not fair at cards: decks) | what was found, and why if known |", "|---|---|"]
    for fault, whats in faults.items():
        cells = ["; ".join(whats), fault]
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return lines


def _sizes(row: Result) -> str:
    return ", ".join(f"{cards:,}: {row['sizes'][str(cards)]['decks']:,}" for cards in sorted(_failed(row)))


def _fault(row: Result) -> str:
    failed = _failed(row)
    told = row["sizes"][str(USUAL if USUAL in failed else min(failed))]["headline"].rstrip(".")
    return f"{told}. {WHY.get((row['language'], row['package']), '')}".rstrip()


def _names(rows: list[Result]) -> list[str]:
    """Return a line for each language, with the packages, and in how many ways each was called."""
    languages: dict[str, dict[str, list[Result]]] = {}
    for row in rows:
        languages.setdefault(row["language"], {}).setdefault(row["package"], []).append(row)
    return [
        f"- {language}: " + ", ".join(f"{package}{_ways(calls)}" for package, calls in packages.items()) + "."
        for language, packages in languages.items()
    ] + ["", "A star: not asked at every size."]


def _ways(calls: list[Result]) -> str:
    star = "" if all(_asked(row) == len(SIZES) for row in calls) else "*"
    return star + (f" ({len(calls)} ways)" if len(calls) > 1 else "")


def _asked(row: Result) -> int:
    return sum("failed" in size for size in row["sizes"].values())


def _code(calls: str) -> str:
    return f"`{calls}`"
