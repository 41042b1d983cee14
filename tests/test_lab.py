"""The lab as a whole: tallies add up, trials keep their level, faults are found, reports say so."""

import itertools
import math
import random

import numpy as np
import pytest
from bench.calibration import CASES, TRIAL_LEVEL, calibrate, stop_at_best, stopped, stops_help, too_many
from scipy.stats import binom

from fairdeck.lab.blocks import Block, Broken
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.tally import Battery, block_sizes, schedule
from fairdeck.lab.judging.trial import BETS, LAST_ANALYSIS, SCHEDULED, SEEN_AT_LEAST, Trial, _share, run
from fairdeck.lab.judging.verdict import weigh
from fairdeck.lab.laws.scalar import bet_weights, log_wealth
from fairdeck.lab.runs.processes import spread
from fairdeck.lab.sources.simulated import NumberedBlock, Simulated
from fairdeck.lab.statistics import Scalar, catalogue
from fairdeck.show.reports import forms
from tests.decks import fair as perfect
from tests.test_trial import Given


def blocks(cards, sizes, seed):
    decks = perfect(cards, sum(sizes), seed)
    ends = np.cumsum([0, *sizes])
    return [Block(decks[a:b], decks[max(0, a - 8) : a]) for a, b in itertools.pairwise(ends)]


def same(one, other):
    return (
        one.decks == other.decks
        and one.seen == other.seen
        and all(np.array_equal(a, b) for a, b in zip(one.counts, other.counts, strict=True))
    )


def tried(name, cards=52, decks=4096, seed=1, **wishes):
    trial = Trial(Battery(cards), decks, **wishes)
    for _ in run(trial, Simulated(name, cards, seed)):
        pass
    return trial


@pytest.mark.parametrize("cards", [5, 9, 52])
def test_tallies_add_up_to_the_same_in_any_order_and_grouping(cards):
    battery = Battery(cards)
    tallies = [battery.tally(block) for block in blocks(cards, [3, 40, 1, 200, 77], seed=cards)]
    whole = battery.total(tallies)
    shuffled = random.Random(cards).sample(tallies, len(tallies))
    assert same(battery.total(shuffled), whole)
    assert same(battery.merge(battery.total(tallies[:2]), battery.total(tallies[2:])), whole)


@pytest.mark.parametrize("sizes", [[321], [1, 320], [100, 100, 100, 21], [8, 8, 305]])
def test_a_stream_cut_anywhere_loses_no_pair_of_decks(sizes):
    # Where a statistic works within a batch (windows, learning), cuts change what it counts; the others never.
    within = "different top cards", "different bottom cards", "guesser who learns", "earlier decks"
    battery = Battery(5, only=frozenset(each.name for each in catalogue() if not each.name.endswith(within)))
    whole = battery.tally(blocks(5, [321], seed=1)[0])
    assert same(battery.total(map(battery.tally, blocks(5, sizes, seed=1))), whole)


def analyses(most):
    return {*itertools.takewhile(most.__gt__, schedule()), most}


def test_decks_made_by_kernels_are_counted_as_they_are():
    for name in ("lehmer-16", "lehmer-16-scaled"):
        numbered = NumberedBlock(name, 52, 7, 8, 2_500)
        fast = Battery(52).tally_by_kernels(numbered)
        assert same(fast, Battery(52).tally(Block(numbered.decks, numbered.lead, turn=numbered.turn)))
        assert fast.decks == 2_500


@pytest.mark.parametrize("many", [2, pytest.param(3, marks=pytest.mark.long)])
def test_a_run_is_a_function_of_its_seed_and_not_of_its_workers(many):
    results = []
    for workers in (1, many):
        trial = Trial(Battery(7), 6_000)
        with spread(workers) as map_:
            for _ in run(trial, Simulated("fisher-yates", 7, 5), map=map_):
                pass
        results.append(trial)
    assert same(results[0].tally, results[1].tally)
    assert not same(results[0].tally, tried("fisher-yates", 7, 6_000, seed=6).tally)


def test_data_that_end_anywhere_can_be_judged_on_nearly_all_of_their_decks():
    numbers = list(itertools.takewhile((10**9).__gt__, schedule()))
    assert {2**k for k in range(4, 30)} <= set(numbers)
    # A file that ends just before a look is judged at the one before; with 1,000 decks it may pass.
    assert min(one / (other - 1) for one, other in itertools.pairwise(numbers) if other > 1_000) > SEEN_AT_LEAST


def test_a_longer_run_begins_with_the_same_decks():
    short = list(Simulated("fisher-yates", 10, 3).blocks(block_sizes(10, 400)))
    long = list(Simulated("fisher-yates", 10, 3).blocks(block_sizes(10, 4000)))
    for one, other in zip(short, long, strict=False):
        assert np.array_equal(one.decks, other.decks[: len(one.decks)])


@pytest.mark.parametrize(("announced", "all_analyses"), [(True, SCHEDULED), (False, SCHEDULED + LAST_ANALYSIS)])
def test_the_level_is_spent_once_and_no_more(announced, all_analyses):
    spent = math.fsum(_share(decks, all_analyses) for decks in itertools.islice(schedule(), 4_000))
    assert spent <= all_analyses
    assert spent + LAST_ANALYSIS * announced + BETS == pytest.approx(1, abs=1e-3)
    assert spent + LAST_ANALYSIS * announced + BETS <= 1


@pytest.mark.long
def test_asking_for_the_verdict_spends_nothing():
    """Ctrl-C after any deck, or a look at a log every day, is no look of its own."""
    sizes = list(block_sizes(6, 700))
    given = [Battery(6).tally(block) for block in blocks(6, sizes, seed=3)]
    asked, quiet = (Trial(Battery(6), 10**9, announced=False) for _ in range(2))
    for each in given:
        asked.add(each)
        quiet.add(each)
        assert asked.verdict().analysed in analyses(10**6)
    assert quiet.verdict().evidence == asked.verdict().evidence
    assert quiet.verdict().analysed == 609  # and 700 were counted
    share = _share(609, SCHEDULED + LAST_ANALYSIS)
    assert share == pytest.approx(0.5 * 6 / (math.pi * 7) ** 2 / 2 / 3)  # a third of half of the seventh doubling
    at = list(np.cumsum(sizes)).index(609) + 1
    raw = weigh(quiet.battery, quiet.battery.total(given[:at]))
    assert [each.adjusted for each in quiet.verdict().evidence] == [min(1.0, each.adjusted / share) for each in raw]


def test_a_bet_on_a_fair_deck_is_worth_one_coin_on_average():
    # Exactly, over every value that the statistic can take, for one deck and for two.
    for statistic in [each for each in catalogue() if isinstance(each, Scalar) and each.fits(6)]:
        law = statistic.law(6)
        stakes = bet_weights(law)
        chances = zip(law.values, law.probabilities, strict=True)
        once = sum(p * math.exp(log_wealth(stakes, 1, int(x))) for x, p in chances)
        assert once == pytest.approx(1, rel=1e-9), statistic.name
        twice = sum(
            p * q * math.exp(log_wealth(stakes, 2, int(x + y)))
            for x, p in zip(law.values, law.probabilities, strict=True)
            for y, q in zip(law.values, law.probabilities, strict=True)
        )
        assert twice == pytest.approx(1, rel=1e-9), statistic.name


# Correct p-values break one of the bounds below with chance 1e-3 a case, under a fresh seed.
@pytest.mark.long
@pytest.mark.parametrize(("cards", "decks"), [(13, 200), (5, 500), (52, 400)])
def test_p_values_of_perfect_decks_are_what_they_say(cards, decks):
    assert too_many(calibrate(cards, decks, batteries=50)) == []


@pytest.mark.long
def test_the_calibration_detects_p_values_that_are_too_small():
    results = calibrate(5, 300, batteries=10)
    name = next(iter(results["tests"]))
    results["tests"][name] = {"below": [1.0, 1.0], "uniform": 1e-9}
    assert len(too_many(results)) == 3
    assert {52, 5} <= {cards for cards, _, _ in CASES}


@pytest.mark.long
def test_trials_of_perfect_decks_fail_no_oftener_than_they_may():
    # 120 trials at the level .05: more than 17 failures would come with chance 1e-4, were it exactly .05.
    alpha, trials = 0.05, 120
    failed = sum(tried("fisher-yates", 6, 128, seed=seed, alpha=alpha).failed for seed in range(trials))
    assert failed <= binom.isf(1e-4, trials, alpha)


# More failures than `stops_help` allows would come with chance 1e-3, were the chance of one exactly .05.
@pytest.mark.long
def test_stopping_at_the_worst_moment_keeps_the_level():
    failed = sum(stopped(5, 700, 40, number) <= TRIAL_LEVEL for number in range(60))
    assert not stops_help({"logs": 60, "failed": failed})


@pytest.mark.long
def test_stopping_at_the_worst_of_many_moments_keeps_the_level():
    assert not stops_help(stop_at_best(400))


@pytest.mark.long
def test_the_logs_detect_a_level_that_is_spent_wherever_they_end(monkeypatch):
    """The whole of it at any moment that somebody chose; it was a quarter once, and 22 of 150 fair logs failed."""
    honest = Trial.verdict

    def greedy(trial):
        trial._analyse(trial.tally, 1.0)
        return honest(trial)

    monkeypatch.setattr(Trial, "verdict", greedy)
    failed = sum(stopped(5, 700, 40, number) <= TRIAL_LEVEL for number in range(60))
    assert stops_help({"logs": 60, "failed": failed}), failed


FASTEST = {  # decks within which each must be failed, every look and test paid for
    "naive": 512,
    "sattolo": 32,
    "transpositions-n": 32,
    "transpositions-2n": 128,
    "round": 128,
    "modulo-8": 4096,
    "comparator-insertion": 32,
    "comparator-merge": 64,
    "sort-keys-6": 64,
    "seed-15": 512,
    "seed-time": 32,
    "riffle": 32,
    "riffle*5": 32,
    "riffle*7": 128,
    "riffle*8": 512,
    "overhand*10": 32,
    "pile-7-random": 32,
    "top-to-random-n": 32,
    "even": 64,
    "inside-out-clamped": 32,
    "cut-carried": 32,
    "naive-carried": 512,
    "lazy": 1024,
    "repeats": 512,
    "turned-over": 32,
    "stuck-pair": 32,
    "smoothed": 512,
}


@pytest.mark.cases(1)
@pytest.mark.parametrize(("name", "most"), FASTEST.items())
def test_a_faulty_shuffle_is_failed_soon(name, most):
    trial = tried(name, decks=most)
    assert trial.failed, trial.p_value
    verdict = trial.verdict()
    assert verdict.outcome == "fail"
    assert verdict.p_value <= 1e-6
    assert verdict.findings
    assert verdict.limits == ()


@pytest.mark.cases(1)
@pytest.mark.parametrize("cards", [2, 3, 4, 5, 8, 10, 53, 104])
def test_a_fair_shuffle_passes_at_every_size(cards):
    trial = tried("fisher-yates", cards, 2_000)
    assert trial.verdict().outcome == "pass"
    assert trial.verdict().findings == ()


@pytest.mark.cases(1)
@pytest.mark.parametrize("cards", [3, 4, 5, 8, 10, 53, 104])
def test_a_naive_shuffle_fails_at_every_size(cards):
    assert tried("naive", cards, 40_000).verdict().outcome == "fail"


@pytest.mark.cases(1)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_source_that_breaks_fails_and_what_was_counted_stays(workers):
    trial, broken = Trial(Battery(6), 10_000), Broken("deck 1,235 holds card 5 twice", 1_234)
    with spread(workers) as map_:
        for _ in run(trial, Given(perfect(6, 1_234, 1), broken), map=map_):
            pass
    verdict = trial.verdict()
    assert verdict.outcome == "fail"
    assert verdict.decks == 1_234
    assert verdict.findings[0].statistic == "gate"
    report = Report(Inquiry.of("short", cards=6), verdict, trial.tally)
    assert report.headline == "Not every deck is a permutation of the start deck. deck 1,235 holds card 5 twice."


@pytest.mark.long
def test_limits_name_faults_that_are_seen_in_nearly_every_run():
    """A fault as large as the limit says is found: cards at one place, in 40 of 40 runs (99 in 100 promised)."""
    cards, decks = 10, 2_000
    limit = next(each for each in tried("fisher-yates", cards, decks).verdict().limits if each.family == "position")
    extra = limit.size - 1 / cards
    found = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        sample = perfect(cards, decks, seed + 1000)
        # In some decks, so many that card 3 lies at place 0 as often as the limit says, they are swapped.
        for deck in (sample[t] for t in np.flatnonzero(rng.random(decks) < extra / (1 - 1 / cards))):
            at = int(np.flatnonzero(deck == 3)[0])
            deck[0], deck[at] = deck[at], deck[0]
        trial = Trial(Battery(cards), decks)
        trial.add(trial.battery.tally(Block(sample, sample[:0])))
        found += trial.failed
    assert found >= 37, found


@pytest.mark.parametrize(("cells", "decks"), [(3, 30), (4, 40)])
def test_the_tail_of_even_counts_is_held_far_out(cells, decks):
    """The chance of a p-value of 1e-6 or less is at most three times that, exactly, over all counts."""
    from itertools import product

    from fairdeck.lab.laws.tails import even_cells

    chance = 0.0
    for counts in product(range(decks + 1), repeat=cells - 1):
        last = decks - sum(counts)
        if last < 0 or max(*counts, last) < decks / cells * 2:
            continue
        p_value = even_cells(np.array([*counts, last]))
        if p_value is not None and p_value <= 1e-6:
            ways = math.factorial(decks)
            for count in (*counts, last):
                ways //= math.factorial(count)
            chance += ways / cells**decks
    assert 0 < chance <= 3e-6


def test_a_fault_that_only_the_first_decks_had_is_reported_when_the_trial_goes_on():
    battery = Battery(52, 0, frozenset({"positions"}))
    decks = perfect(52, 4096, 1)
    decks[:16] = np.arange(52)
    trial = Trial(battery, 4096, 0.01, fewest=4096)
    done = 0
    for size in block_sizes(52, 4096):
        trial.add(battery.tally(Block(decks[done : done + size], decks[max(0, done - 8) : done])))
        done += size
    verdict = trial.verdict()
    assert verdict.outcome == "fail"
    assert min(each.adjusted for each in verdict.evidence) > trial.alpha, "the last look sees nothing any more"
    report = Report(Inquiry.of("x", lags=0, only="positions"), verdict, trial.tally)
    assert "(the first 2,048 decks showed it)" in report.headline
    for name in ("json", "html", "junit", "certificate"):
        assert "decks showed it" in forms()[name].render(report)


@pytest.mark.parametrize(
    ("only", "rest"), [("neighbours", "the last 52 were not judged"), ("inversions", "all of them by the bets only")]
)
def test_a_report_says_which_decks_the_last_analysis_left_out(only, rest):
    trial = Trial(Battery(5, 0, frozenset({only})), 10**9, announced=False)
    for block in blocks(5, [1_448, 52], seed=1):
        trial.add(trial.battery.tally(block))
    (note,) = Report(Inquiry.of("x", cards=5, lags=0, only=only), trial.verdict(), trial.tally).remarks
    assert note.endswith(f"the first 1,448 were judged by all tests, {rest}")
