"""From which deck on did it go wrong? The change point of the counts of a statistic, with an interval.

Each segment of the run gets one number: how much its counts resemble those after the change rather than those before
it, per unit counted. The direction in which they differ is taken from the other segments only: a segment that helped to
choose the direction would always seem to lie after the change. Then the change is where two means fit these numbers
best (least squares), and the interval holds every place whose likelihood is not too small beside the best one. Where
the segments are short beside the change, twice the logarithm of that ratio follows the law
P(<= x) = (1 - exp(-x/2))^2. Sources: Yao, "Approximating the distribution of the maximum likelihood estimate of the
change-point", Ann. Statist. 15 (1987); Siegmund, "Confidence sets in change-point problems", Int. Stat. Rev. 56 (1988).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from fairdeck.bulk.shapes import Counts, Floats

CONFIDENCE = 0.95
BELOW_BEST = -log(1 - sqrt(CONFIDENCE))  # of the logarithm of the likelihood
PLAIN = 12.0  # logarithm of the likelihood ratio: where nothing changes, about 1 in 20 is larger somewhere
ROUNDS = 4  # of choosing the direction and the place in turn
FEWEST = 6  # segments


@dataclass(frozen=True)
class ChangePoint:
    """When a fault began, as a number of segments that are fair."""

    at: int  # the segments before the likeliest change; 0 where no change is seen, so that it was there from the start
    low: int  # the fewest segments that are before the change
    high: int  # the most


def change_point(counts: Sequence[Counts]) -> ChangePoint | None:
    """Return where the counts of one statistic change, segment by segment; None if they are too few to say.

    >>> few, many = np.array([500, 500]), np.array([700, 300])
    >>> change_point([few] * 10 + [many] * 10)
    ChangePoint(at=10, low=9, high=11)
    """
    cells = np.array([each.reshape(-1) for each in counts], float)
    mass = cells.sum(axis=1)
    kept = np.flatnonzero(mass > 0)  # a segment in which nothing was counted says nothing
    if len(kept) < FEWEST:
        return None
    cells, mass = cells[kept], mass[kept]
    cells = cells[:, cells.sum(axis=0) > 0]
    at = _first_guess(cells, mass)
    for _ in range(ROUNDS):
        gains = _gains(_scores(cells, mass, at), mass)
        before, at = at, 1 + int(np.argmax(gains))
        if at == before:
            break
    if gains.max() < PLAIN:
        return ChangePoint(0, 0, len(counts))
    likely = 1 + np.flatnonzero(gains >= gains.max() - BELOW_BEST)
    # The change may be inside a segment, so the interval has one more on each side.
    low, high = int(kept[likely[0] - 1]), int(kept[likely[-1]] + 1)
    return ChangePoint(int(kept[at]), low, min(len(counts), high))


def _first_guess(cells: Floats, mass: Floats) -> int:
    """Return the number of first segments whose counts differ most from the rest, by the chi-square of two samples."""
    before, weight = np.cumsum(cells, axis=0)[:-1], np.cumsum(mass)[:-1, None]
    total, all_mass = cells.sum(axis=0), mass.sum()
    off = before / weight - (total - before) / (all_mass - weight)
    chi = (off * off / total).sum(axis=1) * (weight * (all_mass - weight))[:, 0]
    return 1 + int(np.argmax(chi))


def _scores(cells: Floats, mass: Floats, at: int) -> Floats:
    """Return the number of each segment, in the direction that all others show if the change is after `at` of them."""
    # Two segments at least on each side, so that each has another one beside it.
    after = np.arange(len(cells)) >= min(max(at, 2), len(cells) - 2)
    shares = cells.sum(axis=0) / mass.sum()
    scores = np.empty(len(cells))
    for segment in range(len(cells)):
        others = np.arange(len(cells)) != segment
        one, other = (cells[side].sum(axis=0) / mass[side].sum() for side in (others & after, others & ~after))
        scores[segment] = cells[segment] @ ((one - other) / shares) / mass[segment]
    return scores


def _gains(scores: Floats, mass: Floats) -> Floats:
    """Return the log likelihood ratio of a change after 1, 2, ... segments against none, with the best variance."""
    weight, sums = np.cumsum(mass), np.cumsum(mass * scores)
    mean = sums[-1] / weight[-1]
    w, s = weight[:-1], sums[:-1]
    explained = s * s / w + (sums[-1] - s) ** 2 / (weight[-1] - w) - sums[-1] * mean
    left = (mass * (scores - mean) ** 2).sum() - explained.max()
    variance = max(left / (len(scores) - 2), 1e-300)
    gains: Floats = explained / (2 * variance)
    return gains
