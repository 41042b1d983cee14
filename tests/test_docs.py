"""What the documents show is what happens."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from itertools import permutations
from math import factorial
from pathlib import Path
from random import Random

import numpy as np
import pytest

from fairdeck.cli import main
from fairdeck.lab.view import View
from fairdeck.permutation import cycles as plain_cycles

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLLOWED = ("first-test.md", "your-own-statistic.md")  # tutorials, each followed step by step below
NOT_RUN_HERE = ("test-your-shuffle.md", "cluster.md")  # `test_assert_fair` runs one; the other needs a cluster


def shown_commands():
    for line in re.findall(r"^    (?:\$ )?(?:\.venv/bin/)?(fairdeck [a-z].*)$", README, re.M):
        command, _, _ = line.partition("#")
        words, _, file = command.partition(">")
        if "serve" not in words and "page" not in words and "--follow" not in words:
            slow = "--players" in words or words.startswith("fairdeck test ")
            marks = [pytest.mark.long] if slow else []
            yield pytest.param(shlex.split(words)[1:], file.strip(), id=words.strip(), marks=marks)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "examples", made / "examples")
    return made


@pytest.mark.parametrize(("words", "file"), list(shown_commands()))
def test_the_commands_of_the_readme_work_in_turn(words, file, folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert main(words) == (1 if "naive" in " ".join(words) else 0)
    told = capsys.readouterr()
    named = [word for word in words if word.endswith((".pdf", ".html", ".mp3"))]
    assert all(Path(each).stat().st_size > 1_000 for each in named)
    assert told.out or told.err.startswith("wrote ")
    if file:
        Path(file).write_text(told.out)


def shown(document):
    """Yield each command that a document shows with its output, and the lines shown."""
    for block in re.findall(r"(?:^(?: {4}.*)?\n)+", document.read_text(encoding="utf-8"), re.M):
        for each in re.split(r"^    \$ fairdeck ", block, flags=re.M)[1:]:
            command, *lines = each.rstrip().splitlines()
            if lines and not lines[0].startswith("    $ "):
                yield shlex.split(command), [line[4:] for line in lines]


def shown_everywhere():
    for document in DOCUMENTS:
        if document.name in FOLLOWED:
            continue
        for words, lines in shown(document):
            # What counts many decks takes seconds; one of its kind is enough.
            slow = words[0] == "test" or (words[0] == "hands" and document.name != "mixing.md")
            marks = [pytest.mark.long] if slow else []
            yield pytest.param(words, lines, id=f"{document.stem}: {shlex.join(words)}", marks=marks)


def assert_shown(words, lines, capsys):
    """Run a command, and compare its output with the lines shown, where ``...`` stands for any others."""
    assert main(words) == (1 if " is not fair" in lines[0] else 0)
    assert_alike(capsys.readouterr().out.splitlines(), lines)


def assert_alike(out, lines):
    shape = ".*".join(map(re.escape, lines[0].split("...")))
    assert re.fullmatch(shape, out[0]) or lines[0] in out, lines[0]
    rest = iter(out)
    for line in lines[1:]:
        assert line == "..." or line in rest, line


@pytest.mark.parametrize(("words", "lines"), list(shown_everywhere()))
def test_the_output_that_a_document_shows_is_the_output(words, lines, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(os, "urandom", Random(1).randbytes)  # one order in 80 needs fewer or more spaces than most
    assert_shown(words, lines, capsys)


def test_documents_show_output():
    assert len(list(shown_everywhere())) >= 15
    assert len(list(shown(ROOT / "README.md"))) == 4
    assert len(list(shown(ROOT / "docs/explanation/mixing.md"))) >= 10


def blocks_of_python(document):
    return re.findall(r"```python\n(.*?)```", document.read_text(encoding="utf-8"), re.S)


def runnable():
    for document in DOCUMENTS:
        if blocks_of_python(document) and document.name not in (*FOLLOWED, *NOT_RUN_HERE):
            marks = [pytest.mark.long] if document.name == "lab.md" else []
            yield pytest.param(document, id=document.name, marks=marks)


@pytest.mark.parametrize("document", list(runnable()))
def test_the_python_of_a_document_runs(document, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    names = {}
    for code in blocks_of_python(document):
        exec(compile(code, document.name, "exec"), names)


@pytest.mark.long
def test_the_tutorial_of_a_first_test_can_be_followed(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = ROOT / "docs/tutorials/first-test.md"
    first, mended = blocks_of_python(document)
    commands = list(shown(document))
    assert [words[0] for words, _ in commands] == ["test", "exact", "exact", "test"]
    for code, then in ((first, commands[:2]), (mended, commands[2:])):
        Path("mine.py").write_text(code, encoding="utf-8")
        for words, lines in then:
            assert_shown(words, lines, capsys)


@pytest.fixture
def own_statistic(tmp_path, monkeypatch):
    """The statistic of the tutorial, where the lab finds it."""
    from fairdeck.lab import statistics

    file, _ = blocks_of_python(ROOT / "docs/tutorials/your-own-statistic.md")
    (tmp_path / "bottom_cycle.py").write_text(file, encoding="utf-8")
    monkeypatch.setattr(statistics, "__path__", [*statistics.__path__, str(tmp_path)])
    statistics.catalogue.cache_clear()
    yield next(each for each in statistics.catalogue() if each.name == "cycle of the bottom place")
    statistics.catalogue.cache_clear()
    del sys.modules["fairdeck.lab.statistics.bottom_cycle"]


def test_the_statistic_of_the_tutorial_has_its_law_and_its_plain_version(own_statistic):
    _, line = blocks_of_python(ROOT / "docs/tutorials/your-own-statistic.md")
    ((name, plain),) = eval(f"{{{line}}}", {"plain_cycles": plain_cycles}).items()
    assert name == own_statistic.name
    for n in range(2, 7):
        orders = np.array(list(permutations(range(n))), dtype=np.int16)
        found = own_statistic.of(View(orders.T, orders.T[:, :0])).tolist()
        assert found == [plain(deck) for deck in orders.tolist()]
        counts, law = Counter(found), own_statistic.law(n)
        assert [counts[law.low + at] * law.total for at in range(n)] == [w * factorial(n) for w in law.weights]


@pytest.mark.long
def test_the_statistic_of_the_tutorial_raises_its_alarm(tmp_path):
    document = ROOT / "docs/tutorials/your-own-statistic.md"
    shutil.copytree(ROOT / "src", tmp_path / "src")
    file = tmp_path / "src/fairdeck/lab/statistics/bottom_cycle.py"
    file.write_text(blocks_of_python(document)[0], encoding="utf-8")
    start = [sys.executable, "-c", "import sys; from fairdeck.cli import main; sys.exit(main(sys.argv[1:]))"]
    commands = list(shown(document))
    assert len(commands) == 2
    for words, lines in commands:
        there = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
        run = subprocess.run([*start, *words], capture_output=True, text=True, check=False, env=there)
        assert run.returncode == (1 if " is not fair" in lines[0] else 0), run.stderr
        assert_alike(run.stdout.splitlines(), lines)


def test_links_lead_somewhere():
    for document in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#\s]+)\)", document.read_text(encoding="utf-8")):
            assert re.match("[a-z]+:", target) or (document.parent / target).exists(), f"{document}: {target}"


def test_each_file_that_contributing_names_exists():
    """A file goes, and the sentence that calls it an example stays."""
    named = set(re.findall(r"`([\w/]+\.py)`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    files = [file.as_posix() for folder in ("src", "tests", "bench") for file in (ROOT / folder).rglob("*.py")]
    assert len(named) >= 10
    assert {name for name in named if not any(file.endswith(f"/{name}") for file in files)} == set()


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_each_target_of_make_that_a_document_names_exists(name):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    named = set(re.findall(r"(?:^    |`)make ([a-z]+)", (ROOT / name).read_text(encoding="utf-8"), re.M))
    assert len(named) >= 2
    assert named <= targets
