"""A deck dealt by two people, one after the other, each with a device and an order of its own: nobody knows the result.

The result is the product of both orders. A uniformly random order, times any order that is independent of it, is
uniformly random. So who lacks one of the two knows nothing of the result: neither person, nor either device.

The heights of the piles and the order of gathering are seen by all. With the fewest sort keys they depend on the order,
and give much of it away. So both deal with one key a card (``classic``): these are then the same for every order. A
second deal of hands without a stock is the same for every order, too.

Both can commit to their orders beforehand, and show them after play. Then everybody can check the cards (`audited`).
Both name the deal by the same text, which is in each commitment (`session_named`): so what was sent for an earlier deal
does not fit a later one. docs/reference/draw.md specifies the bytes.
"""

import unicodedata
from dataclasses import dataclass
from hashlib import sha256

from fairdeck.dealing.code_reader import read_code
from fairdeck.dealing.goal import WHOLE_DECK, Goal, Hands
from fairdeck.dealing.letters import read_letters, write_letters
from fairdeck.dealing.mat import Mat, is_shown
from fairdeck.dealing.plan import Plan
from fairdeck.dealing.planner import Task, plan_for
from fairdeck.dealing.share_code import write_code
from fairdeck.errors import FairdeckError
from fairdeck.permutation import Permutation, then

FORMAT = "fairdeck-two/2"
MARK, KINDS = "T2", "CR"
SALT, SESSION = 32, 16  # bytes
LONGEST_SESSION = 64  # letters
FIRST, SECOND = 1, 2


def task_for(person: int, cards: int, mat: Mat, goal: Goal = WHOLE_DECK) -> Task:
    """Return what a person deals, so that what everybody sees says nothing: one sort key a card, no stock.

    Args:
        person: `FIRST` or `SECOND`.
        cards: in the deck.
        mat: of this person.
        goal: of the second person, the whole deck or hands; the first always deals the whole deck.

    Raises:
        FairdeckError: the goal is of the first person, or its heights would say something about the order.
    """
    if person not in (FIRST, SECOND):
        raise FairdeckError(f"person {person}: it is {FIRST} or {SECOND}")
    if goal != WHOLE_DECK and person == FIRST:
        raise FairdeckError(f"goal {goal}: the first person deals the whole deck; hands come in the second deal")
    if not (goal == WHOLE_DECK or (isinstance(goal, Hands) and not goal.stock)):
        raise FairdeckError(f"goal {goal}: the second deal is the whole deck, or hands without a stock")
    return Task(cards, mat, goal, classic=True)


def session_named(text: str) -> bytes:
    """Return the 16 bytes of a session that two devices get by the same text, in capital letters or not.

    Raises:
        FairdeckError: the text is empty, too long, or has letters that nobody sees.
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split()).lower()
    if not is_shown(name) or len(name) > LONGEST_SESSION:
        raise FairdeckError(
            f"session {text[:40]!r}: use 1 to {LONGEST_SESSION} visible letters that name this deal and no other, such "
            "as 'club 1 December, table 2'"
        )
    return _hash("session", name.encode())[:SESSION]


def in_short(session: bytes) -> str:
    """Return what people compare of a session: its first four bytes."""
    return f"{session[:2].hex()} {session[2:4].hex()}"


def session_shown(session: bytes) -> str:
    """Return the line about a session that both people read before they deal."""
    return f"Session {in_short(session)}: before you deal, see that the other device shows the same."


@dataclass(frozen=True)
class CommittedOrder:
    """One of the two deals: an order that only one person's device knows.

    Args:
        person: `FIRST` or `SECOND`.
        task: as `task_for` returns it.
        arrangement: the order, bottom first.
        salt: 32 random bytes, so that nobody can find the order by trying all of them.
        session: of this deal, as `session_named` returns it.
    """

    person: int
    task: Task
    arrangement: Permutation
    salt: bytes
    session: bytes

    def __post_init__(self) -> None:
        if self.task != task_for(self.person, self.task.cards, self.task.mat, self.task.goal):
            raise FairdeckError("a deal by two has one dealer in each deal, and one sort key a card")
        if len(self.salt) != SALT or len(self.session) != SESSION:
            raise FairdeckError(f"a salt has {SALT} bytes, and a session {SESSION}")

    @property
    def code(self) -> str:
        """The deal as a code, which the dealing page reads."""
        return write_code(self.task, self.arrangement)

    @property
    def commitment(self) -> bytes:
        """The commitment to this order, 32 bytes: it fixes the order and says nothing about it."""
        return _hash("commitment", self.session, bytes([self.person]), self.salt, self.code.encode())

    @property
    def plan(self) -> Plan:
        """How to deal it."""
        return plan_for(self.task, self.arrangement)


def commitment_message(half: CommittedOrder) -> str:
    """Return the message with the commitment to an order, ``T2-C-...``: to be sent before the deal."""
    return write_letters(MARK, "C", half.session + bytes([half.person]) + half.commitment)


def order_message(half: CommittedOrder) -> str:
    """Return the message that shows an order, ``T2-R-...``: to be sent after play, and not before."""
    return write_letters(MARK, "R", half.session + bytes([half.person]) + half.salt + half.code.encode())


def read_commitment(text: str) -> tuple[bytes, int, bytes]:
    """Return the session, the person and the commitment of a message.

    Raises:
        FairdeckError: it is something else.
    """
    kind, content = read_letters(MARK, KINDS, text)
    session, person, commitment = content[:SESSION], content[SESSION : SESSION + 1], content[SESSION + 1 :]
    if kind != "C" or len(commitment) != 32 or person[0] not in (FIRST, SECOND):
        raise FairdeckError(f"this is not the commitment to an order: it begins with {MARK}-C")
    return session, person[0], commitment


def read_order(text: str) -> CommittedOrder:
    """Return the order that a message shows.

    Raises:
        FairdeckError: it is something else, or not one of two deals.
    """
    kind, content = read_letters(MARK, KINDS, text)
    session, person, shown = content[:SESSION], content[SESSION : SESSION + 1], content[SESSION + 1 :]
    try:
        code = shown[SALT:].decode("ascii")
    except UnicodeDecodeError:
        code = ""
    if kind != "R" or not code:
        raise FairdeckError(f"this does not show an order: that begins with {MARK}-R")
    deal = read_code(code)
    half = CommittedOrder(person[0], deal.task, deal.arrangement, shown[:SALT], session)
    if half.code != code:
        raise FairdeckError(
            "the deal in this message was begun already, or is of several dealers: send the whole order"
        )
    return half


def audited(first: CommittedOrder, second: CommittedOrder) -> Permutation:
    """Return the arrangement after both deals, bottom first: where each card of the start must lie now.

    After a second deal of hands, the first hand is at the top, as in every arrangement for hands.

    Raises:
        FairdeckError: these are not the two halves of one deal.

    >>> task = task_for(1, 3, Mat(2, 1))
    >>> rest = bytes(32), session_named("club 1 December")
    >>> audited(CommittedOrder(1, task, (2, 0, 1), *rest), CommittedOrder(2, task, (1, 2, 0), *rest))
    (0, 1, 2)
    """
    if (first.person, second.person) != (FIRST, SECOND):
        raise FairdeckError("an audit takes the order of the first person, then that of the second")
    if first.session != second.session:
        raise FairdeckError("the two orders are of different sessions: name two that were drawn with one --session")
    if first.task.cards != second.task.cards:
        raise FairdeckError(f"the first deal has {first.task.cards} cards and the second {second.task.cards}")
    return then(first.arrangement, second.arrangement)


def _hash(what: str, *parts: bytes) -> bytes:
    """Return SHA-256 of fields: what is hashed in which version, then the parts, each with its length before it."""
    fields = (f"{FORMAT} {what}".encode(), *parts)
    return sha256(b"".join(len(each).to_bytes(4, "big") + each for each in fields)).digest()
