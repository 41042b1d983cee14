"""Playing cards in the words of several languages. A list is read by a language only if all its words are in it.

Letters clash: ``DT`` is the ten of diamonds or the *dame de trèfle*. So the shortest English names, which
`fairdeck.cards.names.french_card` reads, come first, and two languages that disagree leave the words as they are.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product

from fairdeck.cards.names import french_card, is_joker

PIPS = {str(number): str(number) for number in range(2, 10)}
# A language: its ranks and suits, each with its spellings, and how they are put together. Suits that the French pack
# does not have begin with another letter than S, H, D and C, or the pack has other ranks: then no card of it is French.
GERMAN_RANKS = {"A": "ass as a", "K": "könig k", "Q": "dame d", "J": "bube b", "T": "10 zehn", **PIPS}
FRENCH_SUITED: dict[str, tuple[dict[str, str], dict[str, str], str]] = {
    "English": (
        {
            "A": "ace",
            "K": "king",
            "Q": "queen",
            "J": "jack",
            "T": "10 ten",
            "9": "9 nine",
            "8": "8 eight",
            "7": "7 seven",
            "6": "6 six",
            "5": "5 five",
            "4": "4 four",
            "3": "3 three",
            "2": "2 two deuce",
        },
        {"S": "spades spade ♠", "H": "hearts heart ♥", "D": "diamonds diamond ♦", "C": "clubs club ♣"},
        "{r} of {s}|{s} {r}|{r} {s}",
    ),
    "German": (
        GERMAN_RANKS,
        {"S": "pik p ♠", "H": "herz h ♥", "D": "karo ka ♦", "C": "kreuz kr treff ♣"},
        "{s} {r}|{s}{r}|{s}-{r}",
    ),
    "French": (
        {"A": "as", "K": "roi r", "Q": "dame d", "J": "valet v", "T": "10 dix", **PIPS},
        {"S": "pique p ♠", "H": "cœur coeur co ♥", "D": "carreau ca ♦", "C": "trèfle trefle t ♣"},
        "{r} de {s}|{r} {s}|{r}{s}",
    ),
}


@cache
def _spellings(language: str) -> dict[str, str]:
    """Return the cards of a language by their spellings in lower case; a spelling of two cards is left out."""
    ranks, suits, forms = FRENCH_SUITED[language]
    found: dict[str, set[str]] = {}
    for (rank, ranked), (suit, suited) in product(ranks.items(), suits.items()):
        for one, other, form in product(ranked.split(), suited.split(), forms.split("|")):
            found.setdefault(form.format(r=one, s=other), set()).add(suit + rank)
    return {spelt: next(iter(cards)) for spelt, cards in found.items() if len(cards) == 1}


def as_french_cards(words: Iterable[str]) -> tuple[str, ...]:
    """Return words as French cards, where all are, or are jokers, in one language; else nothing.

    >>> as_french_cards(["10 of Hearts", "Ace of Spades", "joker"]), as_french_cards(["Pik Ass", "Herz 10"])
    (('HT', 'SA', 'Joker'), ('SA', 'HT'))
    """
    given = list(words)
    if not given or all(map(is_joker, given)):
        return ()
    if found := _all_read([french_card(word) for word in given], given):
        return found
    lower = [word.lower() for word in given]
    readings = {_all_read([_spellings(language).get(word) for word in lower], given) for language in FRENCH_SUITED}
    readings.discard(())
    return readings.pop() if len(readings) == 1 else ()


def in_short(words: Sequence[str]) -> Sequence[str]:
    """Return words as French cards, if they are a whole pack, or are short already; else as they are.

    >>> in_short(["Pik Ass", "Herz Ass"]), in_short(["Pik Ass", "Herz 10"]), in_short(["A♠", "♥10"])
    (('SA', 'HA'), ['Pik Ass', 'Herz 10'], ('SA', 'HT'))
    """
    cards = as_french_cards(words)
    pack = {card for card in cards if not is_joker(card)}
    suits, ranks = ({card[at] for card in pack} for at in (0, 1))
    return cards if cards and (len(pack) == len(suits) * len(ranks) or any(map(french_card, words))) else words


def _all_read(cards: Sequence[str | None], words: Sequence[str]) -> tuple[str, ...]:
    found = [card or (word.capitalize() if is_joker(word) else "") for card, word in zip(cards, words, strict=True)]
    return tuple(found) if all(found) else ()
