"""A user's random numbers, intercepted: every generator that the code can reach draws from one of ours.

Intercepted are the functions of the modules `random` and `secrets`, under every name that a module of the user's gives
them; all generators (`random.Random`, also seeded ones, and `random.SystemRandom`) that were made before the first
deck, wherever they are kept (see `fairdeck.lab.usercode.forwarding`); those made later without a seed. `os.urandom` and
NumPy cannot be intercepted: using them is refused. Reading the clock is allowed and noted.
"""

import gc
import importlib
import os
import random
import secrets
import sys
import time
from collections.abc import Callable
from types import CellType, FunctionType, ModuleType
from typing import Any, Protocol

from fairdeck.lab.usercode.faults import NOT_INTERCEPTED
from fairdeck.lab.usercode.forwarding import Target, captured, forward

CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns")
DEVICES = ("/dev/urandom", "/dev/random")
READS_CLOCK = "It reads the clock. What depends on the clock was not varied, so it is not in these figures."


class Interceptor(Target, Protocol):
    """A `random.Random` that takes the place of all others."""

    def refused(self, message: str) -> BaseException:
        """Return what to raise when the code draws from something that cannot be intercepted."""
        ...

    def note(self, sentence: str) -> None:
        """Keep a sentence for the reader of the result."""
        ...

    def getrandbits(self, k: int, /) -> Any:  # noqa: D102 - as in `random.Random`
        ...

    def _randbelow(self, n: int) -> Any: ...

    def choice(self, seq: Any) -> Any:  # noqa: D102 - as in `random.Random`
        ...


class _Replacements:
    """Replacements by the identity of the originals; holding the originals keeps their identities unique."""

    def __init__(self) -> None:
        self._pairs: dict[int, tuple[object, object]] = {}

    def __setitem__(self, original: object, replacement: object) -> None:
        self._pairs[id(original)] = original, replacement

    def __getitem__(self, original: object) -> object:
        return self._pairs[id(original)][1]

    def __contains__(self, original: object) -> bool:
        return id(original) in self._pairs


def intercept(rng: Interceptor, before: set[str]) -> None:
    """Let everything in the user's modules draw from `rng`.

    Args:
        rng: the generator.
        before: the names of the modules that were loaded before the user's.
    """
    taken, entropy = captured(), (os.urandom, *([os.getrandom] if hasattr(os, "getrandom") else []))
    replaced = _replacements(rng, taken)
    forward(rng)
    modules = [module for name, module in list(sys.modules.items()) if name not in before]
    users = [each for each in modules if isinstance(each, ModuleType) and not is_library(each.__name__)]
    for module in [random, secrets, os, time, *users]:
        _replace(module, replaced, rng, module in users)
    for original in (*taken, *entropy):
        replace_hidden(original, replaced[original])

    def opened(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and arguments[0] in DEVICES:
            raise rng.refused(NOT_INTERCEPTED.format(name=arguments[0]))

    sys.addaudithook(opened)


def _replacements(rng: Interceptor, taken: list[Any]) -> _Replacements:
    found = _Replacements()
    for method in taken:
        found[method] = getattr(rng, method.__name__)
    hidden = getattr(random, "_inst")  # noqa: B009 - the module's own generator
    for name in dir(random):
        if getattr(getattr(random, name), "__self__", None) is hidden:
            found[getattr(random, name)] = getattr(rng, name)
    found[secrets.randbelow] = rng._randbelow
    found[secrets.randbits] = rng.getrandbits
    found[secrets.choice] = rng.choice
    found[os.urandom] = _refuser(rng, "os.urandom")
    if hasattr(os, "getrandom"):
        found[os.getrandom] = _refuser(rng, "os.getrandom")
    for clock in CLOCKS:
        found[getattr(time, clock)] = _noted(rng, getattr(time, clock))
    if "numpy" in sys.modules:
        numpy = importlib.import_module("numpy.random")  # numpy loads it only when it is first used
        for name in dir(numpy):
            value = getattr(numpy, name)
            if callable(value) and not name.startswith("_"):
                found[value] = _refuser(rng, f"numpy.random.{name}")
        _replace(numpy, found, rng, False)
    return found


def is_library(module: str) -> bool:
    """Say whether a module belongs to Python, NumPy, SciPy or fairdeck."""
    room = module.partition(".")[0]
    return room in sys.stdlib_module_names or room in ("numpy", "fairdeck", "scipy")


def _replace(owner: Any, replaced: _Replacements, rng: Interceptor, users: bool) -> None:
    for name, value in list(vars(owner).items()):
        if value in replaced:
            setattr(owner, name, replaced[value])
        elif users and str(type(value).__module__).startswith("numpy.random"):
            setattr(owner, name, _NoGenerator(rng))
        elif users and isinstance(value, type) and value.__module__ == owner.__name__ and value is not owner:
            _replace(value, replaced, rng, users=isinstance(owner, ModuleType))


def replace_hidden(original: object, replacement: object) -> None:
    """Replace what is kept in dicts, lists, closures and default values; `others` notices what is kept elsewhere."""
    known = id(original)  # a closure of ours that holds the original would be changed too
    for holder in gc.get_referrers(original):
        if type(holder) is dict:
            holder.update({key: replacement for key, value in holder.items() if id(value) == known})
        elif type(holder) is list:
            holder[:] = [replacement if id(each) == known else each for each in holder]
        elif type(holder) is CellType:
            holder.cell_contents = replacement
        elif type(holder) is tuple:
            changed = tuple([replacement if id(each) == known else each for each in holder])
            for function in gc.get_referrers(holder):
                if isinstance(function, FunctionType) and function.__defaults__ is holder:
                    function.__defaults__ = changed


def _refuser(rng: Interceptor, name: str) -> Callable[..., object]:
    def refused(*_: object, **__: object) -> object:
        raise rng.refused(NOT_INTERCEPTED.format(name=name))

    return refused


def _noted(rng: Interceptor, clock: Callable[[], float]) -> Callable[[], float]:
    def read() -> float:
        rng.note(READS_CLOCK)
        return clock()

    return read


class _NoGenerator:
    """Replaces a NumPy generator, and refuses to be used."""

    def __init__(self, rng: Interceptor) -> None:
        self._rng = rng

    def __getattr__(self, name: str) -> object:
        return _refuser(self._rng, f"a generator of numpy ({name})")()
