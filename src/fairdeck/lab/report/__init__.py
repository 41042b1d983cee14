"""Reports: what a trial found, for people and for programs.

A `Report` is the verdict with everything needed to repeat it. Each file in `outputs` is one form
of it, found by itself: ``HELP`` says what it is, ``render(report)`` returns its text.
"""

import platform
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

from fairdeck import __version__
from fairdeck.lab.report import outputs
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.tally import Battery, Tally, fingerprint
from fairdeck.lab.verdict import Verdict, fewest_decks

if TYPE_CHECKING:
    from fairdeck.lab.standards import Standard


UNKNOWN = "How small a fault these tests would have seen is not known: no limit is worked out for them."
ODD = 0.05  # p-values below are told, even where the decks are too few for a verdict
LEAST_SAID = 1e-300  # smaller p-values are not told from 0 by a float


@dataclass(frozen=True)
class Report:
    """A verdict, and how it came about.

    Attributes:
        shuffle: what was on trial, as it was named.
        battery: what was asked.
        verdict: the answer.
        tally: everything that was counted; None if no deck came.
        seed: what the random streams came from; None if the decks came from elsewhere.
        start: what each deck started from: sorted, scrambled or carried; empty if that is not known.
        notes: what a reader should know of the source.
        seconds: how long it took.
        command: the command that repeats it, if there is one.
        standard: the published standard it was made by, if there is one.
        cut_short: why fewer decks were counted than were asked for, if so.
    """

    shuffle: str
    battery: Battery
    verdict: Verdict
    tally: Tally | None
    seed: int | None = None
    start: str = "sorted"
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    command: str = ""
    environment: dict[str, str] = field(default_factory=lambda: environment())
    standard: "Standard | None" = None
    cut_short: str = ""

    @property
    def chosen(self) -> tuple[str, ...]:
        """The statistics that were asked, where somebody chose among them; a standard's choice is no secret."""
        return () if self.standard else tuple(sorted(self.battery.only))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader should know: of the source, and of where the last look was."""
        verdict = self.verdict
        if verdict.outcome == "fail" or verdict.announced == verdict.decks:
            return self.notes
        bets = any(isinstance(member.statistic, Scalar) for member in self.battery.members)
        rest = "all by the bets alone" if bets else f"the last {verdict.decks - verdict.looked_at:,} by none"
        where = f"of these decks the first {verdict.looked_at:,} were weighed by all tests, {rest}"
        where = where if 0 < verdict.looked_at < verdict.decks else ""
        if verdict.announced is None:
            why = "no number of decks was announced: --decks N, chosen beforehand, gives the last look its own share"
        else:
            why = f"fewer decks came than the {verdict.announced:,} announced, so the last look's share was not spent"
        return (*self.notes, "; ".join(filter(None, (why, where))))

    @cached_property
    def headline(self) -> str:
        """The first sentence: what a reader takes home who reads no more."""
        verdict, cards = self.verdict, self.battery.cards
        if verdict.findings and verdict.findings[0].at_gate:
            return f"Not every deck is one. {verdict.findings[0].says}."
        if verdict.outcome == "fail":
            return f"{self.shuffle} is not fair: {verdict.findings[0].says}."
        if verdict.outcome == "pass":
            asked = f", asked only for {', '.join(self.chosen)}" if self.chosen else ""
            asked = f", asked what {self.standard.name} asks" if self.standard else asked
            short = f", {self.cut_short}" if self.cut_short else ""
            return f"{self.shuffle} shows no fault in {verdict.decks:,} decks of {cards} cards{asked}{short}."
        fewest = self.standard.fewest(cards) if self.standard else fewest_decks(cards)
        looked = verdict.looked_at or verdict.p_value < ODD
        seen = oddity(verdict.p_value) if looked else "fewer than the tests look at"
        return (
            f"Too few decks to judge {self.shuffle}: {verdict.decks:,} of {cards} cards, {seen}; "
            f"ask for {fewest:,} or more."
        )


def environment() -> dict[str, str]:
    """Return the versions that a report was made with."""
    import numpy
    import scipy

    return {
        "fairdeck": __version__,
        "battery": fingerprint(),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        **({"numba": version("numba")} if find_spec("numba") else {}),
        "system": f"{platform.system()} {platform.machine()}",
    }


def forms() -> dict[str, ModuleType]:
    """Return every form of report by its name."""
    found = sorted(module.name for module in iter_modules(outputs.__path__))
    return {name: import_module(f"{outputs.__name__}.{name}") for name in found}


def oddity(p_value: float) -> str:
    """Return how odd too few decks are, in words.

    >>> oddity(0.3), oddity(4e-6)
    ('nothing odd in them', 'though as odd as this once in 250,000 fair shuffles')
    """
    return f"though as odd as this {odds(p_value)}" if p_value < ODD else "nothing odd in them"


def odds(p_value: float, among: str = "fair shuffles") -> str:
    """Return a p-value in words.

    >>> odds(1e-9)
    'once in 1,000,000,000 fair shuffles'
    """
    if p_value < LEAST_SAID:
        return f"less than once in {1 / LEAST_SAID:.0e} {among}".replace("e+", "e")
    times = 1 / p_value
    said = f"{times:,.0f}" if times < 1e12 else f"{times:.0e}".replace("e+", "e")
    return f"once in {said} {among}"
