"""The monitor: logs that grow, are rotated and truncated, and watches that are killed at any moment."""

import io
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.cli import main
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Block
from fairdeck.lab.judging.tally import Battery, block_sizes
from fairdeck.lab.judging.trial import Trial
from fairdeck.lab.judging.verdict import Finding, Weighed
from fairdeck.lab.laws.tails import PValue
from fairdeck.lab.runs import records
from fairdeck.lab.runs.store import Store
from fairdeck.lab.sources.file import open_file
from fairdeck.lab.sources.text import LONGEST_LINE
from fairdeck.lab.statistics import Evidence
from fairdeck.lab.watching import live_log, windows
from fairdeck.lab.watching.analysis import OF_ALL
from fairdeck.lab.watching.change_point import change_point
from fairdeck.lab.watching.live_log import LiveLog
from fairdeck.lab.watching.monitor import Monitor, monitor
from fairdeck.lab.watching.status import Alarm, LogStatus, Onset, Status, document
from fairdeck.lab.watching.store import Kept
from fairdeck.show.page import page as html
from tests.decks import fair as perfect

WRITER = Path(__file__).parent / "live_writer.py"
FEW = ("positions", "order", "inversions", "fixed points", "rising sequences")
COMMAND = [sys.executable, "-m", "fairdeck", "monitor"]


def faulty(decks, share, seed):
    """Put card 0 at place 0 in this share of decks more."""
    decks = decks.copy()
    for row in np.flatnonzero(np.random.default_rng(seed).random(len(decks)) < share):
        place = int(np.flatnonzero(decks[row] == 0)[0])
        decks[row, [0, place]] = decks[row, [place, 0]]
    return decks


def grow(log, text):
    """Write on at the end of a log."""
    with log.open("ab") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def said(decks):
    return "".join(" ".join(map(str, deck)) + "\n" for deck in decks.tolist())


def counted(store):
    """Return the tally of the watch in a store, the decks that wait, and its battery."""
    with Store(store) as opened:
        run = opened.run(opened.numbers()[-1], Kept)
    (log,) = list(run.more.logs.values())[:1]
    return run.standing.tally, log.waiting, run.inquiry.battery


def onset_in(store):
    with Store(store) as opened:
        return opened.run(1, Kept).more.raised.onset


def in_one_go(path, decks, cards):
    """Return the tally of the first decks of a file, without any monitor."""
    battery, done = Battery(cards), 0
    blocks = []
    with open_file(str(path)) as source:
        for block in source.blocks(block_sizes(cards, 10**12)):
            if done == decks:
                break
            blocks.append(battery.tally(block))
            done += block.size
    return battery.total(blocks)


def until_stored(store):
    """Wait until a watch has committed its place in the log."""
    deadline = time.monotonic() + 60
    while True:
        with suppress(FairdeckError), Store(store) as opened:
            if opened.run(1, Kept).more:
                return
        assert time.monotonic() < deadline
        time.sleep(0.1)


def watch(*words):
    return main(["monitor", *map(str, words)])


def lines_of(log):
    return b"".join(text for text, _ in log.pieces())


# --- the log


def test_a_log_is_read_through_rotation_truncation_and_a_half_line(tmp_path):
    path = tmp_path / "a.log"
    log = LiveLog(str(path))
    assert lines_of(log) == b"", "it is not there yet"
    path.write_bytes(b"1 2\n3 4\n5")
    assert lines_of(log) == b"1 2\n3 4\n"
    grow(path, b" 6\n7 8\n")
    path.rename(tmp_path / "a.log.1")
    assert lines_of(log) == b"5 6\n7 8\n", "the old file is read first"
    path.write_bytes(b"9 10\n")
    grow(tmp_path / "a.log.1", b"8 7\n")
    assert lines_of(log) == b"8 7\n9 10\n", "late lines of the old file"
    (tmp_path / "copy").write_bytes(b"9 10\n11 12\n")
    path.write_bytes(b"13 14\n15 16\n")
    assert lines_of(log) == b"11 12\n13 14\n15 16\n", "truncated after a copy was made, and longer than before"
    path.unlink()
    assert lines_of(log) == b""
    path.write_bytes(b"1 3\n")
    assert lines_of(log) == b"1 3\n", "it vanished for a while"
    log.close()


def test_files_that_came_and_went_while_nobody_was_reading_are_read(tmp_path):
    path = tmp_path / "a.log"
    path.write_bytes(b"1 2\n")
    log = LiveLog(str(path))
    assert lines_of(log) == b"1 2\n"
    state = deepcopy(log.place)
    log.close()
    for number in (1, 2, 3):
        grow(path, b"%d 0\n" % number)
        path.rename(tmp_path / f"a.log.{number}")
        time.sleep(0.01)
    (tmp_path / "a.log.99").write_bytes(b"1 2\n1 0\n")
    (tmp_path / "a.log.offset").write_bytes(b"4096\n")
    path.write_bytes(b"4 0\n")
    again = LiveLog(str(path), state)
    assert lines_of(again) == b"1 0\n2 0\n3 0\n4 0\n", "no copy of what was read, and no file of another program"
    assert again.lost == 0
    again.close()


def test_a_file_that_was_seen_empty_hides_no_file(tmp_path):
    """A watch that is killed just after a rotation has read nothing of the new file yet."""
    for rotate in (renamed, truncated):
        folder = tmp_path / rotate.__name__
        folder.mkdir()
        path = folder / "a.log"
        path.write_bytes(b"1 2\n")
        log = LiveLog(str(path))
        assert lines_of(log) == b"1 2\n"
        rotate(path, 1)
        assert lines_of(log) == b"", "the new file is empty"
        state = deepcopy(log.place)
        log.close()
        for number in (2, 3, 4):
            time.sleep(0.02)
            grow(path, b"%d 0\n" % number)
            (renamed if number == 3 else rotate)(path, number)
        time.sleep(0.02)
        grow(path, b"5 0\n")
        again = LiveLog(str(path), state)
        assert lines_of(again) == b"2 0\n3 0\n4 0\n5 0\n", rotate.__name__
        assert lines_of(again) == b"", "nothing is read twice"
        assert again.lost == 0
        again.close()


def test_what_was_rotated_while_the_watch_saw_an_empty_file_is_read_once(tmp_path, monkeypatch):
    monkeypatch.setattr(live_log, "PATIENCE", 0.0)
    path = tmp_path / "a.log"
    path.write_bytes(b"")
    log = LiveLog(str(path))
    assert lines_of(log) == b""
    time.sleep(0.02)
    path.write_bytes(b"1 2\n")
    truncated(path, 1)
    assert lines_of(log) == b"1 2\n"
    os.utime(path)  # as a program does that opens it again and writes nothing
    assert lines_of(log) == b""
    log.close()


def renamed(path, number):
    path.rename(path.with_name(f"{path.name}.{number}"))
    path.touch()


def truncated(path, number):
    shutil.copyfile(path, path.with_name(f"{path.name}.{number}"))
    os.truncate(path, 0)


def test_what_else_lies_in_the_folder_does_not_hide_a_log(tmp_path):
    """A circle of links, or a file that goes away while the folder is read, cannot be asked what it is."""
    log = tmp_path / "decks.log"
    log.write_text("0 1 2\n2 1 0\n1 0 2\n")
    (tmp_path / "decks.log.1").symlink_to("decks.log.2")
    (tmp_path / "decks.log.2").symlink_to("decks.log.1")
    live = LiveLog(str(log))
    assert lines_of(live) == log.read_bytes()
    log.rename(tmp_path / "decks.log.3")
    grow(tmp_path / "decks.log.3", "2 0 1\n")
    log.write_text("0 2 1\n")
    again = LiveLog(str(log), live.place)
    assert lines_of(again) == b"2 0 1\n0 2 1\n"
    assert again.lost == 0
    live.close()
    again.close()


# --- counting


@pytest.mark.long
@pytest.mark.parametrize("kills", [2, 20])
def test_a_watch_that_is_killed_counts_each_deck_once(kills, tmp_path):
    log, everything, store, cards = tmp_path / "a.log", tmp_path / "all", tmp_path / "run.db", 6
    decks, rng = 3_000 * kills, random.Random(kills)
    numbers = [cards, decks, kills, 2 * kills]
    writer = subprocess.Popen([sys.executable, WRITER, log, everything, *map(str, numbers)])
    for _ in range(kills):
        watcher = subprocess.Popen([*COMMAND, log, "--store", store], stderr=subprocess.PIPE, text=True)
        until_stored(store)
        (tmp_path / "GO").touch()
        time.sleep(rng.random() * 3)
        watcher.kill()
        assert "fairdeck:" not in watcher.communicate()[1]
    assert writer.wait(timeout=100) == 0
    assert watch(log, "--store", store, "--once") == 0
    tally, _, battery = counted(store)
    whole = in_one_go(everything, tally.decks, cards)
    assert tally.decks > 0.8 * decks
    assert records.packed_tally(battery, tally) == records.packed_tally(battery, whole)
    once = tmp_path / "once.db"
    assert watch(everything, "--store", once, "--once") == 0
    found, waiting, _ = counted(once)
    assert counted(store)[1] == waiting, "the decks that wait are the same as well"
    assert records.packed_tally(battery, found) == records.packed_tally(battery, tally)


def test_ctrl_c_ends_a_watch_and_everything_read_is_kept(tmp_path):
    log, store = tmp_path / "a.log", tmp_path / "run.db"
    log.write_text(said(perfect(6, 500, 1)))
    watcher = subprocess.Popen([*COMMAND, log, "--store", store], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until_stored(store)
    watcher.send_signal(signal.SIGINT)
    out, err = watcher.communicate(timeout=60)
    assert watcher.returncode == 0
    assert b"500 decks" in out and b"Traceback" not in err
    assert counted(store)[0].decks == 362, "the last number of the schedule before 500"


def test_several_logs_are_one_run_and_each_is_compared_with_itself(tmp_path, capsys):
    store = tmp_path / "run.db"
    for name in "ab":
        (tmp_path / name).write_text(said(perfect(6, 600, ord(name))))
    assert watch(tmp_path / "a", tmp_path / "b", "--store", store, "--once", "--only", ",".join(FEW)) == 0
    assert "No fault in 1,200 decks" in capsys.readouterr().out
    grow(tmp_path / "b", said(perfect(6, 400, 3)))
    assert watch(tmp_path / "b", "--store", store, "--once") == 0
    assert re.search(r"/b +1,000 +0$", capsys.readouterr().out, re.M)
    tally, _, battery = counted(store)
    assert tally.decks == 1448
    # The relative arrangements of each log begin with its second deck.
    assert tally.seen[1] == 1446
    assert battery.only == set(FEW)


def test_a_log_is_known_by_its_place_however_it_is_named(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.log").write_text(said(perfect(6, 100, 1)))
    assert watch("a.log", "--store", "run.db", "--once") == 0
    assert watch(tmp_path / "a.log", "--store", "run.db", "--once") == 0
    assert "200 decks" not in capsys.readouterr().out
    assert watch("a.log", tmp_path / "a.log", "--store", "run.db", "--once") == 2
    assert "named twice" in capsys.readouterr().err
    Path("link").symlink_to("a.log")
    grow(Path("a.log"), said(perfect(6, 50, 2)))
    assert watch("link", "--store", "run.db", "--once") == 0
    assert "150 decks of 6" in capsys.readouterr().out
    assert watch("link", "a.log", "--store", "run.db", "--once") == 2
    assert "named twice" in capsys.readouterr().err


@pytest.mark.long
def test_a_pipe_is_read_on_or_from_its_start(tmp_path):
    store, decks = tmp_path / "run.db", said(perfect(6, 900, 1)).encode()

    def piped(data, *words):
        command = [*COMMAND, "-", "--store", store, "--once", *words]
        return subprocess.run(command, input=data, capture_output=True, timeout=60)

    half = decks.index(b"\n", len(decks) // 2) + 1
    assert piped(decks[:half]).returncode == 0
    assert b"900 decks" in piped(decks, "--from-start").stdout
    assert b"900 decks" in piped(decks, "--from-start").stdout, "nothing is new"
    other = piped(decks[12:], "--from-start")
    assert other.returncode == 2 and b"--from-start" in other.stderr
    assert b"1,800 decks" in piped(decks).stdout, "these are new decks"


def test_python_can_watch_as_well_and_other_commands_name_the_monitor(tmp_path, capsys):
    log, store = tmp_path / "a.log", tmp_path / "run.db"
    log.write_text(said(perfect(6, 200, 1)))
    assert lab.monitor(str(log), store, only=FEW, alpha=1e-3).decks == 200
    assert lab.monitor([str(log)], store).decks == 200
    for words in (["test", "--resume", str(store)], ["runs", str(store), "--run", "1"]):
        assert main(words) == 2
        assert "fairdeck monitor" in capsys.readouterr().err


# --- bad lines


def test_bad_lines_are_told_and_passed_over(tmp_path, capsys):
    rows = said(perfect(6, 40, 1)).splitlines()
    rows[10:10] = ["connection lost", "0 1 2 3 4 4", ""]
    log, page, metrics = tmp_path / "a.log", tmp_path / "s.html", tmp_path / "m.prom"
    log.write_text("\n".join(rows) + "\n")
    assert watch(log, "--store", tmp_path / "run.db", "--once", "--status", page, "--metrics", metrics) == 0
    out, err = capsys.readouterr()
    assert re.search(r"\.log +40 +2$", out, re.M)
    assert err.count("\n") == 1
    assert "a.log: line 12 holds card 4 twice and lacks card 5" in err
    assert "write one deck on each line" in err
    assert f'fairdeck_log_bad_lines_total{{log="{log}"}} 2' in metrics.read_text()
    assert "The latest bad line" in page.read_text()


def test_a_log_that_holds_hardly_any_decks_is_refused_and_read_on_later(tmp_path, capsys):
    log, store = tmp_path / "a.log", tmp_path / "run.db"
    log.write_text(said(perfect(6, 50, 1)) + "nothing\n" * 2_000)
    assert watch(log, "--store", store, "--once") == 2
    assert "of the latest" in capsys.readouterr().err
    grow(log, said(perfect(6, 50, 2)))
    assert watch(log, "--store", store, "--once") == 0
    assert "100 decks" in capsys.readouterr().out


@pytest.mark.parametrize("other", ["3 0 4 1 2\n0 1 2 3 4\n", "7 8 9 1 2 3\n1 2 3 7 8 9\n", "red blue\nblue red\n"])
def test_a_log_with_decks_of_other_cards_is_refused(other, tmp_path, capsys):
    log, store = tmp_path / "a.log", tmp_path / "run.db"
    log.write_text(said(perfect(6, 40, 1)) + other.replace("\n", "\nstarted\n") + said(perfect(6, 40, 2)))
    assert watch(log, "--store", store, "--once") == 2
    err = capsys.readouterr().err
    assert "a.log: line 43 is a deck of" in err
    assert "and the watch has another deck of 6: write the decks of each kind into a log with a watch of its own" in err
    torn = "0 1 2 3\n5 1 2\n"  # fewer cards, too
    grow(log, torn + "connection lost\n" * 3 + said(perfect(6, 20, 3)))
    assert watch(log, "--store", store, "--once") == 0
    assert "100 decks" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words", "told"),
    [
        (None, (), "no such file"),
        ("hello world\nthis is a log\n", (), "which are not decks"),
        ("SQLite format 3\0", (), "a.log is an SQLite file, not lines that grow: fairdeck test --file"),
        ("0 1 2\n2 1 0\n", ("--alpha", "2"), "alpha"),
        ("0 1 2\n2 1 0\n", ("--cards", "4"), "has 3 cards, not 4"),
        ("[[0, 1, 2], [2, 1, 0]]\n\n1\n", (), "one deck on each line"),
        ("0 1 2\n2 1 0\n", ("--from-start",), "--from-start is for standard input"),
        ("0 1 2\n2 1 0\n", ("--only", "nonsense"), "no statistic is called 'nonsense'"),
    ],
)
def test_bad_input_is_told_in_one_line(refused, text, words, told, tmp_path):
    log = tmp_path / "a.log"
    if text is not None:
        log.write_text(text)
    assert told in refused("monitor", log, "--store", tmp_path / "run.db", "--once", *words)


def test_a_first_line_waits_for_the_second_and_the_watch_says_so(tmp_path, capsys):
    log, store = tmp_path / "a.log", tmp_path / "run.db"
    log.write_text("0 1 2\n")
    assert watch(log, "--store", store, "--once") == 0
    assert "No deck has been read yet: the first two lines of a log show how it is written." in capsys.readouterr().out
    log.write_text("0 1 2\n2 1 0\n")
    assert watch(log, "--store", store, "--once") == 0
    assert "2 decks of 3 cards" in capsys.readouterr().out


def test_other_settings_are_refused_in_a_later_watch(tmp_path, capsys):
    log, store = tmp_path / "a.log", tmp_path / "run.db"
    log.write_text(said(perfect(6, 40, 1)))
    assert watch(log, "--store", store, "--once", "--alpha", "1e-3") == 0
    assert watch(log, "--store", store, "--once", "--alpha", "1e-3") == 0
    assert watch(log, "--store", store, "--once", "--alpha", "1e-2") == 2
    assert "alpha 0.01: the watch in" in capsys.readouterr().err
    assert watch(log, "--store", store, "--once", "--only", "descents,cycles") == 2
    assert f"only cycles,descents: the watch in {store} has all statistics, which" in capsys.readouterr().err


def test_a_header_in_every_file_is_no_bad_line(tmp_path, capsys):
    log, store = tmp_path / "a.csv", tmp_path / "run.db"
    for seed in (1, 2):
        log.write_text("a,b,c,d\n" + said(perfect(4, 30, seed)).replace(" ", ","))
        assert watch(log, "--store", store, "--once") == 0
        log.rename(tmp_path / f"a.csv.{seed}")
    assert re.search(r" +60 +0$", capsys.readouterr().out, re.M)


# --- judging


def test_a_fault_that_begins_late_is_found_and_dated_and_the_alarm_stays(tmp_path, capsys):
    log, store, page = tmp_path / "a.log", tmp_path / "run.db", tmp_path / "s.html"
    fair = perfect(6, 24_000, 1)
    log.write_text(said(fair))
    assert watch(log, "--store", store, "--once", "--only", ",".join(FEW)) == 0
    grow(log, said(faulty(perfect(6, 9_000, 2), 0.2, 3)))
    assert watch(log, "--store", store, "--once", "--status", page, "--metrics", tmp_path / "m") == 1
    out, err = capsys.readouterr()
    assert "Not fair: card 0 lies at place 0" in out and "Not fair: card 0 lies at place 0" in err
    onset = onset_in(store)
    assert onset.low <= 24_001 <= onset.high
    assert onset.high - onset.low < 12_000
    assert "Since when" in page.read_text() and "fairdeck_unfair 1" in (tmp_path / "m").read_text()
    grow(log, said(perfect(6, 9_000, 4)))
    assert watch(log, "--store", store, "--once") == 1, "an alarm is final"
    assert onset_in(store).low <= 24_001, "later decks do not move it behind the alarm"


def test_decks_that_come_again_raise_an_alarm_that_is_not_dated(tmp_path, capsys):
    log, store = tmp_path / "a.log", tmp_path / "run.db"
    log.write_text(3 * said(perfect(12, 3_000, 1)))  # three segments, with another number of fingerprints each
    assert watch(log, "--store", store, "--once", "--only", "repeats") == 1
    assert "pairs of equal decks" in capsys.readouterr().err
    assert watch(log, "--store", store, "--once") == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_status_page_after_an_alarm_can_be_read_on_a_small_phone(scheme, tmp_path, faults_on_a_small_phone):
    weighed = Weighed(Evidence("order", "one pair", PValue(1e-12, "z", 7.1), "card 1 too high"), "order", 0, 1.0, 1e-9)
    log = LogStatus("/var/log/a/rather/long/name/decks.log", 340_000, 2, "line 7 has 3 cards instead of 52; ...", 1)
    at = "2026-11-23T17:49:57+00:00"
    page = tmp_path / "s.html"
    raised = Alarm(304_113, at, 1e-9, 296_000, 8_113, in_window=True)
    for alarm, onset in ((None, None), (raised, Onset(300_298, 292_668, 307_928, at, at, "order: one pair"))):
        status = Status(
            *("watch.db", 1, at, at, at, 52, 340_000, "fail" if alarm else "pass", 1e-9, 1e-6, 9e-7, (log,)),
            alarm=alarm,
            onset=onset,
            findings=(Finding(1e-12, weighed),) if alarm else (),
        )
        page.write_text(html(document(status)))
        assert faults_on_a_small_phone(page, scheme) == []


def test_the_cause_follows_the_alarm_on_the_screen_and_the_page(tmp_path, capsys):
    log, page = tmp_path / "a.log", tmp_path / "s.html"
    log.write_text(said(np.hstack([np.sort(half) for half in np.hsplit(perfect(12, 60, 1), 2)])))
    asked = (log, "--store", tmp_path / "run.db", "--once", "--cause", "20", "--status", page)
    assert watch(*asked) == 1
    assert "are too few" in capsys.readouterr().err
    log.with_suffix(".two").write_text(said(np.insert(perfect(11, 400, 2), 11, 11, axis=1)))
    asked = (log.with_suffix(".two"), "--store", tmp_path / "two.db", *asked[3:])
    assert watch(*asked) == 1
    alarm, cause = capsys.readouterr().err.splitlines()[:2]
    assert "Not fair" in alarm and "The cause" in cause and "the card at place 11 never moves" in cause
    assert "never moves" in page.read_text()


def test_a_gross_fault_that_begins_late_need_not_wait_for_a_window(tmp_path, capsys):
    log = tmp_path / "a.log"
    log.write_text(said(perfect(10, 30_000, 1)) + "0 1 2 3 4 5 6 7 8 9\n" * 200)
    only = ("--only", "rising sequences,inversions,descents")
    assert watch(log, "--store", tmp_path / "run.db", "--once", *only) == 1
    out = capsys.readouterr().out
    assert "after 30,1" in out or "after 30,200" in out
    assert "not dated yet" in out


@pytest.mark.long
def test_a_fault_that_begins_at_deck_300_000_is_dated_within_its_interval(tmp_path):
    log = tmp_path / "a.log"
    log.write_text(said(np.concatenate([perfect(52, 300_000, 1), faulty(perfect(52, 40_000, 2), 0.02, 3)])))
    watched = Monitor(tmp_path / "run.db", [str(log)])
    while watched.step():
        pass
    status = watched.status()
    watched.close()
    assert status.alarm and 300_000 < status.alarm.decks < 325_000
    assert status.onset and status.onset.low <= 300_001 <= status.onset.high
    assert status.onset.high - status.onset.low < 30_000


def life(seed, decks, level):
    """Return whether a fair log raises an alarm at any moment, judged at every block."""
    battery = Battery(6, 0, frozenset(FEW))
    made, done = perfect(6, decks, seed), 0
    trial = Trial(battery, 10**12, level * OF_ALL, announced=False)
    judged = windows.Windows(battery, level * (1 - OF_ALL))
    for size in block_sizes(6, decks):
        tally = battery.tally(Block(made[done : done + size], made[:0]))
        trial.add(tally)
        trial.verdict()
        judged.add(tally, "")
        done += size
        if trial.failed or judged.failed:
            return True
    return False


@pytest.mark.long
def test_fair_logs_of_a_years_length_raise_alarms_within_the_level(monkeypatch):
    """A year in small: 2,000 logs of 32 segments. Correct code fails this with chance 1e-6 at most."""
    monkeypatch.setattr(windows, "segment_size", lambda _cards: 32)
    alarms = sum(life(seed, 1_024, 0.2) for seed in range(2_000))
    assert alarms <= 491, "the upper bound of a binomial law of 2,000 and 0.2"


@pytest.mark.long
def test_windows_without_their_shares_raise_too_many_alarms(monkeypatch):
    """The check above can fail: the shares are what keeps the level."""
    monkeypatch.setattr(windows, "segment_size", lambda _cards: 32)
    monkeypatch.setattr(windows, "share", lambda _order, _number: 1.0)
    assert sum(life(seed, 1_024, 0.01) for seed in range(100)) >= 5, "1 would be expected, and 0 come with the shares"


def test_the_shares_of_all_windows_add_up_to_one():
    total = sum(windows.share(order, number) for order in range(2_000) for number in range(1, 200))
    assert 0.99 < total < 1
    judged = windows.Windows(Battery(6), 0.1)
    judged.standing.closed = 6
    made = sum(windows.share(order, number) for order in range(3) for number in range(1, (6 >> order) + 1))
    assert judged.spent == pytest.approx(made)


def test_windows_see_every_segment_once_and_keep_few():
    battery = Battery(5, 0, frozenset(FEW))
    judged = windows.Windows(battery, 1e-9)
    asked = []
    judged._weigh_in = lambda tally, first, *_, **__: asked.append((first, tally.decks))
    size = windows.segment_size(5)
    tally = battery.tally(Block(perfect(5, size, 1), perfect(5, 0, 1)))
    for _ in range(64):
        judged.add(tally, "")
    assert [asked.count((at * size, (64 - at) * size)) for at in (0, 32, 48)] == [1, 1, 1]
    assert sum(each.decks for each in judged.standing.segments) == 64 * size
    assert len(judged.standing.segments) < 6 * windows.KEPT


@pytest.mark.parametrize("cells", [10, 500])
def test_the_interval_of_a_change_point_holds_it(cells):
    """95 % at least; of 200, correct code has fewer than 176 with a chance of 1e-5."""
    rng, held = np.random.default_rng(cells), 0
    fair = np.full(cells, 1 / cells)
    for _ in range(200):
        off = rng.standard_normal(cells)
        off -= off.mean()
        after = np.abs(fair + off * 0.1 / cells)
        after /= after.sum()
        part = int(rng.integers(20_000))
        laws = [*[(20_000, 0)] * 23, (part, 20_000 - part), *[(0, 20_000)] * 12]
        found = change_point([rng.multinomial(a, fair) + rng.multinomial(b, after) for a, b in laws])
        held += found.low <= 23 + part / 20_000 <= found.high
    assert held >= 176


def test_no_change_is_said_where_there_is_none():
    rng = np.random.default_rng(1)
    found = [change_point(rng.multinomial(20_000, [0.4, 0.3, 0.3], 40)) for _ in range(50)]
    assert sum(each.at == 0 for each in found) >= 40
    assert change_point([np.array([1, 2])] * 3) is None


def test_two_watches_of_one_store_do_not_count_twice(tmp_path):
    log = tmp_path / "a.log"
    log.write_text(said(perfect(6, 100, 1)))
    first, second = (Monitor(tmp_path / "run.db", [str(log)]) for _ in range(2))
    first.step()
    first.commit()
    third = Monitor(tmp_path / "run.db", [str(log)])
    grow(log, said(perfect(6, 100, 2)))
    first.step()
    first.commit()
    with pytest.raises(FairdeckError, match="another process continues"):  # a slow step commits by itself
        third.step()
        third.commit()
    for each in (first, second, third):
        each.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FairdeckError, match="fairdeck monitor -"):
        Monitor(tmp_path / "run.db", [str(tmp_path / "pipe")]).step()


def test_a_watch_says_what_is_wrong_before_its_first_block_is_complete(tmp_path):
    """Three decks in factory order are beyond doubt, and no block is complete then."""
    log = tmp_path / "log"
    log.write_text(said(np.tile(np.arange(52), (3, 1))))
    with closing(Monitor(tmp_path / "watch.db", [str(log)])) as watched:
        watched.step()
        status = watched.status()
        watched.commit()
    assert (status.decks, status.outcome, status.onset) == (3, "fail", None)
    assert status.findings
    with closing(Monitor(tmp_path / "watch.db", [str(log)])) as again:
        again.step()
        assert again.status().findings == status.findings


def places(tree):
    """Yield each value in a JSON object: what holds it, and its key."""
    for key, value in list(tree.items()) if isinstance(tree, dict) else list(enumerate(tree)):
        yield tree, key
        if isinstance(value, dict | list):
            yield from places(value)


def test_a_stored_watch_with_any_value_of_another_type_is_refused_or_read_again(tmp_path):
    """Every value of its state, each replaced by two others: one line says that it is damaged, or it goes on."""
    log, path = tmp_path / "log", tmp_path / "watch.db"
    log.write_text(said(perfect(5, 20, 1)))
    monitor(str(log), path, cards=5, only=("descents",))
    with closing(sqlite3.connect(path)) as file:
        ((before,),) = file.execute("select more from runs")
    refused = tries = 0
    for at in range(sum(1 for _ in places(json.loads(before)))):
        for odd in ((None, "x"), (-1, []))[at % 2]:
            state = json.loads(before)
            inside, key = list(places(state))[at]
            inside[key] = odd
            with closing(sqlite3.connect(path)) as file:
                file.execute("update runs set more = ?", [json.dumps(state)])
                file.commit()
            tries += 1
            try:
                with closing(Monitor(path, [str(log)])) as watched:
                    watched.step()
            except FairdeckError as error:
                assert re.search("is damaged|may count differently", str(error)), error
                refused += 1
    assert 0.6 * tries < refused < tries


@pytest.mark.parametrize("source", ["log", "pipe"])
def test_a_line_of_megabytes_is_one_bad_line_and_costs_no_seconds(source, tmp_path, monkeypatch):
    """64 MiB of a kind that took apart would take minutes; what follows it is read, wherever the pieces are cut."""
    decks = said(perfect(6, 40, 1)).encode()
    counts = []
    for odd in (b"12 " * (22 << 20), b"[" + b"1," * (4 << 20) + b"1]", b"x" * ((1 << 20) + 1)):
        log = tmp_path / f"{len(counts)}.log"
        log.write_bytes(decks + odd + b"\n" + decks + odd[: 1 << 18] + b"\n" + decks)
        began = time.process_time()
        if source == "pipe":
            with log.open("rb") as file:
                monkeypatch.setattr("sys.stdin", io.TextIOWrapper(file))
                status = monitor("-", tmp_path / f"{len(counts)}.db", cards=6, only=("descents",))
        else:
            status = monitor(str(log), tmp_path / f"{len(counts)}.db", cards=6, only=("descents",))
        counts.append((status.decks, status.logs[0].bad))
        assert time.process_time() - began < 8
        assert "too many for a deck of 6 cards" in status.logs[0].latest_bad
    assert counts == [(120, 2)] * 3


def test_a_long_line_that_is_still_being_written_is_read_once_it_ends(tmp_path):
    log = tmp_path / "a.log"
    log.write_bytes(b"0 1 2\n" + b"9" * (LONGEST_LINE - 1))
    live = LiveLog(str(log))
    assert lines_of(live) == b"0 1 2\n"
    for _ in range(3):
        assert lines_of(live) == b""
        grow(log, b"9" * (1 << 20))
    grow(log, b" 2 1 0\n2 0 1\n")
    pieces = [text for text, _ in live.pieces()]
    assert len(pieces[0]) == LONGEST_LINE + 2 and pieces[1:] == [b"2 0 1\n"]
    live.close()


@pytest.mark.parametrize("zeros", [3 << 20, (1 << 20) + 7])
def test_a_deck_after_megabytes_of_zeros_is_read(zeros, tmp_path):
    """A log that was truncated, whose writer went on at its old place, begins with zeros."""
    log = tmp_path / "a.log"
    log.write_bytes(said(perfect(6, 40, 1)).encode() + bytes(zeros) + b"5 4 3 2 1 0\n0 1 2 3 4 5\n")
    status = monitor(str(log), tmp_path / "watch.db", cards=6, only=("descents",))
    assert (status.decks, status.logs[0].bad) == (42, 0)


def test_decks_that_were_lost_are_told_where_a_nightly_job_hears_it(tmp_path, capsys):
    log, store, metrics = tmp_path / "a.log", tmp_path / "run.db", tmp_path / "m.prom"
    words = [log, "--store", store, "--once", "--metrics", metrics]
    log.write_text(said(perfect(6, 40, 1)))
    assert watch(*words) == 0
    assert f'fairdeck_log_lost_total{{log="{log}"}} 0' in metrics.read_text()
    log.write_text(said(perfect(6, 50, 2)))  # truncated and written on, and nobody kept a copy
    capsys.readouterr()
    assert watch(*words) == 2
    told = f"fairdeck: {log}: once the rest of an old file was gone before it was read: decks may be missing\n"
    assert capsys.readouterr().err == told
    assert f'fairdeck_log_lost_total{{log="{log}"}} 1' in metrics.read_text()
    assert watch(*words) == 0  # told once; the metric stays
    assert capsys.readouterr().err == ""
    assert f'fairdeck_log_lost_total{{log="{log}"}} 1' in metrics.read_text()
    fair = said(perfect(6, 40, 1)).splitlines()
    log.write_text("\n".join(each for each in fair if each.startswith("0")) * 9 + "\n")
    assert watch(*words) in (1, 2)  # an alarm counts more


def test_an_old_file_that_is_gone_between_two_calls_is_told(tmp_path):
    log, store = tmp_path / "a.log", tmp_path / "run.db"
    log.write_text(said(perfect(6, 40, 1)))
    monitor(str(log), store)
    log.rename(tmp_path / "a.log.1")
    log.write_text(said(perfect(6, 40, 2)))
    assert monitor(str(log), store).logs[0].lost == 0
    (tmp_path / "a.log.1").unlink()  # less than half a minute after its rotation: late lines may have come
    assert monitor(str(log), store).logs[0].lost == 1


def test_the_line_for_cron_in_the_docs_lets_errors_through():
    text = (Path(__file__).parents[1] / "docs/how-to/monitor.md").read_text(encoding="utf-8")
    (line,) = [line.strip() for line in text.splitlines() if line.strip().startswith("*/10 * * * * fairdeck monitor")]
    assert "> /dev/null ||" in line and "2>" not in line
    assert "`fairdeck_log_lost_total`" in text and "decks of a log may be missing" in text
