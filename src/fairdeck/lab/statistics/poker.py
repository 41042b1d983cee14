"""Poker hands: hands of five dealt off the top, each with the value it has at the table."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import ClassVar, cast

import numpy as np

from fairdeck.lab.arrays import Columns, Counts
from fairdeck.lab.kinds import ranks, suits
from fairdeck.lab.law import deviance, merged
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.view import View

HAND, HANDS = 5, 10
NAMES = (
    "royal flush",
    "straight flush",
    "four of a kind",
    "full house",
    "flush",
    "straight",
    "three of a kind",
    "two pairs",
    "one pair",
    "high card",
)
FAIR = (4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540)  # of 2,598,960
ROYAL, STRAIGHT_FLUSH, FLUSH, STRAIGHT, HIGH_CARD = 0, 1, 4, 5, 9
# Pairs of equal ranks among five cards: none, one, two pairs, three alike (3), full house (4), four (6).
BY_PAIRS = np.array([9, 8, 7, 6, 3, 3, 2], dtype=np.int64)


@dataclass(frozen=True)
class Poker(Statistic):
    """How often each value comes, hand by hand: ten hands of five from the top down, two cards are left.

    The hands of one deck are dependent, so they are not added up. The values that one hand takes in
    all the decks are independent; each hand is judged by itself and the oddest paid for as so many looks.
    """

    family: ClassVar[str] = "game"

    def fits(self, n: int) -> bool:
        """Tell whether this is a deck of 52."""
        return n == 52

    def count(self, view: View) -> Counts:
        """Return how often each hand had each value; shape ``(10, 10)``, hand first."""
        values = hand_values(view)
        return np.stack([np.bincount(row, minlength=len(NAMES)) for row in values])

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the hand whose values are the oddest."""
        expected = np.array(FAIR) / sum(FAIR) * decks
        best, where, cells = 2.0, 0, 0
        for hand, row in enumerate(counts):
            fair, seen = merged(expected, row)
            cells = len(fair)
            if cells >= 3 and (p_value := deviance(fair, seen)) < best:
                best, where = p_value, hand
        if cells < 3:
            return
        off = (counts[where] - expected) / np.sqrt(expected)
        value = int(np.argmax(np.abs(off)))
        yield Evidence(
            "poker hands: one hand",
            min(1.0, HANDS * best),
            f"hand {where + 1} of ten, dealt from the top: {NAMES[value]} in {counts[where, value] / decks:.3%} "
            f"of decks; {expected[value] / decks:.3%} would be fair",
        )


def hand_values(view: View) -> Counts:
    """Return the value of each hand, an index into `NAMES`; shape ``(10, decks)``, the hand at the top first.

    The first rank of a suit is the ace, high or low.
    """
    table = _cards()
    cards = view.columns[::-1][: HAND * HANDS].reshape(HANDS, HAND, -1)
    rank, suit = np.take(table[0], cards), np.take(table[1], cards)
    pairs = np.zeros((HANDS, view.decks), dtype=np.uint8)
    for one, other in combinations(range(HAND), 2):
        pairs += rank[:, one] == rank[:, other]
    flush = (suit == suit[:, :1]).all(axis=1)
    held = np.bitwise_or.reduce(np.int16(1) << rank, axis=1)
    straight = _straights()[held]
    values = BY_PAIRS[pairs]
    plain = values == HIGH_CARD
    values[plain & straight] = STRAIGHT
    values[plain & flush] = FLUSH
    values[flush & straight] = STRAIGHT_FLUSH
    values[flush & (held == _ROYAL)] = ROYAL
    return values


_ROYAL = 0b1_1110_0000_0001  # ten, jack, queen, king and, at the other end, the ace


@cache
def _cards() -> Columns:
    return np.stack([cast(Counts, ranks(52)), cast(Counts, suits(52))]).astype(np.int16)


@cache
def _straights() -> Counts:
    table = np.zeros(2**13, dtype=bool)
    table[[0b11111 << low for low in range(9)]] = True
    table[_ROYAL] = True
    return table


STATISTICS = (
    Poker(
        name="poker hands",
        sees="hands of five with too many or too few pairs, straights and flushes: the game as players meet it",
        source="the 2,598,960 hands of five; Knuth, TAOCP 2, section 3.3.2, poker test",
    ),
)
