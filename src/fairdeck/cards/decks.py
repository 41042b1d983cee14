"""Decks that people name card by card: a list that was read, or names, made the cards of one deck, top first."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from fairdeck.cards import LARGEST_DECK
from fairdeck.cards.languages import in_short
from fairdeck.cards.lists import HOW, DeckList, read_list
from fairdeck.cards.names import (
    FRENCH,
    LONGEST_NAME,
    PLACES,
    SAMPLES,
    beside,
    french_card,
    is_number,
    kind_of_names,
    numbered_deck,
    strange_letter,
)
from fairdeck.cards.text import Line, tidied
from fairdeck.errors import FairdeckError, naming

MOST_NAMED = 5  # cards that a message names


def read_cards(
    text: str | Iterable[str] | DeckList, what: str = "cards", deck: Sequence[str] | None = None, *, whole: bool = True
) -> tuple[str, ...]:
    r"""Read the cards of a deck, top first.

    Equal cards may stand in the list more than once: other names as often as you like, French cards and numbers each as
    often as the others, as in two packs.

    Args:
        text: a list in any format of `fairdeck.cards.lists`; or one that was read; or the names, one by one.
        what: names the list in messages.
        deck: the cards that it must have, each as often as here; by default any deck: French cards, with or without
            jokers; the numbers from 1 on; or other names.
        whole: without `deck`, whether all suits of French cards must have the same ranks. If not, the list is still
            refused where as many cards are missing as are there too often.

    Raises:
        FairdeckError: the list cannot be read, or a card is unknown, missing, or there too often; the message names
            its line.

    >>> read_cards("10♥ AS, Kc\nD2", deck=("SA", "HT", "D2", "CK"))
    ('HT', 'SA', 'CK', 'D2')
    """
    given = _given(text, what, deck)
    what = source_of(text, what)
    if not given:
        raise FairdeckError(f"{what}: no card is named; {HOW}")
    if len(given) > LARGEST_DECK:
        raise FairdeckError(f"{what}: {len(given)} cards are named; a deck has at most {LARGEST_DECK}")
    kind = kind_of_names([word.text for word in given])
    known = None if deck is None else dict.fromkeys(deck)
    names = tuple([_card_meant(word, number, what, kind, known) for number, word in enumerate(given, 1)])
    there = Counter(names)
    wanted = _whole_packs(there, kind) if deck is None else Counter(deck)
    if whole or deck is not None or kind == "numbers" or (there - wanted).total() == (wanted - there).total():
        _demand_each(given, names, wanted, what, kind)
    return names


def source_of(given: object, what: str) -> str:
    """Return what messages call a list: its file, if it was read from one."""
    return (given.file if isinstance(given, DeckList) else "") or what


def _given(text: str | Iterable[str] | DeckList, what: str, deck: Sequence[str] | None) -> list[Line]:
    """Return the names in a list, or those that are given."""
    if not isinstance(text, str | DeckList):
        _, names = in_short([tidied(str(name)) for name in text])
        return [Line(at, name) for at, name in enumerate(names, 1)]
    with naming(what):
        found = text if isinstance(text, DeckList) else read_list(text, known=deck or ())
    lines = [entry.line for entry in found.main for _ in range(entry.copies)]
    return list(map(Line, lines, found.names))


def _card_meant(word: Line, number: int, what: str, kind: str, known: Mapping[str, None] | None) -> str:
    text, place = word.text, f"{what}: line {word.at}, card {number}"
    if not text.isprintable() or len(text) > LONGEST_NAME:
        raise FairdeckError(f"{place}: {text[:40]!r} is no name of a card: use up to {LONGEST_NAME} printable letters")
    french = french_card(text)
    if known is not None:
        name = next((each for each in (text, french, _short(text)) if each in known), None)
    elif kind == "french":
        name = french or beside(text)
    else:
        name = _short(text) if kind == "numbers" else text
    if name is None:
        remedy = f"a card of this deck, {_first_names(list(known))}" if known else f"a French card; write {SAMPLES}"
        raise FairdeckError(f"{place}: {text[:40]!r}{strange_letter(text)} is not {remedy}")
    return name


def _whole_packs(there: Mapping[str, int], kind: str) -> Counter[str]:
    """Return which cards, and how often, a list of such cards must have: as many packs as most of them are there."""
    if kind == "own":
        return Counter(there)
    counts = {name: times for name, times in there.items() if kind == "numbers" or name in PLACES}
    votes = Counter(counts.values())
    packs = min(votes, key=lambda times: (-votes[times], times))
    if kind == "numbers":
        return Counter(dict.fromkeys(numbered_deck(-(-sum(counts.values()) // packs)), packs))
    suits, ranks = ({name[at] for name in counts} for at in (0, 1))
    pack = {name: packs for name in FRENCH if name[0] in suits and name[1] in ranks}
    return Counter({name: times for name, times in there.items() if name not in counts} | pack)  # any jokers


def _demand_each(given: Sequence[Line], names: Sequence[str], wanted: Mapping[str, int], what: str, kind: str) -> None:
    """Raise a FairdeckError, with the first card that is there too often, unless each is there as often as wanted."""
    there = Counter(names)
    missing = list((Counter(wanted) - there).elements())
    lacking = f"{'1 card is' if len(missing) == 1 else f'{len(missing)} cards are'} missing: {_first_names(missing)}"
    often = set(wanted.values())
    remedy = f"name every card {_times(*often) if len(often) == 1 else 'as often as it is in the deck'}"
    seen = Counter[str]()
    for number, (word, name) in enumerate(zip(given, names, strict=True), 1):
        seen[name] += 1
        if seen[name] > wanted.get(name, there[name]):
            first = names.index(name)
            raise FairdeckError(
                f"{what}: line {word.at}, card {number}: {name} is there {_times(there[name])}, first in line "
                f"{given[first].at}, card {first + 1}{f', and {lacking}' * bool(missing)}; {remedy}"
            )
    if missing:
        numbers = f"; the {len(names)} cards must be numbered 1 to {len(wanted)}, from the top"
        raise FairdeckError(f"{what}: {lacking}; {remedy}{numbers * (kind == 'numbers')}")


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _first_names(names: Sequence[str]) -> str:
    more = ", ..." if len(names) > MOST_NAMED else ""
    return ", ".join([name[:LONGEST_NAME] for name in names[:MOST_NAMED]]) + more


def _short(text: str) -> str:
    return str(int(text)) if is_number(text) else tidied(text)
