"""What the page keeps of a deal: all through a crash, by one tab at a time, and nothing of its order afterwards."""

import os
import random
import signal
import subprocess
import time
from contextlib import contextmanager, suppress
from io import BytesIO

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import TimeoutError as NoAnswer

from fairdeck.cli import main
from fairdeck.page import texts
from tests import player
from tests.conftest import ARGUMENTS, chromium
from tests.test_page_deals import code_of
from tests.test_page_looks import FITS, PROBLEM

# One that follows says that the deal is open elsewhere.
FOLLOWED = "() => $('deal').getClientRects().length > 0 && !$('elsewhere').hidden"
# Notes what is overwritten with zeros, and the list itself.
WIPED = """(() => {
  const plain = Array.prototype.fill;
  window.wiped = [];
  Array.prototype.fill = function (...all) {
    wiped.push([[...this], this]);
    return plain.apply(this, all);
  };
})()"""
SAYS = "([id, text]) => $(id).textContent.includes(text)"
FORGOTTEN = "(order) => wiped.some(([old, list]) => `${old}` === `${order}` && list.every((card) => card === 0))"
# A tab that other tabs cannot reach while it is deaf, as if it slept; it notes what it would have heard.
DEAF = """window.BroadcastChannel = class extends BroadcastChannel {
  set onmessage(hear) {
    super.onmessage = (event) => { if (window.deaf) window.missed = event.data[0]; else hear(event); };
  }
};"""


@contextmanager
def crashing(profile):
    """A Chromium of our own on a profile; yields a page and a function that kills all its processes at once."""
    port = profile / "DevToolsActivePort"
    port.unlink(missing_ok=True)
    command = [chromium(), *ARGUMENTS, "--headless=new", "--remote-debugging-port=0", f"--user-data-dir={profile}"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)

    def kill():
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)

    try:
        for _ in range(300):
            if port.exists() and port.read_text().count("\n"):
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port.read_text().split()[0]}", kill
    finally:
        if process.poll() is None:
            kill()


def connected(browser, address):
    """Now and then a browser that has just begun does not answer the first call."""
    for _ in range(3):
        with suppress(NoAnswer):
            return browser.browser_type.connect_over_cdp(address, timeout=40_000)
    raise AssertionError("the browser does not answer")


@pytest.fixture
def started(browser):
    """Open an address in a Chromium of our own."""

    def opened(place, address):
        found = connected(browser, address)
        page = found.contexts[0].pages[0]
        page.add_init_script(player.LEISURE)
        page.goto(place)
        return player.ready(page)

    return opened


@pytest.fixture
def one_deal(tmp_path):
    file = tmp_path / "one.html"
    assert main(["deal", "40", "--seed", "0dea1", "--html", str(file)]) == 0
    return file.as_uri()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["file", "served", "one"])
def test_killed_at_any_moment_it_loses_at_most_the_step_under_the_finger(
    started, tmp_path, page_file, served, one_deal, kind
):
    """Seven kills of all of Chromium's processes for each kind of page, 0 to 100 ms after a tap.

    Taps are 150 to 300 ms apart, as a quick hand's.
    """
    chance, address_of = random.Random(14), {"file": page_file, "served": served[0], "one": one_deal}
    before = at = None
    for kill_number in range(8):
        with crashing(tmp_path / "profile") as (address, kill):
            page = started(address_of[kind], address)
            if at is not None:
                page.wait_for_selector("#deal:not([hidden])")
                assert player.place(page) in (before, at), kill_number
            elif kind != "one":
                page.click("#start")
            for _ in range(chance.randint(1, 4)):
                time.sleep(0.15 + chance.random() * 0.15)
                before = player.place(page)
                player.tap_next(page)
            at = player.place(page)
            time.sleep(chance.random() * 0.1)
            kill()


def test_the_step_is_on_the_disk_before_it_is_needed(open_page):
    """Every write is asked to be durable, and is there within moments."""
    listening = """(() => {
      const plain = IDBDatabase.prototype.transaction;
      window.asked = [];
      IDBDatabase.prototype.transaction = function (...all) {
        asked.push([all[1], all[2]?.durability]);
        return plain.apply(this, all);
      };
    })()"""
    page = player.begun(open_page(script=listening), kept=True)
    for _ in range(5):
        player.tap_next(page)
    player.wait_until_stored(page, "kept.deal.step.at === 21")  # the beginning, and four times five cards
    assert {durability for mode, durability in page.evaluate("() => asked") if mode == "readwrite"} == {"strict"}


def another_tab(page):
    """Open the same page in another tab of the same browser."""
    tab = page.context.new_page()
    tab.goto(page.url)
    return player.ready(tab)


@pytest.mark.cases(1)
@pytest.mark.parametrize("kind", ["whole", "one"])
def test_one_tab_deals_and_the_others_follow(open_page, page_file, one_deal, kind):
    one = open_page(file=page_file if kind == "whole" else one_deal)
    if kind == "whole":
        one.click("#start")
    player.wait_until(one, player.OWNED)
    player.tap_next(one)
    others = [another_tab(one), another_tab(one)]
    for _ in range(4):
        for two in others:
            player.wait_for_place(two, player.place(one))
            assert two.is_visible("#elsewhere")
            assert two.is_hidden("#controls")
            for key in ("Space", "ArrowLeft"):
                two.keyboard.press(key)
        player.tap_next(one)
    before = player.place(one)
    others[0].click("#take-over")
    player.wait_until(others[0], player.OWNED)
    for two in (one, others[1]):
        two.wait_for_function(FOLLOWED)
        player.tap_next(two)
        assert player.place(two) == before
    assert player.place(others[0]) == before
    player.tap_next(others[0])
    player.wait_for_place(one, player.place(others[0]))


@pytest.mark.long
def test_what_is_done_in_one_tab_cannot_return_from_another(open_page):
    words = player.tape("done elsewhere", 12)
    one = open_page(words=words)
    one.context.add_init_script(WIPED + "\n" + DEAF)
    player.begun(one, 12, "5x1", kept=True)
    two, deaf = another_tab(one), another_tab(one)
    # As if it had slept while the others went on.
    deaf.click("#take-over")
    player.wait_until(deaf, player.OWNED)
    deaf.evaluate("() => { deaf = true; }")
    one.wait_for_function(FOLLOWED)
    one.click("#take-over")
    player.wait_until(one, player.OWNED)
    order = player.play(one, 12).end()
    assert order == player.order_drawn(words, 12)
    player.wait_until_stored(one, "!kept['deal code']")
    two.wait_for_selector("#setup:not([hidden])")
    assert deaf.is_visible("#controls")
    player.tap_next(deaf)
    deaf.wait_for_selector("#setup:not([hidden])")
    assert deaf.evaluate(FORGOTTEN, list(order))
    for tab in (one, two, deaf):
        player.reload(tab)
        assert tab.is_hidden("#underway")
        player.wait_until_stored(one, "!kept['deal code'] && !kept.deal.step")


@pytest.mark.long
def test_a_tab_that_was_killed_is_replaced_without_a_question(open_page):
    one = player.begun(open_page(), kept=True)
    player.tap_next(one)
    before = one.evaluate(player.SHOWN)
    two = another_tab(one)
    two.wait_for_function(FOLLOWED)
    one.context.new_cdp_session(one).send("Page.navigate", {"url": "about:blank"})
    one.wait_for_url("about:blank")
    three = one.context.new_page()
    three.goto(two.url)
    player.ready(three)
    player.wait_until(three, player.OWNED)
    assert three.evaluate(player.SHOWN)["labels"] == before["labels"]
    two.wait_for_function(FOLLOWED)


@pytest.mark.long
def test_a_new_deal_in_one_tab_is_followed_in_the_other(open_page):
    words = player.tape("anew", 60)
    one = player.begun(open_page(words=words, script=WIPED), kept=True)
    two = another_tab(one)
    two.click("#take-over")
    player.wait_until(two, player.OWNED)
    player.open_mending(two)
    two.click("#deal-anew")
    two.click("#forget")
    one.wait_for_function(FORGOTTEN, arg=list(player.order_drawn(words, 60)))
    one.wait_for_function(FOLLOWED)
    for _ in range(3):
        player.tap_next(two)
        player.wait_for_place(one, player.place(two))


SLOW_TO_ASK = "setTimeout = ((plain) => (act, ms, ...all) => plain(act, ms === 200 ? 1500 : ms, ...all))(setTimeout)"


@pytest.mark.long
@pytest.mark.parametrize("meanwhile", ["ended", "anew"])
def test_a_deal_that_another_tab_ends_while_it_is_taken_over_is_not_gone_on_with(open_page, meanwhile):
    """Steps of a new deal must not lead through the order of the old one, and a screen is shown in any case."""
    one = player.begun(open_page(script=DEAF), kept=True)
    player.tap_next(one)
    one.evaluate("() => { deaf = true; }")
    two = one.context.new_page()
    two.add_init_script(SLOW_TO_ASK)
    two.goto(one.url)
    one.wait_for_function("() => window.missed === 'who'")
    if meanwhile == "ended":
        player.leave(one)
    else:
        player.open_mending(one)
        one.click("#deal-anew")
    one.click("#forget")
    one.wait_for_selector("#sure", state="hidden")
    one.evaluate("() => { deaf = false; }")
    two.wait_for_selector("#setup" if meanwhile == "ended" else "#deal")
    if meanwhile == "anew":
        player.tap_next(one if one.is_visible("#controls") else two)
        player.wait_until_stored(one, "kept.deal.step.at === 1")
        player.wait_for_place(two, player.place(one))
        player.wait_for_place(one, player.place(two))


@pytest.mark.long
def test_a_tab_that_follows_rests_when_the_deal_is_done(open_page, one_deal):
    """A file of one deal keeps its last step: a tab that was overtaken tried for ever to write it."""
    one = open_page(file=one_deal)
    player.wait_until(one, player.OWNED)
    two = another_tab(one)
    two.click("#take-over")
    one.wait_for_function(FOLLOWED)
    while two.evaluate(player.SHOWN)["kind"] != "done":
        player.tap_next(two)
    one.wait_for_selector("#deal.on-done")
    one.wait_for_timeout(300)
    counting = """() => {
      const plain = IDBDatabase.prototype.transaction;
      window.asked = 0;
      IDBDatabase.prototype.transaction = function (...all) { asked++; return plain.apply(this, all); };
    }"""
    one.evaluate(counting)
    one.wait_for_timeout(300)
    assert one.evaluate("() => asked") == 0


@pytest.mark.long
def test_a_page_from_the_browsers_memory_does_not_step_back(open_page):
    """Left for another page and come back to, while another tab took over and went on."""
    one = player.begun(open_page(script=DEAF), kept=True)
    player.tap_next(one)
    one.evaluate("() => { deaf = true; }")
    two = another_tab(one)
    player.wait_until(two, player.OWNED)
    player.tap_next(two)
    one.evaluate("() => { deaf = false; document.dispatchEvent(new Event('visibilitychange')); }")
    one.wait_for_function(FOLLOWED)
    player.wait_for_place(one, player.place(two))


@pytest.mark.long
def test_a_code_that_cannot_be_read_this_time_is_not_deleted(open_page, page_file):
    """Browsers lose hold of a file at times: Safari after a phone slept, others while a disk is busy."""
    page = player.begun(open_page(), kept=True)
    player.tap_next(page)
    before = page.evaluate(player.SHOWN)
    player.wait_until_stored(page, "kept.deal.step.at === 1")
    failing = page.context.new_page()
    failing.add_init_script("Blob.prototype.text = async () => { throw new DOMException('', 'NotReadableError'); };")
    page.goto("about:blank")
    failing.goto(page_file)
    player.ready(failing)
    failing.close()
    page.goto(page_file)
    player.ready(page)
    player.wait_until(page, player.OWNED)
    assert page.evaluate(player.SHOWN)["labels"] == before["labels"]


def test_after_the_end_the_order_is_nowhere_in_the_page(open_page):
    words = player.tape("erased", 20)
    page = player.begun(open_page(words=words, script=WIPED), 20, "5x1", dealers=2)
    letters = page.input_value("#code-text").split(".")[7]
    page.click("#code-dialog .primary")
    player.wait_until(page, player.OWNED)
    player.go_to(page, "done")
    order = player.order_drawn(words, 20)
    spaces = [int(label[1:]) - 1 for label in player.labels_planned(words, 20, "5x1")[0]]
    for gives_away in (order, spaces):
        assert page.evaluate(FORGOTTEN, list(gives_away))
    left = """() => JSON.stringify([localStorage, sessionStorage]) + location.href + document.documentElement.outerHTML
      + [...document.querySelectorAll("textarea, input")].map((field) => field.value)"""
    for screen in ("#deal", "#setup"):
        assert page.is_visible(screen)
        assert letters not in page.evaluate(left)
        assert ",".join(map(str, order)) not in page.evaluate(left)
        player.wait_until_stored(page, "!kept['deal code']")
        if screen == "#deal":
            player.tap_next(page)


@pytest.mark.long
@pytest.mark.parametrize("history", ["plain", "reloaded", "followed", "resumed"])
def test_the_browsers_own_files_do_not_hold_the_order_of_a_finished_deal(started, tmp_path, served, history):
    """A real profile, searched byte by byte while the deal is under way, and after the deal and the browser ended."""
    profile = tmp_path / "profile"
    with crashing(profile) as (address, _):
        page = started(served[0], address)
        player.choose_cards(page, "150")
        player.begun(page, kept=True)
        page.click("#options-open")
        page.click("#open-code")
        letters = page.input_value("#code-text").split(".")[7].encode()
        page.click("#code-dialog .primary")
        if history == "reloaded":
            player.reload(page)
        elif history == "followed":
            other = page.context.new_page()
            other.goto(served[0])
            other.wait_for_selector("#elsewhere:not([hidden])")
        elif history == "resumed":
            player.leave(page)
            page.click("#stop")
            page.wait_for_selector("#setup:not([hidden])")
            player.reload(page)
            page.click("#go-on")
        player.wait_until(page, player.OWNED)
        assert files_with(profile, letters), "what is searched for can be found while it must be there"
        player.go_to(page, "done")
        page.wait_for_function(SAYS, arg=["rests", texts("en")["wiped"]])
        until = time.monotonic() + 30
        while files_with(profile, letters) and time.monotonic() < until:
            time.sleep(0.5)
        assert files_with(profile, letters) == []
        page.context.browser.new_browser_cdp_session().send("Browser.close")
        time.sleep(2)
    assert files_with(profile, letters) == []


def files_with(profile, letters):
    wide = letters.decode().encode("utf-16-le")
    found = {str(file.relative_to(profile)): file.read_bytes() for file in profile.rglob("*") if file.is_file()}
    return [name for name, content in found.items() if letters in content or wide in content]


@pytest.mark.long
def test_after_a_reload_it_still_says_that_the_deal_is_done(open_page):
    page = player.begun(open_page(words=player.tape("still done", 52)), 52, "5x2", "hands:4x7+stock", kept=True)
    player.go_to(page, "done")
    page.wait_for_function(SAYS, arg=["rests", texts("en")["wiped"]])
    before, figures = page.evaluate(player.SHOWN), page.text_content(".pace")
    for _ in range(2):
        player.reload(page)
        assert page.evaluate(player.SHOWN) | {"beats": 0} == before | {"beats": 0}
        assert page.text_content(".pace") == figures
    two = another_tab(page)
    assert two.is_visible("#setup"), "another tab begins afresh"
    page.click("#next")
    assert page.is_visible("#setup")
    player.reload(page)
    assert page.is_visible("#setup")
    page.evaluate("sessionStorage.setItem('fairdeck-done', '{}')")  # another version's
    player.reload(page)
    assert page.is_visible("#setup")


@pytest.fixture
def on_plain_http(browser, served):
    """Open the page as from another machine on the network: without https browsers offer no wake lock and no worker."""
    rules = "--host-resolver-rules=MAP deal.test 127.0.0.1"
    other = browser.browser_type.launch(executable_path=chromium(), args=[*ARGUMENTS, rules])

    def opened(language="en", fragment=""):
        context = other.new_context(viewport=player.PHONE, locale=language)
        context.add_init_script(player.LEISURE)
        page = context.new_page()
        page.goto(served[0].replace("127.0.0.1", "deal.test") + fragment)
        return player.ready(page)

    yield opened
    other.close()


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de"])
def test_over_plain_http_it_says_what_is_missing_and_offers_a_file(on_plain_http, tmp_path, language):
    page = on_plain_http(language)
    assert page.evaluate("() => [isSecureContext, 'locks' in navigator, 'wakeLock' in navigator]") == [False] * 3
    assert texts(language)["plainHttp"] in page.text_content("#plain-http")
    for viewport in (player.SMALL, player.TINY_LANDSCAPE):
        page.set_viewport_size(viewport)
        assert page.evaluate(FITS)
    with page.expect_download() as got:
        page.click("#plain-http a")
    file = tmp_path / got.value.suggested_filename
    got.value.save_as(file)
    page.goto(file.as_uri())
    player.ready(page)
    assert page.is_hidden("#plain-http")
    player.begun(page, kept=True)


@pytest.mark.long
def test_over_plain_http_one_tab_deals_and_the_deal_is_kept(on_plain_http):
    page = on_plain_http()
    player.begun(page, kept=True)
    two = another_tab(page)
    two.wait_for_function(FOLLOWED)


MISSING = {
    "forbidden": 'Object.defineProperty(window, "indexedDB", { get() { throw new Error("no"); } });',
    "fails": "indexedDB.open = () => { const asked = {}; setTimeout(() => asked.onerror?.(), 5); return asked; };",
    "full": "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    "newer": "indexedDB.open('fairdeck', 7).onsuccess = (event) => event.target.result.close();",
}


@pytest.mark.cases(1)
@pytest.mark.parametrize("missing", MISSING)
def test_where_nothing_can_be_kept_it_says_so_and_deals(open_page, missing):
    page = open_page(script=MISSING[missing])
    if missing == "newer":
        player.reload(page)
    page.wait_for_selector("#keeps-nothing:not([hidden])")
    player.begun(page, 20, "5x1")
    player.tap_next(page)
    player.leave(page)
    assert page.is_hidden("#stop")
    page.click("#stay")
    assert sorted(play_on(page, 20)) == list(range(20))


def play_on(page, cards):
    page.wait_for_selector("#sure", state="hidden")
    page.keyboard.press("ArrowLeft")
    return player.play(page, cards).end()


@pytest.mark.long
def test_a_database_that_never_answers_does_not_keep_the_page_shut(open_page):
    page = open_page(script="indexedDB.open = () => ({});")
    assert page.is_visible("#setup")
    page.click("#start")
    player.tap_next(page)
    assert page.evaluate(player.SHOWN)["kind"] == "card"


STUCK = """IDBObjectStore.prototype.put = ((plain) => function (what, key) {
  const hold = () => { this.get(key).onsuccess = hold; };
  return what instanceof Blob ? (hold(), {}) : plain.call(this, what, key);
})(IDBObjectStore.prototype.put);"""


def test_a_deal_is_kept_where_a_blob_is_never_answered(open_page):
    """As private windows of WebKit do, now and then."""
    player.begun(open_page(script=STUCK), kept=True)


LOSABLE = """indexedDB.open = ((plain) => (...all) => {
  const asked = plain.apply(indexedDB, all);
  if (all[0] === "fairdeck") asked.addEventListener("success", () => { window.opened = asked.result; });
  return asked;
})(indexedDB.open);"""
LOST = "() => { opened.close(); opened.dispatchEvent(new Event('close')); }"


NO_WRITING = "() => { IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }; }"
NO_DELETING = "() => { IDBObjectStore.prototype.delete = () => { throw new DOMException('full', 'UnknownError'); }; }"


@pytest.mark.long
@pytest.mark.parametrize("fault", [NO_WRITING, "() => opened.close()"], ids=["full", "closed"])
def test_a_place_that_is_no_longer_kept_is_told_at_once_and_not_lost(open_page, fault):
    """The step is in localStorage too, and after a crash that may be old, so the page then asks to compare."""
    page = player.begun(open_page(script=LOSABLE), kept=True)
    player.tap_next(page)
    player.wait_until_stored(page, "kept.deal.step.at === 1")
    assert page.text_content("#alarm") == ""
    page.evaluate(fault)
    for _ in range(3):
        player.tap_next(page)
        page.wait_for_function(SAYS, arg=["alarm", texts("en")["keepsNothing"]])
    assert page.is_visible("#alarm")
    before = player.place(page)
    page.reload()
    player.ready(page)
    player.wait_until(page, player.OWNED)
    assert player.place(page) == before
    assert page.text_content("#alarm") == texts("en")["older"]
    player.tap_next(page)
    assert page.text_content("#alarm") == ""
    player.wait_until_stored(page, "kept.deal.step.at === 21")


@pytest.mark.cases(1)
@pytest.mark.parametrize("kind", ["whole", "one"])
def test_a_reload_right_after_a_tap_loses_nothing(open_page, page_file, one_deal, kind):
    page = open_page(file=page_file if kind == "whole" else one_deal)
    if kind == "whole":
        page.click("#start")
    for count in ("Cards 1–5 of", "Cards 6–10 of", "Cards 11–15 of"):
        player.wait_until(page, player.OWNED)
        with page.expect_navigation():
            page.evaluate("() => { $('next').click(); location.reload(); }")
        player.ready(page)
        player.wait_until(page, player.OWNED)
        assert page.text_content("#count").startswith(count)
        assert page.text_content("#alarm") == ""


@pytest.mark.long
@pytest.mark.parametrize("deletes", [True, False])
def test_the_order_is_said_to_be_forgotten_only_if_it_is(open_page, deletes):
    page = player.begun(open_page(words=player.tape("forgets", 5)), 5, "5x1", kept=True)
    player.go_to(page, "gather")
    player.wait_until(page, player.ON_DISK)
    page.evaluate(NO_WRITING)
    if not deletes:
        page.evaluate(NO_DELETING)
    player.tap_next(page)
    says, other = [texts("en")[key] for key in (("wiped", "notGone") if deletes else ("notGone", "wiped"))]
    page.wait_for_function(SAYS, arg=["rests", says])
    assert other not in page.text_content("#rests")
    player.wait_until_stored(page, "Boolean(kept['deal code']) === wanted", not deletes)
    page.reload()
    player.ready(page)
    page.wait_for_function(SAYS, arg=["rests", texts("en")["wiped"]])
    player.wait_until_stored(page, "!kept['deal code']")


@pytest.mark.long
def test_a_deal_that_could_not_be_forgotten_is_told(open_page):
    page = player.begun(open_page(), kept=True)
    page.evaluate(NO_WRITING)
    page.evaluate(NO_DELETING)
    player.leave(page)
    page.click("#forget")
    page.wait_for_function(SAYS, arg=["advice", texts("en")["notGone"]])
    assert page.is_visible("#underway")


def held(page):
    """Open the page again with a database that does not answer; it shows the setup all the same."""
    page.add_init_script(player.HELD)
    page.reload()
    player.ready(page)
    assert page.is_visible("#setup")


ANSWER = "() => answers.splice(0).forEach((answer) => answer())"


@pytest.mark.long
def test_a_deal_begun_before_the_database_answers_does_not_replace_the_kept_one(open_page):
    page = player.begun(open_page(), kept=True)
    player.tap_next(page)
    player.wait_until_stored(page, "kept.deal.step.at === 1")
    before, kept = player.place(page), player.stored(page)["deal"]["step"]
    held(page)
    page.click("#start")
    page.wait_for_function(SAYS, arg=["alarm", texts("en")["keepsNothing"]])
    page.evaluate(ANSWER)
    page.wait_for_timeout(500)
    player.tap_next(page)
    assert page.text_content("#alarm") == texts("en")["keepsNothing"]
    assert player.stored(page)["deal"]["step"] == kept
    player.leave(page)
    page.click("#forget")
    page.wait_for_selector("#underway:not([hidden])")
    page.click("#go-on")
    player.wait_until(page, player.OWNED)
    assert player.place(page) == before


@pytest.mark.long
def test_of_two_quick_starts_the_second_is_kept_once_the_database_answers(open_page):
    page = open_page()
    held(page)
    page.click("#start")
    player.leave(page)
    page.click("#forget")
    page.wait_for_selector("#setup:not([hidden])")
    page.click("#start")
    player.tap_next(page)
    page.evaluate(ANSWER)
    player.wait_until_stored(page, "kept.deal?.step?.at === 1")
    assert page.text_content("#alarm") == ""
    before = player.place(page)
    page.add_init_script("answering = setInterval(() => answers.forEach((answer) => answer()), 20);")
    page.reload()
    player.ready(page)
    player.wait_until(page, player.OWNED)
    assert player.place(page) == before


@pytest.mark.long
@pytest.mark.parametrize("button", ["#enter-go", "#enter-dialog button[value=close]"])
def test_a_code_does_not_stay_in_its_field(open_page, button):
    page = player.begun(open_page(words=player.tape("pasted", 12)), 12, "5x1")
    code = code_of(page)
    player.leave(page)
    page.click("#forget")
    page.wait_for_selector("#setup:not([hidden])")
    page.click("#enter-code")
    page.fill("#enter-text", code)
    page.click(button)
    page.wait_for_function("() => $('enter-text').value === ''")


@pytest.mark.long
def test_a_connection_that_the_browser_loses_is_opened_again(open_page):
    page = player.begun(open_page(script=LOSABLE), kept=True)
    page.evaluate(LOST)
    for _ in range(3):
        player.tap_next(page)
    player.wait_until_stored(page, "kept.deal.step.at === 11")
    assert page.is_visible("#controls")


@pytest.mark.long
def test_a_deal_under_way_outlives_that_the_browser_is_cleared(open_page):
    page = player.begun(open_page(script=LOSABLE), kept=True)
    clear = """() => new Promise((resolve) => {
      opened.close();
      indexedDB.deleteDatabase("fairdeck").onsuccess = resolve;
    }).then(() => { opened.dispatchEvent(new Event("close")); })"""
    page.evaluate(clear)
    player.tap_next(page)
    page.wait_for_function(SAYS, arg=["alarm", texts("en")["keepsNothing"]])
    player.tap_next(page)
    assert page.text_content("#count") == "Cards 6–10 of 60"


@pytest.mark.long
def test_a_newer_page_can_change_the_database_while_this_one_is_open(open_page):
    page = open_page()
    two = another_tab(page)
    upgraded = """() => new Promise((resolve) => {
      const asked = indexedDB.open("fairdeck", 2);
      asked.onblocked = () => resolve("blocked");
      asked.onsuccess = () => { asked.result.close(); resolve("open"); };
    })"""
    assert two.evaluate(upgraded) == "open"


@pytest.mark.long
def test_nothing_is_shown_before_it_is_known_what_was_kept(open_page):
    """Neither the setup, for a moment, nor anything else that could be tapped by mistake."""
    seen = """addEventListener("DOMContentLoaded", () => {
      const screens = () => [...document.querySelectorAll("main:not([hidden])")].map((main) => main.id).join();
      window.seen = [screens()];
      const watched = { subtree: true, attributes: true, attributeFilter: ["hidden"] };
      new MutationObserver(() => seen.push(screens())).observe(document.body, watched);
    });"""
    page = player.begun(open_page(script=seen), kept=True)
    player.reload(page)
    assert {each for each in page.evaluate("() => seen") if each} == {"deal"}


@pytest.mark.long
@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_following_tab_fits_the_smallest_screens(open_page, language):
    one = player.begun(open_page(locale=language, words=player.tape("follows", 60)), kept=True)
    two = another_tab(one)
    two.wait_for_function(FOLLOWED)
    for _ in range(3):
        for viewport in (player.SMALL, player.TINY_LANDSCAPE):
            two.set_viewport_size(viewport)
            two.evaluate("() => new Promise(requestAnimationFrame)")
            assert two.evaluate(PROBLEM) == ""
            assert two.evaluate("() => innerHeight >= $('take-over').getBoundingClientRect().bottom")
        player.tap_next(one)
        player.wait_for_place(two, player.place(one))


@pytest.mark.long
def test_a_link_is_only_offered_where_it_leads_somewhere_and_says_what_it_leaves(on_plain_http, open_page):
    local, reachable = open_page(), on_plain_http()
    for page, picture, says in ((local, 0, "codeCopy"), (reachable, 1, "codeScan")):
        player.begun(page, kept=True)
        page.click("#options-open")
        page.click("#open-code")
        assert page.locator("#qr path").count() == picture
        assert page.input_value("#code-text").startswith("f1.60."), "the text is the bare code"
        assert texts("en")[says] in page.text_content("#code-note")
    code = reachable.input_value("#code-text")
    (scanned,) = zxingcpp.read_barcodes(Image.open(BytesIO(reachable.locator("#qr").screenshot())))
    assert scanned.text == f"{reachable.url}#{code}"
    other = on_plain_http(fragment=f"#{code}")
    player.wait_until(other, player.OWNED)
    assert "#" not in other.url
    player.go_to(other, "done")
    for _ in range(2):
        other.wait_for_function(SAYS, arg=["rests", texts("en")["wipedLink"]])
        player.reload(other)


@pytest.mark.long
@pytest.mark.parametrize("broken", [True, False], ids=["broken link", "link while another tab deals"])
def test_a_link_opened_in_a_tab_that_ended_a_deal_leads_to_a_screen(open_page, page_file, broken):
    """The tab still shows its last deal; behind the question that the link asks there was nothing."""
    page = player.begun(open_page(beside=["about:blank"]), 5, "5x1", kept=True)
    code = code_of(page)
    player.go_to(page, "done")
    page.wait_for_function(SAYS, arg=["rests", texts("en")["wiped"]])
    page.goto("about:blank")
    if not broken:
        two = page.context.new_page()
        two.goto(page_file)
        player.ready(two).click("#start")
        player.wait_until(two, player.OWNED)
    page.goto(f"{page_file}#{code[: -1 if broken else None]}")
    page.wait_for_selector("#enter-dialog[open]" if broken else "#sure[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    assert page.is_visible("#deal")
    assert page.is_visible("#next")
