"""What a deck keeps of earlier decks: at any distance to 32, and hands that come again."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise, permutations, product
from random import Random

import numpy as np
import pytest
from scipy.special import bdtrc

from fairdeck import lab
from fairdeck.lab.laws.subsets import hypergeometric_law
from fairdeck.lab.statistics.descents import descents
from fairdeck.lab.statistics.earlier import COMPARED, FIRST, NUMBERS, STATISTICS
from fairdeck.lab.statistics.positions import STATISTICS as OF_POSITIONS
from fairdeck.lab.statistics.positions import groups
from fairdeck.permutation import inverse
from tests.decks import fair, viewed

EARLIER, *CELLS = STATISTICS


def shuffled(n, size, seed):
    rng = Random(seed)
    return [rng.sample(range(n), n) for _ in range(size)]


@pytest.mark.parametrize("lead", [0, 3, 32])
def test_each_deck_is_compared_with_each_before_it(lead):
    decks = shuffled(6, lead + 40, 1)
    counts = EARLIER.count(viewed(decks, lead))
    plain = np.zeros_like(counts)
    for later in range(lead, len(decks)):
        for apart in range(FIRST, 33):
            if later >= apart:
                place = inverse(decks[later - apart])
                relative = [place[card] for card in decks[later]]
                fixed = sum(card == at for at, card in enumerate(relative))
                steps = [upper - lower for lower, upper in pairwise(relative)]
                for number, value in enumerate((fixed, steps.count(1), sum(step < 0 for step in steps))):
                    plain[number, apart - FIRST, value] += 1
    assert np.array_equal(counts, plain)
    assert NUMBERS[2].of is descents


def test_only_the_first_decks_of_a_batch_are_compared():
    counts = EARLIER.count(viewed(shuffled(6, 500, 2)))
    assert counts[0].sum() == sum(COMPARED - apart for apart in range(FIRST, 33))


@pytest.mark.parametrize("apart", [3, 5, 10, 31])
def test_a_deck_that_is_a_riffle_of_one_long_before_is_found_soon(apart):
    rng, made = Random(apart), []

    def dependent(deck):
        if len(made) < apart:
            rng.shuffle(deck)
        else:
            before = made[-apart]
            cut = bin(rng.getrandbits(52)).count("1")
            packets = [list(before[:cut]), list(before[cut:])]
            deck[:] = [packets[rng.random() * sum(map(len, packets)) >= len(packets[0])].pop(0) for _ in range(52)]
        made.append(list(deck))

    report = lab.test(dependent, decks=2_000)
    assert (report.verdict.outcome, report.verdict.decks <= 128) == ("fail", True)
    assert f"compared with the deck {apart} before" in report.says(report.verdict.findings[0])


def test_a_top_hand_that_comes_again_is_found_soon():
    rng, last = Random(1), []

    def again(deck):
        rng.shuffle(deck)
        if last and rng.random() < 0.005:
            rest = [card for card in deck if card not in last]
            deck[:] = rest + last
        last[:] = deck[-13:]

    report = lab.test(again, decks=20_000)
    assert report.verdict.outcome == "fail"
    assert report.verdict.decks <= 2_048
    assert any("again" in each.statistic for each in report.verdict.findings)


@pytest.mark.cases(2)
@pytest.mark.parametrize("seed", range(12))
def test_fair_decks_raise_no_alarm(seed):
    p_values = [each.p_value for each in EARLIER.judge(EARLIER.count(viewed(shuffled(52, 300, seed))), 52, 300)]
    assert len(p_values) > len(NUMBERS)
    assert min(p_values) > 1e-4


@pytest.mark.parametrize("statistic", CELLS, ids=lambda each: each.name)
@pytest.mark.parametrize(
    ("lead", "first", "compared"), [(0, 0, 60), (3, None, COMPARED), (32, 4_095, 60), (32, 4_096, COMPARED)]
)
def test_each_place_and_card_is_compared_with_each_before_it(statistic, lead, first, compared):
    n, decks = 6, np.array(shuffled(6, lead + 60, 3))
    counts = statistic.count(replace(viewed(decks, lead), first=first))
    plain = np.zeros((32, n, n), np.int64)
    rows = np.argsort(decks, axis=1) if statistic.name.startswith("cards") else decks
    rows = rows >= 3 if statistic.name.startswith("colours") else rows
    for later in range(lead, lead + compared):
        for apart in range(1, min(later, 32) + 1):
            plain[apart - 1] += rows[later][:, None] == rows[later - apart]
    assert np.array_equal(counts[:, :-1].reshape(32, n, n), plain)
    assert counts[:, -1].tolist() == [compared - max(0, apart - lead) for apart in range(1, 33)]


@pytest.mark.parametrize(
    ("name", "apart"), [("places", 1), ("places", 30), ("cards", 1), ("cards", 9), ("colours", 17)]
)
def test_what_follows_a_deck_long_before_is_found_and_named(name, apart):
    decks = np.array(shuffled(52, 600, apart))
    for now, old in zip(decks[apart:], decks, strict=False):
        card, place = old[9], 5
        if name == "cards":
            card, place = 7, int(np.flatnonzero(old == 30)[0])
        if name == "colours":
            card = next(each for each in now[5:] if (each < 26) == (card < 26))
        now[now == card], now[place] = now[place], card
    report = lab.test(decks, only=f"{name} of earlier decks")
    assert report.verdict.outcome == "fail"
    assert f"in the deck {apart} before" in report.says(report.verdict.findings[0]) or name == "cards"


@pytest.mark.parametrize("n", [5, 8, 13, 52, 104])
def test_fair_decks_raise_no_more_alarms_than_stated(n):
    """Each test may alarm at 2 % in one of fifty; so many alarms as fail here come to a valid test once in 100,000."""
    rng, alarms = np.random.default_rng(n), Counter()
    for _ in range(200):
        view = replace(viewed(fair(n, 232, rng), 32), first=0)
        for statistic in (each for each in [*CELLS, OF_POSITIONS[0]] if each.fits(n)):
            found = [*statistic.judge(statistic.count(view), n, view.decks)]
            assert n < 8 or found[-1].test == "one group" or statistic.name.startswith("colours")
            alarms.update((each.statistic, each.test) for each in found if each.p_value < 0.02)
    assert all(bdtrc(count - 1, 200, 0.02) > 1e-5 for count in alarms.values()), alarms


def test_a_group_of_cards_at_places_has_the_law_by_which_it_is_judged():
    orders = np.array(list(permutations(range(8))))
    for places, cards in product(groups(8)[::3], repeat=2):
        law = hypergeometric_law(8, int(cards.sum()), int(places.sum()))
        met = np.bincount((cards[orders] @ places).astype(int), minlength=law.low + len(law.weights))
        assert np.allclose(met[law.low :] / len(orders), law.probabilities)
