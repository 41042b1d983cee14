"""The checks that every exact law makes on entry: deck sizes, whole numbers and chances in range."""

from collections.abc import Sequence
from fractions import Fraction

from fairdeck.errors import FairdeckError

MOST_CARDS = 1_000
MOST_RIFFLES = 1_000
MOST_ENUMERATED = 9  # cards for which a law goes through all n! orders


def whole(what: str, value: int, least: int, most: int | None = None) -> int:
    """Return `value` if it is a whole number from `least` to `most`; error messages begin with `what`.

    >>> whole("cards", 52, 1, 1_000)
    52
    """
    wanted = f"{least} or more" if most is None else f"{least} to {_short(most)}"
    if not isinstance(value, int) or isinstance(value, bool):
        raise FairdeckError(f"{what}: {value!r} is not a whole number; ask for {wanted}")
    if value < least or (most is not None and value > most):
        raise FairdeckError(f"{what}: {_short(value)} is out of range; ask for {wanted}")
    return value


def _short(number: int) -> str:
    """Return a number as people read it: a long power of two as a power."""
    if abs(number) < 10**20:
        return str(number)
    exponent = number.bit_length() - 1
    return f"2^{exponent}" if number == 2**exponent else "a number of more than twenty digits"


def cards(n: int, most: int = MOST_CARDS) -> int:
    """Return `n` if it is a deck size from 1 to `most`."""
    return whole("cards", n, 1, most)


def chance(what: str, p: Fraction | float) -> Fraction:
    """Return `p` as an exact fraction if it lies strictly between 0 and 1; error messages begin with `what`.

    A float stands for the shortest decimal that prints it: 0.6 is 3/5.

    >>> chance("the cut", 0.6)
    Fraction(3, 5)
    """
    if not 0 < p < 1:
        raise FairdeckError(f"{what}: {p} is out of range; give a probability above 0 and below 1")
    return p if isinstance(p, Fraction) else Fraction(repr(float(p)))


def kinds(counts: Sequence[int], most: int = MOST_CARDS) -> int:
    """Return the size of a deck if each kind has one card or more, and the deck at most `most`.

    >>> kinds((4, 4, 16))
    24
    """
    if not counts:
        raise FairdeckError("no kind of card is given; give the number of cards of each kind, as in (26, 26)")
    for count in counts:
        whole("cards of a kind", count, 1, most)
    return cards(sum(counts), most)
