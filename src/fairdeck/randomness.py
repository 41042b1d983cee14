"""From random words to uniformly random orders, without a trace of bias.

Three layers, each handed the one below it:

* **words**: an iterator of independent uniform integers below 2**32 (`system_words`,
  `seeded_words`, or any tape of words);
* **dice**: unbiased integers below any bound, by rejection (`Dice`);
* **orders**: `uniform_permutation`, Fisher and Yates.

The dealing page repeats `Dice` and `uniform_permutation` in JavaScript: fed the same words, both
draw the same order. So every number here stays below 2**53, exact in a double.
"""

import hashlib
import os
from array import array
from collections.abc import Iterable, Iterator
from typing import Protocol

from fairdeck.errors import FairdeckError
from fairdeck.permutation import Permutation

WORD = 2**32
LARGEST_BOUND = 2**21
FIRST_READ = 32
LARGEST_READ = 65_536


class Chooser(Protocol):
    """Whatever can choose: the dice, or a test that tries every choice."""

    def below(self, bound: int) -> int:
        """Return one of 0..bound-1."""
        ...


def system_words() -> Iterator[int]:
    """Yield 32-bit words from the operating system's cryptographic generator, for ever.

    Reads 32 bytes first, enough for 52 cards, then twice as many each time up to 64 KiB: a small
    deck draws little, a large one makes few system calls.
    """
    size = FIRST_READ
    while True:
        yield from array("I", os.urandom(size))
        size = min(2 * size, LARGEST_READ)


def seeded_words(seed: bytes) -> Iterator[int]:
    """Yield the 32-bit words of MGF1 with SHA-256 over `seed`: a stream anyone can recompute.

    Block `i` is SHA-256(seed || i as four bytes), its words read big-endian. For tests and
    replays only: whoever knows the seed knows the deck. Source: RFC 8017, appendix B.2.1.

    >>> next(seeded_words(b"fairdeck")) == next(seeded_words(b"fairdeck"))
    True
    """
    start = hashlib.sha256(seed)
    for counter in range(WORD):
        block = start.copy()
        block.update(counter.to_bytes(4, "big"))
        digest = block.digest()
        for at in range(0, len(digest), 4):
            yield int.from_bytes(digest[at : at + 4], "big")


class Dice:
    """Unbiased integers from uniform words, by rejection, wasting almost nothing.

    Holds a value that is uniform below a range. To draw below `bound`, the range is cut into
    `bound` equal parts: the part is the answer, the place within it is the next value. A value
    that falls beyond the last whole part is rejected, and its place out there is kept as well.
    Nothing is thrown away, so n cards cost about log2(n!) bits plus the last, half-used word.
    A new word is taken when the range falls below 2**21.

    >>> dice = Dice(seeded_words(b"fairdeck"))
    >>> all(0 <= dice.below(6) < 6 for _ in range(100))
    True
    """

    def __init__(self, words: Iterable[int]) -> None:
        self._words = iter(words)
        self._value = 0
        self._range = 1

    def below(self, bound: int) -> int:
        """Return a uniform integer in 0..bound-1, for `bound` from 1 to 2**21.

        Raises:
            FairdeckError: the bound is out of range, or a finite tape of words has run out.
        """
        if not 1 <= bound <= LARGEST_BOUND:
            raise FairdeckError(f"cannot draw below {bound}: the bound must be 1 to {LARGEST_BOUND}")
        while True:
            if self._range < LARGEST_BOUND:
                self._refill()
            part = self._range // bound
            drawn = self._value // part
            if drawn < bound:
                self._value -= drawn * part
                self._range = part
                return drawn
            self._value -= bound * part
            self._range -= bound * part

    def _refill(self) -> None:
        word = next(self._words, None)
        if word is None:
            raise FairdeckError("the tape of random words has run out: give it more words")
        self._value = self._value * WORD + word
        self._range *= WORD


def uniform_permutation(n: int, dice: Chooser) -> Permutation:
    """Return one of the n! orders of `n` cards, each equally likely if `dice` is fair.

    Source: Durstenfeld's form of the Fisher-Yates shuffle, Knuth, TAOCP 2, algorithm 3.4.2P.
    """
    cards = list(range(n))
    below = dice.below
    for last in range(n - 1, 0, -1):
        drawn = below(last + 1)
        cards[last], cards[drawn] = cards[drawn], cards[last]
    return tuple(cards)
