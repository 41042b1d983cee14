"""The pace: what is assumed, what a stopwatch says, and what becomes of nonsense."""

import json
import os
import pty
import subprocess
import sys
import time

import pytest

from fairdeck import Mat, Task
from fairdeck.cli import main
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.pace import ASSUMED, Pace
from fairdeck.errors import FairdeckError


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "fairdeck" / "pace.json"


def test_minutes_follow_the_pace():
    task = Task(60, Mat(5, 2))
    slow = outlook(task, Pace(card=1.8, pile=2.4, step=16.0)).minutes
    assert slow == pytest.approx(2 * outlook(task).minutes, abs=0.11)
    assert outlook(task, ASSUMED) == outlook(task)


def test_more_spaces_take_longer_in_proportion():
    assert [Pace(card=0.45).of_a_card(spaces) for spaces in (1, 4, 5, 10, 22, 23)] == [0.4, 0.4, 0.45, 0.45, 0.5, 0.575]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not JSON"),
        ("[]", "holds more than"),
        ('{"cards": 1}', "holds more than"),
        ('{"card": 0}', "card takes 0"),
        ('{"card": "fast"}', "card takes 'fast'"),
        ('{"card": true}', "card takes True"),
        ('{"riffle": 1e9}', "riffle takes 1000000000.0"),
        ('{"riffle": NaN}', "riffle takes nan"),
    ],
)
def test_a_file_that_is_not_a_pace_is_reported(text, says):
    with pytest.raises(FairdeckError, match=says):
        Pace.from_json(text)


def test_the_command_shows_and_forgets(capsys, own_folder):
    assert main(["pace"]) == 0
    assert "Assumed." in capsys.readouterr().out
    own_folder.parent.mkdir()
    own_folder.write_text('{"card": 0.5, "measured": true}')
    assert main(["pace", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["card"] == 0.5
    assert main(["pace", "--forget"]) == 0
    assert not own_folder.exists()
    assert "Assumed." in capsys.readouterr().out
    assert main(["pace", "--pace", "/nowhere/pace"]) == 2
    assert main(["pace", "--measure"]) == 2
    assert "needs a terminal" in capsys.readouterr().err


@pytest.mark.long
def test_a_stopwatch_measures_and_leaves_out(own_folder):
    here, there = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "fairdeck", "pace", "--measure"], stdin=there, stdout=there, stderr=there
    )
    os.close(there)
    shown = b""

    def until(words):
        nonlocal shown
        while words not in shown:
            shown += os.read(here, 4096)
        shown = shown.partition(words)[2]

    for number in range(5):
        until(b"when you begin: ")
        if number in (1, 4):
            os.write(here, b"s\n")
            continue
        os.write(here, b"\n")
        until(b"when you are done: ")
        if number == 0:
            time.sleep(1.2)  # the others are done too fast to be true
        os.write(here, b"\n")
    until(b"Measured, and stored in")
    assert running.wait(10) == 0
    os.close(here)
    found = json.loads(own_folder.read_text())
    assert 0.05 < found["card"] < 0.5
    assert {name: found[name] for name in ("pile", "step", "riffle", "overhand")} == {
        "pile": 1.2,
        "step": 8.0,
        "riffle": 6.0,
        "overhand": 8.0,
    }
    assert found["measured"] is True


# --- forgetting, and files that hold no pace


def refused(capsys, *words):
    """Return the one line with which a command refuses its input."""
    assert main(list(words)) == 2
    shown = capsys.readouterr()
    assert len(shown.err.splitlines()) == 1
    return shown.err


def test_only_a_pace_is_forgotten(capsys, tmp_path):
    file = tmp_path / "mine"
    file.write_text("my thesis")
    assert "mine: the pace is not JSON" in refused(capsys, "pace", "--forget", "--pace", str(file))
    assert file.read_text() == "my thesis"
    assert f"cannot read {str(tmp_path)!r} (Is a directory)" in refused(
        capsys, "pace", "--forget", "--pace", str(tmp_path)
    )
    file.write_text(Pace(card=0.5, measured=True).to_json())
    assert main(["pace", "--forget", "--pace", str(file)]) == 0
    assert not file.exists()
    out = capsys.readouterr().out
    assert f"Forgotten: {file} is deleted." in out and "0.90 s" in out
    assert "nothing to forget" in refused(capsys, "pace", "--forget", "--pace", str(file))
    assert main(["pace", "--forget"]) == 0
    assert "nothing to forget" in capsys.readouterr().out


def test_forgetting_leaves_standard_output_to_the_json(capsys, own_folder):
    own_folder.parent.mkdir()
    own_folder.write_text('{"card": 0.5}')
    assert main(["pace", "--forget", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["card"] == 0.9
    assert "Forgotten" in shown.err


@pytest.mark.parametrize("text", ["[" * 100_000, '{"card": 1' + "0" * 400 + "}", "\0" * 2_000_000])
@pytest.mark.parametrize("command", [["pace"], ["advise", "60"]])
def test_deep_huge_and_long_files_are_refused(capsys, tmp_path, command, text):
    file = tmp_path / "pace"
    file.write_text(text)
    assert len(refused(capsys, *command, "--pace", str(file))) < 300 + len(str(file))


def test_a_byte_order_mark_does_no_harm(capsys, tmp_path):
    file = tmp_path / "pace"
    file.write_text('{"card": 0.5}', encoding="utf-8-sig")
    assert main(["pace", "--json", "--pace", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["card"] == 0.5


# --- measuring


class Told:
    """A terminal that has some lines to say, and then ends."""

    def __init__(self, *lines):
        self.lines = list(lines)

    def isatty(self):
        return True

    def readline(self):
        return self.lines.pop(0) if self.lines else ""


@pytest.fixture
def measuring(capsys, monkeypatch):
    """Measure by these lines; every Enter comes two seconds after the last one."""

    def call(*words, lines):
        clock = iter(range(0, 1000, 2))
        monkeypatch.setattr("sys.stdin", Told(*lines))
        monkeypatch.setattr("sys.stdout.isatty", lambda: "--json" not in words)
        monkeypatch.setattr("sys.stderr.isatty", lambda: True)
        monkeypatch.setattr("time.monotonic", lambda: next(clock))
        code = main(["pace", "--measure", *words])
        return code, *capsys.readouterr()

    return call


ENTERS = ["\n"] * 10


def test_a_broken_file_is_replaced_by_what_is_measured(measuring, tmp_path):
    file = tmp_path / "broken.json"
    file.write_text("{")
    code, out, _ = measuring("--pace", str(file), lines=ENTERS)
    assert code == 0
    assert "will be replaced" in out
    assert Pace.from_json(file.read_text()) == Pace(0.1, 0.4, 2.0, round(2 / 3, 3), 2.0, measured=True)


def test_where_nothing_can_be_written_nothing_is_measured(measuring, tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "no" / "where")
    for path in (tmp_path, tmp_path / "file" / "pace", tmp_path / "link"):
        code, out, err = measuring("--pace", str(path), lines=ENTERS)
        assert (code, len(err.splitlines())) == (2, 1)
        assert str(path) in err
        assert "Deal 20 cards" not in out


@pytest.mark.parametrize("lines", [[], ENTERS[:9]])
def test_the_end_of_the_input_saves_nothing(measuring, own_folder, lines):
    code, _, err = measuring(lines=lines)
    assert (code, len(err.splitlines())) == (2, 1)
    assert "nothing was saved" in err
    assert not own_folder.exists()


def test_prompts_leave_standard_output_to_the_json(measuring):
    code, out, err = measuring("--json", lines=ENTERS)
    assert code == 0
    assert json.loads(out)["measured"] is True
    assert "Deal 20 cards" in err
