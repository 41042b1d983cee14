"""Boards in the formats of dealing machines with records of a fixed length: DUP, BRI and DGE.

- **BRI**, 128 bytes a board: 78 digits, the 13 cards of North, East and South, each ``01`` (ace of spades) to ``52``
  (two of clubs), suits from spades to clubs; 32 blanks, 18 zero bytes. West has the other cards.
- **DGE**, 128 bytes: the hands of North, East, South and West, before each suit its sign in the character set of DOS
  (6 spades, 3 hearts, 4 diamonds, 5 clubs): 68 bytes; 60 zero bytes.
- **DUP**, 156 bytes: the 78 digits; the 68 bytes of DGE, or blanks; for the machine ``YN``, the lowest board (3), how
  many copies (2), the highest board (3).

None has the number of each board. Source: output.c of BigDeal (https://github.com/hansvanstaveren/BigDeal).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from fairdeck.cards.boards import Board, Format, Found, demand_in_turn, demand_plain
from fairdeck.cards.bridge_hands import HAND, SEATS, Hand, demand_13, four_hands, sorted_hand, written_hand
from fairdeck.cards.names import FRENCH, PLACES, RANKS
from fairdeck.errors import FairdeckError

DIGITS, SIGNS = 78, 68  # bytes
DUP, BRI = 156, 128  # bytes a board
SIGN_OF = {"S": "\x06", "H": "\x03", "D": "\x04", "C": "\x05"}
SUIT_OF = {sign: suit for suit, sign in SIGN_OF.items()}
MACHINE = re.compile(rb"[YN][YN]([0-9 ]{3})[0-9 ]{2}([0-9 ]{3})")
FILLERS = b"\r\n\x1a"  # that some programs write after the last record


def read_dup(data: bytes) -> Iterator[Found]:
    """Yield the boards of a DUP file. They are numbered if the records name as many numbers as there are boards."""
    records = list(_records(data, DUP))
    first = _first_number(records)
    for number, (where, record) in enumerate(records, first or 1):
        hands, signs = _read_digits(record, where), record[DIGITS : DIGITS + SIGNS]
        if signs.strip(b" \0") and _read_signs(signs, where) != hands:
            raise FairdeckError(f"{where}: its digits and its signs are different deals; write the file again")
        yield Found(hands, str(number) if first else "")


def read_bri(data: bytes) -> Iterator[Found]:
    """Yield the boards of a BRI file."""
    return (Found(_read_digits(record, where)) for where, record in _records(data, BRI))


def read_dge(data: bytes) -> Iterator[Found]:
    """Yield the boards of a DGE file."""
    return (Found(_read_signs(record[:SIGNS].rstrip(b"\0"), where)) for where, record in _records(data, BRI))


def write_dup(boards: Sequence[Board]) -> bytes:
    """Return boards that are numbered in turn."""
    demand_plain(boards, "DUP")
    demand_in_turn(boards, "DUP")
    lowest, highest = boards[0].number, boards[-1].number
    if highest > 999:
        raise FairdeckError(f"board {highest}: a DUP file has numbers up to 999; write PBN")
    machine = f"YN{lowest:<3}0 {highest:02}".ljust(10).encode()
    return b"".join(_digits(board.hands) + _signs(board.hands) + machine for board in boards)


def write_bri(boards: Sequence[Board]) -> bytes:
    """Return the boards 1, 2, ..."""
    return _written(boards, "BRI", lambda hands: _digits(hands) + b" " * 32)


def write_dge(boards: Sequence[Board]) -> bytes:
    """Return the boards 1, 2, ..."""
    return _written(boards, "DGE", _signs)


def _written(boards: Sequence[Board], kind: str, record: Callable[[Sequence[Hand]], bytes]) -> bytes:
    demand_plain(boards, kind)
    demand_in_turn(boards, kind, first=1)
    return b"".join(record(board.hands).ljust(BRI, b"\0") for board in boards)


def _records(data: bytes, size: int) -> Iterator[tuple[str, bytes]]:
    """Yield what an error calls each record, and the record."""
    data = data[: len(data) - len(data) % size] if not data[len(data) - len(data) % size :].strip(FILLERS) else data
    for number, at in zip(count(1), range(0, len(data), size), strict=False):
        record = data[at : at + size]
        if len(record) < size:
            raise FairdeckError(
                f"board {number}: {len(record)} bytes are left, a board has {size}; save the file again"
            )
        yield f"board {number}", record


def _first_number(records: Sequence[tuple[str, bytes]]) -> int:
    """Return the number of the first board, if all records name as many numbers as there are boards; else 0."""
    machine = {record[DIGITS + SIGNS :] for _, record in records}
    found = MACHINE.fullmatch(next(iter(machine))) if len(machine) == 1 else None
    if not found or not (found[1].strip().isdigit() and found[2].strip().isdigit()):
        return 0
    return int(found[1]) if int(found[2]) - int(found[1]) + 1 == len(records) else 0


def _read_digits(record: bytes, where: str) -> tuple[Hand, ...]:
    digits = record[:DIGITS]
    if not digits.isdigit():
        raise FairdeckError(f"{where}: its first {DIGITS} bytes are not all digits: the file is damaged; save it again")
    numbers = [int(digits[at : at + 2]) for at in range(0, DIGITS, 2)]
    for number in numbers:
        if not 1 <= number <= len(FRENCH):
            raise FairdeckError(f"{where}: {number:02} is not a card; cards are 01 to {len(FRENCH)}")
    cards = [FRENCH[number - 1] for number in numbers]
    return _checked([cards[at : at + HAND] for at in range(0, len(cards), HAND)] + [[]], where)


def _read_signs(record: bytes, where: str) -> tuple[Hand, ...]:
    hands: list[list[str]] = []
    suit = ""
    for sign in record.decode("latin-1"):
        if sign in SUIT_OF:
            suit = SUIT_OF[sign]
            hands += [[]] if suit == "S" else []
        elif sign in RANKS and hands:
            hands[-1].append(suit + sign)
        else:
            raise FairdeckError(f"{where}: {sign!r} is not a sign of DGE: the file is damaged; save it again")
    if len(hands) != len(SEATS):
        raise FairdeckError(f"{where}: it has {len(hands)} hands, not {len(SEATS)}: save the file again")
    return _checked(hands, where)


def _checked(hands: Sequence[Sequence[str]], where: str) -> tuple[Hand, ...]:
    """Return four hands of 13 different cards each; the last may be empty."""
    for seat, hand in zip(SEATS.values(), hands, strict=True):
        if len(set(hand)) < len(hand):
            twice = next(card for card in hand if hand.count(card) > 1)
            raise FairdeckError(f"{where}, {seat}: {twice} is there twice; every card is in one hand, once")
        if hand:
            demand_13(hand, f"{where}, {seat}")
    return four_hands([sorted_hand(hand) for hand in hands], where)


def _digits(hands: Sequence[Hand]) -> bytes:
    return "".join(f"{PLACES[card] + 1:02}" for hand in hands[:-1] for card in hand).encode()


def _signs(hands: Sequence[Hand]) -> bytes:
    return "".join(written_hand(hand, tuple(SIGN_OF.values())) for hand in hands).encode("latin-1")


FORMATS = (
    Format("BRI", ".bri", r"[0-9]{78} {32}\x00", read_bri, write_bri),
    Format("DUP", ".dup", r"(?:[0-5][0-9]){37}", read_dup, write_dup),
    Format("DGE", ".dge", r"\x06", read_dge, write_dge),
)
