"""The analyses of a watch: the alarm at one level for ever, and the deck with which the fault began.

Half of the level is for a trial over all decks (`fairdeck.lab.judging.trial`), half for windows
(`fairdeck.lab.watching.windows`), which see a fault that begins late. The two add up, and each holds its half at every
moment, so the whole level holds however long the logs are watched.
"""

from dataclasses import dataclass, replace
from typing import Any

from fairdeck.lab.judging.tally import Tally
from fairdeck.lab.judging.trial import Trial, plainest_first, wealth, won
from fairdeck.lab.judging.verdict import Finding, Outcome, Weighed
from fairdeck.lab.runs import records
from fairdeck.lab.runs.store import Run, utc_now
from fairdeck.lab.statistics.repeats import Repeats
from fairdeck.lab.watching import windows
from fairdeck.lab.watching.change_point import change_point
from fairdeck.lab.watching.status import Alarm, Onset
from fairdeck.lab.watching.windows import Segment, Windows

OF_ALL = 0.5  # of the level, for all decks together; the windows have the rest
DATED_UNTIL = 32  # segments after the alarm: then it is known when the fault began, as well as it ever will be


@dataclass(frozen=True)
class Raised:
    """The alarm, once it is raised, and when the fault began."""

    alarm: Alarm | None = None  # when a fault was found; None if none was
    closed: int = 0  # the segments that were complete at the alarm
    onset: Onset | None = None  # from which deck on it went wrong; None if that is not known (yet)
    dated: int = 0  # how many segments after the alarm were used to date it


class Analysis:
    """Judges what is counted, block by block.

    Attributes:
        battery: the statistics that are counted.
        windows: see `fairdeck.lab.watching.windows`.
        trial: over all decks.
        raised: the alarm, and when the fault began.
    """

    def __init__(self, run: Run, standing: windows.Standing, raised: Raised) -> None:
        """Begin, or go on where a stored watch stood: its run, its windows, and the alarm so far."""
        self.battery, alpha = run.inquiry.battery, run.inquiry.alpha
        options: dict[str, Any] = {"announced": False, "bursts": False, "standing": run.standing}  # windows see bursts
        self.trial = Trial(self.battery, run.inquiry.decks, alpha * OF_ALL, **options)
        self.windows = Windows(self.battery, alpha * (1 - OF_ALL), standing)
        self.raised = raised

    def add(self, block: Tally, began: str) -> None:
        """Judge a complete block, whose first deck was read at `began`."""
        self.trial.add(block)
        self.windows.add(block, began)
        self.look(self.trial.decks)

    def glance(self, more: Tally, decks: int) -> None:
        """Settle the bets on a block that is not complete; `decks` are all that were read."""
        self.trial.glance(more)
        self.windows.glance(more)
        self.look(decks)

    def look(self, decks: int) -> None:
        """Raise the alarm if a fault was found in the `decks` that were read, and say when it began."""
        raised, closed = self.raised, self.windows.standing.closed
        if raised.alarm:
            # Again when there are twice as many decks after the alarm.
            after = closed - raised.closed
            if 2 * raised.dated <= after <= DATED_UNTIL and after > raised.dated:
                self.raised = replace(raised, dated=after)
                self._date()
        elif self.trial.failed or self.windows.failed:
            in_window = None if self.trial.failed else self.windows.standing.found
            first, shown_by = (in_window.first, in_window.decks) if in_window else (0, decks)
            alarm = Alarm(decks, utc_now(), self._own_p_value, first, shown_by, in_window is not None)
            self.raised = replace(raised, alarm=alarm, closed=closed)
            self._date()

    def outcome(self, decks: int) -> Outcome:
        """Make the analyses that are due, and say what is known of the shuffle after the `decks` that were read."""
        verdict = self.trial.verdict()
        self.look(decks)
        return "fail" if self.raised.alarm else verdict.outcome

    @property
    def p_value(self) -> float:
        """The p-value of the whole watch; once the alarm is raised, that of the alarm."""
        return self.raised.alarm.p_value if self.raised.alarm else self._own_p_value

    @property
    def _own_p_value(self) -> float:
        return min(1.0, self.trial.p_value / OF_ALL, self.windows.standing.p_value / (1 - OF_ALL))

    @property
    def spent(self) -> float:
        """The part of the level that is spent."""
        return self.trial.spent + self.windows.level * self.windows.spent

    # --- what is wrong

    def findings(self) -> tuple[Finding, ...]:
        """Return what is wrong: by what raised the alarm, the trial or a window; empty without an alarm."""
        alarm, found = self.raised.alarm, self.windows.standing.found
        if not alarm:
            return ()
        if not found or not alarm.in_window:
            return self.trial.verdict().findings
        weighed = self.windows.weighed()
        if found.by_bets:
            battery = self.windows.battery
            tally = records.unpacked_tally(battery, found.data)
            _, at = wealth(battery, tally) or (0.0, 0)
            return (won(battery, tally, at, self.windows.standing.p_value),)
        faults = [each for each in weighed if each.adjusted / found.share <= self.windows.level] or list(weighed[:1])
        return tuple(Finding(each.evidence.p_value, each) for each in plainest_first(faults))

    # --- since when

    def _date(self) -> None:
        """Find the deck with which the fault began."""
        alarm = self.raised.alarm
        for found in self.findings():
            onset = self._onset_of(found.weighed) if found.weighed else None
            # A change after the alarm is another one: the fault went away, say.
            if onset and alarm and onset.deck <= alarm.decks:
                self.raised = replace(self.raised, onset=replace(onset, high=min(onset.high, alarm.decks)))
                return

    def _onset_of(self, weighed: Weighed) -> Onset | None:
        """Return when the counts changed that show a fault; None if they are not kept."""
        battery, alarm = self.windows.battery, self.raised.alarm
        members = [(each.statistic.name, each.lag) for each in battery.members]
        if (weighed.evidence.statistic, weighed.lag) not in members:
            return None
        at = members.index((weighed.evidence.statistic, weighed.lag))
        if isinstance(battery.members[at].statistic, Repeats):
            return None  # fingerprints are no counts: they do not add up to a share before and one after
        kept: list[Segment] = []
        counts = []
        for segment, tally in self.windows.parts():
            kept.append(segment)
            counts.append(tally.counts[at])
        change = change_point(counts) if counts else None  # none, before the first block is complete
        if change is None or (not change.at and alarm and alarm.first):
            return None  # a window showed it, but too few decks of it to see when it began
        starts = [segment.first for segment in kept]
        seen = kept[-1].first + kept[-1].decks
        return Onset(
            deck=starts[change.at] + 1,
            low=starts[change.low] + 1,
            high=starts[change.high] if change.high < len(kept) else seen,
            began=kept[change.low].began,
            until=kept[change.high].began if change.high < len(kept) else "",
            statistic=weighed.name if change.at else "",
        )
