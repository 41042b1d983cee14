"""The page in a real browser, used as a person would use it."""

import json
import re
import subprocess
import sys
from itertools import islice

import pytest
from axe_playwright_python.sync_playwright import Axe

from fairdeck import Dice, Mat, Task, parse_goal, seeded_words, uniform_permutation
from fairdeck.page import build
from fairdeck.planner import plan_for
from tests.table import Table

PHONE = {"width": 390, "height": 844}
LANDSCAPE = {"width": 844, "height": 390}
SMALL = {"width": 320, "height": 568}


TAPED = """(() => {
  const tape = [];
  let at = 0;
  crypto.getRandomValues = (array) => {
    for (let i = 0; i < array.length; i++) array[i] = tape[at++];
    return array;
  };
})()"""
SHOWN = """() => ({
  label: $("label").textContent, note: $("note").textContent, count: $("count").textContent,
  progress: $("progress").textContent,
  heights: [...$("mat").querySelectorAll("div:has(b)")].map(({ children: [name, height] }) =>
    [name.textContent, height.textContent]),
})"""
PROBLEM = """() => {
  const boxes = ["label", "coming", "note", "mat", "undo", "next"].map($)
    .filter((element) => element.textContent && element.offsetParent)
    .map((element) => [element.id, element.getBoundingClientRect()]);
  const out = (box) => box.left < -0.5 || box.right > innerWidth + 0.5 || box.top < 0 || box.bottom > innerHeight + 0.5;
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  for (const [id, box] of boxes) if (out(box)) return `${id} leaves the screen`;
  for (const [one, a] of boxes) for (const [two, b] of boxes) if (one < two && meet(a, b)) return `${one} meets ${two}`;
  return "";
}"""


@pytest.fixture(scope="session")
def page_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("page") / "deal.html"
    file.write_text(build(), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def open_page(browser, page_file):
    """Open the page; whatever it complains of, or fetches, fails the test."""
    contexts, complaints, requests = [], [], []

    def opened(viewport=PHONE, words=(), **options):
        context = browser.new_context(viewport=viewport, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        if words:
            page.add_init_script(TAPED.replace("[]", json.dumps(list(words))))
        page.goto(page_file)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in requests if url != page_file and not url.startswith("data:")] == []


def set_up(page, cards, mat, goal="deck"):
    page.fill("#cards", str(cards))
    preset = page.locator(f"#presets button[value='{mat}']")
    if preset.count():
        preset.click()
    else:
        page.click("#presets button[value=own]")
        columns, rows = mat.split("x")
        page.fill("#columns", columns)
        page.fill("#rows", rows)
    kind, _, value = goal.partition(":")
    page.locator(f"input[name=goal][value={kind}]").check()
    if kind == "hands":
        hands, _, left = value.partition("+")
        players, each = hands.split("x")
        page.fill("#players", players)
        page.fill("#each", each)
        page.set_checked("#stock", left != "rest")
    elif kind == "top":
        page.fill("#top", value)


def play(page, cards, before_each=lambda: None):
    """Deal the deck through to the end: read what is shown, lay cards on piles, press Next."""
    table = Table(cards)
    while True:
        before_each()
        shown = page.evaluate(SHOWN)
        label = shown["label"]
        if shown["count"] == "Ready":
            table.begin("bottom" in label)
        elif shown["count"].startswith("Card"):
            table.deal(label)
        elif shown["count"] == "Check":
            assert {name: len(pile) for name, pile in table.mats[0].items()} == {n: int(h) for n, h in shown["heights"]}
        elif shown["count"] == "Hands":
            rest = re.search(r"other cards lie on (\w+)", shown["note"])
            table.take_away([*label.removeprefix("Hand out ").split(", "), *([rest[1]] if rest else [])])
        elif shown["count"].startswith("Gather"):
            table.put(*re.fullmatch(r"Put (\w+) on (\w+)", label).groups())
        else:
            return table
        page.evaluate("() => $('next').click()")


def tape(seed, cards):
    return list(islice(seeded_words(seed.encode()), cards + 40_000))


@pytest.mark.parametrize(
    ("cards", "mat", "goal"),
    [
        *((60, "5x2", "deck"), (442, "7x3", "deck"), (1, "5x2", "deck"), (2, "5x2", "deck"), (2, "1x1", "deck")),
        *((52, "5x1", "deck"), (104, "7x1", "deck"), (150, "5x2", "deck"), (78, "4x2", "deck"), (9, "10x10", "deck")),
        *(
            (52, "5x2", "hands:4x13"),
            (52, "5x2", "hands:4x7+stock"),
            (40, "7x1", "hands:3x9+rest"),
            (52, "5x2", "top:20"),
        ),
    ],
)
def test_the_deck_dealt_is_the_order_drawn(open_page, cards, mat, goal):
    words = tape(f"{cards} {mat} {goal}", cards)
    page = open_page(words=words)
    set_up(page, cards, mat, goal)
    page.click("#start")
    table = play(page, cards)
    order = uniform_permutation(cards, Dice(words))
    wanted = parse_goal(goal, cards)
    deck, end = table.end(), cards
    for hand in table.hands:
        assert sorted(hand) == sorted(order[end - len(hand) : end])
        end -= len(hand)
    assert len(table.hands) == len(wanted.piles)
    loose = wanted.loose(cards)
    assert deck[loose:] == order[loose:end]
    assert (
        page.text_content("#progress")
        == f"Pass {(n := len(plan_for(Task(cards, Mat.parse(mat), wanted), order).passes))} of {n}"
    )
    page.click("#next")
    assert page.is_visible("#setup")


def test_undo_goes_back_over_everything_and_the_deck_is_still_right(open_page):
    words = tape("undo", 30)
    page = open_page(words=words)
    set_up(page, 30, "5x1")
    page.click("#start")
    seen = []
    for _ in range(200):
        seen.append(page.evaluate(SHOWN))
        if seen[-1]["count"] == "Done":
            break
        page.keyboard.press("Space")
    assert seen[-1]["count"] == "Done"
    for earlier in reversed(seen[:-1]):
        page.keyboard.press("ArrowLeft")
        assert page.evaluate(SHOWN) == earlier
    assert page.is_disabled("#undo")
    assert play(page, 30).end() == uniform_permutation(30, Dice(words))


def test_keys_and_pedals_step_once_each(open_page):
    page = open_page(words=tape("keys", 20))
    set_up(page, 20, "5x2")
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


def test_leaving_asks_once(open_page):
    page = open_page()
    page.click("#start")
    page.click("#next")
    page.click("#leave")
    page.click("#stay")
    assert page.text_content("#count") == "Card 1 of 60"
    page.click("#leave")
    page.keyboard.press("Escape")
    assert page.text_content("#count") == "Card 1 of 60"
    page.click("#leave")
    page.click("#go")
    page.wait_for_selector("#setup")
    page.click("#start")
    assert page.text_content("#count") == "Ready"
    page.click("#leave")
    page.keyboard.press("Escape")
    page.wait_for_selector("#sure", state="hidden")
    page.click("#next")
    assert page.text_content("#count") == "Card 1 of 60"


@pytest.mark.parametrize("text", ["0", "-1", "1e3", "12.7", "", "text", "1000000000000", "1000001", "٣"])
def test_a_bad_number_of_cards_is_told_under_the_field(open_page, text):
    page = open_page()
    page.fill("#cards", text)
    assert "whole number from 1 to 1,000,000" in page.text_content("#cards-error")
    assert text[:20].strip() in page.text_content("#cards-error")
    assert page.get_attribute("#cards", "aria-invalid") == "true"
    assert page.text_content("#advice") == ""
    page.click("#start")
    assert page.is_visible("#setup")
    assert page.evaluate("() => document.activeElement.id") == "cards"
    page.fill("#cards", "60")
    assert page.text_content("#cards-error") == ""
    assert "2 passes" in page.text_content("#line")


@pytest.mark.parametrize(
    ("columns", "rows"), [("0", "5"), ("5", "0"), ("200", "200"), ("27", "1"), ("", "2"), ("x", "2"), ("1e1", "2")]
)
def test_a_bad_mat_is_told_under_the_field(open_page, columns, rows):
    page = open_page()
    page.click("#presets button[value=own]")
    page.fill("#columns", columns)
    page.fill("#rows", rows)
    assert "whole number from 1 to 26" in page.text_content("#mat-error")
    page.click("#start")
    assert page.is_visible("#setup")
    page.click("#presets button[value='5x2']")
    assert page.text_content("#mat-error") == ""


@pytest.mark.parametrize(
    ("goal", "says"),
    [
        ("hands:4x16", "4 hands of 16 take 64 cards; the deck has 60"),
        ("hands:0x5", "Hands: “0” is not a whole number from 1 to 60"),
        ("hands:4x1e1", "Cards each: “1e1” is not a whole number from 1 to 60"),
        ("top:61", "1 to 60"),
        ("top:", "1 to 60"),
    ],
)
def test_goals_that_do_not_add_up_are_told(open_page, goal, says):
    page = open_page()
    set_up(page, 60, "5x2", goal)
    assert says in page.text_content("#goal-error")
    page.click("#start")
    assert page.is_visible("#setup")
    page.locator("input[name=goal][value=deck]").check()
    page.click("#start")
    assert page.is_visible("#deal")


def test_a_mat_too_small_is_told(open_page):
    page = open_page()
    set_up(page, 60, "1x1")
    assert "at least 2 spaces" in page.text_content("#mat-error")
    set_up(page, 60, "5x1", "hands:6x5+rest")
    assert "at least 7 spaces" in page.text_content("#goal-error")
    page.click("#start")
    assert page.evaluate("() => document.activeElement.id") == "players"


def test_only_the_top_cards_are_promised(open_page):
    page = open_page()
    set_up(page, 60, "5x2", "top:12")
    assert "Only the top 12 cards will be random" in page.text_content("#advice")
    page.fill("#top", "1")
    assert "Only the top card will be random" in page.text_content("#advice")


def test_a_pass_from_the_bottom_says_so_with_every_card(open_page):
    words = next(
        words
        for words in (tape(f"bottom {k}", 52) for k in range(100))
        if plan_for(Task(52, Mat(5, 1)), uniform_permutation(52, Dice(words))).passes[0].from_base
    )
    page = open_page(words=words)
    set_up(page, 52, "5x1")
    page.click("#start")
    assert page.text_content("#label") == "Deal from the bottom"
    for _ in range(3):
        page.click("#next")
        assert "from the bottom" in page.text_content("#note")


def test_the_screen_stays_awake(open_page):
    page = open_page()
    page.evaluate("() => { window.locks = 0; navigator.wakeLock.request = async () => { window.locks++; }; }")
    page.click("#start")
    assert page.evaluate("() => locks") == 1


FORBIDDEN = "() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; }"


@pytest.mark.parametrize("forbidden", [False, True])
def test_closing_asks_only_where_the_deal_would_be_lost(open_page, forbidden):
    page = open_page()
    if forbidden:
        page.evaluate(FORBIDDEN)
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.click("#start")
    page.click("#next")
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    assert asked == (["beforeunload"] if forbidden else [])


@pytest.mark.parametrize(("cards", "goal"), [(40, "deck"), (30, "hands:3x4+stock")])
def test_a_reload_at_any_time_loses_nothing(open_page, cards, goal):
    """Reloaded before every seventh step, wherever that is, undone once, and dealt to the end."""
    words = tape(f"reload {goal}", cards)
    page = open_page(words=words)
    set_up(page, cards, "5x1", goal)
    page.click("#start")
    steps = 0

    def interrupted():
        nonlocal steps
        steps += 1
        if steps % 7 == 0:
            before = page.evaluate(SHOWN)
            page.reload()
            assert page.evaluate(SHOWN) == before

    table = play(page, cards, interrupted)
    order = uniform_permutation(cards, Dice(words))
    assert table.end() == order[: len(table.end())]
    assert steps > cards
    assert page.evaluate("() => localStorage.getItem('fairdeck-deal')") is None
    page.keyboard.press("ArrowLeft")
    before = page.evaluate(SHOWN)
    page.reload()
    assert page.evaluate(SHOWN) == before
    page.keyboard.press("ArrowRight")
    page.reload()
    assert page.is_visible("#setup")
    assert page.input_value("#cards") == str(cards)


def test_leaving_forgets_the_deal_but_not_the_settings(open_page):
    page = open_page()
    set_up(page, 33, "4x2", "hands:3x5+rest")
    page.click("#start")
    page.click("#leave")
    page.click("#go")
    page.reload()
    assert page.is_visible("#setup")
    assert [page.input_value(f"#{name}") for name in ("cards", "columns", "rows", "players", "each")] == [
        "33",
        "4",
        "2",
        "3",
        "5",
    ]
    assert not page.is_checked("#stock")
    page.click("#start")
    assert page.is_visible("#deal")


@pytest.mark.parametrize(
    "stored",
    ["{", "null", "7", '{"plan": {}}', '{"plan": {"format": "fairdeck-plan/1"}, "began": 1}', "DOCTORED", "SHORT"],
)
def test_a_spoilt_memory_is_forgotten(open_page, stored):
    page = open_page()
    page.click("#start")
    kept = page.evaluate("() => localStorage.getItem('fairdeck-deal')")
    changed = {"DOCTORED": kept.replace('"stack":[', '"stack":[99,'), "SHORT": kept[:200]}.get(stored, stored)
    page.evaluate("(text) => localStorage.setItem('fairdeck-deal', text)", changed)
    page.reload()
    assert page.is_visible("#setup")
    assert page.evaluate("() => localStorage.getItem('fairdeck-deal')") is None


def test_a_mat_that_needs_fewer_passes_is_one_tap_away(open_page):
    page = open_page()
    set_up(page, 150, "5x1")
    assert page.text_content("#line").startswith("3 passes")
    page.click("#advice button")
    assert page.text_content("#line").startswith("2 passes")
    assert page.get_attribute("#presets button[value='5x2']", "aria-pressed") == "true"


@pytest.mark.parametrize(
    "viewport", [PHONE, LANDSCAPE, SMALL, {"width": 820, "height": 1180}, {"width": 568, "height": 320}]
)
@pytest.mark.parametrize(
    ("cards", "mat"), [(60, "5x2"), (442, "7x3"), (300, "3x10"), (9, "1x7"), (150, "10x10"), (40, "26x26")]
)
def test_nothing_overlaps_or_runs_out_of_the_screen(open_page, viewport, cards, mat):
    page = open_page(viewport=viewport, words=tape("layout", cards))
    set_up(page, cards, mat)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.click("#start")
    seen = set()
    for _ in range(cards + 30):
        kind = page.text_content("#count").split()[0]
        if kind not in seen or kind == "Gather":
            seen.add(kind)
            assert page.evaluate(PROBLEM) == "", (kind, viewport)
        page.keyboard.press("PageDown")
    assert {"Ready", "Card", "Check"} <= seen


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_no_screen_has_an_accessibility_fault(open_page, scheme):
    """axe, on every screen; the page's policy is set aside for the checker's own script."""
    page = open_page(color_scheme=scheme, bypass_csp=True)

    def check(name):
        found = Axe().run(page).response["violations"]
        assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found] == [], name

    check("setup")
    page.fill("#cards", "x")
    check("error")
    set_up(page, 150, "5x1")
    check("suggestions")
    set_up(page, 52, "5x2", "hands:4x7+stock")
    check("hands")
    page.click("#start")
    for until in ("Ready", "Card 3", "Check", "Hands", "Gather", "Done"):
        while until not in page.text_content("#count"):
            page.click("#next")
        page.wait_for_timeout(300)  # the beat of a repeated label is over
        check(until)
        if until == "Card 3":
            page.click("#leave")
            check("leaving")
            page.click("#stay")


def test_the_page_is_small_and_complete():
    page = build()
    assert len(page.encode()) <= 60_000
    assert "{{" not in page
    assert not re.search(r"(src|href)=[\"']?(?!data:)\w+:", page)


def test_served_it_is_the_same_page(browser):
    command = [sys.executable, "-m", "fairdeck", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        place = re.search(r"http://\S+", server.stdout.readline())[0]
        context = browser.new_context(viewport=PHONE)
        page = context.new_page()
        answer = page.goto(place)
        assert answer.body().decode() == build()
        assert page.request.get(place + "elsewhere").status == 404
        page.click("#start")
        assert page.text_content("#count") == "Ready"
        context.close()
        server.terminate()
