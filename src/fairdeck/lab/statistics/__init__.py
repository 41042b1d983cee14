"""Statistics of a deck: what each counts, and what its counts are worth.

Each file here holds one statistic, or a few that share an idea, and lists them as ``STATISTICS``;
`catalogue` finds the files by itself. A statistic turns a batch of decks into counts of a fixed
shape (`count`), which add up over batches in any order (`merge`), and at the end turns the counts
into evidence (`judge`): p-values, each with the fault that it would betray in plain words.

Every p-value is valid by itself: on fair decks it falls below any level with at most that chance,
up to the accuracy that its formula states. A statistic gives none where it has too few decks.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from math import sqrt
from pkgutil import iter_modules
from typing import ClassVar

import numpy as np

from fairdeck.lab.arrays import Counts, Values
from fairdeck.lab.law import Law, drift, fit, mean_of, stray
from fairdeck.lab.power import Limit, share_seen, shift_seen
from fairdeck.lab.view import View

RARE = 1e-6  # a law whose rarer end is likelier than this has no value that is odd in a single deck


@dataclass(frozen=True, slots=True)
class Evidence:
    """One p-value.

    Attributes:
        test: which test gave it, such as ``rising sequences: mean``.
        p_value: the chance of something as odd on fair decks, 0 to 1.
        says: what was seen and what a fair deck shows, in plain words. A card is ``card 7``, a range
            ``cards 7 to 9``, by where they started; reports put names in their place.
        means: what that would mean if it is no accident; empty where it speaks for itself.
    """

    test: str
    p_value: float
    says: str
    means: str = ""


@dataclass(frozen=True)
class Statistic(ABC):
    """Something that is counted on decks.

    Attributes:
        name: what reports call it.
        sees: the faults it is there for, in a few words.
        source: where its law is from.
    """

    name: str
    sees: str
    source: str

    family: ClassVar[str]
    relative: ClassVar[bool] = True  # whether relative arrangements are worth a look as well

    def fits(self, n: int) -> bool:  # noqa: ARG002 - most fit any deck
        """Tell whether decks of `n` cards can be looked at in this way."""
        return True

    @abstractmethod
    def count(self, view: View) -> Counts:
        """Return the counts of a batch, shaped by the number of cards alone."""

    def merge(self, counts: Counts, more: Counts) -> Counts:
        """Return the counts of two batches together, whichever comes first."""
        return counts + more

    @abstractmethod
    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield what the counts of `decks` decks of `n` cards are worth."""

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest fault that a test of these decks at `level` sees; None where that is not known."""
        return None

    def shift_limit(self, mean: float, variance: float, values: int, level: float) -> Limit:
        """Return the limit of a test of the mean of `values` values."""
        size = shift_seen(values, level) * sqrt(variance)
        fair = f"{mean:,.1f}" if mean >= 1_000 else f"{mean:.4g}"
        says = f"{self.name}: {size:.3g} more or less on average than the fair {fair}"
        return Limit(self.family, f"{self.name}: mean", size, says)

    def share_limit(self, test: str, what: str, fair: float, decks: int, level: float) -> Limit | None:
        """Return the limit of a test of one cell, which a deck falls into or not, at `level` for that cell."""
        size = share_seen(fair, decks, level)
        if size is None:
            return None
        says = f"{what} in {size:.3%} of decks instead of {fair:.3%}"
        return Limit(self.family, f"{self.name}: {test}", size, says)


@dataclass(frozen=True)
class Scalar(Statistic):
    """A whole number measured on each deck, with its exact law.

    Attributes:
        of: the number, for each deck of a view.
        law: its law on fair decks of `n` cards.
        few: what it means when the number is too small on average.
        many: what it means when it is too large.
        least, most: the sizes of deck that it is used for.
    """

    of: Callable[[View], Values]
    law: Callable[[int], Law]
    few: str
    many: str
    least: int = 2
    most: int = 10_000

    family: ClassVar[str] = "shape"
    unit: ClassVar[str] = "deck"  # what one value is measured on

    def fits(self, n: int) -> bool:
        """Tell whether a deck of `n` cards has a law here, and one that can vary."""
        return self.least <= n <= self.most and sum(weight > 0 for weight in self.law(n).weights) > 1

    def count(self, view: View) -> Counts:
        """Return how often each value of the law was met; shape ``(values,)``."""
        law = self.law(view.cards)
        return np.bincount(self.of(view) - law.low, minlength=len(law.weights))

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the mean, the shape and the oddest single deck."""
        if not decks:
            return
        law = self.law(n)
        mean = mean_of(law, counts)
        means = self.few if mean < law.mean else self.many
        seen, fair = _apart(mean, law.mean)
        says = f"{self.name}: {seen} on average, {fair} in a fair deck"
        yield Evidence(f"{self.name}: mean", drift(law, counts), says, means)
        shape = fit(law, counts)
        if shape is not None:
            yield Evidence(f"{self.name}: shape", shape, f"{self.name}: {self._most_off(law, counts)}")
        if law.rarest_end > RARE:
            return
        chance, value = stray(law, counts)
        met = _times(int(counts[value - law.low]), self.unit)
        says = f"{self.name}: {value} in {met}"
        yield Evidence(f"{self.name}: single {self.unit}", chance, says, "hardly any fair deck shows that")

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest shift of the mean that is seen; None if no shift would be, with so few values."""
        law, values = self.law(n), int(counts.sum())
        if not values:
            return None
        found = self.shift_limit(law.mean, law.variance, values, level)
        return found if law.low <= law.mean - found.size and law.mean + found.size <= law.values[-1] else None

    def _most_off(self, law: Law, counts: Counts) -> str:
        decks = float(counts.sum())
        expected = law.probabilities * decks
        at = int(np.argmax(np.abs(counts - expected) / np.sqrt(np.maximum(expected, 1))))
        return (
            f"the value {law.low + at} in {_percent(counts[at] / decks)} of decks, "
            f"{_percent(expected[at] / decks)} would be fair"
        )


@cache
def catalogue() -> tuple[Statistic, ...]:
    """Return every statistic, by the name of its file."""
    found = []
    for module in sorted(module.name for module in iter_modules(__path__)):
        found.extend(import_module(f"{__name__}.{module}").STATISTICS)
    return tuple(found)


def _apart(seen: float, fair: float) -> tuple[str, str]:
    """Return both numbers with as many digits as it takes to tell them apart, four to nine."""
    for digits in range(4, 10):
        told = f"{seen:,.{digits}g}", f"{fair:,.{digits}g}"
        if told[0] != told[1] and "e" not in told[0] + told[1]:
            break
    return told


def _percent(share: float) -> str:
    return f"{share:.3%}" if share < 0.1 else f"{share:.1%}"


def _times(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
