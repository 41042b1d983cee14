"""Write the relations by which the state of a generator is read off decks: `python -m release.generators`.

For each congruential generator, bases of the whole numbers f with ``f[0] + f[1] a + ... + f[D-1] a^(D-1) = 0`` modulo
m, reduced by lattice reduction (LLL), and the row r with ``r F = (m, 0, ..., 0)``, which turns what the relations add
up to into the state. A sum of generators is one generator modulo the product of their moduli (Chinese remainders).
"""

import json
from collections.abc import Sequence
from fractions import Fraction
from math import prod
from pathlib import Path

WRITTEN = Path(__file__).parents[1] / "src/fairdeck/lab/laws/generators.json"
FEWEST = 15  # draws, all that 16 cards have
MORE, MORE_BITS = 22, 40  # draws for generators of more bits
LARGE, LARGE_BITS = 36, 64
_JAVA, _POSIX, _MERSENNE = 0x5DEECE66D, 2**48, 2**31 - 1

Row = list[int]
Part = tuple[int, int]  # modulus and factor


def product(*parts: Part) -> Part:
    """Return modulus and factor of a sum of generators."""
    whole = prod(modulus for modulus, _ in parts)
    return whole, sum(a * (whole // m) * pow(whole // m, -1, m) for m, a in parts) % whole


# Who used it; modulus and factor; what is added.
TABLE: tuple[tuple[str, Part, int], ...] = (
    ("`minstd_rand0` of C++ (factor 16807)", (_MERSENNE, 16_807), 0),
    ("`minstd_rand` of C++ (factor 48271)", (_MERSENNE, 48_271), 0),
    ("Park and Miller's generator with factor 69621", (_MERSENNE, 69_621), 0),
    ("SIMSCRIPT", (_MERSENNE, 630_360_016), 0),
    ("Fishman and Moore's generator with factor 742938285", (_MERSENNE, 742_938_285), 0),
    ("Fishman and Moore's generator with factor 950706376", (_MERSENNE, 950_706_376), 0),
    ("`RtlUniform` of Windows", (_MERSENNE, 2_147_483_629), 2_147_483_587),
    ("`rand()` of old C libraries", (2**31, 1_103_515_245), 12_345),
    ("`rand()` of old C libraries, with 32 bits", (2**32, 1_103_515_245), 12_345),
    ("`rand()` of Windows", (2**31, 214_013), 2_531_011),
    ("`rand()` of Windows, with 32 bits", (2**32, 214_013), 2_531_011),
    ("a factor of 214013 modulo 2^24, as in old BASIC", (2**24, 214_013), 2_531_011),
    ("`rand()` of Borland C", (2**31, 22_695_477), 1),
    ("`rand()` of Borland C, with 32 bits", (2**32, 22_695_477), 1),
    ("`Random` of Delphi", (2**32, 134_775_813), 1),
    ("Numerical Recipes' quick generator", (2**32, 1_664_525), 1_013_904_223),
    ("the factor 69069 of VAX", (2**32, 69_069), 1),
    ("the factor 69069, with nothing added", (2**32, 69_069), 0),
    ("the factor 69069 of Marsaglia's KISS", (2**32, 69_069), 1_234_567),
    ("the factor 2147001325 of BCPL", (2**32, 2_147_001_325), 715_136_305),
    ("`Rnd` of Visual Basic", (2**24, 1_140_671_485), 12_820_163),
    ("RANDU", (2**31, 65_539), 0),
    ("the ZX81 and ZX Spectrum", (2**16 + 1, 75), 74),
    ("Lehmer's first generator (factor 23)", (10**8 + 1, 23), 0),
    ("Numerical Recipes' generator modulo 233280", (233_280, 9_301), 49_297),
    ("Numerical Recipes' generator modulo 139968", (139_968, 3_877), 29_573),
    ("Knuth's factor 3141592653 modulo 2^35", (2**35, 3_141_592_653), 2_718_281_829),
    ("the factor 427419669081 of Maple", (10**12 - 11, 427_419_669_081), 0),
    ("`drand48()` of C and `rand` of Perl", (_POSIX, _JAVA), 11),
    # Two steps of the generator make one number.
    ("`Math.random()` of Java", (_POSIX, _JAVA**2 % _POSIX), (_JAVA * 11 + 11) % _POSIX),
    ("RANF of CRAY", (_POSIX, 44_485_709_377_909), 0),
    ("the factor 13^13 of NAG", (2**59, 13**13), 0),
    ("`rand()` of newlib", (2**63, 6_364_136_223_846_793_005), 1),
    ("`rand()` of musl", (2**64, 6_364_136_223_846_793_005), 1),
    ("Knuth's MMIX", (2**64, 6_364_136_223_846_793_005), 1_442_695_040_888_963_407),
    ("Knuth's factor for MMIX, with nothing added", (2**64, 6_364_136_223_846_793_005), 0),
    ("Steele and Vigna's factor 0xd1342543de82ef95", (2**64, 0xD1342543DE82EF95), 1),
    ("L'Ecuyer's factor 2862933555777941757", (2**64, 2_862_933_555_777_941_757), 1),
    ("L'Ecuyer's factor 2862933555777941757, with 3037000493 added", (2**64, 2_862_933_555_777_941_757), 3_037_000_493),
    ("L'Ecuyer's factor 3202034522624059733", (2**64, 3_202_034_522_624_059_733), 1),
    ("Wichmann and Hill's generator", product((30_269, 171), (30_307, 172), (30_323, 170)), 0),
    ("`lcg_value()` of PHP", product((2_147_483_563, 40_014), (2_147_483_399, 40_692)), 0),
    ("L'Ecuyer's generator for 16 bits", product((32_363, 157), (31_727, 146), (31_657, 142)), 0),
    ("Lehmer's generator of 128 bits (`lehmer64`)", (2**128, 0xDA942042E4DD58B5), 0),
)


def main() -> None:
    """Write the generators."""
    WRITTEN.write_text(text(), encoding="utf-8")


def text() -> str:
    """Return the generators, those with the same numbers on one line."""
    lines = []
    for part in dict.fromkeys(part for _, part, _ in TABLE):
        used = [(name, added) for name, each, added in TABLE if each == part]
        bases = [(rows, state_row(rows, part[0])) for rows in (basis(*part, terms) for terms in draws_for(part[0]))]
        known = {"modulus": part[0], "factor": part[1], "used": used, "bases": bases}
        lines.append(json.dumps(known, separators=(",", ":")))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def draws_for(modulus: int) -> tuple[int, ...]:
    """Return on how many successive draws a state is looked for."""
    bits = modulus.bit_length() - 1
    return (LARGE,) if bits > LARGE_BITS else (FEWEST, MORE) if bits > MORE_BITS else (FEWEST,)


def basis(modulus: int, factor: int, terms: int) -> list[Row]:
    """Return a reduced basis of all relations of so many numbers."""
    rows = [[modulus] + [0] * (terms - 1)]
    rows += [[-pow(factor, i, modulus)] + [int(i == j) for j in range(1, terms)] for i in range(1, terms)]
    return reduced(rows)


def state_row(rows: Sequence[Row], modulus: int) -> Row:
    """Return the row r with ``r F = (m, 0, ..., 0)``, by Gauss and Jordan."""
    terms = len(rows)
    left = [[Fraction(row[i]) for row in rows] + [Fraction(modulus if i == 0 else 0)] for i in range(terms)]
    for i in range(terms):
        at = next(k for k in range(i, terms) if left[k][i])
        left[i], left[at] = left[at], left[i]
        left[i] = [x / left[i][i] for x in left[i]]
        for k in range(terms):
            if k != i and left[k][i]:
                left[k] = [x - left[k][i] * y for x, y in zip(left[k], left[i], strict=True)]
    return [int(row[-1]) for row in left]


def reduced(rows: Sequence[Row]) -> list[Row]:
    """Return a reduced basis: LLL in whole numbers, with 0.99 (Cohen, Computational Algebraic Number Theory, 2.6.7)."""
    basis = [list(row) for row in rows]
    size, known, k = len(basis), 0, 1
    squares, parts = [1, _dot(basis[0], basis[0])] + [0] * (size - 1), [[0] * size for _ in range(size)]
    while k < size:
        if k > known:
            known = k
            for j in range(k + 1):
                u = _dot(basis[k], basis[j])
                for i in range(j):
                    u = (squares[i + 1] * u - parts[k][i] * parts[j][i]) // squares[i]
                if j < k:
                    parts[k][j] = u
                else:
                    squares[k + 1] = u
        _shorten(basis, squares, parts, k, k - 1)
        if 100 * squares[k + 1] * squares[k - 1] < 99 * squares[k] ** 2 - 100 * parts[k][k - 1] ** 2:
            _exchange(basis, squares, parts, k, known)
            k = max(1, k - 1)
        else:
            for j in range(k - 2, -1, -1):
                _shorten(basis, squares, parts, k, j)
            k += 1
    return basis


def _shorten(basis: list[Row], squares: Row, parts: list[Row], k: int, j: int) -> None:
    times = (2 * parts[k][j] + squares[j + 1]) // (2 * squares[j + 1])
    if times:
        basis[k] = [x - times * y for x, y in zip(basis[k], basis[j], strict=True)]
        parts[k][j] -= times * squares[j + 1]
        for i in range(j):
            parts[k][i] -= times * parts[j][i]


def _exchange(basis: list[Row], squares: Row, parts: list[Row], k: int, known: int) -> None:
    basis[k], basis[k - 1] = basis[k - 1], basis[k]
    parts[k][: k - 1], parts[k - 1][: k - 1] = parts[k - 1][: k - 1], parts[k][: k - 1]
    part, old = parts[k][k - 1], squares[k]
    new = (squares[k - 1] * squares[k + 1] + part * part) // old
    for i in range(k + 1, known + 1):
        kept = parts[i][k]
        parts[i][k] = (squares[k + 1] * parts[i][k - 1] - part * kept) // old
        parts[i][k - 1] = (new * kept + part * parts[i][k]) // squares[k + 1]
    squares[k] = new


def _dot(x: Row, y: Row) -> int:
    return sum(p * q for p, q in zip(x, y, strict=True))


if __name__ == "__main__":
    main()
