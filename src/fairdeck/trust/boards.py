"""Bridge boards, dealt by two people so that neither learns the hands: two lists, and either list alone says nothing.

Person 1 deals the whole deck by list 1, then person 2 deals the hands by list 2: a draw of the way ``product`` by two
people. List 1 is a uniformly random order, drawn whatever the hands are. List 2 says which places of the deck after
list 1 go to which hand. If the hands are given, list 1 and the start order determine list 2, and every list 2 comes
from equally many lists 1: so list 2 alone is uniform over all splits. This is the one-time pad, with permutations in
place of bits. (C. E. Shannon, "Communication theory of secrecy systems", Bell System Technical Journal 28 (1949),
section 10.)

Within a hand, list 2 takes the cards in the order in which they lie: it says nothing but the split.

No list is ever used twice: two uses of list 1 for different hands tell how these hands differ.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from fairdeck.cards.boards import VULNERABLE, Board, named_board
from fairdeck.cards.bridge_hands import HAND, NO_HANDS, SEATS, sorted_hand
from fairdeck.cards.names import FRENCH
from fairdeck.dealing.goal import Hands
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.planner import Task
from fairdeck.errors import FairdeckError
from fairdeck.permutation import Permutation, inverse
from fairdeck.trust.agreement import PICKED_UP, PRODUCT, SAME, Agreement
from fairdeck.trust.draws import Attempt, Drawn

PERSONS = (1, 2)
PEOPLE = ("Person 1", "Person 2")
STARTS = {"sorted": SAME, "as-picked-up": PICKED_UP}  # how people say how the deck lies before each board
CARDS = len(FRENCH)
FOUR_HANDS = Hands((HAND,) * len(SEATS))
SEAT_MAT = Mat(len(SEATS), 1, tuple(SEATS.values()))


def board_agreement(boards: Sequence[Board], mat: Mat, start: str, session: bytes) -> Agreement:
    """Return what is agreed on about boards; nothing of it depends on their hands.

    Args:
        boards: the boards.
        mat: what person 1 deals onto.
        start: how the deck lies before each board, a key of `STARTS`.
        session: 16 bytes, the same on both devices.
    """
    called = tuple(f"{board.name} {board.dealer} {board.vulnerable}" for board in boards)
    deals = Task(CARDS, mat, classic=True), Task(CARDS, SEAT_MAT, FOUR_HANDS, classic=True)
    more = {"decks": len(boards), "names": FRENCH[::-1], "start": STARTS[start], "called": called}
    return Agreement(PRODUCT, deals, PEOPLE, session, **more)


def boards_agreed(agreement: Agreement) -> tuple[Board, ...]:
    """Return the boards of an agreement, without their hands.

    Raises:
        FairdeckError: it is about something else.
    """
    boards = tuple(map(_board_called, agreement.called))
    mat, start = agreement.deals[0].mat, start_agreed(agreement)
    alike = boards and agreement == board_agreement(boards, mat, start, agreement.session)
    if not alike or len({board.name for board in boards}) < len(boards):
        raise FairdeckError("these lists are not those of boards that fairdeck boards writes")
    return boards


def start_agreed(agreement: Agreement) -> str:
    """Return how the deck lies before each board, a key of `STARTS`."""
    return next(name for name, start in STARTS.items() if start == agreement.start)


def split_after(first: Permutation, hands: Sequence[Sequence[int]]) -> Permutation:
    """Return the list 2 that deals hands after list 1; the cards of each hand by their places before list 1."""
    lies = inverse(first)
    return tuple(chain.from_iterable(sorted(lies[card] for card in hand) for hand in reversed(hands)))


def second_orders(boards: Sequence[Board], firsts: Sequence[Permutation], start: str) -> list[Permutation]:
    """Return list 2 of each board, which after its list 1 deals the board's hands."""
    seconds, deck = list[Permutation](), FRENCH[::-1]
    for board, first in zip(boards, firsts, strict=True):
        place = {card: at for at, card in enumerate(deck)}
        seconds.append(split_after(first, [[place[card] for card in hand] for hand in board.hands]))
        if STARTS[start] == PICKED_UP:
            deck = tuple(reversed(tuple(chain.from_iterable(board.hands))))
    return seconds


def draw_of(agreement: Agreement, owns: Sequence[bytes]) -> Drawn:
    """Return the draw that the lists of both persons make; no list of commitments was published."""
    commitments = tuple(agreement.commitment(person, own) for person, own in enumerate(owns))
    return Drawn(Attempt(agreement, commitments, tuple(owns)))


def boards_drawn(drawn: Drawn) -> list[Board]:
    """Return the boards that a draw deals; the cards of a deck go to North first, from the top.

    Decks that are called as boards are, such as those of two lists, are these boards; else deck 1 is board 1.

    Raises:
        FairdeckError: the decks are not those that bridge is played with.
    """
    agreement = drawn.agreement
    names, goals = agreement.names or FRENCH[::-1], ("deck", str(FOUR_HANDS))  # a deck that nobody named is sorted
    if set(names) != set(FRENCH) or agreement.cards != CARDS or agreement.goal not in goals:
        raise FairdeckError(
            f"these are decks of {agreement.cards} cards, goal {agreement.goal}: boards need 52 French cards and goal "
            f"{' or '.join(goals)}"
        )
    boards = [*map(_board_called, agreement.called)] or [Board(number) for number in range(1, agreement.decks + 1)]
    return [replace(board, hands=tuple(_hands(drawn, deck, names))) for deck, board in enumerate(boards)]


def _hands(drawn: Drawn, deck: int, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    cards = [names[card] for card in reversed(drawn.cards(deck))]
    return (sorted_hand(cards[at : at + HAND]) for at in range(0, CARDS, HAND))


def _board_called(text: str) -> Board:
    called, _, rest = text.partition(" ")
    dealer, _, vulnerable = rest.partition(" ")
    refusal = FairdeckError(f"{text!r} is not a board that fairdeck boards writes, such as '7 S All'")
    try:
        number, name = named_board("board", called)
    except FairdeckError:
        raise refusal from None
    if name != called or dealer not in SEATS or vulnerable not in VULNERABLE:
        raise refusal
    return Board(number, NO_HANDS, dealer, vulnerable, name=name)
