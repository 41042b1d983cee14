"""The doors of the house: a public name compares what it is given with its own annotations, on entry.

`checked` wraps a public function, `check_fields` begins the ``__post_init__`` of public data. Both refuse a value of
the wrong kind with one line: the argument, what it must be and what it is. Whole numbers of NumPy become Python's.
Ranges, and what must fit together, are checked inside. Annotations of other kinds than those below accept every value.
"""

import typing
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import fields
from functools import cache, wraps
from importlib import import_module
from inspect import signature, unwrap
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar, Union

from fairdeck.errors import FairdeckError
from fairdeck.numbers import integer, is_short, real, shortened

P = ParamSpec("P")
R = TypeVar("R")
MISFIT = object()


class Kind(NamedTuple):
    """What an annotation accepts: in words, and a function that returns the value as read, or `MISFIT`."""

    words: str
    read: Callable[[Any], Any]


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return `function` with a door: its arguments are compared with its annotations.

    >>> @checked
    ... def twice(cards: int) -> int:
    ...     return 2 * cards
    >>> twice(2.5)
    Traceback (most recent call last):
    fairdeck.errors.FairdeckError: cards must be a whole number, not 2.5
    """

    @wraps(function)
    def door(*args: P.args, **kwargs: P.kwargs) -> R:
        __tracebackhide__ = True
        kinds = _kinds_of(function)
        read = [_read(name, kinds[name], value) for name, value in zip(_places_of(function), args, strict=False)]
        named = {name: _read(name, kinds.get(name, ANYTHING), value) for name, value in kwargs.items()}
        return function(*read, *args[len(read) :], **named)  # type: ignore[arg-type]

    return door


def check_fields(data: Any) -> None:
    """Compare the fields of a dataclass that is being made with their annotations."""
    for name, kind in _kinds_of(data.__class__).items():
        value = getattr(data, name)
        read = _read(name, kind, value)
        if read is not value:
            object.__setattr__(data, name, read)


def _read(name: str, kind: Kind, value: object) -> Any:
    read = kind.read(value)
    if read is MISFIT:
        raise FairdeckError(f"{name} must be {kind.words}, not {shortened(value)}")
    return read


@cache
def _places_of(function: Any) -> list[str]:
    """Return the names of the parameters that are given by their place."""
    parameters = signature(function).parameters.items()
    return [name for name, each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]


@cache
def _kinds_of(owner: Any) -> dict[str, Kind]:
    """Return the kind of each parameter of a function, or of each field of a dataclass."""
    if isinstance(owner, type):
        annotations: dict[str, Any] = {each.name: each.type for each in fields(owner)}
        names = vars(import_module(owner.__module__))
    else:
        annotations = {name: each.annotation for name, each in signature(owner).parameters.items()}
        names = unwrap(owner).__globals__
    return {name: _kind(_resolved(each, names)) for name, each in annotations.items()}


def _resolved(annotation: Any, names: Mapping[str, Any]) -> Any:
    """Return an annotation that is written as a text; Any if its names are known to type checkers only."""
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, dict(names))  # noqa: S307 - the text is from our own source
    except NameError:
        return Any


def _kind(annotation: Any) -> Kind:
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in PLAIN:
        return PLAIN[annotation]
    if origin is Literal:
        return Kind(_either([repr(each) for each in inner]), lambda value: value if _is_one(value, inner) else MISFIT)
    if origin in (Union, UnionType):
        return _one_of([_kind(each) for each in inner])
    if origin is tuple and inner[1:] == (...,):
        return _tuple_of(_kind(inner[0]))
    if origin in COLLECTIONS:
        return _collection(origin, inner[0] if inner else Any)
    if origin is Callable or annotation is Callable:
        return Kind("a function", lambda value: value if callable(value) else MISFIT)
    if isinstance(annotation, type) and annotation.__module__.startswith("fairdeck"):
        return Kind(f"a {annotation.__name__}", lambda value: value if isinstance(value, annotation) else MISFIT)
    return ANYTHING


def _whole(value: Any) -> Any:
    found = integer(value)
    return MISFIT if found is None or not is_short(found) else found


def _instance(of: type) -> Callable[[Any], Any]:
    return lambda value: value if isinstance(value, of) else MISFIT


def _is_one(value: Any, known: Iterable[Any]) -> bool:
    return any(type(value) is type(each) and value == each for each in known)


def _one_of(kinds: Sequence[Kind]) -> Kind:
    def read(value: Any) -> Any:
        return next((found for each in kinds if (found := each.read(value)) is not MISFIT), MISFIT)

    return ANYTHING if ANYTHING in kinds else Kind(_either([each.words for each in kinds]), read)


def _all_of(kind: Kind) -> Kind:
    def read(values: Any) -> Any:
        if kind is PLAIN[int] and isinstance(values, tuple) and set(map(type, values)) <= {int}:
            return values  # nearly always; then nothing is copied
        found = tuple(map(kind.read, values))
        return MISFIT if any(each is MISFIT for each in found) else found

    return Kind(kind.words, read)


def _tuple_of(kind: Kind) -> Kind:
    def read(values: Any) -> Any:
        return _all_of(kind).read(values) if isinstance(values, tuple) else MISFIT

    return Kind(f"a tuple, each item {kind.words}", read)


def _collection(of: Any, item: Any) -> Kind:
    """Return the kind of a sequence or an iterable. Sets and mappings have no order; a text is no list of numbers."""
    of_kind = PLAIN.get(item)
    items = _all_of(of_kind) if of_kind else ANYTHING
    unordered = () if of is Set else (Set, Mapping)
    unfit = (type, *unordered, *((str, bytes) if of_kind else ()))

    def read(values: Any) -> Any:
        fits = values.ndim > 0 if hasattr(values, "ndim") else isinstance(values, of)
        return items.read(values) if fits and not isinstance(values, unfit) else MISFIT

    if of is Set:
        return Kind("a set", read)
    return Kind(f"a list, each item {of_kind.words}" if of_kind else "a list or the like", read)


def _either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


ANYTHING = Kind("anything", lambda value: value)
PLAIN: dict[Any, Kind] = {
    int: Kind("a whole number", _whole),
    float: Kind("a finite number", lambda value: MISFIT if real(value) is None else value),
    str: Kind("a text", _instance(str)),
    bytes: Kind("bytes", _instance(bytes)),
    bool: Kind("True or False", _instance(bool)),
    None: Kind("None", _instance(NoneType)),
    NoneType: Kind("None", _instance(NoneType)),
}
COLLECTIONS = (Sequence, Iterable, Set)
