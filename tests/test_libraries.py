"""The table of real libraries: every row has its program, the page tells losses, and no path of a machine is in it."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from bench.libraries import __main__ as libraries
from bench.libraries.__main__ import PAGE, RESULTS, tried, version
from bench.libraries.page import ALPHA, CELLS, DECKS, DRAWN, FALSE_ALARM, Result, Size, Table, page
from bench.libraries.rows import HERE, ROWS, SIZES, USUAL, Row

TABLE = json.loads(RESULTS.read_text(encoding="utf-8"))


def test_the_page_is_made_from_the_results():
    assert PAGE.read_text(encoding="utf-8") == page(TABLE)


def test_every_row_ran_or_says_why_not():
    keys = [(row["language"], row["package"], row["calls"]) for row in TABLE["rows"]]
    assert keys == [(row.language, row.package, row.calls) for row in ROWS]
    assert len(set(keys)) == len(keys)
    assert sum(len(row["sizes"]) >= len(SIZES) for row in TABLE["rows"]) >= 30
    assert sum(row["seen"] != "" for row in TABLE["rows"] if row["sizes"]) >= 5
    for row, asked in zip(TABLE["rows"], ROWS, strict=True):
        assert bool(row["version"]) is bool(row["sizes"])
        for cards, size in row["sizes"].items():
            assert int(cards) in asked.sizes
            twice = max(size.get("p_value", 1), size.get("again", 1)) <= ALPHA
            assert size.get("not_run") or (size["failed"] is twice is bool(size["headline"]))


def test_all_results_together_have_one_level():
    assert sum(len(row.sizes) for row in ROWS) <= CELLS
    assert ALPHA * CELLS <= FALSE_ALARM
    assert not [row for row in ROWS if set(row.sizes) - {*SIZES} and not row.branches], "a size without its reason"


def test_what_fails_is_published_only_if_it_fails_again(monkeypatch):
    """The first run of each pair fails; the second has twice the decks and passes for the first row."""
    asked = []

    def found(row, _cards, times=1):
        asked.append(times)
        p_value = 1.0 if (row.package, times) == ("lucky", 2) else ALPHA
        return Size(failed=False, decks=45, p_value=p_value, headline="only even orders come"), p_value

    monkeypatch.setattr(libraries, "_asked", found)
    lucky, bad = (tried(Row("C", package, "f()", "true", "true"), 5) for package in ("lucky", "bad"))
    assert (asked, lucky["again"], bad["again"]) == ([1, 2, 1, 2], 1.0, ALPHA)
    assert (lucky["failed"], lucky["headline"], bad["failed"]) == (False, "", True)


def test_the_shuffles_of_a_graphics_library_fail_at_powers_of_two():
    """One row passed at 52 cards and was listed as fair: its decks of 64, 128 and 256 cards have even orders only."""
    failed = {}
    for row in TABLE["rows"]:
        sizes = [int(cards) for cards, size in row["sizes"].items() if size.get("failed")]
        failed[row["package"], row["calls"].partition(",")[0]] = sizes
    powers = [16, 32, 64, 128, 256, 512, 1_024]
    assert failed["Thrust", "thrust::shuffle"] == failed["CCCL for CUDA 12.9", "thrust::shuffle"] == powers
    assert failed["CCCL for CUDA 13.3", "thrust::shuffle"] == powers[-3:]
    assert {255, *powers[-3:]} <= set(failed["CCCL for CUDA 13.3", "make_shuffle_iterator"])


def _row(**sizes: Size) -> Result:
    found = {size[1:]: each for size, each in sizes.items()}
    return Result(language="C", package="p", calls="f()", seen="", version="1", sizes=found)


def test_the_page_says_of_each_row_at_which_sizes_it_was_asked_and_what_was_found_there():
    fair = Size(failed=False, decks=2_000, p_value=1.0, seconds=1.0, headline="")
    bad = Size(failed=True, decks=45, p_value=1e-9, seconds=1.0, headline="only even orders come.")
    rows = [
        _row(n52=fair, n64=bad, n5=fair, n1024=bad),
        _row(**{f"n{cards}": fair for cards in SIZES}),
        _row(n52=fair, n257={"not_run": "a string holds 256 bytes"}),
        _row(n5=fair, n16=Size(failed=True, decks=16, p_value=1e-9, seconds=1.0, headline=f"{DRAWN} are C's.")),
    ]
    made = page(Table(about=TABLE["about"], date="2026-01-01", rows=rows))
    assert "\n1 are not fair at some size; 1 of these showed nothing at 52 cards.\nOf 1 more only the gen" in made
    assert "|✓|*16*|" in made
    assert "\n|**C**: p: `f()`|✓||✓|**45**||||||1,024:**45**|\n" in made
    assert "\n|p: `f()`|✓|✓|✓|✓|✓|✓|✓|✓|✓||\n|p: `f()`|||✓|||||||" in made, "what was not asked is blank"
    assert "\n- p 1: only even orders come.\n" in made


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
        (f"{sys.executable} {HERE}/shuffles.py {{cards}} random.shuffle", "u16", ""),
        (f"perl {HERE}/shuffles.pl {{cards}}", "u16", "are those of `drand48()` of C and `rand` of Perl"),
        ("bash -c 'while seq -s \" \" 0 51; do :; done' {cards}", "text", "every deck is the same"),
    ],
)
def test_a_row_is_tested_with_the_decks_of_its_program(command, layout, says):
    if not shutil.which(command.split()[0]):
        pytest.skip(f"{command.split()[0]} is not installed")
    row = Row("shell", "test", "test", command, "bash --version", 2_000, layout)
    result = tried(row, USUAL)
    assert says in result["headline"]
    assert result["failed"] is bool(says)
    if not says:
        others = [tried(row, cards) for cards in (5, 257)]
        assert [(size["failed"], size["decks"]) for size in others] == [(False, DECKS)] * 2


def test_a_row_that_is_not_installed_is_told_on_the_page():
    row = Row("Go", "math/rand", "rand.Shuffle", "nothing", "no-such-program --version")
    assert not version(row)
    result = Result(language="Go", package="math/rand", calls="rand.Shuffle", seen="", version="", sizes={})
    made = page(Table(about=TABLE["about"], date="2026-01-01", rows=[result]))
    assert "- Not asked on this machine: math/rand, `rand.Shuffle`." in made
