"""Whether a function depends on anything but its deck and its draws: what it keeps, and where else it draws.

What it keeps from one deck to the next are values that it can reach, compared by their names: global variables,
closures, default values, attributes, and what lists, dicts, sets and other holders have in them. Libraries are not
followed, and no code of the function runs. What it keeps in a file is not seen.

Drawing changes the state of a generator, so the states of all others are compared. The operating system's random
numbers have no state; while a function is called in this process, asking for them is noted.
"""

import _random
import gc
import os
import pickle
import random
import sys
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from itertools import count, islice
from operator import length_hint
from random import Random
from threading import get_ident, local
from types import CodeType, FunctionType, GeneratorType, MemberDescriptorType, MethodType, ModuleType, SimpleNamespace
from typing import Any

from fairdeck.lab.usercode.interception import is_library, replace_hidden

MOST = 20_000  # values that are looked at
PLAIN = (int, float, complex, str, bytes, bool, range, type(None))
ITERATORS: tuple[type, ...] = (
    type(iter([])),
    type(iter(())),
    type(iter({})),
    type(iter(set())),
    type(iter("")),
    type(iter(range(0))),
)

State = dict[str, object]


def state_of(function: Any) -> State:
    """Return the values that a function can reach, by their names."""
    values: State = {}
    names: dict[int, tuple[str, object]] = {}  # holding the objects keeps their identities unique
    left: deque[tuple[str, object]] = deque([("", function)])
    while left and len(values) < MOST:
        name, value = left.popleft()
        if type(value) in PLAIN:
            values[name] = type(value), repr(value) if type(value) is float else value
        elif id(value) in names:
            values[name] = names[id(value)][0]
        else:
            names[id(value)] = name, value
            values[name] = type(value), _says(value)
            left += [(f"{name}{part}", each) for part, each in islice(_parts(value), MOST)]
    return values


def changed(before: State, after: State) -> str | None:
    """Return the name of a value that is not the same in both states, or None."""
    names = {**after, **before}
    name = next((each for each in names if before.get(each) != after.get(each)), None)
    return None if name is None else name.removeprefix("()").removeprefix(".")


def _says(value: Any) -> object:
    """Return what tells the state of an object that holds no others."""
    if isinstance(value, _random.Random):
        return _random.Random.getstate(value)
    if isinstance(value, bytearray | array):
        return bytes(value)
    if type(value) is count:
        return repr(value)
    if type(value) in ITERATORS:
        return length_hint(value)
    if isinstance(value, GeneratorType):
        return value.gi_frame.f_lasti if value.gi_frame is not None else None
    if isinstance(value, list | tuple | dict | set | frozenset | deque):
        return len(value)
    return None


def _parts(value: Any) -> Iterator[tuple[str, object]]:
    """Yield what an object refers to, with the names of these references."""
    if isinstance(value, FunctionType):
        yield from _parts_of_function(value)
    elif isinstance(value, MethodType):
        yield "()", value.__func__
        yield f".{type(value.__self__).__name__}", value.__self__
    elif isinstance(value, staticmethod | classmethod | property):
        yield "()", value.fget if isinstance(value, property) else value.__func__
    elif isinstance(value, partial):
        yield from (("()", value.func), ("(args)", value.args), ("(keywords)", value.keywords))
    elif isinstance(value, ContextVar):
        yield ".get()", value.get(None)
    elif isinstance(value, GeneratorType):
        yield from _named(value.gi_frame.f_locals if value.gi_frame is not None else {})
    elif isinstance(value, ModuleType | type):
        if not is_library(value.__name__ if isinstance(value, ModuleType) else value.__module__):
            plain = {name: each for name, each in vars(value).items() if not name.startswith("__")}
            methods = {name: each for name, each in vars(value).items() if isinstance(each, FunctionType)}
            bases = {each.__name__: each for each in value.__bases__} if isinstance(value, type) else {}
            yield from _named({**plain, **methods, **bases})
    else:
        yield from _parts_of_object(value)


def _parts_of_function(function: FunctionType) -> Iterator[tuple[str, object]]:
    if is_library(function.__module__ or ""):
        return
    known = function.__globals__
    yield from _named({name: known[name] for name in _names(function.__code__) if name in known})
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # a variable that has no value yet
            yield f".{name}", cell.cell_contents
    yield from (("(defaults)", function.__defaults__), ("(keywords)", function.__kwdefaults__))
    yield from _named(vars(function))


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names that a function reads from its module, also in the functions within."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _parts_of_object(value: Any) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for place, (key, each) in enumerate(dict.items(value)):
            yield f"[{key!r}]" if type(key) in PLAIN else f"[{place}]", each
            yield f"[key {place}]", key
    elif isinstance(value, list | tuple | deque | set | frozenset):
        base: Any = next(each for each in (list, tuple, deque, set, frozenset) if isinstance(value, each))
        yield from ((f"[{place}]", each) for place, each in enumerate(base.__iter__(value)))
    kind = type(value)
    if kind is SimpleNamespace or issubclass(kind, local) or not is_library(kind.__module__):
        yield f".{kind.__name__}", kind
        for each in kind.__mro__:
            for name, slot in vars(each).items():
                if isinstance(slot, MemberDescriptorType):
                    with suppress(AttributeError):  # a slot that has no value yet
                        yield f".{name}", slot.__get__(value, kind)
        if issubclass(kind, local) or kind.__dictoffset__:
            own = (local if issubclass(kind, local) else object).__getattribute__(value, "__dict__")
            yield from _named(own if type(own) is dict else {})  # a class can give it another meaning


def _named(values: Any) -> Iterator[tuple[str, object]]:
    return ((f".{name}", each) for name, each in list(values.items()))


# --- other generators


class OtherGenerators:
    """The generators that were there when this object was made, and what a function did with them since."""

    def __init__(self) -> None:
        self._states = [(each, _generator_state(each)) for each in _generators()]
        self._asked: list[str] = []

    def drawn_from(self) -> str | None:
        """Return the name of a generator that was drawn from, or None."""
        changed = [_generator_name(each) for each, state in self._states if _generator_state(each) != state]
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
    gc.unfreeze()  # what a program froze is in no list of the collector's
    numpy = sys.modules.get("numpy.random.bit_generator")
    kinds = (_random.Random, numpy.BitGenerator) if numpy is not None else (_random.Random,)
    return [each for each in gc.get_objects() if issubclass(type(each), kinds)]


def _generator_state(generator: Any) -> object:
    if isinstance(generator, _random.Random):
        return _random.Random.getstate(generator)  # whatever a subclass makes of it
    return pickle.dumps(generator.state)


def _generator_name(generator: object) -> str:
    if generator is getattr(random, "_inst"):  # noqa: B009 - the generator of the module
        return "the module random"
    kind = type(generator)
    where = "a generator of numpy" if kind.__module__.startswith("numpy") else "a generator that it keeps"
    return f"{where} ({kind.__name__})"
