from collections import Counter
from itertools import permutations
from math import factorial

import pytest

from fairdeck import (
    PRESETS,
    Dice,
    FairdeckError,
    Hands,
    Mat,
    Task,
    TopCards,
    advise,
    draw,
    parse_goal,
    plan_for,
    seeded_words,
)
from fairdeck.advice import descent_law, refuse_too_few_passes


def eulerian(n):
    """Return the Eulerian numbers, exactly: orders of n cards by their descents (Knuth, TAOCP 3, 5.1.3)."""
    row = [1]
    for size in range(2, n + 1):
        above = [0, *row, 0]
        row = [(d + 1) * above[d + 1] + (size - d) * above[d] for d in range(size)]
    return row


def used_spaces(plan):
    return max(len(set(step.deal)) for step in plan.passes)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 52, 63, 64, 65, 100, 150, 442, 1000])
def test_the_law_of_descents_is_the_eulerian_law(n):
    first, law = descent_law(n)
    for d, count in enumerate(eulerian(n)):
        told = law[d - first] if 0 <= d - first < len(law) else 0.0
        assert told == pytest.approx(count / factorial(n), abs=1e-13)


@pytest.mark.parametrize("n", [3, 5, 7])
@pytest.mark.parametrize("bottom", ["never", "pass", "space"])
@pytest.mark.parametrize("mat", ["2x1", "3x1", "2x2", "5x1"])
def test_the_laws_of_passes_and_spaces_match_every_order(n, bottom, mat):
    """All n! orders are planned and counted: the claim is exact, not a sample."""
    task = Task(n, Mat.parse(mat), bottom=bottom)
    plans = [plan_for(task, p) for p in permutations(range(n))]
    advice = advise(task)
    for law, counted in (
        (advice.passes_law, Counter(len(plan.passes) for plan in plans)),
        (advice.spaces_law, Counter(used_spaces(plan) for plan in plans)),
    ):
        assert law == pytest.approx({value: count / factorial(n) for value, count in counted.items()}, abs=1e-12)
    from_base = sum(plan.passes[0].from_base for plan in plans) / factorial(n)
    assert advice.chance_from_bottom == pytest.approx(from_base, abs=1e-12)
    later = sum(chance for passes, chance in advice.passes_law.items() if passes > advice.passes)
    assert advice.chance_of_one_more_pass == pytest.approx(later)


def test_a_stock_follows_the_same_law():
    task = Task(8, Mat(3, 1), Hands((1, 2), stock=5))
    counted = Counter(len(plan_for(task, p).passes) for p in permutations(range(8)))
    expected = {passes: count / factorial(8) for passes, count in counted.items()}
    assert advise(task).passes_law == pytest.approx(expected, abs=1e-12)


def test_top_cards_never_take_more_than_said():
    for ordered in (1, 2, 3, 4, 5):
        task = Task(6, Mat(2, 1), TopCards(ordered))
        counted = Counter(len(plan_for(task, p).passes) for p in permutations(range(6)))
        law = advise(task).passes_law
        for most in range(1, 5):
            told = sum(chance for passes, chance in law.items() if passes <= most)
            assert told <= sum(count for passes, count in counted.items() if passes <= most) / factorial(6) + 1e-12


@pytest.mark.parametrize(("cards", "mat"), [(442, "7x3"), (150, "5x2"), (101, "5x2")])
def test_two_passes_where_others_need_three(cards, mat):
    task = Task(cards, Mat.parse(mat))
    advice = advise(task)
    assert advice.passes == 2
    assert advice.chance_of_one_more_pass < 1e-12
    assert advise(Task(cards, task.mat, classic=True)).passes == (2 if cards <= task.mat.spaces**2 else 3)
    dice = Dice(seeded_words(cards.to_bytes(2, "big")))
    assert {len(draw(task, dice)[0].passes) for _ in range(100)} == {2}


def test_52_cards_take_5_or_6_spaces():
    law = advise(Task(52, Mat(5, 2))).spaces_law
    assert law[5] + law[6] > 0.999999
    # P(more than 36 runs of 52 cards), exactly from the Eulerian numbers.
    over = sum(eulerian(52)[36:]) / factorial(52)
    assert sum(chance for spaces, chance in law.items() if spaces > 6) == pytest.approx(over, rel=1e-6)


@pytest.mark.parametrize(
    "text", ["60 5x2 deck", "150 5x1 deck", "442 7x3 deck", "52 5x2 hands:4x7+stock", "52 5x2 top:20"]
)
def test_the_tallest_pile_is_about_what_is_said(text):
    """400 deals: their mean tallest pile lies within 15 % of the figure (a fault of 20 % would show)."""
    cards, mat, goal = text.split()
    task = Task(int(cards), Mat.parse(mat), parse_goal(goal, int(cards)))
    advice = advise(task)
    dice = Dice(seeded_words(text.encode()))
    heights = []
    while len(heights) < 400:
        plan, _ = draw(task, dice)
        if len(plan.passes) == advice.passes:
            heights.append(max(max(step.counts(task.mat.spaces)) for step in plan.passes))
    assert sum(heights) / len(heights) == pytest.approx(advice.tallest, rel=0.15)


def test_minutes_moves_and_judgement():
    good, fair, poor = (advise(Task(cards, Mat(5, 2))) for cards in (60, 300, 5000))
    assert (good.judgement, fair.judgement, poor.judgement) == ("good", "fair", "poor")
    assert good.moves == 120
    # 2 x (60 x .9 s + 8 s) and 5 or 6 piles of 1.2 s in each pass
    assert good.minutes == pytest.approx((2 * (60 * 0.9 + 8) + 11 * 1.2) / 60, abs=0.1)
    assert advise(Task(60, Mat(5, 2), dealers=2)).minutes < good.minutes
    assert fair.reasons
    assert poor.reasons


def test_suggestions_are_true_and_useful():
    for cards in (52, 60, 104, 150, 300):
        for mat in (Mat(5, 1), Mat(5, 2), Mat(7, 3)):
            own = advise(Task(cards, mat))
            for way in own.suggestions:
                other = Mat.parse(way.mat)
                advice = advise(Task(cards, other))
                assert advice.passes <= way.passes
                assert str(other) in map(str, PRESETS) or (other.columns <= mat.columns and other.rows <= mat.rows)
                assert other.spaces < mat.spaces or way.passes < max(own.passes_law)
    assert any(way.passes == 2 for way in advise(Task(150, Mat(5, 1))).suggestions)


def test_too_few_passes_are_refused_before_anything_is_drawn():
    with pytest.raises(FairdeckError, match="need 10 spaces"):
        refuse_too_few_passes(Task(150, Mat(5, 1), passes=2))
    refuse_too_few_passes(Task(150, Mat(5, 1), passes=3))


def test_needs_say_what_two_and_three_passes_take():
    assert advise(Task(52, Mat(5, 2))).needs == {2: 6, 3: 4}
    assert advise(Task(104, Mat(5, 2))).needs == {2: 8, 3: 4}
    assert advise(Task(450, Mat(5, 2))).needs == {2: 16, 3: 7}
