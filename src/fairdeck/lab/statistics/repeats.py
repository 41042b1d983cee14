"""Whole decks that come again: how many different decks can this shuffle make?"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial, lgamma, log, sqrt
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv

from fairdeck.lab.arrays import Counts
from fairdeck.lab.law import normal_two_sided
from fairdeck.lab.power import Limit, pairs_seen
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.tails import poisson_two_sided
from fairdeck.lab.view import View

KEPT = 2**20  # prints kept, the smallest of all: memory stays flat however many decks are seen
PLACED = 2**10  # of them it is known which deck each was: enough to tell a period, and cheap
FEWEST_ALIKE = 3  # pairs of equal decks that lie as far apart as each other, to call that no accident
NOWHERE = -1  # the place of a deck that is not known
LEAST_CARDS = 9  # smaller decks repeat all the time; all their orders are counted instead
POISSON_TO = 10_000.0
HASH_VALUES = 2.0**64
Prints = NDArray[np.uint64]
NEVER = 0xFFFF_FFFF_FFFF_FFFF  # stands for "no print"; no deck is given this one


@dataclass(frozen=True)
class Repeats(Statistic):
    """Pairs of equal decks, told by a 64-bit print of each deck.

    The smallest prints are kept, 2^20 of them: of two samples together they are the smallest of
    those kept of each, so batches merge in any order; equal decks have equal prints and are kept or
    dropped together. Among N decks of M equally likely orders the pairs of equal ones have the mean
    N^2/2M and nearly a Poisson law; few orders make many pairs (the birthday problem). Of the very
    smallest it is kept which deck of the stream each was: a generator that starts over makes equal
    decks that lie all as far apart, and says nothing of how many decks could be drawn.
    """

    family: ClassVar[str] = "repeats"
    relative: ClassVar[bool] = False

    def fits(self, n: int) -> bool:
        """Tell whether a repeated deck is odd at all."""
        return n >= LEAST_CARDS

    def count(self, view: View) -> Counts:
        """Return the smallest prints of the decks, sorted, and the numbers of the first decks; shape ``(2, kept)``.

        In the second row stands, for the `PLACED` smallest prints, which deck of the stream each was, from 0
        (`NOWHERE` if that is not known), and 0 after them.
        """
        return sample(prints(view), view.first)

    def merge(self, counts: Counts, more: Counts) -> Counts:
        """Return the smallest prints of both."""
        one, other = sorted((counts[0].view(np.uint64), more[0].view(np.uint64)), key=len)
        if len(other) == KEPT:  # few of those that come late are small enough to be kept
            one = one[: np.searchsorted(one, other[-1])]
        smallest = np.sort(np.concatenate([one, other]))[:KEPT] if len(one) else other
        return _packed(smallest, np.concatenate([counts[:, :PLACED], more[:, :PLACED]], axis=1))

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the pairs of equal decks."""
        if decks < 2:
            return
        pairs, kept, part = equal_pairs(counts, decks)
        orders = _distinct(n)
        mean = kept * (kept - 1) / 2 / (orders * part)
        # How many orders have a print so small that it is kept is a matter of chance as well.
        variance = mean + mean * mean * (1 - part) / (part * orders)
        if mean <= POISSON_TO:
            p_value = poisson_two_sided(pairs, mean)
        else:
            p_value = normal_two_sided((pairs - mean) / sqrt(variance))
        says = f"{pairs:,} pair{'' if pairs == 1 else 's'} of equal decks among {kept:,}; {mean:.3g} would be fair"
        if pairs > mean:
            says = f"{says}: {_cause(counts, decks, reachable(pairs, kept, part))}"
        yield Evidence("repeats: equal decks", p_value, says)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:
        """Return the largest number of decks, each drawn anew and as likely as the others, that is seen to be small."""
        _, kept, part = equal_pairs(counts, decks)
        chances = kept * (kept - 1) / 2 / part
        fair = chances / _distinct(n)
        if fair > POISSON_TO:  # the test is another one there
            return None
        size = chances / pairs_seen(fair, level)
        if size >= factorial(n):
            return None
        says = f"a shuffle that draws each deck from no more than {_rounded(size)}, all as likely"
        return Limit(self.family, f"{self.name}: equal decks", size, says)


def _distinct(n: int) -> float:
    """Return how many orders of `n` cards can be told apart: two different decks have the same print once in 2^64."""
    return 1 / (1 / factorial(n) + 1 / HASH_VALUES) if n < 25 else HASH_VALUES


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


def sample(found: Counts, first: int | None) -> Counts:
    """Return the prints of successive decks, of which `first` came before, as `Repeats.count` does."""
    every = found.view(np.uint64)
    smallest = np.sort(every)[:KEPT]
    at = np.flatnonzero(every <= smallest[:PLACED].max(initial=0))
    numbers = np.full(len(at), NOWHERE) if first is None else first + at
    return _packed(smallest, np.stack([found[at], numbers]))


def _packed(smallest: Prints, placed: Counts) -> Counts:
    """Return the smallest prints above the numbers of the first; `placed` holds prints whose numbers are known."""
    counts = np.zeros((2, len(smallest)), np.int64)
    counts[0] = smallest.view(np.int64)
    order = np.lexsort((placed[1], placed[0].view(np.uint64)))[:PLACED]
    counts[1, : len(order)] = placed[1, order]
    return counts


def _cause(counts: Counts, decks: int, range_: tuple[float, float]) -> str:
    """Return what the equal decks tell of the shuffle."""
    alike = distance(counts, decks)
    if alike and alike[1]:
        return f"the decks repeat every {alike[0]:,}"
    if alike:
        return f"equal decks lie {alike[0]:,} apart" if alike[0] > 1 else "decks are equal to the one before"
    low, high = range_
    return f"as if each were drawn from only about {_magnitude(low)} to {_magnitude(high)} different decks"


def distance(counts: Counts, decks: int) -> tuple[int, bool] | None:
    """Return how far apart equal decks lie, and whether every deck comes again after so many; None if that varies.

    Args:
        counts: those of `Repeats.count`.
        decks: of how many decks.
    """
    found, numbers = counts[0, :PLACED], counts[1, :PLACED]
    if len(found) == PLACED and found[0] != found[-1]:  # the last print may have been cut apart from its equals
        found, numbers = found[found != found[-1]], numbers[found != found[-1]]
    again = found[1:] == found[:-1]
    apart = np.diff(numbers)[again]
    if len(apart) < FEWEST_ALIKE or numbers[0] == NOWHERE or np.any(apart != apart[0]):
        return None
    last = np.append(~again, True)
    return int(apart[0]), not np.any(numbers[last] + apart[0] < decks)


def equal_pairs(counts: Counts, decks: int) -> tuple[int, int, float]:
    """Return the pairs of equal prints among those kept, how many were kept, and which share of all prints that is."""
    kept = counts[0].view(np.uint64)
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


def _rounded(number: float) -> str:
    """Return a large number to two digits, written out as long as that can be read."""
    return f"{float(f'{number:.2g}'):,.0f}" if number < 1e12 else f"{number:.2g}".replace("e+", "e")


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
