"""A store, a certificate or a scheduler from somebody else: shown, counted or refused, and never what runs here."""

import io
import json
import shutil
import sqlite3
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from fairdeck import folders, lab
from fairdeck.cli import main
from fairdeck.errors import FairdeckError
from fairdeck.lab import Program
from fairdeck.lab.runs import account, registration
from fairdeck.lab.runs.identity import hashes
from fairdeck.lab.runs.store import Store

FUNCTION = "import random\ndef shuffle(deck):\n    random.shuffle(deck)\n"
PROGRAM = "import random\nwhile True: print(*random.sample(range(6), 6), flush=True)\n"
EVIL = "open('EVIL', 'w').close()\n" + FUNCTION
DECKS = "".join(" ".join(map(str, order)) + "\n" for order in ([2, 0, 1, 3], [0, 1, 3, 2], [3, 2, 1, 0]) * 40)


def stop(trial):
    if trial.decks:
        raise KeyboardInterrupt


def begun(folder, what, **options):
    """Begin a run in run.db of a folder, and stop it after some decks; return the store."""
    store = folder / "run.db"
    options = {"cards": 6, "decks": 3_000, "only": "descents"} | options
    with pytest.raises(KeyboardInterrupt):
        lab.test(what, store=store, progress=stop, **options)
    return store


def edited(store, **fields):
    """Change fields of the registration, as somebody who sends a store can."""
    with closing(sqlite3.connect(store)) as file:
        ((text,),) = file.execute("select registration from runs").fetchall()
        found = json.loads(text) | fields
        found["files"] = hashes(found["kind"], found["what"])
        text = json.dumps(found, sort_keys=True, separators=(",", ":"))
        file.execute("update runs set registration = ?", [text])
        file.commit()


def fairdeck(*words):
    """Return the exit code of a command, and what it says on both streams."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(words)
    return code, out.getvalue(), err.getvalue()


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder to work in, where the files that stores name are."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(FUNCTION)
    Path("evil.py").write_text(EVIL)
    Path("decks.txt").write_text(DECKS)
    Path("program.py").write_text(PROGRAM)
    return tmp_path


RUNS = {
    "a program": {"kind": "program", "what": "touch EVIL; sleep 9", "layout": "text"},
    "a program in parts": {"kind": "program", "what": "touch EVIL; sleep 9", "layout": "text", "in_parts": True},
    "a function": {"kind": "function", "what": "evil.py:shuffle"},
    "a module": {"kind": "function", "what": "evil:shuffle"},
    "a function in parts": {"kind": "function", "what": "evil.py:shuffle", "in_parts": True},
    "a file": {"kind": "file", "what": "/etc/passwd", "seed": "", "start": "sorted"},
    "a device": {"kind": "file", "what": "/dev/zero", "seed": ""},
    "a function that is called known": {"kind": "known", "what": "evil.py:shuffle"},
    "a function in parts that is called known": {"kind": "known", "what": "evil.py:shuffle", "in_parts": True},
    "a program that is called a monitor": {"kind": "monitor", "what": "touch EVIL"},
    "a kind that nobody knows": {"kind": "shell", "what": "touch EVIL"},
}
VICTIMS = {"known": "fisher-yates", "function": "mine.py:shuffle"}


@pytest.mark.parametrize("victim", VICTIMS)
@pytest.mark.parametrize("run", RUNS)
def test_an_edited_registration_runs_nothing(run, victim, place):
    """Neither from a store of this account nor from one of another, by command or by call."""
    store = begun(place, VICTIMS[victim])
    edited(store, **RUNS[run])
    for words in (
        ("test", "--resume", "run.db"),
        ("test", "--resume", "run.db", "--workers", "2"),
        (
            "test",
            "fisher-yates",
            "--cards",
            "6",
            "--decks",
            "3000",
            "--seed",
            "1",
            "--share",
            "1/2",
            "--store",
            "run.db",
        ),
        ("runs", "run.db"),
        ("runs", "run.db", "--run", "1", "--html", "report.html"),
        ("runs", "run.db", "--merge", "all.db"),
        ("verify", "run.db"),
        ("monitor", "decks.txt", "--once", "--store", "run.db"),
    ):
        code, out, err = fairdeck(*words)
        assert not Path("EVIL").exists(), words
        assert code in ((0, 1, 2) if words[0] in ("runs", "monitor") else (2,)), (words, out, err)
        assert "root:" not in out + err
    with pytest.raises(FairdeckError):
        lab.resume(store)
    assert not Path("EVIL").exists()


@pytest.mark.parametrize("what", ["mine.py:shuffle", Program(f"{sys.executable} program.py"), Path("decks.txt")])
def test_whoever_began_a_run_continues_it_without_naming_anything(what, place):
    """The line that a nightly job runs: no key that the account has, no resuming without the name."""
    options = {} if isinstance(what, Path) else {"cards": 6}
    store = begun(place, what, **({"cards": None, "decks": None} if isinstance(what, Path) else options))
    copy = place / "sent.db"
    shutil.copy(store, copy)
    assert lab.resume(store).counted >= 100
    key = folders.settings() / account.KEY
    assert key.stat().st_mode & 0o777 == 0o600
    aside = key.rename(key.with_name("aside"))  # now it is somebody else's store
    try:
        with pytest.raises(FairdeckError, match="this account did not begin it"):
            lab.resume(copy)
        with pytest.raises(FairdeckError, match="name the right one"):
            lab.resume(copy, what="evil.py:shuffle")
        assert lab.resume(copy, what=what).counted >= 100
    finally:
        aside.rename(key)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("mine.py:shuffle", ["mine.py:shuffle"]),
        (Program(f"{sys.executable} program.py"), ["--exec", f"{sys.executable} program.py"]),
    ],
)
def test_the_command_says_what_to_type_and_takes_it(what, words, place, monkeypatch):
    begun(place, what)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place / "another account"))
    code, _, said = fairdeck("test", "--resume", "run.db")
    assert code == 2 and said.count("\n") == 1
    assert "type it again, as in fairdeck test" in said and "--resume run.db" in said
    assert fairdeck("test", "--resume", "run.db", "--exec", "true")[0] == 2
    code, out, said = fairdeck("test", *words, "--resume", "run.db", "--json")
    assert code == 0, said
    assert json.loads(out)["counted"] == 3_000


def test_a_tag_is_of_one_registration_and_one_key(place, monkeypatch):
    store = begun(place, "mine.py:shuffle")
    with Store(store) as file:
        run = file.run(1)
        assert file.is_ours(run)
    tag = account.tag_of(run.registration)
    other = registration.Registration(kind="program", what="x", cards=5, decks=9, alpha=0.1, lags=0, timeout=1.0)
    assert account.is_ours(run.registration, tag) and not account.is_ours(other, tag)
    for stolen in (b"", tag[:-1], tag[::-1], bytes(32)):
        assert not account.is_ours(run.registration, stolen)
    key = folders.settings() / account.KEY
    for mode in (0o640, 0o604, 0o666):  # a key that others can read is nobody's
        key.chmod(mode)
        assert not account.is_ours(run.registration, tag)
    key.chmod(0o600)
    assert account.is_ours(run.registration, tag)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/proc/nowhere")
    assert account.tag_of(run.registration) == b"" and not account.is_ours(run.registration, b"")
    assert not account.is_ours(run.registration, tag)


def test_a_name_of_a_known_shuffle_is_never_taken_for_a_file(place):
    """A file that is called like a shuffle, in the folder where somebody resumes, is not read."""
    store = begun(place, "fisher-yates")
    Path("fisher-yates").write_text(DECKS)
    assert lab.resume(store).counted == 3_000
