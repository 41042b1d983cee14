"""The page of your own riffle: its laws and its fit against those of Python, and the page as its visitors use it."""

import json
import re
from random import Random

import pytest

from fairdeck.lab.experiments.your_hands import Comparison, recipe
from fairdeck.shuffles.interleavings import NAMED, Fit, Interleaving, entropy, fewest_by_entropy, read, runs_law
from fairdeck.shuffles.measured import NEATNESS, RIFFLES
from fairdeck.shuffles.riffle import gsr_riffles, usual_riffles
from tests.page_scripts import engine_of
from tests.player import PHONE
from tests.test_hands import riffles

HELPERS = """
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
def engine():
    context = engine_of("hands", "interleavings", helpers=HELPERS)
    return lambda name, *args: json.loads(context.get(name)(*args))


def test_the_law_of_runs_is_that_of_python_to_twelve_places(engine):
    for a, b in [(1, 1), (1, 5), (4, 3), (26, 26), (40, 60)]:
        expected = runs_law(a, b)
        assert engine("law", a, b) == pytest.approx([float(expected.get(runs, 0)) for runs in range(2 * min(a, b) + 2)])


def test_the_entropy_is_that_of_python(engine):
    for cards, neatness in [(2, 1.0), (20, 0.3), (52, 1.0), (52, 40.0), (100, 1000.0)]:
        assert engine("bitsOf", cards, neatness) == pytest.approx(entropy(cards, neatness), rel=1e-9)


def test_the_fit_is_that_of_python(engine):
    for neatness in [0.2, 1.0, 5.0]:
        fit = Fit(riffles(neatness, 40, 3, Random(4)))
        found = engine("fit", json.dumps([each.packets for each in fit.riffles]))
        assert found["neatness"] == pytest.approx(fit.neatness, rel=1e-9)
        assert (found["low"], found["high"]) == pytest.approx(fit.interval, rel=1e-9)
        law = engine("runs", json.dumps([each.packets for each in fit.riffles]))
        assert law == pytest.approx(fit.runs_law, abs=1e-12)


def test_the_checks_are_those_of_python(engine):
    for count in [1, 2, 5]:
        for neatness in [0.1, 0.5, 1.0, 3.0]:
            for cards in [10, 21, 52, 78]:
                made = riffles(neatness, cards, count, Random(cards))
                fit = Fit(tuple(Interleaving(each.packets, NAMED) for each in made))
                found = engine("checks", json.dumps([each.packets for each in made]))
                expected = {
                    name: None if p is None else pytest.approx(p, rel=1e-6, abs=1e-9) for name, p in fit.checks.items()
                }
                assert found == {"p": expected, "failed": list(fit.rejected)}


def test_each_check_that_fails_is_named_by_the_page(engine):
    names = list(engine("checks", json.dumps([[0, 1, 0, 1, 1, 0], [0, 0, 1, 1, 0, 1]]))["p"])
    for name in names:
        assert engine("failing", json.dumps({other: 1e-6 if other == name else 0.5 for other in names})) == [name]
    assert engine("failing", json.dumps(dict.fromkeys(names, 0.5))) == []
    assert engine("failing", json.dumps(dict.fromkeys(names))) == []


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


def tapped(page, text):
    tap = "(letters) => { for (const one of letters) document.getElementById(one === 'L' ? 'left' : 'right').click(); }"
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
    assert f"{fit.runs} runs in all" in page.get_attribute("#law", "aria-label")
    command = page.text_content("#command code")
    assert command.startswith("fairdeck hands ")
    assert command.split()[2:5] == [CLUMSY] * 3, "letters, which tell the packets apart"
    page.reload()
    assert page.locator(".ribbon").count() == 4, "the address keeps the riffles"
    page.click("#again")
    assert page.is_hidden("#result")
    assert page.locator(".ribbon").count() == 1


def test_without_a_check_that_fails_the_page_names_number_and_aim_and_that_one_riffle_is_few(visit):
    page = visit(f"#cards=78&riffles={EVEN}.")
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
        ([EVEN, "L" * 16 + EVEN[26:] + "R" * 10], "lie together"),
        (["LLL" + INNER + "RRR"] * 5, "the ends stayed where they lay"),
        (["L" + EVEN[2:] + "R"] * 6, "card stayed in 12 of 12 cases"),
        ([NEAT, CLUMPS] * 3, "the riffles differ too much from each other"),
        (["L" * 2 + "RL" * 8 + "R" * 34] * 4 + ["L" * 3 + "RL" * 8 + "R" * 33] * 4, "the cuts are "),
        (["LRRR" * 13] * 2, "the cuts are too uneven"),
        (["LR" * 12 + "LLRR" * 7] * 2, "one number does not describe them"),
    ]:
        page = visit(f"#cards=52&riffles={'.'.join(made)}.")
        assert page.text_content("#answer").startswith("Your riffles are not ideal ones: ")
        assert found in page.text_content("#answer")
        assert "cards need" not in page.text_content("#answer")
        assert "times at least" in page.text_content("#sure") or "are not enough" in page.text_content("#sure")
        fit = Fit(tuple(read(each) for each in made))
        assert page.text_content("#answer").count("(p ") == len(fit.rejected)


def test_a_riffle_that_is_nearly_perfect_needs_more_since_it_brings_no_chance(visit):
    nearly = "LR" * 12 + "RL" * 14
    page = visit(f"#cards=52&riffles={nearly}.{nearly}.{nearly}.")
    least = int(re.search(r"riffle (\d+) times at least", page.text_content("#sure"))[1])
    bits = entropy(52, Fit((read(nearly),) * 3).interval[0])
    assert least == fewest_by_entropy(52, bits, float(gsr_riffles(52, 10).total_variation)) > 10


def test_a_clumsier_riffle_than_the_table_has_says_more_than(visit):
    page = visit(f"#cards=52&riffles={'L' * 26 + 'R' * 26}.{'L' * 25 + 'R' * 26 + 'L'}.")
    assert f"{RIFFLES[52][0]} are not enough" in page.text_content("#sure")


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


@pytest.mark.long
def test_a_spoilt_address_does_no_harm(visit):
    for fragment in ["#cards=7&riffles=xyz.LL", "#riffles=LLLL.RRRR.", "#riffles=" + "L" * 5000]:
        page = visit(fragment)
        assert page.is_hidden("#result")
        assert page.is_enabled("#left")


def test_interleavings_are_read_from_the_top_in_both():
    assert read(EVEN) == Interleaving(tuple("LR".index(letter) for letter in reversed(EVEN)))
