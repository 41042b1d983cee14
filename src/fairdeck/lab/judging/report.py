"""The report: a verdict with everything needed to repeat it, and the forms that it can take."""

import platform
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from fairdeck import __version__
from fairdeck.bulk import available
from fairdeck.errors import MissingTool
from fairdeck.lab.judging.tally import Battery, Tally, fingerprint
from fairdeck.lab.judging.verdict import Finding, Verdict, Weighed
from fairdeck.lab.laws.power import Limit

if TYPE_CHECKING:
    from fairdeck.lab.causes import Cause, Sample
    from fairdeck.lab.inquiry import Inquiry
    from fairdeck.lab.standards import Standard


@dataclass(frozen=True)
class Record:
    """What a report says of the store that its run is kept in.

    Attributes:
        store: the path of the file.
        number: of the run in it.
        digest: of its registration.
        begun: when it was registered.
        ranges: how many ranges of decks are committed to.
        root: of the Merkle tree over them, as hexadecimal digits.
        sessions: how often it was begun or resumed.
        spent: the part of the level that its decks have spent.
        repeatable: whether its decks can be made again, which verifying it needs.
    """

    store: str
    number: int
    digest: str
    begun: str
    ranges: int
    root: str
    sessions: int
    spent: float
    repeatable: bool


@dataclass(frozen=True, repr=False)
class Report:
    """A verdict, and how it came about.

    Attributes:
        inquiry: what was asked of whom.
        verdict: the answer.
        tally: everything that was counted, also after a failure; None if no deck came.
        notes: what a reader should know of the source.
        seconds: how long it took.
        command: the command that repeats it, if there is one.
        environment: the versions that it was made with.
        cut_short: why fewer decks were counted than announced; empty if all were counted.
        labels: the names of the cards, if they have other names than their numbers.
        sample: decks of a shuffle that failed, to find the cause in; None if it passed.
        record: the store that keeps the run; None if there is none.
        worth_more: how many more decks after a failure could show its cause; 0 if none can.
    """

    inquiry: "Inquiry"
    verdict: Verdict
    tally: Tally | None
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    command: str = ""
    environment: dict[str, str] = field(default_factory=lambda: environment())
    cut_short: str = ""
    labels: tuple[str, ...] = ()
    sample: "Sample | None" = None
    record: Record | None = None
    worth_more: int = 0

    def __repr__(self) -> str:
        """Return the outcome in one line."""
        return f"<Report: {self.verdict.outcome}, p = {self.verdict.p_value:.2g}. {self.headline}>"

    def _repr_html_(self) -> str:
        from fairdeck.output.reports.html import excerpt

        return excerpt(self)

    @property
    def shuffle(self) -> str:
        """What was tested, as it was named."""
        return self.inquiry.name

    @property
    def battery(self) -> Battery:
        """The statistics that were asked."""
        return self.inquiry.battery

    @property
    def seed(self) -> int | None:
        """The seed of the random streams; None if the decks came from elsewhere."""
        return self.inquiry.seed if self.inquiry.seeded else None

    @property
    def start(self) -> str:
        """What each deck started from: sorted, scrambled or carried; empty if that is not known."""
        return self.inquiry.start if self.inquiry.seeded else ""

    @property
    def standard(self) -> "Standard | None":
        """The published standard that it follows, if there is one."""
        return self.inquiry.standard

    @property
    def endless(self) -> bool:
        """Whether the source gives as many decks as are asked for."""
        return self.inquiry.endless

    @property
    def chosen(self) -> tuple[str, ...]:
        """The statistics that somebody chose; empty if all were asked, or those of a standard."""
        return self.inquiry.only

    @property
    def counted(self) -> int:
        """The decks counted; more than those of the verdict if the run went on after a failure."""
        return self.tally.decks if self.tally else self.verdict.decks

    @cached_property
    def causes(self) -> "tuple[Cause, ...]":
        """What could have made these decks, the plainest first; empty if that is unknown. It takes some seconds."""
        from fairdeck.lab.causes import causes_of

        return causes_of(self.sample) if self.sample else ()

    @cached_property
    def headline(self) -> str:
        """The first sentence, for a reader who reads no further."""
        from fairdeck.output.sentences import headline

        return headline(self)

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What a reader should know of the source and of the last interim analysis."""
        from fairdeck.output.sentences import remarks

        return tuple(remarks(self))

    def says(self, each: Finding | Limit | Weighed) -> str:
        """Return `each` in words: a finding, a limit, or what a test saw."""
        from fairdeck.output import sentences

        if isinstance(each, Limit):
            return sentences.limit(each)
        if isinstance(each, Finding):
            return sentences.finding(each, self.labels)
        return sentences.seen(each, self.labels)

    def to_json(self) -> str:
        """Return the report as JSON; `docs/reference/report.md` lists its fields."""
        from fairdeck.output.reports.json import render

        return render(self)

    def to_frame(self) -> Any:
        """Return every test of the last interim analysis as a pandas DataFrame, a test a row."""
        if find_spec("pandas") is None:
            raise MissingTool("a DataFrame needs pandas: python -m pip install pandas")
        from pandas import DataFrame

        from fairdeck.output.reports.json import tests

        return DataFrame(tests(self))


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
        **({"numba": version("numba")} if available() else {}),
        "system": f"{platform.system()} {platform.machine()}",
    }
