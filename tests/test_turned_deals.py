"""Deals that make order and reversals random: the coins are drawn with the plan, and belong to it."""

import json
from collections import Counter
from math import factorial

import pytest

import fairdeck
from fairdeck import FairdeckError, Mat, Task, TopCards, UnsoundPlan, draw, read_plan, replay
from fairdeck.cli import main
from fairdeck.cli.follow import Steps
from fairdeck.dealing.goal import Hands, Strata
from fairdeck.paper.sheet import Sheet
from tests.enumerated import law_of


def dealt(task, integers):
    """Draw a plan, deal it forwards with signed cards, and return what lies where."""
    plan, _ = draw(task, integers)
    deck, finished = replay(plan, list(enumerate(plan.turned)))
    # Within a hand no order is promised.
    return deck, tuple(frozenset(hand) for hand in finished)


@pytest.mark.parametrize(
    ("cards", "mat", "more"),
    [
        (3, "2x1", {}),
        (4, "4x1", {}),
        (4, "2x1", {"least_passes": 2}),
        (4, "2x1", {"bottom": "space"}),
        (4, "3x1", {"dealers": 2}),
        pytest.param(5, "2x2", {}, marks=pytest.mark.long),
        (4, "3x1", {"goal": Hands((2, 2))}),
        (3, "2x1", {"goal": Hands((1,), stock=2)}),
        (4, "3x1", {"goal": Strata((2, 2))}),
    ],
)
def test_every_order_with_every_set_of_reversed_cards_is_equally_likely(cards, mat, more):
    task = Task(cards, Mat.parse(mat), turn=True, **more)
    law = law_of(lambda integers: dealt(task, integers))
    assert len(set(law.values())) == 1
    orders = {"hands:2x2": 6, "hands:1+stock": 6, "strata:2x2": 16}.get(str(task.goal), factorial(cards))
    assert len(law) == orders * 2**cards


def test_the_top_cards_and_their_reversals_are_equally_likely():
    law = law_of(lambda integers: dealt(Task(4, Mat(2, 1), TopCards(2), turn=True), integers))
    tops = Counter()
    for (deck, _), chance in law.items():
        tops[deck[2:]] += chance
    assert len(tops) == 12 * 4
    assert len(set(tops.values())) == 1


def test_a_plan_says_which_cards_are_turned_and_old_plans_stay_as_they_were():
    plain, turned = (fairdeck.deal(20, mat="3x2", seed="c0ffee", turn=turn) for turn in (False, True))
    assert json.loads(plain.to_json())["format"] == "fairdeck-plan/1"
    assert "turn" not in plain.to_json()
    written = json.loads(turned.to_json(reveal=True))
    assert written["format"] == "fairdeck-plan/2"
    assert len(written["passes"][0]["turn"]) == 20
    assert read_plan(turned.to_json(reveal=True)) == (turned.plan, turned.arrangement)
    assert turned.arrangement == plain.arrangement, "coins are drawn after the order"
    first = written["passes"][0]
    for wrong in (
        written | {"format": "fairdeck-plan/1"},
        json.loads(plain.to_json()) | {"format": "fairdeck-plan/2"},
        written | {"passes": [first | {"turn": first["turn"][1:]}, *written["passes"][1:]]},
        written | {"passes": [first | {"turn": [2] * 20}, *written["passes"][1:]]},
        json.loads(plain.to_json())
        | {"passes": [*json.loads(plain.to_json())["passes"][:-1], written["passes"][-1] | {"turn": first["turn"]}]},
    ):
        with pytest.raises(UnsoundPlan, match="turn"):
            read_plan(json.dumps(wrong))


def test_terminal_sheet_and_steps_mark_the_same_cards_and_say_the_end():
    deal = fairdeck.deal(24, mat="3x2", seed="09", turn=True, dealers=2)
    marks = sum(deal.plan.passes[0].turn)
    words = deal.instructions()
    assert words.count("↻") == marks + 1, "once in the note"
    assert "Which cards lie reversed is random too." in words
    steps = Steps(deal.plan)
    screens = ["\n".join(steps.screen(at)) for at in range(len(steps))]
    assert sum("↻ turn it end for end" in screen for screen in screens) == marks
    assert "reversed is random" in screens[-1]
    sheets = [Sheet(deal.plan, dealer, (210, 297), language=language) for dealer in (0, 1) for language in ("en", "de")]
    assert sum(sum(each.turn) for sheet in sheets[::2] for each in sheet.groups[0]) == marks
    assert all(not each.turn for sheet in sheets for told in sheet.groups[1:] for each in told)
    assert all(sheet.pages() for sheet in sheets)
    heads = len(
        [
            mark
            for sheet in sheets[::2]
            for page in sheet.pages()
            for mark in page.marks
            if getattr(mark, "width", 0) and len(getattr(mark, "points", ())) == 13
        ]
    )
    assert heads == marks, "an arrow for each card"


@pytest.mark.parametrize("words", ["deal --order sorted --start now.txt --turn", "deal 5 --key --order now.txt --turn"])
def test_an_order_that_is_given_has_no_coins(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "now.txt").write_text("3 1 2 5 4")
    assert main(words.split()) == 2
    assert "--turn" in capsys.readouterr().err


def test_a_task_gets_as_many_coins_as_it_needs():
    from fairdeck.dealing.planner import plan_for

    for task, coins in ((Task(3, Mat(2, 1), turn=True), ()), (Task(3, Mat(2, 1)), (1, 0, 1))):
        with pytest.raises(FairdeckError, match=f"turn has {len(coins)} numbers"):
            plan_for(task, (0, 1, 2), turn=coins)


def test_check_counts_the_time_of_turning():
    plain, turned = (fairdeck.check(78, turn=turn) for turn in (False, True))
    assert 0.6 <= turned.minutes - plain.minutes <= 0.7
    assert turned.passes_law == plain.passes_law
