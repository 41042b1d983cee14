"""The ways to shuffle, one file each: `all_ways` finds the files by itself.

A file here says when hands can do a way, how long it takes, how far from random the deck is afterwards, what it needs,
and what to do step by step. It offers that as ``WAY``, a `WayToShuffle`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from fairdeck.advice.request import Recommendation, Request
from fairdeck.advice.reversals import turned_by_a_riffle
from fairdeck.dealing.pace import Pace

# The ranks: which way comes first where two are equally good and equally quick. The surer one does.
DEALT, RIFFLED, IN_PACKETS, DEALT_APART, BY_MACHINE, WITHOUT_A_LAW, NO_SHUFFLE = range(7)

Turning = Callable[[Recommendation, Request, Pace], Recommendation]


def turns_by_itself(way: Recommendation, _request: Request, _pace: Pace) -> Recommendation:
    """Return a way as it is: it turns cards by itself, or it is no shuffle."""
    return way


@dataclass(frozen=True, slots=True)
class WayToShuffle:
    """A way to shuffle, before anybody asks.

    Attributes:
        rank: one of the constants above.
        answers: yields what the way is for a request, at a pace: nothing if hands cannot do it. It judges one deck of
            cards that all lie the same way; `fairdeck.advice.ranking` does the rest.
        turned: adds what turns each card with chance 1/2, if cards may lie reversed. A way that is exact whatever the
            hands do gets coins, see `fairdeck.advice.reversals`.
        gives_a_deck: whether there is a shuffled deck afterwards; hands alone are no answer to somebody who wants one.
        deals_hands: whether the hands that are wanted are dealt by it; after any other way they are dealt in turn.
    """

    rank: int
    answers: Callable[[Request, Pace], Iterator[Recommendation]]
    turned: Turning = turned_by_a_riffle
    gives_a_deck: bool = True
    deals_hands: bool = False


@cache
def all_ways() -> tuple[WayToShuffle, ...]:
    """Return every way by its rank; those of one rank by the names of their files."""
    names = sorted(module.name for module in iter_modules(__path__))
    ways: list[WayToShuffle] = [import_module(f"{__name__}.{name}").WAY for name in names]
    return tuple(sorted(ways, key=lambda way: way.rank))
