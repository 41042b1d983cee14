"""Where the watch of live logs stands, as text for a metrics collector."""

from collections.abc import Callable
from datetime import datetime

from fairdeck.lab.watching.status import LogStatus, Status

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
