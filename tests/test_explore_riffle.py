"""The page on riffles: its laws and its fit against those of Python, and the page as its visitors use it."""

import json
import re
from fractions import Fraction
from itertools import pairwise, permutations, product
from math import comb
from random import Random

import pytest

from fairdeck.lab.experiments.your_hands import Comparison, recipe
from fairdeck.permutation import rising_sequences
from fairdeck.shuffles import recipe_steps
from fairdeck.shuffles.interleavings import (
    NAMED,
    Fit,
    Interleaving,
    entropy,
    fewest_by_entropy,
    nearer_ideal,
    read,
    runs_law,
)
from fairdeck.shuffles.measured import NEATNESS, RIFFLES
from fairdeck.shuffles.recipes import theory
from fairdeck.shuffles.riffle import a_shuffle, gsr_riffles, usual_riffles
from tests.page_scripts import engine_of
from tests.player import PHONE
from tests.test_hands import riffles
from tests.test_shuffle_laws import order_chance

HELPERS = """
const packetsOf = (text) => BigInt(text);
function order(n, packets) { return orderVariation(n, packetsOf(packets)); }
function atCut(n, lower, text) {
  const tape = JSON.parse(text), deck = Array.from({ length: n }, (_, i) => n - 1 - i), asked = [];
  const below = (bound) => { asked.push(bound); return tape.shift(); };
  const dealt = interleaved(deck.slice(0, n - lower), deck.slice(n - lower), { below });
  return JSON.stringify({ deck: dealt.reverse(), asked });
}
function once(n, text) {
  const tape = JSON.parse(text);
  return JSON.stringify(placesRiffled(n, { below: () => tape.shift() }));
}
function twin(n, seed) {
  const deck = Array.from({ length: n }, (_, card) => card);
  SHUFFLES["riffle"].run(deck, seededDraws(seed));
  return JSON.stringify([deck, placesRiffled(n, seededDraws(seed)).places]);
}
function spots(text, at) {
  const move = JSON.parse(text);
  return JSON.stringify(move.places.map((_, place) => spotOf(place, move, at)));
}
function lines(text) { return risingSequences(JSON.parse(text)); }
function law(a, b) { return JSON.stringify(runsLaw([a, b])); }
function fit(text) { return JSON.stringify(fitted(JSON.parse(text))); }
function bitsOf(cards, neatness) { return JSON.stringify(entropy(cards, neatness)); }
function runs(text) { return JSON.stringify(allRunsLaw(JSON.parse(text))); }
function checks(text) { const { p } = checked(JSON.parse(text)); return JSON.stringify({ p, failed: rejected(p) }); }
function failing(text) { return JSON.stringify(rejected(JSON.parse(text))); }
"""
CLUMSY = "LLLLRRRLLLLLRRRLLRRRRRRLLLLRLLRRRLLLLLRRRRRRLRRRLLRR"
EVEN = "LLRLRRRLLLLRRLRLLRRRRLRLLLRRLRRLLLLRRRRLLRLRLRRRLLRR"


@pytest.fixture(scope="module")
def context():
    modules = ("interleavings", "variation", "rising", "riffling", "falling", "shuffles", "draws")
    return engine_of("riffle", *modules, helpers=HELPERS)


@pytest.fixture(scope="module")
def engine(context):
    return lambda name, *args: context.get(name)(*args)


@pytest.fixture(scope="module")
def asked(context):
    return lambda name, *args: json.loads(context.get(name)(*args))


def test_seven_riffles_of_52_cards_leave_a_total_variation_of_a_third(engine):
    assert round(engine("order", 52, "128"), 4) == 0.3341


def test_the_law_of_riffles_is_pythons_to_twelve_places(engine):
    for cards in [2, 3, 13, 52, 53, 104]:
        for times in range(16):
            expected = float(gsr_riffles(cards, times).total_variation)
            assert engine("order", cards, str(2**times)) == pytest.approx(expected, abs=1e-12), times
        assert engine("order", cards, "1000") == pytest.approx(float(a_shuffle(cards, 1000).total_variation), abs=1e-12)


def test_piles_at_random_have_the_law_of_a_riffle_of_as_many_packets(engine):
    for cards in [9, 52]:
        for times in (1, 2, 3):
            law = theory(recipe_steps(f"random-piles-10*{times}"), cards).law
            assert engine("order", cards, str(10**times)) == pytest.approx(float(law.total_variation), abs=1e-12)


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


def test_a_riffle_by_chance_is_the_riffle_of_pythons_and_tells_its_cut(asked, engine):
    """From the same draws as the shuffle that has its twin in Python."""
    for seed in range(20):
        one, other = asked("twin", 52, seed)
        assert one == other
    for coins in product((0, 1), repeat=5):
        found = asked("once", 5, json.dumps(coins))
        assert found["cut"] == coins.count(0)
        assert sorted(found["places"]) == list(range(5))
        assert [place >= found["cut"] for place in found["places"]] == [coin == 1 for coin in coins]


def test_cards_that_fall_begin_where_they_lay_and_end_where_they_lie(asked):
    for move in ({"places": [2, 0, 3, 1], "cut": 2}, {"places": [3, 1, 0, 2], "cut": 0}):
        text = json.dumps(move)
        assert [spot["y"] for spot in asked("spots", text, 0)] == move["places"]
        assert asked("spots", text, 1) == [{"x": 0, "y": place} for place in range(4)]
        apart = [spot["x"] for spot in asked("spots", text, 0.25)]
        assert [x > 0 for x in apart][-1] == (move["cut"] > 0 and move["places"][-1] >= move["cut"])


def test_the_lines_of_a_deck_are_its_rising_sequences(engine):
    for order in permutations(range(5)):
        assert engine("lines", json.dumps(order)) == rising_sequences(list(order))


def test_the_law_of_runs_is_that_of_python_to_twelve_places(asked):
    for a, b in [(1, 1), (1, 5), (4, 3), (26, 26), (40, 60)]:
        expected = runs_law(a, b)
        assert asked("law", a, b) == pytest.approx([float(expected.get(runs, 0)) for runs in range(2 * min(a, b) + 2)])


def test_the_entropy_is_that_of_python(asked):
    for cards, neatness in [(2, 1.0), (20, 0.3), (52, 1.0), (52, 40.0), (100, 1000.0)]:
        assert asked("bitsOf", cards, neatness) == pytest.approx(entropy(cards, neatness), rel=1e-9)


def test_the_fit_is_that_of_python(asked):
    for neatness in [0.2, 1.0, 5.0]:
        fit = Fit(riffles(neatness, 40, 3, Random(4)))
        found = asked("fit", json.dumps([each.packets for each in fit.riffles]))
        assert found["neatness"] == pytest.approx(fit.neatness, rel=1e-9)
        assert (found["low"], found["high"]) == pytest.approx(fit.interval, rel=1e-9)
        law = asked("runs", json.dumps([each.packets for each in fit.riffles]))
        assert law == pytest.approx(fit.runs_law, abs=1e-12)


def test_the_checks_are_those_of_python(asked):
    for count in [1, 2, 5]:
        for neatness in [0.1, 0.5, 1.0, 3.0]:
            for cards in [10, 21, 52, 78]:
                made = riffles(neatness, cards, count, Random(cards))
                fit = Fit(tuple(Interleaving(each.packets, NAMED) for each in made))
                found = asked("checks", json.dumps([each.packets for each in made]))
                expected = {
                    name: None if p is None else pytest.approx(p, rel=1e-6, abs=1e-9) for name, p in fit.checks.items()
                }
                assert found == {"p": expected, "failed": list(fit.rejected)}


def test_each_check_that_fails_is_named_by_the_page(asked):
    names = list(asked("checks", json.dumps([[0, 1, 0, 1, 1, 0], [0, 0, 1, 1, 0, 1]]))["p"])
    for name in names:
        assert asked("failing", json.dumps({other: 1e-6 if other == name else 0.5 for other in names})) == [name]
    assert asked("failing", json.dumps(dict.fromkeys(names, 0.5))) == []
    assert asked("failing", json.dumps(dict.fromkeys(names))) == []


@pytest.mark.long
@pytest.mark.parametrize("cards", RIFFLES)
def test_the_table_of_the_page_is_what_simulation_finds(cards):
    """Measured with 50,000 decks; here another seed and 20,000, for the nearest rows: one riffle more or less."""
    compared = Comparison(cards, 20_000, 7)
    for neatness, needed in list(zip(NEATNESS, RIFFLES[cards], strict=True))[4:]:
        assert abs(compared.riffles(recipe(neatness)) - needed) <= 1


def test_the_table_falls_with_neatness_and_ends_at_the_ideal():
    for cards, needed in RIFFLES.items():
        assert list(needed) == sorted(needed, reverse=True)
        assert needed[-1] - usual_riffles(cards) in (0, 1)
        assert len(needed) == len(NEATNESS)


STILL = {"reduced_motion": "reduce", "viewport": {"width": 1280, "height": 720}}


def guessed(page, number=7):
    page.click(f"#answers button[value='{number}']")
    return page


def test_nothing_of_the_law_is_told_before_the_visitor_has_guessed(visit):
    page = visit(**STILL)
    assert page.locator(".covered").count() == 4
    assert page.is_hidden("#bars")
    assert page.text_content("#known") == ""
    guessed(page)
    assert page.locator(".covered").count() == 0
    assert page.text_content("#reveal").startswith("After 7, the best bet still wins 33 more times in 100")
    for riffled, row in enumerate(page.locator("#bars li").all(), 1):
        points = 100 * float(gsr_riffles(52, riffled).total_variation)
        said = float(row.locator("span").text_content())
        assert said == pytest.approx(points, abs=0.5 if points >= 9.95 else 0.05)
        assert row.locator("small").all_text_contents() == (["↑ your guess"] if riffled == 7 else [])


def test_from_the_seventh_on_each_riffle_about_halves_what_is_left():
    left = [float(gsr_riffles(52, riffled).total_variation) for riffled in range(7, 13)]
    assert all(0.49 < after / before < 0.52 for before, after in pairwise(left))


def test_seven_presses_end_at_a_third_and_the_link_shows_the_same(visit):
    page = guessed(visit(**STILL))
    for _ in range(7):
        page.click("#once")
    assert page.text_content("#known") == "The best bet wins 33 more times in 100 (total variation 0.3341)."
    left = page.text_content("#left")
    assert left.startswith("After 7 riffles. ")
    again = guessed(visit(page.evaluate("location.hash"), **STILL))
    assert again.text_content("#left") == left
    assert "0.3341" in again.text_content("#known")
    for _ in range(7):
        again.click("#undo")
    assert again.text_content("#left").startswith("After 0 riffles. 1 line (rising sequence);")


def test_a_drag_cuts_where_the_hand_is_and_leaves_two_lines(visit):
    page = guessed(visit(viewport={"width": 1280, "height": 1400}))
    page.locator("#deck").scroll_into_view_if_needed()
    box = page.locator("#deck").bounding_box()
    x, y = box["x"] + 50, box["y"] + box["height"] * 20 / 52
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 300, y, steps=5)
    page.mouse.up()
    page.wait_for_function("() => document.getElementById('left').textContent.startsWith('After 1 riffle.')")
    assert "done=32" in page.evaluate("location.hash"), "20 cards are taken off the top"
    assert "2 lines (rising sequences);" in page.text_content("#left")
    assert "you chose 1 cut yourself" in page.text_content("#known")


def test_the_keyboard_cuts_and_riffles(visit):
    page = visit(**STILL)
    page.focus("#deck")
    for key in ("ArrowDown", "PageDown", "ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    assert page.get_attribute("#deck", "aria-valuenow") == "22"
    assert page.get_attribute("#deck", "aria-valuetext") == "30 cards from the top"
    assert "done=22" in page.evaluate("location.hash")
    for _ in range(11):
        page.keyboard.press("Enter")
    assert page.is_disabled("#once")
    page.keyboard.press("Enter")
    assert page.text_content("#left").startswith("After 12 riffles.")


@pytest.mark.long
def test_impatient_taps_lose_no_riffle(visit):
    page = visit(viewport=STILL["viewport"])
    for button in ("#once", "#once", "#once", "#undo"):
        page.click(button)
    assert page.text_content("#left").startswith("After 2 riffles.")
    assert page.evaluate("location.hash").endswith("done=0.0")


@pytest.mark.long
def test_a_bad_link_does_no_harm_and_any_size_of_deck_has_its_law(visit):
    page = visit("#cards=9999&seed=-1&done=7.x.300.0..104", **STILL)
    assert page.input_value("#cards") == "52"
    assert page.text_content("#left").startswith("After 4 riffles."), "a cut that cannot be is one by chance"
    guessed(page)
    for cards in (2, 104):
        page.evaluate(f"location.hash = 'cards={cards}&done=0.0.0'")
        page.wait_for_function(f"() => document.getElementById('cards').value === '{cards}'")
        value = float(re.search(r"variation (\d\.\d+)", page.text_content("#known"))[1])
        assert value == pytest.approx(float(gsr_riffles(cards, 3).total_variation), abs=5e-5)


def tapped(page, text):
    tap = "(letters) => { for (const one of letters) document.getElementById(one === 'L' ? 'red' : 'black').click(); }"
    page.evaluate(tap, text)


def test_two_thumbs_measure_a_riffle_and_the_answer_is_that_of_python(visit):
    page = visit(viewport=PHONE)
    for _ in range(3):
        tapped(page, CLUMSY)
        page.click("#done")
    fit = Fit((read(CLUMSY),) * 3)
    assert f"Neatness {fit.neatness:.2g}," in page.text_content("#fit")
    assert f"({fit.interval[0]:.2g} to {fit.interval[1]:.2g} " in page.text_content("#fit")
    assert page.text_content("#answer").startswith("Your riffles are not ideal ones: cards fall in clumps (p ")
    least = int(re.search(r"riffle (\d+) times at least. Of ideal riffles they need 10", page.text_content("#sure"))[1])
    assert least > 10
    assert page.locator(".ribbon").count() == 4
    command = page.text_content("#command code")
    assert command.startswith("fairdeck hands ")
    assert command.split()[2:5] == [CLUMSY] * 3, "letters, which tell the packets apart"
    page.reload()
    assert page.locator(".ribbon").count() == 4, "the address keeps the riffles"
    page.click("#anew")
    assert page.is_hidden("#result")
    assert page.locator(".ribbon").count() == 1


def test_without_a_check_that_fails_the_page_names_number_and_aim_and_that_one_riffle_is_few(visit):
    page = visit(f"#size=78&riffles={EVEN}.")
    assert page.text_content("#answer").startswith("As far as 1 riffle tells, 78 cards need ")
    assert "within 0.05 of random" in page.text_content("#answer")
    assert "More riffles make this surer." in page.text_content("#sure")
    page.select_option("#size", "20")
    assert "20 cards need " in page.text_content("#answer")


NEAT, CLUMPS = "LR" * 24 + "LLRR", "LLLLLLLRRRRRRRLLLLLLRRRRRRLLLLLLLRRRRRRRLLLLLLRRRRRR"
INNER = "RLRRLLLRLRRRLLRLLRRLRLLLRRLRRLRLLLRRLLRLRRRLLR"  # 46 cards


@pytest.mark.long
def test_the_headline_of_the_page_names_each_check_that_fails_and_no_number(visit):
    for made, found in [
        ([NEAT] * 3, "nearly one by one"),
        ([CLUMPS] * 3, "cards fall in clumps"),
        ([EVEN, "L" * 16 + EVEN[26:] + "R" * 10], "often lie together, once 16"),
        (["LLL" + INNER + "RRR"] * 5, "the ends stayed where they lay"),
        (["L" + EVEN[2:] + "R"] * 6, "card stayed in 12 of 12 cases"),
        ([NEAT, CLUMPS] * 3, "the riffles differ too much from each other"),
        (["L" * 2 + "RL" * 8 + "R" * 34] * 4 + ["L" * 3 + "RL" * 8 + "R" * 33] * 4, "the cuts are "),
        (["LRRR" * 13] * 2, "the cuts are too steady, too uneven"),
        (["LR" * 12 + "LLRR" * 7] * 2, "one number does not describe them"),
    ]:
        page = visit(f"#size=52&riffles={'.'.join(made)}.")
        assert page.text_content("#answer").startswith("Your riffles are not ideal ones: ")
        assert found in page.text_content("#answer")
        assert "cards need" not in page.text_content("#answer")
        assert "times at least" in page.text_content("#sure") or "are not enough" in page.text_content("#sure")
        fit = Fit(tuple(read(each) for each in made))
        assert page.text_content("#answer").count("(p ") == len(fit.rejected)


def test_a_riffle_that_is_nearly_perfect_needs_more_since_it_brings_no_chance(visit):
    nearly = "LR" * 12 + "RL" * 14
    page = visit(f"#size=52&riffles={'.'.join([nearly] * 8)}.")
    least = int(re.search(r"riffle (\d+) times at least", page.text_content("#sure"))[1])
    bits = entropy(52, nearer_ideal(Fit((read(nearly),) * 8).interval[0]))
    assert least == fewest_by_entropy(52, bits, float(gsr_riffles(52, 10).total_variation)) > 10


def test_a_clumsier_riffle_than_the_table_has_says_more_than(visit):
    page = visit(f"#size=52&riffles={'L' * 26 + 'R' * 26}.{'L' * 25 + 'R' * 26 + 'L'}.")
    assert f"{RIFFLES[52][0]} are not enough" in page.text_content("#sure")


def test_colours_are_typed_and_taken_back_and_mistakes_are_told(visit):
    page = visit()
    page.focus("#typed")
    for key in ("r", "R", "b", "Backspace", "Space"):
        page.keyboard.press(key)
    assert page.input_value("#typed") == "rR ", "what somebody types stays as they write it"
    assert page.text_content("#said") == "2 red, 0 black."
    page.click("#done")
    assert "two cards of each colour" in page.text_content("#said")
    tapped(page, "RR")
    page.click("#done")
    assert "1 riffle is kept." in page.text_content("#said")
    tapped(page, "LRLRLR")
    page.click("#done")
    assert "was a card missed?" in page.text_content("#said")
    page.click("#take-back")
    assert page.text_content("#said") == "3 red, 3 black.", "the riffle is open again"


@pytest.mark.long
def test_a_spoilt_address_does_no_harm(visit):
    for fragment in ["#size=7&riffles=xyz.LL", "#riffles=LLLL.RRRR.", "#riffles=" + "L" * 5000]:
        page = visit(fragment)
        assert page.is_hidden("#result")
        assert page.is_enabled("#red")


def test_interleavings_are_read_from_the_top_in_both():
    assert read(EVEN) == Interleaving(tuple("LR".index(letter) for letter in reversed(EVEN)))
