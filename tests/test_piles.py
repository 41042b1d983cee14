"""Large arrays and files, shuffled by dealing them into piles.

Sampled checks compare with a chi-square law at one in a million each, with fixed seeds; there are
20 of them, so right code under fresh seeds would fail here once in 50,000 times. With 200,000
orders of 5 a fault of a tenth in the chance of a tenth of the orders would be seen.
"""

import io
import json
import math
import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import count, permutations, product

import numpy as np
import pytest
from scipy.stats import chi2

from fairdeck import FairdeckError, RandomIntegers, seeded_words, uniform_permutation
from fairdeck.bulk import piles
from fairdeck.bulk.piles import CHACHA, CONSTANTS, DRAWN, LANES, TAPE, XOSHIRO, shuffle, shuffled
from fairdeck.cli import main
from fairdeck.cli.commands import shuffle as command
from fairdeck.cli.exits import BAD_INPUT, FINE, INTERRUPTED, MISSING_TOOL
from fairdeck.extras import installation

FALSE_ALARM = 1e-6
ITEMS = 1_000_000
HALF = 2**32
THIRD = HALF // 3  # a number that no bound rejects: times any small number its low half is large
NATIVE = "? i1 u1 S1 i2 f2 i4 f4 U1 i8 f8 c8 M8[s] i4,f4 >i4"
OTHERS = "c16 S3 U3 i2,i1 O S0"


# Words that are written down: every outcome, once.


def tapes(items):
    """A tape for each outcome of the draws of a shuffle: half words in the middle of those for each integer."""
    bounds = range(1, items + 1)
    for outcome in product(*map(range, bounds)):
        yield joined((2 * drawn + 1) * HALF // (2 * bound) for drawn, bound in zip(outcome, bounds, strict=True))


def joined(halves, neutral=THIRD):
    """Words of these halves, low half first, filled up to whole vectors."""
    padded = [*halves]
    padded += [neutral] * (-len(padded) % DRAWN)
    return [low | high << 32 for low, high in zip(padded[::2], padded[1::2], strict=True)]


def tape(*words):
    return np.array([0, *words], np.uint64)


@pytest.mark.cases(3)
@pytest.mark.parametrize("items", range(1, 8))
def test_every_outcome_of_the_draws_is_another_order(items):
    seen = set()
    for words in tapes(items):
        deck = np.arange(items, dtype=np.uint8)
        piles.fisher_yates(deck, TAPE, tape(*words), deck)
        seen.add(tuple(deck.tolist()))
    assert seen == set(permutations(range(items)))


@pytest.mark.parametrize("apart", [False, True])
def test_the_integers_of_several_vectors_have_the_bounds_of_their_places(apart):
    items = 2 * DRAWN + 3
    drawn = [7 * place % (place + 1) for place in range(items)]
    deck = np.arange(items, dtype=np.uint8) + 100
    out = np.zeros_like(deck) if apart else deck
    halves = ((2 * other + 1) * HALF // (2 * (place + 1)) for place, other in enumerate(drawn))
    piles.fisher_yates(deck, TAPE, tape(*joined(halves)), out)
    plain = list(range(100, 100 + items))
    for place, other in enumerate(drawn):
        plain[place], plain[other] = plain[other], plain[place]
    assert out.tolist() == plain
    assert not apart or deck.tolist() == list(range(100, 100 + items))


@pytest.mark.long
@pytest.mark.parametrize("part", [1, 2, 5])
@pytest.mark.parametrize("items", range(1, 6))
def test_two_piles_of_a_few_items_give_every_order_the_same_chance(items, part):
    parts = [range(start, min(start + part, items)) for start in range(0, items, part)]
    chances = Counter()
    for deal in product(range(2), repeat=items):
        high = sum(deal)
        # The highest bit of a byte tells the pile.
        dealt_from = [tape(sum(deal[item] << 8 * at + 7 for at, item in enumerate(those))) for those in parts]
        low_tapes, high_tapes = (list(tapes(height)) for height in (items - high, high))
        for low_words, high_words in product(low_tapes, high_tapes):
            rows = [*dealt_from, tape(*low_words), tape(*high_words)]
            states = np.zeros((len(rows), max(map(len, rows))), np.uint64)
            for row, words in zip(states, rows, strict=True):
                row[: len(words)] = words
            deck = np.arange(items, dtype=np.uint8)
            order = piles.dealt(deck, TAPE, lambda many, states=states: states, bits=1, part=part)
            chances[tuple(order.tolist())] += Fraction(1, 2**items * len(low_tapes) * len(high_tapes))
    assert chances == {order: Fraction(1, math.factorial(items)) for order in permutations(range(items))}


@pytest.mark.parametrize("first", [1, 3, 100, 1_000_003, HALF - 2 * DRAWN])
def test_numbers_are_rejected_up_to_the_limit_and_no_further(first):
    """For each lane of a vector: the last number that is rejected, if any, and the first one kept."""
    neutral, other = (never_rejected(first, after) for after in (HALF // 3, HALF // 5))

    def drawn(*vectors):
        integers = np.zeros(2 * piles.BUFFER, np.uint32)
        words = np.full(piles.BUFFER, neutral << 32 | neutral, np.uint64)
        words[: 8 * len(vectors)] = [word for halves in vectors for word in joined(halves, neutral)]
        piles.draw(words, first, integers)
        return integers[:DRAWN].tolist()

    for lane in range(DRAWN):
        bound = first + lane
        limit, step = HALF % bound, bound & -bound  # low halves of the products are multiples of the step

        def number(low, bound=bound, step=step):
            return low // step * pow(bound // step, -1, HALF // step) % (HALF // step)

        kept = number(limit)
        assert kept * bound % HALF == limit
        assert drawn([neutral] * lane + [kept], [other] * DRAWN)[lane] == kept * bound // HALF
        if limit:
            lost = number(limit - step)
            assert lost * bound % HALF == limit - step
            assert drawn([neutral] * lane + [lost], [other] * DRAWN) == drawn([other] * DRAWN)


def never_rejected(first, after):
    """The first number from some on that no lane of a vector rejects."""
    return next(
        number
        for number in count(after)
        if all(number * bound % HALF >= HALF % bound for bound in range(first, first + DRAWN))
    )


# Words that are drawn.


def test_chacha_gives_the_words_of_rfc_8439():
    def blocks(key, counter, nonce):
        state = np.array([*CONSTANTS, *np.frombuffer(key, "<u4"), counter, *np.frombuffer(nonce, "<u4")], np.uint64)
        out = np.empty(16 * LANES, np.uint64)
        piles.chacha_words(state, out)
        assert state[12] == counter + 2 * LANES
        return (
            np.stack([out & 0xFFFFFFFF, out >> 32], axis=-1)
            .reshape(2, 8, LANES, 2)
            .transpose(0, 2, 1, 3)
            .reshape(-1, 16)
        )

    section_2_3_2 = """e4e7f110 15593bd1 1fdd0f50 c47120a3 c7f4d1c7 0368c033 9aaa2204 4e6cd4c3
                       466482d2 09aa9f07 05d7c214 a2028bd9 d19c12b5 b94e16de e883d0cb 4e3c50a2"""
    made = blocks(bytes(range(32)), 1, bytes.fromhex("000000090000004a00000000"))
    assert [f"{word:08x}" for word in made[0]] == section_2_3_2.split()
    vectors_1_and_2_of_appendix_a_1 = """
        ade0b876 903df1a0 e56a5d40 28bd8653 b819d2bd 1aed8da0 ccef36a8 c70d778b
        7c5941da 8d485751 3fe02477 374ad8b8 f4b8436a 1ca11815 69b687c3 8665eeb2
        bee7079f 7a385155 7c97ba98 0d082d73 a0290fcb 6965e348 3e53c612 ed7aee32
        7621b729 434ee69c b03371d5 d539d874 281fed31 45fb0a51 1f0ae1ac 6f4d794b"""
    made = blocks(bytes(32), 0, bytes(12))
    assert [f"{word:08x}" for word in made[:2].reshape(-1)] == vectors_1_and_2_of_appendix_a_1.split()
    for counter in range(2 * LANES):
        assert (made[counter] == blocks(bytes(32), counter, bytes(12))[0]).all()


def test_each_of_eight_xoshiro_gives_the_words_of_its_reference():
    # The vectors of the crate rand_xoshiro, made with the authors' program.
    reference = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205, 9973669472204895162]
    state = np.zeros((4, 8), np.uint64)
    for one in range(8):
        state[:] = np.arange(32).reshape(4, 8)
        state[:, one] = [1, 2, 3, 4]
        going, made = state.reshape(-1).copy(), []
        for _ in range(2):
            out = np.empty((3, 8), np.uint64)
            piles.xoshiro_words(going, out.reshape(-1))
            made += out[:, one].tolist()
        assert made == reference


@pytest.mark.parametrize("kind", [XOSHIRO, CHACHA])
def test_streams_differ_and_a_stream_does_not_depend_on_how_many_there_are(kind):
    states = piles.streams(bytes(32), kind)
    assert (states(9)[:4] == states(4)).all()
    out = np.empty((9, piles.BUFFER), np.uint64)
    for row, state in zip(out, states(9), strict=True):
        piles.fill(kind, state, row)
    assert len(set(out.reshape(-1).tolist())) == out.size
    assert (states(9) != piles.streams(bytes([1] * 32), kind)(9)).any(axis=1).all()


# Whole orders.


def p_value(counts, expected, freedom):
    return chi2.sf(((counts - expected) ** 2 / expected).sum(), freedom)


def looks(order):
    """p-values of one large order: those of its fives, which are independent, and where bands of items went."""
    n = len(order)
    places = np.empty(n, np.int64)
    places[order] = np.arange(n)
    for values in (order, places):
        for fives in (values.reshape(-1, 5), values.reshape(5, -1).T):
            codes = fives.argsort(axis=1) @ 5 ** np.arange(5)
            _, counts = np.unique(codes, return_counts=True)
            yield p_value(np.pad(counts, (0, 120 - len(counts))), n / 5 / 120, 119)
    bands = 50
    matrix = np.bincount(np.arange(n) * bands // n * bands + order.astype(np.int64) * bands // n, minlength=bands**2)
    yield p_value(matrix, n / bands**2, (bands - 1) ** 2)


@pytest.mark.long
@pytest.mark.parametrize("cipher", [False, True])
@pytest.mark.parametrize("piles_from", [0, ITEMS + 1], ids=["piles", "direct"])
def test_large_orders_look_uniform(cipher, piles_from):
    order = shuffled(np.arange(ITEMS, dtype=np.uint32), 2026, cipher=cipher, piles_from=piles_from)
    assert (np.sort(order) == np.arange(ITEMS)).all()
    assert min(looks(order)) > FALSE_ALARM


def unshuffled_piles(items, ends, kind, states):
    pass


def halves_of_piles(items, ends, kind, states):
    for begin, end, state in zip(ends[:-1], ends[1:], states, strict=True):
        middle = (begin + end) // 2
        piles.fisher_yates(items[begin:middle], kind, state, items[begin:middle])
        piles.fisher_yates(items[middle:end], kind, state, items[middle:end])


@pytest.mark.long
@pytest.mark.parametrize("broken", [unshuffled_piles, halves_of_piles])
def test_piles_that_are_not_shuffled_are_detected(broken, monkeypatch):
    monkeypatch.setattr(piles, "shuffle_piles", broken)
    assert min(looks(shuffled(np.arange(ITEMS, dtype=np.uint32), 2026, 1, piles_from=0))) < FALSE_ALARM


@pytest.mark.cases(1)
@pytest.mark.parametrize("cipher", [False, True])
def test_the_order_does_not_depend_on_the_threads(cipher, monkeypatch):
    monkeypatch.setattr(piles.dealt, "__kwdefaults__", {**piles.dealt.__kwdefaults__, "part": 10_000})
    items = np.arange(100_003, dtype=np.uint32)
    orders = [shuffled(items, 7, threads, cipher=cipher, piles_from=0) for threads in (1, 2, 5)]
    assert (orders[0] == orders[1]).all()
    assert (orders[0] == orders[2]).all()


@pytest.mark.parametrize(
    ("cipher", "piles_from", "order"),
    [
        (False, 0, [6, 4, 9, 1, 2, 7, 3, 8, 5, 0]),
        (False, 11, [7, 9, 3, 4, 5, 1, 0, 6, 8, 2]),
        (True, 0, [1, 9, 2, 3, 4, 8, 7, 5, 0, 6]),
        (True, 11, [6, 1, 9, 0, 4, 5, 8, 2, 3, 7]),
    ],
)
def test_a_seed_means_the_same_order_for_ever(cipher, piles_from, order):
    assert shuffled(range(10), 2026, cipher=cipher, piles_from=piles_from).tolist() == order


def test_without_a_seed_every_order_is_another():
    assert len({shuffled(np.arange(100, dtype=np.uint8)).tobytes() for _ in range(20)}) == 20


@pytest.mark.cases(6)
@pytest.mark.parametrize("piles_from", [0, 10**9], ids=["piles", "direct"])
@pytest.mark.parametrize("dtype", NATIVE.split() + OTHERS.split())
def test_items_of_any_kind_follow_the_same_order(dtype, piles_from):
    items = np.arange(1000).astype(dtype) if "," not in dtype else np.zeros(1000, dtype)
    if "," in dtype:
        items["f0"] = np.arange(1000)
    before = items.copy()
    order = shuffled(np.arange(1000), 5, piles_from=piles_from)
    result = shuffled(items, 5, piles_from=piles_from)
    assert result.dtype == items.dtype
    assert (result == items[order]).all()
    assert (items == before).all()
    assert not np.shares_memory(items, result) or items.itemsize == 0


@pytest.mark.parametrize("piles_from", [0, 10**9])
@pytest.mark.parametrize("items", [0, 1])
def test_nothing_and_one_item_stay(items, piles_from):
    assert shuffled(np.full(items, 7, np.uint16), piles_from=piles_from).tolist() == [7] * items


def test_in_place_is_the_same_order_wherever_the_items_lie():
    expected = shuffled(np.arange(5000), 3)
    for array in (np.arange(5000), np.arange(10_000)[::2] // 2, np.arange(5000).astype(object)):
        view = array[:]
        shuffle(view, 3)
        assert (array == expected).all()


def test_an_interrupted_shuffle_leaves_the_array_as_it_was(monkeypatch):
    def interrupted(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr(piles, "fisher_yates", interrupted)
    array = np.arange(100)
    with pytest.raises(KeyboardInterrupt):
        shuffle(array)
    assert (array == np.arange(100)).all()
    monkeypatch.setattr(piles, "deal", interrupted)
    with pytest.raises(KeyboardInterrupt):
        shuffled(array, threads=2, piles_from=0)


@pytest.mark.parametrize(
    ("array", "given"),
    [
        (np.zeros((2, 2)), {}),
        (np.array(5), {}),
        (np.ma.array([1, 2], mask=[1, 0]), {}),
        ([1], {"seed": -1}),
        ([1], {"seed": 2**256}),
        ([1], {"seed": 1.5}),
        ([1], {"seed": "x"}),
        ([1], {"seed": np.random.RandomState(1)}),
        ([1], {"threads": 0}),
        ([1], {"threads": 1.5}),
    ],
)
def test_what_cannot_be_shuffled_is_refused(array, given):
    with pytest.raises(FairdeckError):
        shuffled(array, **given)


def test_only_a_writable_array_is_shuffled_in_place():
    fixed = np.arange(5)
    fixed.flags.writeable = False
    for array in ([1, 2], fixed, np.zeros((2, 2))):
        with pytest.raises(FairdeckError):
            shuffle(array)


# The command.


@pytest.fixture
def run(capfdbinary, monkeypatch):
    """Run the command; `quick` takes the piles however few the items are, else they are never taken."""

    def call(*words, quick=True, stdin=b""):
        monkeypatch.setattr(command, "PILES_FROM", 1 if quick else 10**12)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(["shuffle", *map(str, words)])
        shown = capfdbinary.readouterr()
        return code, shown.out, shown.err

    return call


FILES = {
    "windows": b"one\r\ntwo\r\nthree\r\n",
    "no last newline": b"one\ntwo\nthree",
    "no text": b"\xff\n\xfe\n\x00\n\x80abc\n\xc3\n",  # not the mark of UTF-16, which is refused
    "repeated": b"a\na\nb\na\nb\n",
    "empty lines": b"\n\n\na\n\n",
    "one newline": b"\n",
    "one line": b"one",
    "other ends": b"a\x0cb\x85c\xe2\x80\xa8d\re\nf\x0b\x1c\n",
    "long lines": b"x" * 100 + b"\n" + b"y" * 30 + b"\nz",
    "nothing": b"",
}


@pytest.mark.parametrize("quick", [True, False], ids=["piles", "plain"])
@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_the_lines_of_a_file_come_out_as_they_went_in(content, quick, run, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "BLOCK", 8)  # so that lines are longer than what is written in one go
    monkeypatch.setattr(command, "AT_ONCE", 2)
    file = tmp_path / "lines"
    file.write_bytes(content)
    lines = content.removesuffix(b"\n").split(b"\n") if content else []
    for code, out, err in (
        run("--file", file, quick=quick),
        run(quick=quick, stdin=content),
        run("--file", "-", quick=quick, stdin=content),
    ):
        assert (code, err) == (FINE, b"")
        assert out == b"" or out.endswith(b"\n")
        assert sorted(out.split(b"\n")[:-1]) == sorted(lines)
        assert len(out) == sum(len(line) + 1 for line in lines)
    told = json.loads(run("--file", file, "--json", quick=quick)[1])
    assert told["cards"] == len(lines)
    assert sorted(told["items"]) == sorted(line.decode("utf-8", "replace") for line in lines)


def test_many_lines_come_out_in_every_order_of_three(run, tmp_path):
    file = tmp_path / "lines"
    file.write_bytes(b"a\nb\nc\n")
    assert {run("--file", file)[1] for _ in range(200)} == {
        "".join(f"{line}\n" for line in lines).encode() for lines in permutations("abc")
    }  # fails by chance once in 10**15 times


def test_numbers_of_any_length_are_written(run, monkeypatch):
    monkeypatch.setattr(command, "AT_ONCE", 1000)
    assert sorted(map(int, run(123_456)[1].split())) == list(range(123_456))
    out = np.empty(100, np.uint8)
    used = piles.decimals(np.array([0, 9, 10, 99, 100, 2**32 - 1], np.uint32), out)
    assert out[:used].tobytes() == b"0\n9\n10\n99\n100\n4294967295\n"


@pytest.mark.parametrize("quick", [True, False])
def test_a_head_is_the_beginning_of_the_order(quick, run, monkeypatch):
    monkeypatch.setattr(command, "LARGEST_DECK", 50 if quick else 10**6)
    seed = ("--seed", "c0ffee")
    whole = run(100, *seed, quick=quick)[1].split()
    for head in (0, 1, 7, 100, 1000):
        assert run(100, *seed, "-n", head, quick=quick)[1].split() == whole[:head]
        told = json.loads(run(100, *seed, "-n", head, "--json", quick=quick)[1])
        assert told == {"format": "fairdeck-shuffle/1", "cards": 100, "items": list(map(int, whole[:head]))}


def test_a_seed_means_the_same_order_with_and_without_numba(run, monkeypatch):
    expected = uniform_permutation(1000, RandomIntegers(seeded_words(b"\x0a")))
    assert tuple(map(int, run(1000, "--seed", "a")[1].split())) == expected
    monkeypatch.setattr(command, "LARGEST_DECK", 500)  # as if a thousand were more than a million
    large = run(1000, "--seed", "a")[1]
    assert large == run(1000, "--seed", "0a", quick=False)[1]
    assert large != run(1000, "--seed", "b")[1]
    assert tuple(map(int, large.split())) != expected
    assert run(1000)[1] != run(1000)[1]


def test_without_numba_few_are_shuffled_and_many_refused(run, monkeypatch):
    monkeypatch.setattr(command, "_piles", lambda: None)
    assert sorted(map(int, run(1000)[1].split())) == list(range(1000))
    code, out, err = run(1_000_001)
    assert (code, out, err.count(b"\n")) == (MISSING_TOOL, b"", 1)
    assert installation("lab").encode() in err
    assert run(stdin=b"\n" * 1_000_001)[0] == MISSING_TOOL


@pytest.mark.parametrize(
    "words",
    [
        *(["--file", "/nowhere/file"], ["--file", "/"], ["--file", "a\0b"], ["--file", "/dev/null", "5"]),
        *(["--file", "/dev/null", "-e"], ["1000000001"], ["5", "-n", "-1"], ["2000000", "--seed", "q"]),
    ],
)
def test_bad_input_gets_one_line(words, run):
    code, out, err = run(*words)
    assert (code, out, err.count(b"\n")) == (BAD_INPUT, b"", 1)
    assert err.startswith(b"fairdeck")


def test_ctrl_c_is_quiet_and_clears_its_line(run, monkeypatch):
    def interrupted(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr(piles, "decimals", interrupted)
    assert run(1000) == (INTERRUPTED, b"", b"")


def test_few_items_load_no_numpy():
    code = (
        "import sys; from fairdeck.cli import main; main(['shuffle', '52']); "
        "sys.exit(any(name in sys.modules for name in ('numpy', 'numba')))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.long
def test_a_reader_that_has_enough_is_no_error():
    line = f"{sys.executable} -m fairdeck shuffle 600000 | head -1"
    shown = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True, env=os.environ)
    assert shown.stderr == ""
    assert 0 <= int(shown.stdout) < 600_000


@pytest.mark.parametrize("size", [0, 1, 10, 4_000])
@pytest.mark.parametrize("dtype", [np.uint8, np.float64, "S5"])
def test_an_array_for_the_result_takes_the_same_order(size, dtype):
    given = np.arange(size).astype(dtype)
    out = np.empty_like(given)
    made = piles.shuffled(given, 7, piles_from=1_000, out=out)
    assert np.shares_memory(made, out) or not size
    assert (made == piles.shuffled(given, 7, piles_from=1_000)).all()


@pytest.mark.parametrize("out", [np.empty(9, np.uint32), np.empty(10, np.int32), np.empty(20, np.uint32)[::2]])
def test_an_array_for_the_result_that_does_not_fit_is_refused(out):
    with pytest.raises(FairdeckError, match="10 items of uint32"):
        piles.shuffled(np.arange(10, dtype=np.uint32), 1, out=out)


def test_an_array_for_the_result_must_be_an_array_apart():
    given = np.arange(20, dtype=np.uint32)
    for out in (given[:10], given[5:15], [0] * 10):
        with pytest.raises(FairdeckError, match="apart from it"):
            piles.shuffled(given[:10], 1, out=out)
