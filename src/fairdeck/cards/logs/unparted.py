"""Playing cards without anything between them: ``KCJS9D10H``, or the glyphs of Unicode from U+1F0A1 on."""

from collections.abc import Sequence

from fairdeck.cards.logs import Asked, Layout
from fairdeck.cards.names import RUNS, WAYS

TURN = 5
FIRST = 2  # lines that show it


class Unparted(Layout):
    """Cards that are written in one of the ways."""

    note = "read as cards without anything between them"

    def __init__(self, way: int) -> None:
        self._card, self._run = WAYS[way], RUNS[way]

    def line(self, line: str) -> str:
        """Return the cards of a line."""
        text = line.strip()
        return " ".join(self._card.findall(text)) if self._run.fullmatch(text) else line


def find(lines: Sequence[str], asked: Asked) -> Layout | None:
    """Return the layout if the first lines are cards in one way."""
    shown = [line.strip() for line in lines if line.strip()][:FIRST]
    if not shown or asked.columns or asked.path:
        return None
    return next((Unparted(way) for way, run in enumerate(RUNS) if all(map(run.fullmatch, shown))), None)
