"""Reading numbers that people type: whole numbers in digits, decimals, and fractions."""

import re

from fairdeck.errors import FairdeckError

NUMBER = re.compile(
    r"(?P<number>[0-9]{1,18}(\.[0-9]{0,30})?|\.[0-9]{1,30})|(?P<above>[0-9]{1,18})/(?P<below>[0-9]{1,18})"
)


def whole_number(text: str, what: str, least: int, most: int) -> int:
    """Return `text` as an integer from `least` (0 or more) to `most`; 1e3, 12.7 and +5 are refused.

    Raises:
        FairdeckError: the text is something else; the message begins with `what`.

    >>> whole_number("52", "cards", 1, 100)
    52
    """
    digits = text.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise FairdeckError(f"{what}: {_short(text)!r} is not a whole number; write {least} to {most} in digits")
    # Only a number with few digits is converted: a million digits would take minutes.
    few = digits.lstrip("0") or "0"
    if len(few) > len(str(most)) or digits != text.strip() or not least <= int(few) <= most:
        raise FairdeckError(f"{what}: {_short(text.strip())} is out of range; write {least} to {most}")
    return int(few)


def decimal_number(text: str, what: str, least: float, most: float) -> float:
    """Return `text`, such as 0.6, .6, 5 or 1/3, as a number from `least` (0 or more) to `most`; 6e-1 is refused.

    Raises:
        FairdeckError: the text is something else; the message begins with `what`.

    >>> decimal_number("1/4", "cut", 0, 1)
    0.25
    """
    positive = text.strip().removeprefix("-")
    match = NUMBER.fullmatch(positive)
    if not match or (match["below"] and not int(match["below"])):
        raise FairdeckError(
            f"{what}: {_short(text.strip())!r} is not a number; write {least:g} to {most:g}, such as 0.6 or 1/3"
        )
    number = float(match["number"]) if match["number"] else int(match["above"]) / int(match["below"])
    if positive != text.strip() or not least <= number <= most:
        raise FairdeckError(f"{what}: {_short(text.strip())} is out of range; write {least:g} to {most:g}")
    return number


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
