"""The Eulerian law: how many descents a uniformly random order has, alone or with its first card above some others.

The outlook reads the number of sort keys from it; the second law is for loose cards, which share a key.

For few cards the orders are counted; from 64 cards on the laws are computed from characteristic functions, exact
to the last digits of a float, and list only what lies within ten standard deviations.
"""

from functools import lru_cache
from math import ceil, cos, pi, sin, sqrt

EXACT_BELOW = 64
WINDOW, WAVES, TERMS = 10.0, 40, 40


@lru_cache(maxsize=4)
def descent_law(n: int) -> tuple[int, tuple[float, ...]]:
    """Return the law of the descents of a uniformly random order of `n` cards, n at least 1.

    Returns:
        The first number of descents listed, and the probabilities from there on. From 64 cards on
        the list leaves out what lies more than ten standard deviations away; each entry is then
        within 1e-14 of the exact value.

    The Eulerian numbers over n! are the density at whole numbers of a sum of n+1 uniform variables
    (Tanny, "A probabilistic interpretation of Eulerian numbers", Duke Math. J. 40 (1973)), which
    is read off its characteristic function.

    >>> descent_law(3)
    (0, (0.16666666666666666, 0.6666666666666666, 0.16666666666666666))
    """
    if n < EXACT_BELOW:
        law = [1.0]
        for size in range(2, n + 1):
            padded = [0.0, *law, 0.0]
            law = [((d + 1) * padded[d + 1] + (size - d) * padded[d]) / size for d in range(size)]
        return 0, tuple(law)
    step, first = _waves(n)
    heights = [_sinc(step * j) ** (n + 1) for j in range(1, WAVES)]
    law = []
    for descents in range(first, n - first):
        angle = step * (descents - (n - 1) / 2)
        total = 0.5 + sum([height * cos(angle * j) for j, height in enumerate(heights, 1)])
        law.append(max(0.0, total * step / pi))
    whole = sum(law)
    return first, tuple([chance / whole for chance in law])


@lru_cache(maxsize=4)
def first_above_law(n: int, others: int) -> tuple[float, ...]:
    """Return the probabilities of each number of descents *and* the first card above all others.

    Args:
        n: cards in random order, at least 1.
        others: more cards, not in the order, at least 1.

    Returns:
        One probability for each number of descents that ``descent_law(n)`` lists; their sum is
        1/(others + 1).

    A random order read as uniform variables has as many descents as its steps, taken around the
    unit circle, pass zero: the whole part of their sum, the first being the first variable (Stanley,
    "Eulerian partitions of a unit hypercube", 1977). It lies above `others` variables with its own
    value to that power. Small orders are counted by their first card.

    >>> first_above_law(2, 1)
    (0.16666666666666666, 0.3333333333333333)
    """
    if n < EXACT_BELOW:
        return _first_above_counted(n, others)
    step, first = _waves(n)
    heights = []
    for j in range(1, WAVES):
        wave, turn, term, mean = _sinc(step * j) ** n, 1j * step * j, complex(1), complex(0)
        for k in range(1, TERMS):
            mean += term * (others + 1) / (others + k)
            term *= turn / k
        heights.append(wave * mean.conjugate())
    law = []
    for descents in range(first, n - first):
        angle = step * (descents + 1 - n / 2)
        parts = [wave.real * cos(angle * j) - wave.imag * sin(angle * j) for j, wave in enumerate(heights, 1)]
        law.append(max(0.0, (0.5 + sum(parts)) * step / pi / (others + 1)))
    return tuple(law)


def _first_above_counted(n: int, others: int) -> tuple[float, ...]:
    by_first = [[1.0]]  # [rank of the first card][descents], as probabilities
    for size in range(2, n + 1):
        lower = [0.0] * size  # the second card is lower: one descent more; the last entry stays 0
        higher = [sum(row[d] for row in by_first) for d in range(size - 1)] + [0.0]
        grown = []
        for rank in range(size):
            grown.append([(lower[d - 1] + higher[d]) / size for d in range(size)])
            if rank < size - 1:
                for d, chance in enumerate(by_first[rank]):
                    lower[d] += chance
                    higher[d] -= chance
        by_first = grown
    above, chance = [0.0] * n, 1.0
    for rank in reversed(range(n)):
        for d in range(n):
            above[d] += by_first[rank][d] * chance * (rank + 1) / (rank + 1 + others)
        chance *= (rank + 1) / (rank + 1 + others)
    return tuple(above)


def _waves(n: int) -> tuple[float, int]:
    """Return the frequency step that resolves a sum of `n` uniform variables, 64 or more; the first descents listed."""
    spread = sqrt((n + 1) / 12)
    return 2 * pi / (2.4 * WINDOW * spread), ceil((n - 1) / 2 - WINDOW * spread)


def _sinc(frequency: float) -> float:
    return sin(frequency / 2) / (frequency / 2)
