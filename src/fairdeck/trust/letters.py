"""Bytes as letters that people scan, copy, type or read aloud: a mark, a kind, Crockford's base 32, a checksum.

    T1-C-0000-0ENK-HQMG

No letter looks like another (I and L are read as 1, O as 0), and case, blanks and hyphens do not matter. The last four
bytes are a checksum against slips, not against forgery. The pages read and write the same texts.
"""

import re
from hashlib import sha256

from fairdeck.errors import FairdeckError
from fairdeck.numbers import without_blanks

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # no I, L, O, U
AS_DIGITS = str.maketrans(ALPHABET, "0123456789ABCDEFGHIJKLMNOPQRSTUV")  # what `int` reads in base 32
PIECE = 5  # bytes: as many bits as 8 letters
SUM = 4  # bytes
LONGEST = 400_000  # letters
AS_READ = str.maketrans("OIL", "011")
AS_KIND = str.maketrans("1I", "LL")
NOT_ALL = "a letter of this message is wrong or missing: copy or type it again"


def write_letters(mark: str, kind: str, content: bytes) -> str:
    """Return bytes as a text.

    >>> write_letters("T1", "C", bytes(3))
    'T1-C-0000-0ENK-HQMG'
    """
    held = content + _sum(mark, kind, content)
    size = -(-len(held) * 8 // 5)
    # Piece by piece: the time grows with the length, not with its square.
    pieces = (held[at : at + PIECE].ljust(PIECE, b"\0") for at in range(0, len(held), PIECE))
    letters = "".join(base32(int.from_bytes(piece, "big"), 8) for piece in pieces)[:size]
    return "-".join([mark, kind, *(letters[at : at + 4] for at in range(0, size, 4))])


def read_letters(mark: str, kinds: str, text: str) -> tuple[str, bytes]:
    """Return the kind and the bytes of a text; it may be the end of a link.

    Args:
        mark: of the texts that are expected.
        kinds: the letters of their kinds.
        text: as it was typed or scanned.

    Raises:
        FairdeckError: it has another mark or kind, or not all of its letters are right.
    """
    if len(text) > LONGEST:
        raise FairdeckError(f"a text of {len(text)} letters is too long for a message: copy the message alone")
    packed = without_blanks(text.rpartition("#")[2]).replace("-", "").upper()
    packed = packed[:1] + packed[1:2].translate(AS_READ) + packed[2:3].translate(AS_KIND) + packed[3:]
    match = re.fullmatch(f"{mark}([{kinds}])([0-9A-Z]*)", packed, re.ASCII)
    if not match:
        raise FairdeckError(f"{text[:30]!r} is not a message of a draw: it begins with {mark}-; copy it again")
    letters = match[2].translate(AS_READ)
    size, spare = divmod(5 * len(letters), 8)
    if "U" in letters or size < SUM or spare > 4:
        raise FairdeckError(NOT_ALL)
    value = int(letters.translate(AS_DIGITS), 32)
    if value & (1 << spare) - 1:
        raise FairdeckError(NOT_ALL)
    held = (value >> spare).to_bytes(size, "big")
    kind, content = match[1], held[:-SUM]
    if held[-SUM:] != _sum(mark, kind, content):
        raise FairdeckError(NOT_ALL)
    return kind, content


def base32(value: int, size: int) -> str:
    """Return a number as so many letters, five bits each.

    >>> base32(32, 3)
    '010'
    """
    return "".join(ALPHABET[value >> 5 * place & 31] for place in reversed(range(size)))


def _sum(mark: str, kind: str, content: bytes) -> bytes:
    return sha256(f"{mark}{kind}".encode() + content).digest()[:SUM]
