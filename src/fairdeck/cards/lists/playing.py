"""Playing cards, top first, parted by blanks, commas or line breaks: ``SA``, ``10♥``, ``Joker``, ``4 of Hearts``."""

import re

from fairdeck.cards.languages import as_french_cards
from fairdeck.cards.lists import DeckList, Entry, Source, parted, unquoted
from fairdeck.cards.names import SAMPLES, french_card, is_joker, strange_letter
from fairdeck.cards.text import Line, excerpt, tidied
from fairdeck.errors import FairdeckError

TURN, CALLED = 60, "a list of playing cards"


def fits(source: Source) -> bool:
    """Return whether all parts of the list are playing cards, or most of its words are French cards."""
    if any(len(way) > 1 and as_french_cards([_text(piece) for piece in way]) for way in _ways(source)):
        return True
    words = parted(source.rows, r"\s,;")
    return 2 * sum(french_card(_text(word)) is not None for word in words) > len(words)


def read(source: Source) -> DeckList:
    """Return the list; a word that is no card is refused."""
    for pieces in _ways(source):
        if as_french_cards([_text(piece) for piece in pieces]):
            return DeckList("playing", tuple([Entry(1, _text(piece), piece.at) for piece in pieces]), ordered=True)
    if not pieces:
        raise FairdeckError(f"no card is named; write {SAMPLES}")
    number, piece = next(
        (at, each) for at, each in enumerate(pieces, 1) if not french_card(_text(each)) and not is_joker(_text(each))
    )
    raise FairdeckError(
        f"line {piece.at}, card {number}: {excerpt(piece.text)}{strange_letter(piece.text)} is not a French card; "
        f"write {SAMPLES}"
    )


def _ways(source: Source) -> tuple[list[Line], ...]:
    """Return the list in each way of parting it; a joker may have blanks, and a line cells, as in ``4,Hearts``."""
    lines = [line._replace(text=re.sub(r"[\t,;]", " ", line.text)) for line in source.rows]
    return parted(source.rows, r"\t,;"), lines, parted(source.rows, r"\s,;")


def _text(piece: Line) -> str:
    text = tidied(piece.text)
    return unquoted(text) or text
