"""How many decks a test needs to see the fault of an exact law."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, factorial, lgamma, log, sqrt

from fairdeck.permutation import Permutation, cycles, descents, identity, inversions, rising_sequences

FALSE_ALARM = 1e-6
POWER = 0.99
Z_FALSE_ALARM = 4.891638475699  # of the normal law, for half the false alarm on either side
Z_POWER = 2.326347874041


def decks_needed(
    positions: Sequence[Sequence[Fraction]],
    levels: Sequence[tuple[Fraction, Sequence[Permutation]]],
    chi_square_distance: Fraction,
) -> dict[str, int | None]:
    """Return how many decks each test needs to see the fault in 99 of 100 runs; None where it never does.

    False alarms: 1 in a million runs. The chi-squares over all orders, and over cards and places,
    have a noncentral law; the others are normal tests of a mean. These laws hold for many decks:
    where a number is below a few decks for each cell of a chi-square, it only says that few are enough.

    Args:
        positions: the probability of each card at each place, rows of n; two cards or more.
        levels: each probability with the orders that have it.
        chi_square_distance: of the law from uniform.
    """
    n = len(positions)
    uneven = (n - 1) * sum(float(chance - Fraction(1, n)) ** 2 for row in positions for chance in row)
    found = {
        "every order": _chi_square_decks(factorial(n) - 1, float(chi_square_distance)),
        "position": _chi_square_decks((n - 1) ** 2, uneven),
    }
    for name, (of, mean, variance) in _statistics(n).items():
        shift = float(sum((chance * sum(map(of, orders)) for chance, orders in levels), Fraction(0)) - mean)
        found[name] = _mean_decks(shift, variance)
    return found


def _statistics(n: int) -> dict[str, tuple[Callable[[Sequence[int]], int], Fraction, float]]:
    """Return the statistics whose means are tested, with mean and variance on fair decks."""
    harmonic = sum((Fraction(1, k) for k in range(1, n + 1)), Fraction(0))
    return {
        "inversions": (inversions, Fraction(n * (n - 1), 4), n * (n - 1) * (2 * n + 5) / 72),
        "fixed points": (lambda p: sum(map(int.__eq__, p, identity(n))), Fraction(1), 1.0),
        "rising sequences": (rising_sequences, Fraction(n + 1, 2), (n + 1) / 12),
        "descents": (descents, Fraction(n - 1, 2), (n + 1) / 12),
        "cycles": (lambda p: len(cycles(p)), harmonic, float(harmonic) - sum(1 / k**2 for k in range(1, n + 1))),
    }


def _mean_decks(shift: float, variance: float) -> int | None:
    if abs(shift) < 1e-15:
        return None
    return _up((Z_FALSE_ALARM + Z_POWER) ** 2 * variance / shift**2)


def _chi_square_decks(degrees: int, a_deck: float) -> int | None:
    return None if a_deck < 1e-30 else _up(noncentrality_needed(degrees) / a_deck)


def _up(decks: float) -> int:
    return int(decks) + (decks > int(decks))


def noncentrality_needed(degrees: int) -> float:
    """Return the noncentrality at which a chi-square test of the level `FALSE_ALARM` has the power `POWER`.

    By bisection on the laws: the noncentral law is a Poisson mixture of central ones, and those are
    incomplete gamma functions. Good to six digits. SciPy has it as well, but this room does without.

    >>> round(noncentrality_needed(1), 2)
    52.1
    """
    bound = _solve(lambda x: 1 - _gamma_below(degrees / 2, x / 2) < FALSE_ALARM, float(degrees))
    return _solve(lambda more: _noncentral_below(bound, degrees, more) < 1 - POWER, 1.0)


def _solve(reached: Callable[[float], bool], guess: float) -> float:
    """Return where `reached`, which is monotone, becomes true."""
    high = guess + 10 * sqrt(guess) + 30
    while not reached(high):
        high *= 2
    low = 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
        if high - low < 1e-7 * high:
            break
    return high


def _gamma_below(shape: float, x: float) -> float:
    """Return the regularised lower incomplete gamma function P(shape, x).

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 6.5.29 and 6.5.31.
    """
    if x <= 0:
        return 0.0
    front = exp(shape * log(x) - x - lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        step = shape
        while term > 1e-16 * total:
            step += 1
            term *= x / step
            total += term
        return front * total
    # The continued fraction of the upper function, by Lentz's method.
    b = x + 1 - shape
    c, d = 1e300, 1 / b
    found = d
    for i in range(1, 100_000):
        a = i * (shape - i)
        b += 2
        d = 1 / (a * d + b)
        c = b + a / c
        found *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return 1 - front * found


def _noncentral_below(x: float, degrees: int, more: float) -> float:
    """Return the probability that a noncentral chi-square is below `x`: a Poisson mixture of central ones."""
    mean = more / 2
    middle = int(mean)
    spread = int(10 * sqrt(mean + 1)) + 10
    first, last = max(0, middle - spread), middle + spread
    below = _gamma_below(degrees / 2 + last, x / 2)
    total = 0.0
    # Downwards the recurrence P(s, x) = P(s + 1, x) + x^s e^-x / Gamma(s + 1) only adds.
    for j in range(last, first - 1, -1):
        shape = degrees / 2 + j
        if j < last:
            below += exp(shape * log(x / 2) - x / 2 - lgamma(shape + 1))
        total += exp(j * log(mean) - mean - lgamma(j + 1)) * below if mean else below * (j == 0)
    return total
