"""Whole deals on the page in a real browser, dealt as a person would deal them."""

import json
import re
from itertools import pairwise

import pytest

from fairdeck import Mat, RandomIntegers, Strata, Task, draw, parse_goal
from tests import player
from tests.page_scripts import engine_of
from tests.table import Table
from tests.test_page_contract import FAKE, GENERATORS

PAIRS = [
    *((60, "5x2", "deck"), (1, "5x2", "deck"), (2, "1x1", "deck"), (3, "2x1", "deck"), (9, "10x10", "deck")),
    *((170, "26x1", "deck"), (250, "1x9", "deck"), (442, "7x3", "deck"), (100, "7x1", "top:1"), (60, "5x1", "top:59")),
    *((52, "5x2", "hands:4x13"), (40, "7x1", "hands:3x9+rest"), (52, "5x2", "hands:4x7+stock")),
    *((30, "5x1", "hands:8x3+stock"), (30, "2x1", "hands:8x3+rest"), (53, "5x2", "strata:5")),
]


def answer(page, choice):
    """Answer the question, and wait until the page has heard it."""
    page.click(f"#{choice}")
    page.wait_for_selector("#sure", state="hidden")
    page.wait_for_timeout(50)


def code_of(page):
    """Return the code that continues the deal on the screen."""
    page.click("#options-open")
    page.click("#open-code")
    code = page.input_value("#code-text")
    page.click("#code-dialog .primary")
    return code


def check_result(table, order, goal):
    """The hands hold whom they should, the deck lies in the order drawn, but for loose cards."""
    wanted, end = parse_goal(goal, len(order)), len(order)
    deck = list(table.end())
    hands = table.hands or [[deck.pop() for _ in range(size)] for size in wanted.piles]  # counted off
    for hand in hands:
        assert sorted(hand) == sorted(order[end - len(hand) : end])
        end -= len(hand)
    assert len(hands) == len(wanted.piles)
    assert not isinstance(wanted, Strata) or not wanted.fault(deck)
    loose = wanted.loose(len(order))
    assert deck[loose:] == list(order[loose:end])


@pytest.mark.cases(1)
@pytest.mark.parametrize(("cards", "mat", "goal"), PAIRS)
def test_the_deck_dealt_is_the_order_drawn(open_page, cards, mat, goal):
    words = player.tape(f"{cards} {mat} {goal}", cards)
    deal_the_order_drawn(open_page(words=words), words, cards, mat, goal)


def deal_the_order_drawn(page, words, cards, mat, goal):
    """Deal from the first screen back to it, by what is on the screen."""
    player.begun(page, cards, mat, goal)
    assert ("1. First put the special cards on top" in page.text_content("#note")) == ("strata" in goal)
    table = player.play(page, cards)
    check_result(table, player.order_drawn(words, cards, goal), goal)
    assert ("Count 8 × 3 cards off the top" in page.text_content("#end")) == ("8x3" in goal)
    passes = len(player.labels_planned(words, cards, mat, goal))
    assert page.text_content("#progress") == f"Pass {passes} of {passes}"
    page.click("#next")
    assert page.is_visible("#setup")


@pytest.mark.cases(1)
def test_cards_are_marked_to_be_turned_as_drawn_also_after_a_reload(open_page):
    words, shown, said = player.tape("turn", 14), [], []
    page = open_page(words=words)
    player.set_up(page, 14, "5x2")
    page.check("#turn")
    page.click("#start")
    assert "↻: turn the card end for end, face down." in page.text_content("#note")
    for cards in (5, 10, 14):
        page.click("#next")
        shown += page.evaluate("[...$('five').querySelectorAll('b')].map((label) => +label.matches('.turn'))")
        said += page.text_content("#said").strip().split(", ")
        page.reload()
        player.ready(page)
        assert page.text_content("#count").endswith(f"{cards} of 14")
    turn = draw(Task(14, Mat(5, 2), turn=True), RandomIntegers(words))[0].passes[0].turn
    assert tuple(shown) == tuple(int("turned" in label) for label in said) == turn
    while page.evaluate(player.SHOWN)["kind"] != "done":
        page.click("#next")
    assert "Which cards lie reversed is random too." in page.text_content("#end")


@pytest.mark.long
@pytest.mark.parametrize("view", ["single", "compass"])
def test_other_views_and_settings_lead_to_the_same_deck(open_page, view):
    """With own labels, the mat turned and the buttons on the left."""
    words = player.tape("labels", 30)
    page = open_page(words=words)
    player.set_up(page, 30, "5x1")
    player.choose_view(page, view)
    player.tap_more(page)
    page.fill("#labels", "red blue green black grün")
    page.click("#options-setup")
    page.check("#turned")
    page.check("#lefty")
    page.click("#options .primary")
    page.click("#start")
    assert ("Phone in the middle" in page.text_content("#note")) == (view == "compass")
    cells = page.locator("#mat > div").all_text_contents()
    assert cells == [label for label in ["grün", "black", "green", "blue", "red"] if label in cells], "turned"
    assert player.play(page, 30).end() == player.order_drawn(words, 30)


@pytest.mark.cases(1)
@pytest.mark.parametrize(("dealers", "goal"), [(2, "hands:3x4+stock"), (4, "deck")])
def test_dealers_each_with_a_device_make_one_deck(open_page, dealers, goal):
    """The first starts; the others enter the code he shows them. All deal, on mats of their own."""
    cards, words = 45, player.tape(f"dealers {dealers}", 45)
    first = player.begun(open_page(words=words), cards, "7x1", goal, dealers)
    pages = [first]
    for seat in range(1, dealers):
        first.locator("#seats button").nth(seat).click()
        other = open_page()
        other.click("#enter-code")
        other.fill("#enter-text", first.input_value("#code-text"))
        other.click("#enter-go")
        pages.append(other)
    first.click("#code-dialog .primary")
    check_result(deal_together(pages, cards), player.order_drawn(words, cards), goal)


def deal_together(pages, cards):
    """Each dealer deals what their own page says; then the first joins and gathers, and the others wait."""
    table = Table(cards)
    while True:
        shown = [page.evaluate(player.SHOWN) for page in pages]
        assert {each["kind"] for each in shown} == {shown[0]["kind"]}
        if not player.follow(table, shown[0]):
            for each in shown[1:]:
                assert (each["labels"], each["count"]) == (["Your part is dealt"], "")
            return table
        sizes = [int(size) for size in re.findall(r"(?:top|next) (\d+)", shown[0]["note"])]
        for seat, (page, size) in enumerate(zip(pages, sizes, strict=True)):
            player.tap_next(page)
            if seat:
                table.next_dealer()
            before = len(table.deck)
            deal_own_part(table, page)
            assert before - len(table.deck) == size
            player.tap_next(page)
        waiting = [page.evaluate(player.SHOWN)["note"] for page in pages[1:]]
        while (shown := pages[0].evaluate(player.SHOWN))["kind"] in ("join", "hands", "gather"):
            player.follow(table, shown)
            player.tap_next(pages[0])
        for page, note in zip(pages[1:], waiting, strict=True):
            assert ("Wait for your part" in note) == (shown["kind"] == "open"), "a part that never comes"
            assert "Dealer 1" in note
            player.tap_next(page)


def deal_own_part(table, page):
    """Deal to the end of one's part, and compare the heights."""
    while (shown := page.evaluate(player.SHOWN))["kind"] == "card":
        player.follow(table, shown)
        player.tap_next(page)
    assert shown["kind"] == "check"
    player.follow(table, shown)


@pytest.mark.long
@pytest.mark.parametrize(("cards", "view"), [(33, "single"), (33, "group")])
def test_undo_goes_back_over_everything_and_the_deck_is_still_right(open_page, cards, view):
    words, seen = player.tape("undo", cards), []
    page = player.begun(open_page(words=words), cards, "5x1", view=view)
    while True:
        shown = page.evaluate(player.SHOWN)
        if shown["kind"] == "gather":
            last_pass = shown["progress"].split()[1] == shown["progress"].split()[3]
            if last_pass:
                break
        seen.append(shown)
        page.keyboard.press("Space")
    for earlier in reversed(seen):
        page.keyboard.press("ArrowLeft")
        assert page.evaluate(player.SHOWN) | {"beats": 0} == earlier | {"beats": 0}
    assert page.is_disabled("#undo")
    assert player.play(page, cards).end() == player.order_drawn(words, cards)
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(player.SHOWN)["kind"] == "done", "the order is forgotten: there is no way back"
    assert page.is_hidden("#undo")


@pytest.mark.long
def test_repeated_labels_are_marked(open_page):
    words = player.tape("marks", 60)
    page, labels = open_page(words=words), player.labels_planned(words, 60, "5x2")[0]
    player.begun(page, view="single")
    again = [i > 0 and labels[i] == labels[i - 1] for i in range(60)]
    assert any(again)
    for repeated in again:
        player.tap_next(page)
        assert page.evaluate(player.SHOWN)["beats"][0] is repeated
    player.choose_view(page, "group")
    for first in range(55, -1, -5):
        page.keyboard.press("ArrowLeft")
        marks = page.evaluate(player.SHOWN)["beats"][1]
        assert marks == [place > 0 and again[first + place] for place in range(5)], first


def test_keys_and_pedals_step_once_each(open_page):
    page = open_page(words=player.tape("keys", 20))
    player.set_up(page, 20, "5x2")
    player.choose_view(page, "single")
    page.press("#cards", "Enter")
    for number, key in enumerate(["Space", "Enter", "ArrowRight", "ArrowDown", "PageDown"], 1):
        page.keyboard.press(key)
        assert page.text_content("#count") == f"Card {number} of 20"
    for number, key in enumerate(["Backspace", "ArrowLeft", "ArrowUp", "PageUp"], 1):
        page.keyboard.press(key)
        assert page.text_content("#count") == f"Card {5 - number} of 20"
    page.focus("#next")
    page.keyboard.press("Space")
    assert page.text_content("#count") == "Card 2 of 20"


@pytest.mark.long
@pytest.mark.parametrize("view", ["single", "group"])
def test_a_jump_leads_to_the_card_and_the_deck_is_still_right(open_page, view):
    words = player.tape("jump", 40)
    page, all_labels = open_page(words=words), player.labels_planned(words, 40, "5x2")[0]
    player.begun(page, 40, "5x2", view=view)
    page.click("#next")
    for card in (33, 2, 40, 1, 18):
        player.open_mending(page)
        page.fill("#wrong-card", str(card))
        page.click("#wrong-go")
        shown = page.evaluate(player.SHOWN)
        last = card if view == "single" else min(40, (card - 1) // 5 * 5 + 5)
        assert shown["labels"] == all_labels[card - 1 : last]
    for wrong in ("0", "41", "1e1", "", "x"):
        player.open_mending(page)
        page.fill("#wrong-card", wrong)
        page.click("#wrong-go")
        assert "1 to 40" in page.text_content("#wrong-error")
        page.click("#wrong-dialog .primary")
        assert page.evaluate(player.SHOWN) == shown
    page.keyboard.press("ArrowLeft")
    assert page.text_content("#count") == ("Card 17 of 40" if view == "single" else "Cards 16–20 of 40")


@pytest.mark.long
@pytest.mark.parametrize(("cards", "goal"), [(40, "deck"), (30, "hands:3x4+stock")])
def test_a_reload_at_any_time_loses_nothing(open_page, cards, goal):
    """Reloaded before every seventh step, wherever that is, undone once, and dealt to the end."""
    words = player.tape(f"reload {goal}", cards)
    page = player.begun(open_page(words=words), cards, "5x1", goal, view="single")
    steps = 0

    def interrupted():
        nonlocal steps
        steps += 1
        if steps % 7 == 0:
            before = page.evaluate(player.SHOWN)
            player.reload(page)
            again = page.evaluate(player.SHOWN)
            assert ("last dealt: " in again["note"]) == (again["kind"] == "card" and "Card 1 " not in again["count"])
            assert again | {"beats": 0, "note": ""} == before | {"beats": 0, "note": ""}

    table = player.play(page, cards, interrupted)
    check_result(table, player.order_drawn(words, cards), goal)
    assert steps > cards
    page.click("#next")
    player.reload(page)
    assert page.is_visible("#setup")
    assert page.input_value("#cards") == str(cards)


@pytest.mark.long
def test_a_deal_goes_on_elsewhere_from_its_code(open_page):
    """Dealt half-way on one device, the rest on another that opens the link."""
    words = player.tape("code", 52)
    page = player.begun(open_page(words=words), 52, "5x2", "hands:4x7+stock")
    table = Table(52)
    for _ in range(8):
        player.follow(table, page.evaluate(player.SHOWN))
        player.tap_next(page)
    other = open_page(fragment=f"#{code_of(page)}")
    mine, theirs = page.evaluate(player.SHOWN), other.evaluate(player.SHOWN)
    assert (mine["count"], mine["labels"], mine["progress"]) == (theirs["count"], theirs["labels"], theirs["progress"])
    assert "#" not in other.url, "the order does not stay in the address"
    while player.follow(table, other.evaluate(player.SHOWN)):
        player.tap_next(other)
    check_result(table, player.order_drawn(words, 52), "hands:4x7+stock")
    done = other.text_content("#end")
    assert "drawn where the code was made" in done, "another device's draw is not vouched for"
    assert "equally likely" not in done


@pytest.mark.long
def test_a_dealer_can_come_in_at_the_second_pass(open_page):
    page = player.begun(open_page(words=player.tape("second", 30)), 30, "5x2", dealers=3)
    page.click("#code-dialog .primary")
    while page.text_content("#progress") != "Pass 2 of 2 · Dealer 1":
        player.tap_next(page)
    for _ in range(2):
        player.tap_next(page)
    page.click("#options-open")
    page.click("#open-code")
    page.locator("#seats button").nth(2).click()
    other = open_page(fragment=f"#{page.input_value('#code-text')}")
    assert other.text_content("#progress") == "Pass 2 of 2 · Dealer 3"
    assert other.evaluate(player.SHOWN)["kind"] == "open"


def test_a_spoilt_code_is_told(open_page):
    page = player.begun(open_page())
    code = code_of(page)
    other = open_page()
    other.click("#enter-code")
    other.fill("#enter-text", code.replace("deck", "top_61"))
    other.click("#enter-go")
    assert "code is not complete" in other.text_content("#enter-error")
    other.fill("#enter-text", "  " + code[:30] + "\n" + code[30:])
    other.press("#enter-text", "Tab")
    other.click("#enter-go")
    assert other.is_visible("#deal")


def test_a_code_asks_before_it_takes_the_place_of_a_deal(open_page):
    one, two = open_page(), open_page()
    for page in (one, two):
        page.click("#start")
        page.click("#next")
    code, before = code_of(one), two.evaluate(player.SHOWN)
    two.evaluate("(code) => { location.hash = code; }", code)
    two.wait_for_selector("#sure[open]")
    answer(two, "stay")
    assert two.evaluate(player.SHOWN) == before
    two.evaluate("(code) => { location.hash = code; }", code)
    answer(two, "forget")
    assert two.evaluate(player.SHOWN)["labels"] == one.evaluate(player.SHOWN)["labels"]


@pytest.mark.long
def test_dealing_again_draws_another_order(open_page):
    words = player.tape("again", 60)
    page = player.begun(open_page(words=words))
    page.click("#next")
    player.open_mending(page)
    page.click("#deal-anew")
    answer(page, "forget")
    assert page.evaluate(player.SHOWN)["kind"] == "open"
    end = player.play(page, 60).end()
    assert end != player.order_drawn(words, 60)
    assert sorted(end) == list(range(60))


@pytest.mark.long
def test_stopping_keeps_the_deal_and_forgetting_does_not(open_page):
    page = player.begun(open_page())
    page.click("#next")
    before = page.evaluate(player.SHOWN)
    player.leave(page)
    answer(page, "stay")
    player.leave(page)
    page.keyboard.press("Escape")
    assert page.evaluate(player.SHOWN) == before
    player.leave(page)
    answer(page, "stop")
    page.wait_for_selector("#setup")
    player.reload(page)
    assert "Pass 1 of 2" in page.text_content("#underway")
    page.click("#start")
    page.wait_for_selector("#sure[open]")
    answer(page, "stay")
    page.wait_for_selector("#deal:not([hidden])")
    assert page.evaluate(player.SHOWN) == before
    player.leave(page)
    answer(page, "forget")
    page.wait_for_selector("#setup")
    assert page.is_hidden("#underway")
    page.click("#start")
    assert page.evaluate(player.SHOWN)["kind"] == "open"


FORBIDDEN = "() => { IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }; }"


@pytest.mark.cases(1)
@pytest.mark.parametrize("forbidden", [False, True])
def test_closing_asks_only_where_the_deal_would_be_lost(open_page, forbidden):
    page = open_page()
    if forbidden:
        page.evaluate(FORBIDDEN)
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.click("#start")
    page.click("#next")
    player.leave(page)
    assert page.is_visible("#stop") is not forbidden
    answer(page, "stay")
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    assert asked == (["beforeunload"] if forbidden else [])


SPOIL = """(how) => new Promise((resolve) => {
  const asked = indexedDB.open("fairdeck");
  asked.onsuccess = () => {
    const change = asked.result.transaction("slots", "readwrite"), store = change.objectStore("slots");
    store.get("deal").onsuccess = async ({ target: { result } }) => {
      if (how === "step") Object.assign(result.step, { at: -1, count: 1000 });
      if (how === "begun") result.step = 7;
      store.put(result, "deal");
      if (how === "number") store.put(7, "deal code");
      if (how === "short") store.put("f1.60.5x2.deck.pass.1of1.0", "deal code");
    };
    change.oncomplete = () => { asked.result.close(); resolve(); };
  };
})"""


@pytest.mark.long
def test_a_spoilt_memory_is_forgotten(open_page):
    for how in ["short", "number", "step", "begun"]:
        page = player.begun(open_page())
        player.wait_until_stored(page, "kept.deal?.step")
        page.evaluate(SPOIL, how)
        page.reload()
        player.ready(page)
        assert page.is_visible("#setup")
        assert page.is_hidden("#underway")
        player.wait_until_stored(page, "!kept['deal code']")


@pytest.mark.long
def test_a_deck_too_large_for_a_code_says_so(open_page):
    page = player.begun(open_page(), 10_001, "7x3")
    page.click("#options-open")
    page.click("#open-code")
    assert "More than 10,000 cards" in page.text_content("#code-note")
    assert page.is_hidden("#code-copy")


@pytest.mark.long
def test_the_screen_stays_awake_until_the_deal_is_over(open_page):
    """Each new deal asks for a lock of its own; one that stayed would keep the screen lit."""
    page = open_page()
    page.evaluate("""() => {
      window.locks = new Set();
      navigator.wakeLock.request = async () => {
        const lock = { release: async () => { locks.delete(lock); } };
        locks.add(lock);
        return lock;
      };
    }""")
    page.click("#start")
    page.wait_for_function("() => locks.size === 1")
    assert page.is_hidden("#awake-hint")
    player.open_mending(page)
    page.click("#deal-anew")
    answer(page, "forget")
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("() => locks.size === 1")
    player.leave(page)
    answer(page, "forget")
    page.wait_for_function("() => !locks.size")


@pytest.mark.long
def test_a_device_whose_sound_cannot_be_opened_deals_without(open_page):
    silent = "window.AudioContext = class { constructor() { throw new DOMException('no device'); } };"
    page = player.begun(open_page(script=silent))
    page.click("#next")
    page.click("#next")
    assert page.text_content("#count") == "Cards 6–10 of 60"


@pytest.mark.long
def test_the_device_trembles_where_it_can(open_page):
    words = player.tape("tremble", 60)
    page, labels = open_page(words=words), player.labels_planned(words, 60, "5x2")[0]
    page.evaluate("() => { window.felt = []; navigator.vibrate = (pattern) => felt.push(pattern); }")
    player.begun(page, view="single")
    for _ in range(61):
        page.click("#next")
    *felt, end = page.evaluate("() => felt")
    assert end == [60, 60, 60]
    lengths = [pulses[::2] for pulses in felt]  # the rest are pauses
    spaces = [("-ABCDE".index(label[0]), int(label[1:])) for label in labels]
    assert [(each.count(180), each.count(45)) for each in lengths] == spaces, "long for the row, short for the column"


def test_no_deck_is_dealt_by_a_generator_that_is_not_sound(open_page):
    page = player.begun(open_page(script=FAKE % GENERATORS["missing"]))
    assert "random generator fails: use another device" in page.text_content("#advice")
    assert page.is_visible("#setup")
    assert page.is_hidden("#underway")


@pytest.mark.long
def test_a_generator_that_fails_later_leaves_the_deal_under_way(open_page):
    page = player.begun(open_page())
    page.click("#next")
    page.evaluate("() => { crypto.getRandomValues = (array) => array.fill(7); }")
    player.open_mending(page)
    page.click("#deal-anew")
    answer(page, "forget")
    assert "random generator" in page.text_content("#advice")
    page.click("#go-on")
    assert page.evaluate(player.SHOWN)["count"] == "Cards 1–5 of 60"


STEPS = """
function stepsOf(cards, columns, dealers, goal) {
  const mat = makeMat(columns, 1), seats = [], order = uniformPermutation(cards, integersFrom(seededWords(7)));
  const task = { cards, mat, goal: goal === "deck" ? wholeDeck() : hands(cards, [cards - goal], "stock"), dealers, leastPasses: 1, classic: false, bottom: "never" };
  for (let dealer = 0; dealer < dealers; dealer++) {
    const deal = dealOf(task, order, dealer), steps = [];
    for (let at = 0; steps[steps.length - 1]?.kind !== "done"; at++) {
      const { kind, number } = stepAt(deal, at);
      steps.push({ kind, number, cards: deal.lists[number].length, comes: partComes(deal, number) });
    }
    seats.push(steps);
  }
  return JSON.stringify(seats);
}
"""  # noqa: E501


def test_nobody_waits_for_a_part_that_never_comes():
    """Of a stock of two or three cards the last dealers get none: they are done after the pass before."""
    engine = engine_of("sort", "dealing", "stages", "layouts", helpers=STEPS)
    for cards, columns, goal in [(45, 7, "deck"), (9, 2, "deck"), (12, 3, 2), (12, 3, 3), (12, 3, 5)]:
        for dealers in [2, 3, 4]:
            seats = json.loads(engine.get("stepsOf")(cards, columns, dealers, goal))
            passes = {step["number"] for step in seats[0]}
            for number in passes:
                assert sum(next((s["cards"] for s in steps if s["number"] == number), 0) for steps in seats) == (
                    cards if goal == "deck" or not number else goal
                )
            for steps in seats[1:]:
                for step, after in pairwise(steps):
                    if step["kind"] == "join":
                        assert step["comes"] == (after["kind"] == "open")
                    if step["kind"] == "open":
                        assert step["cards"] > 0, "told to begin with no card"
                assert steps[-2]["kind"] == "join", "what dealer 1 does is the last that another sees before the end"
            assert ("join" in [s["kind"] for s in seats[0] if s["number"] == max(passes)]) == (
                sum(
                    any(s["cards"] and s["number"] == max(passes) and s["kind"] == "card" for s in steps)
                    for steps in seats
                )
                > 1
            )


@pytest.mark.cases(1)
@pytest.mark.parametrize("first_ends", [True, False])
def test_the_end_is_told_truly_whoever_ends_first(open_page, first_ends):
    """Two dealers: neither is told that the deck is ready while the other one deals, nor asked to join too soon."""
    words = player.tape("ends", 20)
    one = player.begun(open_page(words=words), 20, "5x1", dealers=2)
    code = one.input_value("#code-text")
    one.click("#code-dialog .primary")
    two = open_page()
    two.click("#enter-code")
    two.fill("#enter-text", code)
    two.click("#enter-go")
    early, late = (one, two) if first_ends else (two, one)
    for page in (one, two):
        while page.evaluate(player.SHOWN)["kind"] != "open" or "Pass 2 of 2" not in page.text_content("#progress"):
            player.tap_next(page)
    while early.evaluate(player.SHOWN)["kind"] not in ("join", "done"):
        player.tap_next(early)
    shown = early.evaluate(player.SHOWN)
    if first_ends:
        assert shown["note"].startswith("When all have dealt")
    else:
        assert (shown["kind"], shown["labels"]) == ("join", ["Your part is dealt"])
        assert "Wait" not in shown["note"]
        player.tap_next(early)
        ended = early.evaluate(player.SHOWN)
        assert ended["labels"] == ["Your part is dealt"], "not: shuffled"
        assert "equally likely" not in early.text_content("#end")
        assert ended["count"] == ""
    assert late.evaluate(player.SHOWN)["kind"] == "open"
