"""The report: a verdict with everything needed to repeat it, and its main sentences."""

import json
import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from fairdeck import __version__
from fairdeck.bulk import available
from fairdeck.lab.blocks import FEWEST
from fairdeck.lab.judging import sentences
from fairdeck.lab.judging.sentences import ODD, counted, oddity, odds, p_value_text
from fairdeck.lab.judging.tally import Battery, Tally, fingerprint
from fairdeck.lab.judging.verdict import Finding, Verdict, Weighed, fewest_decks
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.observations import cards_seen, told
from fairdeck.lab.statistics import Numbers

if TYPE_CHECKING:
    from fairdeck.lab.causes import Cause, Sample
    from fairdeck.lab.inquiry import Inquiry
    from fairdeck.lab.standards import Standard
    from fairdeck.lab.usercode.tracing import Line

CAUSE_SECONDS = 2.0  # of processor time
UNKNOWN_CAUSE = "No known cause explains these decks"
NO_CAUSE_BY_HAND = "stopped by hand, before the cause was found"
FEW_FOR_CAUSES = "These decks ({}) are too few to tell most causes; from {} on their cause may be named"
MOST_FINDINGS = 8
ONE_DECK = (
    "one deck shows old order that is left, sorted or shifted parts, and a buffer that is too small; it never shows a "
    "card that prefers a place, cards that stay together, a deck that comes again, or what one deck leaves to the next"
)
ONE_GLIMPSE = (
    "one drawing or hand shows cards that lie oddly in the list: near, far apart or evenly; it never shows a card that "
    "comes too often, cards that stay together, a hand that comes again, or what one deck leaves to the next"
)
COMPLAINTS = 5  # findings in an exception


@dataclass(frozen=True)
class Record:
    """What a report says of the store that its run is kept in."""

    store: str  # the path of the file
    number: int  # of the run in it
    digest: str  # of its registration
    begun: str  # when it was registered
    sessions: int  # how often it was begun or resumed
    spent: float  # the part of the level that its decks have spent
    sealed: str  # a hash of everything that the store holds of the run
    repeatable: bool  # whether its decks can be made again, which verifying it needs


@dataclass(frozen=True, repr=False)
class Report:
    """A verdict, and how it came about.

    Attributes:
        inquiry: which shuffle was tested, and how.
        verdict: the answer.
        tally: everything that was counted, also after a failure; None if no deck came.
        notes: what a reader should know of the source.
        seconds: how long it took.
        command: the command that repeats it, if there is one.
        environment: the versions that it was made with.
        cut_short: why fewer decks were counted than announced; empty if all were counted.
        labels: the names of the cards, if they have other names than their numbers.
        sample: decks of a shuffle that failed, to find the cause in; None if it passed, or no cause is looked for.
        cause: how many seconds of processor time the search for the cause may take.
        record: the store that keeps the run; None if there is none.
        registration: what was fixed before the first deck, as JSON; empty if that is not known.
        trace: finds the lines of a Python function that draw; of all else none.
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
    cause: float = CAUSE_SECONDS
    record: Record | None = None
    registration: str = ""
    trace: "Callable[[], list[Line]]" = field(default=list, compare=False)

    def __repr__(self) -> str:
        """Return the outcome in one line."""
        return f"<Report: {self.verdict.outcome}, p = {self.verdict.p_value:.2g}. {self.headline}>"

    def _repr_html_(self) -> str:
        from fairdeck.document import Document, Fact, Facts, Item, Items
        from fairdeck.show.page import fragment

        verdict = self.verdict
        facts = Facts([Fact("counted", *self.extent), Fact("p-value", p_value_text(verdict.p_value))])
        items = [Item(self.says(each)) for each in verdict.findings[:MOST_FINDINGS] or verdict.limits]
        return fragment(Document(self.headline, [facts, Items(items)], outcome=verdict.outcome))

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
        return self.inquiry.seed if self.inquiry.seeded or self.inquiry.seen else None

    @property
    def start(self) -> str:
        """What each deck started from: sorted, scrambled or carried; empty if that is not known."""
        return self.inquiry.start if self.inquiry.seeded else ""

    @property
    def standard(self) -> "Standard | None":
        """The published standard that it follows, if there is one."""
        return self.inquiry.standard

    @property
    def chosen(self) -> tuple[str, ...]:
        """The statistics that somebody chose; empty if all were asked, or those of a standard."""
        return self.inquiry.only

    @property
    def extent(self) -> tuple[str, str]:
        """How many decks the verdict is about, and of what size, as two parts of a sentence."""
        return counted(self.verdict.decks, "deck"), f" of {self.battery.cards:,} cards"

    @property
    def corrected_for(self) -> str:
        """What its p-value is corrected for."""
        return "tests and analyses"

    @property
    def counted(self) -> int:
        """The decks counted; more than those of the verdict if the run went on after a failure."""
        return self.tally.decks if self.tally else self.verdict.decks

    @property
    def causes(self) -> "tuple[Cause, ...]":
        """What could have made these decks, the plainest first; empty if that is unknown. It takes some seconds."""
        return self._search[0]

    @cached_property
    def _search(self) -> "tuple[tuple[Cause, ...], bool]":
        """The causes, and whether the time was over before all were looked for."""
        from fairdeck.lab.causes.search import Search

        if self.sample is None:
            return (), False
        search = Search(self.sample, self.cause)
        causes = tuple(replace(each, words=sentences.named(each.words, self.labels)) for each in search.causes)
        return causes, search.cut_short and not any(cause.certain for cause in causes)

    @cached_property
    def lines(self) -> "tuple[Line, ...]":
        """Where a Python function that failed draws, the line to repair first; empty if no draw was seen."""
        return tuple(self.trace())

    @cached_property
    def headline(self) -> str:
        """The first sentence, which has to be enough for a reader who reads no further."""
        verdict, cards = self.verdict, self.battery.cards
        if verdict.at_gate:
            what = "shows cards of the deck" if self.inquiry.seen else "is a permutation of the start deck"
            return f"Not every deck {what}. {self.says(verdict.findings[0])}."
        if verdict.outcome == "fail":
            return f"{self.shuffle} is not fair: {self._plainest}."
        if verdict.outcome == "pass":
            asked = f", asked only for {', '.join(self.chosen)}" if self.chosen else ""
            asked = f", asked what {self.standard.name} asks" if self.standard else asked
            short = f", {self.cut_short}" if self.cut_short else ""
            return f"{self.shuffle} shows no fault in {verdict.decks:,} decks of {cards:,} cards{asked}{short}."
        if verdict.decks == verdict.analysed == 1:
            tests = counted(len(verdict.evidence), "test")
            odd = f"such an odd one comes {odds(verdict.p_value)}" if verdict.p_value < ODD else "nothing is odd in it"
            return f"One deck of {cards:,} cards from {self.shuffle}: {odd}, by {tests}. That is no pass and no fail."
        if verdict.analysed >= self.fewest and not verdict.evidence:
            return f"Nothing can be said of {self.shuffle}: none of the tests asked for can be made with these decks."
        known = verdict.analysed or verdict.p_value < ODD
        so_far = oddity(verdict.p_value) if known else "too few for the tests"
        return (
            f"Too few decks to judge {self.shuffle}: {counted(verdict.decks, 'deck')} of {cards:,} cards, {so_far}; "
            f"{'ask for' if self.inquiry.endless else 'a verdict needs'} {self.fewest:,} or more."
        )

    @property
    def where(self) -> str:
        """Where it is not fair, if several sizes or sorts of decks are judged; else empty."""
        return ""

    @property
    def fewest(self) -> int:
        """The fewest decks of this size with which a shuffle can pass."""
        cards = self.battery.cards
        return self.standard.fewest(cards) if self.standard else fewest_decks(cards)

    @property
    def _plainest(self) -> str:
        """The cause of a failure, if it is certain; else the plainest fault."""
        return self.causes[0].words if self._certain else self.says(self.verdict.findings[0])

    @property
    def _certain(self) -> bool:
        return bool(self.causes) and self.causes[0].certain

    @property
    def about_causes(self) -> str:
        """The heading of the causes of a failure, or that there is none; empty if not all were looked for."""
        if self.sample is None or self._search == ((), True):
            return ""
        if not self.causes:
            if (size := self.sample.block.size) < FEWEST:
                return FEW_FOR_CAUSES.format(size, FEWEST)
            return UNKNOWN_CAUSE
        return "The cause" if self._certain else "What may be the cause"

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What a reader should know of the source and of the last interim analysis."""
        return tuple(self._remarks())

    @property
    def conditions(self) -> tuple[str, ...]:
        """When the verdict holds, if not all of each deck is seen; what is no deck fails without a condition."""
        sight = self.inquiry.sight if self.inquiry.seen and not self.verdict.at_gate else None
        return tuple(told(sight, self.seed or 0, code=self.inquiry.endless)) if sight else ()

    def _remarks(self) -> Iterator[str]:
        yield from self.conditions
        yield from self.notes
        yield from self._about_search()
        verdict = self.verdict
        if verdict.analysed == verdict.decks == 1 and verdict.outcome != "fail":
            yield ONE_GLIMPSE if self.inquiry.seen else ONE_DECK
        if verdict.outcome == "fail" or verdict.announced == verdict.decks:
            return
        bets = any(member.statistic.bets for member in self.battery.members)
        left = verdict.decks - verdict.analysed
        rest = "all of them by the bets only" if bets else f"the last {left:,} were not judged"
        where = f"of these decks the first {verdict.analysed:,} were judged by all tests, {rest}"
        where = where if 0 < verdict.analysed < verdict.decks else ""
        if not verdict.analysed:  # too few for the first analysis that nobody chooses
            where = f"so few are judged by all tests only then: --decks {verdict.decks}, if chosen without seeing them"
        why = (
            "no number of decks was announced: --decks N, chosen in advance, gives the last analysis its own share"
            if verdict.announced is None
            else f"fewer decks came than the {verdict.announced:,} announced, so the share of the last analysis is "
            "unused"
        )
        yield "; ".join(filter(None, (why, where)))

    def _about_search(self) -> Iterator[str]:
        if self._search[1]:
            longer = f": --cause {10 * self.cause:g} looks longer" * (self.cause <= CAUSE_SECONDS)
            yield f"the search for the cause ended after {self.cause:g} s{longer}"

    def complaint(self) -> Iterator[str]:
        """Yield the lines with which `fairdeck.lab.assert_fair` rejects a shuffle."""
        verdict = self.verdict
        yield self.headline
        if self._certain and self.causes[0].repair:
            yield f"  to repair it: {self.causes[0].repair}"
        for line in self.lines[:1]:
            yield f"  at {line.place}"
            yield f"    {line.says}{'; to repair it: ' * bool(line.repair)}{line.repair}"
        findings = verdict.findings if self._certain else verdict.findings[1:]
        for finding in findings[:COMPLAINTS]:
            yield f"  seen: {self.says(finding)}"
        if len(findings) > COMPLAINTS:
            yield f"  and {len(findings) - COMPLAINTS} more"
        if verdict.p_value:
            yield (
                f"Seen in {counted(verdict.decks, 'deck')} of {self.battery.cards} cards; p = {verdict.p_value:.2g}. "
                f"False alarms: at most {odds(verdict.alpha, 'runs')}."
            )
        yield f"To repeat it with the same random numbers, if the function takes a generator: seed={self.seed}"

    def says(self, each: Finding | Limit | Weighed) -> str:
        """Return `each` in words: a finding, a limit, or what a test saw."""
        if isinstance(each, Limit):
            return sentences.limit(each)
        if isinstance(each, Finding):
            return sentences.finding(each, self.labels)
        return sentences.seen(each, self.labels)

    def fields(self) -> dict[str, Any]:
        """Return the report as plain values; `docs/reference/report.md` says what each means."""
        verdict = self.verdict
        return {
            "format": "fairdeck-report/1",
            "shuffle": self.shuffle,
            "cards": self.battery.cards,
            **self._seen(),
            "decks": verdict.decks,
            "counted": self.counted,
            "announced": verdict.announced,
            "analysed": verdict.analysed,
            "alpha": verdict.alpha,
            "verdict": verdict.outcome,
            "p_value": verdict.p_value,
            "findings": [
                {
                    "statistic": each.statistic,
                    "p_value": each.p_value,
                    "says": self.says(each),
                    **({"seen_in": each.first_decks} if each.first_decks else {}),
                    **({"seen_after": each.after} if each.after else {}),
                }
                for each in verdict.findings
            ],
            "headline": self.headline,
            "causes": [each.fields() for each in self.causes],
            **({"lines": [each._asdict() for each in self.lines]} if self.lines else {}),
            "limits": [
                {
                    "family": each.family,
                    "test": each.name,
                    "lag": each.lag,
                    "size": each.size,
                    "expected": each.expected,
                    "says": self.says(each),
                }
                for each in verdict.limits
            ],
            "standard": self.standard.name if self.standard else None,
            "notes": list(self.remarks),
            "seed": None if self.seed is None else f"{self.seed:x}",
            "start": self.start,
            "lags": self.battery.lags,
            "labels": list(self.labels),
            "seconds": round(self.seconds, 3),
            "command": self.command,
            "run": asdict(self.record) if self.record else None,
            "registration": json.loads(self.registration) if self.registration else None,
            "environment": self.environment,
            "tests": self.tests(),
        }

    def _seen(self) -> dict[str, Any]:
        sight = self.inquiry.sight
        if not sight:
            return {}
        completed = {"scheme": sight.scheme, "cards_seen": cards_seen(sight), "completed": True}
        seen = {"seen": completed} if self.inquiry.seen else {}
        return seen | {"kinds": {kind.name: [card + 1 for card in kind.cards] for kind in sight.kinds}}

    def tests(self) -> list[dict[str, Any]]:
        """Return every test of the last interim analysis as plain values."""
        return [self._test(weighed) for weighed in self.verdict.evidence]

    def _test(self, each: Weighed) -> dict[str, Any]:
        evidence = each.evidence
        p_value = evidence.p_value
        return {
            "statistic": each.name,
            "family": each.family,
            "lag": each.lag,
            "p_value": float(p_value),
            "adjusted": float(each.adjusted),
            "score": p_value.score,
            "score_is": p_value.name,
            "degrees": p_value.degrees,
            "seen": evidence.seen,
            "expected": evidence.expected,
            "about_cards": _plain(evidence.cards),
            "about_places": _plain(evidence.places),
            "says": self.says(each),
        }

    def to_json(self) -> str:
        """Return the report as JSON; `docs/reference/report.md` lists its fields."""
        return json.dumps(self.fields(), allow_nan=False)


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


def _plain(numbers: Numbers) -> list[int | list[int]]:
    return [each if isinstance(each, int) else list(each) for each in numbers]
