"""The checks that every exact law makes on entry: deck sizes, kinds of cards and chances in range."""

from collections.abc import Sequence
from fractions import Fraction

from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole

MOST_CARDS = 1_000
MOST_RIFFLES = 1_000
MOST_ENUMERATED = 9  # cards for which a law goes through all n! orders


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
