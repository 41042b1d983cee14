"""What is computed once of some decks is kept with them."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Decks = TypeVar("Decks")
Made = TypeVar("Made")


def once(make: Callable[[Decks], Made]) -> Callable[[Decks], Made]:
    """Return a function of an object that keeps its result with the object, like a cached property."""
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def kept(decks: Decks) -> Made:
        held = vars(decks)
        if name not in held:
            held[name] = make(decks)
        result: Made = held[name]
        return result

    return kept
