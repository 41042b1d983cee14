"""The page by which people deal a deck that nobody knows, one after the other; as two people use it."""

import json
from dataclasses import replace

import pytest

from fairdeck import Mat, Task, parse_goal, plan_for, replay
from fairdeck.cards.decks import read_cards
from fairdeck.trust.draws import Attempt, own_of
from fairdeck.trust.messages import (
    all_shown_message,
    announcement_message,
    commitment_message,
    demand_announcement,
    list_message,
    shown_message,
    take_message,
)
from fairdeck.trust.states import Draw
from fairdeck.trust.verifying import read_transcript
from tests.page_scripts import engine_of
from tests.phones import begun, by_camera, joins, pasted, scanned
from tests.player import LANDSCAPE, SMALL
from tests.test_page_codes import order_of

LISTS = (
    *("Old Warden, the Gate\nEmber Jolt\n\nMarsh, \n", "red green blue", "The Fool, Marsh; Death", "The Fool\tMarsh"),
    *("SA ♥10\n10♠️, kc", "3 1\n2", "1\n2\n3", "SA\nJoker"),
)


def test_names_are_parted_as_in_python():
    engine = engine_of("two", "names", helpers="function named(text) { return JSON.stringify(namesIn(text)); }")
    for typed in LISTS:
        told = json.loads(engine.get("named")(typed))
        assert read_cards(told, whole=False) == read_cards(typed, whole=False)


@pytest.fixture
def phones(phones_with):
    return phones_with("two")


def dealing(first, second, **fields):
    """Bring two phones to the point where both may deal; return the agreement."""
    begun(first, **fields)
    agreement = demand_announcement(scanned(first))
    joins(second, first)
    assert by_camera(first, scanned(second)) == "A seal came."
    assert pasted(second, first.input_value("#sent")) == "The list came. Your seal is in it."
    return agreement


def played(*pages):
    for page in pages:
        page.click("#over")
        page.click("text=Tap again")


def deal_in(page):
    """Return the task and the order in the code of the deal that a page links to."""
    code = page.get_attribute("#deal-it", "href").removeprefix("./#")
    _, cards, mat, goal, bottom, _, _, order, _ = code.split(".")
    goal = parse_goal(goal.replace("_", ":", 1), int(cards))
    how = {"classic": True} if bottom == "classic" else {"bottom": bottom}
    return Task(int(cards), Mat.parse(mat), goal, **how), order_of(order, int(cards))


def test_two_phones_seal_deal_and_audit_hands(phones, tmp_path):
    first, second = phones(), phones(SMALL)
    agreement = dealing(first, second, size="12", hands="3")
    assert (agreement.way, agreement.goal) == ("product", "hands:3x4")
    one, other = deal_in(first), deal_in(second)
    assert [one[0], other[0]] == list(agreement.deals)
    first.click("#deal-it")
    first.wait_for_selector("text=Deal from the top")
    first.goto("http://deck.test/two.html")
    assert "T1-R" not in first.input_value("#sent") + second.input_value("#sent")
    played(first, second)
    assert by_camera(first, scanned(second)) == "All orders fit their seals."
    first.reload()
    second.goto(scanned(first))
    assert first.text_content("#word") == second.text_content("#word")
    names = "SA SK SQ SJ ST S9 S8 S7 S6 S5 S4 S3"
    after, _ = replay(plan_for(*one), names.split()[::-1])
    _, hands = replay(plan_for(*other), after)
    for page in (first, second):
        page.fill("#names", names)
        found = [set(text.partition(": ")[2].split()) for text in page.locator("#cards p").all_text_contents()]
        assert found == list(map(set, hands))
    with second.expect_download() as saved:
        second.click("#save")
    saved.value.save_as(tmp_path / "transcript.json")
    drawn = read_transcript((tmp_path / "transcript.json").read_bytes()).drawn
    assert drawn.agreement == agreement
    assert drawn.code == second.text_content("#word")


@pytest.mark.long
def test_three_phones_deal_one_deck_and_list_its_cards_from_the_top(phones):
    first, second, third = phones(LANDSCAPE), phones(), phones()
    begun(first, "Ann, Ben, Cem", size="9")
    for page, name in ((second, "Ben"), (third, "Cem")):
        joins(page, first, name)
        pasted(first, page.input_value("#sent"))
    for page in (second, third):
        page.goto(scanned(first))
    deals = [deal_in(page) for page in (first, second, third)]
    played(first, second, third)
    assert pasted(first, second.input_value("#sent")) == "An order came that fits its seal."
    assert pasted(first, third.input_value("#sent")) == "All orders fit their seals."
    deck = [str(9 - place) for place in range(9)]
    for deal in deals:
        deck = replay(plan_for(*deal), deck)[0]
    for page in (second, third):
        page.goto(scanned(first))
        assert page.locator("#cards li").all_text_contents() == list(deck[::-1])
    first.fill("#names", "a b c d e f g h")
    assert "Names: 8 of 9." in first.text_content("#unnamed")
    first.fill("#names", "a b c d e f g h h")
    assert sorted(first.locator("#cards li").all_text_contents()) == list("abcdefghh"), "two cards may be equal"


def test_orders_are_not_shown_or_read_before_play_is_over(phones):
    first, second = phones(), phones()
    dealing(first, second, size="9")
    assert first.input_value("#sent").startswith("T1-L")
    assert second.is_hidden("#out")
    second.click("#over")
    assert second.is_hidden("#out"), "asked once more"
    second.click("text=Tap again")
    assert second.input_value("#sent").startswith("T1-R")
    assert pasted(first, second.input_value("#sent")) == "This shows an order: not before play is over."
    assert first.is_hidden("#result")
    played(first)
    assert first.is_hidden("#void"), "nobody may begin again after play"
    assert pasted(first, second.input_value("#sent")) == "All orders fit their seals."


def kept(page):
    return page.evaluate("localStorage.getItem('fairdeck-two')")


@pytest.mark.long
def test_what_is_refused_changes_nothing_and_the_deal_goes_on(phones):
    """At every step: messages of another session, of the other person, forged ones, and no message."""
    first, second = phones(), phones()
    begun(first, size="9")
    agreement = demand_announcement(scanned(first))
    joins(second, first)
    own = own_of(bytes([7]) * 32, [tuple(range(9))])
    forged = Attempt(agreement, (bytes([1]) * 32, agreement.commitment(1, own)))
    earlier = replace(agreement, session=bytes(16))
    old = Attempt(earlier, tuple(earlier.commitment(person, own) for person in range(2)), (own, own))
    wrong = ["hello", "T1-C", "T2-C-0000-0ENK-HQMG", list_message(forged), shown_message(forged, 1, own)]
    wrong += [commitment_message(earlier, 1, old.commitments[1]), shown_message(old, 1, own), all_shown_message(old)]
    wrong += [announcement_message(earlier), announcement_message(replace(agreement.again(bytes(16), bytes(64))))]
    states = {
        "before the seals": lambda: None,
        "sealed": lambda: (pasted(first, second.input_value("#sent")), second.goto(scanned(first))),
        "play is over": lambda: played(first, second),
    }
    for name, reach in states.items():
        reach()
        for page in (first, second):
            late = [commitment_message(agreement, 1, forged.commitments[1])] * (name != "before the seals")
            for text in wrong + late:
                before = kept(page)
                pasted(page, text)
                assert page.evaluate("document.getElementById('said').classList.contains('wrong')"), (name, text)
                assert kept(page) == before, (name, text)
    assert pasted(first, second.input_value("#sent")) == "All orders fit their seals."


@pytest.mark.long
def test_another_order_than_the_sealed_one_is_told(phones):
    first, second = phones(), phones()
    agreement = dealing(first, second, size="9")
    watcher = Draw(agreement, collects=False)
    take_message(watcher, first.input_value("#sent"))
    played(first, second)
    other = own_of(bytes([7]) * 32, [tuple(range(9))])
    assert pasted(first, shown_message(watcher.attempt, 1, other)) == ("Ben’s order does not fit its seal.")
    assert first.is_hidden("#result")


@pytest.mark.long
def test_a_slip_before_play_begins_again_with_fresh_orders(phones):
    first, second = phones(), phones()
    dealing(first, second, size="9")
    _, before = deal_in(first)
    first.click("#void")
    assert first.text_content("#said") == "Attempt 1 is void. Missing: Ben. All begin again."
    joins(second, first)
    pasted(first, second.input_value("#sent"))
    assert "Attempt 2" in first.text_content("#agreed")
    assert deal_in(first)[1] != before


def test_a_reload_keeps_the_order_and_leaving_is_asked_twice(phones):
    page, other = phones(), phones()
    dealing(page, other, size="9")
    order = page.get_attribute("#deal-it", "href")
    page.reload()
    assert page.get_attribute("#deal-it", "href") == order
    page.click("#leave")
    assert page.is_visible("#deal-it"), "asked once more"
    page.click("text=Tap again")
    assert page.is_visible("#plan")
    assert page.evaluate("localStorage.getItem('fairdeck-two')") == "null"


def test_what_cannot_be_dealt_is_said(phones):
    page = phones()
    for fields, says in [
        ({"size": "0"}, "Cards: 1 to 10,000."),
        ({"columns": "27"}, "Mat, columns × rows: 1 to 26."),
        ({"columns": "1", "rows": "1"}, "at least 2 spaces"),
        ({"hands": "60"}, "Hands: 1 to 52."),
        ({"hands": "x"}, "Hands: 1 to"),
        ({"people": "Ann"}, "Name 2 to 60 people"),
    ]:
        page.reload()
        begun(page, **fields)
        assert says in page.text_content("#fault")
        assert page.is_hidden("#draw")


@pytest.mark.long
def test_a_whole_deal_by_the_keyboard_can_be_read_by_everybody(phones):
    from axe_playwright_python.sync_playwright import Axe

    first, second = (phones({"width": 320, "height": 640}, bypass_csp=True) for _ in range(2))
    dealing(first, second, size="9")
    for page in (first, second):
        page.focus("#over")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")  # tap again
        assert page.evaluate("document.activeElement.id") == "step"
    first.fill("#received", second.input_value("#sent"))
    first.focus("#take")
    first.keyboard.press("Enter")
    for page in (first, second):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert [fault["id"] for fault in Axe().run(page).response["violations"]] == []


def test_the_page_asks_what_the_first_dealer_learns(phones):
    page = phones()
    assert page.locator("#table span").count() == 4
    assert page.locator("#table i").count() == 52
    page.click("#answers [value=some]")
    assert page.text_content("#answers [data-right]") == "nothing"
    assert page.text_content("#reveal").startswith("Nothing.")
