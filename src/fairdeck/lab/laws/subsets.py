"""Exact laws of a random subset: of the cards that are seen, or of the places where the cards of a kind lie.

Polynomials in two variables are held in one integer, a slot for each coefficient: their products are exact and fast.
"""

from collections.abc import Mapping
from functools import cache, reduce
from math import comb, gcd

from fairdeck.lab.laws.scalar import Law


def hypergeometric_law(n: int, sort: int, drawn: int) -> Law:
    """Return the law of how many of `sort` cards are among `drawn` of `n`.

    >>> hypergeometric_law(4, 2, 2)
    Law(low=0, weights=(1, 4, 1))
    """
    low, high = max(0, drawn - (n - sort)), min(sort, drawn)
    return Law(low, tuple(comb(sort, held) * comb(n - sort, drawn - held) for held in range(low, high + 1)))


@cache
def sum_law(n: int, drawn: int) -> Law:
    """Return the law of the sum of `drawn` different numbers of ``0 .. n - 1``: the Gaussian binomial coefficient.

    Source: Wilcoxon, "Individual comparisons by ranking methods", Biometrics 1 (1945); Andrews, The Theory of
    Partitions (1976), chapter 3.

    >>> sum_law(4, 2)
    Law(low=1, weights=(1, 1, 2, 1, 1))
    """
    size = drawn * (n - drawn) + 1
    weights = [1, *[0] * (size - 1)]
    for step in range(1, drawn + 1):  # times 1 - q^(n - drawn + step), over 1 - q^step
        for at in range(size - 1, n - drawn + step - 1, -1):
            weights[at] -= weights[at - (n - drawn + step)]
        for at in range(step, size):
            weights[at] += weights[at - step]
    return Law(drawn * (drawn - 1) // 2, tuple(weights))


@cache
def pair_law(length: int, gap: int, ways: tuple[int, ...]) -> Law:
    """Return the law of the pairs `gap` apart in a random subset of a row of `length` cells.

    Cells whose numbers are equal modulo `gap` form a path: m of its L cells with j pairs of neighbours are chosen in
    C(m-1, j) C(L-m+1, m-j) ways, and the paths are independent but for the size of the subset.

    Args:
        length: of the row, in cells.
        gap: the difference of their numbers.
        ways: for each size of the subset, from 0, the weight of every subset of that size.

    >>> pair_law(4, 1, (0, 0, 1))
    Law(low=0, weights=(3, 3))
    """
    most = len(ways) - 1
    bits, row = comb(length, min(most, length // 2)).bit_length() + 1, 2 * most + 1
    kept = (1 << bits * row * (most + 1)) - 1

    def path(cells: int) -> int:
        """Return the subsets of a path: in slot ``m * row + j`` those of m cells with j pairs."""
        return 1 + sum(
            comb(m - 1, j) * comb(cells - m + 1, m - j) << bits * (m * row + j)
            for m in range(1, min(cells, most) + 1)
            for j in range(m)
        )

    paths = {cells: path(cells) for cells in {length // gap, -(-length // gap)}}
    lengths = (len(range(first, length, gap)) for first in range(min(gap, length)))
    return _unpacked(reduce(lambda product, cells: product * paths[cells] & kept, lengths, 1), bits, row, ways)


@cache
def touching_law(rows: int, columns: int, drawn: int) -> Law:
    """Return the law of the pairs of cells with a common side, among `drawn` cells of a board.

    Cell by cell, with the taken ones among the last cells of a row's length as the state (a transfer matrix).

    >>> touching_law(2, 2, 2)
    Law(low=0, weights=(2, 4))
    """
    columns, rows = sorted((rows, columns))
    bits, row, full = comb(rows * columns, drawn).bit_length() + 1, 2 * drawn + 1, (1 << columns) - 1
    kept = (1 << bits * row * (drawn + 1)) - 1
    states = {0: 1}
    for cell in range(rows * columns):
        after: dict[int, int] = {}
        for taken, ways in states.items():
            shifted = taken << 1 & full
            pairs = (taken >> columns - 1 & 1) + (taken & 1 if columns > 1 and cell % columns else 0)
            after[shifted] = after.get(shifted, 0) + ways
            if more := ways << bits * (row + pairs) & kept:
                after[shifted | 1] = after.get(shifted | 1, 0) + more
        states = after
    return _unpacked(sum(states.values()), bits, row, (*[0] * drawn, 1))


def _unpacked(packed: int, bits: int, row: int, ways: tuple[int, ...]) -> Law:
    slot, weights = (1 << bits) - 1, [0] * row
    for size, way in enumerate(ways):
        pairs = packed >> bits * row * size if way else 0
        for at in range(row):
            weights[at] += way * (pairs >> bits * at & slot)
    return law_of(dict(enumerate(weights)))


def law_of(ways: Mapping[int, int]) -> Law:
    """Return the law of values with these weights, from the least to the greatest that has one.

    >>> law_of({3: 1, 5: 2, 6: 0})
    Law(low=3, weights=(1, 0, 2))
    """
    likely = [value for value, weight in ways.items() if weight]
    low = min(likely)
    return Law(low, tuple(ways.get(value, 0) for value in range(low, max(likely) + 1)))


def step_of(values: Mapping[int, int]) -> tuple[int, int]:
    """Return the least value that has a weight, and the step that all of them are apart.

    Tails of sums are exact for steps of 1 only: a score is counted from the least one in such steps.

    >>> step_of({4: 1, 10: 1, 7: 2})
    (4, 3)
    """
    likely = [value for value, weight in values.items() if weight]
    return min(likely), gcd(*(value - min(likely) for value in likely)) or 1
