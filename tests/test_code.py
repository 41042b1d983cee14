"""Codes of deals in Python: letter for letter the page's, which reads them."""

import json
import random

import pytest
import quickjs

from fairdeck import FairdeckError, Hands, Mat, RandomIntegers, Task, parse_goal, seeded_words, uniform_permutation
from fairdeck.dealing.share_code import CLASSIC, LARGEST_CODED, write_code
from fairdeck.page.modules import joined
from tests.test_page_codes import HELPERS, a_deal

STEPS = "function stepsOf(text) { const deal = made(text); return startOf(deal, deal.plan.passes.length); }"
ORDER = uniform_permutation(52, RandomIntegers(seeded_words(b"code")))
DECK = Task(52, Mat(5, 2))


@pytest.fixture(scope="module")
def engine():
    context = quickjs.Context()
    context.eval(joined("code_reader") + HELPERS + STEPS)
    return context


def task_of(deal: dict) -> Task:
    goal = deal["goal"].replace("_", ":", 1).replace("_", ",").replace("-", "+")
    mat = Mat(deal["columns"], deal["rows"], tuple(deal.get("labels", ())))
    classic = deal["bottom"] == CLASSIC
    how = {"classic": True} if classic else {"bottom": deal["bottom"]}
    return Task(deal["cards"], mat, parse_goal(goal, deal["cards"]), deal["dealers"], **how)


@pytest.mark.parametrize("deals", [120, pytest.param(400, marks=pytest.mark.long)])
def test_the_page_and_python_write_the_same_code(engine, deals):
    """Goals, dealers, own labels, bottoms, sizes."""
    chance, kinds = random.Random(20), set()
    for _ in range(deals):
        deal = a_deal(chance)
        task, order = task_of(deal), deal["order"]
        code = write_code(task, order, deal["dealer"], deal["at"])
        assert code == engine.get("code")(json.dumps(deal)), deal
        kinds.add((type(task.goal).__name__, task.dealers > 1, "labels" in deal, deal["bottom"]))
    assert len(kinds) > 30, "every goal, one dealer and several, own labels and not, every bottom, classic"


@pytest.mark.parametrize(
    "labels",
    ['"quoted",\\back,#%&?', "a/b,c.d,e_f,g-h", "ü,ß,漢字,🂡🂱", "(a),b!,c*,it's", "<b>,{{x}},~,+ +", "A2,A1,B2,B1"],
)
def test_any_label_a_page_can_show_is_written_alike(engine, labels):
    names = labels.split(",")
    names = tuple(names + [f"x{i}" for i in range(len(names), 4)])
    deal = a_deal(random.Random(1), cards=20, columns=2, rows=2, labels=names, goal="deck")
    code = write_code(task_of(deal), deal["order"], deal["dealer"], deal["at"])
    assert code == engine.get("code")(json.dumps(deal))
    assert engine.get("isCode")(code)


@pytest.mark.parametrize("cards", [1, 2, 3, 4, 5, 1999, LARGEST_CODED])
def test_the_smallest_and_the_largest_deck_have_codes(engine, cards):
    deal = a_deal(random.Random(cards), cards=cards, columns=7, rows=3, goal="deck", dealers=1, dealer=0, at=0)
    deal.pop("labels", None)
    code = write_code(task_of(deal), deal["order"])
    assert code == engine.get("code")(json.dumps(deal))


def test_a_code_tells_as_many_steps_as_there_are(engine):
    chance = random.Random(5)
    for _ in range(60):
        deal = a_deal(chance, cards=chance.choice([4, 9, 20, 33]))
        last = engine.get("stepsOf")(json.dumps(deal))
        for at, fine in ((last, True), (last + 1, False)):
            code = write_code(task_of(deal), deal["order"], deal["dealer"], at)
            assert engine.get("isCode")(code) is fine, (deal, at)


def test_the_page_refuses_altered_codes(engine):
    chance = random.Random(9)
    for _ in range(400):
        deal = a_deal(chance, cards=chance.choice([4, 9, 20]))
        code = write_code(task_of(deal), deal["order"], deal["dealer"], deal["at"])
        parts, place = code.split("."), chance.randrange(10)
        doctored = {
            0: ["f2", "F1", ""],
            1: ["0", "00", "99999", "10001", "-4", "4e0", ""],
            2: ["0x5", "27x1", "5", "x", "5x2x1"],
            3: ["top_0", "top_", "hands_", "hands_0x3", "hands_999999999x1", "deck_", "toString", "hands_1x1-both"],
            4: ["always", "", "Pass"],
            5: ["0of1", "2of1", "1of5", "1of0", "1of9"],
            6: ["99999", "9999999", "-1", ""],
            7: ["", "A" * len(parts[7]) + "A", "_" * len(parts[7]), "!" * len(parts[7])],
            8: ["0", "zzzzzzz", ""],
            9: ["%", "%22", "[]", "7", "%5B%22%22%5D", "%5B1%5D", "%FF"],
        }[place]
        text = ".".join((*parts[:place], chance.choice(doctored), *parts[place + 1 :]))
        assert not engine.get("isCode")(text), text


@pytest.mark.parametrize(
    ("task", "says"),
    [
        (Task(LARGEST_CODED + 1, Mat(7, 3)), "10001 cards .* use up to 10000"),
        (Task(52, Mat(5, 2), dealers=5), "5 dealers .* use up to 4"),
        (Task(52, Mat(2, 1, ("leftwards", "right"))), "'leftwards' .* 1 to 8 letters"),
        (Task(52, Mat(2, 1, ("🂡🂱🂱🂱🂱🂱🂱🂱🂱", "right"))), "1 to 8 letters"),
        (Task(52, Mat(5, 2), least_passes=3), "at least 3 passes"),
        (Task(5000, Mat(26, 26), Hands(tuple(range(1, 90)), stock=995)), "goal hands:1,2,3.* fewer sizes of hands"),
        (Task(10_000, Mat(26, 26, tuple(f"漢漢漢漢{i:03}" for i in range(676)))), "shorter labels"),
    ],
    ids=["cards", "dealers", "label", "cards as letters", "passes", "goal", "length"],
)
def test_what_a_code_cannot_hold_is_refused_whatever_the_order(task, says):
    with pytest.raises(FairdeckError, match=says) as refused:
        write_code(task, uniform_permutation(task.cards, RandomIntegers(seeded_words(b"any"))))
    assert "\n" not in str(refused.value)


def test_a_place_that_is_not_in_the_deal_is_refused():
    for dealer, at in ((1, 0), (-1, 0), (0, -1), (0, 10**7)):
        with pytest.raises(FairdeckError, match="no such step"):
            write_code(DECK, ORDER, dealer, at)
    with pytest.raises(FairdeckError, match="51 cards"):
        write_code(DECK, ORDER[:51])
