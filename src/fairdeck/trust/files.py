"""The files on the way to a transcript: what the organiser and the people send each other.

    announcement   what is agreed on, with its digest             the organiser, to all
    commitment     one person's commitment                        each person, to the organiser
    own            what the commitment fixes                      stays with its owner
    list           everybody's commitments, with their digest     the organiser, to all
    shown          what one person shows, for this list           each person, to the organiser
    void           attempts in which somebody showed nothing      the organiser, to all

Each names the draw, or the list, that it belongs to by its digest. docs/reference/draw.md specifies the fields.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fairdeck.errors import FairdeckError
from fairdeck.permutation import Permutation
from fairdeck.trust.agreement import Agreement
from fairdeck.trust.beacons import beacon_of, demand_later
from fairdeck.trust.documents import Fields, bytes_in, read_document, text_in, write_document
from fairdeck.trust.draws import SECRET, Attempt, Drawn, orders_in
from fairdeck.trust.times import seconds_of
from fairdeck.trust.transcript import (
    AGREED,
    Transcript,
    agreed_fields,
    agreement_in,
    demand_same,
    listed_fields,
    listed_in,
    own_in,
    voids_fields,
    voids_in,
    voids_of,
)


@dataclass(frozen=True)
class Announcement:
    """What is agreed on, with the void attempts before, the first one first."""

    agreement: Agreement
    voids: tuple[Attempt, ...] = ()

    def to_json(self) -> str:
        """Return the file."""
        return write_document("announcement", {"voids": voids_fields(self.voids), **agreed_fields(self.agreement)})


@dataclass(frozen=True)
class CommitmentList:
    """Everybody's commitments, with the void attempts before, the first one first."""

    listed: Attempt
    voids: tuple[Attempt, ...] = ()

    @property
    def agreement(self) -> Agreement:
        """What was agreed on."""
        return self.listed.agreement

    def to_json(self) -> str:
        """Return the file."""
        return write_document("list", {"voids": voids_fields(self.voids), **listed_fields(self.listed)})


@dataclass(frozen=True)
class Commitment:
    """One person's commitment.

    Args:
        digest: of the agreement that it is for.
        person: the name.
        commitment: 32 bytes.
        time: when it was made, as the person's device claims; nothing proves it.
    """

    digest: bytes
    person: str
    commitment: bytes
    time: str

    def to_json(self) -> str:
        """Return the file."""
        fields = {"digest": self.digest.hex(), "person": self.person, "commitment": self.commitment.hex()}
        return write_document("commitment", {**fields, "time": self.time})


@dataclass(frozen=True)
class Own:
    """One person's own bytes, with what they are for; nobody else may see them before the person shows them.

    Args:
        agreement: what was agreed on.
        person: the index.
        own: the secret and, in the way ``product``, the orders.
    """

    agreement: Agreement
    person: int
    own: bytes

    @property
    def name(self) -> str:
        """The person's name."""
        return self.agreement.people[self.person]

    @property
    def commitment(self) -> bytes:
        """What fixes these bytes."""
        return self.agreement.commitment(self.person, self.own)

    @property
    def orders(self) -> tuple[Permutation, ...]:
        """The orders that this person deals by; none in the way ``seed``."""
        return orders_in(self.agreement, self.person, self.own)

    def to_json(self) -> str:
        """Return the file."""
        return write_document("own", {**agreed_fields(self.agreement), "person": self.name, **_own_fields(self.own)})


@dataclass(frozen=True)
class Shown:
    """One person's own bytes, shown for one list of commitments, by its digest."""

    listed: bytes
    person: str
    own: bytes

    def to_json(self) -> str:
        """Return the file."""
        fields = {"list": self.listed.hex(), "person": self.person}
        return write_document("shown", {**fields, **_own_fields(self.own)})


def read_announcement(content: bytes) -> Announcement:
    """Read an announcement, after checking all of it."""
    fields = read_document(content, "announcement", ("voids", *AGREED))
    agreement = _announced(fields)
    return Announcement(agreement, voids_in(agreement, fields["voids"]))


def read_list(content: bytes) -> CommitmentList:
    """Read everybody's commitments, after checking all of them."""
    fields = read_document(content, "list", ("voids", *AGREED, "commitments", "list"))
    agreement = _announced(fields)
    return CommitmentList(listed_in(fields, agreement), voids_in(agreement, fields["voids"]))


def read_commitment(content: bytes) -> Commitment:
    """Read one person's commitment."""
    fields = read_document(content, "commitment", ("digest", "person", "commitment", "time"))
    digest, commitment = (bytes_in(fields[name], f"the {name}") for name in ("digest", "commitment"))
    time = text_in(fields["time"], "the time")
    seconds_of(time, "time")
    return Commitment(digest, text_in(fields["person"], "the person"), commitment, time)


def read_own(content: bytes) -> Own:
    """Read one person's own bytes."""
    fields = read_document(content, "own", (*AGREED, "person", "secret", "orders"))
    agreement = agreement_in(fields)
    name = text_in(fields["person"], "the person")
    person, own = agreement.index(name), own_in(fields["secret"], fields["orders"], "of the file")
    demand_same(name, agreement.people[person], "the person")
    orders_in(agreement, person, own)
    return Own(agreement, person, own)


def read_shown(content: bytes) -> Shown:
    """Read what one person shows for a list."""
    fields = read_document(content, "shown", ("list", "person", "secret", "orders"))
    listed, own = bytes_in(fields["list"], "the list"), own_in(fields["secret"], fields["orders"], "of the file")
    return Shown(listed, text_in(fields["person"], "the person"), own)


def read_void(content: bytes) -> tuple[Attempt, ...]:
    """Read a record of void attempts, the first one first."""
    voids = voids_of(read_document(content, "void", ("voids",))["voids"])
    if not voids:
        raise FairdeckError("this record names no void attempt")
    return voids


def write_void(voids: Sequence[Attempt]) -> str:
    """Return a record of void attempts as a file."""
    return write_document("void", {"voids": voids_fields(voids)})


def finished(attempt: Attempt, value: bytes = b"", voids: tuple[Attempt, ...] = ()) -> Transcript:
    """Return the transcript of a draw in which all showed what is theirs.

    Args:
        attempt: all commitments and own bytes.
        value: what the beacon published; empty if none was agreed on.
        voids: the attempts before, the first one first.

    Raises:
        FairdeckError: something is missing, or the beacon did not publish this value.
    """
    beacon = attempt.agreement.beacon
    randomness = beacon_of(beacon).randomness(beacon.round, value) if beacon else b""
    return Transcript(Drawn(attempt, randomness), value if beacon else b"", voids)


def _announced(fields: Fields) -> Agreement:
    agreement = agreement_in(fields)
    demand_later(agreement)
    return agreement


def _own_fields(own: bytes) -> Fields:
    return {"secret": own[:SECRET].hex(), "orders": own[SECRET:].hex()}
