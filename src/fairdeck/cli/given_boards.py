"""What `fairdeck boards` deals: random boards, those of a file, or deals of another game; and what is said of them."""

import re
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fairdeck.cards.boards import LARGEST_NUMBER, Board, read_boards
from fairdeck.cards.boards.choosing import chosen, ranges
from fairdeck.cards.bridge_hands import SEATS, filled
from fairdeck.cards.decks import read_cards
from fairdeck.cards.languages import sorted_deck
from fairdeck.cards.names import FRENCH, numbered_deck
from fairdeck.cli.files import read
from fairdeck.cli.settings import deck_list, note_list
from fairdeck.cli.streams import tell
from fairdeck.dealing.goal import deck_size, parse_goal
from fairdeck.errors import FairdeckError, naming
from fairdeck.numbers import whole
from fairdeck.randomness import random_integers
from fairdeck.trust.boards import BRIDGE, Game, boards_drawn, game_of
from fairdeck.trust.draws import hands_of

MOST_BOARDS = 200
JSON = re.compile(rb'\s*\{\s*"')  # a comment of PBN begins with a brace, too
LARGEST = 1 << 24  # bytes of a file
MANY = 3  # boards that are told of in a line each


def boards_from(args: Namespace) -> tuple[tuple[Board, ...], Game]:
    """Return the boards to deal, or the deals of another game, and which game; those of --random have no hands yet."""
    other = args.goal is not None or args.deck is not None
    if args.random is not None:
        first = whole("first", "1" if args.first is None else args.first, 1, LARGEST_NUMBER)
        number = whole("random", args.random, 1, min(MOST_BOARDS, LARGEST_NUMBER + 1 - first))
        return tuple(map(Board, range(first, first + number))), _game(args, _deck(args)) if other else BRIDGE
    if other:
        return _deals_listed(args)
    content = bytes(read(args.file, LARGEST, "name a file of boards, or the transcript of a draw"))
    name = "standard input" if args.file == "-" else args.file
    with naming(name):
        found, game = _boards_in(content)
        boards = _wanted(args, found)
        return _complete(_filled(boards) if args.fill else boards), game


def _boards_in(content: bytes) -> tuple[list[Board], Game]:
    if JSON.match(content):
        from fairdeck.trust.verifying import read_transcript

        drawn = read_transcript(content).drawn
        return boards_drawn(drawn), game_of(drawn.agreement)
    found, notes = read_boards(content)
    for note in notes:
        _note(note)
    return found, BRIDGE


def _wanted(args: Namespace, found: Sequence[Board]) -> list[Board]:
    boards = chosen(found, args.session, args.boards)
    if len(boards) > MOST_BOARDS:
        raise FairdeckError(
            f"these are {len(boards)} boards: deal at most {MOST_BOARDS} at once, for example --boards "
            f"{ranges([board.name for board in boards[:MOST_BOARDS]])[:60].replace(' ', '')}"
        )
    return boards


def _deals_listed(args: Namespace) -> tuple[tuple[Board, ...], Game]:
    """Return the deals of another game whose orders a file lists, and the game; without --deck, one."""
    deck = () if args.deck is None else _deck(args)
    found = deck_list(args.file, args, deck)
    note_list(found)
    listed = () if deck else read_cards(found)
    try:
        deck = deck or sorted_deck(listed)
    except FairdeckError as error:
        raise FairdeckError(f"{found.file}: {error}; say with --deck how the cards lie before the deal") from None
    game, deals = _game(args, deck), list[Board]()
    cards = [entry._replace(copies=1) for entry in found.main for _ in range(entry.copies)]
    if len(cards) % len(deck):
        raise FairdeckError(
            f"{found.file}: {len(cards)} cards are listed, and the deck has {len(deck)}: list whole decks"
        )
    for at in range(0, len(cards), len(deck)):
        one = replace(found, main=tuple(cards[at : at + len(deck)]), file=f"{found.file}: deal {len(deals) + 1}")
        deals.append(Board(len(deals) + 1, hands_of(read_cards(one, deck=deck), game.goal)))
    return tuple(_wanted(args, deals)), game


def _deck(args: Namespace) -> tuple[str, ...]:
    """Return the cards of another game as they lie before each deal, top first."""
    if args.deck is None:
        return FRENCH
    if args.deck.isdecimal():
        return numbered_deck(deck_size(args.deck))
    found = deck_list(args.deck, args)
    note_list(found)
    return read_cards(found)


def _game(args: Namespace, deck: tuple[str, ...]) -> Game:
    return Game(deck[::-1], parse_goal(args.goal or "deck", len(deck)))


def _filled(boards: Sequence[Board]) -> list[Board]:
    """Return the boards with the hands drawn that are not given; say which."""
    drawn = {board.name: ", ".join(seats) for board in boards if (seats := _not_given(board))}
    _note_each(
        {name: f"board {name}: the hands of {seats} are drawn" for name, seats in drawn.items()},
        "have hands that are drawn",
    )
    integers = random_integers()
    return [replace(board, hands=filled(board.hands, FRENCH, integers)) for board in boards]


def _not_given(board: Board) -> list[str]:
    return [seat for seat, hand in zip(SEATS.values(), board.hands, strict=True) if not hand]


def _complete(boards: Sequence[Board]) -> tuple[Board, ...]:
    """Return the boards with all hands; say on standard error which are left out, and what is unlike the trays."""
    complete = tuple(board for board in boards if all(board.hands))
    partial = {board.name: ", ".join(_not_given(board)) for board in boards if not all(board.hands)}
    if not complete:
        name, seats = next(iter(partial.items()))
        raise FairdeckError(f"board {name}: the hands of {seats} are not given; write them, or draw them with --fill")
    _note_each(
        {name: f"board {name} is left out: the hands of {seats} are not given" for name, seats in partial.items()},
        "are left out: hands are not given",
    )
    for remark in (remark for board in complete for remark in board.remarks):
        _note(remark)
    trays = {board: Board(board.number) for board in complete}
    _note_each(
        {
            board.name: f"board {board.name}: dealer {board.dealer}, vulnerable {board.vulnerable}; its tray has "
            f"dealer {tray.dealer}, vulnerable {tray.vulnerable}"
            for board, tray in trays.items()
            if (board.dealer, board.vulnerable) != (tray.dealer, tray.vulnerable)
        },
        "have another dealer or vulnerability than their trays",
    )
    return complete


def _note_each(notes: Mapping[str, str], all_of_them: str) -> None:
    """Say what there is to say of boards, by their names: a line each, or one line of many boards."""
    for note in notes.values() if len(notes) <= MANY else [f"boards {ranges(list(notes))} {all_of_them}"]:
        _note(note)


def _note(told: str) -> None:
    tell(f"note: {told}")
