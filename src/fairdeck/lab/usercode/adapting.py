"""A user's shuffle, adapted: find the function, learn how to call it, and read the deck that it gives.

This module loads the standard library only, because the process that runs the function loads it too:
NumPy is there only if the function imports it.
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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from itertools import chain, islice
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from fairdeck.errors import FairdeckError
from fairdeck.lab.usercode.faults import counted, excerpt, part_of, shortened

SIZE_NAMES = {
    *("n", "size", "count", "number", "num", "length", "total", "deck_size", "card_count"),
    *("n_cards", "ncards", "num_cards", "number_of_cards"),
}
RNG_NAMES = {"rng", "random", "rand", "rnd", "prng", "generator"}
LAB, LIBRARY = Path(__file__).parents[1], sysconfig.get_path("stdlib")
NO_ORDER = "give a list, or say seen set:7 if seven cards are seen in no order"

Function = Callable[..., Any]


class CannotCall(FairdeckError):
    """The function cannot be found or called; the message gives the reason and the remedy."""


class NotADeck(Exception):
    """The function did not give a list of whole numbers; the message continues "deck 5 ..."."""


# --- finding the function


def split_name(name: str) -> tuple[str, str]:
    """Return the module or file, and the function, of ``package.module:function`` or ``file.py:function``."""
    place, _, function = name.rpartition(":")
    if not (place and function) or function.startswith(("\\", "/")):  # C:\deck.py names a drive, and no function
        raise CannotCall("names no function; write package.module:function or path/to/file.py:function")
    return place, function


def load(name: str) -> Function:
    """Return the function with this name, or raise `CannotCall`; the current directory can be imported from."""
    place, path = split_name(name)
    sys.path.insert(0, str(Path.cwd()))
    return _function_of(_module_of(place), path, place)


def _module_of(place: str) -> ModuleType:
    """Import a module, or a file if the name ends with .py."""
    if place.endswith(".py") and not Path(place).is_file():
        raise CannotCall(f"there is no file {place}; check the path")
    try:
        return _module_in(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name and (place == error.name or place.startswith(f"{error.name}.")):
            raise CannotCall(
                f"no module is called {error.name!r}, here or among the installed packages; check the name, "
                "or write the path of a file.py"
            ) from None
        raise CannotCall(f"cannot import {place}: {described(error)}") from None
    except BaseException as error:
        raise CannotCall(f"cannot import {place}: {described(error)}") from None


def _module_in(path: Path) -> ModuleType:
    """Run a file as a module; the file can import its neighbours."""
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be read as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)  # a user's file random.py must not replace the module random
    spec.loader.exec_module(module)
    return module


def _function_of(module: ModuleType, path: str, place: str) -> Function:
    """Return the function called `path` in a module; a method belongs to a new object of its class."""
    found: Any = module
    for name in path.split("."):
        if not hasattr(found, name):
            near = get_close_matches(name, [each for each in dir(found) if not each.startswith("__")], 3)
            raise CannotCall(f"{place} has no {name!r}; " + (f"near: {', '.join(near)}" if near else "check the name"))
        owner, found = found, getattr(found, name)
        if inspect.isclass(owner) and _is_method(owner, name):
            found = getattr(_new(owner), name)
    if not callable(found):
        raise CannotCall(f"{path} of {place} has the type {type(found).__name__}; name a function")
    return found  # type: ignore[no-any-return]


def _is_method(owner: type, name: str) -> bool:
    """Say whether calling it takes an object of the class."""
    found = inspect.getattr_static(owner, name)
    return inspect.isroutine(found) and not isinstance(found, staticmethod | classmethod)


def _new(owner: type) -> Any:
    try:
        return owner()
    except Exception as error:
        raise CannotCall(f"cannot make a {owner.__name__}: {described(error)}; name a function instead") from None


# --- calling it


class Adapter:
    """A user's function, called in the way that its parameters ask for, with `rng` if one is for a generator.

    `takes` is ``deck`` or ``n``; None reads it from the signature, which may ask for neither: ``deal_hands()``. A
    second number, as in ``sample(deck, k)``, is that of the cards of the `glimpse`. Raises CannotCall if the function
    does not take what it should, or needs more than that and a generator.
    """

    def __init__(
        self, function: Function, takes: str | None, rng: random.Random, glimpse: "Glimpse | None" = None
    ) -> None:
        parameters = _parameters_of(function)
        named = next((p for p in parameters if p.name.lower() in RNG_NAMES), None)
        others = [p for p in parameters if p is not named and p.kind is not p.KEYWORD_ONLY]
        asks = len(others) > 1 and _required(others[1])
        number = others[1] if asks and (_wants_size(others[1]) or others[1].name == "k") else None
        if named is None and asks and number is None:
            named = others.pop(1)
        fixed = glimpse is not None and glimpse.width == glimpse.fewest and not glimpse.hand
        self._more = [glimpse.width] if number and glimpse and fixed else []
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)
        self.rng = _numpy_generator(rng) if named is not None and _is_numpy(named.annotation) else rng
        self.rng_name = named.name if named is not None else None
        alone = not others and not _takes_anything(function)
        if alone and takes:
            raise CannotCall(
                f"{self.name} takes no {takes}; write it as f(deck), f(deck, rng) or f(n), or leave takes out"
            )
        self.takes = takes or ("" if alone else "n" if others and _wants_size(others[0]) else "deck")
        given = [*filter(None, [self.takes]), *map(str, self._more), *["rng"] * (named is not None)]
        self.says = f"called as {self.name}({', '.join(given)})"
        if more := [p.name for p in parameters if p not in (*others[: 1 + len(self._more)], named) and _required(p)]:
            wanted = ", ".join(more) + (", if it is the number of cards seen: --seen top:N or set:N" if number else "")
            raise CannotCall(f"{self.name} needs more than a deck and a generator: {wanted}; wrap it as f(deck, rng)")
        self._first = named is not None and parameters[0] is named and bool(others)
        self._by_place = named is None or named.kind is named.POSITIONAL_ONLY

    def call(self, given: Any) -> Any:
        """Call the function with a deck or a number, if it takes one."""
        plain = (given, *self._more) if self.takes else ()
        if self.rng_name is None:
            return self.function(*plain)
        if self._first:
            return self.function(self.rng, *plain)
        if self._by_place:
            return self.function(*plain, self.rng)
        return self.function(*plain, **{self.rng_name: self.rng})

    def shuffled(self, deck: list[Any], *, ordered: bool = True) -> list[Any]:
        """Return what the function makes of a copy of `deck`, or of the number of its cards; or raise `NotADeck`.

        If the order of the cards counts, a set of Python is a `CannotCall`: its order is not that of the shuffle.
        """
        given = len(deck) if self.takes == "n" else deck.copy()
        made = self.call(given)
        if made is None and not self.takes:
            raise CannotCall(f"{self.name} takes nothing and returns nothing: return the deck, or write it as f(deck)")
        if ordered and isinstance(made, set | frozenset):
            raise CannotCall(f"{self.name} gives a set of Python, which has no order: {NO_ORDER}")
        return as_list(given if made is None and self.takes == "deck" else made, len(deck))


def _parameters_of(function: Function) -> list[inspect.Parameter]:
    """Return the parameters; none for many functions written in C, which do not tell."""
    try:
        found = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return []
    return [p for p in found if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def _takes_anything(function: Function) -> bool:
    """Say whether a function without a parameter for a deck may take one all the same."""
    try:
        return any(p.kind is p.VAR_POSITIONAL for p in inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return True


def _required(parameter: inspect.Parameter) -> bool:
    return parameter.default is parameter.empty


def _wants_size(parameter: inspect.Parameter) -> bool:
    """Say whether a parameter is the number of cards, by its annotation or else by its name."""
    if parameter.annotation is not parameter.empty:
        return parameter.annotation in (int, "int")
    return parameter.name in SIZE_NAMES


def _is_numpy(annotation: Any) -> bool:
    """Say whether a parameter is a NumPy Generator."""
    return str(getattr(annotation, "__name__", annotation)).rpartition(".")[2] == "Generator" and "numpy" in sys.modules


def _numpy_generator(rng: random.Random) -> Any:
    """Return a NumPy Generator that is a function of `rng`."""
    return sys.modules["numpy"].random.default_rng(rng.getrandbits(256))


def seed_all(text: str) -> None:
    """Seed the global generators that a function may use: those of `random`, and of NumPy if it is loaded."""
    random.seed(text)
    if "numpy" in sys.modules:
        words = struct.unpack("<16I", hashlib.sha512(text.encode()).digest())
        sys.modules["numpy"].random.seed(list(words))


# --- reading the deck


def listed(cards: Collection[Any]) -> list[Any]:
    """Return cards as a list; those of a set sorted, as the order of names in one differs from run to run."""
    return sorted(cards, key=str) if isinstance(cards, set | frozenset) else list(cards)


def as_list(result: Any, cards: int) -> list[Any]:
    """Return a result as a list, of an endless iterator only the beginning; or raise `NotADeck`."""
    if isinstance(result, list | tuple | set | frozenset):
        return listed(result)
    if hasattr(result, "tolist"):  # an array: many times faster than number by number
        result = result.tolist()
    if isinstance(result, str | dict) or not isinstance(result, Iterable):
        raise NotADeck(f"is not a deck: the function returned {_short(result)}")
    return list(islice(result, cards + 1))


def packed(deck: list[Any], cards: int) -> bytes:
    """Return a deck as 32-bit integers; `NotADeck` if an item is none, or the number of cards is wrong."""
    if len(deck) == cards:
        try:
            return array("i", deck).tobytes()
        except (TypeError, OverflowError):
            pass
    for item in deck:
        if not _is_card(item):
            hands = isinstance(item, list | tuple) and 1 < len(item) <= cards // 2
            part = f"; if each is a hand: --seen hands:{len(deck)}x{len(item)}" if hands else ""
            raise NotADeck(f"holds {_short(item)}, which is not a whole number{part}")
    shown = excerpt([str(int(item)) for item in deck[: cards + 1]], cards)
    raise NotADeck(f"has {counted(len(deck))} instead of {cards:,}: {shown}{part_of(len(deck), cards)}")


class Glimpse(NamedTuple):
    """What a function gives of each deck, if that is only a part of it, or if cards have names."""

    width: int  # the most cards
    fewest: int  # the fewest
    hand: int  # the cards of each hand, which may be a list of its own; 0 if there are no hands
    numbers: Mapping[str, int]  # of the names of the cards
    ordered: bool  # whether the order of the cards counts


def of_hands(seen: Collection[Any], hand: int) -> Collection[Any]:
    """Return the cards of hands, each of which may be a list or a set; `NotADeck` if one of these has another size."""
    if not all(isinstance(each, list | tuple | set | frozenset) for each in seen):
        return seen
    sizes = [len(each) for each in seen]
    if {*sizes} - {hand}:
        raise NotADeck(f"has hands of {', '.join(map(str, sizes[:9]))} cards instead of {hand}")
    return [*chain.from_iterable(map(listed, seen))]


def packed_glimpse(seen: list[Any], glimpse: Glimpse) -> bytes:
    """Return the cards seen as 32-bit integers, -1 for what was not; `NotADeck` if they are none, or too many."""
    seen = [*of_hands(seen, glimpse.hand)] if glimpse.hand else seen
    words = [str(item) for item in seen]
    if not glimpse.fewest <= len(words) <= glimpse.width:
        most = f"{'1 to ' * (glimpse.fewest < glimpse.width)}{glimpse.width:,}"
        raise NotADeck(f"has {counted(len(words))} instead of {most}: {excerpt(words, glimpse.width)}")
    try:
        row = [glimpse.numbers[word] for word in words]
    except KeyError as error:
        odd = words.index(error.args[0])
        raise NotADeck(f"holds {_short(seen[odd])}, which is not a card: {excerpt(words, odd)}") from None
    return array("i", row + [-1] * (glimpse.width - len(row))).tobytes()


def _is_card(item: Any) -> bool:
    try:
        array("i", [item])
    except (TypeError, OverflowError):
        return False
    return True


def _short(thing: Any) -> str:
    try:
        return shortened(f"{thing!r:.60}")
    except Exception:
        return f"a {type(thing).__name__}"


def decks(adapter: Adapter, start: list[Any], carried: bool, glimpse: Glimpse | None = None) -> Iterator[bytes]:
    """Yield one deck after another, or what is seen of it, packed; if `carried`, each call begins with the last."""
    deck: list[Any] = start
    while True:
        made = adapter.shuffled(deck, ordered=not glimpse or glimpse.ordered)
        yield packed_glimpse(made, glimpse) if glimpse else packed(made, len(start))
        if carried:
            deck = made


def described(error: BaseException) -> str:
    """Return an exception in one line, with its place in the user's code where that is known."""
    message = ""
    with suppress(Exception):  # the text of an exception may be made by the user's code, too
        message = " ".join(str(error).split())
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    if isinstance(error, SyntaxError) and error.filename:
        return f"{text} ({error.filename}, line {error.lineno})"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not _is_ours(f.filename)]
    own = [f for f in frames if is_users(f.filename)] or frames
    return f"{text} ({own[-1].filename}, line {own[-1].lineno})" if own else text


@cache
def is_users(file: str) -> bool:
    """Say whether a line of code is neither ours nor of the standard library."""
    return not _is_ours(file) and (not file.startswith(LIBRARY) or "-packages" in file)


def _is_ours(file: str) -> bool:
    """Say whether a line of code belongs to the lab, or to the import machinery."""
    return Path(file).is_relative_to(LAB) or file.startswith("<frozen ")
