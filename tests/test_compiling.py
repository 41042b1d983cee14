"""Kernels are compiled beside a run, which counts on without them; the numbers are the same."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fairdeck.cli.commands.test import _Watch
from fairdeck.lab.judging import compiling
from fairdeck.lab.judging.tally import Battery, decks_before_kernels
from fairdeck.lab.judging.trial import Trial

ONE = "fixed points"  # compiled in a second or two
SHUFFLE = "def shuffle(deck, rng): rng.shuffle(deck)"
WAIT = f"""
import time
from fairdeck.lab.judging import compiling
until = time.monotonic() + 100
begun = time.monotonic()
first = compiling.ready(52, ["{ONE}"])
waited = time.monotonic() - begun
compiler, = compiling._started.values()
print(compiler.pid, flush=True)
while not compiling.are_compiled(52, ["{ONE}"]):
    assert time.monotonic() < until
    time.sleep(0.05)
print(first, waited < 1, compiling.ready(52, ["{ONE}"]))
"""


@pytest.fixture
def cold(tmp_path):
    """An environment in which nothing is compiled yet."""
    return os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}


def python(code, environment):
    return subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)


def told(process):
    said, _ = process.communicate(timeout=100)
    assert process.returncode == 0
    return said.split()


def lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


@pytest.mark.long
def test_nobody_waits_for_the_compiler_and_all_use_what_it_made(cold):
    both = [python(WAIT, cold) for _ in range(2)]  # two first runs at once
    for process in both:
        assert told(process)[1:] == ["False", "True", "True"]
    asked = f"from fairdeck.lab.judging import compiling; print(compiling.ready(52, ['{ONE}']))"
    assert told(python(asked, cold)) == ["True"]


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_a_compiler_ends_with_the_process_that_started_it(number, cold):
    process = python(WAIT.replace("time.sleep(0.05)", "time.sleep(100)"), cold)
    compiler = int(process.stdout.readline())
    process.send_signal(number)
    process.communicate(timeout=20)
    until = time.monotonic() + 10
    while lives(compiler) and time.monotonic() < until:
        time.sleep(0.05)
    assert not lives(compiler)


@pytest.mark.long
def test_a_first_run_reports_what_a_later_one_does(cold, tmp_path):
    (tmp_path / "mine.py").write_text(SHUFFLE)
    words = ["mine.py:shuffle", "--only", ONE, "--cards", "52", "--decks", "60000", "--seed", "1", "--json"]

    def report():
        command = [sys.executable, "-m", "fairdeck", "test", *words]
        ran = subprocess.run(command, env=cold, cwd=tmp_path, capture_output=True, check=False)
        assert ran.stderr == b""
        found = json.loads(ran.stdout)
        assert found["decks"] == 60_000
        return {name: value for name, value in found.items() if name not in ("seconds", "written", "when")}

    first = report()
    told(python(WAIT, cold))
    assert report() == first


@pytest.fixture
def missing(monkeypatch, tmp_path):
    """A folder for what is compiled, empty, for this process only."""
    caches = [compiling._file, compiling._folder]
    for each in caches:
        each.cache_clear()
    monkeypatch.setattr(compiling, "_started", {})
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    yield tmp_path
    for each in caches:
        each.cache_clear()


def test_where_no_compiler_can_start_or_tell_the_run_compiles(missing, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(missing / "nothing"))
    assert compiling.ready(52, [ONE])
    monkeypatch.setattr(compiling, "_started", {})
    monkeypatch.setattr(sys, "executable", "")
    assert compiling.ready(52, [ONE])


def test_where_nothing_can_be_kept_the_run_compiles(missing, monkeypatch):
    monkeypatch.setattr(compiling, "_folder", lambda: missing / "no such folder")
    assert compiling.ready(52, [ONE])
    assert not compiling.are_compiled(52, [ONE])


def test_a_compiler_that_fails_leaves_the_work_to_the_run(missing, monkeypatch):
    monkeypatch.setattr(compiling, "START", "raise SystemExit(3)")
    until = time.monotonic() + 20
    while not compiling.ready(52, [ONE]):
        assert time.monotonic() < until
        time.sleep(0.02)
    assert not compiling.are_compiled(52, [ONE])


def test_other_versions_and_other_statistics_are_compiled_again(missing, monkeypatch):
    compiling._file(52, frozenset([ONE])).write_text("compiled")
    assert compiling.are_compiled(52, [ONE])
    assert compiling.are_compiled(40, [ONE])
    assert not compiling.are_compiled(104, [ONE])
    assert not compiling.are_compiled(52, [ONE, "descents"])
    compiling._file.cache_clear()
    monkeypatch.setattr(compiling, "_surroundings", lambda: "another processor")
    assert not compiling.are_compiled(52, [ONE])


def test_no_time_left_is_told_while_kernels_are_compiled(monkeypatch):
    class Line:
        shown = True

        def __init__(self):
            self.told = []

        def tell(self, done, _of, _what, so_far="", *, guess=True):
            self.told.append((done, guess, "compiled" in so_far))

        def guess_anew(self, done):
            self.told.append(done)

    line, trial, compiled = Line(), Trial(Battery(52, only=frozenset([ONE])), 10**6), []
    monkeypatch.setattr(compiling, "are_compiled", lambda *_: bool(compiled))
    watch, large = _Watch(line), decks_before_kernels(52)

    def see(decks):
        monkeypatch.setattr(Trial, "decks", decks)
        watch.see(trial)

    for decks in (0, 16, large, large + 1):
        see(decks)
    compiled.append(True)
    for decks in (large + 2, large + 3):
        see(decks)
    assert line.told == [
        (16, True, False),
        *(large, (large, False, True), (large + 1, False, True)),
        *(large + 2, (large + 2, True, False), (large + 3, True, False)),
    ]
