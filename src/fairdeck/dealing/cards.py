"""Cards with names: the 52 French cards, numbered cards, and decks of your own names.

A list of cards is written as people read a deck, **top first**. Only `arrangement_between` turns it over, because
everywhere else position 0 is the bottom (see `fairdeck.permutation`).

A French card is called by suit and rank, as in Portable Bridge Notation: ``SA``, ``HT``, ``D7``. The **sorted deck** is
spades, hearts, diamonds, clubs, each from the ace down to the two; jokers lie below them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from unicodedata import name as name_of
from unicodedata import normalize

from fairdeck.dealing.goal import LARGEST_DECK
from fairdeck.errors import FairdeckError
from fairdeck.permutation import Permutation

SUITS, RANKS = "SHDC", "AKQJT98765432"
FRENCH = tuple(suit + rank for suit, rank in product(SUITS, RANKS))  # sorted, top first
PLACES = {name: place for place, name in enumerate(FRENCH)}
SYMBOLS = str.maketrans("♠♤♥♡♦♢♣♧", "SSHHDDCC", "\ufe0e\ufe0f")  # the last two choose between text and picture
LONGEST_NAME = 80
JOKER = "joker"
SHOWN = 5  # cards that a message names
SEPARATED = {"words": r"[\s,;]+", "commas": r"\s*[,;\n]\s*", "lines": r"\s*\n\s*"}
SAMPLES = "SA, A♠, 10♥ or Joker"
HOW = "list the cards, top first, one a line or with commas between"


@dataclass(frozen=True, slots=True)
class _Word:
    """A name in a list, and where it stands: its line and its number in the list, both from 1."""

    text: str
    line: int
    number: int


def french_card(word: str) -> str | None:
    """Return a French card's name as PBN writes it, or None.

    >>> [french_card(word) for word in ("SA", "as", "A♠", "10♥", "Th", "joker")]
    ['SA', 'SA', 'SA', 'HT', 'HT', None]
    """
    name = word.translate(SYMBOLS).upper().replace("10", "T")
    return next((each for each in (name, name[::-1]) if each in PLACES), None)


def numbered_deck(cards: int) -> tuple[str, ...]:
    """Return the names of cards that are numbered from 1, the top card, on."""
    return tuple(map(str, range(1, cards + 1)))


def read_cards(
    text: str | Iterable[str], what: str = "cards", deck: Sequence[str] | None = None, *, whole: bool = True
) -> tuple[str, ...]:
    r"""Read a list of card names, top first.

    Names of French cards and numbers are parted by blanks, commas or line breaks. Other names may have blanks: they
    are parted by commas or line breaks if there are any.

    Args:
        text: the list; or the names, one by one.
        what: names the list in messages.
        deck: the cards that it must have, each once; by default any deck: French cards, with or without
            jokers; the numbers from 1 on; or other names.
        whole: without `deck`, whether all suits of French cards must have the same ranks.

    Raises:
        FairdeckError: a card is unknown, missing, or there twice; the message names its line.

    >>> read_cards("10♥ AS, Kc\nD2", deck=("SA", "HT", "D2", "CK"))
    ('HT', 'SA', 'CK', 'D2')
    """
    if isinstance(text, str):
        given = list(_words(text, _parted_by(text, deck)))
    else:
        given = [_Word(normalize("NFC", str(name)), at, at) for at, name in enumerate(text, 1)]
    if not given:
        raise FairdeckError(f"{what}: no card is named; {HOW}")
    if len(given) > LARGEST_DECK:
        raise FairdeckError(f"{what}: {len(given)} cards are named; a deck has at most {LARGEST_DECK}")
    kind = _kind([word.text for word in given])
    known = None if deck is None else dict.fromkeys(deck)
    names: dict[str, _Word] = {}
    for word in given:
        name = _name(word, what, kind, known)
        if name in names:
            first = names[name]
            raise FairdeckError(
                f"{what}: line {word.line}, card {word.number}: {name} is there twice, first in line {first.line}, "
                f"card {first.number}; name every card once"
            )
        names[name] = word
    found = tuple(names)
    if deck is not None or whole or kind == "numbers":
        _demand_all(found, what, kind, _whole(found, kind) if deck is None else deck)
    return found


def sorted_deck(cards: Sequence[str]) -> tuple[str, ...]:
    """Return the cards as a sorted deck, top first.

    Raises:
        FairdeckError: they are neither French cards nor numbers.

    >>> sorted_deck(("HT", "Joker", "SA")), sorted_deck(("2", "10", "1"))
    (('SA', 'HT', 'Joker'), ('1', '2', '10'))
    """
    kind = _kind(cards)
    if kind == "numbers":
        return tuple(sorted(cards, key=int))
    if kind == "french":
        return tuple(sorted(cards, key=lambda name: (PLACES.get(name, len(PLACES)), name)))
    raise FairdeckError(f"{cards[0]!r} has no place in a sorted deck, as French cards and numbers have")


def arrangement_between(start: Sequence[str], order: Sequence[str]) -> Permutation:
    """Return the arrangement, bottom first, that brings a deck from `start` into `order`, both top first.

    >>> arrangement_between(("SA", "SK", "SQ"), ("SQ", "SA", "SK"))
    (1, 2, 0)
    """
    place = {name: at for at, name in enumerate(reversed(start))}
    return tuple([place[name] for name in reversed(order)])


def _parted_by(text: str, deck: Sequence[str] | None) -> str:
    """Return what parts the names: "words", "commas" or "lines"."""
    if deck is not None:
        parted = [way for way, between in SEPARATED.items() if not any(re.search(between, name) for name in deck)]
        return parted[0] if parted else "lines"
    named = [part for part in re.split(SEPARATED["commas"], text.strip()) if part]
    if len(named) > 1 and all(french_card(part) or _is_joker(part) for part in named):
        return "commas"  # the name of a joker may have blanks
    if _kind(re.split(SEPARATED["words"], text.strip())) != "own":
        return "words"
    lined = "\n" in text.strip()
    return "commas" if re.search("[,;]", text) else "lines" if lined else "words"


def _words(text: str, parted: str) -> Iterator[_Word]:
    number = 0
    between = SEPARATED[parted].replace(r"\n", "")  # lines are parted first
    for at, line in enumerate(text.splitlines(), 1):
        for word in [line.strip()] if parted == "lines" else re.split(between, line.strip()):
            if word.strip():
                number += 1
                yield _Word(normalize("NFC", word.strip()), at, number)


def _kind(words: Sequence[str]) -> str:
    """Return what most of the names are: "french", "numbers" or "own"."""
    if all(map(_is_number, words)):
        return "numbers"
    return "french" if 2 * sum(french_card(word) is not None for word in words) > len(words) else "own"


def _is_joker(word: str) -> bool:
    return word.lower().startswith(JOKER)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= len(str(LARGEST_DECK))


def _name(word: _Word, what: str, kind: str, known: Mapping[str, None] | None) -> str:
    """Return the name of the card that a word means."""
    text, place = word.text, f"{what}: line {word.line}, card {word.number}"
    if not text.isprintable() or len(text) > LONGEST_NAME:
        raise FairdeckError(f"{place}: {text[:40]!r} is no name of a card: use up to {LONGEST_NAME} printable letters")
    french = french_card(text)
    if known is not None:
        name = next((each for each in (text, french, _tidied(text)) if each in known), None)
    elif kind == "french":
        name = french or (text.capitalize() if _is_joker(text) else None)
    else:
        name = _tidied(text)
    if name is None:
        remedy = f"a card of this deck, {_some(list(known))}" if known else f"a French card; write {SAMPLES}"
        raise FairdeckError(f"{place}: {text[:40]!r}{_strange(text)} is not {remedy}")
    return name


def _strange(text: str) -> str:
    """Return what tells a letter that may look like one of another alphabet; empty if there is none."""
    other = next((letter for letter in text[:40] if letter.isalpha() and not letter.isascii()), None)
    return f" (with {other!r}, {name_of(other, 'an unknown letter')})" if other else ""


def _tidied(text: str) -> str:
    return str(int(text)) if _is_number(text) else " ".join(text.split())


def _whole(names: Sequence[str], kind: str) -> Sequence[str]:
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
    raise FairdeckError(f"{what}: {len(missing)} {cards} missing: {_some(missing)}; name every card once{numbers}")


def _some(names: Sequence[str]) -> str:
    return ", ".join([name[:LONGEST_NAME] for name in names[:SHOWN]]) + (", ..." if len(names) > SHOWN else "")
