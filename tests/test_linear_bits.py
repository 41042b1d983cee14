"""Bits of draws that follow from earlier ones: V8's generator, any generator of exclusive-ors, and fair decks."""

import shutil
import subprocess
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.lab.statistics import linear_bits
from fairdeck.lab.statistics.draws import DOWNWARD, READINGS
from fairdeck.lab.statistics.linear_bits import STATISTICS, V8, decks_for_v8, eliminate, shortest_rule
from tests.decks import fair, viewed
from tests.drawing_programs import DOWN, PROGRAMS, drawn

(STATISTIC,) = STATISTICS
NODE = """const deck = (n) => { const a = [...Array(n).keys()]; for (let i = n - 1; i > 0; i--) {
  const j = Math.floor(Math.random() * (i + 1)); [a[i], a[j]] = [a[j], a[i]] } return a.join(" ") }
for (let d = 0; d < 40; d++) console.log(deck(52))"""


def judged(decks):
    view = replace(viewed(decks), first=0)
    return {each.test: each for each in STATISTIC.judge(STATISTIC.count(view), view.cards, view.decks)}


def v8(begin):
    """V8's `Math.random`, after so many numbers: 64 are made at once, and the last is handed out first."""
    first, second, cache = 0x0123456789ABCDEF, 0xFEDCBA9876543210, []
    while True:
        for _ in range(64):
            x, first = first, second
            x ^= x << 23 & 2**64 - 1
            x ^= x >> 17
            second = x ^ first ^ first >> 26
            cache.append((first >> 12) / 2**52)
        while cache:
            number = cache.pop()
            if begin:
                begin -= 1
            else:
                yield number


def xorshift(bits):
    """Marsaglia's generators of 32, 64 and 128 bits, as fractions."""
    word = 64 if bits == 64 else 32
    a, b, c = {32: (13, 17, 5), 64: (13, 7, 17), 128: (11, 8, 19)}[bits]
    state = [2_463_534_242, 362_436_069, 521_288_629, 88_675_123][: bits // word]
    while True:
        x = state.pop(0)
        x ^= x << a & 2**word - 1
        x ^= x >> b
        state.append(x ^ state[-1] ^ state[-1] >> c if state else x ^ x << c & 2**word - 1)
        yield state[-1] / 2**word


@pytest.mark.parametrize(("n", "begin", "idle"), [(5, 63, 1), (16, 0, 1), (52, 17, 0), (52, 9, 1), (300, 40, 0)])
@pytest.mark.parametrize("algorithm", PROGRAMS)
def test_the_fewest_decks_tell_v8(n, begin, idle, algorithm):
    numbers, decks, downward = v8(begin), [], DOWNWARD[READINGS.index(algorithm)]
    for _ in range(decks_for_v8(n)):
        # Some programs also draw among one number, after the draw among two or before it.
        if idle and not downward:
            next(numbers)
        decks += drawn(algorithm, n, 1, lambda k: int(next(numbers) * k))
        if idle and downward:
            next(numbers)
    found = judged(decks)[V8]
    assert found.p_value < 1e-15
    assert algorithm in found.words or n == 5


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_node_itself_fails():
    written = subprocess.run(["node", "-e", NODE], check=True, capture_output=True, text=True).stdout
    report = lab.test(np.array([line.split() for line in written.splitlines()], int))
    assert report.headline.endswith(f"the numbers that it draws are those of {V8}.")
    assert report.causes[0].certain


@pytest.mark.parametrize("bits", [32, 64, 128])
@pytest.mark.parametrize("scaled", [True, False])
def test_a_generator_is_told_by_little_more_decks_than_it_has_bits(bits, scaled):
    numbers = xorshift(bits)
    draw = (lambda k: int(next(numbers) * k)) if scaled else (lambda k: int(next(numbers) * 2**32) % k)
    rule = judged(drawn(DOWN, 52, bits * 16 // 15 + 5, draw))["one rule"]
    assert (rule.seen, rule.roundabout) == (bits, False)
    assert rule.p_value < 1e-17
    report = lab.test(np.array(drawn(DOWN, 52, 256, draw)))
    assert "those of a generator of exclusive-ors" in report.headline


@pytest.mark.parametrize("n", [2, 3, 5, 16, 52, 104, 300])
def test_fair_decks_and_large_generators_follow_no_rule(n):
    """A rule has a chance of 2^-60 on fair decks; the Mersenne Twister has 19,937 bits."""
    random = Random(n)
    twister = drawn(DOWN, n, 384, lambda k: int(random.random() * k))
    for decks in (*(fair(n, size, size) for size in (1, 20, 45, 64, 91, 200, 384)), twister):
        assert all(each.p_value == 1 for each in judged(decks).values())


def test_decks_that_come_again_are_left_to_other_statistics():
    for decks in (np.tile(fair(52, 40, 1), (5, 1)), np.tile(np.arange(52), (64, 1))):
        found = judged(decks)
        assert found["one rule"].roundabout
        assert found[V8].p_value == 1


def test_the_chance_of_a_rule_is_below_its_bound(monkeypatch):
    """With two equations left over in place of 64, fair decks often follow a rule, within the bound of each p-value."""
    monkeypatch.setattr(linear_bits, "SPARE", 2)
    found, random = [], np.random.default_rng(5)
    for _ in range(4_000):
        rows = random.integers(0, 8, (1, 12)) + linear_bits.THERE
        found.append(shortest_rule(np.tile(rows, (len(READINGS), 1)).tobytes(), 4).p_value)
    for bound in 2.0 ** -np.arange(1, 7):
        share, spread = np.mean(np.array(found) <= bound), np.sqrt(bound / len(found))
        assert share <= bound + 5 * spread
    assert min(found) < 0.1


def test_elimination_leaves_what_earlier_rows_do_not_explain():
    rows = np.random.default_rng(3).integers(0, 2**7, (50, 1, 9)).astype(np.uint64)
    given = rows.copy()
    eliminate(rows, 1)
    for before, after in zip(given[:, 0].tolist(), rows[:, 0].tolist(), strict=True):
        sums = {0}
        for row, left in zip(before, after, strict=True):
            assert (row in sums) == (left == 0)
            sums |= {row ^ each for each in sums}
