"""Times in UTC, to the minute, as an agreement holds them: ``2026-12-01T18:00Z``. Numbers are seconds since 1970."""

import re
from datetime import UTC, datetime

from fairdeck.errors import FairdeckError

WRITTEN = re.compile(r"2\d{3}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\dZ", re.ASCII)
LAST = 32_503_680_000  # the year 3000, after which no time can be written


def seconds_of(text: str, what: str) -> int:
    """Return a written time as seconds since 1970.

    Raises:
        FairdeckError: it is not a time, or not written so; the message begins with `what`.

    >>> seconds_of("2023-08-23T15:09Z", "deadline")
    1692803340
    """
    if WRITTEN.fullmatch(text):
        try:
            return int(datetime.fromisoformat(text).timestamp())
        except ValueError:
            pass
    raise FairdeckError(f"{what}: {text[:40]!r} is not a time; write it in UTC as 2026-12-01T18:00Z")


def written(seconds: float) -> str:
    """Return a time as text, to the minute that has begun."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%MZ}"
