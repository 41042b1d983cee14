"""Decks of more than 1,000 cards, and few decks: what can be said is said, and fair ones never fail."""

from itertools import permutations, product
from math import comb, exp, factorial

import numpy as np
import pytest
from scipy.stats import binom

from fairdeck import lab
from fairdeck.lab.blocks import Block
from fairdeck.lab.judging.report_document import document
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.judging.verdict import fewest_decks
from fairdeck.lab.laws.scalar import log_wealth_of_events, tilts
from fairdeck.lab.statistics import catalogue
from fairdeck.lab.statistics.descents import LargeSum, eulerian_law
from fairdeck.lab.statistics.fixed_points import SAME_LAW, derangements, rencontres_law
from fairdeck.lab.statistics.positions import OwnPlaces
from fairdeck.show.terminal import lines
from tests.decks import fair, viewed

(OWN,) = (each for each in catalogue() if isinstance(each, OwnPlaces))
LARGE = [each for each in catalogue() if isinstance(each, LargeSum)]


def kept(decks: np.ndarray, card: int, place: int) -> np.ndarray:
    """Return the decks with a card put at a place, by one swap each."""
    decks, at = decks.copy(), (decks == card).argmax(axis=1)
    decks[np.arange(len(decks)), at] = decks[:, place]
    decks[:, place] = card
    return decks


def even(decks: np.ndarray) -> np.ndarray:
    """Return the decks, the odd ones with two cards swapped."""
    (parity,) = (each for each in catalogue() if each.name == "parity")
    odd = parity.of(viewed(decks)) == 1
    decks[np.ix_(odd, [0, 1])] = decks[np.ix_(odd, [1, 0])]
    return decks


def first_fault(report: lab.Report) -> str:
    return report.says(report.verdict.findings[0])


@pytest.mark.cases(7)
@pytest.mark.parametrize(
    ("n", "decks"), [(52, 12), (300, 8), (1_001, 400), (1_001, 5), (5_000, 30), (5_000, 12), (10_000, 4)]
)
@pytest.mark.parametrize(("card", "place"), [(0, 0), (-1, -1), (3, 700)])
def test_a_card_that_never_moves_fails_with_few_decks(n, decks, card, place):
    card, place = card % n, place % n
    report = lab.test(kept(fair(n, decks, 1), card, place))
    if card != place and decks < 5:  # each deck is compared with the one before, so it takes one more
        assert report.verdict.outcome == "insufficient"
        return
    assert report.verdict.outcome == "fail"
    named = n <= 1_000 or card == place  # above, only the place is known
    name = f"card {card}" if named else f"compared with the deck before: the card from place {place}"
    assert first_fault(report).startswith(f"{name} lies at place {place} in ")


@pytest.mark.parametrize("n", [1_001, 2_048, 4_097])
def test_order_and_parity_are_asked_of_one_deck_and_of_a_few(n):
    for deck in (np.arange(n), np.arange(n)[::-1]):
        assert lab.test(deck[None].astype(np.int16)).verdict.outcome == "fail"
    report = lab.test(even(fair(n, 64, 1)), decks=64)
    assert (report.verdict.outcome, report.verdict.findings[0].weighed.evidence.statistic) == ("fail", "parity")


def test_a_fixed_point_in_every_deck_more_than_is_fair_is_seen():
    decks = fair(5_000, 100, 2)
    for row, card in zip(decks, np.random.default_rng(3).integers(5_000, size=(100, 3)), strict=True):
        for each in card:  # another card each time: no card stays
            row[np.flatnonzero(row == each)[0]], row[each] = row[each], each
    report = lab.test(decks, decks=100)
    assert report.verdict.outcome == "fail"
    assert first_fault(report).startswith("fixed points: ")


def test_fair_decks_of_many_cards_never_fail_and_pass_when_every_family_was_asked():
    for n, decks in ((1_001, 12), (1_001, 400), (5_000, 30), (10_000, 2)):
        report = lab.test(fair(n, decks, 4), decks=decks)
        assert (report.verdict.outcome, report.verdict.p_value > 0.01) == ("insufficient", True)
        assert "nothing odd in them" in report.headline
        assert "1,000 or more" in report.headline
        assert any("would have been found" in line for line in lines(document(report)))
    assert fewest_decks(1_000) == 10_000
    assert fewest_decks(1_001) == fewest_decks(10_000) == 1_000
    assert lab.test(fair(1_001, 1_000, 5), decks=1_000).verdict.outcome == "pass"


def test_a_bet_on_many_events_is_worth_one_coin_on_average():
    for decks, chance in ((1, 0.25), (7, 0.25), (12, 1 / 1_001)):
        worth = [exp(log_wealth_of_events(np.array([hits]), decks, chance)) for hits in range(decks + 1)]
        assert binom.pmf(range(decks + 1), decks, chance) @ worth == pytest.approx(1)
    orders = np.array(list(permutations(range(4))))
    own = [OWN.count(viewed(order[None])) for order in orders]
    both = [exp(OWN.log_wealth(one + other, 4, 2)) for one, other in product(own, own)]
    assert np.mean(both) == pytest.approx(1)


def test_the_p_value_of_the_oddest_card_is_valid_for_every_pair_of_decks_of_five_cards():
    orders = np.array(list(permutations(range(5))))
    own = np.array([OWN.count(viewed(order[None])) for order in orders])
    found = np.sort([next(OWN.judge(one + other, 5, 2)).p_value for one in own for other in own])
    for level in np.unique(found[found < 1]):
        assert np.mean(found <= level) <= level
    assert found[0] < 0.5


def test_the_law_of_fixed_points_hardly_changes_with_the_cards():
    n, moved = 2 * SAME_LAW, derangements(2 * SAME_LAW)
    assert rencontres_law(SAME_LAW).weights[3] == comb(SAME_LAW, 3) * moved[SAME_LAW - 3]
    law = rencontres_law(n)
    exact = [comb(n, fixed) * moved[n - fixed] / factorial(n) for fixed in range(n + 1)]
    assert len(law.weights) == n + 1
    assert law.probabilities[:160] == pytest.approx(exact[:160], rel=1e-15)
    assert max(exact[160:]) < 1e-280
    assert (law.mean, law.variance) == pytest.approx((1, 1))


@pytest.mark.parametrize("statistic", LARGE, ids=lambda each: each.name)
def test_bets_on_the_descents_of_a_large_deck_have_their_exact_cumulants(statistic):
    n = 150
    law = eulerian_law(n)
    least = round(statistic.moments(n)[0] - (n - 1) / 2)
    thetas = tilts((n + 1) / 12)
    for seen in (0, 70, n - 1):
        bets = [exp(theta * seen - law.cumulants(theta)[0]) for theta in thetas]
        assert exp(statistic.log_wealth(np.array([0, seen + least]), n, 1)) == pytest.approx(np.mean(bets), rel=1e-9)


def test_p_values_of_few_large_decks_are_calibrated():
    """Three hundred runs of 12 decks of 1,001 cards; of correct ones, 1 in 100,000 seeds would fail here."""
    battery = Battery(1_001, only=frozenset({"own places", "fixed points", "parity", "descents of a large deck"}))
    found: dict[tuple[str, int], list[float]] = {}
    for seed in range(300):
        tally = battery.tally(Block(fair(1_001, 12, seed), np.empty((0, 1_001), np.int16)))
        for member, counts in zip(battery.members, tally.counts, strict=True):
            for each in member.statistic.judge(counts, 1_001, tally.seen[member.lag]):
                found.setdefault((each.name, member.lag), []).append(each.p_value)
    for name, p_values in found.items():
        for level in (0.2, 0.05, 0.01):
            most = binom.isf(1e-5 / (3 * len(found)), len(p_values), level)
            assert sum(p <= level for p in p_values) <= most, (name, level)
