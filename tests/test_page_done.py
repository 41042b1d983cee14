"""The end of a deal: one picture that is not the deck's, one number, the player's own pace, and a picture to share."""

import json
import re
from math import factorial

import pytest

from fairdeck.page import LANGUAGES, texts
from tests.player import LANDSCAPE, PHONE, SMALL, begun, go_to, reload, tape
from tests.test_page_looks import FITS

NEVER, SPECIAL = texts("en")["neverSeen"], texts("en")["special"] + ", from the top"
PIXELS = "() => document.querySelector('#end canvas').toDataURL()"
HISTORY = "() => JSON.parse(localStorage.getItem('fairdeck-history'))"
STILL = {"reduced_motion": "reduce"}


def ended(page, cards, mat="5x2", goal="deck", **options):
    begun(page, cards, mat, goal, **options)
    go_to(page, "done")
    return page


def number(page):
    return page.text_content("#end .number")


@pytest.mark.parametrize(
    ("cards", "goal", "says"),
    [
        (9, "deck", f"One of {factorial(9):,} orders, each equally likely."),
        (52, "deck", "One of 8 × 1067 orders, each equally likely. " + NEVER),
        (34, "deck", "One of 3 × 1038 orders, each equally likely."),
        (35, "deck", "One of 1040 orders, each equally likely. " + NEVER),
        (52, "hands:4x13+rest", "One of 5 × 1028 deals, each equally likely."),
        (52, "hands:4x7+stock", "One of 1053 deals, each equally likely."),
        (60, "top:20", "One of 1034 orders of the top 20, each equally likely. Do not use the others."),
        (53, "strata:5", f"One of 2 × 1068 orders, each equally likely. {SPECIAL} 3 × 11, 2 × 10. {NEVER}"),
        (60, "top:30", "One of 3 × 1049 orders of the top 30, each equally likely. Do not use the others. " + NEVER),
    ],
)
def test_the_number_of_orders_is_that_of_the_deck_the_hands_or_the_top(open_page, cards, goal, says):
    kind, _, rest = goal.partition(":")
    ways = factorial(cards)
    if kind == "top":
        ways //= factorial(cards - int(rest))
    elif kind == "hands":
        hands, each = map(int, re.findall(r"\d+", rest))
        ways //= factorial(each) ** hands * (factorial(cards - hands * each) if "rest" in rest else 1)
    elif kind == "strata":
        ways = factorial(cards - 5) * factorial(5) * 11**3 * 10**2
    if ways >= 10**7:
        first, power = f"{ways:.0e}".split("e+")
        assert f"One of {first} × 10{power}".replace("1 × 10", "10") in says, "counted here too"
    assert number(ended(open_page(words=tape("number", cards), **STILL), cards, goal=goal)) == says


def test_no_deck_ever_lay_like_this_is_said_from_the_size_where_chance_has_no_say():
    """Of a billion computers, each with a billion decks a second for 30 years: a chance below 10^-12 that one is it."""
    decks = 10**9 * 10**9 * 30 * 31_557_600
    assert decks < 10**27
    assert 10**27 / factorial(35) < 1e-12 < 10**27 / factorial(34)


def test_the_picture_is_not_the_deals_order(open_page):
    """The same words for the deal twice: another picture each time, and the fair one is not the sorted one."""
    pictures = {ended(open_page(words=tape("dust", 20), **STILL), 20, "5x1").evaluate(PIXELS) for _ in range(3)}
    assert len(pictures) == 3


def test_the_line_falls_once_after_the_tap_and_not_after_a_reload(open_page):
    page = begun(open_page(words=tape("falls", 20)), 20, "5x1")
    go_to(page, "done")
    first = page.evaluate(PIXELS)
    page.wait_for_timeout(2600)
    rest = page.evaluate(PIXELS)
    assert first != rest
    page.wait_for_timeout(300)
    assert page.evaluate(PIXELS) == rest, "it lies still"
    reload(page)
    again = page.evaluate(PIXELS)
    page.wait_for_timeout(300)
    assert page.evaluate(PIXELS) == again


def test_under_reduced_motion_dust_lies_there_at_once(open_page):
    page = ended(open_page(words=tape("calm", 20), **STILL), 20, "5x1")
    first = page.evaluate(PIXELS)
    page.wait_for_timeout(300)
    assert page.evaluate(PIXELS) == first


def test_the_device_keeps_count_and_pace_and_no_order_and_forgets_them(open_page):
    page = open_page(words=tape("history", 200), **STILL)
    for deck in range(3):
        page.evaluate("(ms) => { window.takes = ms; }", [4000, 3000, 3500][deck])
        ended(page, 20, "5x1")
        kept = page.evaluate(HISTORY)
        assert set(kept) == {"decks", "since", "paces"}
        assert kept["decks"] == len(kept["paces"]) == deck + 1
        assert re.fullmatch(r"\d{4}-\d\d", kept["since"])
        assert ("best yet" in page.text_content("#end")) == (deck == 1), "only if it is true"
        assert page.locator(".paces i").count() == (0 if deck == 0 else deck + 1)
        if deck < 2:
            page.click("#next")
    seconds = page.text_content(".pace dd")
    assert re.fullmatch(r"\d+:\d\d", seconds)
    page.click("#end .link")
    assert page.evaluate(HISTORY) is None
    assert page.evaluate("() => localStorage.getItem('fairdeck-pace')") == "null"
    assert page.text_content(".pace dd") == seconds
    assert page.locator("#end .link, .paces i").count() == 0


def test_the_history_stays_short_and_damaged_ones_do_no_harm(open_page):
    page = open_page(words=tape("long", 100), **STILL)
    long = json.dumps({"decks": 99, "since": "2020-03", "paces": [1.5] * 60})
    for damaged, decks in ((long, 100), ('{"decks":"x","paces":5}', 1), ("[", 1)):
        page.evaluate("(text) => localStorage.setItem('fairdeck-history', text)", damaged)
        ended(page, 10, "5x1")
        kept = page.evaluate(HISTORY)
        assert kept["decks"] == decks
        assert len(kept["paces"]) <= 40
        assert ("since March 2020" in page.text_content("#end")) == (decks == 100)
        page.click("#next")


def test_a_lesson_and_another_devices_deal_are_not_counted(open_page):
    page = open_page(words=tape("lesson", 9), **STILL)
    page.click("#try")
    go_to(page, "done")
    assert page.evaluate(HISTORY) is None


def test_what_is_shared_is_the_sentence_with_no_order_of_the_deal(open_page):
    page = ended(open_page(words=tape("share", 52), **STILL), 52)
    page.evaluate("() => { window.sent = []; navigator.share = async (data) => { sent.push(data); }; }")
    page.click("#send")
    (data,) = page.evaluate("() => sent")
    assert list(data) == ["text"]
    assert "8 × 10^67" in data["text"]


def test_what_this_rests_on_is_folded_unless_something_is_left_to_do(open_page):
    page = ended(open_page(words=tape("folded", 10), **STILL), 10, "5x1")
    page.wait_for_function("(text) => $('rests').textContent.includes(text)", arg=texts("en")["wiped"])
    assert "if no card was misplaced" in page.text_content("#rests")
    assert page.is_hidden("#rests")
    assert "Your order is forgotten" in page.text_content("#end figcaption")
    page.click("#end summary")
    assert page.is_visible("#rests")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("viewport", [PHONE, SMALL, LANDSCAPE], ids=str)
def test_the_actions_are_in_sight_in_every_language(open_page, language, viewport):
    page = ended(open_page(words=tape("sight", 52), viewport=viewport, locale=language, **STILL), 52)
    for large in (False, True):
        if large:
            page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
        assert page.evaluate(FITS)
        boxes = [page.locator(f"#{name}").bounding_box() for name in ("next", "again", "send")]
        for box in boxes:
            assert box["x"] >= 0 and box["x"] + box["width"] <= viewport["width"]
            assert box["y"] + box["height"] <= viewport["height"] + 0.5
        cut = "() => ['next', 'again', 'send'].filter((id) => $(id).scrollWidth > $(id).clientWidth + 1)"
        assert large or page.evaluate(cut) == []
