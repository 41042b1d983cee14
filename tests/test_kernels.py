"""The lab's own decks: the same as a plain reading makes them, in any way they are made, and fair."""

import os
import subprocess
import sys
from collections import Counter
from itertools import islice, permutations, product, repeat
from math import factorial, prod
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

from fairdeck.errors import FairdeckError
from fairdeck.lab import kernels
from fairdeck.lab.kernels import BLOCK, COLUMNS_UP_TO, plain
from fairdeck.lab.kernels.ranks import rank_histogram
from fairdeck.permutation import rank

SEED = 2**70 + 12345


def rows(n, decks, seed=SEED, first=0, threads=1, dtype=None):
    out = np.empty((decks, n), dtype or (np.uint8 if n <= 256 else np.uint16))
    kernels.fill(out, seed, first, threads)
    return out


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 9, 20, 52, 64, 103, 104])
def test_columns_are_what_a_plain_reading_makes(n):
    decks = rows(n, 300)
    assert list(map(tuple, decks.tolist())) == list(islice(plain.columns(n, SEED, 0), 300))
    assert (rows(n, 300, dtype=np.uint16) == decks).all()


@pytest.mark.parametrize("n", [105, 128, 129, 256, 1_000, 3_999, 4_000, 4_001, 5_000])
def test_swaps_are_what_a_plain_reading_makes(n):
    assert list(map(tuple, rows(n, 13).tolist())) == list(islice(plain.swaps(n, SEED, 0), 13))


@pytest.mark.parametrize(("n", "bins"), [(2, 2), (3, 4), (8, 1), (9, 200), (13, 1_000), (17, 7), (20, 200)])
def test_ranks_are_counted_in_the_parts_where_a_plain_reading_finds_them(n, bins):
    decks = BLOCK + 100
    found = rank_histogram(n, decks, bins, SEED)
    parts = [rank(deck) * bins // factorial(n) for deck in rows(n, decks).tolist()]
    assert found.tolist() == np.bincount(parts, minlength=bins).tolist()


@pytest.mark.parametrize("sides", [(1, 2), (2, 3), (3, 3), (3, 5), (5, 6), (6, 7), (7, 7), (7, 8)])
def test_a_lane_with_a_word_to_spare_throws_every_four_dice_as_often(sides):
    """Words of three bits, every five of them: those that throw anything throw everything, equally often."""
    sides *= 2
    thrown = Counter(
        tuple(dice) for *words, spare in product(range(8), repeat=5) if (dice := plain.lane(words, sides, spare, 3))
    )
    assert len(thrown) == prod(sides)
    assert len(set(thrown.values())) == 1


def test_a_few_throws_of_large_decks_are_thrown_again():
    """So the tests above have met them: 2,000 cards."""
    words, _ = plain.generators(SEED, 0)
    sides = (tuple(range(1_900, 1_932)), tuple(range(1_932, 1_964))) * 2
    again = 0
    for _ in range(300):
        *throws, spare = (next(words).view(np.uint16).tolist() for _ in range(5))
        again += not all(
            map(plain.lane, map(list, zip(*throws, strict=True)), zip(*sides, strict=True), spare, repeat(16))
        )
    assert 0 < again < 60


@pytest.mark.parametrize(("n", "bins"), [(1, 1), (21, 200), (3, 0), (3, 7)])
def test_ranks_are_counted_only_in_parts_that_there_are(n, bins):
    with pytest.raises(FairdeckError, match="out of range"):
        rank_histogram(n, 100, bins, SEED)


@pytest.mark.parametrize("n", [5, 52, 104])
def test_groups_are_the_rows_turned(n):
    out = np.empty((130, n, 64), np.uint8)
    kernels.fill_groups(out, SEED)
    assert (out.transpose(0, 2, 1).reshape(-1, n) == rows(n, 130 * 64)).all()


@pytest.mark.parametrize("n", [1, 2, 5, 7, 52, 100, 104, 105, 200])
@pytest.mark.parametrize("decks", [0, 1, 63, 64, 65, 300, BLOCK + 70])
def test_rows_fill_what_they_should_and_no_byte_more(n, decks):
    room = np.full(decks * n + 32, 0xEE, np.uint8)
    kernels.fill(room[16 : 16 + decks * n].reshape(decks, n), SEED)
    assert (room[:16] == 0xEE).all()
    assert (room[16 + decks * n :] == 0xEE).all()
    assert (np.sort(room[16 : 16 + decks * n].reshape(decks, n), axis=1) == np.arange(n)).all()


@pytest.mark.parametrize("n", [20, 150])
def test_a_block_is_a_function_of_its_number_and_the_seed(n):
    whole = rows(n, 3 * BLOCK + 100)
    assert (rows(n, 3 * BLOCK + 100, threads=2) == whole).all()
    assert (rows(n, BLOCK, first=2) == whole[2 * BLOCK : 3 * BLOCK]).all()
    assert (rows(n, 100, first=3) == whole[3 * BLOCK :]).all()
    assert (rows(n, 100, seed=SEED + 1) != whole[:100]).any(axis=1).all()
    assert (rows(n, 100, seed=SEED - 2**70) != whole[:100]).any(axis=1).all()
    assert (rows(n, 100, seed=SEED, first=1) != whole[:100]).any(axis=1).all()


@pytest.mark.parametrize("processor", [pytest.param("x86-64-v2", marks=pytest.mark.long), "haswell"])
def test_other_processors_make_the_same_decks(processor, tmp_path):
    code = (
        "import numpy as np, sys, zlib\n"
        "from fairdeck.lab import kernels\n"
        "for n in (20, 52, 104, 300, 4500):\n"
        "    out = np.empty((500, n), np.uint16)\n"
        "    kernels.fill(out, 7)\n"
        "    print(zlib.crc32(out.tobytes()))\n"
    )

    def said(**more):
        environment = os.environ | more
        return subprocess.run(
            [sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True
        ).stdout

    assert said(NUMBA_CPU_NAME=processor, NUMBA_CPU_FEATURES="", NUMBA_CACHE_DIR=str(tmp_path)) == said()


@pytest.mark.parametrize("n", [5, 6])
def test_every_order_of_few_cards_comes_as_often(n):
    decks = rows(n, 2_000_000).astype(np.int64)
    _, counts = np.unique(decks @ n ** np.arange(n), return_counts=True)
    assert len(counts) == factorial(n)
    assert fits(counts, 2_000_000 / factorial(n))


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


def test_a_slip_in_the_dice_would_be_heard():
    decks = rows(5, 2_000_000).astype(np.int64)
    decks[:30_000, [0, 1]] = np.sort(decks[:30_000, [0, 1]], axis=1)
    _, counts = np.unique(decks @ 5 ** np.arange(5), return_counts=True)
    assert not fits(counts, 2_000_000 / 120)


def test_codes_are_those_of_lehmer():
    orders = sorted(permutations(range(4)))
    codes = [[a, b, c, 0] for a in range(4) for b in range(3) for c in range(2)]
    assert [plain.decoded(code) for code in codes] == orders


def test_the_larger_decks_begin_where_columns_end():
    assert list(map(tuple, rows(COLUMNS_UP_TO + 1, 3).tolist())) == list(
        islice(plain.swaps(COLUMNS_UP_TO + 1, SEED, 0), 3)
    )


def test_where_numba_can_keep_nothing_it_has_a_folder_for_the_run(tmp_path):
    code = (
        "import os; os.access = lambda *_: False; import fairdeck.lab, numba.core.config as config; "
        "print(config.CACHE_DIR, os.path.isdir(config.CACHE_DIR))"
    )

    def said(**more):
        environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"} | more
        command = [sys.executable, "-c", code]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()

    folder, there = said()
    assert (there, Path(folder).exists()) == ("True", False)
    assert said(NUMBA_CACHE_DIR=str(tmp_path)) == [str(tmp_path), "True"]
