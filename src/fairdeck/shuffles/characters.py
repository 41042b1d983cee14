"""Random transpositions of large decks, by the characters of the symmetric group: an interval that closes.

The chance of an order over 1/n! is the sum of ``d r^k chi`` over the shapes (partitions of n): d the number of standard
tableaux, r the eigenvalue, chi the character at the order. Late in the walk the shapes with a long first row, or a
long first column, are nearly all of it. Their characters depend on the parity and on how many cycles are short, whose
law in a fair deck is known. So half the mean size of that part of the sum is the total variation, give or take half
the root of the sum of ``d^2 r^(2k)`` over the other shapes.
Sources: Diaconis and Shahshahani, Z. Wahrsch. verw. Gebiete 57 (1981); Macdonald, Symmetric Functions and
Hall Polynomials, 2nd ed. (1995), example I.7.14, on characters of a long first row.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import comb, exp, factorial, fsum, lgamma, log, perm, prod, sqrt

from fairdeck.numbers import whole
from fairdeck.shuffles.distances import MOST_CARDS

Shape = tuple[int, ...]  # parts, the longest first
Polynomial = Mapping[
    Shape, float
]  # products of binomials ``C(a_1, b_1) C(a_2, b_2) ...`` of the numbers of cycles, by b

FEWEST_CARDS = 17
MOST_MOVES = 10**6
MOST_BELOW = 6  # cards below the first row, or beside the first column
RARE = 1e-15  # short cycles that are less likely are left out, and counted as lost
ROUNDING = 1e-15
TINY, LARGE = 1e-250, 1e6  # floating point ends; there is nothing to be said


def rows_beyond(n: int, below: int) -> Iterator[tuple[float, float]]:
    """Yield logarithms of bounds of the sum of d^2 and of |r|, for the shapes whose longest row, or column, is n - j.

    Each j is greater than `below`. There are at most ``C(n, j)^2 j!`` in the sum, and r is at most ``1 - 2 j (n - j +
    1)/n^2`` if j is at most n/2, and 1 - j/n in any case; a shape with r below 0 is turned over, which makes it 2/n -
    r. Source: Diaconis, Group Representations in Probability and Statistics (1988), chapter 3D.
    """
    for j in range(below + 1, n):
        root = 1 - 2 * j * (n - j + 1) / n**2 if 2 * j <= n else 1 - j / n
        orders = min(2 * log(comb(n, j)) + lgamma(j + 1), lgamma(n + 1))
        if root:  # of two cards it is 0
            yield orders, log(root)
        if root > 2 / n:
            yield orders, log(root - 2 / n)


def variation_between(n: int, moves: int, below: int = MOST_BELOW) -> tuple[float, float]:
    """Return bounds of the total variation after random transpositions: least and most.

    Args:
        n: cards, 17 to 1,000.
        moves: 0 to 1,000,000.
        below: cards below the first row, or beside the first column, that a shape has at most to be summed, 1 to 6.

    >>> [round(bound, 4) for bound in variation_between(52, 150)]
    [0.0522, 0.0522]
    """
    whole("cards", n, FEWEST_CARDS, MOST_CARDS)
    k = whole("moves", moves, 0, MOST_MOVES)
    whole("cards below the first row", below, 1, MOST_BELOW)
    logs = [orders + 2 * k * root for orders, root in rows_beyond(n, below)]
    part, mirrored, square = _near_the_rim(n, k, below)
    if max(logs) > 0 or not TINY < square < LARGE:
        return 0.0, 1.0
    sizes, chances = [], []
    for one, other, even, odd in _short_cycles(part, mirrored, _long_cycles(n, below)):
        chances += [even, odd]
        sizes += [even * abs(one + other), odd * abs(one - other)]
    left_out = max(0.0, 1 - fsum(chances)) + ROUNDING
    # The other shapes, and the decks that were left out (Cauchy and Schwarz).
    lost = sqrt(fsum([exp(value) for value in logs])) + sqrt(square * left_out)
    return max(0.0, (fsum(sizes) - lost) / 2), min(1.0, (fsum(sizes) + lost) / 2)


def _near_the_rim(n: int, k: int, below: int) -> tuple[Polynomial, Polynomial, float]:
    """Return the sum of ``d r^k chi`` over the shapes of a long first row but the flat one, as a polynomial.

    Beside it: that of the shapes turned over, still without the sign of the order; and the sum of d^2 r^(2k).
    """
    part, mirrored, square = defaultdict[Shape, float](float), defaultdict[Shape, float](float), 0.0
    for j in range(below + 1):
        for small in partitions(j, j):
            shape = (n - j, *small)
            root = 1 / n + 2 * contents(shape) / n**2
            ways = tableaux(shape)
            powers = (ways * root**k if j else 0.0, ways * (2 / n - root) ** k)
            square += powers[0] ** 2 + powers[1] ** 2
            for cycles, value in _long_row(small):
                have = tuple([cycles.count(length) for length in range(1, below + 1)])
                part[have] += powers[0] * value
                mirrored[have] += powers[1] * value
    return part, mirrored, square


def tableaux(shape: Shape) -> int:
    """Return the number of standard tableaux, quickly if the first row is long. Source: Frobenius's formula."""
    if not shape:
        return 1
    size, (first, *firsts) = sum(shape), [row + len(shape) - at for at, row in enumerate(shape, 1)]
    # The first row's factorial is taken out of n!: what is left has as many factors as cells lie below it, or fewer.
    ways = perm(size, size - first) * prod([first - other for other in firsts])
    differences = [one - other for at, one in enumerate(firsts) for other in firsts[at + 1 :]]
    return ways * prod(differences) // prod([factorial(other) for other in firsts])


def contents(shape: Shape) -> int:
    """Return the sum over the cells of a shape of the column less the row."""
    return sum([row * (row - 1) // 2 - at * row for at, row in enumerate(shape)])


@lru_cache(maxsize=64)
def _long_row(small: Shape) -> tuple[tuple[Shape, int], ...]:
    """Return the character of the shape with a long first row over `small`: weights of products of binomials.

    The shape is the sum of ``(-1)^i h s`` over the ways to take i cells from `small`, at most one of each row; the
    character of ``h s`` sums that of s over all choices of whole cycles of the order.
    """
    found = Counter[Shape]()
    for taken in product((0, 1), repeat=len(small)):
        rest = [row - less for row, less in zip(small, taken, strict=True)]
        if rest == sorted(rest, reverse=True):
            shape = tuple([row for row in rest if row])
            for cycles in partitions(sum(shape), sum(shape)):
                found[cycles] += (-1) ** sum(taken) * character(shape, cycles)
    return tuple(found.items())


def character(shape: Shape, cycles: Shape) -> int:
    """Return the character of a shape at an order with these cycles, by taking off one rim hook after another.

    Source: the rule of Murnaghan and Nakayama; Macdonald 1995, example I.7.5.

    >>> character((2, 1), (3,)), character((2, 1), (1, 1, 1))
    (-1, 2)
    """
    return _character(frozenset([row + at for at, row in enumerate(reversed(shape))]), cycles)


def _character(beads: frozenset[int], cycles: Shape) -> int:
    if not cycles:
        return 1
    hook, *rest = cycles
    total = 0
    for bead in beads:
        to = bead - hook
        if to >= 0 and to not in beads:
            crossed = sum([to < other < bead for other in beads])
            total += (-1) ** crossed * _character(beads - {bead} | {to}, tuple(rest))
    return total


def partitions(n: int, most: int) -> list[Shape]:
    """Return the partitions of `n` into parts of at most `most`, each with its longest part first."""
    if n == 0:
        return [()]
    return [(part, *rest) for part in range(min(n, most), 0, -1) for rest in partitions(n - part, part)]


def _long_cycles(n: int, below: int) -> list[tuple[float, float]]:
    """Return for 0 to `n` cards the chance that no cycle is short, and the same less for odd orders."""
    even = [1.0]
    signed = [1.0]
    sums = [0.0, 0.0]  # over the cards that one cycle leaves: plain; with the sign of that cycle
    for size in range(1, n + 1):
        if size > below:
            sums[0] += even[size - below - 1]
            sums[1] = (-1) ** below * signed[size - below - 1] - sums[1]
        even.append(sums[0] / size)
        signed.append(sums[1] / size)
    return list(zip(even, signed, strict=True))


def _short_cycles(
    part: Polynomial, mirrored: Polynomial, long: Sequence[tuple[float, float]]
) -> Iterator[tuple[float, float, float, float]]:
    """Yield for all likely numbers of short cycles the values of both polynomials, and the chances by parity."""
    below = len(next(iter(part)))
    todo = [(below, part, mirrored, 1.0, 1, len(long) - 1)]
    while todo:
        length, one, other, chance, sign, left = todo.pop()
        if length == 0:
            plain, signed = (chance * each for each in long[left])
            yield one[()], other[()], (plain + sign * signed) / 2, (plain - sign * signed) / 2
            continue
        for some in range(left // length + 1):
            if chance < RARE:
                break
            turned = sign * (-1) ** ((length - 1) * some)
            todo.append((length - 1, _with(one, some), _with(other, some), chance, turned, left - length * some))
            chance /= length * (some + 1)


def _with(polynomial: Polynomial, some: int) -> Polynomial:
    """Return the polynomial in the numbers of the shorter cycles if there are `some` of the longest."""
    found = defaultdict[Shape, float](float)
    for cycles, weight in polynomial.items():
        if cycles[-1] <= some:
            found[cycles[:-1]] += weight * comb(some, cycles[-1])
    return found
