"""Faults that others ship: programs are short and print what their page shows; theory foretells what is counted."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from itertools import permutations
from math import factorial
from pathlib import Path
from random import Random

import numpy as np
import pytest
from bench.libraries.rows import BUILD, UNPACKED
from scipy.stats import chi2

from fairdeck.lab.causes.even_ciphers import odd_when_walked, points
from fairdeck.shuffles import find
from tests.test_several import is_even, walk

ROOT = Path(__file__).parents[1]
FINDINGS = ROOT / "docs" / "findings"
sys.path.insert(0, str(ROOT / "docs" / "site"))

from staging import Staging  # noqa: E402 - a folder of documents, not a package

FILES = [file for file in sorted(FINDINGS.iterdir()) if file.suffix != ".md"]
DOWNLOADED = {
    "cccl-12.9": BUILD / "nvidia-cuda-cccl-cu12==12.9.27",
    "cccl-13.3": BUILD / "nvidia-cuda-cccl==13.3.5.0.6",
    "debian": UNPACKED,
    "node_modules": BUILD / "npm/node_modules",
    "venv": BUILD / "venv",
}
NOT_FOUND = 127  # what a shell returns where a program is not installed
DECKS = 1_000
LONG = ("list-util", "fast-shuffle", "index-shuffle", "dask")  # ten seconds a block


def blocks():
    """Yield the commands of each block of a page but downloads, with what they print; a block can be run alone."""
    for page in sorted(FINDINGS.glob("*.md")):
        for block in re.findall(r"(?:^ {4}.*\n)+", page.read_text(encoding="utf-8"), re.M):
            parts = re.split(r"^ {4}\$ ", block, flags=re.M)[1:]
            if parts[0].startswith(("pip", "npm", "apt-get", "python3 -m venv")):
                continue
            marks = [pytest.mark.long] if page.stem in LONG else []
            shown = [re.sub(r"\n {4}", "\n", part).partition("\n")[::2] for part in parts]
            yield pytest.param(shown, id=f"{page.stem}: {parts[0][:30]}", marks=marks)


def assert_alike(said, shown):
    """Counts may differ by seven standard errors, which chance does once in a billion runs; none must stay none."""
    assert re.sub(r"\d+", "#", said) == re.sub(r"\d+", "#", shown)
    counts = (re.findall(r"(\d+) (?:odd )?of (\d+)", text) for text in (said, shown))
    for (here, decks), (there, _) in zip(*counts, strict=True):
        share = (int(here) + int(there)) / (2 * int(decks))
        assert abs(int(here) - int(there)) <= 7 * (2 * int(decks) * share * (1 - share)) ** 0.5
        assert (here == "0") is (there == "0")


@pytest.mark.parametrize("block", list(blocks()))
def test_the_commands_of_a_finding_print_what_its_page_shows(block, tmp_path):
    for file in FILES:
        shutil.copy(file, tmp_path)
    for name, folder in DOWNLOADED.items():
        (tmp_path / name).symlink_to(folder)
    for command, shown in block:
        names = re.findall("|".join(DOWNLOADED), command) + ["node_modules"] * command.startswith("node ")
        ran = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=300)
        if ran.returncode == NOT_FOUND or not all(DOWNLOADED[name].exists() for name in names):
            pytest.skip(f"not here: {' or '.join([*names, command.split()[0]])}")
        if ran.returncode and "ModuleNotFoundError" in ran.stderr:
            pytest.skip(ran.stderr.splitlines()[-1])
        assert ran.returncode == 0, ran.stderr
        assert_alike(ran.stdout, shown)


def test_every_program_has_at_most_20_lines_and_the_site_shows_it():
    staged = {name: text.decode() for name, text in Staging(ROOT).files.items() if name.endswith(".md")}
    pages = "".join(text for name, text in staged.items() if name.startswith("findings/"))
    for program in (file for file in FILES if file.suffix != ".txt"):
        text = program.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 20, program
        assert f"\n{text.rstrip()}\n````\n" in pages or f"/findings/{program.name}.md)" in pages, program


@pytest.mark.parametrize("whole", range(3, 8))
def test_nothing_but_the_parity_of_a_walked_even_order_is_unfair_and_a_coin_repairs_it(whole):
    even = [order for order in permutations(range(whole)) if is_even(order)]
    for cards in range(2, whole + 1):
        counts, odd = Counter(tuple(walk(order, cards)) for order in even), odd_when_walked(cards, whole)
        fair = len(even) / factorial(cards)
        assert all(counts[p] == 2 * fair * (1 - odd if is_even(p) else odd) for p in permutations(range(cards)))
        swapped = Counter({(b, a, *rest): count for (a, b, *rest), count in counts.items()})
        assert set((counts + swapped).values()) == {2 * fair}
        but_two = Counter(order[: cards - 2] for order in counts.elements())
        assert set(but_two.values()) == {2 * fair}


@pytest.mark.parametrize("whole", [4, 6])
def test_an_even_order_from_which_points_are_left_out_is_fair(whole):
    even = [order for order in permutations(range(whole)) if is_even(order)]
    for cards in range(2, whole):
        counts = Counter(tuple(point for point in order if point < cards) for order in even)
        assert (len(counts), len(set(counts.values()))) == (factorial(cards), 1)


def assert_foretold(odd, shares):
    """Compare counts of odd orders with a law that fails once in 10,000 times if right; return the standard errors."""
    assert not any(count for count, share in zip(odd, shares, strict=True) if share == 0)
    errors = [(k - DECKS * p) / (DECKS * p * (1 - p)) ** 0.5 for k, p in zip(odd, shares, strict=True) if p]
    assert chi2.sf(np.square(errors).sum(), len(errors)) > 1e-4
    return np.array(errors)


def test_the_parity_that_a_library_walks_to_was_foretold():
    lines = (FINDINGS / "odd_walks.txt").read_text(encoding="utf-8")
    sizes, odd = zip(*[map(int, pair) for pair in re.findall(r"(\d+) cards: +(\d+) odd", lines)], strict=True)
    errors = assert_foretold(odd, [float(odd_when_walked(n, points(n, 256))) for n in sizes])
    page = " ".join((FINDINGS / "cccl.md").read_text(encoding="utf-8").split())
    assert f"1,000 orders at each of {len(sizes)} sizes" in page
    assert f"at {(abs(errors) <= 3).sum()} of the other {len(errors)} the count is within three standard errors" in page
    assert f"squared errors sum to {np.square(errors).sum():.0f}; {len(errors)} are expected" in page


def encrypted(bits, rng):
    """Return orders of 2^bits points by eight Feistel rounds with random functions."""
    small, large = bits // 2, bits - bits // 2
    orders = np.tile(np.arange(2**bits), (DECKS, 1))
    for _ in range(8):
        right, added = orders % 2**large, rng.integers(2**small, size=(DECKS, 2**large))
        orders = right << small | (orders >> large) ^ np.take_along_axis(added, right, 1)
        small, large = large, small
    return orders


@pytest.mark.parametrize("way", ["walked", "left out"])
def test_the_parity_of_our_own_ciphers_is_foretold(way):
    odd, shares = [], []
    for cards in (5, 9, 13, 15, 16, 17, 24, 30, 31, 32, 33, 48, 52, 60, 63, 64, 65, 100, 127, 128):
        whole = points(cards, 16)
        orders = encrypted(whole.bit_length() - 1, np.random.default_rng(cards))
        left = (
            [walk(p, cards) for p in orders.tolist()]
            if way == "walked"
            else orders[orders < cards].reshape(DECKS, cards).tolist()
        )
        odd.append(DECKS - sum(map(is_even, left)))
        shares.append(float(odd_when_walked(cards, whole)) if way == "walked" else 0.5 * (cards < whole))
    assert_foretold(odd, shares)


def test_every_round_that_multiplies_adds_and_moves_bits_is_even_from_8_points_on():
    rng = Random(1)
    for bits in range(3, 11):
        half, right = bits // 2, (1 << bits - bits // 2) - 1
        factor, key = rng.getrandbits(64) | 1, rng.getrandbits(32)
        products = [(x & right, factor * (x >> bits - half)) for x in range(2**bits)]
        new = [
            ((high >> 32 ^ key ^ x) % 2**half, (high << bits - 2 * half | x >> half) & right) for x, high in products
        ]
        assert is_even([left << bits - half | low for left, low in new])


def test_swap_or_not_is_no_even_cipher():
    odd = [sum(not is_even(find("swap-or-not").shuffle(n, Random(seed))) for seed in range(DECKS)) for n in (16, 64)]
    assert_foretold(odd, [0.5, 0.5])
