"""A draw as one device sees it: what has come until now, and what may come next.

One device **collects**: it gets everybody's commitments, sends the list of them, gets what everybody shows, and sends
all of that. The others **answer**. What a message or a person may do is one table, `states.json`, which the page reads
as well: from a state and an event it leads to a state, or to the name of a refusal.

Messages are not signed, so a refusal changes nothing: else a forged message could end a draw. Only the person who
collects declares an attempt void.
"""

import json
from collections.abc import Sequence
from importlib import resources
from typing import Any

from fairdeck.errors import FairdeckError
from fairdeck.trust.agreement import PRODUCT, Agreement
from fairdeck.trust.draws import Attempt

TABLE: dict[str, Any] = json.loads(resources.files(__package__).joinpath("states.json").read_text(encoding="utf-8"))
COMMITTED, LISTED, PLAYED, OVER = TABLE[PRODUCT]
COLLECTS, ANSWERS = TABLE["roles"]
NOBODY = -1  # the index of who collects without being one of the people
SAYS = {
    "notMessage": "this is not a message of a draw, or not all of it: copy it again",
    "stranger": "{name} is not one of the people: {people}",
    "otherDraw": "this belongs to another draw: send what is of this one",
    "otherTerms": "this attempt has another {what}: it is not taken; leave this draw if you agree with it",
    "skipsAttempt": "this is attempt {given}, and the next one is {wanted}: it is not taken",
    "copiedCommitment": "{name} has the same commitment as {other}: a copy is refused",
    "changedCommitment": "another one of {name} came before, and this one is not taken: ask {name} which is theirs",
    "ownAstray": "this list has another commitment for {name}, and is not taken: ask for the right list; show nothing",
    "otherList": "this is for another list of commitments, and is not taken: compare the lists",
    "falseSecret": "{name}'s secret does not fit {name}'s commitment, and is not taken: ask for the right one",
    "ownMessage": "this device makes that message itself: take what the others send",
    "notCollecting": "only the device that collects takes this",
    "listFirst": "the list of all commitments comes first",
    "dealtLater": "in this draw the decks are dealt after all secrets were shown",
    "tooEarly": "orders are shown after play, and not before: say that play is over",
    "isOver": "this draw is over already",
    "notVoid": "this calls an attempt void that was played or finished: compare the codes, and ask why",
}


class Refused(FairdeckError):
    """What came is not taken, and nothing has changed.

    Attributes:
        refusal: its name, a key of `SAYS`.
    """

    def __init__(self, refusal: str, /, **values: object) -> None:
        super().__init__(SAYS[refusal].format(**{key: str(value)[:200] for key, value in values.items()}))
        self.refusal = refusal


class Draw:
    """One device's view of a draw.

    Args:
        agreement: what was agreed on.
        me: the index of this device's person, or `NOBODY`.
        own: this person's own bytes; empty if it is nobody's device.
        collects: whether this device collects.

    Attributes:
        state: one of `COMMITTED`, `LISTED`, `PLAYED`, `OVER`.
        commitments: of each person; empty for each that has not come.
        owns: own bytes of each person that have come, likewise.
    """

    def __init__(self, agreement: Agreement, me: int = NOBODY, own: bytes = b"", *, collects: bool) -> None:
        self.agreement, self.me, self.own, self.collects = agreement, me, own, collects
        self.state: str = COMMITTED
        self.commitments = [b""] * len(agreement.people)
        self.owns = [b""] * len(agreement.people)
        if me != NOBODY:
            self.commitments[me] = agreement.commitment(me, own)

    @property
    def attempt(self) -> Attempt:
        """What this device knows."""
        return Attempt(self.agreement, tuple(self.commitments), tuple(self.owns))

    @property
    def can_be_void(self) -> bool:
        """Whether a next attempt may follow now: not once it was played or finished."""
        return TABLE[self.agreement.way][self.state]["next"] not in SAYS

    @property
    def missing(self) -> str:
        """The names of the people whose commitment, or later whose own bytes, have not come."""
        came = self.commitments if self.state == COMMITTED else self.owns
        people = zip(self.agreement.people, came, strict=True)
        return ", ".join(name for place, (name, each) in enumerate(people) if not each and place != self.me)

    def take_commitment(self, person: int, commitment: bytes) -> None:
        """Take one person's commitment."""
        after, before = self._after("C"), self.commitments[self._known(person)]
        if before and before != commitment:
            raise self._refused("changedCommitment", person)
        if commitment in self.commitments and not before:
            raise self._refused("copiedCommitment", person, other=self._name(self.commitments.index(commitment)))
        self.commitments[person] = commitment
        if all(self.commitments):
            self.state = after

    def take_list(self, commitments: Sequence[bytes]) -> None:
        """Take everybody's commitments."""
        after, people = self._after("L"), len(self.agreement.people)
        if len(commitments) != people:
            raise Refused("notMessage")
        if self.me != NOBODY and commitments[self.me] != self.commitments[self.me]:
            raise self._refused("ownAstray", self.me)
        if self.state != COMMITTED and list(commitments) != self.commitments:
            raise Refused("otherList")
        for person, each in enumerate(commitments):
            if (first := list(commitments).index(each)) < person:
                raise self._refused("copiedCommitment", person, other=self._name(first))
        self.commitments, self.state = list(commitments), after

    def take_own(self, person: int, own: bytes, listed: bytes) -> None:
        """Take what one person shows, for the list with this digest."""
        after = self._after("R")
        self._check(self._known(person), own, listed)
        self.owns[person] = own
        self._complete(after)

    def take_all(self, owns: Sequence[bytes], listed: bytes) -> None:
        """Take what everybody shows, for the list with this digest."""
        after = self._after("S")
        if len(owns) != len(self.agreement.people):
            raise Refused("notMessage")
        for person, own in enumerate(owns):
            self._check(person, own, listed)
        self.owns = list(owns)
        self._complete(after)

    def show(self) -> bytes:
        """Return this person's own bytes, if they may be shown now."""
        self.state = self._after("show")
        return self.own

    def play(self) -> None:
        """Say that play is over, so that orders can be shown."""
        self.state = self._after("played")

    def follow(self, following: Agreement) -> None:
        """Check that an agreement is the next attempt of this draw; the draw itself stays as it is."""
        if following.before[: len(self.agreement.digest)] != self.agreement.digest:
            raise Refused("otherDraw")
        self._after("next")
        if self.collects:  # this person declares it
            raise Refused("ownMessage")
        if following.attempt != self.agreement.attempt + 1:
            raise Refused("skipsAttempt", given=following.attempt, wanted=self.agreement.attempt + 1)
        if name := self.agreement.changed_in(following):
            raise Refused("otherTerms", what=name)

    def void(self) -> Attempt:
        """Return this attempt as a void one, as the person who collects declares it."""
        self._after("next")
        owns = list(self.owns)
        if self.me != NOBODY and self.state != COMMITTED:  # who collects has shown what is theirs to nobody else
            owns[self.me] = self.own
        return Attempt(self.agreement, tuple(self.commitments), tuple(owns))

    def _after(self, event: str) -> str:
        """Return the state after an event."""
        role = TABLE["roles"][COLLECTS if self.collects else ANSWERS]
        found: str = role.get(event) or TABLE[self.agreement.way][self.state][event]
        if found in SAYS:
            raise Refused(found)
        return found

    def _check(self, person: int, own: bytes, listed: bytes) -> None:
        if listed != self.attempt.listed:
            raise Refused("otherList")
        try:
            self.attempt.check(person, own)
        except FairdeckError:
            raise self._refused("falseSecret", person) from None

    def _complete(self, after: str) -> None:
        """End the draw if all was shown; this device's person shows last."""
        if self.me != NOBODY and all(own or person == self.me for person, own in enumerate(self.owns)):
            self.owns[self.me] = self.own
        if all(self.owns):
            self.state = after

    def _known(self, person: int) -> int:
        if not 0 <= person < len(self.agreement.people):
            raise Refused("stranger", name=f"person {person + 1}", people=", ".join(self.agreement.people))
        return person

    def _name(self, person: int) -> str:
        return self.agreement.people[person]

    def _refused(self, refusal: str, person: int, **more: object) -> Refused:
        return Refused(refusal, name=self._name(person), **more)
