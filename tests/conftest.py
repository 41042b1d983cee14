import os
import shutil

import pytest
from hypothesis import settings

# The same examples on every run and machine, however slow: a failure is a fault, never the weather.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# Root needs no sandbox; the rest keeps a headless browser from looking for its maker's servers.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium. Without one the browser tests are skipped, but never under CI."""
    from playwright.sync_api import sync_playwright

    place = next(filter(None, map(shutil.which, BROWSERS)), None)
    if place is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no Chromium on this machine")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=place, args=ARGUMENTS)
        yield chromium
        chromium.close()
