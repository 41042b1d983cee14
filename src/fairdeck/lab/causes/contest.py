"""The contest: of all causes that can be made, those that the later decks fit, and which of them is likeliest."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp
from re import sub

import numpy as np
from scipy.special import chdtrc

from fairdeck.lab.blocks import Decks
from fairdeck.lab.causes import CLOSE, COMPARED, REFUSED, Cause, Sample
from fairdeck.lab.causes.likeness import (
    FIT,
    SEED,
    explains_findings,
    fair_moments,
    findings,
    in_time,
    like_in_all,
    log_likelihood,
    misfit,
    moments,
    moments_of_each,
    moments_of_fair,
)

SIEVED, FEW = 256, 512  # decks that each makes first, and at most if it makes them slowly
LIKELY = 100.0  # nats: a cause so much less likely than another is not made again for its likelihood to be known better
FEW_CARDS, ENOUGH = 5, 256  # fewer later decks of so few cards may be those of several causes
TRIED = 5  # of the likeliest causes, whose decks are compared in every statistic
LATE = 0.2  # seconds after the end of a search in which causes may still enter: they were found in time
TIMES, LEAST = 2, 1_024  # as many decks are made for that as are compared with them, and at least so many


@dataclass(eq=False)
class Entry:
    """A cause that fits, and how likely it makes the later decks; no cause stands for fair decks."""

    score: float  # nats
    cause: Cause | None
    like: bool | None = None  # whether its decks are like the later ones in every statistic; None: not looked at
    shows: bool = False  # whether they show what the report found, too
    open: bool = False  # whether there was no time to tell


class Contest:
    """A contest that more causes may enter later."""

    def __init__(self, sample: Sample) -> None:
        self._sample, self._later = sample, sample.later[:COMPARED]
        self._seen = moments(self._later)
        self._exact = fair_moments(sample.cards, 2 * len(self._later))
        self._causes: list[Cause] = []
        self._unmade = False  # whether causes did not enter, as the time was over
        self._entries: list[Entry] = []
        if misfit(self._seen, self._exact) < FIT:
            self._entries.append(Entry(self._fair, None, True, not findings(sample)))

    def enter(self, causes: Sequence[Cause]) -> list[Cause]:
        """Let causes take part. Return the likeliest that nothing contradicts, certain if it is alone.

        If what was found contradicts all: the likeliest that the later decks do not contradict, if it is likelier than
        fair decks; never certain. Fair decks take part, but what was found contradicts them; if nothing was, and they
        are about as likely: none.
        """
        self._causes += causes
        self._entries += self._fitting(causes)
        self._entries.sort(key=lambda entry: -entry.score)
        alive = self._uncontradicted()
        if not all(entry.cause for entry in alive):  # nothing was found, and fair decks are about as likely
            return []
        if not alive:
            left = [
                entry
                for entry in self._entries[:TRIED]
                if entry.cause and (entry.like or (entry.like is None and not entry.cause.slow))
                if entry.score > self._fair
            ]
            close = [entry for entry in left if entry.score > left[0].score - CLOSE]
            less = "; decks that are made so do not show all that was found"
            return [replace(cause, certain=False, seen=cause.seen + less) for cause in self._one_of_each_family(close)]
        won = self._one_of_each_family(alive)
        family = won[0].family
        # How likely few decks are is only roughly known of a cause that makes few decks itself.
        rough = len(self._later) < ENOUGH
        close = [
            entry
            for entry in self._entries
            if entry.score > alive[0].score - CLOSE
            or (rough and entry.cause and entry.cause.certain and (entry.cause.slow or won[0].slow))
        ]
        rivals = [entry.cause for entry in close if entry.open or entry.like is None]
        # Of rivals that were not made in time, those of the same family count if they were read more plainly.
        first = self._place(won[0])
        unmade = any(cause and (cause.family != family or self._place(cause) < first) for cause in rivals)
        if len(won) > 1 or self._unmade or unmade or not self._as_often(won[0]):
            return [replace(cause, certain=False) for cause in won]
        behind = next((each for each in self._entries if each.cause and each.cause.family != family), None)
        return [replace(won[0], runner_up=_runner_up(alive[0], behind))]

    @cached_property
    def _fair(self) -> float:
        """How likely fair decks make the later ones, in nats."""
        return log_likelihood(self._seen, moments_of_fair(self._sample.cards, self._enough), self._exact)

    @property
    def _enough(self) -> int:
        return max(TIMES * len(self._later), LEAST)

    def _uncontradicted(self) -> list[Entry]:
        """Return the likeliest entry whose decks show all that these show, and those that are nearly as likely."""
        alive: list[Entry] = []
        for entry in self._entries[:TRIED]:
            if alive and entry.score < alive[0].score - CLOSE:
                break
            if entry.cause and any(each.cause and self._says_more(each.cause, entry.cause) for each in alive):
                continue
            self._look_at(entry)
            if entry.cause and entry.like and not entry.cause.slow:
                entry.like = self._drawn_alike(entry.cause)
            if entry.like and entry.shows:
                alive.append(entry)
        return alive

    def _look_at(self, entry: Entry) -> None:
        """Find out whether decks of an entry show all that these show, if nobody has."""
        if entry.cause and entry.like is None:
            make, size = entry.cause.decks, len(self._later)
            entry.like = like_in_all(self._sample, min(size, FEW) if entry.cause.slow else size, make)
            entry.shows = bool(entry.like) and explains_findings(self._sample, make)
            entry.open = not entry.shows and not in_time(self._sample, make, self._sample.tally.decks)

    def _says_more(self, cause: Cause, other: Cause) -> bool:
        """Tell whether two causes are one law, and the other was read less plainly: then it need not be looked at."""
        same = cause.family == other.family and _law(cause) == _law(other)
        return same and self._place(cause) < self._place(other)

    def _as_often(self, cause: Cause) -> bool:
        """Tell whether each order of few cards comes as often in decks of a cause, by chi-squared of two samples."""
        if self._sample.cards > FEW_CARDS:
            return True
        decks = np.concatenate([self._later, cause.decks(self._enough, np.random.default_rng(SEED))])
        orders, which, times = np.unique(decks, axis=0, return_inverse=True, return_counts=True)
        expected = times * len(self._later) / len(decks)
        apart = np.bincount(which.ravel()[: len(self._later)], minlength=len(orders)) - expected
        squares = float((apart**2 / expected).sum()) * len(decks) / (len(decks) - len(self._later))
        return len(self._later) >= ENOUGH and float(chdtrc(max(len(orders) - 1, 1), squares)) >= REFUSED

    def _drawn_alike(self, cause: Cause) -> bool:
        """Tell whether the draws read off decks of a cause follow the laws of all programs that nothing contradicts."""
        programs = [(entry, entry.cause.law) for entry in self._entries if entry.cause and entry.cause.law]
        decks = cause.decks(len(self._sample.decks), np.random.default_rng(SEED)) if programs else self._later
        return all(law(decks) or self._refuted(entry) for entry, law in programs)

    def _refuted(self, entry: Entry) -> bool:
        self._look_at(entry)
        return entry.like is False

    def _fitting(self, causes: Sequence[Cause]) -> list[Entry]:
        """Return the causes that fit.

        Most differ much, so each first makes few decks, then as many as are compared, and only then enough of them.
        """
        size, left = len(self._later), list(causes)
        for few, most in ((SIEVED, FIT + 1), (size, FIT)):
            made = [(cause, _decks(cause, min(few, size))) for cause in left if self._in_time()]
            measured = moments_of_each([decks for _, decks in made])
            pairs = zip((cause for cause, _ in made), measured, strict=True)
            fitting = [(cause, each) for cause, each in pairs if misfit(self._seen, each) < most]
            left = [cause for cause, _ in fitting]
        entries = [Entry(log_likelihood(self._seen, each, self._exact), cause) for cause, each in fitting]
        best = max((entry.score for entry in entries), default=0.0)
        for entry in entries:
            several = len(entries) > 1 or size < LEAST
            if entry.cause and not entry.cause.slow and entry.score > best - LIKELY and several and self._in_time():
                made_again = moments(_decks(entry.cause, self._enough))
                if misfit(self._seen, made_again) < FIT:
                    entry.score = log_likelihood(self._seen, made_again, self._exact)
        return entries

    def _in_time(self) -> bool:
        self._unmade = self._unmade or self._sample.deadline.over(-LATE)
        return not self._unmade

    def _one_of_each_family(self, entries: Sequence[Entry]) -> list[Cause]:
        """Return the likeliest cause of each family, as it was first read: the same law holds in several ways."""
        named: dict[str, Cause] = {}
        for cause in (entry.cause for entry in entries if entry.cause):
            best = named.setdefault(cause.family, cause)
            if _law(cause) == _law(best) and self._place(cause) < self._place(best):
                named[cause.family] = cause
        return list(named.values())

    def _place(self, cause: Cause) -> int:
        return next(at for at, each in enumerate(self._causes) if each is cause)


def _decks(cause: Cause, size: int) -> Decks:
    return cause.decks(min(size, FEW) if cause.slow else size, np.random.default_rng(SEED))


def _law(cause: Cause) -> str:
    """Return the words for a cause without its numbers, and without how decks are read."""
    return sub(r"[\d.,%]+", "", cause.words.removeprefix(cause.way))


def _runner_up(best: Entry, behind: Entry | None) -> str:
    if behind is None or behind.cause is None:
        return ""
    return f"{behind.cause.words}: {exp(min(300.0, best.score - behind.score)):.1g} times less likely"
