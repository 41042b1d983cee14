"""The exact law of a whole number measured on a fair deck, and what a tally of it is worth.

A `Law` holds integer weights, so it is exact; everything read off it is a float. Three questions
are asked of the counts of `decks` independent values:

* `mean_shift`: is their mean right? (a saddlepoint tail, accurate near the mean and far from it)
* `goodness_of_fit`: do their counts have the right shape? (the likelihood ratio over merged cells)
* `extreme_value`: is there a single value that hardly any fair deck shows?
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate
from math import comb, copysign, exp, inf, log, log1p, sqrt

import numpy as np
from scipy.special import bdtrc, betaln, ndtr

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.laws.tails import NEAR_THE_MEAN, VALUE, PValue, Z, deviance, log_upper_tail, tilt

Cumulants = Callable[[float], tuple[float, float, float]]  # of theta: log E[exp(theta X)] and its first two derivatives

FEWEST_EXPECTED = 10  # in a cell of `goodness_of_fit`: enough for the chi-square law to hold far out
ODDEST = (1, 2, 4)  # the ranks of the values that `extreme_value` judges
SUMMED, POINTS = 4_000, 200  # numbers that are added one by one, and points of an integral over the others
SURELY_SMALLER = log(0.4)  # of two tails that add up to 1 or more; what the formulas err by is far less than the rest
CONVOLVED = 2_000  # the most values of a sum whose law is added up value by value; a single deck needs no sum


@dataclass(frozen=True)
class Law:
    """A law on the whole numbers ``low, low + 1, ...`` with integer weights."""

    low: int  # the least value
    weights: tuple[int, ...]  # one non-negative integer for each value; a probability is a weight over their sum

    @cached_property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.weights)

    @cached_property
    def values(self) -> Floats:
        """The values, low to high."""
        return np.arange(self.low, self.low + len(self.weights), dtype=float)

    @cached_property
    def probabilities(self) -> Floats:
        """The probability of each value."""
        return np.array([weight / self.total for weight in self.weights])

    @cached_property
    def mean(self) -> float:
        """The mean, exact to the last digits of a float."""
        return sum(weight * value for value, weight in enumerate(self.weights, self.low)) / self.total

    @cached_property
    def variance(self) -> float:
        """The variance, exact to the last digits of a float."""
        first = sum(weight * value for value, weight in enumerate(self.weights, self.low))
        second = sum(weight * value * value for value, weight in enumerate(self.weights, self.low))
        return (second * self.total - first * first) / (self.total * self.total)

    @cached_property
    def below(self) -> tuple[int, ...]:
        """The weights of the 0, 1, ... least values, added up."""
        return (0, *accumulate(self.weights))

    @cached_property
    def rarest_end(self) -> float:
        """The probability of the rarer one of the least value and the greatest."""
        return min(self.weights[0], self.weights[-1]) / self.total

    @cached_property
    def turned(self) -> "Law":
        """The law of the negative."""
        return Law(-(self.low + len(self.weights) - 1), self.weights[::-1])

    def cumulants(self, theta: float) -> tuple[float, float, float]:
        """Return log E[exp(theta X)] and its first two derivatives."""
        logs = self._log_probabilities + theta * self._likely_values
        level = log_sum_exp(logs)
        tilted = np.exp(logs - level)
        mean = float(tilted @ self._likely_values)
        spread = self._likely_values - mean
        return level, mean, float(tilted @ (spread * spread))

    def excess(self, theta: float) -> float:
        """Return log E[exp(theta (X - mean))], with all its digits for a small theta as well."""
        off = theta * (self._likely_values - self.mean)
        if np.abs(off).max() < 1:
            return log1p(float(np.expm1(off) @ self.probabilities[self.probabilities > 0]))
        return self.cumulants(theta)[0] - theta * self.mean

    @cached_property
    def _likely_values(self) -> Floats:
        return self.values[self.probabilities > 0]

    @cached_property
    def _log_probabilities(self) -> Floats:
        return np.log(self.probabilities[self.probabilities > 0])


def mean_of(law: Law, counts: Counts) -> float:
    """Return the mean of the values that `counts` counts, one entry for each value of `law`."""
    return law.low + float(counts @ np.arange(len(counts))) / float(counts.sum())


def mean_shift(law: Law, counts: Counts) -> PValue:
    """Return the two-sided p-value of the sum of the values counted."""
    decks = int(counts.sum())
    return total_shift(law, decks, law.low * decks + int(counts @ np.arange(len(counts))))


def total_shift(law: Law, decks: int, total: int) -> PValue:
    """Return the two-sided p-value of the sum of independent values; its score is in standard deviations.

    Twice the smaller tail, each at or beyond what was seen.
    """
    off = total - decks * law.mean
    tails = [(law, total), (law.turned, -total)][:: 1 if off > 0 else -1]
    tail = log_tail(tails[0][0], decks, tails[0][1])
    if tail > SURELY_SMALLER:
        tail = min(tail, log_tail(tails[1][0], decks, tails[1][1]))
    return PValue(min(1.0, 2 * exp(tail)), Z, off / sqrt(decks * law.variance))


def log_tail(law: Law, decks: int, total: int) -> float:
    """Return log P(the sum of `decks` independent values is at least `total`).

    Few sums are added up one by one. Else the formula of Lugannani and Rice, with the second continuity correction for
    whole numbers: its relative error is of the order 1/decks, far out as well, and within 2 % here. Source: Daniels,
    "Tail probability approximations", Int. Stat. Rev. 55 (1987), sections 3 and 6.
    """
    values = law._likely_values
    least, most = float(values[0]), float(values[-1])
    if total <= least * decks:
        return 0.0
    if total > most * decks:
        return -np.inf
    if total == most * decks:
        return decks * log(law.weights[int(most) - law.low] / law.total)
    if decks == 1 or decks * len(law.weights) <= CONVOLVED:
        tail = float(_law_of_sum(law.probabilities, decks)[total - law.low * decks :].sum())
        if tail > 0:  # else it is too small for a float
            return min(0.0, log(tail))
    edge = (total - 0.5) / decks
    theta = tilt(law.cumulants, law.mean, law.variance, edge, 1e-12 * max(1.0, abs(edge)))
    spread = law.cumulants(theta)[2]
    # Both terms are measured from the mean: of millions of decks, little is left of their difference.
    w = copysign(sqrt(max(0.0, 2 * decks * (theta * (edge - law.mean) - law.excess(theta)))), theta)
    if abs(w) < NEAR_THE_MEAN:
        return log(float(ndtr(-w)))
    return log_upper_tail(w, theta, 1, decks * spread)


def large_mean_shift(centred: Cumulants, variance: float, decks: int, off: float) -> PValue:
    """Return the two-sided p-value of a sum of whole numbers that are sums of many parts, from their cumulants only.

    The formula is that of `log_tail`. Each number is itself the sum of hundreds of independent parts, so it holds for
    a single deck as well: within 1 % from 200 parts on, if all have one size; see the tests for the others.

    Args:
        centred: the cumulants of one number less its mean.
        variance: of one number.
        decks: how many independent numbers were added, 1 or more.
        off: their sum less its mean.
    """
    spread, sign = sqrt(variance), 1.0 if off > 0 else -1.0
    edge, p_value = (abs(off) - 0.5) / decks, 1.0

    def outwards(theta: float) -> tuple[float, float, float]:
        level, mean, second = centred(sign * theta)
        return level, sign * mean, second

    if edge > 0:
        theta = tilt(outwards, 0.0, variance, edge, 1e-10 * spread)
        level, _, second = outwards(theta)
        w = sqrt(max(0.0, 2 * decks * (theta * edge - level)))
        p_value = 2 * (float(ndtr(-w)) if w < NEAR_THE_MEAN else exp(log_upper_tail(w, theta, 1, decks * second)))
    return PValue(min(1.0, p_value), Z, off / (spread * sqrt(decks)))


@cache
def whole_numbers(n: int) -> tuple[Floats, Floats]:
    """Return numbers and weights: the weighted sum of a smooth function is the sum over 1, 2, ... `n`.

    Up to `SUMMED` these are the whole numbers; beyond them the sum is an integral from half to half, whose relative
    error is of the order of 1/(24 SUMMED^2), by Gauss and Legendre on a logarithmic scale.
    """
    few = np.arange(1.0, min(n, SUMMED) + 1)
    if n <= SUMMED:
        return few, np.ones(n)
    at, weights = np.polynomial.legendre.leggauss(POINTS)
    low, high = log(SUMMED + 0.5), log(n + 0.5)
    beyond = np.exp(low + (at + 1) / 2 * (high - low))
    return np.concatenate([few, beyond]), np.concatenate([np.ones(SUMMED), weights * beyond * (high - low) / 2])


def log_sinhc(x: Floats) -> tuple[Floats, Floats, Floats]:
    """Return log(sinh(x) / x) and its first two derivatives, with all digits near 0 and far from it.

    With x = theta/2 that is log E[exp(theta U)] of a uniform number U from -1/2 to 1/2.
    """
    size = np.maximum(np.abs(x), 0.05)
    level = size - np.log(2 * size) + np.log1p(-np.exp(-2 * size))
    slope = 1 / np.tanh(size) - 1 / size
    curve = 1 / size**2 - 4 * np.exp(-2 * size) / np.expm1(-2 * size) ** 2
    near, square = np.abs(x) < 0.05, x * x
    return (
        np.where(near, square / 6 - square**2 / 180 + square**3 / 2835, level),
        np.where(near, x / 3 - x * square / 45 + 2 * x * square**2 / 945, np.copysign(slope, x)),
        np.where(near, 1 / 3 - square / 15 + 2 * square**2 / 189, curve),
    )


def _law_of_sum(probabilities: Floats, decks: int) -> Floats:
    """Return the probabilities of the sum of `decks` values; exact far out, as nothing is subtracted."""
    half = _law_of_sum(probabilities, decks // 2) if decks > 1 else np.ones(1)
    both = np.convolve(half, half)
    return np.convolve(both, probabilities) if decks % 2 else both


def goodness_of_fit(law: Law, counts: Counts) -> PValue | None:
    """Return the p-value of the counts' shape; None where the decks are too few for three cells."""
    cells = merged(law.probabilities * float(counts.sum()), counts)
    return deviance(*cells) if len(cells[0]) >= 3 else None


def merged(expected: Floats, counts: Counts, fewest: float = FEWEST_EXPECTED) -> tuple[Floats, Counts]:
    """Return `expected` and `counts` with neighbours joined until each cell expects `fewest`."""
    starts = cell_starts(expected, fewest)
    return (
        (np.add.reduceat(expected, starts), np.add.reduceat(counts, starts)) if starts else (expected[:0], counts[:0])
    )


def cell_starts(expected: Floats, fewest: float = FEWEST_EXPECTED) -> list[int]:
    """Return where the cells of `merged` begin; none if all together expect less than `fewest`."""
    # A cell ends where the expected count since the last end has reached the least wanted.
    starts, since = [0], 0.0
    for at, each in enumerate(expected):
        since += each
        if since >= fewest:
            starts.append(at + 1)
            since = 0.0
    return starts[:-1]


def extreme_value(law: Law, counts: Counts) -> PValue:
    """Return the p-value of the least likely values seen, at either end; its score is the value it is about.

    That is the oddest value, the second, or the fourth at one end (`ODDEST`): one of them can be an accident where two
    are none. The r-th is at least as far out as it is with the chance that r or more values are.
    """
    decks = int(counts.sum())
    found: list[tuple[float, int]] = []
    for below, seen in ((law.below, counts), (law.turned.below, counts[::-1])):
        met = np.cumsum(seen)
        for rank in (rank for rank in ODDEST if rank <= decks):
            at = int(np.searchsorted(met, rank))
            chance = below[at + 1] / law.total
            found.append((_at_least(rank, decks, chance), at if seen is counts else len(counts) - 1 - at))
    chance, value = min(found)
    return PValue(min(1.0, len(found) * chance), VALUE, law.low + value)


def _at_least(many: int, decks: int, chance: float) -> float:
    """Return the chance that at least `many` of `decks` independent events of one chance happen, accurate far out."""
    if chance >= 1:
        return 1.0
    # -expm1(N log1p(-chance)) is 1 - (1 - chance)^N without losing a small chance.
    return float(-np.expm1(decks * np.log1p(-chance))) if many == 1 else float(bdtrc(many - 1, decks, chance))


def bet_weights(law: Law) -> tuple[Floats, Floats]:
    """Return the stakes of the betting martingale of `law`: thetas, and log E[exp(theta X)] at each."""
    thetas = tilts(law.variance)
    return thetas, np.array([law.cumulants(theta)[0] for theta in thetas])


def tilts(variance: float) -> Floats:
    """Return the thetas of bets on a number of this variance."""
    steps = np.array([0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6]) / sqrt(variance)
    return np.concatenate([-steps[::-1], steps])


def log_wealth(stakes: tuple[Floats, Floats], decks: int, total: float) -> float:
    """Return the log of what betting against fairness has made of one coin after `decks` values.

    The mean over theta of exp(theta S - N log E[exp(theta X)]): a martingale of mean 1 on fair decks
    at every N, so it ever exceeds 1/alpha with chance alpha at most (Ville). Source: Ramdas et al.,
    "Game-theoretic statistics and safe anytime-valid inference", Stat. Sci. 38 (2023), section 4.
    """
    thetas, levels = stakes
    return log_sum_exp(thetas * total - decks * levels) - log(len(thetas))


def log_wealth_of_events(times: Counts, decks: int, chance: float) -> float:
    """Return the log of what betting evenly on many events, each of one fair chance, has made of one coin.

    Of an event that came `times`, h of N decks, every true chance is thought equally likely: the mean likelihood ratio
    is B(h+1, N-h+1) / (chance^h (1-chance)^(N-h)), a martingale of mean 1 on fair decks, and so is the mean over
    events.
    """
    met = np.bincount(times.ravel())
    hits = np.flatnonzero(met)
    won = betaln(hits + 1, decks - hits + 1) - hits * log(chance) - (decks - hits) * log1p(-chance)
    return log_sum_exp(won + np.log(met[hits])) - log(times.size)


def log_wealth_of_never(times: Counts, decks: int, chances: Floats | float) -> float:
    """Return the log of what betting evenly that one of many events never comes has made of one coin.

    Such a bet wins 1/(1 - chance) on each deck without the event, and loses all with it: on fair decks a martingale of
    mean 1. Minus infinity where every event has come.
    """
    never = times == 0
    won = np.broadcast_to(-decks * np.log1p(-np.asarray(chances)), times.shape)[never]
    return log_sum_exp(won) - log(times.size) if len(won) else -inf


def log_wealth_of_both(one: float, other: float) -> float:
    """Return the log of what half a coin on each of two bets has made, from that of a whole coin on each."""
    return log_sum_exp(np.array([one, other])) - log(2)


def log_sum_exp(logs: Floats) -> float:
    """Return the log of the sum of the exponentials."""
    # SciPy's does the same for arrays of any kind, and takes fifty times as long for one of these.
    most = float(logs.max())
    return most + log(float(np.exp(logs - most).sum()))


def normal_two_sided(z: float) -> PValue:
    """Return the two-sided p-value of a standard normal value."""
    return PValue(float(2 * ndtr(-abs(z))), Z, z)


def exactly(marked: Sequence[int]) -> list[int]:
    """Return in how many orders exactly 0, 1, ... things hold, by inclusion and exclusion.

    Args:
        marked: for 0, 1, ... things, the orders in which all of so many hold, added up over all choices of them.

    >>> exactly([6, 6, 3, 1])  # the fixed points of three cards
    [2, 3, 0, 1]
    """
    return [
        sum((-1) ** (more - held) * comb(more, held) * marked[more] for more in range(held, len(marked)))
        for held in range(len(marked))
    ]


def polynomial_product(factors: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the coefficients of a product of polynomials with integer coefficients, lowest first.

    >>> polynomial_product([(1, 1), (1, 1, 1)])
    (1, 2, 2, 1)
    """
    product = [1]
    for factor in factors:
        longer = [0] * (len(product) + len(factor) - 1)
        for at, coefficient in enumerate(factor):
            if coefficient:
                for power, each in enumerate(product):
                    longer[at + power] += coefficient * each
        product = longer
    return tuple(product)
