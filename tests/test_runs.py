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
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.errors import FairdeckError
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.judging.tally import Battery, Tally, block_sizes
from fairdeck.lab.judging.trial import Trial, run
from fairdeck.lab.runs import keeping, registration, sums, tallies, verifying
from fairdeck.lab.runs.keeping import Keeper
from fairdeck.lab.runs.processes import spread
from fairdeck.lab.runs.registration import Registration
from fairdeck.lab.runs.store import Store
from fairdeck.lab.sources.simulated import NumberedBlock, Simulated

SMALL = {"cards": 9, "only": "descents,repeats", "seed": 5}
WORDS = ["--cards", "9", "--only", "descents,repeats", "--seed", "5"]
FAIRDECK = [sys.executable, "-m", "fairdeck"]


@pytest.fixture(scope="module", autouse=True)
def committed_often():
    """Commit after every portion, into many ranges."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keeping, "EVERY", 0.0)
        patch.setattr(keeping, "COST", 0)
        patch.setattr(keeping, "LEAST_RANGE", 4_000)
        yield


def stored(path: Path):
    with Store(path) as store:
        (number,) = store.numbers()
        return store.run(number), store.ranges(number)


def data(path: Path) -> tuple[bytes, list]:
    """Everything counted, as bytes."""
    found, ranges = stored(path)
    return tallies.packed(found.inquiry.battery, found.standing.tally), ranges


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
    again = tallies.unpacked(battery, tallies.packed(battery, tally))
    assert (again.decks, again.seen) == (tally.decks, tally.seen)
    assert all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in zip(again.counts, tally.counts, strict=True))
    assert tallies.digest(battery, again) == tallies.digest(battery, tally)
    for broken in (b"", b"no", tallies.packed(battery, tally)[:-20], tallies.packed(*tallied(1))[::-1]):
        with pytest.raises(FairdeckError, match="restore the store"):
            tallies.unpacked(battery, broken)
    with pytest.raises(FairdeckError, match="other statistics"):
        tallies.unpacked(Battery(8, only=frozenset({"descents"})), tallies.packed(battery, tally))


def test_the_digest_of_a_sum_is_the_sum_of_the_digests():
    battery, one = tallied(1, 2)
    other = tallied(3)[1]
    whole = battery.merge(one, other)
    assert np.array_equal(
        sums.added(sums.digest(battery, one), sums.digest(battery, other)), sums.digest(battery, whole)
    )
    assert not np.array_equal(sums.digest(battery, one), sums.digest(battery, other))


def test_one_count_more_changes_every_part_of_the_additive_digest():
    battery, tally = tallied(1)
    before = sums.digest(battery, tally)
    at = next(at for at, member in enumerate(battery.members) if member.statistic.name == "descents")
    tally.counts[at][0] += 1
    assert (sums.digest(battery, tally) != before).mean() > 0.99


@pytest.mark.parametrize("prime", sums.PRIMES)
def test_the_transform_gives_the_values_of_a_polynomial_at_the_roots_of_its_modulus(prime):
    assert prime % (2 * sums.DEGREE) == 1
    assert all(prime % factor for factor in range(2, 46_341))
    x = np.zeros((1, sums.DEGREE), np.uint64)
    x[0, 1] = 1
    roots = [int(value) for value in sums._values(x, prime)[0]]
    assert len(set(roots)) == sums.DEGREE
    assert all(pow(root, sums.DEGREE, prime) == prime - 1 for root in roots)
    rng = Random(prime)
    factors = [rng.randrange(prime) for _ in range(sums.DEGREE)]
    values = sums._values(np.array([factors], np.uint64), prime)[0]
    for at in rng.sample(range(sums.DEGREE), 5):
        assert values[at] == sum(factor * pow(roots[at], k, prime) for k, factor in enumerate(factors)) % prime


def test_the_root_is_that_of_rfc_6962():
    def told(leaves):
        if len(leaves) <= 1:
            return hashlib.sha256(b"".join(b"\0" + leaf for leaf in leaves)).digest()
        split = 1 << (len(leaves) - 1).bit_length() - 1
        return hashlib.sha256(b"\1" + told(leaves[:split]) + told(leaves[split:])).digest()

    for size in range(40):
        leaves = [bytes([at]) * at for at in range(size)]
        assert tallies.root(leaves) == told(leaves)
    # The test vectors of the reference implementation of Certificate Transparency.
    inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    expected = "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    assert tallies.root(list(map(bytes.fromhex, inputs))).hex() == expected


# Going on.


@pytest.mark.cases(3)
@pytest.mark.parametrize("shuffle", ["fisher-yates", "sattolo", "modulo-8"])
@pytest.mark.parametrize("at", [16, 700, 30_000])
def test_a_run_goes_on_digit_for_digit(tmp_path, shuffle, at):
    whole = lab.test(shuffle, decks=60_000, store=tmp_path / "whole.db", **SMALL)
    report = lab.test(
        shuffle, decks=60_000, store=tmp_path / "run.db", progress=stopping(at), report_on_ctrl_c=True, **SMALL
    )
    if report.verdict.outcome != "fail":
        assert report.cut_short
        report = lab.resume(tmp_path / "run.db")
    assert plain(report) == plain(whole)
    assert data(tmp_path / "run.db") == data(tmp_path / "whole.db")
    assert report.record.root == whole.record.root
    with pytest.raises(FairdeckError, match=r"no unfinished run"):
        lab.resume(tmp_path / "run.db")


def test_many_breaks_change_nothing(tmp_path):
    whole = lab.test("fisher-yates", decks=20_000, store=tmp_path / "whole.db", **SMALL)
    path = tmp_path / "run.db"
    report = lab.test("fisher-yates", decks=20_000, store=path, progress=stopping(100), report_on_ctrl_c=True, **SMALL)
    while report.cut_short:
        after = stored(path)[0].decks + 1_500
        report = lab.resume(path, progress=stopping(after), report_on_ctrl_c=True)
    assert plain(report) == plain(whole)
    assert stored(path)[0].sessions > 5
    assert data(path) == data(tmp_path / "whole.db")


def test_a_file_is_read_on_where_the_run_stood(tmp_path):
    decks = tmp_path / "decks.txt"
    rng = Random(1)
    decks.write_text("".join(" ".join(map(str, rng.sample(range(8), 8))) + "\n" for _ in range(6_000)))
    whole = lab.test(decks, only="descents", store=tmp_path / "whole.db")
    lab.test(decks, only="descents", store=tmp_path / "run.db", progress=stopping(2_000), report_on_ctrl_c=True)
    assert 2_000 <= stored(tmp_path / "run.db")[0].decks < 6_000
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
    before = stored(path)[0]
    report = lab.resume(path)
    assert report.verdict.outcome == "pass"
    assert before.decks < report.verdict.decks == 3_000
    at = [member.statistic.name for member in report.battery.members].index("repeats")
    kept = stored(path)[0].standing.tally.counts[at][0]
    assert len(np.unique(kept)) > 2_800  # of 8! orders; had the same decks come again, at most 2,000


def test_a_function_in_parts_goes_on_digit_for_digit(tmp_path):
    (tmp_path / "mine.py").write_text("def shuffle(deck, rng):\n    rng.shuffle(deck)\n")
    function, path = f"{tmp_path / 'mine.py'}:shuffle", tmp_path / "run.db"
    options = {"decks": 3_000, "in_parts": True, **SMALL}
    whole = lab.test(function, store=tmp_path / "whole.db", **options)
    lab.test(function, store=path, progress=stopping(1_000), report_on_ctrl_c=True, **options)
    assert not stored(path)[0].ended
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
        assert not stored(tmp_path / "c.db")[0].ended
    lab.resume(tmp_path / "c.db", workers=2)
    assert data(tmp_path / "one.db") == data(tmp_path / "two.db") == data(tmp_path / "c.db")


@pytest.mark.parametrize("what", [lambda deck: deck, np.array([[0, 1, 2], [2, 1, 0]])])
def test_what_cannot_be_found_again_has_no_store(tmp_path, what):
    with pytest.raises(FairdeckError, match="cannot be found again"):
        lab.test(what, cards=3, decks=100, store=tmp_path / "run.db")


def test_the_level_that_is_spent_grows_to_the_whole_and_not_beyond():
    trial = Trial(Battery(8, only=frozenset({"descents"})), 100_000, 0.01)
    spent = [now.spent for now in run(trial, Simulated("fisher-yates", 8, 3))]
    assert spent == sorted(spent)
    assert 0.005 < spent[0] < spent[-2] < 0.0075 < spent[-1] < 0.01


# Refusals.


def test_an_unfinished_run_is_not_begun_again_until_it_pleases(tmp_path):
    path = tmp_path / "run.db"
    lab.test("fisher-yates", decks=9_000, store=path, progress=stopping(1_000), report_on_ctrl_c=True, **SMALL)
    with pytest.raises(
        FairdeckError, match=r"unfinished run of the same test .*: continue with fairdeck test --resume"
    ):
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
        for _ in run(trial, Simulated("fisher-yates", 9, 5), keep=lambda tally: first.keep(trial, tally)):
            pass
    assert stored(path)[0].commits == second.run.commits


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
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("create table birds (name text)")
    other.commit()
    other.close()
    with pytest.raises(FairdeckError, match="database of another program"):
        Store(tmp_path / "other.db")
    with pytest.raises(FairdeckError, match="folder that exists"):
        Store(tmp_path / "nowhere" / "run.db", create=True)
    Store(tmp_path / "new.db", create=True).close()
    for version, told in ((99, "a newer fairdeck"), (1, "an older fairdeck")):
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
    with pytest.raises(
        FairdeckError, match=r"full; make room; .* decks are safe: continue with fairdeck test --resume"
    ):
        lab.test("fisher-yates", decks=60_000, store=path, **SMALL)
    monkeypatch.setattr(Store, "_prepare", before)
    assert 0 < stored(path)[0].decks < 60_000
    assert plain(lab.resume(path)) == plain(whole)
    assert data(path) == data(tmp_path / "whole.db")


@pytest.mark.cases(5)
@pytest.mark.parametrize(
    "statement",
    [
        "update runs set standing = '{}'",
        "update runs set standing = 'x'",
        """update runs set standing = '{"settled": 5}'""",
        "update runs set registration = '{}'",
        "update tallies set same_as = 'nothing', data = null",
        "update tallies set data = x'00'",
        "update tallies set data = zeroblob(1000)",
        "update ranges set sum = x'00'",
        "update ranges set decks = -5",
        "update ranges set blocks = 1000000000000",
        "delete from tallies",
        "update ranges set digest = 'x'",
        "update ranges set sum = 5",
        "update ranges set blocks = 'x'",
        "update ranges set blocks = -1",
        "update runs set begun = x'ff'",
        "update runs set sessions = 'x'",
        "update runs set standing = replace(standing, ':', ':\"x\" ,')",
        f"update runs set standing = '{'[' * 100_000}'",
    ],
)
def test_a_damaged_store_is_refused_in_words_or_does_not_hold(ended, statement):
    try:
        assert not forged(ended[0], statement).holds
    except FairdeckError as error:
        assert "\n" not in str(error)


def test_a_tally_that_unpacks_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(tallies, "MOST_BYTES", 2**20)
    with pytest.raises(FairdeckError, match="far too large"):
        tallies.unpacked(Battery(8), zlib.compress(bytes(tallies.MOST_BYTES + 1), 9))


# Verifying.


@pytest.fixture(scope="module")
def one_run(tmp_path_factory):
    path = tmp_path_factory.mktemp("ended") / "run.db"
    return path, lab.test("fisher-yates", decks=60_000, store=path, **SMALL).record


@pytest.fixture
def ended(one_run, tmp_path):
    """A run that has ended, and its record; a copy for each test, which may change it."""
    made, record = one_run
    path = Path(shutil.copy(made, tmp_path / "run.db"))
    return path, replace(record, store=str(path))


def numbers_in(path: Path) -> list[int]:
    with Store(path) as store:
        return list(store.numbers())


def standing_of(path: Path) -> dict[str, object]:
    """Return where the trial of a store stands, as the store has it."""
    with closing(sqlite3.connect(path)) as file:
        (text,) = file.execute("select standing from runs").fetchone()
    return json.loads(text)


def forged(path: Path, statement: str, *values: object) -> verifying.Checked:
    """Change the store by hand and verify all of it."""
    file = sqlite3.connect(path)
    file.execute(statement, values)
    file.commit()
    file.close()
    return verifying.verify(*stored(path), sample=1_000)


def test_an_honest_run_holds(ended):
    path, record = ended
    found, ranges = stored(path)
    assert len(ranges) == record.ranges > 10
    checked = verifying.verify(found, ranges, sample=1_000, root=record.root, registered=record.digest)
    assert (checked.holds, checked.first_fault, checked.decks, checked.would_notice) == (True, "", 60_000, 0)
    with spread(2, alone=0) as map_:
        assert verifying.verify(found, ranges, sample=5, map_=map_).checked == 5


def test_another_root_or_registration_is_named(ended):
    found, ranges = stored(ended[0])
    assert "the root of its ranges is" in verifying.verify(found, ranges, root="00" * 32).first_fault
    assert "registered as" in verifying.verify(found, ranges, registered="00" * 32).first_fault


def test_every_forgery_is_noticed(ended, tmp_path):
    path, _ = ended
    found, ranges = stored(path)
    battery = found.inquiry.battery
    honest = path.read_bytes()
    third = ranges[2]

    def again():
        path.write_bytes(honest)

    digest = bytes([third.digest[0] ^ 1]) + third.digest[1:]
    assert (
        "give other counts"
        in forged(path, "update ranges set digest = ? where first = ?", digest, third.first).first_fault
    )
    again()
    assert "is missing" in forged(path, "delete from ranges where first = ?", third.first).first_fault
    again()
    assert "cut in another way" in forged(path, "update ranges set decks = decks + 1").first_fault
    again()
    assert "the ranges have" in forged(path, "delete from ranges where first = ?", ranges[-1].first).first_fault
    again()
    standing = standing_of(path)
    for better in ({"analyses_p": 1.0}, {"settled": [60_000, 1.0]}):
        text = json.dumps(standing | better)
        assert "and it states" in forged(path, "update runs set standing = ?", text).first_fault
        again()
    longer = json.loads(found.registration.text) | {"decks": 70_000}
    text = json.dumps(longer, sort_keys=True, separators=(",", ":"))
    assert "cut in another way" in forged(path, "update runs set registration = ?", text).first_fault
    again()
    shown = battery.tally_all([NumberedBlock("fisher-yates", 9, 1, 1, 60_000)])
    packed = tallies.packed(battery, shown)
    statement = "insert or replace into tallies select run, 'analysed', '', ? from tallies limit 1"
    assert "the tests that it shows" in forged(path, statement, packed).first_fault
    again()
    for name, fault in (("descents", "not the sum of the ranges"), ("repeats", "fingerprints")):
        at = [(each.statistic.name, each.lag) for each in battery.members].index((name, 0))
        total = stored(path)[0].standing.tally
        if name == "descents":
            total.counts[at][2] += 1
        else:  # another deck in place of one that was dealt
            total.counts[at][0][100] += 1
        packed = tallies.packed(battery, total)
        assert fault in forged(path, "update tallies set data = ? where name = 'tally'", packed).first_fault
        again()
    lower = json.loads(found.registration.text) | {"seed": "6"}
    text = json.dumps(lower, sort_keys=True, separators=(",", ":"))
    assert "give other counts" in forged(path, "update runs set registration = ?", text).first_fault


def lie(path: Path, **standing: object) -> verifying.Checked:
    """Change where the trial of a store stands, and verify it."""
    return forged(path, "update runs set standing = ?", json.dumps(standing_of(path) | standing))


def true_p(path: Path) -> float:
    return stored(path)[0].trial().p_value


def test_a_verdict_over_decks_that_were_never_counted_does_not_hold(ended):
    with pytest.raises(FairdeckError, match="a standing that no trial reaches"):
        lie(ended[0], settled=[10**12, true_p(ended[0])])


def test_a_verdict_before_the_end_is_a_failure_only(ended):
    assert "the tests that it shows" in lie(ended[0], settled=[1_000, true_p(ended[0])]).first_fault


@pytest.mark.cases(1)
@pytest.mark.parametrize("words", [{"analyses_p": float("nan")}, {"settled": [60_000, float("nan")]}, {"best_bet": 99}])
def test_numbers_that_no_trial_has_are_refused(ended, words):
    with pytest.raises(FairdeckError, match="a standing that no trial reaches"):
        lie(ended[0], **words)


@pytest.mark.cases(1)
@pytest.mark.parametrize("accused", [{"settled": [60_000, 1e-300]}, {"log_wealth": 1e6}, {"complaint": "it broke"}])
def test_a_fair_shuffle_cannot_be_said_to_fail(ended, accused):
    assert lie(ended[0], **accused).first_fault == "it states a failure that its counts do not show"


def test_an_honest_failure_holds(tmp_path):
    lab.test("sattolo", decks=60_000, store=tmp_path / "run.db", **SMALL)
    checked = verifying.verify(*stored(tmp_path / "run.db"), sample=1_000)
    assert (checked.holds, len(checked.remarks)) == (True, 2)  # what was not checked, and not compared
    lab.test("sattolo", decks=60_000, store=tmp_path / "more.db", go_on=5_000, **SMALL)
    assert verifying.verify(*stored(tmp_path / "more.db"), sample=1_000).holds


def test_limits_and_tests_are_those_of_the_counts(ended):
    path, _ = ended
    honest = path.read_bytes()
    assert "the tests that it shows" in lie(path, share=1.0).first_fault  # so the limits would be smaller
    path.write_bytes(honest)
    battery = stored(path)[0].inquiry.battery
    shown = battery.tally_all([NumberedBlock("fisher-yates", 9, 1, 1, 4_096)])
    statement = "insert into tallies values (1, 'waiting', '', ?)"
    assert "the tests that it shows" in forged(path, statement, tallies.packed(battery, shown)).first_fault


def test_the_end_is_that_of_the_standing(ended):
    assert (
        "the store says 'pass, after 1" in forged(ended[0], "update runs set ended = 'pass, after 1 deck'").first_fault
    )


def changed(path: Path, change: Callable[[Tally], Tally]) -> verifying.Checked:
    """Store another total, and verify it."""
    found, _ = stored(path)
    packed = tallies.packed(found.inquiry.battery, change(found.standing.tally))
    return forged(path, "update tallies set data = ? where name = 'tally'", packed)


def with_counts(path: Path, name: str, change: Callable[[np.ndarray], np.ndarray]) -> verifying.Checked:
    """Store other counts of one statistic, and verify them."""
    members = stored(path)[0].inquiry.battery.members
    at = [(each.statistic.name, each.lag) for each in members].index((name, 0))
    return changed(
        path,
        lambda total: replace(
            total, counts=tuple(change(counts) if i == at else counts for i, counts in enumerate(total.counts))
        ),
    )


@pytest.mark.parametrize("times", [1, 3])
def test_counts_as_large_as_the_modulus_of_the_digest_are_noticed(tmp_path, times):
    """The digest is the same, and no test looks at the cell: an order of two cards that cannot be."""
    path = tmp_path / "run.db"
    lab.test("fisher-yates", cards=9, only="order", seed=5, decks=20_000, store=path)

    def more(counts):
        assert counts[0, 0] == 0
        other = counts.copy()
        other[0, 0] = np.uint64(times * sums.PRIMES[0] * sums.PRIMES[1]).astype(np.int64)  # negative if 3 times
        battery, total = stored(path)[0].inquiry.battery, stored(path)[0].standing.tally
        assert np.array_equal(
            sums.digest(battery, total), sums.digest(battery, replace(total, counts=(other, *total.counts[1:])))
        )
        return other

    assert "no 20,000 decks have such counts of order" in with_counts(path, "order", more).first_fault


def test_cells_that_were_moved_to_another_statistic_are_noticed(ended):
    """The digest is of all cells in one row, wherever a statistic ends."""

    def moved(total):
        first, fingerprints, second, *rest = total.counts  # the digest leaves fingerprints out
        return replace(total, counts=(first[:-1], fingerprints, np.append(first[-1:], second), *rest))

    found, _ = stored(ended[0])
    battery = found.inquiry.battery
    assert np.array_equal(sums.digest(battery, moved(found.standing.tally)), sums.digest(battery, found.standing.tally))
    assert "such counts" in changed(ended[0], moved).first_fault


def test_comparisons_that_were_never_made_are_noticed(ended):
    assert "comparisons" in changed(ended[0], lambda total: replace(total, seen=(60_000, 0, 0))).first_fault


def test_fingerprints_that_hide_all_others_are_noticed(ended):
    """With so many small ones none of the real ones is among the smallest."""

    def small(counts):
        other = np.zeros((2, 2**20), np.int64)
        other[0] = np.sort(np.random.default_rng(1).integers(0, 2**40, 2**20))
        return other

    assert "not that of all ranges" in with_counts(ended[0], "repeats", small).first_fault


def test_equal_decks_of_two_ranges_cannot_be_taken_out_of_the_total(ended):
    found, ranges = stored(ended[0])
    battery = found.inquiry.battery
    at = [each.statistic.name for each in battery.members].index("repeats")
    each_range = verifying._pieces(found, ranges)
    kept = [verifying.recount(found.inquiry, piece).counts[at][0].view(np.uint64) for piece in each_range]
    both = np.intersect1d(kept[-1], kept[-2])[0]
    once = [np.count_nonzero(each == both) for each in kept[-2:]]

    def fewer(counts):
        all_, other = counts[0].view(np.uint64), counts.copy()
        places = np.flatnonzero(all_ == both)
        # As many stay as the range has that has most of them; the next fingerprint takes the place of the others.
        other[0, places[max(*once, *(np.count_nonzero(each == both) for each in kept)) :]] = counts[0, places[-1] + 1]
        return other

    path, (statement, packed) = ended[0], ("update tallies set data = ? where name = 'tally'", None)
    total = found.standing.tally
    counts = tuple(fewer(each) if i == at else each for i, each in enumerate(total.counts))
    packed = tallies.packed(battery, replace(total, counts=counts))
    file = sqlite3.connect(path)
    file.execute(statement, [packed])
    file.commit()
    file.close()
    run_, _ = stored(path)
    parts = [verifying.recount(run_.inquiry, piece) for piece in verifying._pieces(run_, ranges)]
    assert not any(verifying._differs(run_, one, part) for one, part in zip(ranges, parts, strict=True))
    assert verifying._differs_in_all(run_, battery.total(parts)) == (
        "fingerprints of the ranges counted again are missing in the total"
    )


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    "other",
    [
        {"announced": False},
        {"seed": ""},
        {"seed": "zz"},
        {"seed": " 5"},
        {"seed": 5},
        {"decks": "60000"},
        {"decks": 10**40},
        {"alpha": float("nan")},
        {"alpha": True},
        {"what": ["fisher-yates"]},
        {"standard": 5},
        {"start": "in heaven"},
        {"only": "descents"},
    ],
)
def test_a_registration_that_nobody_could_make_is_refused(ended, other):
    text = json.loads(stored(ended[0])[0].registration.text) | other
    with pytest.raises(FairdeckError, match="not the registration of a run"):
        forged(ended[0], "update runs set registration = ?", json.dumps(text, sort_keys=True, separators=(",", ":")))


def test_a_registration_has_one_text(ended):
    text = stored(ended[0])[0].registration.text
    for other in (f" {text}", text.replace('"alpha":', '"alpha":0.5,"alpha":'), "[" * 100_000):
        with pytest.raises(FairdeckError, match="not the registration of a run"):
            forged(ended[0], "update runs set registration = ?", other)


def test_a_store_that_could_show_two_faces_is_refused(ended):
    with pytest.raises(FairdeckError, match="views, triggers"):
        forged(ended[0], "create view other as select random()")


@pytest.mark.parametrize("name", [":memory:", "file:run.db", "file:run.db?mode=memory", "a#b%20?c=d '\".db"])
def test_a_store_is_the_file_of_its_name(tmp_path, monkeypatch, name):
    """Some names mean something else to SQLite: a database in memory, which would be lost."""
    monkeypatch.chdir(tmp_path)
    lab.test("fisher-yates", decks=100, store=name, **SMALL)
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert stored(Path(name))[0].decks == 100


def test_numbers_of_numpy_are_registered_as_numbers(tmp_path):
    numbers = {"lags": np.int64(1), "timeout": np.int64(5), "at_least": np.int64(50), "decks": np.int64(100)}
    lab.test("fisher-yates", store=tmp_path / "run.db", **SMALL, **numbers)
    assert stored(tmp_path / "run.db")[0].inquiry.timeout == 5.0


def test_to_look_at_an_empty_file_leaves_it_empty(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    with pytest.raises(FairdeckError, match="is empty"):
        Store(path)
    assert path.read_bytes() == b""


def test_a_run_of_other_kernels_is_not_called_a_forgery(ended, monkeypatch):
    monkeypatch.setattr(registration, "available", lambda: False)
    with pytest.raises(FairdeckError, match="which makes other decks: install numba"):
        verifying.verify(*stored(ended[0]))


def test_nothing_is_counted_again_if_nobody_asks(ended):
    checked = verifying.verify(*stored(ended[0]), sample=0, beacon="unused")
    assert (checked.holds, checked.checked, checked.would_notice, len(checked.remarks)) == (True, 0, 1.0, 2)


def test_a_beacon_says_what_it_needs(ended):
    found, ranges = stored(ended[0])
    checked = verifying.verify(found, ranges, sample=2, beacon="\udcff")
    assert checked.remarks[2:] == (
        f"anybody who knew the value of the beacon before the root {ended[1].root} was published could choose the "
        "ranges",
    )


def test_the_share_that_would_be_noticed_is_of_decks():
    """One range can have nearly all decks, and a forger would forge that one."""
    assert verifying.noticed(60, [10**9, *[16] * 1_000]) > 0.99


def test_a_run_that_was_ended_while_it_looked_good_does_not_hold(tmp_path):
    path = tmp_path / "run.db"
    lab.test("fisher-yates", decks=32_768, store=path, **SMALL)
    longer = json.loads(stored(path)[0].registration.text) | {"decks": 70_000}
    text = json.dumps(longer, sort_keys=True, separators=(",", ":"))
    fault = forged(path, "update runs set registration = ?", text).first_fault
    assert fault == "it ended after 32,768 of the 70,000 decks that were announced, without a failure"


def test_the_ranges_to_check_are_chosen_evenly_by_a_beacon_and_never_twice():
    assert verifying.choose(10, 10, b"") == list(range(10))
    assert verifying.choose(10, 0, b"") == []
    assert verifying.choose(1_000, 60, b"a") == verifying.choose(1_000, 60, b"a") != verifying.choose(1_000, 60, b"b")
    counts = np.zeros(7)
    for at in range(3_000):
        chosen = verifying.choose(7, 3, str(at).encode())
        assert len(set(chosen)) == 3
        counts[chosen] += 1
    assert np.abs(counts - 3_000 * 3 / 7).max() < 5 * np.sqrt(3_000 * 3 / 7 * 4 / 7)


@pytest.mark.parametrize(("checked", "ranges"), [(1, 3), (5, 20), (60, 400), (60, 7_000)])
def test_the_share_that_would_be_noticed_is_exact(checked, ranges):
    def missed(forged):
        chance = 1.0
        for at in range(checked):
            chance *= max(0, ranges - forged - at) / (ranges - at)
        return chance

    share = verifying.noticed(checked, [7] * ranges)
    forged = round(share * ranges)
    assert missed(forged) <= 0.05
    assert missed(forged - 1) > 0.05


# Real processes.


def begun(*words: object, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*FAIRDECK, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **environment},
    )


def answered(*words: object) -> tuple[int, str, str]:
    process = begun(*words)
    out, error = process.communicate(timeout=120)
    return process.returncode, out, error


HASTY = """
import sys
from fairdeck.lab.runs import keeping
keeping.EVERY, keeping.COST, keeping.LEAST_RANGE = 0.05, 0, 40_000
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
        if numbers_in(path) and stored(path)[0].ended:
            break
        process = (
            hasty("test", "--resume", path, "--json")
            if Store(path).numbers()
            else hasty("test", "fisher-yates", *asked, "--store", path)
        )
    out = process.communicate(timeout=300)[0]
    if not stored(path)[0].ended:
        out = hasty("test", "--resume", path, "--json").communicate(timeout=300)[0]
    assert killed >= 5
    assert stored(path)[0].ended
    assert data(path) == data(tmp_path / "whole.db")
    assert json.loads(out)["p_value"] == expected["p_value"]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.cases(1)
def test_a_signal_stores_what_was_counted(tmp_path, sent):
    path = tmp_path / "run.db"
    process = begun("test", "fisher-yates", "--decks", "100000000", *WORDS, "--workers", "1", "--store", path)
    until = time.monotonic() + 60
    while not path.exists() and time.monotonic() < until:  # on a busy machine it begins late
        time.sleep(0.1)
    time.sleep(4)
    process.send_signal(sent)
    out, error = process.communicate(timeout=60)
    assert process.returncode == (130 if sent == signal.SIGINT else 128 + sent), error
    found, _ = stored(path)
    assert found.decks > 1_000
    assert not found.ended
    if sent == signal.SIGINT:
        assert f"{found.decks:,} decks" in out
        assert f"fairdeck test --resume {path}" in out


@pytest.mark.long
def test_a_disk_that_is_really_full(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if (
        os.geteuid()
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "none", disk], check=False).returncode
    ):
        pytest.skip("only root may mount a small disk here")
    try:
        process = hasty("test", "fisher-yates", "--decks", "3000000", *WORDS, "--store", disk / "run.db")
        until = time.monotonic() + 60
        while not (disk / "run.db").exists() and time.monotonic() < until:  # on a busy machine it begins late
            time.sleep(0.1)
        time.sleep(1)
        with (disk / "ballast").open("wb", buffering=0) as ballast, suppress(OSError):
            while ballast.write(bytes(4 << 10)):
                pass
        _, error = process.communicate(timeout=200)
        assert process.returncode == 2
        assert error.count("\n") == 1
        assert "make room" in error
        assert "are safe: continue with fairdeck test --resume" in error
        (disk / "ballast").unlink()
        (tmp_path / "run.db").write_bytes((disk / "run.db").read_bytes())
    finally:
        subprocess.run(["umount", disk], check=True)
    resumed = hasty("test", "--resume", tmp_path / "run.db")
    resumed.communicate(timeout=300)
    assert resumed.returncode == 0


@pytest.mark.long
def test_the_commands_say_what_is_stored_and_verify_it(tmp_path):
    path, report = tmp_path / "run.db", tmp_path / "report.json"
    code, out, _ = answered("test", "fisher-yates", "--decks", "30000", *WORDS, "--store", path, "--json")
    assert code == 0
    report.write_text(out)
    out_of_test = out
    root = json.loads(out)["run"]["root"]
    code, out, _ = answered("runs", path)
    assert code == 0
    assert "run 1  fisher-yates, 9 cards: 30,000 of 30,000 decks, pass, after 30,000 decks" in out
    assert json.loads(answered("runs", path, "--json")[1])["runs"][0]["decks"] == 30_000
    code, out, _ = answered(
        "runs", path, "--run", "1", "--html", tmp_path / "r.html", "--certificate", tmp_path / "c.html"
    )
    assert code == 0
    assert "verdict   PASS" in out
    assert root in (tmp_path / "c.html").read_text()
    for cert in (path, report):
        code, out, _ = answered("verify", cert, "--sample", "3")
        assert (code, out.splitlines()[0]) == (0, "It holds.")
        assert "fisher-yates, 9 cards, pass, after 30,000 decks; registered as" in out
    alone = report.parent / "alone"
    alone.mkdir()
    gone = json.loads(out_of_test)
    gone["run"]["store"] = "gone.db"
    (alone / report.name).write_text(json.dumps(gone))
    code, _, error = answered("verify", alone / report.name)
    assert code == 2
    assert "write where it is with --store DB" in error
    other = json.loads(report.read_text()) | {"p_value": 0.999}
    report.write_text(json.dumps(other))
    assert "the report states p = 1" in answered("verify", report, "--sample", "1")[1]
    for name, value in (("decks", 10**12), ("verdict", "fail"), ("shuffle", "mine"), ("alpha", 1e-12)):
        report.write_text(json.dumps(json.loads(out_of_test) | {name: value}))
        said = answered("verify", report, "--sample", "1")
        assert said[0] == 1
        assert f"the report states {name}" in said[1]
    code, out, _ = answered("verify", path, "--root", "00" * 32)
    assert code == 1
    assert out.startswith("It does not hold: the root")


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
        (["verify", "{db}", "--sample", "x"], "sample"),
        (["verify", "{db}", "--root", ""], "is not a SHA-256"),
        (["verify", "{db}", "--registered", ""], "is not a SHA-256"),
        (["verify", "{db}", "--registered", "345d24751aa50bff"], "fairdeck runs DB shows all of them"),
        (["verify", "{db}", "--beacon", ""], "--beacon: the value is empty"),
    ],
)
def test_bad_input_is_told_in_one_line(tmp_path, words, said):
    path = tmp_path / "run.db"
    lab.test("fisher-yates", decks=2_000, store=path, **SMALL)
    code, out, error = answered(*(word.format(db=path) for word in words))
    assert (code, out) == (2, "")
    assert said in error
    assert error.count("\n") == 1


ASKED = (*WORDS, "--decks", "2000", "--store", "run.db")


def test_the_command_line_stores_a_run_of_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = Random(1)
    lines = "".join(" ".join(rng.sample("abcdefgh", 8)) + "\n" for _ in range(2_000))
    (tmp_path / "decks.txt").write_text(lines)
    words = ["test", "--file", "decks.txt", "--order", "a b c d e f g h", "--only", "descents", "--store", "run.db"]
    assert answered(*words)[1].startswith("decks.txt shows no fault in 2,000 decks of 8 cards")
    assert "decks.txt, 8 cards: 2,000" in answered("runs", "run.db")[1]


def test_a_certificate_says_how_its_run_is_verified_and_is_no_run_itself(tmp_path, monkeypatch):
    """People give `verify` the page that they were sent; it must say what to ask for."""
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "certificate.html"
    assert answered("test", "fisher-yates", *ASKED, "--certificate", str(page))[0] == 0
    (command,) = re.findall("fairdeck (verify run.db [^<]*)<", page.read_text(encoding="utf-8"))
    assert answered(*command.split())[1].startswith("It holds.\n")
    with closing(sqlite3.connect("run.db")) as file, file:
        file.execute("update runs set registration = replace(registration, '\"alpha\":1e-06', '\"alpha\":1e-09')")
    assert "It does not hold" in answered(*command.split())[1], "a level that was chosen afterwards"
    code, out, error = answered("verify", str(page))
    assert (code, out, error.count("\n")) == (2, "", 1)
    assert "ask for the store of the run" in error


def test_a_certificate_of_a_function_promises_no_verification(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def shuffle(deck, rng):\n    rng.shuffle(deck)\n")
    assert answered("test", "mine.py:shuffle", *ASKED, "--certificate", "certificate.html")[0] == 0
    page = (tmp_path / "certificate.html").read_text(encoding="utf-8")
    assert "these decks cannot be made again" in page
    assert "fairdeck verify" not in page


def test_a_stored_report_claims_no_time(tmp_path):
    path = tmp_path / "run.db"
    lab.test("fisher-yates", decks=2_000, store=path, **SMALL)
    out = answered("runs", str(path), "--run", "1")[1]
    assert re.search(r"^counted   2,000 decks of \d+ cards$", out, re.M)


def test_sizes_of_blocks_are_those_of_every_longer_run():
    short, long = list(block_sizes(8, 20_000)), list(block_sizes(8, 10**6))
    assert long[: len(short) - 1] == short[:-1]


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
        (
            Path("decks.csv"),
            {"cards": 3, "only": "repeats, descents", "order": "a b c", "lags": 0},
            "22c70c235c313c39",
        ),
    ],
)
def test_a_digest_that_was_published_stays_that_of_its_inquiry(what, asked, digest):
    inquiry = Inquiry.of(what, seed="c0ffee", **asked)
    registered = Registration(inquiry, {"decks.csv": "0" * 64}, kernels=True, version="0.1.0", code="f" * 64)
    assert registered.digest[:16] == digest
    assert registration.read(registered.text) == registered
