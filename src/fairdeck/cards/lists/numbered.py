"""Names of cards, top first, each on a line after its place: ``1. Name``, ``2) Name``."""

import re

from fairdeck.cards.lists import DeckList, Entry, Source, plain_name
from fairdeck.errors import FairdeckError

TURN, CALLED = 50, "a numbered list"
PLACE = re.compile(r"(\d{1,7})[.):]\s*(?=\S)")
LOOSE = re.compile(r"(\d{1,7})(?:[.):]\s*|\s+)(?=\S)")  # for lists that are said to be numbered


def fits(source: Source) -> bool:
    """Return whether the lines begin with 1, 2, 3 and so on."""
    return len(source.rows) > 1 and _fault(source, PLACE) is None


def read(source: Source) -> DeckList:
    """Return the list."""
    if (fault := _fault(source, LOOSE)) is not None:
        at, place = fault
        raise FairdeckError(f"line {at} does not begin with its place, {place}. (with a full stop)")
    rows = [line._replace(text=LOOSE.sub("", line.text, count=1).rstrip(",; \t")) for line in source.rows]
    return DeckList("numbered", tuple([Entry(1, plain_name(line), line.at) for line in rows]), ordered=True)


def _fault(source: Source, pattern: re.Pattern[str]) -> tuple[int, int] | None:
    """Return the first line that has not its place, and that place; None if all have."""
    for place, line in enumerate(source.rows, 1):
        found = pattern.match(line.text)
        if not found or int(found[1]) != place:
            return line.at, place
    return None
