"""Boards in LIN, the format of Bridge Base Online: pairs ``tag|value|``.

``qx|o7|`` begins board 7 (``c7`` is the closed room); without it, ``ah|Board 7|`` names it. ``md|`` has the dealer (1
South, 2 West, 3 North, 4 East) and the hands of South, West, North and East, ``S..H..D..C..``; the last may be missing.
``sv|`` says who is vulnerable: ``o`` or ``0``, ``n``, ``e``, ``b``. All else is left out.

Source: output.c of BigDeal (https://github.com/hansvanstaveren/BigDeal), and files of Bridge Base Online.
"""

import re
from collections.abc import Iterator, Sequence

from fairdeck.cards.boards import Board, Format, Found, demand_plain, text_of
from fairdeck.cards.bridge_hands import SEATS, read_four, written_hand
from fairdeck.cards.names import SUITS
from fairdeck.errors import FairdeckError

PAIR = re.compile(r"([a-zA-Z]{2})\|([^|]*)\|")
DEALERS = {"1": "S", "2": "W", "3": "N", "4": "E"}
VULNERABLE = {"o": "None", "0": "None", "n": "NS", "e": "EW", "b": "All"}
NUMBER = re.compile(r"\D*(\d{1,9})\D*")
TAGS = "qx|pn|md|vg|rs|st|mn|pw|bn|rh|ti|nt|bt|pg|mp|sk|ps|px|tu|sv|ah"


def read_lin(data: bytes) -> Iterator[Found]:
    """Yield the boards of a LIN file, in its order."""
    said: dict[str, str] = {}  # of the board that is being read: values by tag
    line, at = 1, 0
    text, place = text_of(data), 0
    held: Found | None = None
    for pair in PAIR.finditer(text):
        line, at = line + text.count("\n", at, pair.start()), pair.start()
        tag, value = pair[1].lower(), pair[2].strip()
        deals = tag == "md" and bool(value)
        if held and (deals or tag == "qx"):
            yield _complete(held, said)
            held, said = None, {}
        if tag == "qx":
            said = {}
        if deals:
            place += 1
            held = _read_deal(value, line, place)
        elif value:
            said.setdefault(tag, value)
    if held:
        yield _complete(held, said)


def write_lin(boards: Sequence[Board]) -> bytes:
    """Return boards as BigDeal writes them, all four hands."""
    demand_plain(boards, "LIN", dealers=True, whole_hands=False)
    return "".join(map(_written, boards)).encode()


def _read_deal(value: str, line: int, place: int) -> Found:
    where = f"line {line}, deal {place}"
    dealer, rest = value[0], value[1:]
    if dealer not in "01234":
        raise FairdeckError(f"{where}: {dealer!r} is no dealer; write 1 for South, 2 West, 3 North, 4 East")
    hands = [hand.strip() or "-" for hand in rest.split(",")]
    hands += ["-"] * (len(SEATS) - len(hands))
    while len(hands) > len(SEATS) and hands[-1] == "-":
        hands.pop()
    # A hand of which only the letters of the suits are there is not given.
    four = read_four(["-" if hand.upper().strip(SUITS) == "" else hand for hand in hands], where, "S")
    return Found(four, "", DEALERS.get(dealer, ""), "", line)


def _complete(found: Found, said: dict[str, str]) -> Found:
    """Return a board with its number and who is vulnerable."""
    named = next((match for tag in ("qx", "ah") if (match := NUMBER.fullmatch(said.get(tag, "")))), None)
    vulnerable = VULNERABLE.get(said.get("sv", "").lower(), "")
    remarks: tuple[str, ...] = ()
    if "sv" in said and not vulnerable:
        remarks = (f"line {found.line}: sv {said['sv'][:20]!r} is none of o, n, e, b: taken as on the tray",)
    return found._replace(name=str(int(named[1])) if named else "", vulnerable=vulnerable, remarks=remarks)


def _written(board: Board) -> str:
    dealer = next(digit for digit, seat in DEALERS.items() if seat == board.dealer)
    vulnerable = next(letter for letter, name in VULNERABLE.items() if name == board.vulnerable)
    north, east, south, west = (written_hand(hand, SUITS) if hand else "" for hand in board.hands)
    return (
        f"qx|o{board.number}|md|{dealer}{south},{west},{north},{east}|rh||ah|Board {board.number}|sv|{vulnerable}|"
        "pg||\n"
    )


FORMATS = (Format("LIN", ".lin", rf"(?:{TAGS})\|", read_lin, write_lin),)
