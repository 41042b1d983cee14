"""How like decks are to those of a shuffle: by the means of some seventy numbers of each deck, and by every statistic.

The numbers are the scalar statistics of the lab, of each deck by itself and relative to the deck before, and the cards
at both ends. Their means and spreads are the *moments* of a shuffle. A cause says how decks are made, so its decks have
moments as well. It *fits* a sample if no mean is more than `FIT` standard errors off. Of several that fit, the means
say how much likelier the decks are under one than under another: they are nearly normal, with the covariances of the
decks that the cause makes. Source: Wood, "Statistical inference for noisy nonlinear ecological dynamic systems",
Nature 466 (2010): the synthetic likelihood.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from math import factorial
from time import thread_time

import numpy as np
from scipy.special import ndtri, pdtrc

from fairdeck.bulk.shapes import Floats, card_type
from fairdeck.lab.blocks import FEWEST, Block, Decks
from fairdeck.lab.causes import COMPARED, REFUSED, Deadline, Maker, Sample
from fairdeck.lab.judging.tally import FIRST_ANALYSIS, Battery
from fairdeck.lab.judging.verdict import Weighed, weigh
from fairdeck.lab.statistics import Scalar, catalogue
from fairdeck.lab.statistics.guesses import LearnedGuesses
from fairdeck.lab.view import deck_view, relative_view

SEED = 20_261_123  # any: the decks to compare with are the same in every run
FIT = 5.0  # standard errors: the largest of the differences between means that chance makes
SPREADS = 0.35, 0.15  # spreads may differ by this share, and by this much
RIDGE = 0.1  # of an error, added to each: a number that never varies tells no more than one that hardly does
BATCHES, DEPENDENT = 16, 2.0  # parts of the decks; times as large an error as of independent decks
MOST_MADE = 2**15  # decks
TOGETHER = 16  # small samples whose numbers are found at once
TIMED = 32  # decks that are made to see how long more take
TELLING = 5.0  # standard deviations
REPEATED = 6  # samples: what a rigid fault shows in some statistics varies much
APART, SPREAD = 5.0, 0.15  # standard deviations, and of what they are: faults make large values vary more
FAR = 20.0  # standard deviations
USUAL, VARIED = 4.0, 2.0  # range of some samples, and times what is beyond: what a rigid fault shows has a wide law
MOST_EXACT = 256  # cards: the laws of some numbers of more take longer to compute than to simulate


@dataclass(frozen=True, eq=False)
class Moments:
    """What is known of the numbers of a shuffle's decks."""

    means: Floats  # shape ``(numbers,)``
    spreads: Floats  # standard deviations; shape ``(numbers,)``
    errors: Floats  # standard errors of the means; shape ``(numbers,)``
    doubts: Floats  # standard errors of the spreads; shape ``(numbers,)``


@dataclass(frozen=True, eq=False)
class Measured(Moments):
    """Moments of decks, with their numbers."""

    numbers: Floats  # shape ``(numbers, N - 1)``

    @cached_property
    def covariance(self) -> Floats:
        """Covariance of the means, as uncertain as their errors say; shape ``(numbers, numbers)``."""
        size = self.numbers.shape[1]
        apart = (self.numbers - self.means[:, None]) / (np.sqrt(size) * self.spreads + 1e-12)[:, None]
        return np.asarray((apart @ apart.T) * np.outer(self.errors, self.errors))


def moments(decks: Decks) -> Measured:
    """Return the moments of successive decks; the first deck has none before it, so it is left out."""
    return _moments(numbers(decks))


def moments_of_each(samples: Sequence[Decks]) -> Iterator[Measured]:
    """Yield the moments of each of many small samples; most of the time for a small one is that of the calls."""
    for first in range(0, len(samples), TOGETHER):
        some, end = samples[first : first + TOGETHER], 0
        found = numbers(np.concatenate(some))
        for decks in some:
            yield _moments(found[:, end : end + len(decks) - 1])
            end += len(decks)


def _moments(found: Floats) -> Measured:
    """Return the moments of numbers; shape ``(numbers, N - 1)``.

    Decks that depend on one another have less certain means: the means of `BATCHES` successive parts tell that.
    """
    means, spreads, size = found.mean(axis=1), found.std(axis=1), found.shape[1]
    alone = batches = spreads / np.sqrt(size) + 1e-9 * (1 + np.abs(means))
    if size >= BATCHES:
        parts = found[:, : size // BATCHES * BATCHES].reshape(len(found), BATCHES, -1).mean(axis=2)
        batches = parts.std(axis=1, ddof=1) / np.sqrt(BATCHES)
    doubts = ((found - means[:, None]) ** 2).std(axis=1) / (2 * spreads + 1e-12) / np.sqrt(size)
    return Measured(means, spreads, np.where(batches > DEPENDENT * alone, batches, alone), doubts, found)


def misfit(one: Moments, other: Moments) -> float:
    """Return the largest difference of two means in standard errors; infinity if a spread differs much."""
    widest = np.maximum(one.spreads, other.spreads)
    allowed = SPREADS[0] * widest + SPREADS[1] + FIT * np.hypot(one.doubts, other.doubts)
    if (np.abs(one.spreads - other.spreads) > allowed).any():
        return np.inf
    return float((np.abs(one.means - other.means) / np.hypot(one.errors, other.errors)).max())


def log_likelihood(seen: Moments, made: Measured, fair: Moments) -> float:
    """Return how likely the means of decks are under a shuffle that made others, in nats, up to a constant.

    Their covariances are those of the decks made, as many as were seen, and the doubt of those means.
    """
    scale = np.sqrt(1 + (seen.errors / made.errors) ** 2)
    covariance = made.covariance * np.outer(scale, scale) + np.diag((RIDGE * (fair.errors + seen.errors)) ** 2)
    apart = seen.means - made.means
    _, log_size = np.linalg.slogdet(covariance)
    return float(-(apart @ np.linalg.solve(covariance, apart) + log_size) / 2)


@lru_cache(8)
def fair_moments(n: int, size: int) -> Moments:
    """Return the moments of fair decks of `n` cards, with the errors of so many decks: exact, but for large decks."""
    if n > MOST_EXACT:
        return moments_of_fair(n, size)
    laws = {each.name: (law.mean, law.variance) for each in _scalars(n) for law in [each.law(n)]}
    uniform = (n - 1) / 2, (n * n - 1) / 12
    mean_variance = [laws.get(name.rpartition(": ")[2], uniform) for name in names(n)]
    means, variances = np.array(mean_variance).T
    spreads = np.sqrt(variances)
    return Moments(means, spreads, spreads / np.sqrt(size) + 1e-9 * (1 + np.abs(means)), spreads / np.sqrt(2 * size))


@lru_cache(8)
def moments_of_fair(n: int, size: int) -> Measured:
    """Return the moments of so many fair decks of `n` cards."""
    return moments(fair_decks(n, size, np.random.default_rng(SEED)))


def fair_decks(n: int, size: int, rng: np.random.Generator) -> Decks:
    """Return fair decks; shape ``(size, n)``."""
    return rng.permuted(np.tile(np.arange(n, dtype=card_type(n)), (size, 1)), axis=1)


def numbers(decks: Decks) -> Floats:
    """Return the numbers of each of successive decks but the first; shape ``(numbers, N - 1)``."""
    block = Block(decks, decks[:0])
    rows: list[Floats] = []
    for lag, view in enumerate((deck_view(Block(decks[1:], decks[:0])), relative_view(block, 1))):
        rows += [np.asarray(each.of(view), float) for each in _scalars(view.cards) if each.relative or not lag]
        rows += [view.columns[0], view.columns[-1], view.places[0], view.places[-1]]
    return np.array(rows, float)


@cache
def names(n: int) -> tuple[str, ...]:
    """Return the names of the numbers, in their order."""
    found: list[str] = []
    for prefix in ("", RELATIVE):
        found += [prefix + each.name for each in _scalars(n) if each.relative or not prefix]
        found += [prefix + end for end in ENDS]
    return tuple(found)


RELATIVE = "relative: "
ENDS = "lowest card", "highest card", "place of the first card", "place of the last card"


@cache
def _scalars(n: int) -> tuple[Scalar, ...]:
    """Return the statistics that are a number of each deck and need no earlier decks."""
    scalars = (each for each in catalogue() if isinstance(each, Scalar) and not isinstance(each, LearnedGuesses))
    return tuple(each for each in scalars if each.unit == "deck" and each.fits(n))


def look_fair(decks: Decks) -> bool:
    """Tell whether nothing tells decks from fair ones, not even that some are equal; False if they are too few."""
    if len(decks) < FIRST_ANALYSIS:
        return False
    if len(decks) < FEWEST:
        battery = _all(decks.shape[1])
        tests = weigh(battery, battery.tally(Block(decks, decks[:0], 0)))
        return min((each.adjusted for each in tests), default=0.0) >= REFUSED
    _, times = np.unique(decks, axis=0, return_counts=True)
    pairs = int((times * (times - 1) // 2).sum())
    expected = len(decks) * (len(decks) - 1) / factorial(decks.shape[1]) / 2
    if pairs and pdtrc(pairs - 1, expected) < REFUSED:
        return False
    return misfit(moments(decks), fair_moments(decks.shape[1], MOST_MADE)) < FIT


def fair_by_themselves(decks: Decks) -> bool:
    """Tell whether nothing tells single decks from fair ones, whatever each has in common with the one before."""
    seen, fair = moments(decks), fair_moments(decks.shape[1], MOST_MADE)
    alone = np.array([not name.startswith(RELATIVE) for name in names(decks.shape[1])])
    parts = (
        Moments(*(x[alone] for x in (each.means, each.spreads, each.errors, each.doubts))) for each in (seen, fair)
    )
    return misfit(*parts) < FIT


def survives(sample: Sample, make: Maker) -> bool:
    """Tell whether decks of a cause show all that a sample shows, in every statistic, and all that a report found."""
    return bool(like_in_all(sample, min(COMPARED, len(sample.later)), make)) and explains_findings(sample, make)


def like_in_all(sample: Sample, size: int, make: Maker) -> bool | None:
    """Tell whether decks of a cause are like so many of the later ones in every statistic; None if that takes too long.

    Whole batteries are compared, and each p-value is read as standard deviations.
    """
    if not in_time(sample, make, size):
        return None
    more = sample.later[size : 2 * size]
    return _shown(_all(sample.cards), _of_later(sample, size), make, size, sample.deadline, more)


@lru_cache(4)
def _of_later(sample: Sample, size: int) -> "Deviations":
    return _judged(_all(sample.cards), sample.later[:size])


def explains_findings(sample: Sample, make: Maker) -> bool:
    """Tell whether as many decks of a cause as were counted show what was found in these, if anything was.

    No cause is sure to explain what more than `MOST_MADE` decks have shown.
    """
    found, size = findings(sample), sample.tally.decks
    if not found or size > MOST_MADE:
        return size <= MOST_MADE
    some = Battery(sample.cards, sample.battery.lags, frozenset(key[0] for key in found))
    return in_time(sample, make, size) and _shown(some, found, make, size, sample.deadline)


def in_time(sample: Sample, make: Maker, size: int) -> bool:
    """Tell whether so many decks of a cause are made before the search ends; some are made to see that."""
    began, few = thread_time(), min(TIMED, size)
    if sample.deadline.over():
        return False
    make(few, np.random.default_rng(SEED))
    return not sample.deadline.over((thread_time() - began) * (size / few - 1))


Deviations = dict[tuple[str, str, int], float]  # of each test: statistic, name, lag


@lru_cache(4)
def findings(sample: Sample) -> Deviations:
    """Return what the tests found in all decks counted, for the statistics of which one found much."""
    tally = _deviations(sample.weighed or weigh(sample.battery, sample.tally))
    odd_ones = {name for (name, _, _), deviations in tally.items() if deviations > TELLING}
    return {key: each for key, each in tally.items() if key[0] in odd_ones}


@cache
def _all(n: int) -> Battery:
    """Return all statistics that made decks can show: not those of generators and of decks long before."""
    battery, left_out = Battery(n, lags=1), ("draws", "serial")
    asked = (member.statistic for member in battery.members)
    return replace(
        battery, only=frozenset(each.name for each in asked if not (each.sparse and each.family in left_out))
    )


def _judged(battery: Battery, decks: Decks) -> Deviations:
    return _deviations(weigh(battery, battery.tally(Block(decks, decks[:0], 0))))


def _deviations(weighed: Sequence[Weighed]) -> Deviations:
    """Return how odd each test finds what was counted, in standard deviations of a normal law with that p-value.

    How many decks are compared with decks long before depends on how a stream is cut: so only whether much was found.
    """
    found: Deviations = {}
    for each in weighed:
        name, test = each.evidence.statistic, each.evidence.test
        odd = -float(ndtri(max(each.evidence.p_value, 1e-300) / 2))
        if name.endswith("earlier decks"):
            test, odd = "oddest", max(found.get((name, "oddest", 0), 0.0), min(odd, TELLING + 1))
        found[name, test, each.lag] = odd
    return found


def _shown(
    battery: Battery, ours: Deviations, make: Maker, size: int, deadline: Deadline, more: Decks | None = None
) -> bool:
    """Tell whether no test finds decks far odder than all `REPEATED` samples of a cause, or far less odd.

    Most causes differ in none from the first sample. A test that was not made found nothing. If there are `more` decks,
    as many again, what differs has to differ in these, too: rigid faults vary much. What tells the decks from fair ones
    best is shown at least half as clearly: fair decks are not far from a small deviation.
    """
    best = max(ours, key=lambda key: ours[key])
    enough = ours[best] / 2 if ours[best] > TELLING else 0.0
    least: Deviations = {}
    highest: Deviations = {}
    for number in range(REPEATED):
        made = _judged(battery, make(size, np.random.default_rng(SEED + number)))
        keys = made.keys() | ours.keys() if not number else least.keys()
        least = {key: min(made.get(key, 0.0), least.get(key, np.inf)) for key in keys}
        highest = {key: max(made.get(key, 0.0), highest.get(key, 0.0)) for key in keys}
        odd = {key for key in keys if not _near(ours.get(key, 0.0), least[key], highest[key])}
        odd |= {best} & {key for key in keys if highest[key] < enough}
        hopeless = number > 0 and any(_far(ours.get(key, 0.0), least[key], highest[key]) for key in odd)
        if not odd or hopeless or deadline.over():
            return not odd
        least = {key: least[key] for key in odd}
        battery = Battery(battery.cards, battery.lags, frozenset(key[0] for key in odd))
    if more is None or len(more) < size:
        return False
    ours = _judged(battery, more)
    return all(_near(ours.get(key, 0.0), least[key], highest[key]) for key in odd)


def _far(seen: float, least: float, highest: float) -> bool:
    """Tell whether deviations are so far from others that no other sample comes near."""
    return seen > FAR + 2 * highest or seen < least / 2 - FAR


def _near(seen: float, least: float, highest: float) -> bool:
    """Tell whether deviations are between others, or not far from them: the more these vary, the farther."""
    apart = APART + VARIED * max(0.0, highest - least - USUAL)
    return least - apart - least * SPREAD <= seen <= highest + apart + seen * SPREAD
