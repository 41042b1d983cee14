"""Relations of successive draws, as every congruential generator has them, whatever its numbers are.

Sums of a few numbers of a generator ``x -> (a x + c) % m``, with small factors, are the same modulo m wherever they
begin. A draw among k numbers tells x / m to within 1/k, so decks tell such sums roughly, whatever is drawn between two
decks. Relations that the first decks suggest are short vectors of a lattice; later decks judge the best of them. On
fair decks all e^(2 pi i sum) have the mean 0 and are uncorrelated, and what one deck adds is bounded: so is the tail.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import exp, gcd, log1p, pi, sqrt
from operator import mul
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.laws.tails import COUNT, PValue
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.draws import DOWNWARD, READINGS, readings_of
from fairdeck.lab.statistics.inversions import MOST
from fairdeck.lab.view import View

KEPT, CHOOSING = 128, 24  # decks of a stream, and those of them that suggest relations
ASKED_FROM = 512  # decks: a search takes some .3 seconds, and most other faults show before
TERMS = 14  # of a relation at most
PLACES = 7  # sums that suggest relations begin at one place in so many
TOLD = 0.3  # draws tell so much of a sum, or it is left out: 1 is all of it
SWAPPED, SHORTENED = (0.6, 0.85, 0.99), 0.51  # how well a basis is reduced: roughly at first, which saves steps
STEPS = 10_000  # of one reduction at most; some 1,000 are usual
LEAST = 1e-300  # a chance
LARGER = ", or both larger by multiples of that"  # low bits that are always the same change no draw
HOLDS = 0.75  # of the sums in one half of the range: with fewer, a relation tells of other faults


Integers = NDArray[np.int64]


class Relation(NamedTuple):
    """Draws in a row, that among the most numbers first, times factors: the sums are nearly equal if it holds."""

    reading: int
    factors: Integers
    p_value: float = 1.0  # for one reading
    share: float = 0.5  # of the sums of later decks, within a quarter of the range of the mean of the first ones
    suggested: tuple[Integers, ...] = ()  # factors of other relations, the likeliest first


class UnknownGenerators(Statistic):
    """Whether a relation of successive draws that the first decks suggest holds in later ones."""

    family: ClassVar[str] = "draws"
    sizes: ClassVar[range] = range(16, MOST + 1)
    relative: ClassVar[bool] = False
    sparse: ClassVar[bool] = True

    def count(self, view: View) -> Counts:
        """Return the first decks of the stream, each card as its number + 1; shape ``(n, KEPT)``."""
        counts = np.zeros((view.cards, KEPT), np.int64)
        if view.first is not None and (decks := max(0, min(view.decks, KEPT - view.first))):
            counts[:, view.first : view.first + decks] = view.columns[:, :decks] + 1
        return counts

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the relation of all readings that holds best."""
        if decks < ASKED_FROM or not counts.all():
            return
        found = best_relation(counts.astype(np.uint8).tobytes(), n)
        words = f"read as {READINGS[found.reading]}, the sums of successive draws, as fractions of their ranges, times "
        words += f"{', '.join(map(str, found.factors))}, are nearly equal modulo 1: "
        words += "{seen:.1%} lie in one half of the range; {expected:.0%} would be fair"
        p_value = PValue(found.p_value, COUNT, found.share).of_many(len(READINGS))
        odd = found.share < HOLDS or bool(np.abs(found.factors).sum() < 3)  # also where draws are nearly the same
        means = "" if odd else f"the numbers that it draws are those of {generator(found)}"
        yield self.evidence("one relation", p_value, words, seen=found.share, expected=0.5, means=means, roundabout=odd)


@lru_cache(maxsize=8)
def best_relation(counts: bytes, n: int) -> Relation:
    """Return the relation, of all readings, that later decks show best."""
    columns = np.frombuffer(counts, np.uint8).reshape(n, KEPT).astype(np.int16) - 1
    drawn = readings_of(View(columns, columns[:, :0]))
    # Whatever their order in time: numbers have the same relations backwards.
    return min((relation_of(draws[:0:-1], at) for at, draws in enumerate(drawn)), key=lambda each: each.p_value)


def relation_of(drawn: NDArray[np.int16], reading: int = 0) -> Relation:
    """Return the relation that the first decks show best, judged by the later ones."""
    options = np.arange(len(drawn) + 1, 1, -1)
    terms = min(TERMS, len(options) // 2 + 1)
    fractions = sliding_window_view((drawn + 0.5) / options[:, None], terms, axis=0)  # (places, decks, terms)
    widths = sliding_window_view(options, terms)
    # At one place of a deck, the low bits of some generators are always the same; so the places take turns.
    decks = np.arange(CHOOSING)
    found = suggested(fractions[decks * (decks + 1) // 2 % (len(options) // PLACES), decks], widths[0])
    factors = max(found, key=lambda each: abs(turned(each, fractions[:, :CHOOSING], widths)[0].sum()))
    sums, weights = turned(factors, fractions, widths)
    if not weights.any():
        return Relation(reading, factors)
    later = (sums[:, CHOOSING:] * np.exp(-1j * np.angle(sums[:, :CHOOSING].sum()))).real
    p_value = bound(float(later.sum()), later.shape[1], float(weights.sum()), float(weights @ weights) / 2)
    return Relation(reading, factors, p_value, float(np.mean(later[weights > 0] > 0)), found)


def turned(factors: Integers, fractions: Floats, widths: Integers) -> tuple[NDArray[np.complex128], Floats]:
    """Return w e^(2 pi i sum) for the sum at each place of each deck, and the weight w of each place.

    That is the mean of e^(2 pi i x), where x is what draws leave open of a sum. It is 0 where x is large, and where
    fair sums could be correlated: two factors together may be a multiple of so few numbers.
    """
    weights: Floats = np.sinc(factors / widths).prod(axis=1)
    weights[(weights < TOLD) | (widths.min(axis=1) <= 2 * np.abs(factors).max())] = 0.0
    return weights[:, None] * np.exp(2j * pi * (fractions @ factors)), weights


def bound(total: float, decks: int, most: float, variance: float) -> float:
    """Return a bound of the chance that decks add up to `total`, each `most` at most, with the mean 0 (Bennett)."""
    spread = decks * variance
    ratio = most * max(0.0, total) / spread
    return max(LEAST, exp(-spread / most**2 * ((1 + ratio) * log1p(ratio) - ratio)))


def suggested(fractions: Floats, widths: Integers) -> tuple[Integers, ...]:
    """Return factors with which the draws of each deck, a row, add up to nearly one value modulo 1.

    They are in short vectors of a lattice: of the factors, scaled, and the sums less their mean.
    """
    decks, terms = fractions.shape
    scale = sqrt(terms / 12) / widths
    whole = np.eye(decks)[1:] - 1 / decks
    rows = np.block([[np.zeros((decks - 1, terms)), whole], [np.diag(scale), (fractions - fractions.mean(axis=0)).T]])
    found = (np.rint(row[:terms] / scale).astype(np.int64) for row in reduced(rows))
    return tuple(factors for factors in found if factors.any())


def reduced(rows: Floats) -> list[Floats]:
    """Return a reduced basis of a lattice (Lenstra, Lenstra and Lovász); what was reached, if that takes very long."""
    basis = list(rows.copy())
    parts: list[list[float]] = [[] for _ in basis]  # of each row, along the directions of those before it
    squares, directions, inverse = [0.0] * len(basis), np.zeros_like(rows), np.zeros_like(rows)
    for swapped in SWAPPED:
        at = steps = 0
        while at < len(basis) and steps < STEPS:
            row, steps = basis[at], steps + 1
            along = (inverse[:at] @ row).tolist()
            for other in range(at - 1, -1, -1):
                if not -SHORTENED < along[other] < SHORTENED:
                    times = round(along[other])
                    row -= times * basis[other]
                    along[other] -= times
                    for further, part in enumerate(parts[other]):
                        along[further] -= times * part
            across = row - np.array(along) @ directions[:at]
            square, to = float(across @ across), at
            while to and (more := square + along[to - 1] ** 2 * squares[to - 1]) < swapped * squares[to - 1]:
                square, to = more, to - 1
            basis.insert(to, basis.pop(at))
            across += np.array(along[to:]) @ directions[to:at]
            parts[to], squares[to], directions[to], inverse[to] = along[:to], square, across, across / square
            at = to + 1
    return basis


def generator(relation: Relation) -> str:
    """Return what makes such numbers; if the likeliest relations are all that it has, with its factor and modulus.

    The determinant of their lattice is the modulus m; m times the inverse of a basis has, modulo m, multiples of the
    powers of the factor as columns. Of an even modulus, low bits that never change (without an increment) are not told.
    """
    basis = np.array(relation.suggested[: len(relation.factors)])
    modulus = round(abs(float(np.linalg.det(basis))))
    for first, second, *_ in np.rint(modulus * np.linalg.inv(basis)).T.astype(np.int64).tolist() if modulus > 1 else ():
        if gcd(first, modulus) == gcd(second, modulus) == 1:
            factor = second * pow(first, -1, modulus) % modulus
            powers = [pow(factor, at, modulus) for at in range(len(basis))]
            if not any(sum(map(mul, row, powers)) % modulus for row in basis.tolist()):
                factor = factor if DOWNWARD[relation.reading] else pow(factor, -1, modulus)
                return f"a congruential generator (x -> {factor} x + c modulo {modulus}{LARGER * (modulus % 2 == 0)})"
    return "a linear generator, such as x -> a x + c"


STATISTICS = (
    UnknownGenerators(
        name="relations of draws",
        sees="decks that foretell the others: congruential generators of up to some 40 bits, with any factor",
        source="Stern, FOCS (1987): relations of unknown generators; the bound: Bennett, JASA 57 (1962)",
    ),
)
