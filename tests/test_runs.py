"""Stored runs: nothing is lost, counted twice or chosen afterwards, whatever plug is pulled; others can check them."""

import hashlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from html import escape
from pathlib import Path
from random import Random

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.errors import FairdeckError
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.judging.trial import Trial, run
from fairdeck.lab.runs import keeping, records, registration, verifying
from fairdeck.lab.runs.keeping import Keeper
from fairdeck.lab.runs.processes import spread
from fairdeck.lab.runs.registration import Registration
from fairdeck.lab.runs.store import Store
from fairdeck.lab.sources.simulated import NumberedBlock, Simulated
from fairdeck.show.reports import certificate
from tests.test_draw_files import ROUND, ROUNDS, SIGNATURE
from tests.test_stores_from_others import fairdeck as answered

SMALL = {"cards": 9, "only": "descents,repeats", "seed": 5}
WORDS = ["--cards", "9", "--only", "descents,repeats", "--seed", "5"]


@pytest.fixture(scope="module", autouse=True)
def committed_often():
    """Commit after every portion."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keeping, "EVERY", 0.0)
        patch.setattr(keeping, "COST", 0)
        yield


def stored(path: Path):
    with Store(path) as store:
        (number,) = store.numbers()
        return store.run(number)


def data(path: Path) -> bytes:
    """Everything counted, as bytes."""
    found = stored(path)
    return records.packed_tally(found.inquiry.battery, found.standing.tally)


def plain(report) -> dict:
    """The report without what differs from place to place."""
    fields = json.loads(report.to_json())
    return {name: value for name, value in fields.items() if name not in ("seconds", "run", "notes", "command")}


def stopping(after: int) -> Callable[[Trial], None]:
    """Press Ctrl-C once so many decks are counted."""

    def watch(trial: Trial) -> None:
        if trial.decks >= after:
            raise KeyboardInterrupt

    return watch


# Bytes and digests.


def tallied(*numbers: int):
    battery = Battery(8)
    return battery, battery.tally_all([NumberedBlock("fisher-yates", 8, 1, number, 500) for number in numbers])


def test_a_tally_comes_back_from_its_bytes_and_bad_bytes_are_refused():
    battery, tally = tallied(1, 2, 3)
    again = records.unpacked_tally(battery, records.packed_tally(battery, tally))
    assert (again.decks, again.seen) == (tally.decks, tally.seen)
    assert all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in zip(again.counts, tally.counts, strict=True))
    for broken in (b"", b"no", records.packed_tally(battery, tally)[:-20], records.packed_tally(*tallied(1))[::-1]):
        with pytest.raises(FairdeckError, match="restore the store"):
            records.unpacked_tally(battery, broken)
    with pytest.raises(FairdeckError, match="other statistics"):
        records.unpacked_tally(Battery(8, only=frozenset({"descents"})), records.packed_tally(battery, tally))


# Going on.


@pytest.mark.cases(3)
@pytest.mark.parametrize("shuffle", ["fisher-yates", "sattolo", "modulo-8"])
@pytest.mark.parametrize("at", [16, 700, 8_000])
def test_a_run_goes_on_digit_for_digit(tmp_path, shuffle, at):
    whole = lab.test(shuffle, decks=20_000, store=tmp_path / "whole.db", **SMALL)
    path = tmp_path / "run.db"
    report = lab.test(shuffle, decks=20_000, store=path, progress=stopping(at), report_on_ctrl_c=True, **SMALL)
    if report.verdict.outcome != "fail":
        assert report.cut_short
        report = lab.resume(path)
    assert plain(report) == plain(whole)
    assert data(path) == data(tmp_path / "whole.db")
    with pytest.raises(FairdeckError, match=r"no unfinished run"):
        lab.resume(path)


def test_many_breaks_change_nothing(tmp_path):
    whole = lab.test("fisher-yates", decks=20_000, store=tmp_path / "whole.db", **SMALL)
    path = tmp_path / "run.db"
    report = lab.test("fisher-yates", decks=20_000, store=path, progress=stopping(100), report_on_ctrl_c=True, **SMALL)
    while report.cut_short:
        after = stored(path).decks + 1_500
        report = lab.resume(path, progress=stopping(after), report_on_ctrl_c=True)
    assert plain(report) == plain(whole)
    assert stored(path).sessions > 5
    assert data(path) == data(tmp_path / "whole.db")


def test_a_file_is_read_on_where_the_run_stood(tmp_path):
    decks = tmp_path / "decks.txt"
    rng = Random(1)
    decks.write_text("".join(" ".join(map(str, rng.sample(range(8), 8))) + "\n" for _ in range(6_000)))
    whole = lab.test(decks, only="descents", store=tmp_path / "whole.db")
    lab.test(decks, only="descents", store=tmp_path / "run.db", progress=stopping(2_000), report_on_ctrl_c=True)
    assert 2_000 <= stored(tmp_path / "run.db").decks < 6_000
    assert plain(lab.resume(tmp_path / "run.db")) == plain(whole)
    lab.test(decks, only="descents", store=tmp_path / "b.db", progress=stopping(2_000), report_on_ctrl_c=True)
    decks.write_text("0 1 2 3 4 5 6 7\n")
    before = (tmp_path / "b.db").read_bytes()
    with pytest.raises(FairdeckError, match="has changed since the run began"):
        lab.resume(tmp_path / "b.db")
    assert (tmp_path / "b.db").read_bytes() == before  # who counts it elsewhere is not disturbed


def test_a_function_goes_on_with_other_decks(tmp_path):
    (tmp_path / "mine.py").write_text("def shuffle(deck, rng):\n    rng.shuffle(deck)\n")
    function, path = f"{tmp_path / 'mine.py'}:shuffle", tmp_path / "run.db"
    options = {"decks": 3_000, **SMALL}
    lab.test(function, store=path, progress=stopping(1_000), report_on_ctrl_c=True, **options)
    before = stored(path)
    report = lab.resume(path)
    assert report.verdict.outcome == "pass"
    assert before.decks < report.verdict.decks == 3_000
    at = [member.statistic.name for member in report.battery.members].index("repeats")
    kept = stored(path).standing.tally.counts[at][0]
    assert len(np.unique(kept)) > 2_800  # of 8! orders; had the same decks come again, at most 2,000


def test_a_function_in_parts_goes_on_digit_for_digit(tmp_path):
    (tmp_path / "mine.py").write_text("def shuffle(deck, rng):\n    rng.shuffle(deck)\n")
    function, path = f"{tmp_path / 'mine.py'}:shuffle", tmp_path / "run.db"
    options = {"decks": 3_000, "in_parts": True, **SMALL}
    whole = lab.test(function, store=tmp_path / "whole.db", **options)
    lab.test(function, store=path, progress=stopping(1_000), report_on_ctrl_c=True, **options)
    assert not stored(path).ended
    assert plain(lab.resume(path)) == plain(whole)
    assert data(path) == data(tmp_path / "whole.db")


@pytest.mark.long
def test_threads_processes_and_a_cluster_store_the_same(tmp_path):
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    from fairdeck.lab.runs.cluster import cluster
    from tests.test_cluster import Farm

    options = {"decks": 400_000, **SMALL}
    lab.test("fisher-yates", store=tmp_path / "one.db", **options)
    with spread(2, alone=0) as map_:
        lab.test("fisher-yates", store=tmp_path / "two.db", map=map_, **options)
    leaving = ExitStack()
    with leaving, cluster(Farm(leaving, tmp_path).address) as map_:
        stop = stopping(100_000)
        lab.test("fisher-yates", store=tmp_path / "c.db", map=map_, progress=stop, report_on_ctrl_c=True, **options)
        assert not stored(tmp_path / "c.db").ended
    lab.resume(tmp_path / "c.db", workers=2)
    assert data(tmp_path / "one.db") == data(tmp_path / "two.db") == data(tmp_path / "c.db")


@pytest.mark.parametrize("what", [lambda deck: deck, np.array([[0, 1, 2], [2, 1, 0]])])
def test_what_cannot_be_found_again_has_no_store(tmp_path, what):
    with pytest.raises(FairdeckError, match="cannot be found again"):
        lab.test(what, cards=3, decks=100, store=tmp_path / "run.db")


# Refusals.


def test_an_unfinished_run_is_not_begun_again_until_it_pleases(tmp_path):
    path = tmp_path / "run.db"
    lab.test("fisher-yates", decks=9_000, store=path, progress=stopping(1_000), report_on_ctrl_c=True, **SMALL)
    says = r"unfinished run of the same test .*: continue with fairdeck test --resume"
    with pytest.raises(FairdeckError, match=says):
        lab.test("fisher-yates", decks=9_000, store=path, **SMALL | {"seed": 6})
    lab.test("fisher-yates", decks=9_001, store=path, **SMALL)  # another test
    with Store(path) as store:
        assert [bool(store.run(number).ended) for number in store.numbers()] == [False, True]


def test_two_processes_cannot_go_on_with_one_run(tmp_path):
    path = tmp_path / "run.db"
    lab.test("fisher-yates", decks=9_000, store=path, progress=stopping(1_000), report_on_ctrl_c=True, **SMALL)
    first = Keeper.resume(path)
    second = Keeper.resume(path)
    trial = first.run.trial()
    with pytest.raises(FairdeckError, match=r"another process continues run 1.*decks are safe"):
        for _ in run(trial, Simulated("fisher-yates", 9, 5)):
            first.keep(trial)
    assert stored(path).commits == second.run.commits


def test_other_code_does_not_go_on(tmp_path, monkeypatch):
    path = tmp_path / "run.db"
    lab.test("fisher-yates", decks=9_000, store=path, progress=stopping(1_000), report_on_ctrl_c=True, **SMALL)
    monkeypatch.setattr(registration, "hash_of_code", lambda: "f" * 64)
    with pytest.raises(FairdeckError, match="begun by other code"):
        lab.resume(path)


def test_files_that_are_no_stores_are_refused_in_words(tmp_path):
    path = tmp_path / "run.db"
    with pytest.raises(FairdeckError, match="is not a file"):
        Store(path)
    path.write_text("decks, decks, decks" * 100)
    with pytest.raises(FairdeckError, match=r"not a database; name the store"):
        Store(path)
    with closing(sqlite3.connect(tmp_path / "other.db")) as other, other:
        other.execute("create table birds (name text)")
    with pytest.raises(FairdeckError, match="database of another program"):
        Store(tmp_path / "other.db")
    with pytest.raises(FairdeckError, match="folder that exists"):
        Store(tmp_path / "nowhere" / "run.db", create=True)
    Store(tmp_path / "new.db", create=True).close()
    for version, told in ((99, "a newer fairdeck"), (2, "an older fairdeck")):
        with closing(sqlite3.connect(tmp_path / "new.db")) as file:
            file.execute(f"pragma user_version = {version}")
        with pytest.raises(FairdeckError, match=told):
            Store(tmp_path / "new.db")


@pytest.mark.long
def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    path = tmp_path / "run.db"
    whole = lab.test("fisher-yates", decks=60_000, store=tmp_path / "whole.db", **SMALL)
    before = Store._prepare

    def small(store, *, create):
        before(store, create=create)
        store._file.execute("pragma max_page_count = 24")

    monkeypatch.setattr(Store, "_prepare", small)
    says = r"full; make room; .* decks are safe: continue with fairdeck test --resume"
    with pytest.raises(FairdeckError, match=says):
        lab.test("fisher-yates", decks=60_000, store=path, **SMALL)
    monkeypatch.setattr(Store, "_prepare", before)
    assert 0 < stored(path).decks < 60_000
    assert plain(lab.resume(path)) == plain(whole)
    assert data(path) == data(tmp_path / "whole.db")


@pytest.mark.parametrize(
    "statement",
    [
        "update runs set registration = '{}'",
        f"update runs set standing = '{'[' * 100_000}'",
        "update parts set name = 'nothing'",
        "delete from parts",
    ],
)
def test_a_damaged_store_is_refused_in_words_or_does_not_hold(ended, statement):
    try:
        assert not forged(ended, statement).holds
    except FairdeckError as error:
        assert "\n" not in str(error)


def test_a_tally_that_unpacks_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(records, "MOST_BYTES", 2**20)
    with pytest.raises(FairdeckError, match="far too large"):
        records.unpacked_tally(Battery(8), zlib.compress(bytes(records.MOST_BYTES + 1), 9))


# Verifying.


@pytest.fixture(scope="module")
def one_run(tmp_path_factory):
    path = tmp_path_factory.mktemp("ended") / "run.db"
    lab.test("fisher-yates", decks=20_000, store=path, **SMALL)
    return path


@pytest.fixture
def ended(one_run, tmp_path):
    """A run that has ended; a copy for each test, which may change it."""
    return Path(shutil.copy(one_run, tmp_path / "run.db"))


def numbers_in(path: Path) -> list[int]:
    with Store(path) as store:
        return store.numbers()


def forged(path: Path, statement: str, *values: object) -> verifying.Checked:
    """Change the store by hand and verify it."""
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(statement, values)
    return verifying.verify(stored(path))


def lie(path: Path, **standing: object) -> verifying.Checked:
    """Change where the trial of a store stands, and verify it."""
    with closing(sqlite3.connect(path)) as file:
        (text,) = file.execute("select standing from runs").fetchone()
    return forged(path, "update runs set standing = ?", json.dumps(json.loads(text) | standing))


def with_registration(path: Path, **other: object) -> verifying.Checked:
    """Change what is registered, and verify it."""
    text = json.dumps(json.loads(stored(path).registration.text) | other, sort_keys=True, separators=(",", ":"))
    return forged(path, "update runs set registration = ?", text)


def test_an_honest_run_holds(ended):
    found = stored(ended)
    checked = verifying.verify(found, registered=found.registration.digest.upper())
    assert (checked.holds, checked.first_fault, checked.checked, len(checked.remarks)) == (True, "", 20_000, 1)
    assert found.begun in checked.remarks[0]
    with spread(2, alone=0) as map_:
        assert "compare its digest" in verifying.verify(found, map_=map_).remarks[1]


@pytest.mark.parametrize("go_on", [0, 5_000])
def test_an_honest_failure_holds(tmp_path, go_on):
    lab.test("sattolo", decks=60_000, store=tmp_path / "run.db", go_on=go_on, **SMALL)
    assert verifying.verify(stored(tmp_path / "run.db")).holds


def test_a_failure_at_ctrl_c_holds(tmp_path):
    """The analysis that is made when somebody stops a run is the one that is made when its decks are counted again."""
    path = tmp_path / "run.db"
    options = {"cards": 9, "only": "descents", "seed": 9, "alpha": 0.01, "progress": stopping(300)}
    report = lab.test("riffle*5", decks=60_000, store=path, report_on_ctrl_c=True, **options)
    assert (report.verdict.outcome, report.verdict.decks) == ("fail", 362)
    assert verifying.verify(stored(path)).holds


def test_another_registration_is_named_and_nothing_is_counted(ended):
    checked = verifying.verify(stored(ended), registered="00" * 32)
    assert "the run was registered as" in checked.first_fault
    assert not checked.checked


@pytest.mark.parametrize("name", ["descents", "repeats"])
def test_one_count_more_is_noticed(ended, name):
    found = stored(ended)
    total = found.standing.tally
    total.counts[[each.statistic.name for each in found.inquiry.battery.members].index(name)][0, ...].flat[-1] += 1
    with Store(ended) as store:
        store.commit(found)
    assert verifying.verify(stored(ended)).first_fault == "its registration gives other counts"


@pytest.mark.parametrize(
    ("other", "fault"),
    [
        ({"seed": "6"}, "its registration gives other counts"),
        ({"decks": 70_000}, "it ended after 20,000 of the 70,000 decks that were announced, without a failure"),
        ({"decks": 16_384}, "its registration gives other counts"),
        ({"alpha": 1e-9}, ""),  # it changes no count: only the digest that was published shows it
    ],
)
def test_another_registration_gives_another_run(ended, other, fault):
    assert with_registration(ended, **other).first_fault == fault


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    "words",
    [{"analyses_p": float("nan")}, {"settled": [20_000, float("nan")]}, {"settled": [10**12, 0.5]}, {"best_bet": 99}],
)
def test_numbers_that_no_trial_has_are_refused(ended, words):
    with pytest.raises(FairdeckError, match="is damaged"):
        lie(ended, **words)


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    "other",
    [
        *({"announced": False}, {"seed": ""}, {"seed": "zz"}, {"seed": " 5"}, {"seed": 5}, {"decks": "60000"}),
        *({"decks": 10**40}, {"alpha": float("nan")}, {"alpha": True}, {"what": ["fisher-yates"]}),
        *({"standard": 5}, {"start": "in heaven"}, {"only": "descents"}),
    ],
)
def test_a_registration_that_nobody_could_make_is_refused(ended, other):
    with pytest.raises(FairdeckError, match="not the registration of a run"):
        with_registration(ended, **other)


def test_a_registration_has_one_text(ended):
    text = stored(ended).registration.text
    for other in (f" {text}", text.replace('"alpha":', '"alpha":0.5,"alpha":'), "[" * 100_000):
        with pytest.raises(FairdeckError, match="not the registration of a run"):
            forged(ended, "update runs set registration = ?", other)


def test_a_store_that_could_show_two_faces_is_refused(ended):
    with pytest.raises(FairdeckError, match="views, triggers"):
        forged(ended, "create view other as select random()")


@pytest.mark.parametrize("name", [":memory:", "file:run.db", "file:run.db?mode=memory", "a#b%20?c=d '\".db"])
def test_a_store_is_the_file_of_its_name(tmp_path, monkeypatch, name):
    """Some names mean something else to SQLite: a database in memory, which would be lost."""
    monkeypatch.chdir(tmp_path)
    lab.test("fisher-yates", decks=100, store=name, **SMALL)
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert stored(Path(name)).decks == 100


def test_numbers_of_numpy_are_registered_as_numbers(tmp_path):
    numbers = {"lags": np.int64(1), "timeout": np.int64(5), "at_least": np.int64(50), "decks": np.int64(100)}
    lab.test("fisher-yates", store=tmp_path / "run.db", **SMALL, **numbers)
    assert stored(tmp_path / "run.db").inquiry.timeout == 5.0


def test_to_look_at_an_empty_file_leaves_it_empty(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    with pytest.raises(FairdeckError, match="is empty"):
        Store(path)
    assert path.read_bytes() == b""


def test_a_run_of_other_kernels_is_not_called_a_forgery(ended, monkeypatch):
    monkeypatch.setattr(registration, "available", lambda: False)
    with pytest.raises(FairdeckError, match="which makes other decks: install numba"):
        verifying.verify(stored(ended))


# Real processes.


HASTY = """
import sys
from fairdeck.lab.runs import keeping
keeping.EVERY, keeping.COST = 0.05, 0
from fairdeck.cli import main
sys.exit(main())
"""


def hasty(*words: object) -> subprocess.Popen[str]:
    """Begin a command that commits twenty times a second."""
    return subprocess.Popen(
        [sys.executable, "-c", HASTY, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.long
def test_killing_everything_at_twenty_random_moments_changes_no_digit(tmp_path):
    asked = ["--decks", "1500000", *WORDS, "--json"]
    whole = hasty("test", "fisher-yates", *asked, "--store", tmp_path / "whole.db")
    expected = json.loads(whole.communicate(timeout=300)[0])
    path, rng, killed = tmp_path / "run.db", Random(7), 0
    process = hasty("test", "fisher-yates", *asked, "--store", path)
    while killed < 20:
        time.sleep(rng.uniform(0.6, 2.5))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        killed += 1
        if not path.exists() or not path.stat().st_size:  # killed before anything was registered
            process = hasty("test", "fisher-yates", *asked, "--store", path)
            continue
        if numbers_in(path) and stored(path).ended:
            break
        again = ["--resume", path, "--json"] if numbers_in(path) else ["fisher-yates", *asked, "--store", path]
        process = hasty("test", *again)
    out = process.communicate(timeout=300)[0]
    if not stored(path).ended:
        out = hasty("test", "--resume", path, "--json").communicate(timeout=300)[0]
    assert killed >= 5
    assert stored(path).ended
    assert data(path) == data(tmp_path / "whole.db")
    assert json.loads(out)["p_value"] == expected["p_value"]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.cases(1)
def test_a_signal_stores_what_was_counted(tmp_path, sent):
    path = tmp_path / "run.db"
    process = hasty("test", "fisher-yates", "--decks", "100000000", *WORDS, "--workers", "1", "--store", path)
    until = time.monotonic() + 60
    while not path.exists() and time.monotonic() < until:  # on a busy machine it begins late
        time.sleep(0.1)
    time.sleep(2)
    process.send_signal(sent)
    out, error = process.communicate(timeout=60)
    assert process.returncode == (130 if sent == signal.SIGINT else 128 + sent), error
    found = stored(path)
    assert found.decks > 1_000
    assert not found.ended
    if sent == signal.SIGINT:
        assert f"{found.decks:,} decks" in out
        assert f"fairdeck test --resume {path}" in out


def test_the_commands_say_what_is_stored_and_verify_it(tmp_path):
    path, report = tmp_path / "run.db", tmp_path / "report.json"
    code, out, _ = answered("test", "fisher-yates", "--decks", "3000", *WORDS, "--store", path, "--json")
    assert code == 0
    report.write_text(out)
    stated = json.loads(out)
    assert "run 1  fisher-yates, 9 cards: 3,000 of 3,000 decks, pass, after 3,000 decks" in answered("runs", path)[1]
    assert json.loads(answered("runs", path, "--json")[1])["runs"][0]["decks"] == 3_000
    assert "verdict   PASS" in answered("runs", path, "--run", "1")[1]
    for file in (path, report):
        code, out, _ = answered("verify", file)
        assert (code, out.splitlines()[0]) == (0, "It holds.")
        assert "fisher-yates, 9 cards, pass, after 3,000 decks; registered as" in out
        assert "counted again: 3,000 decks, from the first one on" in out
    report.write_text(json.dumps(stated | {"decks": 10**12}))
    code, out, _ = answered("verify", report)
    assert code == 1
    assert out.startswith("It does not hold: the report states decks 1000000000000, and the store 3000.")
    stated["run"]["store"] = "gone.db"
    (tmp_path / "alone").mkdir()
    alone = tmp_path / "alone" / "report.json"
    alone.write_text(json.dumps(stated))
    assert "write where it is with --store DB" in answered("verify", alone)[2]
    assert answered("verify", alone, "--store", path)[0] == 0


@pytest.mark.cases(6)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["test", "--cards", "9", "--resume", "{db}"], "leave --cards out"),
        (["test", "--resume", "{db}", "--decks", "9"], "leave --decks out"),
        (["test", "--resume", "{db}", "--run", "7"], "has no run 7"),
        (["test", "naive", "--run", "1"], "--run 1: it says which run to continue"),
        (["test", "--resume", "nowhere.db"], "is not a file"),
        (["test", "naive", "--store", "/nowhere/run.db"], "/nowhere"),
        (["runs", "nowhere.db"], "is not a file"),
        (["runs", "{db}", "--run", "x"], "run"),
        (["verify", "nowhere.json"], "nowhere.json"),
        (["verify", "{db}", "--registered", ""], "is not a digest"),
        (["verify", "{db}", "--registered", "345d24751aa50bff"], "fairdeck runs DB shows all of them"),
    ],
)
def test_bad_input_is_told_in_one_line(refused, tmp_path, words, said):
    path = tmp_path / "run.db"
    lab.test("fisher-yates", decks=2_000, store=path, **SMALL)
    assert said in refused(*(word.format(db=path) for word in words))


ASKED = (*WORDS, "--decks", "2000", "--store", "run.db")


def test_the_command_line_stores_a_run_of_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = Random(1)
    lines = "".join(" ".join(rng.sample("abcdefgh", 8)) + "\n" for _ in range(2_000))
    (tmp_path / "decks.txt").write_text(lines)
    words = ["test", "--file", "decks.txt", "--order", "a b c d e f g h", "--only", "descents", "--store", "run.db"]
    assert answered(*words)[1].startswith("decks.txt shows no fault in 2,000 decks of 8 cards")
    assert "decks.txt, 8 cards: 2,000" in answered("runs", "run.db")[1]


def rewritten(page, old, new, build="", **changed):
    """Return a certificate with another text and other fields, whose hashes are right."""
    fields, _ = certificate.read(page)
    fields["report"] |= changed
    fields["build"] = build or fields["build"]
    body = certificate.JSON_IN_PAGE.sub("", page).replace(old, new)
    fields["printed"] = hashlib.sha256(body.encode()).hexdigest()
    del fields["digest"]
    fields["digest"] = hashlib.sha256(certificate._canonical(fields).encode()).hexdigest()
    return body.replace("<pre><code></code></pre>", f"<pre><code>{escape(certificate._canonical(fields))}</code></pre>")


def test_a_certificate_is_compared_with_itself_and_with_its_store(tmp_path, monkeypatch, refused):
    monkeypatch.chdir(tmp_path)
    assert answered("test", "fisher-yates", *ASKED, "--certificate", "c.html")[0] == 0
    (options,) = re.findall("with the name of this file and ([^<]*)<", page := Path("c.html").read_text("utf-8"))
    for words in (options.split(), []):
        assert answered("verify", "c.html", *words)[1].startswith("It holds.\n")
    answered("test", "naive", *ASKED[:-1], "2.db", "--certificate", "2.html")
    assert "It does not hold: the report states " in answered("verify", "2.html", "--store", "run.db")[1]
    decks = "2,000 shuffled decks", "9,000 shuffled decks"
    for changed, fault in (
        (page.replace(*decks), "the printed text was changed"),
        (page.replace("once in 1 million", "once in 9 million"), "the printed text was changed"),
        (page.replace("&quot;decks&quot;: 2000", "&quot;decks&quot;: 9000"), "the JSON in the page was changed"),
        (
            page.replace("&quot;printed&quot;: &quot;", "&quot;printed&quot;: &quot;0"),
            "the JSON in the page was changed",
        ),
        (rewritten(page, *decks, decks=9000), "the report states decks 9000, and the store 2000"),
        (rewritten(page, "", "", labels=["a"]), "the report names 1 card, and"),
        (page.replace("&quot;digest", '"digest'), "the JSON in the page was changed"),
        (rewritten(page, *decks), "the printed text is not what the store gives"),
    ):
        Path("t.html").write_text(changed, "utf-8")
        assert f"It does not hold: {fault}" in answered("verify", "t.html")[1]
    Path("b.html").write_text(rewritten(page, *decks, build="0" * 64), "utf-8")
    out = answered("verify", "b.html")[1]  # of another build: its printed text is not compared
    assert out.startswith("What can be checked here holds.\n") and "compared: the JSON in the page and" in out
    Path("run.db").unlink()
    code, out, _ = answered("verify", "t.html")  # whose hashes are right: without the store nobody can tell
    assert (code, out.partition("\n")[0]) == (0, "What can be checked here holds.")
    assert "not counted again: the decks of fisher-yates\nnot compared: its store" in out
    Path("page.html").write_text("<!DOCTYPE html><p>hello")
    assert "is no plan, store, certificate" in refused("verify", "page.html")


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen on this machine")
def test_a_laboratory_countersigns_a_certificate_as_the_page_on_it_says(tmp_path, monkeypatch):
    """The commands of docs/how-to/runs.md, in their order."""
    monkeypatch.chdir(tmp_path)
    answered("test", "fisher-yates", *ASKED, "--certificate", "certificate.html")
    text = (Path(__file__).parents[1] / "docs/how-to/runs.md").read_text("utf-8")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "lab@example.org", "-f", "key"], check=True)
    Path("laboratories").write_text("lab@example.org " + Path("key.pub").read_text())
    sign, check = re.findall(r"^    \$ (ssh-keygen -Y .*?)(?:  +#.*)?$", text, re.MULTILINE)
    subprocess.run(sign, shell=True, check=True, capture_output=True)
    assert subprocess.run(check, shell=True, check=False, capture_output=True).returncode == 0
    Path("certificate.html").write_text(Path("certificate.html").read_text("utf-8").replace("2,000", "2,001"), "utf-8")
    assert subprocess.run(check, shell=True, check=False, capture_output=True).returncode != 0


def test_a_round_of_the_beacon_is_registered_and_gives_the_seed(tmp_path, monkeypatch, refused):
    pytest.importorskip("py_ecc")
    monkeypatch.chdir(tmp_path)
    Path("round.json").write_text(json.dumps({"round": ROUND, "signature": SIGNATURE.hex()}))
    Path("next.json").write_text(json.dumps({"round": ROUND + 1, "signature": SIGNATURE.hex()}))
    asked = ("--cards", "9", "--only", "descents", "--decks", "2000", "--store", "run.db", "--certificate", "c.html")
    assert "did not sign that round" in refused("test", "naive", *asked, "--beacon-value", "next.json")
    assert "cannot read 'gone.json'" in refused("test", "naive", *asked, "--beacon-value", "gone.json")
    assert "decks of one size" in refused("test", "naive", "--cards", "5,6", "--beacon-value", "round.json")
    answered("test", "fisher-yates", *asked, "--beacon-value", "round.json")
    assert stored(Path("run.db")).inquiry.seed == int(ROUNDS[ROUND][1][:16], 16)
    assert "Not before 2024-10-14T17:13Z" in (page := Path("c.html").read_text("utf-8"))
    assert "so no deck is older" in page
    for file in ("c.html", "run.db"):
        assert "registered not before 2024-10-14T17:13Z, when round 12,040,883" in answered("verify", file)[1]
    with closing(sqlite3.connect("run.db")) as file, file:
        file.execute("update runs set registration = replace(registration, '12040883:', '12040884:')")
    assert "did not sign that round" in answered("verify", "run.db")[1]
    with closing(sqlite3.connect("run.db")) as file, file:
        file.execute("update runs set registration = replace(registration, '12040884:', '+1:')")
    assert "this is not the registration of a run (beacon" in refused("verify", "run.db")
    report = lab.test("random:shuffle", beacon=Path("round.json").read_text(), decks=20, store="2.db", **SMALL)
    assert report.inquiry.seed == 5 and "The decks did not come from it" in certificate.render(report)


def test_what_is_tested_is_hashed_with_what_it_imports_of_its_own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {
        "mine.py": "import numpy, lib\nfrom pack.a import x\n",
        "lib.py": "def swap(): import late\n",
        "late.py": "",
        "other.py": "",
        "pack/__init__.py": "",
        "pack/a.py": "from . import b\nfrom .gone import c\nx = 1\n",
        "pack/b.py": "'\\d'\n",
        "torn.py": "import lib\ndef (",
        "run.sh": "#!/bin/sh\n",
    }
    Path("pack").mkdir()
    for name, text in files.items():
        Path(name).write_text(text)
    Path("run.sh").chmod(0o755)
    own = {"mine.py", "lib.py", "late.py", "pack/__init__.py", "pack/a.py", "pack/b.py"}
    hashes = registration.hashes
    assert set(hashes("function", "mine.py:f")) == set(hashes("function", "mine:f")) == own
    assert set(hashes("function", "pack.b:f")) == {"pack/__init__.py", "pack/b.py"}
    assert set(hashes("function", "torn.py:f")) == {"torn.py"}
    assert [Path(name).name for name in hashes("function", "random:shuffle")] == ["random.py"]
    assert hashes("function", "gone:f") == hashes("function", "sys:f") == {}
    assert set(hashes("program", "./run.sh mine.py")) == {"./run.sh", "mine.py"}
    assert {Path(name).name for name in hashes("program", "sh run.sh")} == {"sh", "run.sh"}
    at = {name: found for name, found in hashes("function", "mine.py:f").items() if name == "pack/b.py"}
    assert at["pack/b.py"] == hashlib.sha256(files["pack/b.py"].encode()).hexdigest()


def test_a_stored_report_claims_no_time(tmp_path):
    path = tmp_path / "run.db"
    lab.test("fisher-yates", decks=2_000, store=path, **SMALL)
    out = answered("runs", str(path), "--run", "1")[1]
    assert re.search(r"^counted   2,000 decks of \d+ cards$", out, re.M)


def test_equal_registrations_have_equal_digests():
    asked = Inquiry.of("naive", cards=5, decks=10, seed=5)
    one = Registration.of(asked)
    assert registration.read(one.text) == one
    assert registration.read(one.text).digest == one.digest != Registration.of(replace(asked, decks=11)).digest
    for wrong in ("", "{}", '{"format": "fairdeck-registration/2"}', one.text.replace('"cards"', '"card"')):
        with pytest.raises(FairdeckError, match="not the registration"):
            registration.read(wrong)


@pytest.mark.parametrize(
    ("what", "asked", "digest"),
    [
        ("naive", {"cards": 5, "decks": 10}, "1d549e13260335ea"),
        (
            lab.Program("./x {cards}", "u8"),
            {"standard": "gli19", "start": "scrambled", "in_parts": True},
            "aad7d66fd3797939",
        ),
        (Path("decks.csv"), {"cards": 3, "only": "repeats, descents", "order": "a b c", "lags": 0}, "22c70c235c313c39"),
    ],
)
def test_a_digest_that_was_published_stays_that_of_its_inquiry(what, asked, digest):
    inquiry = Inquiry.of(what, seed="c0ffee", **asked)
    registered = Registration(inquiry, {"decks.csv": "0" * 64}, kernels=True, version="0.1.0", code="f" * 64)
    assert registered.digest[:16] == digest
    assert registration.read(registered.text) == registered
