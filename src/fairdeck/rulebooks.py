"""What rulebooks of games and casinos call a sufficient shuffle, and what the exact law says of it.

`rulebooks.toml` is the data: a new rule is one entry. It quotes only what somebody read, with place and date; what
nobody could read is in `NOT_SEEN`, unquoted. No number about a shuffle is written there: a `Verdict` computes them all.

The law is that of ideal riffles (Gilbert, Shannon and Reeds) from a known order of different cards. Real hands are
seldom so good; where a rule also takes mashing for a shuffle, `fairdeck.shuffles.measured` has lower bounds.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from importlib import resources
from itertools import count, groupby
from math import factorial
from typing import Any, NamedTuple, cast

from fairdeck.document import Document, Element, Heading, Sentence, Table
from fairdeck.errors import FairdeckError, nearest
from fairdeck.numbers import shortened
from fairdeck.shuffles.distances import NEAR_RANDOM, least_distance
from fairdeck.shuffles.measured import CONFIDENCE, mashed_at_least
from fairdeck.shuffles.riffle import gsr_riffles, kept_neighbours, top_card

HALF, NEAR = Fraction(1, 2), NEAR_RANDOM
MASH, PILES, CUT = "mash", "piles", "cut"
UNDATED = "undated"

NEARLY_ONE = 0.9995  # from here on a distance is told as "above"
WORDS = ("rule", "it also allows")  # columns of words, not of numbers

ENOUGH = f"{float(NEAR):g}"
MEANING = (
    "Total variation is the most that a bet on any event gains over a fair deck. At 0.41 the best bet wins 41 "
    "percentage points more often than it should; 0 is fair, 1 is no shuffle."
)
COLUMNS = (
    "Top quarter: the chance that the card that was on top is still there (in a fair deck). Neighbours: how many pairs "
    "lie as they lay, on average; about 1 in a fair deck. Enough: the fewest riffles with a total variation of "
    f"{ENOUGH} or less."
)
GUESSES = (
    "Guesses: about how many cards a player gets right who guesses each before it is dealt face up (in a fair deck)."
)
ASSUMED = (
    "The numbers are exact for ideal riffles from a known order of different cards. Real hands are seldom so good "
    "(measure yours: fairdeck hands), and mashing is far worse. Where cards count as equal, fewer riffles are enough: "
    "fairdeck mix --like."
)
DEALT = (
    "A deck dealt as fairdeck deal says is fair, and fits casual tables, clubs and judges' desks. It is no substitute "
    "in sanctioned matches where dealing onto piles does not count as shuffling, as in Magic."
)


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
            f"there is no rule {shortened(name or '')}"
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


def _rules(entries: Sequence[dict[str, Any]]) -> Iterator[Rule]:
    for entry in entries:
        asks = tuple([Asked(**deck) for deck in entry["asks"]])
        yield Rule(**{"date": UNDATED, **entry, "asks": asks, "allows": tuple(entry.get("allows", ()))})


_READ = tomllib.loads((resources.files("fairdeck") / "rulebooks.toml").read_text(encoding="utf-8"))
RULES = tuple(_rules(_READ["rules"]))
NAMES = tuple([rule.name for rule in RULES])
NOT_SEEN = tuple(_READ["not_seen"])


# --- the words


def document(found: Sequence[Verdict], guesses: Guesses | None) -> Document:
    """Return a table of all rules, and what its numbers mean."""
    named = [(verdict, verdict.law) for verdict in found if verdict.law]
    enough = [verdict for verdict, law in named if law.total_variation <= NEAR]
    naming, all_ = (len({verdict.rule.name for verdict in some}) for some in ([verdict for verdict, _ in named], found))
    return Document(
        f"Of {all_} rules, {naming} name a number of shuffles. With ideal riffles, {len(enough) or 'none'} of these "
        f"numbers brings a deck within {ENOUGH} of fair (total variation).",
        [
            Heading("Rules that name a number of shuffles"),
            _columns([_named(verdict, law, guesses) for verdict, law in named]),
            *map(Sentence, (MEANING, f"{COLUMNS} If mashed: a lower bound.", *_simulated(guesses), ASSUMED)),
            Heading(
                "Rules that name no number, and how many ideal riffles bring the deck within one half and near fair"
            ),
            _columns([_unnamed(verdict) for verdict in found if not verdict.law]),
            Sentence(DEALT),
            Sentence(f"Not seen, so not quoted: {'; '.join(NOT_SEEN)}."),
            Sentence("The words of the rules, with place and date: fairdeck rules NAME."),
        ],
    )


def in_full(found: Sequence[Verdict], guesses: Guesses | None) -> Document:
    """Return each rule with its words, and a sentence or several for each of its decks."""
    parts: list[Element] = []
    for rule, its_decks in groupby(found, lambda verdict: verdict.rule):
        read = f"{'Second hand, from' if rule.second_hand else 'Read in'}: {rule.document}; {rule.date}"
        parts += [Heading(f"{rule.name}: {rule.game}")]
        parts += map(Sentence, (f'"{rule.quote}"', read, rule.address, rule.remark))
        parts += [Sentence(sentence) for verdict in its_decks for sentence in _sentences(verdict, guesses)]
    parts += [Heading("What this means"), *map(Sentence, (MEANING, *_simulated(guesses), ASSUMED, DEALT))]
    first = found[0].rule
    return Document(f"{first.name}: {first.game}", parts[1:])


def _sentences(each: Verdict, guesses: Guesses | None) -> Iterator[str]:
    """Yield what the law says of one deck of a rule."""
    wanted = f"{each.halfway} ideal riffles bring the total variation to one half or less, {each.near} to {ENOUGH}"
    if each.law is None:
        yield (
            f"{each.cards} cards: the rule names no number to judge; {wanted}."
            if each.near
            else (f"{each.cards} tiles: the rule names no number that the law can judge.")
        )
    else:
        yield f"{each.cards} cards, {each.law.riffles} riffles: {_judged(each.law)}; {wanted}."
        if guesses:
            right, fair = guesses.of(each.law)
            yield f"A player who guesses each card is right about {right:.1f} times; {fair:.2f} times in a fair deck."
    if each.mash_at_least is not None:
        yield (
            f"Mashed as often: total variation {each.mash_at_least:.2f} or more, {CONFIDENCE:.1%} sure, by simulation "
            "of a model: a third of the deck is pushed into the rest, four cards at a time."
        )
    if each.piles is not None:
        yield f"Dealt onto piles in turn: always the same order; total variation 1 - 1/{each.cards}!."
    if each.cut_at_least is not None:
        yield f"Only cut: at most {each.cards} orders can come; total variation 1 - {each.cards}/{each.cards}! or more."


def _judged(law: Law) -> str:
    top = quarter(law.cards)
    return (
        f"total variation {_distance_text(law.total_variation)} ({_gained(law.total_variation)}); "
        f"the card that was on top is among the top {top} in "
        f"{float(law.top_quarter):.1%} of decks (of fair decks: {top / law.cards:.1%}); "
        f"{float(law.kept_neighbours):.2f} pairs of neighbours lie as they lay (in fair decks: {1 - 1 / law.cards:.2f})"
    )


def _gained(distance: Fraction) -> str:
    if distance >= NEARLY_ONE:
        return "a player who knows the old order can tell this deck from a fair one"
    return f"the best bet wins {100 * float(distance):.0f} percentage points more often than on a fair deck"


def _simulated(guesses: Guesses | None) -> tuple[str, ...]:
    return (f"{GUESSES} They are simulated (seed {guesses.seed:x}).",) if guesses else ()


def _named(each: Verdict, law: Law, guesses: Guesses | None) -> dict[str, str]:
    mashed = each.mash_at_least
    row = {
        "rule": each.rule.name,
        "cards": str(each.cards),
        "shuffles": str(law.riffles),
        "total variation": _distance_text(law.total_variation),
        "if mashed": "" if mashed is None else f">= {mashed:.2f}",
        "top quarter": f"{float(law.top_quarter):.1%} ({quarter(each.cards) / each.cards:.1%})",
        "neighbours": f"{float(law.kept_neighbours):.2f}",
        "enough": str(each.near),
    }
    return row | ({"guesses": "{:.1f} ({:.2f})".format(*guesses.of(law))} if guesses else {})


def _unnamed(each: Verdict) -> dict[str, str]:
    ways = {MASH: "mashing", PILES: "piles in turn: always the same order", CUT: f"a cut alone: {each.cards} orders"}
    return {
        "rule": each.rule.name,
        "cards": str(each.cards),
        "to 0.5": str(each.halfway or "-"),
        f"to {ENOUGH}": str(each.near or "-"),
        "it also allows": ", ".join(ways[way] for way in each.rule.allows),
    }


def _columns(rows: Sequence[Mapping[str, str]]) -> Table:
    return Table({name: name not in WORDS for name in rows[0]}, [tuple(row.values()) for row in rows])


def _distance_text(distance: Fraction) -> str:
    return f"{float(distance):.4f}" if distance < NEARLY_ONE else f"above {NEARLY_ONE}"
