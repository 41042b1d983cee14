"""Repeats: hands that come again in any later deck, and moves that come again; fair decks have no more than chance."""

from math import perm
from random import Random

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.lab.laws.tails import poisson_two_sided, skewed_two_sided
from fairdeck.lab.statistics.repeats import KEPT_OF_HANDS, STATISTICS, EqualHands, sample

HANDS = [each for each in STATISTICS if isinstance(each, EqualHands)]
MIXED = np.uint64(0x9E37_79B9_7F4A_7C15)


def counts_of(numbers, kept, salt=1):
    """The counts of hands with these numbers: other fingerprints, each as likely to be among the smallest."""
    state = (numbers.astype(np.uint64) + np.uint64(salt)) * MIXED
    state ^= state >> np.uint64(29)
    return sample((state * np.uint64(0xBF58_476D_1CE4_E5B9)).view(np.int64), None, kept)


@pytest.mark.parametrize("decks", [2_000, 30_000, pytest.param(400_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("n", [26, 52])
def test_p_values_of_fair_hands_are_valid(n, decks):
    """Of 600 p-values about 6 are at most .01, and 30 at most .05: more than 17 or 56 come once in 10,000 runs."""
    rng, hands = np.random.default_rng(n + decks), HANDS[0]
    runs = (counts_of(rng.integers(0, perm(n, hands.size), decks), hands.kept) for _ in range(600))
    found = np.array([next(hands.judge(counts, n, decks)).p_value for counts in runs])
    assert np.count_nonzero(found <= 0.01) <= 17
    assert np.count_nonzero(found <= 0.05) <= 56


@pytest.mark.cases(1)
@pytest.mark.parametrize("load", [0.5, 1, 4])
def test_p_values_are_valid_where_hands_come_again_many_times(load):
    """As many decks as there are hands, and more, of which a sample is kept; bounds as above.

    By Poisson's law, without regard to which hands are in the sample, some 230 p-values would be .01 or less at load 4.
    """
    rng, hands = np.random.default_rng(5), EqualHands("hands", "", "", kept=4_096)
    orders, found = hands.orders(11), []
    for _ in range(600):
        numbers, salt = rng.integers(0, orders, int(load * orders)), rng.integers(2**62)
        found.append(next(hands.judge(counts_of(numbers, hands.kept, salt), 11, len(numbers))).p_value)
    assert np.count_nonzero(np.array(found) <= 0.01) <= 17
    assert np.count_nonzero(np.array(found) <= 0.05) <= 56


@pytest.mark.parametrize("mean", [1_000, 10_000])
@pytest.mark.parametrize("far", [-7, -5, -3, 3, 5, 7])
def test_with_the_cumulants_of_poisson_the_skewed_law_is_near_to_it_far_out(mean, far):
    pairs = round(mean + far * mean**0.5)
    assert skewed_two_sided(pairs, mean, mean, mean) == pytest.approx(poisson_two_sided(pairs, mean), rel=0.15)


def test_few_hands_give_a_p_value_in_proportion():
    """A tenth of the hands never come: it is seen where so many hands are compared."""
    rng, hands = np.random.default_rng(1), HANDS[0]
    numbers = rng.integers(0, perm(26, 5) * 9 // 10, 400_000)
    (evidence,) = hands.judge(counts_of(numbers, KEPT_OF_HANDS), 26, 400_000)
    assert evidence.seen > evidence.expected
    assert evidence.p_value < 1e-3


def again(size, top, share):
    """Return a shuffle that now and then hands out a hand that it has handed out before."""
    rng, hands = Random(size), []

    def shuffle(deck):
        rng.shuffle(deck)
        places = slice(len(deck) - size, None) if top else slice(size)
        if hands and rng.random() < share:
            hand = rng.choice(hands)
            rest = [card for card in deck if card not in hand]
            deck[:] = rest + hand if top else hand + rest
        hands.append(deck[places])

    return shuffle


SEEN = [
    (5, True, "same top 5"),
    (5, False, "same bottom 5"),
    (10, True, "same top 10"),
    (10, False, "same bottom 10"),
    (13, True, "same top 13"),
]


@pytest.mark.parametrize(("size", "top", "name"), SEEN)
def test_a_hand_that_comes_again_is_seen(size, top, name):
    report = lab.test(again(size, top, 0.005), decks=3_000, only=name)
    assert report.verdict.outcome == "fail"
    where = "on top" if top else "at the bottom"
    assert f"equal hands ({size} cards {where}, in order) among" in report.headline


@pytest.mark.long
def test_a_move_that_comes_again_is_seen():
    """Each deck continues from the one before by one of 4,096 moves: decks never repeat, moves do."""
    rng, deck = Random(1), list(range(52))
    moves = [rng.sample(range(52), 52) for _ in range(4_096)]

    def shuffle(n):
        deck[:] = [deck[place] for place in rng.choice(moves)]
        return deck[:n]

    report = lab.test(shuffle, decks=2_000, only="same top 13")
    assert report.verdict.outcome == "fail"
    assert "compared with the deck before: " in report.headline


def test_a_log_that_was_copied_is_told_before_what_follows_from_it():
    decks = np.random.default_rng(1).permuted(np.tile(np.arange(12), (40, 1)), axis=1)
    findings = lab.test(np.tile(decks, (50, 1)), go_on=1_500).verdict.findings
    assert "the decks repeat every 40" in findings[0].weighed.evidence.words
    assert len(findings) > 1
