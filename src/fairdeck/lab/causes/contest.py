"""The contest: of all causes that can be made, those that the later decks fit, and which of them is likeliest."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp
from re import sub

import numpy as np

from fairdeck.lab.causes import CLOSE, Cause, Sample
from fairdeck.lab.causes.likeness import (
    FIT,
    SEED,
    Measured,
    explains_findings,
    fair_moments,
    findings,
    log_likelihood,
    misfit,
    moments,
    moments_of_fair,
    survives,
)

SIEVED, FEW = 256, 512  # decks that each makes first, and at most if it makes them slowly
LIKELY = 100.0  # nats: a cause so much less likely than another is not made again for its likelihood to be known better
TIMES, LEAST = 2, 1_024  # as many decks are made for that as are compared with them, and at least so many


@dataclass(frozen=True)
class Entry:
    """A cause in the contest, and how likely it makes the later decks; no cause stands for fair decks."""

    score: float  # nats
    cause: Cause | None


def winners(sample: Sample, causes: Sequence[Cause]) -> list[Cause]:
    """Return the likeliest of the causes that fit the later decks, and those that are nearly as likely.

    If fair decks are as likely, too, only those that show what a report found. The first one is certain only if it is
    alone, and nothing contradicts it.
    """
    entries = sorted(_entries(sample, causes), key=lambda entry: -entry.score)
    close = [entry for entry in entries if entry.score > entries[0].score - CLOSE]
    if any(entry.cause is None for entry in close):
        made = close if findings(sample) else []
        close = [entry for entry in made if entry.cause and explains_findings(sample, entry.cause.decks)]
    won = _one_of_each_family(close, causes)
    if len(won) != 1 or not won[0].certain:
        return [replace(cause, certain=False) for cause in won]
    (cause,) = won
    behind = next((entry for entry in entries if entry.cause and entry.cause.family != cause.family), None)
    agrees = survives(sample, cause.decks, most=FEW if cause.slow else len(sample.later))
    return [replace(cause, certain=agrees, runner_up=_runner_up(entries[0], behind))]


def _entries(sample: Sample, causes: Sequence[Cause]) -> list[Entry]:
    """Return the causes that fit, and fair decks if these do.

    Most causes differ much, so each first makes few decks, then as many as are compared, and only then enough of them.
    """
    seen, n, size = moments(sample.later), sample.cards, len(sample.later)
    enough = max(TIMES * size, LEAST)
    exact = fair_moments(n, 2 * size)
    left = list(causes)
    for few, most in ((SIEVED, FIT + 1), (size, FIT)):
        made = [(cause, _made(cause, min(few, size))) for cause in left]
        fitting = [(cause, each) for cause, each in made if misfit(seen, each) < most]
        left = [cause for cause, _ in fitting]
    entries = [Entry(log_likelihood(seen, each, exact), cause) for cause, each in fitting]
    best = max((entry.score for entry in entries), default=0.0)
    for at, entry in enumerate(entries):
        if entry.cause and not entry.cause.slow and entry.score > best - LIKELY and (len(entries) > 1 or size < LEAST):
            made_again = _made(entry.cause, enough)
            if misfit(seen, made_again) < FIT:
                entries[at] = replace(entry, score=log_likelihood(seen, made_again, exact))
    if misfit(seen, exact) < FIT:
        entries.append(Entry(log_likelihood(seen, moments_of_fair(n, enough), exact), None))
    return entries


def _made(cause: Cause, size: int) -> Measured:
    return moments(cause.decks(min(size, FEW) if cause.slow else size, np.random.default_rng(SEED)))


def _one_of_each_family(entries: Sequence[Entry], causes: Sequence[Cause]) -> list[Cause]:
    """Return the likeliest cause of each family, as it was first read: the same law holds in several ways."""
    named: dict[str, Cause] = {}
    for cause in (entry.cause for entry in entries if entry.cause):
        best = named.setdefault(cause.family, cause)
        if _law(cause) == _law(best) and causes.index(cause) < causes.index(best):
            named[cause.family] = cause
    return list(named.values())


def _law(cause: Cause) -> str:
    """Return the words for a cause without its numbers, and without how decks are read."""
    return sub(r"[\d.,%]+", "", cause.words.removeprefix(cause.way))


def _runner_up(best: Entry, behind: Entry | None) -> str:
    if behind is None or behind.cause is None:
        return ""
    return f"{behind.cause.words}: {exp(min(300.0, best.score - behind.score)):.1g} times less likely"
