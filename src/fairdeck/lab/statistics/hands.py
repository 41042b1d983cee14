"""Hands: the number of cards of one part of the old deck in one part of the new deck."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from math import comb
from typing import ClassVar, NamedTuple

from fairdeck.bulk.shapes import Values, counted
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.view import View

HAND = 7
HANDS = (5, 10, 13)  # as in poker, in gin, and in bridge
MOST = 1_000


class Part(NamedTuple):
    """A part of the new deck, and one of the old: the places, and the numbers of the cards."""

    places: range
    cards: range


PartOf = Callable[[int], Part]  # of the cards of a deck


@dataclass(frozen=True, kw_only=True)
class Hand(Scalar):
    """The number of cards of one part of the old deck in one part of the new deck."""

    part: PartOf

    family: ClassVar[str] = "game"


def hypergeometric_law(n: int, sort: int, drawn: int) -> Law:
    """Return the law of how many of `sort` cards are among `drawn` of `n`.

    >>> hypergeometric_law(4, 2, 2)
    Law(low=0, weights=(1, 4, 1))
    """
    low, high = max(0, drawn - (n - sort)), min(sort, drawn)
    return Law(low, tuple(comb(sort, held) * comb(n - sort, drawn - held) for held in range(low, high + 1)))


@cache
def hand_law(part: PartOf, n: int) -> Law:
    """Return the law of how many cards of a part of the old deck come to a part of the new one."""
    places, cards = part(n)
    return hypergeometric_law(n, len(cards), len(places))


def held(part: PartOf, view: View) -> Values:
    """Return how many cards of a part of the old deck lie in a part of each deck."""
    places, cards = part(view.cards)
    columns = view.columns[places.start : places.stop]
    return counted((columns >= cards.start) & (columns < cards.stop))


def _lower_half(n: int) -> Part:
    return Part(range(n // 2), range(n // 2))


def _lands(n: int) -> range:
    return range(-(-2 * n // 5))  # rounded up: 24 of 60 are the lands of a usual deck


def _end(at_top: bool, size: int, n: int) -> range:
    return range(n - size, n) if at_top else range(size)


def _lands_at_an_end(at_top: bool, n: int) -> Part:
    return Part(_end(at_top, HAND, n), _lands(n))


def _same_end(at_top: bool, size: int, n: int) -> Part:
    return Part(_end(at_top, size, n), _end(at_top, size, n))


def _hand(name: str, sees: str, part: PartOf, few: str, many: str, least: int = 2) -> Hand:
    of, law = partial(held, part), partial(hand_law, part)
    return Hand(name, sees, _SOURCE, of=of, law=law, part=part, few=few, many=many, least=least, most=MOST)


def _again(end: str, size: int) -> Hand:
    return _hand(
        f"{end} {size} again",
        f"a hand of {size} from the {end} that comes again, whole or in part, or is avoided in the next deck",
        partial(_same_end, end == "top", size),
        f"too few cards of the {end} {size} come there again",
        f"too many cards of the {end} {size} come there again",
        least=2 * size,
    )


_SOURCE = "hypergeometric: Feller, An Introduction to Probability Theory, vol. 1, section II.6"
_SMOOTHED = "opening hands dealt again or evened out ('smoothed'), and order left at the {}"

STATISTICS = (
    _hand(
        "lower half",
        "halves that were not mixed, or swapped too evenly",
        _lower_half,
        "cards of one half come into the other half too often",
        "cards of one half stay in that half too often",
    ),
    _hand(
        "hand from the top",
        _SMOOTHED.format("top"),
        partial(_lands_at_an_end, True),
        "the top seven hold too few of the first two fifths of the cards ('lands')",
        "the top seven hold too many of the first two fifths of the cards ('lands')",
        least=2 * HAND,
    ),
    _hand(
        "hand from the bottom",
        _SMOOTHED.format("bottom"),
        partial(_lands_at_an_end, False),
        "the seven cards at the bottom hold too few of the first two fifths of the cards ('lands')",
        "the seven cards at the bottom hold too many of the first two fifths of the cards ('lands')",
        least=2 * HAND,
    ),
    *(_again(end, size) for end in ("top", "bottom") for size in HANDS),
)
