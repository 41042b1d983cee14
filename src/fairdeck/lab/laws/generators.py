"""Random generators in libraries whose numbers foretell later ones, however fair each number looks.

A *relation* multiplies a few numbers by small factors, and the sum of the products is always the same, modulo the
range of the numbers. Additive generators are made by such a relation. Each number of a linear congruential generator
follows from the one before by a large factor, which says nothing of numbers that are known roughly. But several
successive numbers have a relation with small factors: the more numbers, the smaller. The factors here are the shortest
that lattice reduction (LLL) found. Source: Marsaglia, "Random numbers fall mainly in the planes", PNAS 61 (1968);
Knuth, TAOCP 2, section 3.3.4.
"""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Relation:
    """What the numbers of a generator, as fractions of their range, have in common."""

    used: str  # who used the generator
    says: str  # what a number is, compared with those before it
    back: tuple[int, ...]  # for each number of the relation, how many numbers before the last one it is
    factors: tuple[int, ...]  # what each is multiplied by
    phase: Fraction  # the sum of the products, modulo 1


def additive(used: str, short: int, long: int, sign: int = 1) -> Relation:
    """Return the relation of a generator whose number is that `long` before plus ``sign`` times that `short` before."""
    says = f"the {'sum' if sign > 0 else 'difference'} of those {long} and {short} draws before"
    return Relation(used, says, (0, short, long), (1, -sign, -1), Fraction(0))


def congruential(used: str, modulus: int, factor: int, added: int, factors: tuple[int, ...]) -> Relation:
    """Return the relation of a generator that multiplies by `factor` and adds `added`, modulo `modulus`."""
    shift, phase = 0, 0  # of a number, when the first number is 0
    for each in factors:
        phase += each * shift
        shift = (shift * factor + added) % modulus
    last = len(factors) - 1
    return Relation(
        used,
        f"what the {last} draws before foretell",
        tuple(range(last, -1, -1)),
        factors,
        Fraction(phase % modulus, modulus),
    )


GLIBC = additive("`random()` and `rand()` of glibc and BSD", 3, 31)
_JAVA, _POSIX = 0x5DEECE66D, 2**48

RELATIONS = (
    GLIBC,
    additive("`System.Random` of .NET", 34, 55, -1),
    additive("`ran3` of Numerical Recipes", 24, 55, -1),
    additive("Mitchell and Moore's generator", 24, 55),
    additive("Knuth's `ran_array`", 37, 100, -1),
    additive("`math/rand` of Go", 273, 607),
    congruential("`minstd_rand0` of C++ (factor 16807)", 2**31 - 1, 16_807, 0, (5, 4, 8, 1, 7, -2, 0, 1)),
    congruential("`minstd_rand` of C++ (factor 48271)", 2**31 - 1, 48_271, 0, (3, -4, 4, 4, 2, -1, 2, 4)),
    congruential("`rand()` of old C libraries", 2**31, 1_103_515_245, 12_345, (-5, 4, 5, -4, 3, -5, -1, 3)),
    congruential("`rand()` of Windows", 2**31, 214_013, 2_531_011, (4, -6, 3, 2, 2, -7, -6, 4)),
    congruential("`Random` of Delphi", 2**32, 134_775_813, 1, (5, -3, 5, 6, -5, -1, 1)),
    congruential("Numerical Recipes' quick generator", 2**32, 1_664_525, 1_013_904_223, (-4, 8, -5, 4, 1, 1, 4, 7)),
    congruential("`Rnd` of Visual Basic", 2**24, 1_140_671_485, 12_820_163, (2, 3, 1, 2, -6, -1, 2, 1)),
    congruential("RANDU", 2**31, 65_539, 0, (9, -6, 1)),
    congruential("`drand48()` of C and `rand` of Perl", _POSIX, _JAVA, 11, (-8, -4, 0, 2, 5, 7, -2, -5, -5, -4, 1, -7)),
    congruential(
        "`Math.random()` of Java",  # two steps of the generator make one number
        _POSIX,
        _JAVA**2 % _POSIX,
        (_JAVA * 11 + 11) % _POSIX,
        (1, 2, 3, -5, -1, 1, 1, -12, 0, -7, -2, 3),
    ),
)
