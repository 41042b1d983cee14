"""The dealing page: its parts, and the builder that folds them into one HTML file.

The page needs nothing but itself: no network, no other file. What it remembers stays on the device.
Its policy allows only the style and the script that it was built with. Both stand in it as they were
written, comments included: a stranger who views the source can read what draws the order. `scripts/` holds ES modules,
which `modules` joins; `texts/` and `voices/` a file for each language; `decks.json` the decks that the page knows.

The page of one deal lacks the parts that `page.html` and `style.css` mark as "whole" and has those in `one/` instead;
the texts there replace others.
"""

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import fairdeck
from fairdeck.page.modules import joined

PARTS = Path(__file__).parent
LANGUAGES = ("en", *sorted({path.stem for path in (PARTS / "texts").glob("*.json")} - {"en"}))
WHOLE_PAGE, ONE_DEAL = "app", "one"  # the modules that import all others
CLOSED = "default-src 'none'; base-uri 'none'; form-action 'none'; media-src data:; img-src data:"
LINKS = "links.html"
WHOLE = re.compile(r" *<!-- whole -->\n(.*?) *<!-- /whole -->\n", re.S)
STYLE_OF_WHOLE = re.compile(r"/\* whole \*/\n.*?/\* /whole \*/\n", re.S)
OPEN_TO_ITS_SITE = " 'self'; manifest-src 'self'; worker-src 'self'"


def texts(language: str, folder: str = "texts") -> dict[str, str]:
    """Return every text of the page in a language, by its key."""
    found: dict[str, str] = json.loads(_read(f"{folder}/{language}.json"))
    return found


def build(voices: Sequence[str] = ("en",), *, site: bool = False) -> str:
    """Return the dealing page as one self-contained HTML document.

    Args:
        voices: the languages whose recorded labels are folded in, some of `LANGUAGES`; about 65 KB each.
        site: whether it is one file of a `site`, which the browser can install.

    >>> "default-src 'none'" in build()
    True
    """
    links = _read(f"site/{LINKS}") if site else ""
    page = _filled(WHOLE.sub(r"\1", _read("page.html")), {"site": links, "one": "", "options": ""})
    opened = OPEN_TO_ITS_SITE if site else ""
    return _folded(page, _read("style.css"), _code(), voices, opened=opened)


def build_one(code: str, name: str, voices: Sequence[str] = ("en",)) -> str:
    """Return a page that deals one deal and has no setup, as one self-contained HTML document.

    The page gives the order away to anybody who has it.

    Args:
        code: the deal, as `fairdeck.dealing.share_code` writes it; several dealers are asked which one they are.
        name: under which the device remembers how far the deal is: no other page's name, and
            nothing that tells of the order.
        voices: as for `build`.
    """
    parts = {"site": "", "one": _read("one/screens.html"), "options": _read("one/options.html")}
    page = _filled(WHOLE.sub("", _read("page.html")), parts)
    style = STYLE_OF_WHOLE.sub("", _read("style.css")) + _read("one/style.css")
    given = json.dumps({"code": code, "name": name}, separators=(",", ":"))
    deal = f'<script type="application/json" id="one">{given}</script>'
    return _folded(page, style, _code_of_one(page), voices, deal=deal, noscript=_read("one/noscript.html"))


def _folded(
    page: str, style: str, code: str, voices: Sequence[str], *, opened: str = "", deal: str = "", noscript: str = ""
) -> str:
    """Return a page with its style, script, voices and policy in it; `opened` is what else the policy allows."""
    page = _filled(page, {"style": style, "icon": _icon(), "noscript": noscript or _read("noscript.html")})
    code = code.replace("{{hash}}", sha256((page + code).encode()).hexdigest()[:16])
    policy = f"{CLOSED}{opened}; style-src {_hashed(style)}; script-src {_hashed(code)}"
    spoken = json.dumps({language: _voice(language) for language in voices}, separators=(",", ":"))
    voice = f'<script type="application/json" id="voices">{spoken}</script>' if voices else ""
    return _filled(page, {"script": code, "deal": deal, "voices": voice, "policy": _meta(policy)})


def site(voices: Sequence[str] = ("en",)) -> dict[str, bytes]:
    """Return the files of a site that browsers can install and open with no network, by their names."""
    files = {path.name: path.read_bytes() for path in sorted((PARTS / "site").iterdir()) if path.name != LINKS}
    files["index.html"] = build(voices, site=True).encode()
    version = sha256(b"".join(files[name] for name in sorted(files))).hexdigest()[:16]
    files["worker.js"] = files["worker.js"].replace(b"{{version}}", version.encode())
    return files


def _code() -> str:
    words = {language: texts(language) for language in LANGUAGES}
    return joined(WHOLE_PAGE, built=_built(words, {"DECKS_KNOWN": json.loads(_read("decks.json"))}))


def _code_of_one(page: str) -> str:
    """Return the scripts of a page of one deal, with only the texts that they or its HTML name."""
    named = set(re.findall(r"[\"'](\w+)[\"']", page + joined(ONE_DEAL)))
    words = {language: texts(language) | texts(language, "one/texts") for language in LANGUAGES}
    used = {language: {key: text for key, text in found.items() if key in named} for language, found in words.items()}
    return joined(ONE_DEAL, built=_built(used, {}))


def _built(words: dict[str, dict[str, str]], more: dict[str, object]) -> str:
    """Return the module `built.js`: what the scripts know of the page that they are part of."""
    keys = list(words[LANGUAGES[0]])
    # One language after the other: shorter on the wire than each text beside its translations. English is last,
    # beside the scripts, whose words it shares.
    lines = "\n".join([*keys, *(words[language][key] for language in reversed(LANGUAGES) for key in keys)])
    data = {"LANGUAGES": LANGUAGES, **more, "BUILD": {"version": fairdeck.__version__, "hash": "{{hash}}"}}
    constants = [
        "// The keys of all texts, then the texts of each language, the last one first.",
        f'const LINES = `{lines}`.split("\\n");',
        *(f"const {name} = {_json(value)};" for name, value in data.items()),
    ]
    return "\n".join(constants) + "\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _meta(policy: str) -> str:
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'


def _voice(language: str) -> dict[str, object]:
    clips = PARTS / "voices" / f"{language}.ogg"
    return {"clips": json.loads(_read(f"voices/{language}.json")), "ogg": b64encode(clips.read_bytes()).decode()}


def _filled(text: str, parts: dict[str, str]) -> str:
    return re.sub(r"\{\{(\w+)\}\}", lambda gap: parts.get(gap[1], gap[0]), text)


def _icon() -> str:
    return "data:image/svg+xml," + quote(_read("icon.svg").strip(), safe=" /:=,()<>'")


def _hashed(part: str) -> str:
    return f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'"


def _read(name: str) -> str:
    return (PARTS / name).read_text(encoding="utf-8")
