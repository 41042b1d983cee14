"""Hands: the number of cards of one part of the old deck in one part of the new deck."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from math import comb
from typing import ClassVar

from fairdeck.bulk.shapes import Columns, Values, counted
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.view import View

HAND = 7
HANDS = (5, 10, 13)  # as in poker, in gin, and in bridge
MOST = 1_000


@dataclass(frozen=True)
class Hand(Scalar):
    """The number of cards of one sort at certain places."""

    family: ClassVar[str] = "game"


def hypergeometric_law(n: int, sort: int, drawn: int) -> Law:
    """Return the law of how many of `sort` cards are among `drawn` of `n`.

    >>> hypergeometric_law(4, 2, 2)
    Law(low=0, weights=(1, 4, 1))
    """
    low, high = max(0, drawn - (n - sort)), min(sort, drawn)
    return Law(low, tuple(comb(sort, held) * comb(n - sort, drawn - held) for held in range(low, high + 1)))


@cache
def half_law(n: int) -> Law:
    """Return the law of `lower_half`."""
    return hypergeometric_law(n, n // 2, n // 2)


@cache
def hand_law(n: int) -> Law:
    """Return the law of `top_hand` and of `bottom_hand`."""
    return hypergeometric_law(n, _lands(n), HAND)


def _lands(n: int) -> int:
    return -(-2 * n // 5)  # rounded up: 24 of 60 are the lands of a usual deck


def lower_half(view: View) -> Values:
    """Return how many of the first n/2 cards (rounded down) lie among the lowest n/2 of each deck."""
    half = view.cards // 2
    return counted(view.columns[:half] < half)


def top_hand(view: View) -> Values:
    """Return how many of the first two fifths of the cards (rounded up) are in the first hand dealt, the top seven."""
    return _held(view.columns[-HAND:], view.cards)


def bottom_hand(view: View) -> Values:
    """Return how many of the first two fifths of the cards are in the seven at the bottom."""
    return _held(view.columns[:HAND], view.cards)


def _held(places: Columns, n: int) -> Values:
    return counted(places < _lands(n))


@cache
def hand_again_law(size: int, n: int) -> Law:
    """Return the law of how many of `size` cards of a hand come again."""
    return hypergeometric_law(n, size, size)


def top_again(size: int, view: View) -> Values:
    """Return how many of the top `size` cards were the top ones before."""
    return counted(view.columns[-size:] >= view.cards - size)


def bottom_again(size: int, view: View) -> Values:
    """Return how many of the `size` cards at the bottom were there before."""
    return counted(view.columns[:size] < size)


def _again(end: str, size: int, of: Callable[[int, View], Values]) -> Hand:
    return Hand(
        name=f"{end} {size} again",
        sees=f"a hand of {size} from the {end} that comes again, whole or in part, or is avoided in the next deck",
        source=_SOURCE,
        of=partial(of, size),
        law=partial(hand_again_law, size),
        few=f"too few cards of the {end} {size} come there again",
        many=f"too many cards of the {end} {size} come there again",
        least=2 * size,
        most=MOST,
    )


_SOURCE = "hypergeometric: Feller, An Introduction to Probability Theory, vol. 1, section II.6"
_SMOOTHED = "opening hands dealt again or evened out ('smoothed'), and order left at the {}"

STATISTICS = (
    Hand(
        name="lower half",
        sees="halves that were not mixed, or swapped too evenly",
        source=_SOURCE,
        of=lower_half,
        law=half_law,
        few="cards of one half come into the other half too often",
        many="cards of one half stay in that half too often",
        most=MOST,
    ),
    Hand(
        name="hand from the top",
        sees=_SMOOTHED.format("top"),
        source=_SOURCE,
        of=top_hand,
        law=hand_law,
        few="the top seven hold too few of the first two fifths of the cards ('lands')",
        many="the top seven hold too many of the first two fifths of the cards ('lands')",
        least=2 * HAND,
        most=MOST,
    ),
    Hand(
        name="hand from the bottom",
        sees=_SMOOTHED.format("bottom"),
        source=_SOURCE,
        of=bottom_hand,
        law=hand_law,
        few="the seven cards at the bottom hold too few of the first two fifths of the cards ('lands')",
        many="the seven cards at the bottom hold too many of the first two fifths of the cards ('lands')",
        least=2 * HAND,
        most=MOST,
    ),
    *(_again("top", size, top_again) for size in HANDS),
    *(_again("bottom", size, bottom_again) for size in HANDS),
)
