"""The dealing page: its parts, and the builder that folds them into one HTML file.

The page needs nothing but itself: no network, no other file. What it remembers stays on the device.
Its policy lets run only the very style and script it was built with.
"""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

PARTS = Path(__file__).parent
PLANNER = ("planner.js", "eulerian.js", "advice.js")
SCRIPTS = (*PLANNER, "memory.js", "app.js")


def script(names: tuple[str, ...] = SCRIPTS) -> str:
    """Return the page's scripts, joined; `PLANNER` names those that need no browser."""
    return '"use strict";\n' + "\n".join((PARTS / name).read_text(encoding="utf-8") for name in names)


def build() -> str:
    """Return the dealing page as one self-contained HTML document.

    >>> "default-src 'none'" in build()
    True
    """
    style, code = (PARTS / "style.css").read_text(encoding="utf-8"), script()
    closed = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:"
    policy = f"{closed}; style-src {_hashed(style)}; script-src {_hashed(code)}"
    page = (PARTS / "page.html").read_text(encoding="utf-8")
    for name, part in (("policy", policy), ("style", style), ("script", code)):
        page = page.replace("{{" + name + "}}", part)
    return page


def _hashed(part: str) -> str:
    return f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'"
