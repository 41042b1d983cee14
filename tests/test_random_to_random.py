"""Random to random: the eigenvalues against all orders, and what `mix` makes of their bound."""

import time
from collections import Counter
from fractions import Fraction
from math import exp, factorial

import pytest

import fairdeck
from fairdeck.errors import FairdeckError
from fairdeck.permutation import identity
from fairdeck.shuffles import random_to_random
from fairdeck.shuffles.characters import partitions, tableaux
from fairdeck.shuffles.random_to_random import (
    RandomToRandom,
    _beyond,
    _desarrangements,
    _near_the_rim,
    _without_strip,
    random_to_random_bound,
)
from fairdeck.shuffles.walks import Fixed
from tests.test_every_shuffle import law as law_of
from tests.test_shuffle_laws import followed as one_after_another
from tests.test_shuffle_laws import three


@pytest.mark.parametrize("n", range(2, 6))
def test_the_bound_is_the_chance_to_come_back_and_bounds_the_law_of_all_orders(n):
    step = law_of(RandomToRandom(Fixed(1)), n)
    laws = [Counter({identity(n): Fraction(1)})]
    for _ in range(8):
        laws.append(one_after_another(laws[-1], step))
    for moves in range(1, 9):
        assert three(laws[moves], factorial(n))[0] <= random_to_random_bound(n, moves) + 1e-12
    for moves in range(2, 5):
        back = laws[2 * moves][identity(n)] * factorial(n) - 1  # the sum of the powers of all other eigenvalues
        wanted = min(1.0, float(back) ** 0.5 / 2)
        assert random_to_random_bound(n, moves) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def test_the_tableaux_of_smaller_shapes_make_up_those_of_a_shape_and_the_derangements():
    derangements = [1, 0, 1, 2, 9, 44, 265, 1854, 14833]
    for n in range(1, 9):
        shapes = partitions(n, n)
        assert sum(tableaux(shape) ** 2 for shape in shapes) == factorial(n)
        assert sum(tableaux(shape) * _desarrangements(shape) for shape in shapes) == derangements[n]
        for shape in shapes:
            assert sum(map(_desarrangements, _without_strip(shape))) == tableaux(shape)


@pytest.mark.parametrize("n", [7, 9])
def test_the_rest_is_bounded_from_above(n, monkeypatch):
    for moves in (5, 10, 20, 40):
        bounds = []
        for below in range(1, n):
            monkeypatch.setattr(random_to_random, "BELOW", {n: below})
            bounds.append(random_to_random_bound(n, moves))
        assert bounds == sorted(bounds, reverse=True)
    for below in range(n - 1):
        largest = max(root for _, root in set(_near_the_rim(n, n - 1)) - set(_near_the_rim(n, below)))
        assert exp(largest) <= exp(next(iter(_beyond(n, below)))[1]) + 1e-12


@pytest.mark.long
def test_a_deck_has_bounds_from_both_sides():
    found = fairdeck.mix("random-to-random(205)", seed=1, rounds=1)
    assert 0.01 < found.at_least < found.at_most < 0.08
    assert not found.exact
    assert str(found).startswith("52 cards after random-to-random(205): total variation between 0.0")
    late = fairdeck.mix("random-to-random(1000000) + cut", 1_000, rounds=1)  # nobody simulates that
    assert late.simulated is None
    assert late.at_most < 1e-100
    assert random_to_random_bound(1, 5) == 0
    with pytest.raises(FairdeckError, match="moves: -1"):
        random_to_random_bound(5, -1)


@pytest.mark.parametrize("recipe", ["random-to-random(10)", "adjacent-swaps(24)", "transpositions-n-distinct"])
def test_small_decks_are_followed_move_by_move(recipe):
    began = time.process_time()
    found = fairdeck.mix(recipe, 5, decks=0, rounds=1)
    assert time.process_time() - began < 5  # all paths at once took half a minute
    assert found.exact
    once, _, moves = recipe.rstrip(")").partition("(")
    if moves:
        law = fairdeck.lab.enumeration.order_law(f"{once}(1)*{moves}", 5)
        assert found.total_variation == law.total_variation


def test_a_cut_before_riffles_has_missing_bits():
    counted = fairdeck.mix("cut + riffle*2", 4).theory.law
    law = fairdeck.lab.enumeration.order_law("cut + riffle*2", 4)
    assert counted.source.startswith("riffles of n - 1 cards")
    assert counted.missing_bits == pytest.approx(law.kl_bits)


def test_many_swaps_of_a_small_deck_have_a_bound():
    found = fairdeck.mix("transpositions(5000)", 10, decks=0, rounds=1)
    assert found.at_most < 1e-100
