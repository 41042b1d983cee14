"""The report about several sizes: one verdict, a row for each of them, and one of them in full."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.sentences import counted
from fairdeck.lab.judging.verdict import FEWEST_DECKS, GATE, Outcome, Verdict
from fairdeck.lab.sizes import named, shared

if TYPE_CHECKING:
    from fairdeck.lab.causes import Cause

NEAR = 52  # of the faulty sizes, the nearest to this one is told in full


@dataclass(frozen=True)
class Row:
    """What is known at one size; the p-value is corrected for all sizes."""

    cards: int
    decks: int
    outcome: Outcome
    p_value: float
    says: str  # the plainest fault; empty if there is none


@dataclass(frozen=True, repr=False)
class ReportOfSeveral(Report):
    """A verdict about several sizes; what `Report` says besides is about one of them.

    Attributes:
        rows: a row for each size, from the smallest.
        seen: the statistics that found a fault, at any size.
        told: causes that only several sizes together show.
    """

    rows: tuple[Row, ...] = ()
    seen: frozenset[str] = frozenset()
    told: "tuple[Cause, ...]" = ()

    @classmethod
    def of(cls, reports: dict[int, tuple[Report, float]], alpha: float, notes: tuple[str, ...]) -> Self:
        """Return the report of reports at each size, with the share of `alpha` of each."""
        rows = tuple(_row(report, share) for _, (report, share) in sorted(reports.items()))
        inquiry = next(report.inquiry for report, _ in reports.values())
        outcome = _outcome(rows, least=0 if inquiry.endless else FEWEST_DECKS)
        telling = [row.cards for row in rows if (row.outcome == outcome if outcome == "fail" else row.decks)]
        near = min(telling or [rows[0].cards], key=lambda cards: abs(cards - NEAR))
        report, share = reports[near]
        verdict = _corrected(report.verdict, share)
        verdict = replace(verdict, outcome=outcome, p_value=min(row.p_value for row in rows), alpha=alpha)
        findings = [each for other, _ in reports.values() for each in other.verdict.findings]
        seen = frozenset(each.weighed.evidence.statistic if each.weighed else GATE for each in findings)
        return cls(report.inquiry, verdict, report.tally, notes, labels=report.labels, rows=rows, seen=seen)

    @property
    def faulty(self) -> list[int]:
        """The sizes at which the shuffle is not fair."""
        return [row.cards for row in self.rows if row.outcome == "fail"]

    @property
    def extent(self) -> tuple[str, str]:
        """How many decks were counted, and at which sizes."""
        sizes = named([row.cards for row in self.rows])
        decks = counted(sum(row.decks for row in self.rows), "deck")
        return decks, f" at {counted(len(self.rows), 'size')}: {sizes} cards"

    @property
    def corrected_for(self) -> str:
        """What its p-value is corrected for."""
        return f"sizes, {super().corrected_for}"

    @cached_property
    def causes(self) -> "tuple[Cause, ...]":
        """What several sizes together show, or what the decks of the size that is told show."""
        return self.told or super().causes

    @cached_property
    def headline(self) -> str:
        """The first sentence: at which sizes it is not fair, and why."""
        verdict, faulty = self.verdict, self.faulty
        if verdict.outcome == "pass":
            short = f", {self.cut_short}" if self.cut_short else ""
            return f"{self.shuffle} shows no fault in {''.join(self.extent)}{short}."
        if verdict.outcome == "insufficient":
            few = [row.cards for row in self.rows if row.outcome == "insufficient"]
            where = f" at {named(few)} cards" if 0 < len(few) < len(self.rows) else ""
            seen = "".join(self.extent)
            return f"Too few decks to judge {self.shuffle}{where}; no fault was seen in {seen}."
        others = [row.cards for row in self.rows if row.outcome != "fail"]
        asked = [row for row in self.rows if row.outcome != "fail" and row.decks]
        pattern = shared(faulty, others)
        which = f"{named(faulty)} cards" + (f", {pattern}" if pattern else "")
        where = f"at the {len(asked)} other sizes" if len(asked) > 1 else ""
        where = f"at {asked[0].cards:,} cards" if len(asked) == 1 else where
        rest = f"; {where} no fault was seen{_as_far_as(asked)}" if asked else ""
        if unasked := [row.cards for row in self.rows if not row.decks]:
            rest += f"; {named(unasked)} cards were not asked any more"
        if not others and len(faulty) > 1:
            which = f"any of the {len(faulty)} sizes asked, {named(faulty)} cards"
        about = "The cause: " if self.told and self._certain else f"At {self.battery.cards:,} cards: "
        return f"{self.shuffle} is not fair at {which}{rest}. {about}{self._plainest}."

    def _remarks(self) -> Iterator[str]:
        yield from self.notes

    def fields(self) -> dict[str, Any]:
        """Return the fields of a report, which are about one size except the verdict, and the list of sizes."""
        sizes = [
            {"cards": row.cards, "decks": row.decks, "verdict": row.outcome, "p_value": row.p_value, "says": row.says}
            for row in self.rows
        ]
        return {**super().fields(), "sizes": sizes}


def _as_far_as(rows: list[Row]) -> str:
    """Return how far "no fault" goes, where no part was counted to its end because another had failed."""
    decks = [row.decks for row in rows if row.outcome == "insufficient"]
    few, many = min(decks, default=0), max(decks, default=0)
    return f", as far as {few:,}{f' to {many:,}' if many > few else ''} decks show" if decks else ""


def _row(report: Report, share: float) -> Row:
    verdict = report.verdict
    says = report.says(verdict.findings[0]) if verdict.findings else ""
    return Row(report.inquiry.cards, verdict.decks, verdict.outcome, min(1.0, verdict.p_value / share), says)


def _outcome(rows: tuple[Row, ...], least: int) -> Outcome:
    """Return the verdict on all rows; a pass takes a pass at each size, and at least so many decks together."""
    outcomes = {row.outcome for row in rows}
    if "fail" in outcomes:
        return "fail"
    return "insufficient" if "insufficient" in outcomes or sum(row.decks for row in rows) < least else "pass"


def _corrected(verdict: Verdict, share: float) -> Verdict:
    """Return the verdict of one size with the p-values of its tests corrected for all sizes."""
    evidence = tuple(replace(each, adjusted=min(1.0, each.adjusted / share)) for each in verdict.evidence)
    return replace(verdict, evidence=evidence)
