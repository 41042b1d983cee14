"""Hand histories of the large poker clients. Only the hands dealt to the owner of the log are read.

Flops, turns and shown hands are in a log only if somebody played on, so they are no fair sample: a fair deck would
seem to hold too few aces and kings.
"""

import re
from collections.abc import Sequence

from fairdeck.cards.logs import Asked, Layout
from fairdeck.errors import FairdeckError

TURN = 0
# A client's first line; "PokerStars ... #" in any language, and "HandId: #" of Winamax.
BEGINS = re.compile(
    r"[^\n]{0,60}(?:\b(?:Hand|Game|HandId:) #|\bHistory for (?:Game|hand) |Poker\w* [^\n]{0,60}#\d{6})"
    r"|\W{0,9}Game No ?: ?\d|Dealt to .+\["
)
DEALT = re.compile(r"Dealt to .+? \[([^\[\]]*)\]")
NO_SAMPLE = "flops, turns and shown hands are there only if somebody played on, and are no fair sample"


class PokerHands(Layout):
    """The hands after ``Dealt to NAME``."""

    note = f"read as a poker log: the hands dealt to its owner; left out: {NO_SAMPLE}"
    hands = f"hands of a poker log ({NO_SAMPLE})"

    def line(self, line: str) -> str:
        """Return the hand in a line."""
        found = DEALT.match(line)
        return found[1] if found else ""


def find(lines: Sequence[str], _asked: Asked) -> Layout | None:
    """Return the layout of a poker log."""
    if not BEGINS.match("\n".join(lines).lstrip()):
        return None
    if not any(map(DEALT.match, lines)):
        raise FairdeckError(f"a poker log without hands 'Dealt to NAME [..]', so it holds nothing to test: {NO_SAMPLE}")
    return PokerHands()
