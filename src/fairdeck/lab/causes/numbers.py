"""Draws of one deck that depend on each other: one random number for all of them, or one that is used again.

A draw of v among m numbers, scaled, leaves a fraction u in [v/m, (v+1)/m); draws of one u have intervals that meet. Fair
draws among k and l numbers meet with the chance (k + l - gcd(k, l)) / kl. Remainders v = r mod m of one number r agree
modulo the common factors of their m. Each such chance is known, so few decks suffice; what the first decks show, later
ones have to show as well.

Rigid faults make draws that hardly vary, and so agree by accident: the draws have to take as many values as fair ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd, lcm, lgamma, log

import numpy as np

from fairdeck.bulk.shapes import Floats
from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import DRAWN, Cause, Sample
from fairdeck.lab.laws.draws import explains, fair_draws
from fairdeck.lab.statistics.draws import STATISTICS, Numbers
from fairdeck.lab.view import deck_view

RANK = DRAWN
FEW = True
MOST_DECKS, MOST_SEEDS = 128, 1_024  # of each half
SURE = 30.0  # nats: all of it together comes once in e^30 = 1e13 fair samples
VARIED = 0.7  # of the different values that fair draws take
NEARLY_ALL = 0.99
LOW_BITS = 2, 4, 8
COARSE = 5  # a tick that leaves the same remainder by so much, or more
LINE, EARLY = 0.3, 8  # of the power of a Fourier transform, and draws that it is made of
END = ", with the places counted from the other end"
ANEW = "draw a new random number for each card"
USED_AGAIN = "take new bytes for each draw: raise the cursor, or the counter of the digest"
CLOCK = "draw from the operating system's generator, not from a clock"
LOW = "draw from the operating system's generator; of an old one, use the high bits"
SEEDED_ONCE = "seed once, from the operating system, not with a number that counts up"


@dataclass(frozen=True, eq=False)
class Reading:
    """The draws of decks, read in one way; row t of `draws` has those among ``t + 2`` numbers."""

    words: str
    draws: Numbers  # shape ``(n - 1, B)``

    @property
    def cards(self) -> int:
        """The cards of a deck."""
        return len(self.draws) + 1

    @property
    def decks(self) -> int:
        """The number of decks."""
        return int(self.draws.shape[1])

    @property
    def sizes(self) -> Numbers:
        """Among how many numbers each draw is, as a column."""
        return np.arange(2, self.cards + 1)[:, None]

    @property
    def intervals(self) -> tuple[Floats, Floats]:
        """Between which fractions each draw lies."""
        return self.draws / self.sizes, (self.draws + 1) / self.sizes


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield how the draws of a deck depend on each other, if later decks confirm it."""
    later: dict[str, Reading] = {}
    for reading in readings(sample.first[:MOST_DECKS]):
        for words, repair, number in _dependent(reading):
            later = later or {each.words: each for each in readings(sample.later[:MOST_DECKS])}
            if any(words == again for again, _, _ in _dependent(later[reading.words])):
                yield _cause(reading, words, repair, number)
                return
    halves = (readings(each[:MOST_SEEDS]) for each in (sample.first, sample.later))
    for one, other in zip(*halves, strict=True):
        steps = line(one), line(other)
        if min(steps) and abs(steps[0] - steps[1]) < 2 / other.decks:
            words = f"with seeds that count up: a draw moves by {steps[0]:.3f} of its range from deck to deck"
            yield _cause(one, words, SEEDED_ONCE, ("step", steps[0]))
            return


def _cause(reading: Reading, words: str, repair: str, number: tuple[str, float] | None) -> Cause:
    seen = "seen in the first decks, and again in later ones"
    numbers = {number[0]: (number[1],) * 3} if number else {}
    return Cause(f"as if by {reading.words}, {words}", seen, repair, numbers=numbers)


def readings(decks: Decks) -> Iterator[Reading]:
    """Yield the draws of decks in all readings, from both ends of the deck."""
    for end, each in (("", decks), (END, decks[:, ::-1])):
        for statistic in STATISTICS:
            if statistic.fits(decks.shape[1]):
                found = statistic.read(deck_view(Block(each, each[:0])))
                for words, draws in zip(statistic.readings, found, strict=True):
                    yield Reading(words + end, draws[1:].astype(np.int16))


def _dependent(reading: Reading) -> Iterator[tuple[str, str, tuple[str, float] | None]]:
    """Yield how draws depend on each other, what repairs that, and a number of it."""
    if one_fraction(reading):
        yield "with one random fraction for all draws of a deck", ANEW, None
    elif one_number(reading):
        yield "with the remainders of one random number for all draws of a deck", ANEW, None
    elif (tick := common_tick(reading)) >= COARSE:
        words = f"with remainders of numbers that are all alike modulo {tick}, as of a clock with a coarse tick"
        yield words, CLOCK, ("tick", tick)
    elif period := period_of(reading, remainders=False):
        yield f"with each random number used again {period} draws later", USED_AGAIN, ("period", period)
    elif (period := period_of(reading, remainders=True)) and _even(reading):
        if period == LOW_BITS[0]:
            bits = [each for each in LOW_BITS if _agree(reading, each) > NEARLY_ALL]
            words = f"with the low bits of an old generator: remainders by {bits[-1]} repeat every {bits[-1]} draws"
            yield words, LOW, ("period", bits[-1])
        else:
            words = f"with remainders of random numbers, each of which is used again {period} draws later"
            yield words, USED_AGAIN, ("period", period)


def one_fraction(reading: Reading) -> bool:
    """Tell whether some fraction of each deck makes all draws: n numbers of n^2 make one of fewer than n^2 orders."""
    low, high = reading.intervals
    chance = 2 * log(reading.cards) - lgamma(reading.cards + 1)
    meet = low.max(axis=0) < high.min(axis=0) + 1e-12
    return -chance * reading.decks > SURE and bool(meet.all()) and varied(reading)


def one_number(reading: Reading) -> bool:
    """Tell whether each draw among 2m numbers leaves the draw among m as its remainder."""
    n, draws = reading.cards, reading.draws
    half = np.arange(2, n // 2 + 1)
    alike = draws[2 * half - 2] % half[:, None] == draws[half - 2]
    return lgamma(n // 2 + 1) * reading.decks > SURE and bool(alike.all()) and varied(reading)


def common_tick(reading: Reading) -> int:
    """Return the largest number by which all random numbers leave one remainder, as far as draws show it; 1 if none."""
    tick, nats = 1, 0.0
    for divisor in range(2, reading.cards // 2 + 1):  # of several draws each: one alone may be stuck
        rest = reading.draws[divisor - 2 :: divisor] % divisor
        if (rest == rest[0, 0]).all():
            tick, nats = lcm(tick, divisor), nats + (rest.size - 1) * log(divisor)
    return tick if nats > SURE and varied(reading, tick) else 1


def period_of(reading: Reading, *, remainders: bool) -> int:
    """Return how many draws apart the same random number comes again, scaled or as a remainder; 0 if none does."""
    if not varied(reading):
        return 0
    sizes, (low, high) = reading.sizes.ravel(), reading.intervals
    for apart in range(2, reading.cards - 3):
        one, other = sizes[:-apart], sizes[apart:]
        common = np.gcd(one, other)
        if remainders:
            nats, share = float(np.log(common).sum()), _agree(reading, apart)
        else:
            nats = -float(np.log((one + other - common) / (one * other)).sum())
            meet = (low[:-apart] < high[apart:] - 1e-12) & (low[apart:] < high[:-apart] - 1e-12)
            share = float(meet.mean())
        if share > NEARLY_ALL and nats * reading.decks > SURE:
            return apart
    return 0


def _agree(reading: Reading, apart: int) -> float:
    """Return how many draws, of those so far apart, agree modulo the common factor of their sizes."""
    sizes = reading.sizes.ravel()
    common = np.gcd(sizes[:-apart], sizes[apart:])
    told = common > 1
    gap = reading.draws[apart:][told] - reading.draws[:-apart][told]
    return float((gap % common[told, None] == 0).mean()) if told.any() else 0.0


def varied(reading: Reading, tick: int = 1) -> bool:
    """Tell whether draws take about as many values as fair ones, or as those whose numbers have a tick in common."""
    values = np.array([size // gcd(size, tick) for size in range(2, reading.cards + 1)])
    expected = values * -np.expm1(reading.decks * np.log1p(-1 / np.maximum(values, 1 + 1e-9)))
    met = sum(len(np.unique(row)) for row in reading.draws)
    return bool(met >= VARIED * expected.sum())


def _even(reading: Reading) -> bool:
    """Tell whether each draw by itself looks fair."""
    n = reading.cards
    table = np.zeros((n, n), np.int64)
    table[0, 0] = reading.decks
    for row, draws in enumerate(reading.draws, 1):
        table[row] = np.bincount(draws, minlength=n)
    return explains(fair_draws(n), table, reading.decks)


def line(reading: Reading) -> float:
    """Return by how much of its range a draw moves from each deck to the next; 0.0 if it does not.

    The Fourier transform of e^(2 pi i u) over the decks has then most of its power in one line.
    """
    fractions = (reading.draws + 0.5) / reading.sizes
    power = np.abs(np.fft.fft(np.exp(2j * np.pi * fractions[-EARLY:]), axis=1)) ** 2 / reading.decks
    power[:, [0, 1, -1]] = 0  # uneven draws
    row, at = np.unravel_index(int(power.argmax()), power.shape)
    enough = power[row, at] > max(LINE * reading.decks, SURE + log(power.size))
    return float(at / reading.decks) if enough and varied(reading) else 0.0
