r"""The files of a draw: JSON objects, each written in one way only, and read strictly.

A file is UTF-8 without a byte order mark: JSON with two blanks of indent for each level, every other character as it
is, the fields in the order of the specification, and a line break at the end. Python writes it by ``json.dumps(fields,
ensure_ascii=False, indent=2) + "\n"``, JavaScript by ``JSON.stringify(fields, null, 2) + "\n"``.

Every file begins with the format and its kind. A reader refuses fields that are missing, unknown or there twice, and
numbers that are not whole. Only of a transcript it refuses other blanks, too (`fairdeck.trust.verifying`).
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from fairdeck.errors import FairdeckError
from fairdeck.trust.fields import FORMAT, Fields, Value, demand_names, plain

LARGEST = 4 << 20  # bytes of a file
MOST_DIGITS = 19
DEEPEST = 10  # levels of objects and lists; a transcript has seven
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# A text, to its end or to the end of the file. Nothing is tried twice, so that no file takes long.
TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.S)
NO_BRACKETS = bytes(each for each in range(256) if each not in b"[]{}")
BEGINNING = re.compile(
    rf'\A(?:\xef\xbb\xbf)?\s*\{{\s*"format"\s*:\s*"{FORMAT}"(?:\s*,\s*"kind"\s*:\s*"([a-z]+)")?'.encode("latin-1")
)
AGAIN = "get the file again, as an attachment"
CALLED = {
    "announcement": "an announcement",
    "commitment": "a commitment",
    "list": "a list of commitments",
    "own": "a person's own secret, which nobody else may have",
    "shown": "a secret that is shown",
    "void": "a record of void attempts",
    "transcript": "a transcript",
}


def kind_of(content: bytes) -> str:
    """Return which kind of file of a draw this is, by its beginning: a key of `CALLED`, or empty."""
    match = BEGINNING.match(content[:200])
    kind = (match[1] or b"").decode() if match else ""
    return kind if kind in CALLED else ""


def write_document(kind: str, values: Mapping[str, Value]) -> str:
    """Return a file of this kind as text."""
    return json.dumps({"format": FORMAT, "kind": kind, **plain(values)}, ensure_ascii=False, indent=2) + "\n"


def read_document(content: bytes, kind: str, names: Mapping[str, object]) -> Fields:
    """Return the fields of a file as JSON has them, without its format.

    Raises:
        FairdeckError: it is of another kind, or not such an object.
    """
    if len(content) > LARGEST:
        raise FairdeckError(f"a file of {len(content):,} bytes is too large for a draw: at most {LARGEST:,}")
    if content.startswith(BYTE_ORDER_MARK):
        raise FairdeckError(f"it begins with a byte order mark, which an editor put there: {AGAIN}")
    demand_shallow(content)
    try:
        fields = json.loads(
            content.decode(),
            object_pairs_hook=_once,
            parse_int=_whole,
            parse_float=_refused,
            parse_constant=_refused,
        )
    except ValueError as error:
        raise FairdeckError(f"it is not a JSON file of a draw ({_reason(error)}): {AGAIN}") from None
    found = fields.pop("kind", None) if isinstance(fields, dict) and fields.pop("format", None) == FORMAT else None
    if found != kind:
        other = CALLED.get(found, "something else") if isinstance(found, str) else "something else"
        raise FairdeckError(f"this is {other}; name {CALLED[kind]}")
    return demand_names(fields, names, CALLED[kind].partition(",")[0])


def demand_shallow(content: bytes) -> None:
    """Raise a FairdeckError if a file is nested deeply: under a high recursion limit it would end the process."""
    brackets = TEXT.sub(b"", content).translate(None, NO_BRACKETS)
    for _ in range(DEEPEST):  # takes away the innermost level
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    if brackets:
        raise FairdeckError(f"its brackets do not match, or are nested more than {DEEPEST} levels deep: {AGAIN}")


def _once(pairs: list[tuple[str, Any]]) -> Fields:
    fields: Fields = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"the field {name[:40]!r} is there twice")
        fields[name] = value
    return fields


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(f"a number of {len(text)} digits")
    return int(text)


def _refused(text: str) -> NoReturn:
    raise ValueError(f"the number {text[:20]} is not whole")


def _reason(error: Exception) -> str:
    return f"byte {error.start} is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)[:100]
