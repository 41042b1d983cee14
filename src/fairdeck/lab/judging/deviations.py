"""How far counts in groups of cards and places are from those of fair decks, for pictures."""

from math import ceil

import numpy as np

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.laws.scalar import Law

MOST_BARS = 40


def grouped(law: Law, counts: Counts) -> tuple[list[int], Counts, Floats]:
    """Return the first value of each bar, its count and its expected count, for the values that occur."""
    decks = float(counts.sum())
    expected = law.probabilities * decks
    met = np.flatnonzero((counts > 0) | (expected >= min(0.5, decks * 1e-3)))
    first, end = int(met[0]), int(met[-1]) + 1
    at = np.arange(first, end, ceil((end - first) / MOST_BARS))
    # Where every other value is impossible, as with sums that are even, a bar holds both kinds.
    return (
        [law.low + int(each) for each in at],
        np.add.reduceat(counts[:end], at),
        np.add.reduceat(expected[:end], at),
    )


def groups(n: int, most: int = 60) -> tuple[list[int], Floats]:
    """Return the first number of each of at most `most` groups of 0..n-1, and their indicators, shape ``(n, m)``."""
    starts = list(range(0, n, ceil(n / most)))
    indicator = np.zeros((n, len(starts)))
    indicator[np.arange(n), np.arange(n) // ceil(n / most)] = 1.0
    return starts, indicator


def position_off(counts: Counts, decks: int, indicator: Floats) -> Floats:
    """Return the standardised deviations of the position matrix; cards are rows, places are columns."""
    return sector_off(indicator.T @ counts.T @ indicator, decks, indicator.sum(axis=0))


def sector_off(table: Floats, decks: int, sizes: Floats) -> Floats:
    """Return the standardised deviations of a table of groups of cards (rows) at groups of places (columns).

    The cards of one group at the places of another are hypergeometric: a b / n on average, with the
    variance a b (n-a) (n-b) / (n^2 (n-1)), where a and b are the `sizes` of the groups.
    """
    n = sizes.sum()
    mean = np.outer(sizes, sizes) / n
    variance = np.outer(sizes * (n - sizes), sizes * (n - sizes)) / (n * n * (n - 1))
    return _standardised(table, mean * decks, variance * decks)


def below(counts: Counts, decks: int) -> Floats:
    """Return how often the card of the row lies below that of the column, from the counts of the upper triangle."""
    n = len(counts)
    found = np.zeros((n, n))
    pairs = np.triu_indices(n, 1)
    found[pairs] = counts[pairs]
    found.T[pairs] = decks - counts[pairs]
    return found


def order_off(counts: Counts, decks: int, indicator: Floats) -> Floats:
    """Return the standardised deviations of the order matrix; the cards of the row lie below those of the column.

    For two groups this is the statistic of Mann and Whitney: a b / 2, with the variance a b (a+b+1) / 12.
    """
    sizes = indicator.sum(axis=0)
    product = np.outer(sizes, sizes)
    off = _standardised(
        indicator.T @ below(counts, decks) @ indicator,
        product / 2 * decks,
        product * (sizes[:, None] + sizes[None, :] + 1) / 12 * decks,
    )
    np.fill_diagonal(off, np.nan)
    return off


def neighbour_off(counts: Counts, decks: int, indicator: Floats) -> Floats:
    """Return the standardised deviations of the successor matrix; the column's cards lie directly on the row's.

    The mean and the variance are those of the number of neighbouring places that hold first a card of
    one group, then a card of the other: a sum of n-1 indicators. Two indicators next to each other exclude
    each other where the groups differ.
    """
    n = len(counts)
    sizes = indicator.sum(axis=0)
    a, b = sizes[:, None], sizes[None, :]
    same = np.eye(len(sizes), dtype=bool)
    one = np.where(same, a * (a - 1), a * b) / (n * (n - 1))
    next_to = np.where(same, a * (a - 1) * (a - 2), 0.0) / (n * (n - 1) * (n - 2))
    far = np.where(same, a * (a - 1) * (a - 2) * (a - 3), a * (a - 1) * b * (b - 1))
    apart = far / (n * (n - 1) * (n - 2) * (n - 3))
    mean = (n - 1) * one
    variance = mean + 2 * (n - 2) * next_to + (n - 2) * (n - 3) * apart - mean * mean
    return _standardised(indicator.T @ counts @ indicator, mean * decks, variance * decks)


def _standardised(seen: Floats, mean: Floats, variance: Floats) -> Floats:
    """Return the deviations in standard deviations; NaN where the variance is 0."""
    spread = np.sqrt(np.where(variance > 1e-9, variance, np.nan))
    off: Floats = (seen - mean) / spread
    return off
