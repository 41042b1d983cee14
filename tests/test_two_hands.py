"""Two players' hands: the laws by enumeration, and a fault of a game."""

from itertools import permutations

import numpy as np
import pytest
from scipy.special import bdtrc

from fairdeck import lab
from fairdeck.lab.statistics.two_hands import SIZES, STATISTICS, _chances, _kinds
from tests.decks import fair, viewed

(TWO_HANDS,) = STATISTICS


def test_over_all_orders_the_counts_are_the_chances():
    orders = np.array(list(permutations(range(8))))
    assert np.allclose(TWO_HANDS.count(viewed(orders)) / len(orders), _chances(8), atol=1e-15)


def test_the_cards_are_dealt_in_turn_from_the_top():
    decks = fair(52, 50, 1)
    plain = np.zeros((len(SIZES), len(_kinds(52)), 3), np.int64)
    for deck in decks:
        dealt = deck[::-1].tolist()
        for at, size in enumerate(SIZES):
            for kind, members in enumerate(_kinds(52)):
                first, second = (int(members[dealt[player : 2 * size : 2]].sum()) for player in (0, 1))
                plain[at, kind, 1 + (first > second) - (first < second)] += 1
    assert np.array_equal(TWO_HANDS.count(viewed(decks)), plain)


@pytest.mark.parametrize("n", [8, 13, 104])
def test_fair_decks_raise_no_more_alarms_than_stated(n):
    """So many alarms as fail here come to a valid test once in 100,000."""
    rng = np.random.default_rng(n)
    found = (next(TWO_HANDS.judge(TWO_HANDS.count(viewed(fair(n, 100, rng))), n, 100)) for _ in range(300))
    assert bdtrc(sum(each.p_value < 0.05 for each in found) - 1, 300, 0.05) > 1e-5


def test_aces_that_are_evened_out_are_found():
    decks = fair(52, 1500, 3)
    aces = np.isin(decks[:, -10:], [0, 13, 26, 39])
    decks = decks[aces[:, ::2].sum(axis=1) == aces[:, 1::2].sum(axis=1)]
    report = lab.test(decks, only="two hands")
    assert report.verdict.outcome == "fail"
    assert "two players have as many of cards 0, 13, 26, ... in" in report.headline
