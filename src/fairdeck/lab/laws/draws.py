"""Laws of the draws that shuffling programs make, fair and faulty: `rand() % n`, `rand() * n >> 16` and the like.

A shuffle that draws one number for each card makes draw ``k`` with chances of its own on ``0 .. k``, for k from 1 to
n-1. On fair decks the chances are equal. All draws are independent, so a law is one table of chances, and the
likelihood of any number of decks follows from how often each draw gave each number.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from math import inf, sqrt

import numpy as np

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.laws.contrast import Contrast

BITS = range(6, 25)
NUMBERS = (100, 1_000, 10_000)  # as of a random percentage, or of milliseconds
ROUNDED, CLAMPED = range(6, 11), (64, 100, 128, 256)  # bits that are rounded, and bounds of numbers that are clamped
WITHIN = 4.0  # standard deviations: what a law explains
BINS, FITTED = 60, 200  # steps of a density; and of its fit
EVEN, STEEP = 0.01, 0.25  # of quarters that are even, and, of a step that is not, the share by which it is off
RARE = 1e-4  # of all numbers, anywhere: what never came may come
MISSED = 1e-6  # the chance that a draw leaves out numbers by accident
WIDE = 2.58  # standard errors: 99 %
OTHER_END = ", counted from the other end"

Numbers = dict[str, tuple[float, float, float]]
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
    numbers: Numbers = field(default_factory=dict)  # that were fitted, by name: the likeliest, the least, the most

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
        ("mean of two", "the mean of two numbers, rounded down: those in the middle come more often", _mean_of_two),
    ):
        yield from both_ends(kind, 0, words, n, row)
    for bits in ROUNDED:
        words = f"`round(rand() / RAND_MAX * k)` with {bits} bits"
        yield from both_ends("rounded", bits, words, n, partial(_rounded_from, 2**bits))
    for numbers in (n, *CLAMPED):
        below = "the size of the deck" if numbers == n else numbers
        words = f"numbers below {below} that are clamped when they are too large"
        yield from both_ends("clamped", 0, words, n, partial(_clamped, numbers))


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


def _mean_of_two(k: int) -> Floats:
    return np.bincount(np.add.outer(np.arange(k + 1), np.arange(k + 1)).ravel() // 2) / (k + 1) ** 2


def _rounded_from(numbers: int, k: int) -> Floats:
    drawn = (2 * np.arange(numbers) * k + numbers - 1) // (2 * (numbers - 1))
    return np.asarray(np.bincount(drawn, minlength=k + 1) / numbers)


def _clamped(numbers: int, k: int) -> Floats:
    return np.append(np.arange(k) < numbers, max(0, numbers - k)) / numbers


# Laws that are fitted to draws, for faults that have no name here


def of_reach(counts: Counts) -> DrawLaw:
    """Return even draws among the numbers that came, from the least to the largest of each draw that left some out."""
    number, came = np.arange(len(counts)), counts > 0
    least, most = came.argmax(axis=1), number[-1] - came[:, ::-1].argmax(axis=1)
    chance = ((most + 1 - least) / (number + 1)) ** counts[-1].sum()  # that fair draws leave out as many
    least, most = np.where(chance < MISSED, least, 0), np.where(chance < MISSED, most, number)
    short = np.flatnonzero(most - least < number)
    inside = (least[:, None] <= number) & (number <= most[:, None])
    first, last = (short[-1], short[0]) if len(short) else (0, 0)
    if (least[short] == most[short]).all():
        kind, which = "draws left out", f"{len(short)} of the draws, among {first + 1} to {last + 1}"
        words = f"fair numbers, but without {which if first > last else f'the draw among {first + 1}'}"
    else:
        kind, only = "reach", f"{least[first]} to {most[first]}"
        words = f"equally likely numbers that leave out some: {len(short)} of {number[-1]} draws do so, such as {only} "
        words += f"instead of 0 to {first}"
    return DrawLaw(kind, 0, words, inside / inside.sum(axis=1, keepdims=True), bool(least[short].any()))


def of_ends(counts: Counts) -> DrawLaw:
    """Return draws whose first and whose last number come more or less often than those in between."""
    came, decks = np.array([counts[1:, 0].sum(), np.trace(counts) - counts[0, 0]]), counts[1:].sum(axis=1)
    weights, ends = np.tri(len(counts)), np.ones(2)
    for _ in range(FITTED):
        ends = came / (decks / (np.arange(len(decks)) + ends.sum())).sum()
    weights[1:, 0], weights[np.diag_indices(len(decks) + 1)] = ends[0], [1, *ends[[1] * len(decks)]]
    words = "numbers of which the first comes {:.2f} times and the last {:.2f} times as often as one in between"
    words = words.format(*ends)
    first, last = map(_interval, ends, ends / np.sqrt(np.maximum(came, 1)))
    chances = weights / weights.sum(axis=1, keepdims=True)
    return DrawLaw("ends", 0, words, chances, numbers={"first": first, "last": last})


def of_density(counts: Counts) -> DrawLaw:
    """Return draws of scaled random numbers that are uneven, with the likeliest density (by expectation-maximization).

    The density has `BINS` steps; a draw among m numbers is v if the random number lies from v/m to (v+1)/m.
    """
    draw, number = np.nonzero(np.tri(len(counts))[1:])
    low, high = (((number + end) / (draw + 2))[:, None] * BINS for end in (0, 1))
    inside = np.clip(np.minimum(high, np.arange(BINS) + 1) - np.maximum(low, np.arange(BINS)), 0, 1)
    came, mass = counts[draw + 1, number], np.full(BINS, 1 / BINS)
    for _ in range(FITTED):
        mass *= (came / np.maximum(inside @ mass, 1e-300)) @ inside / came.sum()
    chances = np.eye(len(counts))  # that draw 0 is 0
    chances[draw + 1, number] = inside @ ((1 - RARE) * mass + RARE / BINS)
    quarters = mass.reshape(4, -1).sum(axis=1)
    words = "numbers of which {:.1%}, {:.1%}, {:.1%} and {:.1%} lie in the four quarters of their range".format(
        *quarters
    )
    if abs(quarters - 1 / 4).max() < EVEN and abs(mass * BINS - 1).max() > STEEP:
        oddest = abs(mass - 1 / BINS).argmax()
        words = f"numbers of which {mass[oddest]:.2%} lie in one {BINS}th of their range, "
        words += f"from {oddest / BINS:.0%} of it on, where {1 / BINS:.2%} would be fair"
    half = min(1.0, quarters[:2].sum())
    share = _interval(half, np.sqrt(half * (1 - half) / came.sum()))
    return DrawLaw("density", 0, words, chances, numbers={"lower half": share})


def _interval(fit: float, error: float) -> tuple[float, float, float]:
    return float(fit), float(fit - WIDE * error), float(fit + WIDE * error)


FROM_BITS: dict[str, tuple[Callable[[int, int], Floats], str]] = {
    "modulo": (modulo, "`rand() % n` with {bits} bits"),
    "scaled": (scaled, "`rand() * n >> {bits}` with {bits} bits"),
    "scaled by the largest": (
        scaled_by_largest,
        "`rand() / RAND_MAX * n` with {bits} bits, the largest number clamped",
    ),
}
