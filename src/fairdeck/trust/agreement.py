"""What people agree on before a draw: everything that they must not be able to change afterwards.

An agreement is written as bytes in one way only, and is in every hash of the draw. Two agreements that differ anywhere
have different digests. docs/reference/draw.md specifies every byte.

There are two ways to draw. In the way ``seed`` nobody chooses the decks: all own bytes together make a seed, and the
seed makes the decks. In the way ``product`` nobody knows the decks: each person deals by an order of their own, one
person after the other, and the result is the product of all orders.

The heights of piles and the order of gathering are seen by all. With the fewest sort keys they depend on the order, and
tell much of it. So in the way ``product`` everybody deals with one key a card (``classic``), and without a stock:
heights and gathering are then the same for every order.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from fairdeck.dealing.goal import WHOLE_DECK, Hands, Strata, parse_goal
from fairdeck.dealing.mat import Mat, appearance, is_shown
from fairdeck.dealing.planner import Task
from fairdeck.dealing.share_code import CLASSIC, LONGEST_GOAL, refuse_uncoded
from fairdeck.doors import check_fields
from fairdeck.errors import FairdeckError
from fairdeck.trust.beacon import Beacon, seconds_of
from fairdeck.trust.fields import FORMAT, Digits, Fields, OrNone, Shape, base32, fields, from_bytes, hashed, plain

Way: TypeAlias = Literal["seed", "product"]
SEED, PRODUCT = get_args(Way)
Start: TypeAlias = Literal["same", "picked-up"]
SAME, PICKED_UP = get_args(Start)
HASH, SESSION = 32, 16  # bytes
DEAL: dict[str, Shape] = {"mat": str, "labels": [str], "goal": str, "planning": str, "dealers": int}
# The fields in their order, which files and hashes share.
AGREED: dict[str, Shape] = {
    "way": str,
    "cards": int,
    "names": [str],
    "start": str,
    "deals": [DEAL],
    "decks": int,
    "called": [str],
    "people": [str],
    "session": Digits((SESSION,)),
    "attempt": int,
    "before": Digits(),
    "deadline": str,
    "beacon": OrNone({"chain": Digits((HASH,)), "round": int}),
    "note": str,
}
OF_AN_ATTEMPT = ("session", "attempt", "before", "deadline", "beacon", "people")  # the next attempt may change these
BEFORE = 2 * HASH
FEWEST_PEOPLE, MOST_PEOPLE = 2, 60
MOST_DECKS, MOST_ATTEMPTS = 10_000, 1000
MOST_ORDERED = 20_000  # cards in all decks of a product together: each person's orders are written out
LONGEST_NAME, LONGEST_NOTE, LONGEST_SESSION = 40, 200, 64  # letters
LONGEST_AGREEMENT = 200_000  # bytes
COMPARED = 12  # letters that people compare of a digest


@dataclass(frozen=True)
class Agreement:
    """Everything that is agreed on before a draw.

    Raises:
        FairdeckError: a value is out of range, or two people have the same name.
    """

    way: Way  # ``seed`` or ``product``
    # how a deck is dealt: in the way ``seed`` one task; in the way ``product`` one for each person, in the order
    # in which they deal. A code must be able to hold them (`fairdeck.dealing.share_code`).
    deals: tuple[Task, ...]
    # the names of all who draw, each once. The index of a name, from 0, is in that person's commitment.
    people: tuple[str, ...]
    session: bytes  # 16 bytes, so that no two draws are alike: random, or of a text (`session_named`)
    decks: int = 1  # how many decks are drawn
    # the names of the cards as they lie at the start, bottom first; cards that are equal have the same name.
    # Empty if nobody looked.
    names: tuple[str, ...] = ()
    # how the decks after the first lie at the start: the ``same``, or ``picked-up`` as the deck before it was
    # dealt: the first hand on top, each hand in the order of `names`
    start: Start = "same"
    called: tuple[str, ...] = ()  # a text for each deck, such as the number of a board; or none
    attempt: int = 1  # 1, or one more than the void attempt before
    # what names the void attempt before, 64 bytes (`fairdeck.trust.draws.Attempt.named`); else empty
    before: bytes = b""
    deadline: str = ""  # the time after which no commitment counts, as UTC ``2026-12-01T18:00Z``; empty if all meet
    beacon: Beacon | None = None  # a public value that enters the seed, too
    note: str = ""  # what the draw is for

    def __post_init__(self) -> None:
        check_fields(self)
        if not FEWEST_PEOPLE <= len(self.people) <= MOST_PEOPLE:
            raise FairdeckError(f"{len(self.people)} people: {FEWEST_PEOPLE} to {MOST_PEOPLE} can draw together")
        _demand_people(self.people)
        _demand_deals(self)
        _demand_names(self)
        if len(self.session) != SESSION:
            raise FairdeckError(f"a session has {SESSION} bytes, not {len(self.session)}")
        if not 1 <= self.decks <= MOST_DECKS:
            raise FairdeckError(f"{self.decks} decks: draw 1 to {MOST_DECKS}")
        if not 1 <= self.attempt <= MOST_ATTEMPTS or len(self.before) != BEFORE * (self.attempt > 1):
            raise FairdeckError(f"attempt {self.attempt}: it must be 1, or name the attempt before by {BEFORE} bytes")
        if self.deadline:
            seconds_of(self.deadline, "deadline")
        if self.note and not _is_line(self.note, LONGEST_NOTE):
            raise FairdeckError(f"note {self.note[:40]!r}: use one line of 1 to {LONGEST_NOTE} visible letters")
        if len(self.written) > LONGEST_AGREEMENT:
            raise FairdeckError(
                f"the agreement has {len(self.written):,} bytes, and at most {LONGEST_AGREEMENT:,} fit: use shorter "
                "names of cards, or none"
            )

    @property
    def cards(self) -> int:
        """How many cards a deck has."""
        return self.deals[0].cards

    @property
    def goal(self) -> str:
        """What the last deal ends in: the deck, or hands."""
        return str(self.deals[-1].goal)

    @cached_property
    def written(self) -> bytes:
        """The agreement as bytes: its fields in their order."""
        return fields(FORMAT, *self.as_fields().values())

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 of the agreement, 32 bytes: the name of the draw."""
        return hashed("agreement", self.written)

    @property
    def compared(self) -> str:
        """The digest in short, 12 letters, for two devices whose terms were typed twice."""
        return in_groups(self.digest)

    def commitment(self, person: int, own: bytes) -> bytes:
        """Return the commitment of the person with this index to their own bytes: all 32 bytes of a SHA-256."""
        if not 0 <= person < len(self.people):
            raise FairdeckError(f"person {person}: the agreement has persons 0 to {len(self.people) - 1}")
        return hashed("commitment", self.written, person, own)

    def again(self, session: bytes, before: bytes) -> "Agreement":
        """Return the agreement of the next attempt, after this one was void: the same, with the next number.

        Args:
            session: 16 new random bytes.
            before: what names this attempt, 64 bytes.

        Raises:
            FairdeckError: there were too many attempts.
        """
        return replace(self, session=session, attempt=self.attempt + 1, before=before)

    def changed_in(self, following: "Agreement", missing: Sequence[str] = ()) -> str:
        """Return which of the terms that must stay another attempt changes, for `term`; empty if it changes none.

        Args:
            following: the next attempt. It has a session, a deadline and a round of its own.
            missing: who did not show what was theirs: only these people may be left out.
        """
        for name in (*AGREED, *DEAL):
            if name not in (*OF_AN_ATTEMPT, "deals") and self.term(name) != following.term(name):
                return name
        stay = tuple(each for each in self.people if each in following.people or each not in missing)
        if following.people != stay:
            return "people"
        if self.beacon and not (following.beacon and following.beacon.chain == self.beacon.chain):
            return "beacon"
        return ""

    def term(self, name: str) -> object:
        """Return a term by the name of its field; one of the deals as a list, or alone if there is one deal."""
        terms = self.as_fields()
        if name in terms:
            return terms[name]
        of_deals = [deal[name] for deal in terms["deals"]]
        return of_deals if len(of_deals) > 1 else of_deals[0]

    def index(self, person: str) -> int:
        """Return the index of a person's name.

        Raises:
            FairdeckError: nobody here has that name.
        """
        name = unicodedata.normalize("NFC", person.strip())
        if name not in self.people:
            raise FairdeckError(f"{person[:40]!r} is not one of the people: {', '.join(self.people)}")
        return self.people.index(name)

    def as_fields(self) -> Fields:
        """Return the agreement as values by their names, of the shape `AGREED`."""
        given = {name: getattr(self, name) for name in AGREED}
        return {**given, "deals": tuple(map(_deal_fields, self.deals)), "beacon": self.beacon and vars(self.beacon)}


def agreement_from(terms: Fields) -> Agreement:
    """Return the agreement of values by their names, of the shape `AGREED`.

    Raises:
        FairdeckError: a value is out of range, or not as `Agreement.as_fields` writes it.
    """
    given = dict(terms)
    cards = given.pop("cards")
    given["deals"] = tuple(_task_from(deal, cards) for deal in given["deals"])
    given["beacon"] = given["beacon"] and Beacon(**given["beacon"])
    agreement = Agreement(**given)
    for name, value in agreement.as_fields().items():
        if terms[name] != value:
            told, wanted = (str(plain(each))[:40] for each in (terms[name], value))
            raise FairdeckError(f"{name} {told!r} is not written as {wanted!r}")
    return agreement


def read_agreement(written: bytes) -> Agreement:
    """Read an agreement from its bytes.

    Raises:
        FairdeckError: the bytes are not an agreement, or not written as `Agreement.written` writes it.
    """
    if len(written) > LONGEST_AGREEMENT:
        raise FairdeckError(f"an agreement of {len(written)} bytes is too long: at most {LONGEST_AGREEMENT}")
    try:
        terms = from_bytes({"format": str, **AGREED}, written)
        if terms.pop("format") != FORMAT:
            raise FairdeckError(f"it is not of the format {FORMAT}")
        return agreement_from(terms)
    except (FairdeckError, ValueError) as error:
        raise FairdeckError(f"this is not an agreement, or not all of it ({error}): get it again") from None


def session_named(text: str) -> bytes:
    """Return the 16 bytes of a session that two devices get by the same text, in capital letters or not.

    Raises:
        FairdeckError: the text is empty, too long, or has letters that nobody sees.
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split()).lower()
    if not _is_line(name, LONGEST_SESSION):
        raise FairdeckError(
            f"session {text[:40]!r}: use 1 to {LONGEST_SESSION} visible letters that name this deal and no other, such "
            "as 'club 1 December, table 2'"
        )
    return hashed("session", name)[:SESSION]


def in_groups(digest: bytes) -> str:
    r"""Return the first 60 bits of a hash as three groups of four letters, to read aloud.

    >>> in_groups(bytes(31) + b"\1")
    '0000 0000 0000'
    """
    letters = base32(int.from_bytes(digest[:8], "big") >> 4, COMPARED)
    return f"{letters[:4]} {letters[4:8]} {letters[8:]}"


def _demand_deals(agreement: Agreement) -> None:
    deals, product = agreement.deals, agreement.way == PRODUCT
    if len(deals) != (len(agreement.people) if product else 1) or len({task.cards for task in deals}) > 1:
        wanted = f"{len(agreement.people)}, one a person" if product else "one"
        raise FairdeckError(f"{len(deals)} deals are agreed on, and there must be {wanted}, all of as many cards")
    if product:
        _demand_product(agreement)
    elif agreement.start != SAME:
        raise FairdeckError(f"start {agreement.start}: it is for decks that people deal one after the other")
    for task in deals:
        if isinstance(task.goal, Strata):
            raise FairdeckError(f"goal {task.goal}: every order is drawn together, so no strata; use fairdeck deal")
        refuse_uncoded(task)


def _demand_product(agreement: Agreement) -> None:
    """Raise a FairdeckError unless deals by one person after the other tell nothing by their piles."""
    deals = agreement.deals
    if agreement.beacon:
        raise FairdeckError("a beacon takes part in a seed; where everybody deals by their own order there is none")
    if agreement.cards * agreement.decks > MOST_ORDERED:
        raise FairdeckError(
            f"{agreement.decks} decks of {agreement.cards} cards are too many for one file: at most {MOST_ORDERED:,} "
            "cards in all"
        )
    for number, task in enumerate(deals, 1):
        last = number == len(deals)
        if task.dealers > 1 or not task.classic:
            raise FairdeckError(f"deal {number} must have one dealer and one sort key a card, or its piles tell")
        if task.goal != WHOLE_DECK and not last:
            raise FairdeckError(f"goal {task.goal}: the first person deals the whole deck; hands come in the last deal")
        if not (task.goal == WHOLE_DECK or (isinstance(task.goal, Hands) and not task.goal.stock)):
            raise FairdeckError(f"goal {task.goal}: the last deal is the whole deck, or hands without a stock")
    if agreement.start == PICKED_UP and sum(deals[-1].goal.piles) - deals[-1].goal.rest != agreement.cards:
        raise FairdeckError("a deck is picked up from hands that have all cards: deal such hands, or start the same")


def _demand_names(agreement: Agreement) -> None:
    names, called = agreement.names, agreement.called
    if names and len(names) != agreement.cards:
        raise FairdeckError(f"{len(names)} cards are named; the deck has {agreement.cards}")
    if called and len(called) != agreement.decks:
        raise FairdeckError(f"{len(called)} decks are called something, and {agreement.decks} are drawn")
    _demand_lines("card", names)
    _demand_lines("deck", called)


def _demand_people(people: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in people:
        _demand_line("person", name)
        if (alike := _alike(unicodedata.normalize("NFKC", name))) in seen:
            raise FairdeckError(f"person {name!r} is named twice: give each a name of their own")
        seen.add(alike)


def _demand_lines(kind: str, texts: Sequence[str]) -> None:
    """Raise a FairdeckError unless these are visible texts, and those that look alike are the same."""
    seen: dict[str, str] = {}
    for text in texts:
        _demand_line(kind, text)
        if (other := seen.setdefault(_alike(text), text)) != text:
            raise FairdeckError(f"{kind}s {other!r} and {text!r} look alike: give them the same name, or two names")


def _demand_line(kind: str, text: str) -> None:
    if not _is_line(text, LONGEST_NAME):
        raise FairdeckError(f"{kind} {text[:40]!r}: a name has 1 to {LONGEST_NAME} visible letters, with single spaces")


def _alike(text: str) -> str:
    return appearance(text).lower()


def _is_line(text: str, longest: int) -> bool:
    """Return whether a text is visible, in the one form that a hash needs (NFC), and not too long."""
    return is_shown(text) and text == unicodedata.normalize("NFC", text) and len(text) <= longest


def _deal_fields(task: Task) -> Fields:
    mat = task.mat
    return {
        "mat": str(mat),
        "labels": () if mat == Mat(mat.columns, mat.rows) else mat.labels,
        "goal": str(task.goal),
        "planning": CLASSIC if task.classic else task.bottom,
        "dealers": task.dealers,
    }


def _task_from(deal: Fields, cards: int) -> Task:
    if len(deal["goal"]) > LONGEST_GOAL:
        raise FairdeckError(f"goal {deal['goal'][:40]}... is too long: at most {LONGEST_GOAL} letters")
    how: dict[str, Any] = {"classic": True} if deal["planning"] == CLASSIC else {"bottom": deal["planning"]}
    mat = Mat.parse(deal["mat"], deal["labels"] or None)
    return Task(cards, mat, parse_goal(deal["goal"], cards), deal["dealers"], **how)
