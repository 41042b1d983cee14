"""`fairdeck mix`, the laws it finds for recipes, and lower bounds by counting."""

import json
import math
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from fairdeck.cli import main
from fairdeck.lab.bounds import estimate
from fairdeck.mixing.picture import falling
from fairdeck.mixing.recipes import mixing
from fairdeck.shuffles import recipe_steps


def known(recipe, n=52):
    return mixing(recipe_steps(recipe), n)


@pytest.mark.parametrize(
    ("recipe", "n", "variation"),
    [
        ("riffle*7", 52, 0.3341),
        ("riffle*3 + riffle*4", 52, 0.3341),
        ("a-shuffle(128)", 52, 0.3341),
        ("a-shuffle(16) + riffle*3", 52, 0.3341),
        ("riffle*9", 104, 0.2373),
        ("shelf(10)*2", 52, 0.0103),
        ("shelf(200)", 52, 0.0103),
        ("random-piles(7)*2", 52, 0.742),
        ("random-piles(10) + random-piles(10)", 104, 0.880),
        ("top-to-random(200)", 52, 0.1453),
        ("top-to-random(100)*2", 52, 0.1453),
        ("fisher-yates + cut", 52, 0),
    ],
)
def test_a_recipe_has_the_law_of_its_steps_together(recipe, n, variation):
    law = known(recipe, n).law
    assert law.exact
    assert float(law.total_variation) == pytest.approx(variation, abs=6e-4 if variation > 0.5 else 6e-5)


def test_a_bound_is_no_exact_law_and_a_separation_no_variation():
    law = known("transpositions(150)").law
    assert not law.exact
    assert float(law.total_variation) == pytest.approx(0.0713, abs=5e-5)
    law = known("riffle(cut=0.6)*10").law
    assert law.total_variation is None
    assert float(law.separation) == pytest.approx(0.854, abs=5e-4)


@pytest.mark.parametrize(
    "recipe",
    [
        "riffle*7 + cut",
        "overhand + riffle",
        "riffle(cut=0.6) + riffle(cut=0.7)",
        "riffle + shelf(10)",
        "naive",
        "wash(30)",
    ],
)
def test_steps_of_different_sorts_have_no_law_here(recipe):
    assert known(recipe).law is None


def test_what_is_done_besides_never_harms_and_what_cannot_come_bounds_from_below():
    found = known("cut + riffle*9 + overhand*3")
    assert found.at_most == known("riffle*9").law.total_variation
    assert found.by == "riffle*9"
    assert known("pile(7)*3").at_least == 1 - Fraction(1, math.factorial(52))
    assert known("cut*2", 4).at_least == 1 - Fraction(16, 24)
    assert known("overhand*2", 4).at_least == 0  # 8 ways, twice
    assert known("naive").at_least == 0  # nobody has counted


@pytest.mark.parametrize(
    "recipe", ["riffle", "riffle + a-shuffle(3)", "shelf(2)", "random-piles(3)", "cut", "overhand"]
)
def test_bounds_hold_against_all_ways_of_three_cards(recipe):
    from tests.test_every_shuffle import distance, law, uniform

    steps = recipe_steps(recipe)
    found = mixing(steps, 3)
    from fairdeck.shuffles import find

    exact = distance(law(find(recipe).shuffle, 3), uniform(3))
    assert found.at_least <= exact <= found.at_most
    if found.law is not None:
        assert found.law.total_variation == exact


def test_lower_bounds_are_near_the_law_where_the_statistic_is_all_there_is():
    found = estimate("riffle*8", 52, 40_000, seed=1)
    best = next(iter(found.bounds))
    assert best == "rising sequences"
    bound = found.bounds[best]
    assert bound.value == pytest.approx(0.1672, abs=5 * bound.error)
    assert 0.002 < bound.error < 0.004
    assert found.decks == 40_000
    assert found.guessed > found.chance + 0.1


def test_a_fair_shuffle_has_no_distance_by_the_luck_of_the_choice():
    found = estimate("fisher-yates", 20, 20_000, seed=2)
    assert all(abs(bound.value) < 5 * bound.error for bound in found.bounds.values())
    assert len(found.bounds) > 20


def told(capsys, *words):
    code = main(["mix", *words])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_the_first_sentence_says_it_all(capsys):
    code, out, _ = told(capsys, "riffle*7")
    assert code == 0
    assert out.startswith(
        "52 cards after riffle*7: total variation 0.3341, exactly; a bet on the right event wins in 33% "
    )
    assert "     7           0.3341" in out
    _, out, _ = told(capsys, "riffle*9 + cut", "--decks", "2000", "--seed", "1")
    assert "no exact law is known" in out.splitlines()[0]
    assert "0.0854: riffle*9 alone gives that" in out
    _, out, _ = told(capsys, "casino", "--decks", "0")
    assert out.startswith("52 cards after casino: total variation at least 0.9999; ")
    _, out, _ = told(capsys, "riffle", "--cards", "1")
    assert out.startswith("1 card after riffle: total variation 0, exactly; as good as perfect.")


def test_json_has_what_is_promised(capsys):
    _, out, _ = told(capsys, "shelf(20)", "--json", "--rounds", "2")
    found = json.loads(out)
    assert found["recipe"] == "shelf(20)"
    assert found["cards"] == 52
    assert found["total_variation"] == pytest.approx(0.7201, abs=5e-5)
    assert found["separation"] == pytest.approx(1, abs=1e-3)
    assert found["exact"] is True
    assert found["lower_bounds"] == {}
    assert len(found["rounds"]) == 2
    _, out, _ = told(capsys, "overhand*10", "--json", "--decks", "2000", "--seed", "1")
    found = json.loads(out)
    assert (found["total_variation"], found["separation"], found["exact"]) == (None, None, False)
    value, error = found["lower_bounds"]["successions"]
    assert value == pytest.approx(0.9, abs=0.05)
    assert 0 < error < 0.02


def test_the_page_holds_the_picture_and_asks_for_nothing(capsys, tmp_path):
    file = tmp_path / "mix.html"
    assert told(capsys, "riffle*7", "--html", str(file))[0] == 0
    page = file.read_text()
    assert "<svg" in page
    assert "default-src 'none'" in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")


def test_a_picture_tells_its_numbers_to_who_cannot_see_it():
    picture = falling("A & B", {"one": [1.0, 0.5, None], "two": [None, None, None]})
    root = ElementTree.fromstring(picture)
    assert root.find("title").text == "A & B"
    assert "one: 1 after 1, 0.5 after 2; two: " in root.find("desc").text
    assert falling("empty", {}).startswith("<svg")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["riffle*3 + wibble"], "column 12"),
        (["riffle*0"], "0 is out of range"),
        (["riffle*2000"], "up to 1,000 shuffles"),
        (["riffle", "--cards", "0"], "cards: 0"),
        (["riffle", "--cards", "1001"], "cards: 1001"),
        (["riffle", "--rounds", "0"], "rounds: 0"),
        (["riffle", "--decks", "7"], "decks: 7"),
        (["naive-carried"], "take naive"),
        (["no-pocket-pair", "--cards", "5"], "needs 7 cards"),
        (["riffle", "--html", "/nowhere/x"], "cannot write"),
        ([""], "no shuffle is called"),
    ],
)
def test_bad_input_is_one_line(capsys, words, says):
    code, out, err = told(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert says in err
