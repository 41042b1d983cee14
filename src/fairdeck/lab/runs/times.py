"""Times, as a store has them."""

from datetime import UTC, datetime


def now() -> str:
    """Return the time: ISO 8601 text, to the second, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
