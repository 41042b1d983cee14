"""States of generators: the shipped lattices, the numbers of the libraries, what decks tell, and what fair decks do."""

import numpy as np
import pytest
from release import generators as script

from fairdeck import lab
from fairdeck.lab.laws.generators import congruential
from fairdeck.lab.statistics.draws import READINGS
from fairdeck.lab.statistics.generator_states import STATISTICS, counted, states, surest
from tests.decks import fair, viewed
from tests.drawing_programs import DOWN, PROGRAMS, drawn

(STATISTIC,) = STATISTICS
GENERATORS = congruential()
NAMED = {generator.used: generator for generator in GENERATORS}
JAVA = "`Random.nextInt(k)` of Java, as in `Collections.shuffle`"


def shuffled(generator, state, n, decks, *, step=None, algorithm=DOWN):
    """Decks of one stream whose first number is `state`; or with seeds that count up by `step`."""

    def draw(k):
        nonlocal state
        (number,) = generator.draws(state, [k])
        state = generator.later(state, 1)
        return number

    if step is None:
        return drawn(algorithm, n, decks, draw)
    found = []
    for deck in range(decks):
        state = generator.later(1_000 + step * deck, 1)
        found += drawn(algorithm, n, 1, draw)
    return found


def named(decks):
    """The reading and the generator that make most decks, and how many."""
    counts = counted(states(viewed(decks)), len(decks))
    reading, number, p_value = surest(counts, len(decks[0]))
    return READINGS[reading], GENERATORS[number].used, p_value.score


def test_the_shipped_relations_are_those_of_the_script():
    assert script.WRITTEN.read_text(encoding="utf-8") == script.text()


@pytest.mark.parametrize("used", [used for used, each in NAMED.items() if each.lattices])
def test_the_relations_are_a_basis_of_all_and_give_the_state(used):
    """Rows of relations that span a lattice of the right volume: r F = (m, 0, ..) with r primitive leaves no other."""
    generator = NAMED[used]
    for rows, row in generator.lattices:
        powers = [pow(generator.factor, t, generator.modulus) for t in range(len(rows))]
        assert not any(sum(f * a for f, a in zip(each, powers, strict=True)) % generator.modulus for each in rows)
        sums = [sum(r * each[t] for r, each in zip(row, rows, strict=True)) for t in range(len(rows))]
        assert sums == [generator.modulus] + [0] * (len(rows) - 1)
        _, logs = np.linalg.slogdet(np.array(rows, float))
        assert logs == pytest.approx(np.log(float(generator.modulus)), abs=1e-6)


@pytest.mark.parametrize(
    ("used", "seed", "seen"),
    [
        ("`minstd_rand0` of C++ (factor 16807)", 1, [16_807, 282_475_249, 1_622_650_073]),
        ("RANDU", 1, [65_539, 393_225, 1_769_499]),
        ("Numerical Recipes' quick generator", 0, [0x3C6EF35F, 0x47502932, 0xD1CCF6E9, 0xAAF95334]),
        ("the ZX81 and ZX Spectrum", 0, [74, 5_624, 28_652]),
        ("`rand()` of Windows", 1, [x << 16 for x in (41, 18_467, 6_334, 26_500)]),
        ("`rand()` of old C libraries", 1, [x << 16 for x in (16_838, 5_758, 10_113, 17_515)]),
        ("`rand()` of Borland C", 1, [x << 16 for x in (346, 130, 10_982, 1_090)]),
        ("`rand()` of newlib", 1, [x << 32 for x in (1_481_765_933, 1_085_377_743)]),
        (JAVA, 42 ^ 0x5DEECE66D, [x % 2**32 << 16 for x in (-1_170_105_035, 234_785_527, -1_360_544_799)]),
        ("`drand48()` of C and `rand` of Perl", 0x330E, [int(2**48 * 0.17082803610628972)]),
        ("`Rnd` of Visual Basic", 0x50000, [int(2**24 * x) for x in (0.7055475, 0.533424, 0.5795186, 0.2895625)]),
    ],
)
def test_generators_give_the_numbers_of_their_libraries(used, seed, seen):
    generator, shown = NAMED[used], next(b for b in (32, 16, 0) if not any(x % 2**b for x in seen))
    state, found = seed, []
    for _ in seen:
        state = generator.later(state, 1)
        found.append(state >> shown << shown)
    assert found == pytest.approx(seen, abs=8 if "Visual" in used else 0)  # of seven digits
    assert generator.later(state, -len(seen)) == seed


@pytest.mark.parametrize("used", NAMED)
def test_each_generator_is_found_in_each_deck(used):
    generator = NAMED[used]
    reading, found, times = named(shuffled(generator, 987_654_321 % generator.modulus, 104, 4))
    assert (reading, found, times) == (DOWN, used, 4)


@pytest.mark.parametrize("algorithm", PROGRAMS)
@pytest.mark.parametrize("used", ["Wichmann and Hill's generator", JAVA])
def test_states_are_read_off_the_decks_of_each_algorithm(algorithm, used):
    assert named(shuffled(NAMED[used], 12_345, 52, 8, algorithm=algorithm)) == (algorithm, used, 8)


@pytest.mark.parametrize(
    ("n", "used"), [(16, "RANDU"), (20, "Wichmann and Hill's generator"), (28, "Knuth's MMIX"), (32, JAVA), (300, JAVA)]
)
def test_sixteen_decks_fail(n, used):
    (evidence,) = STATISTIC.judge(STATISTIC.count(viewed(shuffled(NAMED[used], 12_345, n, 16))), n, 16)
    assert evidence.p_value < 1e-12
    assert used in evidence.words


@pytest.mark.parametrize("n", [16, 17, 20, 24, 32, 36, 52, 75, 104, 300])
def test_fair_decks_have_no_more_states_than_the_bound(n):
    """Of some 1,000 sums of states over 160 decks; six standard deviations above the bound, once in a million runs."""
    counts = sum(STATISTIC.count(viewed(fair(n, 16, seed))) for seed in range(10))
    chances = np.exp(
        [generator.log_chance(n, generator.needs(n)) if generator.needs(n) else -99 for generator in GENERATORS]
    )
    most = len(READINGS) * 160 * chances
    assert (counts[:, :-1].sum(axis=0) <= most + 6 * np.sqrt(most) + 1e-3).all()
    (evidence,) = STATISTIC.judge(counts, n, 160)
    assert evidence.p_value > 1e-3


def test_other_decks_have_no_state():
    """Sorted decks, of which some reading draws 0 only; and a factor that is not listed."""
    other = type(GENERATORS[0])("", 2**32, 1_812_433_253, 1, GENERATORS[0].lattices)
    for decks in ([list(range(52))] * 8, shuffled(other, 5, 52, 8), shuffled(other, 5, 104, 8)):
        assert not list(states(viewed(decks)))


@pytest.mark.parametrize(("used", "step", "said"), [
    ("Wichmann and Hill's generator", None, "the next 20 decks were computed, card for card"),
    (JAVA, None, "the next 20 decks were computed, card for card"),
    ("`rand()` of Borland C", -3, "16 of 16 decks are made by one state each; the seeds count down by 3"),
    ("`drand48()` of C and `rand` of Perl", 7 << 16, "the seeds count up by 7"),
])  # fmt: skip
def test_the_lab_computes_the_next_decks(used, step, said):
    decks = shuffled(NAMED[used], 4_321, 52, 128, step=step)
    report = lab.test(np.array(decks), cause=20)
    assert report.verdict.outcome == "fail"
    assert f"the numbers that it draws are those of {used}" in report.headline
    (cause,) = report.causes
    assert cause.certain
    assert said in cause.seen
