"""Make the pictures in docs/images: a mat, a sheet, a table, and every screen of the page on phones and tablets.

The screens are dark and light. Each dark screen of a phone is a picture of its own; all are put together, a sheet for
each device and scheme. Each page that explains is a picture too.
"""

import shutil
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright
from table_scene import scene

from fairdeck.dealing.mat import Mat
from fairdeck.dealing.planner import Task, draw
from fairdeck.explore import PAGES, explaining
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
DEVICES = {"phone": (390, 780), "lying": (780, 390), "tablet": (820, 1180)}
SHEET = 2000
RIFFLES = (
    "LLRLRRRLLLLRRLRLLRRRRLRLLLRRLRRLLLLRRRRLLRLRLRRRLLRR",
    "LRRLLRLRRRLLRLLRRLLLRRRRLLRLRRLLRLLRRLRRRLLLLRRLRLRL",
)
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
    """Go through every screen; yield its name when it can be seen."""
    page.wait_for_selector("#start")
    yield "setup"
    page.click("#start")
    yield "open"
    for _ in range(8):
        page.click("#next")
    page.locator("#five li").nth(1).click()
    page.wait_for_timeout(300)
    yield "five"
    choose_view(page, "compass")
    yield "compass"
    choose_view(page, "group")
    page.click("#options-open")
    yield "options"
    page.click("#open-code")
    yield "code"
    page.click("#code-dialog .primary")
    choose_view(page, "single")
    yield "single"
    choose_view(page, "stream")
    page.click("#next")
    page.wait_for_timeout(1500)
    yield "count"
    page.wait_for_timeout(2900)
    yield "stream"
    page.click("#next")
    choose_view(page, "group")
    until(page, "check")
    yield "check"
    page.click("#differs")
    yield "wrong"
    page.click("#wrong-dialog .primary")
    until(page, "gather")
    page.click("#next")
    yield "gather"
    page.click("#leave")
    yield "leaving"
    page.click("#stay")
    until(page, "done")
    yield "done"
    page.click("#next")
    page.evaluate("() => { location.hash = 'how'; }")
    yield "how"


def used(page: Page, name: str) -> None:
    """Use a page that shows little before somebody uses it."""
    if name == "hands":
        for riffle in RIFFLES:
            for letter in riffle:
                page.keyboard.press("ArrowLeft" if letter == "L" else "ArrowRight")
            page.click("#done")
    elif name == "together":
        page.fill("#people", "Ann, Ben, Cem")
        page.click("#plan button")
    elif name == "two":
        page.click("#plan button")


def pages_that_explain(browser: Browser, folder: Path) -> None:
    """Take each page that explains, as a site has it, on a computer."""
    for name in PAGES:
        page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light", locale="en-GB")
        page.add_init_script(SEEDED)
        page.goto((folder / f"{name}.html").as_uri())
        used(page, name)
        page.wait_for_timeout(STILL_MS)
        # A palette: these pages have few colours, and there are many pages.
        Image.open(BytesIO(page.screenshot())).quantize(COLOURS, dither=Image.Dither.NONE).save(
            IMAGES / f"see-{name}.png", optimize=True
        )
        page.close()


def take(browser: Browser, place: str, device: str, scheme: str) -> None:
    """Take every screen on one device in one scheme, and put them on a sheet."""
    width, height = DEVICES[device]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB", bypass_csp=True
    )
    page = context.new_page()
    page.add_init_script(SEEDED)
    page.goto(place)
    taken = []
    for name in screens(page):
        picture = page.screenshot()
        taken.append(f'<img width="{width // 2}" src="data:image/png;base64,{b64encode(picture).decode()}">')
        if (device, scheme) == ("phone", "dark"):
            (IMAGES / f"{name}-dark.png").write_bytes(picture)
    context.close()
    together = browser.new_page(viewport={"width": SHEET, "height": 100})
    style = "body { margin: 8px; background: #808080; display: flex; flex-wrap: wrap; gap: 8px; }"
    together.set_content(f"<style>{style}</style>{''.join(taken)}")
    together.screenshot(path=IMAGES / f"all-{device}-{scheme}.png", full_page=True)
    together.close()


def at_the_table(browser: Browser, place: str) -> None:
    """Make two pictures of a table with a phone: beside a mat, and as a compass in the middle of the piles."""
    for name, view, size in (("table", "group", (390, 780)), ("table-compass", "compass", (780, 390))):
        screen = {"width": size[0], "height": size[1]}
        context = browser.new_context(viewport=screen, device_scale_factor=2, color_scheme="dark", locale="en-GB")
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
        ground = marks.Rectangle(0, 0, made.width, made.height, fill=marks.WHITE, line=None)
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
        for name in PAGES:
            file.with_name(f"{name}.html").write_text(explaining(name), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for device in DEVICES:
            for scheme in ("dark", "light"):
                take(browser, file.as_uri(), device, scheme)
        at_the_table(browser, file.as_uri())
        pages_that_explain(browser, file.parent)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
