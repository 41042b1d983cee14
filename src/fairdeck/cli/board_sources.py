"""Where the boards of `fairdeck boards` come from: PBN, a number, or lists that were written before."""

import re
import sys
from argparse import Namespace

from fairdeck.cli.files import decoded, read
from fairdeck.dealing.pbn import SEATS, Board, read_pbn
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.trust.boards import PERSONS, STARTS, boards_agreed, boards_drawn, start_agreed
from fairdeck.trust.files import Own, read_own

MOST_BOARDS = 200
JSON = re.compile(rb'\s*\{\s*"')  # a comment of PBN begins with a brace, too
LARGEST = 1 << 22  # bytes of a file
SOURCES = ("file", "random", "lists", "records")


def source_of(args: Namespace) -> str:
    """Return where the boards come from, after checking that the arguments go together."""
    named = [name for name in SOURCES if getattr(args, name) is not None]
    if len(named) != 1:
        told = ", ".join(named) if named else "none"
        raise FairdeckError(f"name one of FILE.pbn, --random N, --lists FILE and --records ONE TWO; here: {told}")
    (source,) = named
    useless = {
        "file": () if args.person == "2" else ("after",),
        "random": ("after",),
        "lists": ("person", "after", "start", "mat", "labels", "seed", "output"),
        "records": (
            *("person", "after", "start", "mat", "labels", "seed", "html", "pdf", "paper", "qr", "voices"),
            *("slips", "json", "reveal", "language"),
        ),
    }[source]
    drawn_apart = source == "random" and args.person is not None
    if not drawn_apart and args.session is not None:
        raise FairdeckError("--session is for --random with --person, where two devices never talk: leave it out")
    if drawn_apart and args.session is None:
        raise FairdeckError(
            "the lists of both persons must name one session: add --session TEXT, the same new text on both devices, "
            'such as --session "club 1 December"'
        )
    for name in useless:
        if getattr(args, name):
            told = "FILE.pbn" if source == "file" else f"--{source}"
            raise FairdeckError(f"--{name.replace('_', '-')} does nothing with {told}: leave it out")
    if source == "file" and args.person == "2" and args.after is None:
        raise FairdeckError(
            "person 2's lists depend on person 1's: leave out --person, which writes both, or name person 1's lists "
            "with --after ONE.json"
        )
    if args.reveal and (not args.json or args.person or source == "lists"):
        raise FairdeckError("--reveal shows the hands of both persons' lists with --json: leave out --reveal")
    return source


def boards_from(args: Namespace) -> tuple[Board, ...]:
    """Return the boards to deal; those of --random have no hands yet."""
    if args.random is not None:
        count = whole("random", args.random, 1, MOST_BOARDS)
        return tuple(Board(number) for number in range(1, count + 1))
    content = read(args.file, LARGEST, "name a PBN file, or the transcript of a draw")
    boards = _boards_drawn(bytes(content)) if JSON.match(content) else _whole(args.file, _boards_in(args.file, content))
    if len(boards) > MOST_BOARDS:
        raise FairdeckError(f"{_told(args.file)} has {len(boards)} boards: deal at most {MOST_BOARDS} at once")
    return boards


def _boards_drawn(content: bytes) -> tuple[Board, ...]:
    """Return the boards of a transcript.

    Raises:
        FairdeckError: it is no transcript, or not of decks that bridge is played with.
    """
    from fairdeck.trust.verifying import read_transcript

    return tuple(boards_drawn(read_transcript(content).drawn))


def _boards_in(name: str, content: bytes | bytearray) -> tuple[Board, ...]:
    """Return the boards of a PBN file."""
    try:
        text = decoded(content)
    except UnicodeDecodeError:
        text = content.decode("latin-1")  # the standard says ISO 8859-1
    try:
        return tuple(read_pbn(text))
    except FairdeckError as error:
        raise FairdeckError(f"{_told(name)}: {error}") from None


def _whole(name: str, boards: tuple[Board, ...]) -> tuple[Board, ...]:
    """Return the boards with all hands; say on standard error which are left out, and what is unlike the trays."""
    whole = tuple(board for board in boards if all(board.hands))
    for board in boards:
        seats = [seat for seat, hand in zip(SEATS.values(), board.hands, strict=True) if not hand]
        if seats and not whole:
            raise FairdeckError(
                f"{_told(name)}: board {board.number}: the hands of {', '.join(seats)} are not given; write them"
            )
        if seats:
            _note(f"board {board.number} is left out: the hands of {', '.join(seats)} are not given")
    for remark in (remark for board in whole for remark in board.remarks):
        _note(remark)
    for board in whole:
        tray = Board(board.number)
        if (board.dealer, board.vulnerable) != (tray.dealer, tray.vulnerable):
            _note(
                f"board {board.number}: dealer {board.dealer}, vulnerable {board.vulnerable}; its tray has "
                f"dealer {tray.dealer}, vulnerable {tray.vulnerable}"
            )
    return whole


def _note(told: str) -> None:
    print(f"note: {told}", file=sys.stderr)


def lists_from(name: str) -> Own:
    """Return one person's lists in a file."""
    content = read(name, LARGEST, "name a file of lists that fairdeck boards wrote")
    try:
        own = read_own(bytes(content))
        boards_agreed(own.agreement)
    except FairdeckError as error:
        raise FairdeckError(f"{_told(name)}: {error}") from None
    return own


def lists_before(args: Namespace) -> Own:
    """Return person 1's lists, drawn elsewhere for the same boards."""
    own = lists_from(args.after)
    if own.person + 1 != PERSONS[0]:
        raise FairdeckError(f"{_told(args.after)} has the lists of person 2: name those of person 1")
    if (start := start_agreed(own.agreement)) != start_of(args):
        raise FairdeckError(f"{_told(args.after)} was made with --start {start}: give the same --start")
    return own


def start_of(args: Namespace) -> str:
    """Return how the deck lies before each board."""
    return str(args.start or next(iter(STARTS)))


def _told(name: str) -> str:
    return "standard input" if name == "-" else name
