"""Whether two samples of decks can come from one shuffle.

Both are described by the same numbers: every scalar statistic of the lab, of each deck by itself and relative to
earlier decks, and what a naive Bayes classifier, taught by other decks of both, sees in each deck. If both samples
come from one shuffle, then each number has one law in both. Its mean and its spread are compared (Welch's test); so are
the counts of pairs of cards or places that differed most in other decks. The smallest p-value is corrected for the
number of comparisons (Bonferroni).

Source: Lopez-Paz and Oquab, "Revisiting classifier two-sample tests", ICLR 2017.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from math import factorial
from typing import Protocol

import numpy as np
from scipy.special import bdtr, bdtrc, ndtri, pdtrc, stdtr

from fairdeck.bulk import available
from fairdeck.bulk.shapes import WORTH, Counts, Floats, card_type
from fairdeck.lab.blocks import FEWEST, Block, Decks
from fairdeck.lab.causes import REFUSED, Sample
from fairdeck.lab.judging.tally import FIRST_ANALYSIS, Battery, Tally
from fairdeck.lab.judging.verdict import weigh
from fairdeck.lab.sources.simulated import NumberedBlock
from fairdeck.lab.statistics import Scalar, Statistic, catalogue
from fairdeck.lab.statistics.guesses import LearnedGuesses
from fairdeck.lab.statistics.positions import OwnPlaces
from fairdeck.lab.view import View, deck_view, relative_view
from fairdeck.shuffles import find

SEED = 20_261_123  # any: the decks to compare with are the same in every run
SIEVED_FIRST, SIEVE = 128, 1e-5  # decks, and then four times as many; a smaller p-value refuses a shuffle early
LAGS: tuple[int, ...] = (0, 1, 2)
BY_THEMSELVES: tuple[int, ...] = (0,)  # most shuffles differ in single decks: at first only these are compared
ODD_CELLS = 3  # of a table, chosen on the first decks
DOUBT = 1.0  # added to each count, so that no share is 0
MOST_MADE = 2**15  # decks
TELLING = 5.0  # standard deviations
APART, SPREAD = 5.0, 0.15  # standard deviations, and of what they are: faults make large values vary more
LARGEST_TABLE = 256  # cards: a table of their pairs grows with the square, so of more only their own places are counted


class Maker(Hashable, Protocol):
    """A shuffle to compare with; equal makers make the same decks."""

    def decks(self, n: int, size: int) -> Decks:
        """Return decks, the same in every run; shape ``(size, n)``."""
        ...


@dataclass(frozen=True)
class Known:
    """A shuffle that `fairdeck.shuffles.find` knows by `name`."""

    name: str

    def decks(self, n: int, size: int) -> Decks:
        """Return decks, the same in every run; shape ``(size, n)``."""
        by_kernel = find(self.name).by_hand and available()  # which makes a hundred decks as fast as two thousand
        return NumberedBlock(self.name, n, SEED, size, max(size, WORTH) if by_kernel else size).decks[:size]


FAIR = Known("fisher-yates")


@dataclass(frozen=True, eq=False)
class Renewed:
    """The decks of a sample; fair ones instead of those that come once and are not the start deck."""

    sample: Sample

    def decks(self, n: int, size: int) -> Decks:
        """Return decks, the same in every run; shape ``(size, n)``."""
        different, number, times = np.unique(self.sample.decks[:size], axis=0, return_inverse=True, return_counts=True)
        kept = (times > 1) | (different == np.arange(n)).all(axis=1)
        new = np.random.default_rng(SEED).permuted(
            np.tile(np.arange(n, dtype=card_type(n)), (len(different), 1)), axis=1
        )
        return np.asarray(np.where(kept[:, None], different, new)[number.ravel()])


def resembles(sample: Sample, maker: Maker) -> bool:
    """Tell whether nothing tells the later decks of a sample from those of a shuffle.

    Small parts of the first decks are compared before: most shuffles differ in few.
    """
    n, size, lags = sample.cards, SIEVED_FIRST, BY_THEMSELVES
    while size <= len(sample.first):
        if unlikeness(_numbers_of(sample, 0, size, lags), _numbers_made(maker, n, 0, size, lags)) < SIEVE:
            return False
        size, lags = 4 * size, LAGS
    half, every = len(sample.first), len(sample.decks)
    taught = Taught(sample.first, _made(maker, n, half))
    ours = np.concatenate([_numbers_of(sample, half, None), taught.numbers(sample.later)])
    later = taught.numbers(_made(maker, n, every)[half:])
    theirs = np.concatenate([_numbers_made(maker, n, half, every), later])
    return min(unlikeness(ours, theirs), _cells_differ(sample, maker)) >= REFUSED / 2


def survives(sample: Sample, maker: Maker) -> bool:
    """Tell whether decks of a shuffle show all that a sample shows, in every statistic, and all that a report found.

    Whole batteries are compared, of which each p-value is read as standard deviations. No cause is sure to survive
    what more than `MOST_MADE` decks have shown.
    """
    battery = _all(sample.cards)
    if sample.tally.decks > MOST_MADE:
        return False
    ours = _judged(battery, sample.later)
    return _alike(ours, _judged_made(battery, maker, len(sample.later))) and explains_findings(sample, maker)


def explains_findings(sample: Sample, maker: Maker) -> bool:
    """Tell whether as many decks of a shuffle as were counted show what was found in these."""
    tally = _of_tally(sample.battery, sample.tally)
    odd_ones = frozenset(name for (name, _, _), deviations in tally.items() if deviations > TELLING)
    if not odd_ones:
        return True
    some = Battery(sample.cards, sample.battery.lags, odd_ones)
    simulated = _judged_made(some, maker, sample.tally.decks)
    return _alike({key: each for key, each in tally.items() if key[0] in odd_ones}, simulated)


Deviations = dict[tuple[str, str, int], float]  # of each test: statistic, name, lag


@cache
def _all(n: int) -> Battery:
    return Battery(n)


def _judged(battery: Battery, decks: Decks) -> Deviations:
    return _of_tally(battery, battery.tally(Block(decks, decks[:0], 0)))


@lru_cache(64)
def _judged_made(battery: Battery, maker: Maker, size: int) -> Deviations:
    return _judged(battery, _made(maker, battery.cards, size))


def _of_tally(battery: Battery, tally: Tally) -> Deviations:
    """Return how odd each test finds a tally, in standard deviations of a normal law with that p-value."""
    return {
        (each.evidence.statistic, each.evidence.test, each.lag): -float(ndtri(max(each.evidence.p_value, 1e-300) / 2))
        for each in weigh(battery, tally)
    }


def _alike(ours: Deviations, theirs: Deviations) -> bool:
    """Tell whether no test is far odder in one of two counts; a test that was not made found nothing."""
    for key in ours.keys() | theirs.keys():
        low, high = sorted((ours.get(key, 0.0), theirs.get(key, 0.0)))
        if high - low > APART + high * SPREAD:
            return False
    return True


def _cells_differ(sample: Sample, maker: Maker) -> float:
    """Return the p-value of the oddest cell of all tables of pairs."""
    half, every, n = len(sample.first), len(sample.decks), sample.cards
    ours, theirs = (_counts_of(sample, 0, half), _counts_of(sample, half, None)), _counts_made(maker, n, 0, half)
    tables = zip(*ours, theirs, _counts_made(maker, n, half, every), strict=True)
    p_values = [odd_cells(first, other, later, other_later) for first, later, other, other_later in tables]
    return len(p_values) * min(p_values) if p_values else 1.0


def look_fair(decks: Decks) -> bool:
    """Tell whether nothing tells decks from fair ones, not even that some are equal; False if they are too few."""
    if len(decks) < FIRST_ANALYSIS:
        return False
    if len(decks) < FEWEST:
        battery = _all(decks.shape[1])
        tests = weigh(battery, battery.tally(Block(decks, decks[:0], 0)))
        return min((each.adjusted for each in tests), default=0.0) >= REFUSED
    _, times = np.unique(decks, axis=0, return_counts=True)
    pairs, expected = (
        int((times * (times - 1) // 2).sum()),
        len(decks) * (len(decks) - 1) / factorial(decks.shape[1]) / 2,
    )
    if pairs and pdtrc(pairs - 1, expected) < REFUSED:
        return False
    return unlikeness(numbers(decks), numbers(_made(FAIR, decks.shape[1], len(decks)))) >= REFUSED


@lru_cache(64)
def _made(maker: Maker, n: int, size: int) -> Decks:
    return maker.decks(n, size)


def counts(decks: Decks) -> list[Counts]:
    """Return the counts of each statistic that counts, for pairs of cards or places, the decks that have something."""
    counted = []
    for lag in (0, 1):
        view = _view(decks, lag)
        counted += [each.count(view) for each in _of_pairs(view.cards) if each.relative or not lag]
    return counted


def odd_cells(ours: Counts, theirs: Counts, ours_later: Counts, theirs_later: Counts) -> float:
    """Return the p-value of the cells that differ most in two counts, judged by later counts of as many decks."""
    apart = np.abs(ours - theirs) / np.sqrt(ours + theirs + 1)
    odd = np.argpartition(apart.ravel(), -ODD_CELLS)[-ODD_CELLS:]
    one, both = ours_later.ravel()[odd], (ours_later + theirs_later).ravel()[odd]
    tails = np.minimum(bdtr(one, both, 0.5), bdtrc(one - 1, both, 0.5))
    return min(1.0, 2 * ODD_CELLS * float(tails.min()))


@cache
def _of_pairs(n: int) -> tuple[Statistic, ...]:
    if n > LARGEST_TABLE:
        return tuple(each for each in catalogue() if isinstance(each, OwnPlaces))
    view = _view(np.arange(n, dtype=np.int16)[None], 0)
    fitting = (each for each in catalogue() if not isinstance(each, Scalar) and each.fits(n))
    return tuple(each for each in fitting if each.count(view).shape == (n, n))


@lru_cache(256)
def _counts_made(maker: Maker, n: int, start: int, end: int) -> list[Counts]:
    return counts(_made(maker, n, end)[start:])


@lru_cache(16)
def _counts_of(sample: Sample, start: int, end: int | None) -> list[Counts]:
    return counts(sample.decks[start:end])


@lru_cache(1_024)
def _numbers_made(maker: Maker, n: int, start: int, end: int, lags: tuple[int, ...] = LAGS) -> Floats:
    return numbers(_made(maker, n, end)[start:], lags)


@lru_cache(16)
def _numbers_of(sample: Sample, start: int, end: int | None, lags: tuple[int, ...] = LAGS) -> Floats:
    return numbers(sample.decks[start:end], lags)


def unlikeness(one: Floats, other: Floats) -> float:
    """Return the p-value of whether two samples come from one shuffle: shapes ``(numbers, N)`` and ``(numbers, M)``."""
    middle = (one.mean(axis=1) + other.mean(axis=1))[:, None] / 2
    means, spreads = _welch(one, other), _welch(np.abs(one - middle), np.abs(other - middle))
    marks = ((one == 0) | (one == 1)).all(axis=1) & ((other == 0) | (other == 1)).all(axis=1)
    means[marks] = _shares_differ(one[marks], other[marks])
    return min(1.0, 2 * len(one) * float(min(means.min(), spreads.min())))


def numbers(decks: Decks, lags: tuple[int, ...] = LAGS) -> Floats:
    """Return the numbers of each of successive decks, and of decks relative to earlier ones; shape ``(numbers, N)``.

    The first decks have no decks before them: their relative numbers are 0.
    """
    rows = []
    for lag in lags:
        view = _view(decks, lag)
        measures = [each.of(view) for each in _scalars(view.cards) if each.relative or not lag]
        measures.append((view.columns == np.arange(view.cards)[:, None]).all(axis=0))  # not shuffled at all
        rows += [np.concatenate([np.zeros(min(lag, len(decks))), each]) for each in measures]
    return np.array(rows)


class Taught:
    """How much likelier a deck is under one shuffle than under another, as a sample of each taught.

    Tables of shares: which card lies at which place, which on which, and where cards lie compared with the deck before.
    """

    def __init__(self, one: Decks, other: Decks) -> None:
        n = one.shape[1]
        self._logs = [np.log(_shares(cells(one), n) / _shares(cells(other), n)) for cells in _tables(n)]

    def numbers(self, decks: Decks) -> Floats:
        """Return the numbers that each table gives; shape ``(tables, N)``."""
        scores = [np.zeros(len(decks)) for _ in self._logs]
        for sums, logs, cells in zip(scores, self._logs, _tables(decks.shape[1]), strict=True):
            each = logs[cells(decks)].sum(axis=1)
            sums[len(sums) - len(each) :] = each  # the first deck has none before it
        return np.array(scores).reshape(-1, len(decks))


@cache
def _scalars(n: int) -> tuple[Scalar, ...]:
    """Return the statistics that are a number of each deck and need no earlier decks."""
    scalars = (each for each in catalogue() if isinstance(each, Scalar) and not isinstance(each, LearnedGuesses))
    return tuple(each for each in scalars if each.unit == "deck" and each.fits(n))


def _welch(one: Floats, other: Floats) -> Floats:
    """Return the p-values of Welch's test, row by row."""
    parts = [rows.var(axis=1, ddof=1) / rows.shape[1] for rows in (one, other)]
    apart, spread = np.abs(one.mean(axis=1) - other.mean(axis=1)), parts[0] + parts[1]
    moves = spread > 0
    weights = parts[0] ** 2 / (one.shape[1] - 1) + parts[1] ** 2 / (other.shape[1] - 1)
    degrees = np.divide(spread**2, weights, out=np.ones_like(spread), where=moves)
    z = np.divide(apart, np.sqrt(spread), out=np.where(apart > 0, np.inf, 0.0), where=moves)
    p_values: Floats = 2 * stdtr(degrees, -z)
    return p_values


def _shares_differ(one: Floats, other: Floats) -> Floats:
    """Return the exact p-values of two shares of marked decks, row by row, given how many both have together."""
    marked, marked_too = (rows.sum(axis=1).astype(np.int64) for rows in (one, other))
    both, chance = marked + marked_too, one.shape[1] / (one.shape[1] + other.shape[1])
    tails = np.minimum(bdtr(marked, both, chance), bdtrc(marked - 1, both, chance))
    return np.asarray(2 * tails, dtype=np.float64)


def _tables(n: int) -> Iterator[Callable[[Decks], Counts]]:
    """Yield functions that return the cells that each deck fills; shape ``(N, any)``."""
    if n > LARGEST_TABLE:
        return
    yield lambda decks: decks.astype(np.int64) + n * np.arange(n)
    yield lambda decks: decks[:, :-1].astype(np.int64) * n + decks[:, 1:]
    yield lambda decks: _view(decks, 1).columns.T.astype(np.int64) + n * np.arange(n)


def _shares(cells: Counts, n: int) -> Floats:
    met = np.bincount(cells.ravel(), minlength=n * n)
    return np.asarray((met + DOUBT) / (len(cells) + DOUBT * n), dtype=np.float64)


def _view(decks: Decks, lag: int) -> View:
    block = Block(decks, decks[:0])
    return relative_view(block, lag) if lag else deck_view(block)
