"""The verdict: many p-values weighed together, at one stated level.

Within one interim analysis every family of statistics has its share of the level, divided evenly among its
tests: Holm's step-down procedure with weights, which is valid for dependent tests. So an additional test reduces the
power of its own family only. `fairdeck.lab.judging.trial` spends the level over the interim analyses.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fairdeck.lab.judging.families import FAMILIES
from fairdeck.lab.judging.tally import Battery, Tally
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.statistics import Evidence, of_sight
from fairdeck.lab.statistics.positions import Positions

DEFAULT_ALPHA = 1e-6
FEWEST_DECKS, FEWEST_PER_CARD = 1_000, 10
FEWEST_LARGE, FEWEST_CARDS = 100, 10**7  # decks without a table of cards and places, and cards in all of them
GATE = "gate"  # the statistic of a finding about something that is not a deck
Outcome = Literal["fail", "pass", "insufficient"]


@dataclass(frozen=True, slots=True)
class Weighed:
    """One p-value with its place in the whole."""

    evidence: Evidence  # the test, its p-value, and what was seen
    family: str  # the name of its family
    lag: int  # 0 for decks by themselves, k for each deck relative to the one k before
    share: float  # the share of this test in the level of an interim analysis, 0 to 1
    adjusted: float  # the family-wise p-value of this test, 0 to 1 (Holm, weighted)
    decks: int = 0  # how many were judged; 0 where that is not known

    @property
    def name(self) -> str:
        """The test, with its lag if it has one."""
        return f"{self.evidence.name} (relative, lag {self.lag})" if self.lag else self.evidence.name


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault. `fairdeck.lab.judging.sentences` puts it into words."""

    p_value: float  # the chance of something as odd on fair decks, in the test that found it
    weighed: Weighed | None = None  # that test; None for something that is not a deck
    complaint: str = ""  # what is wrong with something that is not a deck
    first_decks: int = 0  # where later decks hide the fault, the number of first decks that show it; else 0
    after: int = 0  # the decks before these: where a few in the midst of many show it

    @property
    def statistic(self) -> str:
        """The test that found it."""
        return self.weighed.name if self.weighed else GATE

    @property
    def family(self) -> str:
        """The family of that test; empty for something that is not a deck."""
        return self.weighed.family if self.weighed else ""

    @property
    def at_gate(self) -> bool:
        """Whether it is about something that is not a deck."""
        return self.weighed is None


@dataclass(frozen=True)
class Verdict:
    """What is known of a shuffle after a number of decks.

    Attributes:
        outcome: ``fail``; ``pass``: enough decks, and no fault seen; ``insufficient``: neither.
        p_value: family-wise, over all tests, interim analyses and bets.
        alpha: the level it is compared with.
        decks: the decks counted; after a failure, until then.
        findings: the faults, the plainest first: what explains all others, then in the order of families, and
            roundabout evidence last. Empty unless failed.
        evidence: every p-value of the last interim analysis.
        limits: for each family the smallest fault that would have been seen.
        announced: the number of decks that was chosen in advance; None if none was.
        analysed: the number of decks, the first ones, in the last interim analysis; 0 if there was none. More than
            `decks` if the run went on after a failure.
    """

    outcome: Outcome
    p_value: float
    alpha: float
    decks: int
    findings: tuple[Finding, ...]
    evidence: tuple[Weighed, ...]
    limits: tuple[Limit, ...]
    announced: int | None
    analysed: int

    @property
    def at_gate(self) -> bool:
        """Whether something that is not a deck came."""
        return bool(self.findings) and self.findings[0].at_gate


def fewest_decks(n: int) -> int:
    """Return the fewest decks of `n` cards with which a shuffle can pass: every family has evidence by then.

    Where every card is counted at every place, that takes some decks for each card. Larger decks have no such table:
    fewer of them hold as many cards.

    >>> fewest_decks(52), fewest_decks(1_000), fewest_decks(10_000), fewest_decks(1_000_000)
    (1000, 10000, 1000, 100)
    """
    if n in Positions.sizes:
        return max(FEWEST_DECKS, FEWEST_PER_CARD * n)
    return max(FEWEST_LARGE, min(FEWEST_DECKS, FEWEST_CARDS // n))


def weigh(battery: Battery, tally: Tally) -> tuple[Weighed, ...]:
    """Return every p-value of a tally, adjusted within this interim analysis, the surest fault first.

    Source: Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6 (1979),
    section 4 on weights.
    """
    found = [
        (evidence, member.family, member.lag)
        for member, counts in zip(battery.members, tally.counts, strict=True)
        for evidence in member.statistic.judge(counts, battery.cards, tally.seen[member.lag])
    ]
    # The number of tests of a family depends on the number of decks alone, so it may divide the share.
    sizes = Counter(family for _, family, _ in found)
    shared = sum(FAMILIES[family].share for family in sizes)
    weights = [FAMILIES[family].share / sizes[family] / shared for _, family, _ in found]
    ranked = sorted(zip(found, weights, strict=True), key=lambda pair: pair[0][0].p_value / pair[1])
    left, highest, weighed = 1.0, 0.0, []
    for (evidence, family, lag), weight in ranked:
        highest = max(highest, min(1.0, evidence.p_value / weight * left))
        weighed.append(Weighed(evidence, family, lag, weight, highest, tally.seen[lag]))
        left -= weight
    return tuple(weighed)


def limits(battery: Battery, tally: Tally, weighed: Sequence[Weighed], level: float) -> tuple[Limit, ...]:
    """Return the limits of the tests of an interim analysis: one for each family, or all if that one is not known.

    `weighed` are the tests that were made of the tally, at this level of all of them together.
    """
    made = {(each.evidence.name, each.lag) for each in weighed}
    seen = of_sight(battery.sight) if battery.sight else None  # others speak of cards that are filled in at random
    shares = {each.family: each.share for each in weighed}  # the same for all tests of a family
    found: dict[str, dict[str, Limit]] = {}
    for member, counts in zip(battery.members, tally.counts, strict=True):
        share = shares.get(member.family)
        if seen is not None and member.statistic not in seen:
            continue
        if member.lag > 1 or not share:  # what one deck leaves to the next stands for all lags
            continue
        limit = member.statistic.limit(counts, battery.cards, tally.seen[member.lag], level * share)
        if limit and (limit.name, member.lag) in made:
            limit = replace(limit, family=member.family, lag=member.lag)
            found.setdefault(member.family, {})[member.statistic.name] = limit
    told: list[Limit] = []
    for family, known in found.items():
        plainest = known.get(FAMILIES[family].told)
        told += [plainest] if plainest else known.values()
    return tuple(told)
