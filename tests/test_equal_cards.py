"""Equal cards in orders that are given, drawn and compared: any card of a name serves where the name is wanted."""

import json
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from math import factorial, prod
from random import Random

import pytest

import fairdeck
from fairdeck import FairdeckError, replay
from fairdeck.cards.decks import read_cards
from fairdeck.cards.names import FRENCH
from fairdeck.cli.exits import BAD_INPUT
from fairdeck.dealing import equal_cards
from fairdeck.dealing.equal_cards import arrangement_between
from fairdeck.dealing.planner import draw, plan_for
from fairdeck.deals import task_of
from fairdeck.permutation import arrange
from tests.enumerated import law_of

LAST = {True: -1, False: 99}
TASKS = (
    *({"mat": mat, "bottom": bottom} for mat in ("2x1", "3x1", "5x2") for bottom in ("never", "space")),
    *({"mat": "3x1", "goal": goal, "dealers": 2} for goal in ("top:3", "hands:2x1+stock", "hands:2x2+rest")),
    {"mat": "3x1", "passes": 2, "bottom": "never"},
)


def words(n):
    """Yield each way in which n cards can be equal, in each order: the first card is a, the next other name b, ..."""
    yield from ("".join(word) for word in product("abcdefghi"[:n], repeat=n) if named_in_turn(word))


def named_in_turn(word):
    return "".join(dict.fromkeys(word)) == "abcdefghi"[: len(set(word))]


def assignments(start, order):
    """Yield all arrangements, bottom first, that bring the names from `start` into `order`, both top first."""
    now, then = start[::-1], order[::-1]
    for p in permutations(range(len(now))):
        if all(now[card] == name for card, name in zip(p, then, strict=True)):
            yield p


def fewest_keys(start, order, kept):
    """Return the fewest keys of all assignments: every free card of the name is tried for each place."""
    now, then = start[::-1], order[::-1]

    @cache
    def more(used, last):
        place = used.bit_count()
        free = [card for card, name in enumerate(now) if not used >> card & 1 and name == then[place]]
        if place == len(then) - 1:
            return min((card < last) is kept for card in free)
        return min(((card < last) is kept) + more(used | 1 << card, card) for card in free)

    return 1 + more(0, LAST[kept])


def keys(p, kept):
    return 1 + sum((above < below) is kept for below, above in pairwise(p))


def cost(plan):
    return len(plan.passes), max(len(set(step.deal)) for step in plan.passes)


@pytest.mark.parametrize("kept", [True, False])
def test_of_all_orders_of_up_to_four_cards_the_keys_are_the_fewest(kept, monkeypatch):
    monkeypatch.setattr(equal_cards, "STEPS_A_CARD", 200)
    for n in range(2, 5):
        for start in words(n):
            for order in set(permutations(start)):
                found = equal_cards._fewest(start[::-1], order[::-1], 0, n, kept=kept)
                assert arrange(found, start[::-1]) == order[::-1]
                assert keys(found, kept) == fewest_keys(start, order, kept), (start, order)


def test_of_orders_of_five_to_nine_cards_the_keys_are_the_fewest():
    """No chance of a false alarm: the seed is fixed."""
    chance = Random(6)
    for n in (5, 6, 7, 8, 9) * 8:
        start = chance.choices("abcd"[: chance.randint(2, 4)], k=n)
        order, kept = chance.sample(start, n), chance.random() < 0.5
        found = equal_cards._fewest(start[::-1], order[::-1], 0, n, kept=kept)
        assert keys(found, kept) == fewest_keys(start, order, kept), (start, order, kept)


@pytest.mark.parametrize("asked", TASKS, ids=str)
def test_no_other_choice_among_equal_cards_takes_fewer_passes_or_spaces(asked, monkeypatch):
    monkeypatch.setattr(equal_cards, "STEPS_A_CARD", 200)
    task = task_of(5, **asked)
    for start in ("aabbc", "abcab", "aabab"):
        for order in sorted(set(permutations(start)))[::3]:
            passes, spaces = cost(plan_for(task, arrangement_between(task, start, order)))
            best = min(cost(plan_for(task, p)) for p in assignments(start, order))
            assert (passes, spaces - ("top" in str(task.goal))) <= best, (start, order)


def test_every_order_of_a_few_cards_with_equal_ones_is_dealt_by_name():
    for start in words(3):
        for order in set(permutations(start)):
            deal = fairdeck.deal_order(order, tuple(start), mat="2x1")
            assert replay(deal.plan, start[::-1])[0] == order[::-1]


def test_hands_get_the_names_that_were_wanted():
    deal = fairdeck.deal_order(["b", "a", "a", "c", "b", "a"], ["a", "a", "a", "b", "b", "c"], goal="hands:2x2+stock")
    stock, hands = replay(deal.plan, ("c", "b", "b", "a", "a", "a"))
    assert ([sorted(hand) for hand in hands], stock) == ([["a", "b"], ["a", "c"]], ("a", "b"))


@pytest.mark.parametrize("names", ["aab", "aabb", "aaab", "aabc", "aaabb", "aabbc"])
@pytest.mark.parametrize("mat", ["2x1", "5x2"])
def test_a_drawn_order_gives_every_order_of_names_the_same_chance(names, mat):
    task = task_of(len(names), mat)
    law = law_of(lambda choices: replay(draw(task, choices)[0], names)[0])
    orders = factorial(len(names)) // prod(factorial(names.count(name)) for name in set(names))
    assert law == dict.fromkeys(set(permutations(names)), Fraction(1, orders))


def test_the_same_lists_give_the_same_plan_with_fewer_passes_than_in_turn():
    """60 cards: 9 names four times, 14 and 10 of two others; in turn, such a deal takes two passes on 4x4."""
    start = [f"card {at % 9}" for at in range(36)] + ["Marsh"] * 14 + ["Hill"] * 10
    chance = Random(1)
    chance.shuffle(start)
    order = chance.sample(start, 60)
    one, other = (fairdeck.deal_order(order, start, mat="4x4") for _ in range(2))
    assert one.plan == other.plan
    assert len(one.plan.passes) == 1
    assert replay(one.plan, start[::-1])[0] == tuple(order[::-1])


def test_large_decks_with_equal_cards_are_dealt_without_a_long_search():
    start = ["red", "blue"] * 10_000
    deal = fairdeck.deal_order(start[::-1], start, mat="10x10")
    assert replay(deal.plan, start[::-1])[0] == tuple(start)


@pytest.mark.parametrize("packs", [1, 2, 3, 8])
def test_whole_packs_are_read_with_any_number_of_jokers(packs):
    deck = (*FRENCH[:26] * packs, "Joker", *("Joker",) * packs)
    assert read_cards(" ".join(deck)) == deck
    assert read_cards(", ".join(deck), deck=deck[::-1]) == deck


def test_pinochle_and_numbers_may_be_there_as_often_as_the_others():
    pinochle = tuple(suit + rank for suit in "SHDC" for rank in "AKQJT9") * 2
    assert read_cards(" ".join(pinochle)) == pinochle
    assert read_cards("3 1 2 2 3 1") == tuple("312231")
    assert read_cards("Marsh\nHill\nMarsh") == ("Marsh", "Hill", "Marsh")


def test_without_whole_suits_a_card_twice_is_refused_only_if_another_is_missing_for_it():
    with pytest.raises(FairdeckError, match=r"card 4: SA is there twice.*and 1 card is missing: HK; name every card"):
        read_cards("SA SK HA SA", whole=False)
    assert read_cards("SA SK HQ SA", whole=False) == ("SA", "SK", "HQ", "SA")


def test_how_two_packs_lie_is_asked_and_not_guessed(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "order.txt").write_text("\n".join(FRENCH * 2))
    code, out, err = run("deal", "--order", "order.txt")
    assert (code, out) == (BAD_INPUT, "")
    assert (
        "order.txt: equal cards may lie pack on pack, or sorted, SA SA SK SK and so on; say with --start FILE how"
        in err
    )
    code, out, err = run("deal", "--order", "order.txt", "--start", "sorted", "--json")
    plan = fairdeck.read_plan(out)[0]
    lying = [name for name in reversed(FRENCH) for _ in range(2)]
    assert replay(plan, lying)[0] == (FRENCH * 2)[::-1]
    assert "note: order.txt: 104 cards, 52 names, from a list of playing cards" in err


def test_every_door_says_how_many_names_the_cards_have(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "now.txt").write_text("Marsh\nOld Fox\nMarsh\nHill\nMarsh\n")
    (tmp_path / "then.txt").write_text("Hill, Old Fox, Marsh, Marsh, Marsh")
    (tmp_path / "other.txt").write_text("Hill, Old Fox, Marsh, Hill, Marsh")
    told = "5 cards, 3 names, from a list of names, one a line, 'Marsh' to 'Marsh'\n"
    code, out, err = run("deal", "--order", "then.txt", "--start", "now.txt", "--json")
    assert (code, json.loads(out)["cards"], f"note: now.txt: {told}" in err) == (0, 5, True)
    code, _, err = run("deal", "--order", "other.txt", "--start", "now.txt")
    assert (code, len(err.splitlines())) == (BAD_INPUT, 1)
    assert "card 4: Hill is there twice, first in line 1, card 1, and 1 card is missing: Marsh" in err
    code, _, err = run("together", "announce", "--people", "Ann,Ben", "--names", "now.txt")
    assert (code, f"note: now.txt: {told}" in err) == (0, True)
    names = json.loads((tmp_path / "announcement.json").read_text())
    assert ["Marsh", "Hill", "Marsh", "Old Fox", "Marsh"] in [names["agreement"]["names"], names.get("names")]
