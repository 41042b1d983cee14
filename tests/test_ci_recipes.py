"""The recipes of docs/how-to/recipes, run as their README says: the library passes, the broken shuffle fails."""

import re
import shutil
import subprocess
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
    tool = (build or run).split()[0]
    if not shutil.which(tool):
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
    assert {path.name for path in RECIPES.iterdir()} == {"README.md", *(name for name, _, _ in TOOLS)}
    readme = (RECIPES / "README.md").read_text(encoding="utf-8")
    for name, _, _ in TOOLS:
        text = (RECIPES / name).read_text(encoding="utf-8")
        (shown,) = re.findall(r"fairdeck test --exec .*--alpha 1e-9", text)
        assert shown in readme
        assert name in readme
