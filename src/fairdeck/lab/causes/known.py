"""Shuffles of the registry that no other family tells: what their decks look like is looked up, not simulated.

``known.npz`` has their `moments` for the usual sizes of decks, relative to fair ones; `bench.known_decks` writes it.
Of other sizes, few decks of each are made. Those that look alike are suspects, which enter the contest.
"""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from importlib import resources
from itertools import islice
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Floats, card_type
from fairdeck.lab.blocks import Decks
from fairdeck.lab.causes import RESEMBLES, Cause, Sample
from fairdeck.lab.causes.likeness import FIT, SEED, Moments, explains_findings, fair_moments, findings, misfit, moments
from fairdeck.shuffles import find, registry
from fairdeck.shuffles.known import Known

RANK = RESEMBLES
SUSPECTS = 4
# Decks of each, by hand and by programs, where nothing is looked up; of fair ones, for their errors.
MADE, PROGRAMS, EXACT = 64, 512, 2**15
ROUNDED = 2.0**-11  # of a number with 16 bits
STEPS = 16  # of a byte, in a doubling
COLUMNS = "labels", "means", "spreads", "errors"  # of the table
UNIT = 0.01  # at least, of a number that hardly varies in fair decks
# What other families tell, with its number; or what always makes the same decks, or few.
COVERED = {
    "adjacent-swaps-n", "batched-zero", "bsd-rand", "comparator-insertion", "dotnet-random", "even", "fast-shuffle",
    "faro-in", "faro-out", "forgets", "forked-workers", "freecell", "glibc-modulo", "glibc-random",
    "inside-out-clamped", "lazy", "lehmer-16-scaled", "modulo-12", "modulo-15", "modulo-16", "modulo-8", "monge",
    "msvc-rand", "multiply-8", "naive", "naive-carried", "pile-7", "planet-poker", "random-to-random-n", "randu",
    "repeats", "riffle", "round", "sattolo", "scaled-16", "seed-15", "seed-24", "seed-32", "seed-time",
    "shuffle-buffer-2", "shuffle-buffer-26", "sort-keys-12", "sort-keys-16", "sort-keys-6", "stops-early",
    "stuck-pair", "swap-or-not", "top-stays", "top-to-random", "top-to-random-n", "top-to-random-nlogn",
    "transpositions-2n", "transpositions-n", "transpositions-n-distinct", "transpositions-nlogn", "turn",
    "turned-over", "turned-pile", "unseeded", "v8-mwc1616",
}  # fmt: skip
# A number in it that nothing fits: others of its kind make decks that so few do not tell apart.
OF_MANY = {"an-ace-each", "feistel-linear", "no-pocket-pair", "smoothed"}
# How often hands do one of these, besides once.
FEW, MANY = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12), (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200)
TIMES = {"thorp": (2, 3, 4, 5), "riffle-neat": FEW, "riffle-clumpy": FEW, "mash": FEW}
TIMES |= {"overhand": MANY, "hindu": MANY, "strip": MANY}
# A comparator of three outcomes says "lower" in one of three comparisons, or, to a sort that asks otherwise, in two.
LOWER = {"": 0.5, "|1/3": 1 / 3, "|2/3": 2 / 3}
# Cards from which on the sort has a law of its own. Below, Go's is an insertion sort, and Java's that of V8.
OWN_LAW = {"comparator-sort-go": 13, "comparator-sort-java": 32}


class Coin(Random):
    """A source whose single bits are 1 with a chance."""

    def __init__(self, seed: int, chance: float) -> None:
        super().__init__(seed)
        self.chance = chance

    def getrandbits(self, k: int) -> int:
        """Return `k` bits."""
        return int(self.random() < self.chance) if k == 1 else super().getrandbits(k)


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield the shuffles that look like the first half; of those that look fair, those that show what was found."""
    seen, n = moments(sample.first), sample.cards
    fair = misfit(seen, fair_moments(n, EXACT)) < FIT
    if fair and not findings(sample):
        return
    suspects = [label for *_, label in sorted(_suspects(seen, sample))]
    if fair:  # as many decks by hand as were counted would take minutes, and never make a cause certain
        programs = (label for label in suspects if not _known(label).by_hand)
        suspects = [label for label in programs if explains_findings(sample, partial(made, label, n))]
    for label in suspects[:SUSPECTS]:
        known = _known(label)
        three = "by a comparator of three outcomes (-1, 0 and 1) at random, " if "|" in label else ""
        yield Cause(
            three + known.says,
            f"these decks look like those of {known.name}",
            certain=not known.by_hand and known.name not in OF_MANY,
            family=known.name.partition("*")[0] if known.by_hand else label,
            make=partial(made, label, n),
            slow=True,
        )


def _known(label: str) -> Known:
    return find(label.partition("|")[0])


def _suspects(seen: Moments, sample: Sample) -> Iterator[tuple[bool, float, str]]:
    """Yield whether hands do it, how far its moments are off, and the label of each that may have made the decks."""
    n = sample.cards
    if f"{n} means" in table():
        for label, theirs in looked_up(n).items():
            if (off := misfit(seen, theirs)) < FIT:
                yield _known(label).by_hand, off, label
        return
    half = sample.deadline.half()  # the contest takes the rest
    for label in sorted(labels(n), key=lambda label: _known(label).by_hand):  # hands take long
        if half.over():
            sample.deadline.missed = True
            return
        size = MADE if _known(label).by_hand else PROGRAMS
        theirs = moments(made(label, n, size, np.random.default_rng(SEED)))
        if (off := misfit(seen, theirs)) < FIT + 1:
            yield _known(label).by_hand, off, label


def labels(n: int) -> Iterator[str]:
    """Yield the shuffles that may be looked up: with how often hands do it, or with another coin.

    >>> [label for label in labels(52) if label.startswith(("shelf", "thorp*2", "comparator-sort-go"))]
    ['comparator-sort-go', 'comparator-sort-go|1/3', 'comparator-sort-go|2/3', 'shelf-10', 'thorp*2']
    """
    for known in registry().values():
        if not known.fair and OWN_LAW.get(known.name, known.least) <= n and known.name not in COVERED:
            yield from (known.name + coin for coin in (LOWER if known.name.startswith("comparator") else ("",)))
            yield from (f"{known.name}*{times}" for times in TIMES.get(known.name, ()))


def made(label: str, n: int, size: int, rng: np.random.Generator) -> Decks:
    """Return decks of a shuffle."""
    name, _, chance = label.partition("|")
    seed = int(rng.integers(2**60))
    source = Coin(seed, LOWER["|" + chance]) if chance else Random(seed)
    return np.array(list(islice(find(name).decks(n, source), size)), card_type(n)).reshape(size, n)


# The table


@cache
def table() -> Mapping[str, NDArray[Any]]:
    """Return the file: for each number of cards, the labels, the names of the numbers, and their moments."""
    with resources.files(__package__).joinpath("known.npz").open("rb") as file, np.load(file) as data:
        return {name: data[name] for name in data.files}


def decoded(codes: NDArray[np.uint8]) -> Floats:
    """Return the ratios that are coded in bytes, 128 plus 16 times their binary logarithm; 0 stands for 0.

    >>> decoded(np.array([0, 112, 128, 153], np.uint8)).round(2).tolist()
    [0.0, 0.5, 1.0, 2.95]
    """
    return np.asarray(2 ** ((codes.astype(float) - 128) / STEPS) * (codes > 0))


@cache
def looked_up(n: int) -> Mapping[str, Moments]:
    """Return the moments of the shuffles for a number of cards that the file has."""
    fair, size = fair_moments(n, EXACT), int(table()["decks"])
    unit, found = np.maximum(fair.spreads, UNIT), {}
    for label, mean, spread, error in zip(*(table()[f"{n} {each}"] for each in COLUMNS), strict=True):
        off, spreads = mean.astype(float) * unit, decoded(spread) * unit
        errors = spreads / np.sqrt(size) * decoded(error) + np.abs(off) * ROUNDED + 1e-9
        found[str(label)] = Moments(fair.means + off, spreads, errors, spreads / STEPS)
    return found
