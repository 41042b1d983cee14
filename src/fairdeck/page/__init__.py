"""The dealing page: its parts, and the builder that folds them into one HTML file.

The page needs nothing but itself: no network, no other file. What it remembers stays on the device. Its policy allows
only the style and the script that it was built with. The script is `shorter`, and the style has no rules for what the
page lacks; the page `check` has what draws and plans the order as it was written, for a stranger to read.
`scripts/` holds ES modules, which `modules` joins; `styles/` a style sheet for what all pages share, and for each
screen; `texts/` and `voices/` a file for each language; `decks.json` the decks that the page knows.

The page of one deal lacks the parts that `page.html` marks as "whole", and the style of the setup, and has those in
`one/` instead; the texts there replace others. Where its order is given, and not drawn, those in `one/given/` replace
them too, and those in `one/board/` where it is one of the two lists of a board. Only a page of a site has the parts
marked as "site".
"""

import json
import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from hashlib import sha256

from fairdeck.page.document import LANGUAGES, PARTS, built, filled, folded, numbered, read, texts, used, worn
from fairdeck.page.modules import joined
from fairdeck.page.shortening import shorter

__all__ = ["LANGUAGES", "build", "build_one", "shared_style", "site", "texts"]

WHOLE_PAGE, ONE_DEAL = "app", "one"  # the modules that import all others
LINKS = "links.html"
WHOLE = re.compile(r" *<!-- whole -->\n(.*?) *<!-- /whole -->\n", re.S)
SITE = re.compile(r"<!-- site -->(.*?)<!-- /site -->", re.S)
STYLES = PARTS / "styles"
INERT = str.maketrans("`\\{}|<", "'/()/‹")  # letters that end a text, or part it, in names of cards
OPEN_TO_ITS_SITE = " 'self'; manifest-src 'self'; worker-src 'self'"


def build(voices: Sequence[str] = ("en",), *, site: bool = False) -> str:
    """Return the dealing page as one self-contained HTML document.

    Args:
        voices: the languages whose recorded labels are folded in, some of `LANGUAGES`; about 65 KB each.
        site: whether it is one file of a `site`, which the browser can install.

    >>> "default-src 'none'" in build()
    True
    """
    written = WHOLE.sub(r"\1", read(PARTS / "page.html")).replace("{{shell}}", read(PARTS / "shell.html").rstrip())
    in_file = filled(SITE.sub("", written), {"site": "", "one": "", "options": ""})
    in_site = filled(SITE.sub(r"\1", written), {"site": read(PARTS / "site" / LINKS), "one": "", "options": ""})
    words = {language: texts(language) for language in LANGUAGES}
    known = {"DECKS_KNOWN": json.loads(read(PARTS / "decks.json"))}
    script = joined(WHOLE_PAGE, built=built(words, known))
    opened = OPEN_TO_ITS_SITE if site else ""
    noscript = read(PARTS / "noscript.html")
    styles = shared_style() + "".join(read(STYLES / f"{name}.css") for name in ("deal", "done", "setup"))
    # Without texts: nothing of it is shown before its script runs.
    script, page, in_file = numbered(words, script, in_site if site else in_file, in_file)
    code = shorter(script)
    style = worn(styles, written, code)
    return folded(page, style, code, noscript=noscript, voices=voices, opened=opened, file=in_file)


def build_one(
    code: str,
    name: str,
    voices: Sequence[str] = ("en",),
    *,
    given: bool = False,
    board: Mapping[str, tuple[str, str]] | None = None,
) -> str:
    """Return a page that deals one deal and has no setup, as one self-contained HTML document.

    The page gives the order away to anybody who has it.

    Args:
        code: the deal, as `fairdeck.dealing.share_code` writes it; several dealers are asked which one they are.
        name: under which the device remembers how far the deal is: no other page's name, and
            nothing that tells of the order.
        voices: as for `build`.
        given: whether its order was given, and not drawn.
        board: of one of the two lists of a board, in each language: what names the list, and how the deck lies at the
            start (empty if this list is not dealt first). It names cards that somebody else may have named.
    """
    own = PARTS / "one"
    parts = {"site": "", "one": read(own / "screens.html"), "options": read(own / "options.html")}
    page = filled(WHOLE.sub("", read(PARTS / "page.html")), parts)
    folders = [*([own / "board"] if board else []), *([own / "given"] if given else []), own / "texts", PARTS / "texts"]
    words = {language: dict(ChainMap(*(texts(language, each) for each in folders))) for language in LANGUAGES}
    for language, (called, start) in (board or {}).items():
        said = words[language]
        first = f"{start.translate(INERT)} {said['holdDeck']}".strip()
        said |= {"title": called, "foreign": f"{called}. {said['foreign']}", "holdDeck": first}
    # Its order was drawn elsewhere: it never says of how many orders it is one.
    words = used(words, page, joined(ONE_DEAL).replace("`one_${", "`").replace("neverSeen", ""))
    script, page = numbered(words, joined(ONE_DEAL, built=built(words, {})), page)
    script = shorter(script)
    held = json.dumps({"code": code, "name": name, "given": given}, separators=(",", ":"))
    deal = f'<script type="application/json" id="one">{held}</script>'
    noscript = read(own / "noscript.html")
    styles = shared_style() + read(STYLES / "deal.css") + read(STYLES / "done.css") + read(own / "style.css")
    return folded(page, worn(styles, page, script), script, noscript=noscript, voices=voices, deal=deal)


def shared_style() -> str:
    """Return the style that all pages share: colours, letters, fields, buttons."""
    return read(STYLES / "look.css")


def site(voices: Sequence[str] = ("en",), beside: Mapping[str, bytes] | None = None) -> dict[str, bytes]:
    """Return the files of a site that browsers can install and open with no network, by their names.

    Args:
        voices: as for `build`.
        beside: other pages of the site, by their names.
    """
    files = {
        name: (PARTS / "site" / name).read_bytes() for name in sorted(file.name for file in (PARTS / "site").iterdir())
    }
    del files[LINKS]
    files |= {"index.html": build(voices, site=True).encode(), **(beside or {})}
    version = sha256(b"".join(files[name] for name in sorted(files))).hexdigest()[:16]
    told = {"version": version, "others": " ".join(sorted(beside or {}))}
    # Last: a phone that meets the new worker while the site is written must find the new pages, for it keeps them.
    files["worker.js"] = filled(files.pop("worker.js").decode(), told).encode()
    return files
