"""Playing cards, top first, parted by blanks, commas or line breaks, or not: ``10♥``, ``4 of Hearts``, ``🂡🂾``."""

import re

from fairdeck.cards.languages import may_be_card, playing_cards
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
    if all(beside(piece.text) for piece in pieces):
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
    cells = (line._replace(text=re.sub(r"[\t,;]", " ", line.text)) for line in source.rows)
    ways = (parted(source.rows, r"\t,;"), cells, parted(source.rows, r"\s,;"))
    for at, way in enumerate(ways, 1):
        pieces = list[Line]()
        for line, text in way:
            word = tidied(text)
            pieces += [Line(line, card) for card in undivided(unquoted(word) or word)]
            if at < len(ways) and not may_be_card(pieces[-1].text):
                break
        else:
            if playing_cards([piece.text for piece in pieces])[1]:
                return pieces, True
    return pieces, False
