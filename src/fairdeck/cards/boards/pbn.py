"""Boards in Portable Bridge Notation, PBN.

Source: "Portable Bridge Notation", version 2.1 (https://www.tistis.nl/pbn/): the import format is read, the export
format written. Of each game only the tags ``Event``, ``Board``, ``Dealer``, ``Vulnerable`` and ``Deal`` are read, in
any case. A tag with the value ``#`` repeats that of the game before; ``##value`` holds for all later games that lack
the tag. A tag that a game has twice counts once, the first. Games are parted by empty lines; a second, different
``Board`` or ``Deal`` begins a game too. Either all deals have numbers or none: without numbers they are boards 1, 2,
...
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fairdeck.cards.boards import SAMPLE, Board, Format, Found, named_board, text_of
from fairdeck.cards.bridge_hands import NO_HANDS, SEATS, Hand, read_four, written_hand
from fairdeck.errors import FairdeckError

SPELT = {spelling.lower(): seat for seat, name in SEATS.items() for spelling in (seat, name)}
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
AS_READ = {name.lower(): name for name in (*READ, "Event")}
TOKEN = re.compile(
    r'\[[ \t\n]*(?P<name>\w+)[ \t\n]*"(?P<value>(?:[^"\\\n]|\\[^\n])*)"[ \t\n]*\]'
    r"|(?P<broken>(?<![^\n])\[)|(?P<blank>(?<![^\n])[ \t\f\v]*\n(?:[ \t\f\v\n]*\n)?)|;[^\n]*|\{[^}]*\}|(?P<open>\{)"
    r'|(?:"[^"\n]*")+|[^\[{;"\n]+|.|\n'
)


def read_pbn(data: bytes) -> Iterator[Found]:
    """Yield the boards of a PBN file, in its order.

    Raises:
        FairdeckError: the text is not PBN, or a deal is not one; the message names line and board.
    """
    before: dict[str, _Tag] = {}
    kept: dict[str, _Tag] = {}
    place = 1
    for game in _games(text_of(data)):
        before = tags = _inherited(game, before, kept)
        if "Deal" in tags or "Board" in tags:
            yield _read_board(tags, place)
            place += 1


def write_pbn(boards: Iterable[Board]) -> bytes:
    """Return boards in the export format, as dealing programs write it: tags that they do not know are empty."""
    lines = ["% PBN 2.1", "% EXPORT"]
    for board in boards:
        known = {"Board": board.name, "Dealer": board.dealer, "Vulnerable": board.vulnerable, "Deal": deal_tag(board)}
        lines += [f'[{name} "{known.get(name, "")}"]' for name in MANDATORY] + [""]
    return ("\r\n".join(lines) + "\r\n").encode()


def deal_tag(board: Board) -> str:
    """Return the value of the tag ``Deal``, the dealer's hand first, ranks from high to low."""
    first = "".join(SEATS).index(board.dealer)
    hands = board.hands[first:] + board.hands[:first]
    return f"{board.dealer}:" + " ".join(written_hand(hand) if hand else "-" for hand in hands)


@dataclass(frozen=True, slots=True)
class _Tag:
    value: str
    line: int


def _games(text: str) -> Iterator[dict[str, _Tag]]:
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


def _read_board(tags: dict[str, _Tag], place: int) -> Found:
    name = _said(tags, "Board")
    if name:
        named_board(f"line {tags['Board'].line}: Board", name)  # an error names its line
    deal = tags.get("Deal") or _Tag("", tags["Board"].line)  # a board without cards
    hands = _read_deal(deal.value.strip(), f"line {deal.line}, board {name[:20] or place}")
    known = {"Dealer": SPELT, "Vulnerable": SYNONYMS}
    said = {tag: _said(tags, tag) for tag in known}
    read = {tag: known[tag].get(value.lower(), "") for tag, value in said.items()}
    remarks = tuple(
        f"line {tags[tag].line}, board {name or place}: {tag} {value[:20]!r} is none of "
        f"{', '.join(dict.fromkeys(known[tag].values()))}: taken as on the tray of this number"
        for tag, value in said.items()
        if value and not read[tag]
    )
    return Found(hands, name, read["Dealer"], read["Vulnerable"], deal.line, _said(tags, "Event"), remarks)


def _said(tags: dict[str, _Tag], name: str) -> str:
    """Return the value of a tag, without blanks around it; an empty text if it is not there, empty or ``?``."""
    value = tags[name].value.strip() if name in tags else ""
    return "" if value == "?" else value


def _read_deal(value: str, where: str) -> tuple[Hand, ...]:
    """Return the hands of North, East, South and West from the value of a Deal; an empty one gives none."""
    if value in ("", "?"):
        return NO_HANDS
    first, colon, rest = value.partition(":")
    if not colon or first.strip().upper() not in SEATS or not first:
        raise FairdeckError(f"{where}: Deal {value[:30]!r} must begin with N:, E:, S: or W:, as in {SAMPLE}")
    return read_four(rest.split(), where, first.strip().upper())


FORMATS = (Format("PBN", ".pbn", r'%[^\n]*PBN|\[\w+ "[^"\n]*"\]', read_pbn, write_pbn),)
