"""What may be asked of the lab: the checks that its doors make on entry."""

from math import isfinite
from numbers import Integral, Real

from fairdeck.errors import FairdeckError
from fairdeck.mixing import limits

LEAST_ALPHA = 1e-30  # below it a p-value is hardly a figure, and no test has the decks to reach it


def whole(what: str, value: int, least: int, most: int | None = None) -> int:
    """Return `value` as an int if it is a whole number from `least` to `most`, of NumPy's kinds as well.

    Raises:
        FairdeckError: it is not; the message begins with `what`.
    """
    plain = isinstance(value, Integral) and not isinstance(value, bool)
    return limits.whole(what, int(value) if plain else value, least, most)


def chance(what: str, value: float, least: float = 0.0, example: str = "0.99") -> float:
    """Return `value` as a float if it is a chance: above 0, `least` or more, and below 1.

    Raises:
        FairdeckError: it is not, or is no number; the message begins with `what`.

    >>> chance("level", 0.99)
    0.99
    """
    number = _real(value)
    if number is None or not (0 < number < 1 and number >= least):
        wanted = f"from {least:g} to below 1" if least else "above 0 and below 1"
        raise FairdeckError(f"{what}: {value!r} is no chance; give a number {wanted}, such as {example}")
    return number


def alpha(value: float) -> float:
    """Return the level that a verdict is held to.

    Raises:
        FairdeckError: nothing could fail, or nothing pass, at such a level, or it is no number.
    """
    return chance("alpha", value, LEAST_ALPHA, "1e-6")


def seconds(what: str, value: float) -> float:
    """Return `value` as a float if it is a finite time above 0.

    Raises:
        FairdeckError: it is not; the message begins with `what`.
    """
    number = _real(value)
    if number is None or number <= 0:
        raise FairdeckError(f"{what}: {value!r} is no time; give seconds above 0, such as 10")
    return number


def _real(value: object) -> float | None:
    """Return a real number as a float, or None if it is none, or not finite; True is no number here."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    number = float(value)
    return number if isfinite(number) else None
