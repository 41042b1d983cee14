"""The screens that explain: a worked example, and the page's check of itself."""

import pytest

from fairdeck.page import texts
from tests.player import tape


def open_lesson(open_page, name, **options):
    page = open_page(fragment=f"#{name}", **options)
    page.wait_for_selector(f"#{name}")
    return page


@pytest.mark.long
def test_cards_are_followed_forwards_and_places_backwards(open_page):
    page = open_lesson(open_page, "example", words=tape("example", 400))
    page.fill("#example-cards", "15")
    page.select_option("#example-mat", "2x1")
    page.click("#example-new")
    while page.is_enabled("#example-on"):
        page.click("#example-on")
    grids = page.locator("#grids section")
    first, last = grids.first.locator("button"), grids.last.locator("button")
    assert [first.nth(i).text_content() for i in range(15)] == [str(i) for i in range(1, 16)]
    end = [last.nth(i).text_content() for i in range(15)]
    assert sorted(end, key=int) == [str(i) for i in range(1, 16)]
    assert end[6] != "4", "two cards are wanted, one from each end"
    first.nth(3).click()
    last.nth(6).click()
    marked = [4, int(end[6])]
    for number in range(grids.count()):
        shown = grids.nth(number).locator(".mark").all_text_contents()
        assert sorted(map(int, shown)) == sorted(set(marked)), number
        assert len(grids.nth(number).locator("button").all()) == 15
    assert page.text_content("#followed") == f"Start 4 → end {end.index('4') + 1} · Start {end[6]} → end 7"
    page.click("#example-back")
    assert grids.last.locator(".mark").count() == 2
    page.click("#example-clear")
    assert page.locator("#grids .mark").count() == 0


def test_a_bad_number_for_the_example_is_told(open_page):
    page = open_lesson(open_page, "example")
    for wrong in ("1", "41", "x"):
        page.fill("#example-cards", wrong)
        page.click("#example-new")
        assert "whole number from 2 to 40" in page.text_content("#example-error")


@pytest.mark.long
def test_the_page_checks_itself_and_shows_the_counts(open_page):
    page = open_lesson(open_page, "proof")
    page.click("#proof-run")
    page.wait_for_selector("#proof-run:enabled")
    assert "what chance gives" in page.text_content("#proof-said")
    counts = [int(text.replace(",", "")) for text in page.locator("#bars b").all_text_contents()]
    assert len(counts) == 24
    assert sum(counts) == 24_000
    assert all(750 < count < 1250 for count in counts)
    assert len(set(page.locator("#bars span").all_text_contents())) == 24


UNFAIR = """() => {
  uniformPermutation = (n, below) => Array.from({ length: n }, (_, i) => i).sort(() => below(2) - 0.5);
}"""
ASTRAY = """() => {
  const right = tableAfter;
  tableAfter = (deal, at) => ({ ...right(deal, at), deck: [0, 1, 2, 3] });
}"""


def test_a_page_that_deals_unfairly_is_told(open_page):
    page = open_lesson(open_page, "proof")
    page.evaluate(UNFAIR)
    page.click("#proof-run")
    page.wait_for_selector("#proof-run:enabled")
    assert page.text_content("#proof-said").startswith(texts("en")["proofBad"])


def test_a_plan_that_goes_astray_is_told(open_page):
    page = open_lesson(open_page, "proof")
    page.evaluate(ASTRAY)
    page.click("#proof-run")
    page.wait_for_selector("#proof-run:enabled")
    assert page.text_content("#proof-said") == texts("en")["proofFault"]
