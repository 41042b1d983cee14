"""The verdict: many p-values weighed together, at one stated level.

Within one look every family of statistics has its share of the level, divided evenly among its
tests: Holm's step-down procedure with weights, valid however the tests depend on one another. So
adding a test takes power from its own family only. `fairdeck.lab.trial` spends the level over looks.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fairdeck.lab.power import Limit
from fairdeck.lab.statistics import Evidence
from fairdeck.lab.tally import Battery, Tally

DEFAULT_ALPHA = 1e-6
FEWEST_DECKS, FEWEST_PER_CARD = 1_000, 10
FAMILIES = {  # how much of a look each family may spend, relative to the others
    "position": 4,
    "neighbours": 3,
    "order": 3,
    "two places": 2,
    "shape": 4,
    "serial": 4,
    "every order": 4,
    "repeats": 2,
    "guess": 1,
    "game": 2,
}
PLAINEST = {  # of each family, the statistic whose limit stands for those of the others where it was asked
    "position": "positions",
    "neighbours": "neighbours",
    "order": "order",
    "two places": "lower of two places",
    "shape": "rising sequences",
    "serial": "fixed points",
    "every order": "every order",
    "repeats": "repeats",
    "guess": "guesser who learns",
    "game": "lower half",
}
GATE = "gate"  # the statistic of a finding about what was no deck
_CARDS = re.compile(r"\bcards (\d+) to (\d+)\b")
_CARD = re.compile(r"\bcard (\d+)\b")
Outcome = Literal["fail", "pass", "insufficient"]


@dataclass(frozen=True, slots=True)
class Weighed:
    """One p-value with its place in the whole.

    Attributes:
        evidence: the test, its p-value, and what it says.
        family: the family it belongs to.
        lag: 0 for the deck itself, k for the deck relative to the one k before.
        share: how much of what a look may spend is this test's, 0 to 1.
        adjusted: the family-wise p-value of this test, 0 to 1 (Holm, weighted).
    """

    evidence: Evidence
    family: str
    lag: int
    share: float
    adjusted: float

    @property
    def name(self) -> str:
        """The test, with its lag where it has one."""
        return f"{self.evidence.test} (relative, lag {self.lag})" if self.lag else self.evidence.test

    @property
    def seen(self) -> str:
        """What was seen, in plain words: no fault by itself."""
        if not self.lag:
            return self.evidence.says
        before = "the deck before" if self.lag == 1 else f"the deck {self.lag} before"
        # What is a card here is a place in that deck.
        says = _CARD.sub(r"the card from place \1", _CARDS.sub(r"cards from places \1 to \2", self.evidence.says))
        return f"compared with {before}: {says}"

    @property
    def fault(self) -> str:
        """What was seen, and what it means: to be said only where it is a finding."""
        return f"{self.seen}; {self.evidence.means}" if self.evidence.means else self.seen


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault: which statistic shows it, how unlikely that is on fair decks, and what it is."""

    statistic: str
    p_value: float
    says: str

    @property
    def at_gate(self) -> bool:
        """Whether it is about something handed over that was no deck."""
        return self.statistic == GATE


@dataclass(frozen=True)
class Verdict:
    """What is known of a shuffle after a number of decks.

    Attributes:
        outcome: ``fail``; ``pass``: enough decks, and no fault seen; ``insufficient``: neither.
        p_value: family-wise over everything that was looked at, all looks and bets counted.
        alpha: the level it is held against.
        decks: the decks counted.
        findings: the faults, the surest first, and of those beyond doubt the plainest; empty unless failed.
        evidence: every p-value of the last look.
        limits: for each family the smallest fault that would have been seen.
        announced: the number of decks that was chosen beforehand; None if none was.
        looked_at: how many of the decks, the first ones, the last look was at; 0 if there was none.
    """

    outcome: Outcome
    p_value: float
    alpha: float
    decks: int
    findings: tuple[Finding, ...]
    evidence: tuple[Weighed, ...]
    limits: tuple[Limit, ...]
    announced: int | None
    looked_at: int

    def named(self, labels: Sequence[str]) -> "Verdict":
        """Return the verdict with the names of the cards in place of their numbers."""
        if not labels:
            return self

        def name(says: str) -> str:
            says = _CARDS.sub(lambda found: f"cards {labels[int(found[1])]} to {labels[int(found[2])]}", says)
            return _CARD.sub(lambda found: f"card {labels[int(found[1])]}", says)

        return replace(
            self,
            # What the gate says names the cards already.
            findings=tuple(each if each.at_gate else replace(each, says=name(each.says)) for each in self.findings),
            evidence=tuple(
                replace(each, evidence=replace(each.evidence, says=name(each.evidence.says))) if not each.lag else each
                for each in self.evidence
            ),
        )


def fewest_decks(n: int) -> int:
    """Return the decks of `n` cards without which no shuffle passes: by then every family has spoken."""
    return max(FEWEST_DECKS, FEWEST_PER_CARD * n)


def weigh(battery: Battery, tally: Tally) -> tuple[Weighed, ...]:
    """Return every p-value that a tally is worth, adjusted within this one look, surest fault first.

    Source: Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6 (1979),
    section 4 on weights.
    """
    found = [
        (evidence, member.family, member.lag)
        for member, counts in zip(battery.members, tally.counts, strict=True)
        for evidence in member.statistic.judge(counts, battery.cards, tally.seen[member.lag])
    ]
    # How many tests a family has depends on the number of decks alone, so it may divide the share.
    sizes: dict[str, int] = {}
    for _, family, _ in found:
        sizes[family] = sizes.get(family, 0) + 1
    shared = sum(FAMILIES[family] for family in sizes)
    weights = [FAMILIES[family] / sizes[family] / shared for _, family, _ in found]
    ranked = sorted(zip(found, weights, strict=True), key=lambda pair: pair[0][0].p_value / pair[1])
    left, highest, weighed = 1.0, 0.0, []
    for (evidence, family, lag), weight in ranked:
        highest = max(highest, min(1.0, evidence.p_value / weight * left))
        weighed.append(Weighed(evidence, family, lag, weight, highest))
        left -= weight
    return tuple(weighed)


def limits(battery: Battery, tally: Tally, weighed: Sequence[Weighed], level: float) -> tuple[Limit, ...]:
    """Return what the tests of a look would have seen: of each family the plainest fault, or all that are known.

    Args:
        battery: what was asked.
        tally: what the look was at.
        weighed: the tests that had their say.
        level: what all tests of the look may spend together.
    """
    shares = {(each.evidence.test, each.lag): each.share for each in weighed}
    of_family = {each.family: each.share for each in weighed}  # the same for all its tests
    found: dict[str, dict[str, Limit]] = {}
    for member, counts in zip(battery.members, tally.counts, strict=True):
        share = of_family.get(member.family)
        if member.lag > 1 or not share:  # what one deck leaves to the next stands for all lags
            continue
        limit = member.statistic.limit(counts, battery.cards, tally.seen[member.lag], level * share)
        if limit and (limit.test, member.lag) in shares:
            found.setdefault(member.family, {})[member.statistic.name] = limit if not member.lag else _carried(limit)
    return tuple(
        limit
        for family, known in found.items()
        for limit in ([known[PLAINEST[family]]] if PLAINEST[family] in known else known.values())
    )


def _carried(limit: Limit) -> Limit:
    return replace(limit, family="serial", says=f"compared with the deck before: {limit.says}")
