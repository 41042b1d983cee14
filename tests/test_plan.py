import json
from itertools import permutations

import pytest

from fairdeck import (
    FairdeckError,
    Hands,
    Mat,
    Pass,
    Plan,
    RandomIntegers,
    Task,
    TopCards,
    UnsoundPlan,
    draw,
    outcomes,
    reaches,
    read_plan,
    replay,
    seeded_words,
)
from fairdeck.dealing.goal import WHOLE_DECK
from fairdeck.dealing.planner import plan_for

EXAMPLE = {
    "format": "fairdeck-plan/1",
    "cards": 5,
    "mat": {"columns": 2, "rows": 1, "labels": ["A1", "A2"]},
    "dealers": 1,
    "passes": [{"deal": [0, 1, 1, 0, 0], "stack": [1, 0], "counts": [3, 2]}],
}


def example(**changes):
    written = json.loads(json.dumps(EXAMPLE))
    for path, value in changes.items():
        place = written
        *way, last = path.split("__")
        for key in way:
            place = place[int(key) if key.isdigit() else key]
        if value is None:
            del place[last]
        else:
            place[last] = value
    return json.dumps(written)


def test_the_example_of_the_format_is_read_and_dealt():
    plan, order = read_plan(json.dumps(EXAMPLE))
    assert order is None
    # From the top: e to A1, d and c to A2, b and a to A1; A2 is gathered first, so it is the bottom.
    assert replay(plan, "abcde") == (("d", "c", "e", "b", "a"), ())


def test_fields_beyond_the_format_are_allowed():
    assert read_plan(example(comment="mine", passes__0__tempo=1.5))[0] == read_plan(json.dumps(EXAMPLE))[0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        (json.dumps(EXAMPLE)[:-40], "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a plan"),
        ("null", "not a plan"),
        (example(format="fairdeck-plan/3"), "not a plan"),
        (example(cards=None), "'cards'"),
        (example(cards=True), "'cards'"),
        (example(cards=5.0), "'cards'"),
        (example(cards=6), "pass 1 deals 5 cards; the deck has 6"),
        (example(cards=0), "0 cards"),
        (example(cards=10**12), "1000000000000 cards"),
        (example(cards=10**99), "cards; a deck has"),
        (example(mat__labels=[]), "labels"),
        (example(passes__0__from="x" * 10**6), "it must be"),
        (example(passes__0__counts=[10**400, 2]), "high"),
        (json.dumps(EXAMPLE).replace("5", "9" * 5000, 1), "too long"),
        (example(mat=None), "'mat'"),
        (example(mat__columns=0), "mat 0x1"),
        (example(mat__labels=["A1"]), "labels"),
        (example(mat__labels=["A1", 2]), "labels"),
        (example(mat__rows=2), "labels"),
        (example(dealers=0), "0 dealers"),
        (example(dealers=2), "packets"),
        (example(dealers="1"), "'dealers'"),
        (example(passes=[]), "no pass"),
        (example(passes={}), "'passes'"),
        (example(passes=[3]), "pass 1 is not an object"),
        (example(passes__0__deal=[0, 1, 1, 0]), "pass 1"),
        (example(passes__0__deal=[0, 1, 1, 0, 2]), "pass 1"),
        (example(passes__0__deal=[0, 1, 1, 0, -1]), "pass 1"),
        (example(passes__0__deal=[0, 1, 1, 0, "0"]), "whole numbers"),
        (example(passes__0__deal=[0, 1, 1, 0, True]), "whole numbers"),
        (example(passes__0__counts=[2, 3]), "A1 is 2 high; its cards make it 3"),
        (example(passes__0__counts=[3]), "1 counts"),
        (example(goal="deck", passes__0__stack=[1, 1]), "twice"),
        (example(passes__0__stack=[1, 2]), "space 2"),
        (example(passes__0__from="middle"), "middle"),
        (example(passes__0__packets=[5]), "packets"),
        (example(goal="deck", passes__0__stack=[1]), "leave piles of [3]"),
        (example(goal="hands:3+stock"), "wants [3]"),
        (example(goal="hands:4x13"), "52 cards"),
        (example(goal=7), "'goal'"),
        (example(destinations=[0, 1, 2, 3]), "4 destinations"),
        (example(destinations=[0, 1, 2, 3, 3]), "not a permutation"),
        (example(destinations="01234"), "'destinations'"),
    ],
)
def test_altered_plans_are_refused_in_one_line(text, says):
    with pytest.raises(UnsoundPlan) as refused:
        read_plan(text)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (example(cards=None), "the plan has no 'cards'"),
        (example(cards="5"), "the plan has '5' for 'cards'; it must be a whole number"),
        (example(cards=0), "the plan is for 0 cards; a deck has 1 to 1000000"),
        (example(cards=1_000_001), "the plan is for 1000001 cards; a deck has 1 to 1000000"),
        (example(cards=10**99), f"the plan is for 1{'0' * 17}...{'0' * 19} cards; a deck has 1 to 1000000"),
        (example(mat=[]), "the plan has [] for 'mat'; it must be an object"),
        (example(mat__labels="A1"), "the mat has 'A1' for 'labels'; it must be a list"),
        (example(mat__columns=None), "the mat has no 'columns'"),
        (example(mat__rows=None), "the mat has no 'rows'"),
        (example(passes={}), "the plan has {} for 'passes'; it must be a list"),
        (example(goal=7), "the plan has 7 for 'goal'; it must be a text"),
        (example(goal="deck", dealers=2.5), "the plan has 2.5 for 'dealers'; it must be a whole number"),
        (example(destinations={}), "the plan has {} for 'destinations'; it must be a list"),
        (example(passes__0__deal=[0, 1, "x", 0, 0]), "pass 1 has 'x' among its 'deal'; all must be whole numbers"),
        (example(passes__0__from="x" * 58), f'pass 1 is dealt from {"x" * 58!r}; it must be "top" or "bottom"'),
        (
            example(passes__0__from="x" * 90),
            f'pass 1 is dealt from \'{"x" * 27}...{"x" * 28}\'; it must be "top" or "bottom"',
        ),
    ],
)
def test_a_fault_of_a_file_is_told_with_its_place_and_a_short_value(text, says):
    with pytest.raises(UnsoundPlan) as refused:
        read_plan(text)
    assert str(refused.value) == says


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"cards": 0}, "the plan is for 0 cards; a deck has 1 to 1000000"),
        ({"cards": 1_000_001}, "the plan is for 1000001 cards; a deck has 1 to 1000000"),
        ({"goal": TopCards(6)}, "goal top:6: the deck has 5 cards; write top:1 to top:5"),
        ({"passes": (Pass((0, 1, 2, 0, -1), (1, 0)),)}, "pass 1 deals to space 2; the mat 2x1 has spaces 0 to 1"),
        ({"passes": (Pass((0, 1, 2, 0, 0), (1, 0)),)}, "pass 1 deals to space 2; the mat 2x1 has spaces 0 to 1"),
        ({"passes": (Pass((0, 1, -1, 0, 0), (1, 0)),)}, "pass 1 deals to space -1; the mat 2x1 has spaces 0 to 1"),
        ({"passes": (Pass((0, 0, 0, 0, 0), (0, 1)),)}, "pass 1 stacks space 1, where no card lies"),
        ({"passes": (Pass((0, 1, 0, 1, 0), (0, 1, 1)),)}, "pass 1 stacks space 1 twice"),
        (
            {"goal": Hands((5,)), "passes": (Pass((0, 0, 0, 0, 0), ()), Pass((), ()))},
            "pass 2 deals 0 cards; the deck has 0",
        ),
    ],
)
def test_a_plan_made_by_hand_must_be_sound_too(changes, says):
    with pytest.raises(FairdeckError) as refused:
        Plan(**({"cards": 5, "mat": Mat(2, 1), "passes": (Pass((0, 1, 1, 0, 0), (1, 0)),)} | changes))
    assert str(refused.value) == says


def test_a_plan_is_for_1_to_a_million_cards():
    one = {**EXAMPLE, "cards": 1, "passes": [{"deal": [1], "stack": [1], "counts": [0, 1]}]}
    assert read_plan(json.dumps(one))[0].cards == 1
    many = Pass((0,) * 1_000_000, (0,))
    assert Plan(1_000_000, Mat(1, 1), (many,)).passes == (many,)
    written = {**EXAMPLE, "cards": 1_000_000, "passes": []}
    with pytest.raises(UnsoundPlan, match="has no pass"):
        read_plan(json.dumps(written))


def test_the_goal_of_a_file_without_one_is_what_its_passes_do():
    finished = example(passes__0__stack=[1])
    assert read_plan(finished)[0].goal == Hands((3,), stock=2)
    assert read_plan(example(passes__0__stack=[]))[0].goal == Hands((3, 2))
    assert read_plan(json.dumps(EXAMPLE))[0].goal == WHOLE_DECK


def test_only_what_differs_from_one_dealer_at_the_top_is_written():
    (step,) = read_plan(json.dumps(EXAMPLE))[0].as_dict()["passes"]
    assert step == EXAMPLE["passes"][0]
    (step,) = read_plan(example(passes__0__from="bottom"))[0].as_dict()["passes"]
    assert step == {**EXAMPLE["passes"][0], "from": "bottom"}
    (step,) = read_plan(example(dealers=2, passes__0__packets=[3, 2]))[0].as_dict()["passes"]
    assert step == {**EXAMPLE["passes"][0], "packets": [3, 2]}


def test_one_dealer_deals_all_and_several_their_packets():
    step = Pass((0, 1, 1, 0, 0), (1, 0))
    assert step.shares() == [(0, 1, 1, 0, 0)]
    assert Pass(step.deal, step.stack, packets=(2, 0, 3)).shares() == [(0, 1), (), (1, 0, 0)]


def test_the_pile_that_ends_on_top_is_moved_first():
    assert Pass((0, 1, 2), (2, 0, 1)).moves() == [(1, 0), (0, 2)]
    assert Pass((0, 0), (0,)).moves() == []


def test_a_plan_reaches_its_order_and_no_other():
    plan, arrangement = draw(Task(6, Mat(3, 1)), RandomIntegers(seeded_words(b"one")))
    assert [p for p in permutations(range(6)) if reaches(plan, p)] == [arrangement]


def test_packets_must_be_packets():
    for packets in ([2, 2], [6, -1], [5]):
        with pytest.raises(UnsoundPlan):
            read_plan(example(dealers=2, passes__0__packets=packets))
    with pytest.raises(UnsoundPlan, match="from the top"):
        read_plan(example(dealers=2, passes__0__packets=[3, 2], passes__0__from="bottom"))
    assert read_plan(example(dealers=2, passes__0__packets=[5, 0]))[0].dealers == 2


def test_no_altered_space_goes_unnoticed():
    """A dealt space changed to any other is told, either by the counts or by the order revealed."""
    plan, arrangement = draw(Task(12, Mat(3, 1)), RandomIntegers(seeded_words(b"doctor")))
    for number, step in enumerate(plan.passes):
        for place in range(12):
            for space in {0, 1, 2} - {step.deal[place]}:
                written = plan.as_dict()
                written["passes"][number]["deal"][place] = space
                with pytest.raises(UnsoundPlan):
                    read_plan(json.dumps(written))
    assert replay(plan, range(12))[0] == arrangement


@pytest.mark.parametrize("goal", [None, TopCards(4), Hands((3, 3), stock=5), Hands((3, 3), rest=5)])
@pytest.mark.parametrize("options", [{}, {"dealers": 3}, {"bottom": "space", "least_passes": 2}])
def test_plans_are_read_back_as_written(goal, options):
    integers = RandomIntegers(seeded_words(b"back"))
    for _ in range(50):
        plan, _ = draw(Task(11, Mat(3, 2), *([goal] if goal else []), **options), integers)
        assert read_plan(json.dumps(plan.as_dict()))[0] == plan
        without = {key: value for key, value in plan.as_dict().items() if key != "goal"}
        assert read_plan(json.dumps(without))[0].passes == plan.passes


def dealt_by_several(step: Pass, deck, spaces):
    """What several people do: each deals a packet onto their own mat; then space is put on space."""
    mats, rest = [], list(deck)
    for share in step.shares():
        mat = [[] for _ in range(spaces)]
        for space in share:
            mat[space].append(rest.pop())
        mats.append(mat)
    assert not rest
    return [[card for mat in mats for card in mat[space]] for space in range(spaces)]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_several_dealers_make_the_same_piles_as_one(n):
    """Every order, every cut into up to three packets, empty ones too."""
    mat = Mat(3, 1)
    for p in permutations(range(n)):
        one = plan_for(Task(n, mat, bottom="never"), p)
        for first in range(n + 1):
            for second in range(n + 1 - first):
                packets = (first, second, n - first - second)
                passes = tuple(Pass(step.deal, step.stack, packets=packets) for step in one.passes)
                several = Plan(n, mat, passes, dealers=3)
                deck = tuple(range(n))
                for step, outcome in zip(several.passes, outcomes(several, deck), strict=True):
                    piles = dealt_by_several(step, deck, mat.spaces)
                    assert tuple(map(tuple, piles)) == outcome.piles
                    deck = outcome.deck
                assert deck == p


def test_a_deck_of_the_wrong_size_is_refused():
    with pytest.raises(FairdeckError, match="the plan is for 5 cards; the deck has 4"):
        replay(read_plan(json.dumps(EXAMPLE))[0], "abcd")
