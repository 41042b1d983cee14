"""Hands in several passes, and strata: every order of small decks is planned, dealt as printed, and counted."""

import json
import re
from collections import Counter
from itertools import pairwise, permutations, product
from math import factorial, prod

import pytest
import quickjs

from fairdeck import FairdeckError, Mat, Task, UnsoundPlan, deal, draw, parse_goal, plan_for, random_integers, read_plan
from fairdeck.dealing.goal import Strata
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.plan import replay
from fairdeck.deals import Deal
from fairdeck.page.modules import joined
from fairdeck.paper.sheet import Sheet
from fairdeck.words import LANGUAGES
from tests.table import Table

ON_THE_PAGE = """function drawn(cards, parts, draws, bounds) {
  [parts, draws, bounds] = [parts, draws, bounds].map(JSON.parse);
  const below = (bound) => { if (bound !== bounds.shift()) throw bound; return draws.shift(); };
  return JSON.stringify(orderFor({ cards, goal: { parts } }, below));
}"""


def task(cards, mat, goal, **options):
    return Task(cards, Mat.parse(mat), parse_goal(goal, cards), **options)


def dealt_as_printed(text, cards):
    """Do what the terminal says, line by line, with the cards 0 (bottom) to the last; return hands and deck."""
    table, hands, deck = Table(cards), [], None
    for line in text.split("\n"):
        if line.startswith("PASS"):
            table.begin("BOTTOM" in line)
        elif found := re.match(r" +\d+   ((?:[A-Z]\d+ *)+)$", line):
            for label in found[1].split():
                table.deal(label)
        elif line.startswith("    ") and line.strip():
            told = {label: int(height) for label, height in re.findall(r"([A-Z]\d+) +(\d+)", line)}
            assert told == {label: len(pile) for label, pile in table.mats[-1].items()}
        elif found := re.match(r"Gather: put (.*)\.$", line):
            for move in found[1].split(", then "):
                table.put(*move.split(" on "))
        elif line.startswith("Count the hands off the top of the deck"):
            hands, deck = counted_off(line, list(table.end()))
    return tuple(hands), tuple(table.end() if deck is None else deck)


def counted_off(said, deck):
    runs = re.findall(r"(\d+) hands? of (\d+)", said)
    hands = []
    for size in (int(size) for number, size in runs for _ in range(int(number))):
        hands.append(frozenset(deck[-size:]))
        del deck[-size:]
    return hands, deck


@pytest.mark.parametrize(
    ("cards", "mat", "goal", "splits", "times"),
    [
        (6, "2x1", "hands:3x2", 90, 8),
        (6, "2x1", "hands:2x2+rest", 90, 8),
        (5, "2x1", "hands:1,2,2", 30, 4),
        (5, "2x1", "hands:2x1+stock", 120, 1),
        (6, "2x1", "hands:2x2+stock", 180, 4),
        (6, "3x1", "hands:3x1+stock", 720, 1),
    ],
)
def test_each_split_is_dealt_as_often_as_any_other(cards, mat, goal, splits, times):
    """All orders, by the printed steps forwards: 3x2 of 6 cards on 2 spaces gives 90 splits, 8 times each."""
    wanted = task(cards, mat, goal)
    assert wanted.counted_off
    seen, heights = Counter(), set()
    for order in permutations(range(cards)):
        plan = plan_for(wanted, order)
        hands, deck = dealt_as_printed(Deal(wanted, plan, order, random_integers()).instructions(), cards)
        stock, piles = replay(plan, range(cards))
        assert hands == tuple(map(frozenset, piles[: len(hands)]))
        assert deck == stock or wanted.goal.rest
        seen[hands, deck if wanted.goal.stock else ()] += 1
        heights.add(tuple(step.counts(plan.mat.spaces) for step in plan.passes))
    assert (len(seen), set(seen.values())) == (splits, {times})
    assert wanted.goal.stock or len(heights) == 1, "the heights tell nothing: they are the same for all splits"


@pytest.mark.parametrize(
    ("cards", "parts", "orders"), [(6, "2x3", 432), (6, "3x2", 288), (7, "4,3", 2880), (7, "3,2,2", 1728)]
)
@pytest.mark.parametrize("mat", ["2x2", "7x1"])
def test_each_admissible_order_is_drawn_once_and_dealt(cards, parts, orders, mat):
    """(n - q)! q! times the product of the sizes: every outcome of the draws is another order, and has its plan."""
    wanted, page = task(cards, mat, f"strata:{parts}"), quickjs.Context()
    page.eval(joined("randomness") + ON_THE_PAGE)
    sizes = wanted.goal.sizes
    few = len(sizes)
    bounds = [*sizes, *range(few, 1, -1), *range(cards - few, 1, -1)]
    assert prod(bounds) == orders == factorial(few) * factorial(cards - few) * prod(sizes)
    seen, heights = set(), set()
    for draws in product(*map(range, bounds)):
        plan, order = draw(wanted, Drawn(draws, bounds))
        assert replay(plan, range(cards))[0] == order
        assert tuple(json.loads(page.get("drawn")(cards, *map(json.dumps, (sizes, draws, bounds))))) == order
        ends = [cards - sum(sizes[:number]) for number in range(few + 1)]
        assert all(sum(card >= cards - few for card in order[low:high]) == 1 for high, low in pairwise(ends))
        seen.add(order)
        heights.add(tuple(step.counts(plan.mat.spaces) for step in plan.passes))
    assert len(seen) == orders
    assert len(heights) == 1, "the heights do not tell where the special cards lie"


class Drawn:
    """Draws that are given, each with its bound."""

    def __init__(self, draws, bounds):
        self.left = list(zip(draws, bounds, strict=True))

    def below(self, bound):
        drawn, expected = self.left.pop(0)
        assert bound == expected
        return drawn


def test_24_packs_of_a_cube_take_two_passes_on_five_spaces():
    for mat in ("5x1", "5x2"):
        wanted = task(360, mat, "hands:24x15")
        found = outlook(wanted)
        assert (found.passes, found.spaces, found.tallest, found.moves) == (2, 5, 75, 720)
        plan, order = draw(wanted, random_integers("24"))
        assert [sorted(filter(None, step.counts(5))) for step in plan.passes] == [[60, 75, 75, 75, 75]] * 2
        stock, hands = replay(plan, range(360))
        assert stock == ()
        assert [set(hand) for hand in hands] == [set(order[end - 15 : end]) for end in range(360, 0, -15)]
    assert not task(360, "6x4", "hands:24x15").counted_off, "a space for each: one pass, as before"


@pytest.mark.parametrize(
    ("text", "written", "sizes"),
    [
        ("strata:5", "strata:3x11,2x10", (11, 11, 11, 10, 10)),
        ("strata:1", "strata:1x53", (53,)),
        ("strata:53", "strata:53x1", (1,) * 53),
        ("strata:13,4x10", "strata:13,4x10", (13, 10, 10, 10, 10)),
    ],
)
def test_strata_are_read_and_written(text, written, sizes):
    goal = parse_goal(text, 53)
    assert (goal.sizes, str(goal), parse_goal(written, 53)) == (sizes, written, goal)


@pytest.mark.parametrize(
    "text", ["strata:", "strata:0", "strata:54", "strata:x", "strata:5x9", "strata:5+stock", "strata:-1x53"]
)
def test_strata_that_do_not_add_up_are_refused(text):
    with pytest.raises(FairdeckError, match="strata"):
        parse_goal(text, 53)
    with pytest.raises(FairdeckError, match="or write strata:5 for parts about equally large"):
        parse_goal("strata:5x9", 53)
    with pytest.raises(FairdeckError, match="make them add up"):
        Task(53, Mat(5, 2), Strata((5,) * 9))


def test_a_plan_of_strata_says_so_and_is_checked():
    written = deal(7, "4x1", "strata:3", seed="01").to_json()
    assert read_plan(written)[0].goal == Strata((3, 2, 2))
    with pytest.raises(UnsoundPlan, match="special cards; the goal strata:1,2,4 wants one in each part"):
        read_plan(written.replace("strata:3,2x2", "strata:1,2,4"))
    with pytest.raises(FairdeckError, match="part 1 from the top has 2 special cards"):
        plan_for(task(4, "2x1", "strata:2"), range(4))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheet_says_how_to_begin_and_how_to_count_off(language):
    for goal, said in (("hands:2x3,6+rest", ("countOff", "restLeft")), ("strata:3", ("startStrata", "doneStrata"))):
        sheet = Sheet(deal(13, "2x1", goal).plan, 0, (210, 297), language)
        shown = " ".join(mark.text for page in sheet.pages() for mark in page.marks if hasattr(mark, "text"))
        for key in said:
            beginning = sheet.words.texts[key].split("|")[-1].split("{")[0].strip()
            assert beginning in shown


def test_the_heights_that_are_expected_are_those_of_the_plan():
    for cards, mat, goal in ((360, "5x1", "hands:24x15"), (52, "2x1", "hands:5x9+rest"), (30, "3x1", "hands:10,3x6,2")):
        wanted = task(cards, mat, goal)
        plan, _ = draw(wanted, random_integers("7"))
        assert outlook(wanted).tallest == max(max(step.counts(plan.mat.spaces)) for step in plan.passes)


@pytest.mark.parametrize("bottom", ["pass", "space", "never"])
def test_hands_and_a_stock_are_foretold_exactly(bottom):
    wanted = task(6, "2x1", "hands:2x1+stock", bottom=bottom)
    found, plans = outlook(wanted), [plan_for(wanted, order) for order in permutations(range(6))]
    counted = Counter(len(plan.passes) for plan in plans)
    assert found.passes_law == pytest.approx({passes: count / 720 for passes, count in counted.items()}, abs=1e-12)
