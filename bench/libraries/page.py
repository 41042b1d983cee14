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
        f"`make libraries` wrote this page on {table['date']} from `bench/libraries.json`: {said(table['about'])}.",
        f"It tested {len(ran)} shuffles in {seconds / 60:.0f} minutes, with decks of {sizes} cards.",
        f"{len(failed)} are not fair at one of these sizes or more; {len(fair)} showed no fault at the sizes asked.",
        f"{hidden} of those that are not fair showed no fault at {USUAL} cards: what a shuffle does at one size does",
        "not tell what it does at another.",
        "",
        "`bench/libraries` has the programs that write the decks, one for each language. A shuffle uses its own",
        "generator, seeded as its library or the program does it, so a run cannot be repeated digit for digit.",
        f"Each size of each row is one run of `fairdeck test`: {USUAL} cards with the number of decks that the row",
        f"names and all tests; all other sizes with {DECKS:,} decks at most and these tests:",
        f"{', '.join(TELLING)} (every order: of up to 8 cards).",
        f"A fair row fails with probability at most {FALSE_ALARM:.0e}, divided evenly among its {len(SIZES)} sizes;",
        f"so one false alarm among all {len(ran)} rows and all sizes has a probability of at most",
        f"{len(ran) * FALSE_ALARM:.1g}. A size that was not asked again keeps what an earlier run found, while the",
        "version is the same.",
        "",
        "## Not fair",
        "",
        *_rows(failed, ("not fair at (cards: decks)", "no fault seen at (cards)", "what was found, and why if known")),
        "",
        f"A generator and its draws are looked for at {USUAL} cards only.",
        "",
        "Some of these faults are not in a library but in the lines that people write around it: a random comparison",
        "and a scaled `random()` are in many tutorials. Where a row ends with a second sentence, the cause was read in",
        "the package's code. A generator is named from the decks alone: a person who sees some of them can know the",
        "next ones, though each card lies anywhere equally often.",
        "",
        "## No fault found at the sizes asked",
        "",
        f"These shuffles showed no fault in that number of decks of {USUAL} cards, nor in {DECKS:,} decks of each",
        "other size that is named. This is not a proof: more decks may show a fault, and so may another size. So few",
        "decks show only gross faults, such as orders of which half never come. It also does not say",
        "whether somebody can predict the decks by other means: V8's `Math.random()` and the",
        "Mersenne Twister are not fit for a game for money. `RANDOM % n` is uneven, but with 15 bits only millions of",
        "decks show it.",
        "",
        *_rows(fair, (f"decks of {USUAL} cards", "no fault seen at (cards)", "not asked")),
        "",
        "## Not run",
        "",
        "| language | package | what is called | why |",
        "|---|---|---|---|",
        *(f"| {row['language']} | {row['package']} | {_code(row['calls'])} | not installed here |" for row in missing),
        *(f"| {language} | {package} | | {why} |" for language, package, why in LEFT_OUT),
    ]
    return "\n".join(lines) + "\n"


def _failed(row: Result) -> list[int]:
    return [int(cards) for cards, size in row["sizes"].items() if size.get("failed")]


def _rows(rows: list[Result], last: tuple[str, ...]) -> list[str]:
    """Return a table."""
    heads = ["language", "package", "version", "what is called", *last]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for row in rows:
        cells = [row["language"], row["package"], row["version"], _code(row["calls"]), *_found(row)]
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return lines


def _found(row: Result) -> tuple[str, str, str]:
    """Return the last three cells of a row: those of `page` for one that failed, or for one that did not."""
    sizes = {int(cards): row["sizes"][cards] for cards in sorted(row["sizes"], key=int)}
    fair = [cards for cards, size in sizes.items() if size.get("failed") is False]
    fair_at = "all" if len(fair) == len(SIZES) else ", ".join(f"{cards:,}" for cards in fair)
    unasked = "; ".join(f"{cards:,}: {size['not_run']}" for cards, size in sizes.items() if "not_run" in size)
    never = ", ".join(f"{cards:,}" for cards in SIZES if cards not in sizes)
    unasked = "; ".join(each for each in (unasked, never) if each)
    if not (failed := _failed(row)):
        usual = sizes.get(USUAL, {}).get("decks")
        return f"{usual:,}" if usual else "not asked", fair_at, unasked
    told = sizes[USUAL if USUAL in failed else min(failed)]["headline"].rstrip(".")
    where = "" if USUAL in failed else f"at {min(failed):,} cards: "
    why = WHY.get((row["language"], row["package"]), "")
    words = " ".join(filter(None, (f"{where}{told}.", why, f"Not asked: {unasked}." if unasked else "")))
    return ", ".join(f"{cards:,}: {sizes[cards]['decks']:,}" for cards in sorted(failed)), fair_at, words


def _code(calls: str) -> str:
    return f"`{calls}`"
