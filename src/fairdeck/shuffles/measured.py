"""Lower bounds on the distance after mashing or overhand shuffling: measured, because no law is known.

The models are ``mash`` (`fairdeck.shuffles.hand_riffle`: about a third of the deck is pushed into the rest, and after
each card the other packet drops next with chance 1/4) and ``overhand`` (packets of about five cards). The tables hold
lower bounds on the total variation, each of 200,000 simulated decks, rounded down. Even where a bound is small the
deck may be far from random.
Measured once, by ``fairdeck mix "mash*20" --cards 60 --decks 200000 --seed 1`` and the like.
"""

from collections.abc import Mapping
from math import inf

CONFIDENCE = 0.999  # the share of simulations whose lower bounds all hold

MASHED = {
    20: {10: 0.59, 20: 0.12, 30: 0.01},
    40: {10: 0.89, 20: 0.38, 30: 0.10, 40: 0.02},
    60: {10: 0.97, 20: 0.61, 30: 0.28, 40: 0.10, 50: 0.03, 60: 0.01},
    80: {20: 0.80, 40: 0.27, 60: 0.06, 80: 0.01},
    100: {20: 0.90, 40: 0.45, 60: 0.19, 80: 0.07, 100: 0.02},
}
OVERHAND = {
    20: {10: 0.53, 20: 0.06, 30: 0.0},
    40: {10: 0.81, 20: 0.22, 30: 0.06, 40: 0.01},
    52: {10: 0.88, 20: 0.56, 30: 0.30, 40: 0.15, 60: 0.03, 80: 0.0},
    60: {10: 0.93, 20: 0.75, 40: 0.33, 60: 0.11, 80: 0.03},
    80: {20: 0.96, 40: 0.77, 60: 0.50, 80: 0.28, 100: 0.15, 120: 0.08, 140: 0.03},
}

# How many riffles of each neatness show no more than the ideal ones that bring a deck within `NEAR_RANDOM` of random:
# what `fairdeck.lab.experiments.your_hands.Comparison` finds with 50,000 decks (seed 1).
NEATNESS = (0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
RIFFLES = {
    20: (30, 24, 20, 15, 12, 11, 10, 9, 9, 8),
    30: (37, 28, 23, 17, 14, 13, 11, 11, 10, 9),
    40: (42, 32, 26, 19, 16, 14, 12, 11, 11, 11),
    52: (46, 34, 27, 20, 16, 14, 13, 12, 11, 10),
    60: (53, 38, 31, 22, 18, 16, 14, 13, 12, 12),
    78: (53, 39, 31, 23, 18, 16, 14, 13, 13, 12),
    100: (61, 44, 35, 24, 20, 17, 16, 15, 13, 13),
}


def mashes(cards: int, target: float, most: float = inf) -> tuple[int, float]:
    """Return the fewest mashes measured whose bound is at most `target`, and that bound.

    A deck between two measured sizes has the bound of the smaller size; below the smallest size nothing is known, and
    the bound is 0.

    Args:
        cards: of the deck, 1 or more.
        target: a total variation. If no measured number reaches it, the largest number is returned.
        most: the most that anybody would do; the fewest measured is returned even if that is more.

    >>> mashes(60, 0.05), mashes(10, 0.05), mashes(60, 0.05, most=25)
    ((50, 0.03), (30, 0.0), (20, 0.61))
    """
    return _measured(MASHED, cards, target, most)


def overhands(cards: int, target: float, most: float = inf) -> tuple[int, float]:
    """Return the same for overhand shuffles."""
    return _measured(OVERHAND, cards, target, most)


def _measured(table: Mapping[int, Mapping[int, float]], cards: int, target: float, most: float) -> tuple[int, float]:
    size = max((size for size in table if size <= cards), default=min(table))
    bounds = table[size]
    tried = [times for times in sorted(bounds) if times <= most] or [min(bounds)]
    times = next((times for times in tried if bounds[times] <= target), tried[-1])
    return times, bounds[times] if size <= cards else 0.0
