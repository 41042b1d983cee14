"""Reading what people type: whole numbers, in digits and nothing else."""

from fairdeck.errors import FairdeckError


def whole_number(text: str, what: str, least: int, most: int) -> int:
    """Return `text` as an integer from `least` to `most`; neither 1e3 nor 12.7 nor +5 is one.

    Raises:
        FairdeckError: it is something else; the message begins with `what`.

    >>> whole_number("52", "cards", 1, 100)
    52
    """
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()):
        raise FairdeckError(f"{what}: {_short(text)!r} is not a whole number; write {least} to {most} in digits")
    # Only a number with few enough digits is converted: a million of them would take minutes.
    if len(digits.lstrip("0")) > len(str(most)) or not least <= int(digits) <= most:
        raise FairdeckError(f"{what}: {_short(digits)} is out of range; write {least} to {most}")
    return int(digits)


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
