"""The page `loop`: its arithmetic against Python's, and the page as a visitor uses it."""

import json
from collections import Counter
from itertools import permutations
from math import factorial, prod

import pytest

from fairdeck import lab
from tests.page_scripts import engine_of
from tests.player import PHONE
from tests.test_page_contract import FAKE, GENERATORS


@pytest.fixture(scope="module")
def engine():
    return engine_of("loop", "paths")


def test_the_counts_of_the_obvious_loop_are_those_of_the_lab(engine):
    for cards in [2, 3, 4, 5]:
        law = lab.exact("naive", cards=cards).orders
        counts = json.loads(engine.eval(f"JSON.stringify(obviousCounts({cards}))"))
        assert counts == [law.get(order, 0) * cards**cards for order in permutations(range(cards))]


def test_only_two_orders_can_share_their_paths(engine):
    for cards in range(2, 53):
        text = f"Object.values(division({cards})).join()"
        paths, orders, each, over = map(int, engine.eval(text).split(","))
        assert (paths, orders, each * orders + over) == (cards**cards, factorial(cards), paths)
        assert 0 <= over < orders
        assert (over == 0) == (cards == 2)
        primes = json.loads(engine.eval(f"JSON.stringify(primesTo({cards}))"))
        assert primes == [p for p in range(2, cards + 1) if all(p % d for d in range(2, p))]
        # The reason that the page gives: each prime of n - 1 divides n!, but not n to the n.
        for prime in primes:
            if (cards - 1) % prime == 0:
                assert orders % prime == 0
                assert paths % prime


def test_the_right_loop_has_one_path_to_each_order(engine):
    for cards in range(1, 7):
        choices = list(range(cards, 0, -1))
        decks = json.loads(engine.eval(f"JSON.stringify(pathsOf({choices}).map((path) => rightDeck({cards}, path)))"))
        assert len(decks) == prod(choices)
        assert Counter(map(tuple, decks)) == Counter(permutations(range(cards)))


def counts(page):
    return page.locator("#orders b").all_text_contents()


def test_a_path_is_walked_and_all_paths_count_4_or_5(visit):
    page = visit(viewport=PHONE)
    for drawn in (2, 0, 1):
        page.click(f"#choices button:text-is('{drawn}')")
    # ABC, then CBA, BCA, BAC.
    assert page.locator("#deck b").all_text_contents() == ["B", "A", "C"]
    assert "Path 2 0 1 ends in BAC. 1 of 27" in page.text_content("#walked")
    assert page.locator("#tree path.lit").count() == 3
    assert page.locator("#tree .leaf.known").all_text_contents() == ["BAC"]
    assert counts(page) == ["0", "0", "1", "0", "0", "0"]
    page.click("#fill")
    assert counts(page) == ["4", "5", "5", "5", "4", "4"]
    page.click("#orders button:has-text('CAB')")
    assert page.locator("#tree .leaf.lit").all_text_contents() == ["CAB"] * 4
    fragment = page.url.partition("#")[2]
    page.click("#empty")
    assert counts(page) == ["0"] * 6
    again = visit(f"#{fragment}", viewport=PHONE)
    assert counts(again) == ["4", "5", "5", "5", "4", "4"]
    assert again.locator("#tree .leaf.lit").count() == 4


@pytest.mark.long
def test_a_leaf_is_tapped_and_a_link_leads_to_a_step(visit):
    page = visit("#step=sum&n=52")
    assert page.evaluate("Math.abs(document.querySelector('#sum').getBoundingClientRect().top)") < 40
    assert str(52**52 % factorial(52)) == page.locator("#division dd").nth(3).text_content().replace(",", "")
    page.evaluate("location.hash = 'step=walk&path=22'")
    page.wait_for_function("() => Math.abs(document.querySelector('#walk').getBoundingClientRect().top) < 40")
    page.click("#tree .leaf[aria-label='Path 0 0 0']")
    assert page.locator("#deck b").all_text_contents() == ["C", "A", "B"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert "Path 0 0 1" in page.text_content("#walked")


@pytest.mark.long
def test_a_bad_link_shows_the_page_as_it_begins(visit):
    for fragment in ["#step=x&path=333&seen=zz&order=9", "#step=right&slips=99&pulls=75", "#=&&%&n=1e9"]:
        page = visit(fragment)
        assert page.locator("#deck b").all_text_contents() == ["A", "B", "C"]
        assert page.input_value("#n") == "3"
        assert page.locator("#hat button").count() == 3 or "slips" in fragment


def test_slips_leave_the_hat(visit):
    page = visit("#step=right&slips=5")
    for place, card in enumerate("BEA"):
        page.click(f"#hat button:text-is('{card}')")
        assert page.locator("#places b").nth(4 - place).text_content() == card
        assert page.locator("#hat button").count() == 4 - place
    assert "slip A goes to deck[2]" in page.text_content("#pulled")
    while page.locator("#hat button").count():
        page.click("#pull")
    assert sorted(page.locator("#places b").all_text_contents()) == list("ABCDE")


@pytest.mark.long
def test_a_generator_that_is_not_sound_is_told(visit):
    page = visit(script=FAKE % GENERATORS["constant"])
    page.click("#dice")
    assert "random generator" in page.text_content("#error")
    assert page.locator("#deck b").all_text_contents() == ["A", "B", "C"]
    assert page.text_content("#walked").startswith("i = 0")


def squares(page, look):
    """Return how many squares of this look each stack of the first picture has."""
    return [stack.locator(f".{look}").count() for stack in page.locator("#shares > div").all()]


def test_three_paths_are_left_over_until_the_reader_has_answered(visit):
    page = visit(viewport=PHONE)
    assert squares(page, "full") == [4] * 6 + [0]
    assert squares(page, "spare") == [0] * 6 + [3]
    assert "three are left over" in page.get_attribute("#shares", "aria-label")
    assert page.text_content("#reveal") == ""
    page.click("#answers button:text-is('In the long run')")
    assert page.get_attribute("#answers [data-right]", "value") == "no"
    law = lab.exact("naive", cards=3).orders
    assert [full + fell for full, fell in zip(squares(page, "full"), squares(page, "fell"), strict=True)] == [
        *(law[order] * 27 for order in permutations(range(3))),
        0,
    ]
    assert "three orders get five paths, three get four" in page.text_content("#reveal")


LARGE = """addEventListener("DOMContentLoaded", () => {
  document.documentElement.style.setProperty("font-size", "200%");
});"""


@pytest.mark.parametrize("script", ["", pytest.param(LARGE, marks=pytest.mark.long)])
@pytest.mark.parametrize("width", [320, 390, pytest.param(844, marks=pytest.mark.long), 1280])
def test_no_leaf_of_the_full_tree_lies_on_another(visit, width, script):
    page = visit("#seen=7ffffff", viewport={"width": width, "height": 720}, script=script)
    for tree in ("#tree", "#rightTree"):
        boxes = page.locator(f"{tree} :is(.leaf, .node)").evaluate_all(
            "parts => parts.map((part) => part.getBoundingClientRect().toJSON())"
        )
        assert len(boxes) == {"#tree": 40, "#rightTree": 16}[tree]
        for i, one in enumerate(boxes):
            assert one["left"] >= -0.5
            assert one["right"] <= width + 0.5
            for other in boxes[i + 1 :]:
                across = min(one["right"], other["right"]) - max(one["left"], other["left"])
                down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
                assert min(across, down) <= 0, (one, other)
