"""The pace: what is assumed, what a stopwatch says, and what becomes of nonsense."""

import json
import os
import pty
import subprocess
import sys
import time

import pytest

from fairdeck import Mat, Task
from fairdeck.advice import advise
from fairdeck.cli import main
from fairdeck.errors import FairdeckError
from fairdeck.pace import ASSUMED, Pace


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "fairdeck" / "pace.json"


def test_minutes_follow_the_pace():
    task = Task(60, Mat(5, 2))
    slow = advise(task, Pace(card=1.8, pile=2.4, step=16.0)).minutes
    assert slow == pytest.approx(2 * advise(task).minutes, abs=0.11)
    assert advise(task, ASSUMED) == advise(task)


def test_more_spaces_take_longer_in_proportion():
    assert [Pace(card=0.45).of_a_card(spaces) for spaces in (1, 4, 5, 10, 22, 23)] == [0.4, 0.4, 0.45, 0.45, 0.5, 0.575]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "no JSON"),
        ("[]", "holds more than"),
        ('{"cards": 1}', "holds more than"),
        ('{"card": 0}', "card takes 0"),
        ('{"card": "fast"}', "card takes 'fast'"),
        ('{"card": true}', "card takes True"),
        ('{"riffle": 1e9}', "riffle takes 1000000000.0"),
        ('{"riffle": NaN}', "riffle takes nan"),
    ],
)
def test_what_is_no_pace_is_told(text, says):
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
    until(b"Measured; kept in")
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
