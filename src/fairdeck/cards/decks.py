"""Decks that people name card by card: a list that was read, or names, made the cards of one deck, top first."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fairdeck.cards import LARGEST_DECK
from fairdeck.cards.lists import HOW, DeckList, read_list
from fairdeck.cards.names import (
    FRENCH,
    LONGEST_NAME,
    PLACES,
    SAMPLES,
    french_card,
    is_joker,
    is_number,
    kind_of_names,
    numbered_deck,
    strange_letter,
)
from fairdeck.cards.text import tidied
from fairdeck.errors import FairdeckError

MOST_NAMED = 5  # cards that a message names


@dataclass(frozen=True, slots=True)
class _Word:
    """A name in a list, and where it stands: its line and its number in the list, both from 1."""

    text: str
    line: int
    number: int


def read_cards(
    text: str | Iterable[str] | DeckList, what: str = "cards", deck: Sequence[str] | None = None, *, whole: bool = True
) -> tuple[str, ...]:
    r"""Read the cards of a deck, top first.

    Args:
        text: a list in any format of `fairdeck.cards.lists`; or one that was read; or the names, one by one.
        what: names the list in messages.
        deck: the cards that it must have, each once; by default any deck: French cards, with or without
            jokers; the numbers from 1 on; or other names.
        whole: without `deck`, whether all suits of French cards must have the same ranks.

    Raises:
        FairdeckError: the list cannot be read, or a card is unknown, missing, or there twice; the message names its
            line.

    >>> read_cards("10♥ AS, Kc\nD2", deck=("SA", "HT", "D2", "CK"))
    ('HT', 'SA', 'CK', 'D2')
    """
    given = _given(text, what, deck)
    if not given:
        raise FairdeckError(f"{what}: no card is named; {HOW}")
    if len(given) > LARGEST_DECK:
        raise FairdeckError(f"{what}: {len(given)} cards are named; a deck has at most {LARGEST_DECK}")
    kind = kind_of_names([word.text for word in given])
    known = None if deck is None else dict.fromkeys(deck)
    names: dict[str, _Word] = {}
    for word in given:
        name = _card_meant(word, what, kind, known)
        if name in names:
            first = names[name]
            raise FairdeckError(
                f"{what}: line {word.line}, card {word.number}: {name} is there twice, first in line {first.line}, "
                f"card {first.number}; name every card once"
            )
        names[name] = word
    found = tuple(names)
    if deck is not None or whole or kind == "numbers":
        _demand_all(found, what, kind, _full_deck(found, kind) if deck is None else deck)
    return found


def _given(text: str | Iterable[str] | DeckList, what: str, deck: Sequence[str] | None) -> list[_Word]:
    """Return the names in a list, or those that are given."""
    if not isinstance(text, str | DeckList):
        return [_Word(tidied(str(name)), at, at) for at, name in enumerate(text, 1)]
    try:
        found = text if isinstance(text, DeckList) else read_list(text, known=deck or ())
    except FairdeckError as error:
        raise FairdeckError(f"{what}: {error}") from None
    lines = [entry.line for entry in found.main for _ in range(entry.copies)]
    return [_Word(name, line, at) for at, (name, line) in enumerate(zip(found.names, lines, strict=True), 1)]


def _card_meant(word: _Word, what: str, kind: str, known: Mapping[str, None] | None) -> str:
    """Return the name of the card that a word means."""
    text, place = word.text, f"{what}: line {word.line}, card {word.number}"
    if not text.isprintable() or len(text) > LONGEST_NAME:
        raise FairdeckError(f"{place}: {text[:40]!r} is no name of a card: use up to {LONGEST_NAME} printable letters")
    french = french_card(text)
    if known is not None:
        name = next((each for each in (text, french, _short(text)) if each in known), None)
    elif kind == "french":
        name = french or (text.capitalize() if is_joker(text) else None)
    else:
        name = _short(text) if kind == "numbers" else text
    if name is None:
        remedy = f"a card of this deck, {_first_names(list(known))}" if known else f"a French card; write {SAMPLES}"
        raise FairdeckError(f"{place}: {text[:40]!r}{strange_letter(text)} is not {remedy}")
    return name


def _full_deck(names: Sequence[str], kind: str) -> Sequence[str]:
    """Return the deck that cards of this kind must be all of."""
    if kind == "numbers":
        return numbered_deck(len(names))
    if kind != "french":
        return []
    suits, ranks = ({name[at] for name in names if name in PLACES} for at in (0, 1))
    return [name for name in FRENCH if name[0] in suits and name[1] in ranks]


def _demand_all(names: Sequence[str], what: str, kind: str, deck: Sequence[str]) -> None:
    there = frozenset(names)
    missing = [name for name in deck if name not in there]
    if not missing:
        return
    cards = "card is" if len(missing) == 1 else "cards are"
    numbers = f"; the {len(names)} cards must be numbered 1 to {len(names)}, from the top" if kind == "numbers" else ""
    raise FairdeckError(
        f"{what}: {len(missing)} {cards} missing: {_first_names(missing)}; name every card once{numbers}"
    )


def _first_names(names: Sequence[str]) -> str:
    more = ", ..." if len(names) > MOST_NAMED else ""
    return ", ".join([name[:LONGEST_NAME] for name in names[:MOST_NAMED]]) + more


def _short(text: str) -> str:
    return str(int(text)) if is_number(text) else tidied(text)
