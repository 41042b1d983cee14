"""Pieces of the number line, where a draw may still lie, and the exact results of arithmetic on them.

Each point of a piece is equally likely.

A `Progression` holds whole numbers at equal distances, an `Interval` all real numbers between two
ends. A parameter t walks along each, ``x = first + step * t``; the step may be negative. The value that
a program computes from a draw is linear on each piece, ``a * x + b``; rounding, remainders and
comparisons cut pieces at exact rational points into smaller ones, on which the value is linear again.
Single points of an interval have no weight, so either neighbour may get the point between two pieces.

The steps of arithmetic that a program does with a draw are data; `lines_of`, `outcomes_of` and `sides_of` return the
values that they lead to, and the pieces for each value.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
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
    """Yield each whole number that the value rounds to, with its piece; raise `TooMany` for too many."""
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
    """Yield the lines of the value modulo `modulus`, which is positive; raise `TooMany` for too many.

    By windows, on which it stays linear, or by residue classes, on which it is constant: whichever are fewer.
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


# Steps of arithmetic ------------------------------------------------------------------------------

# ("scale", a, b) is a * x + b; ("mod", m, 0) is x % m; the others round: ("floor", 0, 0) and so on.
Step: TypeAlias = tuple[str, Number, Number]
Steps: TypeAlias = tuple[Step, ...]
Pieces: TypeAlias = tuple[Piece, ...]


def scaling(steps: Steps) -> tuple[Number, Number, Steps]:
    """Return the scale and shift that the steps begin with, and the steps after it."""
    return (*steps[0][1:], steps[1:]) if steps and steps[0][0] == "scale" else (1, 0, steps)


def scaled(a: Number, b: Number, rest: Steps = ()) -> Steps:
    """Return the steps: first this scaling, then `rest`."""
    c, d, rest = scaling(rest)
    return (("scale", plain(a * c), plain(b * c + d)), *rest)


def is_whole(number: Number) -> bool:
    """Say whether a number is whole."""
    return number.denominator == 1


def weights_of(groups: Sequence[Pieces]) -> tuple[int, ...]:
    """Return whole weights for groups of pieces, by their sizes."""
    return whole_weights([plain(sum([piece.size for piece in group], 0)) for group in groups])


# Replays ask the same questions about the same draws: the answers are remembered.
_remembered = lru_cache(maxsize=2048)


@_remembered
def lines_of(pieces: Pieces, steps: Steps) -> tuple[Line, ...]:
    """Return the value after the steps as linear functions, on pieces that make up `pieces`; or raise `TooMany`."""
    lines: list[Line] = [(piece, 1, 0) for piece in pieces]
    for kind, m, c in steps:
        if kind == "scale":
            lines = [(piece, plain(a * m), plain(b * m + c)) for piece, a, b in lines]
            continue
        found: list[Line] = []
        for line in lines:
            found += remainders(line, m) if kind == "mod" else _rounded_line(line, kind)
            if len(found) > MOST_PIECES:
                raise TooMany
        lines = found
    return tuple(lines)


def _rounded_line(line: Line, kind: str) -> Iterable[Line]:
    piece, a, b = line
    if isinstance(piece, Progression) and a and (a * piece.step).denominator == 1:  # it rises in whole steps
        start = a * piece.first + b
        return [(piece, a, plain(b + ROUNDINGS[kind](start) - start))] if kind != "trunc" else _truncated(line)
    return [(part, 0, value) for value, part in rounded(line, kind)]


def _truncated(line: Line) -> list[Line]:
    """Return the lines of a value that rises in whole steps, rounded towards zero."""
    low, high = cut(line, 0)
    return [
        *(_rounded_line((low, *line[1:]), "ceil") if low else ()),
        *(_rounded_line((high, *line[1:]), "floor") if high else ()),
    ]


@_remembered
def outcomes_of(pieces: Pieces, steps: Steps) -> tuple[tuple[Number, ...], tuple[Pieces, ...], tuple[int, ...]] | None:
    """Return the values that the steps can give, the pieces for each, and weights; None for endlessly many values."""
    groups: dict[Number, list[Piece]] = {}
    for piece, a, b in lines_of(pieces, steps):
        if a == 0:
            groups.setdefault(b, []).append(piece)
        elif isinstance(piece, Progression):
            for t in range(piece.count):
                x = piece.first + piece.step * t
                groups.setdefault(plain(a * x + b), []).append(Progression(x, 1, 1))
        else:
            return None
    parts = tuple([tuple(group) for group in groups.values()])
    return tuple(groups), parts, weights_of(parts)


@_remembered
def sides_of(pieces: Pieces, steps: Steps, how: str, at: Number) -> tuple[Pieces, Pieces, tuple[int, ...]]:
    """Return the pieces where the value is "<", "<=" or "==" `at`, as `how` says, those where not, and weights."""
    yes: list[Piece | None] = []
    no: list[Piece | None] = []
    for line in lines_of(pieces, steps):
        low, rest = cut(line, at, inclusive=how == "<=")
        if how == "==":
            same, high = (None, None) if rest is None else cut((rest, *line[1:]), at, inclusive=True)
            yes.append(same)
            no += [low, high]
        else:
            yes.append(low)
            no.append(rest)
    ours = tuple([piece for piece in yes if piece is not None])
    theirs = tuple([piece for piece in no if piece is not None])
    return ours, theirs, weights_of([ours, theirs]) if ours and theirs else ()
