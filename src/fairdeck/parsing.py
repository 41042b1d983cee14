"""Reading what people type: whole numbers in digits, decimals, fractions; and names, with the nearest known one."""

import re
from collections.abc import Iterable

from fairdeck.errors import FairdeckError

NUMBER = re.compile(
    r"(?P<number>[0-9]{1,18}(\.[0-9]{0,30})?|\.[0-9]{1,30})|(?P<above>[0-9]{1,18})/(?P<below>[0-9]{1,18})"
)

# What a browser takes for blanks: not what Python does, which counts separators of old files and leaves out U+FEFF.
BLANKS = re.compile("[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")


def without_blanks(text: str) -> str:
    r"""Return a text without its blanks, as the pages leave them out.

    >>> without_blanks("f1.52\n .5x2")
    'f1.52.5x2'
    """
    return BLANKS.sub("", text)


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


def nearest(word: str, known: Iterable[str]) -> str:
    """Return "did you mean", with the `known` word nearest to `word`; or nothing if none is near.

    >>> nearest("dael", ["check", "deal"]), nearest("xyz", ["check", "deal"])
    ("; did you mean 'deal'?", '')
    """
    from difflib import get_close_matches  # slow to import, and needed for errors only

    spelt = {each.lower(): each for each in known}
    close = get_close_matches(word.strip().lower(), spelt, 1)
    return f"; did you mean {spelt[close[0]]!r}?" if close else ""


def nearest_or_all(word: str, known: Iterable[str]) -> str:
    """Return "did you mean" with the nearest of the `known` words; if none is near, all of them.

    >>> nearest_or_all("xyz", ["check", "deal"])
    '; choose one of check, deal'
    """
    words = list(known)
    return nearest(word, words) or f"; choose one of {', '.join(words)}"


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
