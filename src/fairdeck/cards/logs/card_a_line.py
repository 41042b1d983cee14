"""A card on each line, with an empty line between the decks."""

from collections.abc import Sequence

from fairdeck.cards.logs import SEPARATORS, Asked, Layout

TURN = 2


class CardLines(Layout):
    """Decks that empty lines part."""

    apart = True
    note = "read as one card on each line, and an empty line between the decks"

    def __init__(self) -> None:
        self._deck: list[str] = []
        self._waiting = 0

    def line(self, line: str) -> str:
        """Take a card; at an empty line, return the deck before it."""
        card = line.strip()
        self._waiting += 1
        if card:
            self._deck.append(card)
            return ""
        return self.end()

    def end(self) -> str:
        """Return the deck of the last lines."""
        deck, waiting = " ".join(self._deck), self._waiting
        self._deck, self._waiting = [], 0
        return deck + waiting * "\n"


def find(lines: Sequence[str], asked: Asked) -> Layout | None:
    """Return the layout if each line is one word, and empty lines make several groups of them."""
    if asked.columns or asked.path:
        return None
    shown = "\n".join(map(str.strip, lines)).strip("\n").split("\n")
    if any(SEPARATORS.search(line) for line in shown):
        return None
    groups = [0]
    for line in shown:
        if line:
            groups[-1] += 1
        elif groups[-1]:
            groups.append(0)
    return CardLines() if len(groups) > 1 and groups[1] and min(groups[:-1]) > 1 else None
