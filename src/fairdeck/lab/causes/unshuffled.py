"""A share of decks that come unshuffled: as the start deck, or as the deck before; the others look fair."""

from collections.abc import Iterator

import numpy as np

from fairdeck.lab.causes import NOT_SHUFFLED, Cause, Sample
from fairdeck.lab.causes.likeness import look_fair
from fairdeck.lab.laws.intervals import clopper_pearson

RANK = NOT_SHUFFLED
FEWEST_SEEN = 2


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield the share of decks that are unshuffled, if the others look like fair ones."""
    decks = sample.decks
    same = np.concatenate([[False], (decks[1:] == decks[:-1]).all(axis=1)])
    start = (decks == np.arange(sample.cards)).all(axis=1)
    for marks, what in ((start, "the start deck, unshuffled"), (same, "equal to the deck before")):
        if FEWEST_SEEN <= marks.sum() < len(decks) and look_fair(decks[~marks]):
            low, high = (float(each[0]) for each in clopper_pearson(marks.sum(keepdims=True), np.array([len(decks)])))
            yield Cause(
                f"{marks.mean():.2%} of decks are {what} ({low:.2%} to {high:.2%}); the others look fair",
                f"seen in {int(marks.sum()):,} of {len(decks):,} decks",
                "find what skips the shuffle: an error that is swallowed, an early return, a second thread",
            )
