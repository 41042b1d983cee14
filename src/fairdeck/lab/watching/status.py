"""Where a watch of live logs stands: its records, what they say, and the same as text for a metrics collector."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from fairdeck import document as doc
from fairdeck.lab.causes import Cause
from fairdeck.lab.judging.report import MOST_FINDINGS
from fairdeck.lab.judging.report_document import told_causes
from fairdeck.lab.judging.sentences import finding, odds, p_value_text
from fairdeck.lab.judging.verdict import Finding, Outcome


@dataclass(frozen=True)
class Alarm:
    """When a fault was found."""

    decks: int  # the decks read until then
    time: str  # when, as ISO 8601 text
    p_value: float  # of the whole run, at that moment
    first: int  # the decks before those that showed it
    shown_by: int  # how many decks showed it
    in_window: bool  # whether a window showed it, and not all decks together


@dataclass(frozen=True)
class Onset:
    """From which deck on it went wrong."""

    deck: int  # the likeliest first wrong deck, counted from 1; 1 where no change is seen
    low: int  # the earliest that is likely; with `high` an interval that holds the first wrong deck in 95 of 100 cases
    high: int  # the latest
    began: str  # when the decks from `low` on were read
    until: str  # when those from `high` on were read; empty if the latest is meant
    statistic: str  # what changed; empty if no change is seen


@dataclass(frozen=True)
class LogStatus:
    """What is known of one log: its name, the decks and the bad lines in it, and how often the rest of it was lost.

    `read_as` tells where in its lines the decks are; empty if each line is one.
    """

    name: str
    decks: int
    bad: int
    latest_bad: str
    lost: int
    read_as: str = ""


@dataclass(frozen=True)
class Status:
    """Where a watch stands."""

    store: str  # the path of the store
    run: int  # the number of the run in it; 0 before the first deck
    begun: str  # when it was registered
    time: str  # now
    latest: str  # when the latest deck was read; empty before the first
    cards: int  # of a deck; 0 before the first
    decks: int  # read
    outcome: Outcome  # ``fail``; ``pass``: no fault in enough decks; ``insufficient``: neither
    p_value: float  # of everything since the beginning
    alpha: float  # the level of the whole watch, however long it lasts
    spent: float  # the part of the level that is spent
    logs: tuple[LogStatus, ...]  # every log
    alarm: Alarm | None = None  # when a fault was found; None if none was
    onset: Onset | None = None  # from which deck on it went wrong; None if that is not known (yet)
    findings: tuple[Finding, ...] = ()  # what is wrong, the plainest first
    labels: Sequence[str] = ()  # the names of the cards; empty if they are numbers
    conditions: Sequence[str] = ()  # when the verdict holds, if not all of each deck is seen
    causes: tuple[Cause, ...] = ()  # what could have made the decks since then, if that was looked for
    about_causes: str = ""  # their heading, or why there are none


# --- in words


def document(status: Status) -> doc.Document:
    """Return where the watch stands, the headline first."""
    return doc.Document(
        headline(status),
        [
            doc.Note(f"As of {time_text(status.time)}."),
            doc.Facts(list(_facts(status))),
            *_alarm(status),
            doc.Heading("The logs"),
            *_logs(status),
            doc.Heading("What this means"),
            doc.Note(
                f"The level {status.alpha:g} is the largest chance that a fair shuffle ever raises an alarm here, "
                "however long it is watched, in however many logs, and however often the watch is restarted. No fault "
                "seen is not a proof: smaller faults may be there.",
                small=False,
            ),
        ],
        outcome=status.outcome,
    )


def headline(status: Status) -> str:
    """Return what a reader should know who reads no further."""
    if status.alarm:
        return f"Not fair: {_plainest(status)}."
    if not status.decks:
        return "No deck has been read yet: the first two lines of a log show how it is written."
    what = "No fault" if status.outcome == "pass" else "Too few decks to tell; no fault"
    return f"{what} in {status.decks:,} decks of {status.cards} cards."


def onset(status: Status) -> str:
    """Return from which deck on it went wrong."""
    began = status.onset
    if began is None:
        first = status.alarm.first if status.alarm else 0
        where = f"after deck {first:,}, or before it unseen" if first else "at any deck from the first on"
        return f"{where}: not dated yet, more decks will tell"
    if not began.statistic:
        return f"perhaps with the first deck: no change is seen in {began.high:,} decks"
    until = f"from {time_text(began.began)} to {time_text(began.until)}"
    read = until if began.until else f"since {time_text(began.began)}"
    where = f"95 % interval {began.low:,} to {began.high:,}, read {read}"
    return f"with about deck {began.deck:,}: {where} ({began.statistic})"


def lost_lines(lost: int) -> str:
    """Return that the rest of old files was lost so many times."""
    times = "once" if lost == 1 else f"{lost:,} times"
    return f"{times} the rest of an old file was gone before it was read: decks may be missing"


def time_text(time: str) -> str:
    """Return a time as people write it.

    >>> time_text("2026-11-23T18:11:22+00:00")
    '2026-11-23 18:11 UTC'
    """
    return f"{time[:16].replace('T', ' ')} UTC" if time else ""


def _plainest(status: Status) -> str:
    return finding(status.findings[0], status.labels) if status.findings else "see the earlier reports"


def _facts(status: Status) -> Iterator[doc.Fact]:
    yield doc.Fact(
        "verdict", status.outcome.upper(), f", {p_value_text(status.p_value)}, level {status.alpha:g} for ever"
    )
    cards = f" of {status.cards:,} cards" if status.cards else ""
    spent = f"{status.spent / status.alpha:.1%} of the level spent"
    yield doc.Fact("counted", f"{status.decks:,} decks", f"{cards}, {spent}; run {status.run} of {status.store}")
    if status.latest:
        yield doc.Fact("latest deck", time_text(status.latest))
    if status.begun:
        yield doc.Fact("since", time_text(status.begun))
    for condition in status.conditions:
        yield doc.Fact("note", condition)


def _alarm(status: Status) -> Iterator[doc.Element]:
    alarm = status.alarm
    if alarm is None:
        return
    yield from told_causes(status.about_causes, status.causes)
    yield doc.Heading("What is wrong")
    yield doc.Items([doc.Item(finding(each, status.labels)) for each in status.findings[:MOST_FINDINGS]])
    where = "in all decks until then" if not alarm.first else f"in the {alarm.shown_by:,} decks after {alarm.first:,}"
    odd = odds(alarm.p_value, "fair logs")
    yield doc.Sentence(f"Found after {alarm.decks:,} decks, {time_text(alarm.time)}, {where}: {odd}.")
    yield doc.Heading("Since when")
    yield doc.Sentence(f"It began {onset(status)}.")
    if status.onset and status.onset.statistic:
        low, high = status.onset.low, status.onset.high
        yield doc.Chart(
            "When it began",
            doc.Timeline(status.decks, low, high, alarm.decks),
            f"{status.decks:,} decks; the fault began between deck {low:,} and deck {high:,}, and was found after "
            f"{alarm.decks:,}",
        )


def _logs(status: Status) -> Iterator[doc.Element]:
    yield doc.Table(
        {"log": False, "decks": True, "bad lines": True},
        [(log.name, f"{log.decks:,}", f"{log.bad:,}") for log in status.logs],
        notes={at: list(_faults(log)) for at, log in enumerate(status.logs)},
    )


def _faults(log: LogStatus) -> Iterator[str]:
    if log.bad:
        yield f"The latest bad line: {log.latest_bad}"
    if log.lost:
        yield lost_lines(log.lost)


# --- for a metrics collector

LOG_METRICS: tuple[tuple[str, str, Callable[[LogStatus], int]], ...] = (
    ("decks_total", "decks of a log", lambda log: log.decks),
    ("bad_lines_total", "lines of a log that are not decks", lambda log: log.bad),
    ("lost_total", "times that the rest of an old file of a log was gone before it was read", lambda log: log.lost),
)


def metrics(status: Status) -> str:
    """Return the status in the text format of Prometheus."""
    numbers = {
        "decks_total": ("counter", "decks that were read", status.decks),
        "p_value": ("gauge", "p-value of everything since the beginning", status.p_value),
        "level": ("gauge", "largest chance of a false alarm in the life of the watch", status.alpha),
        "level_spent": ("gauge", "part of the level that is spent", status.spent),
        "unfair": ("gauge", "1 if a fault was found", int(status.outcome == "fail")),
        "judged": ("gauge", "1 if there are enough decks for a verdict", int(status.outcome != "insufficient")),
        "last_deck_seconds": ("gauge", "when the latest deck was read, as Unix time", _seconds(status.latest)),
        "status_seconds": ("gauge", "when this was written, as Unix time", _seconds(status.time)),
    }
    if status.onset:
        numbers["onset_deck"] = ("gauge", "likeliest first wrong deck", status.onset.deck)
    lines = [
        line
        for name, (kind, about, value) in numbers.items()
        for line in (*_about(f"fairdeck_{name}", kind, about), f"fairdeck_{name} {value!r}")
    ]
    for name, about, of in LOG_METRICS:
        lines += _about(f"fairdeck_log_{name}", "counter", about)
        lines += [f'fairdeck_log_{name}{{log="{_label(log.name)}"}} {of(log)}' for log in status.logs]
    return "\n".join(lines) + "\n"


def _about(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP {name} {about}", f"# TYPE {name} {kind}"


def _label(name: str) -> str:
    return name.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _seconds(time: str) -> float:
    return datetime.fromisoformat(time).timestamp() if time else 0.0
