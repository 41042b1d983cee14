"""Boards in Portable Bridge Notation, PBN.

Source: "Portable Bridge Notation", version 2.1 (https://www.tistis.nl/pbn/): the import format is read, the export
format written. Of each game only the tags ``Board``, ``Dealer``, ``Vulnerable`` and ``Deal`` are read, in any case. A
tag with the value ``#`` repeats that of the game before; ``##value`` holds for all later games that lack the tag. A tag
that a game has twice counts once, the first. Games are parted by empty lines; a second, different ``Board`` or ``Deal``
begins a game too. Either all deals have numbers or none: without numbers they are boards 1, 2, ...
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fairdeck.cards.names import FRENCH, PLACES, RANKS, SUITS
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole

SEATS = {"N": "North", "E": "East", "S": "South", "W": "West"}
HAND = 13
LARGEST_NUMBER = 9_999
SPELT = {spelling.lower(): seat for seat, name in SEATS.items() for spelling in (seat, name)}
VULNERABLE = ("None", "NS", "EW", "All")
SYNONYMS = {
    **dict.fromkeys(("none", "neither", "love", "-"), "None"),
    **dict.fromkeys(("ns", "n-s", "n/s", "north-south", "north/south"), "NS"),
    **dict.fromkeys(("ew", "e-w", "e/w", "east-west", "east/west"), "EW"),
    **dict.fromkeys(("all", "both"), "All"),
}
MANDATORY = (
    *("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal"),
    *("Scoring", "Declarer", "Contract", "Result"),
)
READ = ("Board", "Dealer", "Vulnerable", "Deal")
AS_READ = {name.lower(): name for name in READ}
SAMPLE = '[Deal "N:AKQ.J98.T76.5432 ..."]'
# What files of boards in other formats begin with.
OTHER_FORMATS = {
    "LIN": r"(?:qx|pn|md|vg|rs|st)\|",
    "DUP or BRI": r"(?:[0-5]\d){37}",
    "DGE": r"\x06[AKQJT2-9]*\x03",
    "DLM": r"\[Document\]\s",
    "lines without tags": r'"?(?:[NESW]:|n )[AKQJT2-9.-]+ ',
}
TOKEN = re.compile(
    r'\[[ \t\n]*(?P<name>\w+)[ \t\n]*"(?P<value>(?:[^"\\\n]|\\[^\n])*)"[ \t\n]*\]'
    r"|(?P<broken>(?<![^\n])\[)|(?P<blank>(?<![^\n])[ \t\f\v]*\n(?:[ \t\f\v\n]*\n)?)|;[^\n]*|\{[^}]*\}|(?P<open>\{)"
    r'|(?:"[^"\n]*")+|[^\[{;"\n]+|.|\n'
)

Hand = tuple[str, ...]  # names of cards, sorted; empty if it is not given
NO_HANDS: tuple[Hand, ...] = ((),) * len(SEATS)


@dataclass(frozen=True, slots=True)
class Board:
    """A board: its number, the hands of North, East, South and West, who deals, and who is vulnerable.

    `remarks` has what a file says of it that was not understood, and does not change the deal.
    """

    number: int
    hands: tuple[Hand, ...] = NO_HANDS
    dealer: str = ""
    vulnerable: str = ""
    remarks: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not self.dealer:
            object.__setattr__(self, "dealer", dealer_of(self.number))
        if not self.vulnerable:
            object.__setattr__(self, "vulnerable", vulnerable_on(self.number))


def dealer_of(number: int) -> str:
    """Return who deals a board: N, E, S or W. Source: Laws of Duplicate Bridge 2017, law 2."""
    return "NESW"[(number - 1) % 4]


def vulnerable_on(number: int) -> str:
    """Return who is vulnerable on a board: None, NS, EW or All. Source: Laws of Duplicate Bridge 2017, law 2.

    >>> [vulnerable_on(number) for number in (1, 2, 7, 16, 17)]
    ['None', 'NS', 'All', 'EW', 'None']
    """
    return VULNERABLE[(number - 1 + (number - 1) // 4) % 4]


def read_pbn(text: str) -> list[Board]:
    """Return the boards of a PBN file, in its order; a board that is there again, the same, counts once.

    A hand that is not given (``-`` or ``...``) is completed if the other three are there; otherwise it is empty.

    Raises:
        FairdeckError: the text is not PBN, or a deal is not one; the message names line and board.
    """
    for name, begins in OTHER_FORMATS.items():
        if re.match(rf"\s*(?:{begins})", text):
            raise FairdeckError(
                f"these are boards in {name}, and only PBN is read: save them as PBN, with lines such as {SAMPLE}"
            )
    boards: dict[int, Board] = {}
    before: dict[str, _Tag] = {}
    kept: dict[str, _Tag] = {}
    lines: dict[bool, int] = {}  # of the first deal that has a number, and of the first that has none
    for game in _games(text):
        before = tags = _inherited(game, before, kept)
        if "Deal" not in tags and "Board" not in tags:
            continue
        board, line = _read_board(tags, len(boards) + 1), tags["Deal"].line
        lines.setdefault(_has_number(tags), line)
        if len(lines) > 1:
            raise FairdeckError(
                f"line {line}: the deal in line {lines[False]} has no Board of its own, and the deal in line "
                f"{lines[True]} has one; give every deal a Board, or none of them"
            )
        first = boards.setdefault(board.number, board)
        if first != board:
            differ = next(
                each for each in ("hands", "dealer", "vulnerable") if getattr(first, each) != getattr(board, each)
            )
            what = {"hands": "hands", "dealer": "values of Dealer", "vulnerable": "values of Vulnerable"}[differ]
            raise FairdeckError(
                f"line {line}: board {board.number} is there twice, with different {what}; "
                "give every board a number of its own"
            )
    if not boards:
        raise FairdeckError(f"the file has no board; every board has a line such as {SAMPLE}")
    return list(boards.values())


def write_pbn(boards: Iterable[Board]) -> str:
    """Return boards in the export format, as dealing programs write it: tags that they do not know are empty."""
    lines = ["% PBN 2.1", "% EXPORT"]
    for board in boards:
        known = {"Board": board.number, "Dealer": board.dealer, "Vulnerable": board.vulnerable, "Deal": deal_tag(board)}
        lines += [f'[{name} "{known.get(name, "")}"]' for name in MANDATORY] + [""]
    return "\r\n".join(lines) + "\r\n"


def deal_tag(board: Board) -> str:
    """Return the value of the tag ``Deal``, the dealer's hand first, ranks from high to low."""
    seats = "".join(SEATS)
    first = seats.index(board.dealer)
    return f"{board.dealer}:" + " ".join(map(_written_hand, board.hands[first:] + board.hands[:first]))


def sorted_hand(cards: Iterable[str]) -> Hand:
    """Return a hand in the order in which it is written: spades first, from high to low."""
    return tuple(sorted(cards, key=PLACES.__getitem__))


@dataclass(frozen=True, slots=True)
class _Tag:
    value: str
    line: int


def _games(text: str) -> Iterator[dict[str, _Tag]]:
    """Yield the tags of each game by their names."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = re.sub(r"^%", ";", text, flags=re.MULTILINE)  # lines for other programs, read as comments
    text = re.sub(r"^[ \t]+(?=\[)", "", text, flags=re.MULTILINE)  # so that a broken tag is seen
    game: dict[str, _Tag] = {}
    line = 1
    for token in TOKEN.finditer(text):
        if token["open"]:
            raise FairdeckError(f"line {line}: a comment begins with {{ and has no end; end it with }}")
        if token["broken"]:
            raise FairdeckError(f"line {line}: this is not a tag; write it as {SAMPLE}")
        tag = _Tag(re.sub(r"\\(.)", r"\1", token["value"] or ""), line)
        name = token["name"] and AS_READ.get(token["name"].lower(), token["name"])
        again = name in ("Board", "Deal") and name in game and game[name].value != tag.value
        if (again or token["blank"]) and game:
            yield game
            game = {}
        if name:
            game.setdefault(name, tag)
        line += token[0].count("\n")
    if game:
        yield game


def _inherited(game: dict[str, _Tag], before: dict[str, _Tag], kept: dict[str, _Tag]) -> dict[str, _Tag]:
    """Return the tags of a game with the values that they take over from games before; add to those that are `kept`."""
    found = dict(kept)
    for name, tag in game.items():
        if tag.value.startswith("##"):
            found[name] = kept[name] = _Tag(tag.value[2:], tag.line)
        elif tag.value != "#":
            found[name] = tag
        elif name in before:
            found[name] = _Tag(before[name].value, tag.line)
        elif name in READ:
            raise FairdeckError(
                f"line {tag.line}: {name} repeats the game before (#), which does not have it; write its value"
            )
    return found


def _has_number(tags: dict[str, _Tag]) -> bool:
    return "Board" in tags and tags["Board"].value not in ("", "?")


def _read_board(tags: dict[str, _Tag], place: int) -> Board:
    number = place
    if _has_number(tags):
        number = whole(f"line {tags['Board'].line}: Board", tags["Board"].value, 1, LARGEST_NUMBER)
    if "Deal" not in tags:
        raise FairdeckError(f"line {tags['Board'].line}, board {number}: there is no Deal; add {SAMPLE}")
    deal = tags["Deal"]
    hands = _read_hands(deal.value.strip(), f"line {deal.line}, board {number}")
    known = {"Dealer": SPELT, "Vulnerable": SYNONYMS}
    said = {name: tags[name] for name in known if name in tags and tags[name].value not in ("", "?")}
    read = {name: known[name].get(tag.value.strip().lower(), "") for name, tag in said.items()}
    remarks = tuple(
        f"line {tag.line}, board {number}: {name} {tag.value[:20]!r} is none of "
        f"{', '.join(dict.fromkeys(known[name].values()))}: taken as on the tray of this number"
        for name, tag in said.items()
        if not read[name]
    )
    return Board(number, hands, read.get("Dealer", ""), read.get("Vulnerable", ""), remarks)


def _read_hands(value: str, where: str) -> tuple[Hand, ...]:
    """Return the hands of North, East, South and West from the value of a Deal."""
    first, colon, rest = value.partition(":")
    if not colon or first.strip().upper() not in SEATS or not first:
        raise FairdeckError(f"{where}: Deal {value[:30]!r} must begin with N:, E:, S: or W:, as in {SAMPLE}")
    written = rest.split()
    if len(written) != len(SEATS):
        raise FairdeckError(f"{where}: Deal has {len(written)} hands; write four, - for one that is not given")
    at = "".join(SEATS).index(first.strip().upper())
    turned = written[-at:] + written[:-at] if at else written
    hands = [_read_hand(each, f"{where}, {seat}") for seat, each in zip(SEATS.values(), turned, strict=True)]
    _demand_once(hands, where)
    if sum(map(bool, hands)) == len(SEATS) - 1:
        left = set(FRENCH).difference(*hands)
        hands = [hand or sorted_hand(left) for hand in hands]
    return tuple(hands)


def _read_hand(text: str, where: str) -> Hand:
    if text.strip("-.") == "":
        return ()
    suits = text.upper().replace("10", "T").split(".")
    if len(suits) == len(SUITS) and all(map(str.startswith, suits, SUITS)):
        suits = [ranks[1:] for ranks in suits]
    suits = ["" if ranks == "-" else ranks for ranks in suits]
    if len(suits) != len(SUITS):
        raise FairdeckError(f"{where}: {text[:40]!r} has {len(suits)} suits; write four, as in AKQ.J98.T76.5432")
    for rank in "".join(suits):
        if rank not in RANKS:
            raise FairdeckError(f"{where}: {rank!r} in {text[:40]!r} is not a card; the ranks are {RANKS}")
    cards = [suit + rank for suit, ranks in zip(SUITS, suits, strict=True) for rank in ranks]
    for card in cards:
        if cards.count(card) > 1:
            raise FairdeckError(f"{where}: {card} is there twice; every card is in one hand, once")
    if len(cards) != HAND:
        raise FairdeckError(f"{where}: the hand has {len(cards)} cards; a hand has {HAND}")
    return sorted_hand(cards)


def _demand_once(hands: Sequence[Hand], where: str) -> None:
    holder: dict[str, str] = {}
    for seat, hand in zip(SEATS.values(), hands, strict=True):
        for card in hand:
            if card in holder:
                raise FairdeckError(f"{where}: {card} is in the hands of {holder[card]} and {seat}; give it to one")
            holder[card] = seat


def _written_hand(hand: Hand) -> str:
    """Return a hand as PBN writes it."""
    return ".".join("".join(card[1] for card in hand if card[0] == suit) for suit in SUITS) if hand else "-"
