"""A table seen from above: a mat, piles of cards as high as a deal has made them, a hand with the others, a phone."""

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from pathlib import Path

from playwright.sync_api import Browser

WIDTH, HEIGHT = 1500, 940
CARD, GAP, BETWEEN = (126, 176), 34, 78  # pixels; a poker card has 63 by 88 mm
STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
PALM, FINGERS = (
    Path(__file__).with_name(f"hand_{part}.svg").read_text(encoding="utf-8") for part in ("below", "above")
)
IN_HAND = (150, 70)  # where the drawings of the hand have the corner of the deck


def scene(browser: Browser, screen: bytes, piles: Mapping[str, int], columns: int, hand: int, *, lying: bool) -> bytes:
    """Return a picture, as JPEG.

    Args:
        browser: which draws it.
        screen: what the phone shows, 390 by 780 pixels, or 780 by 390 if it is lying.
        piles: the height of the pile on each space, by its label, row by row.
        columns: of the piles.
        hand: how many cards are still to be dealt: a hand holds them, beside the piles.
        lying: whether the phone lies in the middle of two rows, as for the compass; otherwise it lies beside a mat.
    """
    wide, high = (520, 260) if lying else (300, 600)
    across, apart = CARD[0] + GAP, CARD[1] + BETWEEN + (high + 30 if lying else 0)
    rows = -(-len(piles) // columns)
    left = (WIDTH - columns * across + GAP) // 2 if lying else 560
    top = (HEIGHT - (rows - 1) * apart - CARD[1]) // 2 + 20
    parts = [] if lying else [_box("mat", left - 50, top - 80, columns * across + 66, rows * apart + 60)]
    for place, (label, height) in enumerate(piles.items()):
        row, column = divmod(place, columns)
        x, y = left + column * across, top + row * apart
        parts.append(_box("space", x - 5, y - 5, CARD[0] + 4, CARD[1] + 4, f"<b>{escape(label)}</b>"))
        parts += _pile(x, y, height, place)
    parts.append(_held(left + columns * across + 100, HEIGHT - CARD[1] - 290, hand))
    picture = f'<img width="{wide}" height="{high}" src="data:image/png;base64,{b64encode(screen).decode()}">'
    x, y = ((WIDTH - wide) // 2 - 12, top + CARD[1] + 14) if lying else (110, (HEIGHT - high) // 2 - 20)
    parts.append(f'<div class="phone" style="left: {x}px; top: {y}px; rotate: {0 if lying else -4}deg">{picture}</div>')
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.set_content(f"<style>{STYLE}</style>{''.join(parts)}")
    made = page.screenshot(type="jpeg", quality=88)
    page.close()
    return made


def _held(x: int, y: int, height: int) -> str:
    """Return a hand that holds cards."""
    cards = "".join(_pile(*IN_HAND, height, 5))
    return _box("held", x - IN_HAND[0], y - IN_HAND[1], 500, 600, f"{PALM}{cards}{FINGERS}")


def _pile(x: int, y: int, height: int, turn: int) -> list[str]:
    """Return the cards of a pile; no hand lays them quite straight."""
    turns = [((card * 7 + turn * 5) % 11 - 5) * 0.35 for card in range(height)]
    return [
        f'<div class="card" style="left: {x}px; top: {y - 1.2 * card}px; width: {CARD[0]}px; height: {CARD[1]}px; '
        f'rotate: {turns[card]}deg"></div>'
        for card in range(height)
    ]


def _box(kind: str, x: int, y: int, wide: int, high: int, inside: str = "") -> str:
    place = f"left: {x}px; top: {y}px; width: {wide}px; height: {high}px"
    return f'<div class="{kind}" style="{place}">{inside}</div>'
