"""A user's random numbers, intercepted: every generator that the code can reach draws from one of ours.

Intercepted are the functions of the modules `random` and `secrets`, under every name that a module of the user's gives
them; all generators (`random.Random`, also seeded ones, and `random.SystemRandom`) that were made before the first
deck, wherever they are kept; those made later without a seed. `os.urandom` and NumPy cannot be intercepted: using them
is refused. Reading the clock is allowed and noted.

**Forwarding**: every `random.Random` of this process draws from one generator, however well it is hidden. Python looks
for the drawing methods in the classes `Random` and `SystemRandom`, and there they are replaced. So it does not matter
whether a generator is held by a module, an object, a dict or a closure. Two kinds keep what is theirs: a generator that
is made with a seed while the code runs, and a subclass that overrides a method. When such a subclass calls the method
of `Random`, that one is forwarded.
"""

import gc
import importlib
import os
import random
import sys
import time
from collections.abc import Callable
from random import Random, SystemRandom
from types import CellType, FunctionType, ModuleType
from typing import Any, Protocol, cast

from fairdeck.lab.usercode.faults import NOT_INTERCEPTED

KINDS = (Random, SystemRandom)
DRAWING = ("random", "getrandbits", "_randbelow")
OWN = "_draws_its_own_numbers"  # the attribute of a generator that was seeded while the code ran

_forwards = False
CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns")
DEVICES = ("/dev/urandom", "/dev/random")
READS_CLOCK = "It reads the clock. What depends on the clock was not varied, so it is not in these figures."


class Target(Protocol):
    """The `random.Random` that all others draw from."""

    def seed(self, a: Any = None) -> None:  # noqa: D102 - as in `random.Random`
        ...

    def choices(self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1) -> Any:  # noqa: D102
        ...


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
    """Let everything in the user's modules draw from `rng`; `before` are the modules that were loaded before these."""
    import secrets  # takes a while: exact on a registered shuffle comes here for `is_forwarded` alone

    taken, entropy = captured(), (os.urandom, *([os.getrandom] if hasattr(os, "getrandom") else []))
    replaced = _replacements(rng, taken, secrets)
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


def _replacements(rng: Interceptor, taken: list[Any], secrets: Any) -> _Replacements:
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


# --- forwarding


def is_forwarded(value: object) -> bool:
    """Say whether `value` is a generator all of whose draws are forwarded."""
    return _forwards and type(value) in KINDS and OWN not in vars(value)


def forward(rng: Target) -> None:
    """Let every generator draw from `rng`, from now on until the process ends."""
    global _forwards
    for name in DRAWING:
        _replace_drawing(name, _drawn(name, getattr(Random, name), rng))
    for name in ("getstate", "setstate"):
        setattr(Random, name, _drawn(name, getattr(Random, name), rng))
    SystemRandom.randbytes = Random.randbytes  # type: ignore[method-assign]
    _forward_choices(rng)
    _forward_seeds(rng)
    _forwards = True


def _replace_drawing(name: str, method: Callable[..., Any]) -> None:
    for kind in KINDS:
        setattr(kind, name, method)


def _drawn(name: str, own: Callable[..., Any], rng: Target) -> Callable[..., Any]:
    def drawn(self: Random, *args: Any) -> Any:
        return own(self, *args) if OWN in vars(self) else getattr(rng, name)(*args)

    return drawn


def _forward_choices(rng: Target) -> None:
    own = Random.choices

    def choices(self: Random, *args: Any, **options: Any) -> Any:
        return rng.choices(*args, **options) if is_forwarded(self) else own(self, *args, **options)

    Random.choices = choices  # type: ignore[method-assign]


def _forward_seeds(rng: Target) -> None:
    make, begin, seed = cast(Any, Random.__new__), Random.__init__, Random.seed

    def made(kind: type[Random], *args: Any, **options: Any) -> Random:
        new: Random = make(kind, *args, **options)
        _mark(new, bool(args) and args[0] is not None)  # the state is that of the seed, even without `__init__`
        return new

    def begun(self: Random, x: Any = None) -> None:
        _mark(self, x is not None)
        begin(self, x)

    def seeded(self: Random, a: Any = None, version: int = 2) -> None:
        if a is None:
            _mark(self, own=False)
        elif OWN in vars(self):
            seed(self, a, version)
        else:
            rng.seed(a)

    Random.__new__ = made  # type: ignore[method-assign, assignment]
    Random.__init__ = begun  # type: ignore[method-assign]
    Random.seed = seeded  # type: ignore[method-assign]


def _mark(generator: Random, own: bool) -> None:
    """Note whether a generator has a seed; the operating system's takes none."""
    vars(generator).pop(OWN, None)
    if own and not isinstance(generator, SystemRandom):
        vars(generator)[OWN] = True


def captured() -> list[Any]:
    """Return the drawing methods that code has taken from generators before they were forwarded.

    They are bound: those written in C, and those of `SystemRandom`, do not ask the class again.
    """
    gc.unfreeze()  # what a program froze is in no list of the collector's
    return [
        each
        for each in gc.get_objects()
        if type(each) in _BOUND and type(each.__self__) in KINDS and each.__name__ in DRAWING
    ]


_BOUND = (type(random.random), type(random.shuffle))
