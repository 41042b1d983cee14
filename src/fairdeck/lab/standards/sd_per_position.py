"""South Dakota 48:02:08:02, the rule that asks for every card position by itself."""

from collections.abc import Iterator

import numpy as np
from scipy.special import bdtrc, chdtrc

from fairdeck.lab.judging.tally import Battery, Tally
from fairdeck.lab.standards import CHAINS, EVERY, Demand, Standard

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


STANDARD = Standard(
    name="sd-per-position",
    title="South Dakota Administrative Rule 48:02:08:02, Randomness testing (read as of June 2024)",
    authority="South Dakota Lottery; nearly the same words in West Virginia 29-22B-909, Virginia 11VAC20-20-510",
    level="each position, and each pair of positions, at a “99 percent confidence level”",
    alpha=ALPHA,
    demands=(
        Demand(
            "Each card position satisfies the 99 percent confidence limit using the standard chi-squared analysis (1)",
            ("positions", "fixed points"),
            "all positions together and the oddest one; position by position in the literal count",
        ),
        Demand(
            "Runs test, or any similar pattern testing statistic (2)",
            ("runs up and down", "descents", "rising sequences", "colour runs"),
            "runs within decks, not within the history of one position",
        ),
        Demand(
            "Correlation test: each pair of card positions (3)",
            (
                "lower of two places",
                "suits of two places",
                "ranks of two places",
                "colours of two places",
                "neighbours",
                "top pairs",
                "bottom pairs",
                "differences",
            ),
            "each pair of positions by which holds the lower card and by suit, rank and colour",
        ),
        Demand(
            "Serial correlation test: without reference to the same position in the previous game (4)",
            CHAINS,
            "each deck relative to the ones before it",
            relative=EVERY,
        ),
    ),
    seen="text read in a public copy of the Administrative Rules, not in the official edition",
    first_hand=True,
    least=20_000,
    remarks=(
        "Read word by word, the rule asks 52 cards for about 1,482 tests (52 + 52 + 1,326 + 52), each at 99 %. "
        "A perfect shuffle passes all of them with a chance of 0.99^1482, about 3 in 10 million: it would fail any "
        "fair shuffle. So the verdict here holds all tests together to 99 %; the literal count is told beside it.",
        "The rule names no number of decks. Here it takes 20,000, so that every test can be made on 52 cards.",
    ),
    literal=literal,
)
