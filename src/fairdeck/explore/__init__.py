"""The pages where one sees it: each shows one idea, and is one HTML file that needs nothing else.

A page is a folder here: `page.html` (the middle of the document), `style.css`, a script of the folder's name,
and `texts/` in each language. `document.html` surrounds them all. They share the scripts, the style and the texts
of the dealing page; texts of their own replace those of the same key.
"""

from collections.abc import Sequence
from pathlib import Path

from fairdeck import page
from fairdeck.page.document import LANGUAGES, built, filled, folded, read, texts, used
from fairdeck.page.modules import SCRIPTS, joined

HERE = Path(__file__).parent
PAGES = tuple(sorted(file.parent.name for file in HERE.glob("*/page.html")))


def explaining(name: str) -> str:
    """Return a page as one self-contained HTML document.

    Args:
        name: one of `PAGES`.

    >>> "default-src 'none'" in explaining("sort")
    True
    """
    own = HERE / name
    html = filled(read(HERE / "document.html"), {"main": read(own / "page.html")})
    folders = (own, HERE / "scripts", SCRIPTS)
    words = {language: texts(language) | texts(language, own / "texts") for language in LANGUAGES}
    script = joined(name, built=built(used(words, html, joined(name, folders=folders)), {}), folders=folders)
    style = page.style() + read(HERE / "style.css") + read(own / "style.css")
    return folded(html, style, script, noscript=read(HERE / "noscript.html"))


def site(voices: Sequence[str] = ("en",)) -> dict[str, bytes]:
    """Return the files of a site: the dealing page, and these pages beside it.

    Args:
        voices: as for `fairdeck.page.build`.
    """
    return page.site(voices, {f"{name}.html": explaining(name).encode() for name in PAGES})
