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
from itertools import islice, pairwise
from math import gcd, lgamma, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

WRONG = 2  # draws of a deck, at most, that a state need not make: some programs round, or draw again
USEFUL, SELDOM = -7.0, -20.0  # logs of chances that fair decks have a state: not too large, and small
JAVA = 0x5DEECE66D
LOW = 3  # the lowest bits of a number of which remainders by even numbers tell


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
class Lattice:
    """The relations of so many successive numbers of a congruential generator, as a reduced basis."""

    rows: tuple[tuple[int, ...], ...]  # whole numbers f with f[0] + f[1] a + f[2] a^2 ... = 0, modulo the modulus
    state: tuple[int, ...]  # what the sums, each in whole ranges, are multiplied by to give the first number


class Bound(NamedTuple):
    """When a state counts, so that fair decks hardly ever have one."""

    wrong: int  # draws of a deck that it need not make
    twice: bool  # whether it must make the next deck as well, after one idle draw at most
    log_chance: float  # an upper bound, that it makes a fair deck, or two


@dataclass(frozen=True, eq=False)
class Congruential:
    """A generator ``x -> (factor x + added) % modulus``.

    A draw among k numbers is ``x k // modulus``, or the remainder by k of what the program sees of x.
    """

    used: str  # who used it
    modulus: int
    factor: int
    added: int
    lattices: tuple[Lattice, ...] = ()  # the shortest first; none where draws are remainders
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

    def makes(self, state: int, drawn: Iterable[int], options: Sequence[int], wrong: int = 0) -> bool:
        """Tell whether a state makes all draws of a deck but so many; of remainders only the low bits are looked at."""
        pairs = zip(drawn, self.draws(state, options), options, strict=True)
        missed = (k for each, made, k in pairs if (each - made) % (k if self.lattices else self.low(k)))
        return next(islice(missed, wrong, None), None) is None

    def completed(self, state: int, drawn: Sequence[int], options: Sequence[int]) -> int:
        """Return the whole state, where remainders have told the low bits; the same if none makes all the draws."""
        if self.lattices:
            return state
        k, at = max((k, at) for at, k in enumerate(options) if k % 2)
        low = self.later(state, at) % 2 ** (self.dropped + LOW)
        # What the program sees of that number is known modulo k and modulo 2^LOW.
        seen = next(each for each in range(low >> self.dropped, k << LOW, 2**LOW) if each % k == drawn[at])
        seen_all = np.arange(seen, self.modulus >> self.dropped, k << LOW, dtype=np.uint64)
        states = (seen_all << np.uint64(self.dropped)) + np.uint64(low % 2**self.dropped)
        for other in sorted(range(len(options)), key=options.__getitem__, reverse=True):
            there = self.all_later(states, other - at)
            states = states[self._draw(there, np.uint64(options[other])) == drawn[other]]
        return self.later(int(states[0]), -at) if len(states) else state

    def all_later(self, states: NDArray[np.uint64], steps: int) -> NDArray[np.uint64]:
        """Return many states so many steps later, where the modulus is a power of two: an overflow changes nothing."""
        factor, added = pow(self.factor, steps, self.modulus), self.later(0, steps)
        later: NDArray[np.uint64] = (states * np.uint64(factor) + np.uint64(added)) & np.uint64(self.modulus - 1)
        return later

    def low(self, k: int) -> int:
        """Return by which power of two a remainder by `k` tells the remainder of what the program sees."""
        return 1 if self.scales and not k & (k - 1) else gcd(k, 2**LOW)


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
    found = []
    for known in json.loads(text):
        lattices = tuple(Lattice(tuple(map(tuple, rows)), tuple(state)) for rows, state in known["bases"])
        found += [
            Congruential(used, known["modulus"], known["factor"], added, lattices) for used, added in known["used"]
        ]
    return (*found, *REMAINDERS)


@cache
def bound(generator: Congruential, cards: int) -> Bound:
    """Return when a state counts: each makes one sequence of draws, and each sequence makes one deck."""
    states, decks, near = log(generator.modulus), lgamma(cards + 1), _decks_near(cards)
    if not generator.lattices:
        states, near = (generator.dropped + LOW) * log(2), near[:1]
        decks = sum(log(generator.low(k)) for k in range(2, cards + 1))
    chances = [states + log(sum(near[: wrong + 1])) - decks for wrong in range(len(near))]
    if chances[0] > USEFUL:
        return Bound(0, True, min(0.0, log(2) + states - 2 * decks))
    return max(Bound(wrong, False, chance) for wrong, chance in enumerate(chances) if not wrong or chance <= SELDOM)


@cache
def _decks_near(cards: int) -> tuple[int, ...]:
    """Return how many sequences of draws differ from a given one in exactly 0, 1, ... up to `WRONG` draws."""
    near = [1] + [0] * WRONG
    for k in range(2, cards + 1):
        near = [1, *(same + (k - 1) * fewer for fewer, same in pairwise(near))]
    return tuple(near)
