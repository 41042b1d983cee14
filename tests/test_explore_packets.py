"""The page that shows packet flows: its cards are moved as `fairdeck.packets` moves them."""

import json
import re
from fractions import Fraction
from io import BytesIO
from itertools import chain, pairwise

import pytest
from PIL import Image, ImageChops

from fairdeck.explore.packet_schemes import flows
from fairdeck.packets import dispersion, find, schemes
from fairdeck.packets.notation import part, places, taken
from tests.page_scripts import engine_of

HELPERS = """
function moved(text, cards, riffles) {
  const { below } = seededDraws(7);
  return JSON.stringify(stopsOf(JSON.parse(text), cards, riffles, { below }));
}
"""
PACKS = (104, 162)


@pytest.fixture(scope="module")
def moved():
    context = engine_of("packets", "moving", "draws", helpers=HELPERS)
    known = flows()
    return lambda name, cards, riffles: json.loads(context.get("moved")(json.dumps(known[name]), cards, riffles))


def test_the_page_cuts_and_passes_each_card_as_python_does(moved):
    for name in schemes():
        flow = find(name)
        for cards in (*PACKS, 53):
            # Card 0 is on top; Python's decks are bottom first.
            packets = part(flow, range(cards)[::-1])
            stops = moved(name, cards, 0)
            assert [[list(deck[::-1])] for deck in packets.values()] == stops[0]["packets"]
            for step in range(flow.rounds):
                packets = {move.packet: taken(move, packets)[0] for move in flow.moves(step)}
                passed, after = stops[2 * step + 1 : 2 * step + 3]
                lying = [list(deck[::-1]) for deck in packets.values()]
                assert [list(chain(*parts)) for parts in passed["packets"]] == lying
                assert after["packets"] == [[deck] for deck in lying]


def test_riffles_keep_the_cards_of_each_packet_and_leave_few_rising_sequences(moved):
    for name in schemes():
        flow = find(name)
        stops = moved(name, 104, 2)
        for step in range(flow.rounds):
            passed, after = stops[2 * step + 1 : 2 * step + 3]
            for at, move in enumerate(flow.moves(step)):
                start = [card for deck in passed["packets"][at] for card in deck]
                once, twice = (order[at] for order in passed["orders"])
                assert sorted(start) == sorted(once) == sorted(twice)
                assert [twice] == after["packets"][at]
                place = {card: i for i, card in enumerate(once)}
                assert sum(place[y] < place[x] for x, y in pairwise(start)) <= 1, move


def test_the_shares_on_the_page_are_the_exact_dispersion_and_one_scheme_never_spreads():
    known = flows()
    assert known.keys() == schemes().keys()
    for name, shown in known.items():
        flow = find(name)
        for step, matrix in enumerate(shown["spread"]):
            exact = dispersion.dispersion(flow, step)
            assert tuple(tuple(map(Fraction, row)) for row in matrix) == exact
            assert Fraction(shown["far"][step]) == dispersion.distance(exact)
    assert [name for name, shown in known.items() if shown["never"]] == ["four-halves"]
    assert all("0" in row for matrix in known["four-halves"]["spread"] for row in matrix)
    assert [places(Fraction(1, 3), cards) for cards in (4, 5)] == [1, 2]


def test_every_pack_and_number_of_people_has_a_scheme_that_spreads():
    for cards in PACKS:
        for people in range(1, 5):
            suiting = [
                name
                for name, shown in flows().items()
                if shown["cards"][0] <= cards <= shown["cards"][1]
                and shown["players"][0] <= people <= shown["players"][1]
                and not shown["never"]
            ]
            assert len(suiting) >= 2, (cards, people)


def shares(page):
    rows = page.locator("#spread tr").all()
    return [row.locator("td").all_text_contents() for row in rows]


def test_steps_show_the_exact_shares_and_the_link_shows_the_same_again(visit):
    opened = visit("#scheme=three-way&cards=162&people=1", reduced_motion="reduce")
    for _ in range(6):
        opened.click("#on")
    assert shares(opened) == [["1/4", "3/8", "3/8"], ["3/8", "1/4", "3/8"], ["3/8", "3/8", "1/4"]]
    assert "1/12" in opened.text_content("#far")
    opened.click("#answers [value='4']")
    assert opened.text_content("#answers [data-right]") == "never"
    assert opened.text_content("#reveal").startswith("Never quite: step by step 1/3, 1/6, 1/12 …")
    fragment = opened.evaluate("location.hash")
    again = visit(fragment, reduced_motion="reduce")
    assert shares(again) == shares(opened)
    assert again.evaluate("$('stage').toDataURL()") == opened.evaluate("$('stage').toDataURL()")


def test_the_flow_that_never_merges_says_what_it_costs(visit):
    opened = visit("#scheme=four-halves&cards=104&people=4&at=8", reduced_motion="reduce")
    assert opened.locator("#spread .never").count() == 8
    assert "never meet" in opened.text_content("#verdict")
    assert re.search(r"fairdeck packets four-halves --flow", opened.text_content("#command"))


PLAIN = 40  # of 255: what a browser that draws once on its graphics card, once without it, does not reach


def stage(page):
    return Image.open(BytesIO(page.locator("#stage").screenshot())).convert("L")


def apart(one, other):
    return ImageChops.difference(one, other).getextrema()[1]


@pytest.mark.long
def test_a_step_is_over_within_three_seconds_and_bad_links_are_mended(visit):
    opened = visit("#scheme=no&cards=7&people=99&at=-1", reduced_motion="no-preference")
    assert opened.input_value("#scheme") == "four-full"
    opened.evaluate("location.hash = '#scheme=two-way&people=1&at=6'")
    opened.wait_for_selector("#said:has-text('Step 3: riffle')")
    opened.click("#on")
    moving = stage(opened)
    opened.wait_for_timeout(3000)
    still = stage(opened)
    opened.wait_for_timeout(500)
    assert apart(moving, still) > PLAIN
    assert apart(still, stage(opened)) <= PLAIN
    assert opened.input_value("#at") == "7"
    opened.click("#on")
    assert "equal shares" in opened.text_content("#verdict")
    opened.select_option("#players", "3")
    assert opened.input_value("#scheme") == "three-players"
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_page_asks_how_many_steps_make_all_parts_equal(visit):
    for name in ("four-full", "two-way-premin", "four-halves"):
        opened = visit(f"#scheme={name}")
        assert opened.text_content("#reveal") == ""
        opened.click("#answers [value='3']")
        far = list(map(Fraction, flows()[name]["far"]))
        right = str(far.index(0)) if 0 in far else "never"
        assert opened.get_attribute("#answers [data-right]", "value") == right
        assert opened.text_content("#reveal") != ""
    opened.select_option("#scheme", "four-full")
    assert opened.text_content("#reveal") == "", "another scheme, another question"
