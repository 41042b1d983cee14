r"""How values stand in files, as JSON, and in hashes, as bytes with their lengths before them.

A value is a text, a whole number, bytes, a tuple of values, a dict of named ones, or None. In a hash a field is its
length in four bytes, then its bytes, so that two different lists never give the same bytes. A text is UTF-8, a number
eight bytes, a tuple or a dict a field of fields, None an empty field.

A file is UTF-8 without a byte order mark: JSON with two blanks of indent for each level, every other character as it
is, the fields in the order of the specification, bytes as hexadecimal digits, and a line break at the end. Python
writes it by ``json.dumps(fields, ensure_ascii=False, indent=2) + "\n"``, JavaScript by ``JSON.stringify(fields, null,
2) + "\n"``. A reader refuses fields that are missing, unknown or there twice, and numbers that are not whole; only of a
transcript it refuses other blanks, too (`fairdeck.trust.verifying`).

A shape says what is read: ``str``, ``int``, `Digits`, a list with the shape of all its items, a dict with the shape of
each name, or `OrNone`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, NoReturn, TypeAlias

from fairdeck.errors import FairdeckError

FORMAT = "fairdeck-trust/1"
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: no I, L, O, U
NUMBER, LENGTH = 8, 4  # bytes of a number, and of the length before a field
LARGEST = 4 << 20  # bytes of a file
MOST_DIGITS = 19
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
AGAIN = "get the file again, as an attachment"


class Digits(NamedTuple):
    """The shape of bytes: how many there may be; any number if `sizes` is empty."""

    sizes: tuple[int, ...] = ()


class OrNone(NamedTuple):
    """The shape of a value that may be None."""

    shape: "Shape"


Shape: TypeAlias = type[str] | type[int] | Digits | OrNone | list["Shape"] | Mapping[str, "Shape"]
Value: TypeAlias = bytes | str | int | Sequence["Value"] | Mapping[str, "Value"] | None
Fields = dict[str, Any]


def fields(*values: Value) -> bytes:
    """Return values as fields, one after the other.

    >>> fields("A", 1).hex()
    '0000000141000000080000000000000001'
    """
    return b"".join(len(part).to_bytes(LENGTH, "big") + part for part in map(coded, values))


def coded(value: Value) -> bytes:
    """Return the bytes of one value, without a length before them."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, int):
        return value.to_bytes(NUMBER, "big")
    return fields(*(value.values() if isinstance(value, Mapping) else value or ()))


def hashed(what: str, *values: Value) -> bytes:
    """Return SHA-256 of fields: first what is hashed, and in which version of the format; then the values."""
    return sha256(fields(f"{FORMAT} {what}", *values)).digest()


def plain(value: Value) -> Any:
    """Return a value as JSON has it.

    >>> plain({"session": bytes(2), "decks": 3})
    {'session': '0000', 'decks': 3}
    """
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {name: plain(inner) for name, inner in value.items()}
    return value if isinstance(value, str) or not isinstance(value, Sequence) else list(map(plain, value))


def json_of(values: Mapping[str, Value]) -> str:
    """Return named values as the text of a file."""
    return json.dumps(plain(values), ensure_ascii=False, indent=2) + "\n"


def read_json(content: bytes) -> Any:
    """Return what a file holds, as JSON has it.

    Raises:
        FairdeckError: it is too large, or no JSON that a draw can have.
    """
    if len(content) > LARGEST:
        raise FairdeckError(f"a file of {len(content):,} bytes is too large for a draw: at most {LARGEST:,}")
    if content.startswith(BYTE_ORDER_MARK):
        raise FairdeckError(f"it begins with a byte order mark, which an editor put there: {AGAIN}")
    try:
        return json.loads(
            content.decode(), object_pairs_hook=_once, parse_int=_whole, parse_float=_refused, parse_constant=_refused
        )
    except UnicodeDecodeError as error:
        reason = f"byte {error.start} is not UTF-8"
    except RecursionError:
        reason = "its brackets are nested too deeply"
    except ValueError as error:
        reason = str(error)[:100]
    raise FairdeckError(f"it is not a JSON file of a draw ({reason}): {AGAIN}")


def from_plain(shape: Shape, value: object, what: str) -> Any:
    """Return the value that JSON holds.

    Raises:
        FairdeckError: it has another shape; the message begins with `what`, or with the name of a field in it.
    """
    if isinstance(shape, OrNone):
        return None if value is None else from_plain(shape.shape, value, what)
    if isinstance(shape, list):
        if not isinstance(value, list):
            raise FairdeckError(f"{what} is not a list")
        return tuple(from_plain(shape[0], item, f"{what}, place {place}") for place, item in enumerate(value, 1))
    if isinstance(shape, Mapping):
        named = demand_names(value, shape, what)
        return {name: from_plain(inner, named[name], name) for name, inner in shape.items()}
    if shape is int:
        if type(value) is not int:  # True is an int, too
            raise FairdeckError(f"{what} is not a whole number")
        return value
    if not isinstance(value, str):
        raise FairdeckError(f"{what} is not a text")
    if isinstance(shape, Digits):
        if not re.fullmatch("(?:[0-9a-f]{2})*", value) or (shape.sizes and len(value) // 2 not in shape.sizes):
            sizes = " or ".join(str(2 * size) for size in shape.sizes) or "an even number of"
            raise FairdeckError(f"{what} is not {sizes} digits 0-9 and a-f")
        return bytes.fromhex(value)
    return value


def demand_names(value: object, names: Mapping[str, object], what: str) -> Fields:
    """Return an object of JSON, after checking that it has exactly these fields."""
    if not isinstance(value, dict):
        raise FairdeckError(f"{what} is not an object with fields")
    for name in names:
        if name not in value:
            raise FairdeckError(f"{what} has no field {name!r}")
    for name in value:
        if name not in names:
            raise FairdeckError(f"{what} has an unknown field {name[:40]!r}")
    return value


def from_bytes(shape: Shape, written: bytes) -> Any:
    """Return the value of which these are the bytes, as `coded` writes them.

    Raises:
        FairdeckError: they are of another shape.
        UnicodeDecodeError: a text is not UTF-8.
    """
    if isinstance(shape, OrNone):
        return from_bytes(shape.shape, written) if written else None
    if isinstance(shape, list):
        return tuple(from_bytes(shape[0], part) for part in _parts(written))
    if isinstance(shape, Mapping):
        parts = _parts(written)
        if len(parts) != len(shape):
            raise FairdeckError(f"a part of it has {len(parts)} fields, and must have {len(shape)}")
        return {name: from_bytes(inner, part) for (name, inner), part in zip(shape.items(), parts, strict=True)}
    if isinstance(shape, Digits):
        return written
    if shape is str:
        return written.decode()
    if len(written) != NUMBER:
        raise FairdeckError(f"a number in it has {len(written)} bytes, and must have {NUMBER}")
    return int.from_bytes(written, "big")


def _parts(written: bytes) -> list[bytes]:
    """Return the fields in bytes, as `fields` wrote them."""
    parts, at = [], 0
    while at < len(written):
        size = int.from_bytes(written[at : at + LENGTH], "big")
        at += LENGTH + size
        if at > len(written):
            raise FairdeckError("it ends too early")
        parts.append(written[at - size : at])
    return parts


def base32(value: int, size: int) -> str:
    """Return a number as so many letters, five bits each.

    >>> base32(32, 3)
    '010'
    """
    return "".join(ALPHABET[value >> 5 * place & 31] for place in reversed(range(size)))


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
