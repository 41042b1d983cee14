"""The config file: read, shown, changed without harm to the rest, and never in the way of help."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from fairdeck import folders
from fairdeck.cli import files, main
from fairdeck.cli.config_file import SETTINGS, changed
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
def run(capsys):
    def call(line):
        code = main(line.split())
        out, err = capsys.readouterr()
        return code, out, err

    return call


def written(file, text):
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_what_is_set_counts_and_what_is_typed_counts_more(run, file):
    assert "on a 5x2 mat" in run("deal 20")[1]
    assert run("config mat 3x2")[0] == 0
    assert "on a 3x2 mat" in run("deal 20")[1]
    assert "on a 3x2 mat" in run("check 20")[1]
    assert "on a 4x1 mat" in run("deal 20 --mat 4x1")[1]
    assert run("config --unset mat")[0] == 0
    assert "on a 5x2 mat" in run("deal 20")[1]


def test_each_setting_reaches_its_commands(run, file, tmp_path):
    written(file, 'mat = "3x2"\npaper = "a3"\nlanguage = "fr"\nvoices = "de"\npace = "slow.json"\n')
    (file.parent / "slow.json").write_text('{"card": 5, "measured": true}')
    assert "5.00 s" in run("pace")[1]
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
    assert rows[:4] == [
        ["mat", "3x2", "line", "2", "of", "the", "file"],
        ["paper", "Letter", "line", "3", "of", "the", "file"],
        ["language", "de", "line", "5", "of", "the", "file"],
        ["voices", "en", "usual"],
    ]
    assert str(file) in out
    told = json.loads(run("config --json")[1])
    assert told["format"] == "fairdeck-config/1"
    assert told["settings"]["mat"] == {"value": "3x2", "from": "file", "line": 2}
    assert told["settings"].keys() == SETTINGS.keys()
    assert json.loads(run("config voices --json")[1])["settings"] == {
        "voices": {"value": "en", "from": "usual", "line": None}
    }


def test_comments_and_other_lines_survive_changes(run, file):
    written(file, NOTED)
    assert run("config mat 5X2")[0] == 0
    assert file.read_text() == NOTED.replace('"3x2"   #', '"5x2"  #')
    assert run("config paper a3")[0] == 0
    assert run("config voices en,de")[0] == 0
    assert run("config --unset language")[0] == 0
    assert file.read_text() == '# what I have at home\nmat = "5x2"  # felt, green\npaper = "A3"\n\nvoices = "en,de"\n'


@pytest.mark.parametrize(
    ("text", "name", "value", "made"),
    [
        ("", "mat", "3x2", 'mat = "3x2"\n'),
        ('mat = "3x2"', "paper", "A3", 'mat = "3x2"\npaper = "A3"\n'),
        ('mat = "3x2"\r\n', "paper", "A3", 'mat = "3x2"\r\npaper = "A3"\r\n'),
        ("[other]\nmat = 1\n", "mat", "3x2", 'mat = "3x2"\n[other]\nmat = 1\n'),
        ('mat = """\n3x2"""\n', "mat", "5x2", None),
        ("[mat]\nx = 1\n", "mat", None, None),
        ('mat = "3x2#4"\n', "mat", "5x2", 'mat = "5x2"\n'),
        ("mat = 5 # x\n", "mat", None, ""),
        ("", "pace", r"C:\me\pace.json", "pace = 'C:\\me\\pace.json'\n"),
        ("", "pace", "/it's \\ mine", 'pace = "/it\'s \\\\ mine"\n'),
    ],
)
def test_a_text_is_changed_or_left_alone(text, name, value, made):
    assert changed(text, name, value) == made


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('mat = "5y2"\n', 1, "mat '5y2'"),
        ('\npapre = "A4"\n', 2, "there is no setting 'papre'; did you mean 'paper'?"),
        ('zzz = "A4"\n', 1, "known: mat, paper"),
        ("mat = 5\n", 1, "mat is not a text"),
        ('[mat]\nx = "1"\n', 1, "mat is not a text"),
        ('language = "xx"\n', 1, "'xx'"),
        ('voices = "xx"\n', 1, "'xx'"),
        ('mat = "3x2"\npaper = A4\n', 2, "is not TOML"),
        ('mat = "3x2\n', 1, "is not TOML"),
        ('mat = "3x2', 1, "is not TOML"),
        ("\n\xff", 2, "UTF-8"),
        ('mat = "3x2"\nmat = "5x2"\n', 2, "is not TOML"),
        ("mat = " + "[" * 3_000, 1, "nested too deeply"),
    ],
)
def test_a_fault_is_one_line_that_names_file_line_value_and_remedy(run, file, text, line, says):
    file.parent.mkdir()
    file.write_bytes(text.encode("latin-1"))
    code, out, err = run("deal 20")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{file}, line {line}" in err
    assert says in err


def test_a_fault_stops_neither_help_nor_the_commands_that_mend_it(run, file):
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
    assert run("config mat 3x2")[0] == 1  # one fault is left
    assert run("config --unset papre")[0] == 0
    assert "on a 3x2 mat" in run("deal 20")[1]


def test_a_file_that_is_no_toml_is_not_changed(run, file):
    written(file, 'mat = "3x2\n')
    code, _, err = run("config mat 5x2")
    assert (code, err.count("\n")) == (2, 1)
    assert "line 1" in err
    assert file.read_text() == 'mat = "3x2\n'


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("config matt", "did you mean 'mat'?"),
        ("config mat 5y2", "mat '5y2'"),
        ("config paper B7", "paper 'B7'"),
        ("config --unset nope", "there is no setting 'nope'"),
        ("config mat --unset mat", "exclude each other"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(run, file, line, says):
    code, out, err = run(line)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err
    assert not file.exists()


def test_it_is_written_completely_or_not_at_all(run, file, monkeypatch):
    written(file, NOTED)
    file.chmod(0o640)

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        code, _, err = run("config mat 5x2")
    assert code == 2
    assert "No space left" in err
    assert file.read_text() == NOTED
    assert [each.name for each in file.parent.iterdir()] == ["config.toml"]
    assert run("config mat 5x2")[0] == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_a_pace_that_the_file_names_but_nobody_measured_is_said(run, file):
    code, _, err = run("config pace slow.json")
    assert code == 0
    assert f"there is no {file.parent / 'slow.json'} yet" in err
    assert "Assumed" in run("pace")[1]


# --- where it is


def test_files_of_earlier_versions_are_found_where_they_are(tmp_path, monkeypatch):
    old, new = tmp_path / "old" / "fairdeck", tmp_path / "new" / "fairdeck"
    monkeypatch.setattr(folders, "earlier_settings", lambda: old)
    monkeypatch.setattr(folders, "settings", lambda: new)
    assert files.configured("pace.json") == new / "pace.json"
    old.mkdir(parents=True)
    (old / "pace.json").touch()
    assert files.configured("pace.json") == old / "pace.json"
    assert files.configured("hands.json") == new / "hands.json"
    new.mkdir(parents=True)
    (new / "pace.json").touch()
    assert files.configured("pace.json") == new / "pace.json"


def test_an_account_without_a_home_folder_deals_and_is_told_what_to_set(run, monkeypatch):
    monkeypatch.delenv("FAIRDECK_CONFIG")
    monkeypatch.setattr(folders, "settings", lambda: None)
    assert run("deal 20")[0] == run("pace")[0] == run("advise 20")[0] == run("config")[0] == run("doctor")[0] == 0
    for line in ("config mat 3x2", "pace --forget", "hands --forget"):
        code, out, err = run(line)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "no home folder" in err
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
