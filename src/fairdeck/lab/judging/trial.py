"""A shuffle on trial: blocks of decks come in, and at any time it may fail.

The level `alpha` bounds the chance that a fair shuffle fails, over all tests, all interim analyses, and **for any
moment at which the decks end**, even one that somebody chose after seeing the results. Half of the level is spent on
**bets**: each scalar statistic bets against fairness, each reading of the draws bets on known faults, and the counts of
positions bet on each card at each place. The mean of their wealth ever exceeds 2/alpha with chance alpha/2 at most, so
it is watched all the time. The other half is spent on **interim analyses** (a group sequential design): the whole
battery is weighed at numbers of decks that nobody can choose. These are the numbers of
`fairdeck.lab.judging.tally.schedule`, each with a share of its own, and the number that was announced in advance, if it
was and if it is reached; it has a quarter of alpha. Bets stop a bad shuffle soon; interim analyses see faults that no
bet is on.

A fault of a few hundred decks in the midst of many, such as a bad deploy, is diluted in both. So each **block** from
`BURSTS_FROM` decks on is also weighed by itself, if the bets on it alone win; that uses what the schedule leaves: no
trial has more than 10^12 decks, so of the shares of the doublings beyond it `SPARE` is free. Each block has of it what
`_until` grows by: as that depends on the decks before it alone, it adds up to 1 at most. A block that ends early, as a
file may end anywhere, is not weighed.

A failure is final: decks that are counted after it (`Trial.settle`) change the findings and their words, but neither
the p-value nor the number of decks of the verdict.

An analysis takes time, so it is made at 16, 32, 64, ... decks at once, of large decks at 1, 2, 4 and 8 as well. Of the
numbers between them only the latest is ever analysed, when the decks have ended. The share of an analysis that is not
made is lost; every test stays valid.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, chain, takewhile
from math import exp, log, log2, pi

from fairdeck import numbers
from fairdeck.lab.blocks import Broken, Source
from fairdeck.lab.judging.families import FAMILIES
from fairdeck.lab.judging.tally import (
    FIRST_ANALYSIS,
    Battery,
    Tally,
    analyses_to_double,
    block_sizes,
    first_analysis,
    part_sizes,
    portions,
    schedule,
)
from fairdeck.lab.judging.verdict import DEFAULT_ALPHA, Finding, Outcome, Verdict, Weighed, fewest_decks, limits, weigh
from fairdeck.lab.sources.parts import Parts
from fairdeck.lab.sources.simulated import AnyBlock, Simulated

PLAINEST_FIRST = tuple(FAMILIES)

BETS = 0.5
LAST_ANALYSIS = 0.25  # at the announced number; where none was announced, the schedule has this share as well
SCHEDULED = 0.25
SPARE = 0.003  # of alpha, for bursts: the schedule can never spend it
BURSTS_FROM = 1_024  # decks before the first block that is weighed by itself
WORTH_WEIGHING = 1e-3  # the p-value of the bets on a block, which take a fraction of the time of its analysis
ABOUT, SURE = 0.75, 1e-20  # about as sure: of the logarithm of the smallest p-value; or surer than that
SEEN_AT_LEAST = 5 / 6  # of the decks needed for a pass: the latest analysis can be that far back

Portion = Iterable[AnyBlock]
Map = Callable[[Callable[[Portion], Tally], Iterable[Portion]], Iterable[Tally]]


@dataclass
class Standing:
    """Where a trial stands: all that is needed to go on with it elsewhere, digit for digit."""

    tally: Tally | None = None  # everything counted; None before the first deck
    waiting: Tally | None = None  # the counts at the latest number of the schedule, if it is not analysed yet
    analysed: Tally | None = None  # the counts of the last interim analysis
    share: float = 0.0  # of alpha, for that analysis
    found: Tally | None = None  # the counts of the latest analysis that found a fault
    found_share: float = 0.0  # of alpha, for that analysis
    found_after: int = 0  # the decks before them, if that was a block by itself
    analyses_p: float = 1.0  # the smallest p-value of all interim analyses, for the whole trial
    log_wealth: float = 0.0  # the largest wealth of all bets together, as a logarithm
    best_bet: int = 0  # the member of the battery that won most of it
    settled: tuple[int, float] | None = None  # the decks and the p-value of a verdict that is final
    complaint: str = ""  # why the source gave no more decks, if that is a fault of the shuffle


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
        doublings: int = 1,
        bursts: bool = True,
        standing: Standing | None = None,
    ) -> None:
        """Begin a trial of `most` decks at most at the level `alpha`, or go on where an earlier part of it stood.

        A shuffle can pass with the `fewest` decks, by default those of `fewest_decks`. `announced`: `most` was chosen
        before any of these decks was seen; the last interim analysis is then at that number. `doublings` of the decks
        lie between two interim analyses: where time is short, more of them. `bursts`: blocks are weighed as well.
        """
        self.name = ""  # of what is on trial, for those who watch
        self.battery, self.most, self.alpha = battery, numbers.whole("decks", most, 1), numbers.alpha(alpha)
        self.fewest = fewest_decks(battery.cards) if fewest is None else numbers.whole("fewest decks", fewest, 1)
        self.announced, self._doublings = announced, doublings
        self.standing = now = standing or Standing()
        self._first = first_analysis(battery.cards)
        self._schedule = schedule(self._first)
        self._next = next(self._schedule)
        self._weighed = self._weigh(now.analysed, now.share) if now.analysed else ()
        self._faults = self._faulty(self._weigh(now.found, now.found_share, now.found_after)) if now.found else ()
        self._bursts, self._end = bursts, 0
        self._ends = accumulate(block_sizes(battery.cards, most))  # of the blocks that are complete
        self._glanced: Tally | None = None  # what the bets were settled on, before a block was full

    @property
    def tally(self) -> Tally | None:
        """Everything counted so far; None before the first deck."""
        return self.standing.tally

    @property
    def decks(self) -> int:
        """The decks counted so far."""
        return self.tally.decks if self.tally else 0

    @property
    def p_value(self) -> float:
        """The family-wise p-value of all interim analyses and bets so far."""
        if self.standing.settled:
            return self.standing.settled[1]
        return 0.0 if self.standing.complaint else min(self.standing.analyses_p, self._bets_p)

    @property
    def failed(self) -> bool:
        """Whether the shuffle has failed; more decks cannot change that."""
        return self.p_value <= self.alpha

    @property
    def spent(self) -> float:
        """The part of alpha that the decks so far have spent, whether or not each analysis was made."""
        if not self.decks:
            return 0.0
        last = LAST_ANALYSIS * (not self.announced)
        made = sum(
            _share(at, SCHEDULED + last, self._first) for at in takewhile(self.decks.__ge__, schedule(self._first))
        )
        made += SPARE * _until(self.decks) * self._bursts
        return self.alpha * (BETS + made + LAST_ANALYSIS * (self.announced and self.decks >= self.most))

    def add(self, more: Tally) -> None:
        """Count another block, settle the bets, and make an interim analysis if it is time.

        An analysis is made only where a block ends at a number of the schedule, as the blocks of `block_sizes` do.
        After the last deck it is a ValueError.
        """
        if self.decks >= self.most:
            raise ValueError(f"the trial has ended: its {self.most:,} decks are counted")
        before = self.decks
        tally = self.standing.tally = self.battery.merge(self.tally, more) if self.tally else more
        self._settle_bets(tally)
        while self._next < self.decks:
            self._next = next(self._schedule)
        if self.announced and self.decks == self.most:
            self._analyse(tally, LAST_ANALYSIS)
        elif self.decks == self._next:
            self.standing.waiting = tally
            if (
                _ends_doubling(self.decks, self._doublings) and not self.settled
            ):  # after the verdict only the latest is of use
                self._catch_up()
        while self._end < self.decks:
            self._end = next(self._ends)
        if self._bursts and before >= BURSTS_FROM and self._end == self.decks and not self.failed:
            self._look_for_burst(more, before)

    def glance(self, more: Tally) -> None:
        """Settle the bets on a block that is not complete yet: a bad shuffle need not wait for its last deck.

        Bets may be settled at any deck. `more` is counted later, by `add`, with the rest of its block.
        """
        self._glanced = self.battery.merge(self.tally, more) if self.tally else more
        self._settle_bets(self._glanced)

    @property
    def settled(self) -> bool:
        """Whether the verdict is final, and decks are counted for its words and charts only."""
        return self.standing.settled is not None

    def settle(self) -> None:
        """Make the verdict final: fail, at this number of decks; a ValueError if the shuffle has not failed."""
        if not self.failed:
            raise ValueError("only a failure is final; more decks can change every other verdict")
        self.standing.settled = self.standing.settled or (self.decks, self.p_value)

    def broke(self, error: Broken) -> None:
        """Record that the source gave something that is not a deck, or stopped giving decks."""
        self.standing.complaint = str(error)

    def verdict(self) -> Verdict:
        """Return what is known: by the bets on all decks so far, by all tests at the latest interim analysis."""
        self._catch_up()
        now = self.standing
        analysed = now.analysed.decks if now.analysed else 0
        # Without any test nothing was found out, even with many decks.
        enough = self._weighed and self.decks >= self.fewest and analysed >= SEEN_AT_LEAST * self.fewest
        outcome: Outcome = "pass" if enough else "insufficient"
        return Verdict(
            outcome="fail" if self.failed else outcome,
            p_value=self.p_value,
            alpha=self.alpha,
            decks=now.settled[0] if now.settled else self.decks,
            findings=self._findings(analysed),
            evidence=self._weighed,
            limits=(
                limits(self.battery, now.analysed, self._weighed, self.alpha * now.share)
                if now.analysed and not self.failed
                else ()
            ),
            announced=self.most if self.announced else None,
            analysed=analysed,
        )

    def _catch_up(self) -> None:
        """Make the latest analysis of the schedule, if it was not made."""
        if waiting := self.standing.waiting:
            self._analyse(waiting, _share(waiting.decks, SCHEDULED + LAST_ANALYSIS * (not self.announced), self._first))

    @property
    def _bets_p(self) -> float:
        """The p-value of the bets; above 1 while they have won little."""
        return exp(-self.standing.log_wealth) / BETS

    def _analyse(self, tally: Tally, share: float) -> None:
        now = self.standing
        self._weighed = self._weigh(tally, share)
        now.analysed, now.share, now.waiting = tally, share, None
        self._conclude(self._weighed, tally, share)

    def _look_for_burst(self, block: Tally, before: int) -> None:
        # It fails by its analysis alone, so the bets, which decide whether that is made, need no share.
        made = wealth(self.battery, block)
        if made and exp(-made[0]) <= WORTH_WEIGHING:
            share = SPARE * (_until(self.decks) - _until(before))
            self._conclude(self._weigh(block, share, before), block, share, before)

    def _conclude(self, weighed: tuple[Weighed, ...], tally: Tally, share: float, after: int = 0) -> None:
        now = self.standing
        now.analyses_p = min([now.analyses_p, *(each.adjusted for each in weighed)])
        if faults := self._faulty(weighed):
            self._faults, now.found, now.found_share, now.found_after = faults, tally, share, after

    def _weigh(self, tally: Tally, share: float, after: int = 0) -> tuple[Weighed, ...]:
        battery = self.battery
        if after:
            battery, tally = battery.dense or battery, battery.of_dense(tally) if battery.dense else tally
        # From a p-value within this analysis to one of the whole trial.
        return tuple(replace(each, adjusted=min(1.0, each.adjusted / share)) for each in weigh(battery, tally))

    def _faulty(self, weighed: tuple[Weighed, ...]) -> tuple[Weighed, ...]:
        return tuple(each for each in weighed if each.adjusted <= self.alpha)

    def _settle_bets(self, tally: Tally) -> None:
        made = wealth(self.battery, tally)
        if made and made[0] > self.standing.log_wealth:
            self.standing.log_wealth, self.standing.best_bet = made

    def _findings(self, analysed: int) -> tuple[Finding, ...]:
        faults = plainest_first(self._faults)
        # Decks that begin badly and go on well are failed by an analysis before the latest.
        now = self.standing
        first = now.found.decks if now.found and (now.found.decks < analysed or now.found_after) else 0
        found = [Finding(each.evidence.p_value, each, first_decks=first, after=now.found_after) for each in faults]
        tally = self.tally or self._glanced
        if not found and self._bets_p <= self.alpha and tally:
            found = [won(self.battery, tally, now.best_bet, self._bets_p)]
        return (*([Finding(0.0, complaint=now.complaint)] if now.complaint else []), *found)


def plainest_first(faults: Iterable[Weighed]) -> list[Weighed]:
    """Return faults that are beyond doubt, the plainest first of those that are about as sure as the surest."""
    faults = list(faults)
    surest = min((each.evidence.p_value for each in faults if not each.evidence.roundabout), default=1.0)

    def plainness(each: Weighed) -> tuple[bool, bool, bool, int, int, float]:
        evidence, family = each.evidence, PLAINEST_FIRST.index(each.family)
        unsure = evidence.p_value > max(SURE, surest**ABOUT)
        return not evidence.explains, evidence.roundabout, unsure, family, each.lag, evidence.p_value

    return sorted(faults, key=plainness)


def won(battery: Battery, tally: Tally, at: int, p_value: float) -> Finding:
    """Return the fault on which the bet of the member at this place won."""
    member = battery.members[at]
    seen = tally.seen[member.lag]
    evidence = member.statistic.bet_on(tally.counts[at], battery.cards, seen)
    return Finding(p_value, Weighed(evidence, member.family, member.lag, 0.0, 1.0, seen))


def wealth(battery: Battery, tally: Tally) -> tuple[float, int] | None:
    """Return the log of what all bets together have made of one coin, and the member that won most; None without bets.

    On fair decks it ever exceeds log(1/p) with chance p at most.
    """
    made: dict[int, float] = {}
    for at, (member, counts) in enumerate(zip(battery.members, tally.counts, strict=True)):
        if (gained := member.statistic.log_wealth(counts, battery.cards, tally.seen[member.lag])) is not None:
            made[at] = gained
    if not made:
        return None
    best = max(made, key=made.__getitem__)
    return made[best] + log(sum(exp(each - made[best]) for each in made.values()) / len(made)), best


def _ends_doubling(decks: int, every: int = 1) -> bool:
    """Tell whether the decks are 16, doubled so often, or as often again, and so on."""
    return decks.bit_count() == 1 and (decks // FIRST_ANALYSIS).bit_length() % every == 1 % every


def _share(decks: int, schedule_share: float, first: int = FIRST_ANALYSIS) -> float:
    """Return the share of alpha of one analysis of the schedule, where all of them together have `schedule_share`.

    The k-th doubling has 6/(pi k)^2 of it (1 + 1/4 + 1/9 + ... is pi^2/6): half for the analysis at its end, half
    divided evenly among the analyses before it. The first doubling, from the `first` analysis on, has only the one at
    its end, and so has that to two decks.
    """
    doubling = ((decks - 1) // first).bit_length() + 1
    half = schedule_share * 3 / (pi * doubling) ** 2
    if decks in (first, 2):
        return 2 * half
    return half if _ends_doubling(decks) else half / (analyses_to_double(decks) - 1)


def _until(decks: int) -> float:
    """Return which part of `SPARE` the blocks up to there have, however the decks are cut into blocks.

    >>> _until(1_024), _until(65_536)
    (0.0, 0.8571428571428572)
    """
    return 1 - 1 / (1 + log2(max(1, decks / BURSTS_FROM)))


def run(
    trial: Trial,
    source: Source | Simulated | Parts,
    map: Map = map,  # noqa: A002 - it is used like the builtin
    at_least: int = 0,
    go_on: int = 0,
    sizes_of: Callable[[int, int], Iterable[int]] = block_sizes,
) -> Iterator[Trial]:
    """Put `source` on trial until it fails or all decks are counted; yield the trial after each portion.

    At the failure, but not before `at_least` decks, the verdict becomes final; then `go_on` decks more are counted, the
    last portion to its end. The caller may stop sooner. A trial that goes on needs a source that gives the blocks that
    follow. `map` applies the battery to portions of blocks, here or elsewhere, and returns the tallies in order.
    `sizes_of`: see `portioned`.
    """
    until = trial.decks + go_on if trial.settled else trial.most
    if trial.decks >= until:
        return
    try:
        for tally in map(trial.battery.tally_all, portioned(source, trial, sizes_of)):
            trial.add(tally)
            if trial.failed and trial.decks >= at_least and not trial.settled:
                trial.settle()
                until = trial.decks + go_on
            yield trial
            if trial.settled and trial.decks >= until:
                return
    except Broken as error:
        if error.counted is not None:
            trial.add(error.counted)
        trial.broke(error)
        yield trial


def portioned(
    source: Source | Simulated | Parts, trial: Trial, sizes_of: Callable[[int, int], Iterable[int]] = block_sizes
) -> Iterator[Portion]:
    """Yield the blocks that a trial has not counted yet, in portions that are counted together.

    `sizes_of` the cards and the decks are the sizes of blocks that are made here.

    Decks that are made where they are counted come in large portions. Decks from elsewhere come block by block: they
    are slower, and nobody should have to wait for a large portion of them.
    """
    cards, most = trial.battery.cards, trial.most
    number = done = 0
    if isinstance(source, Parts):
        for part in source.parts(part_sizes(cards, most)):
            if done >= trial.decks:
                yield part
            done += sum(part.sizes)
        return
    here = not isinstance(source, Simulated)
    coming = ([size] for size in sizes_of(cards, most)) if here else portions(cards, most)
    while done < trial.decks:  # by an earlier part of the trial
        sizes = next(coming)
        number, done = number + len(sizes), done + sum(sizes)
    if here:
        yield from ([block] for block in source.blocks(chain.from_iterable(coming), number))
        return
    for sizes in coming:
        yield list(source.blocks(sizes, number))
        number += len(sizes)
