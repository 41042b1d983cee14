"""Poker hands: hands of five dealt from the top, and the value of each at the table."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import ClassVar, cast

import numpy as np

from fairdeck.bulk.shapes import Columns, Counts
from fairdeck.lab.kinds import ranks, suits
from fairdeck.lab.laws.scalar import merged
from fairdeck.lab.laws.tails import deviance
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
# By the pairs of equal ranks among five cards: 0, 1, 2 (two pairs), 3 (three of a kind), 4 (full house), 6 (four).
BY_PAIRS = np.array([9, 8, 7, 6, 3, 3, 2], dtype=np.int64)


class Poker(Statistic):
    """How often each value comes, hand by hand: ten hands of five from the top down; two cards are left over.

    The hands of one deck are dependent, so they are not added up. The values of one hand over all
    decks are independent. Each hand is judged by itself, and the oddest is corrected for their number (Bonferroni).
    """

    family: ClassVar[str] = "game"
    sizes: ClassVar[range] = range(52, 53)

    def count(self, view: View) -> Counts:
        """Return how often each hand had each value; shape ``(10, 10)``, hand first."""
        values = hand_values(view)
        return np.stack([np.bincount(row, minlength=len(NAMES)) for row in values])

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the hand whose values are the oddest."""
        expected = np.array(FAIR) / sum(FAIR) * decks
        cells = [merged(expected, row) for row in counts]
        if len(cells[0][0]) < 3:  # as many as for every other hand
            return
        p_value, hand = min((deviance(*each), hand) for hand, each in enumerate(cells))
        off = (counts[hand] - expected) / np.sqrt(expected)
        value = int(np.argmax(np.abs(off)))
        words = (
            f"hand {hand + 1} of ten, dealt from the top: {NAMES[value]} in {{seen:.3%}} of decks; "
            "{expected:.3%} would be fair"
        )
        seen, fair = float(counts[hand, value] / decks), float(expected[value] / decks)
        yield self.evidence("one hand", p_value.of_many(HANDS), words, seen=seen, expected=fair)


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


_ROYAL = 0b1_1110_0000_0001  # ten, jack, queen, king, and the ace at the other end


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
