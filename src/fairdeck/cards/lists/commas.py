"""Names of cards in one line, top first, parted by commas or else by blanks; a name in quotation marks stays whole."""

from fairdeck.cards.lists import HOW, DeckList, Entry, Source, parted, plain_name
from fairdeck.cards.text import excerpt
from fairdeck.errors import FairdeckError

TURN, CALLED = 90, "a list of names, parted by commas"
COMMAS, BLANKS = r"\t,;", r"\s,;"


def fits(source: Source) -> bool:
    """Return whether there is one line."""
    return len(source.rows) == 1


def read(source: Source) -> DeckList:
    """Return the list."""
    pieces = list(parted(source.rows, COMMAS))
    if len(pieces) == 1:
        pieces = list(parted(source.rows, BLANKS))
    names = [Entry(1, plain_name(piece), piece.at) for piece in pieces]
    if len(names) == 1:
        raise FairdeckError(f"line {names[0].line}: only one card is named, {excerpt(names[0].name)}; {HOW}")
    return DeckList("commas", tuple(names), ordered=True)
