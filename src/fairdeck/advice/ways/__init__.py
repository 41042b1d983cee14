"""The ways to shuffle, one file each: `all_ways` finds the files by itself.

A file here says when hands can do a way, how long it takes, how far from random the deck is afterwards, what it needs,
and what to do step by step. It offers that as ``WAY``, a `WayToShuffle`.

Cards that may lie reversed must be turned with chance 1/2 each, whatever the others are. There are three ways, and each
has its place.

* A deal that draws a coin for each card with its plan, and turns cards as it deals them: ``fairdeck deal --turn``.
* A coin for each card, *before* the deck is shuffled. The turned cards are then independent of every order.
* A riffle in which one part is turned, *after* the shuffles. An ideal riffle gives each place a fair coin that says
  from which part its card comes. Given these coins, the order before the riffle and the one after it determine each
  other, so order and reversals together are exactly as far from uniform as the order was before. *First*, the same
  riffle is nearly useless: the turned cards are then a whole packet of the old order, and only n + 1 of 2^n sets of
  cards can be turned.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from math import ceil
from operator import sub
from pkgutil import iter_modules

from fairdeck.advice.request import TOSS, Recommendation, Request, seconds_a_riffle
from fairdeck.dealing.pace import Pace
from fairdeck.steps import CUT_OFF, DECK, Act, Step, cut, mesh, part, stack, toss, turn

# The ranks: which way comes first where two are equally good and equally quick. The surer one does.
DEALT, RIFFLED, IN_PACKETS, DEALT_APART, BY_MACHINE, WITHOUT_A_LAW, NO_SHUFFLE = range(7)

COINS = Step(
    "First the reversals: deal the deck onto one pile, and toss a coin for each card. On heads, turn the card end "
    "for end, still face down, before you lay it down. After that, turn no card.",
    ((toss, DECK),),
)

Turning = Callable[[Recommendation, Request, Pace], Recommendation]


def turns_by_itself(way: Recommendation, _request: Request, _pace: Pace) -> Recommendation:
    """Return a way as it is: it turns cards by itself, or it is no shuffle."""
    return way


def turned_by_coins(way: Recommendation, request: Request, pace: Pace) -> Recommendation:
    """Return a way with a coin tossed for each card before it."""
    minutes = (request.cards * (pace.of_a_card(1) + TOSS) + pace.step) / 60
    return _with(way, f"toss a coin for each card, then {way.way}", minutes, before=COINS)


def turned_by_a_riffle(way: Recommendation, request: Request, pace: Pace) -> Recommendation:
    """Return a way with one more riffle after it, in which one part of the deck is turned round."""
    packets = ceil(request.cards / request.handful)
    minutes = packets * seconds_a_riffle(ceil(request.cards / packets), pace) / 60
    once = "turn the upper part end for end, still face down, and riffle the two parts together once"
    if packets == 1:
        what = f"cut the deck about in the middle, {once}."
    else:
        what = f"cut the deck into {packets} packets. Cut each packet about in the middle, {once}. Stack the packets."
    names = tuple(f"packet {number}" for number in range(1, packets + 1))
    ends = [request.cards * at // packets for at in range(packets + 1)]
    acts: list[Act] = [(part, DECK, tuple(zip(names, map(sub, ends[1:], ends), strict=False)))]
    for name in names:
        acts += (cut, name, CUT_OFF), (turn, CUT_OFF), (mesh, name, CUT_OFF)
    acts.append((stack, names, DECK))
    last = Step(f"Last the reversals: {what} Turn no card before or after that.", tuple(acts))
    return _with(way, f"{way.way}; then turn one part and riffle once more", minutes, after=last)


def _with(
    way: Recommendation, name: str, minutes: float, before: Step | None = None, after: Step | None = None
) -> Recommendation:
    return replace(way.with_step(before, after), way=name, minutes=way.minutes + minutes)


@dataclass(frozen=True, slots=True)
class WayToShuffle:
    """A way to shuffle, before anybody asks."""

    rank: int  # one of the constants above
    # yields what the way is for a request, at a pace: nothing if hands cannot do it. It judges one deck of cards that
    # all lie the same way; `fairdeck.advice.ranking` does the rest.
    answers: Callable[[Request, Pace], Iterator[Recommendation]]
    # adds what turns each card with chance 1/2, if cards may lie reversed. A way that is exact whatever the hands do
    # gets coins.
    turned: Turning = turned_by_a_riffle
    # whether there is a shuffled deck afterwards; hands alone are no answer to somebody who wants one
    gives_a_deck: bool = True
    # whether the hands that are wanted are dealt by it; after any other way they are dealt in turn
    deals_hands: bool = False


@cache
def all_ways() -> tuple[WayToShuffle, ...]:
    """Return every way by its rank; those of one rank by the names of their files."""
    names = sorted(module.name for module in iter_modules(__path__))
    ways: list[WayToShuffle] = [import_module(f"{__name__}.{name}").WAY for name in names]
    return tuple(sorted(ways, key=lambda way: way.rank))
