"""The contest: of all causes that can be made, those that the later decks fit, and which of them is likeliest."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp

import numpy as np

from fairdeck.lab.causes import CLOSE, Cause, Sample
from fairdeck.lab.causes.likeness import FIT, SEED, TIMES, fair_moments, log_likelihood, misfit, moments, survives

SIEVED = 512  # decks that each makes first


@dataclass(frozen=True)
class Entry:
    """A cause in the contest, and how likely it makes the later decks; no cause stands for fair decks."""

    score: float  # nats
    cause: Cause | None


def winners(sample: Sample, causes: Sequence[Cause]) -> list[Cause]:
    """Return the likeliest of the causes that fit the later decks, and those that are nearly as likely.

    Empty if fair decks are as likely. The first one is certain only if it is alone, and nothing contradicts it.
    """
    entries = sorted(_entries(sample, causes), key=lambda entry: -entry.score)
    close = [entry for entry in entries if entry.score > entries[0].score - CLOSE]
    if not close or any(entry.cause is None for entry in close):
        return []
    won = _one_of_each_family(close)
    if len(won) > 1 or not won[0].certain:
        return [replace(cause, certain=False) for cause in won]
    (cause,) = won
    assert cause.make is not None
    behind = next((entry for entry in entries if entry.cause and entry.cause.family != cause.family), None)
    return [replace(cause, certain=survives(sample, cause.make), runner_up=_runner_up(entries[0], behind))]


def _entries(sample: Sample, causes: Sequence[Cause]) -> list[Entry]:
    """Return the causes that fit, and fair decks if these do."""
    seen, n = moments(sample.later), sample.cards
    fair = fair_moments(n, TIMES * len(sample.later))
    entries = [Entry(log_likelihood(seen, fair, fair), None)] if misfit(seen, fair) < FIT else []
    for cause in causes:
        assert cause.make is not None
        few = min(SIEVED, len(sample.later))
        made = moments(cause.make(few, np.random.default_rng(SEED)))
        if misfit(seen, made) < FIT + 1 and not cause.slow:
            made = moments(cause.make(TIMES * len(sample.later), np.random.default_rng(SEED)))
        if misfit(seen, made) < FIT:
            entries.append(Entry(log_likelihood(seen, made, fair), cause))
    return entries


def _one_of_each_family(entries: Sequence[Entry]) -> list[Cause]:
    """Return the causes without those of a family that was named: the same law, read in another way."""
    named: dict[str, Cause] = {}
    for entry in entries:
        if entry.cause:
            named.setdefault(entry.cause.family, entry.cause)
    return list(named.values())


def _runner_up(best: Entry, behind: Entry | None) -> str:
    if behind is None or behind.cause is None:
        return ""
    return f"{behind.cause.words}: {exp(min(300.0, best.score - behind.score)):.1g} times less likely"
