"""`fairdeck mix`, the laws it finds for recipes, and lower bounds by counting."""

import json
import math
import re
from collections import Counter
from fractions import Fraction
from functools import partial, reduce
from itertools import permutations, product
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest

import fairdeck
from fairdeck.document import Chart, Falling, LowerBounds
from fairdeck.errors import FairdeckError
from fairdeck.lab.experiments.bounds import estimate, lower_bound
from fairdeck.lab.experiments.mixing import powered, said
from fairdeck.lab.experiments.repeated_cards import pairs_law, statistics_of
from fairdeck.lab.statistics.guesses import hits_turning
from fairdeck.lab.view import View
from fairdeck.permutation import inverse
from fairdeck.show.charts import svg
from fairdeck.shuffles import find, recipe_steps
from fairdeck.shuffles.recipes import theory
from fairdeck.shuffles.repeated_cards import (
    SCENARIOS,
    RepeatedCards,
    estimated,
    kinds_a_shuffle,
    pattern_theory,
    two_kinds,
)
from fairdeck.shuffles.riffle import a_shuffle, gsr_riffles, guessed_after_one
from fairdeck.shuffles.transpositions import Transpositions
from fairdeck.shuffles.walks import Fixed
from tests.test_every_shuffle import distance, followed_by, uniform
from tests.test_every_shuffle import law as law_of
from tests.test_shuffle_laws import numbers, order_chance, three

SVG = "{http://www.w3.org/2000/svg}"


def known(recipe, n=52):
    return theory(recipe_steps(recipe), n)


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


@pytest.mark.long
def test_a_bound_is_no_exact_law_and_a_separation_no_variation():
    law = known("transpositions(103)").law
    assert not law.exact
    assert float(law.total_variation) == pytest.approx(0.31, abs=5e-4)  # followed on the cycles it is .3065
    law = known("riffle(cut=0.6)*10").law
    assert law.total_variation is None
    assert float(law.separation) == pytest.approx(0.854, abs=5e-4)


@pytest.mark.parametrize(
    "recipe",
    [
        *("riffle*7 + cut + riffle", "cut + overhand + riffle", "cut + shelf(2)", "overhand + riffle"),
        *("riffle(cut=0.6) + riffle(cut=0.7)", "riffle + shelf(10)", "naive", "wash(30)"),
    ],
)
def test_steps_of_different_sorts_have_no_law_here(recipe):
    assert known(recipe).law is None


def test_further_steps_never_harm_and_impossible_orders_give_a_lower_bound():
    found = known("cut + riffle*9 + overhand*3")
    assert found.at_most == gsr_riffles(51, 9).total_variation
    assert found.by == "cut + riffle*9"
    assert known("riffle*2 + cut + riffle*7").at_most == gsr_riffles(51, 7).total_variation
    assert known("overhand + (riffle + cut)*8").by == "cut + " + " + ".join(["riffle + cut"] * 7)
    assert known("pile(7)*3").at_least == 1 - Fraction(1, math.factorial(52))
    assert known("cut + overhand + cut", 5).at_least == 0  # 5 ways, 16 and 5
    assert known("cut*2 + riffle", 6).at_least == 1 - Fraction(6 * (2**6 - 6), 720)
    assert known("overhand*2", 4).at_least == 0  # 8 ways, twice
    assert known("naive").at_least == 0  # nobody has counted


@pytest.mark.parametrize(
    "recipe", ["riffle", "riffle + a-shuffle(3)", "shelf(2)", "random-piles(3)", "cut", "overhand"]
)
def test_bounds_hold_against_all_ways_of_three_cards(recipe):
    found, exact = known(recipe, 3), exact_of(recipe, 3)
    assert found.at_least <= exact <= found.at_most
    if found.law is not None:
        assert found.law.total_variation == exact


def test_lower_bounds_are_near_the_law_where_the_statistic_is_all_there_is():
    found = estimate("riffle*8", 52, 40_000, seed=1)
    name, bound = next(iter(found.bounds.items()))
    assert name == "rising sequences"
    assert bound.value == pytest.approx(0.1672, abs=5 * bound.error)
    assert 0.002 < bound.error < 0.004
    assert found.decks == 40_000
    assert found.guessed > found.chance + 0.1


def test_a_fair_shuffle_has_no_distance_by_the_luck_of_the_choice():
    found = estimate("fisher-yates", 20, 20_000, seed=2)
    assert all(abs(bound.value) < 5 * bound.error for bound in found.bounds.values())
    assert len(found.bounds) > 20


def test_lower_bounds_hold_as_often_as_stated():
    """Counted shares are too large half of the time; the bounds, of each sample, at most once in twenty."""
    generator = np.random.default_rng(1)
    fair, law = np.full(6, 1 / 6), np.array([8, 9, 10, 10, 11, 12]) / 60
    true = np.maximum(0, law - fair).sum()
    found = [lower_bound(*generator.multinomial(1_000, law, size=2), fair, doubt=0.05) for _ in range(2_000)]
    assert sum(bound.value > true for bound in found) > 400
    assert sum(bound.low > true for bound in found) < 0.05 * 2_000 + 5 * math.sqrt(0.05 * 0.95 * 2_000)
    assert max(bound.low for bound in found) > true / 2  # it says something


PROPERTIES = [("riffle*6", 20), ("shelf(4)*2", 13), ("top-to-random*30", 12), ("random-piles(3)*3", 24)]
PROPERTIES += [("cut + riffle*7", 40), ("riffle*7 + cut", 52), ("a-shuffle(40)", 30), ("transpositions(40)", 10)]
PROPERTIES += [("riffle(cut=0.6)*9", 20), ("riffle*3 + cut + riffle*4", 36), ("overhand*20 + riffle*6", 26)]


@pytest.mark.parametrize(("recipe", "n"), PROPERTIES)
def test_no_lower_bound_is_above_the_law_or_what_bounds_it(recipe, n):
    """A fresh seed fails in one of a thousand simulations, each of these."""
    found = estimate(recipe, n, 6_000, seed=n)
    law = known(recipe, n)
    assert all(0 <= bound.low <= law.at_most for bound in found.bounds.values())
    assert found.best.low == max(bound.low for bound in found.bounds.values())
    assert law.at_least <= law.at_most


def best_guesses(law):
    """Return how often the best player is right on average: at each card, the likeliest next one is named."""
    found = Fraction(0)
    waiting = [(0, list(law.items()))]
    while waiting:
        seen, decks = waiting.pop()
        following = {}
        for deck, chance in decks if seen < len(decks[0][0]) else ():
            following.setdefault(deck[-1 - seen], []).append((deck, chance))
        found += max((sum(chance for _, chance in some) for some in following.values()), default=0)
        waiting += [(seen + 1, some) for some in following.values()]
    return found


@pytest.mark.parametrize(("shelves", "n"), [(1, 3), (1, 6), (2, 4), (2, 5), (3, 4)])
def test_no_player_guesses_better_after_a_machine_of_few_shelves(shelves, n):
    """The best player is right 3n/4 times after one shelf: 39 of 52 cards; 35.92 was told."""
    law = {}
    for ways in product(range(2 * shelves), repeat=n):
        piles = [[] for _ in range(shelves)]
        for card, way in zip(reversed(range(n)), ways, strict=True):
            piles[way // 2].insert(0 if way % 2 else len(piles[way // 2]), card)
        deck = tuple(card for pile in piles for card in pile)
        law[deck] = law.get(deck, 0) + Fraction(1, (2 * shelves) ** n)
    columns = np.array(list(law), np.int16).T
    hits = hits_turning(View(columns, columns[:, :0]))
    right = sum(chance * int(hit) for chance, hit in zip(law.values(), hits, strict=True))
    assert right == best_guesses(law)
    assert shelves > 1 or right == Fraction(3 * n, 4)


@pytest.mark.parametrize("n", range(1, 8))
def test_no_player_guesses_better_after_one_riffle_than_is_told(n):
    assert guessed_after_one(n) == best_guesses(law_of("riffle", n))
    assert [find(name).shuffle.guesses(n) for name in ("a-shuffle(3)", "overhand")] == [None, None]


def test_the_best_guesses_are_told_exactly_after_one_riffle(told):
    out = told("riffle", "--decks", "2000", "--seed", "1")[1]
    assert "the best player is right 31.17 times a deck, exactly, on average; 4.54 times in a fair deck." in out
    found = estimate("riffle", 52, 4_000, seed=1)
    assert found.guessed < 31.17 + 0.2  # a guesser with a fixed strategy, counted, is not better
    assert json.loads(told("riffle", "--json")[1])["guessed"] == pytest.approx([31.1695, 4.5380], abs=1e-4)
    assert "the best player" not in told("riffle*2")[1] + told("riffle", "--like", "suits")[1]


def test_a_guesser_at_the_table_is_told_the_best_strategy(told):
    out = told("shelf(1)", "--decks", "4000", "--seed", "1")[1]
    (line,) = (line for line in out.splitlines() if line.startswith("If the deck is dealt face up"))
    assert float(line.partition("can be right ")[2].split()[0]) == pytest.approx(39, abs=0.3)
    assert "times a deck, or more often;" in line


@pytest.mark.parametrize(
    "words",
    [["riffle*7"], ["shelf(10)*2"], ["overhand*10"], ["riffle*9 + overhand", "--decks", "0"], ["cut*3"], ["pile(7)"],
     ["riffle*4", "--like", "suits"], ["riffle(cut=0.6)*10", "--cards", "20"], ["transpositions(40)", "--cards", "20"]],
)  # fmt: skip
def test_at_least_means_one_thing_in_json(told, words):
    """It was 0.0 beside bounds of .88 by simulation, and 0.0 in rounds whose distance is known."""
    decks = [] if "--decks" in words else ["--decks", "2000"]
    found = json.loads(told(*words, *decks, "--seed", "1", "--json")[1])
    shown = [found, *found["rounds"]]
    assert all(each["at_least"] <= each["at_most"] for each in shown)
    assert all(each["at_least"] == each["total_variation"] for each in shown if each["total_variation"] is not None)
    assert found["at_least"] >= max(found["simulated_at_least"].values(), default=0)
    asked = next((each for each in found["rounds"] if each["total_variation"] == found["total_variation"]), None)
    assert asked is None or found["at_least"] >= min(each["at_least"] for each in found["rounds"])


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        *(["riffle*8", "--like", "two-packs"], ["riffle(cut=0.6)*10"]),
        *(["overhand*4", "--cards", "20"], ["(overhand + riffle)", "--cards", "26"]),
    ],
)
def test_bounds_never_contradict_each_other(told, words):
    found = json.loads(told(*words, "--rounds", "10", "--decks", "6000", "--seed", "1", "--json")[1])
    least = [each["at_least"] for each in found["rounds"]]
    assert least == sorted(least, reverse=True)  # no round takes a deck further from random
    assert all(each["at_least"] <= each["at_most"] for each in found["rounds"])
    asked = int(words[0].partition("*")[2] or 1)
    assert least[asked - 1] == found["at_least"] >= max(found["simulated_at_least"].values())
    assert found["confidence"] == 0.999
    out = told(*words, "--rounds", "10", "--decks", "6000", "--seed", "1")[1]
    row = next(line for line in out.splitlines() if line.endswith("<- asked"))
    assert f" {said(least[asked - 1])} " in f"{row} "
    if least[asked - 1]:
        assert said(least[asked - 1]) in out.splitlines()[0]


# --- riffles and cuts


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
@pytest.mark.long
def test_a_cut_and_riffles_are_as_far_as_all_orders_show(n):
    """Exactly, for many numbers of packets; a cut first: riffles of n - 1 cards."""
    cut = {(*range(at, n), *range(at)): Fraction(1, n) for at in range(n)}
    for packets in (2, 3, 4, 8, 16, 32, 64, 1024):
        riffled = {order: order_chance(order, packets) for order in permutations(range(n))}
        for recipe, law in (
            (f"cut + a-shuffle({packets})", followed_by(cut, riffled)),
            (f"a-shuffle({packets}) + cut", followed_by(riffled, cut)),
        ):
            found = known(recipe, n).law
            assert three(law, math.factorial(n)) == numbers(found)
        assert known(f"cut + a-shuffle({packets})", n).law.total_variation == a_shuffle(n - 1, packets).total_variation


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "recipe",
    [
        *("cut + riffle*2", "riffle*2 + cut*2", "cut + riffle + cut", "cut + riffle + cut + a-shuffle(3)"),
        *("faro-out + riffle + cut", "cut + random-piles(2)", "cut + random-piles(3)*2"),
        "random-piles(2) + cut + random-piles(3) + cut",
    ],
)
def test_cuts_have_a_law_with_riffles_and_with_what_undoes_them(recipe):
    found = known(recipe, 4).law
    assert found.total_variation == exact_of(recipe, 4)


def test_a_cut_before_is_worth_a_card_and_one_after_never_more():
    for n, times in ((52, 7), (52, 9), (104, 9), (162, 10)):
        first, last, none = (
            known(recipe, n).law.total_variation
            for recipe in (f"cut + riffle*{times}", f"riffle*{times} + cut", f"riffle*{times}")
        )
        assert first == gsr_riffles(n - 1, times).total_variation
        assert first <= last <= none


@pytest.mark.long
def test_a_distance_just_below_one_is_not_shown_as_one(told):
    for words in (["riffle", "--cards", "208"], ["riffle(cut=0.6)*3", "--cards", "312"], ["pile(7)*3"], ["faro-out"]):
        out = told(*words, "--decks", "0")[1]
        assert "total variation 1," not in out
        assert "inf" not in out.replace("l-infinity", "")
    assert told("riffle", "--cards", "208")[1].startswith("208 cards after riffle: total variation 1 - 1.7e-331, ")
    assert said(Fraction(1)) == "1"
    assert said(1 - Fraction(1, 3**2000)) == "1 - 5.7e-955"
    assert said(Fraction(1, 3**2000)) == "5.7e-955"
    assert said(0.9999) == "0.9999"
    assert powered(Fraction(996, 10**3), 1) == "1.0e+00"


@pytest.fixture
def told(run):
    return partial(run, "mix")


def test_the_first_sentence_says_it_all(told):
    code, out, _ = told("riffle*7")
    assert code == 0
    first = "52 cards after riffle*7: total variation 0.3341, exactly; the best bet on this deck wins 33 percentage "
    assert out.startswith(first)
    assert "     7           0.3341" in out
    _, out, _ = told("riffle*9 + overhand", "--decks", "2000", "--seed", "1")
    assert "fairdeck knows no exact law" in out.splitlines()[0]
    assert "0.0854: riffle*9 alone gives that" in out
    _, out, _ = told("casino", "--decks", "0")
    assert out.startswith("52 cards after casino, by a guess at how cards clump and packets off the top: ")
    assert ": total variation at least 0.9999; " in out.splitlines()[0]
    _, out, _ = told("riffle", "--cards", "1")
    assert out.startswith("1 card after riffle: total variation 0, exactly; as good as perfect.")


def test_json_has_what_is_promised(told):
    _, out, _ = told("shelf(20)", "--json", "--rounds", "2")
    found = json.loads(out)
    assert (found["recipe"], found["cards"], found["exact"]) == ("shelf(20)", 52, True)
    assert found["total_variation"] == pytest.approx(0.7201, abs=5e-5)
    assert found["separation"] == pytest.approx(1, abs=1e-3)
    assert (found["lower_bounds"], len(found["rounds"])) == ({}, 2)
    _, out, _ = told("overhand*10", "--json", "--decks", "2000", "--seed", "1")
    found = json.loads(out)
    assert (found["total_variation"], found["separation"], found["exact"]) == (None, None, False)
    value, error = found["lower_bounds"]["successions"]
    assert value == pytest.approx(0.9, abs=0.05)
    assert 0 < error < 0.02


@pytest.mark.long
def test_the_call_returns_what_the_command_prints(told):
    for recipe, options in (("riffle*7", {}), ("overhand*3", {"decks": 2_000}), ("riffle*7", {"like": "colours"})):
        found = fairdeck.mix(recipe, 52, seed=7, **options)
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        assert told(recipe, "--cards", "52", "--seed", "7", "--json", *words)[1] == f"{found.to_json()}\n"
        assert told(recipe, "--seed", "7", *words)[1].startswith(f"{found}\n")
        assert len(repr(found)) < 120
        assert found._repr_html_().startswith("<iframe srcdoc=")
    found = fairdeck.mix("overhand*3", decks=2_000, seed=7)
    assert (found.total_variation, found.separation, found.exact) == (None, None, False)
    assert 0.9 < found.at_least <= found.at_most == 1
    assert found.lower_bounds["successions"][0] > 0.9
    assert fairdeck.mix("riffle*7").total_variation == gsr_riffles(52, 7).total_variation


@pytest.mark.parametrize(
    "bad", [{"cards": 0}, {"cards": 5.5}, {"rounds": 0}, {"decks": 7}, {"seed": -1}, {"like": "hearts"}]
)
def test_the_call_refuses_bad_values_in_one_line(bad):
    with pytest.raises(FairdeckError, match=r"^[^\n]*(ask for|write|must be)[^\n]*$"):
        fairdeck.mix("riffle", **bad)


def exact_of(recipe, n):
    return distance(law_of(find(recipe).shuffle, n), uniform(n))


@pytest.mark.parametrize(
    "recipe", ["cut", "cut*2", "faro-out", "faro-in*2", "pile(2)", "faro-out + cut", "riffle + pile"]
)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_steps_without_chance_and_cuts_have_the_law_that_all_ways_give(recipe, n):
    assert known(recipe, n).law.total_variation == exact_of(recipe, n)
    assert known(recipe, n).law.exact


def test_a_fixed_move_at_either_end_changes_no_distance():
    assert known("faro-out + riffle*8").law == known("riffle*8").law
    assert known("pile(7) + shelf(10) + faro-in").law == known("shelf(10)").law
    assert known("riffle + faro-out + riffle").law is None
    assert known("riffle*3 + faro-out", 52).at_least == known("riffle*3", 52).at_least
    assert known("cut*60").law.total_variation == 1 - Fraction(52, math.factorial(52))
    assert known("overhand", 1).law.total_variation == 0


def test_the_report_says_when_faros_restore_the_order(told):
    _, out, _ = told("faro-out*8")
    assert out.startswith("52 cards after faro-out*8: total variation 1 - 1.2e-68, exactly; back in order, ")
    assert "(8 of them bring 52 cards back)" in out.splitlines()[0]
    assert "always the same order (52 of them bring 52 cards back)" in told("faro-in*8")[1]


@pytest.mark.long
def test_default_rounds_go_no_further_than_the_law(told):
    for recipe, cards in (("top-to-random(2000)", 52), ("transpositions(1000000)", 52), ("transpositions(1000)", 10)):
        code, out, err = told(recipe, "--cards", str(cards), "--json")
        assert (code, err) == (0, "")
        assert len(json.loads(out)["rounds"]) >= 1


@pytest.mark.cases(1)
@pytest.mark.parametrize("recipe", ["shelf", "riffle(cut=0.6)", "top-to-random-n", "riffle*200", "riffle*12"])
def test_large_decks_are_looked_up_only_as_often_as_asked(told, recipe):
    found = json.loads(told(recipe, "--cards", "1000", "--decks", "0", "--json")[1])
    assert len(found["rounds"]) == 1
    assert len(json.loads(told("riffle*20", "--cards", "100", "--json")[1])["rounds"]) == 20


@pytest.mark.long
def test_large_decks_are_simulated_less_unasked(told):
    found = json.loads(told("overhand", "--cards", "520", "--json")[1])
    assert found["decks"] == 4_000


@pytest.mark.long
def test_a_simulation_tells_its_seed(told, tmp_path):
    file = tmp_path / "mix.html"
    words = ("overhand*4", "--decks", "2000", "--html", str(file))
    assert "2,000 simulated decks (seed ab)" in told(*words, "--seed", "ab")[1]
    assert "2,000 simulated decks (seed ab)" in file.read_text()
    found = json.loads(told(*words[:3], "--json")[1])
    assert json.loads(told(*words[:3], "--json", "--seed", found["seed"])[1]) == found
    assert json.loads(told("riffle", "--json", "--seed", "ab")[1])["seed"] is None
    assert "fair patterns (seed c)" in told("riffle*7", "--like", "colours", "--seed", "c")[1]


@pytest.mark.long
def test_a_bound_is_called_a_bound(told):
    words = ("transpositions(260)", "--cards", "104")
    _, out, _ = told(*words)
    assert out.startswith("104 cards after transpositions(260): total variation between 0.2315 and 0.2322.")
    assert "at most   0.2322: the bound of that source gives that" in out
    assert "at least  0.2315: the bound of that source gives that" in out
    assert "rounds  total variation  at least  at most" in out
    assert "\ntotal variation" not in out
    found = json.loads(told(*words, "--json")[1])
    assert (found["total_variation"], found["exact"], found["rounds"][0]["total_variation"]) == (None, False, None)
    assert found["at_most"] == found["rounds"][0]["at_most"] == pytest.approx(0.2322, abs=5e-5)
    _, out, _ = told("overhand*40", "--decks", "2000", "--seed", "1")
    assert "wins at least " in out.splitlines()[0]


def test_a_person_at_a_terminal_sees_the_progress(told, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert "of 5 rounds [" in told("shelf(10)", "--rounds", "5")[2]
    assert "blocks of decks [" in told("overhand", "--decks", "2000")[2]


def test_seven_riffles_are_marked_and_explained(told, tmp_path):
    file = tmp_path / "mix.html"
    _, out, _ = told("riffle*7", "--html", str(file))
    assert [line.split()[0] for line in out.splitlines() if line.endswith("<- asked")] == ["7"]
    why = "theory puts that at about 8.6 for 52 cards, and round 7 is the first below one half."
    assert why in out
    assert why in file.read_text()
    assert "Round 7 is marked." in file.read_text()
    assert "The vertical line: round 7, which was asked for." in file.read_text()
    assert "Why this many" not in told("riffle*7 + cut", "--decks", "0")[1]


# --- cards alike


@pytest.mark.parametrize(
    ("text", "cards", "kinds"),
    [
        ("colours", 5, (0, 0, 1, 1, 1)),
        ("suits", 8, (0, 0, 1, 1, 2, 2, 3, 3)),
        ("ranks", 8, (0, 0, 0, 0, 1, 1, 1, 1)),
        ("ranks-by-suit", 12, (0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2)),
        ("ranks-new-deck", 12, (0, 1, 2, 0, 1, 2, 2, 1, 0, 2, 1, 0)),
        ("suits-by-rank", 8, (0, 1, 2, 3, 0, 1, 2, 3)),
        ("two-packs", 6, (0, 1, 2, 0, 1, 2)),
        ("duplicates", 6, (0, 1, 2, 0, 1, 2)),
        ("2,1,3", None, (0, 0, 1, 2, 2, 2)),
    ],
)
def test_a_pattern_says_which_cards_are_alike(text, cards, kinds):
    assert RepeatedCards.parse(text, cards).kinds == kinds
    assert RepeatedCards.parse(text).cards == (
        6 if cards is None else 104 if text in {"two-packs", "duplicates"} else 52
    )


@pytest.mark.parametrize(
    ("text", "cards", "separation"),
    [("colours", 52, 0.179), ("suits", 52, 0.447), ("ranks", 52, 0.910), ("52,52", 104, 0.316)],
)
def test_seven_riffles_of_a_deck_with_cards_alike_separate_as_published(text, cards, separation):
    # Assaf, Diaconis and Soundararajan (2011), the tables.
    law = pattern_theory(recipe_steps("riffle*7"), RepeatedCards.parse(text, cards)).law
    assert float(law.separation) == pytest.approx(separation, abs=6e-4)
    assert law.exact


@pytest.mark.parametrize("pattern", [("3,2",), ("two-packs", 4), ("duplicates", 4), ("1,2,2",)])
@pytest.mark.parametrize(("recipe", "packets"), [("riffle", 2), ("riffle*2", 4), ("a-shuffle(3)", 3)])
def test_what_is_seen_of_small_decks_is_counted_over_all_ways_to_riffle(pattern, recipe, packets):
    alike = RepeatedCards.parse(*pattern)
    seen, fair = Counter(), Counter()
    for labels in product(range(packets), repeat=alike.cards):
        # A riffle backwards: place i takes the next card of the packet that its label names.
        arrangement = inverse(tuple(sorted(range(alike.cards), key=labels.__getitem__)))
        seen[alike.of(inverse(arrangement))] += 1
    for order in permutations(range(alike.cards)):
        fair[alike.of(order)] += 1
    ways, orders = packets**alike.cards, math.factorial(alike.cards)
    shares = {what: (Fraction(seen[what], ways), Fraction(fair[what], orders)) for what in fair}
    law = pattern_theory(recipe_steps(recipe), alike).law
    assert law.total_variation == sum(max(Fraction(0), one - other) for one, other in shares.values())
    assert law.separation == max(1 - one / other for one, other in shares.values())


def test_riffles_of_kinds_agree_whichever_law_gives_them():
    for times in (1, 4):
        found = pattern_theory(recipe_steps(f"riffle*{times}"), RepeatedCards.parse("6,6")).law
        assert found.total_variation == two_kinds(6, 6, times).total_variation
        assert found.separation == kinds_a_shuffle((6, 6), 2**times).separation
    value, error = estimated(recipe_steps("riffle*2"), RepeatedCards.parse("6,5"), Random(3))
    assert abs(value - float(two_kinds(6, 5, 2).total_variation)) < 5 * error  # one seed in a million fails


def test_what_is_seen_is_never_further_from_random_than_the_deck():
    for name in SCENARIOS:
        for recipe in ("riffle*8", "riffle*9 + cut", "overhand*3"):
            steps, alike = recipe_steps(recipe), RepeatedCards.parse(name)
            assert pattern_theory(steps, alike).at_most <= theory(steps, alike.cards).at_most
    assert pattern_theory(recipe_steps("fisher-yates + cut"), RepeatedCards.parse("suits")).law.total_variation == 0
    assert estimated(recipe_steps("overhand"), RepeatedCards.parse("colours"), Random(0)) is None
    assert estimated(recipe_steps("a-shuffle(3)"), RepeatedCards.parse("colours"), Random(0)) is None


@pytest.mark.parametrize(
    "kinds", [(0, 0, 1, 1, 2), (0, 1, 2, 0, 1, 2), (0, 0, 0, 1, 1, 1), (0, 1, 1, 1), (0, 0, 1, 1), (0, 1, 2, 2, 1, 0)]
)
def test_statistics_of_kinds_have_the_law_that_all_orders_have(kinds):
    columns = np.array(list(permutations(range(len(kinds))))).T.astype(np.int16)
    view = View(columns, columns[:, :0])
    for duplicates in (False, *([True] if kinds.count(0) == 2 and len(kinds) % 2 == 0 else [])):
        for statistic in statistics_of(RepeatedCards("", "", kinds, duplicates)):
            law = statistic.law(len(kinds))
            counts = np.bincount(statistic.of(view) - law.low, minlength=len(law.weights))
            shares = [Fraction(int(count), columns.shape[1]) for count in counts]
            assert shares == [Fraction(weight, law.total) for weight in law.weights], statistic.name


def test_the_order_at_the_start_is_seen_after_riffles():
    found = fairdeck.mix("riffle*6", like="ranks-by-suit", decks=20_000, seed=1, rounds=1)
    assert 0.05 < found.simulated.bounds["next kind on top"].low < found.at_most
    # The same ranks, each together at the start, hide better.
    together = fairdeck.mix("riffle*6", like="ranks", decks=20_000, seed=1, rounds=1)
    assert together.simulated.best.low < 0.03


def test_pairs_in_half_of_two_packs_are_as_many_as_known():
    assert pairs_law(104).mean == pytest.approx(52 * 51 / (2 * 103))  # 12.874
    assert pairs_law(5).weights == (4, 6)  # 3 of 5 cards: a pair and another, or one of each with the odd card


def test_lower_bounds_of_what_is_seen_keep_below_the_law():
    alike = RepeatedCards.parse("colours", 12)
    found = estimate("riffle*2", 12, 40_000, seed=5, scalars=statistics_of(alike))
    law = float(two_kinds(6, 6, 2).total_variation)
    assert law / 4 < found.best.value < law + 5 * found.best.error
    assert found.chance == 0
    fair = estimate("fisher-yates", 104, 10_000, seed=5, scalars=statistics_of(RepeatedCards.parse("two-packs")))
    assert len(fair.bounds) == 5
    assert all(abs(bound.value) < 5 * bound.error for bound in fair.bounds.values())


def test_the_command_says_what_is_seen(told):
    _, out, _ = told("riffle*7", "--like", "colours", "--seed", "1")
    first, second, *_ = out.splitlines()
    assert first.startswith("52 cards after riffle*7, by colours: total variation about 0.01")
    assert second == "Only colours are seen; at the start, one colour lies on the other."
    found = json.loads(told("riffle*7", "--like", "suits", "--decks", "2000", "--json", "--rounds", "2")[1])
    assert (found["like"], found["cards"], found["guessed"], found["exact"]) == ("suits", 52, None, True)
    assert found["separation"] == pytest.approx(0.447, abs=5e-4)
    names = {"falls from kind to kind", "neighbours of a kind", "lower kinds in the lower half", "next kind on top"}
    assert set(found["lower_bounds"]) == names
    assert found["rounds"][0]["lower_bound"][0] > 0.9  # one riffle: two rising sequences, few falls
    found = json.loads(told("overhand*2", "--like", "duplicates", "--decks", "2000", "--json")[1])
    assert list(found["lower_bounds"]) == ["pairs in the upper half"]
    assert found["cards"] == 104


@pytest.mark.parametrize(
    ("text", "cards", "says"),
    [
        ("hearts", None, "unknown pattern 'hearts'; write colours, suits, ranks, ranks-by-suit, ranks-new-deck"),
        ("26,x", None, "'x' is not a whole number"),
        ("26,0", None, "0 is out of range"),
        ("600,600", None, "1,200 cards together"),
        ("26,26", 54, "52 cards together, not 54; leave out the number"),
        ("suits", 54, "suits: impossible with 54 cards; ask for a number of cards that 4 divides"),
        ("two-packs", 53, "that 2 divides, such as 104"),
        ("colours", 1, "ask for 2 cards or more"),
        ("52", None, "all 52 cards are alike"),
    ],
)
def test_an_impossible_pattern_is_refused(text, cards, says):
    with pytest.raises(FairdeckError, match=re.escape(says)):
        RepeatedCards.parse(text, cards)


# --- pages


@pytest.mark.long
def test_where_no_law_is_known_the_page_draws_what_bounds_it(told, tmp_path):
    file = tmp_path / "mix.html"
    assert told("overhand*2", "--rounds", "3", "--decks", "2000", "--seed", "1", "--html", str(file))[0] == 0
    page = file.read_text()
    assert page.count('role="img"') == 2 and "<pre" not in page
    assert "at least: 1 after 1, " in page
    assert page.count('<th scope="row"') >= 3 + 8 and '<th scope="row">successions</th>' in page
    found = json.loads(told("overhand*2", "--rounds", "3", "--decks", "2000", "--seed", "1", "--json")[1])
    for each in found["rounds"]:
        value, error = each["lower_bound"]
        assert f"{value:.4f} ± {error:.4f}" in page


@pytest.mark.long
def test_many_rounds_are_simulated_at_a_few(told):
    found = json.loads(told("hindu", "--cards", "6", "--rounds", "40", "--decks", "2000", "--json")[1])
    simulated = [number for number, each in enumerate(found["rounds"], 1) if each["lower_bound"]]
    assert simulated == [1, *range(4, 41, 4)]


@pytest.mark.long
def test_the_report_says_that_simulated_decks_show_nothing(told):
    _, out, _ = told("merge + wash(3600)", "--cards", "6", "--decks", "2000", "--seed", "1")
    assert "exactly" in out.splitlines()[0]
    _, out, _ = told("overhand*300", "--cards", "4", "--decks", "2000", "--seed", "3")
    told_of = "4 cards after overhand*300, by a guess at packets off the top: "
    assert out.startswith(f"{told_of}fairdeck knows no law, and 2,000 simulated decks show no ")
    # 0.0566 ± 0.0157 is counted, which so many statistics together may show by chance.
    _, out, _ = told("wash(60)", "--cards", "8", "--decks", "2000", "--seed", "1")
    assert "2,000 simulated decks show no distance from random that is 99.9% sure." in out


@pytest.mark.long
@pytest.mark.parametrize("words", [["overhand*2", "--rounds", "2"], ["riffle*7", "--like", "colours"]])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_accessibility_fault_on_a_phone(faults_on_a_small_phone, told, tmp_path, words, scheme):
    file = tmp_path / "mix.html"
    assert told(*words, "--decks", "2000", "--html", str(file))[0] == 0
    assert faults_on_a_small_phone(file, scheme) == []


@pytest.mark.long
def test_a_page_that_does_not_fit_a_phone_is_detected(faults_on_a_small_phone, tmp_path):
    file = tmp_path / "broken.html"
    file.write_text("<!doctype html><title>.</title><p style='color: #ccc; width: 900px'>faint and wide", "utf-8")
    found = faults_on_a_small_phone(file)
    assert ("color-contrast", 1) in found
    assert "it is wider than the screen" in found


def test_distances_side_by_side_keep_within_the_picture():
    picture = LowerBounds([("one", 0.25, 0.27, 0.01), ("two", 0.0, -0.01, 0.02)], 0.5)
    root = ElementTree.fromstring(svg(Chart("A & B", picture, "<told>")))
    assert [root.find(f"{SVG}{name}").text for name in ("title", "desc")] == ["A & B", "<told>"]
    bars = [float(each.get("width")) for each in root.iter(f"{SVG}rect") if each.get("class") == "bar"]
    assert bars == [pytest.approx(0.25 * 320), 0]


def test_the_page_holds_the_picture_with_its_numbers_as_text_and_asks_for_nothing(told, tmp_path):
    file = tmp_path / "mix.html"
    assert told("riffle*7", "--html", str(file))[0] == 0
    page = file.read_text()
    assert "<svg" in page
    assert "default-src 'none'" in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    numbers = re.search(r"<desc[^>]*>([^<]*)</desc>", page)[1]
    assert numbers.startswith("Round 7 is marked. total variation: 1 after 1, ")
    assert "0.334 after 7" in numbers
    assert svg(Chart("none", Falling({"one": [None, None]}), "")).startswith("<svg")
    assert svg(Chart("empty", Falling({}), "")).startswith("<svg")


# Of each recipe what `random()` must be cut into for its law by the generator that counts cells.
@pytest.mark.parametrize(
    ("recipe", "cells"), [("overhand(4)*2", 4), ("box(2, 4) + cut", 1), ("thorp*3", 1), ("riffle(cut=1/4)*2", 4)]
)
@pytest.mark.parametrize("n", [2, 3])
def test_small_decks_have_an_exact_law_by_all_orders(recipe, cells, n):
    chances = law_of(recipe, n, cells=cells)
    fair = Fraction(1, math.factorial(n))
    found = fairdeck.mix(recipe, n, rounds=1)
    assert found.exact
    assert found.total_variation == sum((chance - fair for chance in chances.values() if chance > fair), Fraction(0))
    assert found.separation == 1 - min([0, *chances.values()] if len(chances) * fair < 1 else chances.values()) / fair
    assert found.at_least == found.at_most == found.total_variation
    entropy = -sum(float(chance) * math.log2(chance) for chance in chances.values() if chance)
    missing = found.theory.law.missing_bits
    assert missing == pytest.approx(math.log2(math.factorial(n)) - entropy, abs=1e-12)
    assert json.loads(found.to_json())["missing_bits"] == missing


# Of each walk one move, whose law is enumerated, and how many moves it makes.
WALKS = {
    "transpositions(7)": ("transpositions(1)", lambda _: 7),
    "transpositions-n-distinct*2": (Transpositions(Fixed(1), distinct=True), lambda n: 2 * n),
    "random-to-random(9)": ("random-to-random(1)", lambda _: 9),
    "top-to-random(12)": ("top-to-random(1)", lambda _: 12),
    "adjacent-swaps(6)": ("adjacent-swaps(1)", lambda _: 6),
}


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize("n", [2, 4])
def test_walks_of_small_decks_are_exact_beside_other_shuffles_and_by_kinds(walk, n):
    move, times = WALKS[walk]
    law = Counter(reduce(followed_by, [law_of(move, n)] * times(n)))
    both = Counter(followed_by(law, law_of("cut", n)))
    for recipe, chances in ((walk, law), (f"{walk} + cut", both)):
        found = fairdeck.mix(recipe, n, rounds=1)
        assert found.exact
        away = sum(max(0, chances[order] - Fraction(1, math.factorial(n))) for order in permutations(range(n)))
        assert float(found.total_variation) == pytest.approx(float(away), abs=1e-12)
        pattern = Counter()
        for order, chance in chances.items():
            pattern[tuple(2 * card < n for card in order)] += chance
        fair = Fraction(1, math.comb(n, n // 2))
        seen = fairdeck.mix(recipe, n, rounds=1, like="colours")
        assert seen.at_least == seen.at_most == seen.total_variation
        assert seen.total_variation == sum(max(0, chance - fair) for chance in pattern.values())


def test_a_small_deck_that_is_almost_fair_is_exact_too(told):
    """The bound of these moves is below .001, which is no reason to stop at a bound."""
    assert "total variation 0, exactly" in told("random-to-random(2)", "--cards", "2")[1]
    assert fairdeck.mix("random-to-random(20)", 4, rounds=1).exact
    assert not fairdeck.mix("random-to-random(101)", 4, rounds=1).exact  # the bound is enough


def test_one_card_is_no_cards(told):
    assert "(1 of them bring 1 card back)" in told("monge", "--cards", "1")[1]


def test_missing_bits_are_told_and_drawn_up(told):
    out = told("riffle*7")[1]
    assert "entropy          0.5239 bits less than the 225.6 of a fair deck" in out
    assert "rounds  total variation   separation  missing bits" in out
    assert "Missing bits" in fairdeck.mix("riffle*7").html()
    assert "entropy" not in told("riffle*7", "--like", "suits", "--decks", "0")[1]  # no law gives it


def test_a_small_deck_whose_draws_cannot_be_counted_is_simulated():
    found = fairdeck.mix("wash(2)", 4, decks=2_000, seed=1)
    assert not found.exact
    assert found.simulated
