"""How often a deck must be mashed at the least: measured, for no law is known.

The model is ``mash`` of `fairdeck.shuffles.packets`: about a third of the deck is pushed into the rest, and
after each card the other packet drops next with chance 1/4. What is kept here are lower bounds on the
total variation, of 200,000 simulated decks each, less two standard errors: cards that still follow each other
are too many. Where such a bound is small the deck may be far from random all the same. Measured once, by
``fairdeck mix "mash*20" --cards 60 --decks 200000 --seed b`` and the like, the bound by successions.
"""

SWITCH = 0.25
MEASURED = {
    20: {10: 0.59, 20: 0.12, 30: 0.01},
    40: {10: 0.89, 20: 0.39, 30: 0.10, 40: 0.02},
    60: {10: 0.97, 20: 0.62, 30: 0.28, 40: 0.11, 50: 0.03, 60: 0.01},
    104: {20: 0.92, 40: 0.49, 60: 0.23, 80: 0.10, 100: 0.04},
}


def mashes(cards: int, target: float) -> tuple[int, float]:
    """Return after how many mashes, of those measured, the bound is no larger than the target, and the bound.

    A deck between two that were measured is taken to be no nearer to random than the smaller; below the
    smallest nothing is known, and the bound is 0.

    Args:
        cards: of the deck, 1 or more.
        target: a total variation. If no number of mashes measured reaches it, the largest is returned.

    >>> mashes(60, 0.05), mashes(10, 0.05)
    ((50, 0.03), (30, 0.0))
    """
    size = max((size for size in MEASURED if size <= cards), default=min(MEASURED))
    bounds = MEASURED[size]
    times = next((times for times in sorted(bounds) if bounds[times] <= target), max(bounds))
    return times, bounds[times] if size <= cards else 0.0
