import json
import random
import re
import secrets
from dataclasses import replace
from itertools import islice
from math import log2

import pytest

from fairdeck import lab
from fairdeck.cli import main
from fairdeck.cli.exits import BAD_INPUT, DOES_NOT_HOLD, FINE
from fairdeck.errors import FairdeckError
from fairdeck.lab.experiments.bounded_integers import (
    Count,
    DrawFailed,
    MeteredRandom,
    of_draw,
    of_function,
    of_random_integers,
)
from fairdeck.lab.experiments.scaling import OURS, judge
from fairdeck.output.scaling import headline
from fairdeck.randomness import RandomIntegers, seeded_words, system_words

DRAWS = 4_000
MINE = '''
import os, random, struct, sys, time

print("a noisy module")

def fair(k, rng):
    """Fair, and it prints."""
    print(k) if k == 3 else None
    return rng.randrange(k)

def modulo_8(k, rng): return rng.getrandbits(8) % k
def product_16(k, rng): return int(rng.random() * 2**16) * k >> 16
def rounded(k, rng): return round(rng.random() * k)
def never_the_last(k, rng): return rng.randrange(k - 1) if k > 2 else rng.randrange(2)
def single(k, rng): return min(k - 1, int(struct.unpack("f", struct.pack("f", rng.random()))[0] * k))
def modulo_32(k, rng): return rng.getrandbits(32) % k
def product_32(k, rng): return rng.getrandbits(32) * k >> 32
def float_53(k, rng): return int(rng.random() * k)
def floats(k, rng): return float(rng.randrange(k))
def words(k, rng): return str(rng.randrange(k))
def one_based(k, rng): return rng.randint(1, k)

def plain(k): return random.randrange(k)
def listed(k): return random.choice(list(range(k)))
def small_only(k):
    if k > 52: raise ValueError("no such deck")
    return random.randrange(k)

def in_turn(k, state=[0]):
    state[0] += 1
    return state[0] % k

def raises(k):
    if k == 9: raise ValueError("nine is too many")
    return random.randrange(k)

def hangs(k):
    if k == 9: time.sleep(60)
    return random.randrange(k)

def dies(k):
    if k == 9: os._exit(3)
    return random.randrange(k)

def hopeless(k, a, b, c): return 0
nothing = 5
'''


@pytest.fixture
def mine(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return "mine.py"


def judged(name, draws=DRAWS, most=52, **options):
    return judge(name, of_function(name, 7, most, draws, **options))


FAULTS = {  # what the first sentence says
    "modulo_8": "the numbers come unevenly, all bounds taken together",
    "product_16": "below 49,152 the three remainders.* scaled 16 random bits or fewer.* 1 in 1,300 or more",
    "rounded": "below 2 it gave 2, which is not a whole number from 0 to 1",
    "never_the_last": "below 3 the number 2 never comes in 4,000 draws; 33.333% would be fair",
    "single": "below 12,582,912 the three remainders.* scaled 24 random bits or fewer",
    "modulo_32": "below 3,221,225,472 the three thirds.* scaled 32 random bits or fewer.* 1 in 83,000,000 or more",
    "product_32": "below 3,221,225,472 the three remainders",
    "floats": r"below 2 it gave [01]\.0, which is not a whole number",
    "words": "below 2 it gave '[01]', which is not a whole number",
    "one_based": "below 2 it gave 2, which is not a whole number",
    "in_turn": "too evenly, as if they took turns",
    "raises": "below 9 it raised ValueError: nine is too many",
    "dies": "below 9 it ended with exit status 3",
}


@pytest.mark.cases(4)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_draw_is_detected(mine, fault):
    result = judged(f"{mine}:{fault}")
    assert result.outcome == "fail"
    assert result.p_value < 1e-6
    assert headline(result).startswith(f"{mine}:{fault} is not fair: ")
    assert re.search(FAULTS[fault], headline(result)), headline(result)


@pytest.mark.cases(2)
@pytest.mark.parametrize("name", ["fair", "plain", "listed", "small_only", "float_53"])
def test_a_fair_draw_is_not(mine, name):
    """Seeded; with a new seed each fails once in a million runs, since alpha covers all tests."""
    result = judged(f"{mine}:{name}", timeout=20)
    assert result.outcome == "pass", result.findings
    told = f"{mine}:{name} shows no fault in {result.draws:,} draws below each bound from 2 to 52."
    assert headline(result) == told
    assert [count.bound for count in result.counts if not count.probe] == list(range(2, 53))


def test_fairdecks_own_random_integers_are_fair():
    """With words of the system this fails once in a million runs; the seeded run is always the same."""
    for words in (seeded_words(b"scaling"), system_words()):
        result = judge(OURS, of_random_integers(words, draws=DRAWS))
        assert result.outcome == "pass", result.findings
        assert result.finest == 16  # they go up to 2^21
        assert OURS in headline(result)


@pytest.mark.long
def test_ten_fair_draws_at_one_in_ten_fail_seldom():
    """Family-wise: of 30 judgements at .1 at most 3 should fail on average; 10 or more happen once in 2,500."""
    rng = random.Random(3)
    fails = sum(judge("x", of_draw(rng.randrange, 12, 400), alpha=0.1).outcome == "fail" for _ in range(30))
    assert fails < 10


@pytest.mark.long
def test_a_grain_is_reported_only_as_far_as_it_was_detected(mine):
    assert judged(f"{mine}:modulo_8", 600).grain == 8
    product = judged(f"{mine}:product_16", 600)
    assert (product.outcome, product.grain, product.finest) == ("fail", 16, 8)
    float_53 = judged(f"{mine}:float_53", 600)
    assert (float_53.outcome, float_53.grain, float_53.finest) == ("pass", 53, 32)
    fair = judged(f"{mine}:fair", 600)
    assert (fair.grain, fair.finest) == (None, 64)
    small = judged(f"{mine}:small_only", 600)
    assert (small.outcome, small.grain, small.finest) == ("pass", None, 0)


@pytest.mark.long
def test_bits_are_counted_and_never_fewer_than_a_number_needs(mine):
    for counts in (
        list(of_random_integers(seeded_words(b"bits"), draws=2_000)),
        list(of_function(f"{mine}:fair", 1, 52, 2_000)),
    ):
        for count in counts:
            assert count.bits / count.draws > log2(count.bound) - 0.05
    dice = list(of_random_integers(seeded_words(b"bits"), draws=2_000))
    assert all(count.bits / count.draws < log2(count.bound) + 0.05 for count in dice)
    # Python rejects up to half of its draws: below 33 it takes 6 bits 64/33 times.
    fair = {count.bound: count for count in of_function(f"{mine}:fair", 1, 52, 2_000)}
    assert fair[33].bits / 2_000 == pytest.approx(6 * 64 / 33, rel=0.05)
    assert all(count.bits is None for count in of_function(f"{mine}:plain", 1, 5, 100))


def test_a_metered_random_draws_as_any_other():
    one, other = MeteredRandom(5), random.Random(5)
    assert [one.randrange(52) for _ in range(50)] == [other.randrange(52) for _ in range(50)]
    assert one.random() == other.random()
    before = one.bits
    one.random()
    assert one.bits == before + 53


@pytest.mark.long
def test_the_smallest_bias_told_is_seen():
    """Such a bias fails 99 of 100 runs; fewer than 17 of 20 happen once in 4,000."""
    draws, most = 4_000, 20
    smallest = judge("x", of_draw(random.Random(1).randrange, most, draws)).smallest
    assert 0.3 < smallest < 1.0
    rng = random.Random(2)

    def biased(k):
        return 0 if rng.random() * k < smallest * k / most else rng.randrange(k)

    heard = sum(judge("x", of_draw(biased, most, draws)).outcome == "fail" for _ in range(20))
    assert heard >= 17
    assert judge("x", of_draw(random.Random(1).randrange, most, 4 * draws)).smallest == pytest.approx(smallest / 2)


def test_too_few_draws_are_not_enough_to_pass():
    result = judge("x", of_draw(random.Random(1).randrange, 52, 519))
    assert result.outcome == "insufficient"
    assert "ask for 520 or more" in headline(result)
    assert judge("x", of_draw(random.Random(1).randrange, 52, 520)).outcome == "pass"
    assert judge("x", of_draw(lambda k: 0, 52, 519)).outcome == "fail"
    assert judge("x", []).outcome == "insufficient"


def test_one_number_out_of_range_is_enough():
    counts = [Count(2, 100, {"number": (50, 49)}, outside=1, example="2")]
    result = judge("x", counts)
    assert (result.outcome, result.p_value) == ("fail", 0.0)
    assert judge("x", [replace(counts[0], outside=0)]).outcome == "pass"


def test_what_came_before_an_error_is_kept(mine):
    result = judged(f"{mine}:raises")
    assert [count.bound for count in result.counts] == list(range(2, 9))
    with pytest.raises(DrawFailed, match="below 4 it raised KeyError: 4"):
        list(of_draw({2: 0, 3: 1}.__getitem__, 4, 10))


def test_a_draw_that_hangs_is_left(mine):
    result = judged(f"{mine}:hangs", timeout=1)
    assert result.outcome == "fail"
    assert "below 9 it gave nothing for 1 s" in headline(result)


def test_the_same_seed_gives_the_same_counts(mine):
    for name in ("fair", "plain"):
        one, other, another = (list(islice(of_function(f"{mine}:{name}", seed, 6, 500), 5)) for seed in (11, 11, 12))
        assert one == other
        assert one != another


def test_draws_of_other_makes_are_judged_as_they_are():
    assert judge("secrets", of_draw(secrets.randbelow, 10, 2_000)).outcome == "pass"
    assert judge("dice", of_draw(RandomIntegers(seeded_words(b"x")).below, 10, 2_000)).outcome == "pass"

    def coin(k):
        assert k == 2
        return random.SystemRandom().random() < 0.5

    assert judge("coin", of_draw(coin, 2, 2_000)).outcome == "pass"


@pytest.mark.parametrize(
    "name", ["mine.py:nothing", "mine.py:absent", "absent:f", "absent.py:f", "mine.py", "mine.py:"]
)
def test_a_function_that_cannot_be_called_is_refused_in_one_line(mine, name):
    with pytest.raises(FairdeckError) as refused:
        judge(name, of_function(name, 1, 5, 10))
    assert not isinstance(refused.value, DrawFailed)
    assert len(str(refused.value).splitlines()) == 1


def test_the_command_answers_with_exit_codes_and_json(mine, capsys):
    assert main(["scaling", "--draws", "2000", "--most", "20", "--seed", "c0ffee"]) == FINE
    shown = capsys.readouterr()
    assert shown.out.startswith("fairdeck's own generator")
    assert shown.err == ""
    assert shown.out.rstrip().endswith("fairdeck scaling --most 20 --draws 2000 --seed c0ffee")
    assert main(["scaling", f"{mine}:never_the_last", "--draws", "2000", "--json", "--seed", "1"]) == DOES_NOT_HOLD
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], told["function"], told["seed"]) == ("fail", f"{mine}:never_the_last", "1")
    assert told["findings"][0]["says"] in told["headline"]
    assert [bound["bound"] for bound in told["bounds"]][:51] == list(range(2, 53))
    assert sum(told["bounds"][1]["counts"]["number"]) == told["draws"] == 2_000
    assert main(["scaling", f"{mine}:fair", "--draws", "100"]) == BAD_INPUT
    assert "Too few draws" in capsys.readouterr().out
    assert main(["scaling", f"{mine}:float_53", "--draws", "2000"]) == FINE
    assert "scales 53 random bits" in capsys.readouterr().out


@pytest.mark.parametrize(
    "line", ["--most 1", "--most 1001", "--draws 0", "--alpha 2", "--alpha x", "--seed xyz", "nowhere", "--timeout 0"]
)
def test_bad_input_gets_one_line(line, capsys):
    assert main(["scaling", *line.split()]) == BAD_INPUT
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1


def test_a_number_in_place_of_a_function_names_the_option(capsys):
    assert main(["scaling", "8"]) == BAD_INPUT
    told = "fairdeck: '8' is not a function; for bounds up to 8, write --most 8"
    assert capsys.readouterr().err.startswith(told)


def test_one_call_does_what_the_command_does(mine, capsys):
    result = lab.scaling(f"{mine}:never_the_last", most=5, draws=200, seed=3)
    main(["scaling", f"{mine}:never_the_last", "--most", "5", "--draws", "200", "--seed", "3", "--json"])
    assert {**json.loads(capsys.readouterr().out), "command": ""} == json.loads(result.to_json())
    assert repr(result) == "<Scaling of mine.py:never_the_last: fail, 200 draws below each bound to 5>"
    told = []
    assert lab.scaling(secrets.randbelow, most=5, draws=200, progress=told.append).outcome == "pass"
    assert [count.bound for count in told[:4]] == [2, 3, 4, 5]


def test_a_function_that_ends_the_program_is_told_with_its_status(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("import sys\ndef draw(k):\n    sys.exit(3)\n")
    with pytest.raises(DrawFailed, match="below 2 it raised SystemExit: 3"):
        list(of_function(f"{file}:draw", 1, most=3, draws=10))
