"""Random generators in libraries whose numbers foretell later ones, however fair each number looks.

A *relation* multiplies a few numbers by small factors, and the sum of the products is always the same, modulo the
range of the numbers. Additive generators are made by such a relation.

A number of a *congruential* generator is ``factor * number + added``, modulo `modulus`. So all numbers follow from one,
the *state*, and a few numbers that are known roughly leave one state only: successive numbers are points of a lattice.
Its short relations are in ``generators.json``, which `release/generators.py` makes. Source: Marsaglia, "Random numbers
fall mainly in the planes", PNAS 61 (1968); Frieze et al., "Reconstructing truncated integer variables satisfying linear
congruences", SIAM J. Comput. 17 (1988).
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import gcd, lgamma, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

JAVA = 0x5DEECE66D
LOW = 3  # the lowest bits of a number of which remainders by even numbers tell
AT_ONCE = 2**18  # states that are tried at once
USEFUL = -7.0  # the log of a chance that a fair deck has a state: with a larger one, few decks tell nothing


@dataclass(frozen=True, slots=True)
class Relation:
    """What the numbers of a generator, as fractions of their range, have in common."""

    used: str  # who used the generator
    says: str  # what a number is, compared with those before it
    back: tuple[int, ...]  # for each number of the relation, how many numbers before the last one it is
    factors: tuple[int, ...]  # what each is multiplied by; the sum of the products is 0, modulo 1


def additive(used: str, short: int, long: int, sign: int = 1) -> Relation:
    """Return the relation of a generator whose number is that `long` before plus ``sign`` times that `short` before."""
    says = f"the {'sum' if sign > 0 else 'difference'} of those {long} and {short} draws before"
    return Relation(used, says, (0, short, long), (1, -sign, -1))


GLIBC = additive("`random()` and `rand()` of glibc and BSD", 3, 31)
RELATIONS = (
    GLIBC,
    additive("`System.Random` of .NET", 34, 55, -1),
    additive("`ran3` of Numerical Recipes", 24, 55, -1),
    additive("Mitchell and Moore's generator", 24, 55),
    additive("Knuth's `ran_array`", 37, 100, -1),
    additive("`math/rand` of Go", 273, 607),
)


@dataclass(frozen=True, eq=False)
class Congruential:
    """A generator ``x -> (factor x + added) % modulus``.

    A draw among k numbers is ``x k // modulus``, or the remainder by k of what a program sees of x.
    """

    used: str  # who used it
    modulus: int
    factor: int
    added: int
    # Reduced bases, the shortest first: rows f with f[0] + f[1] factor + f[2] factor^2 ... = 0, and what their sums, in
    # whole ranges, are multiplied by to give the first number. There are none where draws are remainders.
    lattices: tuple[tuple[list[list[int]], list[int]], ...] = ()
    dropped: int = 0  # the low bits that a program with remainders does not see
    scales: bool = False  # whether such a program scales where k is a power of two

    def later(self, state: int, steps: int) -> int:
        """Return the state so many steps later, or before where `steps` are negative."""
        factor, added = self.factor, self.added
        if steps < 0:
            factor = pow(factor, -1, self.modulus)
            added *= -factor
        whole = pow(factor, abs(steps), self.modulus * (factor - 1))
        return (whole * state + (whole - 1) // (factor - 1) * added) % self.modulus

    def all_later(self, states: NDArray[np.uint64], steps: int) -> NDArray[np.uint64]:
        """Return the same for many, where the modulus is a power of two: an overflow changes nothing."""
        factor, added = pow(self.factor, steps, self.modulus), self.later(0, steps)
        return np.asarray((states * np.uint64(factor) + np.uint64(added)) & np.uint64(self.modulus - 1))

    def draws(self, state: int, options: Iterable[int]) -> Iterator[int]:
        """Yield the draws among so many numbers that begin with the number `state`."""
        for k in options:
            yield self._draw(state, k)
            state = (state * self.factor + self.added) % self.modulus

    def _draw(self, state: Any, k: Any) -> Any:
        """Return the draw of a number among `k`, or of each number of an array."""
        if self.lattices or (self.scales and not k & (k - 1)):
            return state * k // self.modulus
        return (state >> self.dropped) % k

    def low(self, k: int) -> int:
        """Return by which power of two a remainder by `k` tells the remainder of what the program sees."""
        return 1 if self.scales and not k & (k - 1) else gcd(k, 2**LOW)

    def completed(self, state: int, drawn: Sequence[int], options: Sequence[int]) -> int:
        """Return the whole state, where remainders have told the low bits; the same if none makes all the draws."""
        if self.lattices:
            return state
        k, at = max((k, at) for at, k in enumerate(options) if k % 2)
        low = self.later(state, at) % 2 ** (self.dropped + LOW)
        # What the program sees of that number is known modulo k and modulo 2^LOW.
        seen = next(each for each in range(low >> self.dropped, k << LOW, 2**LOW) if each % k == drawn[at])
        top = self.modulus >> self.dropped
        for first in range(seen, top, AT_ONCE * k << LOW):
            all_seen = np.arange(first, min(top, first + (AT_ONCE * k << LOW)), k << LOW, dtype=np.uint64)
            states = (all_seen << np.uint64(self.dropped)) + np.uint64(low % 2**self.dropped)
            for other in sorted(range(len(options)), key=options.__getitem__, reverse=True):
                made = self._draw(self.all_later(states, other - at), np.uint64(options[other]))
                states = states[made == drawn[other]]
            if len(states):
                return self.later(int(states[0]), -at)
        return state

    def log_chance(self, cards: int, decks: int = 1) -> float:
        """Return the log of an upper bound of the chance that a state makes so many fair decks.

        A state makes one sequence of draws, and each of the n! sequences of draws makes one deck.
        """
        if self.lattices:
            return log(self.modulus) - decks * lgamma(cards + 1)
        return (self.dropped + LOW) * log(2) - decks * sum(log(self.low(k)) for k in range(2, cards + 1))

    def needs(self, cards: int) -> int:
        """Return how many decks in a row tell a state of these generators; 0 if not even two do."""
        return next((decks for decks in (1, 2) if self.log_chance(cards, decks) <= USEFUL), 0)


REMAINDERS = (
    Congruential("`Random.nextInt(k)` of Java, as in `Collections.shuffle`", 2**48, JAVA, 11, dropped=17, scales=True),
    Congruential("`lrand48() % k`", 2**48, JAVA, 11, dropped=17),
    Congruential("`rand() % k` of Windows", 2**31, 214_013, 2_531_011, dropped=16),
    Congruential("`rand() % k` of old C libraries", 2**31, 1_103_515_245, 12_345, dropped=16),
    Congruential("`rand() % k` of Borland C", 2**31, 22_695_477, 1, dropped=16),
)


@cache
def congruential() -> tuple[Congruential, ...]:
    """Return all congruential generators whose state is looked for; those of remainders last."""
    text = resources.files(__package__).joinpath("generators.json").read_text(encoding="utf-8")
    found = (
        Congruential(used, known["modulus"], known["factor"], added, tuple(known["bases"]))
        for known in json.loads(text)
        for used, added in known["used"]
    )
    return (*found, *REMAINDERS)
