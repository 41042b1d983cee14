"""Cards that are numbers, top first, parted by blanks, commas or line breaks."""

from fairdeck.cards.lists import DeckList, Entry, Source, parted
from fairdeck.cards.names import is_number
from fairdeck.cards.text import excerpt
from fairdeck.errors import FairdeckError

TURN, CALLED = 70, "a list of numbers"


def fits(source: Source) -> bool:
    """Return whether all words are numbers."""
    return all(is_number(word.text) for word in parted(source.rows, r"\s,;"))


def read(source: Source) -> DeckList:
    """Return the list."""
    words = list(parted(source.rows, r"\s,;"))
    if wrong := next((word for word in words if not is_number(word.text)), None):
        raise FairdeckError(f"line {wrong.at}: {excerpt(wrong.text)} is not a card's number")
    return DeckList("numbers", tuple([Entry(1, str(int(word.text)), word.at) for word in words]), ordered=True)
