"""A shuffle on trial: blocks of decks come in, and it may be failed at any time.

The level `alpha` bounds the chance that a fair shuffle is failed, whatever is looked at, however often,
and **whenever the decks end**, be it because somebody saw what they wanted. Half of it is spent on
**bets**: each scalar statistic bets against fairness, and the mean of their wealth exceeds 2/alpha with
chance alpha/2 at most, ever, so it is watched all the time. The other half is spent on **looks**, the
whole battery weighed at numbers of decks that nobody can choose: those of `fairdeck.lab.tally.schedule`,
each with a share of its own, and the number that was announced beforehand, if it was and is reached; it
has a quarter of alpha. Bets stop a bad shuffle soon; looks see what no single number shows.

To weigh takes time, so it is done at 16, 32, 64, ... decks. Of the looks between only the latest is ever
made, when the decks have ended; the share of a look that is not made is lost, which makes no test invalid.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import exp, log, pi

import numpy as np

from fairdeck.lab import entry
from fairdeck.lab.arrays import Floats
from fairdeck.lab.law import bet_weights, log_wealth
from fairdeck.lab.sources import Broken, Source
from fairdeck.lab.sources.simulated import AnyBlock, Simulated
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.tally import SMALLEST_LOOK, Battery, Tally, block_sizes, looks_to_double, portions, schedule
from fairdeck.lab.verdict import (
    DEFAULT_ALPHA,
    FAMILIES,
    GATE,
    Finding,
    Outcome,
    Verdict,
    Weighed,
    fewest_decks,
    limits,
    weigh,
)

CERTAIN = 1e-30
PLAINEST_FIRST = tuple(FAMILIES)  # positions are understood by everybody

BETS = 0.5
LAST_LOOK = 0.25  # of the number announced; where none is, the looks by schedule have it as well
SCHEDULED = 0.25
SEEN_AT_LEAST = 5 / 6  # of the decks that a pass takes: how far back the latest look can lie

Portion = Sequence[AnyBlock]
Map = Callable[[Callable[[Portion], Tally], Iterable[Portion]], Iterable[Tally]]


class Trial:
    """Add tallies block by block; ask for the verdict at any time."""

    def __init__(
        self,
        battery: Battery,
        most: int,
        alpha: float = DEFAULT_ALPHA,
        *,
        fewest: int | None = None,
        announced: bool = True,
    ) -> None:
        """Begin a trial.

        Args:
            battery: what is asked.
            most: the most decks that are counted.
            alpha: the chance, at most, that a fair shuffle is failed.
            fewest: the decks without which no shuffle passes; usually those of `fewest_decks`.
            announced: whether `most` was chosen before any of these decks was seen, and is where the decks
                end; then the last look is there.
        """
        self.battery, self.most, self.alpha = battery, entry.whole("decks", most, 1), entry.alpha(alpha)
        self.fewest = fewest_decks(battery.cards) if fewest is None else entry.whole("fewest decks", fewest, 1)
        self.announced = announced
        self.tally: Tally | None = None
        self._schedule = schedule()
        self._next_look = next(self._schedule)
        self._to_weigh: Tally | None = None  # of the latest number of the schedule, if it is not weighed yet
        self._looked: Tally | None = None  # what the last look was at
        self._share = 0.0  # which it had of alpha
        self._weighed: tuple[Weighed, ...] = ()
        self._faults: tuple[Weighed, ...] = ()  # of the latest look that found any
        self._found_in = 0  # so many decks
        self._look_p = 1.0
        self._log_wealth = 0.0
        self._best_bet = 0  # a member of the battery
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

        A look is made only where a block ends at one of its numbers, as those of `block_sizes` do.

        Raises:
            ValueError: all decks were counted, and the last look was spent on them.
        """
        if self.decks >= self.most:
            raise ValueError(f"the trial is over: its {self.most:,} decks are counted")
        self.tally = self.battery.merge(self.tally, more) if self.tally else more
        self._settle_bets(self.tally)
        while self._next_look < self.decks:
            self._next_look = next(self._schedule)
        if self.announced and self.decks == self.most:
            self._look(self.tally, LAST_LOOK)
        elif self.decks == self._next_look:
            self._to_weigh = self.tally
            if _ends_doubling(self.decks):
                self._catch_up()

    def broke(self, error: Broken) -> None:
        """Take note that what is on trial handed over something that is no deck, or nothing any more."""
        self._broken = Finding(GATE, 0.0, str(error))

    def verdict(self) -> Verdict:
        """Return what is known: of the decks so far by the bets, of those up to the latest look by all tests."""
        self._catch_up()
        looked_at = self._looked.decks if self._looked else 0
        # Where no test had its say nothing was found out, however many decks there were.
        enough = self._weighed and self.decks >= self.fewest and looked_at >= SEEN_AT_LEAST * self.fewest
        outcome: Outcome = "pass" if enough else "insufficient"
        return Verdict(
            outcome="fail" if self.failed else outcome,
            p_value=self.p_value,
            alpha=self.alpha,
            decks=self.decks,
            findings=self._findings(),
            evidence=self._weighed,
            limits=(
                limits(self.battery, self._looked, self._weighed, self.alpha * self._share)
                if self._looked and not self.failed
                else ()
            ),
            announced=self.most if self.announced else None,
            looked_at=looked_at,
        )

    def _catch_up(self) -> None:
        """Make the latest look of the schedule, if it was not made."""
        if self._to_weigh:
            self._look(self._to_weigh, _share(self._to_weigh.decks, SCHEDULED + LAST_LOOK * (not self.announced)))

    @property
    def _bets_p(self) -> float:
        return min(1.0, exp(-self._log_wealth) / BETS)

    def _look(self, tally: Tally, share: float) -> None:
        self._looked, self._share, self._to_weigh = tally, share, None
        # From a p-value within this look to one of the whole trial.
        self._weighed = tuple(
            replace(each, adjusted=min(1.0, each.adjusted / share)) for each in weigh(self.battery, tally)
        )
        self._look_p = min([self._look_p, *(each.adjusted for each in self._weighed)])
        if faults := tuple(each for each in self._weighed if each.adjusted <= self.alpha):
            self._faults, self._found_in = faults, tally.decks

    def _settle_bets(self, tally: Tally) -> None:
        wealth: dict[int, float] = {}
        for at, (member, counts) in enumerate(zip(self.battery.members, tally.counts, strict=True)):
            if isinstance(member.statistic, Scalar):
                values = int(counts.sum())  # none yet is a coin not yet bet
                total = member.statistic.law(self.battery.cards).low * values + int(counts @ np.arange(len(counts)))
                wealth[at] = log_wealth(_stakes(member.statistic, self.battery.cards), values, total)
        if wealth:
            best = max(wealth, key=wealth.__getitem__)
            mean = wealth[best] + log(sum(exp(each - wealth[best]) for each in wealth.values()) / len(wealth))
            if mean > self._log_wealth:
                self._log_wealth, self._best_bet = mean, best

    def _findings(self) -> tuple[Finding, ...]:
        # Of those that are beyond any doubt the plainest comes first.
        faults = sorted(
            self._faults, key=lambda each: (max(each.evidence.p_value, CERTAIN), PLAINEST_FIRST.index(each.family))
        )
        # Decks that begin badly and go on well are failed by a look that is not the latest.
        earlier = self._looked is not None and self._found_in < self._looked.decks
        where = f" (the first {self._found_in:,} decks showed it)" if earlier else ""
        found = [Finding(each.name, each.evidence.p_value, f"{each.fault}{where}") for each in faults]
        if not found and self._bets_p <= self.alpha:
            found = [self._won()]
        return (*([self._broken] if self._broken else []), *found)

    def _won(self) -> Finding:
        """Return the fault that the best bet won on, in the words of the mean that it bet on."""
        assert self.tally  # noqa: S101 - there is no bet without a deck
        member, counts = self.battery.members[self._best_bet], self.tally.counts[self._best_bet]
        mean = next(member.statistic.judge(counts, self.battery.cards, self.tally.seen[member.lag]))
        told = Weighed(mean, member.family, member.lag, 0.0, 1.0)
        return Finding(told.name, self._bets_p, told.fault)


def _ends_doubling(decks: int) -> bool:
    return decks & (decks - 1) == 0


def _share(decks: int, all_looks: float) -> float:
    """Return the share of alpha that a look of the schedule has, of what all of them have together.

    The k-th doubling has 6/(pi k)^2 of it, and 1 + 1/4 + 1/9 + ... is pi^2/6: half at its end, half
    divided evenly among the looks on the way there. There is none on the way to the first.
    """
    doubling = (decks - 1).bit_length() - (SMALLEST_LOOK - 1).bit_length() + 1
    half = all_looks * 3 / (pi * doubling) ** 2
    if decks == SMALLEST_LOOK:
        return 2 * half
    return half if _ends_doubling(decks) else half / (looks_to_double(decks) - 1)


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
