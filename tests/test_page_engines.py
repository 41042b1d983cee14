"""The page in Firefox and in WebKit, dealt as a person would deal it.

The page is as it is built, its policy in force. So these tests know only what is on the screen and in the browser's
storage, and none of the page's own names. What differs between browsers: layout, storage, sound, focus.
"""

import os
from contextlib import suppress

import numpy as np
import pytest
import zxingcpp
from PIL import Image

from fairdeck.explore import PAGES, site
from tests import player
from tests.conftest import serving
from tests.table import Table
from tests.test_explore_fair import FAIR, JUDGED
from tests.test_page_deals import PAIRS, code_of, deal_the_order_drawn
from tests.test_page_first import DESKTOP
from tests.test_page_keeps import files_with
from tests.test_page_looks import FITS, PROBLEM, REACHED
from tests.test_page_offline import KEPT
from tests.webdriver import Firefox, Page, WebKit, eventually, program

pytestmark = pytest.mark.long
COMPLAINTS = """(() => {
  window.complaints = [];
  for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"]) {
    addEventListener(kind, (event) => complaints.push(`${kind} ${event.message || event.reason || event.blockedURI}`));
  }
})()"""


@pytest.fixture(scope="module", params=[Firefox, WebKit], ids=["Firefox", "WebKit"])
def engine(request, tmp_path_factory):
    """Firefox or WebKit. Without it the tests are skipped, but never under CI."""
    for names in request.param.PROGRAMS:
        if not program(names):
            (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no {' or '.join(names)} on this machine")
    started = request.param(tmp_path_factory.mktemp("engine"))
    yield started
    started.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("site")
    for name, content in site(("en",)).items():
        (made / name).write_bytes(content)
    return made


@pytest.fixture
def server(folder):
    with serving(folder) as started:
        yield started


def address_on(server, host="127.0.0.1"):
    return f"http://{host}:{server.server_address[1]}/"


def watched(page):
    """A page that is ready, whose faults are noted, and whose clock gives each tap two seconds."""
    player.ready(page)
    page.evaluate(COMPLAINTS)
    page.evaluate(player.LEISURE)
    return page


def reload(page):
    assert page.evaluate("complaints") == []
    page.reload()
    watched(page)


@pytest.fixture
def open_in(engine, server):
    """Open the page in a window of its own; whatever it complains of fails the test."""
    page = Page(engine, player.PHONE)

    def opened(words=(), address=""):
        page.goto(address or address_on(server))
        watched(page)
        if words:
            page.evaluate(player.taped(words))
        return page

    yield opened
    complaints = page.evaluate("complaints")
    page.close()
    assert complaints == []


@pytest.mark.parametrize(("cards", "mat", "goal"), PAIRS[::5])
def test_the_deck_dealt_is_the_order_drawn(open_in, cards, mat, goal):
    words = player.tape(f"{cards} {mat} {goal}", cards)
    deal_the_order_drawn(open_in(words=words), words, cards, mat, goal)


# Nothing but the gap of the form lies between the last thing in a field and the next field.
FIELDS_CLOSE = """() => [...document.querySelectorAll("#form fieldset")].every((field) => {
  const last = [...field.children].filter((each) => each.getClientRects().length).pop();
  return !last || field.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom < 1;
})"""


def test_the_first_screen_fits_and_has_no_gaps(open_in):
    page = open_in()
    for viewport in (player.PHONE, player.LANDSCAPE, player.SMALL, DESKTOP):
        page.set_viewport_size(viewport)
        reload(page)
        assert page.evaluate("document.activeElement.id") == "setup"
        for unfold in (lambda page: None, player.open_change):
            unfold(page)
            assert page.evaluate(FITS), viewport
            assert page.evaluate(FIELDS_CLOSE), viewport


# Where the buttons are: all in one row; on a desktop beside the mat.
PLACE = """() => {
  const [next, options, all] = ["next", "options-open", "controls"].map((id) => $(id).getBoundingClientRect());
  return [next.bottom > options.top && options.bottom > next.top, all.right < innerWidth / 2];
}"""
PLACES = [
    (player.LANDSCAPE, [True, False]),
    (DESKTOP, [True, True]),
    (player.SMALL, [True, False]),
    (player.PHONE, [True, False]),
]


def turn(page, what):
    """Turn and resize a screen that is open; what it shows moves with it."""
    for viewport, place in PLACES:
        page.set_viewport_size(viewport)
        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        assert page.evaluate(PROBLEM) == "", (what, viewport)
        assert page.evaluate(FITS), (what, viewport)
        assert page.evaluate(REACHED), (what, viewport)
        assert what == "done" or page.evaluate(PLACE) == place, (what, viewport)


def test_every_screen_fits_also_when_it_is_turned(open_in):
    page, seen = open_in(), set()
    player.begun(page, 12, "5x1")
    while "done" not in seen:
        kind = page.evaluate(player.SHOWN)["kind"]
        if kind not in seen:
            turn(page, kind)
        for view in ("single", "compass", "stream", "group") if kind == "card" and kind not in seen else ():
            player.choose_view(page, view)
            turn(page, view)
        seen.add(kind)
        if kind != "done":
            player.tap_next(page)
    assert seen == {"open", "card", "check", "gather", "done"}


def test_an_empty_note_leaves_its_room_to_the_mat(open_in):
    page = open_in()
    page.click("#start")
    assert page.is_visible("#note")
    player.tap_next(page)
    assert page.is_visible("#five")
    assert page.text_content("#note") == ""
    assert page.evaluate("$('note').getClientRects().length") == 0
    player.choose_view(page, "single")
    assert page.evaluate("$('note').getClientRects().length") == 1, "a label would jump when a note comes"


@pytest.mark.parametrize("kind", ["served", "file"])
def test_a_reload_keeps_the_place_and_the_end_leaves_no_order(open_in, page_file, kind):
    words = player.tape("reload", 30)
    page = open_in(words=words, address=page_file if kind == "file" else "")
    player.begun(page, 30, "5x1")
    table = Table(30)
    for _ in range(4):
        player.follow(table, page.evaluate(player.SHOWN))
        player.tap_next(page)
    before = page.evaluate(player.SHOWN)
    player.wait_until_stored(page, "kept['deal code'] && kept.deal.step.at === 16")
    reload(page)
    shown = page.evaluate(player.SHOWN)
    assert (shown["labels"], shown["count"]) == (before["labels"], before["count"])
    assert "card 15" in shown["note"]
    while player.follow(table, page.evaluate(player.SHOWN)):
        player.tap_next(page)
    assert table.end() == player.order_drawn(words, 30)
    player.wait_until_stored(page, "!kept['deal code']")
    reload(page)
    assert page.evaluate(player.SHOWN)["kind"] == "done"
    assert "files may keep traces of the order" in page.text_content("#rests")


def test_the_browsers_own_files_do_not_hold_the_order_of_a_finished_deal(engine, open_in):
    page = open_in()
    page.click("#start")
    letters = code_of(page).split(".")[7].encode()
    if not engine.PRIVATE:
        assert holds(engine.folder, letters), "what is searched for can be found while it must be there"
    player.play(page, 60)
    eventually(lambda: not holds(engine.folder, letters), "the end of a file", 60)


def holds(folder, letters):
    """A browser at work adds and deletes files while they are read."""
    for _ in range(20):
        with suppress(FileNotFoundError):
            return files_with(folder, letters)
    raise AssertionError("the files do not come to rest")


def test_a_pile_that_does_not_match_leads_back_and_keys_move_on(open_in):
    page = open_in()
    player.begun(page, 12, "5x1")
    while page.evaluate(player.SHOWN)["kind"] != "check":
        player.tap_next(page)
    page.click("#differs")
    page.wait_for_selector("#wrong-dialog")
    assert page.evaluate("document.activeElement.id") == "wrong-title"
    page.fill("#wrong-card", "13")
    page.click("#wrong-go")
    assert "1 to 12" in page.text_content("#wrong-error")
    assert page.evaluate("document.activeElement.id") == "wrong-card"
    page.fill("#wrong-card", "7")
    page.press("#wrong-card", "Enter")
    page.wait_for_selector("#wrong-dialog", state="hidden")
    assert page.text_content("#count") == "Cards 6–10 of 12"
    assert page.evaluate("document.activeElement.id") == "next"
    for key, count in ((" ", "11–12"), ("ArrowLeft", "6–10"), ("PageDown", "11–12")):
        page.press("#next", key)
        assert page.text_content("#count") == f"Cards {count} of 12"
    page.press("#next", "Enter")
    assert page.evaluate(player.SHOWN)["kind"] == "check"


def test_the_picture_of_a_code_can_be_scanned_and_leads_on(open_in, server, tmp_path):
    """An address of this machine that the page does not know as such. Over plain http, so without what https offers."""
    words = player.tape("scan", 60)
    page = open_in(words=words, address=address_on(server, "[::ffff:127.0.0.1]"))
    assert page.is_visible("#plain-http")
    page.click("#start")
    page.click("#options-open")
    page.click("#open-code")
    page.screenshot(tmp_path / "code.png")
    (found,) = zxingcpp.read_barcodes(np.array(Image.open(tmp_path / "code.png").convert("L")))
    assert found.text == page.evaluate("location.href") + "#" + page.input_value("#code-text")
    page.goto("about:blank")
    page.goto(found.text)
    watched(page)
    assert "#" not in page.evaluate("location.href")
    page.click("#forget")
    page.wait_for_selector("#deal")
    assert player.play(page, 60).end() == player.order_drawn(words, 60)


# Notes what is set to sound, and in which context.
HEARD = """(() => {
  window.heard = [];
  for (const kind of [AudioBufferSourceNode, OscillatorNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...when) {
      heard.push([kind.name, this.context]);
      return start.apply(this, when);
    };
  }
})()"""


def test_the_first_tap_unlocks_voice_and_click(open_in):
    page = open_in()
    page.evaluate(HEARD)
    page.click("#start")
    player.choose_view(page, "tempo")
    page.click("#options-open")
    page.set_checked("#voice", True)
    page.click("#options .primary")
    page.click("#next")
    for kind in ("AudioBufferSourceNode", "OscillatorNode"):
        page.wait_for_function("(kind) => heard.filter(([each]) => each === kind).length > 1", arg=kind)
    assert page.evaluate("() => heard.every(([, context]) => context === heard[0][1])")
    page.wait_for_function("() => heard[0][1].state === 'running'")
    before = page.evaluate("() => heard[0][1].currentTime")
    page.wait_for_function("(before) => heard[0][1].currentTime > before + 0.2", arg=before)
    page.wait_for_function("() => $('count').textContent.startsWith('Card 3')")
    page.click("#next")
    assert "Resume" in page.text_content("#next")


def test_it_opens_and_deals_with_the_server_gone(open_in, server):
    page = open_in()
    page.evaluate(KEPT)
    page.click("#start")
    player.tap_next(page)
    before = page.evaluate(player.SHOWN)["labels"]
    player.wait_until_stored(page, "kept['deal code']")
    server.shutdown()
    server.server_close()
    reload(page)
    assert page.evaluate(player.SHOWN)["labels"] == before


def test_each_page_that_explains_opens_and_fits(engine, server):
    page = Page(engine, DESKTOP)
    for name in PAGES:
        page.goto(f"{address_on(server)}{name}.html")
        page.wait_for_selector("#version:not(:empty)")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    page.close()


def test_pasted_code_is_judged_and_kept_from_the_network(engine, server):
    page = Page(engine, DESKTOP)
    for code, verdict in (
        (f"fetch('{address_on(server)}leak').catch(() => {{}});", "No fault seen"),
        ("for (;;);", "Ended: no deck came"),
        (f"importScripts('{address_on(server)}leak');", "The code stopped"),
    ):
        page.goto("about:blank")
        page.goto(f"{address_on(server)}fair.html#cards=8&decks=10000")
        page.wait_for_selector("textarea")
        page.fill("textarea", f"{code} function shuffle(deck) {{ {FAIR} }}")
        page.evaluate("document.getElementById('judged').textContent = '…'")
        page.click("#run")
        player.wait_until(page, JUDGED)
        assert verdict in page.text_content("#verdict")
    asked = [path for path in server.asked if "leak" in path]
    page.close()
    assert asked == []
