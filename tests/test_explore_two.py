"""The page by which two people deal a deck that nobody knows: seals as in Python; and as two people use it."""

import json
import re

import pytest

from fairdeck import FairdeckError, Hands, Mat, replay
from fairdeck.dealing.cards import read_cards
from fairdeck.dealing.code_reader import read_code
from fairdeck.dealing.two_deals import (
    CommittedOrder,
    audited,
    commitment_message,
    order_message,
    read_commitment,
    read_order,
    session_named,
    task_for,
)
from tests.page_scripts import engine_of
from tests.phones import by_camera, pasted, scanned
from tests.player import LANDSCAPE, SMALL

HELPERS = """
function again(text) {
  const found = readOther(text);
  if (!found) return "";
  const { person, session, seal, shown } = found;
  return JSON.stringify(seal ? [hexOf(session), person, hexOf(seal)] : [orderText(shown), sealText(shown)]);
}
function named(text) {
  return JSON.stringify(namesIn(text));
}
function plan(person, cards, columns, rows, players, order, text) {
  const task = taskFor(cards, columns, rows, players);
  const own = sealedOrder(person, task, JSON.parse(order), new Uint8Array(32), sessionNamed(text));
  return JSON.stringify([orderText(own), sealText(own)]);
}
function session(written) { const found = sessionNamed(JSON.parse(written)); return found ? hexOf(found) : ""; }
"""
SALT, NAMED = bytes(range(32)), "Table 2"
SESSION = session_named(NAMED)
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
        own = CommittedOrder(person, task, (2, 0, 5, 1, 4, 3), SALT, SESSION)
        assert json.loads(engine.get("again")(order_message(own))) == [order_message(own), commitment_message(own)]
        told = [SESSION.hex(), person, own.commitment.hex()]
        assert json.loads(engine.get("again")(commitment_message(own).lower())) == told
    made = json.loads(engine.get("plan")(2, 7, 4, 1, 3, "[6,5,4,3,2,1,0]", NAMED))
    own = CommittedOrder(
        2, task_for(2, 7, Mat(4, 1), Hands((2, 2, 2), rest=1)), (6, 5, 4, 3, 2, 1, 0), bytes(32), SESSION
    )
    assert made == [order_message(own), commitment_message(own)]


@pytest.mark.parametrize("typed", LISTS)
def test_names_are_parted_as_in_python(engine, typed):
    told = json.loads(engine.get("named")(typed))
    assert read_cards(told, whole=False) == read_cards(typed, whole=False)


def test_the_page_refuses_what_is_no_order_of_two_deals(engine):
    own = CommittedOrder(1, task_for(1, 6, Mat(3, 1)), (2, 0, 5, 1, 4, 3), SALT, SESSION)
    for text in (
        order_message(own)[:-1],
        "T2-R",
        "T2-C-0000",
        "f1.6.3x1",
        order_message(own).replace("T2-R", "T2-C"),
        "",
    ):
        assert engine.get("again")(text) == ""


TYPED = [
    *(
        "Table 2",
        " table\u00a0\u00a02 ",
        "TABLE 2\n",
        "\uff34able\u3000\u2461",
        "Straße",
        "STRASSE",
        "\u0130x",
        "\u03a3\u03a3",
    ),
    *("", " ", "\u200b", "\u3164", "a\ud800", "x" * 64, "x" * 65, "\U0001f3b4" * 64, "\u00a8", "e\u0301", "\u202eBen"),
    *("\ufb01sh", "\u1e9e"),
]


@pytest.mark.parametrize("text", TYPED)
def test_the_page_and_python_name_sessions_alike(engine, text):
    try:
        expected = session_named(text).hex()
    except FairdeckError:
        expected = ""
    assert engine.get("session")(json.dumps(text)) == expected


@pytest.fixture
def phones(phones_with):
    return phones_with("two")


def drawn(page, person, **fields):
    page.select_option("#person", str(person))
    page.fill("#session", NAMED)
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
    forged = CommittedOrder(2, task_for(2, 9, Mat(5, 2)), tuple(range(9)), SALT, SESSION)
    assert "Another seal came before" in pasted(first, commitment_message(forged))
    first.click("#over")
    first.click("text=Tap again")
    assert "not the order that was sealed" in pasted(first, order_message(forged))
    small = CommittedOrder(2, task_for(2, 8, Mat(5, 2)), tuple(range(8)), SALT, SESSION)
    assert "That deal has 8 cards" in pasted(first, order_message(small))
    assert "One deals first, the other second" in pasted(first, first.input_value("#sent"))
    assert "not a message of a deal by two" in pasted(first, "hello")
    assert first.is_hidden("#result")


def kept(page):
    return page.evaluate("localStorage.getItem('fairdeck-two')")


def test_what_is_refused_changes_nothing_and_the_deal_goes_on(phones):
    """At every step: messages of another session, another person, another deal, forged ones, and no message."""
    first, second = phones(), phones()
    drawn(first, 1, size="9")
    drawn(second, 2, size="9")
    small, task = task_for(2, 8, Mat(5, 2)), task_for(2, 9, Mat(5, 2))
    earlier = CommittedOrder(2, task, tuple(range(9)), SALT, session_named("Table 1"))
    forged = CommittedOrder(2, task, tuple(range(9)), SALT, SESSION)
    other = CommittedOrder(2, small, tuple(range(8)), SALT, SESSION)
    own = first.input_value("#sent")
    wrong = [
        own,
        "hello",
        "T2-C",
        "T1-C-0000-0ENK-HQMG",
        *map(
            commitment_message, (earlier, CommittedOrder(1, task_for(1, 9, Mat(5, 2)), tuple(range(9)), SALT, SESSION))
        ),
    ]
    wrong += map(order_message, (earlier, forged, other))
    states = {
        "before the seal": lambda: None,
        "sealed": lambda: pasted(first, second.input_value("#sent")),
        "play is over": lambda: [(page.click("#over"), page.click("text=Tap again")) for page in (first, second)],
    }
    for name, reach in states.items():
        reach()
        for text in wrong + [commitment_message(forged)] * (name != "before the seal"):
            before = kept(first)
            pasted(first, text)
            assert first.evaluate("document.getElementById('said').classList.contains('wrong')"), (name, text)
            assert kept(first) == before, (name, text)
    assert pasted(first, second.input_value("#sent")) == "The order came."
    assert "Both orders fit their seals." in first.text_content("#fits")


def test_a_deal_of_another_session_is_told_by_what_both_can_compare(phones):
    first, second = phones(), phones()
    drawn(first, 1, size="9")
    second.select_option("#person", "2")
    second.fill("#size", "9")
    for typed in ("", "\u200b", "x" * 65):
        second.fill("#session", typed)
        second.click("#plan button")
        assert "1 to 64 visible letters" in second.text_content("#fault")
        assert second.is_hidden("#dealing")
    second.fill("#session", "Table 3")
    second.click("#plan button")
    short = SESSION.hex()
    said = pasted(first, second.input_value("#sent"))
    assert said.startswith("This belongs to another deal.")
    assert f"session {short[:4]} {short[4:8]}." in said
    assert f"Session {short[:4]} {short[4:8]}." in first.text_content("#agreed")


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
    forged = CommittedOrder(2, task_for(2, 9, Mat(5, 2)), tuple(range(9)), SALT, SESSION)
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
    assert read_commitment(seal)[:2] == (SESSION, 1)
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
