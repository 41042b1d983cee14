import errno
import os
import pickle
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import copy
from fractions import Fraction
from itertools import islice, permutations, product
from math import factorial, lgamma, log, prod

import pytest

from fairdeck import (
    FairdeckError,
    Hands,
    Mat,
    RandomIntegers,
    Task,
    draw,
    random_integers,
    randomness,
    replay,
    seeded_words,
    system_words,
    uniform_permutation,
)
from fairdeck.cli import main
from tests.enumerated import law_of


def test_every_order_is_equally_likely_by_enumeration():
    for n in range(1, 7):
        law = law_of(lambda integers, n=n: uniform_permutation(n, integers))
        assert set(law) == set(permutations(range(n)))
        assert set(law.values()) == {Fraction(1, factorial(n))}


def test_the_dealt_deck_is_uniform_by_enumeration():
    """Not only the order drawn: the deck that lies there when the plan has been dealt."""

    def dealt(integers):
        plan, _ = draw(Task(4, Mat(2, 1)), integers)
        return replay(plan, range(4))[0]

    law = law_of(dealt)
    assert law == dict.fromkeys(permutations(range(4)), Fraction(1, 24))


@pytest.mark.parametrize(("goal", "ways"), [(Hands((2, 2), rest=2), 90), (Hands((2, 2), stock=2), 180)])
def test_all_deals_of_six_cards_to_two_hands_of_two_are_equally_likely(goal, ways):
    def dealt(integers):
        deck, hands = replay(draw(Task(6, Mat(3, 2), goal), integers)[0], range(6))
        return deck, tuple(frozenset(hand) for hand in hands)

    law = law_of(dealt)
    assert len(law) == ways
    assert set(law.values()) == {Fraction(1, ways)}


@pytest.fixture
def small_words(monkeypatch):
    """Words of 3 bits: all tapes of 5 words can be tried."""
    monkeypatch.setattr(randomness, "WORD", 8)
    monkeypatch.setattr(randomness, "LARGEST_BOUND", 8)


def assert_exactly_fair(drawn, outcomes):
    """Each of so many outcomes must come out as often over all tapes."""
    counts = Counter()
    for tape in product(range(8), repeat=5):
        with suppress(FairdeckError):  # the tape ran out before the draw was decided
            counts[tuple(drawn(RandomIntegers(tape)))] += 1
    assert len(counts) == outcomes
    assert len(set(counts.values())) == 1


@pytest.mark.parametrize("bounds", [(3,), (2, 3), (3, 5), (5, 4, 3), (7, 7), (6, 5)])
def test_random_integers_are_exactly_fair_on_every_tape_of_small_words(small_words, bounds):
    assert_exactly_fair(lambda integers: map(integers.below, bounds), prod(bounds))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_whole_deck_is_drawn_exactly_fairly_on_every_tape_of_small_words(small_words, n):
    assert_exactly_fair(lambda integers: integers.falling(n), factorial(n))


def test_a_biased_random_integer_is_detected():
    """The same count, with a modulo in place of rejection, is uneven: the check above can fail."""
    outcomes = Counter(word % 3 for word in range(8))
    assert len(set(outcomes.values())) > 1


def test_seeded_words_are_mgf1():
    """The well-known vector of MGF1 with SHA-256 for the seed "bar", 50 bytes."""
    known = "382576a7841021cc28fc4c0948753fb8312090cea942ea4c4e735d10dc724b155f9f6069f289d61daca0cb814502ef04eae1"
    stream = b"".join(word.to_bytes(4, "big") for word in islice(seeded_words(b"bar"), 13))
    assert stream[:50].hex() == known


def test_the_system_is_read_in_growing_blocks(monkeypatch):
    sizes, sound = [], os.urandom

    def counted(size):
        sizes.append(size)
        return sound(size)

    monkeypatch.setattr(os, "urandom", counted)
    next(islice(system_words(), 100_000, None))
    assert sizes[:4] == [32, 64, 128, 256]
    assert max(sizes) == randomness.LARGEST_READ
    assert len(sizes) < 20


@pytest.mark.parametrize("n", [10, 52, 150, 1000, 20_000])
def test_a_deck_costs_hardly_more_bits_than_its_entropy(n):
    used = 0

    def tape():
        nonlocal used
        for word in seeded_words(n.to_bytes(4, "big")):
            used += 32
            yield word

    uniform_permutation(n, RandomIntegers(tape()))
    entropy = lgamma(n + 1) / log(2)
    assert entropy <= used + 1e-6
    assert used < entropy * 1.002 + 64


def test_random_integers_refuse_impossible_bounds_and_empty_tapes():
    for bound in (0, -1, randomness.LARGEST_BOUND + 1):
        with pytest.raises(FairdeckError, match="cannot draw below"):
            RandomIntegers(seeded_words(b"x")).below(bound)
    with pytest.raises(FairdeckError, match="run out"):
        RandomIntegers([]).below(2)
    assert RandomIntegers(seeded_words(b"x")).below(1) == 0


def test_a_whole_deck_is_drawn_as_card_by_card():
    together, single = RandomIntegers(seeded_words(b"deck")), RandomIntegers(seeded_words(b"deck"))
    for n in [*range(60), 1000, 20_000]:
        assert together.falling(n) == [single.below(bound) for bound in range(n, 1, -1)]
        assert together.below(7) == single.below(7)
    with pytest.raises(FairdeckError, match="cannot draw below"):
        together.falling(randomness.LARGEST_BOUND + 1)
    with pytest.raises(FairdeckError, match="run out"):
        RandomIntegers([1]).falling(52)


def test_a_new_word_is_taken_only_when_the_range_is_below_the_largest_bound(small_words):
    """The first fills the range just to the largest bound, and is enough for one more draw."""
    for draw_below_two in (lambda integers: integers.below(2), lambda integers: integers.falling(2)[0]):
        integers = RandomIntegers([5])
        assert (integers.below(1), draw_below_two(integers)) == (0, 1)
        with pytest.raises(FairdeckError, match="run out"):
            integers.below(2)
    assert len(RandomIntegers(range(8)).falling(8)) == 7
    with pytest.raises(FairdeckError, match="cannot draw below 9: the bound must be 1 to 8"):
        RandomIntegers(range(8)).falling(9)


def test_the_largest_bound_is_two_to_the_21st():
    assert RandomIntegers([2**32 - 1]).below(2**21) == 2**21 - 1
    with pytest.raises(FairdeckError, match="the bound must be 1 to 2097152"):
        RandomIntegers([2**32 - 1]).below(2**21 + 1)


def test_a_seed_in_digits_may_be_odd_in_number_and_begin_with_0x():
    first = random_integers(b"\x0a\xbc").below(2**21)
    assert [random_integers(seed).below(2**21) for seed in ("abc", "0abc", "0xabc", "ABC")] == [first] * 4


@pytest.mark.parametrize("seed", ["", "xyz", b"", 7, [1] * 99])
def test_a_seed_that_could_be_mistaken_is_told(seed):
    told = "of type list" if isinstance(seed, list) else repr(seed)
    with pytest.raises(FairdeckError) as refused:
        random_integers(seed)
    assert str(refused.value).startswith(f"seed {told} is not hexadecimal")


def test_without_a_seed_the_system_is_asked(monkeypatch):
    monkeypatch.setattr("os.urandom", lambda size: bytes(range(size)))
    first, other = (random_integers().below(2**21) for _ in range(2))
    assert first == other  # of this generator, which gives the same again


FORKS = """
import os
from fairdeck import RandomIntegers, seeded_words, system_words, uniform_permutation

def forked(draw):
    ours, theirs = os.pipe()
    if not os.fork():
        os.write(theirs, repr(draw()).encode())
        os._exit(0)
    os.close(theirs)
    os.wait()
    with open(ours) as answer:
        return answer.read()

source = {source}
draw = lambda: {draw}
[draw() for _ in range(9)]  # now something is left over
shown = [forked(draw) for _ in range(20)] + [repr(draw())]
print(len(shown), len(set(shown)))
"""
SMALL = "[source.below(2) for _ in range(60)]"  # the first fifty were what is left over of the last word


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows does not fork")
@pytest.mark.parametrize(
    ("source", "draw", "different"),
    [
        ("RandomIntegers(system_words())", "uniform_permutation(52, source)", 21),
        ("RandomIntegers(system_words())", SMALL, 21),
        ("system_words()", "(next(source), next(source))", 21),
        ("RandomIntegers(seeded_words(b'same'))", "uniform_permutation(52, source)", 1),
    ],
)
def test_a_forked_process_draws_decks_of_its_own_unless_they_are_seeded(source, draw, different):
    code = FORKS.format(source=source, draw=draw)
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == f"21 {different}\n"


@pytest.mark.cases(1)
@pytest.mark.parametrize("words", [system_words, lambda: seeded_words(b"shared")])
def test_threads_that_share_random_integers_draw_nothing_twice(monkeypatch, words):
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        integers = RandomIntegers(words())
        with ThreadPoolExecutor(8) as threads:
            decks = list(threads.map(lambda n: uniform_permutation(n, integers), [30] * 2_000))
            draws = list(threads.map(integers.below, [2**21] * 20_000))
    finally:
        sys.setswitchinterval(usual)
    assert len(set(decks)) == 2_000
    assert all(sorted(deck) == list(range(30)) for deck in decks)
    # By chance some 95 pairs of the draws are equal; 200 never in a lifetime.
    assert 20_000 - len(set(draws)) < 200


def test_a_copy_of_random_integers_draws_nothing_twice():
    integers = RandomIntegers(system_words())
    integers.below(2)
    twin = copy(integers)
    assert [integers.below(2) for _ in range(60)] != [twin.below(2) for _ in range(60)]
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(integers)


def interrupted(size):
    raise InterruptedError(errno.EINTR, os.strerror(errno.EINTR))


def refusing(size):
    raise NotImplementedError("no generator here")


@pytest.mark.parametrize(
    ("generator", "says"),
    [
        (refusing, "fails \\(no generator here\\)"),
        (lambda size: b"\xff" * size, "repeats ffffffff"),
        (lambda size: b"\x01\x02\x03\x04" * (size // 4), "repeats 01020304"),
        (lambda size: os.getrandom(size - 4), "returns 28 of 32 bytes"),
        (lambda size: os.getrandom(size - 1), "returns 31 of 32 bytes"),
        (lambda size: os.getrandom(size + 4), "returns 36 of 32 bytes"),
        (lambda size: b"", "returns 0 of 32 bytes"),
        (interrupted, "fails"),
    ],
)
def test_a_generator_that_fails_or_is_stuck_deals_no_deck(monkeypatch, generator, says):
    monkeypatch.setattr("os.urandom", generator)
    with pytest.raises(FairdeckError, match=says):
        uniform_permutation(52, RandomIntegers(system_words()))


@pytest.mark.parametrize(("size", "times", "stuck"), [(32, 4, False), (32, 5, True), (16, 3, False), (16, 4, True)])
def test_a_read_that_has_its_first_word_five_times_is_refused(monkeypatch, size, times, stuck):
    """Of the 16 bytes of the shortest secret all four words must be equal."""
    read = bytes(4 * times) + bytes(range(1, size + 1 - 4 * times))
    monkeypatch.setattr("os.urandom", lambda size: read)
    if not stuck:
        assert randomness.system_bytes(size) == read
        return
    with pytest.raises(FairdeckError, match="repeats 00000000"):
        randomness.system_bytes(size)


def test_a_generator_that_gets_stuck_later_is_noticed(monkeypatch):
    sound = os.urandom
    monkeypatch.setattr("os.urandom", lambda size: sound(size) if size < 65_536 else bytes(size))
    words = system_words()
    with pytest.raises(FairdeckError, match="repeats 00000000"):
        for _ in range(100_000):
            next(words)


SECRETS = [
    "together announce --cards 5 --people Ann,Ben",
    "together join announcement.json --as Ann",
    "together 8 --people Ann,Ben",
    "deal 8 --html deal.html",
    "deal 8",
]


@pytest.mark.parametrize("line", SECRETS)
@pytest.mark.parametrize("fault", ["fails", "returns", "repeats"])
def test_no_command_draws_a_secret_from_a_faulty_generator(tmp_path, monkeypatch, capsys, line, fault):
    monkeypatch.chdir(tmp_path)
    assert main(SECRETS[0].split()) == 0
    if line == SECRETS[0]:
        (tmp_path / "announcement.json").unlink()
    before = sorted(tmp_path.iterdir())
    capsys.readouterr()
    generators = {"fails": refusing, "returns": lambda size: os.getrandom(size - 4), "repeats": bytes}
    sound = os.urandom
    # Names of temporary files come from a generator of Python's own, which asks for its seed once.
    monkeypatch.setattr("os.urandom", lambda size: sound(size) if size > 2000 else generators[fault](size))
    assert main(line.split()) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert f"the system's random generator {fault}" in shown.err
    assert sorted(tmp_path.iterdir()) == before
