"""The recipes of docs/how-to/recipes, run as their README says: the library passes, the broken shuffle fails."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fairdeck.cli import main
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE

RECIPES = Path(__file__).parents[1] / "docs" / "how-to" / "recipes"
# The command that builds, and the one that runs; {to} is where to build, and the first word is the tool needed.
TOOLS = [
    ("shuffle.cpp", "g++ -O2 -o {to}/decks {recipe}", "{to}/decks {{cards}} 64 1"),
    ("shuffle.cpp", "g++ -O2 -o {to}/decks {recipe}", "{to}/decks {{cards}} 32 1"),
    ("shuffle.rs", "rustc -O -o {to}/decks {recipe}", "{to}/decks {{cards}} 1"),
    ("shuffle.go", "go build -o {to}/decks {recipe}", "{to}/decks {{cards}} 1"),
    ("Shuffle.java", "javac -d {to}/classes {recipe}", "java -cp {to}/classes Shuffle {{cards}} 1"),
    ("Shuffle.cs", "mcs -out:{to}/decks.exe {recipe}", "mono {to}/decks.exe {{cards}}"),  # its own shuffle: not .NET's
    ("shuffle.mjs", "", "node {recipe} {{cards}}"),
]


# `make test` runs the one that needs no compiler.
FEW = [pytest.param(tool, marks=() if tool is TOOLS[-1] else pytest.mark.long) for tool in TOOLS]


@pytest.fixture(scope="module", params=FEW, ids=lambda tool: tool[0])
def command(request, tmp_path_factory):
    """Return the command that writes decks, built if it has to be."""
    name, *both = request.param
    words = {"recipe": RECIPES / name, "to": tmp_path_factory.mktemp("recipe")}
    build, run = (each.format(**words) for each in both)
    for tool in ((build or run).split()[0], run.split()[0]):
        if not (tool.startswith("/") or shutil.which(tool)):
            pytest.skip(f"{tool} is not installed")
    if build:
        subprocess.run(build.split(), check=True, capture_output=True)
    return run


def tried(command, decks, cards=52):
    # False alarms: at most 1e-9 a run, whatever the seed; only Math.random() has none.
    asked = ["test", "--exec", command, "--format", "u16", "--cards", str(cards), "--decks", str(decks)]
    return main([*asked, "--alpha", "1e-9"])


@pytest.mark.parametrize("cards", [52, *(pytest.param(cards, marks=pytest.mark.long) for cards in (5, 300))])
def test_a_recipe_passes_the_shuffle_of_its_language(command, cards, capsys):
    assert tried(command, 6_000, cards) == FINE, capsys.readouterr().out


def test_a_recipe_hears_a_broken_shuffle(command, capsys):
    assert tried(f"{command} broken", 6_000) == DOES_NOT_HOLD
    assert "is not fair" in capsys.readouterr().out


def test_every_recipe_is_tested_and_shows_its_command():
    names = {name for name, _, _ in TOOLS}
    assert {path.name for path in RECIPES.iterdir()} == {"README.md", "CMakeLists.txt", *names}
    readme = (RECIPES / "README.md").read_text(encoding="utf-8")
    for name in names:
        text = (RECIPES / name).read_text(encoding="utf-8")
        ((program, more),) = re.findall(r"fairdeck test --exec (\".*?\") (.*--alpha 1e-9)", text)
        assert program in readme and more in readme
        assert f"`{name}`" in readme


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("cmake"), reason="cmake is not installed")
def test_ctest_tests_both_paths_and_hears_the_alarm(tmp_path):
    fairdeck = Path(sys.executable).with_name("fairdeck")
    told = [f"-DFAIRDECK={fairdeck}", "-DDECKS=6000"]
    done = [
        subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
        for words in (["cmake", "-S", RECIPES, "-B", ".", *told], ["cmake", "--build", "."], ["ctest"])
    ]
    assert [each.returncode for each in done] == [0, 0, 0], done
    assert "100% tests passed, 0 tests failed out of 3" in done[2].stdout
    assert all('failures="0"' in (tmp_path / f"fairness-{bits}.xml").read_text() for bits in (32, 64))
    # An alarm that no fault raises fails, and so does a program that writes nothing.
    silent = [each.replace("broken", "") for each in (tmp_path / "CTestTestfile.cmake").read_text().splitlines(True)]
    (tmp_path / "CTestTestfile.cmake").write_text("".join(silent))
    assert subprocess.run(["ctest", "-R", "alarm"], cwd=tmp_path, capture_output=True).returncode


@pytest.mark.parametrize(
    ("drawn", "seen"),
    [
        ("random.sample(range(30), 5)", "--seen top:5 --cards 30"),
        ("sorted(random.sample(range(30), 5))", "--seen set:5 --cards 30"),
        ("random.sample(range(1, 50), 6)", "--seen 6/49"),
        ("random.sample(range(52), 52)", "--seen hands:4x13"),
    ],
)
def test_a_line_of_each_draw_is_tested_as_the_table_says(drawn, seen, tmp_path):
    assert f"`{seen}`" in (RECIPES / "README.md").read_text(encoding="utf-8")
    (tmp_path / "draws.py").write_text(f"import random\nrandom.seed(1)\nwhile True:\n    print(*{drawn})\n")
    asked = ["test", "--exec", f"{sys.executable} {tmp_path}/draws.py", *seen.split(), "--decks", "1500"]
    assert main([*asked, "--alpha", "1e-9"]) == FINE
