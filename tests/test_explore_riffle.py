"""The page on riffles: its laws against those of Python, and the page as its visitors use it."""

import json
from fractions import Fraction
from itertools import pairwise, permutations, product
from math import comb
from random import Random

import pytest

from fairdeck.lab.statistics.successions import succession_law
from fairdeck.permutation import rising_sequences
from fairdeck.shuffles import recipe_steps
from fairdeck.shuffles.recipes import theory
from fairdeck.shuffles.repeated_cards import Patterns, kinds_a_shuffle, two_kinds
from fairdeck.shuffles.riffle import a_shuffle, eulerian_numbers, gsr_riffles
from tests.page_scripts import engine_of
from tests.test_shuffle_laws import order_chance

HELPERS = """
const packetsOf = (text) => BigInt(text);
function order(n, packets) { return orderVariation(n, packetsOf(packets)); }
function separation(counts, packets) { return kindsSeparation(JSON.parse(counts), packetsOf(packets)); }
function ratio(lower, upper, packets, places) {
  const table = likelihoods(lower, upper, packets);
  return JSON.parse(places).reduce((all, place, r) => all + table[r][place - r], 0);
}
function counted(text) { return JSON.stringify(countsOfDeck(JSON.parse(text))); }
function laws(n) { return JSON.stringify(fairLaws(n)); }
function atCut(n, lower, text) {
  const tape = JSON.parse(text), deck = Array.from({ length: n }, (_, i) => n - 1 - i), asked = [];
  const below = (bound) => { asked.push(bound); return tape.shift(); };
  const dealt = interleaved(deck.slice(0, n - lower), deck.slice(n - lower), { below });
  return JSON.stringify({ deck: dealt.reverse(), asked });
}
function bounds(recipe, n, rounds, decks, seed) {
  const work = lowerBounds(n, rounds, decks, shuffleOf(recipe), seededDraws(seed));
  for (;;) {
    const { done, value } = work.next();
    if (done) return JSON.stringify(value);
  }
}
"""


@pytest.fixture(scope="module")
def engine():
    context = engine_of("riffle", "riffle_laws", "bounds", "riffling", "shuffles", "draws", helpers=HELPERS)
    return lambda name, *args: context.get(name)(*args)


def test_seven_riffles_of_52_cards_leave_a_total_variation_of_a_third(engine):
    assert round(engine("order", 52, "128"), 4) == 0.3341


def test_the_law_of_riffles_is_pythons_to_twelve_places(engine):
    for cards in [2, 3, 13, 52, 53, 104]:
        for riffles in range(16):
            expected = float(gsr_riffles(cards, riffles).total_variation)
            assert engine("order", cards, str(2**riffles)) == pytest.approx(expected, abs=1e-12), riffles
        assert engine("order", cards, "1000") == pytest.approx(float(a_shuffle(cards, 1000).total_variation), abs=1e-12)


def test_piles_at_random_have_the_law_of_a_riffle_of_as_many_packets(engine):
    for cards in [9, 52]:
        for times in (1, 2, 3):
            law = theory(recipe_steps(f"random-piles-10*{times}"), cards).law
            assert engine("order", cards, str(10**times)) == pytest.approx(float(law.total_variation), abs=1e-12)


def test_the_separation_of_kinds_is_pythons_to_twelve_places(engine):
    for counts in [(26, 26), (13,) * 4, (4,) * 13, (1, 3, 2), (4,) * 26]:
        for riffles in range(16):
            expected = float(kinds_a_shuffle(counts, 2**riffles).separation)
            assert engine("separation", json.dumps(counts), str(2**riffles)) == pytest.approx(expected, abs=1e-12), (
                riffles
            )


@pytest.mark.parametrize(("lower", "upper"), [(1, 1), (2, 5), (6, 6), (8, 4)])
@pytest.mark.cases(1)
def test_the_variation_of_two_kinds_is_right_to_within_its_rounding(engine, lower, upper):
    for riffles in range(8):
        expected = float(two_kinds(lower, upper, riffles).total_variation)
        assert abs(engine("twoKindsVariation", lower, upper, 2**riffles) - expected) <= lower / 2 / 8192 + 1e-12


@pytest.mark.long
def test_the_likelihood_of_a_pattern_is_pythons_and_its_variation_agrees_with_samples(engine):
    rng = Random(4)
    for riffles in (2, 5, 7):
        patterns = Patterns(26, 26, riffles)
        for _ in range(3):
            places = sorted(rng.sample(range(52), 26))
            found = engine("ratio", 26, 26, 2**riffles, json.dumps(places))
            assert found == pytest.approx(patterns.ratio(places), rel=1e-10)
        mean, error = patterns.estimate(rng, 4000)
        assert abs(engine("twoKindsVariation", 26, 26, 2**riffles) - mean) < 4 * error + 26 / 2 / 8192


def test_the_fair_laws_of_the_simulation_are_exact(engine):
    for cards in (2, 5, 52):
        rising, together, first, last, stayed = json.loads(engine("laws", cards))
        total = sum(eulerian_numbers(cards))
        assert rising == pytest.approx([0, *[float(Fraction(w, total)) for w in eulerian_numbers(cards)]], abs=1e-14)
        law = succession_law(cards)
        expected = [0] * law.low + [float(Fraction(weight, sum(law.weights))) for weight in law.weights]
        assert together == pytest.approx(expected, abs=1e-14)
        assert first == last == [1 / cards] * cards
        upper = cards - cards // 2
        ways = [comb(upper, kept) * comb(cards - upper, upper - kept) for kept in range(upper + 1)]
        assert stayed == pytest.approx([way / comb(cards, upper) for way in ways], abs=1e-14)


def test_riffles_at_every_cut_make_up_the_law_of_a_riffle_exactly(engine):
    n = 4
    chances = dict.fromkeys(permutations(range(n)), Fraction(0))
    for lower in range(n + 1):
        for draws in product(range(4), range(3), range(2), range(1)):
            found = json.loads(engine("atCut", n, lower, json.dumps(draws)))
            assert found["asked"] == [4, 3, 2, 1]
            chances[tuple(found["deck"])] += Fraction(comb(n, lower), 2**n * 24)
    for order, chance in chances.items():
        assert chance == order_chance(order, 2), order


@pytest.mark.long
def test_a_simulated_bound_is_below_the_exact_distance_and_not_far(engine):
    bounds = json.loads(engine("bounds", "riffle", 52, 10, 1500, 5))
    exact = [float(gsr_riffles(52, riffles).total_variation) for riffles in range(11)]
    assert all(low <= high + 1e-12 for low, high in zip(bounds, exact, strict=True))
    assert bounds[4] > 0.9
    assert bounds[7] > 0.15
    fair = json.loads(engine("bounds", "fisher-yates", 52, 5, 1500, 6))
    assert max(fair[1:]) == 0


@pytest.mark.long
def test_ten_overhands_leave_most_of_the_order_and_no_bound_rises(engine):
    bounds = json.loads(engine("bounds", "overhand", 52, 12, 1000, 7))
    assert bounds[10] > 0.8
    assert bounds == sorted(bounds, reverse=True)


@pytest.mark.long
def test_one_short_wash_leaves_many_cards_in_their_half(engine):
    assert json.loads(engine("bounds", "wash(10)", 52, 2, 300, 8))[1] > 0.5


def test_what_is_counted_of_a_deck_is_what_python_counts(engine):
    deck = [3, 4, 0, 1, 2]
    assert rising_sequences(deck) == 2
    assert json.loads(engine("counted", json.dumps(deck))) == [2, 3, 2, 1, 1]


DESKTOP = {"width": 1280, "height": 720}
COLOURS = """(canvas) => {
  const { width, height } = canvas, { data } = canvas.getContext("2d").getImageData(0, height >> 1, width, 1);
  const pixel = (card) => 4 * Math.floor(((card + 0.5) * width) / 104);
  return Array.from({ length: 104 }, (_, card) => [...data.slice(pixel(card), pixel(card) + 3)]);
}"""
STILL = {"reduced_motion": "reduce", "viewport": DESKTOP}


@pytest.mark.long
def test_a_card_that_started_higher_is_lighter_so_the_order_is_seen_in_grey(visit):
    shades = visit("#cards=104", **STILL).locator("#ribbon").evaluate(COLOURS)
    linear = [[(value / 255) ** 2.2 for value in shade] for shade in reversed(shades)]
    lightness = [0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in linear]
    assert all(one < other for one, other in pairwise(lightness))
    assert lightness[-1] > 10 * lightness[0]


def settled(page, start):
    page.wait_for_function("text => document.getElementById('known').textContent.startsWith(text)", arg=start)


def test_seven_presses_end_at_a_third_and_the_link_shows_the_same(visit):
    page = visit(**STILL)
    for _ in range(7):
        page.click("#once")
    settled(page, "Total variation 0.3341")
    assert page.text_content("#so") == "7 shuffles"
    left = page.text_content("#left")
    address = page.evaluate("location.hash")
    again = visit(address, **STILL)
    settled(again, "Total variation 0.3341")
    assert again.text_content("#left") == left
    for _ in range(7):
        again.click("#undo")
    assert again.text_content("#left").startswith("1 rising sequence;")
    assert "51 of 51" in again.text_content("#left")


def test_a_drag_cuts_where_the_hand_is_and_leaves_two_rising_sequences(visit):
    page = visit(viewport=DESKTOP)
    box = page.locator("#ribbon").bounding_box()
    x, y = box["x"] + box["width"] * 20 / 52, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 300, y, steps=5)
    page.mouse.up()
    page.wait_for_function("() => document.getElementById('so').textContent === '1 shuffle'")
    assert "done=32" in page.evaluate("location.hash"), "20 cards are taken off the top"
    assert page.text_content("#left").startswith("2 rising sequences;")
    assert "you chose 1 cut yourself" in page.text_content("#known")


@pytest.mark.long
def test_the_keyboard_cuts_and_riffles(visit):
    page = visit(**STILL)
    page.focus("#ribbon")
    for key in ("ArrowRight", "PageUp", "ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    assert page.get_attribute("#ribbon", "aria-valuenow") == "30"
    assert "done=22" in page.evaluate("location.hash")
    for _ in range(14):
        page.keyboard.press("Enter")
    assert page.is_disabled("#once")
    page.keyboard.press("Enter")
    assert page.text_content("#so") == "15 shuffles"


@pytest.mark.long
def test_other_shuffles_and_kinds_say_what_is_known_of_them(visit):
    page = visit("#how=pile-7&done=0.0.0", **STILL)
    settled(page, "Total variation > 0.9999")
    page = visit("#see=suits&done=0.0.0.0.0.0.0", **STILL)
    settled(page, "Total variation between 0.01 and 0.34.")
    page = visit("#see=colours&done=0.0.0.0.0.0.0", **STILL)
    settled(page, "Total variation 0.013, right to within 0.003: the best bet wins 1.3 percentage points")
    # What is known is rounded away from the truth, never past it: the lower bound is 0.1033, the upper one 0.9762.
    page = visit("#see=suits&done=0.0.0.0", **STILL)
    settled(page, "Total variation between 0.10 and 0.98.")


@pytest.mark.long
def test_impatient_taps_lose_no_shuffle(visit):
    page = visit(viewport=DESKTOP)
    for button in ("#five", "#once", "#five"):
        page.click(button)
    page.click("#undo")
    assert page.text_content("#so") == "10 shuffles"
    assert page.evaluate("location.hash").endswith("done=0.0.0.0.0.0.0.0.0.0")


@pytest.mark.long
def test_ten_overhands_do_little(visit):
    page = visit("#how=overhand&seed=4&done=0.0.0.0.0.0.0.0.0.0", **STILL)
    settled(page, "Total variation at least 0.8")


@pytest.mark.long
def test_a_bad_link_and_bad_numbers_do_no_harm(visit):
    page = visit("#cards=9999&how=magic&see=suits&seed=-1&done=7.x.300.0..104", **STILL)
    assert page.input_value("#cards") == "52"
    assert page.text_content("#so") == "4 shuffles", "a cut that cannot be is one by chance"
    page.evaluate("location.hash = 'cards=10&see=ranks&done=99'")
    page.wait_for_function("() => document.getElementById('cards').value === '10'")
    assert page.input_value("#see") == "all"
    page.fill("#cards", "1")
    page.keyboard.press("Tab")
    assert "whole number from 2 to 104" in page.text_content("#error")
    page.fill("#cards", "53")
    page.select_option("#see", "suits")
    assert "4 divides" in page.text_content("#error")
    page.select_option("#see", "all")
    assert page.text_content("#error") == ""
    assert "cards=53" in page.evaluate("location.hash")
