"""What people who draw together send each other: short texts to scan, to copy or to read aloud.

    T1-A-...    an announcement, which invites: the agreement
    T1-C-...    one person's commitment
    T1-L-...    the list: everybody's commitments
    T1-R-...    what one person shows, for one list
    T1-S-...    what everybody shows

Each holds bytes as `letters` writes them, and says the same as the file of its kind (`fairdeck.trust.files`). All but
the announcement begin with the first eight bytes of the agreement's digest, so that messages of other draws are sorted
out. The page `together` writes and reads the same texts.
"""

from fairdeck.errors import FairdeckError
from fairdeck.trust.agreement import HASH, Agreement, read_agreement
from fairdeck.trust.draws import Attempt, own_size
from fairdeck.trust.letters import read_letters, write_letters
from fairdeck.trust.states import Draw, Refused

MARK, KINDS = "T1", "ACLRS"
DRAW = 8  # bytes of the agreement's digest


def announcement_message(agreement: Agreement) -> str:
    """Return the message that invites others to an agreement."""
    return write_letters(MARK, "A", agreement.written)


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
    return write_letters(MARK, kind, agreement.digest[:DRAW] + b"".join(parts))


def take_message(draw: Draw, text: str) -> str:
    """Let a draw take a message, and return its kind; an announcement is taken if it is the next attempt.

    Raises:
        Refused: it does not fit, and nothing has changed.
        FairdeckError: it is no message of a draw, or not all of it.
    """
    kind, content = read_letters(MARK, KINDS, text)
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
    kind, content = read_letters(MARK, KINDS, text)
    if kind != "A":
        raise FairdeckError(f"this message does not invite to a draw: send one that begins with {MARK}-A")
    return read_agreement(content)


def _pieces(content: bytes, size: int) -> list[bytes]:
    return [content[at : at + size] for at in range(0, len(content), size)]
