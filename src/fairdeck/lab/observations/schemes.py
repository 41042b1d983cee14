"""What is seen of each deck, as people type it: ``top:7``, ``set:7``, ``hands:4x13``, ``6/49``, ``places:0,5,9`` ..."""

import re

from fairdeck import numbers
from fairdeck.errors import FairdeckError
from fairdeck.shuffles import MOST_CARDS

USUAL_PREFIX = 7  # cards from the top that are also judged as a set, where nobody chose another number
WORDS = re.compile(
    r"(?P<all>all)|(?P<word>top|set|prefix)(?::(?P<size>\d{1,7}))?|hands:(?P<hands>\d{1,7})x(?P<each>\d{1,7})"
    r"|(?P<drawn>\d{1,7})/(?P<of>\d{1,7})|places:(?P<places>\d{1,6}(?:,\d{1,6})*)",
    re.ASCII,
)
HOW = (
    "write top:7 (the first seven, in order), set:7 (in any order), hands:4x13, 6/49, places:0,5,9 (from the bottom, "
    "0), prefix (in order, as many as a line holds) or all"
)


def read_seen(text: str) -> tuple[str, int]:
    """Return the scheme of what is seen, and the cards of the deck; 0 if it does not say them.

    ``top`` and ``set`` may stay without their number, which is that of the first line. ``prefix`` gets its number here:
    to choose it by the lines would bend the level.

    Raises:
        FairdeckError: it is none; the message says how to write one.

    >>> read_seen("6/49"), read_seen("hands:04x13"), read_seen("prefix"), read_seen("TOP")
    (('set:6', 49), ('hands:4x13', 0), ('prefix:7', 0), ('top', 0))
    """
    found = WORDS.fullmatch(re.sub(r"\s", "", text.lower()))
    if not found:
        raise FairdeckError(f"seen: {numbers.shortened(text)} is not what can be seen of a deck; {HOW}")
    part = {name: value for name, value in found.groupdict().items() if value is not None}
    if "all" in part:
        return "all", 0
    if "drawn" in part:
        return f"set:{_size(part['drawn'])}", _size(part["of"])
    if "each" in part:
        return f"hands:{_size(part['hands'])}x{_size(part['each'])}", 0
    if "places" in part:
        places = [int(place) for place in part["places"].split(",")]
        if len(set(places)) < len(places):
            raise FairdeckError(f"seen: {numbers.shortened(text)} names a place twice; name each place once")
        return f"places:{','.join(map(str, places))}", 0
    size = _size(part["size"]) if "size" in part else USUAL_PREFIX if part["word"] == "prefix" else 0
    return f"{part['word']}:{size}" if size else part["word"], 0


def fitted(scheme: str, cards: int) -> str:
    """Return a scheme for decks of so many cards: a prefix is not longer than they are.

    Raises:
        FairdeckError: such decks do not have so many cards, or places; or a set has them all, and shows nothing.
    """
    word, _, size = scheme.partition(":")
    if word == "prefix":
        return f"prefix:{min(int(size), cards)}"
    if word == "places":
        most = max(map(int, size.split(",")))
        if most >= cards:
            raise FairdeckError(
                f"seen: {scheme}: a deck of {cards:,} cards has the places 0 to {cards - 1}, not {most}"
            )
    elif size:
        hands, _, each = size.rpartition("x")
        if int(hands or 1) * int(each) > cards:
            raise FairdeckError(
                f"seen: {scheme}: a deck of {cards:,} cards does not have so many; the whole deck: --cards N, or a list"
            )
        if word != "top" and int(each) == cards:
            raise FairdeckError(
                f"seen: {scheme}: each deck of {cards:,} cards has the same cards in it, so it shows nothing of their "
                "order; where the lines have that, say top"
            )
    return scheme


def _size(text: str) -> int:
    return numbers.whole("seen", text, 1, MOST_CARDS)
