"""Writes ``docs/reference/measured/libraries.md`` from the results."""

from typing import TypedDict

from bench.about import said
from bench.libraries.rows import LEFT_OUT, WHY

CARDS = 52


class _Named(TypedDict):
    language: str
    package: str
    calls: str
    version: str


class Result(_Named, total=False):
    """What a row gave: a verdict, or the reason why it did not run."""

    not_run: str
    verdict: str
    decks: int
    p_value: float
    seconds: float
    headline: str


class Table(TypedDict):
    """All rows, and what measured them."""

    about: dict[str, str | int]
    date: str
    rows: list[Result]


def page(table: Table) -> str:
    """Return the page."""
    ran = [row for row in table["rows"] if "verdict" in row]
    missing = [row for row in table["rows"] if "verdict" not in row]
    failed = [row for row in ran if row["verdict"] == "fail"]
    passed = [row for row in ran if row["verdict"] != "fail"]
    seconds = sum(row["seconds"] for row in ran)
    lines = [
        "# The shuffles of real libraries",
        "",
        f"`make libraries` wrote this page on {table['date']} from `bench/libraries.json`: {said(table['about'])}.",
        f"It tested {len(ran)} shuffles in {seconds / 60:.0f} minutes: {len(failed)} failed, {len(passed)} passed.",
        "",
        f"Each row is one run of `fairdeck test` with decks of {CARDS} cards. `bench/libraries` has",
        "the programs that write the decks, one for each language. A shuffle uses its own generator, seeded as its",
        "library or the program does it, so a run cannot be repeated digit for digit. A fair shuffle fails with",
        f"probability at most 1e-6, so one false alarm among all {len(ran)} rows has a probability of at most",
        f"{len(ran) * 1e-6:.1g}. Fewer decks are counted where a shuffle is slow.",
        "",
        "## Not fair",
        "",
        *_rows(failed, "what was found, and why where that is known"),
        "",
        "Some of these faults are not in a library but in the lines that people write around it: a random comparison",
        "and a scaled `random()` are in many tutorials. Where a row ends with a second sentence, the cause was read in",
        "the package's code. A generator is named from the decks alone: a person who sees some of them can know the",
        "next ones, though each card lies anywhere equally often.",
        "",
        "## No fault found",
        "",
        "These shuffles showed no fault in that number of decks. This is not a proof: more decks may show a fault. A",
        "pass does not say whether somebody can predict the decks by other means: V8's `Math.random()` and the",
        "Mersenne Twister are not fit for a game for money. `RANDOM % n` is uneven, but with 15 bits only millions of",
        "decks show it.",
        "",
        *_rows(passed, ""),
        "",
        "## Not run",
        "",
        "| language | package | what is called | why |",
        "|---|---|---|---|",
        *(f"| {row['language']} | {row['package']} | {_code(row['calls'])} | {row['not_run']} |" for row in missing),
        *(f"| {language} | {package} | | {why} |" for language, package, why in LEFT_OUT),
    ]
    return "\n".join(lines) + "\n"


def _rows(rows: list[Result], last: str) -> list[str]:
    """Return a table; its last column is left out if it has no heading."""
    heads = ["language", "package", "version", "what is called", "decks", "seconds", *([last] if last else [])]
    lines = [f"| {' | '.join(heads)} |", f"|---|---|---|---|---:|---:|{'---|' if last else ''}"]
    for row in rows:
        cells = [row["language"], row["package"], row["version"], _code(row["calls"])]
        cells += [f"{row['decks']:,}", f"{row['seconds']:.0f}", *([_found(row)] if last else [])]
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return lines


def _found(row: Result) -> str:
    """Return what was found in one of the rows that failed, and its cause."""
    why = WHY.get((row["language"], row["package"]), "")
    return f"{row['headline'].rstrip('.')}. {why}".strip()


def _code(calls: str) -> str:
    return f"`{calls}`"
