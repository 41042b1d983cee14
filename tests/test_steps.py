"""What people are told to do is done forwards, card by card: decks come out as far from uniform as told."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from math import factorial, prod
from random import Random

import numpy as np
import pytest

from fairdeck import Mat
from fairdeck.advice import HANDFULS, Request, recommended
from fairdeck.advice.tasks import dealt_in_turn, hand
from fairdeck.advice.ways import COINS, dealt, dealt_apart, turned_by_a_riffle
from fairdeck.advice.ways.packets import SMALL_PACKS
from fairdeck.dealing.goal import Hands, parse_goal
from fairdeck.dealing.pace import ASSUMED
from fairdeck.packets import find, instructions, schemes
from fairdeck.packets.dispersion import fault
from fairdeck.packets.instructions import Procedure
from fairdeck.packets.notation import read_flow
from fairdeck.packets.positions import both_step_by_step, estimated
from fairdeck.packets.procedure_document import Distances
from fairdeck.permutation import arrange
from fairdeck.shuffles.hand_riffle import HandRiffle
from fairdeck.shuffles.overhand import Overhand
from fairdeck.shuffles.riffle import Riffle
from fairdeck.steps import CUT_OFF, DECK, Law, Step, cut, mashes, mesh, performed, riffles, stir, strip

HANDS = [hand(number) for number in range(10)]


@pytest.fixture(autouse=True)
def small_decks_are_told_what_large_ones_are(monkeypatch):
    monkeypatch.setattr(dealt, "FEWEST_CARDS", 1)
    monkeypatch.setattr(dealt_apart, "FEWEST_CARDS", 2)
    monkeypatch.setattr(instructions, "FEWEST", 1)


def asked(cards, cards_are="cards", goal="deck", **options):
    options = {"distance": 0.3, "machine": 1, "players": 2} | options
    return Request(cards, cards_are=cards_are, goal=parse_goal(goal, cards), **options)


def results_of(goal, cards, cards_are):
    """Return how many results there are: orders of the deck, or who holds which cards; each card may be turned."""
    hands = goal.sizes if isinstance(goal, Hands) else ()
    loose = cards - getattr(goal, "ordered", cards)
    orders = factorial(cards) // prod(map(factorial, [*hands, getattr(goal, "rest", 0), loose]))
    return orders * (2 ** (cards - loose) if cards_are == "tarot" else 1)


def seen(steps, cards, goal=None):
    """Return the exact chance of each result: what lies in the deck, in order, and who holds which cards."""
    found = Counter()
    for table, chance in Law.of(steps, cards).tables([DECK, *HANDS]):
        deck = table.get(DECK, ())[: getattr(goal, "ordered", None)]
        in_order = frozenset(deck) if getattr(goal, "rest", 0) else tuple(deck)
        found[in_order, tuple(frozenset(table.get(place, ())) for place in HANDS)] += chance
    assert sum(found.values()) == 1
    return found


def far(found, results):
    return sum((max(Fraction(0), chance - Fraction(1, results)) for chance in found.values()), Fraction(0))


# --- every way of `advise`


@pytest.mark.parametrize("room", [True, False])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("cards_are", ["cards", "tarot", "tiles", "sleeved"])
@pytest.mark.parametrize("cards", [3, 4, pytest.param(5, marks=pytest.mark.long)])
def test_each_way_is_as_far_from_uniform_as_it_says(cards, cards_are, players, room):
    if not room and cards_are == "tiles" and not 1 < players <= cards:
        return  # nothing can be done
    marks, request = set(), asked(cards, cards_are, players=players, room=room, machine=2 if cards < 5 else 1)
    for way in recommended(request):
        marks.add(way.mark)
        if way.mark in ("mash", "overhand", "deal, then mash"):  # no law is claimed
            assert way.total_variation is None
            performed(way.do, cards, Random(1))
            continue
        found = seen(way.do, cards)
        told = 0 if way.mark == "wash" else way.total_variation  # the machine's wash is thorough: coins and order
        results = results_of(request.goal, cards, cards_are) if way.gives_a_deck else len(found)
        if way.mark == "wash" and cards_are == "tarot":
            continue  # it may turn cards as well; nobody knows
        assert float(far(found, results)) == pytest.approx(told, abs=1e-12), way.way
        assert (len(found) == results) or told, way.way
    assert ("deal" in marks) is ("piles in turn" in marks) is room
    assert ("riffle" in marks) is (cards_are in ("cards", "tarot"))


@pytest.mark.parametrize("cards_are", ["cards", "tarot", "tiles", "sleeved"])
@pytest.mark.parametrize(
    ("cards", "mat", "goal"),
    [
        (4, "2x1", "deck"),
        (4, None, "hands:2x2"),
        (4, None, "hands:3x1+rest"),
        (4, "3x1", "hands:2x1+stock"),
        (4, "2x1", "hands:4x1"),
        (4, "2x1", "hands:2,1+rest"),
        (4, "2x1", "top:2"),
        pytest.param(5, "3x1", "deck", marks=pytest.mark.long),
        pytest.param(5, "3x1", "hands:2x2+stock", marks=pytest.mark.long),
    ],
)
def test_goals_are_met_as_told_and_other_ways_are_never_further_than_the_whole_deck(cards, mat, goal, cards_are):
    request = asked(cards, cards_are, goal, mat=mat and Mat.parse(mat), decks=2)
    for way in recommended(request):
        if way.total_variation is None or not way.gives_a_deck:
            continue
        found = seen(way.do, cards, request.goal)
        results = results_of(request.goal, cards, cards_are)
        assert far(found, results) <= way.total_variation + 1e-12, way.way
        assert (len(found) == results) or way.total_variation, way.way


def test_a_part_is_turned_in_each_packet_of_a_deck_too_large_for_two_hands(monkeypatch):
    monkeypatch.setitem(HANDFULS, "tarot", 2)
    (way,) = [way for way in recommended(asked(4, "tarot")) if way.mark == "deal, then riffle"]
    assert "cut the deck into 2 packets. Cut each packet about in the middle" in str(way.do[-1])
    assert float(far(seen(way.do, 4), 384)) == pytest.approx(way.total_variation)


@pytest.mark.parametrize(("cards", "away"), [(3, ".5"), (4, ".6875"), (5, ".8125")])
def test_the_turning_riffle_comes_last_and_the_coins_first(cards, away):
    """What was advised once is heard: after cut, turn, riffle a perfect shuffle leaves n + 1 of 2^n sets turned."""
    last = turned_by_a_riffle(recommended(asked(cards))[0], asked(cards, "tarot"), ASSUMED).do[-1]
    shuffle, results = Step("", ((stir, DECK),)), factorial(cards) * 2**cards
    assert far(seen([last, shuffle], cards), results) == Fraction(away)
    for steps in ([shuffle, last], [COINS, shuffle]):
        assert far(seen(steps, cards), results) == 0


def test_riffles_and_the_turning_one_leave_what_the_riffles_alone_leave():
    for away in (".5", ".28125", ".14453125"):
        way = next(way for way in recommended(asked(4, "tarot", distance=float(away) + 1e-9)) if way.mark == "riffle")
        assert far(seen(way.do, 4), 384) == Fraction(away) == Fraction(way.total_variation)


def test_hands_dealt_in_turn_are_those_of_every_player():
    (table, _), *_ = Law.of([dealt_in_turn(Hands((3, 1, 2), 1), 7)], 7).tables([DECK, *HANDS])
    assert [[card for card, _ in table[place]] for place in (*HANDS[:3], DECK)] == [[5, 3, 0], [1], [4, 2], [6]]


# --- packets: figures of another computation, after steps 1 to 4, with 1, 2 and 3 riffles of each packet in a step

FIGURES = {
    ("two-way", 8): (".9991 .9679 .3190 .0929", ".9857 .5704 .0803 .0147", ".9857 .4918 .0303 .0135"),
    ("partners", 8): (".9991 .9679 .3190 .0929", ".9857 .5704 .0803 .0147", ".9857 .4918 .0303 .0135"),
    ("two-way-cross", 8): (".9991 .9679 .4119 .0764", ".9857 .5704 .0697 .0140", ".9857 .4918 .0289 .0135"),
    ("two-players", 8): (".9964 .8714 .7158 .1602", ".9857 .5340 .5196 .0371", ".9857 .4860 .4857 .0270"),
    ("two-way-premin", 8): (".9964 .8714 .7158 .1602", ".9857 .5340 .5196 .0371", ".9857 .4860 .4857 .0270"),
    ("four-halves", 8): (".9996 .9937 .9857 .9857",) * 3,
    ("three-way", 6): (".9889 .9111 .5000 .2250",) * 3,
    ("three-players", 6): (".9889 .9111 .5000 .2250",) * 3,
    ("three-players-full", 9): (".9997 .9569 .6236 .4044", ".9994 .8772 .3082 .1245"),
    ("three-way-full", 9): (".9997 .9569 .6782 .4558", ".9994 .8772 .3665 .1561"),
}


@pytest.fixture
def all_orders_of_nine(monkeypatch):
    monkeypatch.setattr(instructions, "MOST_FOLLOWED", 9)
    monkeypatch.setattr(instructions, "MOST_MOVES", 10**9)


@pytest.mark.parametrize(
    ("name", "cards"), [each if each[1] < 9 else pytest.param(*each, marks=pytest.mark.long) for each in FIGURES]
)
def test_packets_are_as_far_from_random_as_was_computed_apart(name, cards, all_orders_of_nine):
    flow = find(name)
    for times, figures in enumerate(FIGURES[name, cards], 1):
        procedure = Procedure(flow, cards, min(flow.players[1], len(flow.hands)), 4, times)
        assert [f"{float(far):.4f}"[1:] for far in procedure.variations()] == figures.split()


@pytest.mark.long
def test_flows_for_the_same_hands_are_compared_by_the_truth(all_orders_of_nine):
    for name, told in SMALL_PACKS.items():
        flow = find(name)
        cards = 9 if len(flow.packets) == 3 else 8
        procedure = Procedure(flow, cards, flow.players[0], 4, 1)
        assert float(procedure.variations()[-1]) == pytest.approx(told, abs=5e-5)


def test_what_takes_too_long_to_follow_is_bounded_by_what_was_followed():
    def followed(*work):
        return len(Procedure(find("two-way"), *work).variations())

    assert [followed(8, 1, 6, 4), followed(8, 1, 6, 20), followed(8, 1, 60, 1), followed(9, 1, 1, 1)] == [6, 1, 6, 0]
    found = Distances.of(Procedure(find("two-way"), 8, 1, 9, 1))
    assert (found.exact, len(found.order)) == (6, 9)
    assert found.order[5:] == [found.order[5]] * 4, "more steps take no order further from random"
    assert found.order[5] > max(found.worst[5:])
    one = read_flow("scheme x; pack 8 packets 1; step { 1 = !1 }")
    assert Procedure(one, 8, 1, 1, 1).variations() == []


@pytest.mark.parametrize(("times", "steps"), [(1, 3), pytest.param(2, 4, marks=pytest.mark.long)])
def test_no_estimate_is_below_the_truth(times, steps, all_orders_of_nine):
    """Nine cards, one more than are followed for an answer; parts of one card, which no answer has, included."""
    for name, flow in schemes().items():
        if not fault(flow) and len(flow.packets) < 4:
            truth = Procedure(flow, 9, flow.players[0], steps, times).variations()
            for at, (both, true) in enumerate(zip(both_step_by_step(flow, 9, steps, times), truth, strict=True), 1):
                assert both[0] <= true + 1e-12, (name, at)  # the worst card is a lower bound
                assert estimated(flow, 9, at, times, max(both)) >= true, (name, at)


def played(procedure):
    """Return what players do who have their own sheets only: in each step first all cuts, then all riffles."""
    sheets = {who: dict(one for numbers, do in procedure.alike(who) for one in ((at, do) for at in numbers))
              for who in procedure.everyone()}  # fmt: skip
    done = [procedure.begin()]
    for at, every in enumerate(procedure.all_steps(), 1):
        own = [step for who in sheets for step in every if step.who == who]
        assert [str(each) for each in own] == [str(each) for who in sheets for each in sheets[who][at] if each.acts], (
            "the sheet says what is done"
        )
        done += sorted(own, key=lambda step: len(step.acts) > 1)
    return [*done, procedure.end()]


@pytest.mark.parametrize("name", sorted(schemes()))
def test_players_who_do_what_their_own_sheets_say_shuffle_as_the_flow_does(name, all_orders_of_nine):
    flow = find(name)
    many, parts = len(flow.hands), max(len(move.slices) for step in flow.steps for move in step)
    for players in range(flow.players[0], min(flow.players[1], many) + 1):
        cards = {8: 8, 9: 9}.get(parts * len(flow.packets), 8) if many < 4 else 8
        if len(flow.packets) * parts > cards:
            continue
        procedure = Procedure(flow, cards, players, 2, 1)
        together = Law.of(played(procedure), cards)
        assert all(set(dict(shape)) == {DECK} for shape in together.ways)
        assert together.variation(factorial(cards)) == procedure.variations()[-1]
        whole = (procedure.begin(), *chain.from_iterable(procedure.all_steps()), procedure.end())
        in_shares = replace(procedure, in_shares=True).do()
        assert [act for step in in_shares for act in step.acts] == [act for step in whole for act in step.acts]


def test_a_sheet_that_forgets_to_give_is_heard(monkeypatch):
    """It was forgotten once: the text names the player who gets the part, and there the machine lays it."""
    procedure = Procedure(find("two-way"), 8, 2, 2, 1)
    assert "give them to player 2" in str(procedure.all_steps()[0][0])
    monkeypatch.setattr(Procedure, "gives", lambda *_: "")
    assert "give" not in str(procedure.all_steps()[0][0])
    with pytest.raises(match="no cards were laid at 'Player 1: 2"):
        Law.of(procedure.do(), 8)


def test_a_procedure_without_its_first_riffle_is_heard():
    """Two-players riffles each packet by itself before cards are exchanged: after two steps .8714, without it .9679."""
    procedure = Procedure(find("two-players"), 8, 2, 2, 1)
    first, second = procedure.all_steps()
    assert [str(each) for each in first] == [f"New packet {name}: riffle packet {name} once." for name in "12"]
    assert [f"{float(far):.4f}" for far in procedure.variations()] == ["0.9964", "0.8714"]
    assert Law.of([procedure.begin(), *second], 8).variation(factorial(8)) > 0.99


@pytest.mark.parametrize("name", sorted(schemes()))
def test_cards_are_told_by_number_and_none_is_left_out(name):
    """Packs of any size, uneven ones too: every card has a place, and the end is one pack."""
    flow = find(name)
    for cards in (flow.sizes[0], flow.cards + 1, flow.sizes[0] + 7):
        for mashed in (False, True):
            procedure = Procedure(flow, cards, min(flow.players[1], len(flow.hands)), 3, 2, mashed=mashed)
            table = performed(procedure.do(), cards, Random(cards))
            assert sorted(card for card, _ in table[DECK]) == list(range(cards))
            assert ("mash" in str(procedure.do()[1])) is mashed is ("riffle" not in str(procedure.do()[1]))


# --- the machine itself


def test_what_hands_cannot_do_is_refused():
    for acts, why in (
        ([(mesh, DECK, CUT_OFF)], "no cards were laid at 'cut off'; they lie at"),
        ([(cut, DECK, CUT_OFF), (cut, DECK, CUT_OFF)], "cards lie at 'cut off' already"),
        ([(cut, DECK, CUT_OFF)], "cards are left at 'cut off'"),
        ([(lambda table, _: table.take(DECK),)], "5 cards became 0"),
    ):
        steps = [Step("", tuple(acts))]
        for run in (lambda: list(Law.of(steps, 5).tables()), lambda: performed(steps, 5, Random(3))):  # noqa: B023
            with pytest.raises(match=why):
                run()


@pytest.mark.parametrize(
    ("model", "acts"),
    [
        (Riffle(), riffles(DECK, 2)),
        (HandRiffle(switch=1 / 4, cut=1 / 3), mashes(DECK, 2)),
        (Overhand(13), ((strip, DECK, 13),) * 2),
        (Overhand(5), ((strip, DECK, 5),) * 2),
    ],
)
def test_hands_do_what_the_simulated_models_do(model, acts):
    """52 cards: neighbours, rising sequences, both ends. Means within 5 deviations: once in 100,000 seeds in all."""
    decks, rng = 5_000, Random(7)
    by_machine = np.array([[card for card, _ in performed([Step("", acts)], 52, rng)[DECK]] for _ in range(decks)])
    by_model = 51 - np.array([arrange(model(52, rng), model(52, rng)) for _ in range(decks)])[:, ::-1]
    if isinstance(model, HandRiffle):  # the model cuts the lower third off, hands the upper one: mirrored
        by_model = 51 - by_model[:, ::-1]
    for one, other in zip(counts_of(by_machine), counts_of(by_model), strict=True):
        spread = np.sqrt((one.var() + other.var()) / decks)
        assert abs(one.mean() - other.mean()) <= 5 * spread + 1e-12


def counts_of(decks):
    places = np.argsort(decks, axis=1)
    yield (np.diff(decks, axis=1) == 1).sum(axis=1)
    yield (np.diff(places, axis=1) < 0).sum(axis=1)
    yield decks[:, 0] == 0
    yield decks[:, -1] == 51
    yield decks[:, 0].astype(float)
