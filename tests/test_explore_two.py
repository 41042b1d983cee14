"""The page by which two people deal a deck that nobody knows: seals as in Python; and as two people use it."""

import json
import re

import pytest

from fairdeck import Hands, Mat, replay
from fairdeck.dealing.cards import read_cards
from fairdeck.dealing.code_reader import read_code
from fairdeck.dealing.two_deals import (
    CommittedOrder,
    audited,
    commitment_message,
    order_message,
    read_commitment,
    read_order,
    task_for,
)
from tests.page_scripts import engine_of
from tests.phones import by_camera, pasted, scanned
from tests.player import LANDSCAPE, SMALL

HELPERS = """
function again(text) {
  const found = readOther(text);
  if (!found) return "";
  const { person, seal, shown } = found;
  return JSON.stringify(seal ? [person, hexOf(seal)] : [orderText(shown), sealText(shown)]);
}
function named(text) {
  return JSON.stringify(namesIn(text));
}
function plan(person, cards, columns, rows, players, order) {
  const own = sealedOrder(person, taskFor(cards, columns, rows, players), JSON.parse(order), new Uint8Array(32));
  return JSON.stringify([orderText(own), sealText(own)]);
}
"""
SALT = bytes(range(32))
LISTS = (
    *("Old Warden, the Gate\nEmber Jolt\n\nMarsh, \n", "red green blue", "The Fool, Marsh; Death", "The Fool\tMarsh"),
    *("SA ♥10\n10♠️, kc", "3 1\n2", "1\n2\n3", "SA\nJoker"),
)


@pytest.fixture(scope="module")
def engine():
    return engine_of("two", "orders", "names", helpers=HELPERS)


def test_seals_and_orders_are_letter_for_letter_those_of_python(engine):
    goals = [
        (1, Mat(3, 1), "deck"),
        (2, Mat(4, 2), "deck"),
        (2, Mat(4, 1), Hands((3, 3))),
        (2, Mat(4, 1), Hands((2, 2), rest=2)),
    ]
    for person, mat, goal in goals:
        task = task_for(person, 6, mat, goal) if goal != "deck" else task_for(person, 6, mat)
        own = CommittedOrder(person, task, (2, 0, 5, 1, 4, 3), SALT)
        assert json.loads(engine.get("again")(order_message(own))) == [order_message(own), commitment_message(own)]
        assert json.loads(engine.get("again")(commitment_message(own).lower())) == [person, own.commitment.hex()]
    made = json.loads(engine.get("plan")(2, 7, 4, 1, 3, "[6,5,4,3,2,1,0]"))
    own = CommittedOrder(2, task_for(2, 7, Mat(4, 1), Hands((2, 2, 2), rest=1)), (6, 5, 4, 3, 2, 1, 0), bytes(32))
    assert made == [order_message(own), commitment_message(own)]


@pytest.mark.parametrize("typed", LISTS)
def test_names_are_parted_as_in_python(engine, typed):
    told = json.loads(engine.get("named")(typed))
    assert read_cards(told, whole=False) == read_cards(typed, whole=False)


def test_the_page_refuses_what_is_no_order_of_two_deals(engine):
    own = CommittedOrder(1, task_for(1, 6, Mat(3, 1)), (2, 0, 5, 1, 4, 3), SALT)
    for text in (
        order_message(own)[:-1],
        "T2-R",
        "T2-C-0000",
        "f1.6.3x1",
        order_message(own).replace("T2-R", "T2-C"),
        "",
    ):
        assert engine.get("again")(text) == ""


@pytest.fixture
def phones(phones_with):
    return phones_with("two")


def drawn(page, person, **fields):
    page.select_option("#person", str(person))
    for name, value in fields.items():
        page.fill(f"#{name}", value)
    page.click("#plan button")


def code_of(page):
    return read_code(page.get_attribute("#deal", "href").removeprefix("./#"))


def test_two_phones_seal_deal_and_audit_hands(phones):
    first, second = phones(), phones(SMALL)
    drawn(first, 1, size="12")
    drawn(second, 2, size="12", players="3")
    assert by_camera(first, scanned(second)) == "The seal came."
    assert pasted(second, first.input_value("#sent")) == "The seal came."
    one, other = code_of(first), code_of(second)
    assert one.task.classic
    assert str(other.task.goal) == "hands:3x4"
    first.click("#deal")
    first.wait_for_selector("text=Deal from the top")
    first.goto("http://deck.test/two.html")
    for page in (first, second):
        page.click("#over")
        page.click("text=Tap again")
    second.goto(scanned(first))
    assert second.text_content("#said") == "The order came."
    pasted(first, second.input_value("#sent"))
    for page in (first, second):
        assert "Both orders fit their seals." in page.text_content("#fits")
    names = "SA SK SQ SJ ST S9 S8 S7 S6 S5 S4 S3"
    deck = names.split()[::-1]
    orders = [read_order(page.input_value("#sent")) for page in (first, second)]
    after, _ = replay(orders[0].plan, deck)
    _, hands = replay(orders[1].plan, after)
    first.fill("#names", names)
    found = [set(text.partition(": ")[2].split()) for text in first.locator("#cards p").all_text_contents()]
    assert found == list(map(set, hands))


def test_a_keyboard_stays_where_the_next_step_is(phones):
    first, second = phones(), phones()
    drawn(first, 1, size="9")
    drawn(second, 2, size="9")
    for page in (first, second):
        page.focus("#over")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")  # tap again
        assert page.evaluate("document.activeElement.id") == "step"
    first.fill("#received", second.input_value("#sent"))
    first.focus("#take")
    first.keyboard.press("Enter")
    assert first.evaluate("document.activeElement.id") == "result-head"


def test_the_cards_of_a_whole_deck_are_listed_from_the_top(phones):
    first, second = phones(LANDSCAPE), phones()
    drawn(first, 1, size="9")
    drawn(second, 2, size="9")
    for page in (first, second):
        page.click("#over")
        page.click("text=Tap again")
    pasted(first, second.input_value("#sent"))
    assert "No seal was compared." in first.text_content("#fits")
    orders = [read_order(page.input_value("#sent")) for page in (first, second)]
    expected = [str(9 - card) for card in reversed(audited(*orders))]
    assert first.locator("#cards li").all_text_contents() == expected


def test_orders_are_not_shown_or_read_before_play_is_over(phones):
    first, second = phones(), phones()
    drawn(first, 1, size="9")
    drawn(second, 2, size="9")
    assert first.input_value("#sent").startswith("T2-C")
    first.click("#over")
    assert first.input_value("#sent").startswith("T2-C"), "asked once more"
    first.click("text=Tap again")
    assert pasted(second, first.input_value("#sent")) == "This shows an order. Do not read it before play is over."
    assert second.is_hidden("#result")


def test_another_order_than_the_sealed_one_is_told(phones):
    first, second = phones(), phones()
    drawn(first, 1, size="9")
    drawn(second, 2, size="9")
    pasted(first, second.input_value("#sent"))
    forged = CommittedOrder(2, task_for(2, 9, Mat(5, 2)), tuple(range(9)), SALT)
    assert "another seal than before" in pasted(first, commitment_message(forged))
    first.click("#over")
    first.click("text=Tap again")
    assert "not the order that was sealed" in pasted(first, order_message(forged))
    small = CommittedOrder(2, task_for(2, 8, Mat(5, 2)), tuple(range(8)), SALT)
    assert "That deal has 8 cards" in pasted(first, order_message(small))
    assert "One deals first, the other second" in pasted(first, first.input_value("#sent"))
    assert "not a message of a deal by two" in pasted(first, "hello")
    assert first.is_hidden("#result")


def test_a_seal_that_comes_after_play_is_not_taken(phones):
    """Who has seen the first order can make a seal of any other one."""
    first, second = phones(), phones()
    drawn(first, 1, size="9")
    drawn(second, 2, size="9")
    seal = second.input_value("#sent")
    for page in (first, second):
        page.click("#over")
        page.click("text=Tap again")
    assert "came after play was over" in pasted(first, seal)
    order = second.input_value("#sent")
    assert pasted(first, order) == "The order came."
    forged = CommittedOrder(2, task_for(2, 9, Mat(5, 2)), tuple(range(9)), SALT)
    assert "came after play was over" in by_camera(first, f"http://deck.test/two.html#{commitment_message(forged)}")
    first.reload()
    assert "No seal was compared." in first.text_content("#fits")
    first.fill("#names", "a b c d e f g h h")
    assert "Write 9 different names" in first.text_content("#unnamed")
    first.fill("#names", "a b c d e f g h i")
    assert first.text_content("#unnamed") == ""
    assert sorted(first.locator("#cards li").all_text_contents()) == list("abcdefghi")


def test_a_reload_keeps_the_order_and_forgetting_deletes_it(phones):
    page = phones()
    drawn(page, 1, size="9")
    seal = page.input_value("#sent")
    page.reload()
    assert page.input_value("#sent") == seal
    assert read_commitment(seal)[0] == 1
    page.click("#leave")
    assert page.input_value("#sent") == seal, "asked once more"
    page.click("text=Tap again")
    page.wait_for_selector("#plan")
    assert page.evaluate("localStorage.getItem('fairdeck-two')") == "null"


@pytest.mark.parametrize(
    ("person", "fields", "says"),
    [
        (1, {"size": "0"}, "Cards: write 1 to 10,000"),
        (1, {"columns": "27"}, "columns and rows are 1 to 26"),
        (1, {"columns": "1", "rows": "1"}, "at least 2 spaces"),
        (2, {"players": "60"}, "Hands: write 1 to 52"),
        (2, {"players": "11"}, "at least 12 spaces"),
        (2, {"players": "x"}, "Hands: write"),
    ],
)
def test_what_cannot_be_dealt_is_said(phones, person, fields, says):
    page = phones()
    drawn(page, person, **fields)
    assert says in page.text_content("#fault")
    assert page.is_hidden("#dealing")


def test_a_stuck_generator_draws_nothing(phones):
    page = phones(script="crypto.getRandomValues = (array) => array.fill(7)")
    drawn(page, 1)
    assert "random generator" in page.text_content("#said")
    assert page.is_hidden("#dealing")
    assert re.fullmatch(r"\s*", page.input_value("#sent"))
