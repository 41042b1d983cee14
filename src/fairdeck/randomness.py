"""From random words to uniformly random orders, without bias.

Three layers; each is given the one below:

* **words**: an iterator of independent uniform integers below 2**32 (`system_words`,
  `seeded_words`, or any tape of words);
* **integers**: unbiased integers below any bound, by rejection (`RandomIntegers`);
* **orders**: `uniform_permutation`, Fisher and Yates.

The dealing page repeats `RandomIntegers` and `uniform_permutation` in JavaScript: from the same words, both
draw the same order. So every number here stays below 2**53, which a double holds exactly.

Threads may share a `RandomIntegers` and its system words: nothing is drawn twice. A forked process
draws new words from the operating system. Seeded words, and any other tape, continue alike in parent and child: give
each process its own seed, or both draw the same decks.
"""

import hashlib
import os
from array import array
from collections.abc import Iterable, Iterator
from itertools import chain
from struct import unpack
from typing import Any, NoReturn, Protocol, runtime_checkable
from weakref import WeakSet

from fairdeck.errors import FairdeckError
from fairdeck.numbers import integer, shortened, whole
from fairdeck.permutation import Permutation

WORD = 2**32
LARGEST_BOUND = 2**21
FIRST_READ = 32
LARGEST_READ = 65_536
RUN_OUT = "the tape of random words has run out: give it more words"
STUCK = 5


@runtime_checkable
class Chooser(Protocol):
    """A source of choices: `RandomIntegers`, or a test that tries every choice."""

    def below(self, bound: int) -> int:
        """Return one of 0..bound-1."""
        ...


class SystemWords:
    """An iterator over `system_words`; `left` is the randomness that `RandomIntegers` have left over from them.

    Words that are read but not yet used are kept in lists, because `pop`, `append` and `extend` of a list are atomic:
    no two threads get the same word, and there is no lock that another thread could hold during a fork.
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
                self._unused.extend(array("I", system_bytes(self._size)))
                self._size = min(2 * self._size, LARGEST_READ)

    def __reduce__(self) -> NoReturn:
        raise TypeError("system words cannot be copied or pickled, or both would draw the same: call system_words()")

    def forget(self) -> None:
        """Drop the words that are read: after a fork, the parent uses them."""
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
    deck reads little, a large one makes few system calls. A stuck generator, such as one that returns
    only ones, would bias a deck or be rejected for ever; so a read that contains its first word five
    times is refused. A sound generator does that in one of 2**68 reads (NIST SP 800-90B, section 4.4.2).

    Raises:
        FairdeckError: the generator fails, returns too few bytes, or is stuck.
    """
    return SystemWords()


def system_bytes(size: int) -> bytes:
    """Return bytes from the operating system's cryptographic generator, for words, secrets and salts.

    At least 16, as fewer do not show whether the generator is stuck; raises FairdeckError as `system_words` does.
    """
    try:
        read = os.urandom(size)
    except (OSError, NotImplementedError) as error:
        raise FairdeckError(f"the system's random generator fails ({error}): deal on another machine") from None
    if len(read) != size:
        raise FairdeckError(
            f"the system's random generator returns {len(read)} of {size} bytes: deal on another machine"
        )
    if read.count(read[:4]) >= min(STUCK, size // 4):
        raise FairdeckError(f"the system's random generator repeats {read[:4].hex()}: deal on another machine")
    return read


class SeededWords(chain[int]):
    """An iterator over `seeded_words`."""


def seeded_words(seed: bytes) -> Iterator[int]:
    """Return the 32-bit words of MGF1 with SHA-256 over `seed`: a stream anyone can recompute.

    Block `i` is SHA-256(seed || i as four bytes), its words read big-endian. For tests and
    replays only: anyone who knows the seed knows the deck. Source: RFC 8017, appendix B.2.1.

    >>> next(seeded_words(b"fairdeck")) == next(seeded_words(b"fairdeck"))
    True
    """
    if not isinstance(seed, bytes):
        raise FairdeckError(f"seed: {shortened(seed)} is not bytes; random_integers also takes hexadecimal digits")
    start = hashlib.sha256(seed)

    def words(counter: int) -> tuple[int, ...]:
        block = start.copy()
        block.update(counter.to_bytes(4, "big"))
        return unpack(">8I", block.digest())

    # Not a generator function, because threads may ask for a word at the same time.
    return SeededWords.from_iterable(map(words, range(WORD)))


def _word_of(word: object) -> int:
    return whole("a random word", word, 0, WORD - 1)


class RandomIntegers:
    """Unbiased integers from uniform words, by rejection, wasting almost nothing.

    Holds a value that is uniform below a range. To draw below `bound`, the range is cut into `bound` equal parts: the
    number of the part is the answer, the place within the part is the next value. A value beyond the last whole part is
    rejected, and its place there is kept too. So nothing is lost but whether values were rejected: n cards cost about
    log2(n!) bits plus the last, partly used word. A new word is taken when the range falls below 2**21.

    >>> integers = RandomIntegers(seeded_words(b"fairdeck"))
    >>> all(0 <= integers.below(6) < 6 for _ in range(100))
    True
    """

    def __init__(self, words: Iterable[int]) -> None:
        try:
            given = iter(words)
        except TypeError:
            raise FairdeckError(f"words: {shortened(words)} are no random words; give numbers of 32 bits") from None
        # Words that others bring are compared one by one: a float would bias every draw that follows.
        ours = isinstance(words, SystemWords | SeededWords)
        self._word = (given if ours else map(_word_of, given)).__next__
        # Values with their ranges. A thread takes one while it draws; if none is left, it begins without one.
        self._left = words.left if isinstance(words, SystemWords) else []

    def below(self, bound: int) -> int:
        """Return a uniform integer in 0..bound-1, for `bound` from 1 to 2**21.

        Raises:
            FairdeckError: the bound is out of range, or a finite tape of words has run out.
        """
        if bound.__class__ is not int or not 1 <= bound <= LARGEST_BOUND:
            bound = _bound(bound)
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
        """Return draws below n, n - 1, ..., 2: the same as from `below`, in half the time.

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


def random_integers(seed: str | bytes | None = None) -> RandomIntegers:
    """Return the operating system's random integers; or, for tests only, those of a `seed`.

    Anyone who knows the seed knows the deck. A seed is bytes, or a text of hexadecimal digits. Numbers and NumPy's
    generators are refused: 10 could be read as ten or as sixteen, and a generator is not a cryptographic one.

    Raises:
        FairdeckError: the seed is something else.

    >>> random_integers("c0ffee").below(52) == random_integers(bytes.fromhex("c0ffee")).below(52)
    True
    """
    if seed is None:
        return RandomIntegers(system_words())
    told = shortened(seed) if isinstance(seed, str | bytes | int | float) else f"of type {type(seed).__name__}"
    if isinstance(seed, str):
        digits = seed.removeprefix("0x")
        try:
            seed = bytes.fromhex(digits.zfill(len(digits) + len(digits) % 2))
        except ValueError:
            seed = b""
    if not isinstance(seed, bytes) or not seed:
        raise FairdeckError(f"seed {told} is not hexadecimal: use a text of digits 0-9 and letters a-f, such as c0ffee")
    return RandomIntegers(seeded_words(seed))


def _bound(bound: object) -> int:
    """Return a bound as an integer if one can draw below it: NumPy's integers too."""
    try:
        return whole("the bound", bound, 1, LARGEST_BOUND)
    except FairdeckError:
        raise _refusal(bound) from None


def _refusal(bound: object) -> FairdeckError:
    return FairdeckError(f"cannot draw below {shortened(bound)}: the bound must be 1 to {LARGEST_BOUND}")


def seed_number(value: Any, bits: int = 128, new: int = 64) -> int:
    """Return the seed of a simulation as an integer; a new one from the operating system if `value` is None.

    Args:
        value: an integer, hexadecimal digits as reports show them, or a NumPy ``Generator`` that draws the seed.
        bits: of the largest seed.
        new: the bits of a seed that is drawn; bits and new are multiples of 8.

    Raises:
        FairdeckError: the value is something else.

    >>> seed_number("c0ffee"), seed_number(12)
    (12648430, 12)
    """
    if value is None:
        return int.from_bytes(system_bytes(max(16, new // 8))[: new // 8], "little")
    if isinstance(value, str):
        digits = value.lower().removeprefix("0x")
        if not digits or len(digits) > bits // 4 or any(digit not in "0123456789abcdef" for digit in digits):
            wanted = f"use up to {bits // 4} of 0-9 and a-f, such as c0ffee"
            raise FairdeckError(f"seed {shortened(value)} is not hexadecimal: {wanted}")
        return int(digits, 16)
    if type(value).__module__.startswith("numpy.random") and hasattr(value, "integers"):
        return int.from_bytes(value.bytes(new // 8), "little")
    if integer(value) is None:
        wanted = "give an integer, hexadecimal digits or a numpy.random.Generator"
        raise FairdeckError(f"seed: {shortened(value)} is not a seed; {wanted}")
    return whole("seed", value, 0, 2**bits - 1)


def uniform_permutation(n: int, integers: Chooser) -> Permutation:
    """Return one of the n! orders of `n` cards, each equally likely if `integers` is fair.

    Args:
        n: the cards, 0 to 2**21.
        integers: where the draws come from.

    Raises:
        FairdeckError: `n` is out of range; or as for `RandomIntegers.below`.

    Source: Durstenfeld's form of the Fisher-Yates shuffle, Knuth, TAOCP 2, algorithm 3.4.2P.
    """
    if not isinstance(integers, Chooser):
        raise FairdeckError(f"integers: {shortened(integers)} draws nothing; give random_integers()")
    if whole("n", n, 0) > LARGEST_BOUND:
        raise _refusal(n)
    cards = list(range(n))
    draws = integers.falling(n) if isinstance(integers, RandomIntegers) else map(integers.below, range(n, 1, -1))
    for last, drawn in zip(range(n - 1, 0, -1), draws, strict=True):
        cards[last], cards[drawn] = cards[drawn], cards[last]
    return tuple(cards)
