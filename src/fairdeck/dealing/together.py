"""A draw that several people make together: nobody chooses the order.

Everybody draws a secret and shows only its hash, the **commitment**. Nobody shows a secret before everybody has all
commitments. Then all secrets are shown, and their hash is the **seed** of an ordinary draw. If one secret was
drawn fairly and kept until then, nobody could choose or foresee the seed. If a secret is not shown, the person who
collects declares the draw void, and nobody else: messages are not signed, so no message ends a draw. Void attempts are
numbered, and the next one names what was sent and shown until then.

Everything that people agree on beforehand is in every hash: cards, mat, goal, people, and so on (`Agreement`). So
nobody can change it afterwards. All hashes are SHA-256 over fields with their lengths before them.
docs/reference/draw.md specifies every byte.

Source: Blum, Coin flipping by telephone (CRYPTO 1981). The seed makes one of 2**256 streams: the orders are as
good as uniform for anyone who cannot compute that many hashes, but not exactly uniform (58! > 2**256).
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal, get_args

from fairdeck.dealing.goal import LARGEST_DECK, parse_goal
from fairdeck.dealing.letters import base32
from fairdeck.dealing.mat import Mat, is_shown, look
from fairdeck.dealing.plan import LARGEST_DEALERS, Plan
from fairdeck.dealing.planner import Bottom, Task, plan_for
from fairdeck.dealing.share_code import CLASSIC, refuse_uncoded
from fairdeck.errors import FairdeckError
from fairdeck.permutation import Permutation
from fairdeck.randomness import RandomIntegers, seeded_words, uniform_permutation

FORMAT = "fairdeck-together/1"
SECRET = 32  # bytes
SESSION = 16  # bytes
BEFORE = 64  # bytes
FEWEST_PEOPLE, MOST_PEOPLE = 2, 60
MOST_DECKS = 10_000
MOST_ATTEMPTS = 1000
LONGEST_NAME, LONGEST_NOTE = 40, 200
LONGEST_AGREEMENT = 200_000  # bytes
CODE_LETTERS = 12
DEADLINE = re.compile(r"2\d{3}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\dZ", re.ASCII)


@dataclass(frozen=True)
class Beacon:
    """A public source of randomness that was agreed on: bytes that nobody knows before a certain time.

    Args:
        chain: what names the source, such as the 32 bytes of the chain hash of a drand network.
        round: the number of the value.
    """

    chain: bytes
    round: int

    def __post_init__(self) -> None:
        if len(self.chain) != 32 or not 1 <= self.round < 2**63:
            raise FairdeckError(f"round {self.round}: a beacon has a chain hash of 32 bytes and a round from 1")


@dataclass(frozen=True)
class Agreement:
    """Everything that is agreed on before the draw; two agreements that differ anywhere have other hashes.

    Args:
        task: the deck, the mat, the goal. A code must be able to hold it (`fairdeck.dealing.share_code`).
        people: the names of all who draw, each once. The index of a name, from 0, is part of that person's commitment.
        session: 16 random bytes, so that no two draws are alike.
        decks: how many decks are drawn from one seed, each with a stream of its own.
        names: the names of the cards as they lie at the start, bottom first; empty if nobody looked.
        attempt: 1, or one more than the void attempt before.
        before: what `named_void` returns for that void attempt, 64 bytes; empty for the first.
        deadline: the time after which no commitment counts, as UTC ``2026-12-01T18:00Z``; empty if all meet.
        beacon: a public value that enters the seed, too.
        note: what the draw is for.

    Raises:
        FairdeckError: a value is out of range, or two people have the same name.
    """

    task: Task
    people: tuple[str, ...]
    session: bytes
    decks: int = 1
    names: tuple[str, ...] = ()
    attempt: int = 1
    before: bytes = b""
    deadline: str = ""
    beacon: Beacon | None = None
    note: str = ""

    def __post_init__(self) -> None:
        refuse_uncoded(self.task)
        if not FEWEST_PEOPLE <= len(self.people) <= MOST_PEOPLE:
            raise FairdeckError(f"{len(self.people)} people: {FEWEST_PEOPLE} to {MOST_PEOPLE} can draw together")
        _demand_names(self.people, "person", LONGEST_NAME, "NFKC")
        if self.names:
            if len(self.names) != self.task.cards:
                raise FairdeckError(f"{len(self.names)} cards are named; the deck has {self.task.cards}")
            _demand_names(self.names, "card", LONGEST_NAME)
        if len(self.session) != SESSION:
            raise FairdeckError(f"a session has {SESSION} bytes, not {len(self.session)}")
        if not 1 <= self.decks <= MOST_DECKS:
            raise FairdeckError(f"{self.decks} decks: draw 1 to {MOST_DECKS}")
        if not 1 <= self.attempt <= MOST_ATTEMPTS or len(self.before) != BEFORE * (self.attempt > 1):
            raise FairdeckError(f"attempt {self.attempt}: it must be 1, or name the attempt before by {BEFORE} bytes")
        if self.deadline and not DEADLINE.fullmatch(self.deadline):
            raise FairdeckError(f"deadline {self.deadline[:40]!r}: write it in UTC as 2026-12-01T18:00Z")
        if self.note and not _is_text(self.note, LONGEST_NOTE):
            raise FairdeckError(f"note {self.note[:40]!r}: use one line of 1 to {LONGEST_NOTE} visible letters")

    @cached_property
    def written(self) -> bytes:
        """The agreement as bytes: fields in a fixed order, each with its length before it."""
        task = self.task
        beacon = [] if self.beacon is None else [self.beacon.chain, _number(self.beacon.round)]
        fields = [
            FORMAT.encode(),
            _number(task.cards),
            _listed(name.encode() for name in self.names),
            str(task.mat).encode(),
            _listed(label.encode() for label in _own_labels(task.mat)),
            str(task.goal).encode(),
            (CLASSIC if task.classic else task.bottom).encode(),
            _number(task.dealers),
            _number(self.decks),
            self.session,
            _number(self.attempt),
            self.before,
            _listed(name.encode() for name in self.people),
            self.deadline.encode(),
            _listed(beacon),
            self.note.encode(),
        ]
        return b"".join(map(_field, fields))

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 of the agreement, 32 bytes."""
        return _hash("agreement", self.written)

    def commitment(self, person: int, secret: bytes) -> bytes:
        """Return the commitment to a secret of 32 bytes by the person with this index: all 32 bytes of a SHA-256."""
        if len(secret) != SECRET:
            raise FairdeckError(f"a secret has {SECRET} bytes, not {len(secret)}")
        if not 0 <= person < len(self.people):
            raise FairdeckError(f"person {person}: the agreement has persons 0 to {len(self.people) - 1}")
        return _hash("commitment", self.written, _number(person), secret)

    def named_void(self, commitments: Sequence[bytes], secrets: Sequence[bytes]) -> bytes:
        """Return what names this attempt when it is void: the agreement, and who sent and who showed what.

        Args:
            commitments: in the order of the people; empty for each person who sent none.
            secrets: likewise.
        """
        return self.digest + _hash("void", self.written, *commitments, *secrets)

    def again(self, session: bytes, before: bytes) -> "Agreement":
        """Return the agreement of the next attempt, after this one was void: the same, with the next number.

        Args:
            session: 16 new random bytes.
            before: what `named_void` returns.

        Raises:
            FairdeckError: there were too many attempts.
        """
        return replace(self, session=session, attempt=self.attempt + 1, before=before)

    def is_next(self, following: "Agreement") -> bool:
        """Return whether an agreement is the next attempt of this one, if this one is void: nothing else differs."""
        if following.attempt != self.attempt + 1 or following.before[: len(self.digest)] != self.digest:
            return False
        return following == self.again(following.session, following.before)

    def index(self, person: str) -> int:
        """Return the index of a person's name.

        Raises:
            FairdeckError: nobody here has that name.
        """
        name = unicodedata.normalize("NFC", person.strip())
        if name not in self.people:
            raise FairdeckError(f"{person[:40]!r} is not one of the people: {', '.join(self.people)}")
        return self.people.index(name)


@dataclass(frozen=True)
class Sealed:
    """An agreement with everybody's commitment: from here on nothing can be changed.

    Args:
        agreement: what was agreed on.
        commitments: 32 bytes of each person, in the order of the people.

    Raises:
        FairdeckError: there are too few or too many commitments, or two are the same.
    """

    agreement: Agreement
    commitments: tuple[bytes, ...]

    def __post_init__(self) -> None:
        people = self.agreement.people
        if len(self.commitments) != len(people) or any(len(each) != 32 for each in self.commitments):
            raise FairdeckError(f"{len(self.commitments)} commitments for {len(people)} people: give 32 bytes for each")
        for place, each in enumerate(self.commitments):
            if (first := self.commitments.index(each)) < place:
                raise FairdeckError(f"{people[place]} has the same commitment as {people[first]}: a copy is refused")

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 of the agreement and all commitments, 32 bytes; a secret is shown for this list alone."""
        return _hash("list", self.agreement.written, *self.commitments)

    def check(self, person: int, secret: bytes) -> None:
        """Raise a FairdeckError unless this is the secret that the person committed to."""
        if self.agreement.commitment(person, secret) != self.commitments[person]:
            name = self.agreement.people[person]
            raise FairdeckError(f"{name}'s secret does not fit {name}'s commitment")


@dataclass(frozen=True)
class Drawn:
    """A finished draw: everybody's secret is known, and with it the seed and every order.

    Args:
        sealed: the agreement and the commitments.
        secrets: 32 bytes of each person, in the order of the people.
        randomness: the value of the beacon, 32 bytes; empty if none was agreed on.

    Raises:
        FairdeckError: a secret is missing or does not fit its commitment (the message names the person), or the value
            of the beacon is missing or was not agreed on.
    """

    sealed: Sealed
    secrets: tuple[bytes, ...]
    randomness: bytes = b""

    def __post_init__(self) -> None:
        people = self.sealed.agreement.people
        if len(self.secrets) != len(people):
            raise FairdeckError(f"{len(self.secrets)} secrets for {len(people)} people: the draw needs one of each")
        for person, secret in enumerate(self.secrets):
            self.sealed.check(person, secret)
        if len(self.randomness) != 32 * (self.sealed.agreement.beacon is not None):
            wanted = "32 bytes of the beacon" if self.sealed.agreement.beacon else "no beacon, as agreed"
            raise FairdeckError(f"{len(self.randomness)} bytes of a beacon: the draw needs {wanted}")

    @cached_property
    def seed(self) -> bytes:
        """The seed that nobody chose, 32 bytes: SHA-256 of agreement, commitments, secrets and beacon."""
        agreement = self.sealed.agreement.written
        return _hash("seed", agreement, *self.sealed.commitments, *self.secrets, self.randomness)

    @property
    def code(self) -> str:
        """The result code that all compare aloud: 60 bits of a hash of the seed, as 12 letters in base 32."""
        value = int.from_bytes(_hash("result", self.seed)[:8], "big") >> 4
        letters = base32(value, CODE_LETTERS)
        return f"{letters[:4]} {letters[4:8]} {letters[8:]}"

    def order(self, deck: int = 0) -> Permutation:
        """Return the arrangement of one of the decks, bottom first; each deck has a stream of its own."""
        agreement = self.sealed.agreement
        if not 0 <= deck < agreement.decks:
            raise FairdeckError(f"deck {deck}: the draw has decks 0 to {agreement.decks - 1}")
        words = seeded_words(_hash("deck", self.seed, _number(deck)))
        return uniform_permutation(agreement.task.cards, RandomIntegers(words))

    def plan(self, deck: int = 0) -> Plan:
        """Return how to deal one of the decks."""
        return plan_for(self.sealed.agreement.task, self.order(deck))


def read_agreement(written: bytes) -> Agreement:
    """Read an agreement from its bytes.

    Raises:
        FairdeckError: the bytes are not an agreement, or not written as `Agreement.written` writes it.
    """
    if len(written) > LONGEST_AGREEMENT:
        raise FairdeckError(f"an agreement of {len(written)} bytes is too long: at most {LONGEST_AGREEMENT}")
    try:
        agreement = _read(written)
    except (FairdeckError, ValueError, IndexError) as error:
        raise FairdeckError(f"this is not an agreement, or not all of it ({error}): get it again") from None
    if agreement.written != written:
        raise FairdeckError("this agreement is not written in the one way that its hash allows: get it again")
    return agreement


def _read(written: bytes) -> Agreement:
    fields = _fields(written)
    if len(fields) != 16 or fields[0] != FORMAT.encode():
        raise FairdeckError(f"it is not of the format {FORMAT}")
    cards, mat, labels, goal, how, dealers = fields[1], fields[3], fields[4], fields[5], fields[6], fields[7]
    size, planned = _count(cards, LARGEST_DECK), how.decode()
    bottom: dict[str, Any] = {"classic": True} if planned == CLASSIC else {"bottom": planned}
    if planned not in (CLASSIC, *get_args(Bottom)):
        raise FairdeckError("it plans in an unknown way")
    task = Task(
        size,
        Mat.parse(mat.decode(), _texts(labels) or None),
        parse_goal(goal.decode(), size),
        _count(dealers, LARGEST_DEALERS),
        **bottom,
    )
    beacon = _fields(fields[14])
    return Agreement(
        task,
        _texts(fields[12]),
        fields[9],
        _count(fields[8], MOST_DECKS),
        _texts(fields[2]),
        _count(fields[10], MOST_ATTEMPTS),
        fields[11],
        fields[13].decode(),
        Beacon(beacon[0], _count(beacon[1], 2**63 - 1)) if beacon else None,
        fields[15].decode(),
    )


def _own_labels(mat: Mat) -> tuple[str, ...]:
    return () if mat == Mat(mat.columns, mat.rows) else mat.labels


def _hash(what: str, *parts: bytes) -> bytes:
    """Return SHA-256 of fields: what is hashed in which version, then the parts, each with its length before it."""
    return sha256(b"".join(map(_field, (f"{FORMAT} {what}".encode(), *parts)))).digest()


def _field(content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + content


def _listed(parts: Iterable[bytes]) -> bytes:
    return b"".join(map(_field, parts))


def _number(value: int) -> bytes:
    return value.to_bytes(8, "big")


def _fields(written: bytes) -> list[bytes]:
    found, at = [], 0
    while at < len(written):
        size = int.from_bytes(written[at : at + 4], "big")
        if len(written) < at + 4 + size:
            raise FairdeckError("it ends too early")
        found.append(written[at + 4 : at + 4 + size])
        at += 4 + size
    return found


def _texts(written: bytes) -> tuple[str, ...]:
    return tuple(field.decode() for field in _fields(written))


def _count(written: bytes, most: int) -> int:
    value = int.from_bytes(written, "big")
    if len(written) != 8 or value > most:
        raise FairdeckError(f"a number in it is above {most}")
    return value


def _demand_names(names: Sequence[str], kind: str, longest: int, form: Literal["NFC", "NFKC"] = "NFC") -> None:
    """Raise a FairdeckError unless these are texts that differ; `form`: in which Unicode form they must."""
    seen: set[str] = set()
    for name in names:
        if not _is_text(name, longest):
            raise FairdeckError(f"{kind} {name[:40]!r}: a name has 1 to {longest} visible letters, with single spaces")
        if (alike := look(unicodedata.normalize(form, name)).lower()) in seen:
            raise FairdeckError(f"{kind} {name!r} is named twice: give each a name of its own")
        seen.add(alike)


def _is_text(text: str, longest: int) -> bool:
    """Return whether a text is visible, in the one form that a hash needs (NFC), and not too long."""
    return is_shown(text) and text == unicodedata.normalize("NFC", text) and len(text) <= longest
