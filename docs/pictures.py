"""Take the screenshots in docs/images: a deck of 60 on a 5x2 mat, on a phone."""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from fairdeck.page import build

IMAGES = Path(__file__).parent / "images"
SEEDED = """(() => {
  let state = 2026;
  crypto.getRandomValues = (array) => array.map(() => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0))
    .reduce((all, word, i) => { all[i] = word; return all; }, array);
})()"""


def step(page: Page, until: str) -> None:
    """Press Next until the page says `until`."""
    while until not in (page.text_content("#count") or ""):
        page.click("#next")
    page.wait_for_timeout(300)


def main() -> int:
    """Take them all."""
    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    if browser_path is None:
        print("No Chromium here: install the package 'chromium'", file=sys.stderr)
        return 2
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "deal.html"
        file.write_text(build(), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for scheme in ("dark", "light"):
            context = browser.new_context(viewport={"width": 390, "height": 780}, color_scheme=scheme)
            page = context.new_page()
            page.add_init_script(SEEDED)
            page.goto(file.as_uri())
            page.screenshot(path=IMAGES / f"setup-{scheme}.png")
            page.click("#start")
            for name, until in (("deal", "Card 37 of 60"), ("check", "Check"), ("gather", "Gather 2")):
                step(page, until)
                page.screenshot(path=IMAGES / f"{name}-{scheme}.png")
            step(page, "Done")
            page.screenshot(path=IMAGES / f"done-{scheme}.png")
        browser.close()
    return 0


sys.exit(main())
