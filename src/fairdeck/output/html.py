"""The frame of every page that fairdeck writes: one file, offline, in the dark, on paper, for a screen reader.

A page lets no script run and nothing be fetched. Pictures in it are SVG whose colours are CSS classes,
so that they follow the page into the dark and onto paper.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TypeAlias

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='%236fd3c4' "
    "d='M6 8h13v18H6z'/%3E%3Cpath fill='%23ffd24a' d='M13 5h13v18H13z'/%3E%3C/svg%3E"
)
MARK = (
    '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect class="back" x="4" y="6" width="15" height="21" '
    'rx="2.5"/><rect class="front" x="13" y="4" width="15" height="21" rx="2.5"/></svg>'
)
PAGE_STYLE = (
    "*{box-sizing:border-box}html{background:var(--ground);color:var(--ink);font:100%/1.5 system-ui,sans-serif;"
    "-webkit-text-size-adjust:100%}body{margin:0}main,header,footer{max-width:66rem;margin:0 auto;padding:0 1rem}"
    "h1,h2,h3,h4,p,li,dd,code{overflow-wrap:anywhere}th,td{overflow-wrap:break-word}"
    "header{padding-top:1.2rem}h1{font-size:1.55rem;line-height:1.2;letter-spacing:-.01em;margin:.6rem 0}"
    "h2{font-size:1.2rem;line-height:1.25;margin:2rem 0 .5rem}h3{font-size:1rem;line-height:1.3;margin:0 0 .25rem}"
    "p{margin:.5rem 0;max-width:44rem}.soft,figcaption,small{color:var(--soft)}small{display:block;font-size:.85em}"
    ".brand{display:flex;align-items:center;gap:.5rem;color:var(--soft);font-weight:650}.mark{width:1.7rem;flex:none}"
    ".back{fill:#6fd3c4}.front{fill:#ffd24a}"
    ".badge{display:inline-block;padding:.15rem .8rem;border-radius:2rem;border:2px solid var(--line);font-weight:700}"
    ".fail{border-color:var(--alarm);color:var(--alarm)}.pass{border-color:var(--bar)}"
    ".insufficient{border-color:var(--gold)}"
    ".facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.4rem,1fr));gap:.6rem;margin:1rem 0}"
    ".facts div{background:var(--raised);border:1px solid var(--faint);border-radius:.7rem;padding:.6rem .8rem}"
    "dt{color:var(--soft);font-size:.9rem}dd{margin:0}.facts dd{font-weight:650;font-variant-numeric:tabular-nums}"
    ".findings li{margin:.5rem 0;max-width:44rem}.findings b::first-letter{text-transform:uppercase}"
    ".pictures{columns:21rem 2;column-gap:1rem;margin-bottom:1rem}.pictures figure{break-inside:avoid}"
    ".pictures.rows{columns:auto;display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr));"
    "gap:0 1rem}figure{margin:0 0 1rem;background:var(--ground);border:1px solid var(--faint);border-radius:.7rem;"
    "padding:.8rem;min-width:0}"
    "figure svg{display:block;width:100%;max-width:32rem;height:auto;margin:.3rem auto}figcaption{font-size:.9rem}"
    ".small{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.2rem,1fr));gap:.9rem;"
    "margin:.6rem 0 0;padding:0;list-style:none}.small h4{font-size:.9rem;line-height:1.25;margin:0}"
    ".small li{display:flex;flex-direction:column}.small svg{margin-top:auto}.small p{font-size:.8rem;margin:0}"
    ".scroll{overflow-x:auto;border:1px solid var(--faint);border-radius:.7rem}"
    "table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}"
    "caption{text-align:left;padding:.6rem .8rem;color:var(--soft)}"
    "th,td{text-align:left;padding:.3rem .5rem;vertical-align:top;border-top:1px solid var(--faint);font-weight:400}"
    "th:first-child{padding-left:.8rem}thead th{font-weight:650;border-top:0}"
    ".number{text-align:right;white-space:nowrap}.p{white-space:nowrap}"
    "tr.fault th,tr.fault td{font-weight:650}tr.says td{border-top:0;padding:0 .8rem .5rem;"
    "color:var(--soft)}"
    "pre{background:var(--raised);border:1px solid var(--faint);border-radius:.7rem;padding:.7rem .8rem;"
    "white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0}code,pre{font:.9rem/1.45 ui-monospace,monospace}"
    ".made{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.6rem 0}"
    "footer{padding-top:1.5rem;padding-bottom:2rem;font-size:.9rem;color:var(--soft)}"
    ":focus-visible{outline:3px solid var(--ink);outline-offset:2px}"
    "@media(min-width:40rem){h1{font-size:2rem}}"
    "@media(max-width:30rem){th,td{padding:.3rem .3rem}table{font-size:.82rem}.made{grid-template-columns:1fr}"
    ".made dd{margin-bottom:.3rem}figure{padding:.6rem}}"
    "@media print{html{font-size:80%;background:#fff}figure{background:none}"
    "main,header,footer{max-width:none;padding-left:0;padding-right:0}"
    "figure,.facts div,.findings li,tr,.small li{break-inside:avoid}h2,h3{break-after:avoid}"
    ".pictures{columns:2}.small{grid-template-columns:repeat(4,1fr)}.scroll{overflow:visible}"
    "svg,.badge{print-color-adjust:exact;-webkit-print-color-adjust:exact}}"
    "@media(forced-colors:active){svg{forced-color-adjust:none}}"
)
LIGHT = (
    "--ground:#f5f3ec;--raised:#fff;--line:#77716a;--ink:#1b2326;--soft:#4d5a5e;--faint:#c9c5ba;--gold:#ffc928;"
    "--on-gold:#1d1600;--alarm:#a3260a;--bar:#4aa598;--band:#ffc92866;--blue:#17568f;--up1:#fbe0c1;--up2:#f3b574;"
    "--up3:#dd7a24;--up4:#983803;--down1:#d3e5f5;--down2:#97c1e7;--down3:#478ccb;--down4:#114a83"
)
DARK = (
    "--ground:#0e1d22;--raised:#17303a;--line:#5d7f8b;--ink:#f4f7f5;--soft:#b3c5c9;--faint:#3d5761;--gold:#ffd24a;"
    "--on-gold:#1d1600;--alarm:#ffab91;--bar:#3f9c8f;--band:#ffd24a59;--blue:#7fc1ff;--up1:#4d3a2a;--up2:#8f5a2a;"
    "--up3:#dd8734;--up4:#ffcb8a;--down1:#264a63;--down2:#34709c;--down3:#59a4e4;--down4:#b9dfff"
)
COLOURS = f":root{{color-scheme:light dark;{LIGHT}}}@media screen and (prefers-color-scheme:dark){{:root{{{DARK}}}}}"
PICTURE_STYLE = (
    "svg text{font:11px system-ui,sans-serif;fill:var(--soft)}svg .strong{fill:var(--ink);font-weight:650}"
    "svg .field{fill:var(--raised);stroke:var(--line)}svg .axis{stroke:var(--line);fill:none}"
    "svg .bar{fill:var(--bar)}svg .band{fill:var(--band)}svg .fair{stroke:var(--ink);stroke-width:1.5;fill:none}"
    "svg .thin{stroke-width:.7}svg .spot{fill:var(--ink)}"
    "svg .dots{stroke:var(--bar);stroke-width:5;stroke-linecap:round;fill:none}"
    "svg .named{stroke:var(--ink)}svg.tiny text{font-size:13px}"
    "svg .cells path{stroke-width:1;fill:none;shape-rendering:crispEdges}svg .none{fill:var(--raised)}"
    + "".join(
        f"svg .{way}{level}{{fill:var(--{way}{level})}}svg .cells .{way}{level}{{stroke:var(--{way}{level});fill:none}}"
        for way in ("up", "down")
        for level in (1, 2, 3, 4)
    )
)


def document(headline: str, lead: str, body: str, style: str = "") -> str:
    """Return a page: a headline, what stands under it, and the rest, both as HTML already; `style` is CSS besides."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{text(headline)}</title><link rel="icon" href="{ICON}">'
        f"<style>{COLOURS}{PICTURE_STYLE}{PAGE_STYLE}{style}</style></head>\n"
        f'<body><header><div class="brand">{MARK}fairdeck</div><h1>{text(headline)}</h1>{lead}</header>\n'
        f"<main>{body}</main>\n"
        "<footer><p>Made by fairdeck. This page is one file and works offline; nothing in it calls home.</p></footer>"
        "</body></html>\n"
    )


def table(label: str, columns: Mapping[str, bool], rows: Iterable[Sequence[str]]) -> str:
    """Return a table that scrolls by itself where the window is narrow.

    Args:
        label: what it shows, for a screen reader.
        columns: their headings, and whether they hold numbers.
        rows: the cells, as HTML already; the first cell names the row.

    >>> '<td class="number">1</td>' in table("Sizes", {"deck": False, "cards": True}, [["a", "1"]])
    True
    """
    number = ' class="number"'
    heads = "".join(
        f'<th scope="col"{number if numeric else ""}>{text(head)}</th>' for head, numeric in columns.items()
    )
    body = "".join(
        f'<tr><th scope="row">{first}</th>'
        + "".join(
            f"<td{number if numeric else ''}>{cell}</td>"
            for cell, numeric in zip(rest, list(columns.values())[1:], strict=True)
        )
        + "</tr>"
        for first, *rest in rows
    )
    return (
        f'<div class="scroll" role="region" aria-label="{text(label)}" tabindex="0"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


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
    return escape("".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in raw))


def framed(page: str) -> str:
    """Return a page in a frame for a notebook, so that its styles stay inside."""
    return f'<iframe srcdoc="{escape(page)}" style="width:100%;height:36rem;border:0"></iframe>'
