"""The frame of every page that fairdeck writes: one file, offline, in the dark, on paper, for a screen reader.

A page fetches nothing, and runs no script but one: the values of its charts, known to its policy by a hash. Pictures
in it are SVG whose colours are CSS classes, so that they follow the page into the dark and onto paper.
"""

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Mapping
from html import escape
from importlib import resources
from typing import TypeAlias
from urllib.parse import quote

from fairdeck.errors import legible
from fairdeck.show import look

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
)

VALUES = (resources.files(__package__) / "styles" / "values.js").read_text(encoding="utf-8")
VALUES_HASH = b64encode(hashlib.sha256(VALUES.encode()).digest()).decode()
PICTURE_STYLE, PAGE_STYLE = look.style("pictures"), look.style("page")


def html_page(title: str, top: str, body: str, kind: str = "") -> str:
    """Return a page: its title, what stands on the table or in a band, and the rest, both as HTML already.

    Its `kind` is a word or two in its head, beside the brand.
    """
    scripted = "data-values=" in body
    policy = f"{POLICY}; script-src 'sha256-{VALUES_HASH}'" if scripted else POLICY
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{text(title)}</title><link rel="icon" href="{look.icon()}">'
        f"<style>{look.tokens()}{PICTURE_STYLE}{PAGE_STYLE}</style>"
        f'<style media="{look.IN_THE_DARK}">{look.dark()}</style></head>\n'
        f'<body><header><div class="brand">{look.mark()}fairdeck</div>{tag("span", kind) if kind else ""}</header>\n'
        f"<main>{top}{body}</main>\n"
        "<footer><p>Made by fairdeck. This page is one file and works offline; nothing in it calls home.</p></footer>"
        f"{f'<script>{VALUES}</script>' if scripted else ''}</body></html>\n"
    )


def page_of_links(headline: str, lead: str, links: Mapping[str, str]) -> str:
    """Return a page with a headline, a sentence under it, and links: what each says, by the name of its file."""
    items = (tag("li", tag("a", says, href=quote(file))) for file, says in links.items())
    return html_page(headline, hero(headline, tag("p", lead)), tag("ol", items, class_="links"))


def hero(headline: str, *lead: "Content") -> "Html":
    """Return the head of a page, on the green of the table."""
    return tag("section", tag("h1", headline), *lead, class_="hero")


def preformatted(raw: str) -> str:
    """Return lines of plain text as HTML that keeps them."""
    return f"<pre>{escape(raw)}</pre>"


class Html(str):
    """Text that is HTML already. Every other text is escaped where it is put into HTML."""

    __slots__ = ()


Content: TypeAlias = str | Iterable["Content"] | None


def tag(name: str, *content: Content, **attributes: str) -> Html:
    """Return an element; None is left out, and so is an attribute with an empty value.

    An underscore in the name of an attribute is a hyphen, and one at its end is left out.

    >>> tag("p", "a < b", tag("b", "!"), class_="soft")
    '<p class="soft">a &lt; b<b>!</b></p>'
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"' for key, value in attributes.items() if value
    )
    return Html(f"<{name}{said}>{joined(*content)}</{name}>")


def joined(*content: Content) -> Html:
    """Return the parts one after another; what is not HTML is escaped.

    >>> joined("&", [tag("i", "x"), None])
    '&amp;<i>x</i>'
    """
    return Html("".join(map(_escaped, content)))


def _escaped(part: Content) -> str:
    if part is None or isinstance(part, Html):
        return part or ""
    return text(part) if isinstance(part, str) else joined(*part)


def text(raw: str) -> str:
    r"""Return `raw` as HTML text, with characters that do not print (controls, lone surrogates) written out.

    >>> text("<b>" + chr(7))
    '&lt;b&gt;\\x07'
    """
    return escape(legible(raw))


def framed(page: str) -> str:
    """Return a page in a frame for a notebook, so that its styles stay inside."""
    return f'<iframe srcdoc="{escape(page)}" style="width:100%;height:36rem;border:0"></iframe>'
