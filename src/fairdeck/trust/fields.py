"""Bytes to be hashed: fields with their lengths before them, so that two different lists never give the same bytes.

A field is its length in four bytes, then its bytes. A text is UTF-8, a number eight bytes, a list a field of fields.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeAlias

from fairdeck.errors import FairdeckError

FORMAT = "fairdeck-trust/1"
NUMBER, LENGTH = 8, 4  # bytes of a number, and of the length before a field
Value: TypeAlias = bytes | str | int | Sequence["Value"]


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
    return value.to_bytes(NUMBER, "big") if isinstance(value, int) else fields(*value)


def hashed(what: str, *values: Value) -> bytes:
    """Return SHA-256 of fields: first what is hashed, and in which version of the format; then the values."""
    return sha256(fields(f"{FORMAT} {what}", *values)).digest()


def read_fields(written: bytes) -> list[bytes]:
    """Return the fields in bytes.

    Raises:
        FairdeckError: the bytes end within a field.
    """
    found, at = [], 0
    while at < len(written):
        size = int.from_bytes(written[at : at + LENGTH], "big")
        at += LENGTH + size
        if at > len(written):
            raise FairdeckError("it ends too early")
        found.append(written[at - size : at])
    return found


def number_in_bytes(written: bytes) -> int:
    """Return the number in a field.

    Raises:
        FairdeckError: it has another length.
    """
    if len(written) != NUMBER:
        raise FairdeckError(f"a number in it has {len(written)} bytes, and must have {NUMBER}")
    return int.from_bytes(written, "big")
