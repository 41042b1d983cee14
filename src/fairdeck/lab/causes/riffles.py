"""How many riffles decks are worth, or how few keys they were sorted by: the exact law of rising sequences.

A deck with r rising sequences has the chance ``C(a + n - r, n) / a^n`` after a riffle of a packets; k riffles are one
of 2^k. The formula is a law for every real a above n as well, so a need not be whole: "about 5.5 riffles". Decks that
are sorted by random keys below a, ties kept in order, are the inverses of such decks.
Source: Bayer and Diaconis, Ann. Appl. Probab. 2 (1992), theorem 1.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from math import ceil, floor

import numpy as np
from scipy.special import chdtri, gammaln

from fairdeck.bulk.shapes import Counts, Floats, card_type
from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import MIXED, REFUSED, Cause
from fairdeck.lab.causes.ways import EXCHANGED, TURNED_OVER
from fairdeck.lab.laws.scalar import merged
from fairdeck.lab.laws.tails import deviance
from fairdeck.lab.statistics.descents import rising_law, rising_sequences
from fairdeck.lab.view import deck_view
from fairdeck.shuffles.riffle import gsr_riffles

RANK = MIXED
SYMMETRIC = {TURNED_OVER, EXCHANGED}  # sorts are riffles with cards and places exchanged
FEWEST_RIFFLES, MOST_RIFFLES = 0.5, 12.0
LARGEST = 300  # cards: the law of rising sequences is computed in whole numbers
CONFIDENCE = 0.99
FAR = 0.01  # of the total variation that is called mixed
LEAST_CELLS = 3
PRECISE, STEPS = 1e-6, 17  # of a riffle; numbers that are tried at a time
FEWER = 4.0  # standard errors: so many fewer rising sequences than fair decks have
SORT = "sort by random numbers of 64 bits, or shuffle by Fisher and Yates, with n - 1 draws"


def fit(decks: Decks) -> Iterator[Cause]:
    """Yield the riffles, and the sort by few keys, that leave so many rising sequences."""
    n, size = decks.shape[1], len(decks)
    if not 5 <= n <= LARGEST:
        return
    for keys, counts in enumerate((rising(decks), rising(np.argsort(decks, axis=1)))):
        if counts @ np.arange(1, n + 1) / size > (n + 1) / 2 - FEWER * ((n + 1) / 12 / size) ** 0.5:
            continue
        least, fitted, most = riffles(counts, n)
        if fitted >= FEWEST_RIFFLES and most <= MOST_RIFFLES and follows(counts, fitted, n):
            yield _told(n, size, (fitted, least, most), keys=bool(keys))


def _told(n: int, size: int, times: tuple[float, float, float], *, keys: bool) -> Cause:
    """Return the cause, with a whole number of riffles or packets if that is likely."""
    fitted, least, most = times
    whole = range(ceil(least), floor(most) + 1)
    if whole:
        fitted = float(min(whole, key=lambda each: abs(each - fitted)))
    packets = round(2**fitted)
    make = partial(by_keys if keys else riffled, n, packets)
    seen = f"{size:,} decks fall into as many pieces that are still in order as this predicts"
    if keys:
        low, high = floor(2**least), ceil(2**most)
        number = f"{packets}" if floor(2**most) == ceil(2**least) == packets else f"about {packets} ({low} to {high})"
        words = f"each deck is as if sorted by random numbers below {number}, many of which are equal"
        return Cause(words, seen, SORT, numbers={"keys": (packets, 2**least, 2**most)}, make=make)
    enough = next(k for k in range(1, 100) if float(gsr_riffles(n, k).total_variation or 0) < FAR)
    span = f"{least:.2f} to {most:.2f}" if f"{least:.2f}" != f"{most:.2f}" else f"{fitted:.2f}"
    words = f"each deck is as after {fitted:.1f} riffles of a sorted deck ({span})"
    words += "" if whole else f", or one of {packets} packets"  # people riffle a whole number of times
    repair = f"riffle {enough} times in all"
    return Cause(words, seen, repair, numbers={"riffles": times}, make=make)


def riffled(n: int, packets: int, size: int, rng: np.random.Generator) -> Decks:
    """Return sorted decks after a riffle of so many packets."""
    return np.argsort(by_keys(n, packets, size, rng), axis=1).astype(card_type(n))


def by_keys(n: int, below: int, size: int, rng: np.random.Generator) -> Decks:
    """Return decks sorted by random keys, ties in order."""
    return np.argsort(rng.integers(below, size=(size, n)), axis=1, kind="stable").astype(card_type(n))


def rising(decks: Decks) -> Counts:
    """Return how many decks have 1, 2, ..., n rising sequences."""
    found = rising_sequences(deck_view(Block(decks, decks[:0])))
    return np.bincount(found, minlength=decks.shape[1] + 1)[1:]


def log_law(k: float, n: int) -> Floats:
    """Return log P(r rising sequences), for r = 1 to n, after `k` riffles; -inf where that is impossible."""
    a, r = 2.0**k, np.arange(1, n + 1)
    # C(a + n - r, n), for a real a; 0 for a whole a below r.
    ways = gammaln(np.maximum(a + n - r + 1, 1e-9)) - gammaln(np.maximum(a - r + 1, 1e-300))
    return np.asarray(_log_shares(n) + np.where(a > r - 1, ways, -np.inf) - n * np.log(a))


@cache
def _log_shares(n: int) -> Floats:
    """Return the log of the share of all orders with 1, ..., n rising sequences."""
    return np.log(rising_law(n).probabilities)


def riffles(counts: Counts, n: int) -> tuple[float, float, float]:
    """Return the likeliest number of riffles, between the bounds of its interval (likelihood ratio)."""
    met = counts > 0
    least = float(np.log2(np.flatnonzero(met)[-1] + 1))

    def log_likelihood(k: float) -> float:
        return float(counts[met] @ log_law(k, n)[met])

    low, high = least, MOST_RIFFLES + 1
    while high - low > PRECISE:
        tried = np.linspace(low, high, STEPS)
        best = int(np.argmax([log_likelihood(k) for k in tried]))
        low, high = tried[max(0, best - 1)], tried[min(STEPS - 1, best + 1)]
    fitted = (low + high) / 2
    edge = log_likelihood(fitted) - chdtri(1, 1 - CONFIDENCE) / 2
    ends = [_crossing(log_likelihood, edge, fitted, end) for end in (least, MOST_RIFFLES + 1)]
    return ends[0], float(fitted), ends[1]


def _crossing(function: Callable[[float], float], level: float, above: float, below: float) -> float:
    """Return where a function falls to a level between two places, by bisection; `below` if it is above there."""
    if function(below) >= level:
        return below
    while abs(above - below) > PRECISE:
        middle = (above + below) / 2
        above, below = (middle, below) if function(middle) >= level else (above, middle)
    return float(below)


def follows(counts: Counts, k: float, n: int) -> bool:
    """Tell whether decks have the rising sequences of `k` riffles, all together and the fewest of one deck."""
    expected = np.exp(log_law(k, n)) * counts.sum()
    if expected[: np.flatnonzero(counts)[0] + 1].sum() < REFUSED:
        return False
    cells = merged(expected, counts)
    return len(cells[0]) < LEAST_CELLS or deviance(*cells) >= REFUSED
