"""A trial step by step: when it analyses, what it spends, what it calls a fault, and what is final."""

import hashlib
import pickle
from contextlib import nullcontext
from itertools import accumulate, chain, islice, pairwise, takewhile
from math import exp, fsum, log, pi

import numpy as np
import pytest

from fairdeck.errors import FairdeckError
from fairdeck.lab import counts as kernels
from fairdeck.lab.blocks import Block, Broken
from fairdeck.lab.inquiry import MOST_DECKS
from fairdeck.lab.judging import sentences
from fairdeck.lab.judging import tally as tallies
from fairdeck.lab.judging import trial as trials
from fairdeck.lab.judging import verdict as verdicts
from fairdeck.lab.judging.families import FAMILIES
from fairdeck.lab.judging.tally import (
    Battery,
    analyses_to_double,
    block_sizes,
    decks_before_kernels,
    fingerprint,
    part_sizes,
    portions,
    schedule,
)
from fairdeck.lab.judging.trial import SCHEDULED, SPARE, Standing, Trial, _share, _until, plainest_first, run, wealth
from fairdeck.lab.judging.verdict import Finding, Weighed, fewest_decks, limits, weigh
from fairdeck.lab.laws.tails import PValue
from fairdeck.lab.sources.parts import Parts
from fairdeck.lab.sources.simulated import Simulated
from fairdeck.lab.statistics import Evidence
from tests.decks import fair as fair_decks

SCALARS = Battery(6, lags=0, only=frozenset({"inversions", "descents"}))
WITH_LAG = Battery(6, lags=1, only=frozenset({"inversions", "fixed points"}))
NEIGHBOURS = Battery(6, lags=0, only=frozenset({"neighbours"}))  # which makes no bets


def fair(decks, seed=1, cards=6, battery=SCALARS):
    rows = fair_decks(cards, decks, seed)
    return battery.tally(Block(rows, rows[:0]))


def unshuffled(decks, battery=SCALARS):
    rows = np.tile(np.arange(battery.cards, dtype=np.int16), (decks, 1))
    return battery.tally(Block(rows, rows[:0]))


def added(trial, *counts):
    for each in counts:
        trial.add(each)
    return trial


def test_the_share_of_each_analysis_is_that_of_its_doubling():
    """6/(pi k)^2 of the k-th doubling: half for its end, half divided among the others; the first has only its end."""
    whole = [6 / (pi * k) ** 2 for k in range(8)[1:]]
    assert _share(16, 1.0) == pytest.approx(whole[0])
    assert [_share(at, 1.0) for at in (23, 32, 45, 64)] == pytest.approx([whole[k] / 2 for k in (1, 1, 2, 2)])
    assert [_share(at, 1.0) for at in (609, 724, 861, 1024)] == pytest.approx([whole[6] / 6] * 3 + [whole[6] / 2])
    assert _share(64, 0.25) == pytest.approx(_share(64, 1.0) / 4)


def test_the_schedule_has_two_analyses_in_each_doubling_up_to_512_decks_and_then_four():
    assert list(islice(schedule(1), 9)) == [1, 2, 3, 4, 6, 8, 11, 16, 23]
    assert sum(_share(at, 1.0, 1) for at in islice(schedule(1), 2_000)) <= 1
    assert list(islice(schedule(), 15)) == [16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 609, 724, 861, 1024]
    assert [analyses_to_double(decks) for decks in (16, 512, 513, 10**6)] == [2, 2, 4, 4]


@pytest.mark.parametrize("announced", [True, False])
def test_the_level_is_spent_step_by_step(announced):
    alpha, share = 0.01, 0.25 if announced else 0.5
    trial = Trial(SCALARS, 40, alpha, announced=announced)
    spent = [trial.spent]
    for decks in (15, 1, 6, 1, 17):
        trial.add(fair(decks))
        spent.append(trial.spent)
    made = [0, _share(16, share), _share(16, share), _share(16, share) + _share(23, share)]
    last = made[-1] + _share(32, share) + 0.25 * announced
    assert spent == pytest.approx([0.0, *(alpha * (0.5 + each) for each in made), alpha * (0.5 + last)])


def test_an_analysis_waits_for_the_next_doubling_or_the_verdict():
    trial = added(Trial(SCALARS, 1_000), fair(16))
    assert trial.standing.analysed.decks == 16
    added(trial, fair(7))  # 23 of the schedule, in the middle of a doubling
    assert (trial.standing.analysed.decks, trial.standing.waiting.decks) == (16, 23)
    assert trial.verdict().analysed == 23
    assert trial.standing.waiting is None
    added(trial, fair(9))
    assert (trial.standing.analysed.decks, trial.standing.share) == (32, _share(32, 0.25))
    added(trial, fair(10))
    assert trial.verdict().analysed == 32  # 42 is not in the schedule
    added(trial, fair(200))
    assert trial.verdict().analysed == 32  # no block ended at a number of the schedule


def test_the_last_analysis_is_at_the_number_that_was_announced():
    announced, other = (added(Trial(SCALARS, 20, announced=said), fair(20)) for said in (True, False))
    assert (announced.standing.analysed.decks, announced.standing.share) == (20, 0.25)
    assert other.standing.analysed is None
    assert (announced.verdict().announced, other.verdict().announced) == (20, None)
    assert announced.verdict().evidence[0].adjusted == min(1.0, weigh(SCALARS, fair(20))[0].adjusted / 0.25)


def test_nothing_is_counted_beyond_the_last_deck_and_nothing_is_judged_before_the_first():
    trial = Trial(SCALARS, 20)
    assert (trial.tally, trial.decks, trial.p_value, trial.failed) == (None, 0, 1.0, False)
    verdict = trial.verdict()
    assert (verdict.outcome, verdict.decks, verdict.analysed, verdict.evidence) == ("insufficient", 0, 0, ())
    assert (verdict.findings, verdict.limits, verdict.at_gate) == ((), (), False)
    added(trial, fair(20))
    with pytest.raises(ValueError, match="its 20 decks are counted"):
        trial.add(fair(1))


@pytest.mark.parametrize(
    ("most", "options", "says"),
    [
        (0, {}, "decks: 0"),
        (10, {"fewest": 0}, "fewest decks: 0"),
        (10, {"alpha": 0.0}, "alpha: 0.0"),
        (10, {"alpha": 1.0}, "alpha: 1.0"),
    ],
)
def test_a_trial_of_nothing_or_without_a_level_is_refused(most, options, says):
    with pytest.raises(FairdeckError, match=f"^{says} is "):
        Trial(SCALARS, most, **options)
    assert Trial(SCALARS, 1, fewest=1).fewest == 1


def test_bets_are_the_mean_of_all_wealth_and_the_best_of_all_times_counts():
    counts = unshuffled(12)
    each = [one.statistic.log_wealth(table, 6, 12) for one, table in zip(SCALARS.members, counts.counts, strict=True)]
    both, best = wealth(SCALARS, counts)
    assert both == pytest.approx(log((exp(each[0]) + exp(each[1])) / 2))
    assert each[best] == max(each)
    trial = added(Trial(SCALARS, 10_000), counts)
    assert trial.p_value == pytest.approx(2 * exp(-both))
    added(trial, fair(500))
    assert wealth(SCALARS, trial.tally)[0] < both
    assert trial.p_value <= 2 * exp(-both)  # what was won once stays won
    assert wealth(NEIGHBOURS, unshuffled(12, NEIGHBOURS)) is None


def test_a_glance_settles_the_bets_and_counts_nothing():
    trial = Trial(SCALARS, 10_000)
    trial.glance(unshuffled(12))
    assert (trial.decks, trial.p_value) == (0, added(Trial(SCALARS, 10_000), unshuffled(12)).p_value)
    trial = added(Trial(SCALARS, 10_000), unshuffled(6))
    trial.glance(unshuffled(6))
    assert trial.p_value == added(Trial(SCALARS, 10_000), unshuffled(12)).p_value
    assert trial.decks == 6


def test_only_a_failure_is_final_and_later_decks_change_neither_its_number_nor_its_p_value():
    trial = added(Trial(SCALARS, 10_000), fair(16))
    with pytest.raises(ValueError, match="only a failure is final"):
        trial.settle()
    assert not trial.settled
    trial = added(Trial(SCALARS, 10_000), unshuffled(32))
    assert trial.failed
    trial.settle()
    first = (trial.decks, trial.p_value)
    added(trial, unshuffled(32))
    assert (trial.standing.analysed.decks, trial.standing.waiting.decks) == (32, 64)  # which waits until it is asked
    trial.settle()
    assert trial.settled
    assert (trial.verdict().decks, trial.verdict().p_value) == trial.standing.settled == first
    assert trial.verdict().analysed == 64
    assert trial.verdict().limits == ()


def test_a_failure_is_reported_at_the_level_and_not_above_it():
    standing = Standing(analyses_p=0.01)
    assert Trial(SCALARS, 100, 0.01, standing=standing).failed
    assert not Trial(SCALARS, 100, 0.0099, standing=standing).failed
    assert Trial(SCALARS, 100, 0.0099, standing=Standing(complaint="no deck")).p_value == 0.0


def test_a_fault_that_no_bet_is_on_is_found_by_an_analysis_and_later_decks_do_not_take_it_back():
    trial = added(Trial(NEIGHBOURS, 10_000), unshuffled(16, NEIGHBOURS))
    found = min(each.adjusted for each in trial.verdict().evidence)
    assert trial.p_value == found <= 1e-6
    assert trial.verdict().outcome == "fail"
    added(trial, fair(8_176, battery=NEIGHBOURS))
    assert min(each.adjusted for each in trial.verdict().evidence) > found
    assert (trial.verdict().analysed, trial.p_value) == (8_192, found)


def test_the_p_value_of_a_fair_shuffle_is_never_above_one():
    trial = added(Trial(WITH_LAG, 10_000), fair(128, battery=WITH_LAG))
    evidence = trial.verdict().evidence
    assert max(each.adjusted for each in evidence) == 1.0
    assert trial.p_value <= min(each.adjusted for each in evidence) <= 1.0


def test_every_failure_names_a_fault_even_exactly_at_the_level():
    counts = unshuffled(16, NEIGHBOURS)
    (exactly,) = {each.adjusted for each in added(Trial(NEIGHBOURS, 10_000), counts).verdict().evidence}
    verdict = added(Trial(NEIGHBOURS, 10_000, exactly), counts).verdict()
    assert verdict.outcome == "fail"
    assert {each.statistic for each in verdict.findings} == {each.name for each in verdict.evidence} != set()


def test_a_failure_by_bets_names_the_bet_that_won_most():
    """Before the first analysis, exactly at the level; after the block was counted, or only glanced at."""
    counts = unshuffled(12)
    exactly = 2 * exp(-wealth(SCALARS, counts)[0])
    counted, glanced, fair_so_far = (Trial(SCALARS, 10_000, exactly) for _ in range(3))
    counted.add(counts)
    glanced.glance(counts)
    fair_so_far.add(fair(12))
    for trial in (counted, glanced):
        verdict = trial.verdict()
        assert (verdict.outcome, verdict.evidence, len(verdict.findings)) == ("fail", (), 1)
        found = verdict.findings[0]
        member = SCALARS.members[wealth(SCALARS, counts)[1]]
        assert found.weighed.evidence == member.statistic.bet_on(counts.counts[SCALARS.members.index(member)], 6, 12)
        assert (found.p_value, found.family, found.first_decks) == (exactly, member.family, 0)
        assert (found.weighed.lag, found.weighed.share, found.weighed.adjusted) == (0, 0.0, 1.0)
    assert (fair_so_far.verdict().outcome, fair_so_far.verdict().findings) == ("insufficient", ())


def test_bets_name_no_fault_where_an_analysis_found_some_or_nothing_is_counted_yet():
    found = added(Trial(SCALARS, 10_000), unshuffled(64)).verdict()
    assert {each.weighed.share for each in found.findings}.isdisjoint({0.0})
    verdict = Trial(SCALARS, 100, standing=Standing(log_wealth=50.0)).verdict()  # a glance of an earlier part
    assert (verdict.outcome, verdict.findings) == ("fail", ())


def test_a_pass_needs_enough_decks_of_which_five_sixths_are_analysed():
    trial = added(Trial(SCALARS, 1_000, fewest=38), fair(32))
    assert trial.verdict().outcome == "insufficient"
    added(trial, fair(6))
    assert trial.verdict().outcome == "pass"  # 32 of 38 are five sixths
    assert added(Trial(SCALARS, 1_000, fewest=39), fair(32), fair(7)).verdict().outcome == "insufficient"
    assert added(Trial(SCALARS, 1_000, fewest=54), fair(45), fair(9)).verdict().outcome == "pass"  # exactly
    assert added(Trial(SCALARS, 38, fewest=38), fair(38)).verdict().outcome == "pass"
    assert [fewest_decks(cards) for cards in (6, 100, 101)] == [1_000, 1_000, 1_010]


def test_decks_that_no_test_was_made_of_cannot_pass():
    """The order of a permutation is judged on hundreds of decks, not on 16."""
    orders = Battery(6, lags=0, only=frozenset({"order"}))
    verdict = added(Trial(orders, 16, fewest=16), fair(16, battery=orders)).verdict()
    assert (verdict.outcome, verdict.analysed, verdict.evidence) == ("insufficient", 16, ())


def test_a_pass_tells_limits_at_the_level_of_its_analysis():
    trial = added(Trial(SCALARS, 2_000, 0.01), fair(2_000))
    told = {limit.statistic: limit for limit in trial.verdict().limits}
    assert told.keys() == {"inversions", "descents"}  # the plainest of their family was not asked
    share = 1 / len(trial.verdict().evidence)  # of one family, whose tests share the level
    for member, counts in zip(SCALARS.members, trial.tally.counts, strict=True):
        limit = told[member.statistic.name]
        assert limit.size == member.statistic.limit(counts, 6, 2_000, 0.01 * 0.25 * share).size
        assert (limit.family, limit.lag) == ("shape", 0)


def test_limits_are_told_of_the_plainest_of_a_family_and_of_the_deck_just_before():
    battery = Battery(6, lags=2, only=frozenset({"inversions", "rising sequences", "fixed points"}))
    trial = added(Trial(battery, 2_000), fair(2_000, battery=battery))
    assert {(limit.family, limit.statistic, limit.lag) for limit in trial.verdict().limits} == {
        ("shape", "rising sequences", 0),
        ("serial", "fixed points", 1),
    }


def test_a_trial_goes_on_where_it_stood():
    counts = [unshuffled(32), fair(32, seed=2), fair(64, seed=3)]
    whole = added(Trial(SCALARS, 10_000), *counts)
    part = added(Trial(SCALARS, 10_000), *counts[:2])
    part.verdict()
    rest = added(Trial(SCALARS, 10_000, standing=part.standing), counts[2])
    for one, other in ((whole, rest), (whole, Trial(SCALARS, 10_000, standing=whole.standing))):
        assert one.verdict() == other.verdict()


@pytest.mark.parametrize("first", [1, 16])
def test_bursts_have_what_the_schedule_of_the_longest_trial_leaves(first):
    spent = fsum(_share(at, SCHEDULED, first) for at in takewhile(MOST_DECKS.__ge__, schedule(first)))
    assert SCHEDULED - spent > SPARE
    ends = [1_024, *takewhile(MOST_DECKS.__ge__, schedule(2_000))]
    assert sum(_until(end) - _until(start) for start, end in pairwise(ends)) <= 1


def half_sorted(decks):
    rows = fair_decks(6, decks, 7)
    rows[:, :3].sort(axis=1)
    return SCALARS.tally(Block(rows, rows[:0]))


def in_blocks(trial, at=5_000, worst=0, until=17_000, cut=0):
    """Count fair decks, but in the block with deck `at` some that are half sorted; that block may end early."""
    done = 0
    for size in block_sizes(6, until):
        bad = worst if done <= at < done + size else 0
        block = fair(size - bad - cut * bool(bad), seed=done)
        trial.add(trial.battery.merge(block, half_sorted(bad)) if bad else block)
        done += size
        if bad and (cut or trial.failed):
            break
    return trial


def test_a_burst_in_the_midst_is_found_in_its_block_and_told_with_its_decks():
    trial = in_blocks(Trial(SCALARS, 1_000_000), worst=350)
    start, end = next(pair for pair in pairwise(accumulate(block_sizes(6, 9_999))) if pair[1] > 5_000)
    assert trial.failed
    assert trial.decks == end
    finding, *_ = trial.verdict().findings
    assert (finding.after, finding.first_decks) == (start, end - start)
    assert f"(decks {start + 1:,} to {end:,} showed it)" in sentences.finding(finding)
    again = Trial(SCALARS, 1_000_000, standing=trial.standing)
    assert again.verdict() == trial.verdict()


def test_no_block_is_weighed_by_itself_where_windows_do_it_nor_one_that_ends_early():
    assert not in_blocks(Trial(SCALARS, 1_000_000, bursts=False), worst=350).failed
    assert not in_blocks(Trial(SCALARS, 1_000_000), worst=350, cut=1).failed
    assert not in_blocks(Trial(SCALARS, 1_000_000), worst=20).failed


def test_bursts_keep_their_level_on_fair_decks(monkeypatch):
    """Each block is weighed, with all of the level: 300 runs at .1 find 48 bursts or more with chance 1e-3 at most."""
    monkeypatch.setattr(trials, "SPARE", 1.0)
    monkeypatch.setattr(trials, "WORTH_WEIGHING", 1.0)
    found = 0
    for number in range(300):
        trial = Trial(SCALARS, 1_000_000, alpha=0.1)
        counts = (fair(size, seed=100 * number + at) for at, size in enumerate(block_sizes(6, 4_096)))
        found += added(trial, *counts).standing.found_after > 0
    assert 0 < found < 48


def place(weighed):
    return list(FAMILIES).index(weighed.family), weighed.lag


def test_a_finding_that_is_much_surer_comes_before_a_plainer_one():
    sure, plain, close = (
        Weighed(Evidence("any", "any", PValue(p, "z", 9), ""), family, 0, 1.0, p, 64)
        for p, family in ((1e-43, "game"), (1e-16, "position"), (1e-33, "shape"))
    )
    assert plainest_first([plain, sure, close]) == [*sorted([close, sure], key=place), plain]


def test_the_plainest_fault_comes_first_and_the_gate_before_all():
    battery = Battery(6, lags=1)
    trial = added(Trial(battery, 64), unshuffled(64, battery))
    order = [
        (each.weighed.evidence.roundabout, each.p_value > 1e-20, *place(each.weighed), each.p_value)
        for each in trial.verdict().findings
    ]
    assert order == sorted(order)
    assert len({each[2] for each in order}) > 3
    assert not trial.verdict().at_gate
    trial.broke(Broken("deck 65 holds card 3 twice", 64))
    verdict = trial.verdict()
    assert (verdict.findings[0].statistic, verdict.findings[0].complaint) == ("gate", "deck 65 holds card 3 twice")
    assert (verdict.findings[0].family, verdict.findings[0].p_value, verdict.at_gate) == ("", 0.0, True)
    assert len(verdict.findings) == len(order) + 1
    assert not verdict.findings[1].at_gate


def test_a_test_is_named_with_its_lag():
    weighed = weigh(WITH_LAG, fair(100, battery=WITH_LAG))
    later = {f"{each.evidence.name} (relative, lag 1)" for each in weighed if each.lag}
    assert {each.name for each in weighed if each.lag} == later != set()
    assert {each.name for each in weighed if not each.lag} == {each.evidence.name for each in weighed if not each.lag}
    assert {each.family for each in weighed if each.lag} == {"serial"}
    assert Finding(0.5, weighed[0]).statistic == weighed[0].name
    assert isinstance(weighed[0], Weighed)


def test_families_share_a_level_by_weight_and_their_tests_evenly():
    weighed = weigh(WITH_LAG, fair(100, battery=WITH_LAG))
    sizes = {name: sum(each.family == name for each in weighed) for name in {each.family for each in weighed}}
    whole = sum(FAMILIES[name].share for name in sizes)
    for each in weighed:
        assert each.share == pytest.approx(FAMILIES[each.family].share / whole / sizes[each.family])
    ratios = [each.evidence.p_value / each.share for each in weighed]
    assert ratios == sorted(ratios)


def test_the_steps_of_holm_hold_for_tests_of_unequal_weight():
    """On decks with a slight fault, so that many p-values lie between the level and one."""
    rows = fair_rows(400)
    rows[:12] = np.arange(6)
    battery = Battery(6, lags=1)
    weighed = weigh(battery, battery.tally(Block(rows, rows[:0])))
    assert len({each.share for each in weighed}) > 3
    ratios = [each.evidence.p_value / each.share for each in weighed]
    assert ratios == sorted(ratios)
    left, highest = 1.0, 0.0
    for each, ratio in zip(weighed, ratios, strict=True):
        highest = max(highest, min(1.0, ratio * left))
        assert each.adjusted == pytest.approx(highest, rel=1e-9)
        left -= each.share
    assert sum(1e-9 < each.adjusted < 1.0 for each in weighed) > 3
    assert weighed[-1].adjusted == 1.0


def test_no_limit_is_told_of_a_test_that_was_not_made():
    counts = fair(2_000)
    weighed = weigh(SCALARS, counts)
    assert len(limits(SCALARS, counts, weighed, 1e-6)) == 2
    others = [each for each in weighed if each.evidence.name != "inversions: mean"]
    assert len(others) < len(weighed)
    assert [limit.statistic for limit in limits(SCALARS, counts, others, 1e-6)] == ["descents"]
    assert limits(SCALARS, counts, (), 1e-6) == ()
    few = Battery(6, lags=1)
    counts = fair(16, battery=few)
    told = limits(few, counts, weigh(few, counts), 1e-6)
    assert 0 < len(told) < len(few.members)  # some faults of 16 decks cannot be seen at all


def test_the_level_is_one_in_a_million_unless_it_is_told():
    assert Trial(SCALARS, 1).alpha == verdicts.DEFAULT_ALPHA == 1e-6


class Given:
    """A source that gives its decks block by block, and then breaks if it has an error."""

    name, cards, notes = "given", 6, ()

    def __init__(self, rows, error=None):
        self.rows, self.error = rows, error

    def blocks(self, sizes, number=0):
        at = sum(islice(block_sizes(6, 10**6), number))
        for size in sizes:
            if at >= len(self.rows):
                break
            part = self.rows[at : at + size]
            at += len(part)
            yield Block(part, part[:0])
        if self.error:
            raise self.error


IN_ORDER = np.tile(np.arange(6, dtype=np.int16), (4_000, 1))


def test_a_run_ends_at_the_failure_or_goes_on_as_far_as_it_is_told():
    def ends(**options):
        trial = Trial(SCALARS, 4_000)
        for _ in run(trial, Given(IN_ORDER), **options):
            pass
        return trial.standing.settled[0], trial.decks

    first, end = ends()
    assert first == end < 64
    assert ends(go_on=50)[0] == first
    assert first + 50 <= ends(go_on=50)[1] < first + 120
    assert ends(at_least=100)[0] >= 100
    assert ends(at_least=first) == (first, first)


def test_a_run_that_is_over_gives_no_more_and_another_goes_on_after_its_blocks():
    source = Simulated("fisher-yates", 6, 3)
    whole, part = Trial(SCALARS, 900), Trial(SCALARS, 900)
    assert [each.decks for each in run(whole, source)][-1] == 900
    assert list(run(whole, source)) == []
    for each in run(part, source):
        if each.decks > 100:
            break
    for _ in run(part, source):
        pass
    assert part.decks == 900
    assert all(np.array_equal(one, other) for one, other in zip(whole.tally.counts, part.tally.counts, strict=True))


def test_a_run_after_the_verdict_counts_as_many_decks_more_as_it_is_told():
    trial = Trial(SCALARS, 4_000)
    for _ in run(trial, Given(IN_ORDER)):
        pass
    before = trial.decks
    assert list(run(trial, Given(IN_ORDER))) == []
    for _ in run(trial, Given(IN_ORDER), go_on=50):
        pass
    assert before + 50 <= trial.decks < before + 120


class InParts:
    """How the parts of a user's code are made, with decks of this process; the second can break after 30 decks."""

    name, cards = "given", 6

    def __init__(self, breaks=False):
        self.breaks = breaks

    def source(self, number):
        rows = np.random.default_rng(number).permuted(IN_ORDER, axis=1)
        broken = self.breaks and number == 1
        return nullcontext(Given(rows[:30], Broken("deck 31 is short", 30)) if broken else Given(rows))


def test_parts_are_counted_whole_and_another_run_makes_only_those_that_are_left():
    whole, again = Trial(SCALARS, 1_000), Trial(SCALARS, 1_000)
    ends = [64, 128, 256, 512, 1_000]
    assert [each.decks for each in run(whole, Parts(InParts()))] == ends
    for each in run(again, Parts(InParts())):
        if each.decks == 128:
            break
    assert [each.decks for each in run(again, Parts(InParts()))] == ends[2:]
    assert all(np.array_equal(one, other) for one, other in zip(whole.tally.counts, again.tally.counts, strict=True))


def test_the_decks_of_a_part_before_it_broke_are_counted():
    trial = Trial(SCALARS, 1_000)
    assert [each.decks for each in run(trial, Parts(InParts(breaks=True)))] == [64, 94]
    assert (trial.verdict().outcome, trial.verdict().decks) == ("fail", 94)


def test_decks_from_elsewhere_are_counted_block_by_block_and_those_made_here_in_portions(monkeypatch):
    """So that nobody waits long for slow decks; a run that was stopped goes on after any block."""
    monkeypatch.setattr(tallies, "LARGEST_BLOCK", 16)
    blocks, larger = list(block_sizes(6, 2_600)), [sum(portion) for portion in portions(6, 2_600)]
    assert len(larger) < len(blocks)
    rows = np.random.default_rng(1).permuted(IN_ORDER[:2_600], axis=1)
    whole, again = Trial(NEIGHBOURS, 2_600), Trial(NEIGHBOURS, 2_600)
    assert [each.decks for each in run(whole, Given(rows))] == np.cumsum(blocks).tolist()
    here = Trial(NEIGHBOURS, 2_600)
    assert [each.decks for each in run(here, Simulated("fisher-yates", 6, 3))] == np.cumsum(larger).tolist()
    within = next(end for end in np.cumsum(blocks).tolist() if end not in np.cumsum(larger))
    for each in run(again, Given(rows)):
        if each.decks == within:
            break
    assert [each.decks for each in run(again, Given(rows))][-1] == 2_600
    assert np.array_equal(again.tally.counts[0], whole.tally.counts[0])


def fair_rows(decks):
    return np.random.default_rng(1).permuted(IN_ORDER[:decks], axis=1)


def test_blocks_are_nearly_equal_between_two_analyses_and_end_at_each():
    assert list(block_sizes(6, 100)) == [16, 7, 9, 13, 19, 27, 9]
    assert list(block_sizes(6, 16)) == [16]
    large = list(block_sizes(6, 2**15))
    assert max(large) <= 4_096
    # 2**21 cards in a block: 512 decks of 4,096 cards.
    assert 256 < max(block_sizes(4_096, 10_000)) <= 512
    assert max(block_sizes(10**6, 1_000)) == 2
    ends = np.cumsum(list(block_sizes(16_384, 10_000)))
    for one, other in pairwise([0, *islice(schedule(1), 20)]):
        sizes = [b - a for a, b in pairwise([0, *ends]) if one <= a and b <= other]
        assert max(sizes) - min(sizes) <= 1


def test_a_portion_is_a_64th_of_the_decks_or_ends_at_an_analysis():
    done, analyses, most = 0, set(islice(schedule(), 80)), 3_000_000
    for portion in portions(6, most):
        before = done + sum(portion[:-1])
        assert len(portion) == 1 or (sum(portion[:-1]) < before // 64 and before not in analyses)
        done += sum(portion)
        assert done in {*analyses, most} or sum(portion) >= done // 64
    assert done == most
    assert list(chain(*portions(6, most))) == list(block_sizes(6, most))
    assert max(map(sum, portions(52, 10**8))) <= tallies.LARGEST_PORTION + tallies.LARGEST_BLOCK


def test_parts_of_a_users_code_double_and_then_end_at_each_analysis():
    ends = np.cumsum([sum(part) for part in part_sizes(6, 100_000)]).tolist()
    assert ends[:10] == [64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768]
    assert ends[10:] == [38_968, 46_341, 55_109, 65_536, 77_936, 92_682, 100_000]
    assert max(sum(part) for part in part_sizes(6, 2_000_000)) < 2**16 + 4_096
    assert [size for part in part_sizes(6, 100_000) for size in part] == list(block_sizes(6, 100_000))


def test_the_decks_before_kernels_are_in_blocks_that_are_too_small_for_them():
    before = decks_before_kernels(52)
    sizes = list(block_sizes(52, 100_000))
    ends = np.cumsum(sizes).tolist()
    at = ends.index(before)
    assert min(sizes[at + 1 : -1]) >= tallies.FAST_FROM > max(sizes[: at + 1])


def test_a_battery_is_told_by_name_and_refuses_what_it_cannot_ask():
    assert [member.lag for member in WITH_LAG.members] == [0, 0, *[1] * (len(WITH_LAG.members) - 2)]
    assert WITH_LAG.names == {"inversions", "fixed points"}
    with pytest.raises(FairdeckError, match="no statistic is called 'inversion'; did you mean 'inversions'"):
        Battery(6, only=frozenset({"inversion"}))
    for wrong, says in (
        ({"cards": 1}, "cards: 1"),
        ({"cards": 6, "lags": -1}, "lags: -1"),
        ({"cards": 6, "lags": 33}, "lags: 33"),
    ):
        with pytest.raises(FairdeckError, match=f"^{says} is "):
            Battery(**wrong)
    with pytest.raises(FairdeckError, match=r"^none of these statistics .* for decks of 6 cards; ask for others$"):
        Battery(6, only=frozenset({"suits of two places"}))
    assert Battery(2, lags=32).lags == 32


def test_each_deck_is_compared_with_the_two_before_it_unless_it_is_told_otherwise():
    assert Battery(6).lags == tallies.DEFAULT_LAGS == 2
    whole = Battery(6)
    by_lag = [[member.statistic for member in whole.members if member.lag == lag] for lag in range(3)]
    assert by_lag[1] == by_lag[2] == [statistic for statistic in by_lag[0] if statistic.relative]
    assert 0 < len(by_lag[1]) < len(by_lag[0])


def test_the_fingerprint_is_that_of_the_names_and_texts_of_all_sources_of_laws_and_statistics(monkeypatch, tmp_path):
    """Runs that were stopped and files of shards of this version hold it, so it must stay the same digit for digit."""
    for name in ("laws", "statistics"):
        (tmp_path / name).mkdir()
    texts = {"kinds.py": "1", "view.py": "2", "laws/b.py": "3", "laws/c.py": "4", "statistics/a.py": "5"}
    for name, text in {**texts, "laws/a.txt": "6", "statistics/a.pyc": "7"}.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    monkeypatch.setattr(tallies.resources, "files", {"fairdeck.lab": tmp_path}.__getitem__)
    whole = "".join(f"{name.rpartition('/')[2]}\0{text}\0" for name, text in texts.items())
    assert fingerprint.__wrapped__() == hashlib.sha256(whole.encode()).hexdigest()


def same(one, other):
    tables = zip(one.counts, other.counts, strict=True)
    return (one.decks, one.seen) == (other.decks, other.seen) and all(np.array_equal(a, b) for a, b in tables)


def test_a_small_block_is_counted_by_numpy_and_a_large_one_by_kernels_to_the_same(monkeypatch):
    rows = fair_rows(2_508)
    given = Block(rows[8:], rows[:8])
    by_kernels = WITH_LAG.tally_by_kernels(given)
    monkeypatch.setattr(tallies, "available", lambda: False)
    assert not tallies.is_fast(6)
    assert same(WITH_LAG.tally(given), by_kernels)
    assert by_kernels.seen == (2_500, 2_500)
    asked = []
    monkeypatch.setattr(tallies, "available", lambda: True)
    monkeypatch.setattr(tallies.compiling, "ready", lambda cards, names: True)
    monkeypatch.setattr(Battery, "tally_by_kernels", lambda battery, block: asked.append(block.size))
    for size in (tallies.FAST_FROM - 1, tallies.FAST_FROM):
        WITH_LAG.tally(Block(rows[:size], rows[:0]))
    assert asked == [tallies.FAST_FROM]
    assert [tallies.is_fast(cards) for cards in (1, 2, 128, 129)] == [False, True, True, False]
    monkeypatch.setattr(tallies.compiling, "ready", lambda cards, names: False)
    WITH_LAG.tally(Block(rows[: tallies.FAST_FROM], rows[:0]))  # nobody waits for kernels
    monkeypatch.setattr(tallies.compiling, "ready", lambda cards, names: True)
    many = np.tile(np.arange(129, dtype=np.int16), (tallies.FAST_FROM, 1))
    Battery(129, lags=0, only=SCALARS.only).tally(Block(many, many[:0]))
    assert asked == [tallies.FAST_FROM]


def test_a_statistic_without_a_kernel_is_counted_by_numpy_beside_those_that_have_one(monkeypatch):
    rows = fair_rows(300)
    given, battery = Block(rows[8:], rows[:8]), Battery(6, lags=1, only=frozenset({"inversions", "neighbours"}))
    quick = dict(kernels.fast())
    del quick["neighbours"]
    monkeypatch.setattr(kernels, "fast", lambda: quick)
    assert same(battery.tally_by_kernels(given), battery.tally(given))
    monkeypatch.setattr(kernels, "fast", dict)
    assert same(battery.tally_by_kernels(given), battery.tally(given))


@pytest.mark.parametrize(
    ("number", "size", "counted"), [(47, 1_024, True), (48, 1_023, True), (48, 1_024, False), (64, 1_024, True)]
)
def test_sparse_statistics_skip_large_blocks_after_the_48th_except_one_in_32(number, size, counted):
    battery = Battery(6, lags=1, only=frozenset({"order of four cards", "fixed points"}))
    block = Block(fair_rows(size), fair_rows(1), turn=number)
    tallied = battery.tally(block)
    for member, counts in zip(battery.members, tallied.counts, strict=True):
        assert bool(counts.sum()) == (counted or not member.statistic.sparse), member
    assert same(battery.tally_by_kernels(block), tallied)


def test_tallies_of_equal_size_are_added_first():
    """So that a count which grows is not copied for every block: of 8 blocks each is in 3 sums, not in up to 7."""
    sizes = []

    class Noted(Battery):
        def merge(self, tally, more):
            sizes.append((tally.decks, more.decks))
            return super().merge(tally, more)

    total = Noted(6, lags=0, only=SCALARS.only).total([fair(1, seed) for seed in range(6)])
    assert sizes == [(1, 1), (1, 1), (2, 2), (1, 1), (2, 4)]
    assert (total.decks, total.seen) == (6, (6,))


def test_what_was_counted_before_blocks_broke_is_told_by_the_error():
    with pytest.raises(Broken) as broken:
        SCALARS.tally_all(Given(fair_rows(23), Broken("deck 24 is short", 23)).blocks([16, 7, 9]))
    assert broken.value.counted.decks == 23
    with pytest.raises(Broken) as broken:
        SCALARS.tally_all(Given(fair_rows(0), Broken("deck 1 is short", 0)).blocks([16]))
    assert broken.value.counted is None
    assert SCALARS.tally_all(Given(fair_rows(23)).blocks([16, 7, 9])).decks == 23


def test_a_battery_travels_as_its_fields_alone():
    again = pickle.loads(pickle.dumps(WITH_LAG))
    assert again == WITH_LAG
    assert again.members == WITH_LAG.members
    assert WITH_LAG.__getstate__() == {"cards": 6, "lags": 1, "only": WITH_LAG.only, "sight": None}
