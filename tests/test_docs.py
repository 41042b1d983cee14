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
    for line in re.findall(r"^    (?:\$ )?(?:\.venv/bin/)?(fairdeck .*)$", README, re.M):
        command, _, _ = line.partition("#")
        words, _, file = command.partition(">")
        if "serve" not in words and "page" not in words and "--follow" not in words:
            slow = "--audio" in words or "--players" in words or words.startswith("fairdeck test ")
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
    if words[0] == "replay" and not Path(words[1]).exists():
        main(["deal", "60", "--json", "--reveal"])
        Path(words[1]).write_text(capsys.readouterr().out)
    assert main(words) == (1 if "naive" in " ".join(words) else 0)
    told = capsys.readouterr()
    named = [word for word in words if word.endswith((".pdf", ".html", ".mp3"))]
    assert all(Path(each).stat().st_size > 1_000 for each in named)
    assert told.out or told.err.startswith("wrote ")
    if file:
        Path(file).write_text(told.out)


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
    subject, verdict, fault = capsys.readouterr().out.splitlines()[0].partition(" is not fair: ")
    assert verdict and fault  # which fault is named first depends on the seed and on the statistics
    assert f"    {subject} is not fair: " in README


def shown_on_mixing():
    """Yield each command that the page on mixing shows with its output, and the lines shown."""
    page = (ROOT / "docs" / "explanation" / "mixing.md").read_text(encoding="utf-8")
    blocks = re.findall(r"(?:^(?: {4}.*)?\n)+", page, re.M)
    for block in blocks:
        for shown in re.split(r"^    \$ fairdeck ", block, flags=re.M)[1:]:
            command, *lines = shown.rstrip().splitlines()
            yield pytest.param(shlex.split(command), [line[4:] for line in lines], id=command)


@pytest.mark.parametrize(("words", "lines"), list(shown_on_mixing()))
def test_the_output_that_the_page_on_mixing_shows_is_the_output(words, lines, capsys):
    assert main(words) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == lines[0]
    rest = iter(out)
    for line in lines:
        assert line == "..." or line in rest, line


def test_the_page_on_mixing_shows_a_law_and_a_bound():
    assert len(list(shown_on_mixing())) >= 10


@pytest.mark.parametrize("name", ["README.md", "docs/how-to/boards.md", "docs/how-to/bulk.md"])
def test_the_python_of_a_document_runs(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.S)
    exec(compile(code, name, "exec"), {})


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#\s]+)\)", document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), target


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_each_target_of_make_that_a_document_names_exists(name):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    named = set(re.findall(r"(?:^    |`)make ([a-z]+)", (ROOT / name).read_text(encoding="utf-8"), re.M))
    assert len(named) >= 3
    assert named <= targets
