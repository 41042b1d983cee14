"""JSON of arkhamdb, marvelcdb, ``{"slots": {"01006": 2}}``, and swudb, ``{"deck": [{"id": "AB_3", "count": 3}]}``."""

import json
from collections.abc import Iterator
from typing import Any

from fairdeck.cards import LARGEST_DECK
from fairdeck.cards.lists import DeckList, Entry, Source
from fairdeck.cards.text import excerpt, tidied
from fairdeck.errors import FairdeckError

TURN, CALLED = 20, "a JSON deck"
PARTS = {"slots": "", "deck": "", "leader": "leader", "secondleader": "leader", "base": "base"}
PARTS |= dict.fromkeys(("sideSlots", "sideboard"), "sideboard")


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
    parts = data if isinstance(data, dict) else {}
    if not isinstance(parts.get("slots"), dict) and not isinstance(parts.get("deck"), list):
        raise FairdeckError('JSON without "slots": {card: count} or "deck": [{"id": card, "count": count}] is no deck')
    found = [entry for key, part in PARTS.items() for entry in _entries(key, parts.get(key), part)]
    main, aside = (tuple([entry for entry in found if bool(entry.part) == beside]) for beside in (False, True))
    return DeckList("slots", main, aside)


def _entries(key: str, cards: Any, part: str) -> Iterator[Entry]:
    """Yield the cards of a part: a count for each name, or objects with ``id`` and ``count``, or one such object."""
    listed = [cards] if isinstance(cards, dict) and "id" in cards else cards
    if isinstance(listed, list):
        pairs = [(each.get("id"), each.get("count")) if isinstance(each, dict) else (each, None) for each in listed]
    else:
        pairs = list(cards.items()) if isinstance(cards, dict) else []
    for name, count in pairs:
        if not isinstance(name, str):
            raise FairdeckError(f"{key}: {str(name)[:40]!r} is no card: write an id and a count for each")
        if type(count) is not int or not 0 < count <= LARGEST_DECK:
            raise FairdeckError(f"{key}: {excerpt(name)} has the count {count!r:.40}: write 1 to {LARGEST_DECK:,}")
        yield Entry(count, tidied(name), 1, part)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object; a name that is there twice is refused, because JSON would keep the last only."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise FairdeckError(f"{excerpt(twice)} is there twice: write each card once")
    return found
