"""What rulebooks of games and casinos call a sufficient shuffle, and what the exact law says of it.

`RULES` is the data: a new rule is one entry. It quotes only what somebody read, with place and date; what nobody
could read is in `NOT_SEEN`, unquoted. No number about a shuffle is written there: a `Verdict` computes them all.

The law is that of ideal riffles (Gilbert, Shannon and Reeds) from a known order of different cards. Real hands are
seldom so good; where a rule also takes mashing for a shuffle, `fairdeck.shuffles.measured` has lower bounds.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import count
from math import factorial
from typing import NamedTuple, cast

from fairdeck.errors import FairdeckError
from fairdeck.parsing import nearest
from fairdeck.shuffles.distances import NEAR_RANDOM, least_distance
from fairdeck.shuffles.measured import mashed_at_least
from fairdeck.shuffles.riffle import gsr_riffles, kept_neighbours, top_card

HALF, NEAR = Fraction(1, 2), NEAR_RANDOM
MASH, PILES, CUT = "mash", "piles", "cut"
UNDATED = "undated"


class Asked(NamedTuple):
    """A deck, and how many shuffles a rule asks for; None where it names no number."""

    cards: int
    shuffles: int | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """What one rulebook says.

    Attributes:
        name: one word for the command line.
        game: what is played, and by whose rules.
        quote: the words that were read; [...] marks an omission.
        document: title and section.
        date: of the document or of its page; `UNDATED` if it shows none.
        address: where it was read.
        asks: decks, and how often to shuffle them. The deck is a usual one where the rule names none.
        allows: other ways that the rule takes for a shuffle: `MASH`, `PILES` in turn, or a `CUT` alone.
        remark: what else to know; may be empty.
        second_hand: whether others quote or retell the rule: the rulebook itself was not seen.
        riffled: whether the things can be riffled; tiles cannot.
    """

    name: str
    game: str
    quote: str
    document: str
    date: str
    address: str
    asks: tuple[Asked, ...]
    allows: tuple[str, ...] = ()
    remark: str = ""
    second_hand: bool = False
    riffled: bool = True


@dataclass(frozen=True)
class Law:
    """What the exact law says of a deck after ideal riffles from a known order."""

    cards: int
    riffles: int

    @cached_property
    def total_variation(self) -> Fraction:
        """The distance from fair."""
        return _distance(self.cards, self.riffles)

    @cached_property
    def top_quarter(self) -> Fraction:
        """The chance that the card that was on top is still in the top quarter."""
        return sum(top_card(self.cards, self.riffles)[: quarter(self.cards)], Fraction(0))

    @cached_property
    def kept_neighbours(self) -> Fraction:
        """The expected number of pairs of neighbours that lie as they lay; a little below 1 in a fair deck."""
        return kept_neighbours(self.cards, 2**self.riffles)


@dataclass(frozen=True)
class Verdict:
    """What is known of one deck of a rule. What the rule says nothing about is None.

    Attributes:
        rule: the rule.
        cards: of the deck.
        law: after as many riffles as the rule asks for shuffles.
    """

    rule: Rule
    cards: int
    law: Law | None

    @property
    def mash_at_least(self) -> float | None:
        """A lower bound on the distance, by simulation, after as many mashes."""
        return mashed_at_least(self.cards, self.law.riffles) if self.law and MASH in self.rule.allows else None

    @property
    def piles(self) -> Fraction | None:
        """The exact distance after dealing onto piles in turn: there is no chance in it, so only one order can come."""
        return 1 - Fraction(1, factorial(self.cards)) if PILES in self.rule.allows else None

    @property
    def cut_at_least(self) -> Fraction | None:
        """A lower bound on the distance after a cut alone: as many orders as cards can come."""
        return least_distance(self.cards, self.cards) if CUT in self.rule.allows else None

    @property
    def near(self) -> int | None:
        """The fewest ideal riffles whose distance is at most `NEAR`; None if nobody can riffle these things."""
        return _fewest(self.cards, NEAR) if self.rule.riffled else None

    @property
    def halfway(self) -> int | None:
        """The same for a distance of one half."""
        return _fewest(self.cards, HALF) if self.rule.riffled else None


class Guesses(NamedTuple):
    """How many cards a player gets right who guesses each before it is dealt face up: a simulation.

    Attributes:
        seed: of the simulation.
        right: by cards and riffles, how many on average, and how many in a fair deck.
    """

    seed: int
    right: Mapping[tuple[int, int], tuple[float, float]]

    def of(self, law: Law) -> tuple[float, float]:
        """Return how many cards are guessed right after these riffles, and how many in a fair deck."""
        return self.right[law.cards, law.riffles]


def verdicts(name: str | None = None) -> tuple[Verdict, ...]:
    """Return what the law says of every rule, or of those whose name or game has `name` in it.

    Raises:
        FairdeckError: no rule has.

    >>> [(each.cards, each.law.riffles) for each in verdicts("cribbage")]
    [(52, 3)]
    """
    wanted = "" if name is None else name.strip().lower()
    found = [rule for rule in RULES if wanted in rule.name or wanted in rule.game.lower()]
    if not found or (name is not None and not wanted):
        raise FairdeckError(
            f"there is no rule {_short(name or '')!r}"
            + (nearest(wanted, NAMES) or f"; write one of {', '.join(NAMES)}, or a part of one")
        )
    return tuple(
        [
            Verdict(rule, cards, None if times is None else Law(cards, times))
            for rule in found
            for cards, times in rule.asks
        ]
    )


def quarter(cards: int) -> int:
    """Return how many cards the top quarter of a deck has, rounded up.

    >>> quarter(52), quarter(30)
    (13, 8)
    """
    return -(-cards // 4)


def to_json(found: Sequence[Verdict], guesses: Guesses | None = None) -> str:
    """Return the verdicts as `fairdeck rules --json` prints them."""
    fields: dict[str, object] = {
        "format": "fairdeck-rules/1",
        "rules": [_fields(each, guesses) for each in found],
        "not_seen": list(NOT_SEEN),
        "near": float(NEAR),
        "seed": None if guesses is None else f"{guesses.seed:x}",
    }
    return json.dumps(fields, ensure_ascii=False)


def _fields(each: Verdict, guesses: Guesses | None) -> dict[str, object]:
    rule, law = each.rule, each.law
    return {
        **{name: getattr(rule, name) for name in ("name", "game", "quote", "document", "date", "address")},
        "second_hand": rule.second_hand,
        "remark": rule.remark,
        "cards": each.cards,
        "shuffles": law and law.riffles,
        "total_variation": law and float(law.total_variation),
        "top_quarter": law and float(law.top_quarter),
        "fair_top_quarter": quarter(each.cards) / each.cards,
        "kept_neighbours": law and float(law.kept_neighbours),
        "mash_at_least": each.mash_at_least,
        "piles_total_variation": each.piles and float(each.piles),
        "cut_at_least": each.cut_at_least and float(each.cut_at_least),
        "riffles_to_half": each.halfway,
        "riffles_to_near": each.near,
        "guessed": list(guesses.of(law)) if guesses and law else None,
    }


@cache
def _distance(cards: int, riffles: int) -> Fraction:
    return cast(Fraction, gsr_riffles(cards, riffles).total_variation)  # an exact law gives a fraction


def _fewest(cards: int, distance: Fraction) -> int:
    return next(riffles for riffles in count() if _distance(cards, riffles) <= distance)


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


RULES = (
    Rule(
        "grand-archive",
        "Grand Archive, tournaments",
        "Decks in limited tournaments of size 30 cards, 5 riffle/mash shuffles is considered sufficient. For a deck "
        "size of 60, 7 riffle/mash shuffles are considered sufficient. A deck size of 75 requires at least 8 shuffles, "
        "and a deck size of 100 requires at least 9.",
        "Grand Archive Tournament Rules, Tournament Mechanics, Shuffling",
        UNDATED,
        "https://trg.gatcg.com/tournament-mechanics/shuffling",
        (Asked(30, 5), Asked(60, 7), Asked(75, 8), Asked(100, 9)),
        (MASH,),
        "Piles and overhand shuffling are not allowed as methods; piles only to count the cards.",
    ),
    Rule(
        "cribbage",
        "Cribbage, American Cribbage Congress",
        "The pack must be mixed at least three times (including mechanical card shufflers) with the cards face down or "
        "otherwise hidden from both players.",
        "Cribbage Official Tournament Rules, rule 2.1, Proper Mixing",
        "in effect since August 2010, says the table of contents",
        "http://cribbage.org/rules/rule2.asp",
        (Asked(52, 3),),
        remark="How to mix is left open: the numbers are for riffles.",
    ),
    Rule(
        "bridge-rubber",
        "Rubber bridge, American Contract Bridge League",
        "It is recommended that the pack be shuffled at least five times",
        "Contract Rubber Bridge Laws, footnote to law 4, The Shuffle (a copy by BridgeHands)",
        UNDATED,
        "http://www.bridgehands.com/Laws/ACBL/Rubber/The_Deal.htm",
        (Asked(52, 5),),
        remark="How to shuffle is left open: the numbers are for riffles. The edition of 2014 was not seen.",
    ),
    Rule(
        "magic-early",
        "Magic: The Gathering, an earlier rule",
        "each player must riffle shuffle their own deck before a game begins at least three times",
        "A Tournament Guide To Shuffling Your Deck, an article of StarCityGames",
        UNDATED,
        "https://articles.starcitygames.com/articles/a-tournament-guide-to-shuffling-your-deck/",
        (Asked(60, 3),),
        remark="The text of 2021, as far as we read it, names no number.",
        second_hand=True,
    ),
    Rule(
        "magic",
        "Magic: The Gathering, tournaments",
        "Randomization is defined as bringing the deck to a state where no player can have any information regarding "
        "the order or position of cards in any portion of the deck. [...] Pile shuffling alone is not sufficiently "
        "random and may not be performed other than once each at the beginning of a game to count the cards in the "
        "deck.",
        "Magic Tournament Rules 3.10, Card Shuffling (a copy annotated by judges)",
        "page changed on 27 September 2021",
        "https://blogs.magicjudges.org/rules/mtr3-10/",
        (Asked(60), Asked(100)),
        remark="Read literally, no number of riffles is enough: the distance never reaches 0. "
        "A deal onto piles counts as counting, not as shuffling.",
    ),
    Rule(
        "magic-judges",
        "Magic: The Gathering, for judges",
        "A deck is not shuffled if the judge believes a player could know the position or distribution of one or more "
        "cards in their deck. [...] the player knows which quarter a particular card is in [...]",
        "Magic Infraction Procedure Guide 3.9, Insufficient Shuffling, and a note of judges on it",
        "page changed on 11 March 2024",
        "https://blogs.magicjudges.org/rules/ipg3-9/",
        (Asked(60),),
        remark="The note also says that the exact number of shuffles cannot be specified. The table's top "
        "quarter answers this question for a card that was on top.",
    ),
    Rule(
        "pokemon",
        "Pokémon TCG, tournaments",
        "players are to riffle, pile, or otherwise shuffle their decks until they are satisfied that the deck is "
        "random",
        "Play! Pokémon TCG Tournament Rules and Formats, section Shuffling, quoted in a forum",
        UNDATED,
        "https://pokegym.net/community/index.php?threads/beginning-of-a-game-shuffling-vs-cutting.184563/latest",
        (Asked(60),),
        (PILES,),
        second_hand=True,
    ),
    Rule(
        "yugioh",
        "Yu-Gi-Oh! TCG, tournaments",
        "must be randomized by using an accepted shuffling method (riffle, pile, Hindu, etc.) and then cut",
        "Tournament Policy of Konami Digital Entertainment, section IV, part I, quoted in a blog",
        "blog of 12 October 2013",
        "http://yugiold.blogspot.com/2013/10/shufflin-on-to-yugioh.html",
        (Asked(40),),
        (PILES,),
        second_hand=True,
    ),
    Rule(
        "keyforge",
        "KeyForge, tournaments",
        "Each player shuffles their deck thoroughly and presents it to their opponent.",
        "Tournament Play, Game Setup, step 4 (a copy in the wiki Archon Arcana)",
        UNDATED,
        "https://archonarcana.com/index.php?title=Tournament_Play&oldid=18538",
        (Asked(36),),
    ),
    Rule(
        "bridge-duplicate",
        "Duplicate bridge, World Bridge Federation",
        "Before play starts, each pack is thoroughly shuffled.",
        "Laws of Duplicate Bridge 2017, law 6A, The Shuffle (a copy by the Polish Bridge Union)",
        "2017",
        "https://www.pzbs.pl/sedziowie/mpb/2017/en/l6.html",
        (Asked(52),),
        remark="Law 6E lets the director have boards dealt in advance, by another method with wholly random "
        "expectations. How the hands are dealt matters too: see fairdeck deal 52 --goal hands:4x13.",
    ),
    Rule(
        "skat",
        "Skat, Internationale Skatordnung",
        "Werden vom Kartengeber die Karten beim Mischen gestochen oder geblättert, so sind sie vor dem Abheben noch "
        "einmal durchzumischen.",
        "Internationale Skatordnung 3.2.3, quoted by a club",
        "club's page of 27 October 2025",
        "https://skattreff.club/?p=23488",
        (Asked(32),),
        remark="In English, as we understand it: if the dealer mixes by pushing the cards into each other or leafing "
        "through them, they are to be mixed once more before the cut.",
        second_hand=True,
    ),
    Rule(
        "coinche",
        "Belote coinchée, Belote Coinchée Montpellier",
        "Le donneur [...] peut mélanger le jeu [...] pour être coupé",
        "Règlement officiel de la coinche simple, La donne",
        "24 September 2016",
        "https://belote-coinchee-montpellier.com/regles-de-la-coinche/",
        (Asked(32),),
        (CUT,),
        "In English: the dealer may mix the cards, if they wish, before the cut. So a cut alone is allowed.",
    ),
    Rule(
        "tarot",
        "French tarot, rules used in tournaments",
        "Le jeu doit être battu par le joueur en face du donneur.",
        "Le règlement, La donne, on the site of a player",
        UNDATED,
        "https://www.beuselinck.fr/article173.html",
        (Asked(78),),
        remark="In English: the player opposite the dealer must shuffle. The text of the federation was not seen.",
        second_hand=True,
    ),
    Rule(
        "poker-new-jersey",
        "Poker, casinos of New Jersey",
        "the dealer shall shuffle the entire deck of cards, either manually or by use of an automated card shuffling "
        "device, so that they are randomly intermixed",
        "New Jersey Administrative Code 13:69F-14.5 (a), Shuffle and cut of the cards",
        "current through 16 September 2024",
        "https://regulations.justia.com/states/new-jersey/title-13/chapter-69f/subchapter-14/section-13-69f-14-5",
        (Asked(52),),
    ),
    Rule(
        "blackjack-new-jersey",
        "Blackjack, casinos of New Jersey",
        "the dealer shall shuffle the cards so that they are randomly intermixed",
        "New Jersey Administrative Code 13:69F-2.5 (a), Shuffle and cut of the cards",
        UNDATED,
        "https://www.law.cornell.edu/regulations/new-jersey/N-J-A-C-13-69F-2-5",
        (Asked(312), Asked(416)),
        remark="Six or eight packs, too many for one pair of hands: the numbers are for riffles of all of them at "
        "once. Cards of one value are equal in blackjack, so fewer would be enough.",
    ),
    Rule(
        "wash-pennsylvania",
        "A new deck, casinos of Pennsylvania",
        "the cards shall be turned face down on the table, mixed thoroughly by a washing of the cards and stacked",
        "58 Pa. Code 639a.4 (c), Opening of the table for gaming",
        UNDATED,
        "https://www.law.cornell.edu/regulations/pennsylvania/58-Pa-Code-SS-639a-4",
        (Asked(52),),
        remark="A shuffle follows. No law of a wash is known, and the rule names no time.",
    ),
    Rule(
        "tiles-maryland",
        "Pai gow tiles, casinos of Maryland",
        "With each hand completing at least eight circular motions to provide a random mixing",
        "Code of Maryland Regulations 36.05.03.31 E (2), Mixing Tiles",
        UNDATED,
        "http://www.dsd.state.md.us/comar/comarhtml/36/36.05.03.31.htm",
        (Asked(32),),
        remark="It counts motions of a wash, not shuffles. No law of a wash is known, so nobody can say what eight are "
        "worth.",
        riffled=False,
    ),
    Rule(
        "machines-maryland",
        "Shuffling machines, casinos of Maryland",
        "An automated shuffling device must meet a 95 percent confidence level using a standard chi-squared test for "
        "goodness of fit.",
        "Code of Maryland Regulations 36.05.02.17 F",
        UNDATED,
        "http://mdrules.elaws.us/comar/36.05.02.17",
        (Asked(52),),
        remark="It names neither what is counted nor how many decks, and a fair machine fails one such test in twenty. "
        "fairdeck test counts the decks of a machine at one level for all its statistics together.",
    ),
)

NAMES = tuple([rule.name for rule in RULES])

NOT_SEEN = (
    "Magic: The Gathering Tournament Rules, the current edition of Wizards of the Coast",
    "Play! Pokémon Tournament Rules Handbook, the section on shuffling",
    "Yu-Gi-Oh! TCG Tournament Policy, the current edition",
    "Flesh and Blood Tournament Rules and Policy, the section on shuffling",
    "Laws of Rubber Bridge 2014, law 4",
    "Robert's Rules of Poker, the sections on shuffling",
    "Poker TDA Rules, what they say of a shuffle",
    "Nevada gaming regulations on shuffling",
    "New Jersey rules of baccarat",
    "Mahjong rules of the World Mahjong Organization and of the European Mahjong Association, on mixing the tiles",
    "Règlement de la Fédération Française de Tarot, La distribution",
    "Bicycle, General Rules, on the shuffle",
)
