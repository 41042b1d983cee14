"""Fairness as an assertion in people's own tests."""

import random
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from fairdeck.errors import FairdeckError
from fairdeck.lab import assert_fair as check

DOCUMENT = Path(__file__).parents[1] / "docs" / "how-to" / "test-your-shuffle.md"


class Card:
    def __init__(self, number):
        self.number = number


def naive(deck, rng):
    for place in range(len(deck)):
        other = rng.randrange(len(deck))
        deck[place], deck[other] = deck[other], deck[place]


def shuffled(n, rng):
    deck = list(range(n))
    rng.shuffle(deck)
    return deck


def test_a_fair_function_passes_and_its_report_says_what_would_have_been_seen():
    report = check(lambda deck, rng: rng.shuffle(deck), decks=2_000, seed=1)
    assert report.verdict.outcome == "pass"
    assert report.verdict.decks == 2_000
    assert {limit.family for limit in report.verdict.limits} >= {"position", "neighbours", "order", "serial"}


def test_a_function_of_the_number_of_cards_is_asked_so():
    assert check(shuffled, cards=10, decks=1_000, seed=2).verdict.outcome == "pass"


@pytest.mark.long
def test_a_biased_function_fails_with_a_message_a_developer_can_act_on():
    with pytest.raises(AssertionError) as caught:
        check(naive, seed=3)
    first, *rest = str(caught.value).splitlines()
    assert first.startswith("naive is not fair: ")
    assert first.endswith("each place swaps with any place, not only with the remaining places.")
    assert any("would be fair" in line or "in a fair deck" in line for line in rest)
    assert any("False alarms: at most once in 1 billion runs" in line for line in rest)
    assert "seed=3" in rest[-1]
    assert caught.value.report.verdict.decks < 1_000


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda deck: deck[:-1], "deck 1 has 51 cards instead of 52"),
        (lambda deck: [0, *deck[1:-1], 0], "card 0 twice"),
        (lambda n: None, "deck 1 is not a deck: the function returned None"),
        (lambda deck: ["a"] * len(deck), "holds 'a', which is not a whole number"),
    ],
)
def test_a_line_that_is_not_a_deck_is_shown(function, says):
    with pytest.raises(AssertionError, match=re.escape(says)):
        check(function)


@pytest.mark.long
def test_a_deck_that_goes_bad_late_is_named_by_its_number():
    calls = iter(range(10_000))

    def late(deck, rng):
        rng.shuffle(deck)
        if next(calls) == 1_500:
            deck.pop()

    with pytest.raises(AssertionError, match="deck 1,501 has 51 cards") as caught:
        check(late, seed=5)
    assert caught.value.report.verdict.decks == 1_500


def test_what_the_function_raises_is_for_its_author_to_see():
    with pytest.raises(ZeroDivisionError):
        check(lambda deck: 1 / 0)


def test_a_deck_that_goes_on_from_the_last_is_judged_by_what_each_shuffle_does():
    cut = lambda deck, rng: deck[(k := rng.randrange(1, len(deck))) :] + deck[:k]  # noqa: E731
    with pytest.raises(AssertionError, match="not fair"):
        check(cut, start="carried", seed=6)


def test_too_few_decks_are_refused_before_any_is_counted():
    with pytest.raises(FairdeckError, match="write 1000 or more"):
        check(random.shuffle, decks=999)


NAN, INFINITE = float("nan"), float("inf")
NO_CHANCES = [0, -1, NAN, INFINITE, 1, 2, True, False, "0.1", None, 1e-320]


@pytest.mark.parametrize(
    "wishes",
    [
        *({"alpha": alpha} for alpha in NO_CHANCES),
        *({"decks": decks} for decks in (NAN, INFINITE, 20_000.5, True, -5, "20000")),
        *({"cards": cards} for cards in (NAN, 0, 1, -3, True, 52.0, "52x", 10**6 + 1)),
        *({"seed": seed} for seed in (NAN, 1.5, "x", True, -1)),
        {"takes": "cards"},
        {"start": "sideways"},
    ],
    ids=str,
)
def test_a_value_that_means_nothing_is_refused_before_any_deck_is_asked_for(wishes):
    """Once `alpha=0` passed the naive shuffle at p = 1e-120."""
    asked = []
    with pytest.raises(FairdeckError) as caught:
        check(asked.append, **{"cards": 6, "decks": 1_000, **wishes})
    (name, value), *_ = wishes.items()
    assert name in str(caught.value)
    assert repr(value) in str(caught.value)
    assert asked == []


def test_numbers_of_numpy_are_numbers():
    wishes = {"cards": np.int64(6), "decks": np.int32(1_000), "alpha": np.float32(1e-6)}
    assert check(random.shuffle, **wishes).verdict.outcome == "pass"


@pytest.mark.long
def test_the_fixture_asserts_and_leaves_a_note_in_junit(pytester_folder):
    folder, run = pytester_folder
    (folder / "test_mine.py").write_text(
        "import random\n"
        "def test_good(assert_fair): assert_fair(random.shuffle, cards=6, decks=1000)\n"
        "def test_bad(assert_fair): assert_fair(lambda deck: deck.reverse(), cards=6, decks=1000)\n"
    )
    done = run("-q", "--junit-xml=out.xml", "-p", "no:cacheprovider")
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    assert "is not fair" in done.stdout
    (good,) = ElementTree.parse(folder / "out.xml").findall(".//testcase[@name='test_good']")
    (note,) = good.iter("property")
    assert note.get("value").startswith("1000 decks, p = ")


@pytest.fixture
def pytester_folder(tmp_path):
    import subprocess

    def run(*words):
        command = [sys.executable, "-m", "pytest", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)

    return tmp_path, run


@pytest.mark.long
def test_the_python_of_the_document_runs(tmp_path, monkeypatch):
    text = DOCUMENT.read_text(encoding="utf-8")
    (tmp_path / "mygame").mkdir()
    (tmp_path / "mygame" / "deck.py").write_text("from random import shuffle\n")
    monkeypatch.syspath_prepend(tmp_path)
    plain, with_fixture, own_cards = re.findall(r"```python\n(.*?)```", text, re.S)
    names = {}
    exec(compile(plain, "test-your-shuffle.md", "exec"), names)
    names["test_the_shuffle_is_fair"]()
    names |= {"Card": Card, "my_shuffle": random.shuffle}
    exec(compile(own_cards, "test-your-shuffle.md", "exec"), names)
    assert check(names["shuffle_numbers"], cards=8, decks=1_000).verdict.outcome == "pass"
    exec(compile(with_fixture.replace("100_000", "2_000"), "test-your-shuffle.md", "exec"), names)
    names["test_the_shuffle_is_fair"](check)


@pytest.mark.parametrize("decks", [0, -1, NAN, INFINITE, True, 1e6, None], ids=str)
def test_every_door_of_the_lab_refuses_what_is_no_number_of_decks(decks):
    from fairdeck.lab.experiments.histogram import measure
    from fairdeck.lab.judging.tally import Battery
    from fairdeck.lab.judging.trial import Trial

    for door in (
        lambda: Trial(Battery(5), decks),
        lambda: next(measure("naive", cards=5, decks=decks, bins=10, seed=1)),
        lambda: next(measure("naive", cards=decks, decks=100, bins=10, seed=1)),
        lambda: next(measure("naive", cards=5, decks=100, bins=decks, seed=1)),
        lambda: Battery(decks),
    ):
        with pytest.raises(FairdeckError, match="write "):
            door()


@pytest.mark.parametrize("number", [-1, NAN, INFINITE, True, 1.5, None], ids=str)
def test_lags_seeds_times_and_levels_are_checked_as_well(number):
    from fairdeck.lab.experiments.histogram import measure
    from fairdeck.lab.judging.tally import Battery
    from fairdeck.lab.laws.tails import clopper_pearson
    from fairdeck.lab.standards import registry

    for door in (
        lambda: Battery(5, lags=number),
        lambda: next(measure("naive", cards=5, decks=100, bins=10, seed=number)),
        lambda: clopper_pearson(np.array([1]), np.array([2]), number),
    ):
        with pytest.raises(FairdeckError):
            door()
    for standard in registry().values():
        if number is not None:  # then the standard's own
            with pytest.raises(FairdeckError, match="lags"):
                standard.battery(52, number)
