"""Draws, and the exact results of arithmetic with them.

A `Draw` is equally likely to be any point of its pieces. The steps of arithmetic that a program does
with it are data; these functions return the values that they lead to, and the pieces for each value.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil, floor
from typing import TypeAlias, cast

from fairdeck.lab.enumeration.path import TreePath
from fairdeck.lab.enumeration.pieces import (
    MOST_PIECES,
    ROUNDINGS,
    Interval,
    Line,
    Number,
    Piece,
    Progression,
    TooMany,
    cut,
    plain,
    quotient,
    remainders,
    rounded,
    upwards,
    whole_weights,
)
from fairdeck.lab.enumeration.ties import Poset

# ("scale", a, b) is a * x + b; ("mod", m, 0) is x % m; the others round: ("floor", 0, 0) and so on.
Step: TypeAlias = tuple[str, Number, Number]
Steps: TypeAlias = tuple[Step, ...]
Pieces: TypeAlias = tuple[Piece, ...]


class Draw:
    """A draw, as far as it is decided: equally likely to be any point of its pieces.

    Attributes:
        path: the path through the tree on which it was drawn.
        serial: its number among the draws of that path.
        pieces: where it may be.
        halves: two independent draws that it was split into, or None: ``x = base + up * high + down * low``.
        poset: what is known of its order among other draws; it has then only one piece.
    """

    __slots__ = ("halves", "path", "pieces", "poset", "serial")

    def __init__(self, path: TreePath, piece: Piece) -> None:
        self.path = path
        self.serial = path.serial
        self.pieces: Pieces = (piece,)
        self.halves: tuple[Number, Number, Number, Draw, Draw] | None = None
        self.poset: Poset | None = None

    @property
    def value(self) -> Number | None:
        """The only value it can have, or None if it can have several."""
        piece = self.pieces[0]
        return piece.first if len(self.pieces) == 1 and isinstance(piece, Progression) and piece.count == 1 else None

    def choose(self, groups: Sequence[Pieces], weights: tuple[int, ...]) -> int:
        """Decide in which of the groups of pieces it lies, and return which."""
        if len(groups) == 1:
            return 0
        chosen = self.path.weigh(weights, self.serial)
        self.pieces = groups[chosen]
        return chosen

    def halve(self, parts: Pieces) -> None:
        """Decide on which side of a cut within its poset it lies; if possible a cut between two of the `parts`."""
        piece = self.pieces[0]
        if isinstance(piece, Progression):
            at: Number = piece.count // 2
            if len(parts) == 2 and all(abs(cast(Progression, part).step) == abs(piece.step) for part in parts):
                at = max(self._place(part) for part in parts)
        else:
            places = sorted({self._place(part) for part in parts} - {0})
            at = places[len(places) // 2]
        cast(Poset, self.poset).part(at)

    def _place(self, part: Piece) -> Number:
        """Return the parameter of the piece at which `part` begins."""
        piece = self.pieces[0]
        if part.step * piece.step < 0:
            part = part.turned()
        return quotient(part.first - piece.first, piece.step)


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
    """Return the value after the steps as linear functions, on pieces that together are `pieces`.

    Raises:
        TooMany: that takes too many pieces.
    """
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


def window_of(low: Draw, a: Number, b: Number) -> int | None:
    """Return the whole number that ``a * low + b`` always rounds down to, or None if there are several."""
    values = set()
    for piece in low.pieces:
        walk, a_, b_ = upwards((piece, a, b))
        first, last = floor(a_ * walk.first + b_), walk.last(a_, b_)
        values |= {first, floor(last) if isinstance(walk, Progression) else max(first, ceil(last) - 1)}
    return values.pop() if len(values) == 1 else None


def split(draw: Draw, steps: Steps) -> bool:
    """Split `draw` into two independent draws, so that the first step after scaling needs only one of them.

    A draw below 60 is a draw below 10 and one below 6, its quotient and remainder by 6; a real number is a
    draw below 10 and a real number, its first decimal and the rest. Nothing is decided.
    """
    a, b, rest = scaling(steps)
    if len(draw.pieces) != 1 or draw.poset is not None or draw.halves is not None or not a or not rest:
        return False
    kind, modulus, _ = rest[0]
    if kind not in ("floor", "mod"):
        return False
    piece, a, b = upwards((draw.pieces[0], a, b))
    window: Number = modulus if kind == "mod" else 1
    start, stride = (a * piece.first + b) % window, a * piece.step
    if isinstance(piece, Progression):
        width = quotient(window, stride)
        if not is_whole(width) or width < 2 or piece.count % width or piece.count == width or start >= stride:
            return False
        high = Draw(draw.path, Progression(0, 1, piece.count // int(width)))
        low = Draw(draw.path, Progression(0, 1, int(width)))
        draw.halves = (piece.first, piece.step * width, piece.step, high, low)
    else:
        count = quotient(stride, window)
        if not is_whole(count) or count < 2 or start:
            return False
        high, low = Draw(draw.path, Progression(0, 1, int(count))), Draw(draw.path, Interval(0, 1))
        share = quotient(piece.step, count)
        draw.halves = (piece.first, share, share, high, low)
    high.serial = low.serial = draw.serial
    return True
