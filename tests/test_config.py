"""The config file: read, shown, and never in the way of help."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fairdeck import folders
from fairdeck.cli import files
from fairdeck.cli.config_file import SETTINGS
from fairdeck.dealing.mat import Mat
from fairdeck.errors import FairdeckError
from fairdeck.words import Words

NOTED = """# what I have at home
mat = "3x2"   # felt, green
"paper" = 'Letter'

language = "de" # Oma reads it
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    """The config file of a new account; it is not there yet."""
    monkeypatch.setenv("FAIRDECK_CONFIG", str(tmp_path / "mine" / "config.toml"))
    return tmp_path / "mine" / "config.toml"


@pytest.fixture
def run(run):
    return lambda line: run(*line.split())


def written(file, text):
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_what_is_set_counts_and_what_is_typed_counts_more(run, file):
    assert "on a 5x2 mat" in run("deal 20")[1]
    written(file, 'mat = "3X2"\n')
    assert "on a 3x2 mat" in run("deal 20")[1]
    assert "on a 3x2 mat" in run("check 20")[1]
    assert "on a 4x1 mat" in run("deal 20 --mat 4x1")[1]


def test_each_setting_reaches_its_commands(run, file, tmp_path):
    written(file, 'mat = "3x2"\npaper = "a3"\nlanguage = "fr"\nvoices = "de"\npace = "slow.json"\n')
    (file.parent / "slow.json").write_text('{"card": 5}')
    assert "from your pace: 5 s a card" in run("advise 60")[1]
    assert "of 420 x 297 mm" in run(f"mat 5x2 -o {tmp_path}/mat.svg")[2]
    assert Words("fr").say("matTitle", mat=Mat(5, 2)) in (tmp_path / "mat.svg").read_text()
    run(f"page -o {tmp_path}/page.html")
    assert 'id="voices">{"de":' in (tmp_path / "page.html").read_text()
    assert "a mat of 3x2" in run("advise 40 --json")[1]


def test_it_is_shown_with_its_source(run, file):
    written(file, NOTED)
    code, out, err = run("config")
    assert (code, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    words = ["mat 3x2 file", "paper Letter file", "language de file", "voices en usual"]
    assert list(map(" ".join, rows[:4])) == words
    assert str(file) in out
    told = json.loads(run("config --json")[1])
    assert told["format"] == "fairdeck-config/1"
    assert told["settings"]["mat"] == {"value": "3x2", "from": "file"}
    assert told["settings"].keys() == SETTINGS.keys()
    assert told["settings"]["voices"] == {"value": "en", "from": "usual"}


def test_the_example_is_a_file_that_holds_once_its_settings_are_no_comments(run, file):
    code, out, _ = run("config --example")
    assert code == 0
    written(file, out)
    assert run("config")[1].count("usual") == len(SETTINGS)
    written(file, re.sub(r"(?m)^# (?=\w+ = )", "", out))
    shown = json.loads(run("config --json")[1])
    assert shown["faults"] == []
    assert {name: each["value"] for name, each in shown["settings"].items()} == {
        name: each.usual for name, each in SETTINGS.items()
    }
    assert {each["from"] for each in shown["settings"].values()} == {"file"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('mat = "5y2"\n', "mat '5y2'"),
        ('\npapre = "A4"\n', "there is no setting 'papre'; did you mean 'paper'?"),
        ('zzz = "A4"\n', "choose one of mat, paper"),
        ("mat = 5\n", "mat is not a text"),
        ('[mat]\nx = "1"\n', "mat is not a text"),
        ('language = "xx"\n', "'xx'"),
        ('voices = "xx"\n', "'xx'"),
        ('pace = ""\n', "pace '' is not the name of a file"),
        ('mat = "3x2"\npaper = A4\n', "at line 2, column 9"),
        ('mat = "3x2\n', "at line 1"),
        ("\n\xff", "UTF-8 text"),
        ('mat = "3x2"\nmat = "5x2"\n', "at line 2"),
        ("mat = " + "[" * 3_000, "recursion"),
    ],
)
def test_a_fault_is_one_line_that_names_file_value_and_remedy(refused, file, text, says):
    file.parent.mkdir()
    file.write_bytes(text.encode("latin-1"))
    complaint = refused("deal 20")
    assert str(file) in complaint
    assert says in complaint


def test_a_folder_in_place_of_the_file_is_not_answered_with_what_to_write_into_it(refused, file):
    file.mkdir(parents=True)
    assert "name another file with FAIRDECK_CONFIG" in refused("deal 20")


def test_a_fault_stops_neither_help_nor_the_commands_that_show_it(run, file):
    written(file, 'mat = "5y2"\npapre = "A4"\n')
    assert run("--help")[0] == run("--version")[0] == run("deal --help")[0] == 0
    assert run("rank 2,0,1")[0] == 0  # asks for no setting
    code, out, err = run("config")
    assert code == 1
    assert "mat " in out
    assert err.count("\n") == 2
    code, out, _ = run("doctor --json")
    assert code == 1
    assert not json.loads(out)["works"]


# --- where it is


def test_an_account_without_a_home_folder_deals_and_is_told_what_to_set(run, refused, monkeypatch):
    monkeypatch.delenv("FAIRDECK_CONFIG")
    monkeypatch.setattr(folders, "settings", lambda: None)
    assert run("deal 20")[0] == run("advise 20")[0] == run("config")[0] == run("doctor")[0] == 0
    assert "no home folder" in refused("hands --forget")
    with pytest.raises(FairdeckError, match="set "):
        files.configured_surely("pace.json")


@pytest.mark.parametrize("home", ["/proc/nowhere", ""])
def test_a_home_that_cannot_be_written_does_no_harm(home):
    environment = {key: value for key, value in os.environ.items() if "HOME" not in key and key != "FAIRDECK_CONFIG"}
    environment |= {"HOME": home} if home else {}
    code = "import sys; from fairdeck.cli import main; sys.exit(any([main([*'deal 20'.split()]), main(['config'])]))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert (shown.returncode, shown.stderr) == (0, "")


def test_the_tests_do_not_read_the_settings_of_the_person_who_runs_them():
    assert os.environ["FAIRDECK_CONFIG"] == os.devnull
    assert Path(os.environ["XDG_CONFIG_HOME"]).name.startswith("fairdeck-settings-")
