"""Bridge boards, and the formats of the files in which people bring them.

A file here is a format, or a few that belong together; it lists them as ``FORMATS``, and is found by itself. What a
file is depends on what it begins with, never on its name. The name of a file that is written chooses its format.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from fairdeck.cards.bridge_hands import NO_HANDS, Hand
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole

LARGEST_NUMBER = 9_999
VULNERABLE = ("None", "NS", "EW", "All")
SAMPLE = '[Deal "N:AKQ.J98.T76.5432 ..."]'
# A board of team play, such as 1-12: round 1, board 12. Its last part says who deals.
TEAM = re.compile(r"(?:[A-Z0-9]{1,12}-){1,3}(?P<number>[0-9]{1,4})", re.IGNORECASE)
# Files that hold no deal, or whose format nobody here has seen written, and what they begin with.
UNREAD = {
    "SquareDeal, which holds keys and no deal": r"(?:#[^\n]*\n\s*)*(?:TN |KH [0-9a-f]{64}|\d+,\d+:\w{60}\s)",
    "BER, a seat for each card": r"(?:[1-4]{52}\s*)+$",
    "RBN or RBX": r"(?:[A-Z] [^\n]*\n\s*)*H [NESW]:|(?:[A-Z]\{[^}]*\}\s*)*H\{[NESW]:",
}
CONTROLS = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f]")  # of no text; DOS ends one with \x1a
WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")  # of UTF-16
SAVE = f"the boards as PBN, with lines such as {SAMPLE}"
HEAD = 20_000  # characters at the beginning of a file that tell its format


@dataclass(frozen=True, slots=True)
class Board:
    """A board: its number, the hands of North, East, South and West, who deals, and who is vulnerable."""

    number: int  # 1 to 9999, which says by law 2 who deals and who is vulnerable
    hands: tuple[Hand, ...] = NO_HANDS  # of North, East, South and West; empty ones are not given
    dealer: str = ""  # N, E, S or W; by default as law 2 has it
    vulnerable: str = ""  # None, NS, EW or All; by default as law 2 has it
    # what a file says of the board that was not understood, and does not change the deal
    remarks: tuple[str, ...] = field(default=(), compare=False)
    name: str = ""  # what people call the board: by default its number, or 1-12 in team play
    session: int = field(default=1, compare=False)  # 1, 2, ...: numbers come once in each session of a file
    event: str = field(default="", compare=False)  # what the file calls the session
    line: int = field(default=0, compare=False)  # where the deal is in the file; 0 in a file without lines

    def __post_init__(self) -> None:
        object.__setattr__(self, "dealer", self.dealer or dealer_of(self.number))
        object.__setattr__(self, "vulnerable", self.vulnerable or vulnerable_on(self.number))
        object.__setattr__(self, "name", self.name or str(self.number))


class Found(NamedTuple):
    """What a format's reader finds of a board; an empty text is what the file does not say."""

    hands: tuple[Hand, ...]
    name: str = ""
    dealer: str = ""
    vulnerable: str = ""
    line: int = 0
    event: str = ""
    remarks: tuple[str, ...] = ()


class Format(NamedTuple):
    """A format of files of boards."""

    name: str  # what people call it
    ending: str  # of the names of its files, ``.pbn``; empty if it is not written
    begins: str  # a regular expression of what such a file begins with, after blanks
    read: Callable[[bytes], Iterable[Found]]  # yields the boards of a file, or raises a FairdeckError
    # returns the file of some boards; what it cannot hold, it refuses
    write: Callable[[Sequence[Board]], bytes] | None = None


def dealer_of(number: int) -> str:
    """Return who deals a board: N, E, S or W. Source: Laws of Duplicate Bridge 2017, law 2."""
    return "NESW"[(number - 1) % 4]


def vulnerable_on(number: int) -> str:
    """Return who is vulnerable on a board: None, NS, EW or All. Source: Laws of Duplicate Bridge 2017, law 2.

    >>> [vulnerable_on(number) for number in (1, 2, 7, 16, 17)]
    ['None', 'NS', 'All', 'EW', 'None']
    """
    return VULNERABLE[(number - 1 + (number - 1) // 4) % 4]


def named_board(what: str, name: str) -> tuple[int, str]:
    """Return the number and the name of a board that is called `name`: 7, or 1-7 in team play.

    Raises:
        FairdeckError: it is neither; the message begins with `what`.

    >>> named_board("Board", "07"), named_board("Board", "a-12")
    ((7, '7'), (12, 'A-12'))
    """
    team = TEAM.fullmatch(name.strip())
    number = whole(what, team["number"] if team else name, 1, LARGEST_NUMBER)
    return number, name.strip().upper() if team else str(number)


@cache
def formats() -> tuple[Format, ...]:
    """Return the formats; PBN, which may begin with any text, is the last."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    listed: list[Format] = [each for module in modules for each in getattr(module, "FORMATS", ())]
    return tuple(sorted(listed, key=lambda each: each.name == "PBN"))


def text_of(data: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 with its mark, else ISO 8859-1; lines end in one character."""
    if data.startswith(WIDE_MARKS):
        text = data.decode("utf-16", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def sniff(data: bytes) -> Format:
    """Return the format of a file, by what it begins with; PBN if nothing else fits.

    Raises:
        FairdeckError: it is a format that is not read, and the message names it.
    """
    head = text_of(data[: HEAD - HEAD % 2]).lstrip()
    for name, begins in UNREAD.items():
        if re.match(begins, head):
            raise FairdeckError(f"this is {name}: save {SAVE}")
    found = next((each for each in formats() if re.match(each.begins, head)), None)
    if not found and CONTROLS.search(head):
        raise FairdeckError(f"the file is no text and has no board that is read here: save {SAVE}")
    return found or formats()[-1]


def read_boards(data: bytes) -> tuple[list[Board], list[str]]:
    """Return the boards of a file, in its order, and what was taken for granted, a sentence each.

    A board that is in a session again, the same, counts once. A number that comes again with other cards begins a
    session; so does another event. A hand that is not given is completed if the other three are there.

    Raises:
        FairdeckError: a deal is not one; the message names line and board.
    """
    kind = sniff(data)
    found = list(kind.read(data))
    if not found:
        raise FairdeckError(
            f"the file has no board; every board has a line such as {SAMPLE} in PBN; "
            f"{', '.join(each.name for each in formats()[:-1])} are read too"
        )
    unnamed = next((each for each in found if not each.name), None)
    named = next((each for each in found if each.name), None)
    if unnamed and named:
        raise FairdeckError(
            f"line {max(unnamed.line, named.line)}: the deal in line {unnamed.line} has no Board of its own, and the "
            f"deal in line {named.line} has one; give every deal a Board, or none of them"
        )
    notes = []
    if unnamed:
        notes = [f"{kind.name}: the file has no numbers of boards: they are 1 to {len(found)}, in its order"]
    elif kind.name != "PBN":
        notes = [f"read as {kind.name}"]
    return _in_sessions(found), notes


def write_boards(boards: Sequence[Board], name: str) -> bytes:
    """Return the file of some boards in the format called `name`.

    Raises:
        FairdeckError: the format cannot hold what is known of the boards.
    """
    write = next(each.write for each in formats() if each.name == name)
    if write is None:
        raise FairdeckError(f"{name} is read, not written: write PBN")
    return write(boards)


def demand_plain(boards: Sequence[Board], kind: str, *, dealers: bool = False, whole_hands: bool = True) -> None:
    """Raise a FairdeckError if boards have what a format cannot hold: names, hands not given, dealers unlike law 2.

    Args:
        boards: the boards.
        kind: the name of the format.
        dealers: whether the format has them, and the vulnerability.
        whole_hands: whether the format needs all four hands.
    """
    for board in boards:
        lacks = ""
        if board.name != str(board.number):
            lacks = "names such as 1-12"
        elif whole_hands and not all(board.hands):
            lacks = "hands that are not given"
        elif not dealers and board != Board(board.number, board.hands):
            lacks = "a dealer and a vulnerability that differ from law 2"
        if lacks:
            raise FairdeckError(f"board {board.name}: a {kind} file cannot hold {lacks}; write PBN")


def demand_in_turn(boards: Sequence[Board], kind: str, first: int | None = None) -> None:
    """Raise a FairdeckError unless boards are numbered in turn, from `first` on if it is given."""
    numbers = [board.number for board in boards]
    begin = first or numbers[0]
    if numbers != list(range(begin, begin + len(numbers))):
        raise FairdeckError(f"a {kind} file numbers its boards in turn{', from 1 on' if first else ''}; write PBN")


def _in_sessions(found: Sequence[Found]) -> list[Board]:
    """Return the boards with their sessions, each board once in its session."""
    current: dict[str, int] = {}  # the session that each event is in
    held: list[dict[str, Board]] = []  # by session
    boards = []
    for place, each in enumerate(found, 1):
        number, name = named_board(f"line {each.line}: Board", each.name) if each.name else (place, "")
        board = Board(
            number, each.hands, each.dealer, each.vulnerable, each.remarks, name, event=each.event, line=each.line
        )
        before = held[current[each.event]].get(board.name) if each.event in current else None
        if before == board:
            continue
        if before or each.event not in current:
            current[each.event] = len(held)
            held.append({})
        held[current[each.event]][board.name] = board
        boards.append(replace(board, session=current[each.event] + 1))
    return boards
