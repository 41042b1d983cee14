"""Limits: what a report says would have been seen follows the tests that were made, and is true."""

import json
from math import isqrt

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import pdtrc

from fairdeck.cli import main
from fairdeck.lab.blocks import Block
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.judging.families import FAMILIES
from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.report_document import document
from fairdeck.lab.judging.sentences import UNKNOWN
from fairdeck.lab.judging.sentences import limit as words_of
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.judging.trial import LAST_ANALYSIS, Trial
from fairdeck.lab.judging.verdict import limits
from fairdeck.lab.laws.power import POWER, pairs_seen, share_seen
from fairdeck.lab.observations import Kind, Sight
from fairdeck.lab.standards import registry
from fairdeck.lab.statistics import Scalar, catalogue
from fairdeck.lab.statistics.draws import Draws
from fairdeck.lab.statistics.kinds_again import KindAgain, KindFollows
from fairdeck.lab.statistics.repeats import sample
from fairdeck.show.reports import forms
from fairdeck.show.terminal import lines
from tests.decks import fair

CASES = [
    pytest.param(statistic, cards, id=f"{statistic.name}-{cards}")
    for statistic in catalogue()
    for cards in (5, 8, 52, 1_001)
    if statistic.fits(cards) and (cards < 1_000 or not statistic.fits(52))
]


def judged(battery, decks=2_048, alpha=1e-6):
    rows = fair(battery.cards, decks, battery.cards)
    trial = Trial(battery, decks, alpha)
    trial.add(battery.tally(Block(rows, rows[:0])))
    return trial


def shifted(law, mean, values):
    """Return counts of values whose mean is `mean`: the law, tilted."""
    weights = lambda theta: law.probabilities * np.exp(theta * (law.values - law.mean))  # noqa: E731
    off = lambda theta: float(weights(theta) @ law.values / weights(theta).sum()) - mean  # noqa: E731
    tilted = weights(brentq(off, -30 / len(law.values), 30 / len(law.values)))
    return np.rint(tilted / tilted.sum() * values).astype(np.int64)


@pytest.mark.cases(6)
@pytest.mark.parametrize(("statistic", "cards"), CASES)
def test_every_statistic_by_itself_names_only_its_own_limits_and_they_are_seen(statistic, cards):
    battery = Battery(cards, lags=1, only=frozenset({statistic.name}))
    trial = judged(battery, 200 if cards > 1_000 else 2_048)
    verdict = trial.verdict()
    tests = {(each.evidence.name, each.family): each.share for each in verdict.evidence}
    found = limits(battery, trial.tally, verdict.evidence, trial.alpha * LAST_ANALYSIS)
    assert {(limit.name, limit.family) for limit in found} <= tests.keys()
    for limit in found:
        if limit.lag:
            assert "compared with the deck before" in words_of(limit)
            continue
        level = trial.alpha * LAST_ANALYSIS * tests[limit.name, limit.family]
        for counts in faults(statistic, cards, trial.tally, limit.size):
            p_values = {each.name: each.p_value for each in statistic.judge(counts, cards, trial.decks)}
            assert p_values[limit.name] <= level, limit


def faults(statistic, cards, tally, size):
    """Yield counts with a fault as large as a limit says."""
    counts = tally.counts[0].copy()
    if isinstance(statistic, Scalar):
        law, values = statistic.law(cards), int(counts.sum())
        yield from (shifted(law, law.mean + side * size, values) for side in (1, -1))
    elif statistic.name == "repeats":
        rng = np.random.default_rng(1)
        for _ in range(10):
            numbers = rng.integers(0, int(size), tally.decks).astype(np.uint64) * np.uint64(0x9E37_79B9_7F4A_7C15)
            yield sample(numbers.view(np.int64), None, statistic.kept)
    elif counts.ndim == 1 and len(counts) == 2:  # a sum, high and low words
        mean, _ = statistic.moments(cards)
        for side in (1, -1):
            yield np.array(divmod(round((mean + side * size) * tally.decks), 1 << 32), dtype=np.int64)
    elif isinstance(statistic, Draws):  # every draw is in its lower half as much more often
        fair = np.array([(k + 1) // 2 / (k + 1) for k in range(cards)])
        low = np.rint(tally.decks * fair * size / fair[1:].mean()).astype(np.int64)
        counts[:] = 0
        counts[:, :, 0] = low
        counts[:, np.arange(cards), np.arange(cards)] += tally.decks - low
        yield counts
    elif isinstance(statistic, KindFollows):  # the second kind follows the first, at the first places
        number = int(statistic.kinds(cards).max()) + 1
        row = isqrt(len(counts) - 1)
        counts[row // number * row] = np.ceil(size * counts[-1])
        yield counts
    elif isinstance(statistic, KindAgain):  # which compares some decks only, and says how many
        counts[0] = np.ceil(size * counts[-1])
        yield counts
    else:
        counts[(0, 1)[-counts.ndim :]] = round(size * tally.decks)
        yield counts


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", registry())
def test_every_standard_names_only_limits_of_tests_that_it_made(name):
    standard = registry()[name]
    battery = standard.battery(52)
    trial = judged(battery, alpha=standard.alpha)
    verdict = trial.verdict()
    tests = {(each.evidence.name, each.family) for each in verdict.evidence}
    assert verdict.limits
    assert {(limit.name, limit.family) for limit in verdict.limits} <= tests
    asked = {member.statistic.name for member in battery.members}
    assert {limit.statistic for limit in verdict.limits} <= asked
    report = Report(Inquiry.of("mine", standard=standard), verdict, trial.tally)
    for form in forms().values():
        assert "look like those of a perfect shuffle" not in form.render(report)
    assert standard.name in report.headline


def test_the_plainest_of_a_family_are_statistics_that_have_a_limit():
    told = {name: family.told for name, family in FAMILIES.items()}
    hands = Battery(52, sight=Sight(52, "set:5", (Kind("ace", (0, 13, 26, 39)),)))
    batteries = [hands, Battery(8), Battery(52)]
    found = {limit.family: limit.statistic for each in batteries for limit in judged(each).verdict().limits}
    assert found == told | {"kinds": "ace in the hand"}


def test_a_pass_of_one_weak_test_says_so_in_every_form():
    """Once `--only parity` said that a shift of .111 rising sequences would have been seen."""
    trial = judged(Battery(52, only=frozenset({"parity"})))
    report = Report(Inquiry.of("mine", only="parity"), trial.verdict(), trial.tally)
    assert report.verdict.outcome == "pass"
    for text in ("\n".join(lines(document(report))), *(form.render(report) for name, form in forms().items())):
        assert "rising sequences" not in text
        assert "perfect shuffle looks like" not in text
        assert "look like those" not in text
    certificate = forms()["certificate"].render(report)
    assert "of parity; nothing else was tested" in certificate
    assert "in part: only parity" in certificate
    assert "parity: 0." in certificate
    assert 'name="shape (only parity)"' in forms()["junit"].render(report)


def test_a_pass_whose_limits_nobody_worked_out_says_that():
    trial = judged(Battery(52, only=frozenset({"poker hands"})))
    report = Report(Inquiry.of("mine", only="poker hands"), trial.verdict(), trial.tally)
    assert (report.verdict.outcome, report.verdict.limits) == ("pass", ())
    assert UNKNOWN in "\n".join(lines(document(report)))
    assert UNKNOWN in forms()["html"].render(report)
    assert UNKNOWN in forms()["certificate"].render(report)


def test_a_limit_belongs_to_the_analysis_that_was_made_and_its_share():
    announced, unannounced = (Trial(Battery(5), 2_048, announced=announced) for announced in (True, False))
    rows = fair(5, 2_500, 3)
    tally = Battery(5).tally(Block(rows[:2_048], rows[:0]))
    announced.add(tally)
    unannounced.add(tally)
    one, other = (
        {limit.name: limit.size for limit in trial.verdict().limits if limit.family != "repeats"}
        for trial in (announced, unannounced)
    )
    assert one.keys() == other.keys()
    assert all(one[test] < other[test] for test in one)  # a quarter of the level is more than a share by schedule


def test_alpha_of_1e_30_has_limits_that_can_be_told(capsys):
    """Once they were infinite, which JSON cannot hold."""
    assert main(["test", "fisher-yates", "--cards", "5", "--decks", "2000", "--alpha", "1e-30", "--json"]) == 0
    assert all(0 < limit["size"] < 10**6 for limit in json.loads(capsys.readouterr().out)["limits"])


@pytest.mark.parametrize("fair", [100, 9_000, 9_956, 10_000])
def test_so_many_pairs_of_equal_decks_as_a_limit_says_are_seen(fair):
    level = 1e-7
    alarm = next(count for count in range(fair, 2 * fair) if pdtrc(count - 1, fair) <= level / 2)
    assert pdtrc(alarm - 1, pairs_seen(fair, level)) >= POWER


def test_a_share_that_not_even_all_decks_would_show_is_no_limit():
    assert share_seen(0.49, 16, 1e-9) is None
    trial = judged(Battery(52, 1, frozenset({"colours of two places"})), 24)
    assert trial.verdict().limits == ()
