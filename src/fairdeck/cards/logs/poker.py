"""Hand histories of the large poker clients. Only the hands dealt to the owner of the log are read.

Flops, turns and shown hands are in a log only if somebody played on, so they are no fair sample: a fair deck would
seem to hold too few aces and kings.
"""

import re
from collections.abc import Sequence

from fairdeck.cards.logs import Asked, Groups, Layout
from fairdeck.errors import FairdeckError

TURN = 0
# A client's first line; "PokerStars ... #" in any language, and "HandId: #" of Winamax.
BEGINS = re.compile(
    r"[^\n]{0,60}(?:\b(?:Hand|Game|HandId:) #|\bHistory for (?:Game|hand) |Poker\w* [^\n]{0,60}#\d{6})"
    r"|\W{0,9}Game No ?: ?\d|Dealt to .+\["
)
DEALT = re.compile(r"Dealt to .+? \[([^\[\]]*)\]")
STREET, CARDS = re.compile(r"\*\*\* ?(?:FLOP|TURN|RIVER)\b.*"), re.compile(r"\[([^\[\]]*)\]")
NO_SAMPLE = "flops, turns and shown hands are there only if somebody played on, and are no fair sample"


class PokerHands(Layout):
    """The hands after ``Dealt to NAME``."""

    note = f"read as a poker log: the hands dealt to its owner, as sets; left out: {NO_SAMPLE}"
    hands = True

    def line(self, line: str) -> str:
        """Return the hand in a line."""
        found = DEALT.match(line)
        return found[1] if found else ""


class PokerBoards(Groups):
    """The hands after ``Dealt to NAME``, each with the cards of its board, in the order in which they came."""

    note = "read as a poker log: the hands dealt to its owner, then the board, which must not depend on unseen cards"
    hands = True

    def begins(self, group: Sequence[str], line: str) -> bool:
        """Return whether the line begins another hand."""
        return bool(BEGINS.match(line)) and any(map(DEALT.match, [*group, line]))

    def deck(self, group: Sequence[str]) -> str:
        """Return the hand and the board of the lines; nothing if there is no hand."""
        hand = next(filter(None, map(DEALT.match, group)), None)
        streets = (STREET.match(line) for line in group)
        return " ".join([hand[1], *(CARDS.findall(street[0])[-1] for street in streets if street)]) if hand else ""


def find(lines: Sequence[str], _asked: Asked) -> Layout | None:
    """Return the layout of a poker log."""
    if not BEGINS.match("\n".join(lines).lstrip()):
        return None
    if not any(map(DEALT.match, lines)):
        raise FairdeckError(f"a poker log without hands 'Dealt to NAME [..]', so it holds nothing to test: {NO_SAMPLE}")
    found = PokerHands()
    found.in_order = PokerBoards()
    return found
