"""How far the law of a shuffle is from uniform, and how many decks a test needs to see it.

All distances are exact fractions where they can be. With something unresolved they are those of
what was resolved: total variation and separation are then bounds, see there.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, factorial, lgamma, log, log2, sqrt

from fairdeck.lab.exact.tree import OrderLaw
from fairdeck.permutation import Permutation, cycles, descents, identity, inversions, rising_sequences

FALSE_ALARM = 1e-6
POWER = 0.99
Z_FALSE_ALARM = 4.891638475699  # of the normal law, for half the false alarm on either side
Z_POWER = 2.326347874041

Fractions = list[list[Fraction]]


def total_variation(law: OrderLaw) -> Fraction:
    """Return the distance in total variation from uniform, 0 to 1.

    With something unresolved it is a lower bound; the distance is at most that much larger.
    """
    fair = Fraction(1, factorial(law.cards))
    return sum(((chance - fair) * len(orders) for chance, orders in _levels(law) if chance > fair), Fraction(0))


def separation(law: OrderLaw) -> Fraction:
    """Return the separation from uniform, ``1 - n! min P``, 0 to 1; with something unresolved an upper bound.

    Source: Aldous and Diaconis, "Strong uniform times and finite random walks", Adv. Appl. Math. 8 (1987).
    """
    return max(Fraction(0), 1 - factorial(law.cards) * least(law)[1])


def kl_bits(law: OrderLaw) -> float:
    """Return the Kullback-Leibler divergence from uniform in bits: how much less than n! orders are hard to guess."""
    all_ = factorial(law.cards)
    # Of numbers too long for a float the logarithm is the difference of two.
    terms = [
        float(chance) * len(orders) * (log2(chance.numerator * all_) - log2(chance.denominator))
        for chance, orders in _levels(law)
    ]
    return max(0.0, sum(terms))


def chi_square_distance(law: OrderLaw) -> Fraction:
    """Return ``n! sum P^2 - 1``: what one deck adds to the noncentrality of a chi-square over all orders."""
    return factorial(law.cards) * sum((chance**2 * len(orders) for chance, orders in _levels(law)), Fraction(0)) - 1


def likeliest(law: OrderLaw) -> tuple[Permutation, Fraction]:
    """Return the likeliest order, the first in dictionary order if there are several, and its probability."""
    return max(law.orders.items(), key=lambda item: (item[1], [-card for card in item[0]]))


def least(law: OrderLaw) -> tuple[Permutation, Fraction]:
    """Return the least likely order, the first in dictionary order if there are several, and its probability."""
    if len(law.orders) < factorial(law.cards):
        return _first_missing(law), Fraction(0)
    return min(law.orders.items(), key=lambda item: (item[1], item[0]))


def _first_missing(law: OrderLaw) -> Permutation:
    from itertools import permutations

    return next(order for order in permutations(range(law.cards)) if order not in law.orders)


def positions(law: OrderLaw) -> Fractions:
    """Return the probability that place i holds card c, as rows of n places of n cards each."""
    found = [[Fraction(0)] * law.cards for _ in range(law.cards)]
    for chance, orders in _levels(law):
        for place, cards in enumerate(zip(*orders, strict=True)):
            for card, count in Counter(cards).items():
                found[place][card] += count * chance
    return found


def _levels(law: OrderLaw) -> list[tuple[Fraction, list[Permutation]]]:
    """Return the orders by their probability: fractions are slow, and many orders share one."""
    found: dict[Fraction, list[Permutation]] = {}
    for order, chance in law.orders.items():
        found.setdefault(chance, []).append(order)
    return list(found.items())


def even_orders(law: OrderLaw) -> Fraction:
    """Return the probability of an even order; 1/2 if fair, of two cards or more."""

    def even(order: Permutation) -> bool:
        return (law.cards - len(cycles(order))) % 2 == 0

    return sum((chance * sum(map(even, orders)) for chance, orders in _levels(law)), Fraction(0))


def cannot_be_fair(law: OrderLaw) -> bool:
    """Say whether arithmetic alone rules a fair law out: n! does not divide the number of equally likely ways."""
    return law.grain is not None and law.grain % factorial(law.cards) != 0


def decks_needed(law: OrderLaw) -> dict[str, int | None]:
    """Return how many decks each test needs to see the fault, or None where it never would.

    With a false alarm in a million and found 99 times of 100. The two chi-squares have the
    noncentral law (that over all orders, and that of cards against places with its right
    weight); the others are normal tests of a mean. All are laws for many decks: a number below a
    few decks for each cell of a chi-square says only that few are enough.
    """
    n = law.cards
    if n < 2:
        return {}
    rows = positions(law)
    uneven = (n - 1) * sum(float(chance - Fraction(1, n)) ** 2 for row in rows for chance in row)
    found = {
        "every order": _chi_square_decks(factorial(n) - 1, float(chi_square_distance(law))),
        "position": _chi_square_decks((n - 1) ** 2, uneven),
    }
    levels = _levels(law)
    for name, (of, mean, variance) in _statistics(n).items():
        shift = float(sum((chance * sum(map(of, orders)) for chance, orders in levels), Fraction(0)) - mean)
        found[name] = _mean_decks(shift, variance)
    return found


def _statistics(n: int) -> dict[str, tuple[Callable[[Sequence[int]], int], Fraction, float]]:
    """Return the numbers whose means are tested, with their mean and variance on fair decks."""
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


def noncentrality_needed(degrees: int, false_alarm: float = FALSE_ALARM, power: float = POWER) -> float:
    """Return the noncentrality at which a chi-square test of this level has this power.

    By bisection on the laws themselves: the noncentral one is a Poisson mixture of central ones,
    and those are incomplete gamma functions. Good to six digits.

    >>> round(noncentrality_needed(1), 2)
    52.1
    """
    bound = _solve(lambda x: 1 - _gamma_below(degrees / 2, x / 2) < false_alarm, float(degrees))
    return _solve(lambda more: _noncentral_below(bound, degrees, more) < 1 - power, 1.0)


def _solve(reached: Callable[[float], bool], guess: float) -> float:
    """Return where `reached` turns true; it stays so further up."""
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
    """Return how likely a noncentral chi-square is below `x`: central ones, their degrees spread by a Poisson law."""
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
