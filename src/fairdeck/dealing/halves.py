"""One person's lists for all boards of a session, as JSON: a half. Alone it says nothing about the hands.

    {"format": "fairdeck-boards/1", "person": 1, "start": "sorted", "session": "5eb0...",
     "boards": [{"board": 1, "dealer": "N", "vulnerable": "None", "list": a plan}]}

The two halves of one session have the same `session`, 32 hexadecimal digits that tell nothing of the lists: random, or
those of a text that is typed on both devices (`fairdeck.dealing.two_deals.session_named`). Two halves joined give the
hands: `records`.

>>> from fairdeck import random_integers
>>> boards, integers = [Board(number) for number in (1, 2, 3)], random_integers()
>>> one = first_half(boards, integers)
>>> two = random_second_half(boards, integers, session=one.session)
>>> drawn = records(one, two)
>>> records(one, second_half(one, drawn)) == drawn
True
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from fairdeck.dealing.boards import (
    FOUR_HANDS,
    PERSONS,
    SEAT_MAT,
    STARTS,
    List,
    dealt_boards,
    first_list,
    lists_for,
    random_split,
    second_task,
)
from fairdeck.dealing.goal import WHOLE_DECK
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.pbn import LARGEST_NUMBER, NO_HANDS, SEATS, VULNERABLE, Board
from fairdeck.dealing.plan import Plan, read_plan, replay
from fairdeck.dealing.two_deals import task_for
from fairdeck.errors import FairdeckError
from fairdeck.randomness import Chooser

FORMAT = "fairdeck-boards/1"
AGAIN = "write it again with fairdeck boards"
SESSION = (2**16, 8)  # eight numbers of 16 bits
A_SESSION = re.compile("[0-9a-f]{32}")
FIRST_MAT = Mat(5, 2)


@dataclass(frozen=True, slots=True)
class Half:
    """The lists of one person.

    Attributes:
        person: 1 or 2.
        start: how the deck lies before a board, one of `fairdeck.dealing.boards.STARTS`.
        session: the same in both halves of a session.
        boards: the boards; their hands are not known here, and empty.
        lists: the person's list for each board.
    """

    person: int
    start: str
    session: str
    boards: tuple[Board, ...]
    lists: tuple[List, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the half as its JSON object."""
        boards = [
            {"board": board.number, "dealer": board.dealer, "vulnerable": board.vulnerable, "list": each.plan.as_dict()}
            for board, each in zip(self.boards, self.lists, strict=True)
        ]
        told = {"person": self.person, "start": self.start, "session": self.session}
        return {"format": FORMAT, **told, "boards": boards}

    def to_json(self) -> str:
        """Return the half as JSON."""
        return json.dumps(self.as_dict(), separators=(",", ":"))


def first_half(
    boards: Sequence[Board], integers: Chooser, *, mat: Mat = FIRST_MAT, start: str = STARTS[0], session: str = ""
) -> Half:
    """Draw person 1's lists for these boards, whatever their hands are.

    Args:
        boards: the boards; may be without hands.
        integers: the source of the lists and of the session's name.
        mat: what person 1 deals onto.
        start: how the deck lies before each board, one of `fairdeck.dealing.boards.STARTS`.
        session: of both halves (default: a random one).
    """
    task = task_for(PERSONS[0], sum(FOUR_HANDS), mat)
    lists = tuple(first_list(task, integers) for _ in boards)
    bound, times = SESSION
    drawn = "".join(f"{integers.below(bound):04x}" for _ in range(times))
    return Half(PERSONS[0], start, session or drawn, without_hands(boards), lists)


def second_half(first: Half, boards: Sequence[Board]) -> Half:
    """Return person 2's lists, which after person 1's deal the boards' hands, as replayed with named cards.

    Raises:
        FairdeckError: person 1's lists are for other boards, or a board's hands are not all given.
    """
    if first.boards != without_hands(boards):
        raise FairdeckError(f"the lists of person 1 are for other boards ({_told(first)}): name lists for the same")
    lists = tuple(lists_for(boards, first.lists, first.start))
    return Half(PERSONS[1], first.start, first.session, first.boards, lists)


def random_second_half(boards: Sequence[Board], integers: Chooser, *, session: str, start: str = STARTS[0]) -> Half:
    """Draw person 2's lists alone: after any lists of person 1 they deal uniformly random hands."""
    task = second_task(FOUR_HANDS, SEAT_MAT)
    lists = tuple(random_split(task, integers) for _ in boards)
    return Half(PERSONS[1], start, session, without_hands(boards), lists)


def without_hands(boards: Sequence[Board]) -> tuple[Board, ...]:
    """Return the boards as one person may know them."""
    return tuple(replace(board, hands=NO_HANDS) for board in boards)


def read_half(text: str) -> Half:
    """Read a half.

    Raises:
        FairdeckError: the text is not a half as `Half.to_json` writes it.
    """
    try:
        written = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise FairdeckError(f"this is not JSON that can be read; the file may be incomplete: {AGAIN}") from None
    if not isinstance(written, dict) or written.get("format") != FORMAT:
        raise FairdeckError(f'this has no "format": "{FORMAT}", so it is not one person\'s lists: {AGAIN}')
    person = _one_of(written, "person", PERSONS, "the file")
    start = _one_of(written, "start", STARTS, "the file")
    session, boards = written.get("session"), written.get("boards")
    if not isinstance(session, str) or not A_SESSION.fullmatch(session):
        raise FairdeckError(f"the file's session is not 32 digits 0-9 and a-f: {AGAIN}")
    if not isinstance(boards, list) or not boards or not all(isinstance(each, dict) for each in boards):
        raise FairdeckError(f"the file has no list of boards: {AGAIN}")
    numbers = [_one_of(each, "board", range(1, LARGEST_NUMBER + 1), "a board") for each in boards]
    if len(set(numbers)) < len(numbers):
        raise FairdeckError(f"the file has two boards with the same number: {AGAIN}")
    lists = tuple(_read_list(person, number, each) for number, each in zip(numbers, boards, strict=True))
    if len({each.task for each in lists}) > 1:
        raise FairdeckError(f"the file has lists for different mats: {AGAIN}")
    half = Half(person, start, session, tuple(map(_read_board, numbers, boards)), lists)
    if half.as_dict() != written:
        raise FairdeckError(f"the file has fields that fairdeck boards does not write: {AGAIN}")
    return half


def records(one: Half, two: Half) -> list[Board]:
    """Return the boards with the hands that two halves deal, whichever of them is named first.

    Raises:
        FairdeckError: they are not the two halves of one session.
    """
    first, second = sorted((one, two), key=lambda half: half.person)
    if (first.person, second.person) != PERSONS:
        raise FairdeckError(f"both files are lists of person {one.person}: name one of person 1 and one of person 2")
    if first.session != second.session:
        raise FairdeckError(
            "the two files are from different sessions: name two that were made together, or with one --session"
        )
    if first.start != second.start:
        raise FairdeckError(f"one file starts {first.start}, the other {second.start}: name two made with one --start")
    if first.boards != second.boards:
        raise FairdeckError(
            f"the files have other boards: {_told(first)}, and {_told(second)}; name two with the same boards"
        )
    plans = [each.plan for each in first.lists], [each.plan for each in second.lists]
    made = dealt_boards([board.number for board in first.boards], *plans, first.start)
    return [replace(board, hands=each.hands) for board, each in zip(first.boards, made, strict=True)]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field is there twice")
    return fields


def _read_board(number: int, written: dict[str, Any]) -> Board:
    where = f"board {number}"
    dealer = _one_of(written, "dealer", tuple(SEATS), where)
    return Board(number, NO_HANDS, dealer, _one_of(written, "vulnerable", VULNERABLE, where))


def _read_list(person: int, number: int, written: dict[str, Any]) -> List:
    """Return a list, after checking that its plan is the one that its order makes: codes hold the order only."""
    try:
        plan, _ = read_plan(json.dumps(written.get("list")))
    except FairdeckError as error:
        raise FairdeckError(f"board {number}: {error}; {AGAIN}") from None
    if plan.cards != sum(FOUR_HANDS) or (plan.goal == WHOLE_DECK) is not (person == PERSONS[0]):
        raise FairdeckError(f"board {number}: this is not a list of person {person}: {AGAIN}")
    made = _list_of(person, plan)
    if made.plan != plan:
        raise FairdeckError(f"board {number}: fairdeck boards does not make such a plan: {AGAIN}")
    return made


def _list_of(person: int, plan: Plan) -> List:
    deck, hands = replay(plan, range(plan.cards))
    if person == PERSONS[0]:
        return List(task_for(person, plan.cards, plan.mat), deck)
    task = second_task(FOUR_HANDS, SEAT_MAT)
    order = tuple(card for hand in reversed(hands) for card in sorted(hand))
    return List(task, order)


def _one_of(written: dict[str, Any], name: str, known: Sequence[Any], where: str) -> Any:
    value = written.get(name)
    if type(value) is not type(known[0]) or value not in known:
        raise FairdeckError(f"{where} has no {name} that fairdeck boards writes: {AGAIN}")
    return value


def _told(half: Half) -> str:
    numbers = [board.number for board in half.boards]
    return f"{len(numbers)} boards of person {half.person}, {numbers[0]} to {numbers[-1]}"
