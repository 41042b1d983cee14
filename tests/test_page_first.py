"""The page to somebody who has never heard of a mat: the first screen, the lesson, taps, words and the compass."""

import math
import re

import pytest

from fairdeck.page import texts
from tests import player
from tests.table import Table

DESKTOP = {"width": 1280, "height": 800}


def test_the_first_screen_asks_one_question_and_one_tap_begins(open_page):
    page = open_page()
    visible = page.locator("#form :is(input, select, button):visible").evaluate_all(
        "(all) => all.map((each) => each.id || each.name)"
    )
    assert visible == ["game"] * 8 + ["change-open", "start"]
    page.get_by_role("radio", name="Commander, 99 cards").check()
    assert "2 passes, 8 piles" in page.text_content("#advice")
    assert page.locator("#plan-mat b").count() == 8
    player.choose_cards(page, "61")
    assert page.locator("#tiles :checked").evaluate("(each) => each.value") == "other"
    page.click("#start")
    assert page.is_visible("#deal")


def test_a_tile_is_chosen_with_keys_and_named_to_those_who_hear_it(open_page):
    page = open_page()
    page.focus("#tiles :checked")
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("radio", name="Bridge, 52 cards").is_checked()
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    assert page.get_by_role("radio", name="Other").is_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("33")
    page.keyboard.press("Enter")
    assert page.is_visible("#deal")


DRAWN = """() => [...document.querySelectorAll("#ribbon canvas")].map((canvas) => canvas.toDataURL())"""


def test_the_ribbon_is_still_until_it_is_touched_and_shows_as_many_deals_as_the_plan(open_page):
    page = open_page(viewport=player.PHONE)
    assert page.locator("#ribbon span").all_text_contents() == ["your deck", "dealt once", "dealt twice"]
    assert "not your order" in page.get_attribute("#ribbon", "aria-label")
    still = page.evaluate(DRAWN)
    page.wait_for_timeout(500)
    assert page.evaluate(DRAWN) == still
    page.click("#ribbon")
    page.wait_for_timeout(300)
    moving = page.evaluate(DRAWN)
    page.wait_for_timeout(3000)
    after = page.evaluate(DRAWN)
    assert moving[0] == still[0] and moving[1] != after[1] != still[1]
    page.wait_for_timeout(500)
    assert page.evaluate(DRAWN) == after
    player.choose_cards(page, 1000)
    assert page.locator("#ribbon span").all_text_contents()[-1] == "dealt 3 times"


def test_a_ribbon_that_must_not_move_shows_its_end_at_once(open_page):
    page = open_page(reduced_motion="reduce")
    still = page.evaluate(DRAWN)
    page.click("#ribbon")
    after = page.evaluate(DRAWN)
    assert after[1] != still[1]
    page.wait_for_timeout(500)
    assert page.evaluate(DRAWN) == after


def test_the_ribbon_takes_no_randomness_of_the_deal(open_page):
    """The deal begins with the very words that the device gives first, whatever was played before."""
    words = player.tape("ribbon", 60)
    page = open_page(words=words)
    page.click("#ribbon")
    player.set_up(page, 60, "5x2")
    page.click("#start")
    player.tap_next(page)
    assert page.evaluate(player.SHOWN)["labels"] == player.labels_planned(words, 60, "5x2")[0][:5]


@pytest.mark.parametrize("viewport", [player.PHONE, player.SMALL, player.TINY_LANDSCAPE], ids=str)
def test_the_plan_stays_in_reach_only_where_the_screen_is_high_for_its_letters(open_page, viewport):
    page = open_page(viewport=viewport, bypass_csp=True)
    foot = "() => innerHeight - document.querySelector('#setup .foot').getBoundingClientRect().bottom"
    player.open_change(page)
    page.evaluate("() => scrollTo(0, 0)")
    assert (abs(page.evaluate(foot)) < 1) == (viewport != player.SMALL)
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    assert page.evaluate(foot) < 0, "large letters leave it where it stands"


@pytest.mark.long
def test_a_fault_in_a_hidden_setting_is_unfolded(open_page):
    page = open_page()
    player.set_up(page, 60, "5x1", "hands:4x17")
    page.click("#change-open")
    assert page.is_hidden("#players")
    page.click("#start")
    assert page.is_visible("#goal-error") and page.is_visible("#players")


def test_the_lesson_is_offered_once_and_its_slip_shows(open_page):
    page = open_page(words=player.tape("lesson", 9), locale="fr")
    page.click("#try")
    hint = texts("fr")
    assert page.text_content("#hint") == hint["lessonOpen"]
    table = Table(9)
    table.begin()
    player.tap_next(page)
    assert page.is_hidden("#hint")
    first = page.evaluate(player.SHOWN)["labels"]
    for label in first:
        table.deal(label)
    player.tap_next(page)
    assert page.text_content("#hint") == hint["lessonSlip"]
    for number, label in enumerate(page.evaluate(player.SHOWN)["labels"]):
        wrong = next(each for each in ("A1", "A2", "A3") if each != label)
        table.deal(wrong if number == 0 else label)
    player.tap_next(page)
    assert page.text_content("#hint") == hint["lessonCheck"]
    heights = page.evaluate(player.SHOWN)["heights"]
    assert sorted(table.height(name) - high for name, high in heights.items()) == [-1, 0, 1]
    player.go_to(page, "done")
    assert page.text_content("#hint p") == hint["lessonDone"].replace("{n}", "362\u202f880")
    assert page.locator("#end canvas").count() == 3
    drawn = "new Set([...$('end').querySelectorAll('canvas')].map((one) => one.toDataURL()))"
    page.wait_for_function(f"() => {drawn}.size === 3")
    page.click("#next")
    assert page.is_hidden("#try"), "it is offered once"
    page.click("a[href='#how']")
    page.wait_for_selector("#how [data-lesson]")


@pytest.mark.long
def test_the_lesson_does_not_replace_a_deal_without_a_question(open_page):
    page = player.begun(open_page())
    page.click("#next")
    player.leave(page)
    page.click("#stop")
    assert page.is_hidden("#try")
    page.click("a[href='#how']")
    page.click("#how [data-lesson]")
    assert page.is_visible("#sure")
    page.click("#stay")
    page.wait_for_selector("#deal")
    assert page.text_content("#count").endswith(" of 60")


@pytest.mark.long
def test_taps_on_the_labels_drive_the_deal(open_page):
    words = player.tape("taps", 23)
    page = player.begun(open_page(words=words), 23, "5x1")
    table = Table(23)
    while (shown := page.evaluate(player.SHOWN))["kind"] != "done":
        if shown["kind"] == "card":
            table.deal(shown["labels"][0])
            page.locator("#five li:not(.dealt)").first.click()
        else:
            player.follow(table, shown)
            player.tap_next(page)
    assert table.end() == player.order_drawn(words, 23)


@pytest.mark.long
def test_a_tapped_label_dims_and_a_dimmed_one_comes_back(open_page):
    page = player.begun(open_page(words=player.tape("dims", 60)))
    page.click("#next")
    page.locator("#five li").nth(2).click()
    assert page.locator("#five .dealt").count() == 3
    assert page.locator("#five li").nth(3).evaluate("(each) => each.matches('.now')")
    assert page.locator("#mat i.dealt").count() == 3
    page.locator("#five li").nth(1).click()
    assert page.locator("#five .dealt").count() == 1
    page.evaluate(
        "() => { ahead += 2000; takes = 0; for (const i of [1, 2]) $('five').children[i].click(); takes = 2000; }"
    )
    assert page.locator("#five .dealt").count() == 2, "two labels tapped at once are one card"
    page.click("#next")
    assert page.text_content("#count") == "Cards 6–10 of 60"


@pytest.mark.long
def test_the_button_says_what_it_confirms_and_changes_its_shape(open_page):
    page = player.begun(open_page(words=player.tape("button", 12)), 12, "5x1")
    said, looks = {}, {}
    while (kind := page.evaluate(player.SHOWN)["kind"]) != "done":
        said.setdefault(kind, []).append(page.text_content("#next"))
        looks[kind] = page.evaluate(
            """() => { const box = $("next").getBoundingClientRect(), style = getComputedStyle($("next"));
              return [box.left, box.width, style.backgroundColor, style.borderRadius].join(); }"""
        )
        player.tap_next(page)
    assert said["open"][0] == "Start"
    assert said["card"][:3] == ["Dealt: next five", "Dealt: next five", "All dealt"]
    assert set(said["check"]) == {"Piles match"}
    assert set(said["gather"]) == {"All stacked"}
    assert len({looks[kind] for kind in ("card", "check", "gather")}) == 3


@pytest.mark.cases(1)
@pytest.mark.parametrize(("cards", "most"), [(60, 32), (52, 30)])
def test_a_deal_takes_few_taps_from_start_to_end(open_page, cards, most):
    """Five cards a tap, a check and a gathering in each pass; of 60 cards at most 30 taps without the gatherings."""
    page = player.begun(open_page(words=player.tape("taps", cards)), cards)
    kinds = ["start"]
    while (kind := page.evaluate(player.SHOWN)["kind"]) != "done":
        player.tap_next(page)
        kinds.append(kind)
    assert len(kinds) <= most
    assert kinds.count("gather") == 2
    assert len(kinds) - kinds.count("gather") <= 30


def test_labels_on_a_phone_are_large(open_page):
    page = player.begun(open_page(viewport={"width": 360, "height": 740}, words=player.tape("large", 60)))
    page.click("#next")
    sizes = "(name) => [...document.querySelectorAll(name)].map((each) => parseFloat(getComputedStyle(each).fontSize))"
    assert min(page.evaluate(sizes, "#five b")) >= 40
    assert min(page.evaluate(sizes, "#mat > div")) >= 40


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "viewport", [player.SMALL, player.PHONE, player.TINY_LANDSCAPE, player.TABLET, DESKTOP], ids=str
)
def test_the_mat_fills_what_the_screen_leaves(open_page, viewport):
    page = player.begun(open_page(viewport=viewport, words=player.tape("fill", 60)))
    page.click("#next")
    box = page.locator("#mat").bounding_box()
    share = box["width"] * box["height"] / (viewport["width"] * viewport["height"])
    assert share > 0.25
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.long
@pytest.mark.parametrize(
    ("cards", "mat", "turned"), [(20, "5x1", False), (60, "3x2", True), (20, "3x3", False), (60, "3x3", True)]
)
def test_the_arrow_of_the_compass_points_to_the_pile_and_a_tap_anywhere_means_dealt(open_page, cards, mat, turned):
    """The device lies in the middle, under the middle row if there is one; a card is 1.4 times as high as wide."""
    words = player.tape(f"arrow {mat}", cards)
    page, passes = open_page(words=words), player.labels_planned(words, cards, mat)
    player.set_up(page, cards, mat)
    player.tap_more(page)
    page.click("#options-setup")
    page.locator("input[name=view][value=compass]").check()
    page.set_checked("#turned", turned)
    page.click("#options .primary")
    page.click("#start")
    page.click("#next")
    places = {label: (int(label[1:]) - 1, ord(label[0]) - ord("A")) for labels in passes for label in labels}
    columns, rows = (1 + max(place[axis] for place in places.values()) for axis in (0, 1))
    for number, label in enumerate(passes[0], 1):
        shown = page.evaluate(player.SHOWN)
        assert (shown["labels"], shown["count"]) == ([label], f"Card {number} of {cards}")
        column, row = places[label]
        if turned:
            column, row = columns - 1 - column, rows - 1 - row
        x, y = column - (columns - 1) / 2, row - (rows - 1) / 2 if rows % 2 == 0 else row - rows / 2
        needle = page.evaluate("() => $('lanes').querySelector('svg').style.transform")
        angle = float(needle.removeprefix("rotate(").removesuffix("rad)"))
        assert angle == pytest.approx(math.atan2(x, -1.4 * y), abs=1e-4)
        page.locator("#lanes").click()
    assert page.evaluate(player.SHOWN)["kind"] == "check"


@pytest.mark.long
def test_the_minutes_learn_from_the_players_own_deals(open_page):
    page = open_page(words=player.tape("minutes", 200))
    usual = float(re.search(r"about ([\d.]+) min", page.text_content("#line"))[1])
    page.evaluate("() => { takes = 16000; }")
    for _ in range(2):
        assert "at your pace" not in page.text_content("#line")
        page.click("#start")
        player.go_to(page, "done")
        page.click("#next")
    own = int(re.search(r"about (\d+) min at your pace", page.text_content("#line"))[1])
    steps = 2 * (60 / 5 + 1 + 1)  # of 16 seconds: fives, a check and a gathering, twice
    assert 0.8 * steps * 16 / 60 < own < 1.2 * steps * 16 / 60
    assert own != usual
    # A deal that is only tapped through says nothing of a pace.
    page.evaluate("() => { takes = 1000; }")
    line = page.text_content("#line")
    page.click("#start")
    player.go_to(page, "done")
    page.click("#next")
    assert page.text_content("#line") == line
