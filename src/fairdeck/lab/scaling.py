"""Scaling: are whole numbers below a bound as likely as one another, for every bound of a deck?

Most faulty shuffles draw faulty numbers. A **draw** is a function from a bound k to one of 0..k-1.
It is asked for many numbers below each bound up to the deck's size, and below a few **probes**:
large bounds 3 * 2^(w-2) at which w random bits cannot be shared out evenly, whatever is done with
them but rejection. Below 52 the bias of 16 bits hides among 10^9 numbers; below 49152 it is plain,
for every third number (scaling by a product) or the lowest third of all (by a remainder) has half
of all draws. So probes tell how fine the grain of a draw is, and with it the bias at small bounds.
"""

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from math import log, log2, sqrt

import numpy as np
from scipy.special import ndtri

from fairdeck.errors import FairdeckError
from fairdeck.lab import drawing, entry
from fairdeck.lab.drawing import USUAL_DRAWS, USUAL_MOST, Broken, Count
from fairdeck.lab.law import chi_square
from fairdeck.lab.power import POWER
from fairdeck.lab.report import oddity
from fairdeck.lab.sources.process import Process, status_text
from fairdeck.lab.tails import LEAST_EACH, oddest_cell, two_sided_chi_square
from fairdeck.lab.verdict import DEFAULT_ALPHA, GATE, Finding, Outcome

COARSE = 32  # so few bits are a fault; more, as a float has, are told but not held against it
DICE = "fairdeck's own dice"


@dataclass(frozen=True, slots=True)
class Judged:
    """One p-value: of a bound, or of all together (bound 0)."""

    name: str
    bound: int
    p_value: float
    adjusted: float
    says: str


@dataclass(frozen=True)
class Scaling:
    """What is known of a draw.

    Attributes:
        name: what was on trial.
        most: the largest bound of a deck.
        alpha: the level, of all tests together.
        outcome: ``fail``; ``pass``: enough draws and no fault seen; ``insufficient``: neither.
        p_value: family-wise.
        findings: the faults, the surest first.
        counts: everything that was counted.
        tests: every p-value, the smallest first.
        grain: the bits that it seems to scale, if so few that they show; None if they do not.
        finest: the widest probe that showed nothing; 0 if there was none.
        smallest: the smallest bias that would have been seen: one number below `most` that comes
            more often than it should, by this part of its share, in 99 of 100 runs.
        notes: what a reader should know.
    """

    name: str
    most: int
    alpha: float
    outcome: Outcome
    p_value: float
    findings: tuple[Finding, ...]
    counts: tuple[Count, ...]
    tests: tuple[Judged, ...]
    grain: int | None
    finest: int
    smallest: float
    notes: tuple[str, ...] = ()

    @property
    def draws(self) -> int:
        """The numbers drawn below each bound of the deck."""
        return min((count.draws for count in self.counts if not count.probe), default=0)

    @property
    def headline(self) -> str:
        """The first sentence."""
        if self.outcome == "fail":
            return f"{self.name} is not fair: {self.findings[0].says}."
        if self.outcome == "pass":
            return (
                f"{self.name} shows no fault: below every bound from 2 to {self.most} "
                f"each number comes as often as the others, in {self.draws:,} draws."
            )
        return (
            f"Too few draws to judge {self.name}: {self.draws:,} below each bound, {oddity(self.p_value)}; "
            f"ask for {LEAST_EACH * self.most:,} or more."
        )


# --- judging


def judge(name: str, counts: Iterable[Count], alpha: float = DEFAULT_ALPHA, notes: tuple[str, ...] = ()) -> Scaling:
    """Return what the counts of a draw are worth.

    Holm's procedure over all tests, so that a fair draw is failed with a chance of at most `alpha`.
    What is outside of the bounds, or an error while drawing, needs no chance: it is a fault.
    """
    alpha = entry.alpha(alpha)
    known: list[Count] = []
    broken: list[Finding] = []
    try:
        known.extend(counts)  # keeps what came before an error
    except Broken as error:
        broken.append(Finding(GATE, 0.0, str(error)))
    broken.extend(Finding(GATE, 0.0, _outside(count)) for count in known if count.outside)
    decks = [count for count in known if not count.probe]
    most = max((count.bound for count in decks), default=0)
    tests = _holm([*_pooled(decks), *chain.from_iterable(map(_judged, known))])
    shown = [test for test in tests if test.adjusted <= alpha]
    probed = [test for test in shown if test.bound > most]
    grain = min((test.bound.bit_length() for test in probed), default=None)
    # A bound says more than all together; and of the probes the narrowest says all.
    held = [test for test in shown if 0 < test.bound <= most]
    held += [test for test in shown if not test.bound]
    held += [test for test in probed if test.bound.bit_length() == grain and grain <= COARSE][:1]
    findings = (*broken, *(Finding(test.name, test.p_value, _told(test, most)) for test in _once_each(held)))
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
    """Yield one test of all bounds together, on both sides: numbers that take turns are no random ones."""
    ratios = [ratio for count in counts if (ratio := _likelihood_ratio(count.cells["number"])) is not None]
    if not ratios:
        return
    total, degrees = sum(ratio for ratio, _ in ratios), sum(degrees for _, degrees in ratios)
    odd = "unevenly, all bounds taken together" if total > degrees else "too evenly, as if they took turns"
    yield Judged("all bounds", 0, two_sided_chi_square(total, degrees), 1.0, f"the numbers come {odd}")


def _likelihood_ratio(cells: tuple[int, ...]) -> tuple[float, int] | None:
    """Return a likelihood ratio with Williams' correction, and its degrees; see `fairdeck.lab.law.deviance`."""
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
    """Return the least part by which one number below the largest bound is seen to come too often."""
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
        f"would come too often by 1 in {2**width // most:,} or more"
    )


def _outside(count: Count) -> str:
    return f"below {count.bound:,} it gave {count.example}, which is no whole number of 0 to {count.bound - 1:,}"


def least_bits(bound: int) -> float:
    """Return the fewest random bits that a number below `bound` takes on average: log2(bound)."""
    return log2(bound)


# --- a function of the user's, in a process of its own


def of_function(
    function: str, seed: int, most: int = USUAL_MOST, draws: int = USUAL_DRAWS, timeout: float = 10.0
) -> Iterator[Count]:
    """Yield the counts of ``package.module:function`` or ``path/to/file.py:function``.

    It is called with the bound, or with the bound and a `random.Random` if it has a place for one.

    Raises:
        FairdeckError: it cannot be found or called.
        Broken: it failed, or was silent for `timeout` seconds; the counts before are good.
    """
    most, draws = entry.whole("most", most, 2), entry.whole("draws", draws, 1)
    seed, timeout = entry.whole("seed", seed, 0), entry.seconds("timeout", timeout)
    job = {"function": function, "seed": seed, "most": most, "draws": draws}
    with tempfile.TemporaryFile() as stdin:
        stdin.write(json.dumps(job).encode())
        stdin.seek(0)
        # -P: what lies beside our own files must hide no module of the user's.
        process = Process([sys.executable, "-P", "-m", drawing.__name__], stdin=stdin)
    with closing(process):
        last, rest = 1, b""
        while chunk := process.read(timeout):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                told = json.loads(line)
                if "refused" in told:
                    raise FairdeckError(f"{function}: {told['refused']}")
                if "broken" in told:
                    raise Broken(told["broken"])
                if "end" in told:
                    return
                if "bound" in told:
                    last = told["bound"]
                    yield Count(**{**told, "cells": {name: tuple(cells) for name, cells in told["cells"].items()}})
        if last >= most:
            return  # a probe was too much for it, and nothing that a deck needs
        if chunk is None:
            raise Broken(f"below {last + 1} it gave nothing for {timeout:g} s")
        status, said = status_text(process.ended()), process.last_words()
        raise Broken(f"below {last + 1} it {status}" + (f": {said}" if said else ""))
