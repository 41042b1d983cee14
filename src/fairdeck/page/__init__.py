"""The dealing page: its parts, and the builder that folds them into one HTML file.

The page needs nothing but itself: no network, no other file. What it remembers stays on the device.
Its policy lets run only the very style and script it was built with. Its texts are in `texts/`, a
file a language; its voices in `voices/`; the decks it knows in `decks.json`.

A page of one deal is the same without what `page.html` marks as of the whole page, and with what is
in `one/`, whose texts take the place of others.
"""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import fairdeck

PARTS = Path(__file__).parent
LANGUAGES = ("en", "de", "es", "fr")
PLANNER = ("planner", "eulerian", "advice")
WITHOUT_SCREEN = (*PLANNER, "dealing", "code", "fairness", "qr")
SCREEN = ("elements", "mat", "sound", "tempo", "screen")
SCRIPTS = (
    *(*WITHOUT_SCREEN, "texts", "memory", "kept", *SCREEN),
    *("decks", "settings", "setup", "handover", "how", "example", "proof", "play", "app"),
)
ONE_DEAL = ("planner", "dealing", "code", "texts", "memory", *SCREEN, "settings", "play", "one")
CLOSED = "default-src 'none'; base-uri 'none'; form-action 'none'; media-src data:; img-src data:"
LITERAL = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)""")
SPACED_SIGN = re.compile(r" *([=*<>!?:;,(){}&|\[\]]) *")
LETTERS = [chr(code) for code in range(33, 127) if chr(code) not in "<>&"]
VOICES_HERE = "<!-- voices -->"
LINKS = "links.html"
WHOLE = re.compile(r" *<!-- whole -->\n(.*?) *<!-- /whole -->\n", re.S)
OPEN_TO_ITS_SITE = " 'self'; manifest-src 'self'; worker-src 'self'"


def script(names: Sequence[str] = SCRIPTS) -> str:
    """Return the page's scripts, joined; those `WITHOUT_SCREEN` need no browser."""
    return '"use strict";\n' + "\n".join(_read(f"scripts/{name}.js") for name in names)


def texts(language: str, folder: str = "texts") -> dict[str, str]:
    """Return every text of the page in a language, by its key."""
    found: dict[str, str] = json.loads(_read(f"{folder}/{language}.json"))
    return found


def build(voices: Sequence[str] = ("en",), *, packed: bool = True, site: bool = False) -> str:
    """Return the dealing page as one self-contained HTML document.

    Args:
        voices: the languages whose recorded labels are folded in, some of `LANGUAGES`; about 60 KB each.
        packed: True deflates it, so that it is a third of the size; the browser unpacks it when it
            opens. False leaves it readable.
        site: whether it is one file of a `site`, which the browser can install.

    >>> "default-src 'none'" in build()
    True
    """
    links = _read(f"site/{LINKS}") if site else ""
    page = _filled(WHOLE.sub(r"\1", _read("page.html")), {"site": links, "one": "", "options": ""})
    opened = OPEN_TO_ITS_SITE if site else ""
    return _folded(page, _read("style.css"), _code(), voices, opened=opened, packed=packed)


def build_one(code: str, name: str, voices: Sequence[str] = ("en",), *, packed: bool = True) -> str:
    """Return a page that deals one deal and has no setup, as one self-contained HTML document.

    Whoever has the page can work out the order.

    Args:
        code: the deal, as `fairdeck.code` writes it; several dealers are asked which one they are.
        name: under which the device remembers how far the deal is: no other page's name, and
            nothing that tells of the order.
        voices: as for `build`.
        packed: as for `build`.
    """
    parts = {"site": "", "one": _read("one/screens.html"), "options": _read("one/options.html")}
    page = _filled(WHOLE.sub("", _read("page.html")), parts)
    style = _read("style.css") + _read("one/style.css")
    given = json.dumps({"code": code, "name": name}, separators=(",", ":"))
    deal = f'<script type="application/json" id="one">{given}</script>'
    noscript = _lean(_read("one/noscript.html"))
    return _folded(page, style, _code_of_one(page), voices, deal=deal, noscript=noscript, packed=packed)


def _folded(
    page: str,
    style: str,
    code: str,
    voices: Sequence[str],
    *,
    packed: bool,
    opened: str = "",
    deal: str = "",
    noscript: str = "",
) -> str:
    """Return a page with its style, script, voices and policy in it; `opened` is what else the policy allows."""
    style, code, noscript = _lean_style(style), _lean_script(code), noscript or _lean(_read("noscript.html"))
    page = _lean(_filled(page, {"style": style, "icon": _icon()}))
    code = code.replace("{{hash}}", sha256((page + code).encode()).hexdigest()[:16])
    policy = f"{CLOSED}{opened}; style-src {_hashed(style)}; script-src {_hashed(code)}"
    spoken = json.dumps({language: _voice(language) for language in voices}, separators=(",", ":"))
    voice = f'<script type="application/json" id="voices">{spoken}</script>' if voices else ""
    parts = {"script": code, "deal": deal}
    if not packed:
        return _filled(page, parts | {"policy": _meta(policy), "noscript": noscript, "voices": voice})
    page = _filled(page, parts | {"policy": "", "noscript": "", "voices": VOICES_HERE})
    return _shell(page, policy, voice, noscript)


def site(voices: Sequence[str] = ("en",)) -> dict[str, bytes]:
    """Return the files of a site that browsers can install and open with no network, by their names."""
    files = {path.name: path.read_bytes() for path in sorted((PARTS / "site").iterdir()) if path.name != LINKS}
    files["index.html"] = build(voices, site=True).encode()
    version = sha256(b"".join(files[name] for name in sorted(files))).hexdigest()[:16]
    files["worker.js"] = files["worker.js"].replace(b"{{version}}", version.encode())
    return files


def _code() -> str:
    words = {language: texts(language) for language in LANGUAGES}
    return _joined(SCRIPTS, words, {"DECKS_KNOWN": json.loads(_read("decks.json"))})


def _code_of_one(page: str) -> str:
    """Return the scripts of a page of one deal, with only the texts that they or its HTML name."""
    named = set(re.findall(r"[\"'](\w+)[\"']", page + script(ONE_DEAL)))
    words = {language: texts(language) | texts(language, "one/texts") for language in LANGUAGES}
    used = {language: {key: text for key, text in found.items() if key in named} for language, found in words.items()}
    return _joined(ONE_DEAL, used, {})


def _joined(names: Sequence[str], words: dict[str, dict[str, str]], more: dict[str, object]) -> str:
    data = {
        "KEYS": " ".join(words["en"]),
        "FORMS": {language: list(found.values()) for language, found in words.items()},
        **more,
        "BUILD": {"version": fairdeck.__version__, "hash": "{{hash}}"},
    }
    constants = [
        f"const {name} = {json.dumps(value, ensure_ascii=False, separators=(',', ':'))};"
        for name, value in data.items()
    ]
    return "\n".join(['"use strict";', *constants, script(names)])


def _shell(page: str, policy: str, voice: str, noscript: str) -> str:
    """Return a page that unpacks the real one and becomes it; its policy stays in force."""
    loader = _lean_script(_read("unpack.js"))
    # Shorter blocks, each with a code of its own, suit a page whose parts are unlike: smaller by 96 bytes.
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, memLevel=6)
    packed = squeezed.compress(page.encode()) + squeezed.flush()
    policy = policy.replace("script-src ", f"script-src {_hashed(loader)} ")
    parts = {"policy": _meta(policy), "noscript": noscript, "voices": voice, "loader": loader}
    parts |= {"packed": _letters(packed), "size": str(len(packed))}
    return _filled(_lean(_read("shell.html")), parts)


def _meta(policy: str) -> str:
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'


def _voice(language: str) -> dict[str, object]:
    clips = PARTS / "voices" / f"{language}.ogg"
    return {"clips": json.loads(_read(f"voices/{language}.json")), "ogg": b64encode(clips.read_bytes()).decode()}


def _lean(text: str) -> str:
    """Leave out what only readers of the source need: indentation, and lines that are comments."""
    text = re.sub(r"^\s*/\*.*?\*/\n", "", text, flags=re.M)
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def _lean_style(text: str) -> str:
    return re.sub(r"\s*([{};,])\s*", r"\1", _lean(text)).replace(": ", ":")


def _lean_script(text: str) -> str:
    """Leave out spaces around signs too, outside of texts; a line with a slash may hold a pattern, and stays."""
    return "\n".join(map(_lean_line, _lean(text).split("\n")))


def _lean_line(line: str) -> str:
    pieces = LITERAL.split(line)
    if any("/" in code for code in pieces[::2]):
        return line
    pieces[::2] = [SPACED_SIGN.sub(r"\1", code) for code in pieces[::2]]
    return "".join(pieces)


def _letters(data: bytes) -> str:
    """Write bytes in printable letters, 13 bits in two of 91: shorter than base 64 by 8 %."""
    letters: list[str] = []
    value = bits = 0
    for byte in data + b"\0\0":
        value |= byte << bits
        bits += 8
        if bits >= 13:
            high, low = divmod(value & 8191, 91)
            letters += (LETTERS[low], LETTERS[high])
            value, bits = value >> 13, bits - 13
    return "".join(letters)


def _filled(text: str, parts: dict[str, str]) -> str:
    return re.sub(r"\{\{(\w+)\}\}", lambda gap: parts.get(gap[1], gap[0]), text)


def _icon() -> str:
    return "data:image/svg+xml;base64," + b64encode(_lean(_read("icon.svg")).encode()).decode()


def _hashed(part: str) -> str:
    return f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'"


def _read(name: str) -> str:
    return (PARTS / name).read_text(encoding="utf-8")
