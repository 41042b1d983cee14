"""Reading every number that people type or programs give: whole numbers, decimals, fractions, probabilities, seconds.

Whatever a number is for, it is refused here with the place, the value and the remedy, as a `FairdeckError`. True and
False are no numbers; a float is no whole number, even 5.0. NumPy's numbers are read like Python's.
"""

import re
import reprlib
from math import isfinite
from numbers import Real
from operator import index

from fairdeck.errors import FairdeckError

DECIMAL = re.compile(
    r"(?P<number>[0-9]{1,18}(\.[0-9]{0,30})?|\.[0-9]{1,30})|(?P<above>[0-9]{1,18})/(?P<below>[0-9]{1,18})"
)
# What a browser takes for blanks: not what Python does, which counts separators of old files and leaves out U+FEFF.
BLANKS = re.compile("[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")
LONGEST = 60  # characters of a value that an error quotes
MOST_BITS = 10_000  # of a number that is written
MOST_TYPED = 10**40  # far above every limit: 2^128 is a seed
LEAST_ALPHA = 1e-30  # no test has enough decks for a smaller p-value


class _Quoted(reprlib.Repr):
    def repr_int(self, value: int, level: int) -> str:
        return super().repr_int(value, level) if is_short(value) else "one of thousands of digits"


_quoted = _Quoted()
_quoted.maxstring = _quoted.maxother = LONGEST


def shortened(value: object) -> str:
    """Return a value as an error quotes it, on one line: what others send may be long, and may have several."""
    return " ".join(_quoted.repr(value).split("\n"))


def is_short(number: int) -> bool:
    """Tell whether Python writes a number in digits: thousands of them it refuses to write."""
    return number.bit_length() < MOST_BITS


def integer(value: object) -> int | None:
    """Return a whole number of Python or NumPy as Python's; None for anything else, True and False included."""
    if type(value) is int:
        return value
    try:
        return None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except Exception:  # an array of several numbers, say; or whatever the code of others raises
        return None


def whole(what: str, value: object, least: int, most: int | None = None) -> int:
    """Return `value`, a whole number or its digits, as an integer from `least` to `most`; 5.0, "1e3" and "+5" are none.

    Raises:
        FairdeckError: the value is something else; the message begins with `what`, here and below.

    >>> whole("cards", 52, 1, 1_000), whole("cards", "52", 1, 1_000)
    (52, 52)
    """
    wanted = f"write {least} or more" if most is None else f"write {least} to {_digits(most)}"
    number = _from_digits(value) if isinstance(value, str) else integer(value)
    if number is None:
        raise FairdeckError(f"{what}: {shortened(value)} is not a whole number; {wanted}")
    if most is None and isinstance(value, str):
        most = MOST_TYPED
    if number < least or (most is not None and number > most):
        raise FairdeckError(f"{what}: {_digits(number)} is out of range; {wanted}")
    return number


def _from_digits(text: str) -> int | None:
    """Return the number that somebody typed in digits, `MOST_TYPED` + 1 for all that are larger; None if it is none."""
    digits = text.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return None
    few = digits.lstrip("0") or "0"  # only a number with few digits is converted: a million digits would take minutes
    number = int(few) if len(few) <= len(str(MOST_TYPED)) else MOST_TYPED + 1
    return number if digits == text.strip() else -number


def decimal_number(text: str, what: str, least: float, most: float) -> float:
    """Return `text`, such as 0.6, .6, 5 or 1/3, as a number from `least` (0 or more) to `most`; 6e-1 is refused.

    >>> decimal_number("1/4", "cut", 0, 1)
    0.25
    """
    positive = text.strip().removeprefix("-")
    match = DECIMAL.fullmatch(positive)
    if not match or (match["below"] and not int(match["below"])):
        raise FairdeckError(
            f"{what}: {shortened(text.strip())} is not a number; write {least:g} to {most:g}, such as 0.6 or 1/3"
        )
    number = float(match["number"]) if match["number"] else int(match["above"]) / int(match["below"])
    if positive != text.strip() or not least <= number <= most:
        raise FairdeckError(f"{what}: {text.strip()} is out of range; write {least:g} to {most:g}")
    return number


def probability(what: str, value: object, least: float = 0.0, example: str = "0.99") -> float:
    """Return `value` as a float if it is a probability: above 0, `least` or more, and below 1.

    >>> probability("level", 0.99)
    0.99
    """
    number = real(value)
    if number is None or not (0 < number < 1 and number >= least):
        wanted = f"from {least:g} to below 1" if least else "above 0 and below 1"
        raise FairdeckError(f"{what}: {shortened(value)} is not a probability; write {wanted}, such as {example}")
    return number


def alpha(value: object) -> float:
    """Return the level of a verdict."""
    return probability("alpha", value, LEAST_ALPHA, "1e-6")


def seconds(what: str, value: object, *, zero: bool = False) -> float:
    """Return `value` as a float if it is a finite time above 0, or 0 where that has a meaning."""
    number = real(value)
    if number is None or number < 0 or not (number or zero):
        wanted = "from 0 on" if zero else "above 0"
        raise FairdeckError(f"{what}: {shortened(value)} is not a time; write seconds {wanted}, such as 10")
    return number


def real(value: object) -> float | None:
    """Return a finite real number as a float; None for anything else, True and False included."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None


def _digits(number: int) -> str:
    """Return a number as people read it: of a long one what is known of it."""
    if abs(number) < 10**20:
        return str(number)
    exponent = abs(number).bit_length()
    known = {2**exponent - 1: f"2^{exponent} - 1", 2 ** (exponent - 1): f"2^{exponent - 1}"}
    return known.get(number, "a number of more than twenty digits")


def without_blanks(text: str) -> str:
    r"""Return a text without its blanks, as the pages leave them out.

    >>> without_blanks("f1.52\n .5x2")
    'f1.52.5x2'
    """
    return BLANKS.sub("", text)
