"""Where a watch stands: records that `status_document` puts into words."""

from collections.abc import Sequence
from dataclasses import dataclass

from fairdeck.lab.judging.verdict import Finding, Outcome


@dataclass(frozen=True)
class Alarm:
    """When a fault was found.

    Attributes:
        decks: the decks read until then.
        time: when, as ISO 8601 text.
        p_value: of the whole run, at that moment.
        first: the decks before those that showed it.
        shown_by: how many decks showed it.
        in_window: whether a window showed it, and not all decks together.
    """

    decks: int
    time: str
    p_value: float
    first: int
    shown_by: int
    in_window: bool


@dataclass(frozen=True)
class Onset:
    """From which deck on it went wrong.

    Attributes:
        deck: the likeliest first wrong deck, counted from 1; 1 where no change is seen.
        low: the earliest that is likely; with `high` an interval that holds the first wrong deck in 95 of 100 cases.
        high: the latest.
        began: when the decks from `low` on were read.
        until: when those from `high` on were read; empty if the latest is meant.
        statistic: what changed; empty if no change is seen.
    """

    deck: int
    low: int
    high: int
    began: str
    until: str
    statistic: str


@dataclass(frozen=True)
class LogStatus:
    """What is known of one log: its name, the decks and the bad lines in it, and how often the rest of it was lost."""

    name: str
    decks: int
    bad: int
    latest_bad: str
    lost: int


@dataclass(frozen=True)
class Status:
    """Where a watch stands.

    Attributes:
        store: the path of the store.
        run: the number of the run in it; 0 before the first deck.
        begun: when it was registered.
        time: now.
        latest: when the latest deck was read; empty before the first.
        cards: of a deck; 0 before the first.
        decks: read.
        outcome: ``fail``; ``pass``: no fault in enough decks; ``insufficient``: neither.
        p_value: of everything since the beginning.
        alpha: the level of the whole watch, however long it lasts.
        spent: the part of the level that is spent.
        logs: every log.
        alarm: when a fault was found; None if none was.
        onset: from which deck on it went wrong; None if that is not known (yet).
        findings: what is wrong, the plainest first.
        labels: the names of the cards; empty if they are numbers.
    """

    store: str
    run: int
    begun: str
    time: str
    latest: str
    cards: int
    decks: int
    outcome: Outcome
    p_value: float
    alpha: float
    spent: float
    logs: tuple[LogStatus, ...]
    alarm: Alarm | None = None
    onset: Onset | None = None
    findings: tuple[Finding, ...] = ()
    labels: Sequence[str] = ()
