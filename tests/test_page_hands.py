"""Hands that slip, screens that turn, and people who hear the page rather than see it."""

import re
from itertools import pairwise

import pytest

from tests import player
from tests.table import Table


def double_tap(page, tap):
    """Tap twice, two seconds after the last tap and in no time between, however slow this machine is."""
    page.evaluate("() => { ahead += 2000; still = performance.now(); }")
    tap()
    page.evaluate("() => { still = null; }")


def steps(page, tap):
    """Return what is shown from the beginning of a deal to its end, a tap between."""
    shown = [player.place(page)]
    while shown[-1][0] != "done":
        tap()
        shown.append(player.place(page))
    return shown


@pytest.mark.long
@pytest.mark.parametrize("view", ["single", "group"])
def test_a_double_tap_is_one_step_wherever_it_falls(open_page, view):
    walks = []
    for taps in (1, 2):
        page = player.begun(open_page(words=player.tape("double", 12)), 12, "5x1", view=view)
        walks.append(
            steps(page, lambda page=page, taps=taps: double_tap(page, lambda: page.click("#next", click_count=taps)))
        )
    assert walks[0] == walks[1]
    assert {kind for kind, *_ in walks[0]} == {"open", "card", "check", "gather", "done"}


@pytest.mark.long
@pytest.mark.parametrize(("view", "key"), [("single", None), ("group", "ArrowLeft")])
def test_a_double_tap_on_undo_is_one_step_back(open_page, view, key):
    page = player.begun(open_page(words=player.tape("undone", 12)), 12, "5x1", view=view)
    places = [player.place(page)]
    while places[-1][0] != "gather":
        player.tap_next(page)
        places.append(player.place(page))
    while places[1:]:
        assert places.pop() == player.place(page)
        if key:
            double_tap(page, lambda: [page.keyboard.press(key) for _ in range(2)])
        else:
            double_tap(page, lambda: page.dblclick("#undo"))
        assert player.place(page) == places[-1]
    player.tap_next(page)
    before = player.place(page)
    double_tap(page, lambda: (page.click("#next"), page.click("#undo")))
    assert player.place(page) == before, "undo right after next takes it back"


@pytest.mark.long
def test_a_double_tap_on_start_or_at_the_end_does_not_answer_the_next_screen(open_page):
    page = open_page(words=player.tape("start", 5))
    player.set_up(page, 5, "5x1")
    double_tap(page, lambda: page.dblclick("#start"))
    assert player.place(page)[0] == "open"
    player.go_to(page, "done")
    double_tap(page, lambda: page.dblclick("#next"))
    assert page.is_visible("#setup")


@pytest.mark.long
def test_the_first_tap_counts_as_soon_as_there_is_something_to_tap(open_page):
    tapped_at_once = """document.addEventListener("DOMContentLoaded", () => new MutationObserver((_, watch) => {
      if ($("setup").hidden) return;
      watch.disconnect();
      setTimeout(() => $("start").click());
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["hidden"] }));"""
    open_page(script=tapped_at_once).wait_for_selector("#deal")


@pytest.mark.long
def test_a_double_tap_does_not_answer_the_question_it_brought_up(open_page):
    """Lying on its side the question lies over the buttons that bring it up."""
    page = player.begun(open_page(viewport=player.TINY_LANDSCAPE))
    page.click("#options-open")
    page.locator("#leave").scroll_into_view_if_needed()
    box = page.locator("#leave").bounding_box()

    def tap_where_the_answer_will_be():
        page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.evaluate("() => $('forget').click()")
        page.wait_for_timeout(100)

    double_tap(page, tap_where_the_answer_will_be)
    assert page.is_visible("#sure")
    page.click("#forget")
    page.wait_for_selector("#setup")


@pytest.mark.long
def test_a_key_held_down_is_one_step(open_page):
    page = player.begun(open_page(words=player.tape("held", 60)), view="single")
    for _ in range(6):
        player.tap_next(page)
    on, back = ("Enter", "Space", "ArrowRight", "PageDown"), ("ArrowLeft", "Backspace")
    for focus, key in [("next", "Enter"), ("next", "ArrowLeft"), ("undo", "Space"), ("undo", "Enter")] + [
        ("deal", key) for key in on + back
    ]:
        page.focus(f"#{focus}")
        before = int(page.text_content("#count").split()[1])
        for _ in range(8):
            page.keyboard.down(key)
        page.keyboard.up(key)
        step = -1 if key in back or focus == "undo" else 1
        assert int(page.text_content("#count").split()[1]) == before + step, (focus, key)


@pytest.mark.long
def test_five_cards_a_tap_are_not_held_up(open_page):
    """The quickest hands that deal five cards take more than half a second."""
    page = player.begun(open_page(words=player.tape("quick", 60)))
    page.click("#next")
    page.evaluate("() => { takes = 0; }")
    for first in range(6, 60, 5):
        page.wait_for_timeout(520)
        page.click("#next")
        assert page.text_content("#count") == f"Cards {first}–{min(60, first + 4)} of 60"


@pytest.mark.long
@pytest.mark.parametrize(("viewport", "language"), [(player.TINY_LANDSCAPE, "fr"), (player.SMALL, "de")], ids=str)
def test_no_button_covers_what_a_dialog_says(open_page, viewport, language):
    page = player.begun(open_page(viewport=viewport, locale=language))
    page.click("#next")
    for opener, dialog in (("options-open", "options"), ("open-wrong", "wrong-dialog"), ("leave", "sure")):
        if opener == "leave":
            page.click("#options-open")
        page.click(f"#{opener}")
        hidden = page.evaluate(
            """(id) => [...$(id).querySelectorAll("p, label, legend, h2, button, input")].filter((one) => {
              if (!one.getClientRects().length || one.matches("input[type=radio], input[type=checkbox]")) return false;
              one.scrollIntoView({ block: "nearest" });
              const box = one.getBoundingClientRect();
              const top = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 20));
              return !one.contains(top) && !top.contains(one) && !top.closest("label")?.contains(one);
            }).map((one) => one.textContent || one.id)""",
            dialog,
        )
        assert hidden == [], dialog
        if dialog != "options":
            page.keyboard.press("Escape")


# How far the ends of each part of the route lie from its stops, and the labels that the route crosses.
ROUTE = """() => {
  const stops = [...$("mat").querySelectorAll("li button")].map((stop) => {
    const box = stop.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  });
  const labels = [...$("mat").children].flatMap((cell) => {
    if (!cell.matches("div") || !cell.textContent) return [];
    const range = document.createRange();
    range.selectNodeContents(cell);
    return [[cell.textContent, range.getBoundingClientRect()]];
  });
  const [done, ahead] = $("mat").querySelectorAll(".route path"), far = [], crossed = new Set();
  const parts = (path) => path.getAttribute("d").split(/(?=M)/).filter(Boolean);
  [...parts(done), ...parts(ahead)].forEach((d, i) => {
    const part = ahead.cloneNode();
    part.setAttribute("d", d);
    ahead.parentElement.append(part);
    const length = part.getTotalLength(), at = (way) => part.getPointAtLength(way).matrixTransform(part.getScreenCTM());
    [at(0), at(length)].forEach(({ x, y }, end) => far.push(Math.hypot(x - stops[i + end][0], y - stops[i + end][1])));
    for (let way = 0; way <= length; way += 2) for (const [label, box] of labels) {
      const { x, y } = at(way), high = box.height / 8; // above and below the letters
      if (box.left < x && x < box.right && box.top + high < y && y < box.bottom - high) crossed.add(label);
    }
    part.remove();
  });
  return [Math.max(...far), [...crossed]];
}"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("cards", "mat", "turned"),
    [(60, "5x2", False), (60, "5x2", True), (600, "26x1", False), (60, "1x7", False), (300, "3x10", False)],
)
def test_the_route_goes_from_stop_to_stop_and_never_across_a_label(open_page, cards, mat, turned):
    page = player.begun(open_page(viewport=player.PHONE, words=player.tape("turn", cards)), cards, mat)
    page.evaluate("(turned) => { if (turned) $('turned').click(); }", turned)
    player.go_to(page, "gather")
    for viewport in (player.PHONE, player.LANDSCAPE, player.SMALL, player.PHONE):
        page.set_viewport_size(viewport)
        page.wait_for_timeout(200)
        far, crossed = page.evaluate(ROUTE)
        assert far < 2, viewport
        assert crossed == [], viewport
    page.evaluate("() => { document.documentElement.style.fontSize = '150%'; }")
    page.wait_for_timeout(200)
    assert page.evaluate(ROUTE)[0] < 2


@pytest.mark.cases(1)
def test_stops_are_ticked_off_and_come_back(open_page):
    page = player.begun(open_page(words=player.tape("ticks", 60)))
    player.go_to(page, "gather")
    stops = page.locator("#mat li button")
    count = stops.count()
    assert count > 3

    def behind():
        return [behind for *_, behind in page.evaluate(player.SHOWN)["stops"]]

    assert behind() == [False] * count
    stops.nth(1).focus()
    page.keyboard.press("Enter")
    assert behind() == [True, True, *[False] * (count - 2)]
    focused = page.evaluate("() => [document.activeElement.textContent, document.activeElement.ariaCurrent]")
    assert focused == ["3", "step"], "the next stop takes the focus"
    assert page.text_content("#count") == f"Pile 3 of {count}"
    stops.nth(0).click()
    assert behind() == [False] * count
    stops.nth(0).click()
    page.keyboard.press("ArrowLeft")
    assert behind() == [False] * count, "undo takes back one tick"
    stops.nth(2).click()
    page.click("#next")
    assert page.evaluate(player.SHOWN)["kind"] == "open"
    page.click("#undo")
    assert behind() == [False] * count, "only the dealer knows what is stacked"
    stops.nth(count - 1).click()
    assert page.evaluate(player.SHOWN)["kind"] == "open", "the last stop ends the route"


@pytest.mark.long
def test_a_deal_kept_in_the_middle_of_a_gathering_resumes_there(open_page):
    """A step of a deal is a move of the gathering, as in the versions that showed each on a screen of its own."""
    words = player.tape("kept moves", 40)
    page = player.begun(open_page(words=words), 40, "5x1", kept=True)
    player.go_to(page, "gather")
    page.locator("#mat li button").nth(1).click()
    before = page.evaluate(player.SHOWN)
    player.reload(page)
    assert page.evaluate(player.SHOWN)["stops"] == before["stops"]
    assert [behind for *_, behind in before["stops"]].count(True) == 2
    moves = len(before["stops"]) - 1
    at = page.evaluate("() => JSON.parse(localStorage.getItem('fairdeck-last')).step.at")
    assert at == 1 + 40 + 1 + 2, "begin, the cards, the check, two moves"
    page.click("#next")
    after = page.evaluate("() => JSON.parse(localStorage.getItem('fairdeck-last')).step.at")
    assert after == 1 + 40 + 1 + moves


@pytest.mark.long
@pytest.mark.parametrize("viewport", [player.SMALL, player.LANDSCAPE], ids=str)
def test_a_wide_mat_can_be_read_and_shows_the_place(open_page, viewport):
    page = player.begun(open_page(viewport=viewport, words=player.tape("wide", 600)), 600, "26x1", view="single")
    assert page.evaluate("() => parseFloat(getComputedStyle($('mat').firstChild).fontSize)") >= 11
    for _ in range(30):
        player.tap_next(page)
        page.wait_for_function("""() => {
          const now = $("mat").querySelector(".now").getBoundingClientRect(), frame = $("mat").getBoundingClientRect();
          return now.left >= frame.left - 1 && now.right <= frame.right + 1;
        }""")
    assert page.evaluate("() => [...$('mat').children].every((cell) => cell.scrollWidth <= cell.clientWidth + 1)")
    player.choose_view(page, "group")
    player.go_to(page, "check")
    assert page.evaluate("() => parseFloat(getComputedStyle($('mat').querySelector('small')).fontSize)") >= 9


def heard(session):
    """Return what a screen reader is given: the names of all that is not hidden from it, by role."""
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    shown = [node for node in nodes if not node["ignored"]]
    return [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in shown]


@pytest.mark.cases(1)
@pytest.mark.parametrize("view", ["single", "group"])
def test_a_deal_can_be_walked_by_keys_and_by_what_is_said_alone(open_page, view):
    """Setup, every card, the heights, the gathering and the end; nothing is read off the drawing."""
    words = player.tape("blind", 24)
    page = open_page(words=words)
    session = page.context.new_cdp_session(page)
    session.send("Accessibility.enable")
    player.choose_view(page, view)
    assert page.get_attribute("#said", "aria-live") == "polite"
    page.focus("#tiles :checked")
    page.keyboard.press("ArrowLeft")  # from the first tile to the last: any number
    page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("24")
    page.keyboard.press("Enter")
    table, in_use, said_before = Table(24), None, None
    while True:
        said = page.text_content("#said")
        assert said != said_before, "the same text twice is not said twice"
        said_before = said
        tree = heard(session)
        assert sum(role == "button" and name != "" for role, name in tree) >= 1
        drawing = next((name for role, name in tree if role in ("image", "img")), "")
        said = said.strip()
        if said.startswith("Deal from the"):
            table.begin("Deal from the bottom" in said)
            assert ". 1. " in said and "face down" in said
            in_use = re.search(r"in use: (.*)$", said)[1].split(", ")
        elif said.startswith("Hand empty? Look at the piles"):
            heights = dict(each.rsplit(" ", 1) for each in re.search(r"in use: (.*)$", said)[1].split(", "))
            assert {name: int(height) for name, height in heights.items()} == {n: table.height(n) for n in in_use}
            assert drawing == re.search(r"Mat, .*$", said)[0]
        elif stack := re.match(r"Stack 1 to (\d+)\. Face down: pile 1 on 2[^.]*\. (.+)\.$", said):
            route = stack[2].split(", ")
            stops = [name for role, name in tree if role == "button" and ": " in name]
            assert stops == [f"{number}: {label}" for number, label in enumerate(route, 1)]
            assert len(route) == int(stack[1]) == sum(role == "listitem" for role, _ in tree)
            for pile, onto in pairwise(route):
                table.put(pile, onto)
        elif said.startswith("Shuffled"):
            assert drawing.startswith("A fair deck from the side, not yours")
            assert "orders, each equally likely" in said.replace("\xa0", " ")
            break
        else:
            for label in re.sub(r", the same space again|, from the bottom of the deck", "", said).split(", "):
                assert label in in_use
                table.deal(label)
        page.keyboard.press("Space")
    assert table.end() == player.order_drawn(words, 24)
    page.keyboard.press("Space")
    assert page.is_visible("#setup")
    assert page.text_content("#said") == "", "the first screen begins with what was said of the last deal"


@pytest.mark.long
def test_the_third_equal_label_running_is_said_too(open_page):
    def runs(words):
        labels = player.labels_planned(words, 12, "2x1")[0]
        return [card for card in range(2, 10) if labels[card - 2] == labels[card - 1] == labels[card]]

    words = next(words for words in (player.tape(f"third {k}", 12) for k in range(100)) if runs(words))
    page = player.begun(open_page(words=words), 12, "2x1", view="single")
    said = []
    for _ in range(12):
        player.tap_next(page)
        said.append(page.text_content("#said"))
    third = runs(words)[0]
    assert all("the same space again" in text for text in said[third - 1 : third + 1])
    assert all(text != before for before, text in pairwise(said))
