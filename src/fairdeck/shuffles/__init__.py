"""Shuffles known by name: the fair, the faulty, and what hands do.

Each file here holds one shuffle, or one family of them, and lists what it offers as ``KNOWN``;
`registry` finds the files by itself. A shuffle is a small frozen object that, called with a deck
size and a source of randomness, returns an arrangement: ``a[i]`` is the card, named by where it
started, that now lies at ``i`` (see `fairdeck.permutation`). Written for reading, and small enough
to be enumerated; it takes all its randomness from the `rng` it is handed.

A shuffle that keeps something from deck to deck (a clock, a generator of its own) has a method
``stream(n, rng)`` instead, which yields one arrangement after another.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from fairdeck.errors import FairdeckError
from fairdeck.permutation import identity, then
from fairdeck.reading import whole_number

if TYPE_CHECKING:
    from random import Random

MOST_CARDS = 10_000
MOST_TIMES = 10_000

Shuffle = Callable[[int, "Random"], Sequence[int]]


@runtime_checkable
class Streaming(Protocol):
    """A shuffle with a memory: it makes decks one after another."""

    def stream(self, n: int, rng: "Random") -> Iterator[Sequence[int]]:
        """Yield arrangements of `n` cards for ever."""
        ...


@dataclass(frozen=True, slots=True)
class Known:
    """A shuffle with its name and what is known of it.

    Attributes:
        name: as it is typed, in lower case with hyphens, such as ``modulo-8``.
        shuffle: the shuffle itself, ``shuffle(n, rng)``, or an object with ``stream(n, rng)``.
        fair: whether all n! orders are equally likely (and the decks independent).
        says: its defect, or why it is fair, in one plain sentence.
        source: the paper, book or program it is from.
        carried: whether each deck starts from the one before instead of from the sorted deck.
        least: the fewest cards it works with.
        by_hand: whether hands do it, or a machine that moves cards, rather than a program.
        kernel: which of the kernels makes its decks for the lab: the same law, other decks; none if empty.
    """

    name: str
    shuffle: Shuffle | Streaming
    fair: bool
    says: str
    source: str
    carried: bool = False
    least: int = 1
    by_hand: bool = False
    kernel: str = ""

    def decks(self, n: int, rng: "Random") -> Iterator[Sequence[int]]:
        """Yield decks of `n` cards, base first, for ever.

        Raises:
            FairdeckError: there are fewer cards than this shuffle works with.
        """
        if n < self.least:
            raise FairdeckError(f"{self.name} needs {self.least} cards or more; the deck has {n}")
        if isinstance(self.shuffle, Streaming):
            yield from self.shuffle.stream(n, rng)
            return
        deck: Sequence[int] = identity(n)
        while True:
            if self.carried:
                deck = then(deck, self.shuffle(n, rng))
                yield deck
            else:
                yield self.shuffle(n, rng)


@dataclass(frozen=True, slots=True)
class Repeated:
    """A shuffle done several times over, each time to the deck that the last one left."""

    shuffle: Shuffle
    times: int

    def __call__(self, n: int, rng: "Random") -> Sequence[int]:
        """Return the arrangement after all of them."""
        deck: Sequence[int] = identity(n)
        for _ in range(self.times):
            deck = then(deck, self.shuffle(n, rng))
        return deck


@cache
def registry() -> dict[str, Known]:
    """Return every known shuffle by its name, in alphabetical order."""
    found = [known for module in iter_modules(__path__) for known in import_module(f"{__name__}.{module.name}").KNOWN]
    return {known.name: known for known in sorted(found, key=lambda known: known.name)}


def find(name: str) -> Known:
    """Return the shuffle called `name`; ``riffle*7`` is the riffle, seven times over.

    Raises:
        FairdeckError: no shuffle is called so, or it cannot be repeated.

    >>> find("riffle*7").name
    'riffle*7'
    """
    base, star, times = name.partition("*")
    known = registry().get(base.strip())
    if known is None:
        raise FairdeckError(f"no shuffle is called {base.strip()!r}{_near(base.strip())}; see: fairdeck shuffles")
    if not star:
        return known
    count = whole_number(times, f"{name}: the times", 1, MOST_TIMES)
    if isinstance(known.shuffle, Streaming) or known.carried:
        raise FairdeckError(f"{known.name} goes on from its last deck already; it cannot be repeated as {name!r}")
    return replace(
        known,
        name=f"{known.name}*{count}",
        shuffle=Repeated(known.shuffle, count),
        says=f"{count} times over: {known.says}",
    )


def _near(name: str) -> str:
    from difflib import get_close_matches  # for a slip only

    close = get_close_matches(name, registry(), 3)
    return f" (near: {', '.join(close)})" if close else ""
