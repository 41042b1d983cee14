"""A card on each line, with an empty line between the decks."""

from collections.abc import Sequence

from fairdeck.cards.logs import SEPARATORS, Asked, Groups, Layout

TURN = 2


class CardLines(Groups):
    """Decks that empty lines part."""

    note = "read as one card on each line, and an empty line between the decks"
    sample = "a\nb\n\na\nb\n"

    def begins(self, group: Sequence[str], _line: str) -> bool:
        """Return whether the line before was empty."""
        return not group[-1].strip()

    def deck(self, group: Sequence[str]) -> str:
        """Return the cards of the lines."""
        return " ".join(filter(None, map(str.strip, group)))


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
