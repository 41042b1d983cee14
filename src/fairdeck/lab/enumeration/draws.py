"""Draws: where each may still lie, and what is known of the order of those that were compared.

A `Draw` is equally likely to be any point of its pieces. Independent draws, uniform on the same range, that were
compared with each other form a `Poset` (a partially ordered set). The share of all values that agrees with the order
is counted exactly: for real numbers by linear extensions, for whole numbers, which can be equal, by chains of sets.
Source: Stanley, Enumerative Combinatorics 1, sections 3.5 (linear extensions) and 3.12 (order polynomials).
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, factorial, floor
from typing import cast

from fairdeck.lab.enumeration.path import TreePath
from fairdeck.lab.enumeration.pieces import (
    Interval,
    Number,
    Piece,
    Pieces,
    Progression,
    Steps,
    is_whole,
    quotient,
    scaling,
    upwards,
    whole_weights,
)


class Draw:
    """A draw, as far as it is decided: equally likely to be any point of its `pieces`.

    It was the draw number `serial` on its `path`. `halves` are the two independent draws that it was split into, with
    ``x = base + up * high + down * low``, or None. `poset` is what is known of its order among other draws; it has then
    only one piece.
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


# Draws that were compared with each other ----------------------------------------------------------

# Row i holds two sets, as bits: which draws are known to be above draw i, and which not below it.
Order = tuple[tuple[int, int], ...]


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _known(order: Order, i: int, j: int, strict: bool) -> Order:
    """Return the order with draw `i` below draw `j` added, and everything that follows."""
    rows = [list(row) for row in order]
    lower = [i, *(k for k, (_, weak) in enumerate(order) if weak >> i & 1 and k != i)]
    upper = [j, *(k for k in _bits(order[j][1]) if k != j)]
    for low in lower:
        for high in upper:
            rows[low][1] |= 1 << high
            if strict or order[low][0] >> i & 1 or order[j][0] >> high & 1:
                rows[low][0] |= 1 << high
    return tuple((above, weak) for above, weak in rows)


def _among(order: Order, kept: Sequence[int]) -> Order:
    return tuple(
        (
            sum(1 << new for new, old in enumerate(kept) if order[row][0] >> old & 1),
            sum(1 << new for new, old in enumerate(kept) if order[row][1] >> old & 1),
        )
        for row in kept
    )


@lru_cache(maxsize=100_000)
def _chains(order: Order, ties: bool) -> tuple[int, ...]:
    """Return how often the draws fall onto 0, 1, 2, ... levels, none of them empty, in agreement with the order."""
    n = len(order)
    below_strictly = [sum(1 << k for k in range(n) if order[k][0] >> i & 1) for i in range(n)]
    below = [sum(1 << k for k in range(n) if k != i and order[k][1] >> i & 1) for i in range(n)]
    full = (1 << n) - 1
    found: dict[int, list[int]] = {0: [1]}
    # Levels are filled from the lowest up; a set of draws is reached only from sets with smaller numbers.
    for done in range(full):
        numbers = found.get(done)
        if numbers is None:
            continue
        free = full & ~done
        for level in _levels(free, ties):
            members = _bits(level)
            if any(below_strictly[i] & ~done or below[i] & ~(done | level) for i in members):
                continue
            target = found.setdefault(done | level, [0] * (n + 1))
            for levels, number in enumerate(numbers):
                if number:
                    target[levels + 1] += number
    return tuple(found.get(full, [0]))


def _levels(free: int, ties: bool) -> list[int]:
    """Return the sets that can be the next level: one draw or, where ties are possible, several."""
    if not ties:
        return [1 << i for i in _bits(free)]
    sets, level = [], free
    while level:
        sets.append(level)
        level = (level - 1) & free
    return sets


def _volume(order: Order, ties: bool, length: Number) -> Number:
    """Return the volume of the values, from a range of this length, that agree with the order."""
    chains = _chains(order, ties)
    if ties:
        return sum(number * comb(int(length), levels) for levels, number in enumerate(chains))
    return Fraction(chains[-1], factorial(len(order))) * length ** len(order) if order else 1


class Poset:
    """Draws that are uniform on their (only) pieces, except for what is known about their order.

    The pieces of all members are equally long; the order is that of their parameters.
    """

    __slots__ = ("members", "order", "ties")

    def __init__(self, members: list[Draw], order: Order, ties: bool) -> None:
        self.members = members
        self.order = order
        self.ties = ties
        for member in members:
            member.poset = self

    @property
    def length(self) -> Number:
        """How long the piece of each member is, in its parameter."""
        piece = self.members[0].pieces[0]
        return piece.count if isinstance(piece, Progression) else 1

    def below(self, one: Draw, other: Draw, strict: bool) -> bool:
        """Decide whether `one` lies below `other` (not `strict`: or equal)."""
        i, j = self.members.index(one), self.members.index(other)
        yes = _known(self.order, i, j, strict)
        no = _known(self.order, j, i, not strict)
        volumes = [_volume(order, self.ties, self.length) for order in (yes, no)]
        self.order = (yes, no)[self._chosen(volumes)]
        return self.order is yes

    def part(self, at: Number) -> None:
        """Decide on which side of `at`, a parameter strictly within the pieces, each member lies."""
        number, length = len(self.members), self.length
        everyone = range(number)
        sides: list[tuple[list[int], list[int]]] = []
        volumes: list[Number] = []
        for mask in range(1 << number):
            low, high = [i for i in everyone if mask >> i & 1], [i for i in everyone if not mask >> i & 1]
            if any(self.order[i][1] & mask for i in high):
                continue  # it would put a draw below one that it is not below
            sides.append((low, high))
            lower = _volume(_among(self.order, low), self.ties, at) if low else 1
            volumes.append(lower * (_volume(_among(self.order, high), self.ties, length - at) if high else 1))
        chosen = sides[self._chosen(volumes)]
        for side, kept in enumerate(chosen):
            for i in kept:
                self.members[i].pieces = (cast(Piece, self.members[i].pieces[0].parted(at)[side]),)
                self.members[i].poset = None
            if len(kept) > 1:
                Poset([self.members[i] for i in kept], _among(self.order, kept), self.ties)

    def _chosen(self, volumes: list[Number]) -> int:
        """Choose one of several outcomes by its volume; those without volume are impossible."""
        possible = [outcome for outcome, volume in enumerate(volumes) if volume]
        if len(possible) == 1:
            return possible[0]
        oldest = min(member.serial for member in self.members)
        weights = whole_weights([volumes[outcome] for outcome in possible])
        return possible[self.members[0].path.weigh(weights, oldest)]


def tie(one: Draw, other: Draw) -> Poset:
    """Return the poset that holds both draws, whose pieces are equally long."""
    first, second = (
        draw.poset or Poset([draw], ((0, 0),), isinstance(draw.pieces[0], Progression)) for draw in (one, other)
    )
    if first is second:
        return first
    shift = len(first.members)
    moved = tuple((above << shift, weak << shift) for above, weak in second.order)
    return Poset(first.members + second.members, first.order + moved, first.ties)
