"""The page of your own riffle: its laws and its fit against those of Python, and the page as its visitors use it."""

import json
import re
from random import Random

import pytest

from fairdeck.explore import explaining
from fairdeck.lab.experiments.your_hands import Comparison, recipe
from fairdeck.shuffles.interleavings import Fit, Interleaving, entropy, fewest_by_entropy, read, runs_law
from fairdeck.shuffles.measured import NEATNESS, RIFFLES, WORTH
from fairdeck.shuffles.riffle import gsr_riffles
from tests.page_scripts import engine_of
from tests.player import PHONE
from tests.test_hands import riffles

HELPERS = """
function law(a, b) { return JSON.stringify(runsLaw([a, b])); }
function fit(text) { return JSON.stringify(fitted(JSON.parse(text))); }
function bitsOf(cards, neatness) { return JSON.stringify(entropy(cards, neatness)); }
function runs(text) { return JSON.stringify(allRunsLaw(JSON.parse(text))); }
"""
CLUMSY = "LLLLRRRLLLLLRRRLLRRRRRRLLLLRLLRRRLLLLLRRRRRRLRRRLLRR"
EVEN = "LLRLRRRLLLLRRLRLLRRRRLRLLLRRLRRLLLLRRRRLLRLRLRRRLLRR"


@pytest.fixture(scope="module")
def engine():
    context = engine_of("hands", "interleavings", helpers=HELPERS)
    return lambda name, *args: json.loads(context.get(name)(*args))


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 5), (4, 3), (26, 26), (40, 60)])
def test_the_law_of_runs_is_that_of_python_to_twelve_places(engine, a, b):
    expected = runs_law(a, b)
    assert engine("law", a, b) == pytest.approx([float(expected.get(runs, 0)) for runs in range(2 * min(a, b) + 2)])


@pytest.mark.parametrize(("cards", "neatness"), [(2, 1.0), (20, 0.3), (52, 1.0), (52, 40.0), (100, 1000.0)])
def test_the_entropy_is_that_of_python(engine, cards, neatness):
    assert engine("bitsOf", cards, neatness) == pytest.approx(entropy(cards, neatness), rel=1e-9)


@pytest.mark.parametrize("neatness", [0.2, 1.0, 5.0])
def test_the_fit_is_that_of_python(engine, neatness):
    fit = Fit(riffles(neatness, 40, 3, Random(4)))
    found = engine("fit", json.dumps([each.packets for each in fit.riffles]))
    assert found["neatness"] == pytest.approx(fit.neatness, rel=1e-9)
    assert (found["low"], found["high"]) == pytest.approx(fit.interval, rel=1e-9)
    law = engine("runs", json.dumps([each.packets for each in fit.riffles]))
    assert law == pytest.approx([float(fit.runs_law.get(runs, 0)) for runs in range(len(law))], abs=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("cards", RIFFLES)
def test_the_table_of_the_page_is_what_simulation_finds(cards):
    """Measured with 100,000 decks; here another seed and 20,000, for the nearest rows: one riffle more or less."""
    compared = Comparison(cards, 20_000, 7)
    for neatness, needed, worth in list(zip(NEATNESS, RIFFLES[cards], WORTH[cards], strict=True))[4:]:
        once = recipe(neatness)
        assert abs(compared.riffles(once) - needed) <= 1
        assert compared.worth(once) == pytest.approx(worth, abs=0.3)


def test_the_table_falls_with_neatness_and_ends_at_the_ideal():
    assert RIFFLES.keys() == WORTH.keys()
    for needed, worth in zip(RIFFLES.values(), WORTH.values(), strict=True):
        assert list(needed) == sorted(needed, reverse=True)
        assert list(worth) == sorted(worth)
        assert len(needed) == len(worth) == len(NEATNESS)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("hands") / "hands.html"
    path.write_text(explaining("hands"), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def visit(open_page, file):
    return lambda fragment="", **options: open_page(file=file, fragment=fragment, **options)


def tapped(page, text):
    for letter in text:
        page.click("#left" if letter == "L" else "#right")


def test_two_thumbs_measure_a_riffle_and_the_answer_is_that_of_python(visit):
    page = visit(viewport=PHONE)
    for _ in range(3):
        tapped(page, CLUMSY)
        page.click("#done")
    fit = Fit((read(CLUMSY),) * 3)
    assert f"Neatness {fit.neatness:.2g}," in page.text_content("#fit")
    assert f"({fit.interval[0]:.2g} to {fit.interval[1]:.2g} " in page.text_content("#fit")
    assert page.text_content("#answer").startswith("Your riffle is clumsier than an ideal one: 52 cards need ")
    assert "7 of yours are worth about 5." in page.text_content("#sure")
    assert page.locator(".ribbon").count() == 4
    assert f"{fit.runs} runs in all" in page.get_attribute("#law", "aria-label")
    command = page.text_content("#command code")
    assert command.startswith("fairdeck hands ")
    assert all(read(quoted) == read(CLUMSY) for quoted in re.findall(r'"([^"]*)"', command))
    page.reload()
    assert page.locator(".ribbon").count() == 4, "the address keeps the riffles"
    page.click("#again")
    assert page.is_hidden("#result")
    assert page.locator(".ribbon").count() == 1


def test_an_even_riffle_is_not_told_from_an_ideal_one_and_few_say_so(visit):
    page = visit(f"#cards=100&riffles={EVEN}.")
    assert "cannot be told from an ideal one: 100 cards need " in page.text_content("#answer")
    assert "More riffles make this surer." in page.text_content("#sure")
    page.select_option("#size", "20")
    assert "20 cards need " in page.text_content("#answer")


def test_a_neat_riffle_is_not_promised_fewer(visit):
    neat = "LRRLRLRLRLRRLRLRLRLLRLRLRLRLRRLRLRLRLRLLRLRLRLRLRLRL"
    page = visit(f"#cards=52&riffles={neat}.{neat}.")
    assert "52 cards need 7 of it, as of ideal riffles" in page.text_content("#answer")


def test_a_riffle_that_is_nearly_perfect_needs_more_since_it_brings_no_chance(visit):
    nearly = "LR" * 12 + "RL" * 14
    page = visit(f"#cards=52&riffles={nearly}.{nearly}.{nearly}.")
    fewest = int(re.search(r"52 cards need (\d+) of it", page.text_content("#answer"))[1])
    bits = entropy(52, Fit((read(nearly),) * 3).neatness)
    least, most = map(int, re.search(r"(\d+) to (\d+)\.", page.text_content("#sure")).groups())
    assert 7 <= least <= fewest <= most
    assert fewest == fewest_by_entropy(52, bits, float(gsr_riffles(52, 7).total_variation)) > 7
    page = visit(f"#cards=52&riffles={'LR' * 26}.{'LR' * 26}.")
    assert "brings little chance into the deck: 52 cards need more than 49 of it." in page.text_content("#answer")


def test_a_clumsier_riffle_than_the_table_has_says_more_than(visit):
    page = visit(f"#cards=52&riffles={'L' * 26 + 'R' * 26}.{'L' * 25 + 'R' * 26 + 'L'}.")
    assert "52 cards need more than 49 of it" in page.text_content("#answer")
    assert "7 of yours are worth 4 at most." in page.text_content("#sure")


def test_keys_tap_and_undo_and_mistakes_are_told(visit):
    page = visit()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight", "Backspace"):
        page.keyboard.press(key)
    assert page.text_content("#said") == "2 red, 0 black."
    page.click("#done")
    assert "two cards of each colour" in page.text_content("#said")
    tapped(page, "RR")
    page.click("#done")
    assert "1 riffle is kept." in page.text_content("#said")
    tapped(page, "LRLRLR")
    page.click("#done")
    assert "was a card missed?" in page.text_content("#said")
    page.click("#undo")
    assert page.text_content("#said") == "3 red, 3 black.", "the riffle is open again"


@pytest.mark.parametrize("fragment", ["#cards=7&riffles=xyz.LL", "#riffles=LLLL.RRRR.", "#riffles=" + "L" * 5000])
def test_a_spoilt_address_does_no_harm(visit, fragment):
    page = visit(fragment)
    assert page.is_hidden("#result")
    assert page.is_enabled("#left")


def test_interleavings_are_read_from_the_top_in_both():
    assert read(EVEN) == Interleaving(tuple("LR".index(letter) for letter in reversed(EVEN)))
