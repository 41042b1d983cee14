"""Names of cards: the 52 French cards, numbered cards, and your own names.

A deck is written as people read it, **top first**; everywhere else position 0 is the bottom (see
`fairdeck.permutation`). Equal cards have the same name: two packs, 24 Islands, blank tokens.

A French card is called by suit and rank, as in Portable Bridge Notation: ``SA``, ``HT``, ``D7``. The **sorted deck** is
spades, hearts, diamonds, clubs, each from the ace down to the two; jokers lie below them.
"""

from collections.abc import Sequence
from itertools import product
from unicodedata import name as name_of

from fairdeck.cards import LARGEST_DECK
from fairdeck.errors import FairdeckError

SUITS, RANKS = "SHDC", "AKQJT98765432"
FRENCH = tuple(suit + rank for suit, rank in product(SUITS, RANKS))  # sorted, top first
PLACES = {name: place for place, name in enumerate(FRENCH)}
SYMBOLS = str.maketrans("♠♤♥♡♦♢♣♧", "SSHHDDCC", "\ufe0e\ufe0f")  # the last two choose between text and picture
LONGEST_NAME = 80
JOKER = "joker"
SAMPLES = "SA, A♠, 10♥ or Joker"


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


def sorted_deck(cards: Sequence[str]) -> tuple[str, ...]:
    """Return the cards as a sorted deck, top first.

    Raises:
        FairdeckError: they are neither French cards nor numbers.

    >>> sorted_deck(("HT", "Joker", "SA")), sorted_deck(("2", "10", "1"))
    (('SA', 'HT', 'Joker'), ('1', '2', '10'))
    """
    kind = kind_of_names(cards)
    if kind == "numbers":
        return tuple(sorted(cards, key=int))
    if kind == "french":
        return tuple(sorted(cards, key=lambda name: (PLACES.get(name, len(PLACES)), name)))
    raise FairdeckError(f"{cards[0]!r} has no place in a sorted deck, as French cards and numbers have")


def kind_of_names(words: Sequence[str]) -> str:
    """Return what most of the names are: "french", "numbers" or "own"."""
    if all(map(is_number, words)):
        return "numbers"
    return "french" if 2 * sum(french_card(word) is not None for word in words) > len(words) else "own"


def is_joker(word: str) -> bool:
    """Return whether a word is the name of a joker."""
    return word.lower().startswith(JOKER)


def is_number(word: str) -> bool:
    """Return whether a word can be the number of a card."""
    return word.isascii() and word.isdigit() and len(word) <= len(str(LARGEST_DECK))


def strange_letter(text: str) -> str:
    """Return what tells a letter that may look like one of another alphabet; empty if there is none."""
    other = next((letter for letter in text[:40] if letter.isalpha() and not letter.isascii()), None)
    return f" (with {other!r}, {name_of(other, 'an unknown letter')})" if other else ""
