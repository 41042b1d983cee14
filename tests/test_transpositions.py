"""Random transpositions beyond 16 cards: three ways to one law, and the characters against all orders."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import factorial, log, prod

import pytest
from bench.stein import FOLLOWED, followed

import fairdeck
from fairdeck.errors import FairdeckError
from fairdeck.lab.laws.cycles import Cycles, cycles
from fairdeck.permutation import cycles as cycles_of
from fairdeck.permutation import identity
from fairdeck.shuffles.characters import _long_row, character, partitions, tableaux, variation_between
from fairdeck.shuffles.transpositions import (
    Transpositions,
    _followed,
    _orders,
    random_transpositions,
    transposition_bound,
)
from fairdeck.shuffles.walks import Fixed
from tests.test_every_shuffle import law as law_of
from tests.test_shuffle_laws import followed as one_after_another
from tests.test_shuffle_laws import three


def lengths(order):
    return tuple(sorted(map(len, cycles_of(order)), reverse=True))


@pytest.mark.parametrize("n", range(1, 7))
def test_characters_are_orthogonal_and_count_tableaux_at_rest(n):
    shapes = partitions(n, n)
    for one in shapes:
        assert character(one, (1,) * n) == tableaux(one)
        for other in shapes:
            products = (character(one, each) * character(other, each) * _orders(each) for each in shapes)
            assert sum(products) == factorial(n) * (one == other)


@pytest.mark.parametrize("n", range(2, 6))
@pytest.mark.parametrize("moves", [0, 1, 2, 5])
def test_the_sum_over_characters_is_the_law_of_all_orders(n, moves):
    start = Counter({identity(n): Fraction(1)})
    law = one_after_another(start, *[law_of(Transpositions(Fixed(1)), n)] * moves)
    for order in permutations(range(n)):
        total = Fraction(0)
        for shape in partitions(n, n):
            contents = sum(at - row for row, length in enumerate(shape) for at in range(length))
            root = Fraction(1, n) + Fraction(2 * contents, n * n)
            total += tableaux(shape) * root**moves * character(shape, lengths(order))
        assert total == law.get(order, 0) * factorial(n)


@pytest.mark.parametrize("n", range(2, 9))
def test_a_long_row_needs_the_short_cycles_only(n):
    for shape in partitions(n, n):
        for order in partitions(n, n):
            have = Counter(order)
            value = 0
            for short, weight in _long_row(shape[1:]):
                wanted = Counter(short)
                ways = (
                    prod(factorial(have[i]) // factorial(have[i] - w) // factorial(w) for i, w in wanted.items())
                    if all(have[i] >= w for i, w in wanted.items())
                    else 0
                )
                value += weight * ways
            assert value == character(shape, order)


@pytest.mark.parametrize("n", range(2, 6))
@pytest.mark.parametrize("distinct", [False, True])
def test_cycles_in_floating_point_have_the_law_of_all_orders(n, distinct):
    step = law_of(Transpositions(Fixed(1), distinct=distinct), n)
    law, found = Counter({identity(n): Fraction(1)}), Cycles(n, distinct=distinct)
    for moves in range(4 * n):
        if distance := found.after(moves):
            numbers = distance.total_variation, distance.separation, distance.l_infinity
            assert list(map(float, numbers)) == pytest.approx(list(map(float, three(law, factorial(n)))))
        law = one_after_another(law, step)


@pytest.mark.parametrize(("n", "moves"), [(17, 12), (17, 40), (18, 55), (20, 70)])
def test_three_ways_to_one_law(n, moves):
    exact = _followed(n, moves)
    close = cycles(n).after(moves)
    for one, other in zip(
        (close.total_variation, close.separation, close.l_infinity),
        (exact.total_variation, exact.separation, exact.l_infinity),
        strict=True,
    ):
        assert float(one) == pytest.approx(float(other), rel=1e-10)
    for below in range(1, 7):
        low, high = variation_between(n, moves, below)
        assert low <= exact.total_variation <= high
    assert exact.total_variation <= transposition_bound(n, moves)
    found = random_transpositions(n, moves)
    assert found.at_least <= exact.total_variation
    assert float(found.total_variation) == pytest.approx(float(exact.total_variation), rel=1e-4) or not found.exact


@pytest.mark.parametrize(("distinct", "moves"), [(False, 15), (False, 30), (True, 20)])
def test_cycles_have_the_divergence_of_another_program(distinct, moves):
    found = Cycles(20, distinct=distinct).after(moves)
    assert found.missing_bits * log(2) == pytest.approx(followed(20, moves, distinct=distinct), rel=1e-9)


def test_swaps_may_be_asked_for_in_any_order_and_say_how_far_they_are():
    found, told = Cycles(24, distinct=False), []
    late = found.after(90, lambda done, of, what: told.append((done, of, what)))
    assert told == [(done, 90, "swaps") for done in range(1, 91)]
    for moves in (10, 60, 50, 20):  # more than `MOST_STILL` swaps back, and few
        assert found.after(moves) == Cycles(24, distinct=False).after(moves)
    assert found.after(90) == late
    assert found.after(4 * 24 + 1) is None


@pytest.mark.long
def test_fifty_two_cards_have_the_divergence_of_another_program_and_lie_between_the_characters():
    for (cards, moves, distinct), wanted in FOLLOWED.items():
        if moves <= 104:
            found = Cycles(cards, distinct=distinct).after(moves)
            assert found.missing_bits * log(2) == pytest.approx(wanted, rel=1e-9)
    found = cycles(52)
    for moves, variation, separation in [(103, 0.3065, 0.6310), (150, 0.0522, 0.1370), (200, 0.0074, 0.0202)]:
        law = found.after(moves)
        assert law.total_variation == pytest.approx(variation, abs=5e-5)
        assert law.separation == pytest.approx(separation, abs=5e-5)
        low, high = variation_between(52, moves, 5)
        assert low <= law.total_variation <= high <= transposition_bound(52, moves)
    assert found.after(1_000) is None


def test_mix_has_swaps_exactly():
    found = fairdeck.mix("transpositions(20)*3", 30, rounds=4)
    assert found.exact
    assert found.separation >= found.total_variation == found.at_least == found.at_most
    distances = [each.theory.law.total_variation for each in found.rounds]
    assert distances == sorted(distances, reverse=True)
    odd = fairdeck.mix("transpositions-n-distinct*6", 20, rounds=1)
    assert float(odd.total_variation) == pytest.approx(0.5, abs=1e-5)
    assert odd.separation == 1


def test_large_decks_have_the_law_late_and_bounds_early():
    late = random_transpositions(1_000, 5_000)
    assert late.exact
    assert late.total_variation == pytest.approx(0.016513, abs=2e-6)
    early = random_transpositions(104, 260)
    assert not early.exact
    assert 0.2314 < early.at_least < early.total_variation < 0.2323 < transposition_bound(104, 260)
    assert random_transpositions(104, 10).at_least == 0
    assert not random_transpositions(17, 10**6).exact  # beyond all floats
    assert variation_between(17, 10**6) == (0, 1)


@pytest.mark.parametrize("recipe", ["adjacent-swaps(50)", "transpositions-n-distinct"])
def test_swaps_of_two_places_leave_half_of_all_orders_out(recipe):
    assert fairdeck.mix(recipe, 60, decks=0, rounds=1).at_least >= Fraction(1, 2)


def test_few_moves_reach_few_orders():
    found = fairdeck.mix("random-to-random(2)", 4)
    orders = len(law_of("random-to-random(2)", 4))
    bound = fairdeck.shuffles.find("random-to-random(2)").shuffle.support(4)
    assert orders <= bound
    assert found.total_variation >= 1 - Fraction(bound, 24)
    assert fairdeck.mix("random-to-random(15)", 52, decks=0, rounds=1).at_least > 1 - 1e-15


@pytest.mark.parametrize(
    ("arguments", "says"), [((16, 5), "cards: 16"), ((20, -1), "moves: -1"), ((20, 5, 7), "first row: 7")]
)
def test_bounds_refuse_what_they_cannot_do(arguments, says):
    with pytest.raises(FairdeckError, match=says):
        variation_between(*arguments)
