"""The published table of plans: planned anew in Python and JavaScript, and explained by Euler's numbers."""

import hashlib
import json
from collections import Counter
from itertools import permutations
from math import factorial

import pytest
import quickjs
from bench.perft import FORMAT, PAGE, RESULTS, page, planned, rows_of, task_of, tasks, text_of

from fairdeck import Mat, Task, plan_for
from fairdeck.lab.statistics.descents import eulerian_law
from fairdeck.page.modules import joined
from tests.test_page_contract import HELPERS, given

TOLD = json.loads(RESULTS.read_text(encoding="utf-8"))
FEW = 5  # cards of the rows that are always planned
PERFT = """
function* ordersOf(rest, start) {
  if (!rest.length) yield start;
  for (const card of rest) yield* ordersOf(rest.filter((other) => other !== card), [...start, card]);
}
function perft(text) {
  const task = taskOf(text), orders = ordersOf(Array.from({ length: task.cards }, (_, i) => i), []);
  return Array.from(orders, (order) => JSON.stringify(planFor(task, order)) + "\\n").join("");
}
"""


def rows(few=True):
    return [row for row in TOLD["rows"] if (row["cards"] <= FEW) is few]


def test_the_table_has_every_task_once_and_the_page_shows_it():
    assert TOLD["format"] == FORMAT
    assert [task_of(row) for row in TOLD["rows"]] == list(tasks())
    read = rows_of(TOLD)
    assert [row.as_dict() for row in read] == TOLD["rows"]
    assert page(read) == PAGE.read_text(encoding="utf-8"), "python -m bench.perft"
    assert all(sum(row.plans.values()) == factorial(row.task.cards) for row in read)


@pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.long)])
def test_python_makes_the_plans_of_the_table(few):
    for row in rows(few):
        assert planned(task_of(row)).as_dict() == row


@pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.long)])
def test_the_page_makes_the_plans_of_the_table(few):
    engine = quickjs.Context()
    engine.eval(joined("advice", "randomness") + HELPERS + PERFT)
    for row in rows(few):
        plans = engine.get("perft")(given(task_of(row)))
        assert hashlib.sha256(plans.encode()).hexdigest() == row["sha256"], row


def test_another_plan_has_another_digest(monkeypatch):
    """One plan of 24 with two of its spaces swapped, which deals as well, is noticed."""
    task = Task(4, Mat(3, 1))
    right = planned(task)
    monkeypatch.setattr("bench.perft.text_of", lambda x: text_of(x).replace('"deal":[0,1,1,2]', '"deal":[0,2,2,1]'))
    assert any('"deal":[0,1,1,2]' in text_of(plan_for(task, order)) for order in permutations(range(4)))
    assert planned(task).plans == right.plans
    assert planned(task).digest != right.digest


def foretold(task):
    """Return how many orders of a whole deck take (passes, spaces), from Euler's numbers, without the planner."""
    counts = Counter()
    for descents, number in enumerate(eulerian_law(task.cards).weights):
        rising, falling = descents + 1, task.cards - descents
        passes = task.least_passes
        while True:
            keys = [rising, falling] if passes % 2 == 0 else [falling, rising]
            if task.dealers > 1 or task.bottom == "never":
                keys.pop()  # the second is that of a first pass from the bottom
            fitting = [each for each in keys if each <= task.mat.spaces**passes]
            if fitting:
                break
            passes += 1
        if task.bottom == "pass":
            fitting = fitting[:1]
        counts[passes, next(m for m in range(1, 99) if m**passes >= min(fitting))] += number
    return counts


def test_eulers_numbers_explain_the_whole_deck():
    explained = 0
    for row in TOLD["rows"]:
        task = task_of(row)
        if row["goal"] == "deck" and not row["classic"]:
            counted = {(each["passes"], each["spaces"]): each["orders"] for each in row["plans"]}
            assert counted == foretold(task), row
            explained += 1
    assert explained == 28 + 20
