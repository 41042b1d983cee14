"""A line of progress on standard error, for a person who waits; silent where nobody looks."""

import sys
import time

WIDTH = 24
EVERY = 0.1
GUESS_AFTER = 3.0  # seconds: starting up says nothing of what is to come


class Progress:
    """One line that is written over until `done`."""

    def __init__(self) -> None:
        """Begin the clock."""
        self.shown = sys.stderr is not None and sys.stderr.isatty()
        self._began = time.monotonic()
        self._told = 0.0

    @property
    def seconds(self) -> float:
        """The time since it began."""
        return time.monotonic() - self._began

    def tell(self, done: int, of: int, what: str, so_far: str = "") -> None:
        """Show how far it is, and what is known so far; at most ten times a second."""
        now = time.monotonic()
        if not self.shown or (now - self._told < EVERY and done < of):
            return
        self._told = now
        full = WIDTH * done // of
        left = f"{(of - done) / done * self.seconds:,.0f} s left" if done and self.seconds > GUESS_AFTER else ""
        line = f"{done:,} of {of:,} {what} [{'#' * full}{'.' * (WIDTH - full)}] {left}  {so_far}"
        sys.stderr.write(f"\r{line:<79.79}")
        sys.stderr.flush()

    def say(self, what: str) -> None:
        """Show a line until the next one."""
        if self.shown:
            sys.stderr.write(f"\r{what:<79.79}")
            sys.stderr.flush()

    def done(self) -> None:
        """Clear the line."""
        if self.shown:
            sys.stderr.write(f"\r{'':79}\r")
            sys.stderr.flush()
