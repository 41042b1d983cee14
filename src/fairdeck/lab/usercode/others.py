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
from functools import partial
from random import Random
from threading import get_ident
from typing import Any

from fairdeck.lab.usercode.interception import replace_hidden


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
        """Note until the end of the block when a function asks the operating system for random numbers.

        What the other threads do that run already is not its doing.
        """
        others = sys._current_frames().keys() - {get_ident()}

        def noted(name: str, function: Callable[..., Any], when: Callable[..., bool]) -> Callable[..., Any]:
            own = partial(function)  # a variable of a closure would be replaced too

            def called(*args: Any, **options: Any) -> Any:
                if get_ident() not in others and when(*args, **options):
                    self._asked.append(name)
                return own(*args, **options)

            return called

        names = [name for name in ("urandom", "getrandom") if hasattr(os, name)]
        pairs = [
            (partial(getattr(os, name)), noted(f"the operating system (os.{name})", getattr(os, name), lambda *_: True))
            for name in names
        ]
        seed = Random.seed
        try:
            for own, new in pairs:
                replace_hidden(own.func, new)
            Random.seed = noted("a generator without a seed (random.Random())", seed, _without_seed)  # type: ignore[method-assign]
            yield
        finally:
            Random.seed = seed  # type: ignore[method-assign]
            for own, new in pairs:
                replace_hidden(new, own.func)


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
