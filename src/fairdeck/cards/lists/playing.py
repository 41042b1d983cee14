"""Playing cards, top first, parted by blanks, commas or line breaks, or not: ``10♥``, ``4 of Hearts``, ``🂡🂾``."""

import re

from fairdeck.cards.languages import playing_cards
from fairdeck.cards.lists import DeckList, Entry, Source, parted, unquoted
from fairdeck.cards.names import SAMPLES, beside, french_card, strange_letter, undivided
from fairdeck.cards.text import Line, excerpt, tidied
from fairdeck.errors import FairdeckError

TURN, CALLED = 60, "a list of playing cards"


def fits(source: Source) -> bool:
    """Return whether all parts of the list are playing cards, or most of its words are French cards."""
    pieces, are_cards = _pieces(source)
    return are_cards or 2 * sum(french_card(piece.text) is not None for piece in pieces) > len(pieces)


def read(source: Source) -> DeckList:
    """Return the list; a word that is no card is refused."""
    pieces, are_cards = _pieces(source)
    if are_cards:
        return DeckList("playing", tuple([Entry(1, piece.text, piece.at) for piece in pieces]), ordered=True)
    if not pieces:
        raise FairdeckError(f"no card is named; write {SAMPLES}")
    number, piece = next(
        (at, each) for at, each in enumerate(pieces, 1) if not french_card(each.text) and not beside(each.text)
    )
    raise FairdeckError(
        f"line {piece.at}, card {number}: {excerpt(piece.text)}{strange_letter(piece.text)} is not a French card; "
        f"write {SAMPLES}"
    )


def _pieces(source: Source) -> tuple[list[Line], bool]:
    """Return the parts of a list, and whether all are cards; names may have blanks, and a line cells: ``4,Hearts``."""
    lines = [line._replace(text=re.sub(r"[\t,;]", " ", line.text)) for line in source.rows]
    for way in (parted(source.rows, r"\t,;"), lines, parted(source.rows, r"\s,;")):
        words = [(at, tidied(text)) for at, text in way]
        pieces = [Line(at, card) for at, text in words for card in undivided(unquoted(text) or text)]
        if are_cards := playing_cards([piece.text for piece in pieces])[1] != ():
            break
    return pieces, are_cards
