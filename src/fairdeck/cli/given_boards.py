"""The boards that `fairdeck boards` deals: random ones, or the wanted ones of a file, and what is said of them."""

import re
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fairdeck.cards.boards import LARGEST_NUMBER, Board, read_boards
from fairdeck.cards.boards.choosing import chosen, ranges
from fairdeck.cards.bridge_hands import SEATS, filled
from fairdeck.cards.names import FRENCH
from fairdeck.cli.files import read
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.randomness import random_integers
from fairdeck.trust.boards import boards_drawn

MOST_BOARDS = 200
JSON = re.compile(rb'\s*\{\s*"')  # a comment of PBN begins with a brace, too
LARGEST = 1 << 24  # bytes of a file
MANY = 3  # boards that are told of in a line each


def boards_from(args: Namespace) -> tuple[Board, ...]:
    """Return the boards to deal; those of --random have no hands yet."""
    if args.random is not None:
        first = whole("first", "1" if args.first is None else args.first, 1, LARGEST_NUMBER)
        number = whole("random", args.random, 1, min(MOST_BOARDS, LARGEST_NUMBER + 1 - first))
        return tuple(map(Board, range(first, first + number)))
    content = bytes(read(args.file, LARGEST, "name a file of boards, or the transcript of a draw"))
    name = "standard input" if args.file == "-" else args.file
    try:
        boards = _chosen(args, content)
        if args.fill:
            boards = _filled(boards)
        return _complete(boards)
    except FairdeckError as error:
        raise FairdeckError(f"{name}: {error}") from None


def _chosen(args: Namespace, content: bytes) -> list[Board]:
    """Return the boards of a file that are wanted."""
    if JSON.match(content):
        from fairdeck.trust.verifying import read_transcript

        found = boards_drawn(read_transcript(content).drawn)
    else:
        found, notes = read_boards(content)
        for note in notes:
            _note(note)
    boards = chosen(found, args.session, args.boards)
    if len(boards) > MOST_BOARDS:
        raise FairdeckError(
            f"these are {len(boards)} boards: deal at most {MOST_BOARDS} at once, for example --boards "
            f"{ranges([board.name for board in boards[:MOST_BOARDS]])[:60].replace(' ', '')}"
        )
    return boards


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
    print(f"note: {told}", file=sys.stderr)
