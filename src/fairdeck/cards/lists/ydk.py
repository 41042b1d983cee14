"""``.ydk``, lists for Yu-Gi-Oh!: a card's number a line, after ``#main``, ``#extra`` and ``!side``.

Other lines that begin with ``#`` or ``!`` are comments, as in the ydk mode of Emacs.
"""

from fairdeck.cards.lists import DeckList, Entry, Source
from fairdeck.cards.text import excerpt
from fairdeck.errors import FairdeckError

TURN, CALLED = 30, "a ydk list"
PARTS = {"#main": "", "#extra": "extra deck", "!side": "sideboard"}


def fits(source: Source) -> bool:
    """Return whether a line begins a part."""
    return any(line.text in PARTS for line in source.rows)


def read(source: Source) -> DeckList:
    """Return the list."""
    part, found = "", []
    for at, text in source.rows:
        part = PARTS.get(text, part)
        if text.isascii() and text.isdigit():
            found.append(Entry(1, text, at, part))
        elif not text.startswith(("#", "!")):
            raise FairdeckError(f"line {at}: {excerpt(text)} is not a card's number, as each line of a ydk list is")
    main, aside = (tuple([entry for entry in found if bool(entry.part) == beside]) for beside in (False, True))
    return DeckList("ydk", main, aside)
