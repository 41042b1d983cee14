"""The front page of the pages that explain: the game, the story of one deck, and the way to all pages."""

import json
import math
import re
from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from fairdeck.explore import GROUPS, HERE, OVERVIEW, PAGES
from fairdeck.page import texts
from fairdeck.permutation import rising_sequences
from fairdeck.shuffles.riffle import eulerian_numbers, gsr_riffles
from tests.page_scripts import engine_of

HELPERS = """
function spread(seed) { return JSON.stringify(spreadEvenly(seededDraws(seed))); }
function order(seed) { return uniformPermutation(52, seededDraws(seed).below); }
function twoDeals(seed) { return JSON.stringify({ order: order(seed), ...dealtOnce(order(seed)) }); }
function twoDealsOf(text) { return JSON.stringify(dealtOnce(JSON.parse(text))); }
function linesAfter(seed, riffles) {
  const draws = seededDraws(seed);
  let deck = sorted();
  for (let done = 0; done < riffles; done++) deck = riffled(deck, draws);
  return JSON.stringify(deck);
}
function inTurnOnto(piles) {
  const deck = Array.from({ length: 52 }, (_, card) => card);
  SHUFFLES["pile-7"].run(deck, null);
  return JSON.stringify([dealt(sorted(), piles, inTurn(piles)), deck]);
}
"""
STILL = {"reduced_motion": "reduce", "viewport": {"width": 1280, "height": 800}}
SCENES = 8
KINDS = {"Three riffles", "Spread evenly", "Shuffled", "Dealt in turn"}


@pytest.fixture(scope="module")
def engine():
    context = engine_of("why", "mixed", "randomness", "draws", "shuffles", helpers=HELPERS)
    return lambda name, *args: json.loads(context.get(name)(*args))


def test_two_deals_end_in_the_order_that_was_drawn_and_leave_six_lines_between_them(engine):
    for seed in range(200):
        found = engine("twoDeals", seed)
        assert found["twice"] == found["order"]
        assert sorted(found["once"]) == list(range(52))
        if found["runs"] <= 36:
            falls = sum(before < after for before, after in pairwise(found["once"]))
            assert falls <= 5, "six piles, each upside down"
    backwards = engine("twoDealsOf", json.dumps(list(range(52))[::-1]))
    assert backwards["twice"] == list(range(52))[::-1], "an order with 52 runs needs more piles"


def test_the_deck_dealt_in_turn_is_the_one_that_python_deals(engine):
    ours, twin = engine("inTurnOnto", 7)
    assert ours == twin


def test_the_deck_that_is_spread_evenly_keeps_its_cards_farther_apart_than_chance_does(engine):
    """The nearest pair of marks: of 100 fair decks none has it as far apart as the mean of the spread ones."""

    def nearest(deck):
        return min(math.hypot(a - b, i - j) for i, a in enumerate(deck) for j, b in enumerate(deck) if i < j)

    spread = [engine("spread", seed) for seed in range(100)]
    assert all(sorted(deck) == list(range(52)) for deck in spread)
    mean = sum(map(nearest, spread)) / 100
    assert all(nearest(engine("twoDeals", seed)["order"]) < mean for seed in range(100))


def tiles(page):
    return page.locator("#four button")


def test_the_game_shows_four_decks_in_random_places_and_names_the_shuffled_one(visit):
    places = set()
    for _ in range(4):
        page = visit(**STILL)
        labels = [tile.get_attribute("aria-label") for tile in tiles(page).all()]
        assert [label[:21] for label in labels] == [f"Deck {letter}, from the top:" for letter in "ABCD"]
        assert page.locator("#four [data-right]").count() == 0
        tiles(page).nth(1).click()
        names = [text[2:] for text in page.locator("#four b").all_text_contents()]
        assert set(names) == KINDS
        right = names.index("Shuffled")
        assert tiles(page).nth(right).get_attribute("data-right") is not None
        answer = page.text_content("#answer")
        assert answer.startswith(f"Yes, {'ABCD'[right]}." if right == 1 else f"It is {'ABCD'[right]}.")
        places.add(tuple(names))
        before = page.text_content("#four")
        page.click("#other-four")
        assert page.text_content("#four") != before
        assert page.text_content("#answer") == ""
    assert len(places) > 1, "by chance equal four times once in 13,824"


def test_each_scene_asks_first_and_the_numbers_are_those_of_the_exact_law(visit):
    page = visit("#seed=7&scene=0", **STILL)
    points = {riffles: 100 * float(gsr_riffles(52, riffles).total_variation) for riffles in range(1, 13)}
    told = []
    for scene in range(SCENES):
        assert page.text_content("#count") == f"{scene + 1} / {SCENES}"
        assert page.text_content("#reveal") == ""
        chips = page.locator("#answers button")
        chips.first.click()
        assert page.locator("#answers [data-right]").count() == 1
        told.append((page.text_content("#reveal"), page.text_content("#answers [data-right]")))
        page.click("#next")
    assert [right for _, right in told[:2]] == ["2", "4"]
    few = sum(eulerian_numbers(52)[:8]) / math.factorial(52)
    power = str(math.floor(-math.log10(few))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    assert told[2][0].startswith(f"A fair deck has so few less than once in 10{power} decks.")
    for scene, riffles in ((3, 5), (4, 7)):
        assert told[scene][1] == f"{points[riffles]:.0f}"
        assert told[scene][0].startswith(told[scene][1])
    shown = [f"{points[riffles]:.{int(points[riffles] < 9.95)}f}" for riffles in range(8, 13)]
    assert " · ".join(shown) in told[5][0]
    assert all(0.49 < points[riffles + 1] / points[riffles] < 0.52 for riffles in range(7, 12)), "about half each"
    assert [right for _, right in told[5:]] == ["none", "nothing", "no"]
    assert page.text_content("#count") == f"1 / {SCENES}", "another deck begins"
    assert "seed=7&" not in page.evaluate("location.hash")


def test_the_paths_of_the_loop_cannot_be_shared_equally():
    """The page says so: 52! has prime factors that 52 to the power 52 lacks."""
    assert pow(52, 52) % math.factorial(52) != 0


PICTURE = "() => document.getElementById('deck').toDataURL()"


def test_a_link_shows_the_same_deck_in_the_same_scene_and_asks_again(visit):
    page = visit("#seed=7&scene=3", **STILL)
    page.click("#answers button")
    reveal, picture = page.text_content("#reveal"), page.evaluate(PICTURE)
    other = visit(page.evaluate("location.hash"), **STILL)
    assert other.text_content("#reveal") == ""
    assert other.evaluate(PICTURE) != picture, "the deck lies as before the answer"
    other.click("#answers button")
    assert (other.text_content("#reveal"), other.evaluate(PICTURE)) == (reveal, picture)
    assert other.evaluate("Math.abs(document.getElementById('story').getBoundingClientRect().top) < innerHeight / 2")


def test_arrows_turn_the_scenes_like_slides_and_leave_fields_alone(visit):
    page = visit("#seed=7&scene=2", **STILL)
    page.keyboard.press("ArrowRight")
    assert page.text_content("#count") == f"4 / {SCENES}"
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    assert page.text_content("#count") == f"1 / {SCENES}"
    assert page.is_disabled("#back")
    page.focus("#language")
    page.keyboard.press("ArrowRight")
    assert page.text_content("#count") == f"1 / {SCENES}"
    page.click("#next")
    page.click("#back")
    assert page.evaluate("document.activeElement.id") == "next", "a button that is disabled loses the focus"


def test_the_deck_moves_only_when_asked_and_is_at_rest_within_three_seconds(visit):
    page = visit("#seed=7&scene=3", viewport=STILL["viewport"])
    still = page.evaluate(PICTURE)
    page.wait_for_timeout(400)
    assert page.evaluate(PICTURE) == still
    page.click("#answers button")
    page.wait_for_timeout(3_000)
    end = page.evaluate(PICTURE)
    page.wait_for_timeout(300)
    assert end != still
    assert page.evaluate(PICTURE) == end
    quick = visit("#seed=7&scene=3", **STILL)
    quick.click("#answers button")
    assert quick.evaluate(PICTURE) == end, "at once, for a reader who wants no movement"


def test_who_turns_on_while_cards_move_sees_the_next_scene(visit):
    page = visit("#seed=7&scene=3", viewport=STILL["viewport"])
    page.click("#answers button")
    page.click("#next")
    page.wait_for_timeout(2_500)
    quiet = visit("#seed=7&scene=4", **STILL)
    assert page.evaluate(PICTURE) == quiet.evaluate(PICTURE)


def red_shares(page):
    """How much of the picture is red: just below the line of a sorted deck, and far from it."""
    picture = np.asarray(Image.open(BytesIO(page.locator("#deck").screenshot())).convert("RGB")).astype(int)
    height, width, _ = picture.shape
    down, across = np.mgrid[:height, :width]
    off, red = down / height - across / width, (picture[..., 0] > 150) & (picture[..., 1] < 80)
    return red[(off > 0) & (off < 0.1)].mean(), red[abs(off) > 0.4].mean()


def test_ten_thousand_decks_of_the_loop_show_what_one_hides(visit):
    page = visit("#seed=7&scene=7", **STILL)
    one = page.evaluate(PICTURE)
    near, far = red_shares(page)
    assert near < 2 * far + 0.05, "dust"
    page.click("#answers button")
    page.wait_for_function(f"one => ({PICTURE})() !== one", arg=one, timeout=20_000)
    page.wait_for_timeout(1_500)
    assert page.text_content("#lies") == "10,000 decks from the loop"
    near, far = red_shares(page)
    assert near > 4 * far, "a card comes too often to the places next to its own"


def test_all_pages_are_named_once_in_their_groups(visit):
    page = visit(**STILL)
    heads = page.locator("#groups h2").all_text_contents()
    assert heads == ["See", "Play", "Use", "Teach"]
    named = [name for names in GROUPS.values() for name in names] + ["class"]
    titles = [texts("en", HERE / name / "texts")["title"] for name in named]
    assert page.locator("#groups h3").all_text_contents() == titles
    assert set(named) | {OVERVIEW} == set(PAGES) - {"check"}
    assert page.locator("#groups .paper").count() == len(named)


def test_the_lines_that_are_told_are_those_of_the_deck(visit, engine):
    for seed in (1, 2):
        for scene, riffles in ((0, 1), (1, 2), (3, 5)):
            page = visit(f"#seed={seed}&scene={scene}", **STILL)
            page.click("#answers button")
            lines = rising_sequences(engine("linesAfter", seed, riffles))
            assert re.search(r"(\d+)(?: lines;|\. )", page.text_content("#reveal"))[1] == str(lines)
