"""The files on the way to a transcript: what the organiser and the people send each other.

    announcement   what is agreed on, with its digest            the organiser, to all
    commitment     one person's commitment                       each person, to the organiser
    secret         what the commitment fixes                     stays with its owner until the list is known
    sealed         everybody's commitments, with their digest    the organiser, to all
    reveal         one person's secret, for this list            each person, to the organiser
    void           attempts in which somebody showed no secret   the organiser, to all

Each names the draw, or the list, that it belongs to by its digest.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fairdeck.ceremony.beacons import beacon_of, demand_later
from fairdeck.ceremony.documents import bytes_in, read_document, text_in, write_document
from fairdeck.ceremony.times import seconds_of
from fairdeck.ceremony.transcript import (
    Transcript,
    Void,
    agreement_fields,
    announced_in,
    sealed_in,
    void_fields,
    voids_in,
    voids_of,
)
from fairdeck.dealing.together import SECRET, Agreement, Drawn, Sealed
from fairdeck.errors import FairdeckError


@dataclass(frozen=True)
class Announcement:
    """What is agreed on, with the void attempts before."""

    agreement: Agreement
    voids: tuple[Void, ...] = ()

    def to_json(self) -> str:
        """Return the file."""
        agreed = {"agreement": agreement_fields(self.agreement), "digest": self.agreement.digest.hex()}
        return write_document("announcement", {**agreed, **void_fields(self.voids)})


@dataclass(frozen=True)
class SealedList:
    """Everybody's commitments, with the void attempts before."""

    sealed: Sealed
    voids: tuple[Void, ...] = ()

    def to_json(self) -> str:
        """Return the file."""
        agreement = self.sealed.agreement
        agreed = {"agreement": agreement_fields(agreement), "digest": agreement.digest.hex()}
        commitments = {"commitments": [each.hex() for each in self.sealed.commitments]}
        fields = {**agreed, **void_fields(self.voids), **commitments, "list": self.sealed.digest.hex()}
        return write_document("sealed", fields)


@dataclass(frozen=True)
class Commitment:
    """One person's commitment to a secret.

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
        fields = {"digest": self.digest.hex(), "person": self.person}
        return write_document("commitment", {**fields, "commitment": self.commitment.hex(), "time": self.time})


@dataclass(frozen=True)
class Secret:
    """One person's secret for one agreement, by its digest; nobody else may see it before the list is known."""

    digest: bytes
    person: str
    secret: bytes

    def to_json(self) -> str:
        """Return the file."""
        fields = {"digest": self.digest.hex(), "person": self.person, "secret": self.secret.hex()}
        return write_document("secret", fields)


@dataclass(frozen=True)
class Reveal:
    """One person's secret, shown for one list of commitments, by its digest."""

    list: bytes
    person: str
    secret: bytes

    def to_json(self) -> str:
        """Return the file."""
        return write_document("reveal", {"list": self.list.hex(), "person": self.person, "secret": self.secret.hex()})


def read_announcement(content: bytes) -> Announcement:
    """Read an announcement, after checking all of it."""
    fields = read_document(content, "announcement", ("agreement", "digest", "voids"))
    agreement = announced_in(fields)
    demand_later(agreement)
    return Announcement(agreement, voids_in(agreement, fields["voids"]))


def read_sealed(content: bytes) -> SealedList:
    """Read everybody's commitments, after checking all of them."""
    fields = read_document(content, "sealed", ("agreement", "digest", "voids", "commitments", "list"))
    agreement = announced_in(fields)
    demand_later(agreement)
    return SealedList(sealed_in(agreement, fields), voids_in(agreement, fields["voids"]))


def read_commitment(content: bytes) -> Commitment:
    """Read one person's commitment."""
    fields = read_document(content, "commitment", ("digest", "person", "commitment", "time"))
    digest, commitment = (bytes_in(fields[name], f"the {name}") for name in ("digest", "commitment"))
    time = text_in(fields["time"], "the time")
    seconds_of(time, "time")
    return Commitment(digest, text_in(fields["person"], "the person"), commitment, time)


def read_secret(content: bytes) -> Secret:
    """Read one person's secret."""
    fields = read_document(content, "secret", ("digest", "person", "secret"))
    digest, secret = bytes_in(fields["digest"], "the digest"), bytes_in(fields["secret"], "the secret", SECRET)
    return Secret(digest, text_in(fields["person"], "the person"), secret)


def read_reveal(content: bytes) -> Reveal:
    """Read one person's secret, shown for a list."""
    fields = read_document(content, "reveal", ("list", "person", "secret"))
    found, secret = bytes_in(fields["list"], "the list"), bytes_in(fields["secret"], "the secret", SECRET)
    return Reveal(found, text_in(fields["person"], "the person"), secret)


def read_void(content: bytes) -> tuple[Void, ...]:
    """Read a record of void attempts, the first one first."""
    voids = voids_of(read_document(content, "void", ("voids",))["voids"])
    if not voids:
        raise FairdeckError("this record names no void attempt")
    return voids


def write_void(voids: Sequence[Void]) -> str:
    """Return a record of void attempts as a file."""
    return write_document("void", void_fields(voids))


def committed(agreement: Agreement, secret: Secret, time: str) -> Commitment:
    """Return the commitment to a secret.

    Raises:
        FairdeckError: the secret belongs to another draw.
    """
    if secret.digest != agreement.digest:
        raise FairdeckError("this secret belongs to another announcement")
    commitment = agreement.commitment(agreement.index(secret.person), secret.secret)
    return Commitment(agreement.digest, secret.person, commitment, time)


def seal(announcement: Announcement, sent: Iterable[tuple[str, Commitment]]) -> SealedList:
    """Return the list of everybody's commitments.

    Args:
        announcement: what they are for.
        sent: the commitments, each with the name of its file.

    Raises:
        FairdeckError: one belongs to another draw, came late by its own claim, is there twice or is a copy; or some
            are missing. The message names the persons.
    """
    agreement = announcement.agreement
    files: dict[str, str] = {}
    got: dict[str, bytes] = {}
    owners: dict[bytes, str] = {}
    for file, each in sent:
        if each.digest != agreement.digest:
            raise FairdeckError(
                f"{file} is a commitment for another announcement: ask {each.person[:40]} for a new one"
            )
        agreement.index(each.person)
        _demand_first(each.person, file, files)
        if agreement.deadline and seconds_of(each.time, "time") > seconds_of(agreement.deadline, "deadline"):
            raise FairdeckError(
                f"{file}: {each.person} committed at {each.time} by their own clock, after the deadline "
                f"{agreement.deadline}: leave out the file, and announce the draw again"
            )
        if (owner := owners.setdefault(each.commitment, each.person)) != each.person:
            raise FairdeckError(f"{file}: {each.person} has the same commitment as {owner}: a copy is refused")
        files[each.person], got[each.person] = file, each.commitment
    missing = [name for name in agreement.people if name not in got]
    if missing:
        raise FairdeckError(f"commitments are missing from {', '.join(missing)}: all must commit")
    return SealedList(Sealed(agreement, tuple(got[name] for name in agreement.people)), announcement.voids)


def reveal(sealed: Sealed, secret: Secret) -> Reveal:
    """Return what shows a secret for a list.

    Raises:
        FairdeckError: the list is of another draw, or has another commitment for this person.
    """
    agreement = sealed.agreement
    if secret.digest != agreement.digest:
        raise FairdeckError(f"this secret of {secret.person[:40]} belongs to another announcement than the list")
    person = agreement.index(secret.person)
    if agreement.commitment(person, secret.secret) != sealed.commitments[person]:
        raise FairdeckError(
            f"the list has another commitment for {secret.person}: somebody changed it, so do not show the secret"
        )
    return Reveal(sealed.digest, secret.person, secret.secret)


def shown(sealed: Sealed, sent: Iterable[tuple[str, Reveal]]) -> tuple[bytes, ...]:
    """Return the secrets in the order of the people; empty for each person who showed none.

    Args:
        sealed: the list that they were shown for.
        sent: the reveals, each with the name of its file.

    Raises:
        FairdeckError: one was shown for another list, does not fit its commitment, or is there twice.
    """
    files: dict[str, str] = {}
    got: dict[str, bytes] = {}
    for file, each in sent:
        if each.list != sealed.digest:
            raise FairdeckError(f"{file}: {each.person[:40]} showed this secret for another list of commitments")
        person = sealed.agreement.index(each.person)
        _demand_first(each.person, file, files)
        if sealed.agreement.commitment(person, each.secret) != sealed.commitments[person]:
            raise FairdeckError(
                f"{file}: {each.person}'s secret does not fit {each.person}'s commitment: ask for the right one, or "
                "leave out the file, as if it was never shown"
            )
        files[each.person], got[each.person] = file, each.secret
    return tuple(got.get(name, b"") for name in sealed.agreement.people)


def finish(sealed: SealedList, secrets: tuple[bytes, ...], value: bytes) -> Transcript:
    """Return the transcript of a draw in which all secrets were shown.

    Args:
        sealed: the list.
        secrets: in the order of the people.
        value: what the beacon published; empty if none was agreed on.

    Raises:
        FairdeckError: a secret is missing, or the beacon did not publish this value.
    """
    beacon = sealed.sealed.agreement.beacon
    randomness = beacon_of(beacon).randomness(beacon.round, value) if beacon else b""
    return Transcript(Drawn(sealed.sealed, secrets, randomness), value if beacon else b"", sealed.voids)


def _demand_first(person: str, file: str, files: Mapping[str, str]) -> None:
    if person in files:
        raise FairdeckError(
            f"{person} is there twice, in {files[person]} and in {file}: leave out one; if they differ, ask {person}"
        )
