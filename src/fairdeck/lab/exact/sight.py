"""A function of the user's: found, called as it wants to be, and its randomness taken over.

Seen through are: a generator that it is handed; the functions of the modules `random` and `secrets`,
under whatever name a module of the user's holds them; generators that such a module or a class in it
holds (`random.Random`, also seeded ones, and `random.SystemRandom`); and ``random.Random()`` without
a seed made while it runs. Not seen through, and refused as soon as they are used: `os.urandom` and
numpy. The clock is let be and noted.
"""

import importlib
import os
import random
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from operator import index
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, cast

from fairdeck.errors import FairdeckError
from fairdeck.lab import calling
from fairdeck.lab.calling import Form, function_of, module_of
from fairdeck.lab.exact.generator import Enumerated
from fairdeck.lab.exact.tree import Fault, Play
from fairdeck.permutation import Permutation

CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns")
READS_CLOCK = "It reads the clock. What depends on the clock was not varied, so it is not in these figures."


def split_name(name: str) -> tuple[str, str]:
    """Return the module or file and the function of ``package.module:function`` or ``path/to/file.py:function``.

    Raises:
        FairdeckError: one of them is missing.
    """
    where, colon, function = name.rpartition(":")
    if not colon or not where or not function:
        raise FairdeckError(f"{name!r} names no function: write package.module:function or path/to/file.py:function")
    return where, function


def load(name: str) -> Callable[..., object]:
    """Return the function called `name`, see `split_name`; the current directory can be imported from.

    Raises:
        FairdeckError: there is none.
    """
    where, path = split_name(name)
    sys.path.insert(0, str(Path.cwd()))
    try:
        return function_of(module_of(where), path, where)
    except calling.Refused as refused:
        raise FairdeckError(str(refused)) from None


def caller(function: Callable[..., object], cards: int, takes: str | None) -> Play:
    """Return what makes one deck of `cards` cards with the function, by the form that it is called in.

    Args:
        function: ``f(deck)``, ``f(n)``, and either with a generator besides.
        cards: the cards of the deck.
        takes: ``deck`` or ``n``, or None to tell by its parameters.

    Raises:
        FairdeckError: it cannot be called with a deck or a number, or wants more.
    """
    owner = getattr(function, "__self__", None)
    if isinstance(owner, Random) and not isinstance(owner, Enumerated):
        name = function.__name__
        return lambda rng: _order(lambda deck: getattr(rng, name)(deck), list(range(cards)), cards)
    try:
        form = Form(function, takes, Random(0))
    except calling.Refused as refused:
        raise FairdeckError(str(refused)) from None

    def play(rng: Enumerated) -> Permutation:
        form.rng = rng
        given: Any = cards if form.takes == "n" else list(range(cards))
        return _order(form.call, given, cards)

    return play


def _order(function: Callable[[Any], object], given: Any, cards: int) -> Permutation:
    """Return the deck that the function makes, after checking that it is one."""
    made = function(given)
    if made is None and not isinstance(given, list):
        raise Fault("it returned None; from a number it must return the deck")
    return as_order(given if made is None else made, cards)


def as_order(made: object, cards: int) -> Permutation:
    """Return what a shuffle made as a permutation.

    Raises:
        Fault: it is no deck of so many cards.
    """
    if isinstance(made, str | bytes | dict) or not isinstance(made, Iterable):
        raise Fault(f"it returned {_short(made)}, which is no deck: return None or a list of the cards")
    deck = list(made)
    if len(deck) != cards:
        raise Fault(f"it returned {len(deck)} cards instead of {cards}: {_short(deck)}")
    order = _whole(deck)
    missing = set(range(cards)).difference(order)
    if missing:
        raise Fault(f"card {min(missing)} is missing from the deck it made: {_short(list(order))}")
    return order


def _whole(deck: Sequence[object]) -> Permutation:
    try:
        return tuple([index(card) for card in deck])  # type: ignore[arg-type]
    except TypeError:
        raise Fault(f"the deck it made holds something that is no card: {_short(deck)}") from None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


class _Replaced:
    """What stands for what, by identity; holds what is replaced, so that nothing else gets its identity."""

    def __init__(self) -> None:
        self._pairs: dict[int, tuple[object, object]] = {}

    def __setitem__(self, original: object, replacement: object) -> None:
        self._pairs[id(original)] = original, replacement

    def __getitem__(self, original: object) -> object:
        return self._pairs[id(original)][1]

    def __contains__(self, original: object) -> bool:
        return id(original) in self._pairs


class Sight:
    """The user's modules, with the randomness in them replaced by a generator.

    Args:
        before: the names of the modules that were there before the user's were loaded.
    """

    def __init__(self, before: set[str]) -> None:
        self.before = before
        self.rng: Enumerated | None = None

    def over(self, play: Play) -> Play:
        """Return `play`, with the randomness taken over from its first call on."""

        def seeing(rng: Enumerated) -> Permutation:
            if self.rng is not rng:
                self.rng = rng
                self._take_over(rng)
            return play(rng)

        return seeing

    def _take_over(self, rng: Enumerated) -> None:
        replaced = self._replacements(rng)
        modules = [module for name, module in list(sys.modules.items()) if name not in self.before]
        users = [each for each in modules if isinstance(each, ModuleType) and not _standard(each.__name__)]
        for module in [random, secrets, os, time, *users]:
            _replace(module, replaced, rng, module in users)

    def _replacements(self, rng: Enumerated) -> "_Replaced":
        """Return what stands for what."""
        found = _Replaced()
        hidden = getattr(random, "_inst")  # noqa: B009 - the module's own generator
        for name in dir(random):
            if getattr(getattr(random, name), "__self__", None) is hidden:
                found[getattr(random, name)] = getattr(rng, name)
        found[Random] = _maker(rng)
        found[random.SystemRandom] = lambda *_: rng
        found[secrets.randbelow] = rng._randbelow
        found[secrets.randbits] = rng.getrandbits
        found[secrets.choice] = rng.choice
        found[os.urandom] = _refuser(rng, "os.urandom")
        for clock in CLOCKS:
            found[getattr(time, clock)] = _noted(rng, getattr(time, clock))
        if "numpy" in sys.modules:
            numpy = importlib.import_module("numpy.random")  # numpy itself loads it when it is first used
            for name in dir(numpy):
                value = getattr(numpy, name)
                if callable(value) and not name.startswith("_"):
                    found[value] = _refuser(rng, f"numpy.random.{name}")
            _replace(numpy, found, rng, False)
        return found


def _standard(name: str) -> bool:
    return name.partition(".")[0] in sys.stdlib_module_names or name.partition(".")[0] in ("numpy", "fairdeck", "scipy")


def _replace(owner: Any, replaced: _Replaced, rng: Enumerated, users: bool) -> None:
    for name, value in list(vars(owner).items()):
        if value in replaced:
            setattr(owner, name, replaced[value])
        elif users and isinstance(value, Random) and not name.startswith("__"):
            setattr(owner, name, rng)
        elif users and str(type(value).__module__).startswith("numpy.random"):
            setattr(owner, name, _NoGenerator(rng))
        elif users and isinstance(value, type) and value.__module__ == owner.__name__ and value is not owner:
            _replace(value, replaced, rng, users=isinstance(owner, ModuleType))


def _maker(rng: Enumerated) -> Callable[..., Random]:
    """Return what stands for `random.Random`: without a seed it gives `rng`, with one what it always gave."""

    class Maker(Random):
        def __new__(cls, seed: object = None) -> Any:
            if cls is Maker:
                return rng if seed is None else Random(cast(int, seed))
            return super().__new__(cls)

    return Maker


def _refuser(rng: Enumerated, name: str) -> Callable[..., object]:
    def refused(*_: object, **__: object) -> object:
        raise rng.refused(
            f"it draws from {name}, which cannot be seen through; let it take a parameter rng, a random.Random, "
            "and draw from that"
        )

    return refused


def _noted(rng: Enumerated, clock: Callable[[], float]) -> Callable[[], float]:
    def read() -> float:
        rng.note(READS_CLOCK)
        return clock()

    return read


class _NoGenerator:
    """Stands for a generator of numpy's, and refuses to be used."""

    def __init__(self, rng: Enumerated) -> None:
        self._rng = rng

    def __getattr__(self, name: str) -> object:
        return _refuser(self._rng, f"a generator of numpy ({name})")()
