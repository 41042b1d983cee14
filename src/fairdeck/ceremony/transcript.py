"""A finished draw in one file, ``fairdeck-ceremony/1``: everything that is needed to compute it again.

The agreement is written as fields that people can read; its bytes, and so all hashes, follow from them. Each other
field fixes another one or is fixed by it, so that no byte of the file can be changed unnoticed.

Anyone who has a transcript knows every order of it: before play it must not leave the device.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, get_args

from fairdeck.ceremony.beacons import demand_later
from fairdeck.ceremony.documents import (
    Fields,
    bytes_in,
    demand_names,
    list_in,
    number_in,
    text_in,
    texts_in,
    write_document,
)
from fairdeck.ceremony.times import seconds_of
from fairdeck.dealing.cards import numbered_deck
from fairdeck.dealing.goal import LARGEST_DECK, parse_goal
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.plan import LARGEST_DEALERS
from fairdeck.dealing.planner import Bottom, Task
from fairdeck.dealing.share_code import CLASSIC, LONGEST_GOAL
from fairdeck.dealing.together import SESSION, Agreement, Beacon, Drawn, Sealed
from fairdeck.errors import FairdeckError

KIND = "ceremony"
AGREED = (
    *("cards", "names", "mat", "labels", "goal", "planning", "dealers", "decks", "session", "attempt", "before"),
    *("people", "deadline", "beacon", "note"),
)
VOID = ("agreement", "digest", "commitments", "list", "secrets", "missing")
OF_AN_ATTEMPT = ("session", "attempt", "before", "deadline", "beacon", "people")  # the next attempt may change them
WRITTEN = ("agreement", "digest", "voids", "commitments", "list", "secrets", "beacon", "seed", "result")


@dataclass(frozen=True)
class Void:
    """An attempt that did not end, because somebody did not show a secret.

    Args:
        sealed: the agreement and all commitments.
        secrets: those that were shown, in the order of the people; empty for each person who showed none.

    Raises:
        FairdeckError: nobody is missing, or a secret does not fit its commitment.
    """

    sealed: Sealed
    secrets: tuple[bytes, ...]

    def __post_init__(self) -> None:
        if len(self.secrets) != len(self.sealed.agreement.people) or all(self.secrets):
            raise FairdeckError("nobody is missing: an attempt is void only if somebody showed no secret")
        for person, secret in enumerate(self.secrets):
            if secret:
                self.sealed.check(person, secret)

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of those who showed no secret."""
        people = self.sealed.agreement.people
        return tuple(name for name, secret in zip(people, self.secrets, strict=True) if not secret)

    @property
    def named(self) -> bytes:
        """What names this attempt in the next one, 64 bytes: also who showed which secret."""
        return self.sealed.agreement.named_void(self.sealed.commitments, self.secrets)

    def demand_next(self, following: Agreement) -> None:
        """Raise a FairdeckError unless an agreement is the next attempt after this one.

        It has a session, a deadline and a round of its own, and may leave out people who were missing. All else stays
        as it was agreed on, or people and terms could change until a draw suits somebody.
        """
        agreed, number = self.sealed.agreement, following.attempt
        if number != agreed.attempt + 1 or following.before != self.named:
            raise FairdeckError(f"attempt {number} does not name the void attempt before it, with what was shown there")
        before, after = agreement_fields(agreed), agreement_fields(following)
        for name in AGREED:
            if name not in OF_AN_ATTEMPT and after[name] != before[name]:
                raise FairdeckError(
                    f"attempt {number} has {name} {str(after[name])[:40]!r}, and the void attempt before it "
                    f"{str(before[name])[:40]!r}: it must stay"
                )
        stay = tuple(each for each in agreed.people if each in following.people or each not in self.missing)
        if following.people != stay:
            raise FairdeckError(
                f"attempt {number} is drawn by {', '.join(following.people)[:200]}, and must be by "
                f"{', '.join(stay)[:200]}: only people who were missing may be left out"
            )
        if agreed.beacon and not (following.beacon and following.beacon.chain == agreed.beacon.chain):
            raise FairdeckError(f"attempt {number} must have the beacon of the void attempt before it, in a new round")

    def fields(self) -> Fields:
        """Return the attempt as the fields of a JSON object."""
        return {
            "agreement": agreement_fields(self.sealed.agreement),
            "digest": self.sealed.agreement.digest.hex(),
            "commitments": [each.hex() for each in self.sealed.commitments],
            "list": self.sealed.digest.hex(),
            "secrets": [each.hex() for each in self.secrets],
            "missing": list(self.missing),
        }


@dataclass(frozen=True)
class Transcript:
    """A finished draw, with the void attempts before it.

    Args:
        drawn: the agreement, the commitments, the secrets and the randomness of the beacon.
        value: what the beacon published, from which the randomness follows; empty if none was agreed on.
        voids: the attempts before, the first one first.
    """

    drawn: Drawn
    value: bytes = b""
    voids: tuple[Void, ...] = ()

    @property
    def agreement(self) -> Agreement:
        """What was agreed on."""
        return self.drawn.sealed.agreement

    def to_json(self) -> str:
        """Return the file."""
        return write_document(
            KIND,
            {
                "agreement": agreement_fields(self.agreement),
                "digest": self.agreement.digest.hex(),
                "voids": [each.fields() for each in self.voids],
                "commitments": [each.hex() for each in self.drawn.sealed.commitments],
                "list": self.drawn.sealed.digest.hex(),
                "secrets": [each.hex() for each in self.drawn.secrets],
                "beacon": self.value.hex(),
                "seed": self.drawn.seed.hex(),
                "result": self.drawn.code,
            },
        )

    @property
    def digest(self) -> str:
        """SHA-256 of the file, in hexadecimal digits."""
        return sha256(self.to_json().encode()).hexdigest()

    def named_order(self, deck: int) -> tuple[str, ...]:
        """Return the cards of a deck, from 0, in the order drawn, top first, by their names.

        Where the agreement has no names, cards are numbered from the top of the deck as it lay at the start.
        """
        names = self.agreement.names or numbered_deck(self.agreement.task.cards)[::-1]
        return tuple(names[card] for card in reversed(self.drawn.order(deck)))


def agreement_fields(agreement: Agreement) -> Fields:
    """Return an agreement as the fields of a JSON object, with the names that docs/reference/draw.md gives them."""
    task, beacon = agreement.task, agreement.beacon
    plain = Mat(task.mat.columns, task.mat.rows)
    return {
        "cards": task.cards,
        "names": list(agreement.names),
        "mat": str(task.mat),
        "labels": [] if task.mat == plain else list(task.mat.labels),
        "goal": str(task.goal),
        "planning": CLASSIC if task.classic else task.bottom,
        "dealers": task.dealers,
        "decks": agreement.decks,
        "session": agreement.session.hex(),
        "attempt": agreement.attempt,
        "before": agreement.before.hex(),
        "people": list(agreement.people),
        "deadline": agreement.deadline,
        "beacon": None if beacon is None else {"chain": beacon.chain.hex(), "round": beacon.round},
        "note": agreement.note,
    }


def agreement_from(value: object) -> Agreement:
    """Read an agreement from the fields of a JSON object.

    Raises:
        FairdeckError: a field is missing, unknown, out of range, or not written as `agreement_fields` writes it.
    """
    demand_names(value, AGREED, "the agreement")
    fields: Fields = dict(value)  # type: ignore[call-overload]
    agreement = Agreement(
        _task(fields),
        texts_in(fields["people"], "people"),
        bytes_in(fields["session"], "session", SESSION),
        number_in(fields["decks"], "decks"),
        texts_in(fields["names"], "names"),
        number_in(fields["attempt"], "attempt"),
        bytes_in(fields["before"], "before", None),
        text_in(fields["deadline"], "deadline"),
        _beacon(fields["beacon"]),
        text_in(fields["note"], "note"),
    )
    if agreement.deadline:
        seconds_of(agreement.deadline, "deadline")
    for name, wanted in agreement_fields(agreement).items():
        if fields[name] != wanted:
            raise FairdeckError(f"{name} {str(fields[name])[:40]!r} is not written as {str(wanted)[:40]!r}")
    return agreement


def _task(fields: Fields) -> Task:
    cards = number_in(fields["cards"], "cards")
    planning = text_in(fields["planning"], "planning")
    dealers = number_in(fields["dealers"], "dealers")
    labels = texts_in(fields["labels"], "labels")
    if not 1 <= cards <= LARGEST_DECK:
        raise FairdeckError(f"cards: {cards} is out of range; write 1 to {LARGEST_DECK}")
    if not 1 <= dealers <= LARGEST_DEALERS:
        raise FairdeckError(f"dealers: {dealers} is out of range; write 1 to {LARGEST_DEALERS}")
    if planning not in (CLASSIC, *get_args(Bottom)):
        raise FairdeckError(f"planning {planning[:40]!r} is not known")
    goal = text_in(fields["goal"], "goal")
    if len(goal) > LONGEST_GOAL:
        raise FairdeckError(f"goal {goal[:40]}... is too long: at most {LONGEST_GOAL} letters")
    how: dict[str, Any] = {"classic": True} if planning == CLASSIC else {"bottom": planning}
    mat = Mat.parse(text_in(fields["mat"], "mat"), labels or None)
    return Task(cards, mat, parse_goal(goal, cards), dealers, **how)


def _beacon(value: object) -> Beacon | None:
    if value is None:
        return None
    demand_names(value, ("chain", "round"), "the beacon")
    fields: Fields = dict(value)  # type: ignore[call-overload]
    return Beacon(bytes_in(fields["chain"], "the chain hash"), number_in(fields["round"], "the round"))


def announced_in(fields: Fields) -> Agreement:
    """Return the agreement of a file, after comparing it with the digest beside it."""
    agreement = agreement_from(fields["agreement"])
    demand_same(fields["digest"], agreement.digest.hex(), "the digest of the agreement")
    return agreement


def sealed_in(agreement: Agreement, fields: Fields) -> Sealed:
    """Return the commitments of a file, after comparing them with the digest of their list."""
    found = enumerate(list_in(fields["commitments"], "commitments"), 1)
    sealed = Sealed(agreement, tuple(bytes_in(each, f"commitment {number}") for number, each in found))
    demand_same(fields["list"], sealed.digest.hex(), "the digest of the list")
    return sealed


def secrets_in(fields: Fields, *, missing: bool = False) -> tuple[bytes, ...]:
    """Return the secrets of a file; `missing`: whether some may be empty."""
    found = enumerate(list_in(fields["secrets"], "secrets"), 1)
    return tuple(b"" if missing and each == "" else bytes_in(each, f"secret {number}") for number, each in found)


def voids_in(agreement: Agreement, value: object) -> tuple[Void, ...]:
    """Return the void attempts before an agreement, after checking that each follows the one before it."""
    voids = voids_of(value)
    if len(voids) != agreement.attempt - 1:
        raise FairdeckError(f"attempt {agreement.attempt} comes with {len(voids)} void attempts before it")
    if voids:
        voids[-1].demand_next(agreement)
    return voids


def voids_of(value: object) -> tuple[Void, ...]:
    """Return void attempts from a JSON list, the first one first, after checking them all."""
    voids: list[Void] = []
    for number, each in enumerate(list_in(value, "voids"), 1):
        try:
            void = _void(each)
            if voids:
                voids[-1].demand_next(void.sealed.agreement)
            elif void.sealed.agreement.attempt != 1:
                raise FairdeckError(f"it is attempt {void.sealed.agreement.attempt}, and the first one is missing")
        except FairdeckError as error:
            raise FairdeckError(f"void attempt {number}: {error}") from None
        voids.append(void)
    return tuple(voids)


def _void(value: object) -> Void:
    demand_names(value, VOID, "the attempt")
    fields: Fields = dict(value)  # type: ignore[call-overload]
    agreement = announced_in(fields)
    demand_later(agreement)
    void = Void(sealed_in(agreement, fields), secrets_in(fields, missing=True))
    if texts_in(fields["missing"], "missing") != void.missing:
        raise FairdeckError(f"missing are {', '.join(void.missing)}, and it says otherwise")
    return void


def demand_same(stated: object, computed: str, what: str) -> None:
    """Raise a FairdeckError unless a file states what was computed."""
    if stated != computed:
        told = stated[:80] if isinstance(stated, str) else "no text"
        raise FairdeckError(f"{what} is {computed}, and the file states {told!r}")


def void_fields(voids: Sequence[Void]) -> Fields:
    """Return void attempts as the fields of a file ``fairdeck-void/1``."""
    return {"voids": [each.fields() for each in voids]}
