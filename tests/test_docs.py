"""What the documents show is what happens."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from fairdeck.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def shown_commands():
    for line in re.findall(r"^    (?:\$ )?(fairdeck .*)$", README, re.M):
        command, _, _ = line.partition("#")
        words, _, file = command.partition(">")
        if "serve" not in words and "page" not in words and "--follow" not in words:
            yield pytest.param(shlex.split(words)[1:], file.strip(), id=words.strip())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "examples", made / "examples")
    return made


@pytest.mark.parametrize(("words", "file"), list(shown_commands()))
def test_the_commands_of_the_readme_work_in_turn(words, file, folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    if words[0] == "replay" and not Path(words[1]).exists():
        main(["deal", "60", "--json", "--reveal"])
        Path(words[1]).write_text(capsys.readouterr().out)
    assert main(words) == (1 if "naive" in " ".join(words) else 0)
    out = capsys.readouterr().out
    assert out
    if file:
        Path(file).write_text(out)


def test_the_output_that_the_readme_shows_is_the_output(capsys):
    main(["check", "150", "--mat", "5x1"])
    for line in capsys.readouterr().out.splitlines():
        assert f"    {line}\n" in README


def test_the_verdict_that_the_readme_shows_is_the_verdict(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    (words,) = [
        words for words, _ in (each.values for each in shown_commands()) if "examples/shuffle.py:naive" in words
    ]
    main(words)
    assert f"    {capsys.readouterr().out.splitlines()[0]}\n" in README


def test_the_python_of_the_readme_runs():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    exec(compile(code, "README.md", "exec"), {})


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#\s]+)\)", document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), target
