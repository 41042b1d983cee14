"""How many riffles the decks are worth, by the exact law of rising sequences.

A deck with r rising sequences has the chance ``C(a + n - r, n) / a^n`` after a riffle of a packets; k riffles are one
of 2^k. The formula is a law for every real a above n as well, so a need not be whole: "about 5.5 riffles".
Source: Bayer and Diaconis, Ann. Appl. Probab. 2 (1992), theorem 1.
"""

from collections.abc import Iterator
from math import floor

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import chdtri, gammaln

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import MIXED, REFUSED, Cause, Sample
from fairdeck.lab.causes.likeness import FAIR, Known, resembles, survives
from fairdeck.lab.laws.scalar import merged
from fairdeck.lab.laws.tails import deviance
from fairdeck.lab.statistics.descents import rising_law, rising_sequences
from fairdeck.lab.view import deck_view
from fairdeck.shuffles.riffle import gsr_riffles

RANK = MIXED
FEWEST_RIFFLES, MOST_RIFFLES = 0.5, 12.0
LARGEST = 300  # cards: the law of rising sequences is computed in whole numbers
CONFIDENCE = 0.99
FAR = 0.01  # of the total variation that is called mixed
LEAST_CELLS = 3


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield the number of riffles, if the later decks have the law of riffles."""
    n = sample.cards
    if not 5 <= n <= LARGEST or resembles(sample, FAIR):
        return
    counts = rising(sample.first)
    least, fitted, most = riffles(counts, n)
    if fitted < FEWEST_RIFFLES or most > MOST_RIFFLES or not follows(rising(sample.later), fitted, n):
        return
    nearest = Known(f"a-shuffle({round(2**fitted)})")
    if not resembles(sample, nearest):
        return
    enough = next(k for k in range(1, 100) if float(gsr_riffles(n, k).total_variation or 0) < FAR)
    span = f"{least:.2f} to {most:.2f}" if f"{least:.2f}" != f"{most:.2f}" else f"{fitted:.2f}"
    yield Cause(
        f"each deck is as after {fitted:.1f} riffles of a sorted deck ({span})",
        f"the rising sequences of {len(sample.later):,} later decks follow the law of that many riffles",
        f"riffle {enough} times in all",
        certain=floor(most) >= least and survives(sample, nearest),  # people riffle a whole number of times
    )


def rising(decks: Decks) -> Counts:
    """Return how many decks have 1, 2, ..., n rising sequences."""
    found = rising_sequences(deck_view(Block(decks, decks[:0])))
    return np.bincount(found, minlength=decks.shape[1] + 1)[1:]


def log_law(k: float, n: int) -> Floats:
    """Return log P(r rising sequences), for r = 1 to n, after `k` riffles; -inf where that is impossible."""
    a, r = 2.0**k, np.arange(1, n + 1)
    orders = np.array([np.log(float(weight)) if weight else -np.inf for weight in _shares(n)])
    # C(a + n - r, n), for a real a; 0 for a whole a below r.
    ways = np.where(
        a > r - 1, gammaln(np.maximum(a + n - r + 1, 1e-9)) - gammaln(np.maximum(a - r + 1, 1e-300)), -np.inf
    )
    law: Floats = orders + ways - n * np.log(a)
    return law


def _shares(n: int) -> Floats:
    """Return the share of all orders with 1, ..., n rising sequences."""
    law = rising_law(n)
    return np.concatenate([np.zeros(law.low - 1), law.probabilities])[:n]


def riffles(counts: Counts, n: int) -> tuple[float, float, float]:
    """Return the likeliest number of riffles, between the bounds of its interval (likelihood ratio)."""
    met = counts > 0
    least = float(np.log2(np.flatnonzero(met)[-1] + 1))

    def loss(k: float) -> float:
        return -float(counts[met] @ log_law(k, n)[met])

    best = minimize_scalar(loss, bounds=(least, MOST_RIFFLES + 1), method="bounded", options={"xatol": 1e-6})
    edge = best.fun + chdtri(1, 1 - CONFIDENCE) / 2
    ends = [
        end if loss(end) <= edge else brentq(lambda k: loss(k) - edge, end, best.x) for end in (least, MOST_RIFFLES + 1)
    ]
    return float(ends[0]), float(best.x), float(ends[1])


def follows(counts: Counts, k: float, n: int) -> bool:
    """Tell whether decks have the rising sequences of `k` riffles, all together and the fewest of one deck."""
    expected = np.exp(log_law(k, n)) * counts.sum()
    if expected[: np.flatnonzero(counts)[0] + 1].sum() < REFUSED:
        return False
    cells = merged(expected, counts)
    return len(cells[0]) < LEAST_CELLS or deviance(*cells) >= REFUSED
