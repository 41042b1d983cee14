"""A finished draw in one file, a transcript: everything that is needed to compute it again.

The agreement is written as fields that people can read; its bytes, and so all hashes, follow from them. Each other
field fixes another one or is fixed by it, and the file is written in one way only: no byte of it can be changed
unnoticed.

Anyone who has a transcript knows every deck of it: before play it must not leave the device.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from fairdeck.errors import FairdeckError
from fairdeck.trust.agreement import Agreement, agreement_from
from fairdeck.trust.beacons import demand_later
from fairdeck.trust.documents import Fields, bytes_in, demand_names, list_in, write_document
from fairdeck.trust.draws import SECRET, Attempt, Drawn

AGREED = ("agreement", "digest")
ATTEMPT = (*AGREED, "commitments", "list", "secrets", "orders", "shown")
TRANSCRIPT = ("voids", *ATTEMPT, "beacon", "seed", "result")


@dataclass(frozen=True)
class Transcript:
    """A finished draw, with the void attempts before it.

    Args:
        drawn: the agreement, the commitments, all own bytes and the randomness of the beacon.
        value: what the beacon published, from which the randomness follows; empty if none was agreed on.
        voids: the attempts before, the first one first.
    """

    drawn: Drawn
    value: bytes = b""
    voids: tuple[Attempt, ...] = ()

    @property
    def agreement(self) -> Agreement:
        """What was agreed on."""
        return self.drawn.agreement

    def to_json(self) -> str:
        """Return the file."""
        result = {"beacon": self.value.hex(), "seed": self.drawn.seed.hex(), "result": self.drawn.code}
        fields = {"voids": voids_fields(self.voids), **attempt_fields(self.drawn.attempt), **result}
        return write_document("transcript", fields)

    @property
    def digest(self) -> str:
        """SHA-256 of the file, in hexadecimal digits."""
        return sha256(self.to_json().encode()).hexdigest()


def agreed_fields(agreement: Agreement) -> Fields:
    """Return an agreement and its digest as the fields of a file."""
    return {"agreement": agreement.as_fields(), "digest": agreement.digest.hex()}


def listed_fields(attempt: Attempt) -> Fields:
    """Return an agreement and the list of commitments as the fields of a file."""
    commitments = [each.hex() for each in attempt.commitments]
    return {**agreed_fields(attempt.agreement), "commitments": commitments, "list": attempt.listed.hex()}


def attempt_fields(attempt: Attempt) -> Fields:
    """Return an attempt as the fields of a file."""
    secrets = [own[:SECRET].hex() for own in attempt.owns]
    orders = [own[SECRET:].hex() for own in attempt.owns]
    return {**listed_fields(attempt), "secrets": secrets, "orders": orders, "shown": attempt.shown.hex()}


def voids_fields(voids: Sequence[Attempt]) -> list[Fields]:
    """Return void attempts as a list in a file."""
    return [attempt_fields(each) for each in voids]


def agreement_in(fields: Fields) -> Agreement:
    """Return the agreement of a file, after comparing it with the digest beside it."""
    agreement = agreement_from(fields["agreement"])
    demand_same(fields["digest"], agreement.digest.hex(), "the digest of the agreement")
    return agreement


def listed_in(fields: Fields, agreement: Agreement, *, void: bool = False) -> Attempt:
    """Return the commitments of a file, after comparing them with the digest of their list.

    `void`: whether some may be empty, because they never came.
    """
    given = enumerate(list_in(fields["commitments"], "commitments"), 1)
    found = [b"" if void and each == "" else bytes_in(each, f"commitment {number}") for number, each in given]
    attempt = Attempt(agreement, tuple(found))
    demand_same(fields["list"], attempt.listed.hex(), "the digest of the list")
    return attempt


def attempt_in(fields: Fields, listed: Attempt, *, void: bool = False) -> Attempt:
    """Return the attempt of a file, with what was shown; `void`: whether somebody must have shown nothing."""
    secrets, orders = (list_in(fields[name], name) for name in ("secrets", "orders"))
    people = len(listed.agreement.people)
    if len(secrets) != people or len(orders) != people:
        raise FairdeckError(f"{len(secrets)} secrets and {len(orders)} orders: write those of {people} people")
    owns = tuple(
        own_in(*each, f"of person {number}") for number, each in enumerate(zip(secrets, orders, strict=True), 1)
    )
    attempt = Attempt(listed.agreement, listed.commitments, owns)
    demand_same(fields["shown"], attempt.shown.hex(), "the digest of what was shown")
    if void and not attempt.missing:
        raise FairdeckError("nobody is missing: an attempt is void only if somebody showed no secret")
    return attempt


def own_in(secret: object, orders: object, what: str) -> bytes:
    """Return own bytes from the secret and the orders of a file; empty if both are."""
    if secret == "" and orders == "":
        return b""
    return bytes_in(secret, f"the secret {what}", SECRET) + bytes_in(orders, f"the orders {what}", None)


def voids_in(agreement: Agreement, value: object) -> tuple[Attempt, ...]:
    """Return the void attempts before an agreement, after checking that each follows the one before it."""
    voids = voids_of(value)
    if len(voids) != agreement.attempt - 1:
        raise FairdeckError(f"attempt {agreement.attempt} comes with {len(voids)} void attempts before it")
    if voids:
        voids[-1].demand_next(agreement)
    return voids


def voids_of(value: object) -> tuple[Attempt, ...]:
    """Return void attempts from a list in a file, the first one first, after checking them all."""
    voids: list[Attempt] = []
    for number, each in enumerate(list_in(value, "voids"), 1):
        try:
            fields = demand_names(each, ATTEMPT, "the attempt")
            agreement = agreement_in(fields)
            demand_later(agreement)
            void = attempt_in(fields, listed_in(fields, agreement, void=True), void=True)
            if voids:
                voids[-1].demand_next(agreement)
            elif agreement.attempt != 1:
                raise FairdeckError(f"it is attempt {agreement.attempt}, and the first one is missing")
        except FairdeckError as error:
            raise FairdeckError(f"void attempt {number}: {error}") from None
        voids.append(void)
    return tuple(voids)


def demand_same(stated: object, computed: str, what: str) -> None:
    """Raise a FairdeckError unless a file states what was computed."""
    if stated != computed:
        told = stated[:80] if isinstance(stated, str) else "no text"
        raise FairdeckError(f"{what} is {computed}, and the file states {told!r}")
