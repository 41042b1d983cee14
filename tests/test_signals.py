"""A command that is ended from outside leaves nothing behind. All tests use real processes."""

import os
import signal
import subprocess
import sys
import time

import pytest

from fairdeck.cli.signals import interruptible, leaving_tidily
from fairdeck.lab.enumeration.tree import Tree

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

FUNCTIONS = """
import os, random, signal, subprocess, time
def note(pid):
    with open(os.environ["PIDS"], "a") as pids:
        print(pid, file=pids)
def hangs(deck):
    note(os.getpid())
    time.sleep(100)
def deaf(deck):
    for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(each, signal.SIG_IGN)
    note(os.getpid())
    while True:
        pass
def begets(deck, rng):
    note(os.getpid())
    note(subprocess.Popen(["sleep", "100"]).pid)
    time.sleep(100)
"""
PIPELINE = "echo $$ >> $PIDS; (sleep 100 & echo $! >> $PIDS; wait) | cat"
DEAF = "echo $$ >> $PIDS; trap '' TERM HUP; exec >&- 2>&-; while :; do sleep 0.1; done"
COMMANDS = [
    ("test", "--exec", PIPELINE, "--timeout", "100"),
    ("test", "--exec", DEAF, "--timeout", "100"),
    ("test", "f.py:hangs", "--timeout", "100"),
    ("test", "f.py:deaf", "--timeout", "100"),
    ("test", "f.py:begets", "--timeout", "100"),
    ("exact", "f.py:hangs", "--timeout", "100"),
    ("exact", "f.py:deaf", "--timeout", "100"),
    ("exact", "f.py:begets", "--timeout", "100"),
]


def lives(pid):
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return found.stdout.strip()[:1] not in ("", "Z")


def until(true, seconds=20):
    """Wait for something to become true, and return whether it did."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.05)
    return true()


def begun(words, folder):
    """Return a running command, and the numbers of the processes that it has started."""
    (folder / "f.py").write_text(FUNCTIONS)
    (folder / "pids").touch()
    running = subprocess.Popen(
        [sys.executable, "-m", "fairdeck", *words],
        cwd=folder,
        env={**os.environ, "PIDS": str(folder / "pids")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wanted = 1 + any("begets" in word or word == PIPELINE for word in words)
    pids = lambda: [int(pid) for pid in (folder / "pids").read_text().split()]  # noqa: E731
    assert until(lambda: len(pids()) >= wanted, 60)
    return running, pids()


@pytest.mark.cases(2)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda each: each.name)
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: f"{words[0]} {words[1]} {words[2][-12:]}")
def test_nothing_that_was_started_outlives_a_command_that_is_ended(words, number, tmp_path):
    running, pids = begun(words, tmp_path)
    running.send_signal(number)
    running.communicate(timeout=20)
    assert running.returncode in (-number, 128 + number)
    assert until(lambda: not any(map(lives, pids))), [pid for pid in pids if lives(pid)]


def test_a_signal_is_not_taken_for_an_error_of_the_shuffle():
    """The paths of a known shuffle are followed in this process, and a shuffle may raise SystemExit itself."""
    killed = Tree(lambda _: os.kill(os.getpid(), signal.SIGTERM) or (0, 1, 2), 3)
    with pytest.raises(SystemExit) as ended, leaving_tidily():
        killed.law()
    assert ended.value.code == 128 + signal.SIGTERM


def test_ctrl_c_ends_what_was_started_and_prints_no_traceback(tmp_path):
    running, pids = begun(("test", "f.py:begets", "--timeout", "100"), tmp_path)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to the workers as well
    _, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "Traceback" not in err
    assert until(lambda: not any(map(lives, pids)))


def test_ctrl_c_while_the_cause_is_looked_for_leaves_the_verdict_that_was_told():
    words = ("-m", "fairdeck", "test", "naive-carried", "--cause", "100")
    heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731 - a shell's background ignores it
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, *words], preexec_fn=heard, **pipes) as running:
        assert "naive-carried is not fair" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode in (1, 130) and "Traceback" not in out + err


@pytest.mark.long
def test_a_command_with_workers_does_not_linger_after_its_report(tmp_path):
    running = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "fairdeck",
            *["test", "riffle*7", "--cards", "300", "--decks", "60000", "--seed", "1", "--workers", "3"],
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stdout.readline().startswith("riffle*7 is not fair")
    workers = subprocess.run(["ps", "-o", "args=", "--ppid", str(running.pid)], capture_output=True, text=True).stdout
    assert "spawn_main" not in workers, "they are ended before the report, so nothing is waited for after it"
    os.killpg(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=20)
    assert err == "riffle*7 is not fair: 1 deck shows it.\n", "the headline at once, and no word of the signal"


def test_ctrl_c_waits_until_a_result_is_worked_with():
    worked = []
    with interruptible(map) as mapped, pytest.raises(KeyboardInterrupt):
        for each in mapped(abs, [-1, -2, -3]):
            if each == 2:
                signal.raise_signal(signal.SIGINT)
            worked.append(each)
    assert worked == [1, 2]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_is_heard_at_once_while_a_result_is_waited_for():
    def interrupted(item):
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("Ctrl-C came too late")

    with interruptible(map) as mapped, pytest.raises(KeyboardInterrupt):
        list(mapped(interrupted, [1]))


LARGE = """
from fairdeck.lab.runs import processes
def large(size): return bytes(size)
if __name__ == "__main__":
    processes.ALONE = 0
    for _ in range(3):
        with processes.spread(2) as mapped:
            next(iter(mapped(large, [30_000_000] * 8)))
"""


@pytest.mark.long
def test_workers_that_are_killed_in_the_middle_of_a_result_are_not_waited_for(tmp_path):
    """The results are larger than a pipe, so nearly every kill hits one; the first kill used to hang."""
    file = tmp_path / "large.py"
    file.write_text(LARGE)
    assert subprocess.run([sys.executable, str(file)], timeout=120).returncode == 0
