"""What people who draw together send each other: short texts to scan, to copy or to read aloud.

    T1-A-...    an invitation: the agreement
    T1-C-...    one person's commitment
    T1-L-...    everybody's commitments
    T1-R-...    one person's secret, shown for one list of commitments
    T1-S-...    everybody's secrets

Each holds bytes as `letters` writes them. All but the invitation begin with the first eight bytes of the agreement's
hash, so that a message of another draw is noticed. The page `together` writes and reads the same texts.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from fairdeck.dealing.letters import NOT_ALL, read_letters, write_letters
from fairdeck.dealing.together import SECRET, Agreement, Sealed, read_agreement
from fairdeck.errors import FairdeckError

Kind: TypeAlias = Literal["A", "C", "L", "R", "S"]
MARK = "T1"
CALLED = {"A": "an invitation", "C": "a commitment", "L": "the list", "R": "a secret", "S": "all secrets"}
DRAW = 8  # bytes of the agreement's hash


@dataclass(frozen=True, slots=True)
class Message:
    """What a text says: its kind, and its content without the checksum."""

    kind: Kind
    content: bytes


def read_message(text: str) -> Message:
    """Read a message; it may be the end of a link, in any case, with blanks or hyphens anywhere.

    Raises:
        FairdeckError: it is no message, or not all of it.
    """
    kind, content = read_letters(MARK, "".join(CALLED), text)
    return Message(kind, content)  # type: ignore[arg-type]


def invitation(agreement: Agreement) -> str:
    """Return the message that invites others to an agreement."""
    return write_letters(MARK, "A", agreement.written)


def read_invitation(text: str) -> Agreement:
    """Return the agreement of an invitation.

    Raises:
        FairdeckError: the text is something else.
    """
    message = read_message(text)
    _demand_kind(message, "A")
    return read_agreement(message.content)


def commitment_message(agreement: Agreement, person: int, commitment: bytes) -> str:
    """Return the message with one person's commitment."""
    return write_letters(MARK, "C", agreement.digest[:DRAW] + bytes([person]) + commitment)


def list_message(sealed: Sealed) -> str:
    """Return the message with everybody's commitments."""
    return write_letters(MARK, "L", sealed.agreement.digest[:DRAW] + b"".join(sealed.commitments))


def secret_message(sealed: Sealed, person: int, secret: bytes) -> str:
    """Return the message that shows one person's secret, for this list of commitments and no other."""
    return write_letters(MARK, "R", sealed.agreement.digest[:DRAW] + bytes([person]) + secret + sealed.digest)


def secrets_message(sealed: Sealed, secrets: tuple[bytes, ...]) -> str:
    """Return the message with everybody's secrets."""
    return write_letters(MARK, "S", sealed.agreement.digest[:DRAW] + b"".join(secrets) + sealed.digest)


def read_commitment(agreement: Agreement, message: Message) -> tuple[int, bytes]:
    """Return whose commitment a message holds, as an index, and the commitment."""
    return _of_person(agreement, message, "C", 32)


def read_list(agreement: Agreement, message: Message) -> Sealed:
    """Return the sealed draw of a message with everybody's commitments."""
    content = _of_draw(agreement, message, "L", 32 * len(agreement.people))
    return Sealed(agreement, _split(content))


def read_secret(sealed: Sealed, message: Message) -> tuple[int, bytes]:
    """Return whose secret a message shows, as an index, and the secret.

    Raises:
        FairdeckError: it was shown for another list of commitments, or does not fit the person's commitment.
    """
    person, content = _of_person(sealed.agreement, message, "R", SECRET + 32)
    if content[SECRET:] != sealed.digest:
        name = sealed.agreement.people[person]
        raise FairdeckError(f"{name} shows this secret for another list of commitments: compare the lists")
    sealed.check(person, content[:SECRET])
    return person, content[:SECRET]


def read_secrets(sealed: Sealed, message: Message) -> tuple[bytes, ...]:
    """Return everybody's secrets; `fairdeck.dealing.together.Drawn` checks them.

    Raises:
        FairdeckError: they were shown for another list of commitments.
    """
    content = _of_draw(sealed.agreement, message, "S", SECRET * len(sealed.agreement.people) + 32)
    if content[-32:] != sealed.digest:
        raise FairdeckError("these secrets belong to another list of commitments: compare the lists")
    return _split(content[:-32])


def _of_person(agreement: Agreement, message: Message, kind: Kind, size: int) -> tuple[int, bytes]:
    content = _of_draw(agreement, message, kind, 1 + size)
    if content[0] >= len(agreement.people):
        raise FairdeckError(f"this message is of person {content[0] + 1}; {len(agreement.people)} people draw")
    return content[0], content[1:]


def _of_draw(agreement: Agreement, message: Message, kind: Kind, size: int) -> bytes:
    _demand_kind(message, kind)
    if message.content[:DRAW] != agreement.digest[:DRAW]:
        raise FairdeckError("this message belongs to another draw: send one of this draw")
    if len(message.content) != DRAW + size:
        raise FairdeckError(NOT_ALL)
    return message.content[DRAW:]


def _demand_kind(message: Message, kind: Kind) -> None:
    if message.kind != kind:
        raise FairdeckError(f"this is {CALLED[message.kind]}; send {CALLED[kind]}, which begins with {MARK}-{kind}")


def _split(content: bytes) -> tuple[bytes, ...]:
    return tuple(content[at : at + 32] for at in range(0, len(content), 32))
