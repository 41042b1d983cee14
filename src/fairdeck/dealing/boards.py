"""Hands that are given, dealt by two people so that neither learns them: two lists, and either list alone says nothing.

Person 1 deals the whole deck by list 1, then person 2 deals the hands by list 2. List 1 is a uniformly random order,
drawn whatever the hands are. List 2 says which places of the deck after list 1 go to which hand. Given the hands and
the start order, list 1 determines list 2, and every list 2 comes from equally many lists 1: so list 2 alone is uniform
over all splits. This is the one-time pad, with permutations in place of bits. (C. E. Shannon, "Communication theory of
secrecy systems", Bell System Technical Journal 28 (1949), section 10.)

List 1 has one sort key a card, so that the heights of its piles and the way they are gathered are the same for every
order. Those of list 2 are the sizes of the hands. Within a hand, list 2 takes the cards in the order in which they lie:
it says nothing but the split.

No list is ever used twice: two uses of list 1 for different hands tell how the hands differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise

from fairdeck.dealing.cards import FRENCH
from fairdeck.dealing.goal import Hands
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.pbn import HAND, SEATS, Board, Hand, sorted_hand
from fairdeck.dealing.plan import Plan, replay
from fairdeck.dealing.planner import Task, plan_for
from fairdeck.dealing.two_deals import FIRST, SECOND, task_for
from fairdeck.errors import FairdeckError
from fairdeck.permutation import Card, Permutation
from fairdeck.randomness import Chooser, uniform_permutation

PERSONS = (FIRST, SECOND)
STARTS = ("sorted", "as-picked-up")
FOUR_HANDS = (HAND,) * len(SEATS)
SEAT_MAT = Mat(len(SEATS), 1, tuple(SEATS.values()))


@dataclass(frozen=True, slots=True)
class List:
    """What one person deals for one board: the task, and the arrangement that it brings the deck into, bottom first."""

    task: Task
    arrangement: Permutation

    @property
    def plan(self) -> Plan:
        """The plan to deal by."""
        return plan_for(self.task, self.arrangement)


def second_task(sizes: Sequence[int], mat: Mat) -> Task:
    """Return the task of every list 2: hands of these sizes. The task of a list 1 is ``task_for(FIRST, ...)``."""
    return task_for(SECOND, sum(sizes), mat, Hands(tuple(sizes)))


def first_list(task: Task, integers: Chooser) -> List:
    """Draw a list 1: a uniformly random order."""
    return List(task, uniform_permutation(task.cards, integers))


def second_list(task: Task, start: Sequence[Card], first: List, hands: Sequence[Sequence[Card]]) -> List:
    """Return the list 2 that deals these hands after list 1.

    Args:
        task: the task of list 2.
        start: the deck before list 1, bottom first.
        first: list 1.
        hands: the cards of each hand.
    """
    deck, _ = replay(first.plan, start)
    place = {card: at for at, card in enumerate(deck)}
    return _split(task, [[place[card] for card in hand] for hand in hands])


def random_split(task: Task, integers: Chooser) -> List:
    """Draw a list 2 alone: a uniformly random split. After any list 1 it deals uniformly random hands."""
    order = uniform_permutation(task.cards, integers)
    ends = [0, *accumulate(task.goal.piles)]
    return _split(task, [order[start:end] for start, end in pairwise(ends)])


def dealt(start: Sequence[Card], first: Plan, second: Plan) -> tuple[tuple[Card, ...], ...]:
    """Return the hands that a deck, bottom first, is dealt into by list 1 and then list 2."""
    deck, _ = replay(first, start)
    return replay(second, deck)[1]


def board_start(before: Sequence[Hand] | None) -> tuple[str, ...]:
    """Return the deck that a board is dealt from, bottom first: sorted, or as the board `before` was picked up.

    Read from the top, a deck picked up is North's hand, East's, South's and West's, each sorted.
    """
    return tuple(reversed(FRENCH if before is None else tuple(chain.from_iterable(before))))


def dealt_boards(numbers: Sequence[int], firsts: Sequence[Plan], seconds: Sequence[Plan], start: str) -> list[Board]:
    """Return the boards that the lists deal, in the order of the lists, as replayed with named cards.

    Args:
        numbers: the boards' numbers.
        firsts: list 1 of each board.
        seconds: list 2 of each board.
        start: one of `STARTS`: the deck is sorted before every board, or only before the first.
    """
    boards: list[Board] = []
    before: tuple[Hand, ...] | None = None
    for number, first, second in zip(numbers, firsts, seconds, strict=True):
        hands = tuple(map(sorted_hand, dealt(board_start(before), first, second)))
        boards.append(Board(number, hands))
        before = hands if start == "as-picked-up" else None
    return boards


def lists_for(boards: Sequence[Board], firsts: Sequence[List], start: str) -> list[List]:
    """Return list 2 of each board, after its list 1; all are replayed with named cards and deal the boards' hands.

    Raises:
        FairdeckError: a board's hands are not all given.
    """
    task, found = second_task(FOUR_HANDS, SEAT_MAT), list[List]()
    before: tuple[Hand, ...] | None = None
    for board, first in zip(boards, firsts, strict=True):
        if not all(board.hands):
            seats = [seat for seat, hand in zip(SEATS.values(), board.hands, strict=True) if not hand]
            raise FairdeckError(f"board {board.number}: the hands of {', '.join(seats)} are not given; write them")
        found.append(second_list(task, board_start(before), first, board.hands))
        before = board.hands if start == "as-picked-up" else None
    plans = [each.plan for each in firsts], [each.plan for each in found]
    made = dealt_boards([board.number for board in boards], *plans, start)
    if [each.hands for each in made] != [board.hands for board in boards]:
        raise AssertionError("the lists do not deal the boards")  # never happened; wrong lists must not be shown
    return found


def _split(task: Task, places: Sequence[Sequence[int]]) -> List:
    """Return the list 2 that gives each hand the cards at these places. The first hand comes from the top."""
    return List(task, tuple(chain.from_iterable(sorted(hand) for hand in reversed(places))))
