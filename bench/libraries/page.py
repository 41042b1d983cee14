"""Writes ``docs/reference/measured/libraries.md`` from the results."""

from collections import Counter
from typing import TypedDict

from bench.about import said
from bench.libraries.rows import FINDINGS, LEFT_OUT, ROWS, SAMPLED, SIZES, USUAL, WHY

DECKS, MOST = 256, 2**22  # decks at all sizes but the usual one, and cards in all of them together
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
FALSE_ALARM, CELLS = 1e-6, 2_000  # of the whole map, and how many results it has room for
ALPHA = FALSE_ALARM / CELLS
FAIR = "✓"
DRAWN = "the numbers that it draws"  # begins the headline of a shuffle whose generator was recognised


class Size(TypedDict, total=False):
    """What decks of one size gave: what was seen, or the reason why nothing was."""

    not_run: str
    failed: bool
    decks: int
    p_value: float
    again: float  # the p-value of the second run of what failed
    seconds: float
    headline: str
    date: str


class Result(TypedDict):
    """What a row gave, by the number of cards."""

    language: str
    package: str
    calls: str
    seen: str
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
    missing = dict.fromkeys(f"{row['package']}, `{row['calls']}`" for row in table["rows"] if not row["sizes"])
    failed = [row for row in ran if _failed(row)]
    told = [row for row in failed if all(_mark(row["sizes"][str(cards)])[1] != "*" for cards in _failed(row))]
    samples, shuffles = ([row for row in ran if bool(row["seen"]) is kind] for kind in (True, False))
    hidden = sum("failed" in row["sizes"].get(str(USUAL), {}) and USUAL not in _failed(row) for row in failed)
    old = sum("date" not in row["sizes"].get(str(USUAL), {"date": ""}) for row in ran)
    cells = [size for row in ran for size in row["sizes"].values() if "failed" in size]
    lines = [
        "# The shuffles of real libraries",
        "",
        f"By `make libraries`, in several runs, the last on {table['date']}: {said(table['about'])}.",
        f"{len(ran)} shuffles and samples gave {len(cells):,} results.",
        f"{len(failed) - len(told)} are not fair at some size; {hidden} of these showed nothing at {USUAL} cards.",
        f"Of {len(told)} more only the generator was recognised.",
        "",
        f"The columns are numbers of cards. {FAIR}: no fault found. **Bold**: not fair; the number of decks",
        "that showed it. *Italic*: the number of decks that showed its generator, and nothing else.",
        f"Blank: not asked. {USUAL} cards had all tests and {_least(shuffles, USUAL):,} decks or more, other sizes",
        f"{DECKS} at most and {len(TELLING)} quick tests, samples all tests and",
        f"{min(_least(samples, cards) for cards in SAMPLED):,} or more.",
        f"The chance of any false alarm here is at most {FALSE_ALARM:g}. A number means that it failed twice.",
        "",
        *_grid(ran),
        "",
        "## Not fair",
        "",
        *_faults(failed),
        "",
        f"Generators are sought at {USUAL} cards only."
        + (f" {old} rows were asked there before the lab knew those of Java, Go and V8 by name." if old else ""),
        "",
        "## Other sizes: what the sources do there",
        "",
        *_branches(),
        "",
        "## Not run",
        "",
        *([f"- Not asked on this machine: {'; '.join(missing)}."] if missing else []),
        *(f"- {language}, {package}: {why}." for language, package, why in LEFT_OUT),
    ]
    return "\n".join(lines) + "\n"


def _failed(row: Result) -> list[int]:
    return sorted(int(cards) for cards, size in row["sizes"].items() if size.get("failed"))


def _least(rows: list[Result], cards: int) -> int:
    """Return the fewest decks of this size that showed no fault."""
    sizes = [row["sizes"].get(str(cards), {}) for row in rows]
    return min((size["decks"] for size in sizes if size.get("failed") is False), default=0)


def _grid(rows: list[Result]) -> list[str]:
    """Return a row for each pattern of results in a language: what gave the same is told together."""
    lines = [f"|what|{'|'.join(f'{size:,}' for size in SIZES)}|other sizes|", f"|---|{'---|' * (len(SIZES) + 1)}"]
    languages: dict[str, dict[str, list[Result]]] = {}
    for row in rows:
        marks = {int(cards): _mark(size) for cards, size in row["sizes"].items()}
        others = ", ".join(f"{cards:,}:{marks[cards]}" for cards in sorted(marks) if cards not in SIZES)
        pattern = "|".join([*(marks.get(cards, "") for cards in SIZES), others])
        languages.setdefault(row["language"], {}).setdefault(pattern, []).append(row)
    for language, patterns in languages.items():
        heads = [f"**{language}**: ", *[""] * len(patterns)]
        for head, (pattern, alike) in zip(heads, patterns.items(), strict=False):
            lines.append(f"|{head}{', '.join(_named(alike, rows))}|{pattern}|")
    return lines


def _mark(size: Size) -> str:
    if "failed" not in size:
        return ""
    if not size["failed"]:
        return FAIR
    mark = "*" if size["headline"].startswith(DRAWN) else "**"
    return f"{mark}{size['decks']:,}{mark}"


def _named(rows: list[Result], whole: list[Result]) -> list[str]:
    """Return the packages: with what was called if others of it did otherwise, or in how many ways each was called."""
    packages: dict[str, list[str]] = {}
    for row in rows:
        packages.setdefault(row["package"], []).append(f"`{row['calls'].partition(', keys from')[0]}`")
    many = Counter(row["package"] for row in whole if not row["seen"])
    return [
        f"{package}: {', '.join(calls)}"
        if rows[0]["seen"] or (len(calls) < many[package] and (len(calls) == 1 or _failed(rows[0])))
        else f"{package}×{len(calls)}"
        if calls[1:]
        else package
        for package, calls in packages.items()
    ]


def _faults(rows: list[Result]) -> list[str]:
    """Return a line for each fault, with all that has it."""
    faults: dict[str, list[str]] = {}
    for row in rows:
        name = row["package"]
        what = f"[{name}](../../findings/{FINDINGS[name]}.md)" if name in FINDINGS else name
        what += f" {row['version']}"
        whats = faults.setdefault(_fault(row), [])
        whats.extend([what] if what not in whats else [])
    return [f"- {', '.join(whats)}: {fault}" for fault, whats in faults.items()]


def _fault(row: Result) -> str:
    """Return why a row failed, if its source tells that, or else what was found."""
    failed = _failed(row)
    told = row["sizes"][str(USUAL if USUAL in failed else min(failed))]["headline"].rstrip(".")
    return WHY.get((row["language"], row["package"])) or f"{told.replace(DRAWN, 'its numbers')}."


def _branches() -> list[str]:
    """Return what the source does otherwise at sizes that only a few rows have."""
    branches: dict[str, dict[str, None]] = {}
    for row in ROWS:
        if row.branches:
            branches.setdefault(row.branches, {})[row.package] = None
    return [f"- {', '.join(packages)}: {branch}." for branch, packages in branches.items()]
