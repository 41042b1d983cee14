"""Statistics of a deck: what each counts, and what its counts are worth.

Each file here holds one statistic, or a few that share an idea, and lists them as ``STATISTICS``; `catalogue` finds the
files by itself. A statistic turns a batch of decks into counts of a fixed shape (`count`), which add up over batches in
any order (`merge`), and at the end turns the counts into evidence (`judge`): p-values with what was seen and what was
expected. The words of a statistic are in its own file, as templates; `fairdeck.lab.judging.sentences` fills them in.

Every p-value is valid by itself: on fair decks it falls below any level with at most that chance,
up to the accuracy that its formula states. With too few decks a statistic yields no p-value.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from math import sqrt
from pkgutil import iter_modules
from typing import Any, ClassVar, TypeAlias

import numpy as np

from fairdeck.bulk.shapes import Counts, Floats, Values
from fairdeck.lab.laws.power import Limit, share_seen, shift_seen
from fairdeck.lab.laws.scalar import (
    Law,
    bet_weights,
    cell_starts,
    extreme_value,
    goodness_of_fit,
    log_wealth,
    mean_of,
    mean_shift,
)
from fairdeck.lab.laws.tails import PValue
from fairdeck.lab.observations import Sight
from fairdeck.lab.view import View
from fairdeck.shuffles import MOST_CARDS

RARE = 1e-6  # where both ends of a law are likelier than this, no value is odd in a single deck
Numbers: TypeAlias = tuple[int | range, ...]  # of cards or places: single ones and ranges


@dataclass(frozen=True, slots=True)
class Evidence:
    """One p-value, and what was seen."""

    statistic: str  # the name of the statistic
    test: str  # which of its tests it is, such as ``mean``
    p_value: PValue  # the chance of something as odd on fair decks, with its test statistic
    # a template of the sentence that says so. Its fields are ``{seen}``, ``{expected}``, ``{cards[0]}`` ("card 7",
    # "cards 7 to 9", or their names), ``{places[0]}`` ("place 3") and so on.
    words: str
    seen: float | None = None  # the number that was seen where the counts deviate most from a fair shuffle
    expected: float | None = None  # the same number on fair decks
    cards: Numbers = ()  # the cards that it is about, by the place where they started
    places: Numbers = ()  # the places that it is about
    means: str = ""  # what that would mean if it is not an accident; empty where `words` say enough
    # whether it tells what other evidence tells more plainly, if there is any: a report has it last
    roundabout: bool = False
    explains: bool = False  # whether all other evidence follows from it: a report has it first

    @property
    def name(self) -> str:
        """The statistic and the test."""
        return f"{self.statistic}: {self.test}"


@dataclass(frozen=True)
class Statistic(ABC):
    """Something that is counted on decks."""

    name: str  # what reports call it
    sees: str  # the faults it is meant to find, in a few words
    source: str  # the publication of its law

    family: ClassVar[str]  # the name of one of `fairdeck.lab.judging.families`
    sizes: ClassVar[range] = range(2, MOST_CARDS + 1)  # the cards of a deck that it can be used on
    relative: ClassVar[bool] = True  # whether it is counted on relative arrangements as well
    sparse: ClassVar[bool] = False  # whether it skips most of the large blocks: see `fairdeck.lab.judging.tally`
    bets: ClassVar[bool] = False  # whether it bets against fairness, see `log_wealth`

    def fits(self, n: int) -> bool:
        """Tell whether the statistic can be used on decks of `n` cards: by their number, if nothing else counts."""
        return n in self.sizes

    @abstractmethod
    def count(self, view: View) -> Counts:
        """Return the counts of a batch, shaped by the number of cards alone."""

    def merge(self, counts: Counts, more: Counts) -> Counts:
        """Return the counts of two batches together, in either order."""
        return counts + more

    @abstractmethod
    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the evidence in the counts of `decks` decks of `n` cards."""

    def log_wealth(self, counts: Counts, n: int, decks: int) -> float | None:  # noqa: ARG002
        """Return the log of what betting against fairness has made of one coin; None where it makes no bets.

        The wealth must be a martingale of mean 1 on fair decks; see `fairdeck.lab.judging.trial`.
        """
        return None

    def bet_on(self, counts: Counts, n: int, decks: int) -> Evidence:
        """Return the evidence of what the bets are on: the first test, if the statistic does not know better."""
        return next(self.judge(counts, n, decks))

    def evidence(self, test: str, p_value: PValue, words: str, **data: Any) -> Evidence:
        """Return the evidence of one test of this statistic; see `Evidence`."""
        return Evidence(self.name, test, p_value, words, **data)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest fault that a test of these decks at `level` sees; None where that is not known."""
        return None

    def shift_limit(self, mean: float, variance: float, values: int, level: float) -> Limit:
        """Return the limit of a test of the mean of `values` values."""
        size = shift_seen(values, level) * sqrt(variance)
        fair = ",.0f" if mean >= 1e6 else ",.1f" if mean >= 1_000 else ".4g"
        off = ",.0f" if size >= 1_000 else ".3g"
        words = f"{self.name}: {{size:{off}}} more or less on average than the fair {{expected:{fair}}}"
        return Limit(self.name, "mean", size, mean, words)

    def share_limit(self, test: str, what: str, fair: float, decks: int, level: float) -> Limit | None:
        """Return the limit of a test of the share of decks with some property, at `level` for that property alone."""
        size = share_seen(fair, decks, level)
        if size is None:
            return None
        words = f"{what} in {{size:.3%}} of decks instead of {{expected:.3%}}"
        return Limit(self.name, test, size, fair, words)


@dataclass(frozen=True)
class Scalar(Statistic):
    """A whole number measured on each deck, with its exact law.

    Attributes:
        of: the number, for each deck of a view.
        law: its law on fair decks of `n` cards.
        few: what it means when the number is too small on average.
        many: what it means when it is too large.
        least, most: the smallest and the largest deck that it is used for, in cards.
    """

    of: Callable[[View], Values]
    law: Callable[[int], Law]
    few: str
    many: str
    least: int = 2
    most: int = MOST_CARDS
    capped: int | None = None  # the largest number that is counted: larger ones count as that; None for no such

    family: ClassVar[str] = "shape"
    bets: ClassVar[bool] = True
    unit: ClassVar[str] = "deck"  # what one value is measured on

    def fits(self, n: int) -> bool:
        """Tell whether `n` cards are in range and the number can take two values or more."""
        return self.least <= n <= self.most and sum(weight > 0 for weight in self.law(n).weights) > 1

    def count(self, view: View) -> Counts:
        """Return the decks with each value of the law; shape ``(values,)``."""
        law = self.law(view.cards)
        return np.bincount(self.of(view) - law.low, minlength=len(law.weights))

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the mean, the shape and the oddest single deck."""
        if not decks:
            return
        law = self.law(n)
        mean = mean_of(law, counts)
        digits = _digits(mean, law.mean)
        more = " or more" if self.capped and counts[self.capped :].any() else ""
        words = f"{self.name}: {{seen:{digits}}}{more} on average, {{expected:{digits}}} in a fair deck"
        means = self.few if mean < law.mean else self.many
        yield self.evidence("mean", mean_shift(law, counts), words, seen=mean, expected=law.mean, means=means)
        if (shape := goodness_of_fit(law, counts)) is not None:
            yield self._shape(law, counts, shape)
        if law.rarest_end <= RARE and counts.sum() > 1:  # of one, the mean has told it
            p_value = extreme_value(law, counts)
            words = f"{self.name}: {{seen}}{_met(law, counts, int(p_value.score) - law.low, self.unit)}"
            means = "hardly any fair deck shows that"
            yield self.evidence(f"single {self.unit}", p_value, words, seen=int(p_value.score), means=means)

    def log_wealth(self, counts: Counts, n: int, decks: int) -> float | None:  # noqa: ARG002
        """Return the log of what bets on a shifted mean have made of one coin."""
        values = int(counts.sum())  # without values the wealth is 1
        total = self.law(n).low * values + int(counts @ np.arange(len(counts)))
        return log_wealth(_stakes(self, n), values, total)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest shift of the mean that is seen; None if the values are too few to see any."""
        law, values = self.law(n), int(counts.sum())
        if not values:
            return None
        found = self.shift_limit(law.mean, law.variance, values, level)
        return found if law.low <= law.mean - found.size and law.mean + found.size <= law.values[-1] else None

    def _shape(self, law: Law, counts: Counts, p_value: PValue) -> Evidence:
        """Return the evidence of the shape, in the words of the oddest of the cells that were judged."""
        decks = float(counts.sum())
        starts = cell_starts(law.probabilities * decks)
        fair, found = np.add.reduceat(law.probabilities * decks, starts), np.add.reduceat(counts, starts)
        at = int(np.argmax(np.abs(found - fair) / np.sqrt(fair)))
        low, high = law.low + starts[at], law.low + [*starts[1:], len(counts)][at] - 1
        which = f"the value {low}" if low == high else f"a value from {low} to {high}"
        seen, expected = found[at] / decks, fair[at] / decks
        words = (
            f"{self.name}: {which} in {{seen:{_percent(seen)}}} of {self.unit}s, "
            f"{{expected:{_percent(expected)}}} would be fair"
        )
        return self.evidence("shape", p_value, words, seen=seen, expected=expected)


@cache
def catalogue() -> tuple[Statistic, ...]:
    """Return every statistic, by the name of its file."""
    return tuple(statistic for module in _modules() for statistic in getattr(module, "STATISTICS", ()))


def _modules() -> tuple[Any, ...]:
    return tuple(import_module(f"{__name__}.{name}") for name in sorted(each.name for each in iter_modules(__path__)))


@cache
def of_sight(sight: Sight) -> tuple[Statistic, ...]:
    """Return the statistics of what is seen of each deck, and of its kinds: those that a file makes by ``seen``."""
    makers = (getattr(module, "seen", None) for module in _modules())
    return tuple(statistic for make in makers if make for statistic in make(sight))


@cache
def _stakes(statistic: Scalar, n: int) -> tuple[Floats, Floats]:
    return bet_weights(statistic.law(n))


def _digits(seen: float, fair: float) -> str:
    """Return the format in which both numbers differ: four to nine digits."""
    for digits in range(4, 10):
        shown = f"{seen:,.{digits}g}", f"{fair:,.{digits}g}"
        if shown[0] != shown[1] and "e" not in shown[0] + shown[1]:
            break
    return f",.{digits}g"


def _met(law: Law, counts: Counts, at: int, unit: str) -> str:
    """Return in how many decks a value came, with those further out."""
    low = law.low + at < law.mean
    met = int(counts[: at + 1].sum() if low else counts[at:].sum())
    further = f" or {'less' if low else 'more'}" if met > counts[at] else ""
    return f"{further} in {met:,} {unit}{'' if met == 1 else 's'}"


def _percent(share: float) -> str:
    return ".3%" if share < 0.1 else ".1%"
