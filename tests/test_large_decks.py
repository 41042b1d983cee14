"""Decks of more than 1,000 cards, and few decks: what can be said is said, and fair ones never fail."""

import re
from itertools import pairwise, permutations, product
from math import comb, exp, factorial

import numpy as np
import pytest
from scipy.stats import binom

from fairdeck import lab
from fairdeck.cli import main
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Block
from fairdeck.lab.judging.report_document import document
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.judging.trial import Trial
from fairdeck.lab.judging.verdict import fewest_decks
from fairdeck.lab.laws.scalar import log_wealth_of_events, tilts
from fairdeck.lab.statistics import catalogue
from fairdeck.lab.statistics.cycles import _by_contracting, cycles, stirling_law
from fairdeck.lab.statistics.descents import eulerian_law
from fairdeck.lab.statistics.fixed_points import SAME_LAW, derangements, rencontres_law
from fairdeck.lab.statistics.footrule import LargestMove, log_chance_within
from fairdeck.lab.statistics.inversions import _of_large, inversions, mahonian_law
from fairdeck.lab.statistics.positions import CardSectors, OwnPlaces
from fairdeck.lab.statistics.successions import SUCCESSIONS, predecessions, succession_law
from fairdeck.lab.statistics.sums import LargeSum
from fairdeck.lab.watching.store import packed_decks, unpacked_decks
from fairdeck.show.terminal import lines
from tests.decks import fair, viewed

(OWN,) = (each for each in catalogue() if isinstance(each, OwnPlaces))
LAWS = {"inversions": mahonian_law, "cycles": stirling_law, "records": stirling_law, "descents": eulerian_law}
MOVES = [each for each in catalogue() if isinstance(each, LargestMove)]
SECTORS = [each for each in catalogue() if isinstance(each, CardSectors)]
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
    said = [report.says(each) for each in report.verdict.findings]
    assert any(each.startswith(f"{name} lies at place {place} in ") for each in said)


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
        report = lab.test(fair(n, decks, 5), decks=decks)
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
def test_large_sums_have_their_exact_cumulants_and_tails(statistic):
    """Of one deck, against the whole law: tails within 6 % of cycles and records, which have few parts, else 1 %."""
    n, close = (1_000, 0.06) if statistic.name.startswith(("cycles", "records")) else (150, 0.01)
    law = LAWS.get(statistic.name.split()[0], eulerian_law)(n)
    mean, variance = statistic.moments(n)
    least = round(mean - law.mean)  # rising sequences are one more than descents
    assert (mean - least, variance) == pytest.approx((law.mean, law.variance))
    thetas = tilts(variance)
    for seen in (law.low, round(law.mean), len(law.weights) - 1):
        bets = [exp(theta * seen - law.cumulants(theta)[0]) for theta in thetas]
        assert exp(statistic.log_wealth(np.array([0, seen + least]), n, 1)) == pytest.approx(np.mean(bets), rel=1e-9)
    below, above = np.cumsum(law.probabilities), np.cumsum(law.probabilities[::-1])[::-1]
    for at in range(0, len(below), 1 + len(below) // 300):
        tail = above[at] if law.low + at > law.mean else below[at]
        if 1e-12 < tail < 0.05:
            p_value = statistic.p_value(n, 1, law.low + at - law.mean)
            assert p_value == pytest.approx(2 * tail, rel=close)


def test_what_is_counted_of_large_decks_is_right_for_every_order_of_few_cards():
    for n in range(2, 8):
        orders = np.array(list(permutations(range(n))))
        view = viewed(orders)
        above = np.tile(np.arange(n, 40), (len(orders), 1))
        assert _of_large(viewed(np.hstack([orders, above]))).tolist() == inversions(view).tolist()
        assert [_by_contracting(order) for order in orders] == cycles(view).tolist()
        for statistic, moves in zip(MOVES, (orders - np.arange(n), np.arange(n) - orders), strict=True):
            assert statistic.count(view)[1] == moves.max()
            within = [(moves.max(axis=1) <= most).mean() for most in range(n)]
            assert np.exp(log_chance_within(np.arange(n), n)) == pytest.approx(within)


@pytest.mark.parametrize("statistic", MOVES, ids=lambda each: each.name)
def test_the_largest_move_is_valid_for_one_deck_and_for_every_pair_of_decks(statistic):
    orders = np.array(list(permutations(range(5))))
    own = [statistic.count(viewed(order[None])) for order in orders]
    both = [statistic.merge(one, other) for one, other in product(own, own)]
    for decks, counts in ((1, own), (2, both)):
        found = np.array([next(statistic.judge(each, 5, decks)).p_value for each in counts])
        for level in np.unique(found[found < 0.5]):
            assert np.mean(found <= level) <= level * (1 + 1e-9)
        assert np.mean([exp(statistic.log_wealth(each, 5, decks)) for each in counts]) <= 1


@pytest.mark.parametrize("statistic", SECTORS, ids=lambda each: each.name)
def test_each_card_comes_to_each_sector_with_the_stated_chance(statistic):
    orders = np.array(list(permutations(range(6))))
    goals = statistic.goals(viewed(orders))
    for card, place in product(range(6), range(6)):
        chance = 0 if statistic.never and card == place else 1 / (6 - statistic.never)
        assert (goals[card] == place).mean() == pytest.approx(chance)


def test_successions_have_one_law_on_both_sides_of_the_border(monkeypatch):
    exact = succession_law(400)
    monkeypatch.setattr("fairdeck.lab.statistics.successions.MOST", 100)
    law = succession_law.__wrapped__(400)
    assert law.probabilities[:120] == pytest.approx(exact.probabilities[:120], rel=1e-13)
    every = lab.test(np.arange(20_000)[None], only="successions")
    assert "10,000 or more on average" in every.says(every.verdict.findings[0])
    assert predecessions(viewed(np.arange(20_000)[None, ::-1])) == SUCCESSIONS.capped


def test_a_track_that_is_always_among_the_first_ten_shows_in_eight_decks():
    """The optimum is 3 decks: ln(1e6)/ln(150)."""
    decks = fair(1_500, 8, 12)
    for at, deck in enumerate(decks):
        place = np.flatnonzero(deck == 700)[0]
        deck[place], deck[1_499 - at] = deck[1_499 - at], 700
    report = lab.test(decks)
    assert report.verdict.outcome == "fail"
    assert report.says(report.verdict.findings[0]).startswith("card 700 lies in places 1490 to 1499 in 8 of 8 decks;")


@pytest.mark.cases(3)
@pytest.mark.parametrize(("n", "decks", "runs"), [(366, 1, 300), (1_001, 3, 150), (5_000, 1, 150)])
def test_one_deck_and_a_few_are_judged_at_their_level(n, decks, runs):
    """Of all tests together; of correct ones, 1 seed in 100,000 would fail here."""
    low = []
    for seed in range(runs):
        report = lab.test(fair(n, decks, seed), alpha=0.2)
        assert report.verdict.outcome == "fail" or report.verdict.analysed == decks
        low.append(report.verdict.p_value)
    for level in (0.2, 0.05, 0.01):
        assert sum(p <= level for p in low) <= binom.isf(1e-5 / 9, runs, level)


def test_the_worst_moment_to_stop_is_within_the_level():
    """One hundred streams of 32 decks of 1,001 cards, stopped at their worst deck; 1 seed in 100,000 would fail."""
    battery, worst = Battery(1_001, lags=1), []
    for seed in range(100):
        decks, trial = fair(1_001, 32, 500 + seed), Trial(battery, 10**6, 0.2, announced=False)
        low = 1.0
        for start, end in pairwise([0, 1, 2, 3, 4, 6, 8, 11, 16, 20, 23, 28, 32]):
            trial.add(battery.tally(Block(decks[start:end], decks[max(0, start - 1) : start], start)))
            low = min(low, trial.verdict().p_value)
        worst.append(low)
    for level in (0.2, 0.05):
        assert sum(p <= level for p in worst) <= binom.isf(5e-6, 100, level)


def buffered(n: int, size: int, seed: int) -> np.ndarray:
    """Return the order that a shuffle buffer of so many items gives."""
    held, given, draws = list(range(size)), [], np.random.default_rng(seed).random(n)
    for at, draw in enumerate(draws):
        one = int(draw * len(held))
        given.append(held[one])
        held[one] = size + at if size + at < n else held[-1]
        if size + at >= n:
            held.pop()
    return np.array(given)


def followed(decks: np.ndarray, card: int, by: int) -> np.ndarray:
    """Return the decks with a card put directly on another, by one swap each."""
    for deck in decks:
        at = (int(np.flatnonzero(deck == card)[0]) + 1) % len(deck)
        deck[np.flatnonzero(deck == by)[0]], deck[at] = deck[at], by
    return decks


@pytest.mark.cases(6)
@pytest.mark.parametrize(
    ("decks", "says"),
    [
        (lambda: buffered(5_000, 4_500, 1)[None], "no card moves down by more than 4,49"),
        (lambda: 4_999 - buffered(5_000, 4_500, 1)[None, ::-1], "no card moves up by more than 4,49"),
        (
            lambda: np.argsort(np.arange(366) / 200 + fair(366, 1, 2)[0] / 366)[None],
            "too many pairs of cards still lie",
        ),
        (
            lambda: (100 * fair(50, 1, 3)[0][:, None] + fair(100, 50, 3)).reshape(1, -1),
            "no card moves down by more than 3,470 places",
        ),
        (lambda: followed(fair(1_001, 16, 4), 5, 900), "the next card on card 5 is one that started in places "),
        (
            lambda: np.concatenate([kept(fair(40_000, 1, at), 7, 38_000 + at) for at in range(16)]),
            "card 7 lies in places",
        ),
    ],
)
def test_what_goes_wrong_with_large_decks_is_heard(decks, says):
    report = lab.test(decks())
    assert report.verdict.outcome == "fail"
    assert any(says in report.says(each) for each in report.verdict.findings)


def test_decks_of_more_cards_than_two_bytes_can_name_are_kept_whole():
    decks = fair(40_000, 2, 6)
    assert (unpacked_decks(packed_decks([decks], 40_000), 40_000) == decks).all()
    report = lab.test("fisher-yates", cards=40_000, decks=2, seed=1)
    assert (report.verdict.decks, report.verdict.outcome) == (2, "insufficient")


@pytest.mark.parametrize("mark", [" ", ", ", "\n"])
def test_one_deck_in_a_file_is_judged_and_never_passes(tmp_path, capsys, mark):
    file, n = tmp_path / "one.txt", 200_000
    file.write_text(mark.join(map(str, fair(n, 1, 7)[0] + 1)) + "\n")
    assert main(["test", "--file", str(file)]) == 2
    said = capsys.readouterr().out
    assert said.startswith("One deck of 200,000 cards from ")
    assert re.search(r": nothing is odd in it, by \d+ tests\. That is no pass and no fail\.\n", said)
    assert "it never shows a card that prefers a place" in said
    file.write_text(mark.join(map(str, buffered(n, 180_000, 8))) + "\n")
    assert main(["test", "--file", str(file)]) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            " ".join(map(str, [*range(300_000), 5])),
            "which are not decks; 5 is there twice; write one deck on each line",
        ),
        ("\n".join(map(str, [*range(40), 45])), "the 41 lines are not the numbers from 0 to 40 or from 1 to 41"),
        (" ".join(map(str, range(1_000_001))), "a deck of 1,000,001 cards cannot be tested; use 1 to 1,000,000"),
    ],
)
def test_one_deck_that_is_none_is_refused_in_one_line(tmp_path, text, says):
    (tmp_path / "one.txt").write_text(text + "\n")
    with pytest.raises(FairdeckError) as refused:
        lab.test(tmp_path / "one.txt")
    assert says in str(refused.value)


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
