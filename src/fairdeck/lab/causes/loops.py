"""Loops over the places that swap each with a place at random: with any place, or with some swaps skipped.

The place of one card is a Markov chain, so the mean number of fixed points is computed for each share of skipped swaps,
and tells the share.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice

import numpy as np

from fairdeck.bulk.shapes import Floats, card_type
from fairdeck.lab.blocks import Decks
from fairdeck.lab.causes import MIXED, Cause, Maker

RANK = MIXED
SYMMETRIC = True  # each loop is tried in all the ways to read it that make other decks
MOST_CARDS, LARGEST = 256, 400  # of more, no share of skipped swaps is fitted; and no loop at all
SHARES = (0.0, *np.geomspace(0.002, 0.95, 40).tolist())  # of swaps that are skipped
WIDE = 2.58  # standard errors: 99 %
SEEN = 5.0  # standard errors that tell fixed points from those without a skipped swap
LIKELY = 30.0  # nats, by the places of single cards: loops that are less likely are not made
REPAIR = "draw each place only from those that are left: j with i <= j < n"


@dataclass(frozen=True)
class Loop:
    """A loop of swaps."""

    words: str  # {0} stands for the end that is left out
    family: str
    least: int  # the place at which it begins
    bound: Callable[[int, int], int]  # for a place and the cards: the places that it draws from, counted from 0
    ways: int = 2  # how many ways to read its decks differ in law
    stays: int = 1  # whether a place may swap with itself


LOOPS = (
    Loop("each place swaps with any place, not only with the remaining places", "any place", 0, lambda _, n: n),
    Loop("each place but place {0} swaps with any place", "any place, one left out", 1, lambda _, n: n, 4),
    Loop("each place swaps with any place but place {0}", "any place but one", 0, lambda _, n: n - 1, 4),
    Loop("each place swaps with any other place, never with itself", "any other place", 0, lambda _, n: n, stays=0),
    Loop("Fisher and Yates", "Fisher and Yates", 1, lambda place, _: place + 1, 4),
)


def fit(decks: Decks) -> Iterator[Cause]:
    """Yield the loops that leave so many fixed points, with the share of swaps that are skipped."""
    size, n = decks.shape
    fixed = float((decks == np.arange(n)).sum(axis=1).mean())
    error = np.sqrt(max(fixed, 1 / size) / size)
    if not 2 < n <= LARGEST:
        return
    counts = np.bincount((np.arange(n) * n + decks).ravel(), minlength=n * n).reshape(n, n)
    found: list[tuple[float, Cause]] = []
    for loop in LOOPS:
        none, all_but = fixed_points(loop, n, (SHARES[0], SHARES[-1]))
        skips = bool(fixed > none + SEEN * error)
        if fixed < none - SEEN * error or fixed > all_but:
            continue
        if (skips and (n > MOST_CARDS or not loop.stays)) or (not skips and loop.bound(0, n) == 1):  # which is fair
            continue
        words, numbers, share = loop.words, {}, 0.0
        if skips:
            near = fixed, fixed - WIDE * error, fixed + WIDE * error
            share, least, most = map(float, np.interp(near, fixed_points(loop, n, SHARES), SHARES))
            words += f", but skips {share:.1%} of the swaps ({least:.1%} to {most:.1%})"
            numbers = {"skipped": (share, least, most)}
        (chances,) = chances_after(loop, n, np.array([share]))
        written = chances, chances[::-1, ::-1], chances.T, chances[::-1, ::-1].T
        ends = (0, n - 1, 0, n - 1) if loop.least else (n - 1, 0, n - 1, 0)
        for write, places, end in islice(zip(WRITE, written, ends, strict=True), loop.ways):
            cause = Cause(
                words.format(end),
                f"on average {fixed:.3f} cards of a deck are where they began; {none:.3f} if no swap is skipped",
                "swap at every place" if skips else REPAIR,
                family=loop.family + ", skipping" * skips,
                numbers=numbers,
                make=partial(_written, partial(looped, n, loop, share), write),
            )
            found.append((float((counts * np.log(np.maximum(places, 1e-300))).sum()), cause))
    likeliest = max((likelihood for likelihood, _ in found), default=0.0)
    yield from (cause for likelihood, cause in found if likelihood > likeliest - LIKELY)


@cache
def fixed_points(loop: Loop, n: int, shares: tuple[float, ...]) -> Floats:
    """Return the mean number of cards that are where they were, for each share of skipped swaps."""
    return np.asarray(np.trace(chances_after(loop, n, np.array(shares)), axis1=1, axis2=2))


def chances_after(loop: Loop, n: int, shares: Floats) -> Floats:
    """Return the chance of each place to hold each card, for each share of skipped swaps; shape (shares, n, n)."""
    chances = np.broadcast_to(np.eye(n), (len(shares), n, n)).copy()
    done = (1 - shares)[:, None, None]
    for place in range(n - 1, loop.least - 1, -1):
        drawn = loop.bound(place, n)
        swaps = done * drawn / (drawn - 1 + loop.stays)  # with itself is no swap: of all draws, the others come oftener
        here, there = chances[:, [place]], chances[:, :drawn].copy()
        chances[:, :drawn] += swaps / drawn * (here - there)
        chances[:, [place]] = (1 - swaps) * here + swaps * there.mean(axis=1, keepdims=True)
    return chances


def looped(n: int, loop: Loop, skipped: float, size: int, rng: np.random.Generator) -> Decks:
    """Return decks after a loop from the top down."""
    columns = np.tile(np.arange(n, dtype=card_type(n))[:, None], size)
    rows = np.arange(size)
    for place in range(n - 1, loop.least - 1, -1):
        other = rng.integers(loop.bound(place, n) - 1 + loop.stays, size=size)
        if not loop.stays:
            other += other >= place
        if skipped:
            other = np.where(rng.random(size) < skipped, place, other)
        columns[place], columns[other, rows] = columns[other, rows], columns[place].copy()
    return np.ascontiguousarray(columns.T)


def _written(make: Maker, write: Callable[[Decks], Decks], size: int, rng: np.random.Generator) -> Decks:
    return write(make(size, rng))


def _inverse(decks: Decks) -> Decks:
    return np.argsort(decks, axis=1).astype(decks.dtype)


def _turned(decks: Decks) -> Decks:
    return np.asarray(decks.shape[1] - 1 - decks[:, ::-1])


WRITE: tuple[Callable[[Decks], Decks], ...] = (
    lambda decks: decks,
    _turned,
    _inverse,
    lambda decks: _turned(_inverse(decks)),
)
