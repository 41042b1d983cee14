"""Published standards for shuffles: what each demands, and which of our tests answer it.

Each text file here (``.toml``) is a standard: the fields of `Standard` and its `Demand`s; `registry` finds the
files by itself. A standard chooses statistics by name, sets the level, and sets the fewest decks. Demands that
tests of decks cannot answer (source review, the seeding of a generator) are listed as well, and are marked as not
answered: a certificate must not hide them.

**The level is always family-wise**: a perfect shuffle fails the whole of a standard with at most that chance, over all
tests. Where a standard asks for each of many tests at 99 %, a perfect shuffle would nearly always fail one of them;
with ``literal = true`` the certificate counts how many failed, beside the verdict (`failed_positions`).
"""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from scipy.special import bdtrc, chdtrc

from fairdeck.errors import FairdeckError, nearest_or_all
from fairdeck.lab.judging.tally import DEFAULT_LAGS, Battery, Tally
from fairdeck.lab.judging.verdict import fewest_decks
from fairdeck.numbers import shortened

EVERY = ("*",)  # in the place of names: every statistic that the standard asks for
ENDING = ".toml"
ALPHA = 0.01  # of a test of one position, where each is asked for
LEAST_EXPECTED = 5.0  # in each cell of it: the usual condition of the chi-square test


@dataclass(frozen=True, slots=True)
class Demand:
    """One thing that a standard demands."""

    words: str  # what it demands, in its own words, shortened
    tests: tuple[str, ...] = ()  # what answers it: names of statistics, or of single tests (``positions: by suit``)
    note: str = ""  # how far the tests answer it; without tests, what would
    relative: tuple[str, ...] = ()  # what answers it when asked of each deck relative to those before; `EVERY` for all

    @property
    def answerable(self) -> bool:
        """Whether tests of decks can answer it at all."""
        return bool(self.tests or self.relative)

    @property
    def statistics(self) -> frozenset[str]:
        """The statistics that its tests belong to."""
        return frozenset(test.partition(": ")[0] for test in (*self.tests, *self.relative)) - {*EVERY}

    def asks(self, statistic: str, test: str, lag: int) -> bool:
        """Tell whether a test of a statistic, on decks at a lag, is one of those that answer it."""
        asked = self.relative if lag else self.tests
        return statistic in asked or test in asked or asked == EVERY


@dataclass(frozen=True)
class Standard:
    """A published standard, or the published practice of a laboratory."""

    name: str  # what people type, such as ``gli19``
    title: str  # its title, with its edition or date
    authority: str  # who published it
    level: str  # what it says about a level, in its own words
    alpha: float  # the level used here, family-wise
    demands: tuple[Demand, ...]  # what it demands
    seen: str  # how we know its text
    first_hand: bool  # whether the text itself was read, if only in a copy
    least: int = 0  # the fewest decks that it takes; 0 where it names none
    sizes: tuple[int, ...] = ()  # the sizes of deck that it is about, in cards; empty for any
    lags: int = DEFAULT_LAGS  # how many decks back the comparisons go
    remarks: tuple[str, ...] = ()  # what a reader must know before relying on it
    # counts what the standard asks for literally, test by test, as lines of text
    literal: Callable[[Battery, Tally], Iterator[str]] | None = None

    @property
    def statistics(self) -> frozenset[str]:
        """The names of all statistics that it asks for."""
        return frozenset[str]().union(*(demand.statistics for demand in self.demands))

    def battery(self, cards: int, lags: int | None = None) -> Battery:
        """Return what it asks of decks of so many cards, compared up to `lags` apart, not fewer than the standard does.

        Raises FairdeckError if it is not about such decks, or needs more lags.
        """
        if self.sizes and cards not in self.sizes:
            sizes = " or ".join(map(str, self.sizes))
            raise FairdeckError(
                f"{self.name} is for decks of {sizes} cards, not {cards}; use such a deck or another standard"
            )
        if lags is not None and lags < self.lags:
            raise FairdeckError(f"{self.name} compares decks up to {self.lags} apart; ask for {self.lags} lags or more")
        return Battery(cards, self.lags if lags is None else lags, self.statistics)

    def fewest(self, cards: int) -> int:
        """Return the fewest decks of `cards` cards with which a shuffle can pass."""
        return max(self.least, fewest_decks(cards))


@cache
def registry() -> dict[str, Standard]:
    """Return every standard by its name, in alphabetical order."""
    files = sorted(resources.files(__name__).iterdir(), key=lambda file: file.name)
    found = [_read(file.name, file.read_text(encoding="utf-8")) for file in files if file.name.endswith(ENDING)]
    return {standard.name: standard for standard in found}


def _read(file: str, text: str) -> Standard:
    fields: dict[str, Any] = {key: _frozen(value) for key, value in tomllib.loads(text).items()}
    fields["demands"] = tuple(
        Demand(**{key: _frozen(value) for key, value in each.items()}) for each in fields["demands"]
    )
    fields["literal"] = failed_positions if fields.get("literal") else None
    return Standard(file.removesuffix(ENDING), **fields)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def find(name: str) -> Standard:
    """Return the standard called `name`.

    Raises:
        FairdeckError: no standard has this name; the message names similar ones.

    >>> find("GLI19").name
    'gli19'
    """
    known = registry().get(name.strip().lower())
    if known is None:
        raise FairdeckError(f"no standard is called {shortened(name)}{nearest_or_all(name, registry())}")
    return known


def failed_positions(battery: Battery, tally: Tally) -> Iterator[str]:
    """Yield how many positions fail a chi-square test of their own: South Dakota's rule, read word by word."""
    n = battery.cards
    for member, counts in zip(battery.members, tally.counts, strict=True):
        if member.statistic.name != "positions" or member.lag > 1:
            continue
        about = "in each position" if not member.lag else "in each position, by where it was in the deck before"
        each = tally.seen[member.lag] / n
        if each < LEAST_EXPECTED:
            yield f"The card {about}: too few decks for a chi-square test of each position."
            continue
        # A row of the counts is an ordinary multinomial: here, and only here, Pearson's sum needs no correction.
        p_values = chdtrc(n - 1, np.sum((counts - each) ** 2, axis=1) / each)
        failed = int(np.sum(p_values < ALPHA))
        often = f", and {failed} or more do in about {bdtrc(failed - 1, n, ALPHA):.2%} of runs" if failed else ""
        yield (
            f"The card {about}: {failed} of {n} positions fail a chi-square test of their own at 99 %; "
            f"of a perfect shuffle {n * ALPHA:.2g} do on average{often}."
        )
