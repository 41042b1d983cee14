"""The other tests. Each takes decks of one shuffle and returns the p-values of its tests, one look at all of them."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import comb, exp
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp
from scipy.stats import chi2, gamma

from bench.rivals.bits import rank_bits
from fairdeck import __version__
from fairdeck.lab.blocks import Decks
from fairdeck.lab.sources.simulated import NumberedBlock

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build" / "rivals"
PYTHON, UNPACKED = BUILD / "venv" / "bin" / "python", BUILD / "debian" / "usr"
LAMBDA = 5.0
TYPICAL = 1_024  # fair decks, for the skewness of the kernel over all pairs
# The tests that can be right with so few bits, and end if all bits are the same: options, and words of a sample.
DIEHARDER = {
    "-d 2": 32,
    "-d 3": 6,
    "-d 100": 1,
    "-d 101": 1,
    "-d 102": 1,
    "-d 200 -n 1": 2,
    "-d 200 -n 4": 8,
    "-d 202 -n 3": 3,
    "-d 203 -n 3": 4,
}
FEWEST_SAMPLES = 400
FEWEST_TO_LEARN = 32  # decks: of fewer, no p-value can be small enough


@dataclass(frozen=True)
class Contender:
    """A way to test a shuffle.

    Attributes:
        name: for the page.
        p_values: returns the p-values of all its tests of these decks; none if they are too few for every test.
        most: the most decks that it is given.
        version: returns the version of what it needs; nothing if that is not installed.
    """

    name: str
    p_values: Callable[[Decks], list[float]]
    most: int = 2**14
    version: Callable[[], str] = lambda: __version__


def fair_decks(decks: int, cards: int, seed: int) -> Decks:
    """Return fair decks of NumPy."""
    return NumberedBlock("numpy-permutation", cards, seed, 0, decks).decks


def positions(decks: Decks) -> list[float]:
    """Return the p-value of Pearson's chi-square of the table card x place, corrected for its fixed margins."""
    many, cards = decks.shape
    table = np.bincount((decks + np.arange(cards) * cards).ravel(), minlength=cards * cards)
    squares = np.sum((table - many / cards) ** 2) / (many / cards)
    return [float(chi2.sf(squares * (cards - 1) / cards, (cards - 1) ** 2))]


@cache
def kernel_of_fair(cards: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the chance of each number of discordant pairs of two fair decks, and the kernel there."""
    law = np.ones(1)
    for digits in range(2, cards + 1):
        law = np.convolve(law, np.full(digits, 1 / digits))
    return law, np.exp(-LAMBDA * np.arange(len(law)) / (len(law) - 1))


def mallows(decks: Decks) -> list[float]:
    """Return a bound of the p-value of the mean kernel between each deck and the sorted one.

    The statistic is that of Mitchell, Stokes, Frank and Holmes, arXiv:2106.06161. The bound is Chernoff's, from the
    exact law of the kernel: never too small, and smaller than their bound of Hoeffding.
    """
    law, kernel = kernel_of_fair(decks.shape[1])
    before = np.triu_indices(decks.shape[1], 1)
    parts = np.array_split(decks, len(decks) // 1_024 + 1)
    mean = sum(kernel[np.sum(part[:, before[0]] > part[:, before[1]], axis=1)].sum() for part in parts) / len(decks)

    def exponent(tilt: float) -> float:
        return float(logsumexp(tilt * (kernel - mean), b=law))

    return [min(1.0, 2 * exp(len(decks) * minimize_scalar(exponent, bounds=(-3_000, 3_000)).fun))]


def _pairs(decks: Decks) -> NDArray[np.float64]:
    """Return the kernel of each two decks, less its mean over fair decks; 0 for a deck with itself."""
    law, kernel = kernel_of_fair(decks.shape[1])
    first, second = np.triu_indices(decks.shape[1], 1)
    places = np.argsort(decks, axis=1)
    signs = np.where(places[:, first] < places[:, second], np.float32(1), np.float32(-1))
    centred: NDArray[np.float64] = (kernel - law @ kernel)[((len(first) - signs @ signs.T) / 2).astype(np.intp)]
    np.fill_diagonal(centred, 0)
    return centred


@cache
def _thirds(cards: int) -> float:
    """Return the mean over three fair decks of the product of their three centred kernels."""
    centred = _pairs(fair_decks(TYPICAL, cards, 1))
    return float(np.sum(centred @ centred * centred)) / (TYPICAL * (TYPICAL - 1) * (TYPICAL - 2))


def mallows_pairs(decks: Decks) -> list[float]:
    """Return the p-value of the squared maximum mean discrepancy to fair decks: the mean kernel over all pairs.

    The p-value is that of Pearson's type III law with the mean, variance and third moment that fair decks give; a
    permutation test would need 10^8 permutations for a p-value that small.
    """
    law, kernel = kernel_of_fair(decks.shape[1])
    centred, pairs = kernel - law @ kernel, comb(len(decks), 2)
    variance = pairs * float(law @ centred**2)
    third = pairs * float(law @ centred**3) + 6 * comb(len(decks), 3) * _thirds(decks.shape[1])
    shape = 4 * variance**3 / third**2
    score = np.sum(_pairs(decks)) / 2 / variance**0.5
    return [float(gamma.sf(shape + score * shape**0.5, shape))]


def classifiers(decks: Decks) -> list[float]:
    """Return the p-values of two classifiers that are shown these decks and as many fair ones."""
    if len(decks) < FEWEST_TO_LEARN:
        return []
    fair = fair_decks(len(decks), decks.shape[1], int(np.sum(decks[0, :8] * 64 ** np.arange(8))))
    return _elsewhere("classifiers", np.concatenate([decks, fair]))


def nist(decks: Decks) -> list[float]:
    """Return the p-values of SP 800-22 on the bits of the ranks."""
    bits = rank_bits(decks)
    # Its Fourier transform takes hours for a length with large prime factors.
    unit = 1 << max(len(bits).bit_length() - 7, 0)
    return _elsewhere("nist", bits[: len(bits) // unit * unit])


def _elsewhere(name: str, array: NDArray[np.generic]) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "array.npy"
        np.save(file, array)
        answer = _said([str(PYTHON), str(HERE / "elsewhere.py"), name, str(file)])
    # The code of NIST prints what is wrong with the bits, before the last line.
    return [float(each) for each in json.loads(answer.splitlines()[-1])]


def dieharder(decks: Decks) -> list[float]:
    """Return the p-values of the tests of dieharder that can use so few bits, each on all of them, none used twice."""
    data = np.packbits(rank_bits(decks)).tobytes()
    found = []
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        for options, words in DIEHARDER.items():
            # Having read the last word, it begins again at the first.
            samples = (len(data) // 4 - 1) // words
            if samples >= FEWEST_SAMPLES:
                told = f"{options} -t {samples} -p 1 -D pvalues -g 201 -f {file.name}"
                found += re.findall(
                    r"^ *([01]\.\d+) *$", _said([str(UNPACKED / "bin" / "dieharder"), *told.split()]), re.MULTILINE
                )
    return [_both_tails(float(each)) for each in found]


def practrand(decks: Decks) -> list[float]:
    """Return the p-values of PractRand's standard tests of the bits of the ranks, for both tails."""
    data = np.packbits(rank_bits(decks)).tobytes()
    if not (size := len(data) // 1_024):
        return []
    told = f"RNG_test stdin -a -tlmin {size}KB -tlmax {size}KB"
    found = re.findall(r" p ?~?= *(1-)?([\d.]+(?:e-\d+)?) ", _said(told.split(), data))
    return [2 * float(number) if upper else _both_tails(float(number)) for upper, number in found]


def _both_tails(p_value: float) -> float:
    return 2 * min(p_value, 1 - p_value)


def _said(words: list[str], data: bytes | None = None) -> str:
    folders = ":".join(str(UNPACKED / each) for each in ("lib", "lib/x86_64-linux-gnu"))
    environment = {**os.environ, "LD_LIBRARY_PATH": folders, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(words, input=data, capture_output=True, check=False, env=environment)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stderr.decode()}")
    return done.stdout.decode()


def _file_version(pattern: str) -> Callable[[], str]:
    """Return what finds the part of a file's name after the stars of a pattern, where such a file is."""
    before, _, after = pattern.rpartition("*")
    return lambda: next((each.name.removesuffix(after).rpartition(before[-1])[2] for each in BUILD.glob(pattern)), "")


def _practrand_version() -> str:
    return _said(["RNG_test", "-version"]).split()[4] if shutil.which("RNG_test") else ""


_PACKAGES = "venv/lib/*/site-packages"
CONTENDERS = (
    Contender("positions", positions),
    Contender("Mallows, sorted", mallows),
    Contender("Mallows, pairs", mallows_pairs, 2**12),
    Contender("classifiers", classifiers, 2**12, _file_version(f"{_PACKAGES}/scikit_learn-*.dist-info")),
    Contender("PractRand", practrand, version=_practrand_version),
    Contender("dieharder", dieharder, version=_file_version("packages/dieharder_*_amd64.deb")),
    Contender("NIST", nist, version=_file_version(f"{_PACKAGES}/sp80022suite-*.dist-info")),
)
