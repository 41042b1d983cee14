"""A card on each line: with an empty line between the decks, or one deck that is the whole file."""

from collections.abc import Sequence

from fairdeck.cards.cells import is_deck, is_number
from fairdeck.cards.logs import SEPARATORS, Asked, Groups, Layout, joined
from fairdeck.errors import FairdeckError

TURN = 2
TELLING = 13  # numbers, each once, that are surely no hands, draws or answers


class CardLines(Groups):
    """Decks that empty lines part."""

    note = "read as one card on each line, and an empty line between the decks"
    sample = "a\nb\n\na\nb\n"

    def begins(self, group: Sequence[str], _line: str) -> bool:
        """Return whether the line before was empty."""
        return not group[-1].strip()

    def deck(self, group: Sequence[str]) -> str:
        """Return the cards of the lines."""
        return joined(filter(None, map(str.strip, group)))


class OneDeck(Layout):
    """One deck of numbers, or of a list that is known, whose lines are given as one when the file ends."""

    note = "read as one deck, a card on each line"
    sample = "".join(f"{card}\n" for card in range(TELLING))
    apart = True

    def __init__(self, *, known: bool = False) -> None:
        self._parts, self._known = list[str](), known

    def lines(self, text: str) -> str:
        """Return nothing yet."""
        self._parts.append(text)
        return ""

    def end(self) -> str:
        """Return the deck, and an empty line for each of the others."""
        lines, self._parts = "".join(self._parts).split("\n")[:-1], []
        deck = list(filter(None, map(str.strip, lines)))
        if deck and not self._known and not is_deck(deck):
            raise FairdeckError(
                f"read as one deck, a card on each line, but the {len(deck):,} lines are not the numbers from 0 to "
                f"{len(deck) - 1:,} or from 1 to {len(deck):,}, each once; part several decks by empty lines, or write "
                "one deck on each line"
            )
        return joined(deck) + "\n" * len(lines)


def find(lines: Sequence[str], asked: Asked) -> Layout | None:
    """Return the layout if each line is one word, and empty lines make several groups of them, or all are one deck."""
    if asked.columns or asked.path:
        return None
    shown = "\n".join(map(str.strip, lines)).strip("\n").split("\n")
    if asked.cards and len(shown) > 1 and all(not line or line in asked.cards for line in shown):
        return CardLines() if "" in shown else OneDeck(known=True)
    if any(SEPARATORS.search(line) for line in shown):
        return None
    if len(shown) >= TELLING and all(map(is_number, shown[:-1])) and len(set(shown)) == len(shown):
        return OneDeck()
    groups = [0]
    for line in shown:
        if line:
            groups[-1] += 1
        elif groups[-1]:
            groups.append(0)
    return CardLines() if len(groups) > 1 and groups[1] and min(groups[:-1]) > 1 else None
