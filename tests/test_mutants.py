"""The mutation tests: which faults they make, that tests find them, and that a fault without a reason is told."""

import json
import os
import subprocess
import sys
from types import ModuleType

from bench.mutants.__main__ import ROOT
from bench.mutants.changes import changes
from bench.mutants.page import page, without_reason
from bench.mutants.run import put

MODULE = '''
"""A module."""

LEAST = 1


def grade(value: int, strict: bool = False) -> str:
    """Return a grade."""
    if value >= LEAST and not strict:
        return "good"
    if value < 0:
        raise ValueError(f"{value + 1} is wrong")
    return "bad"


def total(values):
    n = 0
    for value in values:
        n += value
    return n
'''
TESTS = """
import pytest
from graded import grade, total

def test_grades():
    assert [grade(value) for value in (0, 1, 2)] == ["bad", "good", "good"]
    with pytest.raises(ValueError):
        grade(-2)

def test_the_total():
    assert total([1, 2]) == 3
"""


def test_every_slip_is_made_once_and_nothing_else_is_changed():
    made = [(each.before, each.after) for each in changes(MODULE) if each.owner == "grade"]
    assert made == [
        ("def grade(value: int, strict: bool=False) -> str:", "def grade(value: int, strict: bool=True) -> str:"),
        ("if value >= LEAST and (not strict):", "if value >= LEAST or not strict:"),
        ("if value >= LEAST and (not strict):", "if True and (not strict):"),
        ("if value >= LEAST and (not strict):", "if False and (not strict):"),
        ("if value >= LEAST and (not strict):", "if value > LEAST and (not strict):"),
        ("if value >= LEAST and (not strict):", "if value >= LEAST and True:"),
        ("if value >= LEAST and (not strict):", "if value >= LEAST and False:"),
        ("if value >= LEAST and (not strict):", "if value >= LEAST and strict:"),
        ("return 'good'", "return None"),
        ("return 'good'", "return 'good '"),
        ("if value < 0:", "if True:"),
        ("if value < 0:", "if False:"),
        ("if value < 0:", "if value <= 0:"),
        ("if value < 0:", "if value < 1:"),
        ("raise ValueError(f'{value + 1} is wrong')", "pass"),
        ("return 'bad'", "return None"),
        ("return 'bad'", "return 'bad '"),
    ]
    assert [each.after for each in changes(MODULE) if each.owner == "LEAST"] == ["LEAST = 2"]
    assert [each.after for each in changes(MODULE) if each.owner == "total"] == [
        *("n = 1", "n -= value", "pass", "return None")
    ]


def test_a_condition_is_known_by_its_place():
    places = {each.condition for each in changes(MODULE) if each.condition}
    assert places == {(9, 7), (9, 26), (11, 7)}


def test_a_fraction_that_becomes_a_whole_number_is_put_in_too():
    text = "SHARE = 5 / 6"
    module = ModuleType("shares")
    exec(text, vars(module))
    (product,) = (each for each in changes(text) if each.after == "SHARE = 5 * 6")
    put(product, module)
    assert module.SHARE == 30


RUN = """
import json, pytest
from bench.mutants.run import Mutation
mutation = Mutation({"graded.py": ("test_graded.py",)})
pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-c", "/dev/null", "test_graded.py"], plugins=[mutation])
found = mutation.found["graded.py"]
print()
print(json.dumps([found.tried, [each.after for each in found.survivors], list(found.conditions.values())]))
"""


def test_what_the_tests_do_not_notice_survives(tmp_path):
    """The tests of this module never say `strict`; they notice every other slip."""
    (tmp_path / "graded.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "test_graded.py").write_text(TESTS, encoding="utf-8")
    places = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    command = [sys.executable, "-c", RUN]
    ran = subprocess.run(command, cwd=tmp_path, env=places, capture_output=True, text=True, check=True)
    tried, survivors, conditions = json.loads(ran.stdout.splitlines()[-1])
    assert tried == len(list(changes(MODULE)))
    assert survivors == ["if value >= LEAST and True:"]
    assert conditions == [[True, True], [False, True], [True, True]]


RESULTS = {
    "about": {"version": "1", "python": "3", "machine": "m", "cores": 2},
    "files": {
        "a.py": {
            "tried": 10,
            "stopped": 1,
            "ways": 4,
            "shown_ways": 3,
            "branches": 6,
            "missed": ["if a: → end"],
            "survivors": [{"owner": "f", "line": 3, "before": "a < b", "after": "a <= b"}],
        }
    },
}
REASONS = {
    "a.py": {
        "survivors": [{"in": "f", "after": ["a <= b"], "kind": "same", "why": "They are never equal."}],
        "branches": [{"branch": "if a: → end", "why": "Only Windows takes it."}],
    }
}


def test_the_page_gives_the_score_and_the_kinds_of_reasons():
    text = page(RESULTS, REASONS)
    assert "| `a.py` | 10 | 90.0% | 1 | 3 of 4 | 5 of 6 |" in text
    assert "- 1: the changed program does the same.\n" in text
    assert without_reason(RESULTS, REASONS) == []


def test_a_survivor_without_a_reason_and_a_reason_without_a_survivor_are_told():
    assert "**No reason is given yet.**" in page(RESULTS, {})
    assert without_reason(RESULTS, {}) == ["a.py:3: no reason for a <= b", "a.py: no reason for the branch if a: → end"]
    mended = {**RESULTS, "files": {"a.py": {**RESULTS["files"]["a.py"], "survivors": [], "missed": []}}}
    assert without_reason(mended, REASONS) == [
        "a.py: a reason that nothing needs: a <= b",
        "a.py: a reason that nothing needs: if a: → end",
    ]
