"""Large decks in two piles: the urn against all orders, against means that are known, and against packets."""

from collections import Counter
from fractions import Fraction
from math import comb, factorial

import pytest

import fairdeck
from fairdeck.errors import FairdeckError
from fairdeck.permutation import identity
from fairdeck.shuffles.two_piles import TwoPiles, _exchanged, _round, two_piles
from tests.test_every_shuffle import law as law_of
from tests.test_shuffle_laws import followed, numbers, three


@pytest.mark.parametrize("n", range(2, 6))
@pytest.mark.parametrize("cuts", [(), (0,), (1,), (2,), (1, 1), (2, 1), (1, 3), (2, 2, 1), (7, 9)])
def test_two_piles_counted(n, cuts):
    rounds = [law_of(TwoPiles(cut), n) for cut in (*cuts, 2)]  # the cut of the last round changes no distance
    law = followed(Counter({identity(n): Fraction(1)}), *rounds)
    assert numbers(two_piles(n, *cuts)) == three(law, factorial(n))


def test_the_mean_moves_as_the_first_eigenvalue_says():
    n, lower = 60, 30
    for cut in (3, 15, 22):
        exchanged = _exchanged(n, cut)
        for stayed in (0, 7, 30):
            ways = dict(_round(n, exchanged, stayed))
            mean = Fraction(sum(now * many for now, many in ways.items()), sum(ways.values()))
            # Nestoridi and White: 1 - 2k/n for two urns of n balls that exchange k
            assert mean - Fraction(lower, 2) == (1 - Fraction(2 * exchanged, lower)) * (stayed - Fraction(lower, 2))


def test_two_rounds_have_the_distance_of_exact_halves():
    # Only the exact half of each old pile in each new one tells such a deck:
    # docs/explanation/packets.md has .845 for 104 cards.
    for n in (104, 208):
        lower = n // 2
        fair = Fraction(comb(lower, lower // 2) ** 2, comb(n, lower))
        assert two_piles(n, n // 4).total_variation == 1 - fair
    assert float(two_piles(104, 26).total_variation) == pytest.approx(0.845, abs=5e-4)
    assert float(two_piles(104, 26, 26).total_variation) == pytest.approx(0.0024, abs=5e-5)


def test_mix_has_the_law_and_further_rounds_never_harm():
    found = fairdeck.mix("two-piles(10)*6", 104, rounds=12)
    distances = [each.theory.law.total_variation for each in found.rounds]
    assert found.exact
    assert distances == sorted(distances, reverse=True)
    assert two_piles(104, 26).total_variation < two_piles(104, 10).total_variation
    assert fairdeck.mix("two-piles(3) + two-piles(5)", 12).total_variation == two_piles(12, 3).total_variation
    assert not fairdeck.mix("two-piles(3)", 500, decks=0, rounds=1).exact


@pytest.mark.parametrize("arguments, says", [((1,), "cards: 1"), ((417, 3), "cards: 417"), ((9, -1), "cards cut: -1")])
def test_numbers_out_of_range_are_refused(arguments, says):
    with pytest.raises(FairdeckError, match=says):
        two_piles(*arguments)
