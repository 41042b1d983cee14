"""What is printed to be done by hand is done forwards, step by step: decks come out as far from uniform as told."""

from fractions import Fraction
from math import factorial, prod

import pytest

from fairdeck import Mat
from fairdeck.advice import HANDFULS, Request, recommended
from fairdeck.advice.ways import dealt, dealt_apart, turned_by_a_riffle
from fairdeck.dealing.goal import Hands, parse_goal
from fairdeck.dealing.pace import ASSUMED
from fairdeck.packets import scheme
from tests.hands_machine import DECK, Sheets, away, law, performed

DISTANCE = 0.3


@pytest.fixture(autouse=True)
def small_decks_are_dealt_as_large_ones_are(monkeypatch):
    monkeypatch.setattr(dealt, "FEWEST_CARDS", 1)
    monkeypatch.setattr(dealt_apart, "FEWEST_CARDS", 2)


def asked(cards, cards_are, goal="deck", **options):
    options = {"distance": DISTANCE, "machine": 1, "players": 2} | options
    return Request(cards, cards_are=cards_are, goal=parse_goal(goal, cards), **options)


def results_of(goal, cards, cards_are):
    """Return how many results there are: orders of the deck, or who holds which cards; each card may be turned."""
    hands = goal.sizes if isinstance(goal, Hands) else ()
    loose = cards - getattr(goal, "ordered", cards)
    orders = factorial(cards) // prod(map(factorial, [*hands, goal.rest, loose]))
    return orders * (2 ** (cards - loose) if cards_are == "tarot" else 1)


@pytest.mark.parametrize("cards_are", ["cards", "tarot"])
def test_a_part_is_turned_in_each_packet_of_a_deck_too_large_for_two_hands(monkeypatch, cards_are):
    monkeypatch.setitem(HANDFULS, cards_are, 2)
    (way,) = [way for way in recommended(asked(4, cards_are)) if way.mark == "deal, then riffle"]
    assert ("cut the deck into 2 packets. Cut each packet about in the middle" in way.do[-1]) is (cards_are == "tarot")
    found = performed(way.do, 4)
    assert float(away(found, results_of(parse_goal("deck", 4), 4, cards_are))) == pytest.approx(way.total_variation)


@pytest.mark.parametrize(("cards", "far"), [(3, ".5"), (4, ".6875"), (5, ".8125")])
def test_a_part_turned_before_the_shuffle_is_heard(cards, far):
    """What was advised once: cut, turn one half, riffle; then a perfect shuffle: only n + 1 of 2^n sets are turned."""
    last = turned_by_a_riffle(recommended(asked(cards, "cards"))[0], asked(cards, "tarot"), ASSUMED).do[-1]
    deal = next(way for way in recommended(asked(cards, "cards")) if way.mark == "deal")
    found = performed((last, *deal.do), cards)
    assert away(found, results_of(parse_goal("deck", cards), cards, "tarot")) == Fraction(far)
    assert len(found) < factorial(cards) * 2**cards


def test_riffles_and_the_turning_one_leave_what_the_riffles_alone_leave():
    """Four cards: exactly the law of one, two and three riffles, order and reversals together."""
    for times, far in ((1, ".5"), (2, ".28125"), (3, ".14453125")):
        request = asked(4, "tarot", distance=float(far) + 1e-9)
        way = next(way for way in recommended(request) if way.mark == "riffle")
        assert way.way.startswith(f"riffle it {'once' if times == 1 else f'{times} times'}; then turn one part")
        assert away(performed(way.do, 4), 384) == Fraction(far) == Fraction(way.total_variation)


@pytest.mark.parametrize("cards_are", ["cards", "tarot", "tiles", "sleeved"])
@pytest.mark.parametrize("cards", [2, 3, 4, pytest.param(5, marks=pytest.mark.long)])
def test_each_way_is_as_far_from_uniform_as_it_says_if_its_words_are_done(cards, cards_are):
    seen = set()
    for way in recommended(asked(cards, cards_are)):
        if way.total_variation is None or not way.gives_a_deck:
            continue
        found = performed(way.do, cards, machine=1)
        results = results_of(asked(cards, cards_are).goal, cards, cards_are)
        assert way.exact, way.way
        assert float(away(found, results)) == pytest.approx(way.total_variation, abs=1e-12), way.way
        if way.total_variation == 0:
            assert len(found) == results, way.way
        seen.add(way.mark)
    assert seen >= {"deal", "deal, 2 at once", "piles in turn"}
    if cards_are in ("cards", "tarot"):
        assert seen >= {"riffle", "machine"}
        assert ("deal, then riffle" in seen) is (cards >= 4)


@pytest.mark.parametrize(
    ("cards", "mat", "goal"),
    [
        (3, "2x1", "deck"),
        (4, "2x1", "deck"),
        (4, None, "hands:2x2"),
        (4, None, "hands:3x1+rest"),
        (4, "3x1", "hands:2x1+stock"),
        (4, "2x1", "hands:4x1"),
        (4, "2x1", "top:2"),
        pytest.param(5, "3x1", "deck", marks=pytest.mark.long),
        pytest.param(5, "3x1", "hands:2x2+stock", marks=pytest.mark.long),
        pytest.param(6, "2x1", "deck", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("cards_are", ["cards", "tarot", "tiles"])
def test_each_deal_is_exactly_uniform_if_its_words_are_done(cards, mat, goal, cards_are):
    if cards > 5 and cards_are == "tarot":
        return
    request = asked(cards, cards_are, goal, mat=mat and Mat.parse(mat))
    deals = [way for way in recommended(request) if way.total_variation == 0]
    assert deals
    for way in deals:
        found = performed(way.do, cards, top=getattr(request.goal, "ordered", None))
        goal = request.goal if way.gives_a_deck and f"--goal {goal}" in way.remark else parse_goal("deck", cards)
        results = results_of(goal, cards, cards_are) if way.gives_a_deck else len(found)
        assert len(found) == results
        assert away(found, results) == 0, way.way


@pytest.mark.parametrize(
    ("name", "cards", "players", "steps", "far"),
    [
        ("two-way", 8, 2, 2, 0.9679),
        ("two-way-cross", 8, 2, 2, 0.9679),
        ("two-players", 8, 2, 2, 0.8714),
        ("two-way-premin", 8, 2, 2, 0.8714),
        ("partners", 8, 4, 2, 0.9679),
        ("three-players", 12, 3, 1, None),
        ("three-way", 12, 2, 1, None),
    ],
)
def test_players_who_do_what_their_own_sheets_say_shuffle_as_the_flow_does(name, cards, players, steps, far):
    """The sheet for two players never said that cards go to the other one."""
    procedure = scheme(name, cards, players=players, steps=steps, riffles=1)
    people = procedure.everyone()
    sheets = Sheets(procedure.opening())
    for number in range(1, steps + 1):
        own = {who: next(said for numbers, said in procedure.alike(who) if number in numbers) for who in people}
        for cutting in (True, False):  # first all cuts, then all riffles
            for who, said in own.items():
                for each in said:
                    if each.says.startswith(("Cut", "Pass")) is cutting:
                        sheets.read(who.split()[-1], each.says)
    found = law({DECK: tuple((card, False) for card in range(cards))}, sheets.end(procedure.ending()))
    assert all(dict(state).keys() == {DECK} for state in found)
    if far:
        assert float(away(found, factorial(cards))) == pytest.approx(far, abs=5e-5)
