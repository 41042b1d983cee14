"""Every public name refuses what it cannot use, with one line: no TypeError, and no answer to a wrong question."""

import copy
import inspect
import pickle
import random
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairdeck

PACKAGES = ("fairdeck", "fairdeck.lab", "fairdeck.bulk", "fairdeck.shuffles", "fairdeck.packets")
MAT = fairdeck.Mat(5, 2)
TASK = fairdeck.Task(6, MAT)
PLAN, ORDER = fairdeck.draw(TASK, fairdeck.random_integers("c0ffee"))
RIFFLE = fairdeck.shuffles.find("riffle")


class Odd:
    """Something that no function knows."""


class Hostile:
    """Something whose own code fails wherever it is asked."""

    def __index__(self):
        raise RuntimeError

    __repr__ = __index__


# fmt: off
UNSUITABLE = [
    True, 2.5, 5.0, -3, -1, 10**30, nan, inf, -inf, 1e300, "", "x", "2.5", "-3", "1e3", "\0", "a" * 100_000, "٣", b"",
    [], [0, 0], [2, 0], (2.5,), ["a", 1], {}, {"a": 1}, set(), frozenset([1]), object(), Odd, Odd(), len, 1j, ...,
    Decimal("2.5"), Fraction(5, 2), np.float64(2.5), np.array([1.5, 2]), np.int64(-3), range(0), NotImplemented,
    10**5_000, -(10**5_000), np.ones((2, 3)), np.array(5.5), Hostile(), np.False_, [np.nan, 1], np.datetime64("2030"),
]
GOOD: dict[str, dict[str, Any]] = {
    "fairdeck.Mat": {"columns": 5, "rows": 2, "labels": ()},
    "fairdeck.Strata": {"sizes": (3, 3)},
    "fairdeck.Hands": {"sizes": (2, 2), "stock": 1, "rest": 1},
    "fairdeck.TopCards": {"ordered": 3},
    "fairdeck.Task": {
        "cards": 6, "mat": MAT, "goal": fairdeck.WHOLE_DECK, "dealers": 1, "least_passes": 1, "classic": False,
        "bottom": "pass",
    },
    "fairdeck.Pass": {"deal": (0, 1), "stack": (0, 1), "from_bottom": False, "packets": ()},
    "fairdeck.Plan": {"cards": 6, "mat": MAT, "passes": PLAN.passes, "dealers": 1, "goal": fairdeck.WHOLE_DECK},
    "fairdeck.RandomIntegers": {"words": fairdeck.seeded_words(b"x")},
    "fairdeck.advise": {
        "cards": 52, "players": 1, "mat": None, "cards_are": "cards", "room": True, "goal": fairdeck.WHOLE_DECK,
        "distance": 0.05, "minutes": None, "machine": 0, "decks": 1, "riffler": None,
    },
    "fairdeck.arrange": {"p": (1, 0), "deck": "ab"},
    "fairdeck.check": {
        "cards": 6, "mat": "5x2", "goal": "deck", "dealers": 1, "passes": None, "classic": False, "bottom": "pass",
    },
    "fairdeck.deal": {
        "cards": 6, "mat": "5x2", "goal": "deck", "labels": None, "dealers": 1, "passes": None, "classic": False,
        "bottom": "pass", "seed": None,
    },
    "fairdeck.deal_order": {
        "order": ["a", "b"], "start": ["b", "a"], "mat": "5x2", "goal": "deck", "labels": None, "dealers": 1,
        "passes": None, "classic": False, "bottom": "pass",
    },
    "fairdeck.draw": {"task": TASK, "integers": fairdeck.random_integers()},
    "fairdeck.hands": {"cuts": (), "cards": 16, "seed": 1},
    "fairdeck.inverse": {"p": (1, 0)},
    "fairdeck.mix": {
        "recipe": "riffle*3", "cards": 6, "like": None, "rounds": 1, "decks": 0, "seed": 1, "workers": 1,
        "pictures": False,
    },
    "fairdeck.outcomes": {"plan": PLAN, "deck": range(6)},
    "fairdeck.parse_goal": {"text": "deck", "cards": 6},
    "fairdeck.permutation_of": {"values": (0, 1)},
    "fairdeck.plan_for": {"task": TASK, "arrangement": ORDER, "shape": None},
    "fairdeck.random_integers": {"seed": None},
    "fairdeck.reaches": {"plan": PLAN, "arrangement": ORDER},
    "fairdeck.read_plan": {"text": fairdeck.deal(6).to_json()},
    "fairdeck.replay": {"plan": PLAN, "deck": range(6)},
    "fairdeck.seeded_words": {"seed": b"x"},
    "fairdeck.then": {"p": (0, 1), "q": (1, 0)},
    "fairdeck.uniform_permutation": {"n": 5, "integers": fairdeck.random_integers()},
    "fairdeck.packets.find": {"name": "two-way"},
    "fairdeck.packets.read_flow": {"text": "flow"},
    "fairdeck.packets.scheme": {"flow": "two-way", "cards": 52, "players": None, "steps": None, "riffles": None},
    "fairdeck.shuffles.find": {"name": "riffle*3"},
    "fairdeck.shuffles.recipe_steps": {"name": "riffle*3"},
    "fairdeck.shuffles.recipe_of": {"steps": [(RIFFLE, 2)]},
    "fairdeck.shuffles.steps_of": {"known": RIFFLE},
    "fairdeck.lab.Program": {"command": "true", "layout": "text"},
    "fairdeck.lab.assert_fair": {
        "function": random.shuffle, "cards": 5, "alpha": 1e-9, "decks": 1_000, "seed": None, "start": "sorted",
        "takes": None,
    },
    "fairdeck.lab.exact": {"shuffle": "naive", "cards": 3, "takes": None, "leaves": 1_000, "eps": 1e-12},
    "fairdeck.lab.histogram": {
        "shuffle": "naive", "cards": 4, "decks": 1_000, "bins": 24, "seed": 1,
    },
    "fairdeck.lab.test": {
        "what": "naive", "cards": 5, "decks": 200, "seed": 1, "alpha": 1e-6, "standard": None, "only": "descents",
        "lags": None, "start": "sorted", "takes": None, "order": None, "timeout": 5.0, "in_parts": False, "workers": 1,
        "at_least": 0, "go_on": 0,
    },
    "fairdeck.bulk.permutations": {"batch": 3, "n": 5, "top": None, "seed": 1, "first": 0, "threads": 1},
}
OTHER_TESTS = {  # a store, a log, or data that the author of a shuffle writes: their own tests compare them
    "Deal", "FairdeckError", "UnsoundPlan", "Outlook", "PRESETS", "WHOLE_DECK", "WholeDeck", "system_words", "Report",
    "Unfair", "monitor", "resume", "Family", "KernelRow", "Known", "MOST_CARDS", "MOST_TIMES", "Model", "Parameter",
    "Recipe", "Shuffle", "Step", "Streaming", "families", "registry", "Flow", "Procedure", "schemes",
}
# fmt: on


def test_every_public_name_is_here_or_tested_elsewhere():
    for package in PACKAGES:
        for name in import_module(package).__all__:
            assert (f"{package}.{name}" in GOOD) != (name in OTHER_TESTS), f"{package}.{name}"


def outcome(function, given):
    """Return what a call answers, read to its end; or the error."""
    try:
        found = function(**given)
        return list(found) if inspect.isgenerator(found) else found
    except (fairdeck.FairdeckError, fairdeck.lab.Unfair) as error:
        return error


def call_of(name):
    package, _, attribute = name.rpartition(".")
    return getattr(import_module(package), attribute)


def plainly_wrong(parameter, good, value):
    """Return whether no reading of a value suits a parameter whose usual value is `good`."""
    if type(value) is type(good) and not isinstance(value, float):
        return False  # of the right type: its range is for the function to judge
    if isinstance(good, bool):
        return True
    if isinstance(good, int) and not (parameter == "seed" and isinstance(value, str)):
        copies = dict if parameter == "cards" else int  # of each name
        return not isinstance(value, int | np.integer | copies) or isinstance(value, bool)
    if isinstance(good, tuple) and parameter in ("deal", "stack", "packets", "sizes", "passes", "labels"):
        return not isinstance(value, tuple) or value == (2.5,)
    return isinstance(good, fairdeck.Task | fairdeck.Plan | fairdeck.Mat)


CASES = [(name, parameter) for name, given in GOOD.items() for parameter in given]


@pytest.mark.parametrize(("name", "parameter"), CASES, ids=[f"{name}-{parameter}" for name, parameter in CASES])
def test_an_unsuitable_value_is_refused_with_a_line_and_never_answered(name, parameter):
    function, given = call_of(name), GOOD[name]
    for value in UNSUITABLE:
        found = outcome(function, given | {parameter: copy.copy(value)})
        if isinstance(found, fairdeck.FairdeckError):
            assert "\n" not in str(found).strip(), (name, parameter, str(found))
            assert len(str(found)) < 1_000 or parameter == "function", (name, parameter)
        elif not isinstance(found, fairdeck.lab.Unfair):
            assert not plainly_wrong(parameter, given[parameter], value), (name, parameter, value, found)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fairdeck.random_integers().below(2.5), "cannot draw below 2.5: the bound must be 1 to"),
        (lambda: fairdeck.RandomIntegers([2.5]).below(4), "a random word: 2.5 is not a whole number"),
        (lambda: fairdeck.RandomIntegers([2**32]).below(4), "a random word: 4294967296 is out of range"),
        (lambda: fairdeck.inverse([0, 0]), "1 is missing"),
        (lambda: fairdeck.inverse([0.0, 1.0]), "0.0 is not a whole number"),
        (lambda: fairdeck.arrange((2, 0), "abc"), "1 is missing"),
        (lambda: fairdeck.arrange((1, 0), "abc"), "moves 2 cards; the deck is 'abc'"),
        (lambda: fairdeck.arrange((-1, 0), "ab"), "1 is missing|out of range"),
        (lambda: fairdeck.then((0, 1), (0, 1, 2)), "moves 3 cards"),
        (lambda: fairdeck.permutation_of([0.0, 1.0]), "0.0 is not a whole number"),
        (lambda: fairdeck.uniform_permutation(-3, fairdeck.random_integers()), "n: -3 is out of range"),
        (lambda: fairdeck.deal_order({"a", "b"}, ["a", "b"]), "order must be a text or a list"),
        (lambda: fairdeck.advise(52, playrs=3), "playrs"),
    ],
)
def test_what_was_answered_once_is_refused(call, words):
    with pytest.raises((fairdeck.FairdeckError, TypeError), match=words):
        call()


def test_numbers_of_numpy_are_read_like_those_of_python():
    ten = np.int64(10)
    assert fairdeck.random_integers("c0ffee").below(ten) == fairdeck.random_integers("c0ffee").below(10)
    assert fairdeck.inverse(np.array([1, 2, 0])) == (2, 0, 1)
    plan = fairdeck.deal(ten, seed="c0ffee").plan
    assert plan == fairdeck.deal(10, seed="c0ffee").plan
    assert type(plan.cards) is int
    assert fairdeck.deal(10, seed="c0ffee").task == fairdeck.Task(np.uint8(10), fairdeck.Mat(np.int8(5), 2))


@pytest.mark.parametrize("package", PACKAGES)
def test_signatures_name_every_option_and_dir_shows_every_name(package):
    module = import_module(package)
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isfunction(value):
            kinds = {each.kind for each in inspect.signature(value).parameters.values()}
            assert inspect.Parameter.VAR_KEYWORD not in kinds, f"{package}.{name} takes any option"
    assert {"bulk", "lab", "packets", "shuffles"} <= set(dir(fairdeck))


@pytest.mark.long
def test_a_type_checker_knows_every_option(tmp_path):
    calls = ("advise(52, playrs=3)", 'mix("riffle", crds=3)', 'hands("RB", card=3)', 'lab.exact("naive", crds=3)')
    script = tmp_path / "calls.py"
    script.write_text("import fairdeck\n" + "".join(f"fairdeck.{call}\n" for call in calls))
    command = [sys.executable, "-m", "mypy", "--cache-dir", ".mypy_cache/calls", str(script)]
    shown = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert shown.stdout.count("Unexpected keyword argument") == len(calls), shown.stdout


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda deal: pickle.loads(pickle.dumps(deal))])
def test_a_deal_can_be_copied_and_pickled(copied):
    for made in (fairdeck.deal(12), fairdeck.deal(12, goal="hands:3x4"), fairdeck.deal_order("sorted", ["SA", "SK"])):
        again = copied(made)
        assert again == made
        assert again.to_json(reveal=True) == made.to_json(reveal=True)
        assert again.html() == made.html()
