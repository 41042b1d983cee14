from itertools import combinations, permutations
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeck import FairdeckError
from fairdeck.permutation import (
    arrange,
    cycles,
    descents,
    from_lehmer_code,
    identity,
    inverse,
    inversions,
    lehmer_code,
    permutation_of,
    rank,
    rising_sequences,
    then,
    unrank,
)

ALL_SMALL = [p for n in range(7) for p in permutations(range(n))]
any_permutation = st.integers(0, 60).flatmap(lambda n: st.permutations(range(n)))


def test_every_small_order_agrees_with_the_definitions():
    for p in ALL_SMALL:
        n = len(p)
        assert then(p, inverse(p)) == then(inverse(p), p) == identity(n)
        assert inversions(p) == sum(p[i] > p[j] for i, j in combinations(range(n), 2))
        assert lehmer_code(p) == tuple(sum(later < p[i] for later in p[i + 1 :]) for i in range(n))
        assert from_lehmer_code(lehmer_code(p)) == p
        assert descents(p) == sum(p[i] > p[i + 1] for i in range(n - 1))
        where = inverse(p)
        assert rising_sequences(p) == (n > 0) + sum(where[v] > where[v + 1] for v in range(n - 1))
        found = cycles(p)
        assert sorted(member for cycle in found for member in cycle) == list(range(n))
        for cycle in found:
            assert cycle[0] == min(cycle)
            assert all(p[a] == b for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))


def test_ranks_count_the_orders_in_dictionary_order():
    for n in range(7):
        for place, p in enumerate(permutations(range(n))):
            assert rank(p) == place
            assert unrank(place, n) == p


def test_ranks_are_exact_for_large_decks():
    n = 400
    assert unrank(0, n) == identity(n)
    assert rank(tuple(reversed(range(n)))) == factorial(n) - 1
    assert rank(unrank(factorial(n) // 3, n)) == factorial(n) // 3


@given(any_permutation, st.data())
def test_the_two_readings_say_the_same(p, data):
    deck = [f"card {i}" for i in range(len(p))]
    arranged = arrange(p, deck)
    destinations = inverse(p)
    assert all(arranged[destinations[i]] == deck[i] for i in range(len(p)))
    q = data.draw(st.permutations(range(len(p))))
    assert arrange(then(p, q), deck) == arrange(q, arranged)


@pytest.mark.parametrize("values", [[1, 2], [0, 0], [0, 2], [-1, 0]])
def test_a_sequence_that_is_not_a_permutation_is_refused(values):
    with pytest.raises(FairdeckError, match="is missing"):
        permutation_of(values)


def test_ranks_and_codes_out_of_range_are_refused():
    for place in (-1, 6, 10**30):
        with pytest.raises(FairdeckError):
            unrank(place, 3)
    for code in ((3, 0, 0), (0, 0, 1), (-1, 0, 0)):
        with pytest.raises(FairdeckError, match="Lehmer"):
            from_lehmer_code(code)


def test_the_smallest_value_that_is_missing_is_named():
    with pytest.raises(FairdeckError, match=r"not a permutation of 0\.\.3: 1 is missing"):
        permutation_of([3, 3, 0, 0])
