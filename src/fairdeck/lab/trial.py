"""A shuffle on trial: blocks of decks come in, and it may be failed at any time.

The level `alpha` bounds the chance that a fair shuffle is failed, whatever is looked at and however
often. Half of it is spent on **bets**: each scalar statistic bets against fairness, and the mean of
their wealth exceeds 2/alpha with chance alpha/2 at most, ever, so it is watched all the time. The
other half is spent on **looks**, the whole battery weighed at doubling numbers of decks: a quarter
of alpha on the last one, announced beforehand, and a quarter on the others, 6/(pi k)^2 of it on the
k-th. Bets stop a bad shuffle soon; looks see what no single number shows.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import exp, log, pi

import numpy as np

from fairdeck.lab import entry
from fairdeck.lab.arrays import Floats
from fairdeck.lab.law import bet_weights, log_wealth
from fairdeck.lab.power import Limit, limits
from fairdeck.lab.sources import Broken, Source
from fairdeck.lab.sources.simulated import AnyBlock, Simulated
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.tally import SMALLEST_LOOK, Battery, Tally, block_sizes, portions
from fairdeck.lab.verdict import DEFAULT_ALPHA, FAMILIES, GATE, Finding, Outcome, Verdict, Weighed, fewest_decks, weigh

CERTAIN = 1e-30
PLAINEST = tuple(FAMILIES)  # positions are understood by everybody

BETS = 0.5
LAST_LOOK = 0.25
EARLY_LOOKS = 0.25

Portion = Sequence[AnyBlock]
Map = Callable[[Callable[[Portion], Tally], Iterable[Portion]], Iterable[Tally]]


class Trial:
    """Add tallies block by block; ask for the verdict at any time."""

    def __init__(self, battery: Battery, most: int, alpha: float = DEFAULT_ALPHA, *, fewest: int | None = None) -> None:
        """Begin a trial of at most `most` decks at the level `alpha`; none passes with less than `fewest`."""
        self.battery, self.most, self.alpha = battery, entry.whole("decks", most, 1), entry.alpha(alpha)
        self.fewest = fewest_decks(battery.cards) if fewest is None else entry.whole("fewest decks", fewest, 1)
        self.tally: Tally | None = None
        self._weighed: tuple[Weighed, ...] = ()
        self._weighed_at = 0
        self._looks = 0
        self._next_look = SMALLEST_LOOK
        self._look_p = 1.0
        self._log_wealth = 0.0
        self._best_bet = ("", 0)
        self._broken: Finding | None = None

    @property
    def decks(self) -> int:
        """The decks counted so far."""
        return self.tally.decks if self.tally else 0

    @property
    def p_value(self) -> float:
        """The family-wise p-value of all looks and bets so far."""
        return 0.0 if self._broken else min(1.0, self._look_p, self._bets_p)

    @property
    def failed(self) -> bool:
        """Whether the shuffle has failed; more decks would not change it."""
        return self.p_value <= self.alpha

    def add(self, more: Tally) -> None:
        """Count another block, settle the bets, and look if it is time.

        Raises:
            ValueError: all decks were counted, and the last look was spent on them.
        """
        if self.decks >= self.most:
            raise ValueError(f"the trial is over: its {self.most:,} decks are counted")
        self.tally = self.battery.merge(self.tally, more) if self.tally else more
        self._settle_bets(self.tally)
        if self.decks >= self.most:
            self._look(self.tally, LAST_LOOK)
        elif self.decks >= self._next_look:
            self._look(self.tally, self._early_share())
            while self._next_look <= self.decks:
                self._next_look *= 2

    def ended(self) -> None:
        """Take note that there are no more decks; that was so before anyone looked, so this is the last look."""
        if self.tally and not self.failed and self._weighed_at < self.decks:
            self._look(self.tally, LAST_LOOK)

    def broke(self, error: Broken) -> None:
        """Take note that what is on trial handed over something that is no deck, or nothing any more."""
        self._broken = Finding(GATE, 0.0, str(error))

    def verdict(self) -> Verdict:
        """Return what is known; decks that came since the last look are looked at first."""
        if self.tally and self._weighed_at < self.decks:
            self._look(self.tally, self._early_share())
        # Where no test had its say nothing was found out, however many decks there were.
        outcome: Outcome = "pass" if self._weighed and self.decks >= self.fewest else "insufficient"
        return Verdict(
            outcome="fail" if self.failed else outcome,
            p_value=self.p_value,
            alpha=self.alpha,
            decks=self.decks,
            findings=self._findings(),
            evidence=self._weighed,
            limits=() if self.failed else self._limits(),
        )

    def _limits(self) -> tuple[Limit, ...]:
        shares = {each.family: each.share for each in self._weighed}  # the same for all tests of a family
        return limits(shares, self.battery.cards, self.decks, self.alpha * LAST_LOOK)

    @property
    def _bets_p(self) -> float:
        return min(1.0, exp(-self._log_wealth) / BETS)

    def _early_share(self) -> float:
        """Return the share of the next early look; 1/1 + 1/4 + 1/9 + ... is pi^2/6."""
        return EARLY_LOOKS * 6 / (pi * (self._looks + 1)) ** 2

    def _look(self, tally: Tally, share: float) -> None:
        self._looks += 1
        self._weighed_at = tally.decks
        # From a p-value within this look to one of the whole trial.
        self._weighed = tuple(
            replace(each, adjusted=min(1.0, each.adjusted / share)) for each in weigh(self.battery, tally)
        )
        self._look_p = min([self._look_p, *(each.adjusted for each in self._weighed)])

    def _settle_bets(self, tally: Tally) -> None:
        wealth: dict[tuple[str, int], float] = {}
        for member, counts in zip(self.battery.members, tally.counts, strict=True):
            if isinstance(member.statistic, Scalar):
                values = int(counts.sum())  # none yet is a coin not yet bet
                total = member.statistic.law(self.battery.cards).low * values + int(counts @ np.arange(len(counts)))
                stakes = _stakes(member.statistic, self.battery.cards)
                wealth[member.statistic.name, member.lag] = log_wealth(stakes, values, total)
        if wealth:
            best = max(wealth, key=wealth.__getitem__)
            mean = wealth[best] + log(sum(exp(each - wealth[best]) for each in wealth.values()) / len(wealth))
            if mean > self._log_wealth:
                self._log_wealth, self._best_bet = mean, best

    def _findings(self) -> tuple[Finding, ...]:
        faults = [each for each in self._weighed if each.adjusted <= self.alpha]
        # Of those that are beyond any doubt the plainest comes first.
        faults.sort(key=lambda each: (max(each.evidence.p_value, CERTAIN), PLAINEST.index(each.family)))
        found = [Finding(each.name, each.evidence.p_value, each.fault) for each in faults]
        if not found and self._bets_p <= self.alpha:
            name, lag = self._best_bet
            found = [
                Finding(each.name, self._bets_p, each.fault)
                for each in self._weighed
                if each.lag == lag and each.evidence.test == f"{name}: mean"
            ]
        return (*([self._broken] if self._broken else []), *found)


@cache
def _stakes(statistic: Scalar, n: int) -> tuple[Floats, Floats]:
    return bet_weights(statistic.law(n))


def run(
    trial: Trial,
    source: Source | Simulated,
    map: Map = map,  # noqa: A002 - the seam is called so
    at_least: int = 0,
) -> Iterator[Trial]:
    """Put `source` on trial until it fails or all decks are counted; yield the trial after each portion.

    Args:
        trial: the trial, with no decks counted yet.
        source: where the decks come from.
        map: applies the battery to portions of blocks, here or elsewhere, and returns the tallies in order.
        at_least: count so many decks even if it has failed by then, for a report that says more.
    """
    try:
        for tally in map(trial.battery.tally_all, _portioned(source, trial)):
            trial.add(tally)
            yield trial
            if trial.failed and trial.decks >= at_least:
                return
        trial.ended()
    except Broken as error:
        trial.broke(error)
        yield trial


def _portioned(source: Source | Simulated, trial: Trial) -> Iterator[Portion]:
    """Yield the blocks of a source in portions to be counted at one go.

    What is made where it is counted comes in large portions; what comes from elsewhere, block by block,
    for it is slower and should not be waited for.
    """
    blocks: Iterator[AnyBlock] = source.blocks(block_sizes(trial.battery.cards, trial.most))
    if not isinstance(source, Simulated):
        yield from ([block] for block in blocks)
        return
    for sizes in portions(trial.battery.cards, trial.most):
        yield [next(blocks) for _ in sizes]
