"""A share of decks that come unshuffled: as the start deck, as a deck before, or again. The others look fair."""

from collections.abc import Iterator
from math import factorial

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc, pdtrc

from fairdeck.lab.blocks import Decks
from fairdeck.lab.causes import NOT_SHUFFLED, Cause, Sample
from fairdeck.lab.causes.likeness import Renewed, explains_findings, look_fair
from fairdeck.lab.laws.tails import clopper_pearson

RANK = NOT_SHUFFLED
SURE = 1e-6  # the chance that so many decks are unshuffled by accident
FEWEST_PAIRS = 3
FURTHEST = 32  # decks back
REPAIR = "find what skips the shuffle: an error that is swallowed, an early return, a second thread"
AGAIN = "find what takes a deck that was used before: a cache, a retry, a seed that comes again"
Marks = NDArray[np.bool_]


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield the share of decks that are unshuffled, if the others look like fair ones."""
    decks, left, shares = sample.decks, np.ones(len(sample.decks), bool), []
    kinds = dict(_kinds(decks))
    while kinds:
        what, marks = max(kinds.items(), key=lambda kind: int((kind[1] & left).sum()))
        marks &= left
        if bdtrc(marks.sum() - 1, len(decks), 1 / factorial(sample.cards)) * FURTHEST > SURE:
            break
        shares.append((what, marks))
        left &= ~marks
        del kinds[what]
    if shares and left.any() and look_fair(decks[left]):
        words = ", and ".join(_share(what, marks) for what, marks in shares)
        seen = " and ".join(f"{int(marks.sum()):,}" for _, marks in shares)
        seen = f"seen in {seen} of {len(decks):,} decks"
        yield Cause(f"{words}; the others look fair", seen, REPAIR, certain=_explains(sample))
        return
    _, number, times = np.unique(decks, axis=0, return_inverse=True, return_counts=True)
    several = times[times > 1]
    pairs = int((several * (several - 1) // 2).sum())
    fair = len(decks) * (len(decks) - 1) / factorial(sample.cards) / 2  # whole numbers divide, however long they are
    if pairs >= FEWEST_PAIRS and pdtrc(pairs - 1, fair) < SURE and look_fair(decks[times[number.ravel()] == 1]):
        what = f"{len(several):,} different ones" if len(several) > 1 else "one and the same"
        words = f"{several.sum():,} of {len(decks):,} decks come more than once, {what}; the others look fair"
        most_once = 2 * several.sum() < len(decks)  # else the others, too, may be of few decks, which come unevenly
        yield Cause(words, f"{pairs:,} pairs of equal decks", AGAIN, certain=bool(most_once) and _explains(sample))


def _explains(sample: Sample) -> bool:
    """Tell whether all that was found follows from which decks are equal."""
    return sample.tally.decks <= len(sample.decks) and explains_findings(sample, Renewed(sample))


def _kinds(decks: Decks) -> Iterator[tuple[str, Marks]]:
    yield "the start deck, unshuffled", (decks == np.arange(decks.shape[1])).all(axis=1)
    numbers = np.unique(decks, axis=0, return_inverse=True)[1].ravel()
    size, times = len(numbers), np.bincount(numbers)
    anywhere = float(times @ (times - 1)) / size / (size - 1)
    for lag in range(1, min(FURTHEST, size // 2) + 1):
        equal = numbers[lag:] == numbers[:-lag]
        if bdtrc(equal.sum() - 1, len(equal), anywhere) < SURE:  # more than at other distances
            before = "the deck before" if lag == 1 else f"the deck {lag} before"
            yield f"equal to {before}", np.concatenate([np.zeros(lag, bool), equal])


def _share(what: str, marks: Marks) -> str:
    low, high = (float(each[0]) for each in clopper_pearson(marks.sum(keepdims=True), np.array([len(marks)])))
    return f"{marks.mean():.2%} of decks are {what} ({low:.2%} to {high:.2%})"
