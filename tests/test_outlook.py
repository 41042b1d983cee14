from collections import Counter
from itertools import pairwise, permutations
from math import ceil, factorial, floor, sqrt
from statistics import NormalDist

import pytest

from fairdeck import PRESETS, FairdeckError, Hands, Mat, Task, TopCards, draw, parse_goal, plan_for
from fairdeck.dealing.eulerian import _first_above_counted, descent_law, first_above_law
from fairdeck.dealing.goal import WHOLE_DECK
from fairdeck.dealing.outlook import Suggestion, _judge, _minutes, _tallest, outlook, refuse_too_few_passes
from fairdeck.dealing.pace import Pace
from fairdeck.dealing.planner import Shape
from fairdeck.randomness import RandomIntegers, seeded_words


def eulerian(n):
    """Return the Eulerian numbers, exactly: orders of n cards by their descents (Knuth, TAOCP 3, 5.1.3)."""
    row = [1]
    for size in range(2, n + 1):
        above = [0, *row, 0]
        row = [(d + 1) * above[d + 1] + (size - d) * above[d] for d in range(size)]
    return row


def outlook_and_plans(task):
    """Return the outlook of a task, and the plans of all orders, which follow its laws: the claim is exact."""
    found, plans = outlook(task), [plan_for(task, p) for p in permutations(range(task.cards))]
    for law, counted in (
        (found.passes_law, Counter(len(plan.passes) for plan in plans)),
        (found.spaces_law, Counter(max(len(set(step.deal)) for step in plan.passes) for plan in plans)),
    ):
        assert law == pytest.approx({value: count / len(plans) for value, count in counted.items()}, abs=1e-12)
    return found, plans


@pytest.mark.parametrize("n", [1, 2, 3, 10, 52, 63, 64, 65, 100, 150, 442, 1000])
def test_the_law_of_descents_is_the_eulerian_law(n):
    first, law = descent_law(n)
    for d, count in enumerate(eulerian(n)):
        told = law[d - first] if 0 <= d - first < len(law) else 0.0
        assert told == pytest.approx(count / factorial(n), abs=1e-14)


@pytest.mark.cases(6)
@pytest.mark.parametrize("n", [3, 5, pytest.param(7, marks=pytest.mark.long)])
@pytest.mark.parametrize("bottom", ["never", "pass", "space"])
@pytest.mark.parametrize("mat", ["2x1", "3x1", "2x2", "5x1"])
def test_the_laws_of_passes_and_spaces_match_every_order(n, bottom, mat):
    found, plans = outlook_and_plans(Task(n, Mat.parse(mat), bottom=bottom))
    from_bottom = sum(plan.passes[0].from_bottom for plan in plans) / factorial(n)
    assert found.chance_from_bottom == pytest.approx(from_bottom, abs=1e-12)
    later = sum(chance for passes, chance in found.passes_law.items() if passes > found.passes)
    assert found.chance_of_one_more_pass == pytest.approx(later)


@pytest.mark.cases(3)
@pytest.mark.parametrize("ordered", [1, 2, 4, 6])
@pytest.mark.parametrize("bottom", ["never", "pass", "space"])
@pytest.mark.parametrize("mat", ["2x1", "3x1", "4x1"])
def test_top_cards_follow_their_law_exactly(ordered, bottom, mat):
    outlook_and_plans(Task(7, Mat.parse(mat), TopCards(ordered), bottom=bottom))


@pytest.mark.parametrize(("n", "others"), [(1, 1), (2, 1), (3, 2), (4, 3), (5, 1)])
def test_the_law_of_a_first_card_above_all_others_by_enumeration(n, others):
    counted = Counter(
        sum(a > b for a, b in pairwise(p[others:]))
        for p in permutations(range(n + others))
        if p[others] > max(p[:others])
    )
    expected = [counted[d] / factorial(n + others) for d in range(n)]
    assert first_above_law(n, others) == pytest.approx(expected, abs=1e-14)


@pytest.mark.cases(1)
@pytest.mark.parametrize("n", [64, 65, 100, 200])
@pytest.mark.parametrize("others", [1, 7, 300])
def test_both_ways_to_that_law_agree(n, others):
    first, law = descent_law(n)
    assert first_above_law(n, others) == pytest.approx(_first_above_counted(n, others)[first : n - first], abs=1e-14)
    assert len(first_above_law(n, others)) == len(law)
    assert sum(first_above_law(n, others)) == pytest.approx(1 / (others + 1))


@pytest.mark.parametrize("cards, mat", [(12, "6x1"), (14, "7x1"), (32, "4x1"), (50, "5x1"), (72, "6x1"), (128, "8x1")])
def test_half_of_all_orders_is_enough_where_it_is_exactly_half(cards, mat):
    """n = 2 m^k: by symmetry just half of the orders fit; rounding must not decide."""
    found = outlook(Task(cards, Mat.parse(mat), bottom="never"))
    fewest = min(passes for passes, chance in found.passes_law.items() if chance > 0.1)
    assert found.passes == fewest
    assert found.chance_of_one_more_pass == pytest.approx(0.5)


@pytest.mark.parametrize(("cards", "mat"), [(442, "7x3"), (150, "5x2"), (101, "5x2")])
def test_two_passes_where_others_need_three(cards, mat):
    task = Task(cards, Mat.parse(mat))
    found = outlook(task)
    assert found.passes == 2
    assert found.chance_of_one_more_pass < 1e-12
    assert outlook(Task(cards, task.mat, classic=True)).passes == (2 if cards <= task.mat.spaces**2 else 3)
    integers = RandomIntegers(seeded_words(cards.to_bytes(2, "big")))
    assert {len(draw(task, integers)[0].passes) for _ in range(100)} == {2}


def test_52_cards_take_5_or_6_spaces():
    law = outlook(Task(52, Mat(5, 2))).spaces_law
    assert law[5] + law[6] > 0.999999
    # P(more than 36 runs of 52 cards), exactly from the Eulerian numbers.
    over = sum(eulerian(52)[36:]) / factorial(52)
    assert sum(chance for spaces, chance in law.items() if spaces > 6) == pytest.approx(over, rel=1e-6)


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    "text", ["60 5x2 deck", "150 5x1 deck", "442 7x3 deck", "52 5x2 hands:4x7+stock", "52 5x2 top:20"]
)
def test_the_tallest_pile_is_about_what_is_said(text):
    """400 deals: their mean tallest pile lies within 15 % of the figure (a fault of 20 % would show)."""
    cards, mat, goal = text.split()
    task = Task(int(cards), Mat.parse(mat), parse_goal(goal, int(cards)))
    found = outlook(task)
    integers = RandomIntegers(seeded_words(text.encode()))
    heights = []
    while len(heights) < 400:
        plan, _ = draw(task, integers)
        if len(plan.passes) == found.passes:
            heights.append(max(max(step.counts(task.mat.spaces)) for step in plan.passes))
    assert sum(heights) / len(heights) == pytest.approx(found.tallest, rel=0.15)


def test_minutes_moves_and_judgement():
    good, slow, awkward = (outlook(Task(cards, Mat(5, 2))) for cards in (60, 300, 5000))
    assert (good.judgement, slow.judgement, awkward.judgement) == ("good", "slow", "awkward")
    assert good.moves == 120
    # 2 x (60 x .9 s + 8 s) and 5 or 6 piles of 1.2 s in each pass
    assert good.minutes == pytest.approx((2 * (60 * 0.9 + 8) + 11 * 1.2) / 60, abs=0.1)
    assert outlook(Task(60, Mat(5, 2), dealers=2)).minutes < good.minutes
    assert slow.reasons
    assert awkward.reasons


def test_the_spaces_told_are_those_of_the_orders_that_take_the_passes_told():
    """Of seven cards on three spaces most orders take two passes of two piles; the others take one pass of three."""
    found = outlook(Task(7, Mat(3, 1), bottom="never"))
    assert (found.passes, found.spaces) == (2, 2)
    assert found.spaces_law[3] > 0.2


def test_one_loose_card_asks_for_no_shape_that_no_order_needs():
    """One of two cards is to lie on top, on a single space: there is an order to turn over, and one to leave."""
    found = outlook(Task(2, Mat(1, 1), TopCards(1)))
    assert (found.passes_law, found.chance_from_bottom) == ({1: 1.0}, 0.5)


def test_the_classic_method_needs_a_key_for_each_card_and_one_more_for_loose_cards():
    for goal in (WHOLE_DECK, TopCards(3), TopCards(2)):
        assert outlook(Task(4, Mat(2, 2), goal, classic=True)).passes_law == {1: 1.0}
    assert outlook(Task(5, Mat(2, 2), TopCards(4), classic=True)).passes_law == {2: 1.0}
    assert outlook(Task(5, Mat(2, 2), TopCards(3), classic=True)).passes_law == {1: 1.0}


def test_suggestions_are_true_and_useful():
    for cards in (52, 60, 104, 150, 300):
        for mat in (Mat(5, 1), Mat(5, 2), Mat(7, 3)):
            own = outlook(Task(cards, mat))
            for way in own.suggestions:
                other = Mat.parse(way.mat)
                found = outlook(Task(cards, other))
                within = sum(chance for passes, chance in found.passes_law.items() if passes <= way.passes)
                assert within >= 0.99 - 1e-9
                assert str(other) in map(str, PRESETS) or (other.columns <= mat.columns and other.rows <= mat.rows)
                assert other.spaces < mat.spaces or way.passes < max(own.passes_law)
    assert any(way.passes == 2 for way in outlook(Task(150, Mat(5, 1))).suggestions)


def test_too_few_passes_are_refused_before_anything_is_drawn():
    with pytest.raises(FairdeckError, match="need 9 spaces"):
        refuse_too_few_passes(Task(150, Mat(5, 1), least_passes=2))
    refuse_too_few_passes(Task(150, Mat(5, 1), least_passes=3))


def test_as_few_passes_as_half_of_all_orders_need_are_not_refused():
    refuse_too_few_passes(Task(12, Mat(6, 1), bottom="never"))


def test_needs_say_what_two_and_three_passes_take():
    assert outlook(Task(52, Mat(5, 2))).needs == {2: 6, 3: 3}
    assert outlook(Task(104, Mat(5, 2))).needs == {2: 8, 3: 4}
    assert outlook(Task(450, Mat(5, 2))).needs == {2: 15, 3: 7}
    assert outlook(Task(450, Mat(5, 2), bottom="never")).needs == {2: 16, 3: 7}
    for cards, passes in ((52, 2), (104, 2), (150, 2), (104, 3), (450, 3)):
        needed = outlook(Task(cards, Mat(5, 2))).needs[passes]
        enough, short = (outlook(Task(cards, Mat(spaces, 1))).passes_law for spaces in (needed, needed - 1))
        assert sum(chance for count, chance in enough.items() if count <= passes) >= 0.99 - 1e-9
        assert sum(chance for count, chance in short.items() if count <= passes) < 0.99
    assert outlook(Task(52, Mat(5, 2), Hands((13,) * 4))).needs == {}


EVERY_KIND = [
    *((TopCards(ordered), {"classic": True}) for ordered in (1, 4, 5)),
    *((TopCards(ordered), {"bottom": bottom}) for ordered in (3, 4, 5) for bottom in ("never", "space")),
    (Hands((1, 2), stock=2), {}),
    (Hands((1, 2), rest=2), {}),
    (Hands((1,), stock=4), {"classic": True}),
    (Hands((2, 3)), {"least_passes": 2}),
]


@pytest.mark.parametrize(("goal", "options"), EVERY_KIND)
def test_the_laws_of_every_goal_match_all_orders_of_five_cards(goal, options):
    task = Task(5, Mat(2, 2), goal, **options)
    found, _ = outlook_and_plans(task)
    assert found.moves == 5 + task.gathered * (found.passes - 1)
    assert bool(found.needs) is bool(task.gathered)


@pytest.mark.parametrize(
    ("task", "radices", "highest"),
    [
        (Task(60, Mat(5, 2)), (5, 6), 0),
        (Task(300, Mat(5, 2)), (5, 5, 6), 0),
        (Task(5_000, Mat(5, 2)), (2, 2), 0),  # few piles are high, and tell a good quantile from a poor one
        (Task(52, Mat(5, 2), TopCards(20)), (3, 4), 0),
        (Task(52, Mat(5, 2), Hands((2,), stock=50)), (4, 6), 2),
        (Task(52, Mat(5, 2), Hands((2, 30), stock=20)), (3, 4), 30),
        (Task(4, Mat(2, 1), Hands((2,), stock=2), least_passes=3), (1, 1, 2), 2),
    ],
)
def test_the_tallest_pile_is_the_largest_of_as_many_normal_values(task, radices, highest):
    """By the exact quantile of the normal law; the estimate has Tukey's approximation of it, good to 0.02."""
    loose, piles = task.goal.loose(task.cards), sum(radices)
    ordered = task.gathered - loose
    normal = NormalDist().inv_cdf((piles - 0.375) / (piles + 0.25))
    told = [loose + ordered / radix + normal * sqrt(0.873 * ordered / 2 / radix) for radix in radices]
    assert _tallest(task, Shape(radices)) == max(highest, *map(ceil, told))


def test_piles_of_the_classic_method_are_equally_high():
    assert _tallest(Task(52, Mat(5, 2), classic=True), Shape((6, 9))) == 9
    assert _tallest(Task(52, Mat(5, 2), Hands((13,) * 4)), Shape((0,))) == 13
    assert _tallest(Task(3, Mat(5, 2)), Shape((1,))) == 3  # never more than there are cards


@pytest.mark.parametrize(
    ("task", "radices", "seconds"),
    [
        (Task(60, Mat(5, 2)), (5, 6), 2 * (60 * 2 + 50) + 11 * 3),
        (Task(61, Mat(5, 2), dealers=2), (5, 6), 2 * (31 * 2 + 50) + 11 * 2 * 3),
        (Task(300, Mat(5, 2), dealers=7), (5, 5, 6), 3 * (43 * 2 + 50) + 16 * 7 * 3),
        (Task(52, Mat(5, 2), Hands((13, 13), stock=26)), (3, 4), 52 * 2 + 26 * 2 + 2 * 50 + 7 * 3),
        (Task(52, Mat(5, 2), Hands((13,) * 4)), (0,), 52 * 2 + 50),
    ],
)
def test_minutes_are_those_of_the_cards_the_piles_and_the_steps_to_a_tenth(task, radices, seconds):
    """With two seconds a card on 5 to 10 spaces, three a pile and fifty a pass."""
    pace = Pace(card=2.0, pile=3.0, step=50.0)
    seconds += sum(  # on other numbers of spaces a card takes another time
        (ceil(cards / task.dealers)) * (pace.of_a_card(spaces) - 2.0)
        for cards, spaces in zip(
            (task.cards, task.gathered), (radices[0] + len(task.goal.piles), radices[-1]), strict=True
        )
        if len(radices) > 1 or cards == task.cards
    )
    assert _minutes(task, Shape(radices), pace) == floor(seconds / 6 + 0.5) / 10


@pytest.mark.parametrize(("step", "minutes"), [(1.0, 0.6), (3.9, 0.6), (4.0, 0.7), (7.0, 0.7)])
def test_minutes_are_rounded_to_the_nearest_tenth_and_halves_up(step, minutes):
    """Ten cards at two seconds and five piles at three take 35 seconds; a tenth of a minute is six."""
    assert _minutes(Task(10, Mat(5, 1)), Shape((5,)), Pace(card=2.0, pile=3.0, step=step)) == minutes


@pytest.mark.parametrize(
    ("passes", "more", "tallest", "judgement", "reasons"),
    [
        (2, 0.0, 60, "good", []),
        (2, 0.0099, 61, "slow", ["piles of 61 cards are hard to square"]),
        (2, 0.0, 120, "slow", ["piles of 120 cards are hard to square"]),
        (2, 0.0, 121, "awkward", ["piles of 121 cards fall over"]),
        (3, 0.0, 9, "slow", ["3 passes take long: a mat with more spaces needs fewer"]),
        (4, 0.0, 9, "awkward", ["4 passes take long: a mat with more spaces needs fewer"]),
        (2, 1 - 0.99, 9, "good", ["1% of all orders take one pass more"]),
        (2, 0.25, 9, "good", ["25% of all orders take one pass more"]),
    ],
)
def test_a_deal_is_judged_by_its_passes_and_its_piles(passes, more, tallest, judgement, reasons):
    assert _judge(Task(200, Mat(5, 2)), passes, more, tallest) == (judgement, tuple(reasons))
    loose = "only the top 20 will be in random order: do not use the others"  # which lie in one pile on every mat
    assert _judge(Task(200, Mat(5, 2), TopCards(20)), passes, more, tallest + 180) == (judgement, (*reasons, loose))


def test_suggestions_are_the_smallest_mats_for_as_many_passes_or_fewer():
    assert outlook(Task(52, Mat(5, 2))).suggestions == (Suggestion("3x2", 2, 6),)
    assert outlook(Task(52, Mat(3, 2))).suggestions == ()
    assert outlook(Task(150, Mat(5, 1))).suggestions == (Suggestion("5x2", 2, 10),)


def test_chances_below_the_accuracy_are_left_out_and_the_others_add_up_to_one():
    for cards in (52, 150, 450):
        law = outlook(Task(cards, Mat(5, 2))).spaces_law
        assert min(law.values()) >= 1e-14
        assert sum(law.values()) == pytest.approx(1.0, abs=1e-12)


def test_the_law_of_descents_lists_ten_standard_deviations_to_each_side():
    for n in (64, 72, 73, 1_000):
        first, law = descent_law(n)
        spread = sqrt((n + 1) / 12)
        assert len(law) == n - 2 * first
        assert first == ceil((n - 1) / 2 - 10 * spread)
        assert sum(law) == pytest.approx(1.0, abs=1e-14)
        assert law == pytest.approx(law[::-1], abs=1e-15)
