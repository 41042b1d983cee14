"""Calling somebody's shuffle: finding the function, how it wants to be called, and what it gives.

The standard library only: this is also loaded in the process where the function runs, and there
NumPy is loaded only if the function wants it.
"""

import hashlib
import importlib
import importlib.util
import inspect
import random
import struct
import sys
import sysconfig
import traceback
from array import array
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

SIZE_NAMES = {
    *("n", "size", "count", "number", "num", "length", "total", "deck_size", "card_count"),
    *("n_cards", "ncards", "num_cards", "number_of_cards"),
}
RNG_NAMES = {"rng", "random", "rand", "rnd", "prng", "generator"}

Function = Callable[..., Any]


class Refused(Exception):
    """The function cannot be called at all; the message says why, and the remedy."""


# --- finding the function


def module_of(place: str) -> ModuleType:
    """Import a module, or a file if it is called so."""
    if place.endswith(".py") and not Path(place).is_file():
        raise Refused(f"there is no file {place}; check the path")
    try:
        return module_in(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name and (place == error.name or place.startswith(f"{error.name}.")):
            raise Refused(
                f"no module is called {error.name!r}, here or among the installed packages; check the name, "
                "or write the path of a file.py"
            ) from None
        raise Refused(f"cannot import {place}: {described(error)}") from None
    except BaseException as error:
        raise Refused(f"cannot import {place}: {described(error)}") from None


def module_in(path: Path) -> ModuleType:
    """Run a file as a module; what lies beside it can be imported."""
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be read as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)  # a file called random.py must not pass for the module
    spec.loader.exec_module(module)
    return module


def function_of(module: ModuleType, path: str, place: str) -> Function:
    """Return what is called `path` in a module; a method is that of a new object of its class."""
    found: Any = module
    for name in path.split("."):
        if not hasattr(found, name):
            near = get_close_matches(name, [each for each in dir(found) if not each.startswith("__")], 3)
            raise Refused(f"{place} has no {name!r}" + (f"; near: {', '.join(near)}" if near else "; check the name"))
        owner, found = found, getattr(found, name)
        if inspect.isclass(owner) and is_method(owner, name):
            found = getattr(new(owner), name)
    if not callable(found):
        raise Refused(f"{path} of {place} is a {type(found).__name__}, and cannot be called; name a function")
    return found  # type: ignore[no-any-return]


def is_method(owner: type, name: str) -> bool:
    """Tell whether it needs an object of the class to be called."""
    found = inspect.getattr_static(owner, name)
    return inspect.isroutine(found) and not isinstance(found, staticmethod | classmethod)


def new(owner: type) -> Any:
    """Return a new object of a class."""
    try:
        return owner()
    except Exception as error:
        raise Refused(f"cannot make a {owner.__name__}: {described(error)}; name a function instead") from None


# --- calling it


class Form:
    """How a function wants to be called.

    Args:
        function: what is called.
        takes: ``deck`` or ``n``, or nothing to find out by its signature.
        rng: the source of randomness, for a function that has a parameter for one.
    """

    def __init__(self, function: Function, takes: str | None, rng: random.Random) -> None:
        parameters = parameters_of(function)
        named = next((p for p in parameters if p.name.lower() in RNG_NAMES), None)
        others = [p for p in parameters if p is not named and p.kind is not p.KEYWORD_ONLY]
        if named is None and len(others) > 1 and required(others[1]):
            named = others.pop(1)
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)
        self.rng = numpy_generator(rng) if named is not None and is_numpy(named.annotation) else rng
        self.rng_name = named.name if named is not None else None
        self.takes = takes or ("n" if others and wants_size(others[0]) else "deck")
        self.says = f"called as {self.name}({self.takes}{', rng' if named is not None else ''})"
        self._refuse(parameters, others, named)
        self._first = named is not None and parameters[0] is named and bool(others)
        self._by_place = named is None or named.kind is named.POSITIONAL_ONLY

    def _refuse(
        self, parameters: list[inspect.Parameter], others: list[inspect.Parameter], named: inspect.Parameter | None
    ) -> None:
        """See that a deck, or a number, and a generator are all that it needs.

        Raises:
            Refused: it takes no deck, or needs more.
        """
        if not others and not takes_anything(self.function):
            raise Refused(f"{self.name} takes no deck; write it as f(deck), f(deck, rng) or f(n)")
        more = [p.name for p in parameters if p not in (*others[:1], named) and required(p)]
        if more:
            wanted = ", ".join(more)
            raise Refused(f"{self.name} needs more than a deck and a generator: {wanted}; wrap it as f(deck, rng)")

    def call(self, given: Any) -> Any:
        """Call the function with a deck or a number of cards."""
        if self.rng_name is None:
            return self.function(given)
        if self._first:
            return self.function(self.rng, given)
        if self._by_place:
            return self.function(given, self.rng)
        return self.function(given, **{self.rng_name: self.rng})


def parameters_of(function: Function) -> list[inspect.Parameter]:
    """Return the parameters, none if the function does not tell, as many written in C."""
    try:
        found = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return []
    return [p for p in found if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def takes_anything(function: Function) -> bool:
    """Tell whether a function without a parameter for a deck takes one all the same, as far as it tells."""
    try:
        return any(p.kind is p.VAR_POSITIONAL for p in inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return True


def required(parameter: inspect.Parameter) -> bool:
    """Tell whether it must be given."""
    return parameter.default is parameter.empty


def wants_size(parameter: inspect.Parameter) -> bool:
    """Tell whether a parameter is the number of cards, by its type or else by its name."""
    if parameter.annotation is not parameter.empty:
        return parameter.annotation in (int, "int")
    return parameter.name in SIZE_NAMES


def is_numpy(annotation: Any) -> bool:
    """Tell whether a parameter is numpy's kind of generator."""
    return str(getattr(annotation, "__name__", annotation)).rpartition(".")[2] == "Generator" and "numpy" in sys.modules


def numpy_generator(rng: random.Random) -> Any:
    """Return a generator of numpy's that is a function of `rng`."""
    return sys.modules["numpy"].random.default_rng(rng.getrandbits(256))


def seed_all(text: str) -> None:
    """Seed the generators that a function may use without asking, apart from the one it is handed."""
    random.seed(text)
    if "numpy" in sys.modules:
        words = struct.unpack("<16I", hashlib.sha512(text.encode()).digest())
        sys.modules["numpy"].random.seed(list(words))


# --- what it gives


class Odd(Exception):
    """What came back is no deck of whole numbers; `fault` says what it is."""

    def __init__(self, **fault: Any) -> None:
        super().__init__()
        self.fault = fault


def as_list(result: Any, cards: int) -> list[Any]:
    """Return a result as a list; of one that goes on for ever, the beginning."""
    if isinstance(result, list | tuple):
        return list(result)
    if hasattr(result, "tolist"):  # an array: many times faster than number by number
        result = result.tolist()
    try:
        items = iter(result)
    except TypeError:
        raise Odd(returned=short(result)) from None
    return list(islice(items, cards + 1))


def packed(deck: list[Any], cards: int) -> bytes:
    """Return a deck as 32-bit integers."""
    if len(deck) == cards:
        try:
            return array("i", deck).tobytes()
        except (TypeError, OverflowError):
            pass
    for item in deck:
        if not is_card(item):
            raise Odd(item=short(item))
    raise Odd(count=len(deck), deck=[int(item) for item in deck[: cards + 1]])


def is_card(item: Any) -> bool:
    """Tell whether an item is a whole number that fits."""
    try:
        array("i", [item])
    except (TypeError, OverflowError):
        return False
    return True


def short(thing: Any) -> str:
    """Return what a thing looks like, in a few characters."""
    try:
        return f"{thing!r:.60}"
    except Exception:
        return f"a {type(thing).__name__}"


def decks(form: Form, start: list[int], carried: bool) -> Iterator[bytes]:
    """Yield deck after deck that the function gives."""
    cards = len(start)
    if form.takes == "n":
        while True:
            result = form.call(cards)
            if result is None:
                raise Odd(returned="None")
            yield packed(as_list(result, cards), cards)
    deck = start
    while True:
        given = deck.copy()
        result = form.call(given)
        deck_now = as_list(given if result is None else result, cards)
        yield packed(deck_now, cards)
        if carried:
            deck = deck_now


def described(error: BaseException) -> str:
    """Return an exception in one line, with the place in the user's code, as far as it is known."""
    message = " ".join(str(error).split())
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    if isinstance(error, SyntaxError) and error.filename:
        return f"{text} ({error.filename}, line {error.lineno})"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not is_ours(f.filename)]
    library = sysconfig.get_path("stdlib")
    own = [f for f in frames if not f.filename.startswith(library)] or frames
    return f"{text} ({own[-1].filename}, line {own[-1].lineno})" if own else text


def is_ours(file: str) -> bool:
    """Tell whether a line of code is the lab's, or the machinery of importing."""
    return Path(file).is_relative_to(Path(__file__).parent) or file.startswith("<frozen ")
