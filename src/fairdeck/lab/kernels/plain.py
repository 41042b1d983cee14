"""The kernels once more, as one would write them for one deck: the same decks, a thousand times slower.

To read beside `streams`, `columns` and `swaps`, and to test them by. Nothing else calls it.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.permutation import Permutation

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
LANES = 32  # dice of 16 bits thrown together
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


def columns(n: int, seed: int, block: int) -> Iterator[Permutation]:
    """Yield the decks of a block of small decks."""
    first, second = generators(seed, block)
    spare = list[Permutation]()
    while True:
        for deck in group(n, first, second):
            while not deck and not spare:
                spare = list(filter(None, group(n, first, second)))
            yield deck or spare.pop(0)


def group(n: int, first: Iterator[Words], second: Iterator[Words]) -> list[Permutation | None]:
    """Return the next 64 decks; none where a word was rejected."""
    sides = range(n, 0, -1)
    throws = np.array([np.stack([next(half).view(np.uint16) for half in (first, second)], 1).ravel() for _ in sides])
    decks: list[Permutation | None] = []
    for words in throws.T.astype(int).tolist():
        dice = [divmod(word * side, 2**16) for word, side in zip(words, sides, strict=True)]
        fair = all(rest >= 2**16 % side for (_, rest), side in zip(dice, sides, strict=True))
        decks.append(decoded([die for die, _ in dice]) if fair else None)
    return decks


def decoded(codes: list[int]) -> Permutation:
    """Return the order of which code k says how many of the cards that are left lie below the one at place k."""
    left = list(range(len(codes)))
    return tuple(left.pop(code) for code in codes)


def inside_out(dice: list[int]) -> Permutation:
    """Return the deck of Fisher and Yates' swaps, die after die: of two sides, of three, and so on."""
    deck = [0]
    for place, other in enumerate(dice, 1):
        deck.append(deck[other] if other < place else place)
        deck[other] = place
    return tuple(deck)


def swaps(n: int, seed: int, block: int) -> Iterator[Permutation]:
    """Yield the decks of a block of larger decks."""
    words, _ = generators(seed, block)
    bits = 16 if n <= NARROW_UP_TO else 32
    lanes = LANES * 16 // bits
    while True:
        decks: tuple[list[int], list[int]] = ([], [])
        while len(decks[0]) < n:
            side = len(decks[0]) + 1
            sides = [number if number <= n else 1 for number in range(side, side + 2 * lanes)]
            thrown = throw(words, (sides[:lanes], sides[lanes:]) * 2, bits)
            decks[0].extend(thrown[0] + thrown[1])
            decks[1].extend(thrown[2] + thrown[3])
        for dice in decks:
            yield inside_out(dice[1:n])  # the first die has one side


def throw(words: Iterator[Words], sides: tuple[list[int], ...], bits: int) -> list[list[int]]:
    """Return so many throws, each lane with one word to spare; all of them again as long as a lane has not enough."""
    while True:
        *throws, spare = (next(words).view(np.uint16 if bits == 16 else np.uint32).tolist() for _ in (*sides, None))
        columns = zip(zip(*throws, strict=True), zip(*sides, strict=True), spare, strict=True)
        lanes = [lane(list(words), sides, spare, bits) for words, sides, spare in columns]
        if all(lanes):
            return [list(dice) for dice in zip(*lanes, strict=True)]


def lane(words: list[int], sides: tuple[int, ...], spare: int, bits: int) -> list[int]:
    """Return a lane's dice, with the spare word in place of the one that is rejected; none if that is not enough."""

    def fair(at: int) -> bool:
        rest: int = words[at] * sides[at] % (1 << bits)
        return rest >= (1 << bits) % sides[at]

    unfair = [at for at in range(len(words)) if not fair(at)]
    for at in unfair:
        words[at] = spare
    if len(unfair) > 1 or not all(map(fair, unfair)):
        return []
    return [word * side >> bits for word, side in zip(words, sides, strict=True)]
