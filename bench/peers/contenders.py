"""The contenders of each job, all with one signature: ``work(out, seed)`` fills `out` and returns what it made.

Two jobs:

* rows: `out` has the shape ``(decks, cards)``, uint8 up to 255 cards and uint16 beyond; every row becomes a
  shuffled deck. Ours also lays decks side by side, in groups of 64, ``(decks // 64, cards, 64)``, for
  programs that read one place of many decks at once.
* tops: `out` has the shape ``(hands, 5)``, uint8; every row becomes the five top cards of a shuffled deck of 52.

A contender may return something other than `out`, a list for instance: the check reads what is returned.
"""

import ctypes
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.peers.build import Recipe
from fairdeck import bulk

Array = npt.NDArray[Any]
Work = Callable[[Array, int], Any]

CARDS, TOP = 52, 5  # of the hands
GROUP = 64  # decks side by side
CACHED = 8192  # decks: few enough that NumPy keeps them in the caches
OURS, CPP, RUST, NUMPY, PYTHON = "fairdeck", "C++", "Rust", "NumPy", "Python"
SHUFFLES = {
    "standard": "std::shuffle, mt19937_64",
    "inside_out": "inside-out, Lemire's draws, wyrand",
    "batched": "batched Fisher-Yates, wyrand",
    "inside_out_batched": "batched inside-out, wyrand",
}
TOPS = {
    "partial": "partial Fisher-Yates, Lemire's draws, wyrand",
    "batched": "partial Fisher-Yates, one word a hand, wyrand",
}


@dataclass(frozen=True)
class Contender:
    """One way to do a job.

    Attributes:
        name: the method and its generator.
        family: the language or library.
        made: the compiler with its flags, if it matters.
        work: does it.
        layout: ``rows`` or ``groups``: how decks lie in `out`.
        most: cards in a deck, at most.
        plain: the usual way in NumPy; ratios refer to it.
    """

    name: str
    family: str
    work: Work = field(repr=False)
    made: str = ""
    layout: str = "rows"
    most: int = 65_535
    plain: bool = False

    @property
    def ours(self) -> bool:
        """Whether it is fairdeck's."""
        return self.family == OURS

    def place(self, cards: int, decks: int) -> Array:
        """Return an array for decks to be shuffled into."""
        dtype = np.uint8 if cards <= 255 else np.uint16
        return np.zeros((decks, cards) if self.layout == "rows" else (decks // GROUP, cards, GROUP), dtype=dtype)

    def decks(self, out: Array, seed: int) -> Array:
        """Return decks made in `out`, as rows."""
        made = np.asarray(self.work(out, seed))
        return made if self.layout == "rows" else made.transpose(0, 2, 1).reshape(-1, made.shape[1])


def rows(recipes: list[Recipe]) -> list[Contender]:
    """Return every contender that shuffles rows, the peers as `recipes` build them."""
    return [*_compiled_rows(recipes), *_python_rows(), *_our_rows()]


def tops(recipes: list[Recipe]) -> list[Contender]:
    """Return every contender that deals the top cards: made for that, or whole decks and then their tops."""
    found = [
        Contender(named, CPP, partial(_array, _function(library, f"tops_{name}", sizes=1)), recipe.name)
        for recipe, library in _libraries(recipes)
        if recipe.compiler != "cargo"
        for name, named in TOPS.items()
    ]
    found += [
        Contender(f"{each.name}, then sliced", each.family, partial(_sliced, each.work), each.made, plain=each.plain)
        for each in rows(recipes)
        if each.family not in (OURS, PYTHON)
    ]
    found.append(Contender("random.sample of a range", PYTHON, _sampled))
    if permutations := ours("permutations"):
        found.append(Contender("bulk.permutations, top=5", OURS, partial(_our_tops, permutations)))
    return found


def ours(function: str) -> Callable[..., Any] | None:
    """Return a function of `fairdeck.bulk`, or of its file `decks`; None where numba is missing."""
    if not bulk.available():
        return None
    from fairdeck.bulk import decks  # it needs numba

    found: Callable[..., Any] = getattr(bulk if function in bulk.__all__ else decks, function)
    return found


def _libraries(recipes: list[Recipe]) -> Iterator[tuple[Recipe, ctypes.CDLL]]:
    for recipe in recipes:
        if not recipe.missing:
            yield recipe, recipe.load()


def _function(library: ctypes.CDLL, name: str, sizes: int) -> Callable[..., None]:
    function = getattr(library, name)
    function.argtypes = [ctypes.c_void_p, *[ctypes.c_size_t] * sizes, ctypes.c_uint64]
    function.restype = None
    found: Callable[..., None] = function
    return found


def _compiled_rows(recipes: list[Recipe]) -> Iterator[Contender]:
    for recipe, library in _libraries(recipes):
        rust = recipe.compiler == "cargo"
        for name, named in ({"rand": "rand 0.8 shuffle, SmallRng"} if rust else SHUFFLES).items():
            bits8, bits16 = (_function(library, f"rows{bits}_{name}", sizes=2) for bits in (8, 16))
            yield Contender(named, RUST if rust else CPP, partial(_rows, bits8, bits16), recipe.name)


def _rows(bits8: Callable[..., None], bits16: Callable[..., None], out: Array, seed: int) -> Array:
    decks, cards = out.shape
    (bits8 if out.itemsize == 1 else bits16)(out.ctypes.data, cards, decks, seed)
    return out


def _array(function: Callable[..., None], out: Array, seed: int) -> Array:
    function(out.ctypes.data, len(out), seed)
    return out


def _python_rows() -> list[Contender]:
    return [
        Contender("random.shuffle of a list", PYTHON, _list_rows),
        Contender("Generator(SFC64).permuted", NUMPY, _permuted, plain=True),
        Contender("argsort of random 64-bit keys, SFC64", NUMPY, _argsorted),
        Contender("sort of random keys with the card in them, SFC64", NUMPY, _packed),
    ]


def _list_rows(out: Array, seed: int) -> list[list[int]]:
    decks, cards = out.shape
    shuffle = random.Random(seed).shuffle
    made = []
    for _ in range(decks):
        deck = list(range(cards))
        shuffle(deck)
        made.append(deck)
    return made


def _generator(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.SFC64(seed))


def _permuted(out: Array, seed: int) -> Array:
    out[:] = np.arange(out.shape[1], dtype=out.dtype)
    return _generator(seed).permuted(out, axis=1, out=out)


def _argsorted(out: Array, seed: int) -> Array:
    rng, todo = _generator(seed), np.arange(len(out))
    while len(todo):  # decks with equal keys again: given that all keys differ, every order is as likely
        keys = rng.integers(2**64, size=(len(todo), out.shape[1]), dtype=np.uint64)
        order = keys.argsort(axis=1)
        out[todo] = order
        keys = np.take_along_axis(keys, order, axis=1)
        todo = todo[(keys[:, 1:] == keys[:, :-1]).any(axis=1)]
    return out


def _packed(out: Array, seed: int) -> Array:
    rng, todo, cards = _generator(seed), np.arange(len(out)), out.shape[1]
    mask = np.uint32((1 << (cards - 1).bit_length()) - 1)
    card = np.arange(cards, dtype=np.uint32)
    while len(todo):
        keys = rng.integers(2**64, size=(len(todo) * cards + 1) // 2, dtype=np.uint64).view(np.uint32)
        keys = keys[: len(todo) * cards].reshape(len(todo), cards)
        keys &= ~mask
        keys |= card
        keys.sort(axis=1)
        if len(todo) == len(out):
            np.copyto(out, keys & mask, casting="unsafe")
        else:
            out[todo] = keys & mask
        keys |= mask
        todo = todo[(keys[:, 1:] == keys[:, :-1]).any(axis=1)]
    return out


def _our_rows() -> Iterator[Contender]:
    if fill := ours("fill"):
        yield Contender("bulk.fill", OURS, partial(_filled, fill))
    if fill := ours("fill_groups"):
        yield Contender("bulk.fill_groups", OURS, partial(_filled, fill), layout="groups", most=104)
    if permutations := ours("permutations"):
        yield Contender("bulk.permutations", OURS, partial(_our_permutations, permutations))


def _filled(fill: Callable[..., Any], out: Array, seed: int) -> Array:
    fill(out, seed, 0)
    return out


def _our_permutations(permutations: Callable[..., Any], out: Array, seed: int) -> Any:
    return permutations(*out.shape, seed=seed, threads=1)


def _our_tops(permutations: Callable[..., Any], out: Array, seed: int) -> Any:
    return permutations(len(out), CARDS, top=TOP, seed=seed, threads=1)


def _sliced(work: Work, out: Array, seed: int) -> Array:
    made: Array = work(_whole(len(out)), seed)
    return made[:, -TOP:]


@lru_cache(maxsize=1)
def _whole(decks: int) -> Array:
    return np.zeros((decks, CARDS), np.uint8)


def _sampled(out: Array, seed: int) -> list[list[int]]:
    sample = random.Random(seed).sample
    return [sample(range(CARDS), TOP) for _ in out]
