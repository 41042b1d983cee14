"""Boards as lines without tags, one deal a line, as dealing programs and solvers take them.

``N:h h h h`` has four hands clockwise from North, alone or in quotes after other words; ``n h e h s h w h`` names every
seat. No line has a number, so what is written are the boards 1, 2, ... of law 2.
"""

import re
from collections.abc import Iterator, Sequence

from fairdeck.cards.boards import Board, Format, Found, demand_in_turn, demand_plain, text_of
from fairdeck.cards.bridge_hands import SEATS, read_four, written_hand
from fairdeck.errors import FairdeckError

RANKS = "[AKQJTakqjt0-9SHDCshdc-]*"
HAND = rf"(?:{RANKS}(?:\.{RANKS}){{3}}|-|\.\.\.)\s"
DEAL = re.compile(r'[^":]*?"?([NESW]):([^"]*)"?[^"]*', re.IGNORECASE)


def read_lines(data: bytes) -> Iterator[Found]:
    """Yield a board for each line that is not empty."""
    for at, line in enumerate(text_of(data).split("\n"), 1):
        if line.strip():
            yield Found(read_four(*_hands_in(line.strip(), f"line {at}")), line=at)


def write_lines(boards: Sequence[Board]) -> bytes:
    """Return a line for each board."""
    demand_plain(boards, "deal-a-line", whole_hands=False)
    demand_in_turn(boards, "deal-a-line", 1)
    hands = ([written_hand(hand) if hand else "-" for hand in board.hands] for board in boards)
    return "".join(f"N:{' '.join(four)}\n" for four in hands).encode()


def _hands_in(line: str, where: str) -> tuple[list[str], str, str]:
    """Return the four hands, `where`, and who has the first of them."""
    if found := DEAL.fullmatch(line):
        return found[2].split(), where, found[1].upper()
    words = line.split()
    seats, order = "".join(words[::2]).upper(), "".join(SEATS)
    if len(words) != 2 * len(SEATS) or seats not in order * 2:
        raise FairdeckError(f"{where}: {line[:40]!r} is not a deal; write N:AKQ.J98.T76.5432 and three more hands")
    return words[1::2], where, seats[0]


FORMATS = (Format("lines without tags", ".txt", rf'(?:\w[\w ]*")?[NESWnesw](?::| ){HAND}', read_lines, write_lines),)
