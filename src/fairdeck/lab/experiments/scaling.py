"""Scaling: are all whole numbers below a bound equally likely, for every bound of a deck?

Most faulty shuffles draw faulty numbers. A draw function takes a bound k and returns one of 0..k-1. It
is asked for many numbers below each bound up to the deck's size, and below a few **probes**: large
bounds 3 * 2^(w-2), over which w random bits cannot be spread evenly except by rejection. Below 52 it
takes 10^9 numbers to see the bias of 16 bits; below 49152 it is plain, because every third number
(scaling by a product) or the lowest third (scaling by a remainder) has half of all draws. So probes
show how many random bits a function scales, and with that its bias at small bounds.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from math import log, sqrt

import numpy as np
from scipy.special import ndtri

from fairdeck import numbers
from fairdeck.lab.experiments.bounded_integers import Count, DrawFailed
from fairdeck.lab.judging.verdict import DEFAULT_ALPHA, GATE, Outcome
from fairdeck.lab.laws.intervals import two_digits
from fairdeck.lab.laws.power import POWER
from fairdeck.lab.laws.tails import LEAST_EACH, chi_square, oddest_cell, two_sided_chi_square

COARSE = 32  # scaling this many bits or fewer is a fault; more, such as the 53 of a float, is only reported
OURS = "fairdeck's own generator"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: the test that shows it, how unlikely that is for fair numbers, and what it is."""

    statistic: str
    p_value: float
    says: str


@dataclass(frozen=True, slots=True)
class Judged:
    """One p-value: of a bound, or of all together (bound 0)."""

    name: str
    bound: int
    p_value: float
    adjusted: float
    says: str


@dataclass(frozen=True, repr=False)
class Scaling:
    """The verdict on a draw function, and its evidence.

    Attributes:
        name: of the function.
        most: the largest bound of a deck.
        alpha: the level of all tests together.
        outcome: ``fail``; ``pass``: enough draws and no fault seen; ``insufficient``: neither.
        p_value: family-wise.
        findings: the faults, the surest first.
        counts: of all bounds.
        tests: every p-value, the smallest first.
        grain: the random bits that it seems to scale; None if no probe shows a bias.
        finest: the widest probe without a bias; 0 if there is none.
        smallest: the smallest bias that 99 of 100 runs would have seen: one number below `most` comes
            too often by this part of its share.
        notes: what a reader should know.
        seed: of the random numbers; None if they came from the operating system.
    """

    name: str
    most: int
    alpha: float
    outcome: Outcome
    p_value: float
    findings: tuple[Fault, ...]
    counts: tuple[Count, ...]
    tests: tuple[Judged, ...]
    grain: int | None
    finest: int
    smallest: float
    notes: tuple[str, ...] = ()
    seed: int | None = None

    def __repr__(self) -> str:
        return f"<Scaling of {self.name}: {self.outcome}, {self.draws:,} draws below each bound to {self.most}>"

    def to_json(self, command: str = "") -> str:
        """Return what ``fairdeck scaling --json`` prints."""
        from fairdeck.output.scaling import as_json

        return as_json(self, command)

    @property
    def draws(self) -> int:
        """The numbers drawn below each bound of the deck."""
        return min((count.draws for count in self.counts if not count.probe), default=0)


def judge(
    name: str,
    counts: Iterable[Count],
    alpha: float = DEFAULT_ALPHA,
    notes: tuple[str, ...] = (),
    seed: int | None = None,
) -> Scaling:
    """Return the verdict on the counts of a draw function.

    Holm's procedure over all tests: a fair function fails with a chance of at most `alpha`. A number
    out of range, or an error, is a fault by itself.
    """
    alpha = numbers.alpha(alpha)
    known: list[Count] = []
    broken: list[Fault] = []
    try:
        known.extend(counts)  # keeps the counts before an error
    except DrawFailed as error:
        broken.append(Fault(GATE, 0.0, str(error)))
    broken.extend(Fault(GATE, 0.0, _outside(count)) for count in known if count.outside)
    decks = [count for count in known if not count.probe]
    most = max((count.bound for count in decks), default=0)
    tests = _holm([*_pooled(decks), *chain.from_iterable(map(_judged, known))])
    shown = [test for test in tests if test.adjusted <= alpha]
    probed = [test for test in shown if test.bound > most]
    grain = min((test.bound.bit_length() for test in probed), default=None)
    # Single bounds say more than all together; of the probes the narrowest says everything.
    held = [test for test in shown if 0 < test.bound <= most]
    held += [test for test in shown if not test.bound]
    held += [test for test in probed if test.bound.bit_length() == grain and grain <= COARSE][:1]
    findings = (*broken, *(Fault(test.name, test.p_value, _told(test, most)) for test in _once_each(held)))
    enough = bool(decks) and min(count.draws for count in decks) >= LEAST_EACH * most
    counting = [test.adjusted for test in tests if test.bound <= most or test.bound.bit_length() <= COARSE]
    return Scaling(
        name=name,
        most=most,
        alpha=alpha,
        outcome="fail" if findings else "pass" if enough else "insufficient",
        p_value=0.0 if broken else min(counting, default=1.0),
        findings=findings,
        counts=tuple(known),
        tests=tests,
        grain=grain,
        finest=max((count.probe for count in known if grain is None or count.probe < grain), default=0),
        smallest=_smallest(decks, alpha / max(1, len(tests))),
        notes=notes,
        seed=seed,
    )


def _once_each(tests: list[Judged]) -> list[Judged]:
    """Return the surest test of each bound."""
    return list({test.bound: test for test in reversed(tests)}.values())[::-1]


def _judged(count: Count) -> Iterator[Judged]:
    for name, cells in count.cells.items():
        drawn = sum(cells)
        if not drawn:
            continue
        chance, cell = oddest_cell(np.array(cells), drawn, 1 / len(cells))
        says = _says(count, name, cell)
        yield Judged(f"below {count.bound}: one {name}", count.bound, chance, 1.0, says)
        ratio = _likelihood_ratio(cells)
        if ratio is not None:
            yield Judged(f"below {count.bound}: all {name}s", count.bound, chi_square(*ratio), 1.0, says)


def _pooled(counts: list[Count]) -> Iterator[Judged]:
    """Yield one test of all bounds together, on both sides: numbers that take turns are not random."""
    ratios = [ratio for count in counts if (ratio := _likelihood_ratio(count.cells["number"])) is not None]
    if not ratios:
        return
    total, degrees = sum(ratio for ratio, _ in ratios), sum(degrees for _, degrees in ratios)
    odd = "unevenly, all bounds taken together" if total > degrees else "too evenly, as if they took turns"
    yield Judged("all bounds", 0, two_sided_chi_square(total, degrees), 1.0, f"the numbers come {odd}")


def _likelihood_ratio(cells: tuple[int, ...]) -> tuple[float, int] | None:
    """Return a likelihood ratio with Williams' correction, and its degrees; see `fairdeck.lab.laws.tails.deviance`."""
    drawn, size = sum(cells), len(cells)
    each = drawn / size
    if each < LEAST_EACH:
        return None
    ratio = 2 * sum(count * log(count / each) for count in cells if count)
    return max(0.0, ratio) / (1 + (size + 1) / (6 * drawn)), size - 1


def _holm(tests: list[Judged]) -> tuple[Judged, ...]:
    highest, adjusted = 0.0, []
    for left, test in zip(range(len(tests), 0, -1), sorted(tests, key=lambda test: test.p_value), strict=True):
        highest = max(highest, min(1.0, left * test.p_value))
        adjusted.append(Judged(test.name, test.bound, test.p_value, highest, test.says))
    return tuple(adjusted)


def _smallest(counts: list[Count], level: float) -> float:
    """Return the smallest excess of one number below the largest bound that is seen, as a part of its share."""
    if not counts:
        return float("inf")
    last = counts[-1]
    spread = sqrt((last.bound - 1) / last.draws)
    return float(ndtri(1 - level / (2 * last.bound)) + ndtri(POWER)) * spread


def _says(count: Count, name: str, cell: int) -> str:
    cells = count.cells[name]
    if name == "number":
        share = (
            f"never comes in {count.draws:,} draws" if not cells[cell] else f"comes in {cells[cell] / sum(cells):.3%}"
        )
        return f"below {count.bound} the number {cell} {share}; {1 / count.bound:.3%} would be fair"
    shares = ", ".join(f"{each / sum(cells):.1%}" for each in cells)
    what = "thirds of the range hold" if name == "third" else "remainders by 3 hold"
    return f"below {count.bound:,} the three {what} {shares} of the numbers"


def _told(test: Judged, most: int) -> str:
    if test.bound <= most:
        return test.says
    width = test.bound.bit_length()
    return (
        f"{test.says}, as if it scaled {width} random bits or fewer: below {most} some numbers "
        f"would come too often by 1 in {two_digits(2**width / most)} or more"
    )


def _outside(count: Count) -> str:
    return f"below {count.bound:,} it gave {count.example}, which is not a whole number from 0 to {count.bound - 1:,}"
