"""Draws that foretell later draws: the relations hold for their generators, the chances are exact, fair decks pass."""

from fractions import Fraction
from itertools import islice, permutations, product
from random import Random

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.lab.laws.generators import RELATIONS, Relation, additive
from fairdeck.lab.statistics import foretold_draws as foretold
from fairdeck.lab.statistics.draws import READINGS
from fairdeck.lab.statistics.foretold_draws import STATISTICS, chance_near, fit_of, law_of, oddest, places_of, rows_of
from fairdeck.shuffles.additive import Additive, Subtractive
from tests.decks import fair, viewed
from tests.drawing_programs import DOWN, PROGRAMS, drawn

(STATISTIC,) = STATISTICS
NAMED = {relation.used: relation for relation in RELATIONS}


def added(short, long, sign, seed):
    rng = Random(seed)
    numbers = [rng.getrandbits(31) for _ in range(long)]
    while True:
        numbers.append((sign * numbers[-short] + numbers[-long]) % 2**31)
        yield Fraction(numbers[-1], 2**31)
        del numbers[0]


# Each generator as its library writes it, from a seed.
GENERATORS = {
    "`random()` and `rand()` of glibc and BSD": lambda seed: (Fraction(x, 2**31) for x in Additive().numbers(seed)),
    "`System.Random` of .NET": lambda seed: (Fraction(x, 2**31 - 1) for x in Subtractive().numbers(seed)),
    "`ran3` of Numerical Recipes": lambda seed: added(24, 55, -1, seed),
    "Mitchell and Moore's generator": lambda seed: added(24, 55, 1, seed),
    "Knuth's `ran_array`": lambda seed: added(37, 100, -1, seed),
    "`math/rand` of Go": lambda seed: added(273, 607, 1, seed),
}


def shuffled(numbers, n, decks, algorithm=DOWN):
    return drawn(algorithm, n, decks, lambda k: int(next(numbers) * k))


def test_each_relation_has_a_generator_to_try_it_on():
    assert GENERATORS.keys() == NAMED.keys()


@pytest.mark.parametrize("used", NAMED)
def test_a_relation_holds_for_all_numbers_of_its_generator(used):
    relation = NAMED[used]
    numbers = list(islice(GENERATORS[used](12_345), 2_000))
    cut = Fraction(1, 2**10)  # what a dropped bit can add up to
    for last in range(max(relation.back), len(numbers)):
        total = sum(f * numbers[last - b] for f, b in zip(relation.factors, relation.back, strict=True))
        off = (total + Fraction(1, 2)) % 1 - Fraction(1, 2)
        assert abs(off) < cut


@pytest.mark.parametrize(
    ("used", "algorithm"), [(used, DOWN) for used in NAMED] + [("`System.Random` of .NET", each) for each in PROGRAMS]
)
def test_decks_from_a_generator_name_it_and_its_draws_are_read_in_the_order_of_time(used, algorithm):
    counts = STATISTIC.count(viewed(shuffled(GENERATORS[used](54_321), 52, 128, algorithm)))
    row = rows_of(52)[oddest(counts, 52)]
    assert (READINGS[row.reading], row.tried.relation.used) == (algorithm, used)
    (evidence,) = STATISTIC.judge(counts, 52, 128)
    assert evidence.p_value < 1e-15
    assert used in evidence.words


def test_remainders_of_glibc_are_found():
    numbers = Additive().numbers(3)
    decks = drawn(DOWN, 52, 512, lambda k: next(numbers) % k)
    counts = sum(STATISTIC.count(viewed(decks[at : at + 128])) for at in range(0, 512, 128))
    row, fit = rows_of(52)[oddest(counts, 52)], fit_of(counts, 52, oddest(counts, 52))
    assert row.tried.remainders
    assert fit.share == pytest.approx(0.75, abs=0.1)
    assert fit.p_value < 1e-9


@pytest.mark.parametrize("options", [(4, 3, 5), (4, 6, 6), (2, 2, 2), (5, 5, 5), (12, 8, 6)])
def test_the_chance_to_be_near_is_that_of_all_draws(options):
    for factors in ((1, -1, -1), (2, 1, -3), (1, 1, 0)):
        relation = Relation("", "", (0, 1, 2), factors)
        sums = [
            sum(f * Fraction(2 * j + 1, 2 * k) for f, j, k in zip(factors, draws, options, strict=True))
            for draws in product(*map(range, options))
        ]
        near = [(total - foretold.LIMIT) % 1 < Fraction(1, 2) for total in sums]
        assert chance_near(options, relation) == Fraction(sum(near), len(near))


def test_the_counts_of_all_orders_follow_the_law(monkeypatch):
    """Seven cards, far below what is used: every deck once, so every draw as often as any other."""
    monkeypatch.setattr(foretold, "RELATIONS", (additive("a test", 1, 3),))
    monkeypatch.setattr(foretold, "ROUGHEST", 1.0)
    monkeypatch.setattr(foretold, "COMPARED", 10**6)
    for kept in (rows_of, foretold._joint_rows, foretold._moments):
        kept.cache_clear()
    decks = viewed(list(permutations(range(7))))
    rows = [at for at, row in enumerate(rows_of(7)) if row.tried.line.decks == 1]
    assert rows
    for at, counts in zip(rows, STATISTIC.count(decks)[rows], strict=True):
        law = law_of(7, rows_of(7)[at].tried)
        assert counts[: len(law.weights)].tolist() == [5_040 * weight // law.total for weight in law.weights]
    for kept in (rows_of, foretold._joint_rows, foretold._moments):
        kept.cache_clear()


def test_no_draw_is_in_two_places():
    for n in (16, 52, 128):
        for row in rows_of(n):
            used = [at for place in places_of(n, row.tried) for at in place]
            assert len(used) == len(set(used))


@pytest.mark.cases(1)
@pytest.mark.parametrize("n", [16, 33, 52, 104])
def test_p_values_of_fair_decks_are_valid(n):
    """Of 300 p-values some 3 are at most .01; more than 12 come once in 20,000 runs."""
    rng = np.random.default_rng(n)
    found = [next(STATISTIC.judge(STATISTIC.count(viewed(fair(n, 96, rng))), n, 96)).p_value for _ in range(300)]
    assert np.count_nonzero(np.array(found) <= 0.01) <= 12


def test_the_lab_names_the_generator():
    numbers = GENERATORS["Mitchell and Moore's generator"](1)
    report = lab.test(lambda n: shuffled(numbers, n, 1)[0], decks=2_000)
    assert report.verdict.outcome == "fail"
    assert report.verdict.decks <= 32
    said = "near the sum of those 55 and 24 draws before, as in Mitchell and Moore's generator"
    assert f"the numbers that it draws are {said}" in report.headline
    (cause,) = report.causes
    assert cause.certain
    assert "operating system" in cause.repair
