"""South Dakota's rule read word by word: a test for every card position by itself."""

from collections.abc import Iterator

import numpy as np
from scipy.special import bdtrc, chdtrc

from fairdeck.lab.judging.tally import Battery, Tally

ALPHA = 0.01
LEAST_EXPECTED = 5.0  # in each cell: the usual condition of the chi-square test


def literal(battery: Battery, tally: Tally) -> Iterator[str]:
    """Yield how many positions fail a chi-square test of their own, read word by word."""
    n = battery.cards
    for member, counts in zip(battery.members, tally.counts, strict=True):
        if member.statistic.name != "positions" or member.lag > 1:
            continue
        about = "in each position" if not member.lag else "in each position, by where it was in the deck before"
        each = tally.seen[member.lag] / n
        if each < LEAST_EXPECTED:
            yield f"The card {about}: too few decks for a chi-square test of each position."
            continue
        # A row of the counts is an ordinary multinomial: here, and only here, Pearson's sum needs no correction.
        p_values = chdtrc(n - 1, np.sum((counts - each) ** 2, axis=1) / each)
        failed = int(np.sum(p_values < ALPHA))
        often = f", and {failed} or more do in about {bdtrc(failed - 1, n, ALPHA):.2%} of runs" if failed else ""
        yield (
            f"The card {about}: {failed} of {n} positions fail a chi-square test of their own at 99 %; "
            f"of a perfect shuffle {n * ALPHA:.2g} do on average{often}."
        )
