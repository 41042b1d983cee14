"""The numbers that a shuffling program must have drawn, read off its decks.

Most programs draw one number for each card: Fisher and Yates from the top down draws j among the places 0 .. k and
swaps the cards at j and k, for k from n-1 down to 1. Each deck comes from exactly one sequence of draws, so the draws
can be read off. On fair decks they are independent, and draw ``k`` is uniform on ``0 .. k``, whatever program made the
decks. Other programs (upwards, inside-out, taking cards out, inserting them) draw other numbers for the same deck, so
each deck is read in eight ways.

A program with a fault in its draws shows it best in the reading of its own algorithm: for a known fault the
likelihood ratio of the draws is the most powerful test there is (Neyman and Pearson).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import log, sqrt
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc

from fairdeck.bulk.shapes import Counts, Floats, once
from fairdeck.lab.laws.contrast import Contrast, two_sided, upper
from fairdeck.lab.laws.draws import DrawLaw, draw_laws, explains, log_likelihood, of_bits
from fairdeck.lab.laws.power import Limit, share_seen
from fairdeck.lab.laws.scalar import Law, total_shift
from fairdeck.lab.laws.tails import COUNT, PValue, like_chi_square, two_sided_chi_square
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.inversions import MOST, mahonian_law
from fairdeck.lab.view import View

__all__ = ["STATISTICS", "DrawLaw", "Draws", "draw_laws", "log_likelihood"]

TESTED = {"modulo": (8, 10, 12, 15, 16), "scaled": (8, 10, 12, 15, 16), "scaled by the largest": (15, 16)}  # bits
KNOWN = "known faulty draws"  # a test
EXPLAINED = 1e-4  # p-value: fair decks are not to be explained
ABOUT = 0.75  # of the logarithm of a p-value
FEWEST_NATS = 10.0  # of evidence on average: with less, a test of a known law has next to no power
MANY_CARDS, FEW_EXPECTED, MANY_EXPECTED = 20, 5, 100  # decks for each card, for all cells; few cells must hold more
FEWEST_FOR_ALL_MEANS = 256  # decks

Numbers = NDArray[np.int16]  # (readings, n, B): entry [r, k, t] is draw k of deck t


@dataclass(frozen=True)
class Draws(Statistic):
    """How often each draw gave each number, for algorithms whose draws are found in one pass."""

    readings: tuple[str, ...]  # the algorithm of each reading, to follow "read as"
    read: Callable[[View], Numbers]  # the draws of each deck of a view, by these readings; row 0 is not a draw

    family: ClassVar[str] = "draws"
    sizes: ClassVar[range] = range(2, MOST + 1)  # the law of the sum of all draws is computed
    relative: ClassVar[bool] = False
    bets: ClassVar[bool] = True

    def count(self, view: View) -> Counts:
        """Return in how many decks draw ``k`` was ``v``; shape ``(readings, n, n)``, filled for v <= k."""
        n, found = view.cards, len(self.readings)
        rows = np.arange(found * n).reshape(found, n, 1) * n
        draws = rows + self.read(view)
        draws[:, 0] = rows[:, 0]
        return np.bincount(draws.ravel(), minlength=found * n * n).reshape(found, n, n)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield, for each reading, known faulty draws, and what else of the draws could be uneven."""
        if not decks:
            return
        for reading, table in zip(self.readings, counts, strict=True):
            for test, p_value, words, data, explained in _tests(table, n, decks):
                yield self.evidence(
                    f"{test} ({reading})",
                    p_value,
                    words.replace("READING", reading),
                    roundabout=not explained,  # another algorithm may have made the decks
                    **data,
                )

    def log_wealth(self, counts: Counts, n: int, decks: int) -> float | None:  # noqa: ARG002
        """Return the log of what bets on the known faulty draws have made of one coin, evenly laid.

        The mean of likelihood ratios: a martingale of mean 1 on fair decks.
        """
        if not (tested := _tested(n)):
            return None
        logs = np.concatenate([tested.logs @ table.ravel() for table in counts])
        most = float(logs.max())
        return most + log(float(np.exp(logs - most).mean()))

    def bet_on(self, counts: Counts, n: int, decks: int) -> Evidence:
        """Return the surest test of the known faulty draws; with too few decks for it, the surest of all."""
        found = list(self.judge(counts, n, decks))
        known = [each for each in found if each.test.startswith(KNOWN)]
        return min(known or found, key=lambda each: each.p_value)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest share of draws in the lower half of their range that is seen."""
        fair = float(np.mean([(k + 1) // 2 / (k + 1) for k in range(1, n)]))
        size = share_seen(fair, decks * (n - 1), level)
        if size is None:
            return None
        test = f"low or high ({self.readings[0]})"
        words = "{size:.3%} of all draws in the lower half of their range instead of {expected:.3%}"
        return Limit(self.name, test, size, fair, words)


class _Test(NamedTuple):
    """A test of one reading; in its words READING stands for the algorithm."""

    test: str
    p_value: PValue
    words: str
    data: dict[str, float]
    explained: bool = False  # whether it names the draws that made the decks


def _tests(table: Counts, n: int, decks: int) -> Iterator[_Test]:
    others = list(_other_tests(table, n, decks))
    if (known := _known_draws(table, n, decks, min(test.p_value for test in others))) is not None:
        yield known
    yield from others


def _other_tests(table: Counts, n: int, decks: int) -> Iterator[_Test]:
    yield _sum(table, n, decks)
    for name, (contrast, what) in _contrasts(n).items():
        total = contrast.total(table)
        data = {"seen": total / decks / (n - 1), "expected": contrast.mean / (n - 1)}
        words = f"read as READING, {{seen:.3%}} of all draws are {what}; {{expected:.3%}} would be fair"
        yield _Test(name, two_sided(contrast, decks, total), words, data)
    yield _one_number(table, n, decks)
    yield _one_mean(table, n, decks)
    if decks >= FEWEST_FOR_ALL_MEANS and n >= MANY_CARDS:
        yield _all_means(table, n, decks)
    if decks >= n * (FEW_EXPECTED if n >= MANY_CARDS else MANY_EXPECTED):
        yield _every_number(table, n, decks)


class _Tested(NamedTuple):
    """The faulty laws that are looked for: one row of each array is one law."""

    laws: tuple[DrawLaw, ...]
    logs: Floats  # (laws, n * n)
    divergences: Floats


@cache
def _tested(n: int) -> _Tested | None:
    laws = tuple(law for kind, bits in TESTED.items() for law in of_bits(kind, bits, n) if law.logs.any())
    if not laws:
        return None
    return _Tested(
        laws,
        np.stack([law.logs.ravel() for law in laws]),
        np.array([law.divergence for law in laws]),
    )


def _known_draws(table: Counts, n: int, decks: int, surest: float) -> _Test | None:
    """Return the test of the known law that fits best; None where the decks are too few for any.

    Such draws are its own only if it is about as sure of them as the `surest` of all other tests.
    """
    if (tested := _tested(n)) is None or not (told := tested.divergences * decks >= FEWEST_NATS).any():
        return None
    totals = tested.logs @ table.ravel()
    deviations = np.full(len(told), -np.inf)
    for at in np.flatnonzero(told):  # the moments of the others take a while
        contrast = tested.laws[at].contrast
        deviations[at] = (totals[at] - decks * contrast.mean) / (sqrt(decks) * sqrt(contrast.variance))
    best = int(np.argmax(deviations))
    law = tested.laws[best]
    p_value = upper(law.contrast, decks, float(totals[best])).of_many(int(told.sum()))
    favoured = law.logs > 0
    fair = favoured.sum(axis=1) / np.arange(1, n + 1)
    data = {"seen": float(table[favoured].sum()) / decks / (n - 1), "expected": float(fair.sum()) / (n - 1)}
    explained = p_value < min(EXPLAINED, surest**ABOUT) and explains(law, table, decks)
    if explained:
        words = f"as if by READING, with draws like {law.words}: the numbers that these favour "
    else:
        words = f"read as READING, the numbers favoured by {law.words} "
    words += "are {seen:.3%} of all draws; {expected:.3%} would be fair"
    return _Test(KNOWN, p_value, words, data, explained)


@cache
def _contrasts(n: int) -> dict[str, tuple[Contrast, str]]:
    """Return tests of which numbers are drawn, and what to call these numbers."""
    draw, number = np.arange(n)[:, None], np.arange(n)
    inside = (number <= draw) & (draw > 0)
    chosen = {
        "low or high": (2 * number < draw, "in the lower half of their range"),
        "odd or even": (number % 2 == 1, "odd"),
        "the first number": (number == 0, "0, the first number"),
        "the last number": (number == draw, "the last number of their range"),
    }
    return {name: (Contrast((inside & which).astype(float)), what) for name, (which, what) in chosen.items()}


def _sum(table: Counts, n: int, decks: int) -> _Test:
    """Return the test of the sum of all draws: what is uneven modulo any number favours low ones."""
    law, total = mahonian_law(n), int((table @ np.arange(n)).sum())
    data = {"seen": total / decks, "expected": law.mean}
    words = "read as READING, the draws of a deck add up to {seen:,.6g} on average; {expected:,.6g} would be fair"
    return _Test("sum of the draws", total_shift(law, decks, total), words, data)


def _deviations_of_means(table: Counts, decks: int) -> Floats:
    """Return how far the mean of each draw, from draw 1 on, is from the fair one, in standard deviations."""
    draws = np.arange(1, len(table))
    totals = (table @ np.arange(len(table)))[1:]
    deviations: Floats = (totals - decks * draws / 2) / np.sqrt(decks * draws * (draws + 2) / 12)
    return deviations


def _one_mean(table: Counts, n: int, decks: int) -> _Test:
    draw = 1 + int(np.argmax(np.abs(_deviations_of_means(table, decks))))
    total = int(table[draw] @ np.arange(n))
    p_value = total_shift(Law(0, (1,) * (draw + 1)), decks, total).of_many(n - 1)
    words = f"read as READING, the draw from 0 to {draw} is {{seen:.5g}} on average; {{expected:.5g}} would be fair"
    return _Test("one draw's mean", p_value, words, {"seen": total / decks, "expected": draw / 2})


def _all_means(table: Counts, n: int, decks: int) -> _Test:
    deviations = _deviations_of_means(table, decks)
    draw = 1 + int(np.argmax(np.abs(deviations)))
    p_value = two_sided_chi_square(float(deviations @ deviations), n - 1)
    words = (
        "read as READING, the means of the draws are uneven or too even: "
        f"the draw from 0 to {draw} is {{seen:.5g}} on average; {{expected:.5g}} would be fair"
    )
    return _Test(
        "means of the draws", p_value, words, {"seen": float(table[draw] @ np.arange(n)) / decks, "expected": draw / 2}
    )


def _one_number(table: Counts, n: int, decks: int) -> _Test:
    """Return the test of the oddest number of any draw: each count is binomial (Bonferroni)."""
    draws = np.arange(1, n)
    fair = 1 / (draws + 1)
    inside = np.tri(n, dtype=bool)[1:]
    least = np.where(inside, table[1:], decks + 1).argmin(axis=1)
    most = np.where(inside, table[1:], -1).argmax(axis=1)
    low = bdtr(table[draws, least], decks, fair)
    high = np.where(table[draws, most] > 0, bdtrc(table[draws, most] - 1, decks, fair), 1.0)
    tails = np.concatenate([low, high])
    at = int(tails.argmin())
    draw, number = int(draws[at % (n - 1)]), int(np.concatenate([least, most])[at])
    count = int(table[draw, number])
    p_value = PValue(min(1.0, float(tails[at]) * (n * (n + 1) - 2)), COUNT, count)
    words = f"read as READING, the draw from 0 to {draw} is {number} in {{seen:.3%}} of decks; "
    words += "{expected:.3%} would be fair"
    return _Test("one number of one draw", p_value, words, {"seen": count / decks, "expected": 1 / (draw + 1)})


def _every_number(table: Counts, n: int, decks: int) -> _Test:
    """Return Pearson's test of all numbers of all draws, with the exact mean, variance and skewness of its sum."""
    cells = np.arange(2.0, n + 1)
    each = decks / cells
    squares = np.where(np.tri(n, dtype=bool)[1:], (table[1:] - each[:, None]) ** 2, 0.0) / each[:, None]
    # As in `even_cells`: the third cumulant of one draw comes from pairs and from triangles of decks.
    means = cells - 1
    variance = float(np.sum(2 * means)) * (1 - 1 / decks)
    pairs = decks * (decks - 1) / 2 * (1 - 1 / cells) * (1 - 2 / cells) / cells
    triangles = decks * (decks - 1) * (decks - 2) * means / cells**3
    third = float(np.sum((2 * cells / decks) ** 3 * (pairs + triangles)))
    chi, degrees = like_chi_square(float(squares.sum()), float(means.sum()), variance, third)
    p_value = two_sided_chi_square(max(0.0, chi), degrees)
    draw, number = divmod(int(squares.argmax()), n)
    words = (
        "read as READING, the numbers drawn are uneven or too even: "
        f"the draw from 0 to {draw + 1} is {number} in {{seen:.3%}} of decks; {{expected:.3%}} would be fair"
    )
    data = {"seen": float(table[draw + 1, number]) / decks, "expected": 1 / (draw + 2)}
    return _Test("every number of every draw", p_value, words, data)


# The readings. Swaps are undone one by one: the card that lies at place k tells which place was drawn, and card k lies
# where that card would be without the swap. To undo it leaves a deck of k cards, and the same holds for the inverse.


@once
def swaps_from_the_top(view: View) -> Numbers:
    """Return the draws of Fisher and Yates from the top down, and of the inside-out shuffle; shape ``(2, n, B)``."""
    cards, places = view.columns.astype(np.intp), view.places.astype(np.intp)
    decks = np.arange(view.decks)
    for k in range(view.cards - 1, 0, -1):
        cards[places[k], decks] = cards[k]
        places[cards[k], decks] = places[k]
    return np.stack([cards, places])


@once
def swaps_from_the_bottom(view: View) -> Numbers:
    """Return the same for loops that run the other way; a number counts from the place where the loop is."""
    n = view.cards
    cards, places = view.columns.astype(np.intp), view.places.astype(np.intp)
    decks = np.arange(view.decks)
    for k in range(n - 1):
        cards[places[k], decks] = cards[k]
        places[cards[k], decks] = places[k]
    here = np.arange(n)[:, None]
    return np.stack([cards - here, places - here])[:, ::-1]


@once
def cards_in_turn(view: View) -> Numbers:
    """Return the draws of taking cards out of a sorted deck and of inserting cards; shape ``(4, n, B)``.

    All follow from how many lower cards lie below each card: Lehmer codes, of the deck and its inverse, from both ends.
    """
    n, cards = view.cards, view.columns
    below = np.zeros_like(cards)
    for place in range(1, n):
        below[place] = np.count_nonzero(cards[:place] < cards[place], axis=0)
    higher = np.arange(n, dtype=cards.dtype)[:, None] - below
    lower_of_card, higher_of_card = np.empty_like(cards), np.empty_like(cards)
    np.put_along_axis(lower_of_card, cards.astype(np.intp), below, axis=0)
    np.put_along_axis(higher_of_card, cards.astype(np.intp), higher, axis=0)
    return np.stack([(cards - below)[::-1], below, lower_of_card, higher_of_card[::-1]])


_SOURCE = "Durstenfeld, CACM 7 (1964); one draw for each card, one to one; the tests: Neyman and Pearson (1933)"

STATISTICS = (
    Draws(
        name="draws of swaps from the top",
        sees="Fisher-Yates from the top down, and inside-out, with uneven draws: `rand() % n` or scaled, from few bits",
        source=_SOURCE,
        readings=("Fisher-Yates from the top down", "inside-out from the bottom up"),
        read=swaps_from_the_top,
    ),
    Draws(
        name="draws of swaps from the bottom",
        sees="Fisher-Yates from the bottom up, and inside-out from the top, with uneven draws, such as `rand() % n`",
        source=_SOURCE,
        readings=("Fisher-Yates from the bottom up", "inside-out from the top down"),
        read=swaps_from_the_bottom,
    ),
    Draws(
        name="draws of cards in turn",
        sees="cards taken out of the deck or inserted into it one by one, with uneven draws, such as `rand() % n`",
        source="Lehmer codes; Knuth, TAOCP 2, section 3.3.2, algorithm P",
        readings=(
            "taking out cards for the bottom first",
            "taking out cards for the top first",
            "inserting the lowest card first",
            "inserting the highest card first",
        ),
        read=cards_in_turn,
    ),
)
READINGS = tuple(reading for statistic in STATISTICS for reading in statistic.readings)
# Whether the draws go from the most numbers down to the fewest, for each reading.
DOWNWARD = (True, False, True, False, True, True, False, False)


def readings_of(view: View) -> list[Numbers]:
    """Return the draws of each deck by each of `READINGS`; shape ``(n, B)``."""
    return [draws for statistic in STATISTICS for draws in statistic.read(view)]
