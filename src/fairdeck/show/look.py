"""What all pages look like: tokens for light and dark, letters, the mark, for pages, reports and documents."""

from base64 import b64encode
from importlib import resources
from urllib.parse import quote

STYLES = resources.files(__package__) / "styles"
LETTERS = "index.woff2"
SHEET = "look.css"  # what the pages of a site share
# A reader may choose against the device: a script changes the `media` of the style element that holds these.
IN_THE_DARK = "screen and (prefers-color-scheme: dark)"


def style(name: str) -> str:
    """Return one of the style sheets in ``styles/``."""
    return (STYLES / f"{name}.css").read_text(encoding="utf-8")


def letters() -> bytes:
    """Return the letters of headings and labels, a WOFF2 font that `release/font.py` builds."""
    return (STYLES / LETTERS).read_bytes()


def face(beside: bool = False) -> str:
    """Return the style that says where the letters are: in itself, or in the file `LETTERS` beside the page."""
    address = LETTERS if beside else f"data:font/woff2;base64,{b64encode(letters()).decode()}"
    return f"@font-face {{ font-family: Index; font-weight: 700; src: url({address}) format('woff2'); }}\n"


def tokens(beside: bool = False) -> str:
    """Return the tokens and the `face` of the letters."""
    return face(beside) + style("tokens")


def dark() -> str:
    """Return the tokens that differ in the dark."""
    return style("dark")


def mark() -> str:
    """Return the mark: a card with four pips in the order 2 4 1 3, the smallest in which no neighbours stay a block."""
    return (STYLES / "mark.svg").read_text(encoding="utf-8").strip()


def icon() -> str:
    """Return the mark as the address of a page's icon."""
    return "data:image/svg+xml," + quote(mark(), safe=" /:=,()<>'")
