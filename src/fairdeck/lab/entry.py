"""Checks of what callers of the lab ask for."""

import os
from math import isfinite
from numbers import Integral, Real

from fairdeck.errors import FairdeckError
from fairdeck.shuffles import limits

LEAST_ALPHA = 1e-30  # no test has enough decks for a smaller p-value
MOST_DIGITS = 32  # of a seed, in hexadecimal


def whole(what: str, value: int, least: int, most: int | None = None) -> int:
    """Return `value` as an int if it is a whole number from `least` to `most`, NumPy's integers included.

    The message of an error begins with `what`, here and below.
    """
    plain = isinstance(value, Integral) and not isinstance(value, bool)
    return limits.whole(what, int(value) if plain else value, least, most)


def chance(what: str, value: float, least: float = 0.0, example: str = "0.99") -> float:
    """Return `value` as a float if it is a chance: above 0, `least` or more, and below 1.

    >>> chance("level", 0.99)
    0.99
    """
    number = _real(value)
    if number is None or not (0 < number < 1 and number >= least):
        wanted = f"from {least:g} to below 1" if least else "above 0 and below 1"
        raise FairdeckError(f"{what}: {value!r} is not a probability; give a number {wanted}, such as {example}")
    return number


def alpha(value: float) -> float:
    """Return the level of a verdict."""
    return chance("alpha", value, LEAST_ALPHA, "1e-6")


def seconds(what: str, value: float) -> float:
    """Return `value` as a float if it is a finite time above 0."""
    number = _real(value)
    if number is None or number <= 0:
        raise FairdeckError(f"{what}: {value!r} is not a time; give seconds above 0, such as 10")
    return number


def seed(value: object) -> int:
    """Return a seed as an integer; a new one from the operating system if `value` is None.

    Args:
        value: an integer, hexadecimal digits as reports show them, or a NumPy ``Generator`` that draws the seed.

    >>> seed("c0ffee"), seed(12)
    (12648430, 12)
    """
    if value is None:
        return int.from_bytes(os.urandom(8), "big")
    if isinstance(value, str):
        digits = value.lower().removeprefix("0x")
        if not digits or len(digits) > MOST_DIGITS or any(digit not in "0123456789abcdef" for digit in digits):
            raise FairdeckError(f"seed {value!r} is not hexadecimal: use up to 32 of 0-9 and a-f, such as c0ffee")
        return int(digits, 16)
    if type(value).__module__.startswith("numpy.random") and hasattr(value, "integers"):
        return int(value.integers(2**63))
    if isinstance(value, Integral) and not isinstance(value, bool):
        return whole("seed", int(value), 0, 16**MOST_DIGITS - 1)
    raise FairdeckError(f"seed: {value!r} is not a seed; give an integer, hexadecimal digits or a NumPy Generator")


def _real(value: object) -> float | None:
    """Return a finite real number as a float; None for anything else, True and False included."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    number = float(value)
    return number if isfinite(number) else None
