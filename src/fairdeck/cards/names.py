"""Names of cards: the 52 French cards, numbered cards, and your own names.

A deck is written as people read it, **top first**; everywhere else position 0 is the bottom (see
`fairdeck.permutation`). Equal cards have the same name: two packs, 24 Islands, blank tokens.

A French card is called by suit and rank, as in Portable Bridge Notation: ``SA``, ``HT``, ``D7``. The **sorted deck** is
spades, hearts, diamonds, clubs, each from the ace down to the two; jokers lie below them.
"""

import re
from collections.abc import Sequence
from itertools import product
from unicodedata import name as name_of

from fairdeck.cards import LARGEST_DECK

SUITS, RANKS = "SHDC", "AKQJT98765432"
FRENCH = tuple(suit + rank for suit, rank in product(SUITS, RANKS))  # sorted, top first
PLACES = {name: place for place, name in enumerate(FRENCH)}
SYMBOLS = str.maketrans("♠♤♥♡♦♢♣♧", "SSHHDDCC", "\ufe0e\ufe0f")  # the last two choose between text and picture
# From U+1F0A1 on: the knight, C, is of no French pack, and lies beside it as the jokers do.
GLYPHS = {
    chr(0x1F0A0 + 16 * row + at): f"Knight of {suit}" if rank == "C" else SUITS[row] + rank
    for row, suit in enumerate(("spades", "hearts", "diamonds", "clubs"))
    for at, rank in enumerate("A23456789TJCQK", 1)
} | dict(zip("🂿🃏🃟", ("Joker red", "Joker black", "Joker white"), strict=True))
BESIDE = re.compile(r"(?:(?:red|black|white|big|little|roter|schwarzer) )?joker.*|knight of \w+", re.IGNORECASE)
_RANK, _SUIT = r"(?:10|[2-9TJQKA])", "[SHDC♠♥♦♣]"
WAYS = [re.compile(way, re.IGNORECASE) for way in (_RANK + _SUIT, _SUIT + _RANK, f"[{''.join(GLYPHS)}]")]
RUNS = [re.compile(f"(?:{way.pattern}){{2,}}", re.IGNORECASE) for way in WAYS]
RUN = re.compile("|".join(run.pattern for run in RUNS), re.IGNORECASE)
LONGEST_NAME = 80
SAMPLES = "SA, A♠, 10♥ or Joker"


def french_card(word: str) -> str | None:
    """Return a French card's name as PBN writes it, or None.

    >>> [french_card(word) for word in ("SA", "as", "A♠", "10♥", "🂺", "joker")]
    ['SA', 'SA', 'SA', 'HT', 'HT', None]
    """
    name = GLYPHS.get(word, word.translate(SYMBOLS).upper().replace("10", "T"))
    return next((each for each in (name, name[::-1]) if each in PLACES), None)


def numbered_deck(cards: int) -> tuple[str, ...]:
    """Return the names of cards that are numbered from 1, the top card, on."""
    return tuple(map(str, range(1, cards + 1)))


def kind_of_names(words: Sequence[str]) -> str:
    """Return what most of the names are: "french", "numbers" or "own"."""
    if all(map(is_number, words)):
        return "numbers"
    return "french" if 2 * sum(french_card(word) is not None for word in words) > len(words) else "own"


def beside(word: str) -> str | None:
    """Return the name of a card that may lie beside the 52, a joker or the knight of a suit; else None.

    >>> beside("roter JOKER"), beside("🃏"), beside("🂬"), beside("SA")
    ('Roter joker', 'Joker black', 'Knight of spades', None)
    """
    text = GLYPHS.get(word, word)
    return text.capitalize() if BESIDE.fullmatch(text) else None


def undivided(word: str) -> list[str]:
    """Return the cards that a word has without anything between them; of any other word itself.

    >>> undivided("KCJS9D10H"), undivided("🂡🂾"), undivided("Fox")
    (['KC', 'JS', '9D', '10H'], ['🂡', '🂾'], ['Fox'])
    """
    if not RUN.fullmatch(word):
        return [word]
    return next(way.findall(word) for way, run in zip(WAYS, RUNS, strict=True) if run.fullmatch(word))


def is_number(word: str) -> bool:
    """Return whether a word can be the number of a card."""
    return word.isascii() and word.isdigit() and len(word) <= len(str(LARGEST_DECK))


def strange_letter(text: str) -> str:
    """Return what tells a letter that may look like one of another alphabet; empty if there is none."""
    other = next((letter for letter in text[:40] if letter.isalpha() and not letter.isascii()), None)
    return f" (with {other!r}, {name_of(other, 'an unknown letter')})" if other else ""
