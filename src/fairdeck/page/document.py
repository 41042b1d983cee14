"""One HTML document from its parts: texts, style, scripts, and the policy that allows only these.

The dealing page and the pages that explain are folded here. Names in double braces are gaps that a part fills.
"""

import json
import os
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from importlib import resources
from importlib.resources.abc import Traversable

import fairdeck
from fairdeck.page.shortening import denser
from fairdeck.show import look

PARTS = resources.files(__package__)  # not a path where fairdeck runs from one file
LANGUAGES = (
    "en",
    *sorted({file.name[:-5] for file in (PARTS / "texts").iterdir() if file.name.endswith(".json")} - {"en"}),
)
CLOSED = "default-src 'none'; base-uri 'none'; form-action 'none'; media-src data:; img-src data:"
NOTE = re.compile(r"/\*.*?\*/\n?", re.S)
BLOCKS = "details|dialog|div|fieldset|form|h[1-3]|header|legend|main|nav|ol|p|section|ul"  # no white space shows before
INDENT = re.compile(rf"\n+ *(?=</?(?:{BLOCKS})\b)|^ +(?=<)", re.M)
TAG, PLAIN = re.compile(r"<[a-z][^<>]*>"), re.compile(r'="([\w.#:-]+)"(?=[ >])')  # of an attribute: no quotes needed
RULE = re.compile(r"^( *)([^{}@\n]+) \{([^{}]*)\}\n", re.M)
TOKEN = re.compile(r"^  --([\w-]+): .*\n", re.M)
BETWEEN = re.compile(r", (?![^(]*\))")
# t("one"), t(deal ? "one" : "other"), t(kind === "top" ? "one" : has(cards) ? "two" : "three")
ASKS = re.compile(r'\bt\((?:(?:[^()";]|\([^()]*\)|"[^"]*")*? \? "\w+" : )*"\w+"(?=[,)])')
PLACED, ID = re.compile(r' (?:id|for|class|type|name|value|aria-\w+)="[^"]*"'), re.compile(r' id="(\w+)"')
QUOTED, WORD = re.compile(r"""(?<!\$\()["'`/](\w+)(?=["'`/])"""), re.compile(r'(?:(?<=t\()|(?<=[?:] ))"(\w+)"')
MARKED = re.compile(r'(data-t(?:-\w+)?)="(\w+)"')
WRITTEN_IN = re.compile(r'(<(\w+)[^<>]* data-t="(\w+)"[^<>]*>)(</\2>)')

Words = dict[str, dict[str, str]]  # by language, then by key


def texts(language: str, folder: Traversable = PARTS / "texts") -> dict[str, str]:
    """Return every text of a page in a language, by its key."""
    found: dict[str, str] = json.loads(read(folder / f"{language}.json"))
    return found


def used(words: Words, *parts: str) -> Words:
    """Return only the texts that these scripts or this HTML name, or put the name together of."""
    code = "".join(parts)
    named, begun = set(re.findall(r"[\"'](\w+)[\"']", code)), tuple(re.findall(r"`(\w+)\$\{", code))
    return {
        language: {key: text for key, text in found.items() if key in named or key.startswith(begun)}
        for language, found in words.items()
    }


def asked(words: Words, *parts: str) -> Words:
    """Return only the texts that these scripts ask for by ``t(...)`` or ``WORDS``, and this HTML by ``data-t``."""
    asking = re.findall(r"\b(?:t\(([^()]*)|WORDS\[([^\]]*))|data-t(?:-\w+)?=(\"\w+\")", "".join(parts))
    return used(words, *("".join(each) for each in asking))


def worn(style: str, *parts: str) -> str:
    r"""Return a style without comments, and without rules for what these scripts and this HTML never name.

    >>> worn(".a, .b { top: 0; }\n#c .a { top: 0; }\n.row1 { top: 0; }\n", '<p class="a">', "`row${n}`")
    '.a { top: 0; }\n.row1 { top: 0; }\n'
    """
    text = "".join(parts)
    named, begun = set(re.findall(r"[\w-]+", text)), tuple(re.findall(r"([\w-]+)\$\{", text))

    def is_worn(selector: str) -> bool:
        names = re.findall(r"[.#]([\w-]+)", re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", selector)))
        return all(name in named or name.startswith(begun) for name in names)

    def kept(rule: re.Match[str]) -> str:
        selectors = ", ".join(filter(is_worn, BETWEEN.split(rule[2])))
        return f"{rule[1]}{selectors} {{{rule[3]}}}\n" if selectors else ""

    return re.sub(r"^@media[^{]*\{\n\}\n", "", RULE.sub(kept, NOTE.sub("", style)), flags=re.M)


def built(words: Words, more: Mapping[str, object]) -> str:
    """Return the module `built.js`: what the scripts know of the page that they are part of."""
    # One language after the other, and like beginnings together: shorter on the wire than each text beside its
    # translations. English is first, beside the document, which has most of it already.
    keys = _keys(words)
    lines = "\n".join([*keys, *(words[language][key] for language in LANGUAGES for key in keys)])
    data = {"LANGUAGES": LANGUAGES, **more, "BUILD": {"version": fairdeck.__version__, "hash": "{{hash}}"}}
    constants = [
        "// The keys of all texts, then the texts of each language.",
        f'const LINES = `{lines}`.split("\\n");',
        *(f"const {name} = {json.dumps(value, ensure_ascii=False)};" for name, value in data.items()),
    ]
    return "\n".join(constants) + "\n"


def numbered(words: Words, script: str, *pages: str) -> tuple[str, ...]:
    """Return a script with the module `built`, and its pages, which call texts by their numbers in place of their keys.

    Only ``t("key")`` and ``data-t`` are changed. A key that is named in another way, or is put together, stays known;
    an element's ``id`` is no key.
    """
    if "FAIRDECK_AS_WRITTEN" in os.environ:
        return script, *pages
    keys = _keys(words)
    number = {key: str(at) for at, key in enumerate(keys, 1)}
    asked_for = Counter(key for call in ASKS.findall(script) for key in WORD.findall(call))
    named, elsewhere = (
        Counter(QUOTED.findall(text)) for text in (script, MARKED.sub("", PLACED.sub("", "".join(pages))))
    )
    begun = (*re.findall(r"(\w+)\$\{", script), *re.findall(r'startsWith\("(\w+)"', script))
    for name in ID.findall("".join(pages)):
        named[name] = script.count(f'WORDS["{name}"]')
    known = [key if elsewhere[key] or key.startswith(begun) or named[key] > asked_for[key] else "" for key in keys]
    called = ASKS.sub(
        lambda call: WORD.sub(lambda word: number.get(word[1], word[0]), call[0]),
        script.replace("\n".join(keys), "\n".join(known), 1),
    )
    return called, *(MARKED.sub(lambda mark: f'{mark[1]}="{number.get(mark[2], mark[2])}"', page) for page in pages)


def _keys(words: Words) -> list[str]:
    return sorted(words[LANGUAGES[0]], key=words[LANGUAGES[0]].__getitem__)


def folded(
    page: str,
    style: str,
    code: str,
    *,
    noscript: str,
    voices: Sequence[str] = (),
    opened: str = "",
    inside: Sequence[str] = (),
    deal: str = "",
    file: str = "",
    sheet: str = "",
) -> str:
    """Return a page with its style, scripts, voices and policy in it.

    Args:
        page: the document, with gaps for its parts.
        style: its style.
        code: its script.
        noscript: what stands there without scripts.
        voices: the languages whose recorded labels are folded in.
        opened: what else the policy allows.
        inside: scripts of frames inside the page; the policy allows them too, because such frames inherit it.
        deal: the data of a page that deals one deal.
        file: of a page in a site, the same page as a single file; both show the same number.
        sheet: the style that its site keeps beside the page, as `shared_sheet` returns it; else all is in the page.
    """
    style = style if sheet else look.style("tokens") + style
    named = set(re.findall(r"var\(--([\w-]+)", style + sheet)) | set(re.findall(r"\w[\w-]*", page + code))
    begun = tuple(re.findall(r"([\w-]+)\$\{", code))

    def worn_token(token: re.Match[str]) -> str:
        return token[0] if token[1] in named or token[1].startswith(begun) else ""

    style, dark = (denser(TOKEN.sub(worn_token, NOTE.sub("", part))) for part in (style, look.dark()))
    shared = f'<link rel="stylesheet" href="{look.SHEET}?{_number(sheet)}">\n' if sheet else ""
    styles = f'{shared}<style>{style}</style>\n<style id="dark" media="{look.IN_THE_DARK}">{dark}</style>'
    parts = {"head": read(PARTS / "head.html").rstrip(), "styles": styles, "noscript": noscript}
    face = denser(look.face())
    # Letters pack badly; at the end of a page they spoil the packing of nothing else.
    parts |= {"icon": look.icon(), "mark": look.mark(), "letters": f"<style>{face}</style>"}
    number = _number(filled(file or page, parts) + code)
    page, code = INDENT.sub("", filled(page, parts)), code.replace("{{hash}}", number)
    page = TAG.sub(lambda tag: PLAIN.sub(r"=\1", tag[0]), page)
    fonts, sheets = ("'self'", "'self' ") if sheet else ("data:", "")
    styled, run = (
        " ".join(map(_hashed, allowed)) for allowed in ((style, dark, *([] if sheet else [face])), (code, *inside))
    )
    policy = f"{CLOSED}{opened}; font-src {fonts}; style-src {sheets}{styled}; script-src {run}"
    spoken = json.dumps({language: _voice(language) for language in voices}, separators=(",", ":"))
    voice = f'<script type="application/json" id="voices">{spoken}</script>' if voices else ""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return filled(page, {"script": code, "deal": deal, "voices": voice, "policy": meta})


def shared_sheet(style: str) -> str:
    """Return the style that pages of a site share, as the file `look.SHEET` beside them and the letters."""
    return denser(NOTE.sub("", look.tokens(beside=True) + style))


def written_in(page: str, words: Words) -> str:
    """Return a page whose texts stand in it, in English, before its script runs.

    >>> written_in('<p data-t="go"></p>', {"en": {"go": "Go"}})
    '<p data-t="go">Go</p>'
    """
    english = words[LANGUAGES[0]]
    return WRITTEN_IN.sub(lambda gap: f"{gap[1]}{escape(english[gap[3]], quote=False)}{gap[4]}", page)


def filled(text: str, parts: Mapping[str, str]) -> str:
    """Return the text with these parts in its gaps; other gaps stay."""
    return re.sub(r"\{\{(\w+)\}\}", lambda gap: parts.get(gap[1], gap[0]), text)


def read(file: Traversable) -> str:
    """Return the text of a part."""
    return file.read_text(encoding="utf-8")


def _number(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _voice(language: str) -> dict[str, object]:
    clips = PARTS / "voices"
    return {
        "clips": json.loads(read(clips / f"{language}.json")),
        "ogg": b64encode((clips / f"{language}.ogg").read_bytes()).decode(),
    }


def _hashed(part: str) -> str:
    return f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'"
