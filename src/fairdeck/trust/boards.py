"""Boards of bridge and deals of other games, dealt by two people so that neither learns them: each list says nothing.

Person 1 deals the whole deck by list 1, then person 2 deals by list 2, into hands or the whole deck: a draw of the way
``product`` by two people. List 1 is a uniformly random order, drawn whatever the deal is. List 2 says which places of
the deck after list 1 go where. If the deal is given, list 1 and the start order determine list 2, and every list 2
comes from equally many lists 1: so list 2 alone is uniform too. This is the one-time pad, with permutations in place of
bits. (C. E. Shannon, "Communication theory of secrecy systems", Bell System Technical Journal 28 (1949), section 10.)

Within a hand, list 2 takes the cards in the order in which they lie: it says nothing but the split. Which of several
equal cards goes where is fixed before list 1 is looked at: a choice after it would make list 2 tell of it.

No list is ever used twice: two uses of list 1 for different deals tell how these deals differ.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from fairdeck.cards.boards import VULNERABLE, Board, named_board
from fairdeck.cards.bridge_hands import HAND, NO_HANDS, SEATS, sorted_hand
from fairdeck.cards.names import FRENCH, numbered_deck
from fairdeck.dealing.goal import WHOLE_DECK, Goal, Hands
from fairdeck.dealing.mat import LARGEST_SIDE, Mat
from fairdeck.dealing.planner import Task
from fairdeck.errors import FairdeckError
from fairdeck.permutation import Permutation, inverse
from fairdeck.trust.agreement import PICKED_UP, PRODUCT, SAME, Agreement
from fairdeck.trust.draws import Attempt, Drawn, hands_of

PERSONS = (1, 2)
PEOPLE = ("Person 1", "Person 2")
STARTS = {"sorted": SAME, "as-picked-up": PICKED_UP}  # how people say how the deck lies before each board
SEAT_MAT = Mat(len(SEATS), 1, tuple(SEATS.values()))


class Game(NamedTuple):
    """What is dealt: the names of the cards as they lie before each deal, bottom first, and the goal."""

    names: tuple[str, ...]
    goal: Goal

    def last_mat(self, mat: Mat) -> Mat:
        """Return what person 2 deals onto: a space for each hand, in a row, or the mat of person 1."""
        if self == BRIDGE:
            return SEAT_MAT
        piles = len(self.goal.piles)
        return Mat(min(piles, LARGEST_SIDE), -(-piles // LARGEST_SIDE)) if piles else mat


BRIDGE = Game(FRENCH[::-1], Hands((HAND,) * len(SEATS)))


def board_agreement(boards: Sequence[Board], mat: Mat, start: str, session: bytes, game: Game = BRIDGE) -> Agreement:
    """Return what is agreed on about boards, or deals of another game; nothing of it depends on their hands.

    Args:
        boards: the boards; of those of another game, only the numbers count.
        mat: what person 1 deals onto.
        start: how the deck lies before each board, a key of `STARTS`.
        session: 16 bytes, the same on both devices.
        game: what is dealt.
    """
    cards, bridge = len(game.names), game == BRIDGE
    called = tuple(f"{each.name} {each.dealer} {each.vulnerable}" if bridge else each.name for each in boards)
    deals = Task(cards, mat, classic=True), Task(cards, game.last_mat(mat), game.goal, classic=True)
    more = {"decks": len(boards), "names": game.names, "start": STARTS[start], "called": called}
    return Agreement(PRODUCT, deals, PEOPLE, session, **more)


def boards_agreed(agreement: Agreement) -> tuple[Board, ...]:
    """Return the boards, or deals, of an agreement, without their hands.

    Raises:
        FairdeckError: it is about something else.
    """
    game = game_of(agreement)
    boards = tuple(_board_called(text, game) for text in agreement.called)
    mat, start = agreement.deals[0].mat, start_agreed(agreement)
    alike = boards and agreement == board_agreement(boards, mat, start, agreement.session, game)
    if not alike or len({board.name for board in boards}) < len(boards):
        raise FairdeckError("these lists are not those of boards that fairdeck boards writes")
    return boards


def game_of(agreement: Agreement) -> Game:
    """Return what is dealt: bridge, if the cards and the goal are those of bridge; lists say so by their names, too."""
    names, goal = agreement.names or numbered_deck(agreement.cards)[::-1], agreement.deals[-1].goal
    french = agreement.cards == len(FRENCH) and set(agreement.names or FRENCH) == set(FRENCH)
    bridge = french and goal in (WHOLE_DECK, BRIDGE.goal) and all(" " in text for text in agreement.called)
    return BRIDGE if bridge else Game(names, goal)


def start_agreed(agreement: Agreement) -> str:
    """Return how the deck lies before each board, a key of `STARTS`."""
    return next(name for name, start in STARTS.items() if start == agreement.start)


def split_after(first: Permutation, hands: Sequence[Sequence[int]]) -> Permutation:
    """Return the list 2 that deals hands after list 1; the cards of each hand by their places before list 1."""
    lies = inverse(first)
    return tuple(chain.from_iterable(sorted(lies[card] for card in hand) for hand in reversed(hands)))


def second_orders(agreement: Agreement, boards: Sequence[Board], firsts: Sequence[Permutation]) -> list[Permutation]:
    """Return list 2 of each board, which after its list 1 deals the board's hands."""
    game = game_of(agreement)
    seconds, deck = list[Permutation](), game.names
    for board, first in zip(boards, firsts, strict=True):
        seconds.append(split_after(first, _places(board.hands, deck, game.goal)))
        if agreement.start == PICKED_UP:
            deck = tuple(reversed(tuple(chain.from_iterable(board.hands))))
    return seconds


def draw_of(agreement: Agreement, owns: Sequence[bytes]) -> Drawn:
    """Return the draw that the lists of both persons make; no list of commitments was published."""
    commitments = tuple(agreement.commitment(person, own) for person, own in enumerate(owns))
    return Drawn(Attempt(agreement, commitments, tuple(owns)))


def boards_drawn(drawn: Drawn) -> list[Board]:
    """Return the boards, or deals, that a draw makes; the cards of a deck go to North first, from the top.

    Decks that are called as boards are, such as those of two lists, are these boards; else deck 1 is board 1.
    """
    agreement, game = drawn.agreement, game_of(drawn.agreement)
    boards = [_board_called(text, game) for text in agreement.called or map(str, range(1, agreement.decks + 1))]
    return [replace(board, hands=_hands(drawn, deck, game)) for deck, board in enumerate(boards)]


def _hands(drawn: Drawn, deck: int, game: Game) -> tuple[tuple[str, ...], ...]:
    if game != BRIDGE:
        return drawn.hands(deck)
    names = drawn.agreement.names or game.names  # a deck that nobody named is sorted
    return tuple(map(sorted_hand, hands_of([names[card] for card in reversed(drawn.cards(deck))], game.goal)))


def _places(hands: Sequence[Sequence[str]], deck: Sequence[str], goal: Goal) -> list[list[int]]:
    """Return the cards of each hand by their places in a deck; in a whole deck each card is a hand of its own.

    Of equal cards, the one that lies highest in the deck comes first.
    """
    places = defaultdict[str, list[int]](list)
    for place, card in enumerate(deck):
        places[card].append(place)
    found = [[places[card].pop() for card in hand] for hand in hands]
    return found if goal.piles else [[place] for hand in found for place in hand]


def _board_called(text: str, game: Game) -> Board:
    called, _, rest = text.partition(" ")
    dealer, _, vulnerable = rest.partition(" ")
    wanted = "board that fairdeck boards writes, such as '7 S All'" if game == BRIDGE else "number of a deal"
    refusal = FairdeckError(f"{text!r} is not a {wanted}")
    try:
        number, name = named_board("board", called)
    except FairdeckError:
        raise refusal from None
    of_bridge = dealer in SEATS and vulnerable in VULNERABLE
    if name != called or (rest and not (game == BRIDGE and of_bridge)):
        raise refusal
    return Board(number, NO_HANDS, dealer, vulnerable, name=name)
