"""Laws of the draws that shuffling programs make, fair and faulty: `rand() % n`, `rand() * n >> 16` and the like.

A shuffle that draws one number for each card makes draw ``k`` with chances of its own on ``0 .. k``, for k from 1 to
n-1. On fair decks the chances are equal. All draws are independent, so a law is one table of chances, and the
likelihood of any number of decks follows from how often each draw gave each number.
"""

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from math import inf, sqrt

import numpy as np

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.laws.contrast import Contrast

BITS = range(6, 25)
NUMBERS = (100, 1_000, 10_000)  # as of a random percentage, or of milliseconds
WITHIN = 4.0  # standard deviations: what a law explains
OTHER_END = ", counted from the other end"

Row = Callable[[int], Floats]  # the chances of the numbers 0 .. k


@dataclass(frozen=True, eq=False)
class DrawLaw:
    """The chances of the draws of one kind of program."""

    kind: str  # ``modulo``, ``scaled``, ``scaled by the largest``, ``off by one``, ...
    bits: int  # how many random bits a draw has; 0 where that is not what is wrong
    words: str  # how the numbers are drawn, to follow "with draws like"
    chances: Floats  # shape ``(n, n)``; row ``k`` has the chances of the numbers ``0 .. k`` of draw ``k``, then zeros.
    # whether the deck counts its places or cards the other way, so that k is 0, and 0 is k
    from_the_other_end: bool = False

    @property
    def values(self) -> int:
        """How many values the random numbers have, if that is what is wrong; else 0."""
        kind, _, number = self.kind.partition(" of ")
        return (int(number) if number else 2**self.bits if self.bits else 0) if kind in ("modulo", "scaled") else 0

    @property
    def name(self) -> str:
        """The kind and the number of bits, such as ``modulo 8``."""
        return f"{self.kind} {self.bits}" if self.bits else self.kind

    @cached_property
    def logs(self) -> Floats:
        """The log of each chance over the fair one: -inf for a number that never comes, 0 for one that is no draw."""
        inside = np.tri(len(self.chances), dtype=bool)
        with np.errstate(divide="ignore"):
            ratios = np.log(self.chances * np.arange(1, len(self.chances) + 1)[:, None])
        return np.where(inside, ratios, 0.0)

    @cached_property
    def divergence(self) -> float:
        """How much evidence one deck gives on average, in nats: the Kullback-Leibler divergence from fair draws."""
        return float(np.sum(self.chances * np.where(self.chances > 0, self.logs, 0.0)))

    @cached_property
    def contrast(self) -> Contrast:
        """The log likelihood ratio of a deck, for a law under which every number can come."""
        return Contrast(self.logs)


def log_likelihood(counts: Counts, law: DrawLaw) -> float:
    """Return the log of how much likelier the counted draws are under `law`, of their size of deck, than if fair.

    `counts` has shape ``(n, n)``: how often draw ``k`` was ``v``, as in `fairdeck.lab.statistics.draws`. The result is
    -inf if a number came that cannot come under `law`.
    """
    seen = counts > 0
    return float(np.sum(counts[seen] * law.logs[seen]))


def explains(law: DrawLaw, counts: Counts, decks: int) -> bool:
    """Tell whether decks from `law` would give counts like these: what is odd about fair decks is then explained.

    Two things must lie within a few standard deviations of what `law` expects: the log likelihood, and Pearson's sum of
    squares over all numbers of all draws, which notices other faults.
    """
    seen = log_likelihood(counts, law)
    if seen == -inf:
        return False
    can = law.chances > 0
    logs = np.where(can, law.logs, 0.0)
    spread = float(np.sum(law.chances * logs**2) - np.sum(np.sum(law.chances * logs, axis=1) ** 2))
    expected = decks * law.chances[can]
    degrees = int(can.sum()) - len(counts)
    # The exact variance of Pearson's sum: few decks leave many cells nearly empty.
    inverse = float(np.sum(1 / law.chances[can]) - np.sum(can.sum(axis=1) ** 2.0))
    variance = max(1.0, 2 * degrees * (1 - 1 / decks) + inverse / decks)
    squares = float(np.sum((counts[can] - expected) ** 2 / expected))
    likely = decks * law.divergence
    # Some laws give every deck the same likelihood: then only rounding is left.
    near = abs(seen - likely) <= WITHIN * sqrt(decks * max(0.0, spread)) + 1e-9 * max(1.0, likely)
    return near and squares - degrees <= WITHIN * sqrt(variance)


def fair_draws(n: int) -> DrawLaw:
    """Return the law of a fair shuffle: every number of every draw is as likely as the others."""
    return DrawLaw("fair", 0, "fair ones", np.tri(n) / np.arange(1, n + 1)[:, None])


@cache
def draw_laws(n: int) -> tuple[DrawLaw, ...]:
    """Return every law that the lab knows for decks of `n` cards."""
    return tuple(_laws(n))


def _laws(n: int) -> Iterator[DrawLaw]:
    for kind in FROM_BITS:
        yield from of_bits(kind, BITS, n)
    for numbers in (*NUMBERS, n):
        words = f"`rand() % n` with random numbers below {numbers:,}"
        yield from both_ends(f"modulo of {numbers}", 0, words, n, partial(modulo, numbers))
    for kind, words, row in (
        ("off by one", "numbers below a bound that is too low by one: the largest never comes", _without_last),
        ("bound drawn", "numbers below a bound that is itself drawn at each turn of the loop", _below_drawn),
        ("rounded", "`round(random() * k)`: the first and the last number come half as often", _rounded),
        (
            "clamped",
            "numbers below the size of the deck that are clamped when they are too large",
            partial(_clamped, n),
        ),
    ):
        yield from both_ends(kind, 0, words, n, row)
    for kind, words, fixed in (
        ("first draw left out", "fair numbers, but without the draw for the whole deck", [n - 1]),
        ("last draw left out", "fair numbers, but without the draw for the last two cards", [1]),
    ):
        yield from both_ends(kind, 0, words, n, partial(fair_but, fixed))


def of_bits(kind: str, bits: Iterable[int], n: int) -> Iterator[DrawLaw]:
    """Yield the laws of a kind of `FROM_BITS` for `n` cards, for each number of random bits, from both ends."""
    row, words = FROM_BITS[kind]
    for each in bits:
        yield from both_ends(kind, each, words.format(bits=each), n, partial(row, 2**each))


def both_ends(kind: str, bits: int, words: str, n: int, row: Row) -> Iterator[DrawLaw]:
    """Yield the law of draws with these chances, and that of draws counted from the other end."""
    for turned in (False, True):
        chances = np.zeros((n, n))
        for k in range(n):
            chances[k, : k + 1] = row(k)[::-1] if turned else row(k)
        yield DrawLaw(kind, bits, words + OTHER_END * turned, chances, turned)


def modulo(numbers: int, k: int) -> Floats:
    """Return the law of a random number below `numbers`, modulo k+1."""
    each, more = divmod(numbers, k + 1)
    return (each + (np.arange(k + 1) < more)) / numbers


def scaled(numbers: int, k: int) -> Floats:
    """Return the law of a random number below `numbers`, times k+1, over `numbers`, truncated."""
    starts = -(-np.arange(k + 2) * numbers // (k + 1))
    return np.diff(starts) / numbers


def scaled_by_largest(numbers: int, k: int) -> Floats:
    """Return the law of a random number below `numbers`, times k+1, over the largest number, truncated and clamped."""
    counts = np.diff(-(-np.arange(k + 2) * (numbers - 1) // (k + 1)))
    counts[k] += 1
    return counts / numbers


def _without_last(k: int) -> Floats:
    return np.append(np.full(k, 1 / k), 0.0) if k else np.ones(1)


def _below_drawn(k: int) -> Floats:
    """Return the law of a number below a bound of 1 to k+1, all as likely."""
    return np.cumsum((1 / np.arange(1, k + 2))[::-1])[::-1] / (k + 1)


def _rounded(k: int) -> Floats:
    chances = np.full(k + 1, 1 / max(1, k))
    chances[[0, k]] /= 2 if k else 1
    return chances


def _clamped(n: int, k: int) -> Floats:
    return np.append(np.full(k, 1 / n), (n - k) / n)


def fair_but(fixed: Container[int], k: int) -> Floats:
    """Return the law of fair draws, but for some that are left out, so that a card stays where it is."""
    return np.append(np.zeros(k), 1.0) if k in fixed else np.full(k + 1, 1 / (k + 1))


FROM_BITS: dict[str, tuple[Callable[[int, int], Floats], str]] = {
    "modulo": (modulo, "`rand() % n` with {bits} bits"),
    "scaled": (scaled, "`rand() * n >> {bits}` with {bits} bits"),
    "scaled by the largest": (
        scaled_by_largest,
        "`rand() / RAND_MAX * n` with {bits} bits, the largest number clamped",
    ),
}
