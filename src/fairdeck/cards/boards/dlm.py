"""Boards in DLM, the text format of a dealing machine.

``Board 07=``, 26 letters, 3 digits: letter i of ``a`` to ``p`` is 4 times the seat of card 2i, plus the seat of card
2i + 1, cards from the ace of spades to the two of clubs, seats North 0 to West 3. The digits are a check: the number of
the board, XOR all letters. ``From board`` and ``To board`` say which lines count; the others, up to 99, are fillers.

Source: output.c of BigDeal (https://github.com/hansvanstaveren/BigDeal).
"""

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import xor

from fairdeck.cards.boards import Board, Format, Found, demand_in_turn, demand_plain, text_of
from fairdeck.cards.bridge_hands import SEATS, demand_13, four_hands
from fairdeck.cards.names import FRENCH
from fairdeck.errors import FairdeckError

MOST = 99
BOARD = re.compile(r"Board +([0-9]{1,3})=([a-p]{26})([0-9]{3})\s*")
BOUND = re.compile(r"(From|To) board=\s*([0-9]{1,3})\s*")
FILLER, FILLER_CHECK = "aaaaaabffffffkkkkkklpppppp", 14


def read_dlm(data: bytes) -> Iterator[Found]:
    """Yield the boards of a DLM file that its bounds name."""
    lines = text_of(data).split("\n")
    bounds = {found[1]: int(found[2]) for found in map(BOUND.fullmatch, lines) if found}
    for at, line in enumerate(lines, 1):
        found = BOARD.fullmatch(line)
        if line.startswith("Board ") and not found:
            raise FairdeckError(f"line {at}: {line[:40]!r} is not a board: Board 07=, 26 letters a to p, 3 digits")
        if found and bounds.get("From", 1) <= int(found[1]) <= bounds.get("To", MOST):
            yield _read_board(int(found[1]), found[2], int(found[3]), at)


def write_dlm(boards: Sequence[Board]) -> bytes:
    """Return boards that are numbered in turn, up to 99, as BigDeal writes them."""
    demand_plain(boards, "DLM")
    demand_in_turn(boards, "DLM")
    low, high = boards[0].number, boards[-1].number
    if high > MOST:
        raise FairdeckError(f"board {high}: a DLM file has numbers up to {MOST}; write PBN")
    letters = {board.number: _letters(board) for board in boards}
    lines = ["[Document]", "Headline=fairdeck", "Status=Show", "Duplicates=0", f"From board={low}", f"To board={high}"]
    lines += ["Next board to duplimate=0", "PrintOuts=0", "Crypto key=0", f"Checksum={low ^ high ^ 1}"]
    for number in range(1, MOST + 1):
        written = letters.get(number, FILLER)
        lines += [f"Duplicates {number:02}=0", f"Board {number:02}={written}{_check(number, written):03}"]
    return ("\r\n".join(lines) + "\r\n").encode()


def _read_board(number: int, letters: str, check: int, line: int) -> Found:
    where = f"line {line}, board {number}"
    if check != _check(number, letters):
        raise FairdeckError(f"{where}: its check is {check:03}, not {_check(number, letters):03}: save the file again")
    seats = [seat for letter in letters for seat in divmod(ord(letter) - ord("a"), len(SEATS))]
    hands = [tuple(card for card, at in zip(FRENCH, seats, strict=True) if at == seat) for seat in range(len(SEATS))]
    for name, hand in zip(SEATS.values(), hands, strict=True):
        demand_13(hand, f"{where}, {name}")
    return Found(four_hands(hands, where), str(number), line=line)


def _letters(board: Board) -> str:
    seat_of = {card: seat for seat, hand in enumerate(board.hands) for card in hand}
    pairs = zip(FRENCH[::2], FRENCH[1::2], strict=True)
    return "".join(chr(ord("a") + len(SEATS) * seat_of[one] + seat_of[two]) for one, two in pairs)


def _check(number: int, letters: str) -> int:
    return reduce(xor, letters.encode(), number)


FORMATS = (Format("DLM", ".dlm", r"\[(?i:Document)\]\s|Board +[0-9]+=[a-p]{26}[0-9]", read_dlm, write_dlm),)
