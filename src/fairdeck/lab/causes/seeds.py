"""Too few different decks: how many there are, and how many bits of seed that is."""

from collections.abc import Iterator
from math import ceil, factorial, floor, log2

import numpy as np
from scipy.stats import binom

from fairdeck.lab.causes import REFUSED, SEEDED, Cause, Sample
from fairdeck.lab.causes.likeness import look_fair
from fairdeck.lab.laws.intervals import two_digits
from fairdeck.lab.statistics.repeats import distance, equal_pairs, reachable

RANK = SEEDED
FEWEST_PAIRS = 3
ODD_PAIRS = 100  # times as many as fair decks would have
REPAIR = "seed once, from the operating system, with as many bits as the deck has orders: {bits:.0f} for {cards} cards"


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield the number of different decks, if decks repeat at no constant distance and look fair otherwise."""
    pairs, kept, part = _equal_decks(sample)
    fair = kept * (kept - 1) / factorial(sample.cards) / 2 / part  # whole numbers divide, however long they are
    if pairs < max(FEWEST_PAIRS, ODD_PAIRS * fair):
        return
    least, most = reachable(pairs, kept, part)
    if _evenly(sample, least) and _different_decks_look_fair(sample):
        yield Cause(
            f"each deck is one of about {two_digits((least * most) ** 0.5)} decks, {_bits(least, most)}",
            f"{pairs:,} pairs of equal decks among {kept:,}; the different decks look fair",
            REPAIR.format(bits=ceil(log2(factorial(sample.cards))), cards=sample.cards),
        )


def _equal_decks(sample: Sample) -> tuple[int, int, float]:
    """Return the pairs of equal decks, among how many, and their share of all: as counted, or in the sample alone.

    Equal decks at one distance tell nothing of their number: then there are no pairs.
    """
    for member, counts in zip(sample.battery.members, sample.tally.counts, strict=True):
        if member.statistic.name == "repeats" and sample.tally.decks > len(sample.decks):
            return (0, 2, 1.0) if distance(counts, sample.tally.decks) else equal_pairs(counts, sample.tally.decks)
    _, times = np.unique(sample.decks, axis=0, return_counts=True)
    return int((times * (times - 1) // 2).sum()), len(sample.decks), 1.0


def _bits(least: float, most: float) -> str:
    """Return the bits of a seed with between `least` and `most` values, in words.

    >>> _bits(32_000, 34_000), _bits(31_000, 32_000), _bits(2_000, 20_000)
    ('as if seeded with 15 bits', 'as if from a seed of 14.9 to 15.0 bits', 'as if seeded with 11 to 14 bits')
    """
    low, high = log2(least), log2(most)
    whole = range(ceil(low), floor(high) + 1)
    if not whole:
        return f"as if from a seed of {low:.1f} to {high:.1f} bits"
    if len(whole) == 1:
        return f"as if seeded with {whole[0]} bits"
    return f"as if seeded with {whole[0]} to {whole[-1]} bits"


def _evenly(sample: Sample, orders: float) -> bool:
    """Tell whether no deck comes too often, if each is one of `orders` decks with equal chance."""
    _, times = np.unique(sample.decks, axis=0, return_counts=True)
    return bool(orders * binom.sf(times.max() - 1, len(sample.decks), 1 / orders) >= REFUSED)


def _different_decks_look_fair(sample: Sample) -> bool:
    _, at = np.unique(sample.decks, axis=0, return_index=True)
    return look_fair(sample.decks[np.sort(at)])
