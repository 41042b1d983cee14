"""What people who draw together send each other: short texts to scan, to copy or to read aloud.

    T1-A-...    an announcement, which invites: the agreement
    T1-C-...    one person's commitment
    T1-L-...    the list: everybody's commitments
    T1-R-...    what one person shows, for one list
    T1-S-...    what everybody shows

Each says the same as the file of its kind (`fairdeck.trust.files`): a mark, a kind, bytes in Crockford's base 32. No
letter looks like another (I and L are read as 1, O as 0), and case, blanks and hyphens do not matter. All but the
announcement begin with the first eight bytes of the agreement's digest, so that messages of other draws are sorted out.
The last four bytes are a checksum against slips, not against forgery. The page `together` writes and reads the same
texts.
"""

import re
from hashlib import sha256

from fairdeck.errors import FairdeckError
from fairdeck.numbers import without_blanks
from fairdeck.trust.agreement import HASH, Agreement, read_agreement
from fairdeck.trust.draws import Attempt, own_size
from fairdeck.trust.fields import ALPHABET, base32
from fairdeck.trust.states import Draw, Refused

MARK, KINDS = "T1", "ACLRS"
DRAW = 8  # bytes of the agreement's digest
AS_DIGITS = str.maketrans(ALPHABET, "0123456789ABCDEFGHIJKLMNOPQRSTUV")  # what `int` reads in base 32
PIECE = 5  # bytes: as many bits as 8 letters
SUM = 4  # bytes
LONGEST = 400_000  # letters
AS_READ = str.maketrans("OIL", "011")
AS_KIND = str.maketrans("1I", "LL")
NOT_ALL = "a letter of this message is wrong or missing: copy or type it again"


def write_letters(kind: str, content: bytes) -> str:
    """Return bytes as a text.

    >>> write_letters("C", bytes(3))
    'T1-C-0000-0ENK-HQMG'
    """
    held = content + _sum(kind, content)
    size = -(-len(held) * 8 // 5)
    # Piece by piece: the time grows with the length, not with its square.
    pieces = (held[at : at + PIECE].ljust(PIECE, b"\0") for at in range(0, len(held), PIECE))
    letters = "".join(base32(int.from_bytes(piece, "big"), 8) for piece in pieces)[:size]
    return "-".join([MARK, kind, *(letters[at : at + 4] for at in range(0, size, 4))])


def read_letters(text: str) -> tuple[str, bytes]:
    """Return the kind and the bytes of a text; it may be the end of a link.

    Raises:
        FairdeckError: it has another mark or kind, or not all of its letters are right.
    """
    if len(text) > LONGEST:
        raise FairdeckError(f"a text of {len(text)} letters is too long for a message: copy the message alone")
    packed = without_blanks(text.rpartition("#")[2]).replace("-", "").upper()
    packed = packed[:1] + packed[1:2].translate(AS_READ) + packed[2:3].translate(AS_KIND) + packed[3:]
    match = re.fullmatch(f"{MARK}([{KINDS}])([0-9A-Z]*)", packed, re.ASCII)
    if not match:
        raise FairdeckError(f"{text[:30]!r} is not a message of a draw: it begins with {MARK}-; copy it again")
    letters = match[2].translate(AS_READ)
    size, spare = divmod(5 * len(letters), 8)
    if "U" in letters or size < SUM or spare > 4:
        raise FairdeckError(NOT_ALL)
    value = int(letters.translate(AS_DIGITS), 32)
    if value & (1 << spare) - 1:
        raise FairdeckError(NOT_ALL)
    held = (value >> spare).to_bytes(size, "big")
    kind, content = match[1], held[:-SUM]
    if held[-SUM:] != _sum(kind, content):
        raise FairdeckError(NOT_ALL)
    return kind, content


def announcement_message(agreement: Agreement) -> str:
    """Return the message that invites others to an agreement."""
    return write_letters("A", agreement.written)


def commitment_message(agreement: Agreement, person: int, commitment: bytes) -> str:
    """Return the message with one person's commitment."""
    return _of_draw(agreement, "C", bytes([person]), commitment)


def list_message(attempt: Attempt) -> str:
    """Return the message with everybody's commitments."""
    return _of_draw(attempt.agreement, "L", *attempt.commitments)


def shown_message(attempt: Attempt, person: int, own: bytes) -> str:
    """Return the message that shows one person's own bytes, for this list of commitments and no other."""
    return _of_draw(attempt.agreement, "R", bytes([person]), own, attempt.listed)


def all_shown_message(attempt: Attempt) -> str:
    """Return the message with everybody's own bytes."""
    return _of_draw(attempt.agreement, "S", *attempt.owns, attempt.listed)


def _of_draw(agreement: Agreement, kind: str, *parts: bytes) -> str:
    return write_letters(kind, agreement.digest[:DRAW] + b"".join(parts))


def take_message(draw: Draw, text: str) -> str:
    """Let a draw take a message, and return its kind; an announcement is taken if it is the next attempt.

    Raises:
        Refused: it does not fit, and nothing has changed.
        FairdeckError: it is no message of a draw, or not all of it.
    """
    kind, content = read_letters(text)
    agreement = draw.agreement
    if kind == "A":
        draw.follow(read_agreement(content))
        return kind
    if content[:DRAW] != agreement.digest[:DRAW]:
        raise Refused("otherDraw")
    body, people, own = content[DRAW:], len(agreement.people), own_size(agreement)
    sizes = {"C": 1 + HASH, "L": HASH * people, "R": 1 + own + HASH, "S": own * people + HASH}
    if len(body) != sizes[kind] or (kind in "CR" and body[0] >= people):
        raise Refused("notMessage")
    if kind == "C":
        draw.take_commitment(body[0], body[1:])
    elif kind == "L":
        draw.take_list(_pieces(body, HASH))
    elif kind == "R":
        draw.take_own(body[0], body[1:-HASH], body[-HASH:])
    else:
        draw.take_all(_pieces(body[:-HASH], own), body[-HASH:])
    return kind


def demand_announcement(text: str) -> Agreement:
    """Return the agreement that a message invites to.

    Raises:
        FairdeckError: it is something else.
    """
    kind, content = read_letters(text)
    if kind != "A":
        raise FairdeckError(f"this message does not invite to a draw: send one that begins with {MARK}-A")
    return read_agreement(content)


def _pieces(content: bytes, size: int) -> list[bytes]:
    return [content[at : at + size] for at in range(0, len(content), size)]


def _sum(kind: str, content: bytes) -> bytes:
    return sha256(f"{MARK}{kind}".encode() + content).digest()[:SUM]
