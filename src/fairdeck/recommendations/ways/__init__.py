"""The ways to shuffle, one file each: `all_ways` finds the files by itself.

A file here says when hands can do a way, how long it takes, how far from random the deck is afterwards, what it needs,
and what to do step by step. It offers that as ``WAY``; see `fairdeck.recommendations.way`.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from fairdeck.recommendations.way import WayToShuffle


@cache
def all_ways() -> tuple[WayToShuffle, ...]:
    """Return every way by its rank; those of one rank by the names of their files."""
    names = sorted(module.name for module in iter_modules(__path__))
    ways: list[WayToShuffle] = [import_module(f"{__name__}.{name}").WAY for name in names]
    return tuple(sorted(ways, key=lambda way: way.rank))
