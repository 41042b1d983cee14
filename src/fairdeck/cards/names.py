"""Cards with names: the 52 French cards, numbered cards, and decks of your own names.

A list of cards is written as people read a deck, **top first**; everywhere else position 0 is the bottom (see
`fairdeck.permutation`). Equal cards have the same name: two packs, 24 Islands, blank tokens.

A French card is called by suit and rank, as in Portable Bridge Notation: ``SA``, ``HT``, ``D7``. The **sorted deck** is
spades, hearts, diamonds, clubs, each from the ace down to the two; jokers lie below them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from unicodedata import name as name_of
from unicodedata import normalize

from fairdeck.cards import LARGEST_DECK
from fairdeck.errors import FairdeckError

SUITS, RANKS = "SHDC", "AKQJT98765432"
FRENCH = tuple(suit + rank for suit, rank in product(SUITS, RANKS))  # sorted, top first
PLACES = {name: place for place, name in enumerate(FRENCH)}
SYMBOLS = str.maketrans("♠♤♥♡♦♢♣♧", "SSHHDDCC", "\ufe0e\ufe0f")  # the last two choose between text and picture
LONGEST_NAME = 80
JOKER = "joker"
MOST_NAMED = 5  # cards that a message names
PARTED = {"lines": r"\n", "commas": r"\n\t,;", "words": r"\s,;"}  # the letters between names
SAMPLES = "SA, A♠, 10♥ or Joker"
HOW = "list the cards, top first, one a line or with commas between"
PLACE = re.compile(r"(\d{1,7})[.):]\s*(?=\S)")
# What a line may be that is not the name of a card. A name that looks like one of these is put in quotation marks.
NO_NAMES = {
    "begins with a number, as counts and places do": r"(?:SB:\s*|[x×](?=\d+\s))?\d+\s*(?:[x×*]\s|[.):,;]|\s)"
    r"(?!\s*(?:of|de|di|von)\b)",
    "ends with a count": r".*\s[x×]\s?\d+$",
    "belongs to a program, a table or markup": r"[\[(]|.*[{}<>|\\=]",
    "is a heading or a comment": r"[#!%]|//|--|[-*•]\s|\*\*|.*:\s*\d*$|"
    r"(?:deck|main(?:board)?|sideboard|commander|companion|maybeboard|tokens)$",
    "is a hand of a board, which fairdeck boards reads": r"(?:[NESW]:)?(?:[AKQJT\dx-]*\.){3}[AKQJT\dx-]*$",
    "is several cards without blanks": r"(?:(?:10|[2-9AKQJT])[SHDC♠♥♦♣]){3,}$|[\U0001f0a0-\U0001f0ff]{2}",
    "is a line of a log": r"\d{4}-\d\d-\d\d|.*\d\d:\d\d:\d\d",
    "begins with a quotation mark that has no end": r"[\"“„«][^\"”“»]*$",
}
NAMES_ONLY = "write one card a line and nothing else, equal cards too; a name in quotation marks is taken as it is"


@dataclass(frozen=True, slots=True)
class _Word:
    """A name in a list, and where it stands: its line and its number in the list, both from 1."""

    text: str
    line: int
    number: int
    quoted: bool = False


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

    French cards and numbers are parted by blanks, commas or line breaks. Of other names, a line is one card, with its
    commas; only a list of one line is parted, by commas or else by blanks. A name in quotation marks is never parted.
    Lines that begin with ``1.``, ``2.`` and so on are read without these numbers.

    Equal cards may stand in the list more than once: other names as often as you like, French cards and numbers each as
    often as the others, as in two packs.

    Args:
        text: the list; or the names, one by one.
        what: names the list in messages.
        deck: the cards that it must have, each as often as here; by default any deck: French cards, with or without
            jokers; the numbers from 1 on; or other names.
        whole: without `deck`, whether all suits of French cards must have the same ranks. If not, the list is still
            refused where as many cards are missing as are there too often.

    Raises:
        FairdeckError: a card is unknown, missing, or there too often; the message names its line.

    >>> read_cards("10♥ AS, Kc\nD2", deck=("SA", "HT", "D2", "CK"))
    ('HT', 'SA', 'CK', 'D2')
    """
    if isinstance(text, str):
        given = _listed(text, what, deck)
    else:
        given = [_Word(normalize("NFC", str(name)), at, at) for at, name in enumerate(text, 1)]
    if not given:
        raise FairdeckError(f"{what}: no card is named; {HOW}")
    if len(given) > LARGEST_DECK:
        raise FairdeckError(f"{what}: {len(given)} cards are named; a deck has at most {LARGEST_DECK}")
    kind = _kind_of_names([word.text for word in given])
    known = None if deck is None else dict.fromkeys(deck)
    names = tuple([_card_meant(word, what, kind, known) for word in given])
    there = Counter(names)
    wanted = _whole_packs(there, kind) if deck is None else Counter(deck)
    if whole or deck is not None or kind == "numbers" or (there - wanted).total() == (wanted - there).total():
        _demand_each(given, names, wanted, what, kind)
    return names


def sorted_deck(cards: Sequence[str]) -> tuple[str, ...]:
    """Return the cards as a sorted deck, top first.

    Raises:
        FairdeckError: they are neither French cards nor numbers.

    >>> sorted_deck(("HT", "Joker", "SA")), sorted_deck(("2", "10", "1"))
    (('SA', 'HT', 'Joker'), ('1', '2', '10'))
    """
    kind = _kind_of_names(cards)
    if kind == "numbers":
        return tuple(sorted(cards, key=int))
    if kind == "french":
        return tuple(sorted(cards, key=lambda name: (PLACES.get(name, len(PLACES)), name)))
    raise FairdeckError(f"{cards[0]!r} has no place in a sorted deck, as French cards and numbers have")


def summary_of_names(cards: Sequence[str]) -> str:
    """Return how many cards were read, from the first name to the last, and how many are equal; empty if all are known.

    >>> summary_of_names(["Old Warden, the Gate", "Marsh"]), summary_of_names(FRENCH)
    ("2 cards, from 'Old Warden, the Gate' to 'Marsh'", '')
    >>> summary_of_names(["Marsh", "Fox", "Marsh"]), summary_of_names(FRENCH * 2)
    ("3 cards with 2 names, from 'Marsh' to 'Marsh'; 2 are called 'Marsh'", '104 cards with 52 names')
    """
    counts, own = Counter(cards), _kind_of_names(cards) == "own"
    equal = len(counts) < len(cards)
    summary = f"{len(cards)} cards" + (f" with {len(counts)} name{'s'[: len(counts) > 1]}" if equal else "")
    if own:
        summary += f", from {cards[0]!r} to {cards[-1]!r}"
        if equal:
            [(name, times)] = counts.most_common(1)
            summary += f"; {times} are called {name!r}"
    return summary if own or equal else ""


def _listed(text: str, what: str, deck: Sequence[str] | None) -> list[_Word]:
    """Return the names in a list; see `read_cards`."""
    lines = [
        (at, shown) for at, line in enumerate(text.splitlines(), 1) if (shown := line.strip().rstrip(",;").rstrip())
    ]
    places = [PLACE.match(line) for _, line in lines]
    if len(lines) > 1 and [place and int(place[1]) for place in places] == [*range(1, len(lines) + 1)]:
        lines = [(at, line[place.end() :]) for (at, line), place in zip(lines, places, strict=True) if place]
    if deck is not None:
        return _listed_from(lines, deck)
    commas, words = (_parted(lines, way) for way in ("commas", "words"))
    if len(commas) > 1 and all(french_card(word.text) or _is_joker(word.text) for word in commas):
        return commas  # the name of a joker may have blanks
    if _kind_of_names([word.text for word in words]) != "own":
        return words
    named = _parted(lines, "lines") if len(lines) > 1 else commas if len(commas) > 1 else words
    whole = [] if len(lines) > 1 else _parted(lines, "lines")  # "4 Jack" has a count, though its words have none
    suspect = re.compile("|".join(NO_NAMES.values()), re.IGNORECASE)  # here, because it takes a while
    for word in [*whole, *named]:
        if not word.quoted and suspect.match(word.text):
            kind = next(kind for kind, pattern in NO_NAMES.items() if re.match(pattern, word.text, re.IGNORECASE))
            raise FairdeckError(f"{what}: line {word.line}: {word.text[:40]!r} {kind}: {NAMES_ONLY}")
    if len(lines) > 1 and all(re.search("[,;]", word.text) and not word.quoted for word in named):
        raise FairdeckError(
            f"{what}: each line has a comma, such as {named[0].text[:40]!r}: if this is one card, put its name in "
            "quotation marks; if it is more, write one card a line"
        )
    if len(named) == 1:
        raise FairdeckError(f"{what}: only one card is named, {named[0].text[:40]!r}; {HOW}")
    return named


def _listed_from(lines: Sequence[tuple[int, str]], deck: Sequence[str]) -> list[_Word]:
    """Return the names in a list whose cards are known: parted so that all are cards of the deck, where possible."""
    known = frozenset(deck)
    for way in PARTED:
        words = _parted(lines, way)
        if all(not known.isdisjoint((word.text, french_card(word.text), _tidied(word.text))) for word in words):
            return words
    whole = (way for way in reversed(PARTED) if not any(re.search(f"[{PARTED[way]}]", name) for name in deck))
    return _parted(lines, next(whole, "lines"))


def _parted(lines: Sequence[tuple[int, str]], way: str) -> list[_Word]:
    """Return the names in lines; one in quotation marks is not parted."""
    between = PARTED[way]
    plain = rf"[^{between}]+"
    quoted = rf'"(?:[^"]|""){{1,{LONGEST_NAME}}}"(?=\s*(?:[{between}]|$))'
    found: list[_Word] = []
    for at, line in lines:
        for piece in re.findall(rf"{quoted}|{plain}" if '"' in line else plain, line):
            name = piece.strip()
            if not name.isascii():
                name = re.sub(r"[^\S\t]+", " ", name)
            if whole := len(name) > 2 and name[0] == name[-1] == '"' and '"' not in name[1:-1].replace('""', ""):
                name = name[1:-1].replace('""', '"').strip()
            if name:
                found.append(_Word(normalize("NFC", name), at, len(found) + 1, whole))
    return found


def _kind_of_names(words: Sequence[str]) -> str:
    """Return what most of the names are: "french", "numbers" or "own"."""
    if all(map(_is_number, words)):
        return "numbers"
    return "french" if 2 * sum(french_card(word) is not None for word in words) > len(words) else "own"


def _is_joker(word: str) -> bool:
    return word.lower().startswith(JOKER)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= len(str(LARGEST_DECK))


def _card_meant(word: _Word, what: str, kind: str, known: Mapping[str, None] | None) -> str:
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
        remedy = f"a card of this deck, {_first_names(list(known))}" if known else f"a French card; write {SAMPLES}"
        raise FairdeckError(f"{place}: {text[:40]!r}{_strange(text)} is not {remedy}")
    return name


def _strange(text: str) -> str:
    """Return what tells a letter that may look like one of another alphabet; empty if there is none."""
    other = next((letter for letter in text[:40] if letter.isalpha() and not letter.isascii()), None)
    return f" (with {other!r}, {name_of(other, 'an unknown letter')})" if other else ""


def _tidied(text: str) -> str:
    return str(int(text)) if _is_number(text) else " ".join(text.split())


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


def _demand_each(given: Sequence[_Word], names: Sequence[str], wanted: Mapping[str, int], what: str, kind: str) -> None:
    """Raise a FairdeckError, with the first card that is there too often, unless each is there as often as wanted."""
    there = Counter(names)
    missing = list((Counter(wanted) - there).elements())
    lacking = f"{'1 card is' if len(missing) == 1 else f'{len(missing)} cards are'} missing: {_first_names(missing)}"
    often = set(wanted.values())
    remedy = f"name every card {_times(*often) if len(often) == 1 else 'as often as it is in the deck'}"
    seen = Counter[str]()
    for word, name in zip(given, names, strict=True):
        seen[name] += 1
        if seen[name] > wanted.get(name, there[name]):
            first = given[names.index(name)]
            raise FairdeckError(
                f"{what}: line {word.line}, card {word.number}: {name} is there {_times(there[name])}, first in line "
                f"{first.line}, card {first.number}{f', and {lacking}' * bool(missing)}; {remedy}"
            )
    if missing:
        numbers = f"; the {len(names)} cards must be numbered 1 to {len(wanted)}, from the top"
        raise FairdeckError(f"{what}: {lacking}; {remedy}{numbers * (kind == 'numbers')}")


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _first_names(names: Sequence[str]) -> str:
    more = ", ..." if len(names) > MOST_NAMED else ""
    return ", ".join([name[:LONGEST_NAME] for name in names[:MOST_NAMED]]) + more
