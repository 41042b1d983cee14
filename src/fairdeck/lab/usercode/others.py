"""Other generators: those that a function draws from although its draws there cannot be followed.

Drawing changes the state of a generator, so states are compared. The operating system's random numbers have no
state; while a function is called in this process, asking for them is noted.
"""

import _random
import gc
import os
import pickle
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from threading import get_ident
from typing import Any


class Others:
    """The generators that were there when this object was made, and what a function did with them since."""

    def __init__(self) -> None:
        self._states = [(each, _state(each)) for each in _generators()]
        self._asked: list[str] = []

    def drawn_from(self) -> str | None:
        """Return the name of a generator that was drawn from, or None."""
        changed = [_name(each) for each, state in self._states if _state(each) != state]
        return next(iter(changed + self._asked), None)

    @contextmanager
    def noting_entropy(self) -> Iterator[None]:
        """Note until the end of the block when this thread asks the operating system for random numbers."""
        mine, kept = get_ident(), (os.urandom, Random.seed)

        def noted(name: str, function: Callable[..., Any], when: Callable[..., bool]) -> Callable[..., Any]:
            def called(*args: Any, **options: Any) -> Any:
                if get_ident() == mine and when(*args, **options):
                    self._asked.append(name)
                return function(*args, **options)

            return called

        urandom = noted("the operating system (os.urandom)", os.urandom, lambda *_: True)
        seed = noted("a generator without a seed (random.Random())", Random.seed, _without_seed)
        try:
            os.urandom = urandom
            setattr(random, "_urandom", urandom)  # noqa: B010 - the name that `random.SystemRandom` uses
            Random.seed = seed  # type: ignore[method-assign]
            yield
        finally:
            os.urandom, Random.seed = kept  # type: ignore[method-assign]
            setattr(random, "_urandom", kept[0])  # noqa: B010


def _without_seed(_: Random, a: object = None, *_more: object, **_options: object) -> bool:
    return a is None


def _generators() -> list[Any]:
    """Return all generators alive, of Python and of NumPy."""
    numpy = sys.modules.get("numpy.random.bit_generator")
    kinds = (_random.Random, numpy.BitGenerator) if numpy is not None else (_random.Random,)
    return [each for each in gc.get_objects() if issubclass(type(each), kinds)]


def _state(generator: Any) -> object:
    if isinstance(generator, _random.Random):
        return _random.Random.getstate(generator)  # whatever a subclass makes of it
    return pickle.dumps(generator.state)


def _name(generator: object) -> str:
    if generator is getattr(random, "_inst"):  # noqa: B009 - the generator of the module
        return "the module random"
    kind = type(generator)
    where = "a generator of numpy" if kind.__module__.startswith("numpy") else "a generator that it keeps"
    return f"{where} ({kind.__name__})"
