"""From random words to uniformly random orders, without a trace of bias.

Three layers, each handed the one below it:

* **words**: an iterator of independent uniform integers below 2**32 (`system_words`,
  `seeded_words`, or any tape of words);
* **dice**: unbiased integers below any bound, by rejection (`Dice`);
* **orders**: `uniform_permutation`, Fisher and Yates.

The dealing page repeats `Dice` and `uniform_permutation` in JavaScript: fed the same words, both
draw the same order. So every number here stays below 2**53, exact in a double.

Threads may share dice and system words: nothing is drawn twice. A process that is forked draws anew from
the operating system. Seeded words, and any other tape, go on alike in parent and child: give each process
a seed of its own, or both draw the same decks.
"""

import hashlib
import os
from array import array
from collections.abc import Iterable, Iterator
from itertools import chain
from struct import unpack
from typing import NoReturn, Protocol
from weakref import WeakSet

from fairdeck.errors import FairdeckError
from fairdeck.permutation import Permutation

WORD = 2**32
LARGEST_BOUND = 2**21
FIRST_READ = 32
LARGEST_READ = 65_536
RUN_OUT = "the tape of random words has run out: give it more words"
STUCK = 5


class Chooser(Protocol):
    """Whatever can choose: the dice, or a test that tries every choice."""

    def below(self, bound: int) -> int:
        """Return one of 0..bound-1."""
        ...


class SystemWords:
    """An iterator over `system_words`.

    What has been read and not yet used is kept in lists, because `pop`, `append` and `extend` of a list are
    atomic: no two threads get the same, and there is no lock that another thread could hold during a fork.

    Attributes:
        left: what `Dice` leave over of these words.
    """

    def __init__(self) -> None:
        self.left: list[tuple[int, int]] = []
        self._unused: list[int] = []
        self._size = FIRST_READ
        _in_use.add(self)

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        while True:
            try:
                return self._unused.pop()
            except IndexError:
                self._unused.extend(array("I", _system_bytes(self._size)))
                self._size = min(2 * self._size, LARGEST_READ)

    def __reduce__(self) -> NoReturn:
        raise TypeError("system words cannot be copied or pickled, or both would draw the same: call system_words()")

    def forget(self) -> None:
        """Drop all that has been read: after a fork the parent uses it."""
        self.left.clear()
        self._unused.clear()


_in_use: "WeakSet[SystemWords]" = WeakSet()


def _forget_in_child() -> None:
    for words in _in_use:
        words.forget()


if hasattr(os, "register_at_fork"):  # Windows does not fork
    os.register_at_fork(after_in_child=_forget_in_child)


def system_words() -> Iterator[int]:
    """Return 32-bit words from the operating system's cryptographic generator, without end.

    Reads 32 bytes first, enough for 52 cards, then twice as many each time up to 64 KiB: a small
    deck draws little, a large one makes few system calls. A stuck generator, such as one that gives
    nothing but ones, would bias a deck or be rejected for ever; so a read whose first word comes five
    times stops it. Of sound reads that happens to one in 2**68 (NIST SP 800-90B, section 4.4.2).

    Raises:
        FairdeckError: the generator fails, or is stuck.
    """
    return SystemWords()


def _system_bytes(size: int) -> bytes:
    try:
        read = os.urandom(size)
    except (OSError, NotImplementedError) as error:
        raise FairdeckError(f"the system's random generator fails ({error}): deal on another machine") from None
    if read.count(read[:4]) >= STUCK:
        raise FairdeckError(f"the system's random generator repeats {read[:4].hex()}: deal on another machine")
    return read


def seeded_words(seed: bytes) -> Iterator[int]:
    """Return the 32-bit words of MGF1 with SHA-256 over `seed`: a stream anyone can recompute.

    Block `i` is SHA-256(seed || i as four bytes), its words read big-endian. For tests and
    replays only: whoever knows the seed knows the deck. Source: RFC 8017, appendix B.2.1.

    >>> next(seeded_words(b"fairdeck")) == next(seeded_words(b"fairdeck"))
    True
    """
    start = hashlib.sha256(seed)

    def words(counter: int) -> tuple[int, ...]:
        block = start.copy()
        block.update(counter.to_bytes(4, "big"))
        return unpack(">8I", block.digest())

    # No generator: threads that share the tape may ask for a word at once.
    return chain.from_iterable(map(words, range(WORD)))


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
        self._word = iter(words).__next__
        # Values with their ranges. A thread takes one out while it draws; where none is left, it begins with nothing.
        self._left = words.left if isinstance(words, SystemWords) else []

    def below(self, bound: int) -> int:
        """Return a uniform integer in 0..bound-1, for `bound` from 1 to 2**21.

        Raises:
            FairdeckError: the bound is out of range, or a finite tape of words has run out.
        """
        if not 1 <= bound <= LARGEST_BOUND:
            raise _refusal(bound)
        try:
            value, size = self._left.pop()
        except IndexError:
            value, size = 0, 1
        while True:
            if size < LARGEST_BOUND:
                value, size = self._more(value, size)
            part = size // bound
            drawn = value // part
            if drawn < bound:
                self._left.append((value - drawn * part, part))
                return drawn
            value -= bound * part
            size -= bound * part

    def falling(self, n: int) -> list[int]:
        """Return draws below n, n - 1, ..., 2: what `below` returns one by one, in half the time.

        Raises:
            FairdeckError: as for `below`.
        """
        if n > LARGEST_BOUND:
            raise _refusal(n)
        word, draws = self._word, []
        try:
            value, size = self._left.pop()
        except IndexError:
            value, size = 0, 1
        try:
            for bound in range(n, 1, -1):
                while True:
                    if size < LARGEST_BOUND:
                        value = value * WORD + word()
                        size *= WORD
                    part = size // bound
                    drawn = value // part
                    if drawn < bound:
                        break
                    value -= bound * part
                    size -= bound * part
                value -= drawn * part
                size = part
                draws.append(drawn)
        except StopIteration:
            raise FairdeckError(RUN_OUT) from None
        self._left.append((value, size))
        return draws

    def _more(self, value: int, size: int) -> tuple[int, int]:
        try:
            return value * WORD + self._word(), size * WORD
        except StopIteration:
            raise FairdeckError(RUN_OUT) from None


def _refusal(bound: int) -> FairdeckError:
    return FairdeckError(f"cannot draw below {bound}: the bound must be 1 to {LARGEST_BOUND}")


def uniform_permutation(n: int, dice: Chooser) -> Permutation:
    """Return one of the n! orders of `n` cards, each equally likely if `dice` is fair.

    Source: Durstenfeld's form of the Fisher-Yates shuffle, Knuth, TAOCP 2, algorithm 3.4.2P.
    """
    cards = list(range(n))
    draws = dice.falling(n) if isinstance(dice, Dice) else map(dice.below, range(n, 1, -1))
    for last, drawn in zip(range(n - 1, 0, -1), draws, strict=True):
        cards[last], cards[drawn] = cards[drawn], cards[last]
    return tuple(cards)
