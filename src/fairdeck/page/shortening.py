"""The same script or style in fewer bytes: short names, and no comment or space that only people need.

`shorter` reads JavaScript as this project writes it: each statement ends with a semicolon, each arrow function has its
parameters in parentheses, no label and no `case` comes before a block, and a name in capitals is one constant's only.
Names of properties stay, so texts, storage and messages are as they were.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from functools import cache
from itertools import count, pairwise, product
from string import ascii_uppercase, digits
from typing import NamedTuple

from fairdeck.page.modules import needed

__all__ = ["BROWSER", "denser", "shorter"]

# What a browser defines and scripts name; a test compares it with what they use.
BROWSER = frozenset(
    re.findall(
        r"\w+",
        """
    addEventListener Array ArrayBuffer atob Audio AudioContext BigInt Blob Boolean BroadcastChannel btoa
    cancelAnimationFrame clearInterval clearTimeout crypto DataView Date decodeURI decodeURIComponent
    dispatchEvent document DynamicsCompressorNode encodeURI encodeURIComponent Error escape Event fetch File
    Float32Array Float64Array Function GainNode getComputedStyle globalThis history HTMLButtonElement indexedDB
    Infinity innerHeight innerWidth Int32Array Intl isFinite isNaN isSecureContext JSON localStorage location
    Map matchMedia Math MessageChannel NaN navigator Number Object parseFloat parseInt Path2D performance print
    Promise prompt Proxy queueMicrotask RangeError Reflect RegExp removeEventListener requestAnimationFrame
    ResizeObserver scrollTo sessionStorage Set setInterval setTimeout speechSynthesis SpeechSynthesisUtterance
    StereoPannerNode String structuredClone Symbol SyntaxError TextDecoder TextEncoder TypeError Uint16Array
    Uint32Array Uint8Array Uint8ClampedArray unescape URL URLSearchParams WeakMap WeakSet window Worker
    """,
    )
)
KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """
    arguments async await break case catch class const constructor continue default delete do else extends false
    finally for from function get if in instanceof let new null of return set static super switch this throw true try
    typeof undefined var void while yield
    """,
    )
)
TEMPLATE = r"(?:\\.|\$(?!\{)|[^`\\$])*(?:`|\$\{)"  # from its beginning or a gap in it to its end or the next gap
TOKEN = re.compile(
    rf"""(?P<space>(?:\s|//[^\n]*|/\*.*?\*/)+) | (?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`{TEMPLATE})
    | (?P<number>\.?\d[\w.]*) | (?P<keyword>function\*) | (?P<word>[A-Za-z_$\#][\w$]*)
    | (?P<sign>=>|\.{{3}}|\?\.(?!\d)|\+\+|--|&&|\|\||\?\?|.)""",
    re.X | re.S,
)
MORE_OF_A_TEMPLATE = re.compile(rf"(?P<text>\}}{TEMPLATE})", re.S)
REGEX = re.compile(r"(?P<text>/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/\w*)")
BEFORE_A_REGEX = re.compile(r"[(,=:\[!&|?{};]|=>|&&|\|\||\?\?|return|typeof|.*\$\{", re.S)
BEFORE_AN_OBJECT = re.compile(r"[(,=:\[?]|&&|\|\||\?\?|\.{3}|return|throw|yield|await|in|of|const|let|.*\$\{", re.S)
TOUCHING = re.compile(r"[\w$#]{2}|\+\+|--|//")  # what would become one if no space came between
SAME = {"const": "let", "true": "!0", "false": "!1", "undefined": "void 0"}
CONSTANT = re.compile(r"[A-Z][A-Z_\d]*")
LETTERS = "sertinaolcdupmhgfbvykwxqjz" + ascii_uppercase  # those first that the rest of a page has most of
NAME, SHORTHAND = "name", "shorthand"


IN_A_STYLE = re.compile(r"""("[^"]*")|;?\s*([{};,>*/])\s*|(?<=[\w-]:) """)


class Token(NamedTuple):
    """A piece of a script."""

    kind: str  # text, number, keyword, word or sign
    text: str
    inside: tuple[str, ...]  # the brackets around it, outermost first: ( [ ${ object class block
    part: int  # which statement of the top level it belongs to


START = Token("sign", ";", (), 0)


def shorter(script: str) -> str:
    r"""Return a script that does the same; or the script itself, where `FAIRDECK_AS_WRITTEN` is set, for who mends one.

    >>> shorter("const MOST = 2;\nconst after = (row) => {\n  // Why.\n  return { row, next: 1 };\n};\nafter(MOST);\n")
    'let A=s=>{return{row:s,next:1}};A(2);\n'
    """
    return script if "FAIRDECK_AS_WRITTEN" in os.environ else _shorter(needed(script))


def denser(style: str) -> str:
    r"""Return a style that says the same; or the style itself, where `FAIRDECK_AS_WRITTEN` is set.

    >>> denser('.a, .b {\n  top: 0;\n  content: "; ";\n}\n')
    '.a,.b{top:0;content:"; "}'
    """
    if "FAIRDECK_AS_WRITTEN" in os.environ:
        return style
    return IN_A_STYLE.sub(lambda found: found[1] or found[2] or "", style).replace(";}", "}")


@cache
def _shorter(script: str) -> str:
    tokens = _with_literals(list(_tokens(script)))
    roles = [_role(*around) for around in _with_neighbours(tokens)]
    shared = _declared(tokens)
    uses = Counter(token.text for token, role in zip(tokens, roles, strict=True) if role)
    mine = [name for name in uses if name in shared]
    top = {name: name for name in mine if len(name) <= 2}
    longer = [name for name, _ in uses.most_common() if name in shared and name not in top]
    top |= zip(longer, [letter for letter in ascii_uppercase if letter not in BROWSER | top.keys()], strict=False)
    free = _names(2, BROWSER | set(top.values()))
    top |= {name: next(free) for name in mine if name not in top}
    taken = BROWSER | set(top.values())
    unused = [_names(1, taken) for _ in range(tokens[-1].part + 1)]
    local: list[dict[str, str]] = [{} for _ in unused]
    written = []
    for token, role in zip(tokens, roles, strict=True):
        name = new = token.text
        if token.kind == "number":
            new = name.removeprefix("0") if name.startswith("0.") else name
        elif name in SAME:
            new = SAME[name]
        elif role and name in top:
            new = top[name]
        elif role and name not in BROWSER:
            names = local[token.part]
            new = names[name] if name in names else names.setdefault(name, next(unused[token.part]))
        written.append(token._replace(text=f"{name}:{new}" if role == SHORTHAND and name != new else new))
    return _spaced(_without_parentheses(written))


def _with_literals(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with each constant of the top level that is a number or a text in place of its name."""
    literals: dict[str, str] = {}
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        end = at + 1
        if tokens[at].text == "const" and not tokens[at].inside:
            end = next(place for place in range(at, len(tokens)) if tokens[place][1:3] == (";", ()))
            commas = [place for place in range(at, end) if tokens[place][1:3] == (",", ())]
            declared = [tokens[start + 1 : stop] for start, stop in pairwise([at, *commas, end])]
            plain = [each for each in declared if len(each) == 3 and CONSTANT.fullmatch(each[0].text)]
            found = {
                name.text: value.text for name, _, value in plain if value.kind == "number" or value.text[0] == '"'
            }
            literals |= found
            others = [each for each in declared if each[0].text not in found]
            for before, each in zip([tokens[at], *(tokens[place] for place in commas)], others, strict=False):
                kept += [before, *each]
            end += not others
        else:
            kept.append(tokens[at])
        at = end
    made = []
    for before, token, after in _with_neighbours(kept):
        role = _role(before, token, after) if token.text in literals else ""
        text = f"{token.text}:" * (role == SHORTHAND) + literals.get(token.text, "")
        made.append(token._replace(kind="text" if text[-1] == '"' else "number", text=text) if role else token)
    return made


def _without_parentheses(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens without parentheses around the only plain parameter of an arrow function, or its value."""
    shapes = [token.text if token.kind == "sign" else token.kind for token in tokens]
    opening = {at for at in range(len(shapes)) if shapes[at : at + 4] == ["(", "word", ")", "=>"]}
    gone = opening | {at + 2 for at in opening}
    for at, (before, token, after) in enumerate(_with_neighbours(tokens)):
        if token.text == "(" and before.text == "=>" and after.text != "{":
            end = next(place for place in range(at + 1, len(tokens)) if tokens[place].inside == token.inside)
            inner = [each.text for each in tokens[at:end] if each.inside == (*token.inside, "(")]
            if "," not in inner and shapes[end + 1][0] in ",;)]}":
                gone |= {at, end}
    return [token for at, token in enumerate(tokens) if at not in gone]


def _tokens(script: str) -> Iterator[Token]:
    at, part, before, opens_class = 0, 0, START, False
    inside: tuple[str, ...] = ()
    while at < len(script):
        found = _next(script, at, before, inside)
        kind, text, at = str(found.lastgroup), found[0], found.end()
        if kind == "space":
            part += "\n" in text and not inside and before.text in (";", "}")
            continue
        closes = kind != "word" and text[0] in ")]}"
        inside = inside[:-1] if closes else inside
        yield (token := Token(kind, text, inside, part))
        if text.endswith("${"):
            inside += ("${",)
        elif text == "{":
            is_object = BEFORE_AN_OBJECT.fullmatch(before.text)
            inside += ("class" if opens_class else "object" if is_object else "block",)
            opens_class = False
        elif text in ("(", "["):
            inside += (text,)
        opens_class = (opens_class or text == "class") and text != ":"  # not a property of that name
        before = token


def _next(script: str, at: int, before: Token, inside: tuple[str, ...]) -> re.Match[str]:
    found = None
    if script[at] == "}" and inside[-1:] == ("${",):
        found = MORE_OF_A_TEMPLATE.match(script, at)
    elif BEFORE_A_REGEX.fullmatch(before.text):
        found = REGEX.match(script, at)
    if found := found or TOKEN.match(script, at):
        return found
    raise ValueError(f"nothing that a script has: {script[at : at + 40]!r}")


def _with_neighbours(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token, Token]]:
    return zip([START, *tokens], tokens, [*tokens[1:], START], strict=False)


def _role(before: Token, token: Token, after: Token) -> str:
    """Tell whether a token is a variable's name, or in shorthand a property's as well; else return ""."""
    if token.kind != "word" or token.text in KEYWORDS or token.text[0] == "#" or before.text in (".", "?."):
        return ""
    around = token.inside[-1:]
    if around == ("object",) and before.text in ("{", ","):
        return "" if after.text in (":", "(") else SHORTHAND if after.text in (",", "}", "=") else NAME
    if (around == ("class",) and before.text in ("{", "}", ";")) or (
        around and before.text in ("async", "get", "static")
    ):
        return ""
    return NAME


def _declared(tokens: Sequence[Token]) -> set[str]:
    """Return the names that statements of the top level declare."""
    found, declaring, pattern = set(), False, False
    for before, token, after in _with_neighbours(tokens):
        if not token.inside:
            declaring = token.text in ("const", "let") or (declaring and token.text != ";")
            begins = declaring and before.text in ("const", "let", ",")
            pattern = begins and token.text in ("{", "[")
            if token.kind == "word" and (begins or before.text in ("class", "function", "function*")):
                found.add(token.text)
        elif pattern and _role(before, token, after):
            found.add(token.text)
    return found


def _names(length: int, taken: Set[str]) -> Iterator[str]:
    """Yield names of at least this many letters that are not taken."""
    sizes = ((LETTERS, *(LETTERS + digits,) * more) for more in count(length - 1))
    every = ("".join(letters) for size in sizes for letters in product(*size))
    return (name for name in every if name not in taken and name not in KEYWORDS)


def _spaced(tokens: Sequence[Token]) -> str:
    """Return the script of these tokens in one line; declarations that follow each other are joined."""
    written = ["\n"]
    first: dict[tuple[str, ...], str] = {}  # word of the statement, within these brackets
    for before, token, after in _with_neighbours(tokens):
        if token.text == first.get(token.inside) == "let" and written[-1] == ";":
            written[-1] = ","
            continue
        if before.text in ("{", "}", ";") and token.text[0] not in ")]}=;,.?:&|":
            first[token.inside] = token.text
        if TOUCHING.fullmatch(written[-1][-1] + token.text[0]):
            written.append(" ")
        if token.text != ";" or after.text != "}":
            written.append(token.text)
    return "".join(written).lstrip("\n") + "\n"
