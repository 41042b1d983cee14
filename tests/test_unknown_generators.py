"""Relations of draws: congruential generators that no list has, the law of the sums, and fair decks."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from fairdeck import lab
from fairdeck.lab.statistics.unknown_generators import (
    ASKED_FROM,
    KEPT,
    LARGER,
    STATISTICS,
    bound,
    reduced,
    relation_of,
    turned,
)
from tests.decks import fair, viewed
from tests.drawing_programs import DOWN, PROGRAMS, drawn

(STATISTIC,) = STATISTICS
KINDS = [(2**24, 2_083_165, 26), (2**32, 3_202_034_525, 52), (2**32, 747_796_405, 64), (2**36 - 5, 31_415_926_535, 104)]


def decks_of(modulus, factor, n, decks, algorithm=DOWN, added=1_013):
    """Decks whose draws are scaled numbers of a generator: n numbers a deck, so that low bits are the same in each."""
    found, number = [], 12_345

    def draw(k):
        nonlocal number
        number = (factor * number + added) % modulus
        return number * k // modulus

    for _ in range(decks):
        found += drawn(algorithm, n, 1, draw)
        draw(1)
    return found


def judged(decks):
    view = replace(viewed(decks), first=0)
    return next(iter(STATISTIC.judge(STATISTIC.count(view), view.cards, ASKED_FROM)))


@pytest.mark.parametrize(
    ("modulus", "factor", "n", "algorithm"),
    [*((*kind, DOWN) for kind in KINDS), *((*KINDS[1], algorithm) for algorithm in PROGRAMS if algorithm != DOWN)],
)
def test_factor_and_modulus_are_read_off_the_decks(modulus, factor, n, algorithm):
    found = judged(decks_of(modulus, factor, n, KEPT, algorithm))
    assert found.p_value < 1e-20
    assert f"read as {algorithm}, " in found.words
    larger = LARGER * (modulus % 2 == 0)
    assert found.means.endswith(f"a congruential generator (x -> {factor} x + c modulo {modulus}{larger})")


@pytest.mark.parametrize(("modulus", "factor"), [(2**35, 5**13), (2**32, 69_069), (2**32, 3_740_067_437)])
def test_without_an_increment_modulo_a_power_of_two_factor_and_modulus_may_be_larger(modulus, factor):
    means = judged(decks_of(modulus, factor, 52, KEPT, added=0)).means
    told, below = map(int, re.search(r"x -> (\d+) x \+ c modulo (\d+)", means).groups())
    assert means.endswith(f"modulo {below}{LARGER})")
    assert below == modulus // 4 and factor % below == told


def test_a_report_names_the_generator_and_of_a_known_one_its_user():
    report = lab.test(np.array(decks_of(2**36 - 5, 31_415_926_535, 52, ASKED_FROM)))
    assert report.headline.endswith("congruential generator (x -> 31415926535 x + c modulo 68719476731).")
    assert report.causes[0].certain
    known = decks_of(2**32, 1_664_525, 52, ASKED_FROM, added=1_013_904_223)
    assert lab.test(np.array(known)).headline.endswith("are those of Numerical Recipes' quick generator.")


def test_decks_that_are_hardly_shuffled_are_left_to_other_statistics():
    for decks in (np.tile(np.arange(52), (KEPT, 1)), np.array([np.roll(range(52), at) for at in range(KEPT)])):
        found = judged(decks)
        assert (found.roundabout, found.means) == (True, "")


def sums_of_all_orders(n, factors):
    options = np.arange(n, 1, -1)
    fractions = (np.array(list(product(*map(range, options)))).T + 0.5) / options[:, None]
    windows = sliding_window_view(fractions, len(factors), axis=0)
    sums, weights = turned(np.array(factors), windows, sliding_window_view(options, len(factors)))
    return sums.sum(axis=0), weights


@pytest.mark.parametrize("factors", [(1, -1), (1, 0, -1), (1, -1, 1), (1, -1, 2), (0, 2, 1)])
def test_sums_of_all_orders_of_7_cards_have_the_mean_0_and_the_variance_of_uncorrelated_ones(factors):
    sums, weights = sums_of_all_orders(7, factors)
    assert weights.any()
    assert abs(sums.mean()) < 1e-12
    assert abs((sums**2).mean()) < 1e-12
    assert (abs(sums) ** 2).mean() == pytest.approx(weights @ weights, rel=1e-12)


@pytest.mark.parametrize("factors", [(1, -1), (1, 1, -1)])
def test_no_tail_of_the_exact_law_is_above_its_bound(factors):
    sums, weights = sums_of_all_orders(5, factors)
    for turn in np.exp(2j * np.pi * np.arange(5) / 5):
        ones = law = (sums * turn).real
        for decks in (1, 2):
            tails = 1 - np.arange(len(law)) / len(law)
            for value, tail in zip(np.sort(law)[::7], tails[::7], strict=True):
                assert tail <= bound(value, decks, weights.sum(), weights @ weights / 2) + 1e-12
            law = np.add.outer(law, ones).ravel()
    assert bound(20 * weights.sum(), 20, weights.sum(), weights @ weights / 2) < 1e-5  # decks that agree wholly


def test_fair_draws_raise_no_alarm():
    """A p-value is below b with chance b at most: 800 of them, five standard deviations; seeds as bad, once in 1e5."""
    random, options = np.random.default_rng(4), np.arange(20, 1, -1)
    draws = (random.integers(0, options, (KEPT, 19)).T.astype(np.int16) for _ in range(800))
    found = np.array([relation_of(each).p_value for each in draws])
    for level in (0.5, 0.1, 0.01):
        assert np.mean(found <= level) <= level + 5 * np.sqrt(level / len(found))
    assert found.min() < 0.3
    for n in (16, 52, 200):
        assert judged(fair(n, KEPT, n)).p_value > 1e-3


def test_a_reduced_basis_spans_the_same_lattice_and_begins_with_a_short_vector():
    rows = np.random.default_rng(2).integers(-99, 99, (12, 12)).astype(float)
    basis = np.array(reduced(rows))
    change = basis @ np.linalg.inv(rows)
    assert np.abs(change - np.rint(change)).max() < 1e-6
    assert abs(np.linalg.det(change)) == pytest.approx(1)
    assert np.linalg.norm(basis[0]) < 1.03**12 * abs(np.linalg.det(rows)) ** (1 / 12)
