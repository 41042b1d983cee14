"""Draws of one deck that depend on each other: one random number for all of them, or one that is used again.

A draw of v among m numbers, scaled, leaves a fraction u in [v/m, (v+1)/m); draws of one u have intervals that meet.
Fair draws among k and l numbers meet with the chance (k + l - gcd(k, l)) / kl. Remainders v = r mod m of one number r
agree modulo the common factors of their m. So each chance is known and few decks suffice; later decks have to confirm
what the first ones show. Draws that hardly vary, as of rigid faults, agree by accident, so they tell nothing.
"""

from collections.abc import Iterator
from math import gcd, lcm, lgamma, log

import numpy as np
from numpy.typing import NDArray

from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import GENERATED, Cause, Sample
from fairdeck.lab.laws.draws import explains, fair_draws
from fairdeck.lab.statistics.draws import READINGS, STATISTICS, readings_of
from fairdeck.lab.view import deck_view

RANK = GENERATED
FEW = True
MOST_DECKS, MOST_SEEDS = 128, 1_024  # of each half
SURE = 30.0  # nats: all of it together comes once in e^30 = 1e13 fair samples
VARIED = 0.7  # of the different values that fair draws take
SIEVED, HALF, NEARLY_ALL = 8, 0.5, 0.99  # first decks; of draws that agree, a share in these, and in all
LOW_BITS = 8, 4, 2
OF_ONE_DECK = 5.0  # nats: a rigid fault makes a few draws agree by accident in every deck
COARSE = 5  # a tick that leaves the same remainder by so much, or more
LINE, EARLY = 0.3, 8  # of the power of a Fourier transform, and draws that it is made of
NEAR = 0.02  # of the range of a draw: steps in two halves
ANEW = "draw a new random number for each card"
USED_AGAIN = "take new bytes for each draw: raise the cursor, or the counter of the digest"
CLOCK = "draw from the operating system's generator, not from a clock"
LOW = "draw from the operating system's generator; of an old one, use the high bits"
SEEDED_ONCE = "seed once, from the operating system, not with a number that counts up"
Draws = NDArray[np.integer]  # shape ``(n - 1, B)``; row t has the draws among ``t + 2`` numbers
Told = tuple[str, str, dict[str, float]]  # how draws depend on each other, the repair, and a number


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield how the draws of a deck depend on each other, or on those of the deck before, if later decks confirm it."""
    for most, ask in ((MOST_DECKS, _of_one_deck), (MOST_SEEDS, _of_seeds)):
        later: list[Draws] = []
        for at, (reading, draws) in enumerate(readings(sample.first[:most])):
            if (told := ask(draws)) is None:
                continue
            later = later or [each for _, each in readings(sample.later[:most])]
            words, repair, numbers = told
            again = ask(later[at])
            if again and again[1] == repair and all(abs(again[2][name] - numbers[name]) < NEAR for name in numbers):
                intervals = {name: (number, number, number) for name, number in numbers.items()}
                seen = "seen in the first decks, and again in later ones"
                yield Cause(f"as if by {reading}, {words}", seen, repair, numbers=intervals)
                return


def readings(decks: Decks) -> Iterator[tuple[str, Draws]]:
    """Yield the draws of decks in all readings, from both ends of the deck."""
    ends = {"": decks, ", with the places counted from the other end": decks[:, ::-1]}
    for end, each in ends.items() if STATISTICS[0].fits(decks.shape[1]) else ():
        for words, draws in zip(READINGS, readings_of(deck_view(Block(each, each[:0]))), strict=True):
            yield words + end, draws[1:]


def _of_one_deck(draws: Draws) -> Told | None:
    if one_fraction(draws):
        return "with one random fraction for all draws of a deck", ANEW, {}
    if one_number(draws):
        return "with the remainders of one random number for all draws of a deck", ANEW, {}
    if (tick := common_tick(draws)) >= COARSE:
        words = f"with remainders of numbers that are all alike modulo {tick}, as of a clock with a coarse tick"
        return words, CLOCK, {"tick": tick}
    if apart := period_of(draws, remainders=False):
        return f"with each random number used again {apart} draws later", USED_AGAIN, {"period": apart}
    if not (apart := period_of(draws, remainders=True)) or not look_even(draws):
        return None
    if apart == LOW_BITS[-1]:
        apart = next(each for each in LOW_BITS if _agreeing(draws, each)[0] > NEARLY_ALL)
        words = f"with the low bits of an old generator: remainders by {apart} repeat every {apart} draws"
        return words, LOW, {"period": apart}
    words = f"with remainders of random numbers, each of which is used again {apart} draws later"
    return words, USED_AGAIN, {"period": apart}


def _of_seeds(draws: Draws) -> Told | None:
    """Tell whether a draw moves by the same part of its range from each deck to the next.

    The Fourier transform of e^(2 pi i u) over the decks has then most of its power in one line.
    """
    fractions = (draws + 0.5) / _sizes(draws)
    decks = draws.shape[1]
    power = np.abs(np.fft.fft(np.exp(2j * np.pi * fractions[-EARLY:]), axis=1)) ** 2 / decks
    power[:, [0, 1, -1]] = 0  # uneven draws
    row, at = np.unravel_index(int(power.argmax()), power.shape)
    if power[row, at] < max(LINE * decks, SURE + log(power.size)) or not varied(draws):
        return None
    step = float(at / decks)
    moved = f"each deck's draw is {step:.2f} of its range further"
    if (LOW_BITS[0] * step).is_integer():  # seeds hardly ever count up by such a step
        return f"with the low bits of an old generator: {moved}", LOW, {}
    return f"with numbers in equal steps, as of seeds that count up: {moved}", SEEDED_ONCE, {"step": step}


def one_fraction(draws: Draws) -> bool:
    """Tell whether some fraction of each deck makes all draws: all fractions make fewer than n^2 of the n! orders."""
    low, high = _intervals(draws)
    n, decks = len(draws) + 1, draws.shape[1]
    meet = low.max(axis=0) < high.min(axis=0) + 1e-12
    return (lgamma(n + 1) - 2 * log(n)) * decks > SURE and bool(meet.all()) and varied(draws)


def one_number(draws: Draws) -> bool:
    """Tell whether each draw among 2m numbers leaves the draw among m as its remainder."""
    n, decks = len(draws) + 1, draws.shape[1]
    half = np.arange(2, n // 2 + 1)
    alike = draws[2 * half - 2] % half[:, None] == draws[half - 2]
    return lgamma(n // 2 + 1) * decks > SURE and bool(alike.all()) and varied(draws)


def common_tick(draws: Draws) -> int:
    """Return the largest number by which all random numbers leave one remainder, as far as draws show it; 1 if none."""
    tick, nats = 1, 0.0
    for divisor in range(2, (len(draws) + 1) // 2 + 1):  # of several draws each: one alone may be stuck
        rest = draws[divisor - 2 :: divisor] % divisor
        if (rest == rest[0, 0]).all():
            tick, nats = lcm(tick, divisor), nats + (rest.size - 1) * log(divisor)
    return tick if nats > SURE and varied(draws, tick) else 1


def period_of(draws: Draws, *, remainders: bool) -> int:
    """Return how many draws apart the same random number comes again, scaled or as a remainder; 0 if none does."""
    alike = _agreeing if remainders else _meeting
    likely = (apart for apart in range(2, len(draws) - 2) if alike(draws[:, :SIEVED], apart)[0] > HALF)
    for apart in likely if varied(draws) else ():
        share, nats = alike(draws, apart)
        if share > NEARLY_ALL and nats > OF_ONE_DECK and nats * draws.shape[1] > SURE:
            return apart
    return 0


def _meeting(draws: Draws, apart: int) -> tuple[float, float]:
    """Return the share of draws so far apart whose intervals meet, and -log of the chance that all of a deck do."""
    low, high = _intervals(draws)
    one, other = _sizes(draws)[:-apart], _sizes(draws)[apart:]
    meet = (low[:-apart] < high[apart:] - 1e-12) & (low[apart:] < high[:-apart] - 1e-12)
    return float(meet.mean()), -float(np.log((one + other - np.gcd(one, other)) / (one * other)).sum())


def _agreeing(draws: Draws, apart: int) -> tuple[float, float]:
    """Return the same for draws that agree modulo the common factor of their sizes."""
    common = np.gcd(_sizes(draws)[:-apart], _sizes(draws)[apart:])
    told = common.ravel() > 1
    gap = draws[apart:][told] - draws[:-apart][told]
    return float((gap % common[told] == 0).mean()) if told.any() else 0.0, float(np.log(common).sum())


def varied(draws: Draws, tick: int = 1) -> bool:
    """Tell whether draws take about as many values as fair ones, or as those whose numbers have a tick in common."""
    values = np.array([[size // gcd(size, tick)] for size in range(2, len(draws) + 2)])  # a tick may be any integer
    expected = values * (1 - (1 - 1 / values) ** draws.shape[1])
    return bool(sum(len(np.unique(row)) for row in draws) >= VARIED * expected.sum())


def look_even(draws: Draws) -> bool:
    """Tell whether each draw by itself looks fair."""
    n = len(draws) + 1
    table = [np.bincount(row, minlength=n) for row in (np.zeros_like(draws[0]), *draws)]
    return explains(fair_draws(n), np.array(table), draws.shape[1])


def _sizes(draws: Draws) -> NDArray[np.int64]:
    return np.arange(2, len(draws) + 2)[:, None]


def _intervals(draws: Draws) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return draws / _sizes(draws), (draws + 1) / _sizes(draws)
