"""The files of a draw: what the organiser and the people send each other, and at the end the transcript.

    announcement   what is agreed on, with its digest             the organiser, to all
    commitment     one person's commitment                        each person, to the organiser
    own            what the commitment fixes                      stays with its owner
    list           everybody's commitments, with their digest     the organiser, to all
    shown          what one person shows, for this list           each person, to the organiser
    void           attempts in which somebody showed nothing      the organiser, to all
    transcript     everything that is needed to compute the draw again

Each names the draw, or the list, that it belongs to by its digest. The agreement is written as fields that people can
read; its bytes, and so all hashes, follow from them. Anyone who has a transcript knows every deck of it: before play it
must not leave the device. docs/reference/draw.md specifies the fields.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from fairdeck.errors import FairdeckError, naming
from fairdeck.permutation import Permutation
from fairdeck.trust.agreement import AGREED, HASH, Agreement, agreement_from
from fairdeck.trust.beacon import demand_later, randomness, seconds_of
from fairdeck.trust.draws import SECRET, Attempt, Drawn, orders_in
from fairdeck.trust.fields import FORMAT, Digits, Fields, Shape, demand_names, from_plain, json_of, read_json

DIGEST, PERHAPS, ANY = Digits((HASH,)), Digits((0, HASH)), Digits()
AGREEMENT: dict[str, Shape] = {"agreement": AGREED, "digest": DIGEST}
LISTED: dict[str, Shape] = {**AGREEMENT, "commitments": [PERHAPS], "list": DIGEST}
ATTEMPT: dict[str, Shape] = {**LISTED, "secrets": [PERHAPS], "orders": [ANY], "shown": DIGEST}
VOIDS: dict[str, Shape] = {"voids": [ATTEMPT]}
OWN: dict[str, Shape] = {"person": str, "secret": Digits((SECRET,)), "orders": ANY}
BEGINNING = re.compile(
    rf'\A(?:\xef\xbb\xbf)?\s*\{{\s*"format"\s*:\s*"{FORMAT}"(?:\s*,\s*"kind"\s*:\s*"([a-z]+)")?'.encode("latin-1")
)


class Kind(NamedTuple):
    """A kind of file: what it is called, and its fields in their order."""

    called: str
    shape: dict[str, Shape]


KINDS = {
    "announcement": Kind("an announcement", {**VOIDS, **AGREEMENT}),
    "commitment": Kind("a commitment", {"digest": DIGEST, "person": str, "commitment": DIGEST, "time": str}),
    "own": Kind("a person's own secret, which nobody else may have", {**AGREEMENT, **OWN}),
    "list": Kind("a list of commitments", {**VOIDS, **LISTED}),
    "shown": Kind("a secret that is shown", {"list": DIGEST, **OWN}),
    "void": Kind("a record of void attempts", VOIDS),
    "transcript": Kind("a transcript", {**VOIDS, **ATTEMPT, "beacon": ANY, "seed": PERHAPS, "result": str}),
}


def kind_of(content: bytes) -> str:
    """Return which kind of file of a draw this is, by its beginning: a key of `KINDS`, or empty."""
    match = BEGINNING.match(content[:200])
    kind = (match[1] or b"").decode() if match else ""
    return kind if kind in KINDS else ""


def fields_in(content: bytes, kind: str) -> Fields:
    """Return the fields of a file of this kind as JSON has them.

    Raises:
        FairdeckError: it is another file, or it has other fields.
    """
    fields, (called, shape) = read_json(content), KINDS[kind]
    ours = isinstance(fields, dict) and fields.pop("format", None) == FORMAT
    given = fields.pop("kind", None) if ours else None
    if given != kind:
        other = KINDS[given].called if isinstance(given, str) and given in KINDS else "something else"
        raise FairdeckError(f"this is {other}; name {called}")
    return demand_names(fields, shape, called.partition(",")[0])


def values_in(content: bytes, kind: str) -> Fields:
    """Return the values of a file of this kind.

    Raises:
        FairdeckError: it is another file, or a value has another shape.
    """
    values: Fields = from_plain(KINDS[kind].shape, fields_in(content, kind), KINDS[kind].called)
    return values


def write_document(kind: str, values: Fields) -> str:
    """Return a file of this kind as text."""
    return json_of({"format": FORMAT, "kind": kind, **values})


@dataclass(frozen=True)
class Announcement:
    """What is agreed on, with the void attempts before, the first one first."""

    agreement: Agreement
    voids: tuple[Attempt, ...] = ()

    def to_json(self) -> str:
        """Return the file."""
        return write_document("announcement", {**_voids(self.voids), **_agreed(self.agreement)})


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
        return write_document("list", {**_voids(self.voids), **_listed(self.listed)})


@dataclass(frozen=True)
class Commitment:
    """One person's commitment."""

    digest: bytes  # of the agreement that it is for
    person: str  # the name
    commitment: bytes  # 32 bytes
    time: str  # when it was made, as the person's device claims; nothing proves it

    def to_json(self) -> str:
        """Return the file."""
        return write_document("commitment", vars(self))


@dataclass(frozen=True)
class Own:
    """One person's own bytes, with what they are for; nobody else may see them before the person shows them."""

    agreement: Agreement  # what was agreed on
    person: int  # the index
    own: bytes  # the secret and, in the way ``product``, the orders

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
        return write_document("own", {**_agreed(self.agreement), **_own(self.name, self.own)})


@dataclass(frozen=True)
class Shown:
    """One person's own bytes, shown for one list of commitments, by its digest."""

    listed: bytes
    person: str
    own: bytes

    def to_json(self) -> str:
        """Return the file."""
        return write_document("shown", {"list": self.listed, **_own(self.person, self.own)})


@dataclass(frozen=True)
class Transcript:
    """A finished draw, with the void attempts before it."""

    drawn: Drawn  # the agreement, the commitments, all own bytes and the randomness of the beacon
    value: bytes = b""  # what the beacon published, from which the randomness follows; empty if none was agreed on
    voids: tuple[Attempt, ...] = ()  # the attempts before, the first one first

    @property
    def agreement(self) -> Agreement:
        """What was agreed on."""
        return self.drawn.agreement

    def to_json(self) -> str:
        """Return the file."""
        result: Fields = {"beacon": self.value, "seed": self.drawn.seed, "result": self.drawn.code}
        return write_document("transcript", {**_voids(self.voids), **_attempt(self.drawn.attempt), **result})

    @property
    def digest(self) -> str:
        """SHA-256 of the file, in hexadecimal digits."""
        return sha256(self.to_json().encode()).hexdigest()


def finished(attempt: Attempt, value: bytes = b"", voids: tuple[Attempt, ...] = ()) -> Transcript:
    """Return the transcript of a draw in which all showed what is theirs.

    Args:
        attempt: all commitments and own bytes.
        value: what the beacon published; empty if none was agreed on.
        voids: the attempts before, the first one first.

    Raises:
        FairdeckError: something is missing, or the beacon did not publish this value.
        MissingTool: the package that checks the beacon is missing.
    """
    beacon = attempt.agreement.beacon
    if value and not beacon:
        raise FairdeckError("it has the value of a beacon, and none was agreed on")
    return Transcript(Drawn(attempt, randomness(beacon.round, value) if beacon else b""), value, voids)


def read_announcement(content: bytes) -> Announcement:
    """Read an announcement, after checking all of it."""
    values = values_in(content, "announcement")
    agreement = agreement_in(values)
    return Announcement(agreement, voids_in(agreement, values["voids"]))


def read_list(content: bytes) -> CommitmentList:
    """Read everybody's commitments, after checking all of them."""
    values = values_in(content, "list")
    agreement = agreement_in(values)
    return CommitmentList(listed_in(values, agreement), voids_in(agreement, values["voids"]))


def read_commitment(content: bytes) -> Commitment:
    """Read one person's commitment."""
    made = Commitment(**values_in(content, "commitment"))
    seconds_of(made.time, "time")
    return made


def read_own(content: bytes) -> Own:
    """Read one person's own bytes."""
    values = values_in(content, "own")
    agreement = agreement_in(values)
    own = Own(agreement, agreement.index(values["person"]), values["secret"] + values["orders"])
    demand_same(values["person"], own.name, "the person")
    orders_in(agreement, own.person, own.own)
    return own


def read_shown(content: bytes) -> Shown:
    """Read what one person shows for a list."""
    values = values_in(content, "shown")
    return Shown(values["list"], values["person"], values["secret"] + values["orders"])


def read_void(content: bytes) -> tuple[Attempt, ...]:
    """Read a record of void attempts, the first one first."""
    voids = _voids_of(values_in(content, "void")["voids"])
    if not voids:
        raise FairdeckError("this record names no void attempt")
    return voids


def write_void(voids: Sequence[Attempt]) -> str:
    """Return a record of void attempts as a file."""
    return write_document("void", _voids(voids))


def agreement_in(values: Fields) -> Agreement:
    """Return the agreement of a file, after comparing it with the digest beside it."""
    agreement = agreement_from(values["agreement"])
    demand_same(values["digest"], agreement.digest, "the digest of the agreement")
    demand_later(agreement.beacon, agreement.deadline)
    return agreement


def listed_in(values: Fields, agreement: Agreement, *, void: bool = False) -> Attempt:
    """Return the commitments of a file, after comparing them with the digest of their list.

    `void`: whether some may be empty, because they never came.
    """
    attempt = Attempt(agreement, values["commitments"])
    if not (void or all(attempt.commitments)):
        raise FairdeckError("commitments are missing in the list: all must commit")
    demand_same(values["list"], attempt.listed, "the digest of the list")
    return attempt


def attempt_in(values: Fields, listed: Attempt) -> Attempt:
    """Return the attempt of a file, with what was shown, after comparing it with the digest of that."""
    secrets, orders = values["secrets"], values["orders"]
    people = len(listed.agreement.people)
    if len(secrets) != people or len(orders) != people:
        raise FairdeckError(f"{len(secrets)} secrets and {len(orders)} orders: write those of {people} people")
    if any(order and not secret for secret, order in zip(secrets, orders, strict=True)):
        raise FairdeckError("there are orders of a person without the secret before them")
    owns = tuple(secret + order for secret, order in zip(secrets, orders, strict=True))
    attempt = Attempt(listed.agreement, listed.commitments, owns)
    demand_same(values["shown"], attempt.shown, "the digest of what was shown")
    return attempt


def voids_in(agreement: Agreement, value: Sequence[Fields]) -> tuple[Attempt, ...]:
    """Return the void attempts before an agreement, after checking that each follows the one before it."""
    voids = _voids_of(value)
    if len(voids) != agreement.attempt - 1:
        raise FairdeckError(f"attempt {agreement.attempt} comes with {len(voids)} void attempts before it")
    if voids:
        voids[-1].demand_next(agreement)
    return voids


def demand_same(stated: bytes | str, computed: bytes | str, what: str) -> None:
    """Raise a FairdeckError unless a file states what was computed."""
    if stated != computed:
        said, right = (each.hex() if isinstance(each, bytes) else each[:80] for each in (stated, computed))
        raise FairdeckError(f"{what} is {right}, and the file states {said!r}")


def _voids_of(value: Sequence[Fields]) -> tuple[Attempt, ...]:
    """Return the void attempts in a file, the first one first, after checking them all."""
    voids: list[Attempt] = []
    for number, values in enumerate(value, 1):
        with naming(f"void attempt {number}"):
            agreement = agreement_in(values)
            void = attempt_in(values, listed_in(values, agreement, void=True))
            if not void.missing:
                raise FairdeckError("nobody is missing: an attempt is void only if somebody showed no secret")
            if voids:
                voids[-1].demand_next(agreement)
            elif agreement.attempt != 1:
                raise FairdeckError(f"it is attempt {agreement.attempt}, and the first one is missing")
        voids.append(void)
    return tuple(voids)


def _agreed(agreement: Agreement) -> Fields:
    return {"agreement": agreement.as_fields(), "digest": agreement.digest}


def _listed(attempt: Attempt) -> Fields:
    return {**_agreed(attempt.agreement), "commitments": attempt.commitments, "list": attempt.listed}


def _attempt(attempt: Attempt) -> Fields:
    secrets, orders = [own[:SECRET] for own in attempt.owns], [own[SECRET:] for own in attempt.owns]
    return {**_listed(attempt), "secrets": secrets, "orders": orders, "shown": attempt.shown}


def _voids(voids: Sequence[Attempt]) -> Fields:
    return {"voids": list(map(_attempt, voids))}


def _own(person: str, own: bytes) -> Fields:
    return {"person": person, "secret": own[:SECRET], "orders": own[SECRET:]}
