"""Draws that foretell later draws, because they come from a generator of `fairdeck.lab.laws.generators`.

The draws of a shuffling program tell each number of its generator to within 1/k of the range, where the draw chose
among k numbers. They tell whether a relation of the generator nearly holds: whether the sum of the products is within
a quarter of the range of what it should be. For fair draws that has chance 1/2, or for few cards an exact chance
close to it; for draws of the generator it is nearly certain. Where draws are remainders (`rand() % k`) glibc's
relation holds for their remainders by 2 in 3 of 4 cases, if all k are even: the generator drops its lowest bit.

The draws of successive decks follow one another in time. Each is used in one place only for each relation, so that on
fair decks the places are independent. Decks are taken in groups that are long enough for the relation.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby
from math import gcd, lcm
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.laws.generators import GLIBC, RELATIONS, Relation
from fairdeck.lab.laws.scalar import Law, mean_of, mean_shift, polynomial_product
from fairdeck.lab.laws.tails import PValue
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.draws import DOWNWARD, READINGS, Numbers, readings_of
from fairdeck.lab.view import View

COMPARED = 64  # decks of a block
ROUGHEST = 0.14  # of the range: the standard deviation of a sum, from what draws leave open of the numbers
REMAINDERS = 8  # decks of a group where remainders are compared: draws among even numbers are seldom 3 apart
# Where the half of the range begins that is near 0; a little off, so that rounding decides for no sum.
LIMIT = Fraction(1, 1_000_003 * 1_009) - Fraction(1, 4)


class Line(NamedTuple):
    """The draws of a group of decks in the order of time."""

    downward: bool  # whether a deck is drawn from the most numbers down to the fewest
    decks: int  # the decks of a group
    spare: int  # draws of each deck among one number only, 0 or 1

    def options(self, n: int) -> NDArray[np.int64]:
        """Return among how many numbers each draw chose."""
        each = np.arange(2 - self.spare, n + 1)
        return np.tile(each[::-1] if self.downward else each, self.decks)


class Tried(NamedTuple):
    """What could hold of the draws in a line: a relation, of the draws or of their remainders by 2."""

    line: Line
    relation: Relation
    remainders: bool = False

    @property
    def says(self) -> str:
        """What is said of numbers that fit."""
        return f"{'odd or even as' if self.remainders else 'near'} {self.relation.says}, as in {self.relation.used}"


class Row(NamedTuple):
    """A row of the counts: a reading of the draws, by its number, and what is tried on them."""

    reading: int
    tried: Tried


class Places(NamedTuple):
    """The places on lines where the relations of several rows are tried."""

    at: NDArray[np.intp]  # the draws of each place; shape ``(places, 3)``
    factors: Counts  # what each is multiplied by; shaped as `at`
    phases: Floats  # the limit less what the middles of the draws add up to; shape ``(places, 1)``
    starts: NDArray[np.intp]  # the first place of each row


class ForetoldDraws(Statistic):
    """How often the draws of a group of decks fit the relation of a generator."""

    family: ClassVar[str] = "draws"
    sizes: ClassVar[range] = range(16, 129)  # enough draws, and not too many to read all of them
    relative: ClassVar[bool] = False
    sparse: ClassVar[bool] = True

    def count(self, view: View) -> Counts:
        """Return in how many groups of decks so many places fit; shape ``(rows, most places + 1)``, see `rows_of`."""
        n = view.cards
        few = view if view.decks <= COMPARED else View(view.columns[:, :COMPARED], view.lead[:, :0])
        readings = readings_of(few)
        found = np.zeros((len(rows_of(n)), 1 + max(len(places_of(n, row.tried)) for row in rows_of(n))), np.int64)
        at = 0
        for (reading, line, remainders), tried in _joint_rows(n):
            drawn = _in_time(readings[reading], line)
            fitting = _even(drawn, n, tried) if remainders else _near(drawn / line.options(n)[:, None], n, tried)
            for hits in fitting:
                found[at] = np.bincount(hits, minlength=found.shape[1])
                at += 1
        return found

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the generator that fits best, corrected for the number of those that were compared."""
        if (at := oddest(counts, n)) is None:
            return
        row, fit = rows_of(n)[at], fit_of(counts, n, at)
        words = f"read as {READINGS[row.reading]}, {{seen:.1%}} of the numbers drawn are {row.tried.says}; "
        words += "{expected:.1%} would be fair"
        p_value = fit.p_value.of_many(int(np.count_nonzero(counts.any(axis=1))))
        data = {"seen": fit.share, "expected": fit.expected, "means": "earlier draws foretell later ones"}
        yield self.evidence("one generator", p_value, words, **data)


class Fit(NamedTuple):
    """How well the draws fit a relation: the share of places that do, the fair share, and the p-value of both."""

    share: float
    expected: float
    p_value: PValue


def oddest(counts: Counts, n: int) -> int | None:
    """Return the row whose share of fitting places is the oddest; None if no group of decks was counted."""
    groups = counts.sum(axis=1)
    if not groups.any():
        return None
    means, spreads = _moments(n)
    off = counts @ np.arange(counts.shape[1]) - groups * means
    return int(np.argmax(np.abs(off) / np.sqrt(np.maximum(groups, 1) * spreads)))


def fit_of(counts: Counts, n: int, at: int) -> Fit:
    """Return how well one row of the counts fits."""
    law = law_of(n, rows_of(n)[at].tried)
    places, met = len(law.weights) - 1, counts[at, : len(law.weights)]
    return Fit(mean_of(law, met) / places, law.mean / places, mean_shift(law, met))


@cache
def rows_of(n: int) -> tuple[Row, ...]:
    """Return the rows of the counts for decks of `n` cards: the relations that have a place on a line of draws."""
    rows = []
    for reading, downward in enumerate(DOWNWARD):
        for relation in RELATIONS:
            reach = max(relation.back)
            inside = reach < 2 * n // 3
            # A draw among one number changes nothing where all draws of a relation are of one deck.
            lines = (
                [Line(downward, 1, 0)] if inside else [Line(downward, 2 + reach // (n - 1), each) for each in (0, 1)]
            )
            rows += [Row(reading, Tried(line, relation)) for line in lines]
        rows += [Row(reading, Tried(Line(downward, REMAINDERS, spare), GLIBC, True)) for spare in (0, 1)]
    rows.sort(key=lambda row: (row.reading, row.tried.line, row.tried.remainders))
    return tuple(row for row in rows if places_of(n, row.tried))


@cache
def places_of(n: int, tried: Tried) -> tuple[tuple[int, ...], ...]:
    """Return the draws of each place where a relation is tried; no draw is in two of them."""
    options, back, used = tried.line.options(n), np.array(tried.relation.back), set[int]()
    ends = np.arange(back.max(), len(options))[:, None] - back
    if tried.remainders:
        tells = (options[ends] % 2 == 0).all(axis=1)
    else:
        tells = np.sqrt(((np.array(tried.relation.factors) / options[ends]) ** 2).sum(axis=1) / 12) <= ROUGHEST
    found = []
    for at in ends[tells].tolist():
        if used.isdisjoint(at):
            used.update(at)
            found.append(tuple(at))
    return tuple(found)


@cache
def law_of(n: int, tried: Tried) -> Law:
    """Return the exact law of how many places of a group fit: a sum of independent bits."""
    return Law(0, polynomial_product([((1 - p).numerator, p.numerator) for p in _chances(n, tried)]))


@cache
def _chances(n: int, tried: Tried) -> tuple[Fraction, ...]:
    """Return the chance that each place of a group fits."""
    places = places_of(n, tried)
    if tried.remainders:
        return (Fraction(1, 2),) * len(places)
    options = tried.line.options(n).tolist()
    return tuple(chance_near([options[at] for at in place], tried.relation) for place in places)


def chance_near(options: Sequence[int], relation: Relation) -> Fraction:
    """Return the exact chance that fair draws, among so many numbers each, are near the sum that is foretold.

    A draw j among k numbers stands for (2 j + 1) / 2 k. So the sum is uniform on the multiples of 1/w, from some first
    one on, where w is the least common multiple of what the factors leave of the k.

    >>> from fairdeck.lab.laws.generators import GLIBC
    >>> chance_near([52, 49, 21], GLIBC)
    Fraction(1, 2)
    """
    pairs = list(zip(relation.factors, options, strict=True))
    whole = lcm(*(k // gcd(k, factor) for factor, k in pairs))
    # In integers, as there are hundreds of these before the first verdict: all in parts of 1/unit.
    unit = 2 * lcm(*options) * LIMIT.denominator
    first = sum(factor * unit // (2 * k) for factor, k in pairs) - LIMIT.numerator * (unit // LIMIT.denominator)
    return Fraction(-((first % (unit // whole) - unit // 2) // (unit // whole)), whole)


@cache
def _moments(n: int) -> tuple[Floats, Floats]:
    """Return the mean and the variance of the places that fit in a group, for each row."""
    rows = [np.array(_chances(n, row.tried), float) for row in rows_of(n)]
    return np.array([row.sum() for row in rows]), np.array([(row * (1 - row)).sum() for row in rows])


@cache
def _joint_rows(n: int) -> tuple[tuple[tuple[int, Line, bool], tuple[Tried, ...]], ...]:
    """Return what is tried on the draws of one reading in one line, which is counted at once."""
    joint = groupby(rows_of(n), key=lambda row: (row.reading, row.tried.line, row.tried.remainders))
    return tuple((key, tuple(row.tried for row in rows)) for key, rows in joint)


def _in_time(draws: Numbers, line: Line) -> NDArray[np.int16]:
    """Return the draws of each group of decks in the order of time; shape ``(draws of a group, groups)``."""
    of_deck = draws[1 - line.spare :]
    of_deck = of_deck[::-1] if line.downward else of_deck
    groups = draws.shape[1] // line.decks
    decks = of_deck[:, : groups * line.decks].T
    return decks.reshape(groups, line.decks * len(of_deck)).T


def _even(drawn: NDArray[np.int16], n: int, all_tried: Sequence[Tried]) -> Iterator[Counts]:
    """Yield how many places of each group fit by their remainders, for each that is tried."""
    for tried in all_tried:
        sums = drawn[np.array(places_of(n, tried))].sum(axis=1)
        yield np.asarray(np.count_nonzero(sums % 2 == 0, axis=0))


def _near(fractions: Floats, n: int, all_tried: tuple[Tried, ...]) -> Counts:
    """Return how many places of each group are near what is foretold, for each tried; shape ``(tried, groups)``."""
    places = _places(n, all_tried)
    sums = (fractions[places.at] * places.factors[:, :, None]).sum(axis=1) - places.phases
    return np.add.reduceat((sums % 1.0 < 0.5).astype(np.int64), places.starts, axis=0)


@cache
def _places(n: int, all_tried: tuple[Tried, ...]) -> Places:
    places = [places_of(n, tried) for tried in all_tried]
    at = np.concatenate(places)
    factors = np.repeat([tried.relation.factors for tried in all_tried], list(map(len, places)), axis=0)
    # A draw j among k numbers stands for (j + 1/2) / k.
    halves = (factors / all_tried[0].line.options(n)[at] / 2).sum(axis=1, keepdims=True)
    return Places(at, factors, float(LIMIT) - halves, np.cumsum([0, *map(len, places[:-1])]))


STATISTICS = (
    ForetoldDraws(
        name="foretold draws",
        sees="draws that two earlier ones foretell: `random()` of glibc, `System.Random` of .NET, `math/rand` of Go",
        source="Knuth, TAOCP 2, sections 3.2.2 and 3.3.4: the relations; the law: independent places",
    ),
)
