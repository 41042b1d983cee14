"""Numbers that documents repeat, against where they come from; and sentences that were stronger than their evidence."""

import json
import re
from collections import Counter
from math import factorial, log2, perm
from pathlib import Path

from bench.pages import pages

from fairdeck import check
from fairdeck.advice.request import Request
from fairdeck.lab.runs.store import FORMAT, SCHEMA
from fairdeck.shuffles.distances import NEAR_RANDOM
from fairdeck.shuffles.riffle import gsr_riffles, usual_riffles

DOCUMENTS = ["README.md", *map(str, sorted(Path("docs").rglob("*.md")))]
SCOREBOARD = {row["name"]: row for row in json.loads(Path("bench/scoreboard.json").read_text())["rows"]}

CLAIMS = [
    "proven by machine",
    "nobody knows the order, not even",
    "and nobody knows it. fairdeck",
    "any test would need at least",
    "no other test can beat",
    "a single failure is a fault",
    "the laws behind the p-values are exact",
    "cannot be told from an ideal",
    "need more than that, not fewer",
    "with five riffles they notice",
    "another one was dealt, or is shown now",
    "wins at most 5 times more",
]


def text(path):
    return " ".join(Path(path).read_text(encoding="utf-8").split())


def test_nothing_says_again_what_was_more_than_is_known():
    package = Path("src/fairdeck")
    files = [*DOCUMENTS, *package.rglob("*.py"), *package.rglob("en.json"), "pyproject.toml", "CITATION.cff"]
    told = {path: text(path).lower() for path in files}
    assert [(path, claim) for path, words in told.items() for claim in CLAIMS if claim in words] == []


def test_the_motto_is_the_same_wherever_it_stands():
    for path in ("README.md", "docs/index.md", "src/fairdeck/__init__.py", "src/fairdeck/cli/overview.py"):
        assert "Fully random decks: dealt by hand, checked by machine" in text(path)


def test_one_target_stands_behind_every_number_of_shuffles():
    assert Request(52).distance == float(NEAR_RANDOM) == 0.05
    assert "| near random | at a total variation of .05 or less" in text("docs/reference/terms.md")
    mixing = text("docs/explanation/mixing.md")
    assert f"| ideal riffles of 52 cards | {usual_riffles(52)} (" in mixing
    assert f"| ideal riffles of 60 cards | {usual_riffles(60)} |" in mixing
    ten, seven = (round(100 * float(gsr_riffles(52, times).total_variation)) for times in (10, 7))
    tutorial = text("docs/tutorials/your-riffle.md")
    assert f"wins {ten} more times in 100 deals" in tutorial
    assert f"it wins {seven} more" in tutorial


def test_a_seed_of_32_bits_has_one_number_of_decks_and_it_was_measured():
    told = f"a 32-bit seed at the end of the usual run, {SCOREBOARD['fast-shuffle']['verdict']:,} decks"
    assert told in text("docs/how-to/test-your-shuffle.md")
    again = re.compile(r"32[- ]bits?[^.|]{0,60}\d{2,3},\d{3}|\d{2,3},\d{3} decks[^.|]{0,40}32[- ]bit")
    others = {path: again.findall(text(path)) for path in DOCUMENTS if "measured" not in path}
    assert {path for path, found in others.items() if found} == {"docs/how-to/test-your-shuffle.md"}


def test_the_decks_of_a_modulo_are_those_of_the_scoreboard():
    lab = text("docs/explanation/lab.md")
    assert f"a 12-bit modulo took {SCOREBOARD['modulo-12']['verdict']:,} decks" in lab
    assert SCOREBOARD["modulo-16"]["verdict"] is None
    assert f"a 16-bit modulo was not found in {SCOREBOARD['modulo-16']['tried']:,}" in lab


def test_how_much_faster_than_numpy_is_what_the_table_beside_it_has():
    document = Path("docs/how-to/bulk.md").read_text()
    rows = re.findall(r"^\| ([\d,]+) \|.*\| ([\d.]+) \| ([\d,]+) \|$", document, re.MULTILINE)
    factors = [float(numpy.replace(",", "")) / float(ours) for _, ours, numpy in rows]
    told = re.search(
        r"(\d+) to (\d+) times as fast as NumPy's own `Generator.permuted` for (\d+) to ([\d,]+) cards",
        text("docs/how-to/bulk.md"),
    )
    assert (round(min(factors)), round(max(factors))) == (int(told[1]), int(told[2]))
    assert (rows[0][0], rows[-1][0]) == (told[3], told[4])


def words(path):
    return len(Path(path).read_text(encoding="utf-8").split())


def test_the_documents_stay_short_enough_to_be_read():
    """One fact has one home. Trim another page rather than raise a bound."""
    assert words("README.md") <= 650
    measured = {path.name: words(path) for path in Path("docs/reference/measured").glob("*.md")}
    assert {name: count for name, count in measured.items() if count > 900} == {}
    assert sum(map(words, [*DOCUMENTS, "CONTRIBUTING.md", "CHANGELOG.md"])) <= 70_000


def test_the_measured_pages_are_those_of_the_results_that_are_there():
    assert {path.name for path, text in pages().items() if path.read_text(encoding="utf-8") != text} == set()


def test_the_readme_says_how_long_sixty_cards_take():
    assert f"60 cards take {check(60, mat='5x2').minutes:.1f} minutes" in text("README.md")


def test_the_page_of_the_store_has_its_version_and_its_columns():
    page = Path("docs/reference/store.md").read_text(encoding="utf-8")
    assert f"the `user_version` {FORMAT}." in page
    columns = set(re.findall(r"[(,]\s*([a-z_]+) (?:integer|text|blob)", SCHEMA))
    told = set(re.findall(r"`([a-z_]+)`", " ".join(line.split("|")[2] for line in page.splitlines() if "|" in line)))
    assert columns == told


def test_the_bits_of_decks_and_of_seeds_are_counted_right():
    bits = text("docs/explanation/bits.md")
    decks = re.findall(r"\| (\d+) \| (\d+) \| ([\d.]+) \|", bits)
    assert len(decks) == 5
    for cards, digits, wanted in decks:
        assert (len(str(factorial(int(cards)))), f"{log2(factorial(int(cards))):.1f}") == (int(digits), wanted)
    seeds = re.findall(r"\| (\d+) \| (\d+) cards \|", bits)
    assert len(seeds) == 5
    for size, cards in seeds:
        assert factorial(int(cards)) <= 2 ** int(size) < factorial(int(cards) + 1)
    assert Counter(byte % 52 for byte in range(256)) == {card: 5 if card < 48 else 4 for card in range(52)}
    assert round(perm(52, 8) / 10**12) == 30
