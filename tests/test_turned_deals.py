"""Deals that make order and reversals random: the coins are drawn with the plan, and belong to it."""

import json

import pytest

import fairdeck
from fairdeck import FairdeckError, Mat, Task, TopCards, UnsoundPlan, draw, plan_for, read_plan, replay
from fairdeck.cli import main
from fairdeck.cli.follow import Steps
from fairdeck.dealing.goal import WHOLE_DECK, Hands, Strata
from fairdeck.paper.marks import Stroke
from fairdeck.paper.sheet import Sheet
from tests.enumerated import law_of


@pytest.mark.parametrize(
    ("cards", "mat", "goal", "orders", "more"),
    [
        (3, "2x1", WHOLE_DECK, 6, {}),
        (4, "4x1", WHOLE_DECK, 24, {}),
        (4, "2x1", WHOLE_DECK, 24, {"least_passes": 2}),
        (4, "3x1", WHOLE_DECK, 24, {"dealers": 2}),
        pytest.param(5, "2x2", WHOLE_DECK, 120, {}, marks=pytest.mark.long),
        (4, "3x1", Hands((2, 2)), 6, {}),
        (3, "2x1", Hands((1,), stock=2), 6, {}),
        (4, "3x1", Strata((2, 2)), 16, {}),
        (4, "2x1", TopCards(2), 12, {}),
    ],
)
def test_every_order_with_every_set_of_reversed_cards_is_equally_likely(cards, mat, goal, orders, more):
    """Each plan is dealt forwards with signed cards; of hands and of cards below the top the order is not promised."""
    loose = goal.loose(cards)

    def dealt(integers):
        plan, _ = draw(Task(cards, Mat.parse(mat), goal, turn=True, **more), integers)
        deck, finished = replay(plan, list(enumerate(plan.turned)))
        return deck[loose:], tuple(map(frozenset, finished))

    law = law_of(dealt)
    assert len(law) == orders * 2 ** (cards - loose)
    assert len(set(law.values())) == 1


def test_a_plan_says_which_cards_are_turned_and_old_plans_stay_as_they_were():
    plain, turned = (fairdeck.deal(20, mat="3x2", seed="c0ffee", turn=turn) for turn in (False, True))
    old, new = (json.loads(deal.to_json(reveal=True)) for deal in (plain, turned))
    assert (old["format"], new["format"]) == ("fairdeck-plan/1", "fairdeck-plan/2")
    assert "turn" not in plain.to_json()
    assert old["destinations"] == new["destinations"], "coins are drawn after the order"
    assert read_plan(json.dumps(new)) == (turned.plan, turned.arrangement)
    first, *others = new["passes"]
    wrong = [new | {"passes": [first | {"turn": turn}, *others]} for turn in (first["turn"][1:], [2] * 20, [])]
    wrong += [new | {"format": old["format"]}, old | {"format": new["format"]}]
    wrong += [new | {"passes": [first, *others[:-1], others[-1] | {"turn": first["turn"]}]}]
    for each in wrong:
        with pytest.raises(UnsoundPlan, match="turn"):
            read_plan(json.dumps(each))


def test_terminal_and_sheet_mark_the_same_cards_and_say_the_end():
    plan = (deal := fairdeck.deal(24, mat="3x2", seed="09", turn=True, dealers=2)).plan
    marks = sum(plan.passes[0].turn)
    assert deal.instructions().count("↻") == marks + 1, "once in the note"
    steps = Steps(plan)
    screens = ["\n".join(steps.screen(at)) for at in range(len(steps))]
    assert sum("turn it end for end" in screen for screen in screens) == marks
    assert all(words.endswith("reversed is random too.") for words in (deal.instructions(), screens[-1]))
    pages = [page for dealer in (0, 1) for page in Sheet(plan, dealer, (210, 297)).pages()]
    arrows = [mark for page in pages for mark in page.marks if isinstance(mark, Stroke) and len(mark.points) > 9]
    assert len(arrows) == marks


@pytest.mark.parametrize("words", ["deal --order sorted --start now.txt --turn", "deal 5 --key --order now.txt --turn"])
def test_an_order_that_is_given_has_no_coins_and_turning_takes_time(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "now.txt").write_text("3 1 2 5 4")
    assert main(words.split()) == 2
    assert "--turn" in capsys.readouterr().err
    with pytest.raises(FairdeckError, match="turn has 0 numbers; the task needs 3"):
        plan_for(Task(3, Mat(2, 1), turn=True), (0, 1, 2))
    assert fairdeck.check(78, turn=True).minutes - fairdeck.check(78).minutes == pytest.approx(78 / 2 / 60, abs=0.1)
