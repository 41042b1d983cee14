"""Whole decks that come again: how many different decks can this shuffle make?"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial, lgamma, log, sqrt
from typing import ClassVar

import numpy as np
from scipy.special import gammaincinv

from fairdeck.lab.arrays import Counts
from fairdeck.lab.law import normal_two_sided
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.tails import poisson_two_sided
from fairdeck.lab.view import View

KEPT = 2**20  # prints kept, the smallest of all: memory stays flat however many decks are seen
LEAST_CARDS = 9  # smaller decks repeat all the time; all their orders are counted instead
POISSON_TO = 10_000.0
HASH_VALUES = 2.0**64
NEVER = 0xFFFF_FFFF_FFFF_FFFF  # stands for "no print"; no deck is given this one


@dataclass(frozen=True)
class Repeats(Statistic):
    """Pairs of equal decks, told by a 64-bit print of each deck.

    The smallest prints are kept, 2^20 of them: of two samples together they are the smallest of
    those kept of each, so batches merge in any order; equal decks have equal prints and are kept or
    dropped together. Among N decks of M equally likely orders the pairs of equal ones have the mean
    N^2/2M and nearly a Poisson law; few orders make many pairs (the birthday problem).
    """

    family: ClassVar[str] = "repeats"
    relative: ClassVar[bool] = False

    def fits(self, n: int) -> bool:
        """Tell whether a repeated deck is odd at all."""
        return n >= LEAST_CARDS

    def count(self, view: View) -> Counts:
        """Return the prints of the decks, sorted, the smallest `KEPT`; as many again as unused are `NEVER`."""
        return _kept(prints(view))

    def merge(self, counts: Counts, more: Counts) -> Counts:
        """Return the smallest prints of both."""
        one, other = sorted((counts.view(np.uint64), more.view(np.uint64)), key=len)
        if len(other) == KEPT:  # few of those that come late are small enough to be kept
            one = one[: np.searchsorted(one, other[-1])]
            if not len(one):
                return other.view(np.int64)
        return _kept(np.concatenate([one, other]))

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the pairs of equal decks."""
        if decks < 2:
            return
        pairs, kept, part = equal_pairs(counts, decks)
        # Two different decks have the same print once in 2^64.
        orders = 1 / (1 / factorial(n) + 1 / HASH_VALUES) if n < 25 else HASH_VALUES
        mean = kept * (kept - 1) / 2 / (orders * part)
        # How many orders have a print so small that it is kept is a matter of chance as well.
        variance = mean + mean * mean * (1 - part) / (part * orders)
        if mean <= POISSON_TO:
            p_value = poisson_two_sided(pairs, mean)
        else:
            p_value = normal_two_sided((pairs - mean) / sqrt(variance))
        low, high = reachable(pairs, kept, part)
        if pairs > mean:
            says = (
                f"{pairs:,} pair{'' if pairs == 1 else 's'} of equal decks among {kept:,}; {mean:.3g} would be fair: "
                f"it seems to make only about {_magnitude(low)} to {_magnitude(high)} different decks"
            )
        else:
            says = f"{pairs:,} pair{'' if pairs == 1 else 's'} of equal decks among {kept:,}; {mean:.3g} would be fair"
        yield Evidence("repeats: equal decks", p_value, says)


def prints(view: View) -> Counts:
    """Return a 64-bit print of each deck, as unsigned integers.

    A multiply-and-fold over the cards; each step is one-to-one in what came before, so two decks
    that differ in one place only never share a print.
    """
    state = np.full(view.decks, 0x9E37_79B9_7F4A_7C15, dtype=np.uint64)
    for row in view.columns:
        state ^= row.astype(np.uint64) + np.uint64(1)
        state *= np.uint64(0xBF58_476D_1CE4_E5B9)
        state ^= state >> np.uint64(29)
    state *= np.uint64(0x94D0_49BB_1331_11EB)
    state ^= state >> np.uint64(32)
    return np.minimum(state, np.uint64(NEVER - 1)).view(np.int64)


def _kept(found: Counts) -> Counts:
    smallest = np.sort(found.view(np.uint64))[:KEPT]
    return smallest.view(np.int64)


def equal_pairs(counts: Counts, decks: int) -> tuple[int, int, float]:
    """Return the pairs of equal prints among those kept, how many were kept, and which share of all prints that is."""
    kept = counts.view(np.uint64)
    if len(kept) == KEPT and decks > KEPT:
        # The last print may have been cut apart from its equals, so the threshold is below it; but
        # where it fills half of what is kept, its equals are the fault itself.
        edge = kept[-1]
        below = kept[kept < edge]
        kept = below if 2 * len(below) > KEPT else kept
        part = float(edge) / HASH_VALUES
    else:
        part = 1.0
    starts = np.flatnonzero(np.concatenate([[True], kept[1:] != kept[:-1], [True]]))
    times = np.diff(starts)
    return int(np.sum(times * (times - 1) // 2)), len(kept), part


def reachable(pairs: int, kept: int, part: float = 1.0, alpha: float = 0.01) -> tuple[float, float]:
    """Return bounds on how many equally likely decks there can be, at confidence 1 - alpha.

    Args:
        pairs: pairs of equal decks among those kept.
        kept: how many were kept.
        part: the share of all prints that is kept.
        alpha: one less the confidence.

    From the exact (Garwood) interval of a Poisson mean; the upper bound is infinite without pairs.
    """
    chances = kept * (kept - 1) / 2 / part
    most = float(gammaincinv(pairs + 1, 1 - alpha / 2))
    least = float(gammaincinv(pairs, alpha / 2)) if pairs else 0.0
    return chances / most, chances / least if least else float("inf")


def _magnitude(number: float) -> str:
    return "any number of" if number == float("inf") else f"{number:,.0f}" if number < 1e7 else f"{number:.2g}"


def log2_orders(n: int) -> float:
    """Return log2 of n!, the bits that a fair deck holds."""
    return lgamma(n + 1) / log(2)


STATISTICS = (
    Repeats(
        name="repeats",
        sees="too few different decks: small seeds, seeds from a clock, a generator that starts over",
        source="birthday problem; Knuth, TAOCP 2, section 3.3.2, collision test",
    ),
)
