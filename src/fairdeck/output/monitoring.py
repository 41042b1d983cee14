"""Where the watch of live logs stands: as lines, as a web page, and as text for a metrics collector."""

from collections.abc import Callable, Iterator
from datetime import datetime

from fairdeck.lab.judging.sentences import digits, finding, odds
from fairdeck.lab.watching.status import LogStatus, Status
from fairdeck.output import old_charts as charts
from fairdeck.output.html import Html, html_page, joined, tag, text
from fairdeck.output.html import table as html_table

BADGES = {"fail": "Not fair", "pass": "No fault seen", "insufficient": "Too few decks to tell"}
MOST_FINDINGS = 8
LOG_METRICS: tuple[tuple[str, str, Callable[[LogStatus], int]], ...] = (
    ("decks_total", "decks of a log", lambda log: log.decks),
    ("bad_lines_total", "lines of a log that are not decks", lambda log: log.bad),
    ("lost_total", "times that the rest of an old file of a log was gone before it was read", lambda log: log.lost),
)
CODES = {"pass": 0, "insufficient": 0, "fail": 1}


def headline(status: Status) -> str:
    """Return what a reader should know who reads no further."""
    if status.alarm:
        return f"Not fair: {_plainest(status)}."
    if not status.decks:
        return "No deck has come yet."
    what = "No fault" if status.outcome == "pass" else "Too few decks to tell; no fault"
    return f"{what} in {status.decks:,} decks of {status.cards} cards."


def lines(status: Status) -> Iterator[str]:
    """Yield the lines for a terminal."""
    yield headline(status)
    if status.alarm:
        yield f"found     after {status.alarm.decks:,} decks, {_told(status.alarm.time)}"
        yield f"began     {onset(status)}"
        yield from (f"          {finding(each, status.labels)}" for each in status.findings[1:MOST_FINDINGS])
    yield f"verdict   {status.outcome.upper()}, p {digits(status.p_value)}, level {status.alpha:g} for ever"
    spent = f"{status.spent / status.alpha:.1%} of the level spent"
    yield f"counted   {status.decks:,} decks, {spent}; run {status.run} of {status.store}"
    for log in status.logs:
        yield f"log       {log.name}: {log.decks:,} decks, {_bad(log.bad)}"
        if log.bad:
            yield f"          the latest: {log.latest_bad}"
        if log.lost:
            yield f"          {lost_lines(log.lost)}"


def onset(status: Status) -> str:
    """Return from which deck on it went wrong."""
    found = status.onset
    if found is None:
        first = status.alarm.first if status.alarm else 0
        return f"after deck {first:,}, or before it unseen: not dated yet, more decks will tell"
    if not found.statistic:
        return f"perhaps with the first deck: no change is seen in {found.high:,} decks"
    read = f"from {_told(found.began)} to {_told(found.until)}" if found.until else f"since {_told(found.began)}"
    where = f"95 % interval {found.low:,} to {found.high:,}, read {read}"
    return f"with about deck {found.deck:,}: {where} ({found.statistic})"


def page(status: Status) -> str:
    """Return the status page."""
    badge = tag("p", tag("span", BADGES[status.outcome], class_=f"badge {status.outcome}"))
    parts = joined(_facts(status), _alarm(status), _logs(status), _meaning(status))
    return html_page(headline(status), joined(badge, tag("p", f"As of {_told(status.time)}.", class_="soft")), parts)


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
    told = [
        line
        for name, (kind, about, value) in numbers.items()
        for line in (*_about(f"fairdeck_{name}", kind, about), f"fairdeck_{name} {value!r}")
    ]
    for name, about, of in LOG_METRICS:
        told += _about(f"fairdeck_log_{name}", "counter", about)
        told += [f'fairdeck_log_{name}{{log="{_label(log.name)}"}} {of(log)}' for log in status.logs]
    return "\n".join(told) + "\n"


def _about(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP {name} {about}", f"# TYPE {name} {kind}"


def _label(name: str) -> str:
    return name.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _told(time: str) -> str:
    """Return a time as people write it.

    >>> _told("2026-11-23T18:11:22+00:00")
    '2026-11-23 18:11 UTC'
    """
    return f"{time[:16].replace('T', ' ')} UTC" if time else ""


def _seconds(time: str) -> float:
    return datetime.fromisoformat(time).timestamp() if time else 0.0


def _plainest(status: Status) -> str:
    return finding(status.findings[0], status.labels) if status.findings else "see the earlier reports"


def _bad(bad: int) -> str:
    return "no bad lines" if not bad else "1 bad line" if bad == 1 else f"{bad:,} bad lines"


def lost_lines(lost: int) -> str:
    """Return that the rest of old files was lost so many times."""
    times = "once" if lost == 1 else f"{lost:,} times"
    return f"{times} the rest of an old file was gone before it was read: decks may be missing"


def _facts(status: Status) -> Html:
    facts = {
        "Decks": f"{status.decks:,}",
        "Cards": f"{status.cards:,}" if status.cards else "",
        "p-value": digits(status.p_value),
        "Level": f"{status.alpha:g}",
        "Level spent": f"{status.spent / status.alpha:.1%}",
        "Bad lines": f"{sum(log.bad for log in status.logs):,}",
        "Latest deck": _told(status.latest),
        "Since": _told(status.begun),
    }
    return tag(
        "dl", (tag("div", tag("dt", name), tag("dd", fact)) for name, fact in facts.items() if fact), class_="facts"
    )


def _alarm(status: Status) -> Iterator[Html]:
    if status.alarm is None:
        return
    yield tag("h2", "What is wrong")
    yield tag("ul", (tag("li", finding(each, status.labels)) for each in status.findings[:MOST_FINDINGS]))
    alarm = status.alarm
    where = "in all decks until then" if not alarm.first else f"in the {alarm.shown_by:,} decks after {alarm.first:,}"
    yield tag(
        "p", f"Found after {alarm.decks:,} decks, {_told(alarm.time)}, {where}: {odds(alarm.p_value, 'fair logs')}."
    )
    yield tag("h2", "Since when")
    yield tag("p", f"It began {onset(status)}.")
    if status.onset and status.onset.statistic:
        found = status.onset
        says = (
            "When it began",
            f"{status.decks:,} decks; the fault began between deck {found.low:,} and deck {found.high:,}, and was "
            f"found after {alarm.decks:,}",
        )
        yield tag("figure", charts.timeline("onset", status.decks, (found.low, found.high), alarm.decks, says))


def _logs(status: Status) -> Iterator[Html]:
    yield tag("h2", "The logs")
    rows = [[text(log.name), f"{log.decks:,}", f"{log.bad:,}"] for log in status.logs]
    yield Html(html_table("The logs", {"Log": False, "Decks": True, "Bad lines": True}, rows))
    for log in status.logs:
        if log.bad:
            yield tag("p", f"The latest bad line: {log.latest_bad}")
        if log.lost:
            yield tag("p", f"{log.name}: {lost_lines(log.lost)}")


def _meaning(status: Status) -> Iterator[Html]:
    yield tag("h2", "What this means")
    yield tag(
        "p",
        f"The level {status.alpha:g} is the largest chance that a fair shuffle ever raises an alarm here, however long "
        "it is watched, in however many logs, and however often the watch is restarted. No fault seen is not a proof: "
        "smaller faults may be there.",
    )
