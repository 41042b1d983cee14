"""Public beacons: values that are published at stated times, and that nobody knows before.

A beacon is a file in this folder with a tuple ``BEACONS``; the rest finds it. Each of them answers the questions of
`PublicBeacon`. The value of a beacon that was agreed on enters the seed. So nobody can work out the order before the
beacon publishes the value, not even the last one who shows a secret.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol

from fairdeck.errors import FairdeckError, nearest
from fairdeck.numbers import whole
from fairdeck.trust.agreement import Agreement, Beacon
from fairdeck.trust.times import LAST, seconds_of, written

MARGIN = 600  # seconds after the deadline before which no round may come: the secrets are shown in this time


class PublicBeacon(Protocol):
    """What the rest asks of a beacon."""

    @property
    def name(self) -> str:
        """A short name, such as ``quicknet``."""
        ...

    @property
    def chain(self) -> bytes:
        """32 bytes that name this beacon and no other; an agreement holds them."""
        ...

    def time(self, round: int) -> int:  # noqa: A002
        """Return when a round is published, in seconds since 1970."""
        ...

    def first_round(self, seconds: int) -> int:
        """Return the first round that is published at this time or later."""
        ...

    def source(self, round: int) -> str:  # noqa: A002
        """Return where a round is published."""
        ...

    def read(self, content: bytes, round: int) -> bytes:  # noqa: A002
        """Return the value that a file from the beacon holds, unchecked."""
        ...

    def randomness(self, round: int, value: bytes) -> bytes:  # noqa: A002
        """Return the 32 bytes that enter the seed, after checking that the beacon published this value in this round.

        Raises:
            FairdeckError: it did not; the message says why.
            MissingTool: a package that the check needs is missing.
        """
        ...


@cache
def known() -> dict[str, PublicBeacon]:
    """Return all beacons by name."""
    return {each.name: each for each in _found()}


def _found() -> Iterator[PublicBeacon]:
    for file in iter_modules(__path__, f"{__name__}."):
        yield from import_module(file.name).BEACONS


def beacon_of(agreed: Beacon) -> PublicBeacon:
    """Return the beacon that was agreed on.

    Raises:
        FairdeckError: it is not known here, or the round comes after the last time that can be written.
    """
    for each in known().values():
        if each.chain == agreed.chain:
            whole(f"round of {each.name}", agreed.round, 1, each.first_round(LAST) - 1)
            return each
    raise FairdeckError(f"the beacon with chain hash {agreed.chain.hex()} is not known here, so it cannot be checked")


def parse_beacon(text: str) -> Beacon:
    """Read a beacon as people type it: ``quicknet:ROUND``, or ``quicknet@2026-12-01T20:00Z``.

    Raises:
        FairdeckError: it is something else.
    """
    name, mark, value = text.partition("@" if "@" in text else ":")
    if not mark or name not in known():
        names = ", ".join(known())
        raise FairdeckError(
            f"beacon {text[:40]!r}: write NAME:ROUND or NAME@TIME, such as quicknet@2026-12-01T20:00Z (known: {names})"
            f"{nearest(name[:40], known())}"
        )
    beacon = known()[name]
    if mark == "@":
        number = beacon.first_round(seconds_of(value, f"beacon {name}"))
    else:
        number = whole(f"round of {name}", value, 1, beacon.first_round(LAST) - 1)
    return Beacon(beacon.chain, number)


def demand_later(agreement: Agreement) -> None:
    """Raise a FairdeckError if the round of an agreement's beacon comes before the secrets can be shown."""
    if agreement.beacon is None:
        return
    if not agreement.deadline:
        raise FairdeckError("a beacon needs a deadline: its round must come later")
    beacon, number = beacon_of(agreement.beacon), agreement.beacon.round
    least = seconds_of(agreement.deadline, "deadline") + MARGIN
    if beacon.time(number) <= least:
        raise FairdeckError(
            f"round {number} of {beacon.name} comes at {written(beacon.time(number))}, and must come later than "
            f"{written(least)}, {MARGIN // 60} minutes after the deadline: take round {beacon.first_round(least + 1)} "
            "or a later one"
        )
