"""Phones at one table: what they show each other, and what their cameras open."""

from io import BytesIO

import zxingcpp
from PIL import Image


def scanned(page):
    """Return the link in the code that a phone shows."""
    return zxingcpp.read_barcodes(Image.open(BytesIO(page.locator("#code").screenshot())))[0].text


def by_camera(page, link):
    """Open a link in a new tab of the phone, as its camera does, and close it again."""
    tab = page.context.new_page()
    tab.goto(link)
    said = tab.text_content("#said")
    assert "#" not in tab.url, "a message may be a secret"
    tab.close()
    return said


def pasted(page, text):
    page.fill("#received", text)
    page.click("#take")
    return page.text_content("#said")


def begun(page, people="Ann, Ben", **fields):
    page.fill("#people", people)
    for name, value in fields.items():
        page.fill(f"#{name}", value)
    page.click("#plan button")


def joins(page, first, name="Ben"):
    """Scan the invitation that the first phone shows, and say who one is."""
    page.goto(scanned(first))
    page.click(f"#who button:has-text('{name}')")
