"""Many decks at once: the same as the plain version makes, in whatever way they are made, and fair."""

import os
import platform
import runpy
import subprocess
import sys
from collections import Counter
from itertools import islice, product, repeat
from itertools import permutations as permutations_of
from math import factorial, prod
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numba.core import codegen, config
from scipy.stats import chi2

from fairdeck import bulk
from fairdeck.bulk import decks as filling
from fairdeck.bulk import kernels, permutations
from fairdeck.bulk.shapes import BLOCK
from fairdeck.errors import FairdeckError
from tests import plain_decks as plain

SEED = 2**70 + 12345


def rows(n, decks, seed=SEED, first=0, threads=1, dtype=None):
    out = np.empty((decks, n), dtype or (np.uint8 if n <= 256 else np.uint16))
    filling.fill(out, seed, first, threads)
    return out


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 9, 20, 52, 64, 103, 104])
def test_columns_are_those_of_the_plain_version(n):
    decks = rows(n, 300)
    assert list(map(tuple, decks.tolist())) == list(islice(plain.columns(n, SEED, 0), 300))
    assert (rows(n, 300, dtype=np.uint16) == decks).all()


@pytest.mark.cases(2)
@pytest.mark.parametrize("n", [105, 128, 129, 256, 1_000, 3_999, 4_000, 4_001, 5_000])
def test_swaps_are_those_of_the_plain_version(n):
    assert list(map(tuple, rows(n, 13).tolist())) == list(islice(plain.swaps(n, SEED, 0), 13))


@pytest.mark.parametrize("bounds", [(1, 2), (2, 3), (3, 3), (3, 5), (5, 6), (6, 7), (7, 7), (7, 8)])
@pytest.mark.cases(1)
def test_a_lane_with_a_spare_word_draws_every_four_integers_as_often(bounds):
    """Words of three bits, every five of them: all outcomes of those that are not rejected, equally often."""
    bounds *= 2
    lanes = (plain.lane(words, bounds, spare, 3) for *words, spare in product(range(8), repeat=5))
    drawn = Counter(map(tuple, filter(None, lanes)))
    assert len(drawn) == prod(bounds)
    assert len(set(drawn.values())) == 1


def test_a_few_vectors_of_large_decks_are_drawn_again():
    """So the tests above have met them: 2,000 cards."""
    words, _ = plain.generators(SEED, 0)
    bounds = (tuple(range(1_900, 1_932)), tuple(range(1_932, 1_964))) * 2
    again = 0
    for _ in range(300):
        *vectors, spare = (next(words).view(np.uint16).tolist() for _ in range(5))
        words_of, bounds_of = map(list, zip(*vectors, strict=True)), zip(*bounds, strict=True)
        again += not all(map(plain.lane, words_of, bounds_of, spare, repeat(16)))
    assert 0 < again < 60


@pytest.mark.parametrize("n", [5, 52, 104])
def test_groups_are_the_rows_turned(n):
    out = np.empty((130, n, 64), np.uint8)
    filling.fill_groups(out, SEED)
    assert (out.transpose(0, 2, 1).reshape(-1, n) == rows(n, 130 * 64)).all()


@pytest.mark.cases(16)
@pytest.mark.parametrize("n", [1, 2, 5, 7, 52, 100, 104, 105, 200])
@pytest.mark.parametrize("decks", [0, 1, 63, 64, 65, 300, BLOCK + 70])
def test_rows_fill_what_they_should_and_no_byte_more(n, decks):
    buffer = np.full(decks * n + 32, 0xEE, np.uint8)
    filling.fill(buffer[16 : 16 + decks * n].reshape(decks, n), SEED)
    assert (buffer[:16] == 0xEE).all()
    assert (buffer[16 + decks * n :] == 0xEE).all()
    assert (np.sort(buffer[16 : 16 + decks * n].reshape(decks, n), axis=1) == np.arange(n)).all()


@pytest.mark.parametrize("n", [20, 150])
def test_a_block_is_a_function_of_its_number_and_the_seed(n):
    whole = rows(n, 3 * BLOCK + 100)
    assert (rows(n, 3 * BLOCK + 100, threads=2) == whole).all()
    assert (rows(n, BLOCK, first=2) == whole[2 * BLOCK : 3 * BLOCK]).all()
    assert (rows(n, 100, first=3) == whole[3 * BLOCK :]).all()
    assert (rows(n, 100, seed=SEED + 1) != whole[:100]).any(axis=1).all()
    assert (rows(n, 100, seed=SEED - 2**70) != whole[:100]).any(axis=1).all()
    assert (rows(n, 100, seed=SEED, first=1) != whole[:100]).any(axis=1).all()


DIGESTS = """
from hashlib import sha256
import numpy as np
from fairdeck import bulk
from fairdeck.bulk import decks, hand_shuffles

groups = np.empty((5, 52, 64), np.uint8)
decks.fill_groups(groups, 7)
made = [bulk.permutations(300, n, seed=7) for n in (4, 13, 52, 104, 208, 300, 1000)]
made += [bulk.permutations(300, n, top=3, seed=7) for n in (13, 104, 128)]
made += [groups]
made += [hand_shuffles.made(hand_shuffles.program(name, 52), 52, 7, 3, 300).rows for name in HAND]
print([sha256(f"{each.dtype} {each.shape}".encode() + each.tobytes()).hexdigest() for each in made])
"""


@pytest.mark.long
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="kernels for x86 do not run here")
def test_kernels_for_older_processors_make_the_same_decks(tmp_path):
    def digests(told, hand):
        code = f"HAND = {hand!r}\n{DIGESTS}"
        ran = subprocess.run([sys.executable, "-c", code], env=os.environ | told, check=True, stdout=subprocess.PIPE)
        return ran.stdout

    features = codegen.get_host_cpu_features().split(",")
    for name, needed in (("x86-64", "sse2"), ("haswell", "avx2"), ("skylake-avx512", "avx512bw")):
        if f"+{needed}" in features:
            hand = ("riffle*7", "wash") if name == "x86-64" else ()  # hand shuffles take longest to compile
            told = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path / name)}
            assert digests(told, hand) == digests({}, hand), name


@pytest.mark.parametrize(
    ("name", "features", "machine", "rows"),
    [
        (None, "+avx2,+avx512bw", "x86_64", 13),
        (None, "+avx2,-avx512bw", "AMD64", 4),
        (None, "-avx2,+sse4.2", "x86_64", 2),
        (None, "", "x86_64", 2),
        (None, "-sve", "aarch64", 4),
        (None, "", "arm64", 4),
        ("znver4", "", "x86_64", 13),
        ("skylake-avx512", "", "x86_64", 13),
        ("haswell", "", "x86_64", 4),
        ("x86-64", "", "x86_64", 2),
    ],
)
def test_rows_in_registers_are_those_that_numba_compiles_for(name, features, machine, rows, monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(config, "CPU_NAME", name)
    found = []
    for told in (features, None):  # told by NUMBA_CPU_FEATURES, or found by LLVM
        monkeypatch.setattr(config, "CPU_FEATURES", told)
        monkeypatch.setattr(codegen, "get_host_cpu_features", lambda: features)
        found.append(runpy.run_path(kernels.__file__))
    assert [each["ROWS"] for each in found] == [rows] * 2


@pytest.mark.parametrize("n", [5, 6])
def test_every_order_of_few_cards_comes_as_often(n):
    decks = rows(n, 2_000_000).astype(np.int64)
    _, counts = np.unique(decks @ n ** np.arange(n), return_counts=True)
    assert len(counts) == factorial(n)
    assert fits(counts, 2_000_000 / factorial(n))


@pytest.mark.cases(1)
@pytest.mark.parametrize("n", [52, 104, 130, 2_000, 4_001])
def test_every_card_comes_to_every_place_as_often(n):
    total = 200_000 if n <= 130 else 3_000
    counts = np.zeros((n, n), np.int64)
    for first in range(total // BLOCK + 1):
        decks = rows(n, min(BLOCK, total - first * BLOCK), first=first)
        for place in range(n):
            counts[place] += np.bincount(decks[:, place], minlength=n)
    assert fits(counts * (n - 1) / n, total / n * (n - 1) / n, (n - 1) ** 2)


def fits(counts, each, degrees=None):
    """Whether counts fit what is expected of each: wrong for one of a thousand fair seeds; the seed is fixed."""
    degrees = degrees or counts.size - 1
    statistic = float(((counts - each) ** 2 / each).sum())
    return 5e-4 < chi2.sf(statistic, degrees) < 1 - 5e-4


def test_a_mistake_in_the_integers_is_detected():
    decks = rows(5, 2_000_000).astype(np.int64)
    decks[:30_000, [0, 1]] = np.sort(decks[:30_000, [0, 1]], axis=1)
    _, counts = np.unique(decks @ 5 ** np.arange(5), return_counts=True)
    assert not fits(counts, 2_000_000 / 120)


def test_codes_are_those_of_lehmer():
    orders = sorted(permutations_of(range(4)))
    codes = [[a, b, c, 0] for a in range(4) for b in range(3) for c in range(2)]
    assert [plain.decoded(code, 4) for code in codes] == orders


# Top cards.


@pytest.mark.parametrize("top", range(1, 6))
def test_every_outcome_of_the_draws_is_another_choice_of_top_cards(top):
    """Each ordered choice of some of 5 cards once."""
    outcomes = product(*(range(5 - card) for card in range(top)))
    assert sorted(plain.decoded(list(codes), 5) for codes in outcomes) == list(permutations_of(range(5), top))


@pytest.mark.parametrize(("n", "top"), [(1, 1), (2, 1), (9, 8), (52, 1), (52, 5), (104, 103), (105, 13), (128, 127)])
def test_top_cards_by_columns_are_those_of_the_plain_version(n, top):
    hands = permutations(300, n, top=top, seed=SEED)
    assert list(map(tuple, hands.tolist())) == list(islice(plain.columns(n, SEED, 0, top), 300))


@pytest.mark.parametrize("n", [52, 128])
@pytest.mark.parametrize("top", [1, 2, 7, 8, 9])
def test_top_cards_fill_what_they_should_and_no_byte_more(n, top):
    for decks in (1, 2, 63, 64, 65, 300):
        buffer = np.full(decks * top + 32, 0xEE, np.uint8)
        filled = buffer[16 : 16 + decks * top].reshape(decks, top)
        filling._make(filled, n, filling.seed_words(SEED), 0)
        assert (filled == permutations(decks, n, top=top, seed=SEED)).all()
        assert (np.delete(buffer, slice(16, 16 + decks * top)) == 0xEE).all()


@pytest.mark.cases(3)
@pytest.mark.parametrize("n", [20, 128])
@pytest.mark.parametrize("top", [1, 3, 13, 19])
def test_top_cards_of_a_block_are_a_function_of_its_number_and_the_seed(n, top):
    whole = permutations(2 * BLOCK + 101, n, top=top, seed=SEED, threads=1)
    assert (permutations(2 * BLOCK + 101, n, top=top, seed=SEED, threads=3) == whole).all()
    assert (permutations(101, n, top=top, seed=SEED, first=2) == whole[2 * BLOCK :]).all()
    for decks in (0, 1, 2, 63):
        assert (permutations(decks, n, top=top, seed=SEED) == whole[:decks]).all()
    assert (np.diff(np.sort(whole, axis=1).astype(int), axis=1) > 0).all()


def test_every_choice_of_top_cards_comes_as_often():
    """Fails for one of a thousand fair seeds. A tenth of the pairs, a fifth too frequent, would be seen."""
    n = 12
    decks = 500 * n * (n - 1)
    pairs = permutations(decks, n, top=2, seed=SEED).astype(np.int64) @ [n, 1]
    counts = np.bincount(pairs, minlength=n * n).reshape(n, n)
    assert (counts.diagonal() == 0).all()
    assert fits(counts[~np.eye(n, dtype=bool)], 500)


# The door.


@pytest.mark.cases(2)
@pytest.mark.parametrize("n, dtype", [(1, "u1"), (52, "u1"), (256, "u1"), (257, "u2"), (65_536, "u2"), (65_537, "u4")])
def test_the_dtype_is_the_narrowest_that_holds_every_card(n, dtype):
    decks = permutations(2, n, seed=1)
    assert (decks.shape, decks.dtype) == ((2, n), np.dtype(dtype))
    assert (np.sort(decks, axis=1) == np.arange(n)).all()


def test_a_seed_means_the_same_decks_for_ever():
    """Frozen, so that no change goes unnoticed: the same decks within a major version."""
    assert permutations(2, 10, seed=2026).tolist() == [[3, 5, 9, 4, 7, 0, 1, 2, 8, 6], [2, 9, 5, 4, 6, 3, 0, 7, 8, 1]]
    assert permutations(2, 52, top=5, seed=2026).tolist() == [[15, 28, 46, 27, 41], [15, 51, 29, 22, 26]]
    assert permutations(1, 1_000, seed=2026)[0, :5].tolist() == [842, 874, 903, 249, 967]


def test_without_a_seed_all_decks_differ():
    assert len(np.unique(np.concatenate([permutations(3, 52) for _ in range(20)]), axis=0)) == 60


def test_a_numpy_generator_draws_the_seed():
    def made():
        rng = np.random.default_rng(7)
        one, two = permutations(100, 52, seed=rng), permutations(100, 52, seed=rng)
        return [one, two]

    first, second = made(), made()
    assert (first[0] != first[1]).any()
    assert all((one == two).all() for one, two in zip(first, second, strict=True))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"batch": -1}, "batch: -1"),
        ({"batch": 2.0}, "batch: 2.0"),
        ({"n": 0}, "n: 0"),
        ({"n": True}, "n: True"),
        ({"n": "fifty"}, "n: 'fifty'"),
        ({"top": 0}, "top: 0 .* write 1 to 52"),
        ({"top": 53}, "top: 53 .* write 1 to 52"),
        ({"n": 200, "top": 5}, "top: decks of 200 cards are made whole; leave it out and take the last 5 columns"),
        ({"first": -1}, "first: -1"),
        ({"threads": 0}, "threads: 0"),
        ({"seed": -1}, "seed: -1"),
        ({"seed": 2**128}, r"write 0 to 2\^128 - 1"),
        ({"seed": 0.5}, "seed: 0.5 is not a seed"),
        ({"seed": np.random.RandomState(1)}, r"seed: RandomState.* is not a seed; .* numpy\.random\.Generator"),
        ({"seed": Random(1)}, r"seed: <random\.Rando.* is not a seed"),
    ],
)
def test_bad_input_is_named_with_the_remedy(given, words):
    with pytest.raises(FairdeckError, match=words):
        permutations(**{"batch": 10, "n": 52} | given)


def test_numbers_of_numpy_are_whole_numbers():
    decks = permutations(np.int64(3), np.uint8(9), top=np.int8(2), seed=np.uint64(5), threads=np.int32(1))
    assert (decks == permutations(3, 9, top=2, seed=5)).all()


def test_the_door_is_there_before_numba_is_and_says_what_is_missing():
    code = (
        "import sys, importlib.util\n"
        "from fairdeck import bulk\n"
        "assert not {'numpy', 'numba'} & set(sys.modules) and set(bulk.__all__) <= set(dir(bulk))\n"
        "importlib.util.find_spec = bulk.find_spec = lambda name: None\n"
        "try:\n"
        "    bulk.permutations\n"
        "except Exception as error:\n"
        "    print(error)\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.startswith("fairdeck.bulk.permutations needs numba: ")
    with pytest.raises(AttributeError, match="no attribute 'permutation'"):
        _ = bulk.permutation


@pytest.mark.long
def test_where_numba_can_keep_nothing_it_has_a_folder_for_the_run(tmp_path):
    code = (
        "import os; os.access = lambda *_: False; import fairdeck.bulk, numba.core.config as config; "
        "print(config.CACHE_DIR, os.path.isdir(config.CACHE_DIR))"
    )

    def said(**more):
        environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"} | more
        command = [sys.executable, "-c", code]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()

    for more in ({}, {"NUMBA_CACHE_DIR": ""}):
        folder, there = said(**more)
        assert (there, Path(folder).exists()) == ("True", False)
    assert said(NUMBA_CACHE_DIR=str(tmp_path)) == [str(tmp_path), "True"]


KEPT = """
import importlib, pkgutil
import fairdeck.bulk, fairdeck.lab.counts
from numba.core.registry import CPUDispatcher
for package in (fairdeck.bulk, fairdeck.lab.counts):
    for found in pkgutil.iter_modules(package.__path__):
        for each in vars(importlib.import_module(f"{package.__name__}.{found.name}")).values():
            if isinstance(each, CPUDispatcher) and each._cache.cache_path:
                print(each._cache.cache_path)
"""


def test_no_kernel_is_kept_in_the_package_where_it_would_outlive_it(tmp_path):
    """Files that no installer knows would stay after `pip uninstall`, and with them an importable `fairdeck`."""
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment |= {"XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    shown = subprocess.run([sys.executable, "-c", KEPT], env=environment, capture_output=True, text=True, check=True)
    places = shown.stdout.split()
    assert len(places) > 20
    assert [place for place in places if not place.startswith(str(tmp_path))] == []
