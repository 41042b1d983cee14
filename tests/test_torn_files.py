"""Every command that writes files, with a disk that fails, or a kill, at each of its calls.

A file is then as it was, or complete; nothing else lies about, except after a kill; and one line says what is wrong.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fairdeck.cli import main
from fairdeck.cli.exits import BAD_INPUT, DOES_NOT_HOLD, FINE
from tests.failing_disk import FULL_FROM_HERE, KILL, KILLED, SHORT, held

ROOT = Path(__file__).parents[1]
TEMPORARY = ".fairdeck-"
FAULTS = ["ENOSPC", "EIO", "EINTR", SHORT, FULL_FROM_HERE, KILL]
DONE = (FINE, DOES_NOT_HOLD)  # the second is the verdict of a test
BOTH = (FINE, BAD_INPUT)
FEW = [SHORT, FULL_FROM_HERE, KILL]
AGREED = "announcement.json"
PBN = """[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
"""


def drawn(folder, upto):
    """Make the files of a draw in `folder`, up to a step that is left out."""
    steps = [
        ("announce", "announce --cards 5 --people Ann,Ben"),
        ("join", f"join {AGREED} --as Ann"),
        ("join", f"join {AGREED} --as Ben"),
        ("list", f"list {AGREED} Ann.commitment.json Ben.commitment.json"),
        ("show", "show list.json Ann.own.json"),
        ("show", "show list.json Ben.own.json"),
        ("finish", "finish list.json Ann.shown.json Ben.shown.json"),
    ]
    for name, words in steps:
        if name == upto:
            return
        assert main(["together", *words.split()]) == FINE


def scenario(words, *, old=(), before="", load="deal", again=(FINE,), step=1):
    return {"words": words.split(), "old": old, "before": before, "load": load, "again": again, "step": step}


# The outputs that are there before (`old`); the modules to load once (`load`); what a second run after a kill may
# answer (`again`): some files are never replaced, and it says so; of many calls every `step`-th is tried.
QUICK = {
    "mat": scenario("mat 2x1 -o mat.svg", old=["mat.svg"], load="mat"),
    "together join": scenario(f"together join {AGREED} --as Ann", before="join", load="together"),
}
SLOW = {
    "deal --html": scenario("deal 8 --html deal.html --voices none", old=["deal.html"]),
    "deal --html, new": scenario("deal 8 --html deal.html --voices none"),
    "deal --pdf": scenario("deal 8 --pdf deal.pdf", old=["deal.pdf"]),
    "page": scenario("page sort -o sort.html", old=["sort.html"], load="page"),
    "page --site": scenario(
        "page --site site --voices none", old=["site/index.html", "site/worker.js"], load="page", step=23
    ),
    "boards": scenario("boards one.pbn --voices none -o half.json --html pages", load="boards", again=BOTH, step=9),
    "hands --keep": scenario(
        "hands RRBRBBBRRRRBBRBRRBBBBRBRRBRB RBRBBRRBRBRRBBRBRBRBRRBBRBRB --keep --seed 1",
        old=["config/fairdeck/hands.json"],
        load="hands",
        step=17,
    ),
    "together announce": scenario(
        "together announce --cards 5 --people Ann,Ben", before="announce", load="together", again=BOTH
    ),
    "together list": scenario(
        f"together list {AGREED} Ann.commitment.json Ben.commitment.json", before="list", load="together"
    ),
    "together show": scenario("together show list.json Ann.own.json", before="show", load="together"),
    "together finish": scenario(
        "together finish list.json Ann.shown.json Ben.shown.json", before="finish", load="together"
    ),
    "test --html": scenario(
        "test naive --cards 5 --decks 3000 --seed 1 --html r.html", old=["r.html"], load="test", again=DONE, step=11
    ),
}


def tried(given, faults, room, monkeypatch, replacing=""):
    """Return the files at the start, and what happened in each run."""
    start = room / "start"
    start.mkdir()
    for name in given["old"]:
        (start / name).parent.mkdir(parents=True, exist_ok=True)
        (start / name).write_text("{}", encoding="utf-8")
    (start / "one.pbn").write_text(PBN, encoding="utf-8")
    monkeypatch.chdir(start)
    if given["before"]:
        drawn(start, given["before"])
    asked = {
        "words": given["words"],
        "start": str(start),
        "room": str(room / "runs"),
        "load": ["fairdeck.cli.commands." + given["load"]],
        "faults": faults,
        "step": given["step"],
        "replacing": replacing,
    }
    told = subprocess.run(
        [sys.executable, "-m", "tests.failing_disk"],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    peace, *runs = json.loads(told.stdout)
    return peace, runs


def faults_of_files(run, old, new):
    """Yield what is wrong with the files that a run left; `old` and `new` are the files as they may be."""
    for name, content in run["files"].items():
        left = run["fault"] == KILL and f"/{TEMPORARY}" in f"/{name}"
        if not left and content not in (old.get(name), new.get(name)):
            yield f"{name} is torn, or should not be there"
    yield from (f"{name} is lost" for name in old if name not in run["files"])
    if run["code"] in DONE and any(run["files"].get(name) != content for name, content in new.items()):
        yield "it says that all is well, but a file is missing"


def faults_of_words(run, new, again):
    """Yield what is wrong with the exit code and the words of a run, and with the next run after a kill."""
    if run["fault"] == KILL:
        if run["code"] != KILLED or run["again"] not in again:
            yield f"it ends with {run['code']}, and the next run with {run['again']}"
        if run["again"] in DONE and (lost := set(new) - set(run["mended"])):
            yield f"the next run does not write {lost}"
    elif run["code"] == BAD_INPUT:
        ours = [line for line in run["said"].splitlines() if line.startswith("fairdeck: ")]
        if len(ours) != 1 or not run["said"].endswith(ours[0] + "\n") or "Traceback" in run["said"]:
            yield f"it says {run['said']!r}"
    elif run["code"] not in DONE:
        yield f"its exit code is {run['code']}"


def wrong(peace, runs, old, again):
    for run in runs:
        new = peace["files"]
        for fault in (*faults_of_files(run, old, new), *faults_of_words(run, new, again)):
            yield f"{run['fault']} at call {run['at']}, {peace['calls'][run['at']]}: {fault}"


def check(given, faults, room, monkeypatch):
    peace, runs = tried(given, faults, room, monkeypatch)
    assert peace["code"] in DONE, peace["said"]
    assert {"open", "write", "close"} <= set(peace["calls"])
    old = held(room / "start")
    assert peace["files"] != old
    assert list(wrong(peace, runs, old, given["again"])) == []
    assert any(run["code"] == BAD_INPUT for run in runs)


@pytest.mark.parametrize("name", QUICK)
def test_a_file_is_old_or_new_whenever_the_disk_fails_or_the_process_is_killed(name, tmp_path, monkeypatch):
    check(QUICK[name], FEW, tmp_path, monkeypatch)


def test_a_command_that_writes_in_place_is_detected(tmp_path, monkeypatch):
    peace, runs = tried(QUICK["mat"], FEW, tmp_path, monkeypatch, replacing="in place")
    found = "\n".join(wrong(peace, runs, held(tmp_path / "start"), (FINE,)))
    for fault in (SHORT, KILL):
        assert f"{fault} at call" in found
    assert "mat.svg is torn" in found


@pytest.mark.long
@pytest.mark.parametrize("name", QUICK | SLOW)
def test_so_is_every_file_of_every_command(name, tmp_path, monkeypatch):
    check((QUICK | SLOW)[name], FAULTS, tmp_path, monkeypatch)
