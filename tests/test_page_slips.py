"""A misplaced card at the dealing page: the slips that it finds are Python's, and what it says mends the deal."""

import json
import random
import re
from itertools import product

import pytest
import quickjs

from fairdeck.dealing.slips import explanations, way_back
from fairdeck.page.modules import joined
from tests.player import SHOWN, begun, choose_view, follow, go_to, open_mending, order_drawn, tap_next, tape
from tests.table import Table

HELPERS = """
function found(list, dealt, heights, columns, hand) {
  return JSON.stringify(explanations(JSON.parse(list), dealt, JSON.parse(heights), columns, hand).map((slip) => {
    const way = wayBack(JSON.parse(list), dealt, slip);
    return [slip.kind, slip.card, slip.space, slip.card < 0 || slip.kind === "misplaced" ? null : way];
  }));
}
"""


@pytest.fixture(scope="module")
def engine():
    context = quickjs.Context()
    context.eval(joined("slips") + HELPERS)
    return context


def both(engine, spaces, dealt, heights, columns, hand):
    """Return what the page finds, and what Python finds: only slips that explain every pile count on the page."""
    page = json.loads(engine.get("found")(json.dumps(spaces), dealt, json.dumps(heights), columns, hand))
    python = []
    for slip in explanations(spaces, dealt, heights, columns, hand):
        way = way_back(spaces, dealt, slip)
        back = None
        if way and not way.lift:
            back = {"take": [space for space, cards in way.take for _ in range(cards)], "next": way.next}
        python.append([slip.kind, -1 if slip.card is None else slip.card, slip.space, back])
    return [each if each[1] >= 0 else [each[0], -1, None, None] for each in page], python


@pytest.mark.parametrize("cards", [1, 2, *(pytest.param(n, marks=pytest.mark.long) for n in (3, 4))])
def test_the_page_finds_what_python_finds_in_every_short_list(engine, cards):
    for spaces in product(range(3), repeat=cards):
        for dealt in range(cards + 1):
            for heights in product(range(cards + 1), repeat=3):
                for hand in range(max(0, cards - dealt - 1), cards - dealt + 2):
                    page, python = both(engine, list(spaces), dealt, list(heights), 2, hand)
                    assert page == python, (spaces, dealt, heights, hand)


def test_the_page_finds_what_python_finds_in_long_lists(engine):
    chance, seen = random.Random(7), 0
    for _ in range(300):
        columns, rows = chance.choice([(5, 2), (3, 3), (7, 1)])
        size, cards = columns * rows, chance.randrange(10, 80)
        spaces = [chance.randrange(size) for _ in range(cards)]
        dealt = chance.choice([cards, chance.randrange(1, cards + 1)])
        heights, hand = [spaces[:dealt].count(space) for space in range(size)], cards - dealt
        for space in chance.sample(range(size), 2):
            heights[space] += chance.choice([-1, 0, 1])
        told = [max(0, high) for high in heights]
        page, python = both(engine, spaces, dealt, told, columns, hand + chance.choice([0, 0, 1]))
        assert page == python
        seen += bool(python)
    assert seen > 60


def take_back(table, text):
    """Do what the page says: take cards back from these piles, one by one, onto the hand."""
    words = re.search(r"(?:one by one, from |last card, from )([^.]*)\.", text)
    for label in words[1].split(", ") if words else []:
        table.deck.append(table.mats[-1][label].pop())


def count(page, table):
    """Type the heights that are there."""
    for label in page.locator("#counting label").all():
        name = label.text_content()
        there = len(table.deck) if name.startswith("Cards") else len(table.mats[-1].get(name, []))
        label.locator("input").fill(str(there))


def astray(open_page, seed, at, slip, until):
    """Deal 30 cards up to card `until`, counted from 0, with a slip at card `at`."""
    words = tape(seed, 30)
    page = begun(open_page(words=words), 30, "5x1", view="single")
    table, card = Table(30), -1
    while not (page.evaluate(SHOWN)["kind"] == "check" or card == until):
        shown = page.evaluate(SHOWN)
        if card == at and slip != "twice":
            if slip == "misplaced":
                table.deal(next(name for name in ("A1", "A2") if name != shown["labels"][0]))
        elif shown["kind"] == "card" and not table.deck:
            break
        else:
            follow(table, shown)
            if card == at:
                table.deal(shown["labels"][0])
        tap_next(page)
        card += 1
    return page, table, order_drawn(words, 30)


def finish(page, table, order):
    while follow(table, page.evaluate(SHOWN)):
        tap_next(page)
    assert table.end() == order


@pytest.mark.cases(1)
@pytest.mark.parametrize("until", [20, 99])
def test_a_misplaced_card_is_found_by_the_heights_and_put_back(open_page, until):
    page, table, order = astray(open_page, "misplaced", 11, "misplaced", until)
    if until < 30:
        open_mending(page)
    else:
        page.click("#differs")
    count(page, table)
    told = page.locator("#slips div").all_text_contents()
    assert 1 <= len(told) <= 3
    title = page.text_content("#slips > p")
    assert title.startswith("If it was one slip" if len(told) == 1 else "Only guesses")
    right = r"Card 12 lies on (\w+) instead of (\w+)\. Take card (\d+) from the top; put it into \w+ as card (\d+)"
    if not any(re.match(right, each) for each in told):
        pytest.skip("another slip is likelier")
    where, own, depth, place = next(re.match(right, each) for each in told if re.match(right, each)).groups()
    card = table.mats[-1][where].pop(-int(depth))
    pile = table.mats[-1].setdefault(own, [])
    pile.insert(len(pile) - int(place) + 1, card)
    page.click("#wrong-dialog .primary")
    finish(page, table, order)


@pytest.mark.long
@pytest.mark.parametrize("slip", ["skipped", "twice"])
def test_a_label_without_a_card_or_with_two_is_found_and_walked_back(open_page, slip):
    page, table, order = astray(open_page, "walked", 8, slip, 9)
    open_mending(page)
    count(page, table)
    (told,) = page.locator("#slips div").all()
    assert re.match(r"At card 9, (no card|two cards) went to \w+\.", told.text_content())
    take_back(table, told.text_content())
    told.locator("button").click()
    # The mat shows the heights that must be there now.
    shown = page.evaluate(SHOWN)
    assert shown["note"].endswith("Count the piles: each should be as high as shown.")
    assert {name: high for name, high in shown["heights"].items() if high} == {
        name: len(pile) for name, pile in table.mats[-1].items() if pile
    }
    finish(page, table, order)


@pytest.mark.long
def test_the_way_back_to_a_card_says_what_to_take_and_the_heights_that_remain(open_page):
    page, table, order = astray(open_page, "way", -5, "none", 20)
    open_mending(page)
    page.fill("#wrong-card", "7")
    take_back(table, page.text_content("#way"))
    assert len(table.deck) == 24
    page.click("#wrong-go")
    shown = page.evaluate(SHOWN)
    assert sum(shown["heights"].values()) == 6
    assert follow(table, shown)
    tap_next(page)
    assert page.evaluate(SHOWN)["heights"] == {}
    finish(page, table, order)


@pytest.mark.long
def test_numbers_that_are_none_are_told_and_piles_in_a_stack_are_not_counted(open_page):
    page = begun(open_page(words=tape("numbers", 20)), 20, "5x1")
    page.click("#next")
    page.click("#next")
    open_mending(page)
    heights = [page.input_value(f"#counted-{space}") for space in (0, 1)]
    page.fill("#counted-0", "x")
    assert "A1: 0 to 20, not “x”" in page.text_content("#counted-error")
    assert page.get_attribute("#counted-0", "aria-invalid") == "true"
    page.fill("#counted-0", "9")
    assert page.text_content("#slips") == "", "a misplaced card changes two heights"
    page.press("#counted-0", "Enter")
    page.fill("#counted-1", "9")
    assert page.text_content("#slips") == "No single slip fits. Count again."
    for space, height in enumerate(heights):
        page.fill(f"#counted-{space}", height)
    assert page.text_content("#slips") == ""
    page.click("#wrong-dialog .primary")
    go_to(page, "gather")
    open_mending(page)
    assert page.is_hidden("#counting")


@pytest.mark.long
def test_a_card_that_is_dealt_but_not_tapped_is_no_slip(open_page):
    page, table, order = astray(open_page, "ahead", -5, "none", 11)
    follow(table, page.evaluate(SHOWN))
    open_mending(page)
    count(page, table)
    first = page.locator("#slips div").first
    assert re.match(r"last dealt: \w+, card 12", first.text_content())
    assert "Certain" not in page.text_content("#slips")
    first.locator("button").click()
    finish(page, table, order)


@pytest.mark.long
@pytest.mark.parametrize("view", ["stream", "compass"])
def test_after_a_way_back_every_view_shows_the_heights_once(open_page, view):
    page, _, _ = astray(open_page, "views", -5, "none", 11)
    choose_view(page, view)
    open_mending(page)
    page.fill("#wrong-card", "7")
    page.click("#wrong-go")
    assert page.is_visible("#mat small")
    assert "Take back 5 cards" in page.text_content("#note")
    assert "Take back 5 cards" in page.text_content("#said")
    page.keyboard.press("ArrowLeft")
    assert page.is_visible(f"#deal.{view}")
