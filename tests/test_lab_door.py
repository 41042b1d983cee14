"""`fairdeck.lab.test`: one call for everything that can be tested, and what a report can become."""

import json
import os
import random
import subprocess
import sys
import time

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.errors import FairdeckError
from fairdeck.lab.standards import find

HEAVY = ("scipy.stats", "scipy.optimize", "pandas", "numba")

pandas = pytest.importorskip("pandas")
RNG = np.random.default_rng(4)
DECKS = RNG.permuted(np.tile(np.arange(6), (1_200, 1)), axis=1)
WRITE = "import random\nfor _ in range(2000): print(*random.sample(range(6), 6))"


def naive(deck, rng):
    for place in range(len(deck)):
        other = rng.randrange(len(deck))
        deck[place], deck[other] = deck[other], deck[place]


@pytest.fixture
def file(tmp_path):
    np.savetxt(tmp_path / "decks.txt", DECKS, fmt="%d")
    return tmp_path / "decks.txt"


def test_a_known_shuffle_a_function_and_a_function_elsewhere_are_tested():
    known = lab.test("sattolo", cards=6, decks=2_000, seed=1)
    here = lab.test(naive, cards=6, decks=20_000, seed="c0ffee")
    elsewhere = lab.test("random:shuffle", cards=6, decks=1_000, seed=3)
    assert [each.verdict.outcome for each in (known, here, elsewhere)] == ["fail", "fail", "pass"]
    assert [each.seed for each in (known, here, elsewhere)] == [1, 0xC0FFEE, 3]
    assert here.shuffle == "naive"


@pytest.mark.parametrize("program", [[sys.executable, "-c", WRITE], lab.Program(f'"{sys.executable}" -c "{WRITE}"')])
@pytest.mark.long
def test_a_program_is_tested_as_a_list_of_words_or_as_it_is_typed(program):
    report = lab.test(program, cards=6, decks=1_000)
    assert (report.verdict.outcome, report.verdict.announced, report.seed) == ("pass", 1_000, None)


@pytest.mark.long
@pytest.mark.parametrize("kinds", [2, pytest.param(5, marks=pytest.mark.long)])
def test_decks_that_are_made_already_are_tested_wherever_they_are(file, kinds):
    everywhere = (DECKS, file, str(file), DECKS.tolist(), pandas.DataFrame(DECKS))
    reports = [lab.test(each) for each in everywhere[:kinds]]
    assert {each.verdict.decks for each in reports} == {1_200}
    assert {each.verdict.announced for each in reports} == {None}
    assert len({each.verdict.p_value for each in reports}) == 1
    assert lab.test(DECKS + 1, decks=1_200).verdict.announced == 1_200


def test_a_table_of_words_names_its_cards():
    words = pandas.DataFrame(np.array(list("abcdef"))[DECKS])
    report = lab.test(words, order=list("abcdef"))
    assert report.labels == ("a", "b", "c", "d", "e", "f")
    assert "the DataFrame" in report.headline


@pytest.mark.parametrize(
    ("what", "options", "says"),
    [
        (3, {}, "a int cannot be tested; give a name"),
        (np.zeros(5, int), {}, "the ndarray has the shape (5,); give one of shape (decks, cards)"),
        (np.zeros((2, 3)), {}, "float64 of shape (2, 3)"),
        (DECKS, {"start": "carried"}, "start carried is for functions and known shuffles"),
        (["true"], {"start": "carried"}, "a program decides itself"),
        ("naive", {"alpha": 0}, "alpha: 0 is not a probability"),
        ("naive", {"seed": 1.5}, "seed: 1.5 is not a seed; give an integer, hexadecimal digits or"),
        ("naive", {"seed": random.Random(1)}, "is not a seed"),
        ("naive", {"standard": "gli19", "only": "parity"}, "leave `only` out"),
        ("naive", {"timeout": 0}, "timeout: 0 is not a time"),
        ("naive", {"cause": -1}, "cause: -1 is not a time; write seconds from 0 on"),
    ],
)
def test_what_cannot_be_tested_is_refused_with_a_remedy(what, options, says):
    with pytest.raises(FairdeckError) as caught:
        lab.test(what, **options)
    assert says in str(caught.value)


@pytest.mark.long
def test_a_generator_of_numpy_gives_the_seed():
    one, other = (lab.test("naive", decks=500, seed=np.random.default_rng(5)) for _ in range(2))
    assert one.seed == other.seed
    assert one.verdict.p_value == other.verdict.p_value


def test_statistics_and_standards_are_chosen_by_name():
    report = lab.test("fisher-yates", cards=9, decks=1_000, seed=1, only="parity, cycles", lags=0)
    assert report.chosen == ("cycles", "parity")
    few = lab.test("fisher-yates", decks=100, seed=1, standard="gli19")
    assert (few.standard, few.verdict.outcome, few.verdict.alpha) == (find("gli19"), "insufficient", 0.01)


@pytest.fixture(scope="module")
def report():
    return lab.test("naive", decks=2_000, seed=1, at_least=2_000)


@pytest.mark.long
def test_a_report_is_one_line_and_a_small_piece_of_html(report):
    assert repr(report).startswith("<Report: fail, p = ")
    assert len(repr(report)) < 300
    assert "Not fair" in report._repr_html_()
    assert len(report._repr_html_()) < 5_000


@pytest.mark.long
def test_a_report_becomes_json_with_every_test(report):
    told = json.loads(report.to_json())
    assert [each["p_value"] for each in told["tests"]] == [each.evidence.p_value for each in report.verdict.evidence]
    by_name = {(each["statistic"], each["lag"]): each for each in told["tests"]}
    whole = by_name["positions: all cards at all places", 0]
    assert (whole["score_is"], whole["degrees"]) == ("chi-square", 51**2)
    quarter = by_name["positions: by quarter", 0]
    assert quarter["expected"] == 3.25
    assert len(quarter["about_cards"][0]) == len(quarter["about_places"][0]) == 13
    pair = by_name["neighbours: one pair", 0]
    assert len(pair["about_cards"]) == 2
    assert f"{pair['seen']:.3%}" in pair["says"]


def test_ctrl_c_raises_or_reports_what_was_counted():
    def stop(trial):
        if trial.decks >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lab.test("fisher-yates", cards=6, seed=1, progress=stop)
    report = lab.test("fisher-yates", cards=6, seed=1, progress=stop, report_on_ctrl_c=True)
    assert 100 <= report.verdict.decks < 300
    assert "stopped by hand" in report.notes


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("fairdeck.lab", ("numpy", "scipy")),
        ("fairdeck.pytest_plugin", ("numpy", "scipy")),
        ("fairdeck.lab.testing", HEAVY),
        (
            "fairdeck.lab; fairdeck.lab.test('naive', seed=1)",
            (*HEAVY, "fairdeck.lab.causes.known"),
        ),
    ],
)
def test_importing_the_lab_and_a_verdict_load_nothing_heavy(module, heavy):
    code = f"import sys, {module}; print([m for m in {heavy} if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_without_numba_the_same_decks_have_the_same_p_values(tmp_path):
    (tmp_path / "mine.py").write_text("def shuffle(deck, rng):\n    rng.shuffle(deck)\n")
    code = (
        "import sys, json; sys.modules.update({name: None for name in sys.argv[1:]}); from fairdeck import lab; "
        "report = lab.test('mine.py:shuffle', decks=16_384, seed=1); "
        "print(json.dumps([report.verdict.outcome, report.tests(), 'numba' in report.environment]))"
    )
    asked = ([sys.executable, "-c", code], [sys.executable, "-c", code, "numba"])
    place = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    shown = [
        json.loads(subprocess.run(one, cwd=tmp_path, env=place, capture_output=True, check=True).stdout)
        for one in asked
    ]
    (*here, fast), (*without, slow) = shown
    assert (here, here[0], fast, slow) == (without, "pass", True, False)


# The cause.


def test_the_search_for_a_cause_has_a_bound_and_says_that_it_ended_there():
    report = lab.test("naive", seed=1, cause=1e-9)
    assert report.sample
    assert (report.causes, report.about_causes) == ((), ""), "no claim that none is known"
    assert "the search for the cause ended after 1e-09 s: --cause 1e-08 looks longer" in report.remarks
    none = lab.test("naive", seed=1, cause=0)
    assert (none.sample, none.causes, none.about_causes, none.remarks) == (None, (), "", ())
    assert none.verdict == report.verdict


# Going on after a failure.


@pytest.mark.long
def test_going_on_changes_words_and_charts_and_not_the_verdict():
    short = lab.test("naive", seed=1)
    longer = lab.test("naive", seed=1, go_on=3_000)
    for name in ("outcome", "p_value", "decks", "announced", "alpha"):
        assert getattr(longer.verdict, name) == getattr(short.verdict, name)
    assert short.counted == short.verdict.decks
    assert longer.counted == longer.tally.decks >= short.verdict.decks + 3_000
    assert longer.counted >= longer.verdict.analysed > short.verdict.analysed
    assert len(longer.verdict.findings) > len(short.verdict.findings)
    assert min(each.p_value for each in longer.verdict.findings) < 1e-100
    told = json.loads(longer.to_json())
    assert (told["decks"], told["counted"]) == (short.verdict.decks, longer.counted)
    once = lab.test("naive", seed=1, decks=longer.counted, at_least=longer.counted)
    assert all(map(np.array_equal, once.tally.counts, longer.tally.counts))


@pytest.mark.long
def test_going_on_ends_with_the_decks_and_does_nothing_for_a_fair_shuffle():
    assert lab.test("naive", seed=1, decks=700, go_on=10**6).counted == 700
    fair = lab.test("fisher-yates", seed=1, decks=2_000, go_on=10**6)
    assert (fair.verdict.outcome, fair.counted) == ("pass", 2_000)
    few = np.array([range(20)] * 40)
    assert lab.test(few, go_on="pictures").counted == 40


@pytest.mark.alone
@pytest.mark.long
def test_a_slow_source_is_not_kept_waiting_for_charts():
    calls = []

    def slow(deck):
        calls.append(1)
        time.sleep(0.15 if len(calls) < 17 else 0.02)

    assert lab.test(slow, cards=20, go_on="pictures").counted < 60
    lab.test("sattolo", seed=2, decks=600, at_least=600)  # builds the tables that are kept
    quick = lab.test("sattolo", seed=1, go_on="pictures")
    assert quick.verdict.decks == 16
    assert quick.counted >= 64


DECKS_OF_NAIVE = 128  # at which it fails with the seed 1


def test_ctrl_c_after_the_failure_keeps_the_verdict():
    def stop(trial):
        if trial.decks >= 1_000:
            raise KeyboardInterrupt

    report = lab.test("naive", seed=1, go_on=10**6, progress=stop, report_on_ctrl_c=True)
    assert (report.verdict.outcome, report.verdict.decks, report.cut_short) == ("fail", DECKS_OF_NAIVE, "")
    assert report.counted >= 1_000
    assert "stopped by hand, after the verdict" in report.notes


def test_something_that_is_not_a_deck_is_told_even_if_it_comes_after_the_failure(tmp_path):
    file = tmp_path / "decks.txt"
    file.write_text("0 1 2 3 4 5 6 7 8 9\n" * 400 + "0 1 2 3 4 5 6 7 8 8\n" * 9)
    short, longer = (lab.test(file, go_on=more) for more in (0, 10_000))
    assert short.verdict.decks == longer.verdict.decks < 400
    assert longer.verdict.p_value == short.verdict.p_value
    assert longer.verdict.at_gate
