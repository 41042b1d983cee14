"""Playing cards in the words of several languages. A list is read by a language only if all its words are in it.

Letters clash: ``DT`` is the ten of diamonds or the *dame de trèfle*. So the shortest English names, which
`fairdeck.cards.names.french_card` reads, come first, and two languages that disagree leave the words as they are. The
words that two languages share, symbols of suits aside, never reach a whole pack, nor 32 cards, if they read any of them
differently: the tests enumerate them.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

from fairdeck.cards.names import FRENCH, RANKS, beside, french_card, is_number
from fairdeck.errors import FairdeckError

# A pack in a language: its suits and its ranks, as in the sorted deck, each with its spellings; and how both are put
# together. The cards of 13 ranks are called as in `FRENCH`, those of other packs by the first spelling of each.
TABLE = """
English: spades spade ♠|hearts heart ♥|diamonds diamond ♦|clubs club ♣
ace a|king k|queen q|jack j|10 ten t|9 nine|8 eight|7 seven|6 six|5 five|4 four|3 three|2 two deuce
{r} of {s}|{s} {r}|{r} {s}

German: pik p ♠|herz h ♥|karo ka ♦|kreuz kr treff ♣
ass as a|könig k|dame d|bube b|10 zehn|9|8|7|6|5|4|3|2
{s} {r}|{s}{r}|{s}-{r}

German, with German suits: Eichel e|Grün gras laub blatt g|Herz rot h|Schellen schelle s
Daus sau ass as a|König k|Ober o|Unter u|10 zehn|9|8|7
{s} {r}|{s}{r}|{s}-{r}

French: pique p ♠|cœur coeur co ♥|carreau ca ♦|trèfle trefle t ♣
as|roi r|dame d|valet v|10 dix|9|8|7|6|5|4|3|2
{r} de {s}|{r} {s}|{r}{s}

Spanish: Oros oro o|Copas copa c|Espadas espada e|Bastos basto b
As 1|Rey r 12|Caballo c 11|Sota s 10|9|8|7|6|5|4|3|2
{r} de {s}|{r}{s}

Italian: Denari d|Coppe c|Spade s|Bastoni b
Asso a 1|Re r 10|Cavallo c 9|Fante f 8|7|6|5|4|3|2
{r} di {s}|{r}{s}
"""
PACKS = {name: rest.split("\n") for name, _, rest in (each.partition(": ") for each in TABLE.strip().split("\n\n"))}


@cache
def pack(language: str) -> dict[str, tuple[int, int]]:
    """Return the cards of a pack by name, sorted, each with the places of its suit and of its rank."""
    suits, ranks, form = (text.split("|") for text in PACKS[language])
    places = list(product(range(len(suits)), range(len(ranks))))
    if len(ranks) == len(RANKS):
        return dict(zip(FRENCH, places, strict=True))
    return {form[0].format(s=suits[s].split()[0], r=ranks[r].split()[0]): (s, r) for s, r in places}


@cache
def spellings(language: str) -> dict[str, str]:
    """Return the names of the cards of a pack by their spellings, in lower case; none is that of two cards."""
    suits, ranks, forms = (text.lower().split("|") for text in PACKS[language])
    return {
        form.format(s=s, r=r): name
        for name, (suit, rank) in pack(language).items()
        for s, r, form in product(suits[suit].split(), ranks[rank].split(), forms)
    }


def playing_cards(words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the language in which all words are cards, or jokers beside them, and their names; else nothing twice.

    >>> playing_cards(["10 of Hearts", "Ace of Spades", "joker"]), playing_cards(["Pik Ass", "Herz 10"])
    (('English', ('HT', 'SA', 'Joker')), ('German', ('SA', 'HT')))
    >>> playing_cards(["E-A", "Laub 7"]), playing_cards(["SA", "🃁"]), playing_cards(["7c", "10b"])
    (('German, with German suits', ('Eichel Daus', 'Grün 7')), ('English', ('SA', 'DA')), ('', ()))
    """
    ways = readings(words)
    return next((language, cards) for cards, language in ways.items()) if len(ways) == 1 else ("", ())


def readings(words: Sequence[str]) -> dict[tuple[str, ...], str]:
    """Return all ways to read words as cards, each with its language.

    >>> readings(["7c", "10b"])
    {('7 de Copas', 'Sota de Bastos'): 'Spanish', ('7 di Coppe', 'Re di Bastoni'): 'Italian'}
    """
    if not words or all(map(beside, words)):
        return {}
    if cards := _all_read(words, french_card):
        return {cards: "English"}
    lower = [word.lower() for word in words]
    ways = {_all_read(lower, spellings(language).get): language for language in PACKS}
    return {cards: language for cards, language in ways.items() if cards}


def may_be_card(word: str) -> bool:
    """Say whether a word is a card in any language, or may lie beside some."""
    return bool(french_card(word) or beside(word)) or any(word.lower() in spellings(language) for language in PACKS)


def in_short(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return words as cards, and their language, if they are a whole pack, or are short already; else as they are.

    >>> in_short(["Pik Ass", "Herz Ass"]), in_short(["Pik Ass", "Herz 10"]), in_short(["A♠", "♥10"])
    (('German', ('SA', 'HA')), ('', ['Pik Ass', 'Herz 10']), ('English', ('SA', 'HT')))
    """
    language, cards = playing_cards(words)
    if not cards:
        return "", words
    places = {pack(language)[card] for card in cards if card in pack(language)}
    suits, ranks = map(set, zip(*places, strict=True))
    whole = len(places) == len(suits) * len(ranks)
    return (language, cards) if whole or any(map(french_card, words)) else ("", words)


def sorted_deck(cards: Sequence[str]) -> tuple[str, ...]:
    """Return the cards as a sorted deck, top first.

    Raises:
        FairdeckError: they are neither playing cards nor numbers.

    >>> sorted_deck(("HT", "Joker", "SA")), sorted_deck(("2", "10", "1")), sorted_deck(("Herz 7", "Eichel Ober"))
    (('SA', 'HT', 'Joker'), ('1', '2', '10'), ('Eichel Ober', 'Herz 7'))
    """
    if all(map(is_number, cards)):
        return tuple(sorted(cards, key=int))
    for language in PACKS:
        places = pack(language)
        if 2 * sum(card in places for card in cards) > len(cards):
            return tuple(sorted(cards, key=lambda name: (places.get(name, (len(places), 0)), name)))
    raise FairdeckError(f"{cards[0]!r} has no place in a sorted deck, as playing cards and numbers have")


def _all_read(words: Sequence[str], known: Callable[[str], str | None]) -> tuple[str, ...]:
    found = []
    for word in words:
        if not (card := known(word) or beside(word)):
            return ()
        found.append(card)
    return tuple(found)
