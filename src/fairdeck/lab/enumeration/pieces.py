"""Pieces of the number line: where a draw may still lie, each point equally likely.

A `Progression` holds whole numbers at equal distances, an `Interval` all real numbers between two
ends. A parameter t walks along each, ``x = first + step * t``; the step may be negative. The value that
a program computes from a draw is linear on each piece, ``a * x + b``; rounding, remainders and
comparisons cut pieces at exact rational points into smaller ones, on which the value is linear again.
Single points of an interval have no weight, so either neighbour may get the point between two pieces.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, trunc
from typing import TypeAlias

Number: TypeAlias = int | Fraction

MOST_PIECES = 4096


class TooMany(Exception):
    """There would be more than `MOST_PIECES`."""


@dataclass(frozen=True, slots=True)
class Progression:
    """The numbers ``first + step * t`` for t in ``range(count)``; `count` is at least 1, `step` is not 0."""

    first: Number
    step: Number
    count: int

    @property
    def size(self) -> int:
        """How many points it has."""
        return self.count

    def turned(self) -> "Progression":
        """Return the same points, walked from the other end."""
        return Progression(self.first + self.step * (self.count - 1), -self.step, self.count)

    def parted(self, at: Number) -> tuple["Progression | None", "Progression | None"]:
        """Return the points with t < `at`, a whole number, and the others; None where there are none."""
        at = int(at)
        if at <= 0:
            return None, self
        if at >= self.count:
            return self, None
        return (
            Progression(self.first, self.step, at),
            Progression(self.first + self.step * at, self.step, self.count - at),
        )

    def last(self, a: Number, b: Number) -> Number:
        """Return the value of ``a * x + b`` at the end of the walk."""
        return a * (self.first + self.step * (self.count - 1)) + b

    def place(self, distance: Number, stride: Number, inclusive: bool) -> int:
        """Return for how many t ``stride * t`` lies below `distance`, or not above it."""
        return int(distance // stride) + 1 if inclusive else int(-(-distance // stride))


@dataclass(frozen=True, slots=True)
class Interval:
    """The reals ``first + step * t`` for 0 <= t < 1; `step` is not 0."""

    first: Number
    step: Number

    @property
    def size(self) -> Number:
        """Its length."""
        return self.step if self.step > 0 else -self.step

    def turned(self) -> "Interval":
        """Return the same points, walked from the other end."""
        return Interval(self.first + self.step, -self.step)

    def parted(self, at: Number) -> tuple["Interval | None", "Interval | None"]:
        """Return the points with t < `at`, and the others; None where there are none."""
        if at <= 0:
            return None, self
        if at >= 1:
            return self, None
        return Interval(self.first, self.step * at), Interval(self.first + self.step * at, self.step * (1 - at))

    def last(self, a: Number, b: Number) -> Number:
        """Return the limit of ``a * x + b`` at the end of the walk."""
        return a * (self.first + self.step) + b

    def place(self, distance: Number, stride: Number, inclusive: bool) -> Number:  # noqa: ARG002 - an end has no weight
        """Return for which share of the walk ``stride * t`` lies below `distance`."""
        return quotient(distance, stride)


Piece: TypeAlias = Progression | Interval
Line: TypeAlias = tuple[Piece, Number, Number]  # on this piece the value is a * x + b


def plain(number: Number) -> Number:
    """Return a whole fraction as an int, which is faster."""
    return int(number) if number.denominator == 1 else number


def quotient(number: Number, by: Number) -> Number:
    """Return ``number / by`` exactly."""
    if type(number) is int and type(by) is int and number % by == 0:
        return number // by
    return plain(Fraction(number) / by)


def upwards(line: Line) -> Line:
    """Return the line with its piece turned so that the value grows along the walk."""
    piece, a, b = line
    return (piece.turned(), a, b) if a * piece.step < 0 else line


def cut(line: Line, at: Number, inclusive: bool = False) -> tuple[Piece | None, Piece | None]:
    """Return the pieces where the value is below `at` (`inclusive`: or equal), and where it is not."""
    piece, a, b = upwards(line)
    if a == 0:
        return (piece, None) if b < at or (inclusive and b == at) else (None, piece)
    return piece.parted(piece.place(at - a * piece.first - b, a * piece.step, inclusive))


ROUNDINGS: dict[str, Callable[[Number], int]] = {"floor": floor, "ceil": ceil, "trunc": trunc, "round": round}


def _upper_end(kind: str, value: int) -> tuple[Number, bool]:
    """Return the upper end of the numbers that round to `value`, and whether it belongs to them."""
    if kind == "round":
        return value + Fraction(1, 2), value % 2 == 0  # a half goes to the even side
    if kind == "ceil" or (kind == "trunc" and value < 0):
        return value, True
    return value + 1, False


def rounded(line: Line, kind: str) -> Iterator[tuple[int, Piece]]:
    """Yield each whole number that the value rounds to, with its piece.

    Raises:
        TooMany: there are too many of them.
    """
    piece, a, b = upwards(line)
    value = ROUNDINGS[kind](a * piece.first + b)
    if ROUNDINGS[kind](piece.last(a, b)) - value >= MOST_PIECES:
        raise TooMany
    rest: Piece | None = piece
    while rest is not None:
        part, rest = cut((rest, a, b), *_upper_end(kind, value))
        if part is not None:
            yield value, part
        value += 1


def remainders(line: Line, modulus: Number) -> Iterator[Line]:
    """Yield the lines of the value modulo `modulus`, which is positive.

    By windows, on which it stays linear, or by residue classes, on which it is constant: whichever
    are fewer.

    Raises:
        TooMany: there are too many of both.
    """
    piece, a, b = upwards(line)
    over = (piece, quotient(a, modulus), quotient(b, modulus))
    windows = floor(piece.last(*over[1:])) - floor(over[1] * piece.first + over[2]) + 1
    if isinstance(piece, Progression):
        period = min(piece.count, quotient(a * piece.step, modulus).denominator)
        if period < windows:
            if period > MOST_PIECES:
                raise TooMany
            for t in range(period):
                first, count = piece.first + piece.step * t, -(-(piece.count - t) // period)
                yield Progression(first, piece.step * period, count), 0, plain((a * first + b) % modulus)
            return
    for window, part in rounded(over, "floor"):
        yield part, a, plain(b - modulus * window)


def whole_weights(sizes: list[Number]) -> tuple[int, ...]:
    """Return whole numbers in the proportion of `sizes`, as small as can be."""
    together = 1
    for size in sizes:
        together = together * size.denominator // gcd(together, size.denominator)
    weights = [int(size * together) for size in sizes]
    divisor = gcd(*weights)
    return tuple([weight // divisor for weight in weights])
