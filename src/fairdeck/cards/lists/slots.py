"""JSON of arkhamdb and marvelcdb: ``{"slots": {"01006": 2}}``, the number of copies of each card's code."""

import json

from fairdeck.cards import LARGEST_DECK
from fairdeck.cards.lists import DeckList, Entry, Source
from fairdeck.cards.text import excerpt, tidied
from fairdeck.errors import FairdeckError

TURN, CALLED = 20, "a JSON deck"


def fits(source: Source) -> bool:
    """Return whether the text begins as JSON does."""
    return source.rows[0].text.startswith(("{", '["', "[{", "[["))


def read(source: Source) -> DeckList:
    """Return the list."""
    try:
        data = json.loads(source.text.lstrip("\ufeff"), object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise FairdeckError(f"line {error.lineno} is not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        told = str(error) if isinstance(error, FairdeckError) else "the list is too deep, or has too large a number"
        raise FairdeckError(told) from None
    slots = data.get("slots") if isinstance(data, dict) else None
    if not isinstance(slots, dict):
        raise FairdeckError('JSON without "slots": {card: count} is no deck')
    beside = data.get("sideSlots")
    side = _entries(beside, "sideboard") if isinstance(beside, dict) else ()
    return DeckList("slots", _entries(slots, ""), side)


def _entries(slots: dict[str, object], part: str) -> tuple[Entry, ...]:
    for name, count in slots.items():
        if type(count) is not int or not 0 < count <= LARGEST_DECK:
            raise FairdeckError(f"slots: {excerpt(name)} has the count {count!r:.40}: write 1 to {LARGEST_DECK:,}")
    return tuple([Entry(int(str(count)), tidied(name), 1, part) for name, count in slots.items()])


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object; a name that is there twice is refused, because JSON would keep the last only."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise FairdeckError(f"{excerpt(twice)} is there twice: write each card once")
    return found
