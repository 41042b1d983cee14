"""Forwarding: every `random.Random` of this process draws from one generator, however well it is hidden.

Python looks for the drawing methods in the classes `Random` and `SystemRandom`, and there they are replaced. So it
does not matter whether a generator is held by a module, an object, a dict or a closure. Two kinds keep what
is theirs: a generator that is made with a seed while the code runs, and a subclass that overrides a method. When such a
subclass calls the method of `Random`, that one is forwarded.
"""

import random
from collections.abc import Callable
from random import Random, SystemRandom
from typing import Any, Protocol, cast

KINDS = (Random, SystemRandom)
DRAWING = ("random", "getrandbits", "_randbelow")
OWN = "_draws_its_own_numbers"  # the attribute of a generator that was seeded while the code ran

_forwards = False


class Target(Protocol):
    """The `random.Random` that all others draw from."""

    def seed(self, a: Any = None) -> None:  # noqa: D102 - as in `random.Random`
        ...

    def choices(self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1) -> Any:  # noqa: D102
        ...


def is_forwarded(value: object) -> bool:
    """Say whether `value` is a generator all of whose draws are forwarded."""
    return _forwards and type(value) in KINDS and OWN not in vars(value)


def forward(rng: Target) -> None:
    """Let every generator draw from `rng`, from now on until the process ends."""
    global _forwards
    for name in DRAWING:
        _replace(name, _drawn(name, getattr(Random, name), rng))
    for name in ("getstate", "setstate"):
        setattr(Random, name, _drawn(name, getattr(Random, name), rng))
    SystemRandom.randbytes = Random.randbytes  # type: ignore[method-assign]
    _forward_choices(rng)
    _forward_seeds(rng)
    _forwards = True


def _replace(name: str, method: Callable[..., Any]) -> None:
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
    import gc

    return [
        each
        for each in gc.get_objects()
        if type(each) in _BOUND and type(each.__self__) in KINDS and each.__name__ in DRAWING
    ]


_BOUND = (type(random.random), type(random.shuffle))
