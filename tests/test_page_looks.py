"""How the page looks and what it weighs: nothing overlaps, everyone can use it, it stays small and quick."""

import gzip
import hashlib
import re
from functools import partial

import pytest
from axe_playwright_python.sync_playwright import Axe

from fairdeck.explore import HERE
from fairdeck.page import LANGUAGES, ONE_DEAL, PARTS, WHOLE_PAGE, build, build_one, texts
from fairdeck.page.modules import joined, ordered, stripped
from fairdeck.show.look import tokens
from tests.player import (
    LANDSCAPE,
    PHONE,
    SHOWN,
    SMALL,
    TABLET,
    TINY_LANDSCAPE,
    begun,
    choose_cards,
    choose_view,
    leave,
    ready,
    set_up,
    tap_more,
    tap_next,
    tape,
)

PROBLEM = """() => {
  const shown = (element) => element.getClientRects().length && (element.textContent || element.id === "mat");
  const ids = "progress count label five coming note differs lanes mat undo options-open next".split(" ");
  const seen = ids.map((id) => document.getElementById(id)).filter(shown);
  const boxes = seen.map((one) => [one.id, one.getBoundingClientRect()]);
  const out = (box) => box.left < -0.5 || box.right > innerWidth + 0.5 || box.top < 0 || box.bottom > innerHeight + 0.5;
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  for (const [id, box] of boxes) if (out(box)) return `${id} leaves the screen`;
  for (const [one, a] of boxes) for (const [two, b] of boxes) if (one < two && meet(a, b)) return `${one} meets ${two}`;
  for (const item of document.querySelectorAll("#five li, #mat > div:not(.fan)")) {
    if (item.scrollWidth > item.clientWidth + 1) return `${item.textContent} is cut`;
  }
  return "";
}"""
REACHED = "() => innerHeight >= $('next').getBoundingClientRect().bottom"
FITS = "() => document.documentElement.scrollWidth <= innerWidth"


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("viewport", "cards", "mat"),
    [
        *((SMALL, 60, "5x2"), (LANDSCAPE, 442, "7x3"), (TINY_LANDSCAPE, 300, "3x10"), (PHONE, 40, "26x26")),
        *((TABLET, 9, "1x7"), (PHONE, 150, "10x10"), (TINY_LANDSCAPE, 60, "5x2"), (SMALL, 300, "3x10")),
    ],
    ids=str,
)
def test_nothing_overlaps_or_runs_out_of_the_screen(open_page, viewport, cards, mat):
    page = open_page(viewport=viewport, words=tape("layout", cards))
    set_up(page, cards, mat)
    assert page.evaluate(FITS)
    page.click("#start")
    seen = set()
    for _ in range(cards + 30):
        kind = page.evaluate(SHOWN)["kind"]
        if kind not in seen:
            assert page.evaluate(PROBLEM) == "", (kind, viewport)
        if kind == "card" and kind not in seen:
            for view in ("single", "stream", "group"):
                choose_view(page, view)
                assert page.evaluate(PROBLEM) == "", (view, viewport)
        seen.add(kind)
        page.keyboard.press("PageDown")
    assert {"open", "card", "check"} <= seen


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("viewport", "language"),
    [(SMALL, "de"), (TINY_LANDSCAPE, "fr"), (SMALL, "fr"), (TINY_LANDSCAPE, "es"), (SMALL, "en")],
    ids=str,
)
def test_every_language_fits_the_smallest_screens(open_page, language, viewport):
    page = open_page(viewport=viewport, locale=language, words=tape("fits", 60))
    set_up(page, 52, "5x2", "hands:4x7+stock")
    tap_more(page)
    assert page.evaluate(FITS)
    page.click("#start")
    while page.evaluate(SHOWN)["kind"] != "done":
        assert page.evaluate(PROBLEM) == "", page.text_content("#label")
        tap_next(page)
    page.wait_for_selector(f"#rests:has-text('{texts(language)['wiped'][:20]}')", state="attached")
    assert page.evaluate(PROBLEM) == "", page.text_content("#label")
    page.evaluate("() => { location.hash = 'how'; }")
    page.wait_for_selector("#how")
    assert page.evaluate(FITS)


# What is to be done stands in sight, without scrolling.
IN_SIGHT = """() => ["label", "five", "lanes"].every((id) => {
  const seen = $(id).getBoundingClientRect(), stage = $("stage").getBoundingClientRect();
  return !$(id).textContent || !seen.height || (seen.top >= stage.top - 1 && seen.bottom <= stage.bottom + 1
    && seen.left >= -1 && seen.right <= innerWidth + 1);
})"""
# Chosen at once, with no dialog to open and close.
VIEW = """(view) => {
  document.querySelector(`input[name=view][value=${view}]`).click();
  return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""


SIZES = """() => ["#undo", "#options-open", "#next", "#mat > div"].map((name) =>
  parseFloat(getComputedStyle(document.querySelector(name)).fontSize))"""
# Heights that are small, or below the fold; buttons that are cut, or out.
LOST = """() => [
  ...[...$("mat").querySelectorAll("b, small")].filter((one) => {
    const box = one.getBoundingClientRect(), stage = $("stage").getBoundingClientRect();
    const small = parseFloat(getComputedStyle(one).fontSize) < 15;
    return small || box.top < stage.top - 1 || box.bottom > stage.bottom + 1;
  }).map((one) => one.textContent),
  ...["undo", "options-open", "next"].filter((id) => {
    const box = $(id).getBoundingClientRect(), cut = $(id).scrollWidth > $(id).clientWidth + 1;
    return cut || box.left < 0 || box.right > innerWidth || box.bottom > innerHeight;
  }),
]"""


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("viewport", "language", "cards", "mat"),
    [
        *(
            (SMALL, "de", 60, "5x2"),
            (TINY_LANDSCAPE, "fr", 60, "5x2"),
            ({"width": 740, "height": 360}, "es", 60, "5x2"),
        ),
        (SMALL, "en", 600, "26x1"),
    ],
    ids=str,
)
def test_text_twice_as_large_still_fits_and_can_be_read_by_everybody(open_page, viewport, language, cards, mat):
    options = {"bypass_csp": True, "reduced_motion": "reduce"}
    page = open_page(words=tape("large", cards), viewport=viewport, locale=language, **options)
    set_up(page, cards, mat)
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    assert page.evaluate(FITS)
    begun(page)
    seen = set()
    while "done" not in seen:
        kind = page.evaluate(SHOWN)["kind"]
        for view in () if kind in seen else ("single", "stream", "group"):
            page.evaluate(VIEW, view)
            assert page.evaluate(FITS)
            assert page.evaluate(REACHED), (kind, view)
            assert page.evaluate(IN_SIGHT) or mat == "26x1", (kind, view)
        if kind not in seen:
            assert_readable(page, kind)
        if kind == "card":
            assert min(page.evaluate(SIZES)) >= 19 or mat == "26x1"
        if kind == "check":
            assert page.evaluate(LOST) == [] or mat == "26x1"
        seen.add(kind)
        tap_next(page)
    assert seen >= {"open", "card", "check", "gather"}


def assert_readable(page, name):
    """The rules that axe knows; the page's policy is set aside for its script."""
    found = Axe().run(page).response["violations"]
    assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found] == [], name


CUT = """() => [...$("lanes").querySelectorAll("span")].filter((tile) => {
  const box = tile.getBoundingClientRect(), frame = $("lanes").getBoundingClientRect();
  return box.left < frame.left - 0.5 || box.right > frame.right + 0.5 || tile.scrollWidth > tile.clientWidth + 1;
}).map((tile) => tile.textContent)"""


@pytest.mark.long
@pytest.mark.parametrize("letter", ["W", "漢"])
@pytest.mark.parametrize("viewport", [SMALL, TINY_LANDSCAPE], ids=str)
def test_a_long_label_of_wide_letters_is_shown_whole(open_page, viewport, letter):
    """A label that lost its first letter would be taken for another."""
    page = open_page(viewport=viewport, words=tape("wide", 20))
    set_up(page, 20, "5x1")
    tap_more(page)
    page.fill("#labels", " ".join(f"{first}{letter * 7}" for first in "ABCDE"))
    page.click("#start")
    page.click("#next")
    for view in ("single", "stream", "group"):
        page.evaluate(VIEW, view)
        assert page.evaluate(IN_SIGHT), view
        assert page.evaluate(CUT) == []
    page.evaluate(VIEW, "single")
    label, coming = (page.locator(place).bounding_box() for place in ("#label", "#coming"))
    assert label["x"] + label["width"] <= coming["x"]


@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE], ids=str)
def test_the_first_screen_shows_its_picture_and_its_button_whole(open_page, viewport):
    page = open_page(viewport=viewport)
    start = page.locator("#start").bounding_box()
    assert start["y"] + start["height"] <= viewport["height"]
    for picture in page.locator("#ribbon canvas").all():
        box = picture.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= viewport["width"]
        assert box["y"] + box["height"] <= viewport["height"] and box["width"] > 60


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_no_screen_has_an_accessibility_fault(open_page, scheme):
    page = open_page(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    check = partial(assert_readable, page)
    check("setup")
    choose_cards(page, "x")
    check("error")
    set_up(page, 150, "5x1")
    tap_more(page)
    page.fill("#deck-name", "Mine")
    page.click("#save")
    check("suggestions, own decks")
    page.click("#options-setup")
    check("options before a deal")
    page.click("#options .primary")
    page.click("#enter-code")
    page.fill("#enter-text", "nonsense")
    page.click("#enter-go")
    check("code")
    page.keyboard.press("Escape")
    begun(page, 52, "5x2", "hands:4x7+stock", dealers=2)
    check("picture")
    page.click("#code-dialog .primary")
    for until in ("open", "card", "check", "join", "hands", "gather", "done"):
        while f"on-{until}" not in page.get_attribute("#deal", "class"):
            page.click("#next")
        check(until)
        if until == "card":
            page.click("#options-open")
            check("options")
            page.click("#open-wrong")
            check("wrong")
            page.keyboard.press("Escape")
            leave(page)
            check("leaving")
            page.click("#stay")
            for view in ("single", "tempo", "stream"):
                choose_view(page, view)
                check(view)
            choose_view(page, "group")
    page.click("#next")
    page.evaluate("() => { location.hash = 'how'; }")
    page.wait_for_selector("#how")
    check("how")


@pytest.mark.long
def test_colours_forced_by_the_system_leave_the_space_to_be_seen(open_page):
    page = begun(open_page(forced_colors="active", words=tape("forced", 60)), view="single")
    page.click("#next")
    colours = "(selector) => getComputedStyle(document.querySelector(selector)).backgroundColor"
    assert page.evaluate(colours, "#mat .now") != page.evaluate(colours, "#mat > div:not(.now)")


ONE_CODE = "f1.5.2x1.deck.pass.1of1.0.Au.17xsrgz"


MOST = 60 * 1024  # bytes of the dealing page after gzip, its font included
MOST_OF_ONE = 41_700  # of the page of one deal: it may only fall
MOST_OF_A_VOICE = 50_400  # more


@pytest.mark.xfail(strict=True, reason="the font, the end of a deal and the route came: 41 KB")
def test_one_deal_weighs_40_kb():
    assert len(gzip.compress(build_one(ONE_CODE, "name", ()).encode())) <= 40 * 1024


def test_both_pages_are_small_closed_and_complete():
    whole, one = build(voices=()), build_one(ONE_CODE, "name", ())
    assert len(gzip.compress(whole.encode())) <= MOST
    assert len(gzip.compress(build(voices=(), site=True).encode())) <= MOST
    assert len(gzip.compress(one.encode())) <= MOST_OF_ONE
    for language in LANGUAGES:
        assert len(gzip.compress(build(voices=(language,)).encode())) <= MOST + MOST_OF_A_VOICE
    assert len(gzip.compress(build_one(ONE_CODE, "name").encode())) <= MOST_OF_ONE + MOST_OF_A_VOICE
    for page in (whole, one, build(), build_one(ONE_CODE, "name")):
        assert "<script type=module>" in page, "no name of the page is global"
        assert not re.search(r"\{\{\w+\}\}", page)
        assert not re.search(r"(src|href)=[\"']?(?!data:|#)\w+:", page)
        assert "default-src 'none'" in page
        assert not re.search(r"unsafe|https?://(?!www\.w3\.org/2000/svg)", page)


def test_styles_say_what_they_said(monkeypatch):
    monkeypatch.setenv("FAIRDECK_AS_WRITTEN", "1")
    page = build()
    written = "".join(file.read_text(encoding="utf-8") for file in (PARTS / "styles").iterdir()) + tokens()
    for body in re.findall(r"\{[^{}]*\}", re.search(r"<style>(.*?)</style>", page, re.S)[1]):
        assert body in written or body.split()[1].startswith(("color-scheme", "--")), body


def test_a_developer_sees_the_whole_script_as_it_was_written(monkeypatch):
    monkeypatch.setenv("FAIRDECK_AS_WRITTEN", "1")
    page = build()
    for name in set(ordered(WHOLE_PAGE)) - {"built"}:
        written = (PARTS / "scripts" / f"{name}.js").read_text(encoding="utf-8")
        lines = [line.removeprefix("export ") for line in written.splitlines()]
        shown = [line for line in lines if not re.match(r"import |\s*/\*\* @.*\*/$", line)]
        assert [line for line in shown if line] == [line for line in stripped(name).splitlines() if line], name
        assert stripped(name) in page, name


def test_only_the_pages_own_script_and_style_run(browser, page_file):
    context = browser.new_context()
    page = context.new_page()
    page.goto(page_file)
    ready(page)
    blocked = page.evaluate("""() => {
      const script = document.createElement("script");
      script.textContent = "window.intruder = true";
      document.body.append(script);
      const style = document.createElement("style");
      style.textContent = "body { display: none }";
      document.head.append(style);
      return [window.intruder, getComputedStyle(document.body).display];
    }""")
    assert blocked == [None, "flex"]
    context.close()


# From the tap to the picture, as the browser itself times it.
TIMED = """() => { window.seen = new Promise((resolve) => new PerformanceObserver((list) => {
  for (const each of list.getEntries()) if (each.name === "click") resolve(each.duration);
}).observe({ type: "event", durationThreshold: 16 })); }"""


def seconds_to_the_first_screen(page):
    page.evaluate(TIMED)
    page.click("#start")
    taken = page.evaluate("() => seen")
    leave(page)
    page.click("#forget")
    page.wait_for_selector("#setup")
    return taken / 1000


@pytest.mark.alone
def test_the_first_label_comes_at_once_on_a_slow_phone(open_page):
    """The processor slowed down four times: the median of nine starts on one page. The first takes longer."""
    page = open_page(viewport=PHONE)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    taken = [seconds_to_the_first_screen(page) for _ in range(9)]
    assert sorted(taken)[4] < 0.1, taken


def test_lines_of_scripts_can_be_read():
    for file in [*(PARTS / "scripts").iterdir(), *HERE.rglob("*.js")]:
        for line in file.read_text(encoding="utf-8").splitlines():
            assert len(line) <= 240, line


def test_every_script_is_part_of_a_page():
    used = set(ordered(WHOLE_PAGE, ONE_DEAL)) - {"built"}
    assert used == {file.stem for file in (PARTS / "scripts").glob("*.js")}


@pytest.mark.parametrize(
    ("modules", "fault"),
    [
        ({"app": ["other"], "other": ["third"], "third": ["app"]}, "circle: app -> other -> third -> app"),
        ({"app": ["other"], "other": [], "one": "export const next = 1;\n"}, None),
        ({"app": "const next = 1;\nfunction next() {}\n"}, "declare next: rename"),
        ({"app": 'import { next as more } from "./other.js";\n', "other": ""}, "app.js: import { next as more }"),
        ({"app": "export default 1;\n"}, "app.js: export default 1;"),
    ],
)
def test_modules_are_joined_only_where_one_scope_will_do(tmp_path, modules, fault):
    for name, code in modules.items():
        lines = code if isinstance(code, str) else "".join(f'import {{ {x} }} from "./{x}.js";\n' for x in code)
        (tmp_path / f"{name}.js").write_text(lines, encoding="utf-8")
    if fault is None:
        assert joined("app", "one", folders=[tmp_path]) == "\n\nconst next = 1;\n"
    else:
        with pytest.raises(ValueError, match=re.escape(fault)):
            joined("app", folders=[tmp_path])


def test_every_text_is_used():
    code = joined(WHOLE_PAGE) + "".join(
        (PARTS / name).read_text(encoding="utf-8") for name in ("page.html", "shell.html", "decks.json")
    )
    begun = tuple(re.findall(r"`(\w+)\$\{", code))
    assert [key for key in texts("en") if not re.search(rf"[\"']{key}[\"']", code) and not key.startswith(begun)] == []


@pytest.mark.long
def test_the_footer_names_the_page(open_page):
    first, second = open_page(), open_page()
    assert first.text_content("#version") == second.text_content("#version")
    assert re.search(r"[0-9a-f]{16}$", first.text_content("#version"))
    changed = hashlib.sha256(build().encode()).hexdigest()
    assert changed[:16] not in build(), "a page cannot hold its own sum: the footer's is that of its parts"
