"""The pace: what is assumed, what a person writes, and what becomes of nonsense."""

import json

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


# --- files of a person


def refused(capsys, *words):
    """Return the one line with which a command refuses its input."""
    assert main(list(words)) == 2
    shown = capsys.readouterr()
    assert len(shown.err.splitlines()) == 1
    return shown.err


@pytest.mark.parametrize("text", ["[" * 100_000, '{"card": 1' + "0" * 400 + "}", "\0" * 2_000_000])
def test_deep_huge_and_long_files_are_refused(capsys, tmp_path, text):
    file = tmp_path / "pace"
    file.write_text(text)
    assert len(refused(capsys, "advise", "60", "--pace", str(file))) < 300 + len(str(file))


def test_a_byte_order_mark_does_no_harm(capsys, tmp_path):
    file = tmp_path / "pace"
    file.write_text('{"card": 0.5}', encoding="utf-8-sig")
    assert main(["advise", "60", "--json", "--pace", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["pace"]["card"] == 0.5


def test_minutes_come_from_the_file_in_the_folder_of_settings(capsys, own_folder):
    assert main(["advise", "60"]) == 0
    assert "computed from an assumed pace" in capsys.readouterr().out
    own_folder.parent.mkdir()
    own_folder.write_text('{"card": 0.5}')
    assert main(["advise", "60"]) == 0
    assert "computed from your pace: 0.5 s a card" in capsys.readouterr().out
    assert "there is no '/nowhere/pace': write seconds" in refused(capsys, "advise", "60", "--pace", "/nowhere/pace")
    own_folder.write_text("my thesis")
    assert f"{own_folder}: the pace is not JSON" in refused(capsys, "advise", "60")
