"""No command writes a file that it reads, nor one file twice: all commands and all options, from their parsers."""

import os
import re
import sys
from itertools import combinations
from pathlib import Path

import pytest

from fairdeck.cli import main
from fairdeck.cli.arguments import command_parser, steps_of
from fairdeck.cli.commands import SUMMARIES
from fairdeck.cli.files import A_FILE, A_FOLDER, READ, TARGETS

CONTENT = b"what was there before\n"


def places():
    """Yield each command or step with its parser."""
    for name in SUMMARIES:
        parser = command_parser(name)
        steps = {f"{name} {step}": each for step, each in steps_of(parser).items()}
        yield from (steps or {name: parser}).items()


def value_of(action):
    return " ".join(action.metavar) if isinstance(action.metavar, tuple) else str(action.metavar or "")


def names_files(action):
    return A_FILE.match(value_of(action)) or value_of(action) in {A_FOLDER, *TARGETS}


def only_reads(action):
    """Tell what is known of an argument, without asking the rule: what is no option, and the few options of `READ`."""
    if not action.option_strings:
        return value_of(action) != A_FOLDER
    return bool(READ.intersection(action.option_strings))


def pairs():
    """Yield every two arguments of a command that could name one file, of which one is written."""
    for name, parser in places():
        actions = [each for each in parser._actions if names_files(each) and not each.choices]
        several = [(each, each) for each in actions if each.nargs in ("+", 2) and not only_reads(each)]
        for one, other in [*combinations(actions, 2), *several]:
            exclusive = any({one, other} <= set(group._group_actions) for group in parser._mutually_exclusive_groups)
            if not exclusive and not (only_reads(one) and only_reads(other)):
                yield name, parser, one, other


def command_line(name, parser, values):
    """Return a call in which some arguments have values, and what else must be there has any."""
    words = name.split()
    positional = []
    for action in parser._actions:
        given = values.get(action.dest)
        if action.option_strings:
            if given is not None or action.required:
                more = ["x"] * (action.nargs - 1) if isinstance(action.nargs, int) and action.nargs > 1 else []
                words += [action.option_strings[-1], given or "x", *more]
        elif given is not None or action.nargs not in ("?", "*", 0):
            positional.append(given or (next(iter(action.choices)) if action.choices else "x"))
    return [*words, *positional]


def test_no_command_takes_one_file_for_two_purposes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    file = Path("file.pdf")
    file.write_bytes(CONTENT)
    Path("link.pdf").symlink_to(file)
    asked = set()
    for name, parser, one, other in pairs():
        asked.add((name, one.dest, other.dest))
        assert main(command_line(name, parser, {one.dest: "file.pdf", other.dest: "link.pdf"})) == 2
        said = capsys.readouterr().err
        assert "both name" in said and said.count("\n") == 1, (name, one.dest, other.dest, said)
        assert file.read_bytes() == CONTENT, (name, one.dest, other.dest)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file.pdf", "link.pdf"]
    assert {"deal", "boards", "test", "runs", "monitor", "histogram", "packets", "together list"} <= {
        name for name, *_ in asked
    }
    assert len(asked) > 80


@pytest.mark.parametrize("way", ["a hard link", "another spelling", "not there yet"])
def test_all_names_of_a_file_are_one_file(way, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    again = "./folder/../file.pdf"
    if way != "not there yet":
        Path("file.pdf").write_bytes(CONTENT)
    if way == "a hard link":
        again = "hard.pdf"
        os.link("file.pdf", again)
    for one, other in (("file.pdf", again), (again, "file.pdf")):
        assert main(["deal", "9", "--pdf", one, "--html", other]) == 2
        assert "--pdf and --html both name" in capsys.readouterr().err


def test_what_is_said_to_be_only_read_is_only_read():
    for name, parser in places():
        for action in parser._actions:
            if READ.intersection(action.option_strings):
                assert not re.match("(also )?(write|keep)|the file to write", action.help), (name, action.dest)


@pytest.mark.parametrize(
    "call",
    [
        "test mine.py:shuffle --html mine.py",
        "test mine:shuffle --html mine.py",
        "test mine.py --html mine.py",
        "packets mine.py --html mine.py",
    ],
)
def test_a_name_of_what_is_tested_may_be_a_file(call, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_bytes(CONTENT)
    assert main(call.split()) == 2
    assert "both name" in capsys.readouterr().err
    assert main(["test", "--exec", f"{sys.executable} mine.py", "--html", "mine.py"]) == 2
    assert "both name" in capsys.readouterr().err
    assert Path("mine.py").read_bytes() == CONTENT


def test_devices_may_be_named_twice(capsys):
    assert main(["deal", "9", "--html", "/dev/null", "--pdf", "/dev/null", "--mat", "0x0"]) == 2
    assert "both name" not in capsys.readouterr().err
