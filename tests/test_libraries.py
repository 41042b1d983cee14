"""The table of real libraries: every row has its program, the page tells losses, and no path of a machine is in it."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from bench.libraries.__main__ import PAGE, RESULTS, tried
from bench.libraries.page import Result, Table, page
from bench.libraries.rows import HERE, ROWS, Row

TABLE = json.loads(RESULTS.read_text(encoding="utf-8"))


def test_the_page_is_made_from_the_results():
    assert PAGE.read_text(encoding="utf-8") == page(TABLE)


def test_every_row_ran_or_says_why_not():
    keys = [(row["language"], row["package"], row["calls"]) for row in TABLE["rows"]]
    assert keys == [(row.language, row.package, row.calls) for row in ROWS]
    assert len(set(keys)) == len(keys)
    assert sum("verdict" in row for row in TABLE["rows"]) >= 30
    for row in TABLE["rows"]:
        assert row.get("not_run") or (row["version"] and row["decks"] and row["headline"])


def test_nothing_in_the_results_names_a_path_of_a_machine():
    text = RESULTS.read_text(encoding="utf-8") + PAGE.read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w.])/(tmp|home|root|work|usr)/", text)


def test_every_program_that_a_row_runs_is_there():
    for row in ROWS:
        for path in re.findall(rf"{re.escape(str(HERE))}/\S+", row.command):
            assert Path(path).exists(), path


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "layout", "says"),
    [
        (f"{sys.executable} {HERE}/shuffles.py {{cards}} random.shuffle", "u8", "no fault"),
        (f"perl {HERE}/shuffles.pl {{cards}}", "u8", "as in `drand48()` of C and `rand` of Perl"),
        ("bash -c 'while seq -s \" \" 0 51; do :; done' {cards}", "text", "every deck is the same"),
    ],
)
def test_a_row_is_tested_with_the_decks_of_its_program(command, layout, says):
    if not shutil.which(command.split()[0]):
        pytest.skip(f"{command.split()[0]} is not installed")
    result = tried(Row("shell", "test", "test", command, "bash --version", 2_000, layout))
    assert says in result["headline"]
    assert (result["verdict"] == "pass") is (says == "no fault")


def test_a_row_that_is_not_installed_is_told_on_the_page():
    row = Row("Go", "math/rand", "rand.Shuffle", "nothing", "no-such-program --version")
    result = tried(row)
    assert result == Result(
        language="Go", package="math/rand", calls="rand.Shuffle", version="", not_run="not installed here"
    )
    made = page(Table(about=TABLE["about"], date="2026-01-01", rows=[result]))
    assert "| Go | math/rand | `rand.Shuffle` | not installed here |" in made
