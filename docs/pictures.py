"""Make the pictures in docs/images: twelve of the screen, and a mat and a sheet.

Strips of phones show a deal; pages that explain and a report are taken on a computer. The random numbers of a page are
the same on every run: the pictures are of a program, not of chance.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, ViewportSize, sync_playwright
from table_scene import scene

from fairdeck.cli import main as main_of_fairdeck
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.planner import Task, draw
from fairdeck.explore import PAGES, site
from fairdeck.page import build
from fairdeck.paper import marks
from fairdeck.paper.mat import layout, pages_of
from fairdeck.paper.sheet import Sheet
from fairdeck.paper.sizes import PAPERS, card_size
from fairdeck.paper.svg import svg
from fairdeck.randomness import RandomIntegers, seeded_words

IMAGES = Path(__file__).parent / "images"
STILL_MS = 4000  # until counts are complete
COLOURS = 128
PHONE = (390, 844)
COMPUTER = (1280, 800)
GAP = 12
SITE = "http://deck.test"
ALONE = ("why", "loop", "riffle", "fair")  # pages that have a picture of their own; the others are on one sheet
ACROSS = 3  # of that sheet
# The same deck on every run; the pictures are of a program, not of chance. On the page's clock every click comes two
# seconds after the one before: two at once count as one.
SEEDED = """(() => {
  const now = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => now() + ahead;
  addEventListener("click", () => { ahead += 2000; }, true);
  let state = 2026;
  crypto.getRandomValues = (array) => array.map(() => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0))
    .reduce((all, word, i) => { all[i] = word; return all; }, array);
})()"""


def until(page: Page, kind: str) -> None:
    """Press Next until the page shows a step of this kind."""
    while f"on-{kind}" not in (page.get_attribute("#deal", "class") or ""):
        page.click("#next")
    page.wait_for_timeout(300)


def choose_view(page: Page, view: str) -> None:
    """Choose a view in the middle of a deal."""
    page.click("#options-open")
    page.locator(f"input[name=view][value={view}]").check()
    page.click("#options .primary")


def screens(page: Page) -> Iterator[str]:
    """Go through the screens of a deal; yield the name of each when it can be seen."""
    page.wait_for_selector("#start")
    page.wait_for_timeout(500)
    yield "first"
    page.click("#start")
    for _ in range(8):
        page.click("#next")
    page.locator("#five li").nth(1).click()
    page.wait_for_timeout(300)
    yield "five"
    choose_view(page, "compass")
    yield "compass"
    page.click("#options-open")
    page.click("#open-code")
    yield "code"
    page.click("#code-dialog .primary")
    choose_view(page, "single")
    yield "single"
    choose_view(page, "stream")
    page.click("#next")
    page.wait_for_timeout(4400)
    yield "stream"
    page.click("#next")
    choose_view(page, "group")
    until(page, "check")
    yield "check"
    page.click("#differs")
    yield "wrong"
    page.click("#wrong-dialog .primary")
    until(page, "gather")
    yield "gather"
    until(page, "done")
    page.wait_for_timeout(STILL_MS)
    yield "done"


STRIPS = {
    "phones": ("first", "five", "check", "gather", "done"),
    "views": ("single", "compass", "stream"),
    "mending": ("check", "wrong", "code"),
}


def deal(browser: Browser, place: str) -> None:
    """Take the screens of a deal on a phone, and lay them side by side."""
    context = phone(browser)
    page = context.new_page()
    page.add_init_script(SEEDED)
    page.goto(place)
    taken = {name: Image.open(BytesIO(page.screenshot())).convert("RGB") for name in screens(page)}
    context.close()
    for strip, names in STRIPS.items():
        save(beside([taken[name] for name in names], len(names)), strip)


def phone(browser: Browser) -> BrowserContext:
    """Open a phone, whose pages may be changed by a script."""
    size: ViewportSize = {"width": PHONE[0], "height": PHONE[1]}
    return browser.new_context(viewport=size, color_scheme="light", locale="en-GB", bypass_csp=True)


def beside(pictures: Sequence[Image.Image], across: int) -> Image.Image:
    """Lay pictures of one size side by side, in rows."""
    width, height = (side + GAP for side in pictures[0].size)
    rows = -(-len(pictures) // across)
    together = Image.new("RGB", (across * width - GAP, rows * height - GAP), "#808080")
    for at, picture in enumerate(pictures):
        together.paste(picture, (at % across * width, at // across * height))
    return together


def save(picture: Image.Image, name: str) -> None:
    """Save a picture with a palette: pages have few colours."""
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(IMAGES / f"{name}.png", optimize=True)


def pages_that_explain(browser: Browser) -> None:
    """Take each page that explains, as a site has it, on a computer."""
    others = []
    for name in PAGES:
        picture = on_a_computer(browser, f"{SITE}/{name}.html")
        if name in ALONE:
            save(picture, f"see-{name}")
        else:
            others.append(picture.resize((COMPUTER[0] // 2, COMPUTER[1] // 2)))
    save(beside(others, ACROSS), "see-others")


@cache
def files() -> dict[str, bytes]:
    """Return the files of the site, by their names."""
    return site(())


def answered(route: Route) -> None:
    """Answer what a page of the site asks for."""
    name = urlsplit(route.request.url).path[1:]
    found = name in files()
    route.fulfill(body=files()[name], content_type=guess_type(name)[0]) if found else route.abort()


def on_a_computer(browser: Browser, address: str) -> Image.Image:
    """Take one page when its counts are complete."""
    page = browser.new_page(
        viewport={"width": COMPUTER[0], "height": COMPUTER[1]}, color_scheme="light", locale="en-GB"
    )
    page.route(f"{SITE}/*", answered)
    page.add_init_script(SEEDED)
    page.goto(address)
    page.wait_for_timeout(STILL_MS)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    page.close()
    return picture


def a_report(browser: Browser, folder: Path) -> None:
    """Take the report on a faulty shuffle, on a phone and on a computer."""
    file = folder / "report.html"
    shuffle = f"{Path(__file__).parent.parent / 'examples/shuffle.py'}:naive"
    main_of_fairdeck(["test", shuffle, "--seed", "1", "--html", str(file)])
    context = phone(browser)
    page = context.new_page()
    page.goto(file.as_uri())
    small = Image.open(BytesIO(page.screenshot())).convert("RGB")
    context.close()
    wide = on_a_computer(browser, file.as_uri()).crop((0, 0, COMPUTER[0], PHONE[1]))
    together = Image.new("RGB", (PHONE[0] + GAP + COMPUTER[0], PHONE[1]), "#808080")
    together.paste(small, (0, 0))
    together.paste(wide, (PHONE[0] + GAP, 0))
    save(together, "report")


def at_the_table(browser: Browser, place: str) -> None:
    """Make two pictures of a table with a phone: beside a mat, and as a compass in the middle of the piles."""
    for name, view, size in (("table", "group", PHONE), ("table-compass", "compass", PHONE[::-1])):
        screen = {"width": size[0], "height": size[1]}
        context = browser.new_context(viewport=screen, device_scale_factor=2, color_scheme="light", locale="en-GB")
        page = context.new_page()
        page.add_init_script(SEEDED)
        page.goto(place)
        page.click("#start")
        for _ in range(8):
            page.click("#next")
        page.click("#options-open")
        page.click("#open-wrong")
        hand, *piles = ((each.text_content() or "", each.locator("input")) for each in _counted(page))
        heights = {label: int(field.input_value()) for label, field in piles}
        rest = int(hand[1].input_value())
        page.click("#wrong-dialog .primary")
        choose_view(page, view)
        picture = scene(browser, page.screenshot(), heights, 3, rest, lying=view == "compass")
        (IMAGES / f"{name}.jpg").write_bytes(picture)
        context.close()


def _counted(page: Page) -> list[Locator]:
    """Return the fields that say how many cards are left in the hand, and on each pile."""
    return [*page.locator("#in-hand label").all(), *page.locator("#counted label").all()]


def on_paper() -> Iterator[tuple[str, marks.Page]]:
    """Yield a mat and a sheet by the names of their pictures."""
    mat = Mat.parse("5x2")
    plan, _ = draw(Task(104, mat), RandomIntegers(seeded_words(b"fairdeck")))
    yield "mat", pages_of(mat, layout(mat, card_size("poker", sleeved=True), PAPERS["A3"]))[0]
    yield "sheet", Sheet(plan, 0, PAPERS["A4"]).pages()[0]


def main() -> int:
    """Take them all."""
    for name, made in on_paper():
        ground = marks.Rectangle(0, 0, made.width, made.height, fill="#ffffff", line=None)
        shown = marks.Page(made.width, made.height, [ground, *made.marks])
        (IMAGES / f"{name}.svg").write_text(svg(shown, f"A {name}"), encoding="utf-8")
    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    if browser_path is None:
        print("No Chromium here: install the package 'chromium'", file=sys.stderr)
        return 2
    IMAGES.mkdir(exist_ok=True)
    for old in IMAGES.glob("*.png"):
        old.unlink()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "deal.html"
        file.write_text(build(), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        deal(browser, file.as_uri())
        save(on_a_computer(browser, f"{SITE}/index.html"), "first")
        a_report(browser, file.parent)
        at_the_table(browser, file.as_uri())
        pages_that_explain(browser)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
