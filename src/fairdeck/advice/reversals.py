"""Cards that may lie reversed: what turns them, so that each card is turned with chance 1/2, whatever the others are.

There are two ways, and each has its place.

* A coin for each card, *before* the deck is shuffled. The turned cards are then independent of every order.
* A riffle in which one part is turned, *after* the shuffles. An ideal riffle gives each place a fair coin that says
  from which part its card comes. Given these coins, the order before the riffle and the one after it determine each
  other, so order and reversals together are exactly as far from uniform as the order was before. *First*, the same
  riffle is nearly useless: the turned cards are then a whole packet of the old order, and only n + 1 of 2^n sets of
  cards can be turned.
"""

from dataclasses import replace
from math import ceil

from fairdeck.advice.request import TOSS, Recommendation, Request, seconds_a_riffle
from fairdeck.dealing.pace import Pace

COINS = (
    "First the reversals: deal the deck onto one pile, and toss a coin for each card. On heads, turn the card round, "
    "end for end, before you lay it down. After that, turn no card."
)


def turned_by_coins(way: Recommendation, request: Request, pace: Pace) -> Recommendation:
    """Return a way with a coin tossed for each card before it."""
    minutes = (request.cards * (pace.of_a_card(1) + TOSS) + pace.step) / 60
    return _with(way, f"toss a coin for each card, then {way.way}", minutes, before=COINS)


def turned_by_a_riffle(way: Recommendation, request: Request, pace: Pace) -> Recommendation:
    """Return a way with one more riffle after it, in which one part of the deck is turned round."""
    packets = ceil(request.cards / request.handful)
    minutes = packets * seconds_a_riffle(ceil(request.cards / packets), pace) / 60
    once = "turn the upper part round, end for end, and riffle the two parts together once"
    if packets == 1:
        what = f"cut the deck about in the middle, {once}."
    else:
        what = f"cut the deck into {packets} packets. Cut each packet about in the middle, {once}. Stack the packets."
    last = f"Last the reversals: {what} Turn no card before or after that."
    return _with(way, f"{way.way}; then turn one part and riffle once more", minutes, after=last)


def _with(way: Recommendation, name: str, minutes: float, before: str = "", after: str = "") -> Recommendation:
    return replace(way.with_step(before, after), way=name, minutes=way.minutes + minutes)
