"""The kernels once more, as one would write them for one deck: the same decks, a thousand times slower.

To read beside `fairdeck.bulk.streams`, `columns` and `swaps`, and to test them against.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.permutation import Permutation

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
LANES = 32  # integers of 16 bits drawn together
NARROW_UP_TO = 4_000

Words = NDArray[np.uint64]


def mixed(word: int) -> int:
    """Return the output function of SplitMix64."""
    word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ word >> 27) * 0x94D049BB133111EB) & MASK
    return word ^ word >> 31


def words_of_a_block(seed: int, block: int) -> Iterator[int]:
    """Yield the words that the generators of a block start from."""
    low, high = seed & MASK, seed >> 64
    at = mixed((low + GOLDEN * (mixed((high + GOLDEN) & MASK) | 1)) & MASK)
    at = mixed(at ^ mixed((block + GOLDEN) & MASK))
    while True:
        at = (at + GOLDEN) & MASK
        yield mixed(at)


def xoshiro(a: Any, b: Any, c: Any, d: Any) -> Iterator[Any]:
    """Yield the words of xoshiro256++, of one generator or of several side by side."""
    with np.errstate(over="ignore"):
        while True:
            yield rotated(a + d, 23) + a
            kept = b << np.uint64(17)
            c, d = c ^ a, d ^ b
            b, a = b ^ c, a ^ d
            c, d = c ^ kept, rotated(d, 45)


def rotated(word: Any, by: int) -> Any:
    """Return 64 bits rotated to the left."""
    return word << np.uint64(by) | word >> np.uint64(64 - by)


def generators(seed: int, block: int) -> tuple[Iterator[Words], Iterator[Words]]:
    """Return the two times eight generators of a block."""
    words = words_of_a_block(seed, block)
    first, second = np.array([next(words) for _ in range(64)], np.uint64).reshape(2, 4, 8)
    return xoshiro(*first), xoshiro(*second)


def columns(n: int, seed: int, block: int, top: int | None = None) -> Iterator[Permutation]:
    """Yield the decks of a block of small decks, or their top cards."""
    first, second = generators(seed, block)
    spare = list[Permutation]()
    while True:
        for deck in group(n, top or n, first, second):
            while not deck and not spare:
                spare = list(filter(None, group(n, top or n, first, second)))
            yield deck or spare.pop(0)


def group(n: int, top: int, first: Iterator[Words], second: Iterator[Words]) -> list[Permutation | None]:
    """Return `top` cards of the next 64 decks; None where a word was rejected."""
    bounds = range(n, n - top, -1)
    rows = np.array([np.stack([next(half).view(np.uint16) for half in (first, second)], 1).ravel() for _ in bounds])
    decks: list[Permutation | None] = []
    for words in rows.T.astype(int).tolist():
        products = [divmod(word * bound, 2**16) for word, bound in zip(words, bounds, strict=True)]
        fair = all(rest >= 2**16 % bound for (_, rest), bound in zip(products, bounds, strict=True))
        decks.append(decoded([code for code, _ in products], n) if fair else None)
    return decks


def decoded(codes: list[int], n: int) -> Permutation:
    """Return the first cards of an order of `n`: code k picks one of the cards left for place k."""
    left = list(range(n))
    return tuple(left.pop(code) for code in codes)


def inside_out(others: list[int]) -> Permutation:
    """Return the deck of Fisher and Yates' swaps; `others` are integers below 2, below 3, and so on."""
    deck = [0]
    for place, other in enumerate(others, 1):
        deck.append(deck[other] if other < place else place)
        deck[other] = place
    return tuple(deck)


def swaps(n: int, seed: int, block: int) -> Iterator[Permutation]:
    """Yield the decks of a block of larger decks."""
    words, _ = generators(seed, block)
    while True:
        for integers in drawn(words, list(range(1, n + 1)), n):
            yield inside_out(integers[1:n])  # the first integer is below 1


def drawn(words: Iterator[Words], bounds: list[int], n: int) -> tuple[list[int], list[int]]:
    """Return integers below the bounds, and then below bounds of 1, for two decks."""
    bits = 16 if n <= NARROW_UP_TO else 32
    lanes = LANES * 16 // bits
    both: tuple[list[int], list[int]] = ([], [])
    for start in range(0, len(bounds), 2 * lanes):
        own = bounds[start : start + 2 * lanes]
        own += [1] * (2 * lanes - len(own))
        vectors = draw(words, (own[:lanes], own[lanes:]) * 2, bits)
        both[0].extend(vectors[0] + vectors[1])
        both[1].extend(vectors[2] + vectors[3])
    return both


def draw(words: Iterator[Words], bounds: tuple[list[int], ...], bits: int) -> list[list[int]]:
    """Return a vector of integers for each of `bounds`; each lane has one spare word, else all are drawn again."""
    while True:
        *vectors, spare = (next(words).view(np.uint16 if bits == 16 else np.uint32).tolist() for _ in (*bounds, None))
        columns = zip(zip(*vectors, strict=True), zip(*bounds, strict=True), spare, strict=True)
        lanes = [lane(list(words), bounds, spare, bits) for words, bounds, spare in columns]
        if all(lanes):
            return [list(integers) for integers in zip(*lanes, strict=True)]


def lane(words: list[int], bounds: tuple[int, ...], spare: int, bits: int) -> list[int]:
    """Return a lane's integers, the spare word in place of a rejected one; none if one spare word is not enough."""

    def fair(at: int) -> bool:
        rest: int = words[at] * bounds[at] % (1 << bits)
        return rest >= (1 << bits) % bounds[at]

    unfair = [at for at in range(len(words)) if not fair(at)]
    for at in unfair:
        words[at] = spare
    if len(unfair) > 1 or not all(map(fair, unfair)):
        return []
    return [word * bound >> bits for word, bound in zip(words, bounds, strict=True)]
