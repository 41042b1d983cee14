"""The page `random`: its law against Python's, and the page as a visitor uses it."""

import json
import re
from collections import Counter
from itertools import permutations
from math import factorial

import pytest

from fairdeck.permutation import lehmer_code, rank, unrank
from tests.page_scripts import engine_of
from tests.player import PHONE, tape
from tests.test_page_contract import FAKE, GENERATORS


@pytest.fixture(scope="module")
def engine():
    context = engine_of(
        "random", "ranks", "fixed_points", helpers="function told(text) { return JSON.stringify(eval(text)); }"
    )
    return lambda text: json.loads(context.get("told")(text))


def test_page_and_python_rank_alike_and_both_ways(engine):
    every = [order for n in range(6) for order in permutations(range(n))]
    every += [unrank(factorial(n) * part // 7, n) for n in (6, 13, 21, 52) for part in range(7)]
    found = engine(f"{json.dumps(every)}.map((p) => [String(rankOf(p)), lehmerCode(p), fromLehmerCode(lehmerCode(p))])")
    for order, (place, code, back) in zip(every, found, strict=True):
        assert (int(place), tuple(code), tuple(back)) == (rank(order), lehmer_code(order), order)
    ranks = [[str(rank(order)), len(order)] for order in every]
    back = engine(f"{json.dumps(ranks)}.map(([place, n]) => unrank(BigInt(place), n))")
    assert [tuple(order) for order in back] == every


def test_the_law_of_cards_in_their_old_place_is_that_of_all_orders(engine):
    for n in range(1, 8):
        decks = list(permutations(range(n)))
        counts = Counter(engine(f"{json.dumps(decks)}.map(fixedPoints)"))
        law = engine(f"[...Array({n + 1}).keys()].map((k) => chanceOfFixed({n}, k))")
        assert law == pytest.approx([counts[k] / factorial(n) for k in range(n + 1)], abs=1e-12)
        assert sum(k * chance for k, chance in enumerate(law)) == pytest.approx(1)
    assert engine("chanceOfFixed(52, 0)") == pytest.approx(0.3678794411714423), "1/e"


def bars(page, box):
    return [int(text.replace(",", "")) for text in page.locator(f"{box} b").all_text_contents()]


def test_the_reader_answers_before_the_page_counts(visit):
    page = visit(viewport=PHONE, words=tape("random", 200_000))
    assert not page.is_visible("#counted")
    assert page.text_content("#reveal") == ""
    page.click("#answers button:text-is('4')")
    assert page.get_attribute("#answers [aria-pressed=true]", "value") == "4"
    assert page.get_attribute("#answers [data-right]", "value") == "1"
    painted = "(chip) => getComputedStyle(chip).backgroundColor"
    right = page.locator("#answers [data-right]").evaluate(painted)
    page.click("#answers [data-right]")
    assert page.locator("#answers [data-right]").evaluate(painted) == right, "gold, also when it is the reader's answer"
    mean = float(re.fullmatch(r"One, on average\. 1,000 fair decks just now: (.*)\.", page.text_content("#reveal"))[1])
    # The mean of 1,000 decks has the deviation 1/sqrt(1000): outside in 1 of 10,000 runs; the words are fixed.
    assert abs(mean - 1) < 0.125
    counts = bars(page, "#bars")
    assert sum(counts) == 1000
    assert abs(counts[0] - 368) < 60


def test_each_touch_draws_another_deck_and_its_number(visit):
    page = visit()
    page.click("#answers button >> nth=0")
    seen = set()
    for _ in range(5):
        number = int(re.sub(r"\D", "", page.text_content("#rank")))
        order = unrank(number, 52)
        fixed = sum(card == place for place, card in enumerate(order))
        assert page.text_content("#here").startswith(f"Black: {fixed} card")
        seen.add(number)
        page.click("#draw")
    assert len(seen) == 5
    assert int(re.sub(r"\D", "", page.text_content("#orders"))) == factorial(52)


def test_a_cut_makes_three_orders_and_a_hat_all_six(visit):
    page = visit()
    before = bars(page, "#hatBars")
    for _ in range(2):
        assert [bool(count) for count in bars(page, "#cutBars")] == [True, False, False, True, True, False]
        assert all(bars(page, "#hatBars"))
        assert sum(bars(page, "#hatBars")) == sum(bars(page, "#cutBars")) == 600
        page.click("#others")
    assert bars(page, "#hatBars") != before


@pytest.mark.long
def test_the_second_deck_is_the_first_turned_over(visit):
    """Of both pictures the red pixels are the same, upside down, and another touch moves them."""
    page = visit()
    reds = """() => ["first", "second"].map((id) => {
      const canvas = document.getElementById(id), { width, height } = canvas;
      const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
      // The place of the first red pixel of each card.
      return Array.from({ length: 52 }, (_, row) => {
        const y = Math.floor(((row + .5) * height) / 52);
        const isRed = (at) => data[at] > 150 && data[at + 1] < 90;
        for (let x = 0; x < width; x++) if (isRed(4 * (y * width + x))) return x;
        return -1;
      });
    })"""
    drawn = "document.getElementById('first').toDataURL()"
    before = page.evaluate(drawn)
    one, other = page.evaluate(reds)
    assert one == other[::-1]
    assert len(set(one)) > 26
    page.click("#pair")
    assert page.evaluate(drawn) != before


@pytest.mark.long
def test_a_generator_that_is_not_sound_is_told(visit):
    page = visit(script=FAKE % GENERATORS["constant"])
    page.click("#draw")
    assert "random generator" in page.text_content("#error")
    assert re.sub(r"\D", "", page.text_content("#rank")) == "0", "the sorted deck: nothing was drawn"
