"""Compare what rulebooks of games and casinos call a sufficient shuffle with the law, and write the page about it.

`rulebooks.toml` is the data: a new rule is one entry. It quotes only what somebody read, with place and date; what
nobody could read stands in ``not_seen``, unquoted. No number about a shuffle is written there: all are computed here,
by the law of ideal riffles (Gilbert, Shannon and Reeds) from a known order of different cards.

    python -m bench.rulebooks
"""

import tomllib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import count
from math import comb
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple, cast

from fairdeck.lab.experiments.bounds import estimate
from fairdeck.lab.statistics import guesses
from fairdeck.shuffles.distances import NEAR_RANDOM
from fairdeck.shuffles.measured import MASHED
from fairdeck.shuffles.riffle import gsr_riffles

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "reference" / "rules.md"
DATA = tomllib.loads((HERE / "rulebooks.toml").read_text(encoding="utf-8"))
TEXT = (HERE / "rulebooks.md").read_text(encoding="utf-8")  # the page around its tables

NEARLY_ONE = Fraction(9995, 10_000)  # from here on a distance is told as "above"
DECKS, SEED = 10_000, 1  # on which cards are guessed
ALSO = {
    "piles": "dealing onto piles in turn, which always makes the same order: total variation 1 − 1/n!",
    "cut": "a cut alone: n orders of n!",
}


class Deck(NamedTuple):
    """A deck of a rule.

    Attributes:
        rule: the entry of the data.
        cards: of the deck, a usual one where the rule names none.
        shuffles: how many the rule asks for; None where it names no number.
    """

    rule: dict[str, Any]
    cards: int
    shuffles: int | None


def decks() -> list[Deck]:
    """Return each deck of each rule."""
    return [Deck(rule, asked["cards"], asked.get("shuffles")) for rule in DATA["rules"] for asked in rule["asks"]]


@cache
def total_variation(cards: int, riffles: int) -> Fraction:
    """Return how far a deck is from fair after ideal riffles."""
    return cast(Fraction, gsr_riffles(cards, riffles).total_variation)  # an exact law gives a fraction


def fewest(cards: int, distance: Fraction) -> int:
    """Return the fewest ideal riffles that bring a deck within a distance of fair.

    >>> fewest(52, NEAR_RANDOM)
    10
    """
    return next(riffles for riffles in count() if total_variation(cards, riffles) <= distance)


def top_card(n: int, riffles: int) -> tuple[Fraction, ...]:
    """Return the law of the top card's place after riffles: entry j is the chance that j cards lie on it.

    A card with i cards on it goes to j: with the upper packet, if i of the j cards that come to lie on it are of that
    packet and it is too; with the lower packet, if those under it are all that were under it.
    Source: Bayer and Diaconis 1992, on a card's places; Ciucu, Ann. Appl. Probab. 8 (1998).

    >>> [str(chance) for chance in top_card(3, 1)]
    ['5/8', '1/4', '1/8']
    """
    # Of the 2^n riffles of n cards: how many move a card from i to j.
    ways = [[(comb(j, i) << n - 1 - j) + (comb(n - 1 - j, n - 1 - i) << j) for i in range(n)] for j in range(n)]
    places = [1] + [0] * (n - 1)
    for _ in range(riffles):
        places = [sum(map(mul, places, row)) for row in ways]
    return tuple([Fraction(place, 2 ** (n * riffles)) for place in places])


def top_quarter(n: int, riffles: int) -> Fraction:
    """Return the chance that the card that was on top is among the top quarter, rounded up."""
    return sum(top_card(n, riffles)[: quarter(n)], Fraction(0))


def quarter(n: int) -> int:
    """Return how many cards the top quarter of a deck has, rounded up."""
    return -(-n // 4)


def kept_neighbours(n: int, packets: int) -> Fraction:
    """Return the expected number of neighbours that lie as they lay after a riffle of `packets` packets.

    Two neighbours stay together in one packet, or as the last card of one and the first of a later one with no card
    between. The sum over all pairs of packets is ``(n - 1) (1^(n-1) + 2^(n-1) + ... + a^(n-1)) / a^n``; in a fair
    deck it is ``(n - 1) / n``. Source: this project; checked by enumeration.
    """
    return Fraction((n - 1) * sum([packet ** (n - 1) for packet in range(1, packets + 1)]), packets**n)


def mashed_at_least(cards: int, times: int) -> float:
    """Return a lower bound on the total variation after `times` mashes: that of a measured number, as many or more.

    More mashes take no deck further from random. A deck between two measured sizes has the bound of the smaller size.
    """
    bounds = MASHED.get(max((size for size in MASHED if size <= cards), default=0), {})
    return max((bound for number, bound in bounds.items() if number >= times), default=0.0)


def guessed(cards: int, riffles: int) -> tuple[float, float]:
    """Return how many cards the best guesser with a fixed strategy gets right, and how many in a fair deck: means."""
    fixed = tuple([guess for guess in guesses.STATISTICS if isinstance(guess, guesses.Guesses)])
    seen = estimate(f"riffle*{riffles}", cards, DECKS, SEED, scalars=fixed)
    return seen.guessed, seen.chance


def with_a_number(deck: Deck, riffles: int) -> list[str]:
    """Return the cells of a rule that names a number of shuffles."""
    n, far = deck.cards, total_variation(deck.cards, riffles)
    right, fair = guessed(n, riffles)
    return [
        f"`{deck.rule['name']}`",
        str(n),
        str(riffles),
        "above .9995" if far > NEARLY_ONE else f"{float(far):.4f}".lstrip("0"),
        f"{mashed_at_least(n, riffles):.2f} or more".lstrip("0") if "mash" in deck.rule.get("allows", ()) else "",
        f"{float(top_quarter(n, riffles)):.1%} ({quarter(n) / n:.1%})",
        f"{float(kept_neighbours(n, 2**riffles)):.2f}",
        f"{right:.1f} ({fair:.2f})",
        str(fewest(n, NEAR_RANDOM)),
    ]


def without(deck: Deck) -> list[str]:
    """Return the cells of a rule that names no number."""
    enough = [str(fewest(deck.cards, far)) for far in (Fraction(1, 2), NEAR_RANDOM)]
    also = [ALSO[way] for way in deck.rule.get("allows", ())]
    return [
        f"`{deck.rule['name']}`",
        str(deck.cards),
        *(enough if deck.rule.get("riffled", True) else ["-", "-"]),
        ", ".join(also),
    ]


def words(rule: dict[str, Any]) -> Iterator[str]:
    """Yield what a rule says, and where it was read."""
    read = "second hand, from" if rule.get("second_hand") else "read in"
    yield f'**{rule["game"]}** (`{rule["name"]}`): "{rule["quote"]}"'
    yield f"({read} [{rule['document']}]({rule['address']}); {rule.get('date', 'undated')})"


def page() -> str:
    """Return the page."""
    named = [with_a_number(deck, deck.shuffles) for deck in decks() if deck.shuffles]
    unnamed = [without(deck) for deck in decks() if not deck.shuffles]
    quotes = "\n\n".join("\n".join(words(rule)) for rule in DATA["rules"])
    return TEXT.format(named=_rows(named), unnamed=_rows(unnamed), quotes=quotes)


def _rows(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
