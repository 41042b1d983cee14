"""The report about several sizes, or strata: one verdict, a row for each of them, and one of them in full."""

from collections.abc import Iterator, Sequence
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
MOST_NAMED = 8  # strata
ALL = "all decks together"  # the label of the part about the decks of all strata


@dataclass(frozen=True)
class Row:
    """What is known of one part; the p-value is corrected for all."""

    label: str  # of a stratum; empty for a size
    cards: int
    decks: int
    outcome: Outcome
    p_value: float
    says: str  # the plainest fault; empty if there is none


@dataclass(frozen=True, repr=False)
class ReportOfSeveral(Report):
    """A verdict about several sizes, or strata; what `Report` says besides is about one of them."""

    rows: tuple[Row, ...] = ()  # a row for each size, from the smallest, or for each stratum
    together: Row | None = None  # the row of all strata together; None if they were not judged so
    at: str = ""  # the label of what is told in full; empty if that is a size
    seen: frozenset[str] = frozenset()  # the statistics that found a fault, anywhere
    told: "tuple[Cause, ...]" = ()  # causes that only several sizes together show
    about: tuple[str, ...] = ()  # when the verdict holds, if not all of each deck is seen
    names: tuple[str, ...] = ()  # of the files or other things that were tested

    @classmethod
    def of(cls, parts: Sequence[tuple[str, Report, float]], alpha: float, notes: tuple[str, ...]) -> tuple[Self, int]:
        """Return the report of labels and reports, with the share of `alpha` of each, and which is told in full."""
        rows = [_row(*part) for part in parts]
        together = rows[-1] if rows[-1].label == ALL else None
        alone = rows[:-1] if together else rows
        inquiry = parts[0][1].inquiry
        outcome = _outcome(alone, together, least=0 if inquiry.endless else FEWEST_DECKS)
        telling = [row for row in rows if (row.outcome == outcome if outcome == "fail" else row.decks)] or rows
        strata = bool(rows[0].label)
        # What a stratum shows itself is plainer than what all of them show together.
        near = min(
            telling, key=lambda row: (row is together, row.p_value if strata else abs(row.cards - NEAR), row.cards)
        )
        at = rows.index(near)
        _, report, share = parts[at]
        verdict = _corrected(report.verdict, share)
        verdict = replace(verdict, outcome=outcome, p_value=min(row.p_value for row in rows), alpha=alpha)
        findings = [each for _, other, _ in parts for each in other.verdict.findings]
        seen = frozenset(each.weighed.evidence.statistic if each.weighed else GATE for each in findings)
        alone = alone if strata else sorted(alone, key=lambda row: row.cards)
        about: dict[str, list[str]] = {}
        for label, part, _ in parts[: len(alone)]:
            for condition in part.conditions:
                about.setdefault(condition, []).append(label)
        whole = (each if len(of) == len(alone) else f"{each} (Of {', '.join(of)}.)" for each, of in about.items())
        return cls(
            *(report.inquiry, verdict, report.tally, notes),
            labels=report.labels,
            rows=tuple(alone),
            together=together,
            at=near.label,
            seen=seen,
            about=tuple(whole),
            names=tuple(dict.fromkeys(part.shuffle for _, part, _ in parts[: len(alone)])),
        ), at

    @property
    def shuffle(self) -> str:
        """What was tested, as it was named."""
        return self.names[0] if len(self.names) == 1 else f"{len(self.names)} files"

    @property
    def extent(self) -> tuple[str, str]:
        """How many decks were counted, and of which sizes or strata."""
        decks = counted(sum(row.decks for row in self.rows), "deck")
        if self.at:
            return decks, f" of {len(self.rows)} sorts: {_named(self.rows)}"
        sizes = named([row.cards for row in self.rows])
        return decks, f" at {counted(len(self.rows), 'size')}: {sizes} cards"

    @property
    def corrected_for(self) -> str:
        """What its p-value is corrected for."""
        return f"{'sorts of decks' if self.at else 'sizes'}, {super().corrected_for}"

    @property
    def _where(self) -> str:
        if self.at == ALL:
            return f"in all decks together, of each {self.battery.cards:,} cards by their places in its list"
        return f"in the decks of {self.at}" if self.at else f"at {self.battery.cards:,} cards"

    @cached_property
    def _search(self) -> "tuple[tuple[Cause, ...], bool]":
        """What several sizes together show, or what the decks of the size that is told show."""
        return (self.told, False) if self.told else super()._search

    @cached_property
    def headline(self) -> str:
        """The first sentence: at which sizes it is not fair, and why."""
        verdict = self.verdict
        if verdict.outcome == "pass":
            short = f", {self.cut_short}" if self.cut_short else ""
            return f"{self.shuffle} shows no fault in {''.join(self.extent)}{short}."
        if verdict.outcome == "insufficient":
            few = [row for row in self.rows if row.outcome == "insufficient"]
            where = f" {_in(few)}" if 0 < len(few) < len(self.rows) else ""
            seen = "".join(self.extent)
            return f"Too few decks to judge {self.shuffle}{where}; no fault was seen in {seen}."
        about = "the cause" if self.told and self._certain else self._where
        if self.at == ALL:
            return f"{self.shuffle} is not fair; no sort of its decks shows it alone: {about}: {self._plainest}."
        return f"{self.shuffle} is not fair {self.where}. {about[0].upper()}{about[1:]}: {self._plainest}."

    @cached_property
    def where(self) -> str:
        """At which sizes, or in which strata, it is not fair, and where no fault was seen."""
        if self.at == ALL:
            return f"in {ALL}; no sort of them shows it alone"
        faulty, others = ([row for row in self.rows if (row.outcome == "fail") == is_so] for is_so in (True, False))
        asked = [row for row in others if row.decks]
        pattern = "" if self.at else shared([row.cards for row in faulty], [row.cards for row in others])
        which = _in(faulty) + (f", {pattern}" if pattern else "")
        at, what = ("in", "sorts") if self.at else ("at", "sizes")
        where = f"{at} the {len(asked)} other {what}" if len(asked) != 1 else _in(asked)
        rest = f"; {where} no fault was seen{_as_far_as(asked)}" if asked else ""
        if unasked := [row.cards for row in others if not row.decks]:
            rest += f"; {named(unasked)} cards were not asked any more"
        if not others and len(faulty) > 1:
            every = (
                f"in any of its {len(faulty)} sorts of decks" if self.at else f"at any of the {len(faulty)} sizes asked"
            )
            which = f"{every}, {_in(faulty).removeprefix('in the decks of ').removeprefix('at ')}"
        return which + rest

    def _remarks(self) -> Iterator[str]:
        yield from self.about
        yield from self.notes
        yield from self._about_search()

    def fields(self) -> dict[str, Any]:
        """Return the fields of a report, which are about one part except the verdict, and the list of all parts."""
        sizes = not self.at or all(row.label == f"{row.cards:,} cards" for row in self.rows)
        together = {"together": _plain(self.together)} if self.together else {}
        return {**super().fields(), "sizes" if sizes else "strata": [_plain(row) for row in self.rows], **together}


def _in(rows: Sequence[Row]) -> str:
    """Return at which sizes, or in which strata."""
    return f"in the decks of {_named(rows)}" if rows[0].label else f"at {named([row.cards for row in rows])} cards"


def _named(rows: Sequence[Row]) -> str:
    labels = [row.label for row in rows]
    if len(labels) > MOST_NAMED:
        return f"{', '.join(labels[:MOST_NAMED])}, ..."
    return " and ".join(filter(None, [", ".join(labels[:-1]), labels[-1]]))


def _plain(row: Row) -> dict[str, Any]:
    known = {"cards": row.cards, "decks": row.decks, "verdict": row.outcome, "p_value": row.p_value, "says": row.says}
    return {"stratum": row.label, **known} if row.label else known


def _as_far_as(rows: Sequence[Row]) -> str:
    """Return how far "no fault" goes, where no part was counted to its end because another had failed."""
    decks = [row.decks for row in rows if row.outcome == "insufficient" and not row.label]
    few, many = min(decks, default=0), max(decks, default=0)
    return f", as far as {few:,}{f' to {many:,}' if many > few else ''} decks show" if decks else ""


def _row(label: str, report: Report, share: float) -> Row:
    verdict = report.verdict
    says = report.says(verdict.findings[0]) if verdict.findings else ""
    cards = report.inquiry.cards
    return Row(label, cards, verdict.decks, verdict.outcome, min(1.0, verdict.p_value / share), says)


def _outcome(rows: Sequence[Row], together: Row | None, least: int) -> Outcome:
    """Return the verdict on all rows; a pass takes that of each size, and at least so many decks that passed."""
    outcomes = {row.outcome for row in (*rows, *filter(None, [together]))}
    if "fail" in outcomes:
        return "fail"
    judged = sum(row.decks for row in rows if row.outcome == "pass")
    if rows[0].label:  # a tiny stratum does not take away what the others show
        judged = together.decks if together and together.outcome == "pass" else judged
        return "pass" if judged >= least else "insufficient"
    return "pass" if "insufficient" not in outcomes and judged >= least else "insufficient"


def _corrected(verdict: Verdict, share: float) -> Verdict:
    """Return the verdict of one size with the p-values of its tests corrected for all sizes."""
    evidence = tuple(replace(each, adjusted=min(1.0, each.adjusted / share)) for each in verdict.evidence)
    return replace(verdict, evidence=evidence)
