"""Kinds of cards, as people type them: ``land=1-24,ramp=25-30`` or ``land=Forest,Island``."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from fairdeck.errors import FairdeckError, nearest
from fairdeck.lab.observations import Kind
from fairdeck.numbers import shortened

RANGE = re.compile(r"([0-9]{1,99})(?:\s*-\s*([0-9]{1,99}))?")
HOW = "write NAME=CARDS, such as land=1-24,ramp=25-30 (places in the list, from 1) or land=Forest,Island"


def kinds_as_text(kinds: Mapping[str, object] | str) -> str:
    """Return kinds, by name their cards, as they are typed.

    >>> kinds_as_text({"land": ["Forest", "Island"], "ramp": range(25, 27)})
    'land=Forest,Island,ramp=25,26'
    """
    if isinstance(kinds, str):
        return kinds
    cards = {
        name: [each] if isinstance(each, str) or not hasattr(each, "__iter__") else each for name, each in kinds.items()
    }
    return ",".join(f"{name}={','.join(map(str, each))}" for name, each in cards.items())


def kinds_of(text: str, deck: Sequence[str], cards: int) -> tuple[Kind, ...]:
    """Return the kinds of a deck of so many cards, whose names, in the order of its list, are `deck`.

    Without a text, each name with two copies or more is a kind.

    Raises:
        FairdeckError: there is no such card, or a card is of two kinds, or all are of one.
    """
    named = {name: tuple(sorted(places)) for name, places in _typed(text, deck, cards)} if text else _copies(deck)
    kind_of: dict[int, str] = {}
    for name, places in named.items():
        if len(places) == cards:
            if not text:
                raise FairdeckError(f"deck: all {cards:,} cards are called {shortened(name)}: any order is the same")
            raise FairdeckError(f"kinds: all {cards:,} cards are of the kind {shortened(name)}: leave it out")
        for place in places:
            other = kind_of.setdefault(place, name)
            if other != name:
                told = f"card {place + 1}{f', {shortened(deck[place])},' if deck else ''}"
                raise FairdeckError(
                    f"kinds: {told} is of the kinds {shortened(other)} and {shortened(name)}: put it in one"
                )
    return tuple(Kind(name, places) for name, places in named.items())


def _copies(deck: Sequence[str]) -> dict[str, tuple[int, ...]]:
    often = [name for name, copies in Counter(deck).items() if copies > 1]
    places: dict[str, list[int]] = {name: [] for name in often}
    for place, name in enumerate(deck):
        if name in places:
            places[name].append(place)
    return {name: tuple(each) for name, each in places.items()}


def _typed(text: str, deck: Sequence[str], cards: int) -> Iterator[tuple[str, set[int]]]:
    known: dict[str, set[int]] = {}
    for place, name in enumerate(deck):
        known.setdefault(name, set()).add(place)
    groups: list[tuple[str, list[str]]] = []
    for part in map(str.strip, text.split(",")):
        name, equals, first = part.partition("=")
        if equals and name.strip() and part not in known:
            groups.append((name.strip(), [first.strip()]))
        elif groups:
            groups[-1][1].append(part)
        else:
            raise FairdeckError(f"kinds: {shortened(part)} has no name of a kind; {HOW}")
    if len({name for name, _ in groups}) < len(groups):
        raise FairdeckError(f"kinds: {shortened(text)} names a kind twice; {HOW}")
    for name, parts in groups:
        yield name, set().union(*_cards(name, parts, known, cards))


def _cards(kind: str, parts: Sequence[str], known: Mapping[str, set[int]], cards: int) -> Iterator[set[int]]:
    at = 0
    while at < len(parts):
        # A name may have commas, so the longest name from here on counts.
        ends = (end for end in range(len(parts), at, -1) if ", ".join(parts[at:end]) in known)
        if end := next(ends, 0):
            yield known[", ".join(parts[at:end])]
            at = end
            continue
        part, at = parts[at], at + 1
        if not part:
            raise FairdeckError(f"kinds: the kind {shortened(kind)} has a comma or '=' with no card after it; {HOW}")
        told = f"kinds: {shortened(part)}, of the kind {shortened(kind)}"
        numbers = RANGE.fullmatch(part)
        if not numbers:
            near = nearest(part, known) or (f"; {HOW}" if known else "; the cards have no names: give their list, deck")
            raise FairdeckError(f"{told}, is no card of the list{near}")
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        if not 1 <= first <= last <= cards:
            raise FairdeckError(f"{told}: the list has the places 1 to {cards}")
        yield set(range(first - 1, last))
