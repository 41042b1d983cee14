"""`fairdeck advise`: which way to shuffle suits whom."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import partial
from html import escape
from math import factorial
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from bench.packet_hands import packs, rising
from numpy.random import default_rng

import fairdeck
from fairdeck import Mat
from fairdeck.advice import Recommendations, Request, recommended
from fairdeck.advice.answer import _picture, duration, meaning, shortlist
from fairdeck.advice.games import games
from fairdeck.advice.ranking import HOPELESS
from fairdeck.advice.ways import all_ways
from fairdeck.cli import main
from fairdeck.dealing.goal import parse_goal
from fairdeck.dealing.pace import ASSUMED, Pace
from fairdeck.errors import FairdeckError
from fairdeck.lab.experiments.bounds import lower_bound
from fairdeck.lab.experiments.repeated_cards import pairs_law
from fairdeck.lab.laws.subsets import hypergeometric_law
from fairdeck.lab.statistics.successions import succession_law
from fairdeck.packets import find
from fairdeck.packets.notation import places
from fairdeck.packets.positions import seen_in_places, worst_card
from fairdeck.show.charts import svg
from fairdeck.show.ways_chart import _across
from fairdeck.shuffles.mine import Hands as Riffler
from fairdeck.shuffles.riffle import eulerian_numbers, gsr_riffles
from fairdeck.shuffles.top_cards import top_cards


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def by_start(found, start):
    return next(way for way in found if way.way.startswith(start))


@pytest.mark.cases(2)
@pytest.mark.parametrize("cards", [2, 3, 20, 52, 60, 104, 162, 312, 1_000])
@pytest.mark.parametrize("players", [1, 2, 3, 4, 8])
def test_the_best_way_comes_first_for_every_deck(cards, players):
    for mat, room in ((None, False), (None, True), (Mat(2, 1), True), (Mat(5, 2), True)):
        if not room and cards > 80 and players == 1:
            continue  # see below: nothing can be done
        found = recommended(Request(cards, players, mat, room=room))
        good = [way for way in found if way.enough]
        assert list(found[: len(good)]) == good
        assert [way.minutes for way in good] == sorted(way.minutes for way in good)
        assert all(way.total_variation is not None and way.total_variation <= 0.05 for way in good)
        no_deck = [way.mark for way in found if not way.gives_a_deck]
        decks = found[len(good) : len(found) - len(no_deck)]
        assert [way.mark for way in found[len(found) - len(no_deck) :]] == no_deck
        assert set(no_deck) <= {"hands only"}
        rest = [max(0.5, way.at_least) if way.total_variation is None else way.total_variation for way in decks]
        assert rest == sorted(rest)
        assert len({way.way for way in found}) == len(found)
        assert any(way.way.startswith("deal it as fairdeck says") for way in found) is room


def test_each_file_of_a_way_is_found_by_itself():
    folder = Path(fairdeck.advice.ways.__file__).parent
    files = {f"{all_ways.__module__}.{file.stem}" for file in folder.glob("*.py") if file.stem != "__init__"}
    assert {way.answers.__module__ for way in all_ways()} == files
    assert [way.rank for way in all_ways()] == sorted(way.rank for way in all_ways())


def test_riffles_are_as_many_as_the_exact_law_asks_for():
    for target in (0.4, 0.05, 0.01):
        way = by_start(recommended(Request(52, distance=target)), "riffle it ")
        times = int(way.way.split()[2])
        assert f'"riffle(neatness=0.4)*{times}" --cards 52' in way.remark
        far, one_less = (float(gsr_riffles(52, each).total_variation) for each in (times, times - 1))
        assert way.total_variation == far <= target < one_less
        assert way.exact


@pytest.mark.long
def test_what_hands_cannot_hold_is_not_riffled():
    assert not any(way.way.startswith("riffle it") for way in recommended(Request(104)))
    assert any(way.way.startswith("riffle it") for way in recommended(Request(75)))
    of_100, of_104 = (recommended(Request(cards, cards_are="sleeved")) for cards in (100, 104))
    assert not any(way.way.startswith(("riffle it", "mash it")) for way in of_104)
    assert any(way.way.startswith("mash it") for way in of_100)  # as at tournaments
    assert not any("overhand" in way.way for way in recommended(Request(104)))


def test_no_law_of_riffles_is_given_to_cards_that_are_mashed():
    for cards, players in ((10, 1), (60, 1), (104, 2), (162, 3), (240, 4)):
        found = recommended(Request(cards, players, cards_are="sleeved", distance=0.3))
        mashed = [way for way in found if "mash" in way.way]
        assert mashed
        assert all(way.total_variation is None and not way.enough and not way.exact for way in mashed)
        assert not any("riffle" in way.way for way in found)
        assert all("no law is known" in way.remark for way in mashed if way.mark != "deal, then mash")
    way = by_start(recommended(Request(60, cards_are="sleeved", distance=0.7)), "mash it")
    assert (way.way, way.at_least) == ("mash it 20 times", 0.61)  # at least .6194 by mix "mash*20" --cards 60
    assert 'fairdeck mix "mash*20" --cards 60' in way.remark


@pytest.mark.long
def test_the_bounds_measured_are_what_a_simulation_shows():
    from fairdeck.lab.experiments.bounds import estimate
    from fairdeck.shuffles.measured import MASHED, OVERHAND

    for name, table, cards, times in (
        ("mash", MASHED, 20, 10),
        ("mash", MASHED, 60, 20),
        ("mash", MASHED, 100, 60),
        ("overhand", OVERHAND, 52, 30),
        ("overhand", OVERHAND, 80, 60),
    ):
        bound = estimate(f"{name}*{times}", cards, 20_000, seed=4).best
        assert table[cards][times] == pytest.approx(bound.value, abs=5 * bound.error + 0.02)  # one seed in a million


@pytest.mark.long
@pytest.mark.parametrize(
    "asked", [Request(162, 3, distance=0.01), Request(104, 3, distance=1e-4), Request(162, 1), Request(104, 4)]
)
def test_packets_are_never_said_to_be_nearer_than_the_worst_card(asked):
    for way in recommended(asked):
        if way.way.startswith("in "):
            told = dict(zip(way.remark.split()[3::2], way.remark.split()[4::2], strict=False))
            floor = worst_card(find(way.remark.split()[2]), asked.cards, int(told["--steps"]), int(told["--riffles"]))
            assert way.total_variation > floor[-1]
            assert way.enough is (way.total_variation <= asked.distance)


def test_a_floor_that_takes_too_long_is_said_to_be_unknown(monkeypatch):
    monkeypatch.setattr("fairdeck.advice.ways.packets.MOST_FOLLOWED", 1_000)
    for way in recommended(Request(316, 4)):
        if way.way.startswith("in "):
            assert way.remark.endswith(": its quality would take too long to compute")
            assert (way.total_variation, way.enough) == (None, False)


@pytest.mark.long
def test_three_players_are_told_the_procedures_made_for_three():
    found = recommended(Request(162, 3))
    assert found[0].way == "in 3 packets (three-players-full): 4 steps, each packet riffled 4 times a step"
    for name in ("three-players-full", "three-players"):
        way = by_start(found, f"in 3 packets ({name})")
        assert f"fairdeck packets {name} --cards 162 --players 3 --steps" in way.remark


@pytest.mark.long
def test_every_recommended_command_works(capsys):
    found = [
        *recommended(Request(60, 2)),
        *recommended(Request(52, 3, None)),
        *recommended(Request(108, 4, goal=parse_goal("hands:4x13+stock", 108))),
    ]
    commands = {way.remark.split("; ")[0].split(": ")[0] for way in found if way.remark.startswith("fairdeck ")}
    assert len(commands) > 8
    for start in ("hands", "random piles"):
        assert any(way.remark.startswith("fairdeck") for way in found if start in way.way)
    for command in commands:
        assert main(command.split()[1:]) == 0, command
    capsys.readouterr()


def test_without_room_nothing_is_dealt_onto_piles_but_hands_are():
    found = recommended(Request(60, 2, Mat(5, 2), room=False))
    told = " ".join(f"{way.way} {way.needs}" for way in found)
    assert not any(word in told for word in ("piles", "packets", "table", "a mat of"))
    way = by_start(found, "deal hands only")
    assert way.remark.startswith("fairdeck deal 60 --mat 2x1 --goal hands:2x30; ")


def test_without_a_mat_the_bare_table_does():
    found = recommended(Request(60, 2, None))
    way = by_start(found, "deal it as fairdeck says, 2 passes, one dealer")
    assert way.needs == "room for 3x2 piles on the bare table, and a phone or a printed plan"
    two = by_start(found, "deal it as fairdeck says, 2 passes, 2 dealers at once")
    assert two.needs == "room for 3x2 piles for each dealer on the bare table, and a phone or a printed plan"
    assert by_start(found, "deal it onto piles in turn").needs == "room for 7 piles"
    assert by_start(found, "deal it onto 2 random piles as fairdeck says")
    hands = recommended(Request(52, 1, None, goal=parse_goal("hands:4x13", 52)))
    hands = by_start(hands, "deal 4 hands of 13 cards as fairdeck says")
    assert hands.needs == "a phone or a printed plan; no mat: the players' places are enough"


@pytest.mark.parametrize("cards", [24, 60, 72, 136])
@pytest.mark.parametrize("players", [1, 2, 4])
def test_tiles_are_dealt_or_washed_and_nothing_else(cards, players):
    found = recommended(Request(cards, players, cards_are="tiles"))
    said = " ".join(f"{way.way} {way.needs} {way.remark}" for way in found)
    assert not any(word in said for word in ("riffle", "mash", "overhand", "practised", "cards that"))
    assert {way.mark.partition(",")[0] for way in found} <= {"deal", "hands only", "wash", "piles in turn"}


def test_what_the_cards_are_is_said_and_believed(told):
    _, out, _ = told("60", "--cards-are", "tiles")
    assert out.startswith("60 tiles, one person: deal it as fairdeck says")
    assert "Tiles cannot be riffled, mashed" in out
    assert "riffle of" not in out
    assert told("60", "--sleeved") == told("60", "--cards-are", "sleeved")
    assert json.loads(told("60", "--sleeved", "--no-room", "--json")[1])["cards_are"] == "sleeved"
    assert "mash it" in told("100", "--sleeved", "--no-room")[1]


def test_the_remark_on_overhand_gives_the_measurement_and_the_theory():
    """The theorem gives an order of growth; n^2 ln n of them were said to be needed, seven days of shuffling."""
    way = by_start(recommended(Request(52)), "overhand")
    assert (way.way, way.at_least, way.total_variation, way.enough) == ("overhand, 30 times", 0.3, None, False)
    assert "grows as n^2 log n, times an unknown factor" in way.remark
    assert way.minutes <= 5


@pytest.mark.cases(3)
@pytest.mark.parametrize("cards", [2, 20, 52, 60, 75, 100, 104, 162, 240])
def test_nobody_is_told_to_mash_or_shuffle_overhand_for_a_quarter_of_an_hour(cards):
    """A hundred mashes of 100 cards were advised, 19 minutes, with a bound of .02 as if that were enough."""
    for cards_are, players in (("sleeved", 1), ("sleeved", 2), ("sleeved", 4), ("cards", 1), ("tarot", 1)):
        for way in recommended(Request(cards, players, cards_are=cards_are)):
            if way.mark in ("mash", "overhand"):
                coins = cards * 2.5 / 60 if cards_are == "tarot" else 0
                assert way.minutes <= 5.5 + coins
            if "mash" in way.mark or "mashed" in way.way:
                assert way.minutes <= 10, way.way  # twenty mashes of each card are the fewest that were measured


def test_without_room_the_better_way_with_room_is_told(told):
    _, out, _ = told("100", "--sleeved", "--no-room")
    words = " ".join(out.split())
    assert words.startswith(
        "100 sleeved cards, one person: no way is known to be random enough. The nearest: mash it 20"
    )
    assert "That is far from random: somebody who knows the old order can win bets on the new one." in words
    assert "Better, with room for 4x2 piles on the bare table: deal it as fairdeck says, 2 passes, one dealer" in words


def test_piles_in_turn_are_as_far_as_one_order_is():
    assert by_start(recommended(Request(2)), "deal it onto piles in turn").total_variation == 0.5


@pytest.mark.parametrize(("cards", "steps", "floor"), [(162, 8, 0.0273), (108, 8, 0.0214)])
def test_the_estimate_for_packets_is_never_below_a_simulated_bound(cards, steps, floor):
    """The places of all cards together: a sum over all cards, counted on 100,000 packs of 162, showed .118."""
    (*_, far) = seen_in_places(find("three-players"), cards, steps, 2)
    assert far > floor
    assert far == pytest.approx({162: 0.1215, 108: 0.0894}[cards], abs=5e-4)


@pytest.mark.long
@pytest.mark.parametrize(
    "asked", [Request(162, 3), Request(108, 3, distance=0.3), Request(104, 4), Request(54, 1, distance=0.3)]
)
def test_no_estimate_of_packets_is_below_the_bounds_of_simulated_packs(asked):
    for way in recommended(asked):
        if way.way.startswith("in "):
            told = dict(zip(way.remark.split()[3::2], way.remark.split()[4::2], strict=False))
            flow, work = find(way.remark.split()[2]), (asked.cards, int(told["--steps"]), int(told["--riffles"]))
            halves = [counts_of(packs(flow, *work, 20_000, default_rng(seed)), flow) for seed in (7, 8)]
            fair = laws_of(asked.cards, flow)
            for at, law in enumerate(fair):
                for one, other in (halves, halves[::-1]):  # each half chooses an event that the other counts
                    assert lower_bound(one[at], other[at], law, 0.001 / len(fair) / 2).low <= way.total_variation


def counts_of(decks, flow):
    """Count packs by how much of the old top half and top packet, how many pairs, runs and neighbours they kept."""
    n, half, packet = decks.shape[1], decks.shape[1] // 2, places(Fraction(1, len(flow.packets)), decks.shape[1])
    upper = np.sort(decks[:, half:] % half, axis=1)
    seen = (
        (decks[:, half:] >= half).sum(axis=1),
        (decks[:, n - packet :] >= n - packet).sum(axis=1),
        (upper[:, 1:] == upper[:, :-1]).sum(axis=1),
        (decks[:, 1:].astype(int) == decks[:, :-1].astype(int) + 1).sum(axis=1),
    )
    return [rising(decks), *(np.bincount(values, minlength=n) for values in seen)]


def laws_of(cards, flow):
    """Return the chances of these counts on fair packs of an even number of cards."""
    half, packet = cards // 2, places(Fraction(1, len(flow.packets)), cards)
    laws = (hypergeometric_law(cards, half, half), hypergeometric_law(cards, packet, packet))
    laws += (pairs_law(cards), succession_law(cards))
    fair = [np.array([orders / factorial(cards) for orders in eulerian_numbers(cards)])]
    for law in laws:
        fair.append(np.zeros(cards))
        fair[-1][law.low : law.low + len(law.weights)] = law.probabilities
    return fair


def test_a_useless_way_is_ranked_below_an_unknown_one():
    found = [way.mark for way in recommended(Request(60))]
    assert found.index("piles in turn") > max(found.index("wash"), found.index("overhand"))


@pytest.mark.long
def test_a_goal_is_dealt_as_told():
    way = recommended(Request(108, mat=Mat(5, 2), goal=parse_goal("hands:4x13+stock", 108)))[0]
    assert (way.total_variation, way.remark) == (0.0, "fairdeck deal 108 --mat 5x2 --goal hands:4x13+stock")
    small = recommended(Request(52, 4, Mat(5, 2), goal=parse_goal("hands:4x10+stock", 52)))
    assert by_start(small, "deal 4 hands of 10 cards and a stock as fairdeck says, 1 pass,")
    small = recommended(Request(108, mat=Mat(2, 1), goal=parse_goal("hands:4x13+stock", 108)))
    way = by_start(small, "deal 4 hands of 13 cards and a stock as fairdeck says")  # too few spaces for the hands
    count = "Count 4 hands of 13 cards off the top of the deck, a whole hand at a time"
    assert str(way.do[-1]) == f"{count}; the other cards are the stock."
    for cards, goal, mat in ((360, "hands:24x15", Mat(5, 2)), (1000, "hands:1000x1", None), (500, "hands:50x10", None)):
        found = recommended(Request(cards, mat=mat, goal=parse_goal(goal, cards)))
        way = next(way for way in found if "deal" in way.mark)
        assert "off the top of the deck" in str(way.do[-1])


@pytest.mark.long
@pytest.mark.parametrize("goal", ["hands:2x26", "hands:4x13"])  # of the first, the piles dealt apart are as many
def test_hands_that_are_wanted_are_dealt_after_every_way_that_does_not_deal_them(goal):
    for way in recommended(Request(52, 2, Mat(5, 2), goal=parse_goal(goal, 52))):
        told = str(way.do[-1]).startswith("Then deal the hands")
        assert told == (not way.mark.startswith("deal") or "then" in way.mark), way.mark


def test_more_hands_are_quicker():
    one, four = recommended(Request(104, 1)), recommended(Request(104, 4))
    quick = by_start(four, "deal it as fairdeck says, 2 passes, 4")
    assert quick.minutes < by_start(one, "deal it as fairdeck says, 2 passes").minutes
    packets = [way for way in four if way.way.startswith("in 4 packets")]
    assert packets
    assert packets[0].minutes < by_start(one, "in 2 packets").minutes
    assert not packets[0].exact


@pytest.mark.parametrize(("cards", "players"), [(54, 1), (104, 2), (120, 2), (150, 2)])
def test_halves_are_joined_crosswise_where_that_costs_nothing(cards, players):
    way = by_start(recommended(Request(cards, players)), "in 2 packets")
    assert way.way.startswith("in 2 packets (two-way-cross)")
    assert not way.exact
    steps, riffles = (int(way.remark.split(f"--{word} ")[1].split()[0]) for word in ("steps", "riffles"))
    assert (steps, riffles) != (3, 1)  # the one case in which it is worse, see test_packets
    crosswise, plain = (seen_in_places(find(name), cards, steps, riffles)[-1] for name in ("two-way-cross", "two-way"))
    assert crosswise <= plain


@pytest.mark.parametrize(("cards", "players"), [(104, 2), (162, 3), pytest.param(208, 4, marks=pytest.mark.long)])
def test_the_page_about_packets_says_what_is_advised(cards, players):
    way = by_start(recommended(Request(cards, players)), "in ")
    scheme, steps, riffles = re.search(r"packets (\S+) .*--steps (\d+) --riffles (\d+)", way.remark).groups()
    page = (Path(__file__).parents[1] / "docs" / "explanation" / "packets.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| {players}, {cards} \| (.*`.*) \| (.*) \|$", page, re.M)
    assert row[0].startswith(f"`{scheme}`") and row[1].startswith(f"{steps} steps of {riffles} riffles")


@pytest.mark.long
def test_a_scheme_that_never_disperses_is_not_advised():
    assert not any("four-halves" in way.way for way in recommended(Request(104, 4)))


def test_time_and_pace_count():
    assert not any(way.enough for way in recommended(Request(60, minutes=0.1)))
    slow = by_start(recommended(Request(60), Pace(card=1.8)), "deal it as fairdeck says")
    assert slow.minutes > by_start(recommended(Request(60)), "deal it as fairdeck says").minutes
    slow, usual = (by_start(recommended(Request(52), *pace), "riffle it") for pace in ([Pace(riffle=12.0)], []))
    assert slow.minutes == pytest.approx(2 * usual.minutes)


@pytest.mark.parametrize(
    "asked",
    [
        *({"cards": 1}, {"cards": 1_001}, {"players": 101}, {"machine": -1}, {"decks": 0}),
        *({"distance": 0}, {"minutes": 0}),
    ],
)
def test_an_impossible_request_is_refused(asked):
    with pytest.raises(FairdeckError, match=r"write|ask for"):
        Request(**{"cards": 52, **asked})


@pytest.fixture
def told(run):
    return partial(run, "advise")


@pytest.mark.long
def test_the_command_says_that_nobody_knows(told):
    _, out, _ = told("60", "--sleeved", "--goal", "hands:2x20+stock", "--all")
    assert "a guess: at least 0.1 from random, by simulated decks" in out
    assert "No law is known for mashing." in out
    assert "Dealt as fairdeck says, hands:2x20+stock is random" in out


def test_json_has_what_is_promised(told):
    found = json.loads(told("104", "--players", "2", "--json")[1])
    assert found["ways"][0]["enough"] is True
    assert {"way", "minutes", "total_variation", "exact", "needs"} <= set(found["ways"][0])
    assert found["pace"]["card"] == 0.9


def test_the_call_returns_what_the_command_prints(told):
    found = fairdeck.advise(104, players=2, mat="5x2", goal="hands:4x13+stock", minutes=9)
    words = ("104", "--players", "2", "--mat", "5x2", "--goal", "hands:4x13+stock", "--minutes", "9")
    assert told(*words, "--json")[1] == f"{found.to_json()}\n"
    assert told(*words)[1].startswith(f"{found}\n")
    assert found.best is found.ranked[0]
    assert len(repr(found)) < 160
    assert found._repr_html_().startswith("<iframe srcdoc=")
    for bad in ({"cards": 52.5}, {"cards": 52, "mat": "0x5"}, {"cards": 52, "goal": "top:60"}):
        with pytest.raises(FairdeckError):
            fairdeck.advise(**bad)


SVG = "{http://www.w3.org/2000/svg}"


def marks(asked):
    """Return the numbered marks of the picture: x, y, class."""
    root = ElementTree.fromstring(svg(_picture(Recommendations(asked, ASSUMED, recommended(asked)))))
    return [(float(dot.get("cx")), float(dot.get("cy")), dot.get("class").split()) for dot in root.iter(f"{SVG}circle")]


@pytest.mark.cases(1)
@pytest.mark.parametrize("cards", [2, 52, 104, 162, 1_000])
@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("minutes", [None, 3])
def test_every_way_has_a_mark_of_its_own_in_the_picture(cards, players, minutes):
    asked = Request(cards, players, minutes=minutes)
    found, shown = recommended(asked), marks(asked)
    assert len(shown) == len(found)
    for at, (x, y, sort) in enumerate(shown):
        assert 40 < x < 334
        assert 14 < y < 278
        assert ("good" in sort) is found[at].enough
        assert ("guess" in sort) is not found[at].exact
        for other_x, other_y, _ in shown[:at]:
            assert max(abs(x - other_x), abs(y - other_y)) >= 17  # two radii
    alone = [(x, way.minutes) for way, (x, _, _) in zip(found, shown, strict=True) if way.way.startswith("wash")]
    assert all(x == pytest.approx(_across(least), abs=0.06) for x, least in alone)
    uniform = [(way.minutes, x) for way, (x, _, _) in zip(found, shown, strict=True) if way.total_variation == 0]
    assert [x for _, x in sorted(uniform)] == sorted(x for _, x in uniform)
    assert all((y > 240) is (way.total_variation is None) for way, (_, y, _) in zip(found, shown, strict=True))


@pytest.mark.long
def test_the_page_says_in_words_what_the_picture_shows(told, tmp_path):
    file = tmp_path / "ways.html"
    code, out, _ = told("104", "--players", "3", "--html", str(file))
    page = file.read_text()
    assert code == 0
    assert f"<h1>{out.splitlines()[0]}</h1>" in page
    for number, way in enumerate(recommended(Request(104, 3)), 1):
        assert f'<th scope="row">{number}. {escape(way.way)}</th>' in page
        assert f"<p>needs {escape(way.needs)}</p>" in page
        assert escape(f"{number}, {way.way}: {duration(way.minutes)}") in page
    assert "an assumed pace" in page
    assert "default-src 'none'" in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    told("2", "--minutes", "0.1", "--mat", "none", "--html", str(file))
    assert "Good enough, the quickest first" not in file.read_text()


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_accessibility_fault_on_a_phone(faults_on_a_small_phone, told, tmp_path, scheme):
    file = tmp_path / "ways.html"
    told("162", "--players", "4", "--html", str(file))
    assert faults_on_a_small_phone(file, scheme) == []


# --- real groups: the first line, what they are told to do, and what must not be said to them

GROUPS = {
    "samba, 3 people": (
        ("--game", "samba", "--players", "3"),
        "162 cards, 3 people: in 3 packets (three-players-full)",
        [
            "Sit around the table clockwise",
            "top third to B",
            "as fairdeck says, 2 passes, 3 dealers",
            "hands:3x15+stock",
        ],
    ),
    "canasta, 4 people": (
        ("--game", "canasta", "--players", "4"),
        "108 cards, 4 people: in 4 packets (four-full)",
        ["clockwise: A, B, C, D.", "packets A, B, C, D (27 cards each)", "A sheet for each player", "hands:4x11+stock"],
    ),
    "hold'em": (
        ("--game", "holdem"),
        "52 cards, one person: riffle it 10 times: about 1 minute at a guessed pace, 0.03 from random, by the exact",
        ["23 cards can be seen, all among the top 26", "if nobody cuts the deck", "Do not cut the deck", "1.3 exactly"],
    ),
    "Uno with children": (
        ("--game", "uno", "--no-riffles"),
        "108 cards, one person: deal 4 hands of 7 cards and a stock",
        ["2.1 a guess: nobody knows how random"],
    ),
    "Uno, too soon": (
        ("--game", "uno", "--no-riffles", "--minutes", "2"),
        "108 cards, one person: no way is known to be random enough within 2.0 minutes. With more time: deal 4 hands",
        ["5x2 --goal hands:4x7+stock"],
    ),
    "four decks for Commander": (
        ("--game", "commander", "--players", "4"),
        "4 decks of 99 sleeved cards, 4 people: deal it as fairdeck says",
        ["without the commander", "1 for each person at most"],
    ),
    "six decks at home": (
        ("--game", "blackjack"),
        "312 cards, one person: deal it",
        ["only ranks count, tens and pictures are equal"],
    ),
    "a cube": (
        ("--game", "cube", "--players", "8"),
        "540 sleeved cards, 8 people: deal 24 hands of 15 cards as fairdeck says",
        ["hands:24x15+rest"],
    ),
    "Dominion": (
        ("--game", "dominion", "--players", "4"),
        "4 decks of 10 cards, 4 people: riffle it 7 times",
        ["kingdom piles hold equal cards"],
    ),
    "Clue": (
        ("--game", "clue"),
        "18 cards, 9 cards, 2 decks of 6 cards: about 1.3 minutes in all at a guessed pace, at worst 0.048 from random",
        ["9 cards, one person: riffle it 6 times", "What to do: 18 cards"],
    ),
    "no riffles, no phone": (
        ("52", "--no-riffles"),
        "52 cards, one person: deal it as fairdeck says, 2 passes, one dealer: about 2.0 minutes at a guessed pace",
        ["Without a phone, print plans, and use each once", "--booklet 20"],
    ),
    "52 cards": (
        ("52",),
        "52 cards, one person: riffle it 10 times: about 1 minute at a guessed pace, 0.043 from random, by the exact",
        ["exactly uniform", "an assumed pace"],
    ),
    "tarot, 78": (
        ("--game", "tarot"),
        "78 tarot cards, one person: riffle it 11 times",
        [
            "turn the upper part end for end, still face down",
            "Turn no card before or after that.",
            "fairdeck deal 78 --mat 4x2 --turn",
        ],
    ),
    "72 tiles": (
        ("72", "--cards-are", "tiles"),
        "72 tiles, one person: deal it as fairdeck says",
        ["Tiles need no towers", "deal every tile"],
    ),
    "8 decks and a machine": (
        ("416", "--machine", "10"),
        "416 cards, one person: let the machine of 10 shelves do it 3 times",
        ["Load all 416 cards at once", "4.6 more times in 1,000 deals", "which is a guess"],
    ),
    "36 bridge boards": (
        ("--game", "bridge", "--decks", "36", "--players", "4"),
        "36 decks of 52 cards, 4 people: deal 4 hands of 13 cards as fairdeck says, 1 pass, one dealer: about 7.2 min",
        [
            "--pdf plans.pdf --booklet 36: a sheet for each deck",
            "put each into its pocket",
            "9 for each person at most",
        ],
    ),
    "30 pupils": (
        ("52", "--players", "30", "--decks", "30"),
        "30 decks of 52 cards, 30 people: riffle it 10 times: about 1 minute for all",
        ["shared among 30 people: 1 for each person"],
    ),
}


@pytest.mark.parametrize("group", GROUPS)
def test_each_real_group_gets_an_answer_that_it_can_follow(told, tmp_path, group):
    """Everybody reads the answer and one line of their own; 250 words are a minute."""
    words, headline, told_to = GROUPS[group]
    file = tmp_path / "club.html"
    code, out, _ = told(*words, "--html", str(file))
    answer = re.sub(r"(?m)^       Player [B-D]: .*\n(         .*\n)*", "", re.split("\nOr\n|Assumptions", out)[0])
    answer = " ".join(answer.split())
    assert code == 0
    assert answer.startswith(headline)
    for said in told_to:
        assert said in " ".join(out.split()), said
    assert len(answer.split()) < 250, "a minute's reading"
    assert not re.search("mash|overhand|piles in turn", out.partition("Assumptions")[0])
    page = file.read_text()
    assert page.index("What to do") < page.index("All ways") < page.index("<figure><svg ")
    sheets = page.count('<details class="sheet">')
    assert sheets == {"samba, 3 people": 3, "canasta, 4 people": 4}.get(group, 0)
    assert ("A sheet for each player" in out) is (sheets > 0)


def test_a_sheet_says_who_sits_left_and_right_and_gets_what():
    """The packets must go where the neighbour sits: in the flow, A gives the top third to B, who is at the left."""
    best = recommended(Request(162, 3))[0]
    sheets = {who: list(map(str, do)) for who, do in best.sheets}
    assert list(sheets) == ["Player A", "Player B", "Player C"]
    assert sheets["Player A"][0] == "Player B sits at your left, Player C at your right."
    assert sheets["Player C"][0] == "Player A sits at your left, Player B at your right."
    assert "the top 18 go to B, the next 18 stay, the bottom 18 go to C" in " ".join(sheets["Player A"])


def test_a_machine_passes_as_often_as_its_exact_law_asks_for():
    from fairdeck.shuffles.shelf import shelf_shuffles

    way = by_start(recommended(Request(416, machine=10)), "let the machine")
    assert way.total_variation == float(shelf_shuffles(416, 10, 10, 10).total_variation) <= 0.05
    assert float(shelf_shuffles(416, 10, 10).total_variation) > 0.05
    assert way.exact
    assert 'fairdeck mix "shelf(10)*3" --cards 416' in way.remark
    assert not any(way.mark == "machine" for way in recommended(Request(72, cards_are="tiles", machine=10)))


def test_reversals_cost_one_riffle_or_turns_within_the_deal():
    """How far from uniform they leave order and reversals is enumerated in test_steps."""
    plain, tarot = ({way.mark: way for way in recommended(Request(78, cards_are=kind))} for kind in ("cards", "tarot"))
    for mark in ("riffle", "2 packets", "deal, then riffle", "deal"):
        one, other = plain[mark], tarot[mark]
        assert (one.total_variation, one.exact) == (other.total_variation, other.exact)
        assert other.minutes > one.minutes
        assert ("--turn" in other.remark and "Where it has ↻" in str(other.do[-1])) is (mark == "deal")
        assert ("turn the upper part end for end" in str(other.do[-1])) is (mark != "deal")


def test_the_sheets_of_players_say_all_that_the_answer_says():
    """They left out the reversals, the hands to deal, and that there are more decks."""
    goal = parse_goal("hands:4x19+stock", 78)
    for way in recommended(Request(78, 4, cards_are="tarot", goal=goal, decks=3)):
        for _, do in way.sheets:
            text = " ".join(map(str, do))
            assert ("for each card" in text) is ("for each card" in str(way.do[0]))
            for step in map(str, way.do):
                if step.startswith(("Last the reversals", "Then deal the hands", "That is one deck")):
                    assert f"One of you for all. {step}" in text


def test_hands_are_no_answer_to_somebody_who_wants_a_deck(told):
    found = recommended(Request(32, 8))
    assert not by_start(found, "deal hands only").enough
    assert "--goal hands:8x4" in by_start(found, "deal hands only").remark
    for asked in (Request(52, 4, minutes=0.3), Request(16, 2, distance=1e-6, minutes=0.1)):
        assert recommended(asked)[0].gives_a_deck
        assert not recommended(asked)[-1].gives_a_deck
    _, out, _ = told("104", "--players", "3", "--no-room")
    assert out.startswith("104 cards, 3 people: no way gives a shuffled deck; hands alone can be dealt.")
    assert "The hands are exactly uniform, but there is no shuffled deck afterwards." in " ".join(out.split())
    assert "A4 is for the cards left over" in " ".join(out.split())


@pytest.mark.parametrize(
    ("cards", "goal", "players", "seats"),
    [
        (360, "hands:24x15", 1, False),
        (52, "hands:4x13", 1, True),
        (52, "hands:4x13", 4, True),
        (52, "hands:2x26", 1, True),
        (90, "hands:6x15", 2, False),
        (540, "hands:36x15", 8, False),
        (104, "hands:11x9+rest", 1, False),
    ],
)
def test_hands_lie_at_the_places_of_players_only_where_players_sit(cards, goal, players, seats):
    """Twenty-four packs of a cube were dealt onto the places of twenty-four players, in one row."""
    request = Request(cards, players, goal=parse_goal(goal, cards))
    way = next(way for way in recommended(request) if way.mark == "deal")
    assert ("player" in str(way.do[0])) is seats is ("the players' places" in way.needs)
    mat = Mat.parse(way.remark.split()[4])
    assert mat.columns <= 10
    assert seats or way.needs.endswith(f"room for {len(request.goal.piles)} piles is enough")


@pytest.mark.parametrize("cards", [20, 72, 144, 152])
def test_tiles_need_no_long_row(cards):
    for way in recommended(Request(cards, 2, cards_are="tiles")):
        text = " ".join(map(str, way.do))
        assert "in one row" not in text
        assert ("deal every tile, in any order, onto the space" in text) is way.mark.startswith(("deal", "hands"))
        assert "from the bottom" not in text


def test_a_procedure_in_packets_is_listed_for_one_dealer():
    names = [way.way for way in recommended(Request(162)) if way.way.startswith("in ")]
    assert any("stacked-thirds" in name for name in names)
    assert all(way.people == 1 for way in recommended(Request(162)))


@pytest.mark.parametrize("far", [0.0999, 0.01, 1.1e-6, 1e-6, 9e-7, 1e-12, 1e-300])
def test_every_distance_has_a_meaning(far):
    """A machine of many shelves leaves 1e-12, which no number of deals up to 1e9 shows."""
    way = replace(recommended(Request(52))[0], total_variation=far)
    assert ("as good as perfect" in meaning(way)) is (far < 1e-6)
    assert meaning(way).endswith(" deals.")


def test_a_riffle_that_was_measured_as_clumsy_gets_no_law_of_the_model(told, tmp_path):
    clumsy = Riffler("riffle(neatness=0.34)", 4, 52, 16, fits=True)
    neat = Riffler("riffle", 4, 52, 10, fits=True)
    unlike = Riffler("riffle", 4, 52, 10, fits=False)
    found = recommended(Request(60, riffler=clumsy))
    riffled = [way for way in found if "riffle" in f"{way.mark} {way.way}"]
    assert {way.mark for way in riffled} == {"riffle", "2 packets", "3 packets", "deal, then riffle"}
    assert all(way.total_variation is None and not way.enough and not way.exact for way in riffled)
    assert 'fairdeck mix "riffle(neatness=0.34)*11" --cards 60' in by_start(found, "riffle it").remark
    assert found[0].way.startswith("deal it as fairdeck says")
    assert recommended(Request(60, riffler=neat)) == recommended(Request(60))
    assert not by_start(recommended(Request(60, riffler=unlike)), "riffle it").enough, "a check failed"
    sleeved = Request(60, cards_are="sleeved")
    assert recommended(replace(sleeved, riffler=clumsy)) == recommended(sleeved)
    (tmp_path / "fairdeck").mkdir()
    (tmp_path / "fairdeck" / "hands.json").write_text(clumsy.to_json())
    _, out, _ = told("60")
    assert out.startswith("60 cards, one person: deal it as fairdeck says")
    assert "is not the model's: 52 cards need 16 of it" in out.replace("\n", " ")


# --- games, lists, several sizes, hands that cannot riffle, and minutes that are kept


@pytest.mark.parametrize("name", games())
def test_each_game_says_what_is_dealt_and_gets_an_answer_of_three_ways(name):
    game = games()[name]
    found = fairdeck.advise(game=name)
    assert found.request.told.startswith(f"Assumed: {game.title}")
    assert "{" not in found.request.told
    for each in (found, *found.others):
        shown = shortlist(each)
        assert 1 <= len(shown) <= 3
        assert any(way.total_variation == 0 for way in shown), "an exact one"
        assert all(way.near(each.request) or way.minutes < 0.75 * each.best.minutes for way in shown)


@pytest.mark.cases(2)
@pytest.mark.parametrize("cards_are", ["cards", "sleeved", "tiles", "tarot"])
@pytest.mark.parametrize("minutes", [0.1, 0.5, 1, 2, 5, 30])
@pytest.mark.parametrize("cards", [10, 52, 100, 162])
def test_nothing_that_takes_longer_is_an_answer(cards, minutes, cards_are):
    for players, decks in ((1, 1), (4, 1), (2, 5)):
        found = fairdeck.advise(cards, players=players, decks=decks, minutes=minutes, cards_are=cards_are)
        in_time = [way for way in found.ranked if way.in_time and way.gives_a_deck]
        in_time = [way for way in in_time if (way.total_variation or 0) <= HOPELESS]  # the others shuffle nothing
        assert all((way.minutes <= minutes + 0.05) is way.in_time or way.minutes == minutes for way in found.ranked)
        assert found.best.in_time is bool(in_time)
        assert all(way.in_time for way in shortlist(found)) or not in_time
        assert found.best.enough is any(way.near(found.request) for way in in_time)
        words = " ".join(str(found.document().parts).split())
        late = any(way.near(found.request) for way in found.ranked) and not found.best.enough and bool(in_time)
        assert ("Random enough, but longer: " in words) is late
        assert ("no way is known to be random enough within" in str(found)) is not found.best.enough


def test_riffles_are_judged_by_the_cards_that_are_seen():
    for cards, seen, times in ((52, 5, 7), (52, 26, 10), (30, 5, 7)):
        way = by_start(recommended(Request(cards, goal=parse_goal(f"top:{seen}", cards))), f"riffle it {times} times")
        assert way.total_variation == top_cards(cards, seen, 2**times).total_variation <= 0.05
        assert top_cards(cards, seen, 2 ** (times - 1)).total_variation > 0.05


def test_hands_that_cannot_riffle_are_told_nothing_that_riffles():
    for cards_are in ("cards", "sleeved", "tarot"):
        for way in fairdeck.advise(60, players=3, cards_are=cards_are, riffles=False).ranked:
            assert not re.search("riffle|mash|practised", f"{way.way} {way.do} {way.needs}")


def test_equal_cards_of_a_list_and_unknown_games_are_told(told, tmp_path):
    (file := tmp_path / "deck.txt").write_text("4 Fox\n36 Marsh\n20 Wolf\n")
    for cards in (str(file), {"Fox": 4, "Marsh": 36, "Wolf": 20}):
        assert fairdeck.advise(cards).request.told.startswith("The list has 3 different cards;")
    assert "The list has 3 different cards;" in told(str(file), "--game", "magic")[1].replace("\n", " ")
    code, _, err = told("52", "--game", "holdm")
    assert (code, err.count("\n")) == (2, 1)
    assert "unknown game 'holdm'; did you mean 'holdem'?; known: blackjack, bridge," in err
    assert "deals 65 cards; the deck has 52: write fewer --players" in told("--game", "bridge", "--players", "5")[2]


def test_decks_of_several_sizes_are_shuffled_in_one_way_within_all_minutes():
    found = fairdeck.advise("6,6,9,18", riffles=False)
    assert [each.deck for each in (found, *found.others)] == ["18 cards", "9 cards", "2 decks of 6 cards"]
    assert {each.best.mark for each in (found, *found.others)} == {"deal"}
    assert str(found).endswith(" minutes in all at a guessed pace, exactly uniform.")
    assert "no way is known to be random enough within 1 minute" in str(fairdeck.advise("6,6,9,18", minutes=1))
    assert all(way.minutes <= 1 for way in fairdeck.advise("6,30", minutes=1).ranked if way.in_time)
    assert len(json.loads(found.to_json())["others"]) == 2
