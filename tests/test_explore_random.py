"""The page `random`: its functions against Python's, and the page as a visitor uses it."""

import json
import random
from collections import Counter
from itertools import permutations, product
from math import factorial

import numpy as np
import pytest

from fairdeck.lab.laws.tails import clopper_pearson
from fairdeck.permutation import inverse, lehmer_code, rank, then, unrank
from tests.page_scripts import engine_of
from tests.player import tape
from tests.test_page_contract import FAKE, GENERATORS

HELPERS = """
function told(text) { return JSON.stringify(eval(text)); }
function countedDecks(decks, neighbours) {
  const table = decks[0].map(() => Array(decks[0].length + 1).fill(0));
  for (const deck of decks) countDeck(table, deck, neighbours);
  return table;
}
"""


@pytest.fixture(scope="module")
def engine():
    context = engine_of("random", "ranks", "arrangements", "binomial", "seeds", helpers=HELPERS)
    return lambda text: json.loads(context.get("told")(text))


def orders():
    chance = random.Random(5)
    yield from (order for n in range(6) for order in permutations(range(n)))
    for n in (6, 7, 13, 20, 21, 40, 52):
        yield from (tuple(chance.sample(range(n), n)) for _ in range(20))
        yield from (tuple(range(n)), tuple(range(n))[::-1])


def test_page_and_python_rank_alike_and_both_ways(engine):
    every = list(orders())
    found = engine(f"{json.dumps(every)}.map((p) => [String(rankOf(p)), lehmerCode(p), fromLehmerCode(lehmerCode(p))])")
    for order, (place, code, back) in zip(every, found, strict=True):
        assert (int(place), tuple(code), tuple(back)) == (rank(order), lehmer_code(order), order)
    ranks = [[str(rank(order)), len(order)] for order in every]
    back = engine(f"{json.dumps(ranks)}.map(([place, n]) => unrank(BigInt(place), n))")
    assert [tuple(order) for order in back] == [unrank(int(place), n) for place, n in ranks] == every


def test_page_and_python_compose_and_invert_alike(engine):
    for n in range(1, 5):
        for p, q in product(permutations(range(n)), repeat=2):
            found = engine(f"[then({list(p)}, {list(q)}), inverse({list(p)})]")
            assert tuple(map(tuple, found)) == (then(p, q), inverse(p))


def test_intervals_are_those_of_the_lab(engine):
    cells = [
        (count, trials) for trials in (1, 7, 100, 10_000, 300_000) for count in sorted({0, 1, trials // 3, trials})
    ]
    found = engine(f"{json.dumps(cells)}.map(([count, trials]) => exactInterval(count, trials, 0.99))")
    low, high = clopper_pearson(*map(np.array, zip(*cells, strict=True)), 0.99)
    assert np.abs(np.array(found) - np.stack([low, high], axis=1)).max() < 1e-10


def mulberry32(seed):
    """Yield 32-bit words. Source: Tommy Ettinger's C code, as widely copied in JavaScript."""
    mask = 2**32 - 1
    while True:
        seed = (seed + 0x6D2B79F5) & mask
        z = ((seed ^ seed >> 15) * (seed | 1)) & mask
        z ^= (z + (z ^ z >> 7) * (z | 61)) & mask
        yield z ^ z >> 14


def seeded_deck(seed, n):
    deck, words = list(range(n)), mulberry32(seed)
    for last in range(n - 1, 0, -1):
        drawn = next(words) * (last + 1) >> 32
        deck[last], deck[drawn] = deck[drawn], deck[last]
    return deck


def test_the_seed_of_a_seeded_deck_is_found(engine):
    # Small decks often draw one place twice, which the search must see.
    for n, seen in ((3, 2), (5, 3), (52, 8)):
        decks = [seeded_deck(seed, n) for seed in range(300)]
        assert engine(f"Array.from({{ length: 300 }}, (_, seed) => seededDeck(seed, {n}))") == decks
        tops = [deck[::-1][:seen] for deck in decks]
        found = engine(f"{json.dumps(tops)}.map((top) => foundSeed(top, {n}, 0, 300))")
        assert found == [tops.index(top) for top in tops]
    assert engine("foundSeed([0, 0], 52, 0, 1000)") == -1


def test_orders_are_read_bottom_first_or_refused(engine):
    assert engine("['2,0,1', ' 2 0 1 ', '2.0.1', '2;0, 1'].map((text) => readOrder(text, 52))") == [[2, 0, 1]] * 4
    wrong = ["", "1,2,3", "0,0", "0,1,x", "-0,1", "0,2", "1e0,0", "0,,1,", ",".join(map(str, range(53)))]
    assert engine(f"{json.dumps(wrong)}.map((text) => readOrder(text, 52))") == [None] * len(wrong)


def test_over_all_orders_every_chance_is_one_in_n(engine):
    """Counts as the page counts: each card at each place, each card on each other, and each on top."""
    for cards in [2, 3, 4, 5]:
        for neighbours in (False, True):
            table = engine(f"countedDecks({json.dumps(list(permutations(range(cards))))}, {json.dumps(neighbours)})")
            share = factorial(cards - 1)
            for row in range(cards):
                expected = [share] * (cards + neighbours) + [0] * (not neighbours)
                if neighbours:
                    expected[row] = 0
                assert table[row] == expected


def result(page, box="#wires"):
    """Return the right deck of a picture, bottom first."""
    texts = page.locator(f"{box} .column").last.locator(":scope > *").all_text_contents()
    return [int(text) for text in reversed(texts)]


@pytest.mark.long
def test_cards_are_exchanged_by_tapping_and_by_dragging(visit):
    page = visit("#cards=4&a=0.1.2.3")
    cell = page.locator("#wires button")
    cell.nth(0).click()
    cell.nth(3).click()
    assert result(page) == [3, 1, 2, 0]
    assert "a=3.1.2.0" in page.url
    one, other = cell.nth(1).bounding_box(), cell.nth(2).bounding_box()
    page.mouse.move(one["x"] + 9, one["y"] + 9)
    page.mouse.down()
    page.mouse.move(other["x"] + 9, other["y"] + 9)
    page.mouse.up()
    assert result(page) == [3, 2, 1, 0]
    assert "3,2,1,0. One of 24" in page.text_content("#wired")
    again = visit("#cards=4&a=1.2.3.0")
    again.click("#invert")
    assert tuple(result(again)) == inverse((1, 2, 3, 0))


def test_two_shuffles_are_one_and_one_undoes_the_other(visit):
    p, q = (2, 0, 3, 1), (1, 3, 2, 0)
    page = visit("#step=two&both=4&p=2.0.3.1&q=1.3.2.0")
    assert tuple(result(page, "#chain")) == then(p, q)
    page.click("#swap")
    assert tuple(result(page, "#chain")) == then(q, p) != then(p, q)
    page.click("#undo")
    page.click("#join")
    assert result(page, "#chain") == [0, 1, 2, 3]
    assert page.locator("#chain .column").count() == 2


def typed(page, field, text):
    page.fill(field, text)
    page.press(field, "Enter")
    return page.input_value("#order"), page.input_value("#rank").replace(",", "")


@pytest.mark.long
def test_order_digits_and_rank_follow_each_other(visit):
    page = visit("#step=number")
    assert typed(page, "#order", "2 0 1") == ("2,0,1", "4")
    assert page.locator("#digits b").all_text_contents() == ["2", "0", "0"]
    assert typed(page, "#rank", "3") == ("1,2,0", "3")
    page.click("#after")
    assert page.input_value("#order") == "2,0,1"
    page.click("#digits button >> nth=2")
    assert page.input_value("#order") == "2,1,0"
    page.click("#after")
    assert page.input_value("#order") == "0,1,2", "after the last comes the first"
    order = tuple(random.Random(52).sample(range(52), 52))
    assert typed(page, "#order", ",".join(map(str, order))) == (",".join(map(str, order)), str(rank(order)))
    assert typed(page, "#rank", str(factorial(52) - 1))[0] == ",".join(map(str, range(51, -1, -1)))
    again = visit(f"#{page.url.partition('#')[2]}")
    assert again.input_value("#rank") == page.input_value("#rank")
    typed(page, "#rank", str(factorial(52)))
    assert "from 0 to 52!−1" in page.text_content("#rankFault")
    typed(page, "#order", "1,2,3")
    assert "each card from 0 once" in page.text_content("#orderFault")
    typed(page, "#order", "1,0")
    assert page.text_content("#orderFault") == page.text_content("#rankFault") == ""


@pytest.mark.long
def test_the_loops_bias_shows_in_the_intervals_and_the_hats_does_not(visit):
    page = visit("#step=counts&few=3&decks=10000", words=tape("counts", 10_000))
    page.click("#deal")
    assert page.text_content("#missed").startswith("10,000 decks: ")
    # A fair table has one such cell in 11 runs; the words are fixed.
    assert page.locator("#table .missed").count() <= 1
    page.select_option("#by", "loop")
    assert page.text_content("#missed").startswith("Shuffle some")
    page.click("#deal")
    # Exactly: card 1 lies at the bottom in 10 of 27 paths, for example.
    assert page.locator("#table .missed").count() >= 4
    page.select_option("#what", "next")
    page.select_option("#by", "fair")
    page.click("#deal")
    assert page.locator("#table tr").nth(1).locator("td").count() == 4
    assert page.locator("#table .missed").count() <= 1


@pytest.mark.long
def test_a_bad_link_shows_something_sound(visit):
    for fragment in ["#cards=99&a=1.1", "#step=number&size=3&order=0.1", "#step=levels&level=9&seed=99"]:
        page = visit(fragment)
        assert page.locator(".chapter:visible").count() == 1
        assert sorted(result(page)) == [0, 1, 2]
        assert page.locator("details[open]").count() == 1


@pytest.mark.long
def test_a_generator_that_is_not_sound_is_told(visit):
    page = visit("#step=counts&a=1.0.2", script=FAKE % GENERATORS["constant"])
    page.click("#deal")
    assert "random generator" in page.text_content("#error")
    assert page.text_content("#missed").startswith("Shuffle some")
    assert result(page) == [1, 0, 2]


@pytest.mark.long
def test_each_level_shows_what_fails_it(visit):
    page = visit("#step=levels&seed=16", words=tape("levels", 10_000))
    page.click("#fairTry")
    cut = page.locator("#cutBars b").all_text_contents()
    assert sorted(Counter(map(bool, map(int, cut))).values()) == [3, 3]
    assert "0" not in page.locator("#hatBars b").all_text_contents()
    page.click("#level2 summary")
    page.click("#freeTry")
    assert "In 300 of 300 pairs" in page.text_content("#freeSaid")
    page.click("#level3 summary")
    assert page.locator("#secretCards span").all_text_contents()[8:] == ["?"] * 44
    page.click("#secretTry")
    page.wait_for_selector("#secretCards .right")
    assert page.locator("#secretCards .right").count() == 44
    assert "the other 44 cards are known" in page.text_content("#secretSaid")


@pytest.mark.parametrize(("step", "width"), [("maps", 844), ("two", 320)])
def test_no_deck_of_a_shuffle_reaches_over_its_edge(visit, step, width):
    page = visit(f"#step={step}", viewport={"width": width, "height": 844})
    over = page.locator(".chapter:not([hidden]) .wires >> visible=true").evaluate_all(
        "boxes => boxes.map((box) => box.lastChild.getBoundingClientRect().right - box.getBoundingClientRect().right)"
    )
    assert over and max(over) < 0.1
