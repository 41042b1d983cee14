"""Decks that come again: as they were, cut, turned over or moved in another way. The way is found, not guessed.

Each deck is compared with the start deck and with the 32 decks before. Fair decks move in each of n! ways equally
often; a way that comes often is a fault, and the decks that it does not explain are looked at by themselves.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import factorial

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc, pdtrc

from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import NOT_SHUFFLED, Cause, Sample
from fairdeck.lab.causes.likeness import explains_findings, fair_decks, look_fair
from fairdeck.lab.judging.tally import FIRST_ANALYSIS
from fairdeck.lab.laws.tails import clopper_pearson
from fairdeck.lab.statistics.repeats import fingerprints
from fairdeck.lab.view import deck_view, inverted, relative_view

RANK = NOT_SHUFFLED
FEW = True
SURE = 1e-6  # the chance that so many decks move in one way by accident
FEWEST, FEWEST_PAIRS = 3, 3  # decks that move in one way; pairs of equal ones
FURTHEST = 32  # decks back
FEW_CARDS = 20  # of more, three decks in 2^20 move alike once in 1e10 tries
TOLD_BY, MIXED = 6, 2_654_435_761  # cards of a deck that are compared first; any odd number
MOST_KINDS = 6
REPAIR = "find what skips the shuffle: an error that is swallowed, an early return, a second thread"
AGAIN = "find what takes a deck that was used before: a cache, a retry, a seed that comes again"
IN_A_ROW = "find what decides when a new deck is made: a seed from a clock, a cache, a shuffle outside the loop"
Marks = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Kind:
    """Decks that are the start deck, or one of the decks before, moved in one way."""

    lag: int  # how many decks before; 0 for the start deck
    way: Decks  # the place, in the earlier deck, of the card that lies at each place
    marks: Marks  # which decks

    @property
    def words(self) -> str:
        """What these decks are."""
        deck = {0: "the start deck", 1: "the deck before"}.get(self.lag, f"the deck {self.lag} before")
        how = moved(self.way)
        if not how:
            return f"equal to {deck}" if self.lag else "the start deck, unshuffled"
        return f"{deck}, {how}" if self.lag or how != "moved in one way" else "one and the same deck"


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield what comes again; certain if everything that was found follows from it."""
    decks, left, kinds = sample.decks, np.ones(len(sample.decks), bool), _kinds(sample.decks)
    shares: list[Kind] = []
    while kinds and len(shares) < MOST_KINDS:
        kind = max(kinds, key=lambda kind: (int((kind.marks & left).sum()), -kind.lag))
        times = int((kind.marks & left).sum())
        if times < FEWEST or _by_chance(kind, times) > SURE:
            break
        shares.append(Kind(kind.lag, kind.way, kind.marks & left))
        left &= ~kind.marks
        kinds.remove(kind)
    enough = left.sum() >= FIRST_ANALYSIS
    if shares and (not enough or look_fair(decks[left])):
        yield _told(sample, shares, "; the others look fair" * bool(enough))
    else:
        yield from _several(sample)


def moved(way: Decks) -> str:
    """Return in which way cards moved, in words; empty if they did not.

    >>> [moved(np.array(way)) for way in ([0, 1, 2, 3, 4], [2, 3, 4, 0, 1], [4, 3, 2, 1, 0], [4, 0, 1, 2, 3])]
    ['', 'its 2 lowest cards brought to the other end', 'turned over', 'its highest card brought to the other end']
    """
    n, steps = len(way), set((np.diff(way.astype(int)) % len(way)).tolist())
    if steps == {1}:
        first = int(way[0])
        number, which = (first, "lowest") if 2 * first <= n else (n - first, "highest")
        cards = f"{number} {which} cards" if number > 1 else f"{which} card"
        return f"its {cards} brought to the other end" * bool(first)
    if steps == {n - 1}:
        return "turned over" if way[0] == n - 1 else "turned over and cut"
    return "moved in one way"


def _told(sample: Sample, shares: list[Kind], others: str) -> Cause:
    size, lag = len(sample.decks), shares[0].lag
    runs = np.diff(np.flatnonzero(~shares[0].marks))
    if len(shares) == 1 and lag == 1 and not moved(shares[0].way) and len(runs) > FEWEST and len(set(runs[1:])) == 1:
        words, repair, always = f"each deck comes {runs[1]} times in a row", IN_A_ROW, True
    else:
        words, repair, always = ", and ".join(_share(kind) for kind in shares), REPAIR, False
    seen = " and ".join(f"{int(kind.marks.sum()):,}" for kind in shares)
    make = partial(remade, tuple(shares))
    numbers = {f"share {kind.words}": (float(kind.marks.mean()), *_interval(kind.marks)) for kind in shares}
    certain = always or _explains(sample, make)
    return Cause(words + others, f"seen in {seen} of {size:,} decks", repair, certain=certain, numbers=numbers)


def remade(kinds: tuple[Kind, ...], size: int, rng: np.random.Generator) -> Decks:
    """Return fair decks, of which some come again as those of the sample did."""
    decks = fair_decks(len(kinds[0].way), size, rng)
    of = np.zeros(size, int)
    for number, kind in enumerate(kinds, 1):
        of[np.resize(kind.marks, size)] = number
    for at in np.flatnonzero(of):
        kind = kinds[of[at] - 1]
        if at >= kind.lag:
            decks[at] = decks[at - kind.lag][kind.way] if kind.lag else kind.way
    return decks


def renewed(sample: Sample, size: int, rng: np.random.Generator) -> Decks:
    """Return the decks of a sample; fair ones instead of those that come once and are not the start deck."""
    different, number, times = np.unique(sample.decks[:size], axis=0, return_inverse=True, return_counts=True)
    kept = (times > 1) | (different == np.arange(sample.cards)).all(axis=1)
    new = fair_decks(sample.cards, len(different), rng)
    return np.asarray(np.where(kept[:, None], different, new)[number.ravel()])


def _several(sample: Sample) -> Iterator[Cause]:
    """Yield that some decks come more than once, anywhere."""
    decks = sample.decks
    _, number, times = np.unique(decks, axis=0, return_inverse=True, return_counts=True)
    several = times[times > 1]
    pairs = int((several * (several - 1) // 2).sum())
    fair = len(decks) * (len(decks) - 1) / factorial(sample.cards) / 2  # whole numbers divide, however long they are
    once = decks[times[number.ravel()] == 1]
    enough = len(once) >= FIRST_ANALYSIS
    if pairs >= FEWEST_PAIRS and len(once) and pdtrc(pairs - 1, fair) < SURE and (not enough or look_fair(once)):
        what = f"{len(several):,} different ones" if len(several) > 1 else "one and the same"
        words = f"{several.sum():,} of {len(decks):,} decks come more than once, {what}"
        most_once = 2 * several.sum() < len(decks)  # else the others, too, may be of few decks, which come unevenly
        certain = bool(most_once) and _explains(sample, partial(renewed, sample))
        seen = f"{pairs:,} pairs of equal decks"
        yield Cause(words + "; the others look fair" * bool(enough), seen, AGAIN, certain=certain)


def _explains(sample: Sample, make: Callable[[int, np.random.Generator], Decks]) -> bool:
    """Tell whether all that was found follows from which decks come again."""
    return sample.tally.decks <= len(sample.decks) and explains_findings(sample, make)


def _kinds(decks: Decks) -> list[Kind]:
    """Return, for the start deck and each distance, decks that move in one way, if more do than at other distances."""
    size, block, kinds = len(decks), Block(decks, decks[:0]), []
    places, most = inverted(decks.T), np.zeros(min(FURTHEST, size // 2) + 1)
    for lag in range(len(most)):
        few = decks.T[:TOLD_BY, lag:]
        if lag:
            few = np.take_along_axis(places[:, : size - lag], few.astype(np.intp), 0)
        if _most_alike(few) < FEWEST:
            continue
        columns = relative_view(block, lag).columns if lag else deck_view(block).columns
        _, number, times = np.unique(fingerprints(columns), return_inverse=True, return_counts=True)
        alike, most[lag] = number.ravel() == times.argmax(), times.max() - 1
        unmoved = (columns == np.arange(len(columns))[:, None]).all(axis=0)
        for marks in (unmoved, alike) if unmoved.any() and not unmoved[alike.argmax()] else (alike,):
            way, before = columns[:, marks.argmax()].copy(), np.zeros(lag, bool)
            kinds.append(Kind(lag, way, np.concatenate([before, marks])))
    times = np.unique(fingerprints(decks.T), return_counts=True)[1]
    usual = max(float(np.median(most[1:])), float(times @ (times - 1)) / size)
    return [kind for kind in kinds if not kind.lag or pdtrc(int(kind.marks.sum()) - 1, usual) * FURTHEST < SURE]


def _most_alike(rows: Decks) -> int:
    """Return how many columns of a few rows are equal, at most; a few unequal ones may be counted with them."""
    keys = np.zeros(rows.shape[1], np.int64)
    for row in rows:
        keys = keys * MIXED + row
    return int(np.unique(keys, return_counts=True)[1].max(initial=0))


def _by_chance(kind: Kind, times: int) -> float:
    """Return the chance, or more, that so many fair decks move in such a way."""
    size, n = kind.marks.size, len(kind.way)
    ways = factorial(n) if moved(kind.way) else 1
    return float(bdtrc(times - 1, size, 1 / factorial(n))) * FURTHEST * ways if n <= FEW_CARDS else 0.0


def _interval(marks: Marks) -> tuple[float, float]:
    low, high = clopper_pearson(marks.sum(keepdims=True), np.array([len(marks)]))
    return float(low[0]), float(high[0])


def _share(kind: Kind) -> str:
    low, high = _interval(kind.marks)
    return f"{kind.marks.mean():.2%} of decks are {kind.words} ({low:.2%} to {high:.2%})"
