"""Every small order is planned; what the planner calls fewest is compared with brute force."""

from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeck import FairdeckError, Hands, Mat, Task, TopCards, WholeDeck, arrange, plan_for, reaches, replay
from fairdeck.dealing import planner
from fairdeck.dealing.plan import LARGEST_DEALERS
from fairdeck.dealing.planner import Shape, classic_keys, number_of_keys, radices, run_keys, spaces_used

WIDE = Mat(7, 1)


def physical_passes(n: int, piles: int, from_bottom: bool) -> Iterator[tuple[int, ...]]:
    """Yield every arrangement one pass can make: any card onto any pile, the piles in any order."""
    deck = range(n) if from_bottom else range(n - 1, -1, -1)
    for spaces in product(range(piles), repeat=n):
        dealt = [[] for _ in range(piles)]
        for card, space in zip(deck, spaces, strict=True):
            dealt[space].append(card)
        for stack in permutations(range(piles)):
            yield tuple(card for space in stack for card in dealt[space])


@cache
def reachable(n: int, piles: tuple[int, ...], *from_bottom: bool) -> frozenset[tuple[int, ...]]:
    """Return every arrangement that passes of so many piles can make, each from the top unless it is said."""
    first = frozenset(physical_passes(n, piles[0], from_bottom[:1] == (True,)))
    if len(piles) == 1:
        return first
    later = reachable(n, piles[1:], *from_bottom[1:])
    return frozenset(arrange(q, p) for p in first for q in later)


@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.long)])
def test_no_way_to_deal_needs_fewer_keys(n):
    """Brute force over all assignments of cards, all gather orders, each pass from the top or from the bottom.

    Reachable means few enough keys: only the number of passes from the top matters.
    """
    for passes, most in ((1, 5), (2, 3), (3, 2)):
        for piles in product(range(1, most + 1), repeat=passes):
            for from_bottom in product((False, True), repeat=passes):
                keeps = from_bottom.count(False) % 2 == 0
                few = {p for p in permutations(range(n)) if number_of_keys(run_keys(p, kept=keeps)) <= prod(piles)}
                assert reachable(n, piles, *from_bottom) == few, (piles, from_bottom)


@pytest.mark.parametrize("bottom", ["never", "pass", "space"])
@pytest.mark.parametrize("spaces", [2, 3])
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_plan_takes_the_fewest_passes_of_all_deals_then_the_fewest_spaces(n, spaces, bottom):
    """Against all deals on this mat: none needs fewer passes, nor as many passes and fewer spaces."""
    task = Task(n, Mat(spaces, 1), bottom=bottom)
    for p in permutations(range(n)):
        plan = plan_for(task, p)
        passes, starts = len(plan.passes), (False,) if bottom == "never" else (False, True)
        for fewer in range(1, passes):
            assert not any(p in reachable(n, (spaces,) * fewer, start) for start in starts)
        # Asked to save passes only, it is dealt from the bottom only where no deal from the top has as few.
        if bottom == "pass":
            assert plan.passes[0].from_bottom is (p not in reachable(n, (spaces,) * passes, False))
            starts = (plan.passes[0].from_bottom,)
        used = max(len(set(step.deal)) for step in plan.passes)
        fewest = min(m for m in range(1, spaces + 1) for start in starts if p in reachable(n, (m,) * passes, start))
        assert used == fewest


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.long)])
def test_no_labelling_sorts_with_fewer_keys(n):
    """Over every labelling of the cards with k labels: the orders a stable sort by label reaches."""
    for labels in range(1, n + 1):
        kept, turned = set(), set()
        for label in product(range(labels), repeat=n):
            kept.add(tuple(sorted(range(n), key=lambda card: (label[card], card))))
            turned.add(tuple(sorted(range(n), key=lambda card: (label[card], -card))))
        for p in permutations(range(n)):
            assert (number_of_keys(run_keys(p, kept=True)) <= labels) is (p in kept)
            assert (number_of_keys(run_keys(p, kept=False)) <= labels) is (p in turned)


@pytest.mark.long
@pytest.mark.parametrize("first", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("passes", [3, 2, 1])
@pytest.mark.parametrize("n", [7, 6, 5, 4, 3, 2, 1])
def test_every_order_is_reached_with_every_choice_of_radices(n, passes, first):
    """1..7 cards, every choice of up to 5 piles in 1..3 passes, both directions.

    The plan is replayed here once more, on cards of another kind.
    """
    task = Task(n, WIDE)
    deck = [f"card {i}" for i in range(n)]
    later = product(range(1, 6), repeat=passes - 1)
    shapes = [Shape((first, *piles), from_bottom) for piles in later for from_bottom in (False, True)]
    for p in permutations(range(n)):
        keys = {kept: number_of_keys(run_keys(p, kept=kept)) for kept in (True, False)}
        wanted = arrange(p, deck)
        for shape in shapes:
            needed = keys[(passes % 2 == 0) is not shape.from_bottom]
            if needed > prod(shape.radices):
                continue
            plan = plan_for(task, p, shape)
            assert replay(plan, deck)[0] == wanted
            assert all(len(set(step.deal)) <= piles for step, piles in zip(plan.passes, shape.radices, strict=True))


def test_a_shape_too_small_for_an_order_is_refused():
    with pytest.raises(FairdeckError, match="needs 4 sort keys"):
        plan_for(Task(4, WIDE), (0, 1, 2, 3), Shape((3,)))


def every_goal(n: int) -> Iterator[WholeDeck | TopCards | Hands]:
    yield WholeDeck()
    yield from (TopCards(ordered) for ordered in range(1, n + 1))
    for sizes in ((1,), (2,), (1, 2), (2, 2), (1, 1, 1), (2, 1, 2)):
        left = n - sum(sizes)
        if left >= 0:
            yield Hands(sizes, stock=left)
            yield Hands(sizes, rest=left)


@pytest.mark.cases(3)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.long)])
def test_every_goal_is_met_for_every_order(n):
    for goal in every_goal(n):
        for mat in (Mat(2, 1), Mat(2, 2), Mat(3, 2)):
            for options in (
                {},
                {"bottom": "never"},
                {"bottom": "space"},
                {"classic": True},
                {"least_passes": 2},
                {"dealers": 2},
            ):
                try:
                    task = Task(n, mat, goal, **options)
                except FairdeckError:
                    assert mat.spaces < len(goal.piles) + (n > sum(goal.piles)) or options.get("dealers", 1) > n
                    continue
                for p in permutations(range(n)):
                    plan = plan_for(task, p)
                    assert reaches(plan, p)
                    assert len(plan.passes) >= (task.least_passes if task.gathered else 1)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_top_cards_take_the_fewest_keys(n):
    """Against every labelling: the order of the loose cards is free."""
    for labels in range(1, n + 1):
        reached = {True: set(), False: set()}
        for label in product(range(labels), repeat=n):
            for kept in (True, False):
                reached[kept].add(tuple(sorted(range(n), key=lambda c: (label[c], c if kept else -c))))
        for loose in range(1, n):
            for kept in (True, False):
                tops = {p[loose:] for p in reached[kept]}
                for p in permutations(range(n)):
                    assert (number_of_keys(run_keys(p, kept=kept, loose=loose)) <= labels) is (p[loose:] in tops)


def test_radices_use_the_fewest_spaces_then_the_fewest_piles():
    for keys in range(1, 400):
        for passes in (1, 2, 3):
            found = radices(keys, passes)
            assert prod(found) >= keys
            assert max(found) - min(found) <= 1
            width = next(m for m in range(1, keys + 1) if m**passes >= keys)
            assert max(found) == width
            choices = [c for c in product((width - 1, width), repeat=passes) if prod(c) >= keys]
            assert sum(found) == min(map(sum, choices))


def test_radices_beside_finished_piles_use_the_fewest_spaces():
    for keys in range(1, 60):
        for finished in range(1, 6):
            for passes in (1, 2, 3):
                found = radices(keys, passes, finished)
                assert prod(found) >= keys
                width = spaces_used(found, finished)
                below = width - 1
                assert below <= finished or (below - finished) * below ** (passes - 1) < keys or below == 0


def test_radices_for_the_orders_that_half_of_all_decks_need():
    """The median numbers of keys: 52 cards 26, 104 cards 52, 150 cards 75, 450 cards 225."""
    assert [radices(k, 2) for k in (26, 30, 36, 50, 75, 225)] == [(5, 6), (5, 6), (6, 6), (7, 8), (9, 9), (15, 15)]
    assert [radices(keys, 3) for keys in (26, 36, 52, 75)] == [(3, 3, 3), (3, 3, 4), (4, 4, 4), (4, 4, 5)]


@st.composite
def tasks(draw):
    mat = Mat(draw(st.integers(1, 7)), draw(st.integers(2, 4)))
    cards = draw(st.integers(1, 160))
    hands = draw(st.integers(1, min(cards, mat.spaces)))
    each = draw(st.integers(1, cards // hands))
    left = cards - hands * each
    goal = draw(
        st.sampled_from(
            [
                WholeDeck(),
                TopCards(draw(st.integers(1, cards))),
                Hands((each,) * hands, stock=left),
                Hands((each,) * hands, rest=left),
            ]
        )
    )
    options = {
        "dealers": draw(st.integers(1, min(LARGEST_DEALERS, cards))),
        "least_passes": draw(st.integers(1, 4)),
        "classic": draw(st.booleans()),
        "bottom": draw(st.sampled_from(["never", "pass", "space"])),
    }
    try:
        return Task(cards, mat, goal, **options)
    except FairdeckError:
        return Task(cards, mat, WholeDeck(), **options)


def assert_reached(task, random):
    p = random.sample(range(task.cards), task.cards)
    plan = plan_for(task, p)
    assert reaches(plan, p)
    for step in plan.passes:
        assert len(set(step.deal)) <= task.mat.spaces
        assert sum(step.counts(task.mat.spaces)) == len(step.deal)


@settings(max_examples=60)
@given(tasks(), st.randoms(use_true_random=False))
def test_any_task_reaches_any_order(task, random):
    assert_reached(task, random)


@pytest.mark.long
@settings(max_examples=300)
@given(tasks(), st.randoms(use_true_random=False))
def test_many_tasks_reach_any_order(task, random):
    assert_reached(task, random)


@pytest.mark.long
@settings(max_examples=200)
@given(st.integers(2, 200), st.randoms(use_true_random=False))
def test_the_bottom_saves_a_pass_where_the_top_cannot(n, random):
    """Half is always enough: with either direction free, (n+1)/2 keys order any deck."""
    p = random.sample(range(n), n)
    assert min(number_of_keys(run_keys(p, kept=True)), number_of_keys(run_keys(p, kept=False))) <= (n + 1) // 2
    mat = Mat(5, 1)
    passes = {bottom: len(plan_for(Task(n, mat, bottom=bottom), p).passes) for bottom in ("never", "pass", "space")}
    assert passes["pass"] == passes["space"] <= passes["never"]


def test_the_bottom_saves_a_space_only_when_asked():
    p = tuple(range(30))  # one key where order is kept, thirty where it is turned
    turned = p[::-1]
    asked, unasked = (plan_for(Task(30, WIDE, least_passes=2, bottom=bottom), turned) for bottom in ("space", "pass"))
    assert asked.passes[0].from_bottom
    assert not any(step.from_bottom for step in unasked.passes)
    assert max(map(len, (set(s.deal) for s in asked.passes))) < max(map(len, (set(s.deal) for s in unasked.passes)))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"cards": 0}, "0 cards"),
        ({"cards": 10**12}, "1000000"),
        ({"mat": Mat(1, 1)}, "one space"),
        ({"dealers": 9}, "9 dealers"),
        ({"dealers": 0}, "0 dealers"),
        ({"least_passes": 0}, "0 passes"),
        ({"least_passes": 33}, "33 passes"),
        ({"bottom": "always"}, "always"),
    ],
)
def test_tasks_that_cannot_be_done_are_refused(wrong, says):
    with pytest.raises(FairdeckError, match=says):
        Task(**({"cards": 60, "mat": WIDE} | wrong))


@pytest.mark.parametrize(
    ("mat", "cards", "options", "fits"),
    [
        (Mat(1, 1), 1, {}, True),
        (Mat(1, 1), 1, {"bottom": "never"}, True),
        (Mat(1, 1), 2, {}, True),  # turned over or not
        (Mat(1, 1), 2, {"bottom": "never"}, False),
        (Mat(1, 1), 2, {"classic": True}, False),
        (Mat(1, 1), 3, {}, False),
        (Mat(2, 1), 3, {"goal": Hands((1, 2))}, True),
        (Mat(2, 1), 3, {"goal": Hands((1, 1), stock=1)}, True),  # counted off, for the stock needs a space too
        (Mat(2, 1), 2, {"dealers": 2}, True),
        (Mat(2, 1), 2, {"dealers": 3}, False),
        (Mat(2, 1), 8, {"dealers": 8}, True),
        (Mat(2, 1), 1_000_000, {"least_passes": 32}, True),
        (Mat(2, 1), 1_000_001, {}, False),
        (Mat(2, 1), 3, {"least_passes": 33}, False),
        (Mat(2, 1), 3, {"goal": TopCards(4)}, False),
    ],
)
def test_the_smallest_mat_and_the_largest_numbers_that_a_task_may_have(mat, cards, options, fits):
    if fits:
        assert Task(cards, mat, **options).cards == cards
        return
    with pytest.raises(FairdeckError):
        Task(cards, mat, **options)


def test_no_more_dealers_than_cards_are_offered():
    with pytest.raises(FairdeckError, match=r"3 dealers for 2 cards: there can be 1 to 2$"):
        Task(2, WIDE, dealers=3)


def test_two_cards_on_one_space_are_dealt_from_the_end_that_puts_them_in_order():
    for p in ((0, 1), (1, 0)):
        (step,) = plan_for(Task(2, Mat(1, 1)), p).passes
        assert step.from_bottom is (p == (0, 1))


def test_two_keys_of_both_kinds_need_more_than_one_space():
    with pytest.raises(FairdeckError, match="3 sort keys need more than one space"):
        Task(2, Mat(1, 1)).shape(2, 3)


@pytest.mark.parametrize(
    ("bottom", "kept", "turned", "shape"),
    [
        ("pass", 9, 3, Shape((3,))),
        ("pass", 3, 9, Shape((3,), from_bottom=True)),  # which saves a pass
        ("pass", 9, 4, Shape((3, 3))),
        ("pass", 4, 4, Shape((2, 2))),
        ("pass", 10, 9, Shape((3, 3), from_bottom=True)),
        ("never", 10, 9, Shape((2, 2, 3))),
        ("space", 9, 4, Shape((2, 2), from_bottom=True)),  # which saves a space
        ("space", 4, 4, Shape((2, 2))),
    ],
)
def test_the_fewest_passes_come_before_the_fewest_spaces(bottom, kept, turned, shape):
    """On 3 spaces: one pass has 3 keys, two have 9, three have 27; one and three turn the order, two keep it."""
    assert Task(30, Mat(3, 1), bottom=bottom).shape(kept, turned) == shape


def test_a_capacity_grows_with_the_power_of_the_spaces():
    task = Task(200, Mat(3, 1), bottom="never")
    assert [len(task.shape(keys, keys).radices) for keys in (3, 4, 9, 10, 27, 28, 81, 82)] == [1, 2, 2, 3, 3, 4, 4, 5]


def test_a_million_cards_on_the_smallest_mat_have_passes_enough():
    """Each of two spaces but one doubles the keys in every pass; the first has a finished pile on one of them."""
    task = Task(1_000_000, Mat(2, 1), Hands((1,), stock=999_999), classic=True)
    assert task.shape(999_999, 999_999) == Shape((1, *[2] * 20))


def test_classic_keys_are_one_for_each_card_and_one_for_all_loose_cards():
    assert classic_keys(range(5)) == [0, 1, 2, 3, 4]
    assert classic_keys(range(5), loose=1) == [0, 1, 2, 3, 4]
    assert classic_keys(range(5), loose=3) == [0, 0, 0, 1, 2]
    assert classic_keys((), loose=0) == run_keys((), kept=True) == run_keys((), kept=False) == []


def test_the_classic_method_takes_a_space_for_each_card_even_of_a_deck_in_order():
    """Nine cards turned over need one key, which one pass gives; the classic method has nine keys."""
    turned = tuple(range(8, -1, -1))
    assert [len(set(step.deal)) for step in plan_for(Task(9, Mat(9, 1)), turned).passes] == [1]
    assert [len(set(step.deal)) for step in plan_for(Task(9, Mat(9, 1), classic=True), turned).passes] == [9]


def test_a_wrong_order_is_refused():
    with pytest.raises(FairdeckError, match="2 cards; the deck has 3"):
        plan_for(Task(3, WIDE), (0, 1))
    with pytest.raises(FairdeckError, match="not a permutation"):
        plan_for(Task(3, WIDE), (0, 1, 1))


@pytest.mark.parametrize("goal", [WholeDeck(), TopCards(5), Hands((2, 2), stock=4), Hands((2, 2), rest=4)])
def test_a_wrong_planner_is_detected(monkeypatch, goal):
    """The plan for another order is no plan for this one, and is never returned."""
    right = planner._planned
    p = (3, 1, 4, 0, 5, 7, 2, 6)
    monkeypatch.setattr(planner, "_planned", lambda task, order, shape: right(task, order[::-1], shape))
    with pytest.raises(AssertionError, match="does not reach"):
        plan_for(Task(8, Mat(4, 2), goal), p)


def test_hands_are_judged_by_who_holds_what():
    """Against the piles themselves, without `reaches`: every order of 6 cards, dealt to hands of 2, 1 and 3."""
    task = Task(6, Mat(3, 1), Hands((2, 1, 3)))
    for p in permutations(range(6)):
        deck, hands = replay(plan_for(task, p), range(6))
        assert deck == ()
        assert [set(hand) for hand in hands] == [set(p[4:]), {p[3]}, set(p[:3])]
        swapped = (*p[:3], p[4], p[3], p[5])
        assert reaches(plan_for(task, p), swapped) is False
